//! What belongs to a node, and where it stands: in a block, among clauses, among decorators, in a list.

use super::{Extent, layout, list};
use crate::text::Span;
use crate::tree::{Node, Tree};

/// A place in a block, a list, or among clauses or decorators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// What holds the units.
    pub(super) holder: Node,
    /// The unit: the node with the wrappers that hold nothing else.
    pub(super) unit: Node,
    /// Which one, from 0.
    pub(super) index: usize,
}

/// Whether a node holds elements with separators between them.
pub(super) fn is_list(tree: &Tree, node: Node) -> bool {
    tree.language().role(tree.table().type_id(node)).list
}

fn is_decorator(tree: &Tree, node: Node) -> bool {
    tree.language().role(tree.table().type_id(node)).decorator
}

/// Whether a node is a clause of a statement: an `else`, an `except`. It has a block of its own and no block around it.
fn is_clause(tree: &Tree, node: Node) -> bool {
    let Some(parent) = tree.table().parent(node) else { return false };
    let has_block = tree.table().children(node).any(|child| layout::is_block(tree, child));
    let held = tree.held(parent) == Some(node);
    has_block && !held && !layout::is_block(tree, parent) && !is_list(tree, parent) && tree.starts_its_line(node)
}

/// Whether a node is a definition, or what holds one.
pub(super) fn is_definition(tree: &Tree, node: Node) -> bool {
    tree.is_scope(node) || tree.held(node).is_some_and(|held| is_definition(tree, held))
}

/// Where a node stands; `None` when it is a part of something that holds no units.
pub(super) fn place(tree: &Tree, node: Node) -> Option<Place> {
    let table = tree.table();
    let mut unit = node;
    loop {
        let holder = table.parent(unit)?;
        if is_list(tree, holder)
            && let Some(index) = list::elements(tree, holder).iter().position(|element| element.is(unit))
        {
            return Some(Place { holder, unit, index });
        }
        let among = layout::is_block(tree, holder) || is_decorator(tree, unit) || is_clause(tree, unit);
        if among && table.is_named(unit) {
            let index = units(tree, holder).iter().position(|&other| other == unit)?;
            return Some(Place { holder, unit, index });
        }
        if tree.held(holder) != Some(unit) {
            return None;
        }
        unit = holder;
    }
}

/// What a holder that is no list holds, in order.
pub(super) fn units(tree: &Tree, holder: Node) -> Vec<Node> {
    if layout::is_block(tree, holder) {
        return tree.named_children(holder).collect();
    }
    let children = || tree.named_children(holder);
    if tree.held(holder).is_some() {
        children().filter(|&child| is_decorator(tree, child)).collect()
    } else {
        children().filter(|&child| is_clause(tree, child)).collect()
    }
}

/// The bytes that go with a unit: with [`Extent::Full`], those of a definition's comments above it.
pub(super) fn span_of(tree: &Tree, unit: Node, extent: Extent) -> Span {
    let span = tree.span(unit);
    if extent == Extent::Node || !is_definition(tree, unit) {
        return span;
    }
    attached_comments(tree, unit).first().map_or(span, |&first| tree.span(first).join(span))
}

/// The comments right above a unit, at its own indentation, in order. An interpreter or encoding line is none of them.
pub(super) fn attached_comments(tree: &Tree, unit: Node) -> Vec<Node> {
    let (table, text) = (tree.table(), tree.text());
    let mut comments = Vec::new();
    let mut below = unit;
    let column = layout::indentation(text, tree.span(unit).start());
    loop {
        // The comments before a block's first statement stand before the block.
        let outer = || table.parent(below).filter(|&parent| parent != Node::ROOT && layout::is_block(tree, parent));
        let previous = table.previous_sibling(below).or_else(|| table.previous_sibling(outer()?));
        let Some(previous) = previous.filter(|&previous| tree.is_comment(previous)) else { break };
        let (start, end) = (tree.span(previous).start(), tree.span(previous).end());
        let touches = text.line_at(end) + 1 == text.line_at(tree.span(below).start());
        let alike = tree.starts_its_line(previous) && layout::indentation(text, start) == column;
        if !touches || !alike || is_file_header(tree, previous) {
            break;
        }
        comments.push(previous);
        below = previous;
    }
    comments.reverse();
    comments
}

/// Whether a comment speaks of the file to programs: an interpreter, an encoding. It must stay in the first two lines.
pub(super) fn is_file_header(tree: &Tree, comment: Node) -> bool {
    let line = tree.text().line_at(tree.span(comment).start());
    let words = tree.node_text(comment);
    (line == 1 && words.starts_with("#!")) || (line <= 2 && (words.contains("coding:") || words.contains("coding=")))
}

/// The name of a node for a message: its name, else its type.
pub(super) fn called(tree: &Tree, node: Node) -> String {
    let inner = tree.held(node).unwrap_or(node);
    format!("`{}`", tree.name(inner).unwrap_or_else(|| tree.type_name(inner).to_owned()))
}
