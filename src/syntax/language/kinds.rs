//! `[kinds]`, and what else names kinds.

use std::collections::BTreeMap;

use super::form::forms;
use super::symbols::{Symbols, TypeId};
use super::taxonomy::taxonomy;
use super::values::Values;

forms! {
    /// Words for kinds.
    KindWords: Vec<String> => Vec<String> = |words, _| {
        words.iter().try_for_each(|word| check_kind(word))?;
        Ok(words.clone())
    };
    /// From a kind to types and selectors.
    Kinds: BTreeMap<String, Values> => BTreeMap<String, Vec<KindRule>> = |kinds, reader| {
        let symbols = reader.notation.symbols;
        let rule = |rule: &str| {
            symbols.type_id(rule).map_or_else(|| KindRule::Selector(rule.to_owned()), KindRule::Type)
        };
        let read = |(kind, rules): (&String, &Values)| {
            check_kind(kind)?;
            Ok((kind.clone(), rules.iter().map(rule).collect()))
        };
        kinds.iter().map(read).collect()
    };
    /// From a name to types, kinds and selectors.
    Compatibility: BTreeMap<String, Values> => BTreeMap<String, Vec<String>> = |names, reader| {
        let symbols = reader.notation.symbols;
        let is_known = |word: &str| {
            !is_word(word)
                || taxonomy().contains(word)
                || symbols.type_id(word).is_some()
                || symbols.is_supertype(word)
                || names.contains_key(word)
        };
        let read = |(name, values): (&String, &Values)| match values.iter().find(|word| !is_known(word)) {
            Some(word) => Err(format!("{name}: the grammar has no type `{word}`")),
            None => Ok((name.clone(), values.iter().map(str::to_owned).collect())),
        };
        names.iter().map(read).collect()
    };
}

/// A rule of a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KindRule {
    /// All nodes of a type.
    Type(TypeId),
    /// The nodes that a selector finds, or those below a supertype.
    Selector(String),
}

/// Whether a rule in the data is a plain node type, not a selector.
#[doc(hidden)]
pub fn is_word(rule: &str) -> bool {
    rule.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Checks that the words among the rules of kinds are known.
///
/// # Errors
/// Names a word that is none of the grammar, nor another name.
pub(super) fn check_rules(
    kinds: &BTreeMap<String, Vec<KindRule>>,
    names: &BTreeMap<String, Vec<String>>,
    symbols: &Symbols,
) -> Result<(), String> {
    for (kind, rules) in kinds {
        let unknown = rules.iter().find_map(|rule| match rule {
            KindRule::Selector(word) if is_word(word) && !symbols.is_supertype(word) => {
                (!names.contains_key(word)).then_some(word)
            }
            _ => None,
        });
        if let Some(word) = unknown {
            return Err(format!("kinds.{kind}: the grammar has no type `{word}`"));
        }
    }
    Ok(())
}

/// Checks that a word that should be a kind is one.
fn check_kind(word: &str) -> Result<(), String> {
    if taxonomy().contains(word) {
        return Ok(());
    }
    let names = taxonomy().kinds().iter().map(|kind| kind.name.as_str());
    let likely = names.filter(|name| strsim::jaro(name, word) > 0.7);
    let nearest = likely.max_by(|a, b| strsim::jaro(a, word).total_cmp(&strsim::jaro(b, word)));
    let meant = nearest.map(|kind| format!("; did you mean `{kind}`?")).unwrap_or_default();
    Err(format!("unknown kind `{word}`{meant}"))
}
