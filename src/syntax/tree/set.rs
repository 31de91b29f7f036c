//! Sets of nodes of one revision, as bits.

use super::Node;
use crate::interrupt::{count_step, count_steps, poll};
use crate::language::TypeId;

/// A set of nodes: one bit per node of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeSet {
    words: Vec<u64>,
    nodes: usize,
}

impl NodeSet {
    /// The empty set, for a table of `nodes` nodes.
    pub fn empty(nodes: usize) -> NodeSet {
        count_steps(nodes.div_ceil(64));
        NodeSet { words: vec![0; nodes.div_ceil(64)], nodes }
    }

    /// The full set, for a table of `nodes` nodes.
    pub fn full(nodes: usize) -> NodeSet {
        let mut set = NodeSet { words: vec![u64::MAX; nodes.div_ceil(64)], nodes };
        set.trim();
        set
    }

    /// The nodes of some types, which must be sorted. `types` are the types of the table. If the types are few, this
    /// takes a few nanoseconds per 64 nodes.
    pub fn of_types(types: &[TypeId], wanted: &[TypeId]) -> NodeSet {
        const FEW: usize = 6;
        count_steps(types.len());
        let mut words = Vec::with_capacity(types.len().div_ceil(64));
        let mut known = [0u64; TypeId::MAX as usize / 64 + 1];
        if wanted.len() > FEW {
            wanted.iter().for_each(|&id| known[usize::from(id) / 64] |= 1 << (id % 64));
        }
        for chunk in types.chunks(64) {
            let mut hits = [0u8; 64];
            if wanted.len() > FEW {
                for (hit, &id) in hits.iter_mut().zip(chunk) {
                    *hit = (known[usize::from(id) / 64] >> (id % 64) & 1) as u8;
                }
            } else {
                for &id in wanted {
                    hits.iter_mut().zip(chunk).for_each(|(hit, &found)| *hit |= u8::from(found == id));
                }
            }
            words.push(bits(&hits));
        }
        NodeSet { words, nodes: types.len() }
    }

    /// The nodes with a bit in their flags.
    pub(super) fn of_flags(flags: &[u8], flag: u8) -> NodeSet {
        count_steps(flags.len());
        let mut words = Vec::with_capacity(flags.len().div_ceil(64));
        for chunk in flags.chunks(64) {
            let mut hits = [0u8; 64];
            hits.iter_mut().zip(chunk).for_each(|(hit, &flags)| *hit = u8::from(flags & flag != 0));
            words.push(bits(&hits));
        }
        NodeSet { words, nodes: flags.len() }
    }

    fn trim(&mut self) {
        let used = self.nodes % 64;
        if let (true, Some(last)) = (used != 0, self.words.last_mut()) {
            *last &= (1 << used) - 1;
        }
    }

    /// The number of nodes of the table.
    pub fn universe(&self) -> usize {
        self.nodes
    }

    /// The number of nodes in the set.
    pub fn len(&self) -> usize {
        count_steps(self.words.len());
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Whether the set contains a node.
    pub fn contains(&self, node: Node) -> bool {
        count_step();
        self.words[node.index() / 64] >> (node.index() % 64) & 1 != 0
    }

    /// Adds a node.
    pub fn insert(&mut self, node: Node) {
        count_step();
        self.words[node.index() / 64] |= 1 << (node.index() % 64);
    }

    /// Removes a node.
    pub fn remove(&mut self, node: Node) {
        self.words[node.index() / 64] &= !(1 << (node.index() % 64));
    }

    /// Adds the nodes with indices from `start` to before `end`.
    pub fn insert_range(&mut self, start: usize, end: usize) {
        if start >= end {
            return;
        }
        let (first, last) = (start / 64, (end - 1) / 64);
        let low = u64::MAX << (start % 64);
        let high = u64::MAX >> (63 - (end - 1) % 64);
        if first == last {
            self.words[first] |= low & high;
            return;
        }
        self.words[first] |= low;
        self.words[first + 1..last].fill(u64::MAX);
        self.words[last] |= high;
    }

    /// The nodes of the set with indices from `start` to before `end`, in document order.
    pub fn iter_range(&self, start: usize, end: usize) -> impl Iterator<Item = Node> + '_ {
        let first = start / 64;
        let words = self.words.get(first..end.div_ceil(64).max(first)).unwrap_or(&[]);
        count_steps(words.len());
        let bits = words.iter().enumerate().flat_map(move |(index, &word)| {
            let word = if index == 0 { word & (u64::MAX << (start % 64)) } else { word };
            std::iter::successors((word != 0).then_some(word), |&word| {
                let rest = word & (word - 1);
                (rest != 0).then_some(rest)
            })
            .inspect(|_| count_step())
            .map(move |word| (first + index) * 64 + word.trailing_zeros() as usize)
        });
        bits.take_while(move |&place| place < end).map(Node::at)
    }

