//! Binding captures and variables.
//!
//! Evaluation has found the nodes that match if variables are ignored. For each of them, this module tries the ways in
//! which it matches, nearest context first, until one gives every variable a single value. Each test passes its
//! bindings on to the next, and removes them if a later test fails.

use crate::limits;
use std::cell::{Cell, RefCell};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::axis::{Axis, AxisStep};
use super::axis_evaluator::{POLLED, Visits};
use super::evaluate::{Evaluator, compare_texts, picked_from};
use super::ir::{AttributeTest, Chain, Comparison, Like, List, Test};
use super::pattern::{self, same_code};
use super::slot::Slot;
use super::syntax::Operator;
use crate::interrupt::poll;
use crate::tree::{Captured, Node};

/// Binding took too long.
#[derive(Debug, Clone, Copy)]
pub(super) struct OverBudget;

type Fits = Result<bool, OverBudget>;
type Next<'n, 'q> = &'n mut dyn FnMut(&mut Bindings<'q>) -> Fits;

/// The current bindings, and the tests that can only be decided at the end.
#[derive(Debug, Default)]
pub(super) struct Bindings<'q> {
    nodes: Vec<Option<Captured>>,
    values: Vec<Option<BoundText>>,
    deferred: Vec<(Node, &'q Test)>,
}

/// The value of a variable, with its hash: a text may be as long as the file, and is hashed once.
#[derive(Debug, Clone)]
struct BoundText {
    text: String,
    hash: u64,
}

impl BoundText {
    fn new(text: String) -> BoundText {
        let mut hasher = FxHasher::default();
        text.hash(&mut hasher);
        BoundText { text, hash: hasher.finish() }
    }
}

impl Bindings<'_> {
    /// A hash of all bindings and postponed tests: if it is the same, the rest of the search is the same.
    fn fingerprint(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.nodes.hash(&mut hasher);
        self.values.iter().for_each(|value| value.as_ref().map(|value| value.hash).hash(&mut hasher));
        for (node, test) in &self.deferred {
            (node, std::ptr::from_ref::<Test>(test)).hash(&mut hasher);
        }
        hasher.finish()
    }
}

/// The binder for one tree.
pub(super) struct Binder<'q, 't> {
    evaluator: &'q Evaluator<'t>,
    slots: &'q [Slot],
    picks: RefCell<FxHashMap<(usize, usize), Rc<PickSet>>>,
    /// Chain, step, node and bindings from which no way back to the first step of the chain led to a match. Only kept
    /// for the branches of the selector itself, since only there the continuation is always the same.
    failed: RefCell<FxHashSet<(usize, usize, Node, u64)>>,
    branch: Cell<usize>,
}

/// Contexts, each with the node picked for it.
type PickSet = FxHashSet<(Node, Node)>;

impl<'q, 't> Binder<'q, 't> {
    pub fn new(evaluator: &'q Evaluator<'t>, slots: &'q [Slot]) -> Binder<'q, 't> {
        let (picks, failed) = (RefCell::default(), RefCell::default());
        Binder { evaluator, slots, picks, failed, branch: Cell::new(usize::MAX) }
    }

    /// The captures for a node matched by the last step of a chain; `None` if no values fit.
    pub fn bind(&self, chain: &'q Chain, node: Node) -> Result<Option<Vec<Option<Captured>>>, OverBudget> {
        let mut bindings = Bindings {
            nodes: vec![None; self.slots.len()],
            values: vec![None; self.slots.len()],
            deferred: Vec::new(),
        };
        let mut captures = None;
        self.branch.set(chain.id);
        self.backward(chain, chain.steps.len() - 1, node, &mut bindings, &mut |bindings| {
            let settled = self.settle(bindings, 0)?;
            if settled {
                captures = Some(bindings.nodes.clone());
            }
            Ok(settled)
        })?;
        Ok(captures)
    }

    /// Charges the budget for a node that is tried.
    fn spend(&self) -> Result<(), OverBudget> {
        let left = self.evaluator.budget.get();
        self.evaluator.budget.set(left.saturating_sub(1));
        if left.is_multiple_of(POLLED) {
            poll();
        }
        if left == 0 || self.evaluator.space.is_over.get() { Err(OverBudget) } else { Ok(()) }
    }

