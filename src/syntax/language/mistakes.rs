//! The first of the mistakes in a table of data.

use std::cell::RefCell;

/// Keeps the first mistake. A table of a hundred keys is read as a whole with it: a way out after each key would be compiled with all
/// that has to be dropped there, which is most of the program's code for a table.
#[derive(Default)]
pub(super) struct Mistakes(RefCell<Option<String>>);

impl Mistakes {
    /// What was read, or nothing where that was a mistake.
    pub fn or_default<T: Default>(&self, read: Result<T, String>) -> T {
        read.unwrap_or_else(|mistake| {
            self.0.borrow_mut().get_or_insert(mistake);
            T::default()
        })
    }

    /// What was made of all that was read.
    ///
    /// # Errors
    /// The first mistake.
    pub fn or_first<T>(self, made: T) -> Result<T, String> {
        match self.0.into_inner() {
            Some(mistake) => Err(mistake),
            None => Ok(made),
        }
    }
}
