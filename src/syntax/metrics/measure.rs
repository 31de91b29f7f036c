//! The measures by name.

use crate::language::{Language, Spec};
use crate::naming::named_enum;

named_enum! {
    /// A number of a function.
    pub enum Measure {
        /// McCabe's cyclomatic complexity.
        Complexity = "complexity",
        /// Cognitive complexity.
        Cognitive = "cognitive",
        /// How deep control structures are nested.
        Nesting = "nesting",
        /// How many statements there are.
        Statements = "statements",
        /// How many statements return.
        Returns = "returns",
        /// How many branches there are.
        Branches = "branches",
        /// How many variables there are, parameters among them.
        Locals = "locals",
        /// How many lines hold a comment.
        Comments = "comments",
        /// How many lines hold code.
        CodeLines = "code_lines",
    }
}

impl Measure {
    /// Whether the data of a language says what counts.
    pub fn is_known(self, language: &Language) -> bool {
        let spec = language.spec();
        match self {
            Measure::Comments | Measure::CodeLines => true,
            Measure::Locals => spec.metrics.is_known() && binds_names(spec),
            _ => spec.metrics.is_known(),
        }
    }

    /// Whether it counts lines, which every node has.
    pub fn is_of_lines(self) -> bool {
        matches!(self, Measure::Comments | Measure::CodeLines)
    }
}

/// Whether the data of a language says what binds names.
fn binds_names(spec: &Spec) -> bool {
    !spec.references.scopes.is_empty() || spec.symbols.references.is_some()
}
