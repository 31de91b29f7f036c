//! Sets of node types.

use super::symbols::{ERROR_TYPE, TypeId};

/// A set of node types: asking for one is a bit's test, and the members are in order.
///
/// Invariant: `bits` has the bit of exactly the members of `ids`, [`ERROR_TYPE`] left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypeSet {
    /// In order, each once.
    ids: Vec<TypeId>,
    bits: Vec<u64>,
}

fn place(id: TypeId) -> (usize, u64) {
    (usize::from(id) / 64, 1 << (id % 64))
}

impl TypeSet {
    /// Adds a type.
    pub fn insert(&mut self, id: TypeId) {
        let Err(at) = self.ids.binary_search(&id) else { return };
        self.ids.insert(at, id);
        if id == ERROR_TYPE {
            return;
        }
        let (word, bit) = place(id);
        if self.bits.len() <= word {
            self.bits.resize(word + 1, 0);
        }
        self.bits[word] |= bit;
    }

    /// Whether a type is in it.
    #[inline]
    pub fn contains(&self, id: TypeId) -> bool {
        let (word, bit) = place(id);
        match self.bits.get(word) {
            Some(bits) => bits & bit != 0,
            None => id == ERROR_TYPE && self.ids.last() == Some(&ERROR_TYPE),
        }
    }

    /// Adds the types of another set.
    pub fn union_with(&mut self, other: &TypeSet) {
        other.ids.iter().for_each(|&id| self.insert(id));
    }

    /// Whether it has no types.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The types in order.
    pub fn types(&self) -> impl Iterator<Item = TypeId> + '_ {
        self.ids.iter().copied()
    }

    /// The types in order.
    pub fn ids(&self) -> &[TypeId] {
        &self.ids
    }
}

impl FromIterator<TypeId> for TypeSet {
    fn from_iter<I: IntoIterator<Item = TypeId>>(ids: I) -> TypeSet {
        let mut set = TypeSet::default();
        ids.into_iter().for_each(|id| set.insert(id));
        set
    }
}
