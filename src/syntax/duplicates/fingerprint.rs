//! The statements of a file as hashes.

use std::hash::{BuildHasher, Hasher};

use rustc_hash::FxBuildHasher;

use crate::interrupt::count_steps;
use crate::language::TypeSet;
use crate::text::Position;
use crate::tree::{Node, Tree};

/// A statement, definition, or other node of a block.
#[derive(Debug, Clone, Copy)]
pub struct Piece {
    /// The hash of its tokens, names left out.
    pub hash: u64,
    /// The number of its block in the file.
    pub block: u32,
    /// Its first token.
    pub first: u32,
    /// The token after its last.
    pub end: u32,
    /// Where it begins in the text.
    pub start_byte: u32,
    /// Where it ends in the text.
    pub end_byte: u32,
    /// Where it begins.
    pub start: Position,
    /// Where it ends.
    pub stop: Position,
}

impl Piece {
    /// How many tokens it has.
    pub fn tokens(&self) -> usize {
        (self.end - self.first) as usize
    }
}

/// The pieces of a file, block by block, and the names among its tokens.
#[derive(Debug)]
pub struct Fingerprint {
    /// The pieces of each block, one block after the other.
    pub pieces: Vec<Piece>,
    /// For each token the hash of its name, or 0.
    pub names: Vec<u32>,
    /// How many lines the file has.
    pub lines: usize,
}

/// The hash of several numbers.
pub(super) fn mix(numbers: &[u64]) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    numbers.iter().for_each(|&number| hasher.write_u64(number));
    hasher.finish()
}

fn hash_text(text: &str) -> u64 {
    FxBuildHasher.hash_one(text)
}

/// The modulus of the rolling hash, and its base.
const PRIME: u64 = (1 << 61) - 1;
const BASE: u64 = 0x0dd1_4c7a_93e1_5b47;

pub(super) fn multiply(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b) % u128::from(PRIME);
    u64::try_from(product).expect("it is less than the modulus")
}

/// The hashes of all runs of a sequence, each in constant time.
#[derive(Debug, Default)]
pub(super) struct Rolling {
    sums: Vec<u64>,
    powers: Vec<u64>,
}

impl Rolling {
    pub fn new(codes: impl Iterator<Item = u64>) -> Rolling {
        let mut rolling = Rolling { sums: vec![0], powers: vec![1] };
        for code in codes {
            let (sum, power) = (rolling.sums[rolling.sums.len() - 1], rolling.powers[rolling.powers.len() - 1]);
            rolling.sums.push((multiply(sum, BASE) + code % PRIME) % PRIME);
            rolling.powers.push(multiply(power, BASE));
        }
        rolling
    }

    /// The hash of the codes from `first` to before `end`.
    pub fn of(&self, first: usize, end: usize) -> u64 {
        (self.sums[end] + PRIME - multiply(self.sums[first], self.powers[end - first])) % PRIME
    }
}

impl Fingerprint {
    /// Reads the tokens of a tree. Comments are left out.
    pub fn new(tree: &Tree) -> Fingerprint {
        let (table, language) = (tree.table(), tree.language());
        let spec = language.spec();
        let mut identifiers: TypeSet = spec.types_of_kind("name");
        identifiers.union_with(&spec.references.identifiers);
        let seed = hash_text(language.name());
        let small = |number: usize| u32::try_from(number).expect("a file has fewer than 2^32 tokens");
        // The number of tokens before each node.
        let mut before: Vec<u32> = Vec::with_capacity(table.len() + 1);
        let (mut codes, mut names) = (Vec::new(), Vec::new());
        let mut comment_end = 0;
        count_steps(table.len());
        for node in table.nodes() {
            before.push(small(codes.len()));
            if node.index() < comment_end {
                continue;
            }
            if tree.is_comment(node) {
                comment_end = table.subtree_end(node);
                continue;
            }
            let is_leaf = table.subtree_end(node) == node.index() + 1;
            if !is_leaf || table.span(node).is_empty() {
                continue;
            }
            let (id, text) = (table.type_id(node), tree.node_text(node));
            let is_name = identifiers.contains(id);
            // The text of a token that is its type says nothing more.
            let text = if is_name || !table.is_named(node) { 0 } else { hash_text(&text) };
            codes.push(mix(&[seed, u64::from(id), text]));
            names.push(if is_name { short_hash(&tree.node_text(node)) } else { 0 });
        }
        before.push(small(codes.len()));
        let rolling = Rolling::new(codes.into_iter());
        let mut pieces = Vec::new();
        let mut blocks = 0;
        for block in table.nodes().filter(|&node| holds_pieces(tree, node)) {
            for node in tree.named_children(block) {
                let (first, end) = (before[node.index()], before[table.subtree_end(node)]);
                if first == end {
                    continue;
                }
                let span = table.span(node);
                pieces.push(Piece {
                    hash: rolling.of(first as usize, end as usize),
                    block: blocks,
                    first,
                    end,
                    start_byte: small(span.start()),
                    end_byte: small(span.end()),
                    start: tree.start(node),
                    stop: tree.end(node),
                });
            }
            blocks += 1;
        }
        Fingerprint { pieces, names, lines: tree.text().line_count() }
    }
}

/// A hash of a name that is not 0.
fn short_hash(name: &str) -> u32 {
    let hash = hash_text(name);
    u32::try_from(hash >> 32).expect("half of the bits are left").max(1)
}

/// Whether the children of a node are statements or definitions.
fn holds_pieces(tree: &Tree, node: Node) -> bool {
    let role = tree.language().role(tree.table().type_id(node));
    node == Node::ROOT || (role.body && !role.list) || role.section
}
