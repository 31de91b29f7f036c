//! `extract_base`: members of classes go to a new base class.

pub(crate) mod edits;
pub(crate) mod plan;
