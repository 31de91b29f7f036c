//! Pairs of names for which one is enough if both are the same: `x: x` or `x`.

use super::Scopes;
use crate::text::Span;
use crate::tree::Node;

/// Such a pair: `x: ref y`.
#[derive(Debug, Clone, Copy)]
pub struct Pair {
    /// The first name.
    pub first: Node,
    /// All that follows it.
    pub value: Node,
    /// The second name.
    pub second: Node,
}

impl Pair {
    /// The other one of its names.
    pub fn other(&self, name: Node) -> Node {
        if name == self.first { self.second } else { self.first }
    }
}

impl Scopes<'_> {
    /// The pair around a name for which one name is enough if both are the same: `x: y`.
    pub fn pair(&self, name: Node) -> Option<Pair> {
        let table = self.tree.table();
        let is_pattern = |node: Node| self.fits(node, &self.rules.patterns).is_some();
        let key = |holder: Node| table.children(holder).find(|&child| self.fits(child, &self.rules.longhand).is_some());
        let mut holder = table.parent(name)?;
        // Words before the second name belong to its variable: `x: ref y`.
        while key(holder).is_none() && is_pattern(holder) {
            holder = table.parent(holder)?;
        }
        let first = key(holder)?;
        let value = table.last_child(holder).filter(|&last| last != first)?;
        let mut second = value;
        while !self.is_identifier(second) {
            second = table.last_child(second).filter(|_| is_pattern(second))?;
        }
        let between = Span::new(self.tree.span(first).end(), self.tree.span(second).start());
        let is_plain =
            self.tree.text().slice(between).chars().all(|letter| letter.is_alphabetic() || " :".contains(letter));
        let is_its = self.is_identifier(first) && (name == first || name == second);
        (is_plain && is_its).then_some(Pair { first, value, second })
    }

    /// Whether a file writes one name where two that are the same would be enough.
    pub fn writes_one_name(&self) -> bool {
        let table = self.tree.table();
        let signs = &self.rules.longhand_signs;
        let has_sign = || table.nodes().any(|node| signs.contains(table.type_id(node)));
        let is_twice = |node: Node| {
            let pair = self.fits(node, &self.rules.longhand).and_then(|_| self.pair(node));
            pair.is_some_and(|pair| self.tree.node_text(pair.first) == self.tree.node_text(pair.second))
        };
        (signs.is_empty() || has_sign()) && !table.nodes().any(is_twice)
    }
}
