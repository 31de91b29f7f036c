//! Positions among siblings, computed once for a whole tree.

use rustc_hash::FxHashMap;

use crate::language::TypeId;
use crate::tree::{Node, NodeSet, Tree};

/// The position of every unit among its named siblings, without comments.
#[derive(Debug)]
pub(super) struct Places {
    places: Vec<u32>,
    counts: Vec<u32>,
}

const NO_PLACE: u32 = u32::MAX;

impl Places {
    pub fn new(tree: &Tree) -> Places {
        Places::among(tree, |_| true)
    }

    /// Counts only units for which `counts` is true.
    pub fn among(tree: &Tree, counts: impl Fn(Node) -> bool) -> Places {
        let table = tree.table();
        let mut places = Places { places: vec![NO_PLACE; table.len()], counts: vec![0; table.len()] };
        for node in table.nodes() {
            let Some(parent) = table.parent(node) else { continue };
            if is_place(tree, parent, node) && counts(node) {
                places.places[node.index()] = places.counts[parent.index()];
                places.counts[parent.index()] += 1;
            }
        }
        places
    }

    /// Counts only units that contain a node of the set.
    pub fn of(tree: &Tree, set: &NodeSet) -> Places {
        let mut units = NodeSet::empty(tree.table().len());
        set.iter().for_each(|node| units.insert(tree.outermost_wrapper(node)));
        Places::among(tree, |node| units.contains(node))
    }

    /// The position of a node's unit, from 0; `None` for the root, comments and tokens.
    pub fn place(&self, tree: &Tree, node: Node) -> Option<usize> {
        let place = self.places[tree.outermost_wrapper(node).index()];
        (place != NO_PLACE).then_some(place as usize)
    }

    /// The number of siblings, including itself.
    pub fn count(&self, tree: &Tree, node: Node) -> usize {
        let parent = tree.table().parent(tree.outermost_wrapper(node));
        parent.map_or(0, |parent| self.counts[parent.index()] as usize)
    }
}

/// The position of every unit, and of the node inside it, among its siblings of the same type: a decorated function
/// counts among functions, its wrapper among wrappers.
#[derive(Debug)]
pub(super) struct TypePlaces {
    places: Vec<u32>,
    counts: FxHashMap<(Node, TypeId), u32>,
}

impl TypePlaces {
    pub fn new(tree: &Tree) -> TypePlaces {
        let table = tree.table();
        let mut places = TypePlaces { places: vec![NO_PLACE; table.len()], counts: FxHashMap::default() };
        let mut seen: Vec<TypeId> = Vec::new();
        for unit in table.nodes() {
            let Some(parent) = table.parent(unit).filter(|&parent| is_place(tree, parent, unit)) else { continue };
            seen.clear();
            for node in std::iter::successors(Some(unit), |&node| tree.inner(node)) {
                let type_id = table.type_id(node);
                let count = places.counts.entry((parent, type_id)).or_default();
                // Nested wrappers of the same type count as one.
                if !seen.contains(&type_id) {
                    *count += 1;
                    seen.push(type_id);
                }
                places.places[node.index()] = *count - 1;
            }
        }
        places
    }

    /// The position of a node among its siblings of its type, from 0, and how many there are.
    pub fn place(&self, tree: &Tree, node: Node) -> Option<(usize, usize)> {
        let place = self.places[node.index()];
        let parent = tree.table().parent(tree.outermost_wrapper(node))?;
        let count = self.counts.get(&(parent, tree.table().type_id(node)))?;
        (place != NO_PLACE).then_some((place as usize, *count as usize))
    }
}

/// Whether a child has a position among its siblings. Comments do not, nor does the content of a wrapper, nor do
/// attributes before a definition.
fn is_place(tree: &Tree, parent: Node, node: Node) -> bool {
    let is_unit = tree.table().is_named(node) && !tree.is_comment(node) && tree.inner(parent) != Some(node);
    is_unit && !tree.attachments().is_leading(node)
}
