//! The axes of a tree as maps between sets of nodes.
//!
//! `along` maps the nodes of one step to those of the next, `against` maps back, and `pick` picks one node for each
//! context. All are linear in the nodes of the tree: a set is propagated down or up once, never followed path by path.

use rustc_hash::FxHashMap;

use super::axis::{Axis, AxisStep, Positional};
use crate::tree::{Attachments, Node, NodeSet, Table, Tree};

/// The tree, for evaluating axes.
pub(super) struct AxisEvaluator<'t> {
    tree: &'t Tree,
    table: &'t Table,
    attachments: &'t Attachments,
}

/// The contexts, each with its picked node.
pub(super) type Selected = Vec<(Node, Node)>;

impl<'t> AxisEvaluator<'t> {
    pub fn new(tree: &'t Tree) -> AxisEvaluator<'t> {
        AxisEvaluator { tree, table: tree.table(), attachments: tree.attachments() }
    }

    fn empty(&self) -> NodeSet {
        NodeSet::empty(self.table.len())
    }

    /// Whether a path from an ancestor to a descendant may lead through `node`.
    fn passes(&self, axis_step: AxisStep, node: Node) -> bool {
        match axis_step.axis {
            Axis::Child | Axis::Parent => self.tree.is_transparent(node),
            Axis::Descendant => !axis_step.own || !self.tree.is_scope(node),
            _ => true,
        }
    }

    /// Those of `candidates` that are reachable along the axis from a node of `from`.
    pub fn forward(&self, axis_step: AxisStep, from: &NodeSet, mut candidates: NodeSet) -> NodeSet {
        match axis_step.axis {
            Axis::Itself => candidates.intersect_with(from),
            Axis::Descendant if !axis_step.own => candidates.intersect_with(&self.below(from)),
            Axis::Descendant | Axis::Child => candidates.intersect_with(&self.spread(axis_step, from)),
            Axis::RawChild => {
                candidates.retain(|node| self.table.parent(node).is_some_and(|parent| from.contains(parent)))
            }
            Axis::Next | Axis::Later | Axis::Earlier => candidates.intersect_with(&self.beside(axis_step, from)),
            Axis::Parent | Axis::Ancestor => candidates.intersect_with(&self.climb(axis_step, from)),
        }
        candidates
    }

    /// The nodes from which a node of `to` is reachable along the axis.
    pub fn inverse(&self, axis_step: AxisStep, to: &NodeSet) -> NodeSet {
        match axis_step.axis {
            Axis::Itself => to.clone(),
            Axis::Descendant | Axis::Child => self.climb(axis_step, to),
            Axis::RawChild => {
                let mut parents = self.empty();
                to.iter().filter_map(|node| self.table.parent(node)).for_each(|parent| parents.insert(parent));
                parents
            }
            Axis::Next => self.beside_back(axis_step, to, true),
            Axis::Later => self.beside_back(axis_step, to, false),
            Axis::Earlier => self.beside(AxisStep { axis: Axis::Later, ..axis_step }, to),
            Axis::Parent => self.spread(axis_step, to),
            Axis::Ancestor => self.below(to),
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
            let (start, end) = self.attachments.extent(self.table, node);
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
    fn spread(&self, axis_step: AxisStep, from: &NodeSet) -> NodeSet {
        let mut reached = self.empty();
        let hit = |reached: &NodeSet, parent: Node| {
            from.contains(parent) || (reached.contains(parent) && self.passes(axis_step, parent))
        };
        for node in self.table.nodes() {
            let Some(raw) = self.table.parent(node) else { continue };
            let found = match self.attachments.adopter(node) {
                // The adopting node comes later in the table, so its own state is computed here.
                Some(adopter) => {
                    let through = hit(&reached, raw) && self.passes(axis_step, adopter);
                    let wrapper = self.attachments.adopting_wrapper(adopter) == Some(raw);
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
    fn climb(&self, axis_step: AxisStep, from: &NodeSet) -> NodeSet {
        let (mut reached, mut walked) = (self.empty(), self.empty());
        for node in from.iter() {
            if let Some(wrapper) = self.attachments.holding_wrapper(self.table, node) {
                reached.insert(wrapper);
            }
            for above in self.attachments.ancestors(self.table, node) {
                reached.insert(above);
                if !self.passes(axis_step, above) || walked.contains(above) {
                    break;
                }
                walked.insert(above);
            }
        }
        reached
    }

    /// The siblings among the children of a node. The content of a wrapper is not one; its position is the wrapper's.
    fn siblings(&self, axis_step: AxisStep, parent: Node) -> impl DoubleEndedIterator<Item = Node> + use<> {
        let held = self.tree.inner(parent);
        let counts = |&child: &Node| {
            (axis_step.tokens || self.table.is_named(child))
                && held != Some(child)
                && !self.attachments.is_leading(child)
        };
        let children: Vec<Node> = self.table.children(parent).filter(counts).collect();
        children.into_iter()
    }

    /// The next sibling of a unit.
    fn next_unit(&self, axis_step: AxisStep, unit: Node) -> Option<Node> {
        let held = self.table.parent(unit).and_then(|parent| self.tree.inner(parent));
        let mut siblings = std::iter::successors(self.table.next_sibling(unit), |&next| self.table.next_sibling(next));
        siblings.find(|&next| {
            (axis_step.tokens || self.table.is_named(next))
                && held != Some(next)
                && !self.attachments.is_leading(next)
                && !self.is_skipped(axis_step, next)
        })
    }

    fn is_skipped(&self, axis_step: AxisStep, sibling: Node) -> bool {
        !axis_step.comments && self.tree.is_comment(sibling)
    }

    /// The outermost wrappers of a set's nodes, by parent.
    fn units(&self, from: &NodeSet) -> (NodeSet, NodeSet) {
        let (mut units, mut parents) = (self.empty(), self.empty());
        for node in from.iter() {
            let unit = self.tree.outermost_wrapper(node);
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
        while let Some(held) = self.tree.inner(node) {
            set.insert(held);
            node = held;
        }
    }

    /// The siblings after (or before) those of the set: the next one, or all.
    fn beside(&self, axis_step: AxisStep, from: &NodeSet) -> NodeSet {
        let (units, parents) = self.units(from);
        let mut found = self.empty();
        for parent in parents.iter() {
            let siblings = self.siblings(axis_step, parent);
            match axis_step.axis {
                Axis::Earlier => self.sweep(axis_step, siblings.rev(), &units, false, &mut found),
                axis => self.sweep(axis_step, siblings, &units, axis == Axis::Next, &mut found),
            }
        }
        found
    }

    /// The siblings whose next sibling, or any later one, is in the set.
    fn beside_back(&self, axis_step: AxisStep, to: &NodeSet, next: bool) -> NodeSet {
        let (units, parents) = self.units(to);
        let mut found = self.empty();
        for parent in parents.iter() {
            let siblings = self.siblings(axis_step, parent);
            self.sweep(axis_step, siblings.rev(), &units, next, &mut found);
        }
        found
    }

    /// Iterates over siblings and collects what comes after a unit: only the next one, or all.
    fn sweep(
        &self,
        axis_step: AxisStep,
        siblings: impl Iterator<Item = Node>,
        units: &NodeSet,
        next: bool,
        found: &mut NodeSet,
    ) {
        let mut after = false;
        for sibling in siblings {
            if after && (!self.is_skipped(axis_step, sibling) || !next) {
                self.insert_held(found, sibling);
            }
            if next && !self.is_skipped(axis_step, sibling) {
                after = false;
            }
            after |= units.contains(sibling);
        }
    }

    /// The nearest ancestor through which no path may lead. Nodes with the same one are reached from the same contexts.
    fn stop_above(&self, axis_step: AxisStep, node: Node, known: &mut FxHashMap<Node, Option<Node>>) -> Option<Node> {
        let mut path = Vec::new();
        let mut current = node;
        let stop = loop {
            if let Some(stop) = known.get(&current) {
                break *stop;
            }
            path.push(current);
            match self.attachments.parent(self.table, current) {
                None => break None,
                Some(parent) if !self.passes(axis_step, parent) => break Some(parent),
                Some(parent) => current = parent,
            }
        };
        known.extend(path.into_iter().map(|node| (node, stop)));
        stop
    }

    /// For each context, the node picked among its `candidates`.
    pub fn pick(&self, axis_step: AxisStep, contexts: &NodeSet, candidates: &NodeSet, pick: Positional) -> Selected {
        match axis_step.axis {
            Axis::Itself => {
                let both = contexts.iter().filter(|&context| candidates.contains(context) && pick.place(1).is_some());
                both.map(|context| (context, context)).collect()
            }
            Axis::Descendant | Axis::Child | Axis::RawChild => self.pick_below(axis_step, contexts, candidates, pick),
            Axis::Next | Axis::Later | Axis::Earlier => self.pick_beside(axis_step, contexts, candidates, pick),
            Axis::Parent | Axis::Ancestor => self.pick_above(axis_step, contexts, candidates, pick),
        }
    }

    fn pick_below(&self, axis_step: AxisStep, contexts: &NodeSet, candidates: &NodeSet, pick: Positional) -> Selected {
        // Candidates in document order, grouped by the nearest ancestor that blocks the path to them.
        let mut known = FxHashMap::default();
        let mut groups: FxHashMap<Option<Node>, Vec<Node>> = FxHashMap::default();
        let everything = axis_step.axis == Axis::Descendant && !axis_step.own;
        for node in candidates.iter() {
            let group = match axis_step.axis {
                Axis::RawChild => self.table.parent(node),
                _ if everything => None,
                _ => self.stop_above(axis_step, node, &mut known),
            };
            groups.entry(group).or_default().push(node);
        }
        let mut picks = Selected::new();
        for context in contexts.iter() {
            let (start, end) = self.attachments.extent(self.table, context);
            // What a wrapper contains next to its definition is below the definition, and yet a child of the wrapper.
            let held = if axis_step.axis == Axis::Child { self.tree.inner(context) } else { None };
            if held.is_some_and(|held| self.attachments.adopting_wrapper(held) == Some(context)) {
                let nodes = candidates.iter_range(start, end).filter(|&node| self.holds(axis_step, context, node));
                let nodes: Vec<Node> = nodes.collect();
                picks.extend(pick.place(nodes.len()).map(|place| (context, nodes[place])));
                continue;
            }
            let closes = axis_step.axis == Axis::RawChild || (!everything && !self.passes(axis_step, context));
            let group = match (closes, everything) {
                (true, _) => Some(context),
                (false, true) => None,
                (false, false) => self.stop_above(axis_step, context, &mut known),
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

    fn pick_beside(&self, axis_step: AxisStep, contexts: &NodeSet, candidates: &NodeSet, pick: Positional) -> Selected {
        let mut groups: FxHashMap<Node, Vec<Node>> = FxHashMap::default();
        for node in candidates.iter() {
            if let Some(parent) = self.table.parent(self.tree.outermost_wrapper(node)) {
                groups.entry(parent).or_default().push(node);
            }
        }
        let mut picks = Selected::new();
        for context in contexts.iter() {
            let unit = self.tree.outermost_wrapper(context);
            if self.attachments.is_leading(unit) {
                continue;
            }
            let Some(parent) = self.table.parent(unit) else { continue };
            let Some(nodes) = groups.get(&parent) else { continue };
            let nodes = match axis_step.axis {
                Axis::Earlier => &nodes[..nodes.partition_point(|&node| node < unit)],
                _ => &nodes[nodes.partition_point(|node| node.index() < self.table.subtree_end(unit))..],
            };
            if axis_step.axis == Axis::Next {
                let next = self.next_unit(axis_step, unit);
                let of_next = |&node: &Node| Some(self.tree.outermost_wrapper(node)) == next;
                let nodes: Vec<Node> = nodes.iter().copied().take_while(of_next).collect();
                picks.extend(pick.place(nodes.len()).map(|place| (context, nodes[place])));
            } else {
                picks.extend(pick.place(nodes.len()).map(|place| (context, nodes[place])));
            }
        }
        picks
    }

    fn pick_above(&self, axis_step: AxisStep, contexts: &NodeSet, candidates: &NodeSet, pick: Positional) -> Selected {
        let outermost = match pick {
            Positional::First | Positional::Nth(0) => true,
            Positional::Last | Positional::Nth(-1) => false,
            Positional::Nth(_) => return self.pick_nth_above(axis_step, contexts, candidates, pick),
        };
        // The pick of a node follows from the pick of its parent.
        let mut picked: Vec<Option<Node>> = vec![None; self.table.len()];
        let from_parent = |picked: &[Option<Node>], parent: Node| {
            let own = Some(parent).filter(|&parent| candidates.contains(parent));
            let above = picked[parent.index()].filter(|_| self.passes(axis_step, parent));
            if outermost { above.or(own) } else { own.or(above) }
        };
        for node in self.table.nodes() {
            let Some(parent) = self.table.parent(node) else { continue };
            picked[node.index()] = match self.attachments.adopter(node) {
                Some(adopter) => {
                    // The adopting node comes later in the table, so its pick is computed here.
                    picked[adopter.index()] = from_parent(&picked, parent);
                    // The wrapper is its parent, too, and comes before the adopting node.
                    let wrapper = Some(parent).filter(|&wrapper| candidates.contains(wrapper));
                    let found = from_parent(&picked, adopter);
                    if outermost && axis_step.axis == Axis::Parent { wrapper.or(found) } else { found.or(wrapper) }
                }
                None => from_parent(&picked, parent),
            };
        }
        contexts.iter().filter_map(|context| Some((context, picked[context.index()]?))).collect()
    }

    fn pick_nth_above(
        &self,
        axis_step: AxisStep,
        contexts: &NodeSet,
        candidates: &NodeSet,
        pick: Positional,
    ) -> Selected {
        let mut picks = Selected::new();
        for context in contexts.iter() {
            let mut nodes = Vec::new();
            for above in self.attachments.ancestors(self.table, context) {
                if candidates.contains(above) {
                    nodes.push(above);
                }
                if !self.passes(axis_step, above) {
                    break;
                }
            }
            let wrapper = self.attachments.holding_wrapper(self.table, context);
            nodes.extend(wrapper.filter(|&wrapper| candidates.contains(wrapper)));
            nodes.sort();
            nodes.dedup();
            picks.extend(pick.place(nodes.len()).map(|place| (context, nodes[place])));
        }
        picks
    }

    /// Whether `node` is reachable from `context` along the axis.
    pub fn holds(&self, axis_step: AxisStep, context: Node, node: Node) -> bool {
        let climbs = |lower: Node, upper: Node| {
            if self.attachments.holding_wrapper(self.table, lower) == Some(upper) {
                return true;
            }
            for above in self.attachments.ancestors(self.table, lower) {
                if above == upper {
                    return true;
                }
                if !self.passes(axis_step, above) {
                    return false;
                }
            }
            false
        };
        match axis_step.axis {
            Axis::Itself => context == node,
            Axis::Descendant | Axis::Child => climbs(node, context),
            Axis::RawChild => self.table.parent(node) == Some(context),
            Axis::Parent | Axis::Ancestor => climbs(context, node),
            Axis::Next => {
                let context = self.tree.outermost_wrapper(context);
                !self.attachments.is_leading(context)
                    && self.next_unit(axis_step, context) == Some(self.tree.outermost_wrapper(node))
            }
            Axis::Later | Axis::Earlier => {
                let (context, node) = (self.tree.outermost_wrapper(context), self.tree.outermost_wrapper(node));
                if self.attachments.is_leading(context) || self.attachments.is_leading(node) {
                    return false;
                }
                let (first, second) = if axis_step.axis == Axis::Later { (context, node) } else { (node, context) };
                self.table.parent(first) == self.table.parent(second) && first < second
            }
        }
    }

    /// How many nodes of `found` each node reaches; `None` for axes that are just as well followed from each node.
    pub fn counts(&self, axis_step: AxisStep, found: &NodeSet) -> Option<Vec<u32>> {
        let mut counts = vec![0; self.table.len()];
        match axis_step.axis {
            Axis::Itself => found.iter().for_each(|node| counts[node.index()] = 1),
            Axis::Descendant if !axis_step.own => {
                let mut before = Vec::with_capacity(self.table.len() + 1);
                before.push(0);
                for node in self.table.nodes() {
                    before.push(before[node.index()] + u32::from(found.contains(node)));
                }
                for node in self.table.nodes() {
                    let (start, end) = self.attachments.extent(self.table, node);
                    let own = u32::from((start..end).contains(&node.index()) && found.contains(node));
                    counts[node.index()] = before[end] - before[start] - own;
                }
            }
            Axis::Descendant | Axis::Child | Axis::RawChild => {
                let mut everything = self.empty();
                everything.insert_range(0, self.table.len());
                for node in found.iter() {
                    let contexts = self.contexts(axis_step, node, &everything);
                    contexts.iter().for_each(|context| counts[context.index()] += 1);
                }
            }
            Axis::Next | Axis::Later | Axis::Earlier => {
                let (_, parents) = self.units(found);
                for parent in parents.iter() {
                    let siblings = self.siblings(axis_step, parent);
                    if axis_step.axis == Axis::Earlier {
                        self.count_behind(axis_step, siblings, found, &mut counts);
                    } else {
                        self.count_behind(axis_step, siblings.rev(), found, &mut counts);
                    }
                }
            }
            Axis::Parent | Axis::Ancestor => return None,
        }
        Some(counts)
    }

    /// Iterates over siblings against the axis, and counts for each how many nodes of the set the passed siblings are
    /// or contain.
    fn count_behind(
        &self,
        axis_step: AxisStep,
        siblings: impl Iterator<Item = Node>,
        found: &NodeSet,
        counts: &mut [u32],
    ) {
        let mut passed = 0;
        for sibling in siblings {
            let held = std::iter::successors(Some(sibling), |&node| self.tree.inner(node));
            let held: Vec<Node> = held.collect();
            held.iter().for_each(|node| counts[node.index()] = passed);
            let own = u32::try_from(held.iter().filter(|&&node| found.contains(node)).count()).unwrap_or(u32::MAX);
            match axis_step.axis {
                Axis::Next if self.is_skipped(axis_step, sibling) => {}
                Axis::Next => passed = own,
                _ => passed += own,
            }
        }
    }

    /// The maximum number of nodes visited when following the axis from one node.
    pub fn reach(&self, axis_step: AxisStep, node: Node) -> usize {
        match axis_step.axis {
            Axis::Itself | Axis::Parent => 1,
            Axis::Next | Axis::Later | Axis::Earlier => {
                let parent = self.table.parent(self.tree.outermost_wrapper(node));
                parent.map_or(1, |parent| self.table.subtree_end(parent) - parent.index())
            }
            _ => {
                let (start, end) = self.attachments.extent(self.table, node);
                end - start
            }
        }
    }

    /// Those of `among` that are reachable from `context`, in document order.
    pub fn targets(&self, axis_step: AxisStep, context: Node, among: &NodeSet) -> Vec<Node> {
        match axis_step.axis {
            Axis::Itself => Some(context).filter(|&node| among.contains(node)).into_iter().collect(),
            Axis::Descendant | Axis::Child | Axis::RawChild => self.nodes_below(axis_step, context, among),
            Axis::Next | Axis::Later | Axis::Earlier => {
                let siblings = self.among_siblings(context, among);
                siblings.filter(|&node| self.holds(axis_step, context, node)).collect()
            }
            Axis::Parent | Axis::Ancestor => {
                let mut nodes = self.nodes_above(axis_step, context, among);
                nodes.sort();
                nodes
            }
        }
    }

    /// Those of `among` from which `node` is reachable, the nearest first.
    pub fn contexts(&self, axis_step: AxisStep, node: Node, among: &NodeSet) -> Vec<Node> {
        match axis_step.axis {
            Axis::Itself => Some(node).filter(|&node| among.contains(node)).into_iter().collect(),
            Axis::Descendant | Axis::Child => self.nodes_above(axis_step, node, among),
            Axis::RawChild => self.table.parent(node).filter(|&parent| among.contains(parent)).into_iter().collect(),
            Axis::Next | Axis::Later | Axis::Earlier => {
                let siblings = self.among_siblings(node, among);
                let mut nodes: Vec<Node> = siblings.filter(|&context| self.holds(axis_step, context, node)).collect();
                if axis_step.axis != Axis::Earlier {
                    nodes.reverse();
                }
                nodes
            }
            Axis::Parent | Axis::Ancestor => self.nodes_below(axis_step, node, among),
        }
    }

    /// The reachable ancestors of a node in a set, the nearest first.
    fn nodes_above(&self, axis_step: AxisStep, node: Node, among: &NodeSet) -> Vec<Node> {
        let (mut nodes, mut last) = (Vec::new(), node);
        for above in self.attachments.ancestors(self.table, node) {
            if among.contains(above) {
                nodes.push(above);
            }
            last = above;
            if !self.passes(axis_step, above) {
                break;
            }
        }
        // The wrapper of a decorator is its parent, too, if the path ends at its definition.
        let wrapper = self.attachments.adopter(node).filter(|&adopter| adopter == last);
        let wrapper = wrapper.and_then(|_| self.attachments.holding_wrapper(self.table, node));
        nodes.extend(wrapper.filter(|&wrapper| among.contains(wrapper)));
        nodes
    }

    /// The reachable descendants of a node in a set, in document order.
    fn nodes_below(&self, axis_step: AxisStep, node: Node, among: &NodeSet) -> Vec<Node> {
        let (start, end) = self.attachments.extent(self.table, node);
        let within = among.iter_range(start, end).filter(|&below| below != node);
        match axis_step.axis {
            Axis::RawChild => within.filter(|&below| self.table.parent(below) == Some(node)).collect(),
            Axis::Ancestor => within.collect(),
            Axis::Descendant if !axis_step.own => within.collect(),
            _ => {
                // Reachability is computed from parents to children, once for all descendants.
                let mut reached = vec![false; end - start];
                for below in self.table.range(start, end).filter(|&below| below != node) {
                    let raw = self.table.parent(below);
                    let hit = |reached: &[bool], parent: Node| {
                        let known = parent.index().checked_sub(start).and_then(|place| reached.get(place));
                        parent == node || (known.is_some_and(|&known| known) && self.passes(axis_step, parent))
                    };
                    reached[below.index() - start] = match self.attachments.adopter(below) {
                        Some(adopter) => {
                            let through = raw.is_some_and(|raw| hit(&reached, raw)) && self.passes(axis_step, adopter);
                            let wrapper = raw == Some(node) && self.attachments.adopting_wrapper(adopter) == raw;
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
        let parent = self.table.parent(self.tree.outermost_wrapper(node));
        let (start, end) = parent.map_or((0, 0), |parent| (parent.index() + 1, self.table.subtree_end(parent)));
        among.iter_range(start, end)
    }
}
