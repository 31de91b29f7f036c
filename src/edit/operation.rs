//! The operations of a batch, and what applying them gives.

use crate::text::EditSet;
use crate::tree::{Carry, Node, Tree};

/// One operation of a batch. Its nodes are of the tree before the batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    /// Puts code in a node's place.
    Replace {
        /// The node.
        target: Node,
        /// The code.
        code: String,
        /// How much of a definition goes; [`Extent::Node`] unless the code brings decorators of its own.
        extent: Option<Extent>,
    },
    /// Puts code in the place of consecutive siblings.
    ReplaceRange {
        /// The first.
        from: Node,
        /// The last.
        to: Node,
        /// The code.
        code: String,
        /// Whether decorators and comments above the first go too; they stay by default.
        extent: Option<Extent>,
    },
    /// Puts code beside a node, or in its body or list.
    Insert {
        /// The node.
        target: Node,
        /// Where.
        position: Position,
        /// The code.
        code: String,
        /// Whether `before` means above decorators and comments; it does by default.
        extent: Option<Extent>,
    },
    /// Takes a node away.
    Delete {
        /// The node.
        target: Node,
        /// Whether decorators and comments above go too; they do by default.
        extent: Option<Extent>,
    },
    /// Takes a node to another place.
    Move {
        /// The node.
        target: Node,
        /// Where, seen from `to`.
        position: Position,
        /// The node that says where.
        to: Node,
        /// Whether decorators and comments above go too; they do by default.
        extent: Option<Extent>,
    },
    /// Puts code around a node.
    Wrap {
        /// The node.
        target: Node,
        /// The code, with `$0` where the node goes.
        code: String,
        /// Whether decorators and comments above are wrapped too.
        extent: Option<Extent>,
    },
    /// Puts a node's body in its place.
    Unwrap {
        /// The node.
        target: Node,
    },
    /// Gives a definition another name.
    Rename {
        /// The definition.
        target: Node,
        /// The new name.
        to: String,
        /// Whether all that resolves to it in this file is renamed too.
        references: bool,
    },
    /// Replaces text inside of a node.
    Sub {
        /// The node.
        target: Node,
        /// What to find.
        find: String,
        /// What to put there; with `regex`, `$1` is a group.
        replace: String,
        /// Whether `find` is a regex.
        regex: bool,
    },
    /// Imports something unless it is imported already.
    EnsureImport {
        /// The import.
        code: String,
    },
}

/// Where an insert goes, seen from its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// Above it, or before it in its list.
    Before,
    /// Below it, or after it in its list.
    After,
    /// First in its body or list; below a docstring.
    First,
    /// Last in its body or list.
    Last,
}

/// How much belongs to a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Its decorators and the comments attached above it too.
    Full,
    /// The node alone.
    Node,
}

/// Which gates a batch may pass unchecked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Allow {
    /// New syntax errors.
    pub syntax: bool,
    /// Changes to nodes outside of the edit.
    pub structure: bool,
}

/// A batch applied.
#[derive(Debug)]
pub struct Outcome {
    /// The next revision; the same tree when nothing changed.
    pub tree: Tree,
    /// What changed in the text.
    pub edits: EditSet,
    /// What became of the old nodes.
    pub carry: Carry,
    /// What each operation made, in order.
    pub operations: Vec<Made>,
}

/// What an operation made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Made {
    /// The outermost named nodes of the new tree.
    pub nodes: Vec<Node>,
    /// What else there is to say: ``kept the decorators of `f` ``.
    pub notes: Vec<String>,
}
