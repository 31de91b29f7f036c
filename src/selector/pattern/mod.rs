//! Code patterns: code with holes, and the nodes that are such code.
//!
//! A pattern's text is spelled for the grammar, each hole as a word ([`holes`]), and parsed in each context in which code can
//! stand ([`reading`]): the same text may be a statement, a member, a parameter. Every context that parses gives a *reading*, a small
//! tree of [`Item`]s, and a node matches by any of them ([`matching`]). What is compared are nodes and tokens, not
//! text: white space says nothing, comments are passed over, and so is a separator behind the last element ([`solid`]).

mod holes;
mod matching;
mod reading;
mod shape;
mod solid;

use crate::language::{Language, TypeId};
use crate::text::Span;

use super::query::TypeMask;
use holes::Pieces;
pub(super) use matching::Found;
pub use shape::Shape;
pub(super) use solid::same_code;

/// A pattern read for a language.
#[derive(Debug)]
pub(super) struct Pattern {
    /// As written.
    pub source: String,
    /// The names of its holes, each once.
    pub names: Vec<String>,
    /// What it means, in each context that makes sense of it.
    pub readings: Vec<Reading>,
    /// Whether each name stands in one hole alone.
    linear: bool,
    language: &'static Language,
}

/// A pattern as one context reads it.
#[derive(Debug)]
pub(super) struct Reading {
    /// The context's name: `statement`.
    pub context: &'static str,
    /// The type of the node that it is; `None` where it is a hole.
    pub root: Option<TypeId>,
    /// Whether it counts only where nothing else does.
    is_quiet: bool,
    item: Item,
}

/// A part of a pattern.
#[derive(Debug, Clone, PartialEq)]
enum Item {
    /// One named node; the number is that of its name.
    Hole(Option<usize>),
    /// Any number of siblings.
    Holes(Option<usize>),
    /// A token, or a named node without any other in it.
    Leaf { type_id: TypeId, text: String, named: bool },
    /// A string: what stands before its quotes and between them.
    String { type_id: TypeId, prefix: String, content: String },
    /// A node and what is in it. `loose` is text of it that no child holds, and `quoted` a string with holes in it.
    Node { type_id: TypeId, children: Vec<Item>, loose: String, quoted: bool },
}

/// Why a pattern can't be read.
#[derive(Debug)]
pub(super) struct Unread {
    pub message: String,
    pub hint: Option<String>,
    /// Where each reading failed.
    pub readings: Vec<String>,
}

impl Pattern {
    /// Reads a pattern. `asked` are the types that the step takes besides, where it says any.
    pub fn new(source: &str, language: &'static Language, asked: Option<&TypeMask>) -> Result<Pattern, Unread> {
        let pieces = Pieces::read(source)?;
        let names = pieces.names();
        let linear = pieces.is_linear();
        let readings = reading::readings(&pieces, &names, language, asked)?;
        Ok(Pattern { source: source.to_owned(), names, readings, linear, language })
    }

    /// The types of the nodes that it can be; `None` where it can be any.
    pub fn types(&self) -> Option<TypeMask> {
        let mut mask = TypeMask::default();
        for reading in &self.readings {
            mask.insert(reading.root?);
            // A string in other quotes may be a node of another type.
            if let Item::String { .. } = reading.item {
                solid::types_alike(self.language, reading.root?).for_each(|id| mask.insert(id));
            }
        }
        Some(mask)
    }

    /// The contexts that make sense of it, each with the type of the node that it is there.
    pub fn read_as(&self) -> impl Iterator<Item = (&str, Option<TypeId>)> {
        self.readings.iter().map(|reading| (reading.context, reading.root))
    }

    /// For each reading, the texts of names and strings that must stand in what it matches, and the types of nodes.
    pub fn parts(&self) -> impl Iterator<Item = Vec<Fixed<'_>>> {
        self.readings.iter().map(|reading| {
            let mut parts = Vec::new();
            let mut open = vec![&reading.item];
            while let Some(item) = open.pop() {
                match item {
                    Item::Hole(_) | Item::Holes(_) => {}
                    Item::Leaf { text, named: true, type_id } => {
                        parts.push(Fixed::Type(*type_id));
                        parts.push(Fixed::Text(text));
                    }
                    Item::Leaf { .. } => {}
                    Item::String { content, .. } => parts.push(Fixed::String(content)),
                    Item::Node { type_id, children, .. } => {
                        parts.push(Fixed::Type(*type_id));
                        open.extend(children);
                    }
                }
            }
            parts
        })
    }
}

/// Something that whatever matches a reading must hold.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fixed<'a> {
    /// A named leaf of this text.
    Text(&'a str),
    /// A string of this content.
    String(&'a str),
    /// A node of this type.
    Type(TypeId),
}

/// The names of a pattern's holes, whatever the language.
pub(super) fn names(source: &str) -> Vec<String> {
    Pieces::read(source).map(|pieces| pieces.names()).unwrap_or_default()
}

/// A place in the pattern's text, shown with a caret.
fn shown(source: &str, at: usize) -> String {
    let at = (0..=at.min(source.len())).rev().find(|&at| source.is_char_boundary(at)).unwrap_or(0);
    let line_start = source[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = source[line_start..].lines().next().unwrap_or("");
    let space: String = source[line_start..at].chars().map(|letter| if letter == '\t' { '\t' } else { ' ' }).collect();
    format!("\n    {line}\n    {space}^")
}

/// The bytes of a text without white space at its ends, and blank lines.
fn trimmed(source: &str) -> Span {
    let start = source.len() - source.trim_start().len();
    Span::new(start, source.trim_end().len().max(start))
}
