//! Code that a grammar takes for an error, and that is none: parsed once more with signs that it knows.
//!
//! A language's data says what is replaced by what, byte for byte, so that no place changes. It is tried only where there are errors,
//! and it counts only if it leaves fewer.

use std::ops::Range;

use super::unread::masked_in;
use crate::language::Unread;

/// The text with the matches of rules replaced that are on lines with errors; `None` if there is none.
pub(super) fn replaced(source: &str, rules: &[Unread], errors: &[Range<usize>]) -> Option<String> {
    let text = source.as_bytes();
    let line_start = |at: usize| memchr::memrchr(b'\n', &text[..at.min(text.len())]).map_or(0, |end| end + 1);
    let line_end =
        |at: usize| memchr::memchr(b'\n', &text[at.min(text.len())..]).map_or(text.len(), |end| at + end + 1);
    let lines: Vec<Range<usize>> = errors.iter().map(|error| line_start(error.start)..line_end(error.end)).collect();
    let mut bytes: Option<Vec<u8>> = None;
    for rule in rules {
        let mut from = 0;
        while let Some(captures) = rule.find.get().captures_at(source, from) {
            let Some(whole) = captures.get(0) else { break };
            let last = captures.iter().skip(1).flatten().last();
            from = last.map_or(whole.end(), |last| last.start()).max(whole.start() + 1);
            from = (from..=source.len()).find(|&at| source.is_char_boundary(at)).unwrap_or(source.len());
            if !lines.iter().any(|line| line.start < whole.end() && whole.start() < line.end) {
                continue;
            }
            let bytes = bytes.get_or_insert_with(|| source.as_bytes().to_vec());
            for part in masked_in(&captures) {
                bytes[part].fill(rule.fill);
            }
        }
    }
    // Groups end at character boundaries, and the fill is ASCII.
    bytes.and_then(|bytes| String::from_utf8(bytes).ok()).filter(|changed| changed != source)
}
