//! Syntax errors, as they are shown beside the code.

use serde::Serialize;

use crate::tree::{SyntaxError, Tree};

/// How many syntax errors of a file are shown.
const ERRORS: usize = 200;

/// A syntax error of a file that is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ShownError {
    /// First line, from 1.
    pub start_line: usize,
    /// First column, from 1.
    pub start_col: usize,
    /// Last line, from 1.
    pub end_line: usize,
    /// The column after the last character, from 1.
    pub end_col: usize,
    /// In words: ``missing `:` ``.
    pub what: String,
}

/// The first syntax errors of a tree.
pub fn shown_errors(tree: &Tree) -> Vec<ShownError> {
    let shown = |error: SyntaxError| {
        let end = tree.text().position(error.span.end());
        ShownError {
            start_line: error.position.line,
            start_col: error.position.col(),
            end_line: end.line,
            end_col: end.col(),
            what: error.what,
        }
    };
    tree.errors().into_iter().take(ERRORS).map(shown).collect()
}
