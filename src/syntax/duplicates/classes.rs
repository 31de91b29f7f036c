//! Runs of pieces with the same hashes: where each occurs.

use rustc_hash::FxHashMap;

use super::fingerprint::{Fingerprint, Rolling};
use crate::interrupt::count_steps;

/// No class: the run occurs once.
pub(super) const UNIQUE: u32 = u32::MAX;

/// A piece of any file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    pub file: u32,
    pub piece: u32,
    /// Its block, different for each of all files.
    pub block: u32,
    pub hash: u64,
    pub tokens: u32,
}

/// All pieces, and the shortest runs that are long enough and occur again.
#[derive(Debug)]
pub(super) struct Classes {
    pub members: Vec<Member>,
    /// The class of the run that begins at each member.
    pub class_of: Vec<u32>,
    /// The members at which the runs of each class begin, in order.
    pub starts: Vec<Vec<u32>>,
    /// How many members a run of each class has.
    pub lengths: Vec<u32>,
}

impl Classes {
    pub fn new(files: &[Fingerprint], least: usize) -> Classes {
        let members = join(files);
        let rolling = Rolling::new(members.iter().map(|member| member.hash));
        let mut by_hash: FxHashMap<(u64, u32), Vec<u32>> = FxHashMap::default();
        let (mut end, mut tokens) = (0, 0);
        for start in 0..members.len() {
            count_steps(1);
            if end <= start {
                (end, tokens) = (start, 0);
            }
            while tokens < least && members.get(end).is_some_and(|next| next.block == members[start].block) {
                tokens += members[end].tokens as usize;
                end += 1;
            }
            if tokens >= least {
                let length = small(end - start);
                by_hash.entry((rolling.of(start, end), length)).or_default().push(small(start));
            }
            tokens = tokens.saturating_sub(members[start].tokens as usize);
        }
        let mut found: Vec<(Vec<u32>, u32)> =
            by_hash.into_iter().map(|((_, length), starts)| (starts, length)).collect();
        found.retain(|(starts, _)| starts.len() > 1);
        // In the order of the files, whatever the hashes are.
        found.sort_unstable_by_key(|(starts, _)| starts[0]);
        let mut class_of = vec![UNIQUE; members.len()];
        for (class, (starts, _)) in (0..).zip(&found) {
            starts.iter().for_each(|&start| class_of[start as usize] = class);
        }
        let (starts, lengths) = found.into_iter().unzip();
        Classes { members, class_of, starts, lengths }
    }
}

pub(super) fn small(number: usize) -> u32 {
    u32::try_from(number).expect("there are fewer than 2^32 pieces")
}

/// The pieces of all files, one after the other.
fn join(files: &[Fingerprint]) -> Vec<Member> {
    let mut members = Vec::with_capacity(files.iter().map(|file| file.pieces.len()).sum());
    let mut block = 0;
    for (number, file) in (0..).zip(files) {
        for (place, piece) in (0..).zip(&file.pieces) {
            let is_same = members.last().is_some_and(|last: &Member| {
                last.file == number && file.pieces[last.piece as usize].block == piece.block
            });
            block += u32::from(!is_same);
            members.push(Member { file: number, piece: place, block, hash: piece.hash, tokens: small(piece.tokens()) });
        }
    }
    members
}
