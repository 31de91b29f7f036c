//! Insertions into blocks and lists, and removals from them.

use super::draft::Draft;
use super::extent::ItemPosition;
use super::fragment::Fragment;
use crate::text::Span;
use crate::tree::Node;

/// An insertion between the units of a block or the elements of a list.
#[derive(Debug, Clone)]
pub(super) struct Insertion {
    pub(super) holder: Node,
    /// The index of the unit before which it goes; their number means the end.
    pub(super) slot: usize,
    /// The node below whose line it goes; otherwise it goes above the unit, or where it fits.
    pub(super) below: Option<Node>,
    /// The node above whose line it goes, if that is not the unit.
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
    /// A blank line separates it from the code above and below.
    pub(super) apart: bool,
    /// A blank line separates it from the comment above, which does not document it.
    pub(super) apart_above: bool,
    /// It is directly above the unit below, as a decorator is.
    pub(super) attached: bool,
    /// The node that moves, if any.
    pub(super) node: Option<Node>,
    /// The comment that follows it in a list, after the separator.
    pub(super) behind: Option<Fragment>,
}

/// A unit of a block, or an element of a list, that is removed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Removal {
    pub(super) place: ItemPosition,
    pub(super) span: Span,
    pub(super) operation: usize,
}

impl Draft {
    /// Marks the draft as the result of an insertion: code, or a node that moves.
    pub(super) fn marked_for(self, insertion: &Insertion) -> Draft {
        match insertion.item.node {
            Some(_) => self,
            None => self.marked(insertion.operation),
        }
    }
}
