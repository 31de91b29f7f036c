//! The prefilter: files that cannot match are not parsed.
//!
//! There are two levels. A file whose bytes lack what a query needs is skipped. In a file that may match, only the
//! top-level statements that may match are parsed, if query and language allow it. Both are sound: the matches are the
//! same with and without the prefilter, which the test suite checks.

use aho_corasick::AhoCorasick;
use memchr::memmem::Finder;
use regex::bytes::Regex;

use tracing::debug;

use super::slices::slices;
use super::soundness::looks_sound;
use crate::language::Language;
use crate::selector::{Condition, Query};
use crate::text::{Span, Text};
use crate::tree::{ParseError, ParseLimits, Tree};

/// The largest share of a file, in percent, that is parsed in pieces; beyond it, parsing the whole file is as cheap.
const LARGEST_PART: usize = 80;

/// The condition of a query, prepared for searching.
#[derive(Debug, Clone)]
pub struct Prefilter {
    condition: Matcher,
    is_local: bool,
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

    fn holds(&self, bytes: &[u8]) -> bool {
        match self {
            Matcher::Anything => true,
            Matcher::Literal(finder) => finder.find(bytes).is_some(),
            Matcher::Word(finder) => {
                finder.find_iter(bytes).any(|start| is_word(bytes, start, start + finder.needle().len()))
            }
            Matcher::Literals(automaton) => automaton.is_match(bytes),
            Matcher::Regex(regex) => regex.is_match(bytes),
            Matcher::All(parts) => parts.iter().all(|part| part.holds(bytes)),
            Matcher::Any(parts) => parts.iter().any(|part| part.holds(bytes)),
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

impl Prefilter {
    /// The condition of a query.
    pub fn new(query: &Query, language: &Language) -> Prefilter {
        let root = language.root_type();
        let is_local = language.spec().slices.is_some() && root.is_some_and(|root| query.is_local(root));
        Prefilter { condition: Matcher::new(&query.necessary()), is_local }
    }

    /// A condition on whole files.
    pub fn of_condition(condition: &Condition) -> Prefilter {
        Prefilter { condition: Matcher::new(condition), is_local: false }
    }

    /// The same condition, for whole files only.
    #[must_use]
    pub fn of_whole_files(&self) -> Prefilter {
        Prefilter { condition: self.condition.clone(), is_local: false }
    }

    /// Whether every text meets the condition.
    pub fn is_idle(&self) -> bool {
        matches!(self.condition, Matcher::Anything)
    }

    /// Whether the query may match in a text.
    pub fn may_match(&self, bytes: &[u8]) -> bool {
        self.condition.holds(bytes)
    }

    /// Parses the parts of a text in which the query may match.
    ///
    /// # Errors
    /// As [`Tree::parse`].
    pub fn parse(&self, text: Text, language: &'static Language, limits: &ParseLimits) -> Result<Tree, ParseError> {
        if let Some(pieces) = self.pieces(&text, language) {
            let parsed: usize = pieces.iter().map(|piece| piece.len()).sum();
            if let Some(tree) = Tree::parse_pieces(text.clone(), language, &pieces, limits)? {
                debug!(bytes = text.len(), parsed, "parsed in pieces");
                return Ok(tree);
            }
            debug!(bytes = text.len(), "parsed whole: a piece has a syntax error");
        }
        Tree::parse(text, language, limits)
    }

    /// The top-level statements in which the query may match; `None` to parse the whole text.
    fn pieces(&self, text: &Text, language: &Language) -> Option<Vec<Span>> {
        let rule = language.spec().slices.as_ref().filter(|_| self.is_local && !self.is_idle());
        let Some(rule) = rule else {
            debug!(
                bytes = text.len(),
                "parsed whole: the language has no pieces, or the selector asks what is around them"
            );
            return None;
        };
        let bytes = text.as_str()?.as_bytes();
        let mut pieces: Vec<Span> = Vec::new();
        for slice in slices(bytes, rule)? {
            if !self.condition.holds(&bytes[slice.start()..slice.end()]) {
                continue;
            }
            match pieces.last_mut().filter(|last| last.end() == slice.start()) {
                Some(last) => *last = last.join(slice),
                None => pieces.push(slice),
            }
        }
        let parsed: usize = pieces.iter().map(|piece| piece.len()).sum();
        if parsed * 100 >= bytes.len() * LARGEST_PART {
            debug!(bytes = bytes.len(), parsed, "parsed whole: most of it may match");
            return None;
        }
        // Next to an error, only a parse of the whole file decides what a statement is.
        if !looks_sound(bytes, rule, language) {
            debug!(bytes = bytes.len(), "parsed whole: it may have a syntax error");
            return None;
        }
        Some(pieces)
    }
}
