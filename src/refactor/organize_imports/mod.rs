//! `organize_imports`: imports without a use go, the others are merged and sorted.

pub(crate) mod edits;
mod loading;
pub(crate) mod plan;
