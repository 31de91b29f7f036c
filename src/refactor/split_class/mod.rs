//! `split_class`: methods of a class and their state go to a class of their own.

pub(crate) mod edits;
pub(crate) mod plan;
