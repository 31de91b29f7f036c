//! Whether nodes are what a language's node patterns and places describe.

use super::{Node, Table};
use crate::language::{Among, Held, Level, NodePattern, NodePatterns, Place, Places, TypeId};

impl Table {
    /// Whether a node is what a pattern describes.
    pub fn fits(&self, node: Node, pattern: &NodePattern) -> bool {
        self.has_levels(node, &pattern.levels)
    }

    /// Whether a node is what one of the patterns describes.
    pub fn fits_any(&self, node: Node, patterns: &NodePatterns) -> bool {
        patterns.of(self.type_id(node)).iter().any(|pattern| self.fits(node, pattern))
    }

    /// The place that a node is at, the one with the most conditions first.
    pub fn place_of<'p>(&self, node: Node, places: &'p Places) -> Option<&'p Place> {
        let parent = self.parent(node)?;
        let places = places.at(self.type_id(parent), self.field(node));
        places
            .iter()
            .find(|place| self.has_levels(parent, &place.parent.levels) && self.is_among(node, parent, place.side))
    }

    /// Whether a node is the first or the last child of its type, or between others, if that is asked for.
    fn is_among(&self, node: Node, parent: Node, side: Among) -> bool {
        let mut alike = self.children(parent).filter(|&child| self.type_id(child) == self.type_id(node));
        match side {
            Among::Any => true,
            Among::First => alike.next() == Some(node),
            Among::Last => alike.last() == Some(node),
            Among::Between => {
                let mut named = self.children(parent).filter(|&child| self.is_named(child));
                named.next() != Some(node) && named.last().is_some_and(|last| last != node)
            }
        }
    }

    /// Whether a node and those around it are as the levels say, from the node outwards.
    fn has_levels(&self, node: Node, levels: &[Level]) -> bool {
        let has = |node: Node, word: TypeId| self.children(node).any(|child| self.type_id(child) == word);
        let holds = |node: Node, held: &Held| {
            let mut alike = self.children(node).filter(|&child| self.type_id(child) == held.type_id);
            alike.any(|child| held.inner.is_none_or(|inner| has(child, inner)))
        };
        let (mut at, mut inner) = (Some(node), None);
        levels.iter().all(|level| {
            let Some(node) = at else { return false };
            let field = inner.map(|inner| self.field(inner));
            (at, inner) = (self.parent(node), Some(node));
            self.type_id(node) == level.type_id
                && (level.field.is_none() || level.field == field)
                && (level.holds.is_empty() || level.holds.iter().any(|word| holds(node, word)))
                && !level.lacks.iter().any(|word| holds(node, word))
        })
    }
}
