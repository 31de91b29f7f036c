//! `rename`: a symbol gets another name in all files.

pub(crate) mod edits;
pub(crate) mod files;
pub(crate) mod plan;
