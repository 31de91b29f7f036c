//! Node ids: numbers that name a node through all revisions of a tree.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::Node;

/// The name of a node in all revisions of a tree, written `n118`. Ids are assigned in document order when a file is
/// loaded, so the same text always has the same ids. A tree never assigns an id twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// The id with that number.
    pub fn new(number: u32) -> NodeId {
        NodeId(number)
    }

    /// The number of the id.
    pub fn number(self) -> u32 {
        self.0
    }

    /// Reads `n118`; `None` for anything else.
    pub fn parse(word: &str) -> Option<NodeId> {
        let digits = word.strip_prefix('n')?;
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if plain { digits.parse().ok().map(NodeId) } else { None }
    }
}

impl std::fmt::Display for NodeId {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "n{}", self.0)
    }
}

/// The ids of a table, packed as runs of consecutive numbers, and the next free number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IdRuns {
    /// First number and length of each run, in document order.
    pub runs: Vec<(u32, u32)>,
    /// The next free number.
    pub next: u32,
}

/// The ids of a table's nodes.
#[derive(Debug, Clone)]
pub(super) struct Ids {
    /// `None`: the number of each node is its index.
    numbers: Option<Arc<Vec<u32>>>,
    nodes: Arc<OnceLock<FxHashMap<u32, u32>>>,
    count: u32,
    next: u32,
}

impl Ids {
    /// Ids in document order that begin at `first`.
    pub(super) fn from(first: u32, count: usize) -> Ids {
        let fresh = Ids::fresh(count);
        let runs = IdRuns { runs: vec![(first, fresh.count)], next: first + fresh.count };
        Ids::from_runs(&runs, count).unwrap_or(fresh)
    }

    /// Ids in document order, for a new tree.
    pub(super) fn fresh(count: usize) -> Ids {
        let count = u32::try_from(count).expect("a table has fewer than 2^32 nodes");
        Ids { numbers: None, nodes: Arc::default(), count, next: count }
    }

    /// The ids of the next revision; `preimage` has the old node of each new one.
    pub(super) fn carried(&self, preimage: &[Option<Node>]) -> Ids {
        let mut next = self.next;
        let number = |old: &Option<Node>| match old {
            Some(old) => self.id(*old).0,
            None => {
                next += 1;
                next - 1
            }
        };
        let numbers: Vec<u32> = preimage.iter().map(number).collect();
        let count = u32::try_from(numbers.len()).expect("a table has fewer than 2^32 nodes");
        Ids { numbers: Some(Arc::new(numbers)), nodes: Arc::default(), count, next }
    }

    pub(super) fn from_runs(runs: &IdRuns, count: usize) -> Option<Ids> {
        let total: u64 = runs.runs.iter().map(|&(_, length)| u64::from(length)).sum();
        if total != count as u64 {
            return None;
        }
        let mut ids = Ids { next: runs.next, ..Ids::fresh(count) };
        if !matches!(runs.runs[..], [(0, _)]) {
            let numbers = runs.runs.iter().flat_map(|&(first, length)| first..first.saturating_add(length)).collect();
            ids.numbers = Some(Arc::new(numbers));
        }
        Some(ids)
    }

    pub(super) fn runs(&self) -> IdRuns {
        let Some(numbers) = &self.numbers else {
            return IdRuns { runs: vec![(0, self.count)], next: self.next };
        };
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for &number in numbers.iter() {
            match runs.last_mut() {
                Some((first, length)) if *first + *length == number => *length += 1,
                _ => runs.push((number, 1)),
            }
        }
        IdRuns { runs, next: self.next }
    }

    /// Makes the next free number at least `next`, so that ids of undone revisions are never reused.
    pub(super) fn skip_to(&mut self, next: u32) {
        self.next = self.next.max(next);
    }

    pub(super) fn id(&self, node: Node) -> NodeId {
        match &self.numbers {
            Some(numbers) => NodeId(numbers[node.index()]),
            None => NodeId(u32::try_from(node.index()).expect("a table has fewer than 2^32 nodes")),
        }
    }

    pub(super) fn node(&self, id: NodeId) -> Option<Node> {
        match &self.numbers {
            Some(numbers) => {
                let index =
                    self.nodes.get_or_init(|| numbers.iter().zip(0..).map(|(&number, at)| (number, at)).collect());
                index.get(&id.0).map(|&at| Node::at(at as usize))
            }
            None => (id.0 < self.count).then(|| Node::at(id.0 as usize)),
        }
    }

    pub(super) fn was_issued(&self, id: NodeId) -> bool {
        id.0 < self.next
    }

    pub(super) fn memory(&self) -> usize {
        self.numbers.as_ref().map_or(0, |numbers| numbers.len() * size_of::<u32>())
    }
}
