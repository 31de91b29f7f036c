//! The axes of a tree as maps between sets of nodes.
//!
//! `along` maps the nodes of one step to those of the next, `against` maps back, and `pick` picks one node for each
//! context. All are linear in the nodes of the tree: a set is propagated down or up once, never followed path by path.

use rustc_hash::FxHashMap;

use super::relation::{Pick, Relation, Way};
use crate::tree::{Logical, Node, NodeSet, Table, Tree};

/// The tree, for evaluating axes.
pub(super) struct Space<'t> {
    tree: &'t Tree,
    table: &'t Table,
    logical: &'t Logical,
}

/// The contexts, each with its picked node.
pub(super) type Picks = Vec<(Node, Node)>;

impl<'t> Space<'t> {
    pub fn new(tree: &'t Tree) -> Space<'t> {
        Space { tree, table: tree.table(), logical: tree.logical() }
    }

    fn empty(&self) -> NodeSet {
        NodeSet::empty(self.table.len())
    }

    /// Whether a path from an ancestor to a descendant may lead through `node`.
    fn passes(&self, relation: Relation, node: Node) -> bool {
        match relation.way {
            Way::Child | Way::Parent => self.tree.is_transparent(node),
            Way::Descendant => !relation.own || !self.tree.is_scope(node),
            _ => true,
        }
    }

    /// Those of `candidates` that are reachable along the axis from a node of `from`.
    pub fn along(&self, relation: Relation, from: &NodeSet, mut candidates: NodeSet) -> NodeSet {
        match relation.way {
            Way::Itself => candidates.intersect_with(from),
            Way::Descendant if !relation.own => candidates.intersect_with(&self.below(from)),
            Way::Descendant | Way::Child => candidates.intersect_with(&self.spread(relation, from)),
            Way::RawChild => {
                candidates.retain(|node| self.table.parent(node).is_some_and(|parent| from.contains(parent)))
            }
            Way::Next | Way::Later | Way::Earlier => candidates.intersect_with(&self.beside(relation, from)),
            Way::Parent | Way::Ancestor => candidates.intersect_with(&self.climb(relation, from)),
        }
        candidates
    }

    /// The nodes from which a node of `to` is reachable along the axis.
    pub fn against(&self, relation: Relation, to: &NodeSet) -> NodeSet {
        match relation.way {
            Way::Itself => to.clone(),
            Way::Descendant | Way::Child => self.climb(relation, to),
            Way::RawChild => {
                let mut parents = self.empty();
                to.iter().filter_map(|node| self.table.parent(node)).for_each(|parent| parents.insert(parent));
                parents
            }
            Way::Next => self.beside_back(relation, to, true),
            Way::Later => self.beside_back(relation, to, false),
            Way::Earlier => self.beside(Relation { way: Way::Later, ..relation }, to),
            Way::Parent => self.spread(relation, to),
            Way::Ancestor => self.below(to),
        }
    }

    /// All descendants of the nodes in the set.
    fn below(&self, from: &NodeSet) -> NodeSet {
        let mut below = self.empty();
        let mut covered = 0;
        for node in from.iter() {
            if node.index() < covered {
                continue;
            }
            let (start, end) = self.logical.extent(self.table, node);
            let was_below = below.contains(node);
            below.insert_range(start, end);
            if !was_below && start <= node.index() {
                below.remove(node);
            }
            covered = end;
        }
        below
    }

    /// All descendants of the nodes in the set that are reachable.
    fn spread(&self, relation: Relation, from: &NodeSet) -> NodeSet {
        let mut reached = self.empty();
        let hit = |reached: &NodeSet, parent: Node| {
            from.contains(parent) || (reached.contains(parent) && self.passes(relation, parent))
        };
        for node in self.table.nodes() {
            let Some(raw) = self.table.parent(node) else { continue };
            let found = match self.logical.adopter(node) {
                // The adopting node comes later in the table, so its own state is computed here.
                Some(adopter) => {
                    let through = hit(&reached, raw) && self.passes(relation, adopter);
                    let wrapper = self.logical.adopting_wrapper(adopter) == Some(raw);
                    from.contains(adopter) || wrapper && from.contains(raw) || through
                }
                None => hit(&reached, raw),
            };
            if found {
                reached.insert(node);
            }
        }
        reached
    }

    /// All ancestors of the nodes in the set from which these are reachable.
    fn climb(&self, relation: Relation, from: &NodeSet) -> NodeSet {
        let (mut reached, mut walked) = (self.empty(), self.empty());
        for node in from.iter() {
            if let Some(wrapper) = self.logical.holding_wrapper(self.table, node) {
                reached.insert(wrapper);
            }
            for above in self.logical.ancestors(self.table, node) {
                reached.insert(above);
                if !self.passes(relation, above) || walked.contains(above) {
                    break;
                }
                walked.insert(above);
            }
        }
        reached
    }

    /// The siblings among the children of a node. The content of a wrapper is not one; its position is the wrapper's.
    fn siblings(&self, relation: Relation, parent: Node) -> impl DoubleEndedIterator<Item = Node> + use<> {
        let held = self.tree.held(parent);
        let counts = |&child: &Node| {
            (relation.tokens || self.table.is_named(child)) && held != Some(child) && !self.logical.is_leading(child)
        };
        let children: Vec<Node> = self.table.children(parent).filter(counts).collect();
        children.into_iter()
    }

    /// The next sibling of a unit.
    fn next_unit(&self, relation: Relation, unit: Node) -> Option<Node> {
        let held = self.table.parent(unit).and_then(|parent| self.tree.held(parent));
        let mut siblings = std::iter::successors(self.table.next_sibling(unit), |&next| self.table.next_sibling(next));
        siblings.find(|&next| {
            (relation.tokens || self.table.is_named(next))
                && held != Some(next)
                && !self.logical.is_leading(next)
                && !self.is_skipped(relation, next)
        })
    }

    fn is_skipped(&self, relation: Relation, sibling: Node) -> bool {
        !relation.comments && self.tree.is_comment(sibling)
    }

    /// The outermost wrappers of a set's nodes, by parent.
    fn units(&self, from: &NodeSet) -> (NodeSet, NodeSet) {
        let (mut units, mut parents) = (self.empty(), self.empty());
        for node in from.iter() {
            let unit = self.tree.unit(node);
            if let Some(parent) = self.table.parent(unit) {
                units.insert(unit);
                parents.insert(parent);
            }
        }
        (units, parents)
    }

    /// Adds a unit and everything that its wrappers contain.
    fn insert_held(&self, set: &mut NodeSet, unit: Node) {
        let mut node = unit;
        set.insert(node);
        while let Some(held) = self.tree.held(node) {
            set.insert(held);
            node = held;
        }
    }

    /// The siblings after (or before) those of the set: the next one, or all.
    fn beside(&self, relation: Relation, from: &NodeSet) -> NodeSet {
        let (units, parents) = self.units(from);
        let mut found = self.empty();
        for parent in parents.iter() {
            let siblings = self.siblings(relation, parent);
            match relation.way {
                Way::Earlier => self.sweep(relation, siblings.rev(), &units, false, &mut found),
                way => self.sweep(relation, siblings, &units, way == Way::Next, &mut found),
            }
        }
        found
    }

    /// The siblings whose next sibling, or any later one, is in the set.
    fn beside_back(&self, relation: Relation, to: &NodeSet, next: bool) -> NodeSet {
        let (units, parents) = self.units(to);
        let mut found = self.empty();
        for parent in parents.iter() {
            let siblings = self.siblings(relation, parent);
            self.sweep(relation, siblings.rev(), &units, next, &mut found);
        }
        found
    }

    /// Iterates over siblings and collects what comes after a unit: only the next one, or all.
    fn sweep(
        &self,
        relation: Relation,
        siblings: impl Iterator<Item = Node>,
        units: &NodeSet,
        next: bool,
        found: &mut NodeSet,
    ) {
        let mut after = false;
        for sibling in siblings {
            if after && (!self.is_skipped(relation, sibling) || !next) {
                self.insert_held(found, sibling);
            }
            if next && !self.is_skipped(relation, sibling) {
                after = false;
            }
            after |= units.contains(sibling);
        }
    }

    /// The nearest ancestor through which no path may lead. Nodes with the same one are reached from the same contexts.
    fn stop_above(&self, relation: Relation, node: Node, known: &mut FxHashMap<Node, Option<Node>>) -> Option<Node> {
        let mut path = Vec::new();
        let mut current = node;
        let stop = loop {
            if let Some(stop) = known.get(&current) {
                break *stop;
            }
            path.push(current);
            match self.logical.parent(self.table, current) {
                None => break None,
                Some(parent) if !self.passes(relation, parent) => break Some(parent),
                Some(parent) => current = parent,
            }
        };
        known.extend(path.into_iter().map(|node| (node, stop)));
        stop
    }

    /// For each context, the node picked among its `candidates`.
    pub fn pick(&self, relation: Relation, contexts: &NodeSet, candidates: &NodeSet, pick: Pick) -> Picks {
        match relation.way {
            Way::Itself => {
                let both = contexts.iter().filter(|&context| candidates.contains(context) && pick.place(1).is_some());
                both.map(|context| (context, context)).collect()
            }
            Way::Descendant | Way::Child | Way::RawChild => self.pick_below(relation, contexts, candidates, pick),
            Way::Next | Way::Later | Way::Earlier => self.pick_beside(relation, contexts, candidates, pick),
            Way::Parent | Way::Ancestor => self.pick_above(relation, contexts, candidates, pick),
        }
    }

    fn pick_below(&self, relation: Relation, contexts: &NodeSet, candidates: &NodeSet, pick: Pick) -> Picks {
        // Candidates in document order, grouped by the nearest ancestor that blocks the path to them.
        let mut known = FxHashMap::default();
        let mut groups: FxHashMap<Option<Node>, Vec<Node>> = FxHashMap::default();
        let everything = relation.way == Way::Descendant && !relation.own;
        for node in candidates.iter() {
            let group = match relation.way {
                Way::RawChild => self.table.parent(node),
                _ if everything => None,
                _ => self.stop_above(relation, node, &mut known),
            };
            groups.entry(group).or_default().push(node);
        }
        let mut picks = Picks::new();
        for context in contexts.iter() {
            let (start, end) = self.logical.extent(self.table, context);
            // What a wrapper contains next to its definition is below the definition, and yet a child of the wrapper.
            let held = if relation.way == Way::Child { self.tree.held(context) } else { None };
            if held.is_some_and(|held| self.logical.adopting_wrapper(held) == Some(context)) {
                let nodes = candidates.iter_range(start, end).filter(|&node| self.holds(relation, context, node));
                let nodes: Vec<Node> = nodes.collect();
                picks.extend(pick.place(nodes.len()).map(|place| (context, nodes[place])));
                continue;
            }
            let closes = relation.way == Way::RawChild || (!everything && !self.passes(relation, context));
            let group = match (closes, everything) {
                (true, _) => Some(context),
                (false, true) => None,
                (false, false) => self.stop_above(relation, context, &mut known),
            };
            let Some(nodes) = groups.get(&group) else { continue };
            let first = nodes.partition_point(|node| node.index() < start);
            let last = nodes.partition_point(|node| node.index() < end);
            let nodes = &nodes[first..last];
            match nodes.binary_search(&context) {
                Ok(own) => {
                    let place = pick.place(nodes.len() - 1).map(|place| if place >= own { place + 1 } else { place });
                    picks.extend(place.map(|place| (context, nodes[place])));
                }
                Err(_) => picks.extend(pick.place(nodes.len()).map(|place| (context, nodes[place]))),
            }
        }
        picks
    }

    fn pick_beside(&self, relation: Relation, contexts: &NodeSet, candidates: &NodeSet, pick: Pick) -> Picks {
        let mut groups: FxHashMap<Node, Vec<Node>> = FxHashMap::default();
        for node in candidates.iter() {
            if let Some(parent) = self.table.parent(self.tree.unit(node)) {
                groups.entry(parent).or_default().push(node);
            }
        }
        let mut picks = Picks::new();
        for context in contexts.iter() {
            let unit = self.tree.unit(context);
            if self.logical.is_leading(unit) {
                continue;
            }
            let Some(parent) = self.table.parent(unit) else { continue };
            let Some(nodes) = groups.get(&parent) else { continue };
            let nodes = match relation.way {
                Way::Earlier => &nodes[..nodes.partition_point(|&node| node < unit)],
                _ => &nodes[nodes.partition_point(|node| node.index() < self.table.subtree_end(unit))..],
            };
            if relation.way == Way::Next {
                let next = self.next_unit(relation, unit);
                let of_next = |&node: &Node| Some(self.tree.unit(node)) == next;
                let nodes: Vec<Node> = nodes.iter().copied().take_while(of_next).collect();
                picks.extend(pick.place(nodes.len()).map(|place| (context, nodes[place])));
            } else {
                picks.extend(pick.place(nodes.len()).map(|place| (context, nodes[place])));
            }
        }
        picks
    }

    fn pick_above(&self, relation: Relation, contexts: &NodeSet, candidates: &NodeSet, pick: Pick) -> Picks {
        let outermost = match pick {
            Pick::First | Pick::Nth(0) => true,
            Pick::Last | Pick::Nth(-1) => false,
            Pick::Nth(_) => return self.pick_nth_above(relation, contexts, candidates, pick),
        };
        // The pick of a node follows from the pick of its parent.
        let mut picked: Vec<Option<Node>> = vec![None; self.table.len()];
        let from_parent = |picked: &[Option<Node>], parent: Node| {
            let own = Some(parent).filter(|&parent| candidates.contains(parent));
            let above = picked[parent.index()].filter(|_| self.passes(relation, parent));
            if outermost { above.or(own) } else { own.or(above) }
        };
        for node in self.table.nodes() {
            let Some(parent) = self.table.parent(node) else { continue };
            picked[node.index()] = match self.logical.adopter(node) {
                Some(adopter) => {
                    // The adopting node comes later in the table, so its pick is computed here.
                    picked[adopter.index()] = from_parent(&picked, parent);
                    // The wrapper is its parent, too, and comes before the adopting node.
                    let wrapper = Some(parent).filter(|&wrapper| candidates.contains(wrapper));
                    let found = from_parent(&picked, adopter);
                    if outermost && relation.way == Way::Parent { wrapper.or(found) } else { found.or(wrapper) }
                }
                None => from_parent(&picked, parent),
            };
        }
        contexts.iter().filter_map(|context| Some((context, picked[context.index()]?))).collect()
    }

    fn pick_nth_above(&self, relation: Relation, contexts: &NodeSet, candidates: &NodeSet, pick: Pick) -> Picks {
        let mut picks = Picks::new();
        for context in contexts.iter() {
            let mut nodes = Vec::new();
            for above in self.logical.ancestors(self.table, context) {
                if candidates.contains(above) {
                    nodes.push(above);
                }
                if !self.passes(relation, above) {
                    break;
                }
            }
            let wrapper = self.logical.holding_wrapper(self.table, context);
            nodes.extend(wrapper.filter(|&wrapper| candidates.contains(wrapper)));
            nodes.sort();
            nodes.dedup();
            picks.extend(pick.place(nodes.len()).map(|place| (context, nodes[place])));
        }
        picks
    }

    /// Whether `node` is reachable from `context` along the axis.
    pub fn holds(&self, relation: Relation, context: Node, node: Node) -> bool {
        let climbs = |lower: Node, upper: Node| {
            if self.logical.holding_wrapper(self.table, lower) == Some(upper) {
                return true;
            }
            for above in self.logical.ancestors(self.table, lower) {
                if above == upper {
                    return true;
                }
                if !self.passes(relation, above) {
                    return false;
                }
            }
            false
        };
        match relation.way {
            Way::Itself => context == node,
            Way::Descendant | Way::Child => climbs(node, context),
            Way::RawChild => self.table.parent(node) == Some(context),
            Way::Parent | Way::Ancestor => climbs(context, node),
            Way::Next => {
                let context = self.tree.unit(context);
                !self.logical.is_leading(context) && self.next_unit(relation, context) == Some(self.tree.unit(node))
            }
            Way::Later | Way::Earlier => {
                let (context, node) = (self.tree.unit(context), self.tree.unit(node));
                if self.logical.is_leading(context) || self.logical.is_leading(node) {
                    return false;
                }
                let (first, second) = if relation.way == Way::Later { (context, node) } else { (node, context) };
                self.table.parent(first) == self.table.parent(second) && first < second
            }
        }
    }

    /// How many nodes of `found` each node reaches; `None` for axes that are just as well followed from each node.
    pub fn counts(&self, relation: Relation, found: &NodeSet) -> Option<Vec<u32>> {
        let mut counts = vec![0; self.table.len()];
        match relation.way {
            Way::Itself => found.iter().for_each(|node| counts[node.index()] = 1),
            Way::Descendant if !relation.own => {
                let mut before = Vec::with_capacity(self.table.len() + 1);
                before.push(0);
                for node in self.table.nodes() {
                    before.push(before[node.index()] + u32::from(found.contains(node)));
                }
                for node in self.table.nodes() {
                    let (start, end) = self.logical.extent(self.table, node);
                    let own = u32::from((start..end).contains(&node.index()) && found.contains(node));
                    counts[node.index()] = before[end] - before[start] - own;
                }
            }
            Way::Descendant | Way::Child | Way::RawChild => {
                let mut everything = self.empty();
                everything.insert_range(0, self.table.len());
                for node in found.iter() {
                    let contexts = self.contexts(relation, node, &everything);
                    contexts.iter().for_each(|context| counts[context.index()] += 1);
                }
            }
            Way::Next | Way::Later | Way::Earlier => {
                let (_, parents) = self.units(found);
                for parent in parents.iter() {
                    let siblings = self.siblings(relation, parent);
                    if relation.way == Way::Earlier {
                        self.count_behind(relation, siblings, found, &mut counts);
                    } else {
                        self.count_behind(relation, siblings.rev(), found, &mut counts);
                    }
                }
            }
            Way::Parent | Way::Ancestor => return None,
        }
        Some(counts)
    }

    /// Iterates over siblings against the axis, and counts for each how many nodes of the set the passed siblings are
    /// or contain.
    fn count_behind(
        &self,
        relation: Relation,
        siblings: impl Iterator<Item = Node>,
        found: &NodeSet,
        counts: &mut [u32],
    ) {
        let mut passed = 0;
        for sibling in siblings {
            let held = std::iter::successors(Some(sibling), |&node| self.tree.held(node));
            let held: Vec<Node> = held.collect();
            held.iter().for_each(|node| counts[node.index()] = passed);
            let own = u32::try_from(held.iter().filter(|&&node| found.contains(node)).count()).unwrap_or(u32::MAX);
            match relation.way {
                Way::Next if self.is_skipped(relation, sibling) => {}
                Way::Next => passed = own,
                _ => passed += own,
            }
        }
    }

    /// The maximum number of nodes visited when following the axis from one node.
    pub fn reach(&self, relation: Relation, node: Node) -> usize {
        match relation.way {
            Way::Itself | Way::Parent => 1,
            Way::Next | Way::Later | Way::Earlier => {
                let parent = self.table.parent(self.tree.unit(node));
                parent.map_or(1, |parent| self.table.subtree_end(parent) - parent.index())
            }
            _ => {
                let (start, end) = self.logical.extent(self.table, node);
                end - start
            }
        }
    }

    /// Those of `among` that are reachable from `context`, in document order.
    pub fn targets(&self, relation: Relation, context: Node, among: &NodeSet) -> Vec<Node> {
        match relation.way {
            Way::Itself => Some(context).filter(|&node| among.contains(node)).into_iter().collect(),
            Way::Descendant | Way::Child | Way::RawChild => self.nodes_below(relation, context, among),
            Way::Next | Way::Later | Way::Earlier => {
                let siblings = self.among_siblings(context, among);
                siblings.filter(|&node| self.holds(relation, context, node)).collect()
            }
            Way::Parent | Way::Ancestor => {
                let mut nodes = self.nodes_above(relation, context, among);
                nodes.sort();
                nodes
            }
        }
    }

    /// Those of `among` from which `node` is reachable, the nearest first.
    pub fn contexts(&self, relation: Relation, node: Node, among: &NodeSet) -> Vec<Node> {
        match relation.way {
            Way::Itself => Some(node).filter(|&node| among.contains(node)).into_iter().collect(),
            Way::Descendant | Way::Child => self.nodes_above(relation, node, among),
            Way::RawChild => self.table.parent(node).filter(|&parent| among.contains(parent)).into_iter().collect(),
            Way::Next | Way::Later | Way::Earlier => {
                let siblings = self.among_siblings(node, among);
                let mut nodes: Vec<Node> = siblings.filter(|&context| self.holds(relation, context, node)).collect();
                if relation.way != Way::Earlier {
                    nodes.reverse();
                }
                nodes
            }
            Way::Parent | Way::Ancestor => self.nodes_below(relation, node, among),
        }
    }

    /// The reachable ancestors of a node in a set, the nearest first.
    fn nodes_above(&self, relation: Relation, node: Node, among: &NodeSet) -> Vec<Node> {
        let (mut nodes, mut last) = (Vec::new(), node);
        for above in self.logical.ancestors(self.table, node) {
            if among.contains(above) {
                nodes.push(above);
            }
            last = above;
            if !self.passes(relation, above) {
                break;
            }
        }
        // The wrapper of a decorator is its parent, too, if the path ends at its definition.
        let wrapper = self.logical.adopter(node).filter(|&adopter| adopter == last);
        let wrapper = wrapper.and_then(|_| self.logical.holding_wrapper(self.table, node));
        nodes.extend(wrapper.filter(|&wrapper| among.contains(wrapper)));
        nodes
    }

    /// The reachable descendants of a node in a set, in document order.
    fn nodes_below(&self, relation: Relation, node: Node, among: &NodeSet) -> Vec<Node> {
        let (start, end) = self.logical.extent(self.table, node);
        let within = among.iter_range(start, end).filter(|&below| below != node);
        match relation.way {
            Way::RawChild => within.filter(|&below| self.table.parent(below) == Some(node)).collect(),
            Way::Ancestor => within.collect(),
            Way::Descendant if !relation.own => within.collect(),
            _ => {
                // Reachability is computed from parents to children, once for all descendants.
                let mut reached = vec![false; end - start];
                for below in self.table.range(start, end).filter(|&below| below != node) {
                    let raw = self.table.parent(below);
                    let hit = |reached: &[bool], parent: Node| {
                        let known = parent.index().checked_sub(start).and_then(|place| reached.get(place));
                        parent == node || (known.is_some_and(|&known| known) && self.passes(relation, parent))
                    };
                    reached[below.index() - start] = match self.logical.adopter(below) {
                        Some(adopter) => {
                            let through = raw.is_some_and(|raw| hit(&reached, raw)) && self.passes(relation, adopter);
                            let wrapper = raw == Some(node) && self.logical.adopting_wrapper(adopter) == raw;
                            adopter == node || wrapper || through
                        }
                        None => raw.is_some_and(|raw| hit(&reached, raw)),
                    };
                }
                within.filter(|below| reached[below.index() - start]).collect()
            }
        }
    }

    /// The nodes of a set among the siblings of a node's unit, in document order.
    fn among_siblings<'a>(&self, node: Node, among: &'a NodeSet) -> impl Iterator<Item = Node> + use<'a> {
        let parent = self.table.parent(self.tree.unit(node));
        let (start, end) = parent.map_or((0, 0), |parent| (parent.index() + 1, self.table.subtree_end(parent)));
        among.iter_range(start, end)
    }
}
