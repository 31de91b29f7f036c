//! The reading of a pattern in a context: a small tree of items.

use crate::language::TypeId;

/// A pattern as one context reads it.
#[derive(Debug)]
pub(in crate::selector) struct Reading {
    /// The context's name: `statement`.
    pub context: &'static str,
    /// The type of the node that the pattern is; `None` if it is a hole.
    pub root: Option<TypeId>,
    /// Whether the reading counts only if there is no other.
    pub is_quiet: bool,
    pub item: Item,
}

/// A part of a pattern.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::selector) enum Item {
    /// One named node; the number is the index of the hole's name.
    Metavar(Option<usize>),
    /// Any number of siblings.
    Ellipsis(Option<usize>),
    /// A token, or a named node without named children.
    Leaf { type_id: TypeId, text: String, named: bool },
    /// A string: the text before its quotes, and between them.
    String { type_id: TypeId, prefix: String, content: String },
    /// A node and its children. `loose` is text outside all children, and `quoted` a string with holes.
    Node { type_id: TypeId, children: Vec<Item>, loose: String, quoted: bool },
}
