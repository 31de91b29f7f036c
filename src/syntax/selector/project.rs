//! Questions about a whole project: which definition a name means, who uses it. A selector can ask them, and whoever knows the
//! project answers.

use crate::tree::Node;

/// A question about a node that only a project can answer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Relation {
    /// It certainly calls the symbol.
    To(String),
    /// It is a name that certainly means the symbol.
    RefersTo(String),
    /// It is a class that extends the symbol, directly or not.
    Extends(String),
    /// It is a definition that certainly nothing refers to.
    Unused,
    /// It is a method that overrides another one.
    Overrides,
}

/// What a project knows about the nodes of one tree.
pub trait ProjectView {
    /// Whether a node is in a relation.
    fn fits(&self, relation: &Relation, node: Node) -> bool;

    /// How many places certainly refer to a definition, and how many definitions certainly call it; `None` if the node is not a
    /// definition.
    fn counts(&self, node: Node) -> Option<(usize, usize)>;
}

/// What a query asks a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProjectQuestions {
    /// Its relations, each once.
    pub relations: Vec<Relation>,
    /// Whether it counts references or callers.
    pub counts: bool,
}

impl ProjectQuestions {
    /// Whether it asks nothing.
    pub fn is_empty(&self) -> bool {
        self.relations.is_empty() && !self.counts
    }
}
