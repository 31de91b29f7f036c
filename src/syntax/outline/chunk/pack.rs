//! Packs pieces into chunks: as few as possible, cut where it costs least.
//!
//! Every way to cut has a price: a fixed price for each chunk, more for a small one, the price of each border that is
//! cut, and a price for a chunk that contains a part of a definition together with something outside it. The cheapest
//! way is computed from the end; of several, it is the one whose first chunks are fuller. Small neighbours are joined
//! beforehand, so that the number of ways to end a chunk is bounded, and the work is linear in the pieces.

use std::ops::Range;

/// The price of a chunk.
const CHUNK: usize = 100;
/// The additional price of a chunk that is smaller than wanted.
const SMALL: usize = 200;
/// The price of a definition that is partly in a chunk and partly outside.
const STRADDLE: usize = 120;

/// A piece that is not cut.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Piece {
    /// Its size.
    pub size: usize,
    /// The price of the border before it.
    pub cost: usize,
    /// How many cut definitions extend over that border.
    pub depth: usize,
    /// The available size of a chunk that begins with it.
    pub room: usize,
}

/// Packs pieces; `small` is the size below which a chunk is too small.
pub(super) fn pack(pieces: &[Piece], small: usize) -> Vec<Range<usize>> {
    let count = pieces.len();
    // For each piece: the lowest price of the chunks from it on, and where the first of them ends.
    let mut best: Vec<(usize, usize)> = vec![(0, count); count + 1];
    let depth = |place: usize| pieces.get(place).map_or(0, |piece: &Piece| piece.depth);
    for start in (0..count).rev() {
        let mut found = (usize::MAX, start + 1);
        let mut size = 0;
        // The fewest open definitions at the borders after the start, and after the current one.
        let (mut from_start, mut behind) = (depth(start), usize::MAX);
        for end in start + 1..=count {
            size += pieces[end - 1].size;
            if size > pieces[start].room && end > start + 1 {
                break;
            }
            behind = behind.min(depth(end));
            let open_before = depth(start) - from_start;
            let open_after = depth(end) - behind;
            let border = pieces.get(end).map_or(0, |piece| piece.cost);
            let cost = CHUNK
                + if size < small { SMALL } else { 0 }
                + STRADDLE * (open_before + open_after)
                + border
                + best[end].0;
            if cost <= found.0 {
                found = (cost, end);
            }
            from_start = from_start.min(depth(end));
        }
        best[start] = found;
    }
    let mut chunks = Vec::new();
    let mut start = 0;
    while start < count {
        let end = best[start].1;
        chunks.push(start..end);
        start = end;
    }
    chunks
}
