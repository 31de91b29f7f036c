//! Evaluation: sets of nodes, step by step.
//!
//! A chain is evaluated forward: the nodes of a step are those of its types that are reachable along its axis from the
//! nodes of the step before. A relative chain, as in `:has`, is evaluated backward. Captures and variables are ignored
//! here, so the result is exact without variables and too large with them; `bind` removes the rest.

use crate::limits;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::attribute::Value;
use super::axis::{Axis, AxisStep};
use super::axis_evaluator::{AxisEvaluator, Selected, VISIT};
use super::ir::{AttributeTest, Chain, Comparison, List, NthTest, Step, Subject, Test, Types};
use super::pattern::MatchOutcome;
use super::places::{Places, TypePlaces};
use super::project::ProjectView;
use super::syntax::Operator;
use super::vocabulary::{self, Vocabulary};
use crate::metrics::Measures;
use crate::text::Position;
use crate::tree::{Node, NodeSet, Tree};

/// Evaluates lists over one tree and caches the results.
pub(super) struct Evaluator<'t> {
    tree: &'t Tree,
    pub(super) space: AxisEvaluator<'t>,
    lists: RefCell<FxHashMap<usize, Rc<NodeSet>>>,
    pub(super) chains: RefCell<FxHashMap<usize, Rc<Vec<NodeSet>>>>,
    /// The vocabulary of the language, looked up once, since all threads share the place where it is stored.
    vocabulary: OnceCell<Option<&'static Vocabulary>>,
    places: OnceCell<Places>,
    type_places: OnceCell<TypePlaces>,
    depths: OnceCell<Vec<u32>>,
    pub(super) measures: Measures<'t>,
    /// The number of nodes that each node reaches through a relative list, by the id of the list.
    counts: RefCell<FxHashMap<usize, Option<Rc<Vec<u32>>>>>,
    /// The nodes that a relative chain's step picks, by the id of the chain and the index of the step.
    picked: RefCell<FxHashMap<(usize, usize), Rc<Selected>>>,
    /// The nodes of each step of a relative chain, independent of context, by the id of the chain and the index of the
    /// step.
    relative: RefCell<FxHashMap<(usize, usize), Rc<Anywhere>>>,
    /// What knows the project, and whether it was missed.
    project: Option<&'t dyn ProjectView>,
    pub(super) needs_project: Cell<bool>,
    /// The bytes of the kept sets and counts.
    kept: Cell<usize>,
    /// The remaining budget for binding variables.
    pub(super) budget: Cell<u64>,
}

/// The nodes of a relative chain's step, independent of context: before its pick, and at the end.
#[derive(Debug)]
pub(super) struct Anywhere {
    pub before_pick: NodeSet,
    pub all: NodeSet,
}

