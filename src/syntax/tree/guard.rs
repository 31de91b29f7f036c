//! Limits of grammars' scanners.
//!
//! tree-sitter gives the scanner of a grammar 1,024 bytes for its state. Some scanners write past the end, or assert
//! that they read back what they wrote. Both end the process. What they store, and how much fits, is data of the
//! language ([`Limits`](crate::language::Limits)). A text with more is refused before it is parsed. Each check assumes
//! the worst case, so that none is missed; real files are far below the limits.
//!
//! Other scanners store as much as fits, or start over. Then the tree may have errors that the text does not have, and
//! nothing worse happens.

use std::borrow::Cow;

use super::limits::ParseError;
use crate::language::Language;
use crate::text::Text;

/// Refuses a text that would end the process.
pub(super) fn check(text: &Text, language: &Language) -> Result<(), ParseError> {
    check_indentation(text, language)?;
    check_blocks(text, language)
}

fn too_deep(what: String, line: usize) -> Result<(), ParseError> {
    Err(ParseError::TooDeep { what, line })
}

/// Checks nested blocks that are distinguished by columns, `- - - x`. A line opens at most two at its indentation, and
/// two after each of the indicators at its start. A line further left closes those further right.
fn check_blocks(text: &Text, language: &Language) -> Result<(), ParseError> {
    const INDICATORS: &[u8] = b"-?:";
    let limit = language.spec().limits.blocks;
    if limit == 0 {
        return Ok(());
    }
    let mut columns: Vec<usize> = Vec::new();
    // The start of a line may span several chunks of the text.
    let (mut column, mut line, mut in_start, mut indicator) = (0usize, 1usize, true, false);
    for byte in text.chunks().flat_map(str::bytes) {
        match byte {
            b'\n' | b'\r' => {
                line += usize::from(byte == b'\n');
                (column, in_start, indicator) = (0, true, false);
                continue;
            }
            _ if !in_start => continue,
            b' ' | b'\t' => indicator = false,
            _ => {
                // After an indicator, only whitespace allows another block to begin.
                if indicator {
                    in_start = false;
                    continue;
                }
                while columns.last().is_some_and(|&last| last >= column) {
                    columns.pop();
                }
                columns.push(column);
                if columns.len() * 2 > limit {
                    return too_deep(format!("more than {} nested blocks", limit / 2), line);
                }
                indicator = INDICATORS.contains(&byte);
                in_start = indicator;
            }
        }
        column += 1;
    }
    Ok(())
}

/// The text, or its replacement `shadow`, in which the signs before words that are too long for the scanner are others of their length;
/// `None` if there is no such word.
///
/// Nearly all of them are no words: signs in a string or a comment, or an operator before a long string.
pub(super) fn without_long_words(text: &Text, shadow: Option<&str>, language: &Language) -> Option<String> {
    let regex = language.too_long()?;
    let instead = &language.spec().limits.too_long_instead;
    let source = match shadow {
        Some(shadow) => Cow::Borrowed(shadow),
        None => text.slice(text.span()),
    };
    let mut changed: Option<Vec<u8>> = None;
    let mut from = 0;
    // One may be in the text behind another.
    while let Some(found) = regex.find_at(&source, from) {
        let end = found.start() + instead.len();
        let bytes = changed.get_or_insert_with(|| source.as_bytes().to_vec());
        bytes[found.start()..end].copy_from_slice(instead.as_bytes());
        from = end;
    }
    changed.and_then(|bytes| String::from_utf8(bytes).ok())
}

/// Whether a text in one piece certainly has fewer than `limit` different indentations. If lines are joined or end in
/// an unusual way, the answer is no.
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

/// Refuses indentation that would abort the process. The scanner stores one entry per level of indentation. Levels grow
/// strictly, so there are at most as many as there are different indentations in the text. It also stores half an entry
/// per open string. Strings nest in interpolations, and in broken code each quote may open one.
fn check_indentation(text: &Text, language: &Language) -> Result<(), ParseError> {
    let limits = &language.spec().limits;
    if limits.indentation == 0 {
        return Ok(());
    }
    if text.as_str().is_some_and(|text| has_few_indentations(text.as_bytes(), limits.indentation_with_strings)) {
        return Ok(());
    }
    let (mut widths, mut distinct) = (Vec::new(), 0usize);
    let (mut width, mut at_start, mut escaped, mut quotes) = (0usize, true, false, 0usize);
    let (mut line, mut deepest, mut widest) = (1usize, 1usize, 0usize);
    for byte in text.chunks().flat_map(str::bytes) {
        quotes += usize::from(matches!(byte, b'"' | b'\'' | b'`'));
        line += usize::from(byte == b'\n');
        match byte {
            // A backslash at the end of a line joins the indentation of the next line to this one.
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
                if width > widest {
                    (widest, deepest) = (width, line);
                }
                distinct += usize::from(width > 0 && !std::mem::replace(&mut widths[width], true));
            }
            _ => {}
        }
    }
    let limit = limits.indentation.saturating_sub(quotes.saturating_sub(1) / 2).max(limits.indentation_with_strings);
    match distinct >= limit {
        true => too_deep(format!("{distinct} levels of indentation, the deepest"), deepest),
        false => Ok(()),
    }
}
