//! `inline`: a variable or a function is replaced by its code wherever it is used.

pub(crate) mod conform;
pub(crate) mod edits;
pub(crate) mod function;
pub(crate) mod plan;
