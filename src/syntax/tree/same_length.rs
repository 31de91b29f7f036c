//! Texts of the same length: where they differ, and the tree of one as what is known of the other.

use std::ops::Range;

use tree_sitter::{InputEdit, Point};

use crate::text::Span;

/// Where a text differs from another one of the same length.
pub(super) fn differences(old: &[u8], new: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(same) = old[at..].iter().zip(&new[at..]).position(|(old, new)| old != new) {
        let start = at + same;
        at = start + old[start..].iter().zip(&new[start..]).take_while(|(old, new)| old != new).count();
        found.push(start..at);
    }
    found
}

/// A part of a text with the whole words that it begins and ends in.
pub(super) fn whole_words(text: &[u8], part: &Range<usize>) -> Span {
    let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let before = text[..part.start].iter().rev().take_while(is_word).count();
    let after = text[part.end..].iter().take_while(is_word).count();
    let (begins, ends) = (text.get(part.start), text[..part.end].last());
    let start = part.start - if begins.as_ref().is_some_and(is_word) { before } else { 0 };
    let end = part.end + if ends.as_ref().is_some_and(is_word) { after } else { 0 };
    Span::new(start, end)
}

/// A tree in which the bytes are marked that another text of the same length has in other places.
pub(super) fn with_changes(tree: &tree_sitter::Tree, source: &str, changed: &str) -> tree_sitter::Tree {
    let mut tree = tree.clone();
    let (old, new) = (source.as_bytes(), changed.as_bytes());
    let (mut at, mut point) = (0, Point { row: 0, column: 0 });
    for Range { start, end } in differences(old, new) {
        let begin = advance(point, &source[at..start]);
        at = end;
        point = Point { row: begin.row, column: begin.column + end - start };
        tree.edit(&InputEdit {
            start_byte: start,
            old_end_byte: at,
            new_end_byte: at,
            start_position: begin,
            old_end_position: point,
            new_end_position: point,
        });
    }
    tree
}

/// Where a text that starts at `start` ends.
pub(super) fn advance(start: Point, text: &str) -> Point {
    let bytes = text.as_bytes();
    let is_end = |at: &usize| bytes[*at] == b'\n' || (bytes[*at] == b'\r' && bytes.get(*at + 1) != Some(&b'\n'));
    let ends: Vec<usize> = (0..bytes.len()).filter(is_end).collect();
    match ends.last() {
        Some(last) => Point { row: start.row + ends.len(), column: bytes.len() - last - 1 },
        None => Point { row: start.row, column: start.column + bytes.len() },
    }
}
