//! A code pattern, read for a language: its text, the names of its holes, and its readings.

use super::error::PatternError;
use super::holes::Pieces;
use super::item::{Item, Reading};
use super::reading::readings;
use super::{several, solid};
use crate::language::TypeSet;
use crate::language::{Language, TypeId};

/// A pattern read for a language.
#[derive(Debug)]
pub(in crate::selector) struct Pattern {
    /// As written.
    pub source: String,
    /// The names of its holes, each once.
    pub names: Vec<String>,
    /// Its readings, one for each context that accepts it.
    pub readings: Vec<Reading>,
    /// Whether each name occurs in only one hole.
    pub(super) linear: bool,
    language: &'static Language,
}

impl Pattern {
    /// Reads a pattern. `asked` are the types that the step requires, if it does.
    pub fn new(source: &str, language: &'static Language, asked: Option<&TypeSet>) -> Result<Pattern, PatternError> {
        let pieces = Pieces::read(source)?;
        let names = pieces.names();
        let linear = pieces.is_linear();
        let readings = readings(&pieces, &names, language, asked);
        if let Some(error) = several::refused(&pieces, language, &readings) {
            return Err(error);
        }
        let readings = readings?;
        Ok(Pattern { source: source.to_owned(), names, readings, linear, language })
    }

    /// A pattern whose readings are added one by one.
    pub(super) fn of_readings(language: &'static Language) -> Pattern {
        Pattern { source: String::new(), names: Vec::new(), readings: Vec::new(), linear: false, language }
    }

    /// The types of the nodes that can match; `None` if any type can.
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

    /// The contexts that accept the pattern, each with the type of the node that the pattern is there.
    pub fn read_as(&self) -> impl Iterator<Item = (&str, Option<TypeId>)> {
        self.readings.iter().map(|reading| (reading.context, reading.root))
    }

    /// For each reading, the texts of names and strings that a match must contain, and the types of nodes.
    pub fn parts(&self) -> impl Iterator<Item = Vec<Fixed<'_>>> {
        self.readings.iter().map(|reading| {
            let mut parts = Vec::new();
            let mut open = vec![&reading.item];
            while let Some(item) = open.pop() {
                match item {
                    Item::Metavar(_) | Item::Ellipsis(_) => {}
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

/// Something that every match of a reading contains.
#[derive(Debug, Clone, Copy)]
pub(in crate::selector) enum Fixed<'a> {
    /// A named leaf with this text.
    Text(&'a str),
    /// A string with this content.
    String(&'a str),
    /// A node of this type.
    Type(TypeId),
}