    /// Searches from the node of a step back to the first step of the chain.
    fn backward(
        &self,
        chain: &'q Chain,
        place: usize,
        node: Node,
        bindings: &mut Bindings<'q>,
        next: Next<'_, 'q>,
    ) -> Fits {
        self.spend()?;
        let sets = self.evaluator.chain(chain);
        if !sets[place].contains(node) {
            return Ok(false);
        }
        let step = &chain.steps[place];
        let state = (chain.id == self.branch.get()).then(|| (chain.id, place, node, bindings.fingerprint()));
        if state.is_some_and(|state| self.failed.borrow().contains(&state)) {
            return Ok(false);
        }
        let found = self.tests(&step.tests, node, bindings, &mut |bindings| {
            let Some(before) = place.checked_sub(1) else { return next(bindings) };
            let space = &self.evaluator.space;
            for context in space.charged_nodes(space.contexts(step.axis_step, node, &sets[before])) {
                self.spend()?;
                let picked = || self.picks(chain, place).is_none_or(|picks| picks.contains(&(context, node)));
                if picked() && self.backward(chain, before, context, bindings, next)? {
                    return Ok(true);
                }
            }
            Ok(false)
        })?;
        let mut failed = self.failed.borrow_mut();
        if let (false, Some(state), true) = (found, state, failed.len() < limits::DEAD_ENDS) {
            failed.insert(state);
        }
        Ok(found)
    }

    /// For a step that picks, the contexts and their picks.
    fn picks(&self, chain: &Chain, place: usize) -> Option<Rc<PickSet>> {
        let step = &chain.steps[place];
        let (_, pick) = step.pick()?;
        let key = (chain.id, place);
        if let Some(known) = self.picks.borrow().get(&key) {
            return Some(Rc::clone(known));
        }
        let relative = self.evaluator.relative(chain, place);
        let contexts = &self.evaluator.chain(chain)[place - 1];
        let picks = self.evaluator.space.pick(step.axis_step, contexts, &relative.before_pick, pick);
        let picks = Rc::new(picks.into_iter().collect());
        self.picks.borrow_mut().insert(key, Rc::clone(&picks));
        Some(picks)
    }

