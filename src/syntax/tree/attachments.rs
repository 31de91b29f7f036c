//! The logical tree, where it differs from the grammar's: a decorator belongs to its definition.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustc_hash::FxHashMap;

use super::paths::Paths;
use super::{Node, NodeSet, Table, Tree};
use crate::language::Language;

/// The attachments of a table: children of a wrapper that belong to the node inside it.
#[derive(Debug, Default)]
pub struct Attachments {
    adopters: FxHashMap<Node, Node>,
    wrappers: FxHashMap<Node, Node>,
    /// The content of each wrapper whose data has a path to it.
    held: FxHashMap<Node, Node>,
    leaders: FxHashMap<Node, Node>,
    units: OnceLock<Vec<Node>>,
    owners: OnceLock<Vec<Node>>,
    /// For each node the nearest definition that gives its name to what is inside its value; the root if there is none.
    naming: OnceLock<Vec<Node>>,
    /// How many steps were taken for single nodes; after many, the owners of all nodes are computed at once.
    climbed: AtomicUsize,
}

impl Attachments {
    pub(super) fn new(table: &Table, language: &Language) -> Attachments {
        let mut attachments = Attachments::default();
        let rules = &language.spec().held;
        if !rules.is_empty() {
            let paths = Paths { table, language };
            for wrapper in NodeSet::of_types(table.types(), &rules.types()).iter() {
                let Some(path) = rules.of(table.type_id(wrapper)) else { continue };
                let Some(held) = paths.first(wrapper, path) else { continue };
                attachments.wrappers.insert(held, wrapper);
                attachments.held.insert(wrapper, held);
                let others = table.children(wrapper).filter(|&child| child != held);
                attachments.adopters.extend(others.map(|child| (child, held)));
            }
        }
        if !language.spec().leading.is_empty() {
            attachments.adopt_leading(table, language);
        }
        attachments
    }

    /// Attaches the siblings before a definition to it, with attributes and comments in between.
    fn adopt_leading(&mut self, table: &Table, language: &Language) {
        let role = |node: Node| language.role(table.type_id(node));
        let places = table.types().iter().enumerate().filter(|&(_, &found)| language.role(found).leading);
        let mut after = 0;
        let leads = |node: Node| table.fits_any(node, &language.spec().leading);
        for first in places.map(|(index, _)| Node::at(index)) {
            if first.index() < after || self.adopters.contains_key(&first) || !leads(first) {
                continue;
            }
            let mut run = vec![first];
            let mut next = table.next_sibling(first);
            while let Some(node) = next.filter(|&node| leads(node) || role(node).comment) {
                run.push(node);
                next = table.next_sibling(node);
            }
            after = run.last().map_or(0, |&last| table.subtree_end(last));
            if let Some(definition) = next.filter(|&node| table.is_named(node) && !table.is_error(node)) {
                self.leaders.insert(definition, first);
                self.adopters.extend(run.into_iter().map(|node| (node, definition)));
            }
        }
    }

