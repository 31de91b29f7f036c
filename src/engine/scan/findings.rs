//! The findings of a file as rows.

use super::ready::{ActiveRule, ReadyRule};
use crate::edit::Allow;
use crate::reader::document::{content_hash, short};
use crate::reader::rows::{Rows, Shown};
use crate::request::{FindingRow, FixEdit, FixRow, LabelRow, Severity};
use crate::rule::Ignore;
use crate::selector::Match;
use crate::text::difference;
use crate::tree::{Node, ParseLimits, Tree};

/// Makes rows of the findings in one tree.
pub(super) struct FindingRows<'a> {
    pub tree: &'a Tree,
    pub rows: Rows<'a>,
    pub path: Option<String>,
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
        FindingRows { tree, rows: Rows::new(tree, path.clone(), shown), path }
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

/// The changes that a rule's fix would make at a finding; `None` if it has no fix, or the fix is refused.
pub(super) fn fix_row(ready: &ReadyRule<'_>, tree: &Tree, found: &Match, limits: &ParseLimits) -> Option<FixRow> {
    let rule = ready.plan.rule();
    if !rule.has_fix() {
        return None;
    }
    let mended = ready.plan.mend(tree, vec![found.clone()], Allow::default(), limits).ok()?;
    let text = tree.text();
    let edits = difference(text, mended.tree.text());
    let edit = |span: crate::text::Span, new: &str| {
        let (start, end) = (text.position(span.start()), text.position(span.end()));
        FixEdit {
            start_line: start.line,
            start_col: start.col(),
            end_line: end.line,
            end_col: end.col(),
            start_byte: span.start(),
            end_byte: span.end(),
            text: new.to_owned(),
        }
    };
    let edits: Vec<FixEdit> = edits.iter().map(|one| edit(one.span, &one.text)).collect();
    (!edits.is_empty()).then_some(FixRow { safe: rule.is_safe, edits })
}
