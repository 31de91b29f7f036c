//! Code with holes outside of selectors: what it is by itself.

use super::code_pattern::Pattern;
use crate::language::TypeSet;
use crate::language::{Language, TypeId};

/// Code with holes, as a language reads it wherever such code can stand.
#[derive(Debug)]
pub struct Shape {
    patterns: Vec<Pattern>,
}

impl Shape {
    /// Reads code with holes; `None` where no context makes one node of it.
    pub fn read(source: &str, language: &'static Language) -> Option<Shape> {
        let mut all = TypeSet::default();
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

    /// The types of the node that it is.
    pub fn roots(&self) -> impl Iterator<Item = TypeId> + '_ {
        self.patterns.iter().flat_map(|pattern| &pattern.readings).filter_map(|reading| reading.root)
    }
}
