//! The string literals in code with holes, each with the nodes that are the same literal.

use std::cell::Cell;

use super::code_pattern::Pattern;
use super::holes::Pieces;
use super::matching::MatchOutcome;
use super::reading::literals;
use crate::language::Language;
use crate::limits;
use crate::text::Span;
use crate::tree::{Captured, Node, Tree};

/// The string literals in code with holes: in quotes, with holes between them or without.
#[derive(Debug)]
pub struct Literals {
    /// A reading for each literal.
    pattern: Pattern,
    /// Their bytes in the code as given.
    spans: Vec<Span>,
    texts: Vec<String>,
}

impl Literals {
    /// Finds the literals as the first context reads them that accepts the code; none if no context does. It may be several
    /// nodes. An outer literal comes before those in its code.
    pub fn read(source: &str, language: &'static Language) -> Literals {
        let none = || Literals { pattern: Pattern::of_readings(language), spans: Vec::new(), texts: Vec::new() };
        let Ok(pieces) = Pieces::read(source) else { return none() };
        let names = pieces.names();
        let mut literals_read = none();
        literals_read.pattern.names.clone_from(&names);
        for (reading, span) in literals(&pieces, &names, language) {
            // A hole without a name matches different code in different places.
            let mut inside = pieces.holes.iter().filter(|hole| span.contains(hole.span));
            if inside.any(|hole| hole.name.is_none()) {
                continue;
            }
            literals_read.texts.push(pieces.source[span.start()..span.end()].to_owned());
            literals_read.spans.push(pieces.as_given(source, span));
            literals_read.pattern.readings.push(reading);
        }
        literals_read
    }

    /// The literals as they are written, with holes.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(String::as_str)
    }

    /// The bytes of a literal in the code as given, by its index.
    pub fn span(&self, number: usize) -> Span {
        self.spans[number]
    }

    /// Whether a node is a literal, by its index, with these captures in place of the holes. Delimiters may differ.
    pub fn is_same(&self, number: usize, tree: &Tree, node: Node, captures: &[(String, Captured)]) -> bool {
        let capture_of =
            |name: &String| captures.iter().find(|(known, _)| known == name).map(|(_, captured)| *captured);
        let bound: Vec<Option<Captured>> = self.pattern.names.iter().map(capture_of).collect();
        let budget = Cell::new(limits::BINDING_STEPS);
        matches!(self.pattern.found(number, tree, node, &bound, &budget), MatchOutcome::Yes(_))
    }
}
