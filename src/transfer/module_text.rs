//! Signs and words around a place of a text.

use crate::text::Span;
use crate::tree::{Node, Tree};

/// Whether a file has a word in its code.
pub(crate) fn has_leaf(tree: &Tree, word: &str) -> bool {
    let table = tree.table();
    let is_leaf = |node: &Node| table.subtree_end(*node) == node.index() + 1 && !tree.is_comment(*node);
    table.nodes().filter(is_leaf).any(|node| *tree.node_text(node) == *word)
}

/// The text of a line before an offset in it.
pub(crate) fn line_before(tree: &Tree, at: usize) -> String {
    tree.text().slice(Span::new(tree.text().line_around(at).start(), at)).into_owned()
}

/// The text of a line from an offset on.
pub(crate) fn line_after(tree: &Tree, at: usize) -> String {
    tree.text().slice(Span::new(at, tree.text().line_around(at).end().max(at))).into_owned()
}

/// Whether the name of a class is called or passed on as a function.
pub(crate) fn is_value(tree: &Tree, name: Span) -> bool {
    let after = line_after(tree, name.end()).trim_start().chars().next().unwrap_or(' ');
    let before = line_before(tree, name.start()).trim_end().chars().last().unwrap_or(' ');
    after == '(' || matches!(before, '(' | ',') && matches!(after, ')' | ',')
}

/// How often a word is in a text.
pub(crate) fn count_words(text: &str, word: &str) -> usize {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.split(|letter| !is_letter(letter)).filter(|other| *other == word).count()
}

/// Whether a text reads a field by its number: `.0`.
pub(crate) fn has_number_access(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(3).any(|three| {
        (three[0].is_ascii_alphanumeric() || matches!(three[0], b'_' | b')' | b']'))
            && !three[0].is_ascii_digit()
            && three[1] == b'.'
            && three[2].is_ascii_digit()
    })
}
