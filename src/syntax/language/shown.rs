//! `[symbols.shown]`: where objects are written or read with the names of their members.

use super::form::{MaybeRegex, Types, rules};
use super::place::NodePatterns;

rules! {
    /// Where objects are written or read with the names of their members.
    Shown from ShownRule {
        /// Calls that write objects: `print`, `json.Marshal`; each as a whole or its last name.
        calls: Vec<String>,
        /// Calls that do if their format has `formats`: `fmt.Printf("%+v", a)`.
        printed: Vec<String>,
        /// Types of expressions that may hold objects of a class that they name: `[]A{{1}}`.
        holders: Types,
        /// Whether objects that a function of the project gets, and writes, count as written.
        follows_calls: bool,
        /// Whether what has objects of the class counts as one: by the code that it is bound to.
        follows_values: bool,
        /// Nodes that do: the code in a formatted string.
        nodes: NodePatterns,
        /// Methods of an object that do: `toString`, `name`.
        methods: Vec<String>,
        /// Decorators and bases of the classes whose objects are written so. Without any, and without `types` and `marks`, those of all
        /// are.
        decorators: Vec<String>,
        /// Types of the definitions of such classes: records.
        types: Types,
        /// A word in a decorator of such a class, or in its head: `Debug` in `#[derive(Debug)]`.
        marks: MaybeRegex,
        /// Whether they are written with the name of the class, too.
        class_names: bool,
        /// Types of members that are objects of the class around, and are written by their names: a constant of an enum.
        constants: Types,
        /// Bases of the classes whose fields are such members.
        constant_bases: Vec<String>,
        /// A part of the text in a call, if there is one, without which no names are written: `?}`.
        formats: MaybeRegex,
        /// Members with which a class writes its objects by itself: `__repr__`.
        own: Vec<String>,
        /// Calls that read objects of any type from text: `JSON.parse`.
        data_calls: Vec<String>,
    }
}
