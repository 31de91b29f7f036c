//! A value of a script with its place in the text.

use crate::text::Span;

/// Something of a script, with its place.
#[derive(Debug, Clone)]
pub(super) struct Placed<T> {
    pub value: T,
    /// Where it is in the script: between its quotes.
    pub span: Span,
}
