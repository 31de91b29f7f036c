//! Where code is after it was moved, leaf by leaf.

use rustc_hash::FxHashSet;

use crate::flow::Flow;
use crate::gates::Followed;
use crate::modules::FileId;
use crate::tree::{Node, Tree};

/// The first place among some leaves where others follow, text for text.
pub(crate) fn repeated_at(
    (old, leaves): (&Tree, &[Node]),
    (new, among): (&Tree, &[Node]),
    within: usize,
) -> Option<usize> {
    let last = among.len().checked_sub(leaves.len())?;
    let is_same =
        |at: usize| leaves.iter().zip(&among[at..]).all(|(&one, &other)| old.node_text(one) == new.node_text(other));
    (0..=last.min(within)).find(|&at| is_same(at))
}

impl Followed {
    /// Notes that leaves of the old text are at others of the new one.
    pub(crate) fn pair(&mut self, file: FileId, (old, leaves): (&Tree, &[Node]), (new, copies): (&Tree, &[Node])) {
        for (&leaf, &copy) in leaves.iter().zip(copies) {
            let places = self.copies.entry((file, old.span(leaf).start())).or_default();
            places.push((file, new.span(copy).start()));
        }
    }
}

/// The names of a file that are not variables: attributes, keys, arguments' names.
pub(crate) fn members(flow: &Flow<'_>, file: FileId) -> FxHashSet<(FileId, usize)> {
    let is_member = |node: &Node| flow.scopes.is_identifier(*node) && flow.scopes.classify(*node).is_none();
    let all = flow.tree.table().nodes().filter(is_member);
    all.map(|node| (file, flow.tree.span(node).start())).collect()
}
