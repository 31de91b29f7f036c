//! A match that a rewrite asks about, and the answer.

/// A match that may be rewritten, shown to who decides.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Proposal {
    /// Its file; `-` for a text.
    pub path: String,
    /// The line in which it begins, from 1.
    pub line: usize,
    /// Its number among the matches of its file, from 1, and how many these are.
    pub number: (usize, usize),
    /// What rewriting it alone would change; empty where that cannot be done alone.
    pub diff: String,
}

/// What is done with a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decision {
    /// It is rewritten.
    Yes,
    /// It stays.
    No,
    /// It and all after it are rewritten.
    All,
    /// It and all after it stay.
    Quit,
}
