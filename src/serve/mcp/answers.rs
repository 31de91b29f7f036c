//! Answers: what a tool says, and how long it may be.

use serde_json::Value;

/// How many matches are listed by default.
pub(super) const MATCHES: usize = 100;

/// What answers look like.
#[derive(Debug, Clone, Copy)]
pub struct Answers {
    /// Whether results are given as data too, beside their text.
    pub structured: bool,
    /// The most characters of a result's text.
    pub max_chars: usize,
}

impl Default for Answers {
    fn default() -> Answers {
        Answers { structured: false, max_chars: 8000 }
    }
}

/// What a tool says.
pub(super) struct ToolAnswer {
    pub text: String,
    /// The result as data.
    pub data: Value,
}
