//! `[symbols.autoload]`: loaders that find the file of a class by its name.

use std::collections::BTreeMap;

use super::form::{Types, rules};
use super::lazy_regex::LazyRegex;

rules! {
    /// Loaders that find the file of a class by its name.
    Autoload from AutoloadRule {
        /// Words of code that sets up such a loader: `spl_autoload_register`.
        words: Vec<String>,
        /// Files that set one up, by their names, each with a regex for what they contain then: `composer.json`.
        manifests: BTreeMap<String, LazyRegex>,
        /// Texts by which code names a file, with `$stem` and `$ending`: `$stem.$ending`.
        mentions: Vec<String>,
        /// Words in the names of files that are not of the class's name: `class` in `class-point.php`.
        extra: Vec<String>,
        /// Types of statements that a file has if it is more than the home of a class.
        code: Types,
    }
}
