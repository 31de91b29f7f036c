//! A value of a script with its place in the text.

use crate::text::Span;

/// A value of a script, with its place.
#[derive(Debug, Clone)]
pub(crate) struct Placed<T> {
    pub value: T,
    /// The place in the script, between the quotes.
    pub span: Span,
}
