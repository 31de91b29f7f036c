//! Line ends of two bytes.
//!
//! Some grammars end a comment or a directive right before `\n`, so that in a file with `\r\n` the `\r` is in the node. Here the node
//! ends before both, as it does in the same file with `\n`.

use super::Table;
use crate::text::Text;

/// The table with each node that ends between `\r` and `\n` cut before both. A backslash before them keeps its `\r`: there the line end is
/// a part of a string.
pub(super) fn settle(table: Table, text: &Text) -> Table {
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
