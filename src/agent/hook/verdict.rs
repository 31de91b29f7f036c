//! The verdict on an edit of one file: new syntax errors, and changed definitions.

use std::time::Duration;

use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};

use super::changes::{self, Revisions};
use crate::agent::journal::{Change, Changed};
use crate::language::Detector;
use crate::request::SyntaxErrorRow;
use crate::text::{EditSet, Span, Text, TextEdit, difference};
use crate::tree::{EditIntent, ParseLimits, SyntaxError, SyntaxErrorKind, Tree};

/// A file before and after.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<'a> {
    /// Its path, which determines the language.
    pub path: &'a str,
    /// The previous content; `None` if the file did not exist.
    pub before: Option<&'a [u8]>,
    /// The current content; `None` if the file does not exist.
    pub after: Option<&'a [u8]>,
    /// Whether the file was moved.
    pub moved: bool,
}

/// The result of judging an edit.
#[derive(Debug)]
pub(super) struct Verdict {
    pub language: &'static str,
    /// Whether the file has no syntax error now.
    pub is_sound: bool,
    /// The errors that were not there before.
    pub new_errors: Vec<SyntaxErrorRow>,
    /// The changed definitions.
    pub changed: Vec<Changed>,
}

/// Judges an edit. `None` if the language is unknown, the file is not text, or it takes too long.
pub(super) fn judge(pair: Pair<'_>, time: Duration) -> Option<Verdict> {
    let limits = ParseLimits { time, ..ParseLimits::default() };
    let language = Detector::default().detect(pair.path, pair.after.or(pair.before)?).ok()??;
    let parse = |text: Text| Tree::parse(text, language, &limits).ok();
    let stored = language.stored_as(pair.path);
    let before = pair.before.map(|bytes| Text::decode(bytes, stored)).transpose().ok()?;
    let verdict = |is_sound, new_errors, changed| Verdict { language: language.name(), is_sound, new_errors, changed };
    let Some(after) = pair.after.map(|bytes| Text::decode(bytes, stored)).transpose().ok()? else {
        return Some(verdict(true, Vec::new(), changes::all(&parse(before?)?, Change::Removed)));
    };
    let Some(before) = before else {
        let tree = parse(after)?;
        let errors = tree.errors().into_iter().map(SyntaxErrorRow::from).collect();
        return Some(verdict(tree.is_sound(), errors, changes::all(&tree, Change::Added)));
    };
    let before = in_line_ends_of(before, &after);
    let edits = narrow(&difference(&before, &after), &before);
    let before = parse(before)?;
    let edited = before.edit(&edits, &EditIntent::default(), &limits).ok()?;
    let (tree, node_map) = (edited.tree, edited.node_map);
    let revisions = Revisions { before: &before, after: &tree, node_map: &node_map, edits: &edits, moved: pair.moved };
    let changes = changes::between(&revisions);
    let errors = new_errors(&before, &tree, &edits, &changes.renamed);
    Some(verdict(tree.is_sound(), errors, changes.changed))
}

/// The edits, without common beginnings and ends of old and new text.
fn narrow(edits: &EditSet, before: &Text) -> EditSet {
    let narrow = |edit: &TextEdit| {
        let old = before.slice(edit.span);
        let alike = |(old, new): &(char, char)| old == new;
        let same = old.chars().zip(edit.text.chars()).take_while(alike);
        let head: usize = same.map(|(sign, _)| sign.len_utf8()).sum();
        let (old, new) = (&old[head..], &edit.text[head..]);
        let same = old.chars().rev().zip(new.chars().rev()).take_while(alike);
        let tail: usize = same.map(|(sign, _)| sign.len_utf8()).sum();
        let span = Span::new(edit.span.start() + head, edit.span.end() - tail);
        TextEdit::new(span, &new[..new.len() - tail])
    };
    EditSet::new(edits.iter().map(narrow).collect()).expect("narrower edits do not meet where wider ones do not")
}

/// A text with the line endings of another: git and some agents report other line endings than the file has.
fn in_line_ends_of(before: Text, after: &Text) -> Text {
    let (old, new) = (before.to_string(), after.to_string());
    match (old.contains("\r\n"), new.contains("\r\n")) {
        (false, true) => before.with_source(&old.replace('\n', "\r\n")),
        (true, false) => before.with_source(&old.replace("\r\n", "\n")),
        _ => before,
    }
}

