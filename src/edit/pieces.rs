//! What comes into blocks and lists, and what goes out of them.

use super::extent::Place;
use super::fragment::Fragment;
use crate::text::Span;
use crate::tree::Node;

/// Something that comes between the units of a block or the elements of a list.
#[derive(Debug, Clone)]
pub(super) struct Insertion {
    pub(super) holder: Node,
    /// Before which unit; their number is the end.
    pub(super) slot: usize,
    /// The node below whose line it goes; else it goes above the unit, or where it fits.
    pub(super) below: Option<Node>,
    /// The node above whose line it goes, where that isn't the unit's.
    pub(super) above: Option<Node>,
    pub(super) item: Item,
    pub(super) operation: usize,
}

/// What is inserted.
#[derive(Debug, Clone, Default)]
pub(super) struct Item {
    pub(super) fragment: Fragment,
    /// An import: it goes above other code at the same place.
    pub(super) is_import: bool,
    /// A blank line separates it from what is above and below.
    pub(super) apart: bool,
    /// A blank line separates it from the comment above, which is not about it.
    pub(super) apart_above: bool,
    /// Stands right at the unit below, as a decorator does.
    pub(super) attached: bool,
    /// The node that moves, if one does.
    pub(super) node: Option<Node>,
    /// The comment that follows it in a list, behind the separator.
    pub(super) behind: Option<Fragment>,
}

/// A unit of a block, or an element of a list, that goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Removal {
    pub(super) place: Place,
    pub(super) span: Span,
    pub(super) operation: usize,
}
