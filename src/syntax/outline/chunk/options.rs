//! Options for chunks: sizes, and the context before each chunk.

use super::count::Count;
use super::error::{ChunkError, SMALLEST};
use crate::naming::named_enum;

/// Options for chunks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The maximum size of a chunk with its context.
    pub max_tokens: usize,
    /// Smaller chunks are merged with a neighbour if that fits.
    pub min_tokens: usize,
    /// How code is cut.
    pub mode: Mode,
    /// The context before the text of a chunk.
    pub context: Context,
    /// How much of the text before a chunk is repeated in it.
    pub overlap: usize,
    /// The unit of size.
    pub count: Count,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            max_tokens: 1024,
            min_tokens: 20,
            mode: Mode::default(),
            context: Context::default(),
            overlap: 0,
            count: Count::default(),
        }
    }
}

impl Options {
    /// Checks the numbers.
    ///
    /// # Errors
    /// If the maximum is too small, or the overlap too large for it.
    pub fn check(&self) -> Result<(), ChunkError> {
        if self.max_tokens < SMALLEST {
            return Err(ChunkError::SmallMaximum { max_tokens: self.max_tokens });
        }
        if self.overlap > self.max_tokens / 2 {
            return Err(ChunkError::LargeOverlap { overlap: self.overlap, max_tokens: self.max_tokens });
        }
        Ok(())
    }
}

named_enum! {
    /// How code is cut.
    #[derive(Default)]
    #[cfg_attr(feature = "schema", schemars(rename = "ChunkMode"))]
    #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
    pub enum Mode {
        /// Pack neighbours together.
        #[default]
        Pack = "pack",
        /// Make each definition that fits a chunk of its own.
        Signature = "signature",
    }
}

named_enum! {
    /// What precedes the text of a chunk, and is counted with it.
    #[derive(Default)]
    #[cfg_attr(feature = "schema", schemars(rename = "ChunkContext"))]
    #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
    pub enum Context {
        /// Nothing.
        None = "none",
        /// The path and the qualified name of the enclosing definition.
        Path = "path",
        /// The path and the signatures of the enclosing definitions.
        #[default]
        Full = "full",
    }
}
