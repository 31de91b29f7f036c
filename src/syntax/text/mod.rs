//! Text, byte for byte.
//!
//! A [`Text`] is the content of a file, decoded once and written back exactly as it was read: line endings, byte order
//! mark and encoding are part of it. Places in it are byte offsets ([`Span`]); people see [`Position`]s. A change is
//! an [`EditSet`]: sorted, disjoint replacements, applied all at once. [`unified`] shows the difference of two texts.
//!
//! ```
//! use cst::text::{EditSet, Text, TextEdit, unified};
//! use cst::Span;
//!
//! let old = Text::decode(b"a = 1\r\nb = '\xe9'\r\n", Some("latin-1"))?;
//! let edits = EditSet::new(vec![TextEdit::new(Span::new(4, 5), "2")])?;
//! let new = old.apply(&edits);
//! assert_eq!(new.encode()?, b"a = 2\r\nb = '\xe9'\r\n");
//! assert!(unified("a.py", &old, &new).contains("-a = 1\r\n+a = 2\r\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This module knows nothing about syntax.

mod changed_lines;
mod cut;
mod declared;
mod diff;
mod edit_set;
mod encoding;
mod flat;
mod notebook;
mod patch;
mod span;

pub use changed_lines::changed_lines;
pub use cut::cut;
pub use diff::{difference, unified, unified_deleted, unified_move, unified_new};
pub use edit_set::{EditSet, Overlap, TextEdit};
pub use encoding::{Encoding, EncodingError};
pub use patch::Patch;
pub use span::{Position, Span};

use std::any::Any;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use ropey::Rope;

use flat::Flat;

/// The text of a file in one revision: UTF-8, and the encoding of the file on disk. A text that was read is one piece.
/// After an edit it is a rope, which shares unchanged parts with the revision before.
///
/// Only `\n`, `\r\n` and `\r` end a line. Offsets are bytes of the decoded text, from 0. A byte order mark belongs to
/// the encoding and not to the text.
#[derive(Debug, Clone)]
pub struct Text {
    source: Source,
    encoding: Encoding,
    newline: OnceLock<&'static str>,
}

#[derive(Debug, Clone)]
enum Source {
    Flat(Arc<Flat>),
    Rope(Rope),
}

impl Source {
    fn flat(text: impl Into<String>) -> Source {
        Source::Flat(Arc::new(Flat::new(Cow::Owned(text.into()))))
    }

    fn byte_to_line(&self, offset: usize) -> usize {
        match self {
            Source::Flat(flat) => flat.byte_to_line(offset),
            Source::Rope(rope) => rope.byte_to_line(offset),
        }
    }

    fn line_to_byte(&self, line: usize) -> usize {
        match self {
            Source::Flat(flat) => flat.line_to_byte(line),
            Source::Rope(rope) => rope.line_to_byte(line),
        }
    }

    fn byte_to_char(&self, offset: usize) -> usize {
        match self {
            Source::Flat(flat) => flat.byte_to_char(offset),
            Source::Rope(rope) => rope.byte_to_char(offset),
        }
    }

    fn characters_between(&self, start: usize, end: usize) -> usize {
        match self {
            Source::Flat(flat) => flat.characters_between(start, end),
            Source::Rope(rope) => rope.byte_to_char(end) - rope.byte_to_char(start),
        }
    }

    fn char_to_byte(&self, character: usize) -> usize {
        match self {
            Source::Flat(flat) => flat.char_to_byte(character),
            Source::Rope(rope) => rope.char_to_byte(character),
        }
    }

    fn len_lines(&self) -> usize {
        match self {
            Source::Flat(flat) => flat.line_count(),
            Source::Rope(rope) => rope.len_lines(),
        }
    }
}

impl Text {
    /// A text in plain UTF-8.
    pub fn new(source: &str) -> Text {
        Text { source: Source::flat(source), encoding: Encoding::UTF_8, newline: OnceLock::new() }
    }

    /// Decodes a file's bytes. Without a `label` they must be UTF-8, or UTF-16 with a byte order mark. The label `notebook` reads the code
    /// of a Jupyter notebook as one text.
    ///
    /// # Errors
    /// If the bytes are not text in the encoding, or would not be the same when written back.
    pub fn decode(bytes: &[u8], label: Option<&str>) -> Result<Text, EncodingError> {
        let (source, encoding) = encoding::decode(bytes, label)?;
        Ok(Text { source: Source::flat(source), encoding, newline: OnceLock::new() })
    }

