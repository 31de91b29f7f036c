//! `kind` with combinators: `call_expression > identifier`.

use super::condition::{Condition, Related, StopAt};
use super::error::AstGrepError;
use super::model::{Direction, Placed};
use crate::language::Language;
use crate::selector::nearest;

/// The condition that a kind is, or several with combinators between them.
pub(super) fn kind_selector(written: &Placed<String>, language: &'static Language) -> Result<Condition, AstGrepError> {
    let mut branches = Vec::new();
    for branch in written.value.split(',') {
        branches.push(read_branch(branch, written, language)?);
    }
    Ok(if branches.len() == 1 { branches.remove(0) } else { Condition::Any(branches) })
}

fn read_branch(branch: &str, written: &Placed<String>, language: &'static Language) -> Result<Condition, AstGrepError> {
    let spaced = branch.replace('>', " > ").replace('+', " + ").replace('~', " ~ ");
    let mut known: Option<Condition> = None;
    let mut combinator = None;
    for word in spaced.split_whitespace() {
        if let ">" | "+" | "~" = word {
            combinator = Some(word.to_owned());
            continue;
        }
        let kind = kind(word, written, language)?;
        known = Some(match known {
            None => kind,
            Some(before) => {
                let (direction, stop) = match combinator.take().as_deref() {
                    Some(">") => (Direction::Inside, StopAt::Neighbor),
                    Some("+") => (Direction::Follows, StopAt::Neighbor),
                    Some("~") => (Direction::Follows, StopAt::End),
                    _ => (Direction::Inside, StopAt::End),
                };
                let before = Related { direction, rule: Box::new(before), stop, field: None };
                Condition::All(vec![kind, Condition::Relation(before)])
            }
        });
    }
    known.ok_or_else(|| AstGrepError::new("`kind` is empty".to_owned(), written.place))
}

fn kind(word: &str, written: &Placed<String>, language: &'static Language) -> Result<Condition, AstGrepError> {
    if word.contains([':', '.', '(']) {
        let message = format!("`{word}`: pseudo-classes and classes in `kind` are not supported");
        return Err(AstGrepError::new(message, written.place));
    }
    match language.type_id(word).or_else(|| language.token_id(word)) {
        Some(id) => Ok(Condition::Kind(id)),
        None => {
            let error = AstGrepError::new(format!("{} has no kind `{word}`", language.name()), written.place);
            Err(match nearest(word, "", language.named_type_names()) {
                Some(hint) => error.hint(hint),
                None => error,
            })
        }
    }
}
