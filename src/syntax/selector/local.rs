//! Whether a query can be answered for one top-level statement at a time, or for one member of a class.
//!
//! This is possible if each match, and everything that decides about it, is inside one statement or in the heads of the
//! nodes around it: no step looks at the content of those nodes, at the statement's siblings, or at positions among them.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::attribute::Attribute;
use super::axis::Axis;
use super::ir::{AttributeTest, Chain, Comparison, List, Step, Subject, Test, Types};
use super::query::Query;
use crate::language::TypeSet;

impl Query {
    /// Whether the query finds the same nodes in a file as in each of its parts alone. `around` are the types of the nodes
    /// around parts: the file's root, and classes if members are parts.
    pub fn is_local(&self, around: &TypeSet) -> bool {
        let local = Local { around, lists: RefCell::default() };
        self.list.chains.iter().all(|chain| local.chain(chain) && local.ends_inside(chain))
    }
}

struct Local<'a> {
    around: &'a TypeSet,
    /// Results for lists, by their ids.
    lists: RefCell<FxHashMap<usize, bool>>,
}

impl Local<'_> {
    fn list(&self, list: &List) -> bool {
        if let Some(&known) = self.lists.borrow().get(&list.id) {
            return known;
        }
        let is_local = list.chains.iter().all(|chain| self.chain(chain));
        self.lists.borrow_mut().insert(list.id, is_local);
        is_local
    }

    fn chain(&self, chain: &Chain) -> bool {
        // A pick among the children of the root depends on the whole file, and so does a step without a context.
        let from_root = |place: usize| place == 0 || self.takes_around(&chain.steps[place - 1]);
        chain.steps.iter().enumerate().all(|(place, step)| self.step(step, from_root(place)))
    }

    fn step(&self, step: &Step, from_root: bool) -> bool {
        let axis = match step.axis_step.axis {
            Axis::Itself | Axis::Descendant | Axis::Child | Axis::RawChild => true,
            // Going up to the root and down again leads to other statements.
            Axis::Parent | Axis::Ancestor => !self.takes_around(step),
            Axis::Next | Axis::Later | Axis::Earlier => false,
        };
        let lists = match &step.types {
            Types::Named => true,
            Types::Some { lists, .. } => lists.iter().all(|list| self.list(list)),
        };
        // A test of the root is a test of the whole file.
        let asks = step.tests.iter().any(|test| !asks_no_root(test));
        axis && lists
            && (!asks || !self.takes_around(step))
            && step.tests.iter().all(|test| self.test(test) && !(from_root && matches!(test, Test::Positional(_))))
    }

    /// Whether a node around parts may be among a step's nodes.
    fn takes_around(&self, step: &Step) -> bool {
        step.types.mask().is_none_or(|mask| self.around.types().any(|id| mask.contains(id)))
    }

    /// Whether a chain never finds the root.
    fn ends_inside(&self, chain: &Chain) -> bool {
        chain.steps.last().is_some_and(|step| !self.takes_around(step) || step.tests.iter().any(asks_name))
    }

    fn test(&self, test: &Test) -> bool {
        match test {
            Test::Type { types: Types::Some { lists, .. }, .. } => lists.iter().all(|list| self.list(list)),
            Test::Type { types: Types::Named, .. }
            | Test::Capture(_)
            | Test::Leaf
            | Test::Empty
            | Test::Positional(_) => true,
            Test::Attribute(test) => self.attribute(test),
            Test::Is(list) | Test::Not(list) | Test::Has { list } | Test::In(list) | Test::InOwn(list) => {
                self.list(list)
            }
            Test::Lines { .. } => true,
            Test::Like(like) => !like.shared,
            // The first statement of a file is its documentation.
            Test::Docstring
            | Test::Nth(_)
            | Test::OnlyChild
            | Test::Root
            | Test::Precedes(_)
            | Test::Follows(_)
            | Test::At { .. }
            | Test::Error
            | Test::Project(_)
            | Test::Missing => false,
        }
    }

    fn attribute(&self, test: &AttributeTest) -> bool {
        let subject = match &test.subject {
            Subject::Count(list) => self.list(list),
            Subject::Attribute(attribute) => !matches!(
                attribute,
                Attribute::Index
                    | Attribute::Doc
                    | Attribute::Path
                    | Attribute::Visibility
                    | Attribute::Refs
                    | Attribute::Callers
            ),
        };
        let comparison = match &test.comparison {
            Comparison::Count { list, .. } => self.list(list),
            Comparison::Variable { .. } => false,
            _ => true,
        };
        subject && comparison && test.head.is_none()
    }
}

/// Whether a test looks only at the type of the node.
fn asks_no_root(test: &Test) -> bool {
    match test {
        Test::Type { .. } | Test::Capture(_) => true,
        test => asks_name(test),
    }
}

/// Whether a test requires a name, which the root does not have.
fn asks_name(test: &Test) -> bool {
    let Test::Attribute(AttributeTest { head: None, subject: Subject::Attribute(attribute), comparison, fields }) =
        test
    else {
        return false;
    };
    let named = matches!(attribute, Attribute::Name | Attribute::Qualname | Attribute::Callee | Attribute::Module);
    let asked = match comparison {
        Comparison::Exists => true,
        Comparison::Text { operator, .. } => *operator != super::syntax::Operator::NotEqual,
        Comparison::Regex { negated, .. } => !negated,
        _ => false,
    };
    named && asked && fields.is_empty()
}
