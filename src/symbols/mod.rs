//! Symbols over a whole project: what a name means, whatever file defines it.
//!
//! A [`Project`] is a list of files and the ways in which the names of modules lead to them. [`Trees`] loads them as they
//! are needed. A [`Resolver`] follows names through scopes, imports, classes and written types ([`Meaning`]), and
//! [`references`] sorts all occurrences of a name by what they mean: certain, possible, and not determined.
//!
//! What differs between languages is data (`[references]`, `[imports]` and `[symbols]` of `language.toml`). The module
//! knows nothing about requests and sessions, and reaches files only through the function that loads trees.

mod classes;
mod find;
mod hierarchy;
mod import;
mod meaning;
mod modules;
mod project;
mod references;
mod types;
mod value;

pub use find::{Definition, Named, Query, definitions_at, find_definitions, innermost_definition, names};
pub use hierarchy::{Callees, Subclass, subclasses};
pub use meaning::Meaning;
pub use project::{FileId, Project, ProjectFile, Resolver, Site, Thing, Trees};
pub use references::{Confidence, Occurrence, Role, Target, occurrences};
