//! Operations that ask for the same at a wrapper and at what it holds.

use rustc_hash::FxHashMap;

use super::{Op, Position};
use crate::tree::{Node, Tree};

/// The operations so far that may be repeated, by the outermost wrapper of their targets.
#[derive(Debug, Default)]
pub(super) struct Repeats {
    by_unit: FxHashMap<Node, Vec<usize>>,
}

impl Repeats {
    /// The operation before `operation` that asks for the same. Call it for each operation in order.
    pub(super) fn find(&mut self, tree: &Tree, ops: &[Op], operation: usize) -> Option<usize> {
        let op = &ops[operation];
        let (Op::Insert { target, .. } | Op::Delete { target, .. }) = op else { return None };
        let others = self.by_unit.entry(tree.unit(*target)).or_default();
        let same = others.iter().copied().find(|&other| is_said_twice(tree, &ops[other], op));
        others.push(operation);
        same
    }
}

/// Whether two operations ask for the same at a wrapper and at what it holds, as `export` and its declaration: `module > *` finds both.
fn is_said_twice(tree: &Tree, first: &Op, second: &Op) -> bool {
    let same = |one: &Node, two: &Node| one != two && tree.unit(*one) == tree.unit(*two);
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
