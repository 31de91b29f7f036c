//! Queries in tree-sitter's own language: `(function_definition name: (identifier) @name)`.
//!
//! tree-sitter compiles and runs them on its tree of the text; their captures are nodes of the flat table. Selectors know nothing
//! about them.

mod error;
mod necessary;
mod query;

pub use query::{PatternCapture, PatternMatch, TreeSitterQuery};
