//! `split_file`: a module becomes a package with a file for each class.

pub(crate) mod partition;
pub(crate) mod plan;
