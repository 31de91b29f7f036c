//! Code that a grammar accepts and its language does not, as far as the language's data says so: an `else` in another
//! column than its `if`, a statement where only declarations are allowed, an argument after one that must be last.

use super::lines;
use crate::language::{NodePatterns, Order, TypeId};
use crate::tree::{Node, NodeSet, Tree};

/// A node in a place that the language does not allow.
#[derive(Debug)]
pub(super) struct Misplaced {
    /// The node.
    pub(super) node: Node,
    /// The kind of rule that forbids it.
    pub(super) rule: Rule,
    /// The message.
    pub(super) message: String,
}

/// The kinds of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    Column,
    Parent,
    Child,
    Order,
}

/// All such nodes of a tree, by rule.
pub(super) fn all(tree: &Tree) -> Vec<Misplaced> {
    let mut found = Vec::new();
    columns(tree, &mut found);
    parents(tree, &mut found);
    children(tree, &mut found);
    orders(tree, &mut found);
    found
}

/// The nodes of some types, except errors.
fn of_types(tree: &Tree, ids: &[TypeId]) -> Vec<Node> {
    if ids.is_empty() { Vec::new() } else { NodeSet::of_types(tree.table().types(), ids).iter().collect() }
}

/// Finds clauses in another column than their statement.
fn columns(tree: &Tree, found: &mut Vec<Misplaced>) {
    let aligned = &tree.language().spec().aligned;
    for node in of_types(tree, &aligned.types()) {
        let Some(parent) = tree.table().parent(node) else { continue };
        if !tree.table().fits_any(node, aligned)
            || tree.table().is_error(parent)
            || !tree.starts_its_line(node)
            || !tree.starts_its_line(parent)
        {
            continue;
        }
        let column = |node: Node| lines::columns(&lines::indentation(tree.text(), tree.span(node).start()));
        if column(node) != column(parent) {
            let line = tree.start(parent).line;
            let message = format!("expected the same indentation as in line {line}, where the statement begins");
            found.push(Misplaced { node, rule: Rule::Column, message });
        }
    }
}

/// Finds nodes in a parent that must not contain them.
fn parents(tree: &Tree, found: &mut Vec<Misplaced>) {
    let language = tree.language();
    for node in of_types(tree, &language.spec().only_in.types()) {
        let Some(parent) = tree.table().parent(node).filter(|&parent| !tree.table().is_error(parent)) else { continue };
        let allowed = language.spec().only_in.of(tree.table().type_id(node));
        if !allowed.is_some_and(|allowed| tree.table().fits_any(parent, allowed)) {
            let message = format!("a `{}` cannot be in a `{}`", tree.type_name(node), tree.type_name(parent));
            found.push(Misplaced { node, rule: Rule::Parent, message });
        }
    }
}

/// Finds children that a node must not contain.
fn children(tree: &Tree, found: &mut Vec<Misplaced>) {
    let (language, table) = (tree.language(), tree.table());
    for parent in of_types(tree, &language.spec().holds_only.types()) {
        let Some(allowed) = language.spec().holds_only.of(table.type_id(parent)) else { continue };
        for node in tree.named_children(parent).filter(|&node| !table.is_extra(node) && !table.is_error(node)) {
            if !allowed.contains(table.type_id(node)) {
                let message = format!("a `{}` cannot be in a `{}`", tree.type_name(node), tree.type_name(parent));
                found.push(Misplaced { node, rule: Rule::Child, message });
            }
        }
    }
}

/// Finds elements in an invalid order.
fn orders(tree: &Tree, found: &mut Vec<Misplaced>) {
    let is_one = |node: Node, patterns: &NodePatterns| tree.table().fits_any(node, patterns);
    let mut check = |list: Node, rule: &Order| {
        let mut last: Option<Node> = None;
        for node in tree.named_children(list).filter(|&node| !tree.table().is_extra(node)) {
            if let Some(last) = last
                && !is_one(node, &rule.then)
                && !is_one(node, &rule.until)
            {
                let shown = |node: Node| tree.node_text(node).lines().next().unwrap_or("").to_owned();
                let message = format!("`{}` cannot come after `{}`", shown(node), shown(last));
                found.push(Misplaced { node, rule: Rule::Order, message });
                return;
            }
            if is_one(node, &rule.until) {
                return;
            }
            if is_one(node, &rule.after) {
                last = Some(node);
            }
        }
    };
    for rule in &tree.language().spec().order {
        let lists = of_types(tree, rule.lists.ids());
        lists.into_iter().filter(|&list| !tree.table().has_error(list)).for_each(|list| check(list, rule));
    }
}
