//! `[symbols.entries]`: names that the language or a tool uses by itself, and where they have that meaning.

use std::collections::BTreeMap;

use super::form::rules;
use super::lazy_regex::LazyRegex;

rules! {
    /// Names that the language or a tool uses by itself; `unused` leaves them out.
    Entries from EntriesRule {
        /// Regexes of names that the language or a tool uses by itself, by what they are: `"test" = "^test_"`.
        names: BTreeMap<String, LazyRegex>,
        /// Regexes of decorators that have something call what they decorate, by what that is: `"test" = "^Test$"`.
        decorators: BTreeMap<String, LazyRegex>,
        /// Regexes of modifiers of functions that the language's syntax calls, by what those are: `"operator" = "^operator$"`.
        modifiers: BTreeMap<String, LazyRegex>,
        /// Which of the entries start by themselves, so that what holds them is in use, too: `test`, but not `__init__`.
        started: Vec<String>,
        /// Which of the entries are functions that get arguments by the names of their parameters: `test`.
        named_parameters: Vec<String>,
        /// Which of the entries are none as a member of a class: `main`.
        of_modules: Vec<String>,
        /// Which of the entries are members only, of a class or of an object: `constructor`.
        of_classes: Vec<String>,
        /// Which of the entries a class has only if a base from outside, or a decorator, may call them: `render`.
        of_open_classes: Vec<String>,
        /// Which of the entries are functions only, and no fields.
        of_methods: Vec<String>,
        /// Which of the entries are methods that code outside of the project calls on an object which it gets: `write`.
        of_given_objects: Vec<String>,
        /// Calls of functions of the library that call no such method: `len`.
        inert_calls: Vec<String>,
        /// Regexes of the paths of the files in which entries are found, by what they are; in these a class need not be open.
        files: BTreeMap<String, LazyRegex>,
    }
}
