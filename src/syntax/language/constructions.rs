//! `[symbols.constructions]`: calls that do not name what they call as others do.

use super::by_type::ByType;
use super::form::{Paths, Types, rules};
use super::place::{NodePatterns, Places};

rules! {
    /// Calls that do not name what they call as others do, where an argument may name a parameter.
    Constructions from ConstructionsRule {
        /// Calls of a constructor of the class around: `this(1)`.
        own_calls: NodePatterns,
        /// Calls of a constructor of a base of the class around: `base(1)`.
        base_calls: NodePatterns,
        /// From what names a class with arguments for its constructor to that name: `class A : B(1)`.
        named: ByType<Paths>,
        /// Modifiers of classes whose objects `hidden_uses.copiers` copy, with other values for the parameters of the class: `data`.
        copied: Vec<String>,
        /// Places of labels that have the name of a function or class around them, or of one that gets the lambda around: `return@each`.
        labels: Places,
        /// Types of calls with the name of the method between the object and the argument: `a plus b`.
        infix: Types,
    }
}
