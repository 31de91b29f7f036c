//! What is known of expressions once a flag is: `FLAG and x` is `x`, `not FLAG` is a literal.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::flow::Flow;
use crate::language::{Choice, Decided, TypeSet};
use crate::tree::Node;

/// What an expression is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value {
    Literal(bool),
    /// The same as a part of it.
    Part(Node),
}

/// Which values of an expression make a difference.
#[derive(Debug, Clone, Copy)]
struct Matters {
    truthy: bool,
    falsy: bool,
}

/// What is known of the expressions of a file.
pub(crate) struct Values<'f, 't> {
    pub(crate) flow: &'f Flow<'t>,
    pub(crate) rules: &'static Decided,
    known: FxHashMap<Node, Value>,
    /// The nodes around flags.
    active: FxHashSet<Node>,
}

impl<'f, 't> Values<'f, 't> {
    /// What follows if some expressions have a value.
    pub(crate) fn new(flow: &'f Flow<'t>, flags: &[Node], value: bool) -> Values<'f, 't> {
        let known = flags.iter().map(|&flag| (flag, Value::Literal(value))).collect();
        let around: BTreeSet<Node> = flags.iter().flat_map(|&flag| flow.tree.table().ancestors(flag)).collect();
        let active = around.iter().chain(flags).copied().collect();
        let mut values = Values { flow, rules: &flow.rules.decided, known, active };
        // What is inside has greater numbers.
        for &node in around.iter().rev() {
            if !values.known.contains_key(&node)
                && let Some(value) = values.decide(node)
            {
                values.known.insert(node, value);
            }
        }
        values
    }

    /// What an expression is, if that is known.
    pub(crate) fn of(&self, node: Node) -> Option<Value> {
        self.known.get(&node).copied()
    }

    /// The value of an expression, if that is known.
    pub(crate) fn literal(&self, node: Node) -> Option<bool> {
        match self.of(node) {
            Some(Value::Literal(value)) => Some(value),
            _ => None,
        }
    }

    /// Whether a flag is in a node.
    pub(crate) fn is_active(&self, node: Node) -> bool {
        self.active.contains(&node)
    }

    /// The parts of a node that are no comments.
    pub(crate) fn parts(&self, node: Node) -> Vec<Node> {
        let tree = self.flow.tree;
        tree.named_children(node).filter(|&child| !tree.is_comment(child)).collect()
    }

    /// The part of a node that only holds it.
    pub(crate) fn grouped(&self, node: Node) -> Option<Node> {
        match self.parts(node)[..] {
            [only] if self.flow.is(node, &self.rules.groups) => Some(only),
            _ => None,
        }
    }

    /// The condition of a choice.
    pub(crate) fn condition(&self, node: Node, choice: &Choice) -> Option<Node> {
        let tree = self.flow.tree;
        let reached = |path| tree.reached(node, path);
        match &choice.condition {
            Some(path) => reached(path).into_iter().find(|&node| !tree.is_comment(node)),
            None => {
                let others: Vec<Node> =
                    [Some(&choice.then), choice.otherwise.as_ref()].into_iter().flatten().flat_map(reached).collect();
                self.parts(node).into_iter().find(|part| !others.contains(part))
            }
        }
    }

    /// Whether a node has one of some tokens, as its first child or not.
    fn has_token(&self, node: Node, tokens: &TypeSet, is_prefix: bool) -> bool {
        let table = self.flow.tree.table();
        let mut children = table.children(node);
        let fits = |child: Node| !table.is_named(child) && self.flow.is(child, tokens);
        if is_prefix { children.next().is_some_and(fits) } else { children.skip(1).any(fits) }
    }

    /// Whether a node is an operator with a value that may be known.
    pub(crate) fn is_operator(&self, node: Node) -> bool {
        let rules = self.rules;
        let mut all = [&rules.and, &rules.or, &rules.equal, &rules.unequal].into_iter();
        self.has_token(node, &rules.not, true) || all.any(|tokens| self.has_token(node, tokens, false))
    }

