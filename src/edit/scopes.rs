//! Which names mean the same thing: scopes and bindings, from the language's data.

use crate::tree::{Node, Tree};

/// The scopes of a tree.
pub(super) struct Scopes<'a> {
    tree: &'a Tree,
}

/// All names that mean one thing.
pub(super) struct References {
    /// The names.
    pub(super) names: Vec<Node>,
    /// Names that may mean it too, and are left alone.
    pub(super) left: usize,
}

impl<'a> Scopes<'a> {
    pub(super) fn new(tree: &'a Tree) -> Scopes<'a> {
        Scopes { tree }
    }

    /// Whether a name is one that defines something.
    pub(super) fn binds(&self, name: Node) -> bool {
        self.tree.table().is_named(name)
    }

    /// All names that mean what `name` defines.
    pub(super) fn references(&self, name: Node) -> References {
        References { names: vec![name], left: 0 }
    }

    /// A name `to` that gets in the way.
    pub(super) fn taken(&self, _references: &References, _to: &str) -> Option<Node> {
        None
    }
}
