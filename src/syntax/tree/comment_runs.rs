//! Long runs of comment lines, of which the parser is given the first and the last.
//!
//! A scanner that looks for the indentation of the next statement may do so again for each comment line before it, so that a run
//! takes time by the square of its lines. The lines between the first and the last are parsed as blank ones, and their nodes are put
//! between those two. That holds where the first is a comment of its own and the last its next sibling: then no text begins in
//! between, and no block ends there, since no line of a run is indented less than its first.

use std::ops::Range;

use crate::text::{Span, Text};

/// Runs of fewer comments are parsed as they are.
const LONG: usize = 64;

/// A run of comment lines; the bytes of each comment, which goes to the end of its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Run {
    pub first: Range<usize>,
    pub between: Vec<Range<usize>>,
    pub last: Range<usize>,
}

/// The long runs of a text, where comment lines begin with `mark`.
pub(super) fn find(text: &Text, mark: u8) -> Vec<Run> {
    let marks = text.chunks().flat_map(|chunk| memchr::memchr_iter(mark, chunk.as_bytes()));
    if marks.take(LONG).count() < LONG {
        return Vec::new();
    }
    let source = text.slice(Span::new(0, text.len()));
    let bytes = source.as_bytes();
    let mut found = Vec::new();
    let mut lines: Vec<(usize, Range<usize>)> = Vec::new();
    let mut start = 0;
    while start <= bytes.len() {
        let end = memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |length| start + length);
        match line(&bytes[start..end], mark) {
            Line::Comment { column, offset } => lines.push((column, start + offset..end)),
            Line::Blank => {}
            Line::Code => add_runs(&std::mem::take(&mut lines), &mut found),
        }
        start = end + 1;
    }
    add_runs(&lines, &mut found);
    found
}

enum Line {
    Blank,
    /// A comment alone, with its column as a scanner counts it, and its first byte in the line.
    Comment {
        column: usize,
        offset: usize,
    },
    Code,
}

fn line(bytes: &[u8], mark: u8) -> Line {
    /// The columns of a tab.
    const TAB: usize = 8;
    let mut column = 0;
    for (offset, &byte) in bytes.iter().enumerate() {
        match byte {
            b' ' => column += 1,
            b'\t' => column += TAB,
            b'\r' if offset + 1 == bytes.len() => {}
            // A CR alone ends a line, too.
            _ if byte == mark && !bytes[..bytes.len() - 1].contains(&b'\r') => return Line::Comment { column, offset },
            _ => return Line::Code,
        }
    }
    Line::Blank
}

/// Adds the runs of comment lines in a row: none has a line that is indented less than its first.
fn add_runs(lines: &[(usize, Range<usize>)], found: &mut Vec<Run>) {
    if lines.len() < LONG {
        return;
    }
    let mut rest = lines;
    while let Some((column, first)) = rest.first() {
        let length = rest.iter().position(|(other, _)| other < column).unwrap_or(rest.len());
        let (run, after) = rest.split_at(length);
        if let [_, between @ .., (_, last)] = run
            && !between.is_empty()
        {
            let between = between.iter().map(|(_, span)| span.clone()).collect();
            found.push(Run { first: first.clone(), between, last: last.clone() });
        }
        rest = after;
    }
}

/// The text with blanks in place of the comments between the first and the last of each run.
pub(super) fn without(source: String, runs: &[Run]) -> String {
    let mut bytes = source.into_bytes();
    for span in runs.iter().flat_map(|run| &run.between) {
        bytes[span.clone()].iter_mut().filter(|byte| **byte != b'\r').for_each(|byte| *byte = b' ');
    }
    String::from_utf8(bytes).expect("whole comments are replaced by ASCII")
}

/// Whether a tree of the text without them has the first and the last comment of a run next to each other.
pub(super) fn is_apart(tree: &tree_sitter::Tree, run: &Run) -> bool {
    let root = tree.root_node();
    let at = |span: &Range<usize>| {
        let node = root.descendant_for_byte_range(span.start, span.end)?;
        (node.byte_range() == *span && node.is_extra() && node.child_count() == 0).then_some(node)
    };
    match (at(&run.first), at(&run.last)) {
        (Some(first), Some(last)) => {
            first.kind_id() == last.kind_id() && first.next_sibling().is_some_and(|next| next.id() == last.id())
        }
        _ => false,
    }
}
