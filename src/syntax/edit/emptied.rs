//! Lists that become empty or keep a single element.
//!
//! An import without a name is not an import, so the statement is deleted with its last name. A tuple without brackets
//! and elements is nothing at all. If a single element is left, the rest of the list may have to go: the brackets of
//! `with (a, b):`, the tuple of `del a, b`.

use rustc_hash::{FxHashMap, FxHashSet};

use super::batch::Plan;
use super::error::{BadRequest, EditError};
use super::pieces::Removal;
use super::{Extent, delete, elements, extent};
use crate::tree::{Node, Tree};

/// Deletes the statements of lists that lose all their elements, or reports why that is impossible.
pub(super) fn resolve_emptied(plan: &mut Plan<'_>) -> Result<(), EditError> {
    let tree = plan.tree;
    let mut lists: Vec<Node> = plan.removals.iter().map(|removal| removal.place.holder).collect();
    lists.sort();
    lists.dedup();
    lists.reverse();
    let mut counts = Counts::default();
    plan.removals.iter().for_each(|removal| counts.add(removal));
    let filled: FxHashSet<Node> = plan.insertions.iter().map(|insertion| insertion.holder).collect();
    let mut emptied: FxHashSet<Node> = FxHashSet::default();
    while let Some(list) = lists.pop() {
        let Some(rule) = elements::rule(tree, list) else { continue };
        let Some(&(gone, operation)) = counts.of.get(&list) else { continue };
        if filled.contains(&list) || emptied.contains(&list) || gone < elements::elements(tree, list).len() {
            continue;
        }
        if rule.whole
            && let Some(place) = extent::place(tree, list)
        {
            emptied.insert(list);
            plan.intent.extents.push(tree.span(place.unit));
            delete::remove(plan, operation, place, Extent::Full);
            plan.removals.last().into_iter().for_each(|removal| counts.add(removal));
            // It may have been the last element of a list itself.
            lists.push(place.holder);
            plan.note(operation, format!("deleted `{}`, which would be empty", shown(tree, list)));
        } else if rule.whole {
            emptied.insert(list);
            delete::whole(plan, operation, list);
        } else if rule.bare || (rule.single && !has_brackets(tree, list)) {
            return Err(plan.bad(operation, BadRequest::NothingLeft { code: shown(tree, list) }));
        }
    }
    plan.removals.retain(|removal| !emptied.contains(&removal.place.holder));
    Ok(())
}

/// How many elements each container loses, and the first operation that removes one.
#[derive(Default)]
struct Counts {
    of: FxHashMap<Node, (usize, usize)>,
}

impl Counts {
    fn add(&mut self, removal: &Removal) {
        self.of.entry(removal.place.holder).or_insert((0, removal.operation)).0 += 1;
    }
}

fn has_brackets(tree: &Tree, list: Node) -> bool {
    tree.node_text(list).ends_with([')', ']', '}'])
        && tree
            .table()
            .children(list)
            .any(|child| tree.language().spec().punctuation.opening.contains(tree.table().type_id(child)))
}

/// The first line of a node, for a message.
fn shown(tree: &Tree, node: Node) -> String {
    const SHOWN: usize = 40;
    tree.node_text(node).lines().next().unwrap_or("").chars().take(SHOWN).collect()
}
