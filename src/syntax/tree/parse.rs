//! The parser: the only place that calls tree-sitter.

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Arc;

use tree_sitter::{InputEdit, ParseOptions, Parser, Point};

use super::comment_runs::{self, Run};
use super::guard;
use super::limits::{ParseError, ParseLimits};
use super::rescue::rescue;
use super::same_length::{advance, differences, whole_words};
use super::unread::masked_in;
use crate::interrupt::{self, Deadline};
use crate::language::{Language, Unread};
use crate::text::{EditSet, Span, Text};

/// tree-sitter's own tree, kept for the next incremental parse.
#[derive(Clone)]
pub struct Parsed {
    tree: tree_sitter::Tree,
    /// Whether another text was parsed in its place, because of what is far from an edit: words that the scanner cannot take, errors.
    is_replaced: bool,
    /// The parts that are read as something else because the grammar takes them for errors.
    unread: Arc<[Span]>,
}

/// A new parse, and the deadline for the tree.
pub(super) struct Fresh {
    pub parsed: Parsed,
    /// The comments that the parser was not given in full.
    pub runs: Vec<Run>,
    pub deadline: Deadline,
}

impl std::fmt::Debug for Parsed {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Parsed")
    }
}

impl Parsed {
    pub(crate) fn tree(&self) -> &tree_sitter::Tree {
        &self.tree
    }

    /// Whether another text was parsed in place of the tree's.
    pub(super) fn is_of_other_text(&self) -> bool {
        self.is_replaced
    }

    /// The parts of the text that are read as something else because the grammar takes them for errors.
    pub(super) fn unread(&self) -> Arc<[Span]> {
        Arc::clone(&self.unread)
    }

    /// Tells the old parse what will change in `old`, so that the next parse can reuse the rest.
    pub(super) fn edited(&self, old: &Text, edits: &EditSet) -> Parsed {
        let mut tree = self.tree.clone();
        // From the last edit to the first, so that the offsets of each edit are still those of the old text.
        for edit in edits.iter().rev() {
            let start_position = point(old, edit.span.start());
            tree.edit(&InputEdit {
                start_byte: edit.span.start(),
                old_end_byte: edit.span.end(),
                new_end_byte: edit.span.start() + edit.text.len(),
                start_position,
                old_end_position: point(old, edit.span.end()),
                new_end_position: advance(start_position, &edit.text),
            });
        }
        Parsed { tree, is_replaced: self.is_replaced, unread: Arc::default() }
    }
}

/// Above this size, the remains of an abandoned parse are freed on another thread.
#[cfg(not(target_family = "wasm"))]
const SLOW_TO_FREE: usize = 1 << 20;

thread_local! {
    static PARSED: Cell<u64> = const { Cell::new(0) };
    /// The parser of this thread between two parses. Making one takes longer than a small text needs.
    static PARSER: Cell<Option<Parser>> = const { Cell::new(None) };
}

/// How many bytes this thread has passed to the parser: a measure of work that does not depend on the machine.
pub fn parsed_bytes() -> u64 {
    PARSED.get()
}

/// Parses `text`, and reuses what it has in common with `edited`.
pub(super) fn parse(
    text: &Text,
    language: &Language,
    edited: Option<&Parsed>,
    limits: &ParseLimits,
) -> Result<Fresh, ParseError> {
    check(text, language, limits)?;
    let deadline = Deadline::after(limits.time);
    let clock = Clock { limits, deadline };
    let mut runs = match language.spec().limits.rescanned_comments.as_bytes() {
        [mark, ..] => comment_runs::find(text, *mark),
        [] => Vec::new(),
    };
    while !runs.is_empty() {
        let parsed = parse_without(text, language, &runs, None, clock)?;
        let known = runs.len();
        // What is parsed behind an error depends on how the parser got over it.
        let sound = first_error(&parsed.tree).unwrap_or(usize::MAX);
        runs.retain(|run| run.last.end <= sound && comment_runs::is_apart(&parsed.tree, run));
        if runs.len() == known {
            return Ok(Fresh { parsed, runs, deadline });
        }
    }
    let parsed = parse_without(text, language, &[], edited, clock)?;
    Ok(Fresh { parsed, runs, deadline })
}

