//! `[symbols.forbidden_names]`: names that a definition cannot have beside others.

use super::form::{Types, rules};

rules! {
    /// Names that a definition cannot have beside others, though no use of one would mean another one.
    ForbiddenNames from ForbiddenNamesRule {
        /// Types of classes none of whose members can have the name of the class.
        unlike_class: Types,
        /// How the methods begin that a property has, which no other method can have: `get_`.
        accessors: Vec<String>,
        /// Whether the name of the property begins with a capital letter there: `getSize`.
        capital_accessors: bool,
        /// Modifiers of definitions that are found by their types, unless their name is hidden: `implicit`.
        found_by_type: Vec<String>,
    }
}
