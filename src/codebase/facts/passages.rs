//! The passages of a file: what a model that embeds texts reads of each definition.

use super::words::{split, words};
use crate::limits;
use crate::outline;
use crate::text::Span;
use crate::tree::{Node, Tree};

/// The version of these texts. Vectors of other versions are not used.
pub const PASSAGES_VERSION: u32 = 1;

/// A text for each document of the file's facts, in the same order: one for each definition, without the code of the definitions
/// in it, and one for the rest of the file. They depend on its text and its language alone.
pub fn passages(tree: &Tree) -> Vec<String> {
    let listed = outline::outline(tree, &outline::Options::default()).unwrap_or_default();
    let mut passages = Vec::with_capacity(listed.len() + 1);
    for (number, definition) in listed.iter().enumerate() {
        let scope = definition.qualname.strip_suffix(&definition.name).unwrap_or_default();
        let mut text = String::new();
        words(&definition.name).for_each(|word| _ = split(word, &mut text));
        if !scope.is_empty() {
            text.push_str("in ");
            words(scope).for_each(|word| _ = split(word, &mut text));
        }
        text.push('\n');
        for comment in tree.doc_comments(definition.node) {
            add(&tree.node_text(comment), &mut text);
        }
        let span = tree.span(definition.node);
        let inner = listed[number + 1..].iter().map(|other| tree.span(other.node));
        add_outside(tree, span, inner.take_while(|other| other.start() < span.end()), &mut text);
        passages.push(text);
    }
    let mut text = String::new();
    let whole = tree.span(Node::ROOT);
    let whole = Span::new(whole.start(), whole.end());
    add_outside(tree, whole, listed.iter().map(|definition| tree.span(definition.node)), &mut text);
    passages.push(text);
    passages
}

/// Adds the text of a span without the spans in it, which are in order.
fn add_outside(tree: &Tree, span: Span, inner: impl Iterator<Item = Span>, text: &mut String) {
    let mut at = span.start();
    for other in inner {
        if is_full(text) {
            return;
        }
        if other.start() >= at && other.end() <= span.end() {
            add(&tree.text().slice(Span::new(at, other.start())), text);
            at = other.end();
        }
    }
    if at < span.end() && !is_full(text) {
        add(&tree.text().slice(Span::new(at, span.end())), text);
    }
}

fn is_full(text: &str) -> bool {
    text.len() >= limits::PASSAGE_CHARACTERS
}

/// Adds a text with a single space between its words, as far as there is room.
fn add(code: &str, text: &mut String) {
    for word in code.split_whitespace() {
        if is_full(text) {
            return;
        }
        text.extend(word.chars().take(limits::PASSAGE_CHARACTERS - text.len()));
        text.push(' ');
    }
}
