//! How to delete nodes outside lists: the tokens next to them, decided once for each shape of node.

use super::{extent, lines};
use crate::text::Span;
use crate::tree::{Node, Tree};

/// What decides how a node outside lists is deleted: types and fields of the node and of the nodes around it. Nodes of
/// the same shape are deleted the same way, so only one of them is tried; the gates check the result for all.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct NodeShape(Vec<u16>);

impl NodeShape {
    pub(super) fn of(tree: &Tree, node: Node) -> NodeShape {
        /// How many siblings count on each side.
        const NEAR: usize = 6;
        const END: u16 = u16::MAX - 1;
        let table = tree.table();
        let mut words = Vec::new();
        let mut add = |node: Node| words.extend([table.type_id(node), u16::from(table.field(node))]);
        add(node);
        let mut around = node;
        for _ in 0..2 {
            let Some(parent) = table.parent(around) else { break };
            add(parent);
            let before =
                std::iter::successors(table.previous_sibling(around), |&sibling| table.previous_sibling(sibling));
            before.take(NEAR).for_each(&mut add);
            add(parent);
            let after = std::iter::successors(table.next_sibling(around), |&sibling| table.next_sibling(sibling));
            after.take(NEAR).for_each(&mut add);
            around = parent;
        }
        words.push(END);
        words.push(u16::from(tree.starts_its_line(node)));
        // A shape does not describe what is wrong with a broken node.
        if table.parent(node).is_some_and(|parent| table.has_error(parent)) {
            words.extend(node.index().to_ne_bytes().chunks(2).map(|pair| u16::from_ne_bytes([pair[0], pair[1]])));
        }
        NodeShape(words)
    }
}

/// How a node outside lists is deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    /// With a token next to it or without, as `tokens` says; the parameter around it may change.
    Cut { tokens: Tokens, in_parameter: bool },
    /// The language's empty statement replaces it.
    Empty,
    /// The rest would make no sense.
    Nothing,
}

/// Which token next to a node is deleted with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tokens {
    None,
    Before,
    After,
}

impl Decision {
    /// The deleted bytes, and those that may change with them.
    pub(super) fn cut(self, tree: &Tree, node: Node) -> Option<(Span, Option<Span>)> {
        let Decision::Cut { tokens, in_parameter } = self else { return None };
        let candidate = tokens.span(tree, node)?;
        let changing = if in_parameter { Some(parameter_around(tree, node)?) } else { None };
        Some((trim(tree.text(), candidate), changing))
    }
}

impl Tokens {
    /// The bytes of a node with that token.
    pub(super) fn span(self, tree: &Tree, node: Node) -> Option<Span> {
        let table = tree.table();
        let span = extent::trimmed_span(tree, node);
        let token =
            |sibling: Option<Node>| sibling.filter(|&sibling| !table.is_named(sibling)).map(|one| tree.span(one));
        match self {
            Tokens::None => Some(span),
            Tokens::Before => token(table.previous_sibling(node)).map(|token| token.join(span)),
            Tokens::After => token(table.next_sibling(node)).map(|token| span.join(token)),
        }
    }
}

/// The bytes of the parameter of which a node is a part.
pub(super) fn parameter_around(tree: &Tree, node: Node) -> Option<Span> {
    let table = tree.table();
    let parameter = table.parent(node)?;
    table.parent(parameter).filter(|&list| tree.holds_parameters(list)).map(|_| tree.span(parameter))
}

/// The bytes with the whitespace that would be left over.
fn trim(text: &crate::text::Text, span: Span) -> Span {
    let line = text.line_around(span.start());
    let before = text.slice(Span::new(line.start(), span.start())).into_owned();
    let after = text.slice(Span::new(span.end(), lines::line_end(text, span.end()))).into_owned();
    let space = before.len() - before.trim_end_matches(lines::is_blank).len();
    let starts_line = space == before.len();
    if starts_line && after.trim().is_empty() {
        let (start, end) = (line.start(), lines::next_line(text, span.end()));
        let (above, below) = (lines::blanks_above(text, start), lines::blanks_below(text, end));
        let next = lines::lines_down(text, end, below);
        let closes = text.slice(text.line_around(next)).trim_start().starts_with(['}', ')', ']']);
        return if closes && above > 0 {
            Span::new(lines::lines_up(text, start, above), end)
        } else {
            Span::new(start, lines::lines_down(text, end, above.min(below)))
        };
    }
    if starts_line {
        // The text after it starts the line.
        let blanks = after.len() - after.trim_start_matches(lines::is_blank).len();
        return Span::new(span.start(), span.end() + blanks);
    }
    let next = after.chars().next();
    let closes = next.is_none_or(|next| lines::is_blank(next) || ":,)]};>".contains(next));
    if closes && !starts_line { Span::new(span.start() - space, span.end()) } else { span }
}
