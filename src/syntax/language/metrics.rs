//! `[metrics]`: the nodes that count in the numbers of functions.

use super::by_type::ByType;
use super::form::{Marks, MaybeRegex, Types, rules};
use super::place::{NodePatterns, Places};
use super::symbols::TypeId;
use super::type_set::TypeSet;

rules! {
    /// The nodes that count in the numbers of functions: complexity, nesting, statements. docs/metrics.md says what they mean.
    Metrics from MetricRule {
        /// Types of functions with a body. A function inside another adds nothing to the complexity of that one.
        functions: Types,
        /// Types of functions that add their complexity to that of the function around: lambdas.
        lambdas: Types,
        /// Whether a function inside another adds nothing to the cognitive complexity of that one.
        cognitive_apart: bool,
        /// Whether a function around another, with nothing else but its return, makes the other no deeper: Python's decorators.
        looks_through_decorators: bool,
        /// Whether a call of a function by its name, in itself, adds one to its cognitive complexity. Not where a name may have several
        /// functions.
        counts_recursion: bool,
        /// Nodes that add one to the complexity: `if`, loops, cases.
        decisions: NodePatterns,
        /// Types of expressions, with their boolean operators. Each adds one to the complexity, and each sequence of the same ones to the
        /// cognitive complexity.
        logical: ByType<Marks>,
        /// The texts of these operators, where their type has others, too.
        logical_words: Vec<String>,
        /// Types that hold one expression, and do not end a sequence of boolean operators: parentheses.
        groups: Types,
        /// Control structures: each adds one to the cognitive complexity, and one more for each that it is in.
        structures: NodePatterns,
        /// Expressions that do so, which do not count for `nesting`: `a ? b : c`.
        choices: NodePatterns,
        /// Those of the structures that are the `if` of an `else if`: what they add is that of the `else`.
        chained: NodePatterns,
        /// Nodes that add one to the cognitive complexity at any depth: an `else`, a jump to a label.
        flat: NodePatterns,
        /// Places in a structure that are not deeper than it: its condition.
        conditions: Places,
        /// More nodes that count for `nesting`: `try`.
        blocks: NodePatterns,
        /// Statements.
        statements: NodePatterns,
        /// Places whose nodes are statements: those of a block.
        statement_places: Places,
        /// Types at these places that are none: blocks, clauses.
        not_statements: Types,
        /// Those of them that count twice, as for pylint: `except`.
        twice: NodePatterns,
        /// Statements that return from a function.
        returns: NodePatterns,
        /// Nodes that add a branch: `if`, `else`, cases, handlers, loops.
        branches: NodePatterns,
        /// Nodes that add one more, for an `else` that is no node: an `if` with an `else` and no other `if` after it.
        otherwise: NodePatterns,
        /// Scopes whose variables are not those of the function: comprehensions.
        own_scopes: Types,
        /// Names that are no variables, as a regex: `_`.
        unnamed: MaybeRegex,
    } => {
        /// All types that count in any way.
        counted: TypeSet,
    }
}

impl Metrics {
    /// Whether the language says how to count.
    pub fn is_known(&self) -> bool {
        !self.functions.is_empty()
    }

    /// Whether a type is that of a function.
    pub fn is_function(&self, id: TypeId) -> bool {
        self.functions.contains(id) || self.lambdas.contains(id)
    }

    /// Collects the types that count.
    pub(super) fn collect_types(&mut self) {
        let mut counted = TypeSet::default();
        let patterns = [
            &self.decisions,
            &self.structures,
            &self.choices,
            &self.flat,
            &self.blocks,
            &self.statements,
            &self.branches,
            &self.otherwise,
            &self.returns,
        ];
        patterns.into_iter().flat_map(NodePatterns::types).for_each(|id| counted.insert(id));
        self.logical.types().into_iter().for_each(|id| counted.insert(id));
        let operators = self.logical.values();
        operators.chain([&self.functions, &self.lambdas]).for_each(|types| counted.union_with(types));
        self.counted = counted;
    }
}
