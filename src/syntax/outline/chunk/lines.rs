//! Borders in a text without syntax: at its lines, then at its words, then between characters.
//!
//! A character is what a reader takes for one: a letter with its accents, an emoji of several code points, a line
//! ending of two. One that is too large on its own is cut between its code points, but a line ending never is.

use unicode_segmentation::UnicodeSegmentation;

use super::cost::{Border, LINE, PARAGRAPH, WORD};
use super::count::Measure;
use crate::text::Span;

/// How many pieces a line is cut into for each chunk that it fills, so that they can be packed with their neighbours.
const PIECES: usize = 8;

/// The borders at the lines of a part, and inside lines larger than `room`. In order.
pub(super) fn in_part(measure: &Measure<'_>, part: Span, room: usize, level: usize) -> Vec<Border> {
    let source = measure.source();
    let mut borders = Vec::new();
    let mut at = part.start();
    let mut blank = false;
    while at < part.end() {
        let end = next_line(source, at).min(part.end());
        let line = &source[at..end];
        if at > part.start() {
            let cost = if blank { PARAGRAPH } else { LINE };
            borders.push(Border { at, cost, level });
        }
        if !measure.fits(Span::new(at, end), room) {
            let cuts = in_line(measure, Span::new(at, end), room);
            borders.extend(cuts.into_iter().map(|at| Border { at, cost: WORD, level: level + 1 }));
        }
        blank = line.trim().is_empty();
        at = end;
    }
    borders
}

/// The start of the line after a place.
pub(super) fn next_line(source: &str, at: usize) -> usize {
    let bytes = source.as_bytes();
    match memchr::memchr2(b'\n', b'\r', &bytes[at..]) {
        Some(length) if bytes[at + length] == b'\r' && bytes.get(at + length + 1) == Some(&b'\n') => at + length + 2,
        Some(length) => at + length + 1,
        None => source.len(),
    }
}

/// Places in a line with little enough between them, at words if possible.
fn in_line(measure: &Measure<'_>, line: Span, room: usize) -> Vec<usize> {
    let source = measure.source();
    let wanted = (room / PIECES).max(1);
    let mut cuts = Vec::new();
    let mut start = line.start();
    let mut word = None;
    for character in characters(measure, line, room) {
        // If the character would be too much, the piece ends before it, at the last word if there is one.
        while character.start() > start && measure.about(Span::new(start, character.end())) > wanted {
            start = word.take().filter(|&word| word > start).unwrap_or(character.start());
            cuts.push(start);
        }
        if measure.begins_word(character.end()) && source.is_char_boundary(character.end()) {
            word = Some(character.end());
        }
    }
    cuts
}

/// The characters of a part; those too large are split.
fn characters(measure: &Measure<'_>, part: Span, room: usize) -> impl Iterator<Item = Span> {
    let source = measure.source();
    let text = &source[part.start()..part.end()];
    text.grapheme_indices(true).flat_map(move |(offset, character)| {
        let start = part.start() + offset;
        let whole = Span::new(start, start + character.len());
        let is_small = character.len() <= 1 || character == "\r\n" || measure.fits(whole, room);
        let pieces = (!is_small).then(|| {
            let piece = move |(inner, sign): (usize, char)| Span::new(start + inner, start + inner + sign.len_utf8());
            character.char_indices().map(piece)
        });
        is_small.then_some(whole).into_iter().chain(pieces.into_iter().flatten())
    })
}
