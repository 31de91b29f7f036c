//! What the modules above make of a language once: its vocabulary, its named selectors, the rows of its outline.

use std::any::Any;
use std::sync::OnceLock;

/// What is made once for each language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memo {
    /// The kinds and visibilities, as queries.
    Vocabulary,
    /// The named selectors.
    Definitions,
    /// The rows of its outline.
    Outline,
}

/// One cell for each [`Memo`].
#[derive(Debug, Default)]
pub(super) struct Memos([OnceLock<Box<dyn Any + Send + Sync>>; 3]);

impl Memos {
    /// What was made, or is now made.
    pub(super) fn get<T: Any + Send + Sync>(&self, memo: Memo, make: impl FnOnce() -> T) -> &T {
        let value = self.0[memo as usize].get_or_init(|| Box::new(make()));
        value.downcast_ref().expect("each memo has one type")
    }
}
