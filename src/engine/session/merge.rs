//! Three-way merges by lines, and the edits between two texts.

use diffy::{ConflictStyle, DiffOptions, Line, MergeOptions};

use crate::text::{EditSet, Span, TextEdit};

/// The length of conflict markers that no file has by chance.
const COUNTED_MARKER: usize = 41;

/// What two changes of one text make together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// The text; with conflict markers where there are conflicts.
    pub source: String,
    /// In how many places both changed the same lines.
    pub conflicts: usize,
    /// From our text to the merged one; empty where there are conflicts.
    pub from_ours: EditSet,
}

/// Merges our change of `base` and theirs.
pub fn merge(base: &str, ours: &str, theirs: &str) -> Merged {
    let mut options = MergeOptions::new();
    options.set_conflict_style(ConflictStyle::Merge);
    match options.merge(base, ours, theirs) {
        Ok(source) => Merged { from_ours: edits(ours, &source), source, conflicts: 0 },
        Err(source) => {
            // Our own markers can't be told from lines that look like them; long ones can.
            let marked = options.set_conflict_marker_length(COUNTED_MARKER).merge(base, ours, theirs);
            let marker = "<".repeat(COUNTED_MARKER);
            let marked = marked.err().unwrap_or_default();
            let conflicts = marked.lines().filter(|line| line.starts_with(&marker)).count();
            Merged { source, conflicts: conflicts.max(1), from_ours: EditSet::default() }
        }
    }
}

/// The edits, by lines, that turn one text into another.
pub fn edits(old: &str, new: &str) -> EditSet {
    let starts: Vec<usize> = std::iter::once(0)
        .chain(old.split_inclusive('\n').scan(0, |at, line| {
            *at += line.len();
            Some(*at)
        }))
        .collect();
    let mut options = DiffOptions::new();
    let patch = options.set_context_len(0).create_patch(old, new);
    let mut edits: Vec<TextEdit> = Vec::new();
    for hunk in patch.hunks() {
        let range = hunk.old_range();
        // An empty range names the line before it, in the way of `diff`.
        let mut line = if range.is_empty() { range.start() } else { range.start() - 1 };
        let mut edit: Option<TextEdit> = None;
        for change in hunk.lines() {
            match change {
                Line::Context(_) => {
                    edits.extend(edit.take());
                    line += 1;
                }
                Line::Delete(text) => {
                    let edit = edit.get_or_insert_with(|| TextEdit::new(Span::at(starts[line]), ""));
                    edit.span = Span::new(edit.span.start(), edit.span.end() + text.len());
                    line += 1;
                }
                Line::Insert(text) => {
                    let at = starts[line];
                    edit.get_or_insert_with(|| TextEdit::new(Span::at(at), "")).text.push_str(text);
                }
            }
        }
        edits.extend(edit);
    }
    EditSet::new(edits).expect("the hunks of a difference are in order and apart")
}
