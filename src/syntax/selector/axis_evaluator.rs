//! The axes of a tree as maps between sets of nodes.
//!
//! `along` maps the nodes of one step to those of the next, `against` maps back, and `pick` picks one node for each
//! context. All are linear in the nodes of the tree: a set is propagated down or up once, never followed path by path.

use std::cell::Cell;

use rustc_hash::FxHashMap;

use super::axis::{Axis, AxisStep, Positional};
use crate::interrupt::poll;
use crate::limits;
use crate::tree::{Attachments, Node, NodeSet, Table, Tree};

/// A node that is visited on its own costs about as much as so many in a pass over the table.
pub(super) const VISIT: usize = 4;
/// After so many visits of nodes the work may be left.
pub(super) const POLLED: u64 = 1 << 14;

/// The tree, for evaluating axes.
pub(super) struct AxisEvaluator<'t> {
    tree: &'t Tree,
    table: &'t Table,
    attachments: &'t Attachments,
    /// How many more nodes may be visited.
    work: Cell<u64>,
    /// Whether that budget was exceeded; then results are incomplete.
    pub is_over: Cell<bool>,
}

/// The contexts, each with its picked node, in document order of the contexts.
pub(super) type Selected = Vec<(Node, Node)>;

/// Nodes that are reached one after the other, with a `None` for each other node that is visited: as many items as there
/// is work.
pub(super) type Visits<'a> = Box<dyn Iterator<Item = Option<Node>> + 'a>;

