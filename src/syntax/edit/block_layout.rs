//! The units of a container as they are laid out in the text.

use std::cell::OnceCell;

use super::delimiters::Delimiters;
use super::draft::Draft;
use super::extent::{self, ItemPosition};
use super::indent;
use super::lines;
use super::pieces::Insertion;
use super::structure;
use crate::text::Span;
use crate::tree::{Node, Tree};

/// The units of a container as they are laid out in the text.
pub(super) struct BlockLayout<'a> {
    pub(super) tree: &'a Tree,
    pub(super) holder: Node,
    pub(super) units: Vec<Node>,
    /// The bytes of each unit, including the comments above it.
    pub(super) spans: Vec<Span>,
    /// The delimiters of the container.
    pub(super) delimiters: Delimiters,
    /// Whether the first unit is on the header's line.
    pub(super) one_line: bool,
    /// Whether the first unit follows a marker, with the others in its column; see [`hanging_indentation`].
    pub(super) hangs: bool,
    /// The indentation of the lines.
    pub(super) indentation: String,
    /// The indentation of the line with the closing delimiter.
    pub(super) outer: String,
    /// One more level.
    pub(super) unit: String,
    /// Whether definitions are separated by blank lines here.
    pub(super) spaced: bool,
    /// The units below another one, of which one is a definition.
    pairs: OnceCell<Vec<usize>>,
}