    fn decide(&self, node: Node) -> Option<Value> {
        let (flow, rules) = (self.flow, self.rules);
        let table = flow.tree.table();
        if let Some(inner) = self.grouped(node) {
            return self.literal(inner).map(Value::Literal);
        }
        if let Some(choice) = rules.choices.of(table.type_id(node)) {
            let value = self.literal(self.condition(node, choice)?)?;
            let path = if value { &choice.then } else { choice.otherwise.as_ref()? };
            let part = flow.tree.reached(node, path).into_iter().find(|&part| !flow.tree.is_comment(part))?;
            return Some(self.part(part));
        }
        match self.parts(node)[..] {
            [inner] if self.has_token(node, &rules.not, true) => {
                self.literal(inner).map(|value| Value::Literal(!value))
            }
            [left, right] if self.has_token(node, &rules.and, false) => self.joined(node, (left, right), true),
            [left, right] if self.has_token(node, &rules.or, false) => self.joined(node, (left, right), false),
            [left, right] => {
                let is_equal = self.has_token(node, &rules.equal, false);
                if !is_equal && !self.has_token(node, &rules.unequal, false) {
                    return None;
                }
                let (left, right) = (self.constant(left)?, self.constant(right)?);
                Some(Value::Literal((left == right) == is_equal))
            }
            _ => None,
        }
    }

    fn part(&self, node: Node) -> Value {
        self.literal(node).map_or(Value::Part(node), Value::Literal)
    }

    /// What is known to be true or false.
    fn constant(&self, node: Node) -> Option<bool> {
        let is_leaf = self.flow.tree.table().subtree_end(node) <= node.index() + 2;
        let is = |value: bool| self.flow.tree.node_text(node) == self.rules.literal(value);
        self.literal(node).or_else(|| [true, false].into_iter().find(|&value| is_leaf && is(value)))
    }

    /// What `left and right` is, or `left or right`. `neutral` is the value of the left side with which the right one counts.
    fn joined(&self, node: Node, (left, right): (Node, Node), neutral: bool) -> Option<Value> {
        match (self.literal(left), self.literal(right)) {
            (Some(value), _) if value == neutral => Some(self.part(right)),
            (Some(value), _) => Some(Value::Literal(value)),
            (None, Some(value)) => {
                // The result is the left side, or the literal: of one of them only the truth has to be the same.
                let matters = self.matters(node);
                match (value == neutral, if neutral { matters.truthy } else { matters.falsy }) {
                    (true, false) => Some(Value::Part(left)),
                    (true, true) => self.is_truth(left).then_some(Value::Part(left)),
                    (false, _) => {
                        let matters = if neutral { matters.falsy } else { matters.truthy };
                        let is_free = (!matters || self.is_truth(left)) && self.flow.first_effect(left).is_none();
                        is_free.then_some(Value::Literal(value))
                    }
                }
            }
            (None, None) => None,
        }
    }

    /// Whether an expression is always one of the literals: a negation.
    fn is_truth(&self, node: Node) -> bool {
        match self.grouped(node) {
            Some(inner) => self.is_truth(inner),
            None => self.parts(node).len() == 1 && self.has_token(node, &self.rules.not, true),
        }
    }

    /// Which values of an expression make a difference; others count only as true or false.
    fn matters(&self, node: Node) -> Matters {
        let (flow, rules) = (self.flow, self.rules);
        let table = flow.tree.table();
        let nothing = Matters { truthy: false, falsy: false };
        let mut so_far = Matters { truthy: true, falsy: true };
        let mut node = node;
        while let Some(parent) = table.parent(node) {
            let type_id = table.type_id(parent);
            let choice = rules.choices.of(type_id);
            let is_condition = |choice: &Choice| self.condition(parent, choice) == Some(node);
            if choice.or(rules.branches.of(type_id)).is_some_and(is_condition)
                || flow.fits(node, &flow.rules.repeated)
                || flow.is(parent, &flow.rules.plain)
                || self.parts(parent).len() == 1 && self.has_token(parent, &rules.not, true)
            {
                return nothing;
            }
            let is_left = self.parts(parent).first() == Some(&node);
            if self.has_token(parent, &rules.and, false) {
                so_far.truthy &= !is_left;
            } else if self.has_token(parent, &rules.or, false) {
                so_far.falsy &= !is_left;
            } else if choice.is_none() && self.grouped(parent).is_none() {
                return so_far;
            }
            node = parent;
        }
        so_far
    }
}
