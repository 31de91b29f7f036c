//! The kinds of a tree's nodes.

use super::evaluate::Evaluator;
use super::query::Types;
use super::vocabulary;
use crate::language::taxonomy;
use crate::tree::{Node, NodeSet, Tree};

/// The kinds of all nodes of one tree, worked out once. It means something for that revision alone.
#[derive(Debug)]
pub struct Kinds {
    /// Kinds that have nodes, in the taxonomy's order.
    sets: Vec<(&'static str, NodeSet)>,
}

impl Kinds {
    /// Works out the kinds of a tree's nodes. Linear in its nodes and its language's kinds.
    pub fn new(tree: &Tree) -> Kinds {
        Kinds::with(&Evaluator::new(tree))
    }

    pub(super) fn with(evaluator: &Evaluator<'_>) -> Kinds {
        // Of a user's language whose data is wrong, no kind is known; whoever asks for one is told why.
        let vocabulary = vocabulary::of(evaluator.tree().language()).ok();
        let sets =
            vocabulary.into_iter().flat_map(|vocabulary| &vocabulary.kinds).filter_map(|(kind, types)| match types {
                Types::Named => None,
                types => Some((*kind, evaluator.of_types(types))).filter(|(_, set)| !set.is_empty()),
            });
        Kinds { sets: sets.collect() }
    }

    /// The most specific kind of a node; `node` when it has no other.
    pub fn kind(&self, node: Node) -> &'static str {
        let own = self.sets.iter().filter(|(_, set)| set.contains(node)).map(|(kind, _)| *kind);
        // Of kinds equally specific the first of the taxonomy.
        own.fold(("node", 0), |best, kind| {
            let rank = taxonomy().rank(kind);
            if rank > best.1 { (kind, rank) } else { best }
        })
        .0
    }

    /// All kinds of a node, the ones above its own too, in the taxonomy's order.
    pub fn all(&self, node: Node) -> Vec<&'static str> {
        let kinds = taxonomy().kinds().iter();
        kinds.map(|kind| kind.name.as_str()).filter(|kind| self.is(node, kind)).collect()
    }

    /// Whether a node is of a kind, or of one under it.
    pub fn is(&self, node: Node, kind: &str) -> bool {
        kind == "node" || self.sets.iter().any(|(own, set)| set.contains(node) && taxonomy().is_a(own, kind))
    }
}