impl<'a> BlockLayout<'a> {
    pub(super) fn new(tree: &'a Tree, holder: Node) -> BlockLayout<'a> {
        let units = extent::units(tree, holder);
        let spans = units.iter().map(|&unit| extent::span_of(tree, unit, super::Extent::Full)).collect();
        let spaced = structure::holds_statements(tree, holder);
        let first = |unit: Node| extent::first_on_line(tree, extent::first_attached(tree, unit));
        let starts_line = |&unit: &Node| tree.starts_its_line(first(unit));
        let hanging = hanging_indentation(tree, holder, &units);
        let hangs = hanging.is_some();
        let one_line = spaced && !hangs && units.first().is_some_and(|first| !starts_line(first));
        let unit = indent::indent_step(tree, Some(holder));
        let delimiters = Delimiters::of(tree, holder);
        let outer = delimiters.outer_indentation(tree, holder);
        let role = |node: Node| tree.language().role(tree.table().type_id(node));
        let is_label = |unit: &Node| role(*unit).label;
        let shown = units.iter().copied().filter(|unit| !is_label(unit)).find(starts_line);
        let indentation = match shown {
            Some(shown) => lines::indentation(tree.text(), tree.span(extent::first_attached(tree, shown)).start()),
            None if holder == Node::ROOT => String::new(),
            None if hangs => hanging.unwrap_or_default(),
            // The lines in an `#if` are indented no more than the `#if` itself.
            None if role(holder).label => outer.clone(),
            None => format!("{outer}{unit}"),
        };
        BlockLayout {
            tree,
            holder,
            units,
            spans,
            delimiters,
            one_line,
            hangs,
            indentation,
            outer,
            unit,
            spaced,
            pairs: OnceCell::new(),
        }
    }

    /// Takes the indentation of a slot's neighbours, if units differ: below Ruby's `private` they may be indented more.
    pub(super) fn align(&mut self, slot: usize, below: Option<Node>) {
        let near = below.and_then(|below| self.units.binary_search(&below).ok());
        let near = near.unwrap_or(slot.min(self.units.len().saturating_sub(1)));
        let is_definition = |index: &usize| *index < self.units.len() && self.is_definition(*index);
        let neighbours = [Some(near), near.checked_sub(1), Some(near + 1)];
        let near = neighbours.into_iter().flatten().find(is_definition).unwrap_or(near);
        if let Some(own) = self.own_indentation(near) {
            self.indentation = own;
        }
    }

    /// The indentation of a unit that begins a line.
    fn own_indentation(&self, index: usize) -> Option<String> {
        let &unit = self.units.get(index)?;
        let is_label = self.tree.language().role(self.tree.table().type_id(unit)).label;
        let first = extent::first_attached(self.tree, unit);
        let own = || lines::indentation(self.tree.text(), self.tree.span(first).start());
        (self.spaced && self.holder != Node::ROOT && !is_label && self.tree.starts_its_line(first)).then(own)
    }

    /// Whether a unit is on the header's line, with the first one.
    pub(super) fn is_on_header_line(&self, index: usize) -> bool {
        let line = |index: usize| self.tree.text().line_at(self.start(index));
        self.one_line && index < self.units.len() && line(index) == line(0)
    }

    /// The bytes of a unit alone.
    pub(super) fn span(&self, index: usize) -> Span {
        extent::trimmed_span(self.tree, self.units[index])
    }

    /// The bytes of a unit with its terminator.
    pub(super) fn ended(&self, index: usize) -> Span {
        extent::span_with_terminator(self.tree, self.units[index])
    }

    /// The end of the remaining part of a unit if nothing follows it on its line: a separator is removed.
    pub(super) fn kept_end(&self, index: usize) -> usize {
        let separates = !self.tree.language().spec().statement_separator.is_empty();
        if separates { self.span(index).end() } else { self.ended(index).end() }
    }

    /// The start of a unit with what belongs to it on its own lines.
    pub(super) fn start(&self, index: usize) -> usize {
        self.tree.span(extent::first_attached(self.tree, self.units[index])).start()
    }

    /// Whether a unit is on the line where the previous one ends.
    pub(super) fn shares_line_with_previous(&self, index: usize) -> bool {
        let text = self.tree.text();
        index > 0
            && index < self.units.len()
            && text.line_at(self.span(index - 1).end()) == text.line_at(self.start(index))
    }

    /// Whether no other unit begins on the line where a unit ends.
    pub(super) fn ends_its_row(&self, index: usize) -> bool {
        !self.shares_line_with_previous(index + 1)
    }

    pub(super) fn is_definition(&self, index: usize) -> bool {
        self.spaced && extent::is_definition(self.tree, self.units[index])
    }

    /// The number of blank lines between two units of which one is a definition, as in the nearest such pair.
    fn habit(&self, slot: usize) -> usize {
        let text = self.tree.text();
        let is_pair = |&index: &usize| {
            (self.is_definition(index - 1) || self.is_definition(index)) && !self.shares_line_with_previous(index)
        };
        let pairs = self.pairs.get_or_init(|| (1..self.units.len()).filter(is_pair).collect());
        let after = pairs.partition_point(|&index| index < slot);
        let near = [after.checked_sub(1), Some(after)].into_iter().flatten().filter_map(|at| pairs.get(at).copied());
        let nearest = near.min_by_key(|&index| (index.abs_diff(slot), index));
        if let Some(index) = nearest {
            let top = lines::line_start(text, self.spans[index].start());
            return lines::gap_above(text, top);
        }
        let usual = &self.tree.language().spec().blank_lines;
        if self.holder == Node::ROOT { usual.top } else { usual.nested }
    }

    pub(super) fn wanted(&self, slot: usize, one: bool, other: bool) -> usize {
        if self.spaced && (one || other) { self.habit(slot) } else { 0 }
    }

    pub(super) fn newline(&self) -> &'static str {
        self.tree.text().newline()
    }

    pub(super) fn fresh_line(&self) -> String {
        format!("{}{}", self.newline(), self.indentation)
    }

    /// Moves a unit to a line of its own if it shares one with what comes before it.
    pub(super) fn split_before(&self, index: usize) -> Option<(Span, Draft)> {
        let start = self.start(index);
        let end = if self.shares_line_with_previous(index) {
            self.kept_end(index - 1)
        } else if index == 0 && self.one_line {
            let line = lines::line_start(self.tree.text(), start);
            line + self.tree.text().slice(Span::new(line, start)).trim_end_matches(lines::is_blank).len()
        } else {
            return None;
        };
        Some((Span::new(end, start), Draft::new(&self.fresh_line())))
    }

    /// Moves a closing bracket after the last unit to a line of its own.
    pub(super) fn split_closing(&self) -> Option<(Span, Draft)> {
        let gap = self.gap_after(*self.units.last()?)?;
        Some((gap, Draft::new(&format!("{}{}", self.newline(), self.outer))))
    }

    /// Splits a container that is on its header's line, as `index` is: insertions and existing units get lines of their
    /// own.
    pub(super) fn unfold(&self, index: usize) -> impl Iterator<Item = (Span, Draft)> + use<> {
        let one_line = self.is_on_header_line(index);
        let splits = if one_line { [self.split_before(0), self.split_closing()] } else { [None, None] };
        splits.into_iter().flatten()
    }

