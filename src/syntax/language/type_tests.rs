//! `[symbols.type_tests]`: code in which a name has a type that was tested before.

use super::by_type::ByType;
use super::form::{Marks, Paths, rules};
use super::place::NodePatterns;

rules! {
    /// Code in which a name has a type that was tested before: `if (a is A) a.x`.
    TypeTests from TypeTestsRule {
        /// From a test to the name that it tests. One without it tests the subject of `switches`.
        subjects: ByType<Paths>,
        /// From a test to the type.
        types: ByType<Paths>,
        /// Tokens of tests that say the opposite: `!is`.
        negated: Marks,
        /// Expressions that are true only if both parts are: `&&`.
        both: NodePatterns,
        /// From a statement, or a part of one, to the condition under which it runs what comes after it.
        conditions: ByType<Paths>,
        /// Tokens after which it runs what is left: `else`.
        otherwise: Marks,
        /// From a statement with parts that test its subject to that subject.
        switches: ByType<Paths>,
    }
}
