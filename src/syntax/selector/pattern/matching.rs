//! Matching a reading of a pattern against a node.

use std::cell::Cell;

use super::code_pattern::Pattern;
use super::item::Item;
use super::solid;
use crate::language::TypeId;
use crate::tree::{Captured, Node, Tree};

/// The captures of a pattern's names, by their index.
pub(in crate::selector) type Match = Vec<Option<Captured>>;

/// The result of matching.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::selector) enum MatchOutcome {
    No,
    Yes(Match),
    /// Matching would take too long.
    TooLong,
}

/// Matches one node.
struct Matcher<'a> {
    tree: &'a Tree,
    pattern: &'a Pattern,
    /// The remaining budget.
    budget: &'a Cell<u64>,
    bound: Match,
    /// The names bound by this match, in order.
    trail: Vec<usize>,
}

impl Pattern {
    /// Whether a node matches any reading.
    pub fn matches(&self, tree: &Tree, node: Node, budget: &Cell<u64>) -> MatchOutcome {
        let found = (0..self.readings.len()).map(|reading| self.found(reading, tree, node, &[], budget));
        found.into_iter().find(|found| *found != MatchOutcome::No).unwrap_or(MatchOutcome::No)
    }

    /// Matches a node against one reading, with some names already bound.
    pub fn found(
        &self,
        reading: usize,
        tree: &Tree,
        node: Node,
        bound: &[Option<Captured>],
        budget: &Cell<u64>,
    ) -> MatchOutcome {
        let mut known = vec![None; self.names.len()];
        known.iter_mut().zip(bound).for_each(|(known, bound)| *known = *bound);
        let mut matcher = Matcher { tree, pattern: self, budget, bound: known, trail: Vec::new() };
        let item = &self.readings[reading].item;
        // Among nodes that are each other's only child, a hole matches the innermost.
        if matches!(item, Item::Metavar(_)) && !is_innermost(tree, node) {
            return MatchOutcome::No;
        }
        let is_it = matcher.item(item, node, false);
        if budget.get() == 0 {
            return MatchOutcome::TooLong;
        }
        if is_it { MatchOutcome::Yes(matcher.bound) } else { MatchOutcome::No }
    }
}

/// Whether a node has no only child that would match in its place.
fn is_innermost(tree: &Tree, node: Node) -> bool {
    let mut children = tree.named_children(node);
    !(children.next().is_some() && children.next().is_none())
}

