//! The parts of matches that the grammar does not read.

use std::ops::Range;

use regex::Captures;

/// The parts of a match outside of its groups, which are kept: they are masked.
pub(super) fn masked_in<'c>(captures: &'c Captures<'_>) -> impl Iterator<Item = Range<usize>> + 'c {
    let whole = captures.get(0).map_or(0..0, |whole| whole.range());
    let kept = captures.iter().skip(1).flatten().map(|kept| kept.range()).filter(|kept| !kept.is_empty());
    let starts = std::iter::once(whole.start).chain(kept.clone().map(|kept| kept.end));
    starts.zip(kept.map(|kept| kept.start).chain(std::iter::once(whole.end))).map(|(start, end)| start..end.max(start))
}
