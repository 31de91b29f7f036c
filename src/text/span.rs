//! Places: byte spans for the program, lines and columns for people.

use serde::{Deserialize, Serialize};

/// A half-open range of bytes. The start is never past the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    start: usize,
    end: usize,
}

impl Span {
    /// The bytes from `start` up to `end`.
    ///
    /// # Panics
    /// When `start` lies past `end`.
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

    /// Whether it holds no byte.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether all of `other` lies within.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether a byte is in both. Empty spans overlap only what they lie strictly inside of.
    pub fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn join(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A place as people name it: line from 1, column from 0 in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 0.
    pub column: usize,
}

impl std::fmt::Display for Position {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}:{}", self.line, self.column)
    }
}
