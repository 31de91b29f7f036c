//! The intermediate representation of a selector: every word looked up, ready to be evaluated.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use regex::Regex;
use rustc_hash::FxHashSet;

use super::attribute::Attribute;
use super::attribute::is_of_project;
use super::axis::{AxisStep, Positional};
use super::pattern::Pattern;
use super::project::{ProjectQuestions, Relation};
use super::syntax::Operator;
use crate::language::FieldId;
use crate::language::TypeSet;

/// Branches, any of which may match. An evaluator caches results by the id.
#[derive(Debug)]
pub(super) struct List {
    pub id: usize,
    pub chains: Vec<Chain>,
    // Computed once from the chains: lists are shared between the steps that name them, so a walk over all paths to a list
    // would take exponential time.
    binds: bool,
    has_variables: bool,
    mask: Option<TypeSet>,
}

impl List {
    pub fn new(chains: Vec<Chain>) -> List {
        let steps = || chains.iter().flat_map(|chain| &chain.steps);
        let binds = steps().any(Step::binds);
        let has_variables = steps().any(|step| step.tests.iter().any(Test::has_variables));
        let mut mask = Some(TypeSet::default());
        for chain in &chains {
            let of_chain = chain.steps.last().and_then(|step| step.types.mask());
            mask = mask.zip(of_chain).map(|(mut mask, of_chain)| {
                mask.union_with(&of_chain);
                mask
            });
        }
        List { id: fresh_id(), chains, binds, has_variables, mask }
    }

    /// Whether a match may bind a capture or a variable, or depends on one.
    pub fn binds(&self) -> bool {
        self.binds
    }

    /// Calls `take` with each code pattern in the list and in the lists inside it, once per list.
    pub fn each_pattern(&self, take: &mut dyn FnMut(&Pattern)) {
        self.each_pattern_but(take, &mut FxHashSet::default());
    }

    fn each_pattern_but(&self, take: &mut dyn FnMut(&Pattern), seen: &mut FxHashSet<usize>) {
        if !seen.insert(self.id) {
            return;
        }
        for test in self.chains.iter().flat_map(|chain| &chain.steps).flat_map(|step| &step.tests) {
            if let Test::Like(like) = test {
                take(&like.pattern);
            }
            test.lists().for_each(|list| list.each_pattern_but(take, seen));
        }
    }

    /// Adds what the list and the lists inside it ask a project.
    pub fn ask_project(&self, asked: &mut ProjectQuestions, seen: &mut FxHashSet<usize>) {
        if !seen.insert(self.id) {
            return;
        }
        for step in self.chains.iter().flat_map(|chain| &chain.steps) {
            if let Types::Some { lists, .. } = &step.types {
                lists.iter().for_each(|list| list.ask_project(asked, seen));
            }
            for test in &step.tests {
                if let Test::Attribute(AttributeTest { comparison: Comparison::Count { list, .. }, .. }) = test {
                    list.ask_project(asked, seen);
                }
                match test {
                    Test::Project(relation) if !asked.relations.contains(relation) => {
                        asked.relations.push(relation.clone())
                    }
                    Test::Attribute(AttributeTest { subject: Subject::Attribute(attribute), .. }) => {
                        asked.counts |= is_of_project(*attribute);
                    }
                    Test::Attribute(AttributeTest { subject: Subject::Count(list), .. }) => {
                        list.ask_project(asked, seen)
                    }
                    Test::Nth(NthTest { of: Some(list), .. }) => list.ask_project(asked, seen),
                    Test::Type { types: Types::Some { lists, .. }, .. } => {
                        lists.iter().for_each(|list| list.ask_project(asked, seen));
                    }
                    _ => test.lists().for_each(|list| list.ask_project(asked, seen)),
                }
            }
        }
    }

    /// Whether a match depends on the value of a variable.
    pub fn has_variables(&self) -> bool {
        self.has_variables
    }

    /// The possible types of a match; `None` if it may have any type.
    pub fn mask(&self) -> Option<&TypeSet> {
        self.mask.as_ref()
    }
}

/// A number that no other list or chain has.
fn fresh_id() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Steps, each related to the one before. The first is related to the anchor of a relative selector, else to the file.
#[derive(Debug)]
pub(super) struct Chain {
    pub id: usize,
    pub steps: Vec<Step>,
}

impl Chain {
    pub fn new(steps: Vec<Step>) -> Chain {
        Chain { id: fresh_id(), steps }
    }

    /// The step, if there is only one.
    pub fn single(&self) -> Option<&Step> {
        if let [step] = &self.steps[..] { Some(step) } else { None }
    }
}

/// Conditions for a node, and the axis to reach it.
#[derive(Debug)]
pub(super) struct Step {
    pub axis_step: AxisStep,
    pub types: Types,
    pub role: Option<FieldId>,
    pub tests: Vec<Test>,
    /// As written.
    pub text: String,
}

impl Step {
    pub fn binds(&self) -> bool {
        self.tests.iter().any(Test::binds)
    }

    /// The first pick among the tests, with its index.
    pub fn pick(&self) -> Option<(usize, Positional)> {
        let picks = self.tests.iter().enumerate();
        picks.filter_map(|(at, test)| if let Test::Positional(pick) = test { Some((at, *pick)) } else { None }).next()
    }

