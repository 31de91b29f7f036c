//! `[symbols.module_tree]`: modules that a file declares.

use std::collections::BTreeMap;

use super::form::{Types, rules};
use super::lazy_regex::LazyRegex;
use super::place::Places;

rules! {
    /// The scheme `module_tree`: modules that a file declares.
    ModuleTree from ModuleTreeRule {
        /// Stems of the file that is a library as a whole: `lib`.
        crate_files: Vec<String>,
        /// A regex for the path of a module's file in what is before its declaration: `#[path = "x.rs"]`.
        path: LazyRegex,
        /// Types of definitions that are modules.
        types: Types,
        /// The words before a definition that all code can use: `pub`.
        open_words: Vec<String>,
        /// The words before one that its library or program can use: `pub(crate)`.
        library_words: Vec<String>,
        /// The types of the fields of a class that have no names.
        unnamed_fields: Places,
        /// Traits of the language whose methods can only be called where they are imported, with these methods and macros.
        traits: BTreeMap<String, Vec<String>>,
        /// A regex for a library's own word that public modules have documentation.
        documented: LazyRegex,
        /// Libraries of the language that have the same items: `core` and `std`.
        alike_libraries: Vec<String>,
        /// A regex for what makes a module depend on how it is compiled: `#[cfg(test)]`.
        condition: LazyRegex,
        /// A regex for what lets the code after the declaration of a module use its macros: `#[macro_use]`.
        leaves_macros: LazyRegex,
        /// A regex for what refuses code that is correct, in a module and those inside it: `#![deny(missing_docs)]`.
        strict: LazyRegex,
        /// A regex for what allows it there: `#![allow(dead_code)]`.
        lenient: LazyRegex,
        /// A regex for the attributes of a file as a whole: `#![no_std]`.
        whole_file: LazyRegex,
        /// Words before the path of another file from that of the code: `include_str`.
        includes: Vec<String>,
        /// Words for paths that don't depend on where code is: `env`.
        fixed_paths: Vec<String>,
    }
}
