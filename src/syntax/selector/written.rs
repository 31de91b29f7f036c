//! A selector as written: its text, parsed by the grammar.

use super::error::SelectorError;
use super::resolve::is_code;
use super::syntax::{Argument, Part};
use super::{parse, pattern, syntax};

/// A selector as written.
#[derive(Debug, Clone)]
pub struct Selector {
    pub(super) source: String,
    pub(super) list: syntax::List,
}

impl Selector {
    /// Parses a selector.
    ///
    /// # Errors
    /// If it does not follow the grammar, is longer than 64 KiB or nested deeper than 128 levels.
    pub fn parse(source: &str) -> Result<Selector, SelectorError> {
        Ok(Selector { source: source.to_owned(), list: parse::selector(source)? })
    }

    /// The names that it captures, in its steps and in its code patterns.
    pub fn captures(&self) -> Vec<String> {
        let mut names = Vec::new();
        add_captures(&self.list, &mut names);
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The text.
    pub fn source(&self) -> &str {
        &self.source
    }
}

fn add_captures(list: &syntax::List, names: &mut Vec<String>) {
    for part in list.branches.iter().flat_map(|branch| &branch.steps).flat_map(|step| &step.parts) {
        match part {
            Part::Capture(word) => names.push(word.text.clone()),
            Part::Pseudo(pseudo) => match &pseudo.argument {
                Some(Argument::List(inner) | Argument::Nth { of: Some(inner), .. }) => add_captures(inner, names),
                Some(Argument::Text(code)) if is_code(&pseudo.name) => names.extend(pattern::names(&code.text)),
                _ => {}
            },
            Part::Attribute(_) => {}
        }
    }
}
