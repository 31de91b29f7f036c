//! What an edit removed, as the store keeps it: ids in runs, each with the definition they stood in.

use crate::store::{Removed, RemovedRun};
use crate::tree::{Node, NodeMap, Tree};

/// What each operation removed; `operation_of` says which one a node fell to.
pub(crate) fn by_operations(
    old: &Tree,
    node_map: &NodeMap,
    names: &[&str],
    operation_of: impl Fn(Node) -> usize,
) -> Vec<Removed> {
    let mut removed: Vec<Removed> = Vec::new();
    for node in node_map.removed() {
        let operation = operation_of(node);
        let place = removed.iter().position(|known| known.operation == operation).unwrap_or_else(|| {
            let op = names.get(operation).copied().unwrap_or_default().to_owned();
            removed.push(Removed { op, operation, runs: Vec::new() });
            removed.len() - 1
        });
        push(&mut removed[place].runs, old, node);
    }
    removed
}

/// What an edit that is one operation removed.
pub(crate) fn by_one(old: &Tree, node_map: &NodeMap, name: &str) -> Vec<Removed> {
    by_operations(old, node_map, &[name], |_| 0)
}

/// What several edits made one removed: the nodes whose ids the new tree lacks.
pub(crate) fn by_ids(old: &Tree, new: &Tree, name: &str) -> Vec<Removed> {
    let mut runs = Vec::new();
    for node in old.table().nodes().filter(|&node| new.node(old.id(node)).is_none()) {
        push(&mut runs, old, node);
    }
    if runs.is_empty() { Vec::new() } else { vec![Removed { op: name.to_owned(), operation: 0, runs }] }
}

/// Adds a node to the last run where it goes on with it.
fn push(runs: &mut Vec<RemovedRun>, old: &Tree, node: Node) {
    let id = old.id(node).number();
    // Most nodes that go are in the scope of the one before.
    let scope = if old.is_scope(node) { old.qualname(node) } else { old.scope_qualname(node) };
    let within = scope.unwrap_or_default();
    match runs.last_mut() {
        Some(run) if run.first + run.length == id && run.within == within => run.length += 1,
        _ => runs.push(RemovedRun { first: id, length: 1, within }),
    }
}
