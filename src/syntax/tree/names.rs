//! The names of a tree, which its scopes find, kept with it.

use rustc_hash::FxHashMap;

use super::{Node, Tree};

/// The nodes of each name, in order.
pub(crate) type NamedNodes = FxHashMap<Box<str>, Vec<Node>>;

impl Tree {
    /// The nodes of each name, as `find` finds them. Copies of the tree share them.
    pub(crate) fn names_once(&self, find: impl FnOnce() -> NamedNodes) -> &NamedNodes {
        self.names.get_or_init(find)
    }
}
