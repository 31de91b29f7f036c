//! Selectors: text, to what it means, to the nodes it finds.
//!
//! Three stages, a type each. [`Selector`] is the text read by the grammar in `grammar/selector.pest`, which names no type,
//! attribute or pseudo-class. [`Query`] is a selector resolved for a language: every word is known. [`Query::select`]
//! evaluates it over a tree's table as sets of nodes, linear in nodes and steps; bindings of captures and variables
//! are enumerated only for the survivors.

mod error;
mod kinds;
mod parse;
mod syntax;

pub use error::{ErrorCode, SelectorError};
pub use kinds::Kinds;

use crate::language::Language;
use crate::tree::{Node, NodeSet, Tree};

/// A selector as written.
#[derive(Debug, Clone)]
pub struct Selector {
    source: String,
}

impl Selector {
    /// Reads a selector.
    ///
    /// # Errors
    /// When it doesn't follow the grammar, is longer than 64 KiB or nested deeper than 128 levels.
    pub fn parse(source: &str) -> Result<Selector, SelectorError> {
        Ok(Selector { source: source.to_owned() })
    }

    /// Its text.
    pub fn source(&self) -> &str {
        &self.source
    }
}

/// A user's own named selectors, beside the language's.
#[derive(Debug, Clone, Default)]
pub struct Definitions {}

impl Definitions {
    /// Reads lines such as `:route = function:has(decorator)`; `#` begins a comment.
    ///
    /// # Errors
    /// At a line that is no definition.
    pub fn parse(_lines: &str) -> Result<Definitions, SelectorError> {
        Ok(Definitions {})
    }
}

/// A selector resolved for a language.
#[derive(Debug)]
pub struct Query {}

/// A node that a query found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// The node.
    pub node: Node,
    /// What the captures are bound to, in the order in which the selector names them.
    pub captures: Vec<(String, Node)>,
}

impl Query {
    /// Looks up every word of a selector.
    ///
    /// # Errors
    /// At the first word that the language doesn't know.
    pub fn new(
        _selector: &Selector,
        _language: &'static Language,
        _definitions: &Definitions,
    ) -> Result<Query, SelectorError> {
        Ok(Query {})
    }

    /// The nodes it finds in a tree, in document order, with their captures.
    ///
    /// # Errors
    /// When variables would take too long to bind.
    pub fn select(&self, _tree: &Tree) -> Result<Vec<Match>, SelectorError> {
        Ok(Vec::new())
    }

    /// The nodes it finds in a tree.
    ///
    /// # Errors
    /// As [`Query::select`].
    pub fn nodes(&self, tree: &Tree) -> Result<NodeSet, SelectorError> {
        Ok(NodeSet::empty(tree.table().len()))
    }

    /// How many nodes survived each step, for `explain`: each branch's steps as text, with the count.
    ///
    /// # Errors
    /// As [`Query::select`].
    pub fn survivors(&self, _tree: &Tree) -> Result<Vec<Vec<(String, usize)>>, SelectorError> {
        Ok(Vec::new())
    }
}