    /// Like [`Text::decode`], but takes ownership, and accepts bytes in the encoding that they declare: in a coding
    /// comment, a modeline, a `charset`. UTF-8 and byte order marks take precedence. A declaration that does not fit
    /// the bytes is ignored. Plain UTF-8 is not copied.
    ///
    /// # Errors
    /// As [`Text::decode`].
    pub fn decode_declared(bytes: Vec<u8>) -> Result<Text, EncodingError> {
        if encoding::is_marked(&bytes) {
            return Text::decode(&bytes, None);
        }
        if bytes.starts_with(&[0, 0, 0xfe, 0xff]) {
            return Text::decode(&bytes, None);
        }
        encoding::check_text(&bytes)?;
        match String::from_utf8(bytes) {
            Ok(source) => {
                Ok(Text { source: Source::flat(source), encoding: Encoding::UTF_8, newline: OnceLock::new() })
            }
            Err(error) => match Text::decode(error.as_bytes(), None) {
                Err(EncodingError::Undecodable { declared: Some(name), .. }) => {
                    Text::decode(error.as_bytes(), Some(&name))
                }
                decoded => decoded,
            },
        }
    }

    /// A text in UTF-8, with or without a byte order mark, that lives as long as `owner`, which the text keeps alive.
    pub fn from_static(source: &'static str, mark: bool, owner: Arc<dyn Any + Send + Sync>) -> Text {
        let encoding = if mark { Encoding::UTF_8_WITH_MARK } else { Encoding::UTF_8 };
        let source = Source::Flat(Arc::new(Flat::new(Cow::Borrowed(source)).kept_by(owner)));
        Text { source, encoding, newline: OnceLock::new() }
    }

    /// Whether the bytes on disk are those of the text, apart from a byte order mark.
    pub fn is_utf8(&self) -> bool {
        self.encoding == Encoding::UTF_8 || self.encoding.is_utf8_with_mark()
    }

    /// Another text in the same encoding.
    #[must_use]
    pub fn with_source(&self, source: &str) -> Text {
        let text = Text { source: Source::flat(source), encoding: self.encoding.clone(), newline: OnceLock::new() };
        match self.encoding.is_of_pieces() {
            true => Text { encoding: self.encoding_after(&difference(self, &text)), ..text },
            false => text,
        }
    }

    fn encoding_after(&self, edits: &EditSet) -> Encoding {
        if !self.encoding.is_of_pieces() {
            return self.encoding.clone();
        }
        let edits: Vec<(Span, &str)> = edits.iter().map(|edit| (edit.span, edit.text.as_str())).collect();
        self.encoding.edited(&edits)
    }

    /// The bytes to write to disk.
    ///
    /// # Errors
    /// If the file's encoding cannot represent a character that an edit added.
    pub fn encode(&self) -> Result<Vec<u8>, EncodingError> {
        self.encoding.encode(&self.to_string())
    }

    /// The offsets in the encoded bytes of offsets in the text, which must be sorted. A byte order mark belongs to the
    /// start of the text.
    ///
    /// # Panics
    /// If an offset is outside the text, splits a character, or is less than the one before it.
    pub fn encoded_offsets(&self, places: &[usize]) -> Vec<usize> {
        let source = self.as_str().map_or_else(|| Cow::Owned(self.to_string()), Cow::Borrowed);
        self.encoding.encoded_offsets(&source, places)
    }

    /// How the text is stored on disk.
    pub fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// Length in bytes of UTF-8.
    pub fn len(&self) -> usize {
        match &self.source {
            Source::Flat(flat) => flat.text().len(),
            Source::Rope(rope) => rope.len_bytes(),
        }
    }

    /// Whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The whole text as a span.
    pub fn span(&self) -> Span {
        Span::new(0, self.len())
    }

    /// Number of lines. A last line without an ending counts; a trailing line ending does not start another line.
    pub fn line_count(&self) -> usize {
        let breaks = self.source.len_lines() - 1;
        let last = self.len().checked_sub(1).and_then(|offset| self.byte(offset));
        let ends_open = last.is_some_and(|byte| !matches!(byte, b'\n' | b'\r'));
        breaks + usize::from(ends_open)
    }

    /// The whole text, if it is in one piece.
    pub fn as_str(&self) -> Option<&str> {
        match &self.source {
            Source::Flat(flat) => Some(flat.text()),
            Source::Rope(_) => None,
        }
    }

