//! Text, byte for byte.
//!
//! A [`Text`] is what a file says, decoded once and written back exactly as it was read: line endings, byte order
//! mark and encoding are part of it. Places in it are byte offsets ([`Span`]); people see [`Position`]s. A change is
//! an [`EditSet`]: sorted, disjoint replacements, applied all at once. [`unified`] shows the difference of two texts.
//!
//! This module knows nothing of syntax.

mod changed_lines;
mod diff;
mod edit_set;
mod encoding;
mod span;

pub use changed_lines::changed_lines;
pub use diff::unified;
pub use edit_set::{EditSet, Overlap, TextEdit};
pub use encoding::{Encoding, EncodingError};
pub use span::{Position, Span};

use std::borrow::Cow;

use ropey::Rope;

/// The text of a file in one revision: a rope of UTF-8, and the encoding it is kept in on disk.
///
/// Only `\n`, `\r\n` and `\r` end a line. Offsets are bytes of the decoded text, from 0; a byte order mark is kept in
/// the encoding and is no part of the text.
#[derive(Debug, Clone)]
pub struct Text {
    rope: Rope,
    encoding: Encoding,
}

impl Text {
    /// A text in plain UTF-8.
    pub fn new(source: &str) -> Text {
        Text { rope: Rope::from_str(source), encoding: Encoding::UTF_8 }
    }

    /// Decodes a file's bytes. With no `label` they must be UTF-8, or UTF-16 with a byte order mark.
    ///
    /// # Errors
    /// When the bytes are no text in the encoding, or wouldn't come back the same when written.
    pub fn decode(bytes: &[u8], label: Option<&str>) -> Result<Text, EncodingError> {
        let (source, encoding) = encoding::decode(bytes, label)?;
        Ok(Text { rope: Rope::from_str(&source), encoding })
    }

    /// The same encoding with other words.
    #[must_use]
    pub fn with_source(&self, source: &str) -> Text {
        Text { rope: Rope::from_str(source), encoding: self.encoding.clone() }
    }

    /// The bytes as they stand on disk.
    ///
    /// # Errors
    /// When a character that an edit brought in can't be written in the file's encoding.
    pub fn encode(&self) -> Result<Vec<u8>, EncodingError> {
        self.encoding.encode(&self.to_string())
    }

    /// How the text is kept on disk.
    pub fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// Length in bytes of UTF-8.
    pub fn len(&self) -> usize {
        self.rope.len_bytes()
    }

    /// Whether there is no text at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The whole text as a span.
    pub fn span(&self) -> Span {
        Span::new(0, self.len())
    }

    /// Number of lines; a last line without an ending counts, an empty one after the last ending doesn't.
    pub fn line_count(&self) -> usize {
        let breaks = self.rope.len_lines() - 1;
        let last = self.len().checked_sub(1).and_then(|offset| self.byte(offset));
        let ends_open = last.is_some_and(|byte| !matches!(byte, b'\n' | b'\r'));
        breaks + usize::from(ends_open)
    }

