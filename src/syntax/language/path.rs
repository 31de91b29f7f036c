//! Paths from a node to others, with their words looked up in the grammar.

use super::symbols::{FieldId, TypeId};

/// A path from a node to others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Path {
    /// The word itself.
    Literal(String),
    /// The node.
    #[default]
    Itself,
    /// From child to child.
    Steps(Vec<Step>),
    /// The word itself, if the steps lead to a node.
    Given(Vec<Step>, String),
    /// The word, followed by the text of the node at the end of the steps.
    Prefixed(String, Vec<Step>),
    /// The first path that leads to a node.
    Either(Vec<Path>),
}

impl Path {
    /// The maximum number of steps downwards.
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
    /// The named children in a field, or else its tokens.
    Field(FieldId),
    /// The first child in a field, named or a token.
    FirstIn(FieldId),
    /// The children of a type in a field.
    FieldOf(FieldId, TypeId),
    /// The children of a type.
    Type(TypeId),
    /// The first child of a type.
    FirstOf(TypeId),
    /// The last child of a type.
    LastOf(TypeId),
    /// Later siblings of a type.
    After(TypeId),
    /// Earlier siblings of a type.
    Before(TypeId),
}
