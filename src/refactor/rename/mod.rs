//! `rename`: a symbol gets another name in all files.

pub(crate) mod edits;
pub(crate) mod files;
mod name_rules;
pub(crate) mod plan;
