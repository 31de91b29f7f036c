//! The kinds of a tree's nodes.

use super::error::SelectorError;
use super::evaluate::Evaluator;
use super::ir::Types;
use super::query::{Match, Query};
use crate::language::taxonomy;
use crate::tree::{Node, Tree};

/// The kinds of one tree's nodes, computed on demand. Valid only for that revision.
pub struct Kinds<'t> {
    evaluator: Evaluator<'t>,
}

impl<'t> Kinds<'t> {
    /// The kinds of a tree's nodes; nothing is computed yet.
    pub fn new(tree: &'t Tree) -> Kinds<'t> {
        Kinds { evaluator: Evaluator::new(tree) }
    }

    /// The matches of a query in the same tree. Work shared by several queries is done once.
    ///
    /// # Errors
    /// As [`Query::select`].
    pub fn select(&self, query: &Query) -> Result<Vec<Match>, SelectorError> {
        query.select_with(&self.evaluator)
    }

    /// What evaluates selectors on the tree.
    pub(super) fn evaluator(&self) -> &Evaluator<'t> {
        &self.evaluator
    }

    /// The most specific kind of a node; `node` if it has no other.
    pub fn kind(&self, node: Node) -> &'static str {
        self.evaluator.kind(node)
    }

    /// All kinds of a node with their parent kinds, in the order of the taxonomy.
    pub fn all(&self, node: Node) -> Vec<&'static str> {
        self.evaluator.kinds_of(node)
    }

    /// Whether a node has a kind, or one below it.
    pub fn is(&self, node: Node, kind: &str) -> bool {
        self.evaluator.is_kind(node, kind)
    }
}

impl std::fmt::Debug for Kinds<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Kinds")
    }
}

impl Types {
    /// Whether the types accept a node.
    fn takes(&self, evaluator: &Evaluator<'_>, node: Node) -> bool {
        let table = evaluator.tree().table();
        match self {
            Types::Named => table.is_named(node),
            Types::Some { mask, lists } => {
                mask.contains(table.type_id(node)) || lists.iter().any(|list| evaluator.list(list).contains(node))
            }
        }
    }
}

impl Evaluator<'_> {
    /// The indices in the taxonomy of the kinds whose own rules accept a node.
    fn own_kinds(&self, node: Node) -> impl Iterator<Item = usize> {
        self.own_kinds_among(node, |_| true)
    }

    /// The same of some kinds alone. The rules of the others, which may be about the whole tree, are not evaluated.
    fn own_kinds_among(&self, node: Node, is_wanted: impl Fn(usize) -> bool) -> impl Iterator<Item = usize> {
        let vocabulary = self.vocabulary();
        let type_id = self.tree().table().type_id(node);
        let likely = vocabulary.into_iter().flat_map(move |vocabulary| {
            vocabulary
                .likely(type_id)
                .iter()
                .map(|&place| usize::from(place))
                .filter_map(|place| Some((place, vocabulary.own_types(place).ok()?)))
        });
        likely
            .filter(move |(place, _)| is_wanted(*place))
            .filter(move |(_, types)| !matches!(types, Types::Named) && types.takes(self, node))
            .map(|(place, _)| place)
    }

    fn kind(&self, node: Node) -> &'static str {
        let name = |place: usize| taxonomy().kinds()[place].name.as_str();
        // Among equally specific kinds, the first in the taxonomy.
        let best = self.own_kinds(node).fold(("node", 0), |best, place| {
            let rank = taxonomy().rank(name(place));
            if rank > best.1 { (name(place), rank) } else { best }
        });
        best.0
    }

    pub(super) fn kinds_of(&self, node: Node) -> Vec<&'static str> {
        let own: Vec<usize> = self.own_kinds(node).collect();
        let kinds = taxonomy().kinds().iter().enumerate();
        let is = |upper: usize| own.iter().any(|&lower| taxonomy().is_place_a(lower, upper));
        kinds.filter(|(place, kind)| kind.name == "node" || is(*place)).map(|(_, kind)| kind.name.as_str()).collect()
    }

    pub(super) fn is_kind(&self, node: Node, kind: &str) -> bool {
        let Some(upper) = taxonomy().place(kind) else { return false };
        kind == "node" || self.own_kinds_among(node, |lower| taxonomy().is_place_a(lower, upper)).next().is_some()
    }
}
