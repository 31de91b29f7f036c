//! Captures in their new places: whether each is still the node that it was.

use super::Site;
use super::compose::Mark;
use super::words;
use crate::edit::Template;
use crate::edit::layout;
use crate::text::Span;
use crate::tree::{Captured, Node, Tree};

/// What was taken apart by what stands beside it: the number of the site, and of the template's place or none for what the
/// whole site became. Where the new text has errors that the old one hadn't, those that go over several lines come first: a
/// line's end may have ended what they stand in.
pub(super) fn misplaced(
    old: &Tree,
    new: &Tree,
    sites: &[Site],
    template: &Template,
    marks: &[Mark],
) -> Vec<(usize, Option<usize>)> {
    let names: Vec<&str> = template.places().map(|place| place.name.as_str()).collect();
    let is_whole = |mark: &&Mark| match mark.place {
        None => is_run(new, mark.new),
        Some(place) => match words::captured(&sites[mark.site], names[place]) {
            Some((_, Captured::Node(node))) => is_same(old, new, node, mark.new) && !is_cut(new, mark.new),
            Some((_, Captured::Siblings { .. })) => is_run(new, mark.new),
            Some((_, Captured::Nothing)) | None => true,
        },
    };
    let misplaced: Vec<&Mark> = marks.iter().filter(|mark| !mark.new.is_empty() && !is_whole(mark)).collect();
    let of = |marks: Vec<&Mark>| marks.into_iter().map(|mark| (mark.site, mark.place)).collect();
    if old.is_sound() && !new.is_sound() {
        let breaks = |mark: &&&Mark| mark.place.is_some() && layout::breaks(new.text(), mark.new);
        let broken: Vec<&Mark> = misplaced.iter().filter(breaks).copied().collect();
        if !broken.is_empty() {
            return of(broken);
        }
    }
    of(misplaced)
}

/// Whether a line's end in these bytes ends the statement, though the grammar reads on: in languages whose statements end
/// with their lines it must stand in brackets or in a string.
fn is_cut(tree: &Tree, span: Span) -> bool {
    if !tree.language().data().indentation_is_syntax || !layout::breaks(tree.text(), span) {
        return false;
    }
    let (table, text) = (tree.table(), tree.text());
    let is_body = |node: Node| {
        let role = tree.language().role(table.type_id(node));
        role.body && !role.list
    };
    // Statements end where they end.
    let inside = table.range(table.first_from(span.start()), table.len());
    if inside.take_while(|&node| table.span(node).start() < span.end()).any(is_body) {
        return false;
    }
    let holds_lines = |node: Node| {
        let first = table.children(node).find(|&child| !tree.is_comment(child));
        let opens = first.is_some_and(|first| matches!(tree.type_name(first), "(" | "[" | "{"));
        opens || tree.language().role(table.type_id(node)).string
    };
    let lines = text.line_at(span.start())..text.line_at(span.end());
    let mut ends = lines.map(|line| text.line_span(line).end());
    ends.any(|end| {
        let goes_on = end > 0 && text.byte(end - 1) == Some(b'\\');
        let inner = smallest_around(tree, end);
        let around = std::iter::once(inner).chain(table.ancestors(inner));
        !goes_on && !around.take_while(|&node| !is_body(node)).any(holds_lines)
    })
}

/// The smallest node that a place lies inside of.
fn smallest_around(tree: &Tree, offset: usize) -> Node {
    let table = tree.table();
    let holds = |node: Node| table.span(node).start() < offset && offset < table.span(node).end();
    let before = table.first_from(offset).saturating_sub(1);
    let node = table.range(before, before + 1).next().unwrap_or(Node::ROOT);
    std::iter::once(node).chain(table.ancestors(node)).find(|&node| holds(node)).unwrap_or(Node::ROOT)
}

/// Whether a node of the old text is one in the new: of the same type, or, if there is nothing in it, any.
fn is_same(old: &Tree, new: &Tree, node: Node, span: Span) -> bool {
    let is_leaf = old.table().subtree_end(node) == node.index() + 1;
    let type_id = old.table().type_id(node);
    at(new, span).any(|found| is_leaf || new.table().type_id(found) == type_id)
}

/// Whether a node ends where bytes do, but for a line's end or what ends a statement, which some nodes take in.
fn ends_alike(tree: &Tree, node: usize, bytes: usize) -> bool {
    let is_end = |letter: char| letter == ';' || letter.is_whitespace();
    node == bytes || node > bytes && tree.text().slice(Span::new(bytes, node)).chars().all(is_end)
}

/// The nodes with exactly these bytes, but for a line's end that some take in.
fn at(tree: &Tree, span: Span) -> impl Iterator<Item = Node> + '_ {
    let table = tree.table();
    let nodes = table.range(table.first_from(span.start()), table.len());
    nodes
        .take_while(move |&node| table.span(node).start() == span.start())
        .filter(move |&node| ends_alike(tree, table.span(node).end(), span.end()))
}

/// Whether bytes are one node, or siblings side by side.
fn is_run(tree: &Tree, span: Span) -> bool {
    let table = tree.table();
    if at(tree, span).next().is_some() {
        return true;
    }
    let nodes = table.range(table.first_from(span.start()), table.len());
    let mut starting = nodes.take_while(|&node| table.span(node).start() == span.start());
    let Some(first) = starting.find(|&node| words::said(tree, table.span(node)).end() <= span.end()) else {
        return false;
    };
    let siblings = std::iter::successors(Some(first), |&node| table.next_sibling(node));
    let mut ends = siblings.map(|node| table.span(node).end());
    ends.any(|end| ends_alike(tree, end, span.end()))
}
