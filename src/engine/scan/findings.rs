//! The findings of a file as rows.

use std::cell::Cell;

use super::ready::{ActiveRule, ReadyRule};
use crate::edit::Allow;
use crate::limits;
use crate::reader::document::{content_hash, short};
use crate::reader::rows::{Rows, Shown};
use crate::request::{ByteColumns, FindingRow, FixEdit, FixRow, LabelRow, Severity};
use crate::rule::Ignore;
use crate::selector::Match;
use crate::text::{Span, Text, TextEdit, difference};
use crate::tree::{Node, ParseLimits, Tree};

/// Makes rows of the findings in one tree.
pub(super) struct FindingRows<'a> {
    pub tree: &'a Tree,
    pub rows: Rows<'a>,
    pub path: Option<String>,
    /// How many bytes were parsed to see what fixes would change.
    tried: Cell<usize>,
    unshown_fixes: Cell<usize>,
}

/// A finding, and what is said of it beside the rule.
pub(super) struct Judged<'f> {
    pub found: &'f Match,
    pub severity: Severity,
    /// The comment that silences it.
    pub ignore: Option<&'f Ignore>,
    /// The changes that its fix would make, if asked for.
    pub fix: Option<FixRow>,
}

impl<'a> FindingRows<'a> {
    pub fn new(tree: &'a Tree, path: Option<String>) -> FindingRows<'a> {
        let shown = Shown { source_lines: true, ..Shown::default() };
        FindingRows {
            tree,
            rows: Rows::new(tree, path.clone(), shown),
            path,
            tried: Cell::new(0),
            unshown_fixes: Cell::new(0),
        }
    }

    /// A finding as a row.
    pub fn row(&self, active: &ActiveRule<'_>, ready: &ReadyRule<'_>, judged: Judged<'_>) -> FindingRow {
        let node = self.rows.of_match(judged.found);
        FindingRow {
            rule: active.name.clone(),
            severity: judged.severity,
            message: ready.plan.message(self.tree, judged.found),
            note: active.rule.note.clone(),
            path: self.path.clone(),
            start_line: node.start_line,
            start_col: node.start_col,
            end_line: node.end_line,
            end_col: node.end_col,
            start_byte: node.start_byte,
            end_byte: node.end_byte,
            byte_columns: byte_columns(self.tree.text(), self.tree.span(judged.found.node)),
            source_line: node.source_line.unwrap_or_default(),
            captures: node.captures.iter().map(|(name, capture)| (name.to_owned(), capture.text.clone())).collect(),
            labels: self.labels(ready, judged.found),
            fix: judged.fix,
            fingerprint: self.fingerprint(&active.name, judged.found),
            suppressed: judged.ignore.is_some(),
            reason: judged.ignore.and_then(|ignore| ignore.reason.clone()),
            known: false,
        }
    }

    fn labels(&self, ready: &ReadyRule<'_>, found: &Match) -> Vec<LabelRow> {
        let label = |(node, message): (Node, Option<String>)| {
            let (start, end) = (self.tree.start(node), self.tree.end(node));
            LabelRow { start_line: start.line, start_col: start.col(), end_line: end.line, end_col: end.col(), message }
        };
        ready.plan.labels(self.tree, found).into_iter().map(label).collect()
    }

    /// The changes that a rule's fix would make at a finding; `None` if it has no fix, the fix is refused, or too many fixes have
    /// been tried in this file: each is tried on the whole text.
    pub fn fix(&self, ready: &ReadyRule<'_>, found: &Match, parse: &ParseLimits) -> Option<FixRow> {
        let rule = ready.plan.rule();
        if !rule.has_fix() {
            return None;
        }
        let text = self.tree.text();
        let tried = self.tried.get() + text.len();
        if tried > limits::SHOWN_FIX_BYTES.max(text.len()) {
            self.unshown_fixes.set(self.unshown_fixes.get() + 1);
            return None;
        }
        self.tried.set(tried);
        let mended = ready.plan.mend(self.tree, vec![found.clone()], Allow::default(), parse).ok()?;
        let row = |edit: &TextEdit| {
            let TextEdit { span, text: new } = narrow(&text.slice(edit.span), edit);
            let (start, end) = (text.position(span.start()), text.position(span.end()));
            FixEdit {
                start_line: start.line,
                start_col: start.col(),
                end_line: end.line,
                end_col: end.col(),
                start_byte: span.start(),
                end_byte: span.end(),
                byte_columns: byte_columns(text, span),
                text: new,
            }
        };
        let edits: Vec<FixEdit> = difference(text, mended.tree.text()).iter().map(row).collect();
        (!edits.is_empty()).then_some(FixRow { safe: rule.is_safe, edits })
    }

    /// How many fixes were not tried.
    pub fn unshown_fixes(&self) -> usize {
        self.unshown_fixes.get()
    }

    /// A hash of the rule, the definition around the finding, and its code without white space: none of them changes when lines
    /// above are added, or the code is indented.
    fn fingerprint(&self, rule: &str, found: &Match) -> String {
        let around = self.tree.scope_qualname(found.node).unwrap_or_default();
        let code = self.tree.node_text(found.node);
        let mut text = format!("{rule}\0{around}\0");
        text.extend(code.chars().filter(|letter| !letter.is_whitespace()));
        short(&content_hash(text.as_bytes()))
    }
}

fn byte_columns(text: &Text, span: Span) -> ByteColumns {
    let column = |offset: usize| offset - text.line_around(offset).start() + 1;
    ByteColumns { start: column(span.start()), end: column(span.end()) }
}

/// The part of an edit that changes something: without what the old and the new text begin and end with.
fn narrow(old: &str, edit: &TextEdit) -> TextEdit {
    let new = edit.text.as_str();
    let same = |(old, new): &(char, char)| old == new;
    let head: usize = old.chars().zip(new.chars()).take_while(same).map(|(letter, _)| letter.len_utf8()).sum();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let pairs = old_rest.chars().rev().zip(new_rest.chars().rev());
    let tail: usize = pairs.take_while(same).map(|(letter, _)| letter.len_utf8()).sum();
    let (start, end) = (edit.span.start() + head, edit.span.end() - tail);
    TextEdit::new(Span::new(start, end), &new_rest[..new_rest.len() - tail])
}