impl Matcher<'_> {
    fn item(&mut self, item: &Item, node: Node, in_string: bool) -> bool {
        let (tree, table) = (self.tree, self.tree.table());
        match item {
            Item::Metavar(name) => {
                table.is_named(node) && self.bind(*name, Captured::Node(solid::innermost(tree, node)))
            }
            Item::Ellipsis(name) => self.bind(*name, Captured::Node(node)),
            Item::Leaf { type_id, text, named } => {
                if in_string && table.is_named(node) == *named {
                    let here = tree.node_text(node);
                    if here == *text || solid::unquoted(&here) == solid::unquoted(text) {
                        return true;
                    }
                }
                table.type_id(node) == *type_id && (!named || tree.node_text(node) == *text)
            }
            Item::String { type_id, prefix, content } => {
                self.is_type(*type_id, node)
                    && solid::quoted(tree, node).is_some_and(|found| found.0 == *prefix && found.1 == *content)
            }
            Item::Node { type_id, children, loose, quoted } => {
                if !self.is_type(*type_id, node) {
                    return self.lone_element(*type_id, children, node);
                }
                let mut nodes = solid::children(tree, node);
                let many = children.iter().any(is_many);
                if many {
                    nodes.retain(|&child| !solid::separates(tree, node, child));
                }
                let same = self.sequence(children, &nodes, *quoted) || self.without_hollow(children, &nodes, *quoted);
                same && (many || *quoted || *loose == solid::loose(tree, node))
            }
        }
    }

    /// Matches a node that is the only element of a list and written without the list's own node: `any(x for x in y)`.
    fn lone_element(&mut self, list: TypeId, items: &[Item], node: Node) -> bool {
        let rule = self.tree.language().spec().lists.of(list);
        if !rule.is_some_and(|rule| rule.alone.contains(self.tree.table().type_id(node))) {
            return false;
        }
        let is_element = |item: &&Item| !matches!(item, Item::Leaf { named: false, .. });
        let elements: Vec<Item> = items.iter().filter(is_element).cloned().collect();
        self.sequence(&elements, &[node], false)
    }

    /// Matches items against nodes, where an item that contains only `$$$` may have no node: a body without statements.
    fn without_hollow(&mut self, items: &[Item], nodes: &[Node], in_string: bool) -> bool {
        for (place, item) in items.iter().enumerate() {
            let Item::Node { children, .. } = item else { continue };
            let [Item::Ellipsis(name)] = &children[..] else { continue };
            let rest: Vec<Item> =
                items.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, item)| item.clone()).collect();
            let mark = self.trail.len();
            if self.bind(*name, Captured::Nothing) && self.sequence(&rest, nodes, in_string) {
                return true;
            }
            self.undo(mark);
        }
        false
    }

    /// Whether a node has a type, or one whose strings mean the same.
    fn is_type(&self, type_id: TypeId, node: Node) -> bool {
        let found = self.tree.table().type_id(node);
        found == type_id || solid::types_alike(self.tree.language(), type_id).any(|id| id == found)
    }

    /// Matches items against nodes one to one.
    fn pairs(&mut self, items: &[Item], nodes: &[Node], in_string: bool) -> bool {
        let mark = self.trail.len();
        for (item, &node) in items.iter().zip(nodes) {
            if !self.item(item, node, in_string) {
                self.undo(mark);
                return false;
            }
        }
        true
    }

    /// Matches items, some of which match several nodes, against nodes in order.
    fn sequence(&mut self, items: &[Item], nodes: &[Node], in_string: bool) -> bool {
        let first = items.iter().position(is_many).unwrap_or(items.len());
        let last = items.iter().rposition(is_many).unwrap_or(first);
        if first == items.len() {
            return items.len() == nodes.len() && self.pairs(items, nodes, in_string);
        }
        let behind = items.len() - last - 1;
        if nodes.len() < first + behind {
            return false;
        }
        let mark = self.trail.len();
        let (front, back) = (&nodes[..first], &nodes[nodes.len() - behind..]);
        let found = self.pairs(&items[..first], front, in_string)
            && self.pairs(&items[last + 1..], back, in_string)
            && self.middle(&items[first..=last], &nodes[first..nodes.len() - behind], in_string);
        if !found {
            self.undo(mark);
        }
        found
    }

    /// Matches the items from the first `$$$` to the last. What is between two of them matches at its first occurrence.
    /// Later ones are tried only if a name occurs twice.
    fn middle(&mut self, items: &[Item], nodes: &[Node], in_string: bool) -> bool {
        let [many, rest @ ..] = items else { return nodes.is_empty() };
        let Item::Ellipsis(name) = many else { return false };
        if rest.is_empty() {
            return self.bind(*name, run(nodes));
        }
        let next = rest.iter().position(is_many).unwrap_or(rest.len());
        let (between, after) = rest.split_at(next);
        let mark = self.trail.len();
        for start in 0..=nodes.len().saturating_sub(between.len()) {
            self.budget.set(self.budget.get().saturating_sub(1));
            if self.budget.get() == 0 || nodes.len() < start + between.len() {
                return false;
            }
            let bound = self.bind(*name, run(&nodes[..start]));
            if bound && self.pairs(between, &nodes[start..start + between.len()], in_string) {
                if self.middle(after, &nodes[start + between.len()..], in_string) {
                    return true;
                }
                if self.pattern.linear {
                    self.undo(mark);
                    return false;
                }
            }
            self.undo(mark);
        }
        false
    }

    /// Binds a name to some code, or checks that it is bound to the same code.
    fn bind(&mut self, name: Option<usize>, captured: Captured) -> bool {
        let Some(name) = name else { return true };
        match self.bound[name] {
            Some(known) => solid::same_code(self.tree, known, captured, self.budget),
            None => {
                self.bound[name] = Some(captured);
                self.trail.push(name);
                true
            }
        }
    }

    fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let name = self.trail.pop().expect("the trail is longer than the mark");
            self.bound[name] = None;
        }
    }
}

fn is_many(item: &Item) -> bool {
    matches!(item, Item::Ellipsis(_))
}

/// Consecutive nodes as a capture.
fn run(nodes: &[Node]) -> Captured {
    match nodes {
        [] => Captured::Nothing,
        [first, .., last] => Captured::between(*first, *last),
        [only] => Captured::Node(*only),
    }
}
