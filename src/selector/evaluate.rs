//! Evaluation: sets of nodes, step by step.
//!
//! A chain is evaluated forward: the nodes of each step are those of the step's own kind that stand in its relation to the
//! step before. A relative chain, as in `:has`, is evaluated backward. Captures and variables are left out here, so
//! what is found is exact without variables and too much with them; `bind` takes away the rest.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::attribute::Value;
use super::pattern::Found;
use super::places::{Places, TypePlaces};
use super::query::{AttributeTest, Chain, Comparison, List, Place, Step, Subject, Test, Types};
use super::relation::{Relation, Space, Way};
use super::syntax::Operator;
use crate::text::Position;
use crate::tree::{Node, NodeSet, Tree};

/// Evaluates lists over one tree, and remembers what they found.
pub(super) struct Evaluator<'t> {
    tree: &'t Tree,
    pub(super) space: Space<'t>,
    lists: RefCell<FxHashMap<usize, Rc<NodeSet>>>,
    pub(super) chains: RefCell<FxHashMap<usize, Rc<Vec<NodeSet>>>>,
    places: OnceCell<Places>,
    type_places: OnceCell<TypePlaces>,
    depths: OnceCell<Vec<u32>>,
    /// Work left for binding variables.
    pub(super) budget: Cell<u64>,
    /// Whether that work wasn't enough for a code pattern.
    pub(super) is_over: Cell<bool>,
}

impl<'t> Evaluator<'t> {
    pub fn new(tree: &'t Tree) -> Evaluator<'t> {
        Evaluator {
            tree,
            space: Space::new(tree),
            lists: RefCell::default(),
            chains: RefCell::default(),
            places: OnceCell::new(),
            type_places: OnceCell::new(),
            depths: OnceCell::new(),
            budget: Cell::new(super::bind::BUDGET),
            is_over: Cell::new(false),
        }
    }

    pub fn tree(&self) -> &'t Tree {
        self.tree
    }

    pub fn places(&self) -> &Places {
        self.places.get_or_init(|| Places::new(self.tree))
    }