impl<'t> AxisEvaluator<'t> {
    pub fn new(tree: &'t Tree) -> AxisEvaluator<'t> {
        AxisEvaluator {
            tree,
            table: tree.table(),
            attachments: tree.attachments(),
            work: Cell::new(limits::QUERY_STEPS),
            is_over: Cell::new(false),
        }
    }

    fn empty(&self) -> NodeSet {
        NodeSet::empty(self.table.len())
    }

    /// Charges the budget for visiting that many nodes. Returns whether something is left.
    pub fn charge(&self, nodes: usize) -> bool {
        let before = self.work.get();
        let left = before.saturating_sub(nodes as u64);
        self.work.set(left);
        if left / POLLED != before / POLLED {
            poll();
        }
        if left == 0 {
            self.is_over.set(true);
        }
        left > 0
    }

    /// Fills the budget again.
    pub fn refill(&self) {
        self.work.set(limits::QUERY_STEPS);
    }

    /// What has been charged.
    pub fn charged(&self) -> u64 {
        limits::QUERY_STEPS - self.work.get()
    }

    /// Those of the visited nodes that count, until the budget is exceeded. Each visit is charged.
    pub fn charged_nodes<'a>(&'a self, visits: Visits<'a>) -> impl Iterator<Item = Node> + 'a {
        visits.take_while(|_| self.charge(VISIT)).flatten()
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
        let counts = |&child: &Node| self.is_counted(axis_step, child, held);
        let children: Vec<Node> = self.table.children(parent).filter(counts).collect();
        children.into_iter()
    }

    /// The next sibling of a unit, after a `None` for each sibling that is passed over.
    fn to_next_unit(&self, axis_step: AxisStep, unit: Node) -> impl Iterator<Item = Option<Node>> {
        let held = self.table.parent(unit).and_then(|parent| self.tree.inner(parent));
        let mut next = self.table.next_sibling(unit);
        std::iter::from_fn(move || {
            let sibling = next?;
            let is_next = self.is_counted(axis_step, sibling, held) && !self.is_skipped(axis_step, sibling);
            next = if is_next { None } else { self.table.next_sibling(sibling) };
            Some(is_next.then_some(sibling))
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
                let nodes = self.nodes_below(axis_step, context, candidates);
                let nodes: Vec<Node> = self.charged_nodes(nodes).collect();
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
                let next = self.to_next_unit(axis_step, unit).last().flatten();
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
                if !self.charge(VISIT) {
                    return Selected::new();
                }
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

    /// How many nodes of `found` each node reaches.
    pub fn counts(&self, axis_step: AxisStep, found: &NodeSet) -> Vec<u32> {
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
                    let contexts = self.charged_nodes(self.contexts(axis_step, node, &everything));
                    contexts.for_each(|context| counts[context.index()] += 1);
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
            Axis::Parent | Axis::Ancestor => self.count_above(axis_step, found, &mut counts),
        }
        counts
    }

    /// Counts from parents to children: what a node reaches above follows from what its parent reaches.
    fn count_above(&self, axis_step: AxisStep, found: &NodeSet, counts: &mut [u32]) {
        let from_parent = |counts: &[u32], parent: Node| {
            let above = if self.passes(axis_step, parent) { counts[parent.index()] } else { 0 };
            above + u32::from(found.contains(parent))
        };
        for node in self.table.nodes() {
            let Some(parent) = self.table.parent(node) else { continue };
            counts[node.index()] = match self.attachments.adopter(node) {
                Some(adopter) => {
                    // The adopting node comes later in the table, so its count is computed here.
                    counts[adopter.index()] = from_parent(counts, parent);
                    let wrapper = self.attachments.holding_wrapper(self.table, node);
                    let wrapper =
                        wrapper.filter(|&wrapper| !self.passes(axis_step, adopter) && found.contains(wrapper));
                    from_parent(counts, adopter) + u32::from(wrapper.is_some())
                }
                None => from_parent(counts, parent),
            };
        }
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

    /// The nodes of `among` that are reachable from `context`, in document order.
    pub fn targets<'a>(&'a self, axis_step: AxisStep, context: Node, among: &'a NodeSet) -> Visits<'a> {
        let is_among = |node: Node| among.contains(node).then_some(node);
        match axis_step.axis {
            Axis::Itself => Box::new(std::iter::once(is_among(context))),
            Axis::Descendant if !axis_step.own => self.everything_below(context, among),
            Axis::RawChild => Box::new(self.table.children(context).map(is_among)),
            Axis::Descendant | Axis::Child => self.nodes_below(axis_step, context, among),
            Axis::Next => {
                let unit =
                    Some(self.tree.outermost_wrapper(context)).filter(|&unit| !self.attachments.is_leading(unit));
                let found = unit.into_iter().flat_map(move |unit| self.to_next_unit(axis_step, unit));
                Box::new(found.flat_map(move |found| self.content(found, among)))
            }
            Axis::Later => {
                let units = self.siblings_after(self.tree.outermost_wrapper(context));
                Box::new(units.flat_map(move |unit| self.content(Some(unit), among)))
            }
            Axis::Earlier => {
                let unit = self.tree.outermost_wrapper(context);
                let parent = self.table.parent(unit).filter(|_| !self.attachments.is_leading(unit));
                let before = parent.into_iter().flat_map(|parent| self.table.children(parent));
                let before = before.take_while(move |&sibling| sibling < unit);
                let units = before.map(|sibling| Some(sibling).filter(|&sibling| self.is_unit(sibling)));
                Box::new(units.flat_map(move |unit| self.content(unit, among)))
            }
            Axis::Parent | Axis::Ancestor => {
                let above: Vec<Option<Node>> = self.nodes_above(axis_step, context, among).collect();
                let mut nodes: Vec<Node> = above.iter().copied().flatten().collect();
                nodes.sort_unstable();
                Box::new(std::iter::repeat_n(None, above.len()).chain(nodes.into_iter().map(Some)))
            }
        }
    }

    /// The nodes of `among` from which `node` is reachable, the nearest first.
    pub fn contexts<'a>(&'a self, axis_step: AxisStep, node: Node, among: &'a NodeSet) -> Visits<'a> {
        let is_among = |node: Node| among.contains(node).then_some(node);
        match axis_step.axis {
            Axis::Itself => Box::new(std::iter::once(is_among(node))),
            Axis::Descendant | Axis::Child => Box::new(self.nodes_above(axis_step, node, among)),
            Axis::RawChild => Box::new(self.table.parent(node).map(is_among).into_iter()),
            Axis::Next => {
                let unit = self.tree.outermost_wrapper(node);
                let held = self.table.parent(unit).and_then(|parent| self.tree.inner(parent));
                let is_unit = self.is_counted(axis_step, unit, held) && !self.is_skipped(axis_step, unit);
                // Back to the nearest sibling of which this one is the next.
                let mut ended = !is_unit;
                let units = self.siblings_before(unit).take_while(move |&before| {
                    let goes_on = !ended;
                    ended |= before.is_some_and(|before| {
                        self.is_counted(axis_step, before, held) && !self.is_skipped(axis_step, before)
                    });
                    goes_on
                });
                Box::new(units.flat_map(move |unit| self.content_inside_out(unit, among)))
            }
            Axis::Later => {
                let units = self.siblings_before(self.tree.outermost_wrapper(node));
                Box::new(units.flat_map(move |unit| self.content_inside_out(unit, among)))
            }
            Axis::Earlier => {
                let units = self.siblings_after(self.tree.outermost_wrapper(node));
                Box::new(units.flat_map(move |unit| self.content(Some(unit), among)))
            }
            Axis::Parent => self.nodes_below(axis_step, node, among),
            Axis::Ancestor => self.everything_below(node, among),
        }
    }

    /// The reachable ancestors of a node, the nearest first.
    fn nodes_above<'a>(
        &'a self,
        axis_step: AxisStep,
        node: Node,
        among: &'a NodeSet,
    ) -> impl Iterator<Item = Option<Node>> {
        // The wrapper of a decorator is its parent, too, if the path ends at its definition.
        let adopter = self.attachments.adopter(node);
        let mut wrapper = adopter.filter(|&adopter| !self.passes(axis_step, adopter));
        let mut next = self.attachments.parent(self.table, node);
        let found = std::iter::from_fn(move || {
            let above = next?;
            next = if self.passes(axis_step, above) { self.attachments.parent(self.table, above) } else { None };
            Some(above)
        });
        let wrapper =
            std::iter::from_fn(move || wrapper.take().and_then(|_| self.attachments.holding_wrapper(self.table, node)));
        found.chain(wrapper).map(|above| among.contains(above).then_some(above))
    }

    /// All descendants of a node, in document order.
    fn everything_below<'a>(&'a self, node: Node, among: &'a NodeSet) -> Visits<'a> {
        let (start, end) = self.attachments.extent(self.table, node);
        Box::new(among.visit_range(start, end).map(move |below| below.filter(|&below| below != node)))
    }

    /// The reachable descendants of a node, in document order; only nodes that are reached are entered.
    fn nodes_below<'a>(&'a self, axis_step: AxisStep, node: Node, among: &'a NodeSet) -> Visits<'a> {
        let (start, end) = self.attachments.extent(self.table, node);
        let mut next = start;
        Box::new(std::iter::from_fn(move || {
            let below = Some(next).filter(|&next| next < end).map(Node::at)?;
            if below == node {
                next += 1;
                return Some(None);
            }
            // Whether a path leads into the node's parent and further: then that was entered.
            let parent = self.table.parent(below).filter(|&parent| parent == node || parent.index() >= start);
            let is_reached = match self.attachments.adopter(below) {
                Some(adopter) => {
                    let wrapper = self.attachments.adopting_wrapper(adopter);
                    adopter == node
                        || parent.is_some_and(|parent| {
                            self.passes(axis_step, adopter) || (parent == node && wrapper == Some(parent))
                        })
                }
                None => parent.is_some(),
            };
            let enters = is_reached && self.passes(axis_step, below);
            next = if enters { next + 1 } else { self.table.subtree_end(below) };
            Some(Some(below).filter(|&below| is_reached && among.contains(below)))
        }))
    }

    /// A unit that was visited, and what its wrappers contain, from the outside in.
    fn content<'a>(&'a self, unit: Option<Node>, among: &'a NodeSet) -> impl Iterator<Item = Option<Node>> + 'a {
        let held = std::iter::successors(unit, |&node| self.tree.inner(node));
        let nothing = unit.is_none().then_some(None);
        held.map(|node| among.contains(node).then_some(node)).chain(nothing)
    }

    /// The same from the inside out.
    fn content_inside_out<'a>(
        &'a self,
        unit: Option<Node>,
        among: &'a NodeSet,
    ) -> impl Iterator<Item = Option<Node>> + 'a {
        let content: Vec<Option<Node>> = self.content(unit, among).collect();
        content.into_iter().rev()
    }

    /// Whether a sibling is a unit of its own for an axis; `held` is what its parent wraps.
    fn is_counted(&self, axis_step: AxisStep, sibling: Node, held: Option<Node>) -> bool {
        (axis_step.tokens || self.table.is_named(sibling))
            && held != Some(sibling)
            && !self.attachments.is_leading(sibling)
    }

    /// Whether a sibling is a unit from which its siblings are reached.
    fn is_unit(&self, sibling: Node) -> bool {
        !self.attachments.is_leading(sibling) && self.tree.outermost_wrapper(sibling) == sibling
    }

    /// The siblings after a unit, in document order.
    fn siblings_after(&self, unit: Node) -> impl Iterator<Item = Node> {
        let first = if self.attachments.is_leading(unit) { None } else { self.table.next_sibling(unit) };
        let siblings = std::iter::successors(first, |&sibling| self.table.next_sibling(sibling));
        siblings.filter(|&sibling| self.is_unit(sibling))
    }

    /// The siblings before a unit, the nearest first; `None` for each node visited on the way to them.
    fn siblings_before(&self, unit: Node) -> impl Iterator<Item = Option<Node>> {
        let parent = self.table.parent(unit).filter(|_| !self.attachments.is_leading(unit));
        let (mut after, mut inside) = (unit, None);
        let visited = std::iter::from_fn(move || {
            let parent = parent?;
            if inside.is_none() && after.index() == parent.index() + 1 {
                return None;
            }
            // The node right before is the last one inside the sibling.
            let node = inside.unwrap_or_else(|| Node::at(after.index() - 1));
            if self.table.parent(node) == Some(parent) {
                (after, inside) = (node, None);
                return Some(Some(node));
            }
            inside = self.table.parent(node);
            Some(None)
        });
        visited.map(|sibling| sibling.filter(|&sibling| self.is_unit(sibling)))
    }
}
