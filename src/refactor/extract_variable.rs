//! A variable from an expression.

use super::extract::Extracted;
use super::refusal::Refusal;
use crate::symbols::FileId;
use crate::text::Span;
use crate::tree::{ParseLimits, Tree};

/// Makes a variable of the expression in a range, and of all that are equal if `all`.
///
/// # Errors
/// If the program would not do the same, or that cannot be seen.
pub fn extract_variable(
    tree: &Tree,
    file: FileId,
    range: Span,
    (name, all): (&str, bool),
    limits: &ParseLimits,
) -> Result<Extracted, Refusal> {
    let _ = (tree, file, name, all, limits);
    Err(Refusal::request(range.start(), "not yet"))
}
