//! `kind`: the name of a kind, or a selector of them: `call_expression > identifier:not(:has(comment))`.

use super::condition::{Condition, Related, StopAt};
use super::error::AstGrepError;
use super::kind_names::find_kind;
use super::model::{Direction, Placed};
use super::position::position;
use super::types::types_of;
use crate::language::Language;

type Read<T> = Result<T, AstGrepError>;

/// The deepest nesting of a selector.
const DEEPEST: usize = 64;

/// The condition that a selector of kinds is.
pub(super) fn kind_selector(written: &Placed<String>, language: &'static Language) -> Read<Condition> {
    let mut reader = Reader { rest: written.value.trim(), written, language, depth: 0 };
    let condition = reader.list()?;
    match reader.rest {
        "" => Ok(condition),
        _ => Err(reader.unexpected()),
    }
}

/// Reads a selector of kinds from the left.
struct Reader<'s> {
    rest: &'s str,
    written: &'s Placed<String>,
    language: &'static Language,
    depth: usize,
}

impl<'s> Reader<'s> {
    fn wrong<T>(&self, message: String) -> Read<T> {
        Err(AstGrepError::new(format!("`{}`: {message}", self.written.value.trim()), self.written.place))
    }

    fn unexpected(&self) -> AstGrepError {
        let letter = self.rest.chars().next().map_or_else(|| "the end".to_owned(), |letter| format!("`{letter}`"));
        let message = format!("`{}`: {letter} cannot be there", self.written.value.trim());
        AstGrepError::new(message, self.written.place)
    }

    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn takes(&mut self, sign: char) -> bool {
        let rest = self.rest.trim_start().strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Selectors with commas between them.
    fn list(&mut self) -> Read<Condition> {
        let mut branches = Vec::new();
        while !self.rest.is_empty() {
            branches.push(self.complex()?);
            if !self.takes(',') {
                break;
            }
            self.skip();
        }
        Ok(if branches.len() == 1 { branches.remove(0) } else { Condition::Any(branches) })
    }

    /// Kinds with combinators between them.
    fn complex(&mut self) -> Read<Condition> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.wrong(format!("nested more than {DEEPEST} deep"));
        }
        let mut known = self.compound()?;
        loop {
            let is_apart = self.rest.starts_with(char::is_whitespace);
            let next = self.rest.trim_start().chars().next();
            let (direction, stop) = match next {
                Some('>') => (Direction::Inside, StopAt::Neighbor),
                Some('+') => (Direction::Follows, StopAt::Neighbor),
                Some('~') => (Direction::Follows, StopAt::End),
                Some(letter) if is_apart && !matches!(letter, ')' | ',') => (Direction::Inside, StopAt::End),
                _ => break,
            };
            self.skip();
            self.rest = self.rest.strip_prefix(['>', '+', '~']).unwrap_or(self.rest);
            self.skip();
            let kind = self.compound()?;
            let types = types_of(&known, &[]);
            let before = Related { direction, rule: Box::new(known), stop, field: None, types };
            known = Condition::All(vec![kind, Condition::Relation(before)]);
        }
        self.depth -= 1;
        Ok(known)
    }

    /// A kind and what is said about it.
    fn compound(&mut self) -> Read<Condition> {
        let mut parts = Vec::new();
        let word = self.word();
        if !word.is_empty() {
            let kind = Placed { value: word.to_owned(), place: self.written.place };
            parts.push(Condition::Kind(find_kind(&kind, self.language)?));
        }
        while let Some(rest) = self.rest.strip_prefix(':') {
            self.rest = rest;
            parts.push(self.pseudo_class()?);
        }
        if self.rest.starts_with('.') {
            return self.wrong("classes are not supported".to_owned());
        }
        match parts.len() {
            0 => Err(self.unexpected()),
            1 => Ok(parts.remove(0)),
            _ => Ok(Condition::All(parts)),
        }
    }

    fn word(&mut self) -> &'s str {
        let is_in = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
        let length = self.rest.find(|letter| !is_in(letter)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(length);
        if word.starts_with(|letter: char| letter.is_ascii_digit()) {
            return "";
        }
        self.rest = rest;
        word
    }

    fn pseudo_class(&mut self) -> Read<Condition> {
        const KNOWN: [&str; 5] = ["has", "not", "is", "nth-child", "nth-last-child"];
        let name = self.word();
        if !KNOWN.contains(&name) {
            return self.wrong(format!("unknown pseudo-class `:{name}`")).map_err(|error: AstGrepError| {
                error.hint("one of `:has`, `:not`, `:is`, `:nth-child`, `:nth-last-child`")
            });
        }
        if !self.takes('(') {
            return self.wrong(format!("`:{name}` needs `(`"));
        }
        self.skip();
        let condition = match name {
            "has" => {
                let stop = if self.takes('>') { StopAt::Neighbor } else { StopAt::End };
                self.skip();
                let inner = self.complex()?;
                let types = types_of(&inner, &[]);
                let direction = Direction::Has;
                Condition::Relation(Related { direction, rule: Box::new(inner), stop, field: None, types })
            }
            "not" => Condition::Not(Box::new(self.complex()?)),
            "is" => self.list()?,
            _ => self.nth_child(name == "nth-last-child")?,
        };
        if !self.takes(')') {
            return self.wrong(format!("`:{name}` needs `)`"));
        }
        Ok(condition)
    }

    /// `2n+1 of identifier`
    fn nth_child(&mut self, from_end: bool) -> Read<Condition> {
        let is_in = |letter: char| letter.is_ascii_digit() || matches!(letter, 'n' | 'N' | '+' | '-' | ' ');
        let length = self.rest.find(|letter| !is_in(letter)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(length);
        let Some((step, offset)) = position(word) else {
            return self.wrong(format!("`{}` is not a position", word.trim()));
        };
        self.rest = rest.trim_start();
        let of = match self.rest.strip_prefix("of") {
            Some(rest) if rest.starts_with(char::is_whitespace) => {
                self.rest = rest.trim_start();
                Some(Box::new(self.complex()?))
            }
            _ => None,
        };
        Ok(Condition::NthChild { step, offset, of, from_end })
    }
}
