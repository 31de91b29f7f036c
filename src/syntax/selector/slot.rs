//! The slots of a query: its captures and variables.

use crate::text::Span;

/// A capture or a variable; they share one name space.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub name: String,
    /// Whether a step binds a node to it. Otherwise it is a variable, bound by `=`.
    pub is_capture: bool,
    /// Whether a code pattern binds it.
    pub is_code: bool,
    pub is_bound: bool,
    /// The first place that names it.
    pub span: Span,
}
