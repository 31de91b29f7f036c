//! Places: byte spans for the program, lines and columns for people.

use serde::{Deserialize, Serialize};

/// A half-open range of bytes. The start is never past the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "Ends")]
pub struct Span {
    start: usize,
    end: usize,
}

/// A span as it is serialised, which may be invalid.
#[derive(Deserialize)]
struct Ends {
    start: usize,
    end: usize,
}

impl TryFrom<Ends> for Span {
    type Error = &'static str;

    fn try_from(Ends { start, end }: Ends) -> Result<Span, Self::Error> {
        if start > end { Err("a span's start lies past its end") } else { Ok(Span { start, end }) }
    }
}

impl Span {
    /// The bytes from `start` up to `end`.
    ///
    /// # Panics
    /// If `start` is greater than `end`.
    #[track_caller]
    pub fn new(start: usize, end: usize) -> Span {
        assert!(start <= end, "a span's start lies past its end");
        Span { start, end }
    }

    /// The empty span at a place.
    pub fn at(offset: usize) -> Span {
        Span { start: offset, end: offset }
    }

    /// The first byte.
    pub fn start(self) -> usize {
        self.start
    }

    /// The byte after the last.
    pub fn end(self) -> usize {
        self.end
    }

    /// Length in bytes.
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether the span is empty.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether all of `other` is inside.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether the two share a byte. An empty span overlaps only a span that strictly contains its place.
    pub fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The smallest span that contains both.
    #[must_use]
    pub fn join(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A place in a text, for computing. Everything that people and programs read or write counts columns from 1. Only
/// [`Position::col`], [`Position::counted`] and `Display` convert.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// The number of characters before it on its line.
    pub column: usize,
}

impl Position {
    /// The position of that line and column, both counted from 1; `None` if either is 0.
    pub fn counted(line: usize, col: usize) -> Option<Position> {
        let column = col.checked_sub(1)?;
        (line > 0).then_some(Position { line, column })
    }

    /// The column as it is shown: in characters, from 1.
    pub fn col(self) -> usize {
        self.column + 1
    }
}

/// `line:col`, both from 1.
impl std::fmt::Display for Position {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}:{}", self.line, self.col())
    }
}
