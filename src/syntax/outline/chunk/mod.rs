//! Chunks: a text cut into pieces that a model can take, at the borders of its syntax.
//!
//! A file that fits is one chunk. Otherwise its tree is taken apart from the root down until the parts fit, and neighbours
//! are packed together again as far as they fit. The documentation of a definition stays with it. The chunks of every text
//! cover each byte exactly once, even bytes that are in no node. No chunk is larger than the maximum, including its context:
//! the path, and the signatures of the enclosing definitions.
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
mod cost;
mod count;
mod cut;
mod describe;
mod error;
mod lines;
mod options;
mod pack;

pub use count::Count;
pub use cut::{chunks, chunks_of_lines};
pub use describe::Chunk;
pub use error::{ChunkError, SMALLEST};
pub use options::{Context, Mode, Options};
