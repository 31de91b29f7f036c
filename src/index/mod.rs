//! The index: what parsing a folder's files gave, kept so that it isn't done twice.
//!
//! A [`Store`] holds for each file its text and the flat table of its nodes, in files that are mapped, never rewritten: packs,
//! and a list of what is in them, the catalogue, which is replaced as a whole. So any number of processes may read while
//! one writes, and what a reader has mapped stays as it is.
//!
//! It is never wrong. A file is the same as it was when size, times and place on the disk are, and nothing has touched it
//! since a moment well before it was read; otherwise its text is compared by hash. Each table and text has a sum that is
//! looked at before they are used. What is damaged, foreign or made by another version counts as not there.
//!
//! This module touches the disk itself, in the cache folder alone. It knows nothing of requests and selectors.

mod catalogue;
mod mapped;
mod store;
mod writer;

pub use store::{Entry, Store};
pub use writer::{Parsed, Writer, clear, prune, size};

/// The hash of a text.
pub(super) fn hash(text: &[u8]) -> [u8; 16] {
    let mut hash = [0; 16];
    hash.copy_from_slice(&blake3::hash(text).as_bytes()[..16]);
    hash
}

/// The sum that tells damage.
pub(super) fn sum(parts: &[&[u8]]) -> u64 {
    let mut state = xxhash_rust::xxh3::Xxh3::new();
    parts.iter().for_each(|part| state.update(part));
    state.digest()
}
