//! The matches of a rewrite, and its result.

use crate::edit::{EditError, Outcome, TemplateError};
use crate::tree::{Captured, Node};

/// A match to rewrite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The node to replace.
    pub node: Node,
    /// The captures for the template.
    pub captures: Vec<(String, Captured)>,
}

/// The result of a rewrite.
#[derive(Debug)]
pub struct Rewritten {
    /// The next revision and how it was made, with one operation per site, in order of their places.
    pub outcome: Outcome,
    /// How many sites changed the text.
    pub changed: usize,
    /// Sites that were skipped because they overlap a rewritten one.
    pub overlapping: Vec<Node>,
}

/// Why a tree was not rewritten.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RewriteError {
    /// The template uses something that was not captured.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// The result was refused; operations are the sites in order of their places.
    #[error(transparent)]
    Edit(#[from] EditError),
}
