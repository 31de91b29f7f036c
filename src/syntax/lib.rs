//! Trees of code: parsed, selected from, edited, outlined. The package `cst-engine` is the way in, and has a guide.

pub mod duplicates;
pub mod edit;
pub mod inspect;
pub mod interrupt;
pub mod language;
pub mod limits;
#[doc(hidden)]
pub mod locks;
pub mod metrics;
#[doc(hidden)]
pub mod naming;
pub mod outline;
pub mod rule;
#[doc(hidden)]
pub mod scopes;
pub mod script;
pub mod selector;
pub mod text;
pub mod tree;
pub mod tree_query;
