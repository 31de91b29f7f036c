//! The correspondence of nodes of the old and the new text: same bytes, same type.

use crate::edit::lines;
use crate::text::Span;
use crate::tree::{Node, Tree};

/// Whether bytes are part of a string or other text, and not a node of their own.
pub(in crate::edit) fn is_text(tree: &Tree, span: Span) -> bool {
    let table = tree.table();
    let around = innermost(tree, span);
    if table.subtree_end(around) != around.index() + 1 || !table.is_named(around) {
        return false;
    }
    let role = |node: Node| tree.language().role(table.type_id(node));
    if role(around).string || role(around).comment || table.parent(around).is_some_and(|parent| role(parent).string) {
        return true;
    }
    if table.span(around) == span || is_end_of(tree, around, span) {
        return false;
    }
    let is_a = |kind: &str| tree.language().spec().types_of_kind(kind).contains(table.type_id(around));
    !is_a("name") && !is_a("number")
}

/// The smallest node that contains some bytes.
fn innermost(tree: &Tree, span: Span) -> Node {
    let table = tree.table();
    let last = table.first_from(span.start() + 1).saturating_sub(1);
    let node = table.range(last, last + 1).next().unwrap_or(Node::ROOT);
    let holds = |node: Node| table.span(node).contains(span) && !table.span(node).is_empty();
    std::iter::once(node).chain(table.ancestors(node)).find(|&node| holds(node)).unwrap_or(Node::ROOT)
}

/// Whether a line ends inside a string that must end with its line.
pub(super) fn is_broken_string(tree: &Tree, span: Span) -> bool {
    let quotes = &tree.language().spec().one_line_quotes;
    if quotes.is_empty() || !lines::breaks(tree.text(), span) {
        return false;
    }
    let table = tree.table();
    let around = innermost(tree, span);
    let mut around = std::iter::once(around).chain(table.ancestors(around));
    let string = around.find(|&node| tree.language().role(table.type_id(node)).string && table.span(node) != span);
    string.is_some_and(|string| {
        let text = tree.node_text(string);
        let bare = text.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
        let quote = quotes.iter().find(|quote| bare.starts_with(quote.as_str()));
        let is_long = |quote: &String| bare.starts_with(&quote.repeat(3));
        quote.is_some_and(|quote| !is_long(quote)) && text.replace("\\\n", "").contains('\n')
    })
}

/// Whether a node consists of some bytes and a line end.
fn is_end_of(tree: &Tree, node: Node, span: Span) -> bool {
    tree.span(node).start() == span.start() && ends_alike(tree, tree.span(node).end(), span.end())
}

/// Whether a line end in these bytes ends the statement, although the grammar reads on: if line ends terminate
/// statements, it must be in brackets or in a string.
pub(super) fn is_cut(tree: &Tree, span: Span) -> bool {
    if !tree.language().spec().indentation_is_syntax || !lines::breaks(tree.text(), span) {
        return false;
    }
    let table = tree.table();
    let is_body = |node: Node| {
        let role = tree.language().role(table.type_id(node));
        role.body && !role.list
    };
    // Statements end at their own line ends.
    let inside = table.range(table.first_from(span.start()), table.len());
    if inside.take_while(|&node| table.span(node).start() < span.end()).any(is_body) {
        return false;
    }
    has_loose_line_end(tree, span, &|node| !is_body(node))
}

/// Whether a line ends in these bytes outside brackets and strings. Only nodes that are `within` something count, up to
/// the first that is not.
fn has_loose_line_end(tree: &Tree, span: Span, within: &dyn Fn(Node) -> bool) -> bool {
    let (table, text) = (tree.table(), tree.text());
    let lines = text.line_at(span.start())..text.line_at(span.end());
    let mut ends = lines.map(|line| text.line_span(line).end());
    ends.any(|end| {
        let goes_on = end > 0 && text.byte(end - 1) == Some(b'\\');
        let inner = smallest_around(tree, end);
        let around = std::iter::once(inner).chain(table.ancestors(inner));
        !goes_on && !around.take_while(|&node| within(node)).any(|node| holds_lines(tree, node))
    })
}

