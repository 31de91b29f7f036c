//! Whether a rule holds for a node.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::bindings::Env;
use super::condition::{Called, Compiled, Condition, Related, StopAt};
use super::matching;
use super::model::{Corner, Direction};
use crate::interrupt::poll;
use crate::limits;
use crate::text::Position;
use crate::tree::{Node, Tree};

/// How many steps are made between two looks at whether the work was cancelled.
const POLLED: u64 = 1 << 16;

/// Evaluates a rule in one tree.
pub(super) struct Evaluator<'a> {
    tree: &'a Tree,
    compiled: &'a Compiled,
    steps: Cell<u64>,
    /// How many conditions are being tried, each for the sake of the one before.
    depth: Cell<usize>,
    is_too_deep: Cell<bool>,
    /// The call of a rule with parameters that is evaluated.
    frame: RefCell<Option<Rc<Frame<'a>>>>,
    /// The metavariables that the arguments of such calls have bound, for those who call.
    exports: RefCell<Vec<Env>>,
}

/// A call of a rule with parameters.
struct Frame<'a> {
    arguments: &'a [(String, Condition)],
    /// The call in which the arguments are written.
    outer: Option<Rc<Frame<'a>>>,
}

impl<'a> Evaluator<'a> {
    pub fn new(tree: &'a Tree, compiled: &'a Compiled) -> Evaluator<'a> {
        let (steps, depth, is_too_deep) = (Cell::new(0), Cell::new(0), Cell::new(false));
        let (frame, exports) = (RefCell::default(), RefCell::default());
        Evaluator { tree, compiled, steps, depth, is_too_deep, frame, exports }
    }

    /// Whether the rule took too long or went too deep; then its results are incomplete.
    pub fn is_over(&self) -> bool {
        self.steps.get() > limits::FOREIGN_RULE_STEPS || self.is_too_deep.get()
    }

    fn step(&self) -> bool {
        let steps = self.steps.get() + 1;
        self.steps.set(steps);
        if steps.is_multiple_of(POLLED) {
            poll();
        }
        !self.is_over()
    }

    /// All nodes for which the rule holds, in document order, with what it binds.
    pub fn all(&self) -> Vec<(Node, Env)> {
        let table = self.tree.table();
        let mut found = Vec::new();
        let is_wanted = |kind| self.compiled.types.as_ref().is_some_and(|types| types.contains(kind));
        let places = table.types().iter().enumerate().filter(|(_, kind)| is_wanted(**kind));
        for node in places.map(|(place, _)| Node::at(place)) {
            let mut env = Env::default();
            if self.holds_at(node, &mut env) {
                found.push((node, env));
            }
            if self.is_over() {
                break;
            }
        }
        found
    }

    /// Whether the rule and its constraints hold for a node.
    pub fn holds_at(&self, node: Node, env: &mut Env) -> bool {
        let mark = env.mark();
        if self.holds(&self.compiled.rule, node, env) && self.meets_constraints(&self.compiled.constraints, env) {
            return true;
        }
        env.back_to(mark);
        false
    }

    /// Only nodes that the rule itself has bound are constrained.
    fn meets_constraints(&self, constraints: &'a [(String, Condition)], env: &mut Env) -> bool {
        if constraints.is_empty() {
            return true;
        }
        let bound = constraints.iter().filter_map(|(name, condition)| Some((env.one(name)?, condition)));
        let bound: Vec<(Node, &Condition)> = bound.collect();
        bound.into_iter().all(|(node, condition)| self.holds(condition, node, env))
    }

    /// Whether a condition holds for a node; what it binds is kept only then.
    pub fn holds(&self, condition: &'a Condition, node: Node, env: &mut Env) -> bool {
        if !self.step() {
            return false;
        }
        let depth = self.depth.get();
        if depth >= limits::FOREIGN_RULE_DEPTH {
            self.is_too_deep.set(true);
            return false;
        }
        self.depth.set(depth + 1);
        let holds = self.holds_below(condition, node, env);
        self.depth.set(depth);
        holds
    }

    fn holds_below(&self, condition: &'a Condition, node: Node, env: &mut Env) -> bool {
        match condition {
            Condition::Pattern(pattern) => matching::matches(pattern, self.tree, node, env),
            Condition::Kind(types) => types.contains(self.tree.table().type_id(node)),
            Condition::Regex(regex) => regex.is_match(&self.tree.node_text(node)),
            Condition::NthChild { step, offset, of, from_end } => {
                self.place_among_siblings(node, of.as_deref(), *from_end, env).is_some_and(|place| {
                    let distance = place - offset;
                    if *step == 0 { distance == 0 } else { distance % step == 0 && distance / step >= 0 }
                })
            }
            Condition::Range(range) => {
                self.is_at(range.start, self.tree.start(node)) && self.is_at(range.end, self.tree.end(node))
            }
            Condition::All(all) => {
                let mark = env.mark();
                let holds = all.iter().all(|part| self.holds(part, node, env));
                if !holds {
                    env.back_to(mark);
                }
                holds
            }
            Condition::Any(any) => any.iter().any(|part| {
                let mark = env.mark();
                let holds = self.holds(part, node, env);
                if !holds {
                    env.back_to(mark);
                }
                holds
            }),
            Condition::Not(not) => {
                let mark = env.mark();
                let holds = self.holds(not, node, env);
                env.back_to(mark);
                !holds
            }
            Condition::Named(number) => self.holds_by_name(*number, node, env),
            Condition::Call(called) => self.holds_by_call(called, node, env),
            Condition::Parameter(name) => self.holds_by_parameter(name, node, env),
            Condition::Relation(related) => self.holds_around(related, node, env),
        }
    }

    fn is_at(&self, corner: Corner, place: Position) -> bool {
        corner.line + 1 == place.line && corner.column.is_none_or(|column| column == place.column)
    }

    fn holds_by_name(&self, number: usize, node: Node, env: &mut Env) -> bool {
        let Some(named) = self.compiled.named.get(number) else { return false };
        match named.is_global {
            // The metavariables of a rule of the project are its own.
            true => {
                let mut own = Env::default();
                self.holds(&named.rule, node, &mut own) && self.meets_constraints(&named.constraints, &mut own)
            }
            false => self.holds(&named.rule, node, env),
        }
    }

    fn holds_by_call(&self, called: &'a Called, node: Node, env: &mut Env) -> bool {
        let outer = self.frame.borrow().clone();
        let frame = Frame { arguments: &called.arguments, outer: outer.clone() };
        self.frame.replace(Some(Rc::new(frame)));
        self.exports.borrow_mut().push(Env::default());
        let holds = self.holds_by_name(called.number, node, env);
        self.frame.replace(outer);
        let exported = self.exports.borrow_mut().pop().unwrap_or_default();
        let mark = env.mark();
        let is_taken = holds && env.take_from(&exported, &called.names, self.tree);
        if !is_taken {
            env.back_to(mark);
        }
        is_taken
    }

    /// An argument knows what other arguments of the call have bound, and nothing else.
    fn holds_by_parameter(&self, name: &str, node: Node, env: &mut Env) -> bool {
        let Some(frame) = self.frame.borrow().clone() else { return false };
        let Some((_, argument)) = frame.arguments.iter().find(|(known, _)| known == name) else { return false };
        let exported = self.exports.borrow().last().cloned();
        let inner = self.frame.replace(frame.outer.clone());
        let holds = match exported {
            Some(mut exported) => {
                let holds = self.holds(argument, node, &mut exported);
                if let (true, Some(last)) = (holds, self.exports.borrow_mut().last_mut()) {
                    *last = exported;
                }
                holds
            }
            None => self.holds(argument, node, env),
        };
        self.frame.replace(inner);
        holds
    }

    /// The position of a node, from 1, among the named siblings for which a rule holds.
    fn place_among_siblings(
        &self,
        node: Node,
        of: Option<&'a Condition>,
        from_end: bool,
        env: &mut Env,
    ) -> Option<i64> {
        let table = self.tree.table();
        let parent = table.parent(node)?;
        let siblings = table.children(parent).filter(|&child| table.is_named(child));
        let mark = env.mark();
        let mut is_counted = |child: Node| {
            let holds = of.is_none_or(|of| self.holds(of, child, env));
            env.back_to(mark);
            holds
        };
        let siblings: Vec<Node> = siblings.filter(|&child| is_counted(child)).collect();
        let at = siblings.iter().position(|&sibling| sibling == node)?;
        if let Some(of) = of {
            self.holds(of, node, env);
        }
        i64::try_from(if from_end { siblings.len() - at } else { at + 1 }).ok()
    }

    fn holds_around(&self, related: &'a Related, node: Node, env: &mut Env) -> bool {
        match related.direction {
            Direction::Has => self.has(related, node, env),
            Direction::Inside => {
                let mut below = node;
                let table = self.tree.table();
                self.any_of(related, table.ancestors(node), env, &mut |parent: Node| {
                    let child = std::mem::replace(&mut below, parent);
                    related.field.is_none_or(|field| {
                        table.children(parent).find(|&one| table.field(one) == field) == Some(child)
                    })
                })
            }
            Direction::Precedes => {
                let table = self.tree.table();
                let next = std::iter::successors(table.next_sibling(node), |&one| table.next_sibling(one));
                self.any_of(related, next, env, &mut |_| true)
            }
            Direction::Follows => {
                let table = self.tree.table();
                let previous = std::iter::successors(table.previous_sibling(node), |&one| table.previous_sibling(one));
                self.any_of(related, previous, env, &mut |_| true)
            }
        }
    }

    /// Whether a rule holds for one of some nodes, as far as the relation looks.
    fn any_of(
        &self,
        related: &'a Related,
        nodes: impl Iterator<Item = Node>,
        env: &mut Env,
        is_looked_at: &mut dyn FnMut(Node) -> bool,
    ) -> bool {
        for node in nodes {
            if is_looked_at(node) && self.holds(&related.rule, node, env) {
                return true;
            }
            let is_last = match &related.stop {
                StopAt::Neighbor => true,
                StopAt::End => false,
                StopAt::Rule(stop) => self.holds_alone(stop, node),
            };
            if is_last || !self.step() {
                return false;
            }
        }
        false
    }

    /// Whether a condition holds whatever is bound.
    pub fn holds_alone(&self, condition: &'a Condition, node: Node) -> bool {
        self.holds(condition, node, &mut Env::default())
    }

    fn has(&self, related: &'a Related, node: Node, env: &mut Env) -> bool {
        let table = self.tree.table();
        let rule = &*related.rule;
        if let Some(field) = related.field {
            let Some(child) = table.children(node).find(|&child| table.field(child) == field) else { return false };
            return match &related.stop {
                StopAt::Neighbor => self.holds(rule, child, env),
                StopAt::End => self.holds(rule, child, env) || self.any_below(related, child, None, env),
                StopAt::Rule(stop) => {
                    self.holds(rule, child, env) || (!self.holds_alone(stop, child) && self.any_child(rule, child, env))
                }
            };
        }
        match &related.stop {
            StopAt::Neighbor => self.any_child(rule, node, env),
            StopAt::End => self.any_below(related, node, None, env),
            StopAt::Rule(stop) => self.any_below(related, node, Some(stop), env),
        }
    }

    fn any_child(&self, rule: &'a Condition, node: Node, env: &mut Env) -> bool {
        self.tree.table().children(node).any(|child| self.holds(rule, child, env))
    }

    /// Whether the rule of a relation holds for a node below another; nodes below one that stops are left out.
    fn any_below(&self, related: &'a Related, node: Node, stop: Option<&'a Condition>, env: &mut Env) -> bool {
        let table = self.tree.table();
        let types = table.types();
        let end = table.subtree_end(node);
        let mut at = node.index() + 1;
        while at < end {
            let inner = Node::at(at);
            let is_kind = related.types.as_ref().is_none_or(|kinds| kinds.contains(types[at]));
            if is_kind && self.holds(&related.rule, inner, env) {
                return true;
            }
            if !self.step() {
                return false;
            }
            at = match stop {
                Some(stop) if self.holds_alone(stop, inner) => table.subtree_end(inner),
                _ => at + 1,
            };
        }
        false
    }
}
