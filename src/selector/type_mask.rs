//! Sets of node types.

use crate::language::TypeId;

/// A set of node types.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TypeMask {
    /// Sorted.
    ids: Vec<TypeId>,
}

impl TypeMask {
    pub fn insert(&mut self, id: TypeId) {
        if let Err(place) = self.ids.binary_search(&id) {
            self.ids.insert(place, id);
        }
    }

    pub fn contains(&self, id: TypeId) -> bool {
        self.ids.binary_search(&id).is_ok()
    }

    pub fn union_with(&mut self, other: &TypeMask) {
        other.ids.iter().for_each(|&id| self.insert(id));
    }

    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    pub fn types(&self) -> impl Iterator<Item = TypeId> + '_ {
        self.ids.iter().copied()
    }

    /// The types, sorted.
    pub fn ids(&self) -> &[TypeId] {
        &self.ids
    }
}