    /// The text of `span`, borrowed if it is in one piece.
    ///
    /// # Panics
    /// If `span` is outside the text or splits a character.
    pub fn slice(&self, span: Span) -> Cow<'_, str> {
        match &self.source {
            Source::Flat(flat) => Cow::Borrowed(&flat.text()[span.start()..span.end()]),
            Source::Rope(rope) => Cow::from(rope.byte_slice(span.start()..span.end())),
        }
    }

    /// The text in pieces, in order.
    pub fn chunks(&self) -> impl Iterator<Item = &str> {
        let (flat, rope) = match &self.source {
            Source::Flat(flat) => (Some(flat.text()), None),
            Source::Rope(rope) => (None, Some(rope)),
        };
        flat.into_iter().filter(|text| !text.is_empty()).chain(rope.into_iter().flat_map(Rope::chunks))
    }

    /// The rest of the chunk with the byte at `offset`, from `offset` on; empty at the end.
    pub fn chunk_from(&self, offset: usize) -> &str {
        if offset >= self.len() {
            return "";
        }
        match &self.source {
            Source::Flat(flat) => &flat.text()[offset..],
            Source::Rope(rope) => {
                let (chunk, start, _, _) = rope.chunk_at_byte(offset);
                &chunk[offset - start..]
            }
        }
    }

    /// The line number from 1 of the byte at `offset`.
    pub fn line_at(&self, offset: usize) -> usize {
        let line = self.source.byte_to_line(offset);
        line + 1
    }

    /// Line and column of the byte at `offset`.
    pub fn position(&self, offset: usize) -> Position {
        let line = self.source.byte_to_line(offset);
        let start = self.source.line_to_byte(line);
        let column = self.source.characters_between(start, offset);
        Position { line: line + 1, column }
    }

    /// The byte offset of a position; `None` if there is no such line. A column past the end means the end of the line.
    pub fn offset(&self, position: Position) -> Option<usize> {
        let line = position.line.checked_sub(1)?;
        if line >= self.source.len_lines() {
            return None;
        }
        let span = self.line_span(position.line);
        let start = self.source.byte_to_char(span.start());
        let end = self.source.byte_to_char(span.end());
        Some(self.source.char_to_byte(start.saturating_add(position.column).min(end)))
    }

    /// The bytes of a line (from 1) without its ending. Empty past the last line.
    pub fn line_span(&self, line: usize) -> Span {
        let lines = self.source.len_lines();
        if line == 0 || line > lines {
            return Span::new(self.len(), self.len());
        }
        let start = self.source.line_to_byte(line - 1);
        let mut end = if line == lines { self.len() } else { self.source.line_to_byte(line) };
        while end > start && matches!(self.byte(end - 1), Some(b'\n' | b'\r')) {
            end -= 1;
        }
        Span::new(start, end)
    }

    /// The line with the byte at `offset`, without its ending.
    pub fn line_around(&self, offset: usize) -> Span {
        self.line_span(self.line_at(offset))
    }

    /// The byte at `offset`.
    pub fn byte(&self, offset: usize) -> Option<u8> {
        match &self.source {
            Source::Flat(flat) => flat.text().as_bytes().get(offset).copied(),
            Source::Rope(rope) => (offset < rope.len_bytes()).then(|| rope.byte(offset)),
        }
    }

    /// The most frequent line ending of the text: `\n`, `\r\n` or `\r`; `\n` if it has none.
    pub fn newline(&self) -> &'static str {
        self.newline.get_or_init(|| self.count_newlines())
    }

    fn count_newlines(&self) -> &'static str {
        let (mut lf, mut crlf, mut cr) = (0usize, 0usize, 0usize);
        let mut carriage = false;
        for chunk in self.chunks() {
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

    /// The text after the edits. Linear in the text and the number of edits.
    #[must_use]
    pub fn apply(&self, edits: &EditSet) -> Text {
        // A few edits keep most of the rope shared with the old text. For many edits, or a short text, a copy is
        // cheaper.
        const FEW: usize = 64;
        const SHORT: usize = 256 << 10;
        let is_short = matches!(self.source, Source::Flat(_)) && self.len() <= SHORT;
        let source = if edits.len() <= FEW && !is_short {
            let mut rope = match &self.source {
                Source::Flat(flat) => Rope::from_str(flat.text()),
                Source::Rope(rope) => rope.clone(),
            };
            for edit in edits.iter().rev() {
                let start = rope.byte_to_char(edit.span.start());
                let end = rope.byte_to_char(edit.span.end());
                rope.remove(start..end);
                rope.insert(start, &edit.text);
            }
            Source::Rope(rope)
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
            Source::flat(result)
        };
        Text { source, encoding: self.encoding_after(edits), newline: OnceLock::new() }
    }
}

impl std::fmt::Display for Text {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.chunks().try_for_each(|chunk| formatter.write_str(chunk))
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        let same = match (&self.source, &other.source) {
            (Source::Flat(flat), Source::Flat(other)) => flat.text() == other.text(),
            (Source::Rope(rope), Source::Rope(other)) => rope == other,
            (Source::Flat(flat), Source::Rope(rope)) | (Source::Rope(rope), Source::Flat(flat)) => {
                *rope == *flat.text()
            }
        };
        same && self.encoding == other.encoding
    }
}
