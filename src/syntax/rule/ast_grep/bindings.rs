//! Metavariables and the nodes that they are bound to.

use crate::tree::{Captured, Node, Tree};

/// The nodes that a metavariable is bound to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Bound {
    One(Node),
    Many(Vec<Node>),
}

/// The metavariables that are bound, in the order in which that happened.
#[derive(Debug, Clone, Default)]
pub(super) struct Env {
    bound: Vec<(String, Bound)>,
}

impl Env {
    /// Where to go back to.
    pub fn mark(&self) -> usize {
        self.bound.len()
    }

    /// Forgets what was bound after a mark.
    pub fn back_to(&mut self, mark: usize) {
        self.bound.truncate(mark);
    }

    /// The node that a name is bound to.
    pub fn one(&self, name: &str) -> Option<Node> {
        self.bound.iter().find_map(|(known, bound)| match bound {
            Bound::One(node) if known == name => Some(*node),
            _ => None,
        })
    }

    /// The siblings that a name is bound to.
    pub fn many(&self, name: &str) -> &[Node] {
        let found = self.bound.iter().find_map(|(known, bound)| match bound {
            Bound::Many(nodes) if known == name => Some(nodes.as_slice()),
            _ => None,
        });
        found.unwrap_or_default()
    }

    /// The nodes that a name is bound to, alone or as siblings.
    pub fn nodes(&self, name: &str) -> Vec<Node> {
        self.one(name).map_or_else(|| self.many(name).to_vec(), |node| vec![node])
    }

    /// Takes over what others have bound to some names. False if a name means other code here.
    pub fn take_from(&mut self, other: &Env, names: &[String], tree: &Tree) -> bool {
        names.iter().all(|name| match (other.one(name), other.many(name)) {
            (Some(node), _) => self.bind(name, node, tree),
            (None, []) => true,
            (None, nodes) => self.bind_many(name, nodes.to_vec(), tree),
        })
    }

    /// Binds a name to a node. A name that is bound must mean the same code.
    pub fn bind(&mut self, name: &str, node: Node, tree: &Tree) -> bool {
        match self.one(name) {
            Some(known) => is_same(tree, known, node),
            None => {
                self.bound.push((name.to_owned(), Bound::One(node)));
                true
            }
        }
    }

    /// Binds a name to siblings. A name that is bound must mean the same named nodes.
    pub fn bind_many(&mut self, name: &str, nodes: Vec<Node>, tree: &Tree) -> bool {
        let known = self.bound.iter().find_map(|(known, bound)| match bound {
            Bound::Many(nodes) if known == name => Some(nodes),
            _ => None,
        });
        let Some(known) = known else {
            self.bound.push((name.to_owned(), Bound::Many(nodes)));
            return true;
        };
        let named =
            |nodes: &[Node]| nodes.iter().copied().filter(|&node| tree.table().is_named(node)).collect::<Vec<_>>();
        let (known, nodes) = (named(known), named(&nodes));
        known.len() == nodes.len() && known.iter().zip(&nodes).all(|(one, other)| is_same(tree, *one, *other))
    }

    /// As the captures of a match.
    pub fn captures(&self) -> Vec<(String, Captured)> {
        let capture = |bound: &Bound| match bound {
            Bound::One(node) => Captured::Node(*node),
            Bound::Many(nodes) => match (nodes.first(), nodes.last()) {
                (Some(first), Some(last)) => Captured::Siblings { first: *first, last: *last },
                _ => Captured::Nothing,
            },
        };
        self.bound.iter().map(|(name, bound)| (name.clone(), capture(bound))).collect()
    }

    /// The metavariables of a match, from its captures.
    pub fn of_captures(tree: &Tree, captures: &[(String, Captured)]) -> Env {
        let bound = |captured: Captured| match captured {
            Captured::Node(node) => Bound::One(node),
            Captured::Siblings { first, last } => {
                let table = tree.table();
                let siblings = std::iter::successors(Some(first), |&node| table.next_sibling(node));
                Bound::Many(siblings.take_while(|&node| node <= last).collect())
            }
            Captured::Nothing => Bound::Many(Vec::new()),
        };
        Env { bound: captures.iter().map(|(name, captured)| (name.clone(), bound(*captured))).collect() }
    }
}

/// Whether two nodes have the same leaves in the same structure; a node without named children is compared by its text alone.
fn is_same(tree: &Tree, one: Node, other: Node) -> bool {
    let table = tree.table();
    let mut open = vec![(one, other)];
    while let Some((one, other)) = open.pop() {
        if one == other {
            continue;
        }
        let is_leaf = |node: Node| !table.children(node).any(|child| table.is_named(child));
        if is_leaf(one) || is_leaf(other) {
            if tree.node_text(one) != tree.node_text(other) {
                return false;
            }
            continue;
        }
        let children = |node: Node| table.children(node).collect::<Vec<Node>>();
        let (left, right) = (children(one), children(other));
        if table.type_id(one) != table.type_id(other) || left.len() != right.len() {
            return false;
        }
        open.extend(left.into_iter().zip(right));
    }
    true
}
