//! The delimiters of a container: brackets, or the words that open and close it.
//!
//! Some grammars include the brackets in a body, others keep them outside, and an empty body may have no node at all.
//! For an edit they are alike: something opens, something closes, and there is an inner and an outer indentation.

use super::{extent, lines, structure};
use crate::text::Span;
use crate::tree::{Node, Tree};

/// The delimiters of a container.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Delimiters {
    /// The bracket or word before the first unit.
    pub(super) opening: Option<Node>,
    /// The bracket or word after the last unit; for a part of a node, whatever follows in it.
    pub(super) closing: Option<Node>,
    /// The start of the inside.
    start: usize,
}

impl Delimiters {
    /// The delimiters of a container; none for the file, a list, or a body that only its indentation delimits.
    pub(super) fn of(tree: &Tree, holder: Node) -> Delimiters {
        let table = tree.table();
        let children: Vec<Node> = solid_children(tree, holder).collect();
        let is_token = |node: &Node| !table.is_named(*node);
        if holder == Node::ROOT || extent::is_list(tree, holder) {
            return Delimiters::default();
        }
        let clause = children.iter().copied().find(|&child| tree.language().role(table.type_id(child)).clause);
        if let Some(opening) = structure::section_start(tree, holder) {
            let last = children.last().copied().filter(is_token).filter(|&last| last != opening);
            let closing = clause.filter(|&clause| clause > opening).or(last);
            return Delimiters { opening: Some(opening), closing, start: table.span(opening).end() };
        }
        if !structure::is_block(tree, holder) {
            return Delimiters::of_missing(tree, &children);
        }
        let own = children.first().copied().filter(is_token);
        let closing = children.last().copied().filter(|last| own.is_some() && own != Some(*last)).filter(is_token);
        let sibling = |step: fn(&crate::tree::Table, Node) -> Option<Node>| {
            let mut next = step(table, holder);
            while let Some(node) = next.filter(|&node| table.is_extra(node) || table.span(node).is_empty()) {
                next = step(table, node);
            }
            next.filter(is_token)
        };
        let opening = own.or_else(|| sibling(|table, node| table.previous_sibling(node)));
        let closing = closing.or_else(|| sibling(|table, node| table.next_sibling(node)));
        let closing = clause.or(closing);
        let start = opening.map_or(table.span(holder).start(), |opening| table.span(opening).end());
        Delimiters { opening, closing, start }
    }

    /// The delimiters of a node whose body has no node because it is empty: `def f` and `end`.
    fn of_missing(tree: &Tree, children: &[Node]) -> Delimiters {
        let ends = &tree.language().spec().body_ends.types;
        let is_end = |node: &Node| ends.contains(tree.table().type_id(*node));
        let Some((closing, before)) = children.split_last().filter(|(last, _)| is_end(last)) else {
            return Delimiters::default();
        };
        let start = before
            .iter()
            .rfind(|&&child| Some(tree.table().type_id(child)) != tree.language().spec().punctuation.semicolon)
            .map_or(tree.span(*closing).start(), |&last| extent::trimmed_span(tree, last).end());
        Delimiters { opening: None, closing: Some(*closing), start }
    }

    /// The bytes between the delimiters, if there is a closing one.
    pub(super) fn inside(&self, tree: &Tree) -> Option<Span> {
        let end = tree.span(self.closing?).start();
        (self.start <= end).then(|| Span::new(self.start, end))
    }

    /// Whether a bracket closes it.
    pub(super) fn has_brackets(&self, tree: &Tree) -> bool {
        let signs = &tree.language().spec().punctuation;
        self.opening.is_some_and(|opening| signs.opening.contains(tree.table().type_id(opening)))
            && self.closing.is_some_and(|closing| signs.closing.contains(tree.table().type_id(closing)))
    }

    /// The indentation of the lines with the delimiters.
    pub(super) fn outer_indentation(&self, tree: &Tree, holder: Node) -> String {
        let text = tree.text();
        let is_section = structure::section_start(tree, holder).is_some();
        if let Some(closing) = self.closing.filter(|&closing| !is_section && tree.starts_its_line(closing)) {
            return lines::indentation(text, tree.span(closing).start());
        }
        lines::indentation(text, tree.span(header(tree, holder)).start())
    }
}

/// The node that determines the indentation of a container's lines: the node that has it as its body.
fn header(tree: &Tree, holder: Node) -> Node {
    let table = tree.table();
    let mut inner = holder;
    if structure::section_start(tree, holder).is_some() || !structure::is_block(tree, holder) {
        return holder;
    }
    while let Some(parent) = table.parent(inner) {
        let passes = (structure::is_block(tree, parent) && structure::inner_block(tree, parent) == Some(inner))
            || tree.inner(parent) == Some(inner)
            || tree.language().role(table.type_id(parent)).outer_body;
        if !passes {
            return parent;
        }
        inner = parent;
    }
    inner
}

/// The children with text, except comments.
fn solid_children(tree: &Tree, node: Node) -> impl Iterator<Item = Node> + '_ {
    let table = tree.table();
    let is_said = move |child: &Node| !table.is_extra(*child) && !tree.is_comment(*child);
    table.children(node).filter(is_said).filter(|&child| !table.span(child).is_empty())
}
