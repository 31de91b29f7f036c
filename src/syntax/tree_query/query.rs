//! A query, compiled for a language, and its matches in a tree.

use std::cell::Cell;
use std::ops::ControlFlow;

use tree_sitter::{QueryCursor, QueryCursorOptions, StreamingIterator};

use super::error::{invalid, too_long, unknown_predicate};
use super::necessary::necessary;
use crate::interrupt::{self, Deadline};
use crate::language::{Language, TypeId};
use crate::selector::{Condition, SelectorError};
use crate::text::{Span, Text};
use crate::tree::{Node, OwnParse, ParseLimits, Tree};

/// A query of tree-sitter, compiled for a language.
#[derive(Debug)]
pub struct TreeSitterQuery {
    language: &'static Language,
    source: String,
    query: tree_sitter::Query,
}

/// A match of one of the patterns of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternMatch {
    /// The number of the pattern, from 0.
    pub pattern: usize,
    /// Its captures in document order; one name may occur several times.
    pub captures: Vec<PatternCapture>,
}

/// A node that a query captures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PatternCapture {
    /// The number of its name, for [`TreeSitterQuery::capture_name`].
    pub name: usize,
    /// The node.
    pub node: Node,
}

/// How many matches may be begun at once. tree-sitter drops the oldest beyond that without a word.
const BEGUN_MATCHES: u32 = 1 << 16;

impl TreeSitterQuery {
    /// Compiles a query.
    ///
    /// # Errors
    /// If its syntax is wrong, if the language lacks a node type or a field, or at a predicate that tree-sitter does not have.
    pub fn new(source: &str, language: &'static Language) -> Result<TreeSitterQuery, SelectorError> {
        let compiled = tree_sitter::Query::new(language.grammar(), source);
        let query = compiled.map_err(|error| invalid(source, language, &error))?;
        for pattern in 0..query.pattern_count() {
            // What ends with `!` decides about no match; whoever runs highlighting reads it.
            let unknown = query.general_predicates(pattern).iter().find(|general| general.operator.ends_with('?'));
            if let Some(unknown) = unknown {
                let from = query.start_byte_for_pattern(pattern);
                return Err(unknown_predicate(source, from, &unknown.operator));
            }
        }
        Ok(TreeSitterQuery { language, source: source.to_owned(), query })
    }

    /// The language.
    pub fn language(&self) -> &'static Language {
        self.language
    }

    /// The query, as it is written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The names of its captures, without `@`.
    pub fn captures(&self) -> impl Iterator<Item = &str> {
        self.query.capture_names().iter().copied()
    }

    /// The name of a capture, without `@`.
    pub fn capture_name(&self, name: usize) -> &str {
        self.query.capture_names().get(name).copied().unwrap_or_default()
    }

    /// The condition on a text for the query to match in it.
    pub fn necessary(&self) -> Condition {
        necessary(&self.source, &self.query)
    }

    /// Its matches in a tree, in the order in which they begin.
    ///
    /// # Errors
    /// If it takes longer than `limits` allow, or has too many matches at once.
    pub fn find(&self, tree: &Tree, limits: &ParseLimits) -> Result<Vec<PatternMatch>, SelectorError> {
        let read = Read::of(tree, limits).ok_or_else(|| too_long(&self.source))?;
        let deadline = Deadline::after(limits.time);
        let is_late = Cell::new(false);
        let mut past_deadline = |_: &tree_sitter::QueryCursorState| {
            is_late.set(deadline.is_past() || interrupt::reason().is_some());
            if is_late.get() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut cursor = QueryCursor::new();
        cursor.set_match_limit(BEGUN_MATCHES);
        let options = QueryCursorOptions::new().progress_callback(&mut past_deadline);
        let text = |node: tree_sitter::Node<'_>| std::iter::once(read.slice(node.byte_range()));
        let root = read.parsed.parsed.tree().root_node();
        let mut found = Vec::new();
        let mut matches = cursor.matches_with_options(&self.query, root, text, options);
        while let Some(one) = matches.next() {
            let capture = |capture: &tree_sitter::QueryCapture<'_>| PatternCapture {
                name: capture.index as usize,
                node: read.node(tree, &capture.node),
            };
            let mut captures: Vec<PatternCapture> = one.captures().iter().map(capture).collect();
            captures.sort_by_key(|capture| capture.node);
            found.push(PatternMatch { pattern: one.pattern_index, captures });
        }
        drop(matches);
        interrupt::poll();
        if is_late.get() || cursor.did_exceed_match_limit() {
            return Err(too_long(&self.source));
        }
        found.sort_by_key(|one| one.captures.first().map(|capture| capture.node));
        Ok(found)
    }
}

/// A text as tree-sitter reads it.
struct Read<'t> {
    parsed: OwnParse<'t>,
    text: &'t Text,
    /// Where the parsed text lies in the tree's; empty if they are the same.
    spans: &'t [Span],
}

impl<'t> Read<'t> {
    fn of(tree: &'t Tree, limits: &ParseLimits) -> Option<Read<'t>> {
        let parsed = tree.own_parse(limits).ok()?;
        let spans = tree.part().map_or(&[][..], |part| &part.spans);
        Some(Read { parsed, text: tree.text(), spans })
    }

    fn slice(&self, range: std::ops::Range<usize>) -> String {
        let text = self.parsed.other.as_ref().unwrap_or(self.text);
        let within = |offset: usize| offset.min(text.len());
        text.slice(Span::new(within(range.start), within(range.end))).into_owned()
    }

    /// An offset in the text of the tree.
    fn offset(&self, offset: usize) -> usize {
        let mut left = offset;
        for span in self.spans {
            if left <= span.len() {
                return span.start() + left;
            }
            left -= span.len();
        }
        if self.spans.is_empty() { offset.min(self.text.len()) } else { self.text.len() }
    }

    /// The node of the tree that one of tree-sitter's is. The table may end it elsewhere; where it has taken its place apart, the node
    /// around it.
    fn node(&self, tree: &Tree, node: &tree_sitter::Node<'_>) -> Node {
        let wanted: TypeId = node.kind_id();
        // In a text of several parts, a node may begin behind the end of one.
        let (start, end) = (self.offset(node.start_byte()), self.offset(node.end_byte()));
        let table = tree.table();
        let count = table.len();
        let begins = partition(count, |at| table.span(Node::at(at)).start() < start);
        let mut nearest = None;
        for at in (begins..count).take_while(|&at| table.span(Node::at(at)).start() == start) {
            if table.type_id(Node::at(at)) != wanted {
                continue;
            }
            if table.span(Node::at(at)).end() == end {
                return Node::at(at);
            }
            nearest.get_or_insert(Node::at(at));
        }
        let around = || {
            let last = Node::at(begins.saturating_sub(1));
            let covers = |outer: &Node| table.span(*outer).end() >= end;
            std::iter::once(last).chain(table.ancestors(last)).find(covers)
        };
        nearest.or_else(around).unwrap_or_else(|| tree.root())
    }
}

/// The first number below `count` for which something does not hold, which holds for all before.
fn partition(count: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) { low = middle + 1 } else { high = middle }
    }
    low
}