impl<'t> Evaluator<'t> {
    pub fn new(tree: &'t Tree) -> Evaluator<'t> {
        Evaluator {
            tree,
            space: AxisEvaluator::new(tree),
            lists: RefCell::default(),
            chains: RefCell::default(),
            vocabulary: OnceCell::new(),
            places: OnceCell::new(),
            type_places: OnceCell::new(),
            depths: OnceCell::new(),
            measures: Measures::new(tree),
            counts: RefCell::default(),
            picked: RefCell::default(),
            relative: RefCell::default(),
            project: None,
            needs_project: Cell::new(false),
            kept: Cell::new(0),
            budget: Cell::new(limits::BINDING_STEPS),
        }
    }

    /// Fills the budgets again, for another query over the same tree.
    pub fn refill(&self) {
        self.budget.set(limits::BINDING_STEPS);
        self.space.refill();
    }

    /// The same, where a project is known.
    pub fn in_project(self, project: Option<&'t dyn ProjectView>) -> Evaluator<'t> {
        Evaluator { project, ..self }
    }

    /// How many places refer to a definition, and how many definitions call it.
    pub fn project_counts(&self, node: Node) -> Option<(usize, usize)> {
        self.needs_project.set(self.needs_project.get() || self.project.is_none());
        self.project?.counts(node)
    }

    pub fn tree(&self) -> &'t Tree {
        self.tree
    }

    /// Charges the budget for visiting that many nodes. When it is exceeded, every set is empty and the query is
    /// refused.
    fn charge(&self, nodes: usize) -> bool {
        self.space.charge(nodes)
    }

    /// Charges the budget for a text that is copied or compared.
    pub fn charge_text(&self, bytes: usize) -> bool {
        self.charge(VALUE + bytes / SEARCHED)
    }

    /// What has been charged to both budgets.
    pub fn charged(&self) -> u64 {
        self.space.charged() + limits::BINDING_STEPS - self.budget.get()
    }

    fn empty(&self) -> NodeSet {
        NodeSet::empty(self.tree.table().len())
    }

    pub fn places(&self) -> &Places {
        self.places.get_or_init(|| Places::new(self.tree))
    }

    /// The number of named ancestors of each node.
    pub fn depths(&self) -> &[u32] {
        self.depths.get_or_init(|| {
            let table = self.tree.table();
            let mut depths: Vec<u32> = Vec::with_capacity(table.len());
            for node in table.nodes() {
                let above = |parent: Node| depths[parent.index()] + u32::from(table.is_named(parent));
                depths.push(table.parent(node).map_or(0, above));
            }
            depths
        })
    }

    fn type_places(&self) -> &TypePlaces {
        self.type_places.get_or_init(|| TypePlaces::new(self.tree))
    }

    /// The nodes that a list finds in the file.
    pub fn list(&self, list: &List) -> Rc<NodeSet> {
        if let Some(known) = self.lists.borrow().get(&list.id) {
            return Rc::clone(known);
        }
        let mut found = NodeSet::empty(self.tree.table().len());
        for chain in &list.chains {
            found.union_with(&self.list_of(chain));
        }
        let found = Rc::new(found);
        self.make_space(found.universe() / 8);
        self.lists.borrow_mut().insert(list.id, Rc::clone(&found));
        found
    }

    /// Makes space for something that is kept: beyond the limit everything kept is forgotten, and computed again where it
    /// is needed.
    fn make_space(&self, bytes: usize) {
        let kept = self.kept.get() + bytes;
        self.kept.set(kept);
        if kept > limits::KEPT_SETS {
            self.kept.set(bytes);
            self.lists.borrow_mut().clear();
            self.counts.borrow_mut().clear();
            self.picked.borrow_mut().clear();
            self.relative.borrow_mut().clear();
        }
    }

    /// The nodes of a chain's last step. Those of the other steps are not kept: a long chain over a large file would
    /// fill the memory.
    pub fn list_of(&self, chain: &Chain) -> NodeSet {
        self.each_step(chain, |_, _| true).unwrap_or_else(|| self.empty())
    }

    /// Evaluates the steps of a chain that starts at the file, and calls `take` with the nodes left after each, until
    /// it returns `false`. Returns the nodes of the last evaluated step.
    pub fn each_step(&self, chain: &Chain, mut take: impl FnMut(usize, &NodeSet) -> bool) -> Option<NodeSet> {
        let mut contexts: Option<NodeSet> = None;
        for (place, step) in chain.steps.iter().enumerate() {
            let set = self.step(step, contexts.as_ref());
            let goes_on = take(place, &set);
            contexts = Some(set);
            if !goes_on {
                break;
            }
        }
        contexts
    }

    /// The nodes of each step of a chain that starts at the file.
    pub fn chain(&self, chain: &Chain) -> Rc<Vec<NodeSet>> {
        if let Some(known) = self.chains.borrow().get(&chain.id) {
            return Rc::clone(known);
        }
        let mut sets: Vec<NodeSet> = Vec::with_capacity(chain.steps.len());
        for step in &chain.steps {
            let set = self.step(step, sets.last());
            sets.push(set);
        }
        let sets = Rc::new(sets);
        self.chains.borrow_mut().insert(chain.id, Rc::clone(&sets));
        sets
    }

    /// The nodes of a step, given those of the step before; `None` is the file.
    fn step(&self, step: &Step, contexts: Option<&NodeSet>) -> NodeSet {
        if contexts.is_some_and(NodeSet::is_empty) || !self.charge(self.tree.table().len()) {
            return self.empty();
        }
        let mut set = self.base(step);
        match contexts {
            _ if set.is_empty() => return set,
            Some(contexts) => set = self.space.forward(step.axis_step, contexts, set),
            None if step.axis_step.axis == Axis::Child => set.retain(|node| node == Node::ROOT),
            None => {}
        }
        for (place, test) in step.tests.iter().enumerate() {
            if set.is_empty() {
                break;
            }
            match (test, contexts) {
                (Test::Positional(pick), Some(contexts)) => {
                    // From here on, it matters for which context a node was picked.
                    let picks = self.space.pick(step.axis_step, contexts, &set, *pick);
                    let mut picked = NodeSet::empty(self.tree.table().len());
                    picks.iter().for_each(|&(_, node)| picked.insert(node));
                    return self.after_pick(&step.tests[place + 1..], picked);
                }
                (Test::Positional(pick), None) => {
                    let place = pick.place(set.len());
                    let node = place.and_then(|place| set.iter().nth(place));
                    set = NodeSet::empty(self.tree.table().len());
                    node.into_iter().for_each(|node| set.insert(node));
                }
                _ => self.filter(test, &mut set),
            }
        }
        set
    }

    /// The nodes of a step if one of its tests is omitted; picks are ignored.
    pub fn step_without(&self, step: &Step, left_out: usize, contexts: Option<&NodeSet>) -> NodeSet {
        let mut set = self.base(step);
        if let Some(contexts) = contexts {
            set = self.space.forward(step.axis_step, contexts, set);
        }
        for (place, test) in step.tests.iter().enumerate() {
            if place != left_out && !matches!(test, Test::Positional(_)) {
                self.filter(test, &mut set);
            }
        }
        set
    }

    /// The nodes of a step, independent of context: those left before its pick, and those for which all other tests are
    /// true.
    pub fn anywhere(&self, step: &Step) -> (NodeSet, NodeSet) {
        let mut set = self.base(step);
        let mut before_pick = None;
        for test in &step.tests {
            match test {
                Test::Positional(_) => before_pick = before_pick.or_else(|| Some(set.clone())),
                _ => self.filter(test, &mut set),
            }
        }
        (before_pick.unwrap_or_else(|| set.clone()), set)
    }

    /// Applies the tests after a pick. Each context has one node left, so another pick keeps it or nothing.
    fn after_pick(&self, tests: &[Test], mut set: NodeSet) -> NodeSet {
        for test in tests {
            match test {
                Test::Positional(pick) if pick.place(1).is_none() => return NodeSet::empty(set.universe()),
                Test::Positional(_) => {}
                _ => self.filter(test, &mut set),
            }
        }
        set
    }

    /// The nodes of a step's types and role.
    fn base(&self, step: &Step) -> NodeSet {
        let table = self.tree.table();
        let mut set = self.of_types(&step.types);
        if let Some(role) = step.role {
            set.retain(|node| table.field(node) == role);
        }
        set
    }

    /// All nodes of some types.
    pub fn of_types(&self, types: &Types) -> NodeSet {
        let table = self.tree.table();
        let mut set = NodeSet::empty(table.len());
        match types {
            Types::Named => set = table.named(),
            Types::Some { mask, lists } => {
                if !mask.is_empty() {
                    set = NodeSet::of_types(table.types(), mask.ids());
                }
                for list in lists {
                    set.union_with(&self.list(list));
                }
            }
        }
        set
    }

    /// Keeps the nodes for which a test is true.
    fn filter(&self, test: &Test, set: &mut NodeSet) {
        let tree = self.tree;
        let table = tree.table();
        if !self.charge(set.len() + table.len() / 64 + if walks_the_table(test) { table.len() } else { 0 }) {
            *set = self.empty();
            return;
        }
        match test {
            Test::Type { types, negated } => {
                let found = self.of_types(types);
                if *negated { set.subtract(&found) } else { set.intersect_with(&found) }
            }
            Test::Attribute(test) => set.retain(|node| self.attribute(test, node)),
            Test::Capture(_) | Test::Positional(_) => {}
            Test::Nth(place) => self.filter_place(place, set),
            Test::OnlyChild => {
                let places = self.places();
                set.retain(|node| places.place(tree, node).is_some() && places.count(tree, node) == 1);
            }
            Test::Root => set.retain(|node| node == Node::ROOT),
            Test::Leaf => set.retain(|node| tree.named_children(node).next().is_none()),
            Test::Empty => set.retain(|node| self.is_empty(node)),
            Test::Is(list) => set.intersect_with(&self.list(list)),
            // With variables, this is decided when they are bound.
            Test::Not(list) if list.has_variables() => {}
            Test::Not(list) => set.subtract(&self.list(list)),
            Test::Has { list } => {
                let mut found = NodeSet::empty(table.len());
                for chain in &list.chains {
                    found.union_with(&self.having(chain, set));
                }
                set.intersect_with(&found);
            }
            Test::In(list) => {
                let within = AxisStep { axis: Axis::Descendant, comments: false, tokens: false, own: false };
                *set = self.space.forward(within, &self.list(list), set.clone());
            }
            Test::InOwn(list) => {
                let owners = self.list(list);
                set.retain(|node| node != Node::ROOT && owners.contains(tree.owner(node)));
            }
            Test::Precedes(list) => self.filter_beside(Axis::Later, list, set),
            Test::Follows(list) => self.filter_beside(Axis::Earlier, list, set),
            Test::At { line, column, smallest } => self.filter_at(*line, *column, *smallest, set),
            Test::Lines { first, last } => set.retain(|node| {
                let lines = tree.lines(node);
                *first <= lines.0 && lines.1 <= *last
            }),
            Test::Error => self.filter_directly(set, |node| table.is_error(node)),
            Test::Missing => self.filter_directly(set, |node| table.is_missing(node)),
            Test::Like(like) => set.retain(|node| match like.pattern.matches(tree, node, &self.budget) {
                MatchOutcome::Yes(_) => true,
                MatchOutcome::No => false,
                MatchOutcome::TooLong => {
                    self.space.is_over.set(true);
                    false
                }
            }),
            Test::Project(relation) => match self.project {
                Some(project) => set.retain(|node| self.charge(1) && project.fits(relation, node)),
                None => {
                    self.needs_project.set(true);
                    *set = self.empty();
                }
            },
            Test::Docstring => {
                let mut strings = NodeSet::empty(table.len());
                let owners = table.nodes().filter(|&node| node == Node::ROOT || tree.is_scope(node));
                owners.filter_map(|node| tree.docstring(node)).for_each(|string| strings.insert(string));
                set.intersect_with(&strings);
            }
        }
    }

    fn filter_beside(&self, axis: Axis, list: &List, set: &mut NodeSet) {
        let axis_step = AxisStep { axis, comments: true, tokens: false, own: false };
        let found = self.space.inverse(axis_step, &self.list(list));
        set.intersect_with(&found);
    }

    /// Keeps the nodes for which `is_one` is true, or for a child of which it is true.
    fn filter_directly(&self, set: &mut NodeSet, is_one: impl Fn(Node) -> bool) {
        let table = self.tree.table();
        let mut found = NodeSet::empty(table.len());
        table.nodes().filter(|&node| is_one(node)).for_each(|node| found.insert(node));
        let child = AxisStep { axis: Axis::Child, comments: false, tokens: false, own: false };
        let above = self.space.inverse(child, &found);
        found.union_with(&above);
        set.intersect_with(&found);
    }

    fn filter_place(&self, place: &NthTest, set: &mut NodeSet) {
        let tree = self.tree;
        let among;
        let places = match &place.of {
            Some(list) => {
                let matching = self.list(list);
                set.intersect_with(&matching);
                among = Places::of(tree, &matching);
                &among
            }
            None => self.places(),
        };
        set.retain(|node| {
            let found = if place.of_type {
                self.type_places().place(tree, node)
            } else {
                places.place(tree, node).map(|found| (found, places.count(tree, node)))
            };
            let Some((found, count)) = found else { return false };
            let found = if place.from_end { count - found } else { found + 1 };
            place.holds(i64::try_from(found).unwrap_or(i64::MAX))
        });
    }

    fn filter_at(&self, line: usize, column: Option<usize>, smallest: bool, set: &mut NodeSet) {
        let (tree, text) = (self.tree, self.tree.text());
        if line < 1 || line > text.line_count().max(1) {
            *set = self.empty();
            return;
        }
        let span = text.line_span(line);
        let place = match column {
            Some(column) => text.offset(Position { line, column }).map(|offset| (offset, offset + 1)),
            None => {
                let source = text.slice(span);
                let start = span.start() + source.len() - source.trim_start().len();
                let end = span.end() - (source.len() - source.trim_end().len());
                // A blank line is inside what begins before it and ends after it.
                Some(if start < end { (start, end) } else { (span.start(), span.start()) })
            }
        };
        let Some((start, end)) = place else {
            *set = self.empty();
            return;
        };
        if smallest || column.is_some() {
            set.retain(|node| {
                let span = tree.span(node);
                span.start() <= start && end <= span.end()
            });
        } else {
            set.retain(|node| {
                let lines = tree.lines(node);
                lines.0 <= line && line <= lines.1
            });
        }
        if smallest {
            // Of nodes with the same span, the later in document order is the smaller.
            let node = set.iter().min_by_key(|&node| (tree.span(node).len(), std::cmp::Reverse(node)));
            *set = NodeSet::empty(set.universe());
            node.into_iter().for_each(|node| set.insert(node));
        }
    }

    fn is_empty(&self, node: Node) -> bool {
        let tree = self.tree;
        if tree.named_children(node).next().is_some() {
            return false;
        }
        let text = tree.node_text(node);
        let start = tree.span(node).start();
        let mut rest = String::new();
        let mut at = 0;
        for child in tree.table().children(node) {
            let span = tree.span(child);
            rest.push_str(&text[at..span.start() - start]);
            at = span.end() - start;
            let delimits =
                !tree.table().is_named(child) && !text[span.start() - start..at].contains(char::is_alphanumeric);
            if !delimits && !tree.is_comment(child) {
                return false;
            }
        }
        rest.push_str(&text[at..]);
        rest.trim().is_empty()
    }

    /// Those of `anchors` from which a relative chain has a match.
    ///
    /// The chain is walked from its last step to its first with one set, since a selector may have tens of thousands of
    /// steps. Only for steps that pick does it matter from where they are reached; these are walked forward first.
    fn having(&self, chain: &Chain, anchors: &NodeSet) -> NodeSet {
        let steps = &chain.steps;
        let mut onward: Option<NodeSet> = None;
        let mut end = steps.len();
        while end > 0 {
            if !self.charge(self.tree.table().len()) {
                return self.empty();
            }
            let start = (0..end).rev().take_while(|&place| steps[place].picks()).last().unwrap_or(end - 1);
            let run = &steps[start..end];
            let from = match start.checked_sub(1) {
                _ if !run[0].picks() => self.evaluate_unpositioned(&run[0]),
                None => anchors.clone(),
                Some(before) => self.starts(&steps[start], self.evaluate_unpositioned(&steps[before])),
            };
            let narrow = |mut set: NodeSet| {
                if let Some(next) = steps.get(end) {
                    set = self.starts(next, set);
                }
                onward.iter().for_each(|onward| set.intersect_with(onward));
                set
            };
            let found = if run[0].picks() {
                self.having_picked(run, from, narrow)
            } else {
                self.space.inverse(run[0].axis_step, &narrow(from))
            };
            if found.is_empty() {
                return found;
            }
            (onward, end) = (Some(found), start);
        }
        let mut found = onward.unwrap_or_else(|| anchors.clone());
        found.intersect_with(anchors);
        found
    }

    /// Those of `anchors` from which a run of steps, all of which pick, leads to a node that `narrow` keeps.
    fn having_picked(&self, run: &[Step], mut anchors: NodeSet, narrow: impl Fn(NodeSet) -> NodeSet) -> NodeSet {
        let mut picked: Vec<Vec<(Node, Node)>> = Vec::with_capacity(run.len());
        let mut held = 0;
        for (place, step) in run.iter().enumerate() {
            let Some((at, pick)) = step.pick() else { return self.empty() };
            let mut picks = self.space.pick(step.axis_step, &anchors, &self.evaluate_unpositioned(step), pick);
            held += picks.len();
            if !self.charge(self.tree.table().len()) || held > limits::POSITIONAL_PAIRS {
                self.space.is_over.set(true);
                return self.empty();
            }
            let mut nodes = self.empty();
            picks.iter().for_each(|&(_, node)| nodes.insert(node));
            let nodes = self.after_pick(&step.tests[at + 1..], nodes);
            picks.retain(|(_, node)| nodes.contains(*node));
            if picks.is_empty() {
                return self.empty();
            }
            picked.push(picks);
            anchors = match run.get(place + 1) {
                Some(next) => self.starts(next, nodes),
                None => narrow(nodes),
            };
        }
        for picks in picked.iter().rev() {
            let mut found = self.empty();
            picks.iter().filter(|(_, node)| anchors.contains(*node)).for_each(|&(anchor, _)| found.insert(anchor));
            anchors = found;
        }
        anchors
    }

    /// The nodes of a step, independent of context, after the tests before its pick.
    fn evaluate_unpositioned(&self, step: &Step) -> NodeSet {
        let mut set = self.base(step);
        for test in step.tests.iter().take_while(|test| !matches!(test, Test::Positional(_))) {
            if set.is_empty() {
                break;
            }
            self.filter(test, &mut set);
        }
        set
    }

    /// The nodes from which the next step of a relative chain may start. For `:has-own` these exclude nested functions
    /// and classes.
    pub fn starts(&self, next: &Step, mut set: NodeSet) -> NodeSet {
        if next.axis_step.is_closed_from_scopes() {
            set.retain(|node| !self.tree.is_scope(node));
        }
        set
    }

    /// The nodes of a relative chain's step, independent of context.
    pub fn relative(&self, chain: &Chain, place: usize) -> Rc<Anywhere> {
        if let Some(known) = self.relative.borrow().get(&(chain.id, place)) {
            return Rc::clone(known);
        }
        self.charge(self.tree.table().len());
        let (before_pick, all) = self.anywhere(&chain.steps[place]);
        let relative = Rc::new(Anywhere { before_pick, all });
        self.make_space(relative.all.universe() / 4);
        self.relative.borrow_mut().insert((chain.id, place), Rc::clone(&relative));
        relative
    }

    /// How many nodes a relative list finds from an anchor.
    pub fn count(&self, list: &List, anchor: Node) -> usize {
        // Nothing is found any more, and each look at a deep tree takes long.
        if self.space.is_over.get() {
            return 0;
        }
        let known = self.counts.borrow().get(&list.id).cloned();
        let counts = known.unwrap_or_else(|| {
            let counts = self.counts_at_once(list).map(Rc::new);
            self.make_space(counts.as_ref().map_or(0, |counts| counts.len() * size_of::<u32>()));
            self.counts.borrow_mut().insert(list.id, counts.clone());
            counts
        });
        if let Some(counts) = counts {
            return counts[anchor.index()] as usize;
        }
        let mut found: Vec<Node> = list.chains.iter().flat_map(|chain| self.reached(chain, anchor)).collect();
        found.sort_unstable();
        found.dedup();
        found.len()
    }

    /// How many nodes a list finds from each node, if its branches are single steps along one axis.
    fn counts_at_once(&self, list: &List) -> Option<Vec<u32>> {
        let steps: Option<Vec<&Step>> = list.chains.iter().map(Chain::single).collect();
        let steps = steps.filter(|steps| !steps.iter().any(|step| step.picks()))?;
        let axis_step = steps.first()?.axis_step;
        if steps.iter().any(|step| step.axis_step != axis_step) {
            return None;
        }
        let mut found = self.empty();
        list.chains.iter().for_each(|chain| found.union_with(&self.relative(chain, 0).all));
        self.charge(self.tree.table().len());
        Some(self.space.counts(axis_step, &found))
    }

    /// The nodes that a relative chain finds from one anchor.
    fn reached(&self, chain: &Chain, anchor: Node) -> Vec<Node> {
        let mut nodes = vec![anchor];
        for (place, step) in chain.steps.iter().enumerate() {
            if step.picks() {
                let picked = self.picked(chain, place);
                nodes = nodes.into_iter().filter_map(|node| picked_from(&picked, node)).collect();
            } else {
                nodes = self.next_nodes(chain, place, nodes);
            }
            if nodes.is_empty() || !self.charge(VISIT * nodes.len()) {
                return Vec::new();
            }
            nodes.sort_unstable();
            nodes.dedup();
        }
        nodes
    }

    /// The nodes of a step that does not pick, from those of the step before: each is followed, or all are at once if
    /// that is less work.
    fn next_nodes(&self, chain: &Chain, place: usize, nodes: Vec<Node>) -> Vec<Node> {
        let axis_step = chain.steps[place].axis_step;
        let relative = self.relative(chain, place);
        let everything = self.tree.table().len();
        let (mut found, mut visits) = (Vec::new(), 0);
        for &node in &nodes {
            for target in self.space.targets(axis_step, node, &relative.all) {
                found.extend(target);
                visits += 1;
                if visits > everything / 8 {
                    self.charge(4 * VISIT * everything);
                    let mut from = self.empty();
                    nodes.iter().for_each(|&node| from.insert(node));
                    return self.space.forward(axis_step, &from, relative.all.clone()).iter().collect();
                }
            }
        }
        self.charge(VISIT * visits);
        found
    }

    /// For each node, the one that a relative chain's step picks, if the tests after the pick are true for it.
    pub fn picked(&self, chain: &Chain, place: usize) -> Rc<Selected> {
        if let Some(known) = self.picked.borrow().get(&(chain.id, place)) {
            return Rc::clone(known);
        }
        let step = &chain.steps[place];
        let relative = self.relative(chain, place);
        let mut picked = Selected::new();
        if let (Some((at, pick)), true) = (step.pick(), self.charge(self.tree.table().len())) {
            let everything = NodeSet::full(self.tree.table().len());
            picked = self.space.pick(step.axis_step, &everything, &relative.before_pick, pick);
            let mut more = step.tests[at + 1..].iter();
            let is_one = more.all(|test| !matches!(test, Test::Positional(pick) if pick.place(1).is_none()));
            picked.retain(|&(_, node)| is_one && relative.all.contains(node));
        }
        let picked = Rc::new(picked);
        self.make_space(picked.len() * size_of::<(Node, Node)>());
        self.picked.borrow_mut().insert((chain.id, place), Rc::clone(&picked));
        picked
    }

    /// Whether an attribute test is true. If it needs captures or variables, whether the node has the attribute.
    pub fn attribute(&self, test: &AttributeTest, node: Node) -> bool {
        if test.head.is_some() {
            return true;
        }
        let Some(node) = self.through(test, node) else {
            return self.lacks(&test.comparison);
        };
        match &test.comparison {
            Comparison::Variable { operator: Operator::Equal, .. } => self.subject(test, node) != Value::None,
            Comparison::Variable { .. } => true,
            comparison => self.compare(&self.subject(test, node), comparison, node),
        }
    }

    /// Whether a comparison is true for a node without the attribute.
    pub fn lacks(&self, comparison: &Comparison) -> bool {
        match comparison {
            Comparison::Text { operator, .. }
            | Comparison::Number { operator, .. }
            | Comparison::Count { operator, .. }
            | Comparison::Variable { operator, .. } => *operator == Operator::NotEqual,
            Comparison::Regex { negated, .. } => *negated,
            Comparison::Exists => false,
        }
    }

    /// The node that a path leads to.
    pub fn through(&self, test: &AttributeTest, node: Node) -> Option<Node> {
        test.fields.iter().try_fold(node, |node, &field| self.tree.child_in_field(node, field))
    }

    /// The value to compare.
    pub fn subject(&self, test: &AttributeTest, node: Node) -> Value<'_> {
        match &test.subject {
            Subject::Attribute(attribute) => self.value(node, *attribute),
            Subject::Count(list) => Value::Number(self.count(list, node)),
        }
    }