    /// For each node how many named nodes are above it.
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
        self.lists.borrow_mut().insert(list.id, Rc::clone(&found));
        found
    }

    /// The nodes of a chain's last step. No other step's are kept: a long chain over a large file would fill the memory.
    pub fn list_of(&self, chain: &Chain) -> NodeSet {
        let last = chain.steps.iter().fold(None, |contexts, step| Some(self.step(step, contexts.as_ref())));
        last.unwrap_or_else(|| NodeSet::empty(self.tree.table().len()))
    }

    /// The nodes of each step of a chain that starts from the file.
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

    /// The nodes of a step for the nodes of the one before; `None` is the file.
    fn step(&self, step: &Step, contexts: Option<&NodeSet>) -> NodeSet {
        let mut set = self.base(step);
        match contexts {
            _ if set.is_empty() => return set,
            Some(contexts) => set = self.space.along(step.relation, contexts, set),
            None if step.relation.way == Way::Child => set.retain(|node| node == Node::ROOT),
            None => {}
        }
        for (place, test) in step.tests.iter().enumerate() {
            if set.is_empty() {
                break;
            }
            match (test, contexts) {
                (Test::Pick(pick), Some(contexts)) => {
                    // From here on it matters which context a node was picked for.
                    let picks = self.space.pick(step.relation, contexts, &set, *pick);
                    let mut picked = NodeSet::empty(self.tree.table().len());
                    picks.iter().for_each(|&(_, node)| picked.insert(node));
                    return self.after_pick(&step.tests[place + 1..], picked);
                }
                (Test::Pick(pick), None) => {
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

    /// The nodes of a step if one of its tests were not there; picks are left out.
    pub fn step_without(&self, step: &Step, left_out: usize, contexts: Option<&NodeSet>) -> NodeSet {
        let mut set = self.base(step);
        if let Some(contexts) = contexts {
            set = self.space.along(step.relation, contexts, set);
        }
        for (place, test) in step.tests.iter().enumerate() {
            if place != left_out && !matches!(test, Test::Pick(_)) {
                self.filter(test, &mut set);
            }
        }
        set
    }

    /// A step's nodes wherever they are: those left before its pick, and those for which all other tests hold.
    pub fn anywhere(&self, step: &Step) -> (NodeSet, NodeSet) {
        let mut set = self.base(step);
        let mut before_pick = None;
        for test in &step.tests {
            match test {
                Test::Pick(_) => before_pick = before_pick.or_else(|| Some(set.clone())),
                _ => self.filter(test, &mut set),
            }
        }
        (before_pick.unwrap_or_else(|| set.clone()), set)
    }

    /// The tests after a pick; each context has one node left, so that another pick keeps it or none.
    fn after_pick(&self, tests: &[Test], mut set: NodeSet) -> NodeSet {
        for test in tests {
            match test {
                Test::Pick(pick) if pick.place(1).is_none() => return NodeSet::empty(set.universe()),
                Test::Pick(_) => {}
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

    /// Keeps the nodes for which a test holds.
    fn filter(&self, test: &Test, set: &mut NodeSet) {
        let tree = self.tree;
        let table = tree.table();
        match test {
            Test::Type { types, negated } => {
                let found = self.of_types(types);
                if *negated { set.subtract(&found) } else { set.intersect_with(&found) }
            }
            Test::Attribute(test) => set.retain(|node| self.attribute(test, node)),
            Test::Capture(_) | Test::Pick(_) => {}
            Test::Place(place) => self.filter_place(place, set),
            Test::OnlyChild => {
                let places = self.places();
                set.retain(|node| places.place(tree, node).is_some() && places.count(tree, node) == 1);
            }
            Test::Root => set.retain(|node| node == Node::ROOT),
            Test::Leaf => set.retain(|node| tree.named_children(node).next().is_none()),
            Test::Empty => set.retain(|node| self.is_empty(node)),
            Test::Is(list) => set.intersect_with(&self.list(list)),
            // With variables it is told when they are bound.
            Test::Not(list) if list.has_variables() => {}
            Test::Not(list) => set.subtract(&self.list(list)),
            Test::Has { list } => {
                let mut found = NodeSet::empty(table.len());
                for chain in &list.chains {
                    found.union_with(&self.having(chain, 0, set));
                }
                set.intersect_with(&found);
            }
            Test::In(list) => {
                let within = Relation { way: Way::Descendant, comments: false, tokens: false, own: false };
                *set = self.space.along(within, &self.list(list), set.clone());
            }
            Test::InOwn(list) => {
                let owners = self.list(list);
                set.retain(|node| node != Node::ROOT && owners.contains(tree.owner(node)));
            }
            Test::Precedes(list) => self.filter_beside(Way::Later, list, set),
            Test::Follows(list) => self.filter_beside(Way::Earlier, list, set),
            Test::At { line, column, smallest } => self.filter_at(*line, *column, *smallest, set),
            Test::Lines { first, last } => set.retain(|node| {
                let lines = tree.lines(node);
                *first <= lines.0 && lines.1 <= *last
            }),
            Test::Error => self.filter_directly(set, |node| table.is_error(node)),
            Test::Missing => self.filter_directly(set, |node| table.is_missing(node)),
            Test::Like(like) => set.retain(|node| match like.pattern.matches(tree, node, &self.budget) {
                Found::Yes(_) => true,
                Found::No => false,
                Found::TooLong => {
                    self.is_over.set(true);
                    false
                }
            }),
            Test::Docstring => {
                let mut strings = NodeSet::empty(table.len());
                let owners = table.nodes().filter(|&node| node == Node::ROOT || tree.is_scope(node));
                owners.filter_map(|node| tree.docstring(node)).for_each(|string| strings.insert(string));
                set.intersect_with(&strings);
            }
        }
    }

    fn filter_beside(&self, way: Way, list: &List, set: &mut NodeSet) {
        let relation = Relation { way, comments: true, tokens: false, own: false };
        let found = self.space.against(relation, &self.list(list));
        set.intersect_with(&found);
    }

    /// Nodes that are such a node, or have one as a child.
    fn filter_directly(&self, set: &mut NodeSet, is_one: impl Fn(Node) -> bool) {
        let table = self.tree.table();
        let mut found = NodeSet::empty(table.len());
        table.nodes().filter(|&node| is_one(node)).for_each(|node| found.insert(node));
        let child = Relation { way: Way::Child, comments: false, tokens: false, own: false };
        let above = self.space.against(child, &found);
        found.union_with(&above);
        set.intersect_with(&found);
    }

    fn filter_place(&self, place: &Place, set: &mut NodeSet) {
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
        let span = text.line_span(line);
        let place = match column {
            Some(column) => text.offset(Position { line, column }).map(|offset| (offset, offset + 1)),
            None => {
                let source = text.slice(span);
                let start = span.start() + source.len() - source.trim_start().len();
                let end = span.end() - (source.len() - source.trim_end().len());
                (start < end).then_some((start, end))
            }
        };
        let exists = line >= 1 && line <= text.line_count().max(1);
        let Some((start, end)) = place.filter(|_| exists) else {
            *set = NodeSet::empty(set.universe());
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
            // Of nodes that share a place, the later in document order is the smaller.
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

    /// Those of `anchors` from which the chain, from one of its steps on, has a match.
    fn having(&self, chain: &Chain, place: usize, anchors: &NodeSet) -> NodeSet {
        let Some(step) = chain.steps.get(place) else { return anchors.clone() };
        let pick = step.tests.iter().position(|test| matches!(test, Test::Pick(_)));
        let (before, after) = step.tests.split_at(pick.unwrap_or(step.tests.len()));
        let mut set = self.base(step);
        for test in before {
            if set.is_empty() {
                return set;
            }
            self.filter(test, &mut set);
        }
        let [Test::Pick(pick), after @ ..] = after else {
            if let Some(next) = chain.steps.get(place + 1) {
                set = self.having(chain, place + 1, &self.starts(next, set));
            }
            let mut found = self.space.against(step.relation, &set);
            found.intersect_with(anchors);
            return found;
        };
        let picks = self.space.pick(step.relation, anchors, &set, *pick);
        let mut picked = NodeSet::empty(self.tree.table().len());
        picks.iter().for_each(|&(_, node)| picked.insert(node));
        picked = self.after_pick(after, picked);
        if let Some(next) = chain.steps.get(place + 1) {
            picked = self.having(chain, place + 1, &self.starts(next, picked));
        }
        let mut found = NodeSet::empty(self.tree.table().len());
        picks.iter().filter(|(_, node)| picked.contains(*node)).for_each(|&(anchor, _)| found.insert(anchor));
        found
    }

    /// What the next step of a relative chain may start from: under `:has-own` no nested function or class, which is closed.
    pub fn starts(&self, next: &Step, mut set: NodeSet) -> NodeSet {
        if next.relation.is_closed_from_scopes() {
            set.retain(|node| !self.tree.is_scope(node));
        }
        set
    }

    /// How many nodes a relative list finds from an anchor.
    pub fn count(&self, list: &List, anchor: Node) -> usize {
        let table = self.tree.table();
        if let [chain] = &list.chains[..]
            && let [step] = &chain.steps[..]
            && step.relation.way == Way::Descendant
            && !step.tests.iter().any(|test| matches!(test, Test::Pick(_)))
        {
            let found = self.chain(chain);
            let (start, end) = self.tree.logical().extent(table, anchor);
            return found[0].iter_range(start, end).filter(|&node| node != anchor).count();
        }
        let mut anchors = NodeSet::empty(table.len());
        anchors.insert(anchor);
        let mut found = NodeSet::empty(table.len());
        for chain in &list.chains {
            let mut set = anchors.clone();
            for step in &chain.steps {
                set = self.step(step, Some(&set));
            }
            found.union_with(&set);
        }
        found.len()
    }

    /// Whether an attribute test holds; one that needs captures or variables holds where the node has the attribute.
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

    /// Whether a comparison holds for a node that lacks the attribute.
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

    /// What is compared.
    pub fn subject(&self, test: &AttributeTest, node: Node) -> Value<'_> {
        match &test.subject {
            Subject::Attribute(attribute) => self.value(node, *attribute),
            Subject::Count(list) => Value::Number(self.count(list, node)),
        }
    }

    /// Whether a comparison that needs no variable holds.
    pub fn compare(&self, value: &Value<'_>, comparison: &Comparison, node: Node) -> bool {
        if *value == Value::None {
            return self.lacks(comparison);
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

    /// The visibility of a definition: the first of the language's rules that matches.
    pub fn visibility(&self, node: Node) -> Option<&'t str> {
        let vocabulary = super::vocabulary::of(self.tree.language()).ok()?;
        let rule = vocabulary.visibility.iter().find(|(_, list)| self.list(list).contains(node));
        rule.map(|(word, _)| *word)
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

/// Whether any of a node's values compares so to a text; for `!=` whether none equals it.
pub(super) fn compare_texts(value: &Value<'_>, operator: Operator, wanted: &str, ignore_case: bool) -> bool {
    let fold = |text: &str| if ignore_case { text.to_lowercase() } else { text.to_owned() };
    let folded = fold(wanted);
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