/// The errors that were not there before. Errors are compared by kind, enclosing definition and message, wherever they
/// are. Of several equal ones, those inside the edit's text are new.
fn new_errors(
    before: &Tree,
    after: &Tree,
    edits: &EditSet,
    renamed: &FxHashMap<String, String>,
) -> Vec<SyntaxErrorRow> {
    type Known = (SyntaxErrorKind, String, String);
    let mut known: FxHashMap<Known, usize> = FxHashMap::default();
    for error in before.errors() {
        let within = renamed.get(&error.within).cloned().unwrap_or(error.within);
        *known.entry((error.kind, within, error.what)).or_default() += 1;
    }
    let spans = edits.new_spans();
    let is_written = |error: &SyntaxError| {
        spans.iter().any(|span| span.start() <= error.span.end() && error.span.start() <= span.end())
    };
    let (mut errors, mut others): (Vec<_>, Vec<_>) = after.errors().into_iter().partition(|error| !is_written(error));
    errors.append(&mut others);
    let mut is_known = |error: &SyntaxError| {
        let count = known.get_mut(&(error.kind, error.within.clone(), error.what.clone()));
        count.is_some_and(|count| {
            let is_left = *count > 0;
            *count = count.saturating_sub(1);
            is_left
        })
    };
    errors.retain(|error| !is_known(error));
    if !errors.is_empty() && is_remark(before, after, edits) {
        return Vec::new();
    }
    let broken = Broken::of(before, edits);
    errors.retain(|error| !broken.iter().any(|broken| broken.goes_on_as(error, after, &spans)));
    errors.sort_by_key(|error| error.span);
    errors.into_iter().map(SyntaxErrorRow::from).collect()
}

/// Whether an edit changed only comments and whitespace, which break nothing, whatever the parser makes of the code
/// after them.
fn is_remark(before: &Tree, after: &Tree, edits: &EditSet) -> bool {
    // A larger comment is treated like other code.
    const LONGEST: usize = 16 << 10;
    let is_remark = |tree: &Tree, span: Span| {
        let comments: Vec<Span> =
            tree.table().nodes().filter(|node| tree.is_comment(*node)).map(|node| tree.span(node)).collect();
        let near = comments.iter().filter(|comment| comment.start() < span.end() && span.start() < comment.end());
        let near: Vec<&Span> = near.collect();
        let is_inside = |at: usize| near.iter().any(|comment| comment.start() <= at && at < comment.end());
        let text = tree.text().slice(span);
        !near.is_empty() && text.char_indices().all(|(at, sign)| sign.is_whitespace() || is_inside(span.start() + at))
    };
    let says_nothing = |tree: &Tree, span: Span| span.is_empty() || (span.len() <= LONGEST && is_remark(tree, span));
    edits.iter().all(|edit| says_nothing(before, edit.span))
        && edits.new_spans().into_iter().all(|span| says_nothing(after, span))
}

/// A stretch of several lines that the parser could not parse before the edit, at its new place.
struct Broken {
    start: usize,
    end: usize,
}

impl Broken {
    /// The broken stretches of a tree, moved by the edits.
    fn of(before: &Tree, edits: &EditSet) -> Vec<Broken> {
        let is_long = |error: &SyntaxError| {
            let text = before.text();
            error.kind == SyntaxErrorKind::Error && text.line_at(error.span.start()) < text.line_at(error.span.end())
        };
        let now = |offset: usize| {
            let before = edits.iter().filter(|edit| edit.span.end() <= offset && edit.span.start() < offset);
            before.fold(offset, |at, edit| (at + edit.text.len()).saturating_sub(edit.span.len()))
        };
        let moved = |error: SyntaxError| Broken { start: now(error.span.start()), end: now(error.span.end()) };
        before.errors().into_iter().filter(is_long).map(moved).collect()
    }

    /// Whether an error is the same stretch with another start or end. An error that begins in the edit's text belongs
    /// to the edit, unless it extends several lines beyond it.
    fn goes_on_as(&self, error: &SyntaxError, after: &Tree, written: &[Span]) -> bool {
        if error.kind != SyntaxErrorKind::Error || error.span.start() >= self.end || self.start >= error.span.end() {
            return false;
        }
        let line = |offset: usize| after.text().line_at(offset);
        let around = written.iter().find(|span| span.start() <= error.span.start() && error.span.start() < span.end());
        match around {
            None => line(error.span.start()) < line(error.span.end()) || error.span.start() == self.start,
            Some(span) => line(error.span.end()) > line(span.end()),
        }
    }
}

/// The hash of a file's bytes in the usual form: `sha256:…`.
pub(super) fn hash(bytes: &[u8]) -> String {
    let digest: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{digest}")
}

/// Whether a file is code, according to its name.
pub(super) fn is_code(path: &str, detector: &Detector) -> bool {
    detector.detect_by_name(path).is_ok_and(|detected| detected != crate::language::ByName::Unknown)
}
