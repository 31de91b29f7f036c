//! A code pattern read for a language: its text, its holes' names and its readings.

use super::holes::Pieces;
use super::item::{Item, Reading};
use super::reading::readings;
use super::solid;
use super::unread::Unread;
use crate::language::TypeSet;
use crate::language::{Language, TypeId};

/// A pattern read for a language.
#[derive(Debug)]
pub(in crate::selector) struct Pattern {
    /// As written.
    pub source: String,
    /// The names of its holes, each once.
    pub names: Vec<String>,
    /// What it means, in each context that makes sense of it.
    pub readings: Vec<Reading>,
    /// Whether each name stands in one hole alone.
    pub(super) linear: bool,
    language: &'static Language,
}

impl Pattern {
    /// Reads a pattern. `asked` are the types that the step takes besides, where it says any.
    pub fn new(source: &str, language: &'static Language, asked: Option<&TypeSet>) -> Result<Pattern, Unread> {
        let pieces = Pieces::read(source)?;
        let names = pieces.names();
        let linear = pieces.is_linear();
        let readings = readings(&pieces, &names, language, asked)?;
        Ok(Pattern { source: source.to_owned(), names, readings, linear, language })
    }

    /// The types of the nodes that it can be; `None` where it can be any.
    pub fn types(&self) -> Option<TypeSet> {
        let mut mask = TypeSet::default();
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

    /// For each reading, the texts of names and strings that must be in what it matches, and the types of nodes.
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
pub(in crate::selector) enum Fixed<'a> {
    /// A named leaf of this text.
    Text(&'a str),
    /// A string of this content.
    String(&'a str),
    /// A node of this type.
    Type(TypeId),
}
