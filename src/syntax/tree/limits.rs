//! Limits of a parse, and the errors for exceeding them.

use std::time::Duration;

use crate::limits;

/// Limits of a parse.
#[derive(Debug, Clone, Copy)]
pub struct ParseLimits {
    /// The maximum size of a text, in bytes of UTF-8.
    pub bytes: usize,
    /// The maximum time for the parse and its table.
    pub time: Duration,
}

impl Default for ParseLimits {
    fn default() -> ParseLimits {
        ParseLimits { bytes: limits::TEXT_BYTES, time: limits::PARSE_TIME }
    }
}

/// Why a text was not parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The text is larger than allowed.
    #[error("{bytes} bytes are more than the limit of {limit}")]
    TooLarge {
        /// The size of the text.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// The text is more than the grammar's scanner can handle.
    #[error("{what} on line {line}: more than the grammar's scanner can handle")]
    TooDeep {
        /// What there is too much of: `300 nested blocks`.
        what: String,
        /// The line, from 1.
        line: usize,
    },
    /// An edit is outside of the part of the text that the tree is of.
    #[error("an edit is outside of the part of the text that the tree is of")]
    OutsidePart,
    /// The parse took too long.
    #[error("parsing took longer than {seconds} s")]
    TooSlow {
        /// The limit in whole seconds.
        seconds: u64,
    },
}
