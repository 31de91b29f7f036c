//! `[symbols.overloads]`: functions with one name, and calls that name no function.

use super::by_type::ByType;
use super::form::rules;
use super::place::NodePatterns;

rules! {
    /// Functions with one name, and calls of constructors that do not name the class.
    Overloads from OverloadsRule {
        /// Whether several functions of a class can have one name, and a call chooses by its arguments.
        by_arguments: bool,
        /// Types that take no value of those in the other entries; in an entry, separated by spaces: `int long`.
        apart: Vec<String>,
        /// The types of literals, as they are written.
        literals: ByType<String>,
        /// Calls of a constructor of the class around: `this(1)`.
        own_calls: NodePatterns,
        /// Calls of a constructor of the base of the class around: `super(1)`.
        base_calls: NodePatterns,
        /// Whether a constructor without such a call calls that of the base without arguments.
        silent: bool,
        /// Expressions for a constructor as a function, where a class is no value: `A::new`.
        as_functions: NodePatterns,
        /// Methods of a class as an object that find its constructors: `getConstructor`.
        finders: Vec<String>,
    }
}