/// Whether lines may end in a node without ending a statement: it has brackets, or is a string.
fn holds_lines(tree: &Tree, node: Node) -> bool {
    let table = tree.table();
    let first = table.children(node).find(|&child| !tree.is_comment(child));
    let opens = first.is_some_and(|first| tree.language().spec().punctuation.opening.contains(table.type_id(first)));
    opens || tree.language().role(table.type_id(node)).string
}

/// Whether a line end in a node would end the statement if the node were not in brackets.
pub(super) fn needs_brackets(tree: &Tree, node: Node) -> bool {
    let span = lines::trim_end(tree.text(), tree.span(node));
    tree.language().spec().indentation_is_syntax
        && lines::breaks(tree.text(), span)
        && has_loose_line_end(tree, span, &|around| tree.table().is_within(around, node))
}

/// The smallest node strictly around an offset.
fn smallest_around(tree: &Tree, offset: usize) -> Node {
    let table = tree.table();
    let holds = |node: Node| table.span(node).start() < offset && offset < table.span(node).end();
    let before = table.first_from(offset).saturating_sub(1);
    let node = table.range(before, before + 1).next().unwrap_or(Node::ROOT);
    std::iter::once(node).chain(table.ancestors(node)).find(|&node| holds(node)).unwrap_or(Node::ROOT)
}

/// Whether a node of the old text is one in the new text: with the same type or, if it is a leaf, with any type.
pub(in crate::edit) fn is_same(old: &Tree, new: &Tree, node: Node, span: Span) -> bool {
    let is_leaf = old.table().subtree_end(node) == node.index() + 1;
    let type_id = old.table().type_id(node);
    at(new, span).any(|found| is_leaf || new.table().type_id(found) == type_id)
}

/// Whether a list without brackets in the old text has them in the new one, and is then what such a list means: a
/// tuple.
pub(in crate::edit) fn is_bracketed(old: &Tree, new: &Tree, node: Node, span: Span) -> bool {
    let wanted = old.language().precedence().bracketed(old.table().type_id(node));
    wanted.is_some_and(|wanted| at(new, span).any(|found| new.table().type_id(found) == wanted))
}

/// Whether a node ends where the bytes do, apart from a line end or terminator that some nodes include.
fn ends_alike(tree: &Tree, node: usize, bytes: usize) -> bool {
    let is_end = |letter: char| letter == ';' || letter.is_whitespace();
    node == bytes || node > bytes && tree.text().slice(Span::new(bytes, node)).chars().all(is_end)
}

/// The nodes with exactly these bytes, apart from a line end that some include.
pub(super) fn at(tree: &Tree, span: Span) -> impl Iterator<Item = Node> + '_ {
    let table = tree.table();
    let nodes = table.range(table.first_from(span.start()), table.len());
    nodes
        .take_while(move |&node| table.span(node).start() == span.start())
        .filter(move |&node| ends_alike(tree, table.span(node).end(), span.end()))
}

/// Whether bytes are one node, or consecutive siblings.
pub(super) fn is_run(tree: &Tree, span: Span) -> bool {
    let table = tree.table();
    if at(tree, span).next().is_some() {
        return true;
    }
    let nodes = table.range(table.first_from(span.start()), table.len());
    let mut starting = nodes.take_while(|&node| table.span(node).start() == span.start());
    let Some(first) = starting.find(|&node| lines::trim_end(tree.text(), table.span(node)).end() <= span.end()) else {
        return false;
    };
    let siblings = std::iter::successors(Some(first), |&node| table.next_sibling(node));
    let mut ends = siblings.map(|node| table.span(node).end());
    ends.any(|end| ends_alike(tree, end, span.end()))
}
