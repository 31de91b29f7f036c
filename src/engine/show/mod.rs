//! Answers about single trees and files.

pub(crate) mod check;
pub(crate) mod chunk;
pub(crate) mod duplicates;
pub(crate) mod explain;
pub(crate) mod find;
pub(crate) mod inspect;
pub(crate) mod metrics;
pub(crate) mod nodes;
pub(crate) mod outline;
mod wanted;