    pub fn picks(&self) -> bool {
        self.pick().is_some()
    }
}

/// The node types that a step accepts.
#[derive(Debug, Clone)]
pub(super) enum Types {
    /// All named nodes.
    Named,
    /// These types, and the nodes that the lists find.
    Some { mask: TypeSet, lists: Vec<Arc<List>> },
}

impl Types {
    /// The possible types of an accepted node; `None` if it may have any type.
    pub fn mask(&self) -> Option<TypeSet> {
        let Types::Some { mask, lists } = self else { return None };
        let mut mask = mask.clone();
        for list in lists {
            mask.union_with(list.mask()?);
        }
        Some(mask)
    }

    /// Everything that any of `all` accepts.
    pub fn union(all: impl Iterator<Item = Types>) -> Types {
        let mut mask = TypeSet::default();
        let mut lists = Vec::new();
        for types in all {
            match types {
                Types::Named => return Types::Named,
                Types::Some { mask: other, lists: others } => {
                    mask.union_with(&other);
                    lists.extend(others);
                }
            }
        }
        Types::Some { mask, lists }
    }
}

/// A test on a node that a step reached.
#[derive(Debug)]
pub(super) enum Test {
    Type {
        types: Types,
        negated: bool,
    },
    Attribute(AttributeTest),
    Capture(usize),
    Positional(Positional),
    Nth(NthTest),
    OnlyChild,
    Root,
    Empty,
    Leaf,
    Is(Arc<List>),
    Not(Arc<List>),
    Has {
        list: Arc<List>,
    },
    In(Arc<List>),
    InOwn(Arc<List>),
    Precedes(Arc<List>),
    Follows(Arc<List>),
    At {
        line: usize,
        column: Option<usize>,
        smallest: bool,
    },
    Lines {
        first: usize,
        last: usize,
    },
    Error,
    Missing,
    Docstring,
    /// The node matches a code pattern.
    Like(Arc<Like>),
    /// A project says so.
    Project(Relation),
}

impl Test {
    fn lists(&self) -> impl Iterator<Item = &List> {
        let list = match self {
            Test::Is(list)
            | Test::Not(list)
            | Test::Has { list }
            | Test::In(list)
            | Test::InOwn(list)
            | Test::Precedes(list)
            | Test::Follows(list) => Some(list),
            _ => None,
        };
        list.into_iter().map(Arc::as_ref)
    }

    /// Whether it is a code pattern without the terminator of the statement.
    pub fn omits_terminator(&self) -> bool {
        matches!(self, Test::Like(like) if !like.pattern.source.trim_end().ends_with(';'))
    }

    /// Whether the test matters when captures and variables are bound.
    pub fn binds(&self) -> bool {
        match self {
            Test::Capture(_) => true,
            Test::Attribute(test) => test.is_bound(),
            Test::Not(list) => list.has_variables(),
            Test::Like(like) => !like.slots.is_empty(),
            _ => self.lists().any(List::binds),
        }
    }

    pub fn has_variables(&self) -> bool {
        match self {
            Test::Attribute(test) => test.is_bound(),
            Test::Like(like) => like.shared,
            _ => self.lists().any(List::has_variables),
        }
    }
}

/// A code pattern in a selector.
#[derive(Debug)]
pub(super) struct Like {
    pub pattern: Pattern,
    /// The slot of each of its names, shared with captures and variables.
    pub slots: Vec<usize>,
    /// Whether another part of the selector uses one of its names.
    pub shared: bool,
}

/// A position among siblings: `an+b`, from 1.
#[derive(Debug)]
pub(super) struct NthTest {
    pub a: i64,
    pub b: i64,
    pub from_end: bool,
    pub of_type: bool,
    pub of: Option<Arc<List>>,
}

impl NthTest {
    /// Whether the position, from 1, is `an+b` for some `n` from 0.
    pub fn holds(&self, place: i64) -> bool {
        let distance = place.saturating_sub(self.b);
        if self.a == 0 { distance == 0 } else { distance % self.a == 0 && distance / self.a >= 0 }
    }
}

/// A test of an attribute.
#[derive(Debug)]
pub(super) struct AttributeTest {
    /// The capture at which the path starts; otherwise it starts at the node.
    pub head: Option<usize>,
    /// The fields of the path.
    pub fields: Vec<FieldId>,
    pub subject: Subject,
    pub comparison: Comparison,
}

impl AttributeTest {
    /// Whether the test can only be decided when captures and variables are bound.
    pub fn is_bound(&self) -> bool {
        self.head.is_some() || matches!(self.comparison, Comparison::Variable { .. })
    }
}

#[derive(Debug)]
pub(super) enum Subject {
    Attribute(Attribute),
    Count(Arc<List>),
}

#[derive(Debug)]
pub(super) enum Comparison {
    Exists,
    Text {
        operator: Operator,
        text: String,
        ignore_case: bool,
    },
    /// `folded`: letters of the other case, or other whitespace, also match.
    Regex {
        regex: Regex,
        folded: bool,
        negated: bool,
    },
    Number {
        operator: Operator,
        number: f64,
    },
    Count {
        operator: Operator,
        list: Arc<List>,
    },
    Variable {
        operator: Operator,
        slot: usize,
        ignore_case: bool,
    },
}
