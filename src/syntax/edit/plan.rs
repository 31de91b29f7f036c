//! Plans a batch: each operation plans its part, then blocks and lists are laid out.

use rustc_hash::FxHashMap;

use super::batch::{ComposedBatch, Nested, Plan};
use super::error::EditError;
use super::operation::{Op, Position};
use super::{block, delete, emptied, extent, imports, insert, list, relocate, rename, replace, sub, unwrap, wrap};
use crate::tree::{Node, ParseLimits, Tree};

/// Whether two operations request the same at a wrapper and at the node inside it, such as an `export` and its
/// declaration: `module > *` finds both.
fn is_said_twice(tree: &Tree, first: &Op, second: &Op) -> bool {
    let same = |one: &Node, two: &Node| one != two && tree.outermost_wrapper(*one) == tree.outermost_wrapper(*two);
    match (first, second) {
        (
            Op::Insert { target: one, position, code, extent },
            Op::Insert { target: two, position: other_position, code: other_code, extent: other_extent },
        ) => {
            let beside = matches!(position, Position::Before | Position::After);
            beside && position == other_position && code == other_code && extent == other_extent && same(one, two)
        }
        (Op::Delete { target: one, extent }, Op::Delete { target: two, extent: other }) => {
            extent == other && same(one, two)
        }
        _ => false,
    }
}

/// The nodes of an operation.
fn named(op: &Op) -> Vec<Node> {
    match op {
        Op::Replace { target, .. }
        | Op::Insert { target, .. }
        | Op::Delete { target, .. }
        | Op::Wrap { target, .. }
        | Op::Unwrap { target }
        | Op::Rename { target, .. }
        | Op::Sub { target, .. } => vec![*target],
        Op::ReplaceRange { from, to, .. } => vec![*from, *to],
        Op::Move { target, to, .. } => vec![*target, *to],
        Op::EnsureImport { .. } => Vec::new(),
    }
}

/// Plans a batch and composes it to edits.
pub(super) fn plan(tree: &Tree, ops: &[Op], limits: &ParseLimits, nested: Nested) -> Result<ComposedBatch, EditError> {
    let moves = ops.iter().map(|op| matches!(op, Op::Move { .. } | Op::Wrap { .. } | Op::Unwrap { .. })).collect();
    let mut plan = Plan::new(tree, limits, ops.iter().flat_map(named).collect(), moves, nested);
    let mut by_unit: FxHashMap<Node, Vec<usize>> = FxHashMap::default();
    for (operation, op) in ops.iter().enumerate() {
        let target = match op {
            Op::Insert { target, .. } | Op::Delete { target, .. } => Some(tree.outermost_wrapper(*target)),
            _ => None,
        };
        let others = target.map(|unit| by_unit.entry(unit).or_default());
        let same =
            others.as_ref().and_then(|others| others.iter().find(|&&other| is_said_twice(tree, &ops[other], op)));
        let same = same.copied();
        others.into_iter().for_each(|others| others.push(operation));
        if let Some(other) = same {
            plan.note(operation, format!("the same as operation {}, whose target contains this one", other + 1));
            continue;
        }
        match op {
            Op::Replace { target, code, extent } => replace::plan(&mut plan, operation, *target, code, *extent)?,
            Op::ReplaceRange { from, to, code, extent } => {
                replace::plan_range(&mut plan, operation, (*from, *to), code, *extent)?;
            }
            Op::Insert { target, position, code, extent } => {
                insert::plan(&mut plan, operation, *target, *position, code, *extent)?;
            }
            Op::Delete { target, extent } => delete::plan(&mut plan, operation, *target, *extent)?,
            Op::Move { target, position, to, extent } => {
                relocate::plan(&mut plan, operation, *target, (*position, *to), *extent)?;
            }
            Op::Wrap { target, code, extent } => wrap::plan(&mut plan, operation, *target, code, *extent)?,
            Op::Unwrap { target } => unwrap::plan(&mut plan, operation, *target)?,
            Op::Rename { target, to, references } => {
                rename::plan(&mut plan, operation, *target, to, references.is_some())?;
            }
            Op::Sub { target, find, replace, regex } => {
                sub::plan(&mut plan, operation, *target, find, (replace, *regex))?;
            }
            Op::EnsureImport { code } => imports::plan(&mut plan, operation, code)?,
        }
    }
    plan.check_conflicts()?;
    emptied::resolve_emptied(&mut plan)?;
    // Sorted by container, so that each finds its own.
    plan.insertions.sort_by_key(|insertion| insertion.holder);
    plan.removals.sort_by_key(|removal| removal.place.holder);
    let mut holders: Vec<Node> = plan.insertions.iter().map(|insertion| insertion.holder).collect();
    holders.extend(plan.removals.iter().map(|removal| removal.place.holder));
    holders.sort();
    holders.dedup();
    for holder in holders {
        if extent::is_list(tree, holder) {
            list::lay_out(&mut plan, holder);
        } else {
            block::lay_out(&mut plan, holder);
        }
    }
    plan.compose()
}
