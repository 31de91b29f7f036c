//! The highlighting of a text, from its tree.

use crate::language::taxonomy;
use crate::selector::Kinds;
use crate::text::Text;
use crate::tree::Tree;

/// The classes of highlighted code.
pub const CLASSES: &[&str] = &["comment", "string", "number", "keyword", "function", "type", "call", "attribute"];

/// An index of [`CLASSES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Comment,
    Text,
    Number,
    Keyword,
    Function,
    Type,
    Call,
    Decorator,
}

/// The highlighted spans of a text in order, three numbers each: how many UTF-16 units after the end of the one before it begins, how
/// many it has, and its class as an index of [`CLASSES`].
pub fn highlight(tree: &Tree) -> Vec<u32> {
    let table = tree.table();
    let kinds = Kinds::new(tree);
    let mut classes: Vec<Option<Class>> = vec![None; table.len()];
    let known = |kind: &str| taxonomy().kinds().iter().any(|known| known.name == kind);
    let has = |node, kind: &str| known(kind) && kinds.is(node, kind);
    for node in table.nodes().filter(|&node| table.is_named(node)) {
        let index = node.index();
        if tree.is_comment(node) {
            classes[index] = Some(Class::Comment);
        } else if has(node, "string") {
            classes[index] = Some(Class::Text);
        } else if has(node, "number") {
            classes[index] = Some(Class::Number);
        } else if has(node, "type") && table.descendants(node).next().is_none() {
            classes[index].get_or_insert(Class::Type);
        }
        let of_name = if has(node, "class") {
            Class::Type
        } else if has(node, "function") {
            Class::Function
        } else if has(node, "call") {
            Class::Call
        } else if has(node, "decorator") {
            Class::Decorator
        } else {
            continue;
        };
        if let Some(name) = tree.name_node(node) {
            classes[name.index()] = Some(of_name);
        }
    }
    let mut spans: Vec<(usize, usize, Class)> = Vec::new();
    let mut end = 0;
    for node in table.nodes() {
        let span = tree.span(node);
        if span.start() < end || span.is_empty() {
            continue;
        }
        let is_word = || {
            let text = tree.node_text(node);
            !table.is_named(node) && text.chars().all(|char| char.is_alphabetic() || char == '_')
        };
        let class = match classes[node.index()] {
            Some(class) => class,
            None if table.descendants(node).next().is_none() && is_word() => Class::Keyword,
            None => continue,
        };
        spans.push((span.start(), span.end(), class));
        end = span.end();
    }
    in_utf16(tree.text(), &spans)
}

/// Spans in bytes as differences in UTF-16 units.
fn in_utf16(text: &Text, spans: &[(usize, usize, Class)]) -> Vec<u32> {
    let source = text.slice(text.span());
    let units = |start: usize, end: usize| {
        let count: usize = source[start..end].chars().map(char::len_utf16).sum();
        u32::try_from(count).unwrap_or(u32::MAX)
    };
    let mut numbers = Vec::with_capacity(spans.len() * 3);
    let mut last = 0;
    for &(start, end, class) in spans {
        numbers.extend([units(last, start), units(start, end), class as u32]);
        last = end;
    }
    numbers
}