    /// Whether a comparison that needs no variable is true.
    pub fn compare(&self, value: &Value<'_>, comparison: &Comparison, node: Node) -> bool {
        if *value == Value::None {
            return self.lacks(comparison);
        }
        if self.space.is_over.get() || !self.charge(cost(value, comparison)) {
            return false;
        }
        match comparison {
            Comparison::Exists => value.clone().into_texts().iter().any(|text| !text.is_empty()),
            Comparison::Text { operator, text, ignore_case } => compare_texts(value, *operator, text, *ignore_case),
            Comparison::Regex { regex, negated, .. } => {
                value.clone().into_texts().iter().any(|text| regex.is_match(text)) != *negated
            }
            Comparison::Number { operator, number } => compare_numbers(value, *operator, *number),
            Comparison::Count { operator, list } => {
                #[allow(clippy::cast_precision_loss)]
                let number = self.count(list, node) as f64;
                compare_numbers(value, *operator, number)
            }
            Comparison::Variable { .. } => true,
        }
    }

    /// The vocabulary of the language. `None` for a user's language with invalid data: no kind is known there, and a
    /// selector that uses one reports why.
    pub(super) fn vocabulary(&self) -> Option<&'static Vocabulary> {
        *self.vocabulary.get_or_init(|| vocabulary::of(self.tree.language()).ok())
    }

    /// The visibility of a definition: the first of the language's rules that matches.
    pub fn visibility(&self, node: Node) -> Option<&'t str> {
        let rule = self.vocabulary()?.visibilities().ok()?.iter().find(|(_, list)| self.list(list).contains(node));
        rule.map(|(word, _)| *word)
    }
}

