//! What a grammar takes and its language doesn't, as far as the language's data says so: an `else` at another column than its
//! `if`, a statement where only declarations may be, an argument behind one that must be the last.

use super::lines;
use crate::language::{OrderRule, TypeId};
use crate::tree::{Node, NodeSet, Tree};

/// A node in a place that the language doesn't allow.
#[derive(Debug)]
pub(super) struct Misplaced {
    /// The node.
    pub(super) node: Node,
    /// Which kind of rule forbids it.
    pub(super) rule: Rule,
    /// What is wrong, in words.
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

/// The nodes of some types, errors left out.
fn of_types<'n>(tree: &Tree, names: impl Iterator<Item = &'n str>) -> Vec<Node> {
    let ids: Vec<TypeId> = names.filter_map(|name| tree.language().type_id(name)).collect();
    if ids.is_empty() { Vec::new() } else { NodeSet::of_types(tree.table().types(), &ids).iter().collect() }
}

/// Clauses that begin at another column than their statement.
fn columns(tree: &Tree, found: &mut Vec<Misplaced>) {
    let aligned = &tree.language().data().aligned;
    let split = |word: &'static str| word.rsplit_once('/').map_or((None, word), |(outer, inner)| (Some(outer), inner));
    let words: Vec<(Option<&str>, &str)> = aligned.iter().map(|word| split(word)).collect();
    for node in of_types(tree, words.iter().map(|(_, inner)| *inner)) {
        let Some(parent) = tree.table().parent(node) else { continue };
        let (own, outer) = (tree.type_name(node), tree.type_name(parent));
        let counts = words.iter().any(|&(wanted, inner)| inner == own && wanted.is_none_or(|wanted| wanted == outer));
        if !counts || tree.table().is_error(parent) || !tree.starts_its_line(node) || !tree.starts_its_line(parent) {
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

/// Nodes in a parent that may not hold them.
fn parents(tree: &Tree, found: &mut Vec<Misplaced>) {
    let language = tree.language();
    for node in of_types(tree, language.data().only_in.keys().map(String::as_str)) {
        let Some(parent) = tree.table().parent(node).filter(|&parent| !tree.table().is_error(parent)) else { continue };
        let allowed = language.rule(&language.data().only_in, tree.table().type_id(node));
        let allowed: Vec<&str> = allowed.into_iter().flat_map(|types| types.iter()).collect();
        let outer = tree.table().parent(parent).map_or("", |outer| tree.type_name(outer));
        let is_parent = |word: &&str| match word.split_once('/') {
            Some((above, inner)) => above == outer && inner == tree.type_name(parent),
            None => *word == tree.type_name(parent),
        };
        if !allowed.iter().any(is_parent) {
            let message = format!("a `{}` cannot be in a `{}`", tree.type_name(node), tree.type_name(parent));
            found.push(Misplaced { node, rule: Rule::Parent, message });
        }
    }
}

/// Children that a node may not hold.
fn children(tree: &Tree, found: &mut Vec<Misplaced>) {
    let (language, table) = (tree.language(), tree.table());
    for parent in of_types(tree, language.data().holds_only.keys().map(String::as_str)) {
        let allowed = language.rule(&language.data().holds_only, table.type_id(parent));
        let allowed: Vec<&str> = allowed.into_iter().flat_map(|types| types.iter()).collect();
        for node in tree.named_children(parent).filter(|&node| !table.is_extra(node) && !table.is_error(node)) {
            if !allowed.contains(&tree.type_name(node)) {
                let message = format!("a `{}` cannot be in a `{}`", tree.type_name(node), tree.type_name(parent));
                found.push(Misplaced { node, rule: Rule::Child, message });
            }
        }
    }
}

/// Elements in an order that their list may not have.
fn orders(tree: &Tree, found: &mut Vec<Misplaced>) {
    let is_one = |node: Node, words: &[String]| {
        words.iter().any(|word| match word.split_once('/') {
            Some((outer, inner)) => {
                tree.type_name(node) == outer && tree.table().children(node).any(|child| tree.type_name(child) == inner)
            }
            None => tree.type_name(node) == word,
        })
    };
    let mut check = |list: Node, rule: &OrderRule| {
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
    for rule in &tree.language().data().order {
        let lists = of_types(tree, rule.lists.iter().map(String::as_str));
        lists.into_iter().filter(|&list| !tree.table().has_error(list)).for_each(|list| check(list, rule));
    }
}
