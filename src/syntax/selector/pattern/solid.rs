//! The parts of a node that count when code is compared, and equality of code.
//!
//! Ignored are comments, nodes without text, separators after a last element, and the terminators of statements, which
//! are optional in many languages.

use std::cell::Cell;

use crate::language::{Language, TypeId};
use crate::tree::{Captured, Node, Tree};

/// The children of a node that count.
pub(super) fn children(tree: &Tree, node: Node) -> Vec<Node> {
    let table = tree.table();
    let mut found: Vec<Node> = Vec::new();
    for child in table.children(node) {
        if is_nothing(tree, child) {
            continue;
        }
        found.push(child);
    }
    drop_ends(tree, node, &mut found);
    found
}

/// Whether a node is ignored: a comment, or one without text.
fn is_nothing(tree: &Tree, node: Node) -> bool {
    let table = tree.table();
    let type_id = table.type_id(node);
    table.is_extra(node) || tree.language().role(type_id).comment || table.span(node).is_empty()
}

/// Removes separators after the last element, and terminators.
fn drop_ends(tree: &Tree, node: Node, found: &mut Vec<Node>) {
    let table = tree.table();
    let signs = &tree.language().spec().punctuation;
    let is_comma = |child: Node| Some(table.type_id(child)) == signs.comma;
    let is_end = |child: Node| signs.statement_ends.contains(table.type_id(child));
    if !found.iter().any(|&child| is_comma(child) || is_end(child)) {
        return;
    }
    let holds_statements = {
        let role = tree.language().role(table.type_id(node));
        (role.body && !role.list) || role.section || node == Node::ROOT
    };
    if holds_statements {
        found.retain(|&child| !is_end(child));
    } else {
        // After a node, a terminator only says that the node ends: `for (let i = 0; …)` has it inside the node.
        let ends: Vec<bool> = found.iter().map(|&child| is_end(child)).collect();
        let named: Vec<bool> = found.iter().map(|&child| table.is_named(child)).collect();
        let last = found.len() - 1;
        let mut place = 0;
        found.retain(|_| {
            let here = place;
            place += 1;
            let behind_node = here > 0 && (named[here - 1] || here == last);
            !(ends[here] && behind_node)
        });
    }
    let rule = tree.language().spec().lists.of(table.type_id(node));
    let closes = |child: Option<&Node>| child.is_none_or(|&child| signs.list_ends.contains(table.type_id(child)));
    let may_trail = |elements: usize| rule.is_none_or(|rule| !rule.single || elements > 1);
    let mut place = 1;
    while place < found.len() {
        let behind_element = table.is_named(found[place - 1]);
        if is_comma(found[place]) && behind_element && closes(found.get(place + 1)) {
            let elements = found[..place].iter().filter(|&&child| table.is_named(child)).count();
            if may_trail(elements) {
                found.remove(place);
                continue;
            }
        }
        place += 1;
    }
}

/// Whether a child only separates elements of its parent.
pub(super) fn separates(tree: &Tree, parent: Node, child: Node) -> bool {
    let table = tree.table();
    if table.is_named(child) {
        return false;
    }
    let rule = tree.language().spec().lists.of(table.type_id(parent));
    let id = Some(table.type_id(child));
    id == tree.language().spec().punctuation.comma || rule.is_some_and(|rule| id == rule.separator_token)
}

/// The innermost named node with the same bytes, so that nodes that only wrap it do not match as well.
pub(super) fn innermost(tree: &Tree, node: Node) -> Node {
    let table = tree.table();
    let held = |outer: &Node| {
        table.children(*outer).find(|&child| table.is_named(child) && table.span(child) == table.span(*outer))
    };
    std::iter::successors(Some(node), held).last().unwrap_or(node)
}

/// The string types whose quotes are interchangeable with those of a type.
pub(super) fn types_alike(language: &'static Language, type_id: TypeId) -> impl Iterator<Item = TypeId> {
    let alike = &language.spec().quotes_alike;
    let is_one = alike.contains(type_id);
    alike.types().filter(move |_| is_one)
}

