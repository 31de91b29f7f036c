//! Whether a rule holds for a node.

use std::cell::Cell;

use super::bindings::Env;
use super::condition::{Compiled, Condition, NamedRule, Related, StopAt};
use super::matching;
use super::model::Direction;
use crate::interrupt::poll;
use crate::language::TypeSet;
use crate::limits;
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
}

impl<'a> Evaluator<'a> {
    pub fn new(tree: &'a Tree, compiled: &'a Compiled) -> Evaluator<'a> {
        Evaluator { tree, compiled, steps: Cell::new(0), depth: Cell::new(0), is_too_deep: Cell::new(false) }
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
        for node in table.nodes() {
            if self.compiled.types.as_ref().is_some_and(|types| !types.contains(table.type_id(node))) {
                continue;
            }
            if self.compiled.types.is_none() && !table.is_named(node) {
                continue;
            }
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

    fn meets_constraints(&self, constraints: &[(String, Condition)], env: &mut Env) -> bool {
        constraints.iter().all(|(name, condition)| match env.one(name) {
            Some(node) => self.holds(condition, node, env),
            None => true,
        })
    }

    pub fn holds(&self, condition: &Condition, node: Node, env: &mut Env) -> bool {
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

    fn holds_below(&self, condition: &Condition, node: Node, env: &mut Env) -> bool {
        match condition {
            Condition::Pattern(pattern) => matching::matches(pattern, self.tree, node, env),
            Condition::Kind(kind) => self.tree.table().type_id(node) == *kind,
            Condition::Regex(regex) => regex.is_match(&self.tree.node_text(node)),
            Condition::NthChild { step, offset, of, from_end } => {
                self.place_among_siblings(node, of.as_deref(), *from_end, env).is_some_and(|place| {
                    let distance = place - offset;
                    if *step == 0 { distance == 0 } else { distance % step == 0 && distance / step >= 0 }
                })
            }
            Condition::Range(range) => {
                let (start, end) = (self.tree.start(node), self.tree.end(node));
                (start.line - 1, start.column) == range.start && (end.line - 1, end.column) == range.end
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
            Condition::Relation(related) => self.holds_around(related, node, env),
        }
    }

    fn holds_by_name(&self, number: usize, node: Node, env: &mut Env) -> bool {
        let Some(NamedRule { rule, constraints }) = self.compiled.named.get(number) else { return false };
        let mark = env.mark();
        let holds = self.holds(rule, node, env) && self.meets_constraints(constraints, env);
        if !holds {
            env.back_to(mark);
        }
        holds
    }

    /// The position of a node, from 1, among the named siblings for which a rule holds.
    fn place_among_siblings(&self, node: Node, of: Option<&Condition>, from_end: bool, env: &mut Env) -> Option<i64> {
        let table = self.tree.table();
        let parent = table.parent(node)?;
        let siblings = table.children(parent).filter(|&child| table.is_named(child));
        let siblings = siblings.filter(|&child| of.is_none_or(|of| self.holds(of, child, env)));
        let siblings: Vec<Node> = siblings.collect();
        let at = siblings.iter().position(|&sibling| sibling == node)?;
        i64::try_from(if from_end { siblings.len() - at } else { at + 1 }).ok()
    }

    fn holds_around(&self, related: &Related, node: Node, env: &mut Env) -> bool {
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
        related: &Related,
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
    pub fn holds_alone(&self, condition: &Condition, node: Node) -> bool {
        self.holds(condition, node, &mut Env::default())
    }

    fn has(&self, related: &Related, node: Node, env: &mut Env) -> bool {
        let table = self.tree.table();
        let rule = &related.rule;
        if let Some(field) = related.field {
            let Some(child) = table.children(node).find(|&child| table.field(child) == field) else { return false };
            return match &related.stop {
                StopAt::Neighbor => self.holds(rule, child, env),
                StopAt::End => self.holds(rule, child, env) || self.any_below(rule, child, None, env),
                StopAt::Rule(stop) => {
                    self.holds(rule, child, env) || (!self.holds_alone(stop, child) && self.any_child(rule, child, env))
                }
            };
        }
        match &related.stop {
            StopAt::Neighbor => self.any_child(rule, node, env),
            StopAt::End => self.any_below(rule, node, None, env),
            StopAt::Rule(stop) => self.any_below(rule, node, Some(stop), env),
        }
    }

    fn any_child(&self, rule: &Condition, node: Node, env: &mut Env) -> bool {
        self.tree.table().children(node).any(|child| self.holds(rule, child, env))
    }

    /// Whether a condition holds for a node below another; nodes below one that stops are left out.
    fn any_below(&self, rule: &Condition, node: Node, stop: Option<&Condition>, env: &mut Env) -> bool {
        let table = self.tree.table();
        let types = direct_types(rule);
        let end = table.subtree_end(node);
        let mut at = node.index() + 1;
        while at < end {
            let inner = Node::at(at);
            if types.as_ref().is_none_or(|types| types.contains(table.type_id(inner))) && self.holds(rule, inner, env) {
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

/// The only type for which a condition may hold, if it names one at its top.
fn direct_types(condition: &Condition) -> Option<TypeSet> {
    match condition {
        Condition::Kind(kind) => {
            let mut set = TypeSet::default();
            set.insert(*kind);
            Some(set)
        }
        Condition::All(all) => all.iter().find_map(direct_types),
        _ => None,
    }
}
