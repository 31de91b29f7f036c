//! Line endings of two bytes.
//!
//! Some grammars end a comment or a directive right before `\n`, so in a file with `\r\n` the node includes the `\r`.
//! This module ends the node before both, as in the same file with `\n`.

use super::Table;
use crate::text::Text;

/// The table, with each node that ends between `\r` and `\n` cut before both. After a backslash the `\r` stays: there
/// the line ending is part of a string.
pub(super) fn cut_at_line_ends(table: Table, text: &Text) -> Table {
    if text.chunks().all(|chunk| memchr::memchr(b'\r', chunk.as_bytes()).is_none()) {
        return table;
    }
    let is_split = |end: usize| {
        end > 0
            && text.byte(end - 1) == Some(b'\r')
            && text.byte(end) == Some(b'\n')
            && (end < 2 || text.byte(end - 2) != Some(b'\\'))
    };
    table.map_ends(|start, end| if end > start && is_split(end) { end - 1 } else { end })
}
