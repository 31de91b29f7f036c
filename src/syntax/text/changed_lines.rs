//! Which lines an edit set changed.

use super::{EditSet, Text};

/// The lines of `new` that the edits touched, as first and last line from 1. Neighbouring ranges are joined.
pub fn changed_lines(new: &Text, edits: &EditSet) -> Vec<(usize, usize)> {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for span in edits.new_spans() {
        let first = new.line_at(span.start());
        let mut last = new.line_at(span.end());
        // Text that ends with a line ending does not touch the next line.
        if last > first && new.line_around(span.end()).start() == span.end() {
            last -= 1;
        }
        match ranges.last_mut() {
            Some(range) if range.1 + 1 >= first => range.1 = range.1.max(last),
            _ => ranges.push((first, last)),
        }
    }
    ranges
}
