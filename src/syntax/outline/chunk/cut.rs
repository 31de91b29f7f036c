//! Cuts a text: the pieces between borders are packed, and each chunk is checked to fit.

use std::borrow::Cow;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::around::Around;
use super::borders::{Borders, Cutter};
use super::cost::Border;
use super::count::Measure;
use super::describe::{Chunk, Cut, Describer};
use super::error::ChunkError;
use super::lines;
use super::options::{Mode, Options};
use super::pack::{Piece, pack};
use crate::outline::definitions::{self, Definition, outline};
use crate::outline::error::OutlineError;
use crate::selector::Kinds;
use crate::text::{Span, Text};
use crate::tree::{Node, Tree};

/// The kind of a chunk of a text in an unrecognised language.
const TEXT: &str = "text";

/// The approximate maximum number of pieces of a chunk: smaller ones are joined first.
const PIECES: usize = 64;

/// The chunks of a tree, in order. Their contexts name the path, unless it is empty.
///
/// # Errors
/// If a number in `options` is invalid, or the language's own data.
pub fn chunks(tree: &Tree, path: &str, options: &Options) -> Result<Vec<Chunk>, ChunkError> {
    options.check()?;
    Ok(cut_tree(tree, path, options)?)
}

/// The chunks of a text in an unrecognised language: as many lines together as fit.
///
/// # Errors
/// If a number in `options` is invalid.
pub fn chunks_of_lines(text: &Text, path: &str, options: &Options) -> Result<Vec<Chunk>, ChunkError> {
    options.check()?;
    Ok(cut_text(text, path, options))
}

/// The chunks of a tree, after the options were checked.
fn cut_tree(tree: &Tree, path: &str, options: &Options) -> Result<Vec<Chunk>, OutlineError> {
    let source = tree.text().as_str().map_or_else(|| Cow::Owned(tree.text().to_string()), Cow::Borrowed);
    let measure = Measure::new(&source, options.count);
    let definitions = outline(tree, &definitions::Options::default())?;
    let mut places = FxHashMap::default();
    for (place, definition) in definitions.iter().enumerate() {
        places.entry(definition.node).or_insert(place);
        places.entry(tree.outermost_wrapper(definition.node)).or_insert(place);
    }
    let mut around = Around::new(options, path, &definitions);
    let each = options.mode == Mode::Signature && !definitions.is_empty();
    let borders = Cutter::new(tree, &measure, &places).borders(&mut around, each);
    let mark = tree.text().encoding().has_mark();
    let cuts = Maker { options, measure: &measure, around: &around, mark }.cuts(&borders);
    let root = Kinds::new(tree).kind(Node::ROOT);
    let (extents, documented) = definitions.iter().map(|definition| extent(tree, definition)).unzip();
    let apart = &borders.apart;
    Ok(Describer { definitions: &definitions, extents, documented, around: &around, apart, root }.describe(cuts))
}

/// The chunks of a text without a tree, after the options were checked.
fn cut_text(text: &Text, path: &str, options: &Options) -> Vec<Chunk> {
    let source = text.as_str().map_or_else(|| Cow::Owned(text.to_string()), Cow::Borrowed);
    let measure = Measure::new(&source, options.count);
    let mut around = Around::new(options, path, &[]);
    around.sort();
    let whole = Span::new(0, source.len());
    let mut borders = Borders::default();
    if !measure.fits(whole, around.room_at_start()) {
        borders.borders = lines::in_part(&measure, whole, around.room(None), 0);
    }
    let mark = text.encoding().has_mark();
    let cuts = Maker { options, measure: &measure, around: &around, mark }.cuts(&borders);
    Describer { definitions: &[], extents: Vec::new(), documented: Vec::new(), around: &around, apart: &[], root: TEXT }
        .describe(cuts)
}

/// The bytes of a definition with its wrappers, decorators and other leading nodes, and the start of the comments above
/// it.
fn extent(tree: &Tree, definition: &Definition) -> (Span, usize) {
    let unit = tree.outermost_wrapper(definition.node);
    let first = tree.attachments().leading(tree.table(), unit).next().unwrap_or(unit);
    let extent = tree.span(first).join(tree.span(unit));
    let comments = tree.comments_above(first);
    (extent, comments.first().map_or(extent.start(), |&comment| tree.span(comment).start()))
}

/// Makes chunks from borders.
struct Maker<'a> {
    options: &'a Options,
    measure: &'a Measure<'a>,
    around: &'a Around<'a>,
    mark: bool,
}