    /// The text of `span`, borrowed when it lies in one piece of the rope.
    ///
    /// # Panics
    /// When `span` leaves the text or splits a character.
    pub fn slice(&self, span: Span) -> Cow<'_, str> {
        Cow::from(self.rope.byte_slice(span.start()..span.end()))
    }

    /// The text in pieces, in order.
    pub fn chunks(&self) -> impl Iterator<Item = &str> {
        self.rope.chunks()
    }

    /// The piece of text that holds `offset`, from `offset` on; empty at the end.
    pub fn chunk_from(&self, offset: usize) -> &str {
        if offset >= self.len() {
            return "";
        }
        let (chunk, start, _, _) = self.rope.chunk_at_byte(offset);
        &chunk[offset - start..]
    }

    /// The line number from 1 of the byte at `offset`.
    pub fn line_at(&self, offset: usize) -> usize {
        let line = self.rope.byte_to_line(offset);
        // Between CR and LF the rope already counts the CR as a line of its own.
        line + 1
    }

    /// Line and column of the byte at `offset`.
    pub fn position(&self, offset: usize) -> Position {
        let line = self.rope.byte_to_line(offset);
        let start = self.rope.line_to_byte(line);
        let column = self.rope.byte_to_char(offset) - self.rope.byte_to_char(start);
        Position { line: line + 1, column }
    }

    /// The byte offset of a position; `None` when there is no such line. A column past the end is the line's end.
    pub fn offset(&self, position: Position) -> Option<usize> {
        let line = position.line.checked_sub(1)?;
        if line >= self.rope.len_lines() {
            return None;
        }
        let span = self.line_span(position.line);
        let start = self.rope.byte_to_char(span.start());
        let end = self.rope.byte_to_char(span.end());
        Some(self.rope.char_to_byte((start + position.column).min(end)))
    }

    /// The bytes of a line (from 1), its ending left out. Empty past the last line.
    pub fn line_span(&self, line: usize) -> Span {
        let lines = self.rope.len_lines();
        if line == 0 || line > lines {
            return Span::new(self.len(), self.len());
        }
        let start = self.rope.line_to_byte(line - 1);
        let mut end = if line == lines { self.len() } else { self.rope.line_to_byte(line) };
        let text = self.rope.byte_slice(start..end);
        let mut tail = text.bytes_at(text.len_bytes());
        while end > start && matches!(tail.prev(), Some(b'\n' | b'\r')) {
            end -= 1;
        }
        Span::new(start, end)
    }

    /// The line of `offset`, its ending left out.
    pub fn line_around(&self, offset: usize) -> Span {
        self.line_span(self.line_at(offset))
    }

    /// The byte before `offset`, and the byte at it.
    pub fn byte(&self, offset: usize) -> Option<u8> {
        (offset < self.len()).then(|| self.rope.byte(offset))
    }

    /// The line ending that the text uses most: `\n`, `\r\n` or `\r`; `\n` when it has none.
    pub fn newline(&self) -> &'static str {
        let (mut lf, mut crlf, mut cr) = (0usize, 0usize, 0usize);
        let mut carriage = false;
        for chunk in self.rope.chunks() {
            for &byte in chunk.as_bytes() {
                match byte {
                    b'\n' if carriage => {
                        crlf += 1;
                        cr -= 1;
                    }
                    b'\n' => lf += 1,
                    b'\r' => cr += 1,
                    _ => {}
                }
                carriage = byte == b'\r';
            }
        }
        if crlf > lf && crlf >= cr {
            "\r\n"
        } else if cr > lf {
            "\r"
        } else {
            "\n"
        }
    }

    /// The text after the edits. Linear in text and edits.
    #[must_use]
    pub fn apply(&self, edits: &EditSet) -> Text {
        // A few edits keep most of the rope shared with the old text; many are cheaper as one copy.
        const FEW: usize = 64;
        let mut rope;
        if edits.len() <= FEW {
            rope = self.rope.clone();
            for edit in edits.iter().rev() {
                let start = rope.byte_to_char(edit.span.start());
                let end = rope.byte_to_char(edit.span.end());
                rope.remove(start..end);
                rope.insert(start, &edit.text);
            }
        } else {
            let source = self.to_string();
            let mut result = String::with_capacity(source.len());
            let mut at = 0;
            for edit in edits.iter() {
                result.push_str(&source[at..edit.span.start()]);
                result.push_str(&edit.text);
                at = edit.span.end();
            }
            result.push_str(&source[at..]);
            rope = Rope::from_str(&result);
        }
        Text { rope, encoding: self.encoding.clone() }
    }
}

impl std::fmt::Display for Text {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.rope.chunks().try_for_each(|chunk| formatter.write_str(chunk))
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        self.rope == other.rope && self.encoding == other.encoding
    }
}