    /// The same, with a `None` for each 64 nodes of which none is in the set: as many items as there is work.
    pub fn visit_range(&self, start: usize, end: usize) -> impl Iterator<Item = Option<Node>> + '_ {
        (start / 64..end.div_ceil(64)).flat_map(move |index| {
            let (first, last) = (start.max(index * 64), end.min(index * 64 + 64));
            let nothing = self.words[index] == 0;
            nothing.then_some(None).into_iter().chain(self.iter_range(first, last).map(Some))
        })
    }

    /// Adds all nodes of another set, which must be of the same table.
    pub fn union_with(&mut self, other: &NodeSet) {
        count_steps(self.words.len());
        debug_assert!(
            other.words.iter().skip(self.words.len()).all(|&word| word == 0),
            "a set of another table's nodes"
        );
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }

    /// Keeps only nodes that are also in another set.
    pub fn intersect_with(&mut self, other: &NodeSet) {
        count_steps(self.words.len());
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
    }

    /// Removes all nodes of another set.
    pub fn subtract(&mut self, other: &NodeSet) {
        count_steps(self.words.len());
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= !other);
    }

    /// Keeps only nodes for which `test` is true.
    pub fn retain(&mut self, mut test: impl FnMut(Node) -> bool) {
        count_steps(self.words.len());
        for index in 0..self.words.len() {
            if index.is_multiple_of(64) {
                poll();
            }
            let mut word = self.words[index];
            while word != 0 {
                let bit = word.trailing_zeros() as usize;
                word &= word - 1;
                count_step();
                if !test(Node::at(index * 64 + bit)) {
                    self.words[index] &= !(1 << bit);
                }
            }
        }
    }

    /// The nodes in document order.
    pub fn iter(&self) -> impl Iterator<Item = Node> + '_ {
        count_steps(self.words.len());
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            if index.is_multiple_of(64) {
                poll();
            }
            std::iter::successors((word != 0).then_some(word), |&word| {
                let rest = word & (word - 1);
                (rest != 0).then_some(rest)
            })
            .inspect(|_| count_step())
            .map(move |word| Node::at(index * 64 + word.trailing_zeros() as usize))
        })
    }

    /// The first node in document order.
    pub fn first(&self) -> Option<Node> {
        self.iter().next()
    }
}

/// One bit for each byte, which must be 0 or 1.
fn bits(hits: &[u8; 64]) -> u64 {
    // Multiplying gathers the lowest bits of eight bytes in the highest byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let (groups, _) = hits.as_chunks::<8>();
    let group = |word: u64, (place, group): (usize, &[u8; 8])| {
        let gathered = u64::from_le_bytes(*group).wrapping_mul(GATHER) >> 56;
        word | gathered << (8 * place)
    };
    groups.iter().enumerate().fold(0, group)
}

impl FromIterator<Node> for NodeSet {
    /// A set just large enough for these nodes; for tests and small sets.
    fn from_iter<I: IntoIterator<Item = Node>>(nodes: I) -> NodeSet {
        let nodes: Vec<Node> = nodes.into_iter().collect();
        let mut set = NodeSet::empty(nodes.iter().map(|node| node.index() + 1).max().unwrap_or(0));
        nodes.into_iter().for_each(|node| set.insert(node));
        set
    }
}
