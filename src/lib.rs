//! Finds and edits code by its syntax.

pub mod edit;
pub mod language;
pub mod selector;
pub mod text;
pub mod tree;