/// Parses a text with all its comments, however long that takes within the limits.
pub(super) fn parse_in_full(text: &Text, language: &Language, limits: &ParseLimits) -> Result<Parsed, ParseError> {
    check(text, language, limits)?;
    let deadline = Deadline::after(limits.time);
    parse_without(text, language, &[], None, Clock { limits, deadline })
}

/// How long a parse may take, and until when.
#[derive(Clone, Copy)]
struct Clock<'a> {
    limits: &'a ParseLimits,
    deadline: Deadline,
}

/// Parses a text without the middle of some runs of comments.
fn parse_without(
    text: &Text,
    language: &Language,
    runs: &[Run],
    edited: Option<&Parsed>,
    clock: Clock<'_>,
) -> Result<Parsed, ParseError> {
    let Clock { limits, deadline } = clock;
    let old = edited.map(Parsed::tree);
    let shadow = with_line_feeds(text);
    let shadow = without_unread(text, shadow, language);
    let short = guard::without_long_words(text, shadow.as_deref(), language);
    let mut is_replaced = short.is_some() || !runs.is_empty();
    let shadow = short.or(shadow);
    let shadow = match runs {
        [] => shadow,
        runs => Some(comment_runs::without(shadow.unwrap_or_else(|| text.to_string()), runs)),
    };
    // An edit may change masked text far away.
    let is_masked = is_replaced || edited.is_some_and(|edited| edited.is_replaced);
    let old = old.filter(|_| language.mask_rules().is_empty() && !is_masked);
    let tree = match &shadow {
        Some(source) => run(text.len(), &|offset| source.get(offset..).unwrap_or_default(), language, old, deadline),
        None => run(text.len(), &|offset| text.chunk_from(offset), language, old, deadline),
    };
    let mut tree = tree.ok_or_else(|| too_slow(limits))?;
    let rules = &language.spec().unread_in_errors;
    let mut unread = Arc::default();
    if old.is_none() && !rules.is_empty() && tree.root_node().has_error() {
        let source = shadow.unwrap_or_else(|| text.to_string());
        let parse = |source: &str, old: &tree_sitter::Tree| again(source, language, old, deadline);
        if let Some(better) = rescue(&tree, &source, rules, &parse) {
            let parts = differences(source.as_bytes(), better.source.as_bytes());
            unread = parts.iter().map(|part| whole_words(source.as_bytes(), part)).collect();
            (tree, is_replaced) = (better.tree, true);
        }
    }
    Ok(Parsed { tree, is_replaced, unread })
}

/// Where the first error of a tree begins.
fn first_error(tree: &tree_sitter::Tree) -> Option<usize> {
    let mut node = Some(tree.root_node()).filter(tree_sitter::Node::has_error)?;
    while !node.is_error() && !node.is_missing() {
        let children = (0..node.child_count()).filter_map(|at| node.child(at));
        node = children.into_iter().find(|child| child.has_error() || child.is_missing())?;
    }
    Some(node.start_byte())
}

/// Parses another text with what is known of an old one; `None` if that takes too long.
fn again(source: &str, language: &Language, old: &tree_sitter::Tree, deadline: Deadline) -> Option<tree_sitter::Tree> {
    run(source.len(), &|offset| source.get(offset..).unwrap_or_default(), language, Some(old), deadline)
}

