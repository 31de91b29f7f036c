//! The node at a place, what is around it, and selectors that find it.

use serde::{Deserialize, Serialize};

use crate::selector::{Kinds, attributes, propose};
use crate::text::{Position, Span, cut};
use crate::tree::{Node, Tree};

/// How many children of a node are listed.
const CHILDREN: usize = 300;
/// How many characters of a node's text are shown.
const SHOWN: usize = 80;
/// How many characters of an attribute's value are shown.
const VALUE: usize = 200;

/// A place in a file, or one of its nodes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Place {
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, in characters from 1.
    pub col: usize,
    /// The node, by its place in document order; it goes before line and column.
    pub node: Option<usize>,
}

impl Place {
    /// A place in a text that is not of a file: line and column, both from 1.
    pub fn at(line: usize, col: usize) -> Place {
        Place { line, col, ..Place::default() }
    }
}

/// A node with what is around it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Inspected {
    /// The node.
    pub node: usize,
    /// The nodes around it, outermost first, then itself, and its children. Each with its level.
    pub nodes: Vec<InspectedNode>,
    /// Its kinds, the general ones too.
    pub kinds: Vec<&'static str>,
    /// Its attributes.
    pub attributes: Vec<(&'static str, Vec<String>)>,
    /// Selectors that find it, those with the most matches in the file first.
    pub proposals: Vec<ProposedSelector>,
}

/// A node of the tree around a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct InspectedNode {
    /// Its place in document order.
    pub node: usize,
    /// How deep it is below the first node listed.
    pub level: usize,
    /// Its type in the grammar.
    #[serde(rename = "type")]
    pub type_name: &'static str,
    /// Its most specific kind.
    pub kind: &'static str,
    /// Its field in its parent; empty if none.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub field: &'static str,
    /// The start of its text.
    pub text: String,
    /// First line, from 1.
    pub start_line: usize,
    /// First column, from 1.
    pub start_col: usize,
    /// Last line, from 1.
    pub end_line: usize,
    /// The column after the last character, from 1.
    pub end_col: usize,
}

/// A selector that was run on the file and finds the node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ProposedSelector {
    /// The selector.
    pub selector: String,
    /// How many nodes of the file it finds.
    pub matches: usize,
}

/// The smallest node at a place, what is around it, and selectors that find it; `None` if the text has no such place.
pub fn inspect(tree: &Tree, place: &Place) -> Option<Inspected> {
    let node = node_at(tree, place)?;
    let kinds = Kinds::new(tree);
    let cut_values =
        |(name, values): (&'static str, Vec<String>)| (name, values.iter().map(|value| cut(value, VALUE).0).collect());
    let proposals = propose(tree, &kinds, node).into_iter();
    Some(Inspected {
        node: node.index(),
        nodes: listed_around(tree, &kinds, node),
        kinds: kinds.all(node),
        attributes: attributes(&kinds, node).into_iter().map(cut_values).collect(),
        proposals: proposals.map(|one| ProposedSelector { selector: one.selector, matches: one.matches }).collect(),
    })
}

/// The node of a number, or the smallest named one at line and column.
fn node_at(tree: &Tree, place: &Place) -> Option<Node> {
    let table = tree.table();
    if let Some(number) = place.node {
        return table.range(number, number + 1).next().filter(|node| node.index() < table.len());
    }
    let position = Position::counted(place.line, place.col)?;
    let offset = tree.text().offset(position)?;
    let end = (offset + 1).min(tree.text().len());
    let (before, next) = (table.smallest_around(Span::at(offset)), table.smallest_around(Span::new(offset, end)));
    // The node that begins here, or the word that ends here, rather than a sign or what is around both.
    let named =
        [next, before].into_iter().filter(|&node| table.is_named(node)).min_by_key(|&node| tree.span(node).len());
    named.or_else(|| table.ancestors(next).find(|&around| table.is_named(around)))
}

/// The nodes around a node, the node, its siblings and its children, with their levels.
fn listed_around(tree: &Tree, kinds: &Kinds<'_>, node: Node) -> Vec<InspectedNode> {
    let table = tree.table();
    let mut around: Vec<Node> = table.ancestors(node).collect();
    around.reverse();
    let row = |node: Node, level: usize| {
        let (start, end) = (tree.start(node), tree.end(node));
        InspectedNode {
            node: node.index(),
            level,
            type_name: tree.type_name(node),
            kind: kinds.kind(node),
            field: tree.field_name(node),
            text: cut(tree.node_text(node).lines().next().unwrap_or_default(), SHOWN).0,
            start_line: start.line,
            start_col: start.col(),
            end_line: end.line,
            end_col: end.col(),
        }
    };
    let level = around.len();
    let mut rows: Vec<InspectedNode> = around.iter().enumerate().map(|(level, &node)| row(node, level)).collect();
    let siblings: Vec<Node> = match table.parent(node) {
        Some(parent) => tree.named_children(parent).collect(),
        None => vec![node],
    };
    // Of very many siblings, those near the node.
    let at = siblings.iter().position(|&sibling| sibling == node).unwrap_or(0);
    let near = at.saturating_sub(CHILDREN / 2);
    let mut is_listed = false;
    for sibling in siblings.into_iter().skip(near).take(CHILDREN) {
        rows.push(row(sibling, level));
        if sibling == node {
            is_listed = true;
            rows.extend(tree.named_children(node).take(CHILDREN).map(|child| row(child, level + 1)));
        }
    }
    if !is_listed {
        rows.push(row(node, level));
    }
    rows
}