    /// The preceding siblings that are attached to a node, in order.
    pub fn leading<'a>(&self, table: &'a Table, node: Node) -> impl Iterator<Item = Node> + use<'a> {
        let first = if self.leaders.is_empty() { None } else { self.leaders.get(&node).copied() };
        std::iter::successors(first, |&before| table.next_sibling(before)).take_while(move |&before| before < node)
    }

    /// Whether a node is attached to a later sibling.
    pub fn is_leading(&self, node: Node) -> bool {
        let has_leaders = |definition: &Node| self.leaders.contains_key(definition);
        !self.leaders.is_empty() && self.adopters.get(&node).is_some_and(has_leaders)
    }

    /// The wrapper that contains an attached node next to its definition.
    pub fn holding_wrapper(&self, table: &Table, node: Node) -> Option<Node> {
        let adopter = self.adopter(node)?;
        table.parent(node).filter(|&parent| self.adopting_wrapper(adopter) == Some(parent))
    }

    /// Whether nothing is attached, so the logical tree is the grammar's.
    pub fn is_plain(&self) -> bool {
        self.adopters.is_empty()
    }

    /// The content of a wrapper whose data has a path to it.
    pub(super) fn held(&self, wrapper: Node) -> Option<Node> {
        self.held.get(&wrapper).copied()
    }

    /// The definition to which a decorator is attached.
    pub fn adopter(&self, node: Node) -> Option<Node> {
        if self.adopters.is_empty() { None } else { self.adopters.get(&node).copied() }
    }

    /// The wrapper whose other children are attached to `node`.
    pub fn adopting_wrapper(&self, node: Node) -> Option<Node> {
        if self.wrappers.is_empty() { None } else { self.wrappers.get(&node).copied() }
    }

    /// The logical parent: a decorator's is its definition.
    pub fn parent(&self, table: &Table, node: Node) -> Option<Node> {
        self.adopter(node).or_else(|| table.parent(node))
    }

    /// The ancestors up to the root. A decorator's definition and its wrapper are both among them.
    pub fn ancestors<'a>(&'a self, table: &'a Table, node: Node) -> impl Iterator<Item = Node> + 'a {
        std::iter::successors(self.parent(table, node), |&ancestor| self.parent(table, ancestor))
    }

    /// The range of indices that contains everything below `node`, with the end exclusive. Apart from that, it can
    /// contain only `node` itself.
    pub fn extent(&self, table: &Table, node: Node) -> (usize, usize) {
        match self.adopting_wrapper(node) {
            Some(wrapper) => (wrapper.index() + 1, table.subtree_end(wrapper)),
            None => {
                let first = if self.leaders.is_empty() { None } else { self.leaders.get(&node) };
                (first.map_or(node.index() + 1, |first| first.index()), table.subtree_end(node))
            }
        }
    }

    /// For each node, the outermost wrapper around it. Computed for all nodes at once, since chains of wrappers may be
    /// as deep as the tree.
    pub(super) fn units(&self, tree: &Tree) -> &[Node] {
        self.units.get_or_init(|| {
            let mut units: Vec<Node> = tree.table().nodes().collect();
            let wrappers = NodeSet::of_types(tree.table().types(), tree.language().spec().wrappers.ids());
            for wrapper in wrappers.iter() {
                if let Some(inner) = tree.inner(wrapper) {
                    units[inner.index()] = units[wrapper.index()];
                }
            }
            units
        })
    }

    /// The nearest enclosing scope of a node, else the root. A decorator's is its definition.
    pub(super) fn owner(&self, tree: &Tree, node: Node) -> Node {
        if let Some(owners) = self.owners.get() {
            return owners[node.index()];
        }
        let room = tree.table().len() / 4;
        let mut steps = self.climbed.load(Ordering::Relaxed);
        for above in self.ancestors(tree.table(), node) {
            steps += 1;
            if steps > room {
                return self.owners(tree)[node.index()];
            }
            if above == Node::ROOT || tree.is_scope(above) {
                self.climbed.store(steps, Ordering::Relaxed);
                return above;
            }
        }
        Node::ROOT
    }

    /// The nearest definition above a node and below `scope` that gives its name to what is inside its value without
    /// being a scope.
    pub(super) fn naming_holder(&self, tree: &Tree, node: Node, scope: Node) -> Option<Node> {
        let room = tree.table().len() / 4;
        let mut steps = self.climbed.load(Ordering::Relaxed);
        if self.naming.get().is_none() {
            let around = tree.table().ancestors(node).take_while(|&above| above > scope);
            let mut around = around.inspect(|_| steps += 1).take(room);
            let contains = |value: Node| tree.table().is_within(node, value);
            let found = around.find(|&holder| tree.named_value(holder).is_some_and(contains));
            drop(around);
            self.climbed.store(steps, Ordering::Relaxed);
            if steps <= room {
                return found;
            }
        }
        let holder = self.naming(tree)[node.index()];
        (holder > scope).then_some(holder)
    }

    fn naming(&self, tree: &Tree) -> &[Node] {
        self.naming.get_or_init(|| {
            let mut naming: Vec<Node> = Vec::with_capacity(tree.table().len());
            // The definition of each value that comes later in the table.
            let mut holders: FxHashMap<Node, Node> = FxHashMap::default();
            for node in tree.table().nodes() {
                holders.extend(tree.named_value(node).map(|value| (value, node)));
                let above = tree.table().parent(node).map_or(Node::ROOT, |parent| naming[parent.index()]);
                naming.push(holders.get(&node).copied().unwrap_or(above));
            }
            naming
        })
    }

    /// For each node, the nearest enclosing scope, else the root. A decorator's is its definition.
    pub(super) fn owners(&self, tree: &Tree) -> &[Node] {
        self.owners.get_or_init(|| {
            let table = tree.table();
            let mut owners: Vec<Node> = Vec::with_capacity(table.len());
            // The open nodes: where each ends, and the scope of its children.
            let mut open: Vec<(usize, Node)> = Vec::new();
            for node in table.nodes() {
                while open.last().is_some_and(|&(end, _)| end <= node.index()) {
                    open.pop();
                }
                let around = open.last().map_or(Node::ROOT, |&(_, scope)| scope);
                let adopter = self.adopter(node).filter(|&adopter| tree.is_scope(adopter));
                let owner = adopter.unwrap_or(around);
                owners.push(owner);
                let end = table.subtree_end(node);
                if end > node.index() + 1 {
                    open.push((end, if tree.is_scope(node) { node } else { owner }));
                }
            }
            owners
        })
    }
}
