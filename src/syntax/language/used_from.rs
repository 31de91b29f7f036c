//! `[symbols.used_from]`: the languages whose code can use the symbols of one.

use super::form::rules;

rules! {
    /// The languages whose code can use the symbols of one.
    UsedFrom from UsedFromRule {
        /// Those that can use members of its classes and name its parameters; any, if there is none.
        members: Vec<String>,
        /// Those that can use its other symbols; any, if there is none.
        others: Vec<String>,
        /// Decorators that give nothing to other languages. If there are such, any language can use what has another one: `#[pyclass]`.
        own_decorators: Vec<String>,
    }
}
