//! The parser: the only place that calls tree-sitter.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tree_sitter::{InputEdit, ParseOptions, Parser, Point};

use crate::interrupt;
use crate::language::Language;
use crate::text::{EditSet, Text};

/// What a parse may cost.
#[derive(Debug, Clone, Copy)]
pub struct ParseLimits {
    /// The largest text, in bytes of UTF-8.
    pub bytes: usize,
    /// The longest time.
    pub time: Duration,
}

impl Default for ParseLimits {
    fn default() -> ParseLimits {
        ParseLimits { bytes: 64 << 20, time: Duration::from_secs(60) }
    }
}

/// Why a text wasn't parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The text is longer than allowed.
    #[error("{bytes} bytes are more than the limit of {limit}")]
    TooLarge {
        /// Length of the text.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// The grammar's scanner can't bear so many levels of indentation.
    #[error("{levels} levels of indentation are more than the grammar's scanner can bear")]
    TooDeep {
        /// Number of different indentations in the text.
        levels: usize,
    },
    /// The parse took too long.
    #[error("parsing took longer than {seconds} s")]
    TooSlow {
        /// The limit in whole seconds.
        seconds: u64,
    },
}

/// tree-sitter's own tree, kept for the next incremental parse.
#[derive(Clone)]
pub struct Parsed(tree_sitter::Tree);

impl std::fmt::Debug for Parsed {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Parsed")
    }
}

impl Parsed {
    pub(super) fn tree(&self) -> &tree_sitter::Tree {
        &self.0
    }

    /// Tells the tree what is about to change in `old`, so that the next parse can reuse the rest.
    pub(super) fn edited(&self, old: &Text, edits: &EditSet) -> Parsed {
        let mut tree = self.0.clone();
        // From the last to the first, so that each edit's place is still the one in the old text.
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
        Parsed(tree)
    }
}

/// Parses `text`, reusing what `edited` has in common with it.
pub(super) fn parse(
    text: &Text,
    language: &Language,
    edited: Option<&Parsed>,
    limits: &ParseLimits,
) -> Result<Parsed, ParseError> {
    check(text, language, limits)?;
    let mut parser = Parser::new();
    parser.set_language(language.grammar()).expect("a built-in grammar fits the tree-sitter it is built with");
    let deadline = Instant::now() + limits.time;
    let mut past_deadline = |_: &tree_sitter::ParseState| {
        let is_over = Instant::now() > deadline || interrupt::reason().is_some();
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut past_deadline);
    let old = edited.map(Parsed::tree);
    let shadow = with_line_feeds(text);
    let shadow = without_unread(text, shadow, language);
    // What is unread may have changed far from an edit.
    let old = old.filter(|_| language.unread().is_empty());
    let tree = match shadow {
        Some(source) => {
            let bytes = source.as_bytes();
            parser.parse_with_options(&mut |offset, _| &bytes[offset.min(bytes.len())..], old, Some(options))
        }
        None => parser.parse_with_options(&mut |offset, _| text.chunk_from(offset), old, Some(options)),
    };
    if tree.is_none() {
        interrupt::poll();
    }
    tree.map(Parsed).ok_or(ParseError::TooSlow { seconds: limits.time.as_secs() })
}

/// Refuses a text that is too large, or that the grammar's scanner can't bear.
pub(super) fn check(text: &Text, language: &Language, limits: &ParseLimits) -> Result<(), ParseError> {
    if text.len() > limits.bytes {
        return Err(ParseError::TooLarge { bytes: text.len(), limit: limits.bytes });
    }
    guard_scanner(text, language)
}

/// The text with each CR that stands alone as LF, or `None` when there is none: grammars know only LF as a line's end, and
/// both are one byte, so every place stays the same.
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

/// The text, or the one that stands for it, with spaces where the language's data says that the grammar can't read it.
fn without_unread(text: &Text, shadow: Option<String>, language: &Language) -> Option<String> {
    if language.unread().is_empty() {
        return shadow;
    }
    let source = shadow.unwrap_or_else(|| text.to_string());
    let mut bytes = source.clone().into_bytes();
    for (regex, instead) in language.unread() {
        for captures in regex.captures_iter(&source) {
            let (Some(whole), kept) = (captures.get(0), captures.get(1)) else { continue };
            let kept = kept.map_or(0..0, |kept| kept.range());
            for at in whole.range().filter(|at| !kept.contains(at) && !matches!(source.as_bytes()[*at], b'\n' | b'\r'))
            {
                bytes[at] = b' ';
            }
            let free = if kept.is_empty() { whole.end() } else { kept.start } - whole.start();
            if instead.len() <= free {
                bytes[whole.start()..whole.start() + instead.len()].copy_from_slice(instead.as_bytes());
            }
        }
    }
    // A group ends at characters, and all else is ASCII.
    Some(String::from_utf8(bytes).unwrap_or(source))
}

