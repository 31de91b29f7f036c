//! Which nodes contain statements, and which lines of a text belong to strings.

use super::lines::{breaks, is_blank, line_start};
use crate::text::Span;
use crate::tree::{Node, Tree};

/// Whether a node is a body that contains only statements, not a list with separators.
pub(super) fn is_block(tree: &Tree, node: Node) -> bool {
    let role = tree.language().role(tree.table().type_id(node));
    !role.list && !role.section && !role.outer_body && (role.body || node == Node::ROOT)
}

/// The child after which a node has its statements, if it has other children, too: the `:` of a `case`.
pub(super) fn section_start(tree: &Tree, node: Node) -> Option<Node> {
    let (table, language) = (tree.table(), tree.language());
    if !language.role(table.type_id(node)).section {
        return None;
    }
    let starts = language.spec().section_starts.of(table.type_id(node))?;
    let is_start = |child: &Node| starts.contains(table.type_id(*child));
    table.children(node).filter(is_start).last()
}

/// Whether a node contains statements, alone or next to other children.
pub(super) fn holds_statements(tree: &Tree, node: Node) -> bool {
    is_block(tree, node) || tree.language().role(tree.table().type_id(node)).section
}

/// The block inside a block or section that contains all its statements, between brackets that are not part of the
/// inner one.
pub(super) fn inner_block(tree: &Tree, node: Node) -> Option<Node> {
    let table = tree.table();
    let is_inner = |child: &Node| {
        let first = table.children(*child).next();
        is_block(tree, *child) && first.is_some_and(|first| table.is_named(first))
    };
    table.children(node).find(is_inner).filter(|_| node != Node::ROOT && holds_statements(tree, node))
}

/// The starts of lines inside `span` that may be indented: those that are neither in a string nor blank.
pub(super) fn free_lines(tree: &Tree, span: Span) -> Vec<usize> {
    let text = tree.text();
    let strings = multiline_strings(tree, span);
    let (first, last) = (text.line_at(span.start()) + 1, text.line_at(span.end()));
    (first..=last)
        .map(|line| text.line_span(line))
        .filter(|line| line.start() < span.end() && !text.slice(*line).chars().all(is_blank))
        .map(Span::start)
        .filter(|&start| !strings.iter().any(|string| string.start() < start && start <= string.end()))
        .collect()
}

/// The strings in a span that extend over several lines.
pub(super) fn multiline_strings(tree: &Tree, span: Span) -> Vec<Span> {
    let table = tree.table();
    let mut strings = Vec::new();
    let mut end = 0;
    // Of the nodes that begin before the span, those that reach into it are around the last of them.
    let first = table.first_from(span.start());
    let last = first.checked_sub(1).map(Node::at);
    let mut around: Vec<Node> = std::iter::successors(last, |&node| table.parent(node)).collect();
    around.reverse();
    for node in around.into_iter().chain(table.range(first, table.len())) {
        let found = table.span(node);
        if found.start() >= span.end() {
            break;
        }
        let is_string = tree.language().role(table.type_id(node)).string;
        if is_string && found.end() > span.start() && found.start() >= end && breaks(tree.text(), found) {
            end = found.end();
            // A node that ends with its line consists of whole lines: the text of a heredoc, which includes the word
            // below.
            let text = tree.text();
            let whole = line_start(text, end) == end;
            strings.push(if whole { Span::new(line_start(text, found.start()).saturating_sub(1), end) } else { found });
        }
    }
    strings
}

/// The outermost named nodes inside a span; blocks are searched.
pub(super) fn outermost(tree: &Tree, span: Span) -> Vec<Node> {
    let table = tree.table();
    let mut nodes = Vec::new();
    let mut place = table.first_from(span.start());
    while place < table.len() {
        let Some(node) = table.range(place, place + 1).next() else { break };
        let found = table.span(node);
        if found.start() >= span.end() {
            break;
        }
        // Some grammars include the whitespace after a node.
        let is_blank = |rest: Span| tree.text().slice(rest).trim().is_empty();
        let ends = found.end() <= span.end() || is_blank(Span::new(span.end(), found.end()));
        let whole = span.start() <= found.start() && table.is_named(node) && !found.is_empty() && ends;
        if whole && !is_block(tree, node) {
            nodes.push(node);
            place = table.subtree_end(node);
        } else {
            place += 1;
        }
    }
    nodes
}
