//! Paths from a node to others, with their words looked up in the grammar.

use super::symbols::{FieldId, TypeId};

/// A way from a node to others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Path {
    /// The word itself.
    Literal(String),
    /// The node.
    Itself,
    /// From child to child.
    Steps(Vec<Step>),
    /// The word itself, where the steps lead to something.
    Given(Vec<Step>, String),
    /// The word, and after it the text of the node that the steps lead to.
    Prefixed(String, Vec<Step>),
    /// The first that leads to something.
    Either(Vec<Path>),
}

impl Path {
    /// How many steps it may take down.
    pub(super) fn reach(&self) -> usize {
        match self {
            Path::Literal(_) | Path::Itself => 0,
            Path::Steps(steps) | Path::Given(steps, _) | Path::Prefixed(_, steps) => steps.len(),
            Path::Either(paths) => paths.iter().map(Path::reach).max().unwrap_or(0),
        }
    }
}

/// One step of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The first named child.
    First,
    /// The last named child.
    Last,
    /// All named children.
    All,
    /// The named children in a field; its tokens, where it has no others.
    Field(FieldId),
    /// The first child in a field, named or a token.
    FirstIn(FieldId),
    /// The children in a field that are of a type.
    FieldOf(FieldId, TypeId),
    /// The children of a type.
    Type(TypeId),
    /// The first of them.
    FirstOf(TypeId),
    /// The last of them.
    LastOf(TypeId),
    /// Siblings of a type after the node reached.
    After(TypeId),
    /// Siblings of a type before it.
    Before(TypeId),
}