/// A piece with its surroundings.
#[derive(Debug, Clone, Copy)]
struct Placed {
    span: Span,
    border: Border,
    /// The innermost definition that the border before it cuts.
    cut: Option<usize>,
    /// The innermost definition that the border after it cuts.
    cut_behind: Option<usize>,
    /// Whether it is a definition that becomes a chunk of its own.
    is_own: bool,
}

impl Maker<'_> {
    fn cuts(&self, borders: &Borders) -> Vec<Cut> {
        let pieces = self.pieces(borders);
        let small = self.options.min_tokens.min(self.options.max_tokens);
        let mut cuts = Vec::new();
        for group in self.groups(&pieces) {
            let group: Vec<Placed> = group.into_iter().map(|place| pieces[place]).collect();
            let packed: Vec<Piece> =
                group.iter().enumerate().map(|(index, piece)| self.piece(piece, index > 0)).collect();
            for range in pack(&packed, small) {
                self.make(&group[range], &mut cuts);
            }
        }
        cuts.sort_by_key(|cut: &Cut| cut.spans.first().map_or(0, |span| span.start()));
        cuts
    }

    fn piece(&self, placed: &Placed, counts_border: bool) -> Piece {
        let depth = if self.options.mode == Mode::Pack { self.around.depth(placed.cut) } else { 0 };
        Piece {
            size: self.measure.about(placed.span),
            cost: if counts_border { placed.border.cost } else { 0 },
            depth: if counts_border { depth } else { 0 },
            room: if placed.span.start() == 0 { self.around.room_at_start() } else { self.around.room(placed.cut) },
        }
    }

    /// The pieces between borders, with small neighbours joined.
    fn pieces(&self, borders: &Borders) -> Vec<Placed> {
        let source = self.measure.source();
        if source.is_empty() && !self.mark {
            return Vec::new();
        }
        let edge = |at| Border { at, cost: 0, level: 0 };
        let ends = borders.borders.iter().copied().chain([edge(source.len())]);
        let starts = std::iter::once(edge(0)).chain(borders.borders.iter().copied());
        let mut whole = borders.whole.iter().peekable();
        let (mut walk, mut pieces) = (self.around.walk(), Vec::<Placed>::new());
        let fine = self.options.max_tokens / PIECES;
        for (border, end) in starts.zip(ends) {
            let span = Span::new(border.at, end.at);
            while whole.peek().is_some_and(|whole| whole.start() < span.start()) {
                whole.next();
            }
            let is_whole = whole.peek().is_some_and(|&&whole| whole == span);
            let is_own = self.options.mode == Mode::Signature && is_whole && !self.is_small(span);
            let cut = walk.cut_at(border.at);
            if let Some(last) = pieces.last_mut()
                && !is_own
                && !last.is_own
                && border.level >= end.level.max(last.border.level)
                && self.measure.about(last.span.join(span)) <= fine
            {
                last.span = last.span.join(span);
                continue;
            }
            if let Some(last) = pieces.last_mut() {
                last.cut_behind = cut;
            }
            pieces.push(Placed { span, border, cut, cut_behind: None, is_own });
        }
        pieces
    }

    fn is_small(&self, span: Span) -> bool {
        self.measure.about(span) < self.options.min_tokens
    }

    /// The groups of pieces that may be packed together: all, or those inside the same definitions.
    fn groups(&self, pieces: &[Placed]) -> Vec<Vec<usize>> {
        if self.options.mode == Mode::Pack {
            return vec![(0..pieces.len()).collect()];
        }
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut known: FxHashMap<Option<usize>, usize> = FxHashMap::default();
        let mut walk = self.around.walk();
        for (place, piece) in pieces.iter().enumerate() {
            if piece.is_own {
                groups.push(vec![place]);
                continue;
            }
            let owner = walk.holding(piece.span.start());
            let group = *known.entry(owner).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[group].push(place);
        }
        groups
    }

    /// Makes one chunk of pieces, or several if they do not fit after all.
    fn make(&self, pieces: &[Placed], cuts: &mut Vec<Cut>) {
        let mut waiting: Vec<Range<usize>> = std::iter::once(0..pieces.len()).collect();
        while let Some(range) = waiting.pop() {
            let Range { start, end } = range.clone();
            let group = &pieces[range];
            match self.made(group) {
                Some(cut) => cuts.push(cut),
                None if group.len() > 1 => {
                    let cheapest = (start + 1..end).min_by_key(|&place| (pieces[place].border.cost, end - place));
                    let middle = cheapest.unwrap_or(end - 1);
                    waiting.extend([middle..end, start..middle]);
                }
                None => self.cut_anywhere(&group[0], cuts),
            }
        }
    }

    /// One chunk of pieces, if it fits. Its context is dropped if necessary.
    fn made(&self, pieces: &[Placed]) -> Option<Cut> {
        let mut spans: Vec<Span> = Vec::new();
        for piece in pieces {
            match spans.last_mut() {
                Some(last) if last.end() == piece.span.start() => *last = last.join(piece.span),
                _ => spans.push(piece.span),
            }
        }
        let start = spans.first()?.start();
        let mark = if self.mark && start == 0 { "\u{feff}" } else { "" };
        let source = self.measure.source();
        let texts = spans.iter().map(|span| &source[span.start()..span.end()]);
        let text: String = std::iter::once(mark).chain(texts).collect();
        let (count, most) = (self.options.count, self.options.max_tokens);
        let open = pieces[0].cut;
        let mut lines = self.around.context(open);
        let mut before = self.overlap(start);
        loop {
            let context = [lines.concat().as_str(), &source[before.start()..before.end()]].concat();
            let tokens = match context.as_str() {
                "" => count.of(&text),
                context => count.of(&[context, &text].concat()),
            };
            if tokens <= most {
                return Some(Cut { spans, open, last: pieces.last()?.cut_behind, context, text, tokens });
            }
            // A separate chunk for a piece is better than a chunk without context.
            if pieces.len() > 1 {
                return None;
            }
            if !before.is_empty() {
                before = self.shorter(before);
            } else if lines.is_empty() {
                return None;
            } else {
                lines.remove(0);
            }
        }
    }

    /// The text before a place to repeat as overlap: from the start of a line, if there is one near enough.
    fn overlap(&self, at: usize) -> Span {
        let wanted = self.options.overlap;
        if wanted == 0 || at == 0 {
            return Span::at(at);
        }
        let source = self.measure.source();
        let most = self.measure.before(at).saturating_sub(wanted);
        // Finds the first place from which at most that much is left.
        let (mut low, mut high) = (0, at);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.measure.before(middle) < most { low = middle + 1 } else { high = middle }
        }
        let first = self.settled(low, at);
        let line = lines::next_line(source, first);
        let begins = first == 0 || matches!(source.as_bytes()[first - 1], b'\n' | b'\r');
        let start = if !begins && line < at { line } else { first };
        let mut span = Span::new(start, at);
        while self.measure.exact(span) > wanted {
            span = self.shorter(span);
        }
        span
    }

    /// The second half of a part.
    fn shorter(&self, span: Span) -> Span {
        Span::new(self.settled(span.start() + span.len().div_ceil(2), span.end()), span.end())
    }

    /// The first place from `at` to `end` that is not inside a character or a line ending.
    fn settled(&self, at: usize, end: usize) -> usize {
        let source = self.measure.source();
        let bytes = source.as_bytes();
        let ends_line = |at: usize| at > 0 && bytes[at - 1] == b'\r' && bytes.get(at) == Some(&b'\n');
        (at..end).find(|&at| source.is_char_boundary(at) && !ends_line(at)).unwrap_or(end)
    }

    /// Cuts a piece that is larger than estimated, regardless of its content.
    fn cut_anywhere(&self, piece: &Placed, cuts: &mut Vec<Cut>) {
        let mut waiting = vec![piece.span];
        while let Some(span) = waiting.pop() {
            if let Some(cut) = self.made(&[Placed { span, ..*piece }]) {
                cuts.push(cut);
                continue;
            }
            let middle = self.settled(span.start() + span.len().div_ceil(2), span.end());
            let middle = if middle == span.end() { self.first_end(span) } else { middle };
            let parts = [Span::new(middle, span.end()), Span::new(span.start(), middle)];
            waiting.extend(parts.into_iter().filter(|part| !part.is_empty()));
        }
    }

    /// The end of the first character of a part.
    fn first_end(&self, span: Span) -> usize {
        let source = &self.measure.source()[span.start()..span.end()];
        let length = if source.starts_with("\r\n") { 2 } else { source.chars().next().map_or(1, char::len_utf8) };
        span.start() + length
    }
}
