//! Refactors: changes to a definition and to all that refers to it, in every file of a project.
//!
//! [`rename`] makes the edits of a rename, file by file. [`compare`] is the *binding gate*: it compares what names are bound to before
//! and after a refactor, and lists every name that would mean something else.
//!
//! The module knows nothing about requests: the engine goes through the files, and decides what is done with places that are
//! not certain.

mod extract;
mod extract_variable;
mod flow;
mod gate;
mod inline;
mod inlined_function;
mod moved;
mod order;
mod put;
mod refusal;
mod region;
mod rename;

pub use extract::{Extracted, extract_function};
pub use extract_variable::extract_variable;
pub use gate::{Followed, Moved, Rebound, compare};
pub use inline::inline;
pub use refusal::{Reason, Refusal};
pub use rename::{RenameError, Renaming, rename};
