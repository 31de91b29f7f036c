//! Outlines: the definitions of a file, a line each, nested as in the code.
//!
//! The rows of a language's `outline.toml` choose the nodes, as selectors; no code here knows a language. A definition is
//! listed once for each node with its name, with its signature: everything up to its body, on one line. The list can be
//! rendered as indented text ([`text`]), or as the source lines that contain the names ([`cline`]).
//!
//! ```
//! use cst::outline::{Options, outline};
//!
//! let tree = cst::parse("class Shop:\n    def open(self, at=8):\n        pass\n", "python")?;
//! let lines = outline(&tree, &Options::default())?.into_iter().map(|row| (row.depth, row.signature));
//! let expected = [(0, "class Shop".to_owned()), (1, "def open(self, at=8)".to_owned())];
//! assert_eq!(lines.collect::<Vec<_>>(), expected);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod chunk;
mod definitions;
mod error;
mod render;
mod rows;
mod signature;

pub use definitions::{Definition, Options, check, merge, outline};
pub use error::OutlineError;
pub use render::{ID_COLUMN, about, cline, text, text_below};
pub use signature::signature;
