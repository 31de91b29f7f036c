//! The kinds of a tree's nodes.

use crate::tree::{Node, Tree};

/// The kinds of all nodes of one tree, worked out once.
#[derive(Debug)]
pub struct Kinds {}

impl Kinds {
    /// Works out the kinds of a tree's nodes. Linear in its nodes.
    pub fn new(_tree: &Tree) -> Kinds {
        Kinds {}
    }

    /// The most specific kind of a node; `node` when it has no other.
    pub fn kind(&self, _node: Node) -> &'static str {
        "node"
    }

    /// Whether a node is of a kind, or of one under it.
    pub fn is(&self, _node: Node, _kind: &str) -> bool {
        false
    }
}
