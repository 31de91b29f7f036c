//! Chunks: a text cut into pieces that a model can take, at the borders of its syntax.
//!
//! A file that fits is one chunk. Otherwise its tree is taken apart from the root down until the parts fit, and neighbours are packed
//! together again as far as they do; what documents a definition stays with it. The pieces are all of the text and overlap
//! nowhere, whatever the text is: no node is needed for a byte to be in one. No piece is larger than the maximum, the context told
//! before it counted: the path, and the signatures of what is around.
//!
//! ```
//! use cst::outline::chunk::{Options, chunks};
//!
//! let source = "class Shop:\n    def open(self, at=8):\n        self.at = at\n\n    def close(self):\n        self.at = None\n";
//! let tree = cst::parse(source, "python")?;
//! let options = Options { max_tokens: 30, min_tokens: 5, ..Options::default() };
//! let found = chunks(&tree, "shop.py", &options)?;
//! assert_eq!(found[1].context, "shop.py\nclass Shop\n");
//! assert_eq!(found[1].qualnames, ["Shop.close"]);
//! assert_eq!(found.iter().map(|chunk| tree.text().slice(chunk.spans[0])).collect::<String>(), source);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod around;
mod borders;
mod count;
mod cut;
mod describe;
mod lines;
mod pack;

pub use count::Count;

use super::OutlineError;
use crate::text::{Span, Text};
use crate::tree::Tree;

/// The least that the maximum may be: each byte of a character may be a token, and those of a byte order mark before it.
pub const SMALLEST: usize = 8;

/// How a text is cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The largest chunk, its context counted.
    pub max_tokens: usize,
    /// Chunks that are smaller are packed with a neighbour where that fits.
    pub min_tokens: usize,
    /// How code is cut.
    pub mode: Mode,
    /// What is told before the text of a chunk.
    pub context: Context,
    /// How much of the text before a chunk is told, too.
    pub overlap: usize,
    /// How size is counted.
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
    /// Whether there can be such chunks.
    ///
    /// # Errors
    /// When the maximum is too small, or the overlap too large for it.
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

/// How code is cut.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mode {
    /// Neighbours are packed together.
    #[default]
    Pack,
    /// Each definition that fits is a chunk of its own; what is around them is packed, and may have several spans.
    Signature,
}

/// What is told before the text of a chunk.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Context {
    /// Nothing.
    None,
    /// The path, and the qualname of what is around.
    Path,
    /// The path, and a line for each signature of what is around.
    #[default]
    Full,
}

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Where it stands: one span, but for what is around definitions that are chunks of their own. In order.
    pub spans: Vec<Span>,
    /// The kind of the definition that it is, or is a part of; else that of the whole file.
    pub kind: &'static str,
    /// The definitions that begin in it, after the one that goes on in it; or the one that it is a part of.
    pub qualnames: Vec<String>,
    /// Which of the chunks has the beginning of what is around it.
    pub parent: Option<usize>,
    /// Which of how many it is, from 1, where a definition or another node had to be cut.
    pub part: Option<(usize, usize)>,
    /// How large it is with its context.
    pub tokens: usize,
    /// What is told before the text. It ends with a line, or where the text goes on.
    pub context: String,
    /// The text, with a byte order mark if the file begins with one.
    pub text: String,
}

/// Why there are no chunks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChunkError {
    /// A character might not fit.
    #[error("`max_tokens` is {max_tokens}, less than the {SMALLEST} that one character may have")]
    SmallMaximum {
        /// The maximum.
        max_tokens: usize,
    },
    /// Too little room would be left for what is new.
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

/// The chunks of a tree, in order. The path is told in their contexts, unless it is empty.
///
/// # Errors
/// When a number in `options` is wrong, or the language's own data.
pub fn chunks(tree: &Tree, path: &str, options: &Options) -> Result<Vec<Chunk>, ChunkError> {
    options.check()?;
    Ok(cut::tree(tree, path, options)?)
}

/// The chunks of a text whose language isn't known: as many lines together as fit.
///
/// # Errors
/// When a number in `options` is wrong.
pub fn chunks_of_lines(text: &Text, path: &str, options: &Options) -> Result<Vec<Chunk>, ChunkError> {
    options.check()?;
    Ok(cut::text(text, path, options))
}
