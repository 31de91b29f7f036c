//! Code with holes compared with a node, outside of selectors: whether what was made of a template is what it says.

use std::cell::Cell;

use super::{Found, Pattern, TypeMask};
use crate::language::{Language, TypeId};
use crate::tree::{Captured, Node, Tree};

/// Work for one comparison.
const BUDGET: u64 = 100_000;

/// Code with holes, as a language reads it wherever such code can stand.
#[derive(Debug)]
pub struct Shape {
    patterns: Vec<Pattern>,
}

/// What a hole of a shape is in a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    /// The hole's name.
    pub name: String,
    /// What stands there.
    pub captured: Captured,
}

impl Shape {
    /// Reads code with holes; `None` where no context makes sense of it.
    pub fn read(source: &str, language: &'static Language) -> Option<Shape> {
        let mut all = TypeMask::default();
        (0..language.type_count()).filter_map(|id| TypeId::try_from(id).ok()).for_each(|id| all.insert(id));
        // Readings that people seldom mean count too.
        let ways = [Some(&all), None].into_iter();
        let patterns: Vec<Pattern> = ways.filter_map(|asked| Pattern::new(source, language, asked).ok()).collect();
        (!patterns.is_empty()).then_some(Shape { patterns })
    }

    /// Whether it is nothing but a hole in some context.
    pub fn is_hole(&self) -> bool {
        self.patterns.iter().flat_map(|pattern| &pattern.readings).any(|reading| reading.root.is_none())
    }

    /// What the holes are in a node, for each reading by which it is such code.
    pub fn filled<'s>(&'s self, tree: &'s Tree, node: Node) -> impl Iterator<Item = Vec<Filled>> + 's {
        self.patterns.iter().flat_map(move |pattern| {
            (0..pattern.readings.len()).filter_map(move |reading| {
                let Found::Yes(bound) = pattern.found(reading, tree, node, &[], &Cell::new(BUDGET)) else {
                    return None;
                };
                let named = pattern.names.iter().zip(bound);
                let filled =
                    named.filter_map(|(name, captured)| Some(Filled { name: name.clone(), captured: captured? }));
                Some(filled.collect())
            })
        })
    }
}
