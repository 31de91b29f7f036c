//! Code patterns: code with holes, and the nodes that are such code.
//!
//! A pattern's text is spelled for the grammar, each hole as a word ([`holes`]), and parsed in each context in which code can
//! stand ([`reading`]): the same text may be a statement, a member, a parameter. Every context that parses gives a *reading*, a small
//! tree of items ([`item`]), and a node matches by any of them ([`matching`]). What is compared are nodes and tokens, not
//! text: white space says nothing, comments are passed over, and so is a separator behind the last element ([`solid`]).

mod code_pattern;
mod holes;
mod item;
mod matching;
mod reading;
mod shape;
mod solid;
mod unread;

pub(super) use code_pattern::{Fixed, Pattern};
pub(super) use holes::names;
pub(super) use matching::Found;
pub use shape::Shape;
pub(super) use solid::same_code;
