//! `[symbols.closed_types]`: types from outside whose objects are never those of the project.

use super::by_type::ByType;
use super::form::{Paths, Types, rules};

rules! {
    /// Types from outside whose objects are never those of the project.
    ClosedTypes from ClosedTypesRule {
        /// Their names: `String`.
        names: Vec<String>,
        /// Types of nodes that are such types: an array.
        nodes: Types,
        /// Functions of these types that make an object of them: `new`.
        constructors: Vec<String>,
        /// Methods of their objects whose results are such objects: `trim`.
        results: Vec<String>,
        /// The path to the name of a macro that is called.
        macros: ByType<Paths>,
        /// Macros that make such objects: `format`.
        made_by: Vec<String>,
    }
}
