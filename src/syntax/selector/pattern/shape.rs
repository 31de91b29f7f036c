//! Code with holes outside selectors: what it is on its own.

use super::code_pattern::Pattern;
use crate::language::TypeSet;
use crate::language::{Language, TypeId};

/// Code with holes, read in every context in which such code can occur.
#[derive(Debug)]
pub struct Shape {
    patterns: Vec<Pattern>,
}

impl Shape {
    /// Reads code with holes; `None` if no context makes a single node of it.
    pub fn read(source: &str, language: &'static Language) -> Option<Shape> {
        let mut all = TypeSet::default();
        (0..language.type_count()).filter_map(|id| TypeId::try_from(id).ok()).for_each(|id| all.insert(id));
        // Unlikely readings count, too.
        let ways = [Some(&all), None].into_iter();
        let patterns: Vec<Pattern> = ways.filter_map(|asked| Pattern::new(source, language, asked).ok()).collect();
        (!patterns.is_empty()).then_some(Shape { patterns })
    }

    /// Whether it is only a hole in some context.
    pub fn is_hole(&self) -> bool {
        self.patterns.iter().flat_map(|pattern| &pattern.readings).any(|reading| reading.root.is_none())
    }

    /// The possible types of its node.
    pub fn roots(&self) -> impl Iterator<Item = TypeId> + '_ {
        self.patterns.iter().flat_map(|pattern| &pattern.readings).filter_map(|reading| reading.root)
    }
}
