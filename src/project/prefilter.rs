//! The prefilter: files that cannot match are not parsed.
//!
//! There are two levels. A file whose bytes lack what a query needs is skipped. In a file that may match, only the
//! top-level statements that may match are parsed, if query and language allow it. Both are sound: the matches are the
//! same with and without the prefilter, which the test suite checks.

use aho_corasick::AhoCorasick;
use memchr::memmem::Finder;
use regex::bytes::Regex;

use tracing::debug;

use super::blocks::blocks;
use super::items::{Slice, items as split_items};
use super::slices::slices;
use super::soundness::looks_sound;
use crate::language::{Language, Spec, TypeSet};
use crate::selector::{Condition, Query};
use crate::text::{Span, Text};
use crate::tree::{ParseError, ParseLimits, Tree};

/// The largest share of a file, in percent, that is parsed in pieces; beyond it, parsing the whole file is as cheap.
const LARGEST_PART: usize = 80;

/// The condition of a query, prepared for searching.
#[derive(Debug, Clone)]
pub struct Prefilter {
    condition: Matcher,
    /// The types of the nodes around the parts that can be searched alone; none if only whole files can.
    around: TypeSet,
    /// Whether the members of classes can be searched alone.
    in_members: bool,
}

/// A prepared condition.
#[derive(Debug, Clone)]
enum Matcher {
    Anything,
    Literal(Finder<'static>),
    Word(Finder<'static>),
    Literals(AhoCorasick),
    Regex(Regex),
    All(Vec<Matcher>),
    Any(Vec<Matcher>),
}

impl Matcher {
    fn new(condition: &Condition) -> Matcher {
        match condition {
            Condition::Anything => Matcher::Anything,
            Condition::Literal(text) => Matcher::Literal(Finder::new(text).into_owned()),
            Condition::Word(text) => Matcher::Word(Finder::new(text).into_owned()),
            Condition::Regex(source) => Regex::new(source).map_or(Matcher::Anything, Matcher::Regex),
            Condition::All(parts) => {
                let mut parts: Vec<Matcher> = parts.iter().map(Matcher::new).collect();
                // The cheapest searches come first.
                parts.sort_by_key(Matcher::cost);
                Matcher::All(parts)
            }
            Condition::Any(parts) => {
                let literals: Option<Vec<&str>> = parts.iter().map(Condition::as_literal).collect();
                match literals.filter(|literals| literals.len() > 1).map(AhoCorasick::new) {
                    Some(Ok(automaton)) => Matcher::Literals(automaton),
                    _ => Matcher::Any(parts.iter().map(Matcher::new).collect()),
                }
            }
        }
    }

    fn cost(&self) -> usize {
        match self {
            Matcher::Anything => 0,
            Matcher::Literal(_) | Matcher::Word(_) => 1,
            Matcher::Literals(_) => 2,
            Matcher::Regex(_) => 3,
            Matcher::All(_) | Matcher::Any(_) => 4,
        }
    }

    /// Whether the condition holds for some parts of a text together.
    fn holds(&self, parts: &[&[u8]]) -> bool {
        let any = |holds: &dyn Fn(&[u8]) -> bool| parts.iter().any(|bytes| holds(bytes));
        match self {
            Matcher::Anything => true,
            Matcher::Literal(finder) => any(&|bytes| finder.find(bytes).is_some()),
            Matcher::Word(finder) => {
                any(&|bytes| finder.find_iter(bytes).any(|start| is_word(bytes, start, start + finder.needle().len())))
            }
            Matcher::Literals(automaton) => any(&|bytes| automaton.is_match(bytes)),
            Matcher::Regex(regex) => any(&|bytes| regex.is_match(bytes)),
            Matcher::All(conditions) => conditions.iter().all(|condition| condition.holds(parts)),
            Matcher::Any(conditions) => conditions.iter().any(|condition| condition.holds(parts)),
        }
    }
}

/// Whether the range from `start` to `end` is not part of a longer word. A word may begin right after a number.
fn is_word(bytes: &[u8], start: usize, end: usize) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    if bytes.get(end).is_some_and(is_part) {
        return false;
    }
    match bytes[..start].iter().rev().take_while(|byte| is_part(byte)).last() {
        Some(first) => first.is_ascii_digit(),
        None => true,
    }
}

/// The types of the nodes that contain members, if members can be searched alone.
fn around_members(spec: &Spec) -> Option<&TypeSet> {
    let of_items = spec.items.as_ref().map(|items| &items.around);
    of_items.or_else(|| spec.blocks.as_ref().map(|blocks| &blocks.around))
}

impl Prefilter {
    /// The condition of a query.
    pub fn new(query: &Query, language: &Language) -> Prefilter {
        let (spec, mut around) = (language.spec(), TypeSet::default());
        let mut in_members = false;
        if (spec.slices.is_some() || spec.items.is_some() || spec.blocks.is_some())
            && let Some(root) = language.root_type()
        {
            around.insert(root);
            if !query.is_local(&around) {
                around = TypeSet::default();
            } else if let Some(of_members) = around_members(spec) {
                let mut members = of_members.clone();
                members.insert(root);
                in_members = query.is_local(&members);
                around = if in_members { members } else { around };
            }
        }
        Prefilter { condition: Matcher::new(&query.necessary()), around, in_members }
    }

    /// A condition on whole files.
    pub fn of_condition(condition: &Condition) -> Prefilter {
        Prefilter { condition: Matcher::new(condition), around: TypeSet::default(), in_members: false }
    }