/// Whether a test looks at all nodes of the tree, however few are tested.
fn walks_the_table(test: &Test) -> bool {
    match test {
        Test::Nth(place) => place.of.is_some(),
        Test::Type { .. }
        | Test::In(_)
        | Test::Precedes(_)
        | Test::Follows(_)
        | Test::Error
        | Test::Missing
        | Test::Docstring => true,
        _ => false,
    }
}

/// The node picked for a context.
pub(super) fn picked_from(picked: &Selected, context: Node) -> Option<Node> {
    picked.binary_search_by_key(&context, |&(context, _)| context).ok().map(|place| picked[place].1)
}

/// A value costs about as much as so many visits of nodes.
pub(super) const VALUE: usize = 32;
/// How many bytes are searched, copied or compared in the time of a visit; one is folded or matched by a regex.
const SEARCHED: usize = 4;

/// What a comparison costs, in visits of nodes: of nested nodes each has the text of those in it, so the texts together are
/// as long as the file times its depth.
fn cost(value: &Value<'_>, comparison: &Comparison) -> usize {
    let length = match value {
        Value::Text(text) => text.len(),
        Value::Texts(texts) => texts.iter().map(|text| text.len()).sum(),
        Value::None | Value::Number(_) => 0,
    };
    VALUE
        + match comparison {
            Comparison::Regex { .. } => length,
            Comparison::Text { text, ignore_case: true, .. } => length + text.len(),
            Comparison::Text { operator: Operator::Contains, .. } => length / SEARCHED,
            Comparison::Text { text, .. } => text.len().min(length) / SEARCHED,
            Comparison::Number { .. } | Comparison::Count { .. } | Comparison::Variable { .. } | Comparison::Exists => {
                0
            }
        }
}

