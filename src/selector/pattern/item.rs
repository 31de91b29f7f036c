//! What a pattern is read as: a small tree of items for each context.

use crate::language::TypeId;

/// A pattern as one context reads it.
#[derive(Debug)]
pub(in crate::selector) struct Reading {
    /// The context's name: `statement`.
    pub context: &'static str,
    /// The type of the node that it is; `None` where it is a hole.
    pub root: Option<TypeId>,
    /// Whether it counts only where nothing else does.
    pub is_quiet: bool,
    pub item: Item,
}

/// A part of a pattern.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::selector) enum Item {
    /// One named node; the number is that of its name.
    Hole(Option<usize>),
    /// Any number of siblings.
    Holes(Option<usize>),
    /// A token, or a named node without any other in it.
    Leaf { type_id: TypeId, text: String, named: bool },
    /// A string: what is before its quotes and between them.
    String { type_id: TypeId, prefix: String, content: String },
    /// A node and what is in it. `loose` is text of it that no child holds, and `quoted` a string with holes in it.
    Node { type_id: TypeId, children: Vec<Item>, loose: String, quoted: bool },
}
