//! A selector as written: its text, parsed by the grammar.

use super::error::SelectorError;
use super::{parse, syntax};

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

    /// The text.
    pub fn source(&self) -> &str {
        &self.source
    }
}
