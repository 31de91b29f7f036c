//! Values by node type.

use super::symbols::TypeId;

/// A map from some of a grammar's types to values.
#[derive(Debug)]
pub struct ByType<T> {
    places: Vec<u16>,
    values: Vec<T>,
}

impl<T> Default for ByType<T> {
    fn default() -> ByType<T> {
        ByType { places: Vec::new(), values: Vec::new() }
    }
}

impl<T> ByType<T> {
    /// The value of a type.
    #[inline]
    pub fn of(&self, id: TypeId) -> Option<&T> {
        let place = *self.places.get(usize::from(id))?;
        self.values.get(usize::from(place))
    }

    /// The types with a value, in order.
    pub fn types(&self) -> Vec<TypeId> {
        let places = self.places.iter().zip(0..);
        places.filter(|&(&place, _)| place != u16::MAX).map(|(_, id)| id).collect()
    }

    /// All values.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.values.iter()
    }

    /// All values, to change them.
    pub(super) fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.values.iter_mut()
    }

    /// Whether no type has a value.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Sets the value of a type.
    pub(super) fn insert(&mut self, id: TypeId, value: T) {
        let at = usize::from(id);
        if self.places.len() <= at {
            self.places.resize(at + 1, u16::MAX);
        }
        self.places[at] = u16::try_from(self.values.len()).expect("a grammar has fewer than 65,535 types");
        self.values.push(value);
    }
}