    /// The same condition, for whole files only.
    #[must_use]
    pub fn of_whole_files(&self) -> Prefilter {
        Prefilter { condition: self.condition.clone(), around: TypeSet::default(), in_members: false }
    }

    /// Whether every text meets the condition.
    pub fn is_idle(&self) -> bool {
        matches!(self.condition, Matcher::Anything)
    }

    /// Whether the query may match in a text.
    pub fn may_match(&self, bytes: &[u8]) -> bool {
        self.condition.holds(&[bytes])
    }

    /// Parses the parts of a text in which the query may match.
    ///
    /// # Errors
    /// As [`Tree::parse`].
    pub fn parse(&self, text: Text, language: &'static Language, limits: &ParseLimits) -> Result<Tree, ParseError> {
        if let Some(pieces) = self.pieces(&text, language) {
            let parsed: usize = pieces.iter().map(|piece| piece.len()).sum();
            if let Some(tree) = Tree::parse_pieces(text.clone(), language, &pieces, &self.around, limits)? {
                debug!(bytes = text.len(), parsed, "parsed in pieces");
                return Ok(tree);
            }
            debug!(bytes = text.len(), "parsed whole: a piece has a syntax error, or is a part of something");
        }
        Tree::parse(text, language, limits)
    }

    /// The parts in which the query may match; `None` to parse the whole text.
    fn pieces(&self, text: &Text, language: &Language) -> Option<Vec<Span>> {
        let spec = language.spec();
        if self.around.is_empty() || self.is_idle() {
            debug!(
                bytes = text.len(),
                "parsed whole: the language has no pieces, or the selector asks what is around them"
            );
            return None;
        }
        let bytes = text.as_str()?.as_bytes();
        let slices = if let Some(rule) = &spec.slices {
            slices(bytes, rule)?.into_iter().map(Slice::Items).collect()
        } else {
            let by_brackets = spec.items.as_ref().and_then(|items| split_items(bytes, &items.rule));
            let by_words = || spec.blocks.as_ref().and_then(|found| blocks(bytes, &found.rule));
            let Some(slices) = by_brackets.or_else(by_words) else {
                debug!(bytes = text.len(), "parsed whole: its bytes do not show where its items end");
                return None;
            };
            slices
        };
        let mut pieces = Pieces { prefilter: self, bytes, heads: Vec::new(), spans: Vec::new(), total: 0 };
        pieces.take(&slices, true);
        let (pieces, parsed) = (pieces.spans, pieces.total);
        if parsed * 100 >= bytes.len() * LARGEST_PART {
            debug!(bytes = bytes.len(), parsed, "parsed whole: most of it may match");
            return None;
        }
        // Next to an error, only a parse of the whole file decides what a statement is.
        if spec.slices.as_ref().is_some_and(|rule| !looks_sound(bytes, rule, language)) {
            debug!(bytes = bytes.len(), "parsed whole: it may have a syntax error");
            return None;
        }
        Some(pieces)
    }
}

/// Collects the parts of a text in which a query may match.
struct Pieces<'a> {
    prefilter: &'a Prefilter,
    bytes: &'a [u8],
    /// The heads of the open containers.
    heads: Vec<&'a [u8]>,
    /// The parts so far, in order; adjacent ones are one.
    spans: Vec<Span>,
    /// Their bytes.
    total: usize,
}

impl<'a> Pieces<'a> {
    fn bytes_of(&self, span: Span) -> &'a [u8] {
        &self.bytes[span.start()..span.end()]
    }

    /// Whether the condition holds for a part and the heads around it.
    fn holds(&mut self, span: Span) -> bool {
        self.heads.push(self.bytes_of(span));
        let holds = self.prefilter.condition.holds(&self.heads);
        self.heads.pop();
        holds
    }

    fn add(&mut self, span: Span) {
        self.total += span.len();
        match self.spans.last_mut().filter(|last| last.end() == span.start()) {
            Some(last) => *last = last.join(span),
            None => self.spans.push(span),
        }
    }

    /// Takes the slices in which the query may match, and the fixed ones if there are any or if they are `needed`.
    fn take(&mut self, slices: &[Slice], needed: bool) {
        for slice in slices {
            match slice {
                Slice::Items(span) => {
                    if self.holds(*span) {
                        self.add(*span);
                    }
                }
                Slice::Fixed(span) if needed => self.add(*span),
                Slice::Fixed(_) => {}
                Slice::Container { head, members, tail } if self.prefilter.in_members => {
                    let before = (self.spans.len(), self.spans.last().copied(), self.total);
                    self.add(*head);
                    let without_members = self.total + fixed_bytes(members);
                    self.heads.push(self.bytes_of(*head));
                    self.take(members, true);
                    // Something in it was taken, or it may match itself.
                    let holds = self.total > without_members || self.holds(*tail);
                    self.heads.pop();
                    if holds {
                        self.add(*tail);
                    } else {
                        self.spans.truncate(before.0);
                        if let (Some(last), Some(span)) = (self.spans.last_mut(), before.1) {
                            *last = span;
                        }
                        self.total = before.2;
                    }
                }
                Slice::Container { .. } => {
                    if self.holds(slice.span()) {
                        self.add(slice.span());
                    }
                }
            }
        }
    }
}

fn fixed_bytes(slices: &[Slice]) -> usize {
    slices.iter().map(|slice| if let Slice::Fixed(span) = slice { span.len() } else { 0 }).sum()
}
