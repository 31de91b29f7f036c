//! The index: the parsed tables of a folder's files, stored so that unchanged files are not parsed again.
//!
//! A [`Store`] contains the text and the flat node table of each file. It consists of packs, which are mapped and never
//! rewritten, and a list of their content, the catalogue, which is replaced as a whole. So any number of processes may
//! read while one writes, and what a reader has mapped does not change.
//!
//! It is never wrong. A file is unchanged if its size, times and inode are the same and its last change was well before
//! it was read; otherwise its text is compared by hash. Each table and text has a checksum, which is verified before
//! use. Anything damaged, foreign or of another version is treated as absent.
//!
//! This module accesses the disk itself, only in the cache folder. It knows nothing about requests and selectors.

mod catalogue;
mod mapped;
mod store;
mod writer;

#[cfg(feature = "semantic")]
pub use mapped::Mapped;
pub use store::{Entry, Store, version_of};
pub use writer::{Parsed, Writer, clear, prune, size};

/// The hash of a text.
pub(super) fn hash(text: &[u8]) -> [u8; 16] {
    let mut hash = [0; 16];
    hash.copy_from_slice(&blake3::hash(text).as_bytes()[..16]);
    hash
}

/// The checksum that detects damage.
pub(super) fn sum(parts: &[&[u8]]) -> u64 {
    let mut state = xxhash_rust::xxh3::Xxh3::new();
    parts.iter().for_each(|part| state.update(part));
    state.digest()
}