/// The text before a string's quotes, and between them; `None` for a node that is not a string in quotes.
pub(super) fn quoted(tree: &Tree, node: Node) -> Option<(String, String)> {
    if !tree.language().role(tree.table().type_id(node)).string {
        return None;
    }
    let text = tree.node_text(node);
    let prefix = text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_alphabetic()).len();
    let rest = &text[prefix..];
    let between = ["\"\"\"", "'''", "\"", "'", "`"].into_iter().find_map(|quote| {
        let inner = rest.strip_prefix(quote)?.strip_suffix(quote)?;
        Some(inner)
    })?;
    Some((text[..prefix].to_owned(), between.to_owned()))
}

/// A string delimiter without its quotes: `b` of `b"`.
pub(super) fn unquoted(text: &str) -> &str {
    text.trim_matches(['"', '\'', '`'])
}

/// The text of a node outside all its children, without whitespace.
pub(super) fn loose(tree: &Tree, node: Node) -> String {
    let table = tree.table();
    let mut at = tree.span(node).start();
    let mut loose = String::new();
    let mut take = |from: usize, to: usize| {
        if from < to {
            let text = tree.text().slice(crate::text::Span::new(from, to));
            // Line continuations are ignored, too.
            let text = text.replace("\\\r\n", "").replace("\\\n", "");
            loose.extend(text.chars().filter(|letter| !letter.is_whitespace()));
        }
    };
    for child in table.children(node) {
        let span = table.span(child);
        take(at, span.start());
        at = span.end().max(at);
    }
    take(at, tree.span(node).end());
    loose
}

/// Whether two captures are the same code: the same nodes and tokens in the same order.
pub(in crate::selector) fn same_code(tree: &Tree, first: Captured, second: Captured, budget: &Cell<u64>) -> bool {
    if first == second {
        return true;
    }
    let (mut left, mut right) = (roots(tree, first), roots(tree, second));
    loop {
        // Each pair of nodes is charged.
        budget.set(budget.get().saturating_sub(1));
        if budget.get() == 0 {
            return false;
        }
        match (left.pop(), right.pop()) {
            (None, None) => return true,
            (Some(one), Some(other)) => {
                if !same_node(tree, one, other, (&mut left, &mut right)) {
                    return false;
                }
            }
            _ => return false,
        }
    }
}

/// The outermost nodes of a capture, the last first.
fn roots(tree: &Tree, captured: Captured) -> Vec<Node> {
    let Some(first) = captured.first() else { return Vec::new() };
    let last = match captured {
        Captured::Siblings { last, .. } => last,
        Captured::Node(_) | Captured::Nothing => first,
    };
    let siblings = std::iter::successors(Some(first), |&node| tree.table().next_sibling(node));
    let mut nodes: Vec<Node> =
        siblings.take_while(|&node| node <= last).filter(|&node| !is_nothing(tree, node)).collect();
    nodes.reverse();
    nodes
}

/// Whether two nodes are equal without looking at their children.
fn same_node(tree: &Tree, one: Node, other: Node, (left, right): (&mut Vec<Node>, &mut Vec<Node>)) -> bool {
    let table = tree.table();
    if let (Some(first), Some(second)) = (quoted(tree, one), quoted(tree, other)) {
        let (first_type, second_type) = (table.type_id(one), table.type_id(other));
        let alike = first_type == second_type || types_alike(tree.language(), first_type).any(|id| id == second_type);
        return alike && first == second;
    }
    if table.type_id(one) != table.type_id(other) {
        return false;
    }
    let (mut first, mut second) = (children(tree, one), children(tree, other));
    if first.is_empty() && second.is_empty() {
        return !table.is_named(one) || tree.node_text(one) == tree.node_text(other);
    }
    if first.len() != second.len() || loose(tree, one) != loose(tree, other) {
        return false;
    }
    first.reverse();
    second.reverse();
    left.append(&mut first);
    right.append(&mut second);
    true
}
