//! Finds and edits code by its syntax.

pub mod cli;
pub mod edit;
pub mod engine;
pub mod index;
pub mod language;
pub mod outline;
pub mod project;
pub mod script;
pub mod selector;
pub mod text;
pub mod tree;
