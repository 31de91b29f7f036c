//! Names that are the same in any case, as PHP's functions.

use rustc_hash::FxHashMap;

use crate::tree::{NamedNodes, Node};

/// The key of the names in any case that are like one.
pub(super) fn key(text: &str) -> String {
    // No name has a blank.
    format!(" {}", text.to_lowercase())
}

/// Adds to each name of a file those that differ from it in case alone.
pub(super) fn join(index: &mut NamedNodes, is_any: &dyn Fn(Node) -> bool) {
    let mut alike: FxHashMap<String, Vec<Node>> = FxHashMap::default();
    for (text, nodes) in index.iter() {
        alike.entry(key(text)).or_default().extend(nodes.iter().copied().filter(|&node| is_any(node)));
    }
    for (text, nodes) in index.iter_mut() {
        nodes.extend(alike.get(&key(text)).into_iter().flatten());
        nodes.sort_unstable();
        nodes.dedup();
    }
    for nodes in alike.values_mut() {
        nodes.sort_unstable();
    }
    index.extend(alike.into_iter().map(|(key, nodes)| (key.into_boxed_str(), nodes)));
}