    /// Searches forward from an anchor through a relative chain, in document order.
    fn forward(
        &self,
        chain: &'q Chain,
        place: usize,
        anchor: Node,
        bindings: &mut Bindings<'q>,
        next: Next<'_, 'q>,
    ) -> Fits {
        let Some(step) = chain.steps.get(place) else { return next(bindings) };
        if place > 0 && step.axis_step.is_closed_from_scopes() && self.evaluator.tree().is_scope(anchor) {
            return Ok(false);
        }
        let relative = self.evaluator.relative(chain, place);
        let nodes: Visits<'_> = if step.picks() {
            Box::new(std::iter::once(picked_from(&self.evaluator.picked(chain, place), anchor)))
        } else {
            self.evaluator.space.targets(step.axis_step, anchor, &relative.all)
        };
        for node in self.evaluator.space.charged_nodes(nodes) {
            self.spend()?;
            let mut after = |bindings: &mut Bindings<'q>| self.forward(chain, place + 1, node, bindings, next);
            if self.tests(&step.tests, node, bindings, &mut after)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Runs the tests of a step that bind something or depend on bindings.
    fn tests(&self, tests: &'q [Test], node: Node, bindings: &mut Bindings<'q>, next: Next<'_, 'q>) -> Fits {
        let Some(place) = tests.iter().position(Test::binds) else { return next(bindings) };
        let (test, rest) = (&tests[place], &tests[place + 1..]);
        let mut after = |bindings: &mut Bindings<'q>| self.tests(rest, node, bindings, next);
        match test {
            Test::Capture(slot) => {
                // A name in a pattern means the same code everywhere.
                let is_same =
                    |known| same_code(self.evaluator.tree(), known, Captured::Node(node), &self.evaluator.budget);
                if self.slots[*slot].is_code && bindings.nodes[*slot].is_some_and(|known| !is_same(known)) {
                    return Ok(false);
                }
                let outer = bindings.nodes[*slot].replace(Captured::Node(node));
                let found = after(bindings)?;
                bindings.nodes[*slot] = outer;
                Ok(found)
            }
            Test::Attribute(test) if let Some(slot) = self.binding_slot(test) => {
                self.bind_value(test, slot, node, bindings, &mut after)
            }
            Test::Is(list) => self.any_chain(list, node, bindings, &mut after),
            Test::In(list) => {
                let within = AxisStep { axis: Axis::Descendant, comments: false, tokens: false, own: false };
                self.any_node(within, list, node, bindings, &mut after)
            }
            Test::InOwn(list) => self.any_chain(list, self.evaluator.tree().owner(node), bindings, &mut after),
            // This node is earlier than each of its later siblings.
            Test::Precedes(list) => self.any_node(beside(Axis::Earlier), list, node, bindings, &mut after),
            Test::Follows(list) => self.any_node(beside(Axis::Later), list, node, bindings, &mut after),
            Test::Has { list } => {
                for chain in &list.chains {
                    if self.forward(chain, 0, node, bindings, &mut after)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Test::Like(like) => self.like(like, node, bindings, &mut after),
            test => {
                bindings.deferred.push((node, test));
                let found = after(bindings)?;
                bindings.deferred.pop();
                Ok(found)
            }
        }
    }

    /// Matches a code pattern in each of its readings: its names must equal their bindings, or are bound.
    fn like(&self, like: &'q Like, node: Node, bindings: &mut Bindings<'q>, next: Next<'_, 'q>) -> Fits {
        let known: Vec<Option<Captured>> = like.slots.iter().map(|&slot| bindings.nodes[slot]).collect();
        for reading in 0..like.pattern.readings.len() {
            self.spend()?;
            let tree = self.evaluator.tree();
            let bound = match like.pattern.found(reading, tree, node, &known, &self.evaluator.budget) {
                pattern::MatchOutcome::Yes(bound) => bound,
                pattern::MatchOutcome::No => continue,
                pattern::MatchOutcome::TooLong => return Err(OverBudget),
            };
            like.slots.iter().zip(bound).for_each(|(&slot, bound)| bindings.nodes[slot] = bound);
            let found = next(bindings)?;
            like.slots.iter().zip(&known).for_each(|(&slot, known)| bindings.nodes[slot] = *known);
            if found {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The variable that an attribute test binds.
    fn binding_slot(&self, test: &AttributeTest) -> Option<usize> {
        match test.comparison {
            Comparison::Variable { operator: Operator::Equal, slot, ignore_case: false }
                if test.head.is_none() && !self.slots[slot].is_capture =>
            {
                Some(slot)
            }
            _ => None,
        }
    }

    fn bind_value(
        &self,
        test: &AttributeTest,
        slot: usize,
        node: Node,
        bindings: &mut Bindings<'q>,
        next: Next<'_, 'q>,
    ) -> Fits {
        let Some(node) = self.evaluator.through(test, node) else { return Ok(false) };
        for value in self.evaluator.subject(test, node).into_texts() {
            // Texts of different lengths are not compared.
            let bound = bindings.values[slot].as_ref().map(|bound| bound.text.len());
            let read = if bound.is_none_or(|length| length == value.len()) { value.len() } else { 0 };
            if !self.evaluator.charge_text(read) {
                return Err(OverBudget);
            }
            match &bindings.values[slot] {
                Some(bound) if bound.text == value => return next(bindings),
                Some(_) => {}
                None => {
                    bindings.values[slot] = Some(BoundText::new(value.into_owned()));
                    let found = next(bindings)?;
                    bindings.values[slot] = None;
                    if found {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    fn any_chain(&self, list: &'q List, node: Node, bindings: &mut Bindings<'q>, next: Next<'_, 'q>) -> Fits {
        for chain in &list.chains {
            if self.backward(chain, chain.steps.len() - 1, node, bindings, next)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Any node of the list that is reachable from `node` along the axis.
    fn any_node(
        &self,
        axis_step: AxisStep,
        list: &'q List,
        node: Node,
        bindings: &mut Bindings<'q>,
        next: Next<'_, 'q>,
    ) -> Fits {
        let among = self.evaluator.list(list);
        let space = &self.evaluator.space;
        for context in space.charged_nodes(space.contexts(axis_step, node, &among)) {
            self.spend()?;
            if self.any_chain(list, context, bindings, next)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the tests postponed since `from` succeed with the current bindings.
    fn settle(&self, bindings: &mut Bindings<'q>, from: usize) -> Fits {
        for place in from..bindings.deferred.len() {
            let (node, test) = bindings.deferred[place];
            let holds = match test {
                Test::Not(list) => {
                    let mark = bindings.deferred.len();
                    !self.any_chain(list, node, bindings, &mut |bindings| self.settle(bindings, mark))?
                }
                Test::Attribute(test) => self.attribute(test, node, bindings),
                _ => true,
            };
            if !holds {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn attribute(&self, test: &AttributeTest, node: Node, bindings: &Bindings<'q>) -> bool {
        let start = match test.head {
            Some(slot) => bindings.nodes[slot].and_then(Captured::node),
            None => Some(node),
        };
        let Some(node) = start.and_then(|start| self.evaluator.through(test, start)) else {
            return self.evaluator.lacks(&test.comparison);
        };
        let value = self.evaluator.subject(test, node);
        match &test.comparison {
            Comparison::Variable { operator, slot, ignore_case } => {
                let text = bindings.nodes[*slot].map(|captured| captured.text(self.evaluator.tree()));
                let Some(wanted) = text.or_else(|| bindings.values[*slot].as_ref().map(|value| value.text.clone()))
                else {
                    return false;
                };
                match (operator, value.as_number(), wanted.trim().parse::<f64>()) {
                    (Operator::Less, Some(found), Ok(wanted)) => found < wanted,
                    (Operator::LessOrEqual, Some(found), Ok(wanted)) => found <= wanted,
                    (Operator::Greater, Some(found), Ok(wanted)) => found > wanted,
                    (Operator::GreaterOrEqual, Some(found), Ok(wanted)) => found >= wanted,
                    _ => compare_texts(&value, *operator, &wanted, *ignore_case),
                }
            }
            comparison => self.evaluator.compare(&value, comparison, node),
        }
    }
}

fn beside(axis: Axis) -> AxisStep {
    AxisStep { axis, comments: true, tokens: false, own: false }
}