/// Runs the parser of this thread over a text, of which `read` gives what begins at an offset; `None` if that takes too long.
fn run<'t>(
    length: usize,
    read: &dyn Fn(usize) -> &'t str,
    language: &Language,
    old: Option<&tree_sitter::Tree>,
    deadline: Deadline,
) -> Option<tree_sitter::Tree> {
    PARSED.set(PARSED.get() + length as u64);
    let mut parser = PARSER.take().unwrap_or_default();
    parser.set_language(language.grammar()).expect("a built-in grammar fits the tree-sitter it is built with");
    let mut past_deadline = |_: &tree_sitter::ParseState| {
        let is_over = deadline.is_past() || interrupt::reason().is_some();
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut past_deadline);
    // Always added, so that an edit at the end of the text is the same edit for the old parse. `Table` ends with the text.
    let beyond = if language.spec().limits.needs_line_end { "\n" } else { "" };
    let past = |offset: usize| if offset == length { beyond } else { "" };
    let mut from = |offset: usize, _| Some(read(offset)).filter(|rest| !rest.is_empty()).unwrap_or(past(offset));
    let tree = parser.parse_with_options(&mut from, old, Some(options));
    if tree.is_some() {
        PARSER.set(Some(parser));
        return tree;
    }
    // For a large text, freeing the partial parse takes longer than a cancelled request should.
    #[cfg(not(target_family = "wasm"))]
    if length > SLOW_TO_FREE {
        std::thread::spawn(move || drop(parser));
    }
    interrupt::poll();
    None
}

/// The error of a tree that took too long.
pub(super) fn too_slow(limits: &ParseLimits) -> ParseError {
    ParseError::TooSlow { seconds: limits.time.as_secs() }
}

/// Refuses a text that is too large, or that the grammar's scanner cannot handle.
pub(super) fn check(text: &Text, language: &Language, limits: &ParseLimits) -> Result<(), ParseError> {
    if text.len() > limits.bytes {
        return Err(ParseError::TooLarge { bytes: text.len(), limit: limits.bytes });
    }
    guard::check(text, language)
}

/// The text with each single CR as LF, or `None` if there is none. Grammars know only LF as a line end. Both are one
/// byte, so no place changes.
fn with_line_feeds(text: &Text) -> Option<String> {
    let mut chunks = text.chunks().peekable();
    let mut alone = false;
    while let Some(chunk) = chunks.next() {
        let bytes = chunk.as_bytes();
        let next = chunks.peek().and_then(|next| next.as_bytes().first());
        alone |= memchr::memchr_iter(b'\r', bytes).any(|at| bytes.get(at + 1).or(next) != Some(&b'\n'));
    }
    if !alone {
        return None;
    }
    let mut source = text.to_string().into_bytes();
    for at in 0..source.len() {
        if source[at] == b'\r' && source.get(at + 1) != Some(&b'\n') {
            source[at] = b'\n';
        }
    }
    Some(String::from_utf8(source).expect("one ASCII byte for another keeps UTF-8"))
}

/// The text, or its replacement `shadow`, with the parts masked that the language's data declares unreadable for the
/// grammar. `None` if it is the text.
fn without_unread(text: &Text, shadow: Option<String>, language: &Language) -> Option<String> {
    if language.mask_rules().is_empty() {
        return shadow;
    }
    let source = match &shadow {
        Some(shadow) => Cow::Borrowed(shadow.as_str()),
        None => text.slice(Span::new(0, text.len())),
    };
    let mut masked: Option<Vec<u8>> = None;
    for Unread { find, instead, fill, .. } in language.mask_rules() {
        if !find.may_match_outside_groups(&source) {
            continue;
        }
        for captures in find.get().captures_iter(&source) {
            let Some(whole) = captures.get(0) else { continue };
            for part in masked_in(&captures).filter(|part| !part.is_empty()) {
                let bytes = masked.get_or_insert_with(|| source.as_bytes().to_vec());
                bytes[part].iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = *fill);
            }
            let free = masked_in(&captures).next().map_or(0, |first| first.len());
            // Line ends are kept, since everything else depends on them.
            let place = whole.start()..whole.start() + instead.len();
            if !instead.is_empty() && instead.len() <= free && !source.as_bytes()[place.clone()].contains(&b'\n') {
                let bytes = masked.get_or_insert_with(|| source.as_bytes().to_vec());
                bytes[place].copy_from_slice(instead.as_bytes());
            }
        }
    }
    // Groups end at character boundaries, and the fill is ASCII.
    let masked = masked.and_then(|bytes| String::from_utf8(bytes).ok());
    masked.or(shadow)
}

/// tree-sitter's row and byte column.
fn point(text: &Text, offset: usize) -> Point {
    let line = text.line_at(offset);
    Point { row: line - 1, column: offset - text.line_span(line).start() }
}
