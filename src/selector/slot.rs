//! The slots of a query: what its captures and variables are bound to.

use crate::text::Span;

/// A capture or a variable: one name space.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub name: String,
    /// Whether a step binds a node to it; else it is a variable, bound by `=`.
    pub is_capture: bool,
    /// Whether a code pattern binds it.
    pub is_code: bool,
    pub is_bound: bool,
    /// Where it is first named.
    pub span: Span,
}
