//! What a parse may cost, and the errors of those that cost more.

use std::time::Duration;

/// What a parse may cost.
#[derive(Debug, Clone, Copy)]
pub struct ParseLimits {
    /// The largest text, in bytes of UTF-8.
    pub bytes: usize,
    /// The longest time for the parse and the table made of it.
    pub time: Duration,
}

impl Default for ParseLimits {
    fn default() -> ParseLimits {
        ParseLimits { bytes: 64 << 20, time: Duration::from_secs(60) }
    }
}

/// Why a text wasn't parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The text is longer than allowed.
    #[error("{bytes} bytes are more than the limit of {limit}")]
    TooLarge {
        /// Length of the text.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// The text is more than the grammar's scanner has room for.
    #[error("{what} on line {line}: the grammar's scanner has no room for that")]
    TooDeep {
        /// What is too much: `300 blocks in each other`.
        what: String,
        /// Where, from 1.
        line: usize,
    },
    /// The parse took too long.
    #[error("parsing took longer than {seconds} s")]
    TooSlow {
        /// The limit in whole seconds.
        seconds: u64,
    },
}
