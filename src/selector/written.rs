//! A selector as written: its text, read by the grammar.

use super::error::SelectorError;
use super::{parse, syntax};

/// A selector as written.
#[derive(Debug, Clone)]
pub struct Selector {
    pub(super) source: String,
    pub(super) list: syntax::List,
}

impl Selector {
    /// Reads a selector.
    ///
    /// # Errors
    /// When it doesn't follow the grammar, is longer than 64 KiB or nested deeper than 128 levels.
    pub fn parse(source: &str) -> Result<Selector, SelectorError> {
        Ok(Selector { source: source.to_owned(), list: parse::selector(source)? })
    }

    /// Its text.
    pub fn source(&self) -> &str {
        &self.source
    }
}
