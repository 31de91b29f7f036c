//! The values of captures in selectors and code patterns.

use super::{Node, Tree};
use crate::text::Span;

/// What a capture is bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Captured {
    /// A node.
    Node(Node),
    /// Consecutive siblings and what is between them: the match of `$$$ARGS`.
    Siblings {
        /// The first.
        first: Node,
        /// The last one, which differs from the first.
        last: Node,
    },
    /// No siblings.
    Nothing,
}

impl Captured {
    /// The siblings from one to another.
    pub fn between(first: Node, last: Node) -> Captured {
        if first == last { Captured::Node(first) } else { Captured::Siblings { first, last } }
    }

    /// The node, if it is a single one.
    pub fn node(self) -> Option<Node> {
        match self {
            Captured::Node(node) => Some(node),
            Captured::Siblings { .. } | Captured::Nothing => None,
        }
    }

    /// The first node.
    pub fn first(self) -> Option<Node> {
        match self {
            Captured::Node(node) | Captured::Siblings { first: node, .. } => Some(node),
            Captured::Nothing => None,
        }
    }

    /// Its bytes; `None` for nothing.
    pub fn span(self, tree: &Tree) -> Option<Span> {
        match self {
            Captured::Node(node) => Some(tree.span(node)),
            Captured::Siblings { first, last } => Some(tree.span(first).join(tree.span(last))),
            Captured::Nothing => None,
        }
    }

    /// Its text; empty for nothing.
    pub fn text(self, tree: &Tree) -> String {
        self.span(tree).map_or_else(String::new, |span| tree.text().slice(span).into_owned())
    }

    /// Its named nodes in order, comments left out.
    pub fn nodes(self, tree: &Tree) -> Vec<Node> {
        let table = tree.table();
        let last = match self {
            Captured::Nothing => return Vec::new(),
            Captured::Node(node) => return vec![node],
            Captured::Siblings { last, .. } => last,
        };
        let siblings = std::iter::successors(self.first(), |&node| table.next_sibling(node));
        let within = siblings.take_while(|&node| node <= last);
        within.filter(|&node| table.is_named(node) && !tree.is_comment(node)).collect()
    }
}
