//! The parts of a definition by which it is compared with its previous version: its parameters, its body, its
//! decorators.
//!
//! A part is compared by its tokens and their nesting, not by whitespace. A nested definition belongs only to itself,
//! so a class does not change when one of its methods does.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

use crate::outline::Definition;
use crate::tree::{Node, Tree};

/// The definitions of a tree, with how they nest.
pub(super) struct Side<'a> {
    pub tree: &'a Tree,
    pub definitions: &'a [Definition],
    /// The index range of each, with decorators and wrappers.
    extents: Vec<(usize, usize)>,
    /// The enclosing definition of each.
    parents: Vec<Option<usize>>,
    /// For each index, the definitions that begin there, outermost first.
    starts: FxHashMap<usize, Vec<usize>>,
}

/// A part of a definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// The field, or the type if it has no field.
    pub name: String,
    /// A hash of its content.
    pub digest: u64,
}

impl<'a> Side<'a> {
    pub fn new(tree: &'a Tree, definitions: &'a [Definition]) -> Side<'a> {
        let table = tree.table();
        let extent = |definition: &Definition| {
            let unit = tree.outermost_wrapper(definition.node);
            let first = tree.attachments().leading(table, unit).next().unwrap_or(unit);
            (first.index(), table.subtree_end(unit))
        };
        let extents: Vec<(usize, usize)> = definitions.iter().map(extent).collect();
        let mut order: Vec<usize> = (0..extents.len()).collect();
        order.sort_by_key(|&index| (extents[index].0, usize::MAX - extents[index].1));
        let mut parents = vec![None; extents.len()];
        let mut starts: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        let mut around: Vec<usize> = Vec::new();
        for index in order {
            let (start, end) = extents[index];
            while around.last().is_some_and(|&last| extents[last].1 <= start) {
                around.pop();
            }
            // Two definitions bound by one statement are not inside each other.
            parents[index] = around.iter().rev().copied().find(|&outer| extents[outer] != (start, end));
            starts.entry(start).or_default().push(index);
            around.push(index);
        }
        Side { tree, definitions, extents, parents, starts }
    }

    /// The node with an index.
    fn node_at(&self, place: usize) -> Node {
        self.tree.table().range(place, place + 1).next().expect("the range has one place")
    }

    /// The enclosing definition.
    pub fn parent(&self, index: usize) -> Option<usize> {
        self.parents[index]
    }

    /// The bytes of a definition with its decorators.
    pub fn bytes(&self, index: usize) -> (usize, usize) {
        let (start, end) = self.extents[index];
        let table = self.tree.table();
        let unit = self.tree.outermost_wrapper(self.definitions[index].node);
        debug_assert!(end <= table.len());
        (table.span(self.node_at(start)).start(), table.span(unit).end())
    }

    /// The bytes of the listed definitions inside a definition.
    pub fn inner_bytes(&self, index: usize) -> Vec<(usize, usize)> {
        (index + 1..self.definitions.len())
            .take_while(|&inner| self.extents[inner].0 < self.extents[index].1)
            .filter(|&inner| self.parents[inner] == Some(index))
            .map(|inner| self.bytes(inner))
            .collect()
    }

    /// The parts of a definition, in order, except its own name. Parts with the same name are combined.
    pub fn parts(&self, index: usize) -> Vec<Part> {
        let (tree, table) = (self.tree, self.tree.table());
        let node = self.definitions[index].node;
        let name = tree.name_node(node);
        let (start, end) = self.extents[index];
        let mut hashers: Vec<(String, FxHasher)> = Vec::new();
        let mut place = start;
        while place < end {
            let at = self.node_at(place);
            let holds = at < node && table.is_within(node, at);
            if holds || at == node && table.subtree_end(node) > place + 1 {
                place += 1;
                continue;
            }
            let part = self.part_name(at, node);
            let known = hashers.iter().position(|(known, _)| *known == part);
            let known = known.unwrap_or_else(|| {
                hashers.push((part, FxHasher::default()));
                hashers.len() - 1
            });
            let is_empty = !self.feed(at, index, name, &mut hashers[known].1);
            if is_empty && hashers[known].1.finish() == FxHasher::default().finish() {
                hashers.remove(known);
            }
            place = table.subtree_end(at);
        }
        hashers.into_iter().map(|(name, hasher)| Part { name, digest: hasher.finish() }).collect()
    }

    /// The name of a part: its field in the definition, else its type.
    fn part_name(&self, part: Node, definition: Node) -> String {
        let is_own = self.tree.table().parent(part) == Some(definition);
        let field = if is_own { self.tree.field_name(part) } else { "" };
        if field.is_empty() { self.tree.type_name(part).to_owned() } else { field.to_owned() }
    }

    /// Adds the content of a part to a hasher; returns whether there is any.
    fn feed(&self, part: Node, index: usize, name: Option<Node>, hasher: &mut FxHasher) -> bool {
        let (tree, table) = (self.tree, self.tree.table());
        let (mut place, end) = (part.index(), table.subtree_end(part));
        let mut at = tree.span(part).start();
        let mut around: Vec<usize> = Vec::new();
        let mut said = false;
        let mut say = |text: &str, depth: usize, hasher: &mut FxHasher| {
            let text = text.trim();
            if !matches!(text, "" | "," | ";") {
                hasher.write(text.as_bytes());
                hasher.write_usize(depth);
                said = true;
            }
        };
        while place < end {
            let node = self.node_at(place);
            while around.last().is_some_and(|&last| last <= place) {
                around.pop();
            }
            let span = tree.span(node);
            let nested = self.nested_end(place, index);
            let leaf_end = table.subtree_end(node);
            if nested.is_none() && Some(node) != name && leaf_end > place + 1 {
                around.push(leaf_end);
                place += 1;
                continue;
            }
            if span.start() > at {
                say(&tree.text().slice(crate::Span::new(at, span.start())), around.len(), hasher);
            }
            place = nested.unwrap_or(leaf_end);
            at = at.max(span.end());
            match nested {
                // Its last descendant ends where it ends.
                Some(end) => at = at.max(tree.span(self.node_at(end - 1)).end()),
                None if Some(node) == name => {}
                None => {
                    hasher.write_u16(table.type_id(node));
                    hasher.write_u8(u8::from(table.is_missing(node)));
                    // Whitespace and commas matter if they are the content of a node: in a string.
                    if table.is_named(node) {
                        hasher.write(tree.node_text(node).as_bytes());
                    }
                    say(&tree.node_text(node), around.len(), hasher);
                }
            }
        }
        let last = tree.span(part).end();
        if last > at {
            say(&tree.text().slice(crate::Span::new(at, last)), around.len(), hasher);
        }
        said
    }

    /// The end of a nested definition that begins at an index.
    fn nested_end(&self, place: usize, outer: usize) -> Option<usize> {
        let starting = self.starts.get(&place)?;
        let (start, end) = self.extents[outer];
        let ends = starting
            .iter()
            .map(|&inner| self.extents[inner])
            .filter(|&extent| extent != (start, end) && extent.0 >= start && extent.1 <= end);
        ends.map(|(_, end)| end).max()
    }
}
