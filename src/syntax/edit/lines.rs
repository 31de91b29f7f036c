//! Lines, indentation and blank lines of a text, for matching its style.

use crate::text::{Span, Text};

/// Whether a character is whitespace within a line. A form feed is not: it is kept like a word.
pub(super) fn is_blank(character: char) -> bool {
    character == ' ' || character == '\t'
}

/// Where the line of `offset` starts.
pub(super) fn line_start(text: &Text, offset: usize) -> usize {
    text.line_around(offset).start()
}

/// Where the line of `offset` ends, before its ending; `offset` itself if it is inside an ending of two bytes.
pub(super) fn line_end(text: &Text, offset: usize) -> usize {
    text.line_around(offset).end().max(offset)
}

/// Where the line after that of `offset` starts; the end of the text if there is none.
pub(super) fn next_line(text: &Text, offset: usize) -> usize {
    let line = text.line_at(offset);
    let next = text.line_span(line + 1).start();
    if next > offset { next } else { text.len() }
}

/// The whitespace at the start of the line of `offset`, up to a form feed.
pub(super) fn indentation(text: &Text, offset: usize) -> String {
    let line = text.line_around(offset);
    let mut bytes =
        (line.start()..line.end()).filter_map(|at| text.byte(at)).skip_while(|byte| *byte == b'\x0c').peekable();
    let mut indentation = String::new();
    while let Some(byte) = bytes.next_if(|&byte| is_blank(char::from(byte))) {
        indentation.push(char::from(byte));
    }
    indentation
}

/// Number of blank lines right above the line that starts at `start`.
pub(super) fn blanks_above(text: &Text, start: usize) -> usize {
    let line = text.line_at(start);
    (1..line).rev().take_while(|&above| is_blank_line(text, above)).count()
}

/// Number of empty lines directly above, including those with a form feed.
pub(super) fn gap_above(text: &Text, start: usize) -> usize {
    let says_nothing = |line: usize| text.slice(text.line_span(line)).trim_matches([' ', '\t', '\x0c']).is_empty();
    (1..text.line_at(start)).rev().take_while(|&above| says_nothing(above)).count()
}

/// Number of blank lines from the one that starts at `start`; the text after the last line ending does not count.
pub(super) fn blanks_below(text: &Text, start: usize) -> usize {
    if start >= text.len() {
        return 0;
    }
    let line = text.line_at(start);
    (line..=text.line_count()).take_while(|&below| is_blank_line(text, below)).count()
}

fn is_blank_line(text: &Text, line: usize) -> bool {
    text.slice(text.line_span(line)).chars().all(is_blank)
}

/// Where the line `count` lines above the one that starts at `start` starts.
pub(super) fn lines_up(text: &Text, start: usize, count: usize) -> usize {
    text.line_span(text.line_at(start) - count).start()
}

/// Where the line `count` lines below the one that starts at `start` starts.
pub(super) fn lines_down(text: &Text, start: usize, count: usize) -> usize {
    if count == 0 { start } else { text.line_span(text.line_at(start) + count).start().max(start) }
}

/// Whether a span contains a line end.
pub(super) fn breaks(text: &Text, span: Span) -> bool {
    text.line_at(span.start()) != text.line_at(span.end())
}

/// Columns of an indentation; a tab counts as one level of 8.
pub(super) fn columns(indentation: &str) -> usize {
    indentation.chars().map(|character| if character == '\t' { 8 } else { 1 }).sum()
}

/// Code without blank lines at its ends and trailing whitespace.
pub(super) fn trim(code: &str) -> &str {
    let mut rest = code;
    while let Some(end) = rest.find(['\n', '\r']) {
        if !rest[..end].chars().all(is_blank) {
            break;
        }
        rest = &rest[end + 1..];
    }
    rest.trim_end_matches([' ', '\t', '\n', '\r'])
}

/// Bytes without trailing whitespace: some nodes include the end of their line.
pub(super) fn trim_end(text: &Text, span: Span) -> Span {
    let is_blank = |at: &usize| matches!(text.byte(*at), Some(b'\n' | b'\r' | b' ' | b'\t'));
    let end = (span.start()..span.end()).rev().find(|at| !is_blank(at)).map_or(span.start(), |last| last + 1);
    Span::new(span.start(), end)
}
