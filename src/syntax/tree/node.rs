//! A node's place in the table of its revision.

/// A node of one revision: its index in the table, in document order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(pub(super) u32);

impl Node {
    /// The root of every tree.
    pub const ROOT: Node = Node(0);

    /// The node with an index.
    pub(crate) fn at(index: usize) -> Node {
        Node(u32::try_from(index).expect("a table has fewer than 2^32 nodes"))
    }

    /// The index in the table, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