/// tree-sitter's row and byte column.
fn point(text: &Text, offset: usize) -> Point {
    let line = text.line_at(offset);
    Point { row: line - 1, column: offset - text.line_span(line).start() }
}

/// Where a text that starts at `start` ends.
fn advance(start: Point, text: &str) -> Point {
    let bytes = text.as_bytes();
    let is_end = |at: &usize| bytes[*at] == b'\n' || (bytes[*at] == b'\r' && bytes.get(*at + 1) != Some(&b'\n'));
    let ends: Vec<usize> = (0..bytes.len()).filter(is_end).collect();
    match ends.last() {
        Some(last) => Point { row: start.row + ends.len(), column: bytes.len() - last - 1 },
        None => Point { row: start.row, column: start.column + bytes.len() },
    }
}

/// Whether a text in one piece has plainly fewer different indentations than `limit`; where lines are joined or ended in a rare
/// way, that isn't told.
fn has_few_indentations(text: &[u8], limit: usize) -> bool {
    if memchr::memchr_iter(b'\r', text).any(|at| text.get(at + 1) != Some(&b'\n')) {
        return false;
    }
    let mut widths = [0u64; 16];
    let mut start = 0;
    loop {
        let indentation = text[start..].iter().take_while(|&&byte| byte == b' ' || byte == b'\t');
        let (mut width, mut bytes) = (0usize, 0usize);
        for &byte in indentation {
            bytes += 1;
            width += if byte == b'\t' { 8 } else { 1 };
        }
        if matches!(text.get(start + bytes), Some(b'\\' | b'\x0c')) || width >= 1024 {
            return false;
        }
        widths[width / 64] |= 1 << (width % 64);
        match memchr::memchr(b'\n', &text[start..]) {
            Some(end) => start += end + 1,
            None => break,
        }
    }
    let distinct: u32 = widths.iter().map(|word| word.count_ones()).sum();
    (distinct as usize) < limit
}

/// Refuses what would abort the process. The scanner keeps one entry a level of indentation, and levels grow strictly, so there
/// are never more than there are different indentations in the text. Beside them it keeps half an entry a string that is open;
/// strings nest in interpolations, and in broken code one may be left open by each quote.
fn guard_scanner(text: &Text, language: &Language) -> Result<(), ParseError> {
    let limits = language.data().limits;
    if limits.indentation == 0 {
        return Ok(());
    }
    if text.as_str().is_some_and(|text| has_few_indentations(text.as_bytes(), limits.indentation_with_strings)) {
        return Ok(());
    }
    let (mut widths, mut distinct) = (Vec::new(), 0usize);
    let (mut width, mut at_start, mut escaped, mut quotes) = (0usize, true, false, 0usize);
    for byte in text.chunks().flat_map(str::bytes) {
        quotes += usize::from(matches!(byte, b'"' | b'\'' | b'`'));
        match byte {
            // A backslash before the line's end joins the next line's indentation to this one's.
            b'\n' if escaped && at_start => escaped = false,
            b'\n' | b'\r' | b'\x0c' if byte == b'\n' || at_start => (width, at_start, escaped) = (0, true, false),
            b' ' if at_start => width += 1,
            b'\t' if at_start => width += 8,
            b'\\' if at_start => escaped = true,
            b'\r' if escaped => {}
            _ if at_start => {
                at_start = false;
                escaped = false;
                // The scanner counts in 16 bits.
                let width = width & 0xffff;
                if width >= widths.len() {
                    widths.resize(width + 1, false);
                }
                distinct += usize::from(width > 0 && !std::mem::replace(&mut widths[width], true));
            }
            _ => {}
        }
    }
    let limit = limits.indentation.saturating_sub(quotes.saturating_sub(1) / 2).max(limits.indentation_with_strings);
    if distinct >= limit { Err(ParseError::TooDeep { levels: distinct }) } else { Ok(()) }
}
