//! Duplicates: runs of statements that are the same but for names, in any number of files.
//!
//! A [`Fingerprint`] has the statements of a file as hashes. [`find`] compares those of all files: runs of neighbours with at least so
//! many tokens that occur twice, made as long as all occurrences allow. So a duplicate is whole statements and definitions. Names may
//! differ if each has one counterpart.

mod classes;
mod fingerprint;
mod groups;

pub use fingerprint::{Fingerprint, Piece};
pub use groups::{Duplicate, Place, find};
