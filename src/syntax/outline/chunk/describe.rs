//! Describes chunks: their kind, their definitions, and what they are part of.

use rustc_hash::FxHashSet;

use super::around::Around;
use crate::outline::definitions::Definition;
use crate::text::Span;

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Its spans: one, except for the code around definitions that are chunks of their own. In order.
    pub spans: Vec<Span>,
    /// The kind of the definition that it is, or is part of; otherwise that of the whole file.
    pub kind: &'static str,
    /// The definitions that begin in it, after the one that continues in it; or the one that it is part of.
    pub qualnames: Vec<String>,
    /// The chunk in which the enclosing definition begins.
    pub parent: Option<usize>,
    /// The number of the part, from 1, and of all parts, if a definition or another node had to be cut.
    pub part: Option<(usize, usize)>,
    /// The size with the context.
    pub tokens: usize,
    /// The text to show before it. It ends with a line, or where the text continues.
    pub context: String,
    /// The text, with a byte order mark if the file begins with one.
    pub text: String,
}

/// A chunk under construction.
#[derive(Debug)]
pub(super) struct Cut {
    /// Where it is.
    pub spans: Vec<Span>,
    /// The innermost definition that is cut at its start.
    pub open: Option<usize>,
    /// The innermost definition that is cut at its end.
    pub last: Option<usize>,
    pub context: String,
    pub text: String,
    pub tokens: usize,
}

/// The text whose chunks are described, and its definitions.
pub(super) struct Describer<'a> {
    pub definitions: &'a [Definition],
    /// Their bytes, with decorators and everything else that belongs to them.
    pub extents: Vec<Span>,
    /// The starts of the comments above them, or of the definitions themselves.
    pub documented: Vec<usize>,
    pub around: &'a Around<'a>,
    /// The top-level nodes that were taken apart, in order.
    pub apart: &'a [Span],
    /// The kind of the whole text.
    pub root: &'static str,
}

/// The start and end of a chunk without whitespace.
struct Place {
    start: usize,
    end: usize,
}

impl Describer<'_> {
    /// The chunks, in order of their starts.
    pub fn describe(&self, cuts: Vec<Cut>) -> Vec<Chunk> {
        let starts: Vec<usize> = cuts.iter().map(|cut| cut.spans.first().map_or(0, |span| span.start())).collect();
        let holding = |at: usize| starts.partition_point(|&start| start <= at).saturating_sub(1);
        let mut order: Vec<usize> = (0..self.definitions.len()).collect();
        order.sort_by_key(|&place| self.extents[place].start());
        let chunk = |(index, cut): (usize, Cut)| {
            let place = place(&cut);
            let innermost = self.around_whole(&cut, &place);
            let (from, to) = match innermost {
                Some(open) => (self.around.get(open).span.start(), self.around.get(open).span.end()),
                None => self.top_level(&place).map_or((0, 0), |span| (span.start(), span.end())),
            };
            let first = holding(from);
            let last = if to > from { holding(to - 1) } else { first };
            let part = (to > from && last > first).then(|| (index + 1 - first.min(index), last + 1 - first));
            let outer = self.around.chain(innermost).map(|open| holding(self.around.get(open).span.start()));
            let parent = outer.into_iter().find(|&holder| holder != index);
            let begun = self.begun(&cut, &order);
            Chunk {
                kind: self.kind(&begun, &place, innermost),
                qualnames: self.qualnames(&begun, &place, cut.open, innermost),
                parent,
                part,
                tokens: cut.tokens,
                spans: cut.spans,
                context: cut.context,
                text: cut.text,
            }
        };
        cuts.into_iter().enumerate().map(chunk).collect()
    }

    /// The innermost cut definition that contains the whole chunk.
    fn around_whole(&self, cut: &Cut, place: &Place) -> Option<usize> {
        let holds = |&open: &usize| {
            let span = self.around.get(open).span;
            span.start() <= place.start && place.end <= span.end()
        };
        let at_start = self.around.chain(cut.open).find(holds);
        let at_end = self.around.chain(cut.last).find(holds);
        // Both contain the chunk, so one contains the other.
        at_start.into_iter().chain(at_end).max_by_key(|&open| self.around.depth(Some(open)))
    }

    /// The top-level node that was taken apart and contains the whole chunk.
    fn top_level(&self, place: &Place) -> Option<Span> {
        let next = self.apart.partition_point(|span| span.start() <= place.start);
        let span = *next.checked_sub(1).and_then(|before| self.apart.get(before))?;
        (place.end <= span.end()).then_some(span)
    }

    /// The definitions that begin in a chunk, in order.
    fn begun(&self, cut: &Cut, order: &[usize]) -> Vec<usize> {
        let inside = |span: &Span| {
            let first = order.partition_point(|&place| self.extents[place].start() < span.start());
            let last = order.partition_point(|&place| self.extents[place].start() < span.end());
            order[first..last].iter().copied()
        };
        cut.spans.iter().flat_map(inside).collect()
    }

    fn kind(&self, begun: &[usize], place: &Place, innermost: Option<usize>) -> &'static str {
        let is_all = |&&definition: &&usize| {
            self.documented[definition] <= place.start && self.extents[definition].end() >= place.end
        };
        let whole = begun.iter().find(is_all).map(|&definition| self.definitions[definition].kind);
        let part = innermost.map(|open| self.definitions[self.around.get(open).definition].kind);
        whole.or(part).unwrap_or(self.root)
    }

    fn qualnames(&self, begun: &[usize], place: &Place, open: Option<usize>, innermost: Option<usize>) -> Vec<String> {
        let goes_on = match begun.first() {
            Some(&first) => open.filter(|_| self.documented[first] > place.start),
            None => open.or(innermost),
        };
        let before = goes_on.map(|open| self.around.get(open).definition);
        let mut known = FxHashSet::default();
        let names = before.into_iter().chain(begun.iter().copied());
        let names = names.map(|definition| self.definitions[definition].qualname.as_str());
        names.filter(|name| !name.is_empty() && known.insert(*name)).map(str::to_owned).collect()
    }
}

/// The first start and the last end of a chunk's spans.
fn place(cut: &Cut) -> Place {
    let start = cut.spans.first().map_or(0, |span| span.start());
    let end = cut.spans.last().map_or(0, |span| span.end());
    let text = cut.text.trim_start_matches('\u{feff}');
    let before = text.len() - text.trim_start().len();
    let after = text.len() - text.trim_end().len();
    if before == text.len() { Place { start, end } } else { Place { start: start + before, end: end - after } }
}