    /// The whitespace between a node and what follows on its line, except its own comment.
    pub(super) fn gap_after(&self, node: Node) -> Option<Span> {
        let text = self.tree.text();
        let end = self.line_end(node);
        let rest = text.slice(Span::new(end, lines::line_end(text, end))).into_owned();
        let blanks = rest.len() - rest.trim_start_matches(lines::is_blank).len();
        (blanks < rest.len()).then(|| Span::new(end, end + blanks))
    }

    /// The end of the line on which a node ends, or the start of what follows there: a closing bracket.
    pub(super) fn line_end(&self, node: Node) -> usize {
        let (table, text) = (self.tree.table(), self.tree.text());
        let end = extent::span_with_terminator(self.tree, node).end();
        let line_end = lines::line_end(text, end);
        let mut at = end;
        let mut place = table.first_from(end);
        while place < table.len() {
            let Some(next) = table.range(place, place + 1).next() else { break };
            let span = extent::trimmed_span(self.tree, next);
            if span.start() >= line_end {
                break;
            }
            place = table.subtree_end(next);
            if span.is_empty() {
                continue;
            }
            if !self.tree.is_comment(next) || span.end() > line_end {
                return at;
            }
            at = span.end();
        }
        line_end
    }

    /// The terminator that a unit needs before another one, and does not have.
    pub(super) fn terminator_after(&self, unit: &str) -> &'static str {
        let language = self.tree.language();
        let terminator = language.spec().terminators.of(self.tree.table().type_id(self.holder));
        terminator.map_or("", |sign| if unit.ends_with(sign.as_str()) || unit.ends_with('}') { "" } else { sign })
    }

    /// The insertions at one place, with blank lines between them.
    pub(super) fn join(&self, insertions: &[Insertion], slot: usize) -> Draft {
        let mut draft = Draft::default();
        let mut previous: Option<&Insertion> = None;
        for insertion in insertions {
            if let Some(previous) = previous {
                let (above, below) = (previous.item.fragment.shape(), insertion.item.fragment.shape());
                let mut blanks = self.wanted(slot, above.ends_with_definition, below.starts_with_definition);
                if previous.item.is_import && !insertion.item.is_import {
                    blanks = blanks.max(1);
                }
                if previous.item.attached {
                    blanks = 0;
                }
                draft.push(&self.newline().repeat(blanks));
                draft.push(&self.fresh_line());
            }
            let mut fitted = insertion.item.fragment.fit(&self.indentation, &self.unit);
            fitted.push(self.terminator_after(fitted.text()));
            draft.append(fitted.marked_for(insertion));
            previous = Some(insertion);
        }
        draft
    }
}

/// The indentation of a container's lines in a language with syntactic indentation, if its first unit begins further
/// right on a line of something else: after a marker alone (YAML's `- key: value`), or with the other units in its
/// column (Haskell's `do`).
fn hanging_indentation(tree: &Tree, holder: Node, units: &[Node]) -> Option<String> {
    let text = tree.text();
    let &first = units.first()?;
    let start = tree.span(first).start();
    let is_syntax = tree.language().spec().indentation_is_syntax && structure::is_block(tree, holder);
    if !is_syntax || holder == Node::ROOT || tree.starts_its_line(first) {
        return None;
    }
    let before = text.slice(Span::new(lines::line_start(text, start), start)).into_owned();
    let column: String = before.chars().map(|letter| if letter == '\t' { '\t' } else { ' ' }).collect();
    let is_aligned = |&unit: &Node| {
        let start = tree.span(unit).start();
        tree.starts_its_line(unit) && lines::indentation(text, start) == column
    };
    let is_marker = !before.contains(char::is_alphanumeric);
    (is_marker || units[1..].iter().any(is_aligned)).then_some(column)
}

/// The column of a unit that is the first after a marker.
pub(super) fn indentation_behind_marker(tree: &Tree, place: ItemPosition) -> Option<String> {
    if place.index > 0 {
        return None;
    }
    hanging_indentation(tree, place.holder, &extent::units(tree, place.holder))
}

/// The indentation of lines in a container.
pub(super) fn indentation_in(tree: &Tree, holder: Node) -> String {
    BlockLayout::new(tree, holder).indentation
}
