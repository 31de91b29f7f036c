//! Why a text cannot be cut into chunks.

use crate::outline::error::OutlineError;

/// The smallest maximum: each byte of a character may be a token, and so may those of a byte order mark before it.
pub const SMALLEST: usize = 8;

/// Why a text cannot be cut into chunks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChunkError {
    /// A character might not fit.
    #[error("`max_tokens` is {max_tokens}, less than the {SMALLEST} that one character may have")]
    SmallMaximum {
        /// The maximum.
        max_tokens: usize,
    },
    /// Too little space would be left for new text.
    #[error("`overlap` is {overlap}, more than half of `max_tokens`, {max_tokens}")]
    LargeOverlap {
        /// The overlap.
        overlap: usize,
        /// The maximum.
        max_tokens: usize,
    },
    /// The language's data.
    #[error(transparent)]
    Outline(#[from] OutlineError),
}
