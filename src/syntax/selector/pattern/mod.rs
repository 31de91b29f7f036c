//! Code patterns: code with holes, and the nodes that match.
//!
//! Each hole is replaced by a word of the language ([`holes`]), and the text is parsed in each context in which code
//! can occur ([`reading`]): the same text may be a statement, a member, a parameter. Every context that parses gives a
//! *reading*, a small tree of items ([`item`]), and a node matches if it matches any of them ([`matching`]). Nodes and
//! tokens are compared, not text: whitespace and comments are ignored, and so is a separator after the last element
//! ([`solid`]).

mod code_pattern;
mod error;
mod holes;
mod item;
mod literals;
mod matching;
mod reading;
mod several;
mod shape;
mod solid;

pub(super) use code_pattern::{Fixed, Pattern};
pub(super) use holes::names;
pub use literals::Literals;
pub(super) use matching::MatchOutcome;
pub use shape::Shape;
pub(super) use solid::same_code;
