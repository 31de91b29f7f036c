//! The operations of a batch, and the result of applying them.

use crate::text::EditSet;
use crate::tree::{Carry, Node, Tree};

/// One operation of a batch. Its nodes are those of the tree before the batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    /// Replaces a node by code.
    Replace {
        /// The node.
        target: Node,
        /// The code.
        code: String,
        /// How much of a definition is replaced; [`Extent::Node`] unless the code has decorators of its own.
        extent: Option<Extent>,
    },
    /// Replaces consecutive siblings by code.
    ReplaceRange {
        /// The first.
        from: Node,
        /// The last.
        to: Node,
        /// The code.
        code: String,
        /// Whether decorators and comments above the first sibling are replaced, too; by default they stay.
        extent: Option<Extent>,
    },
    /// Inserts code next to a node, or in its body or list.
    Insert {
        /// The node.
        target: Node,
        /// The position.
        position: Position,
        /// The code.
        code: String,
        /// Whether `before` means above decorators and comments; by default it does.
        extent: Option<Extent>,
    },
    /// Deletes a node.
    Delete {
        /// The node.
        target: Node,
        /// Whether decorators and comments above are deleted, too; by default they are.
        extent: Option<Extent>,
    },
    /// Moves a node.
    Move {
        /// The node.
        target: Node,
        /// The position relative to `to`.
        position: Position,
        /// The reference node.
        to: Node,
        /// Whether decorators and comments above move, too; by default they do.
        extent: Option<Extent>,
    },
    /// Wraps a node in code.
    Wrap {
        /// The node.
        target: Node,
        /// The code, with `$0` where the node goes.
        code: String,
        /// Whether decorators and comments above are wrapped, too.
        extent: Option<Extent>,
    },
    /// Replaces a node by its body.
    Unwrap {
        /// The node.
        target: Node,
    },
    /// Renames a definition.
    Rename {
        /// The definition.
        target: Node,
        /// The new name.
        to: String,
        /// Whether everything in this file that refers to it is renamed, too.
        references: bool,
    },
    /// Replaces text inside a node.
    Sub {
        /// The node.
        target: Node,
        /// The text to find.
        find: String,
        /// The replacement; with `regex`, `$1` is a group.
        replace: String,
        /// Whether `find` is a regex.
        regex: bool,
    },
    /// Adds an import unless it exists.
    EnsureImport {
        /// The import.
        code: String,
    },
}

/// The position of an insertion relative to its target.
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

/// The extent of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// With its decorators and the comments attached above it.
    Full,
    /// The node alone.
    Node,
}

/// The gates that are disabled for a batch.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Allow {
    /// New syntax errors.
    pub syntax: bool,
    /// Changes to nodes outside the edit.
    pub structure: bool,
}

/// The result of a batch.
#[derive(Debug)]
pub struct Outcome {
    /// The next revision; the same tree if nothing changed.
    pub tree: Tree,
    /// The changes of the text.
    pub edits: EditSet,
    /// The mapping between old and new nodes.
    pub carry: Carry,
    /// The results of the operations, in order.
    pub operations: Vec<Made>,
}

/// The result of an operation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Made {
    /// The outermost named nodes of the new tree.
    pub nodes: Vec<Node>,
    /// Notes for the user: ``kept the decorators of `f` ``.
    pub notes: Vec<String>,
}