fn compare_numbers(value: &Value<'_>, operator: Operator, number: f64) -> bool {
    let Some(found) = value.as_number() else { return operator == Operator::NotEqual };
    #[allow(clippy::float_cmp)]
    match operator {
        Operator::Equal => found == number,
        Operator::NotEqual => found != number,
        Operator::Less => found < number,
        Operator::LessOrEqual => found <= number,
        Operator::Greater => found > number,
        Operator::GreaterOrEqual => found >= number,
        Operator::Prefix | Operator::Suffix | Operator::Contains => false,
    }
}

/// Whether any of a node's values compares like this with a text; for `!=`, whether none equals it.
pub(super) fn compare_texts(value: &Value<'_>, operator: Operator, wanted: &str, ignore_case: bool) -> bool {
    let fold = str::to_lowercase;
    let folded = if ignore_case { fold(wanted) } else { String::new() };
    let equals = |text: &str| if ignore_case { fold(text) == folded } else { text == wanted };
    let one = |text: &str| match operator {
        Operator::Equal | Operator::NotEqual => equals(text),
        Operator::Prefix if ignore_case => fold(text).starts_with(&folded),
        Operator::Prefix => text.starts_with(wanted),
        Operator::Suffix if ignore_case => fold(text).ends_with(&folded),
        Operator::Suffix => text.ends_with(wanted),
        Operator::Contains if ignore_case => fold(text).contains(&folded),
        Operator::Contains => text.contains(wanted),
        _ => false,
    };
    let any = match value {
        Value::None => false,
        Value::Text(text) => one(text),
        Value::Texts(texts) => texts.iter().any(|text| one(text)),
        Value::Number(number) => one(&number.to_string()),
    };
    any != (operator == Operator::NotEqual)
}
