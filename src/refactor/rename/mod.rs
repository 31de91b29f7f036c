//! `rename`: a symbol gets another name in all files.

mod alias;
pub(crate) mod edits;
pub(crate) mod files;
mod name_rules;
pub(crate) mod plan;
pub(crate) mod second_opinion;
mod taken;
mod trees;
