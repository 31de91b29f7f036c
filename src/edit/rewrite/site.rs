//! The matches that a rewrite replaces, and what it gives.

use crate::edit::{EditError, Outcome, TemplateError};
use crate::tree::{Captured, Node};

/// A match to be rewritten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The node that is replaced.
    pub node: Node,
    /// What the template may use.
    pub captures: Vec<(String, Captured)>,
}

/// A tree rewritten.
#[derive(Debug)]
pub struct Rewritten {
    /// The next revision, and how it came about; one operation for each site, in order of their places.
    pub outcome: Outcome,
    /// How many sites changed the text.
    pub changed: usize,
    /// Sites left alone, since they overlap one that was rewritten.
    pub overlapping: Vec<Node>,
}

/// Why a tree wasn't rewritten.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RewriteError {
    /// The template asks for what there isn't.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// The result was refused; operations are the sites in order of their places.
    #[error(transparent)]
    Edit(#[from] EditError),
}
