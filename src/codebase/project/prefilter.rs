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
use super::lexer::Lexer;
use super::slices::slices;
use super::soundness::looks_sound;
use super::suspects::{Signs, Words, signs};
use crate::language::{ItemSuspects, Items, Language, Spec, TypeSet};
use crate::selector::{Condition, Query};
use crate::text::{Span, Text};
use crate::tree::{ParseError, ParseLimits, Pieces, Tree};

/// The largest share of a file, in percent, that is parsed in pieces; beyond it, parsing the whole file is as cheap.
const LARGEST_PART: usize = 95;

/// The same for a file with signs that the grammar does not understand some of it: its pieces are often parsed in vain.
const LARGEST_DOUBTFUL_PART: usize = 40;

/// The condition of a query, prepared for searching.
#[derive(Debug, Clone)]
pub struct Prefilter {
    condition: Matcher,
    /// The types of the nodes around the parts that can be searched alone; none if only whole files can.
    around: TypeSet,
    /// Whether the members of classes can be searched alone.
    in_members: bool,
    /// Words with one of which a file is parsed whole.
    whole_with: Vec<Finder<'static>>,
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
                // The cheapest searches come first, and of these the one that fails most often.
                parts.sort_by_key(|part| (part.cost(), std::cmp::Reverse(part.length())));
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

    /// The length in bytes of the text that it searches for.
    fn length(&self) -> usize {
        match self {
            Matcher::Literal(finder) | Matcher::Word(finder) => finder.needle().len(),
            _ => 0,
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
    let of_slices = spec.slices.as_ref().map(|slices| &slices.around).filter(|around| !around.is_empty());
    let of_items = || spec.items.as_ref().map(|items| &items.around);
    of_slices.or_else(of_items).or_else(|| spec.blocks.as_ref().map(|blocks| &blocks.around))
}

impl Prefilter {
    /// The condition of a query.
    pub fn new(query: &Query, language: &Language) -> Prefilter {
        Prefilter::of_parts(&query.necessary(), language, &|around| query.is_local(around))
    }

    /// A condition on parts of a file, if `is_local` says that what is looked for is the same in each of its parts alone; it gets the
    /// types of the nodes around parts.
    pub fn of_parts(condition: &Condition, language: &Language, is_local: &dyn Fn(&TypeSet) -> bool) -> Prefilter {
        let (spec, mut around) = (language.spec(), TypeSet::default());
        let mut in_members = false;
        if (spec.slices.is_some() || spec.items.is_some() || spec.blocks.is_some())
            && let Some(root) = language.root_type()
        {
            around.insert(root);
            if !is_local(&around) {
                around = TypeSet::default();
            } else if let Some(of_members) = around_members(spec) {
                let mut members = of_members.clone();
                members.insert(root);
                in_members = is_local(&members);
                around = if in_members { members } else { around };
            }
        }
        Prefilter { around, in_members, ..Prefilter::of_condition(condition) }
    }

    /// The same, but files that contain one of some words are parsed whole.
    #[must_use]
    pub fn whole_with(self, words: &[&str]) -> Prefilter {
        Prefilter { whole_with: words.iter().map(|word| Finder::new(*word).into_owned()).collect(), ..self }
    }

    /// A condition on whole files.
    pub fn of_condition(condition: &Condition) -> Prefilter {
        Prefilter {
            condition: Matcher::new(condition),
            around: TypeSet::default(),
            in_members: false,
            whole_with: Vec::new(),
        }
    }

    /// The same condition, for whole files only.
    #[must_use]
    pub fn of_whole_files(&self) -> Prefilter {
        Prefilter { around: TypeSet::default(), in_members: false, ..self.clone() }
    }

    /// Whether every text meets the condition.
    pub fn is_idle(&self) -> bool {
        matches!(self.condition, Matcher::Anything)
    }

    /// Whether the query may match in a text.
    pub fn may_match(&self, bytes: &[u8]) -> bool {
        self.condition.holds(&[bytes])
    }

    /// Parses the parts of a text in which the query may match, or the whole text if they do not suffice.
    ///
    /// # Errors
    /// As [`Tree::parse`].
    pub fn parse(&self, text: Text, language: &'static Language, limits: &ParseLimits) -> Result<Tree, ParseError> {
        match self.parse_parts(&text, language, limits)? {
            Some(tree) => Ok(tree),
            None => Tree::parse(text, language, limits),
        }
    }

    /// Parses the parts of a text in which the query may match; `None` if the whole text has to be parsed.
    ///
    /// # Errors
    /// As [`Tree::parse`].
    pub fn parse_parts(
        &self,
        text: &Text,
        language: &'static Language,
        limits: &ParseLimits,
    ) -> Result<Option<Tree>, ParseError> {
        let Some(chosen) = self.pieces(text, language) else { return Ok(None) };
        let none = TypeSet::default();
        let suspects = language.spec().items.as_ref().and_then(|items| items.suspects.as_ref());
        let pieces = Pieces {
            spans: &chosen.spans,
            items: &chosen.items,
            around: &self.around,
            bodies: suspects.map_or(&none, |suspects| &suspects.bodies),
            functions: suspects.map_or(&none, |suspects| &suspects.functions),
        };
        let tree = Tree::parse_pieces(text.clone(), language, &pieces, limits)?;
        match tree {
            Some(_) => debug!(bytes = text.len(), parsed = chosen.total, "parsed in pieces"),
            None => debug!(bytes = text.len(), "parsed whole: a piece has a syntax error, or is a part of something"),
        }
        Ok(tree)
    }

    /// The parts in which the query may match; `None` to parse the whole text.
    fn pieces(&self, text: &Text, language: &Language) -> Option<Chosen> {
        let spec = language.spec();
        if self.around.is_empty() || self.is_idle() {
            debug!(
                bytes = text.len(),
                "parsed whole: the language has no pieces, or the selector asks what is around them"
            );
            return None;
        }
        let bytes = text.as_str()?.as_bytes();
        if self.whole_with.iter().any(|word| word.find(bytes).is_some()) {
            debug!(bytes = text.len(), "parsed whole: it has a word that is about all of it");
            return None;
        }
        let slices = if let Some(found) = &spec.slices {
            slices(bytes, found)?
        } else {
            let by_brackets = spec.items.as_ref().and_then(|items| split_items(bytes, items));
            let by_words = || spec.blocks.as_ref().and_then(|found| blocks(bytes, found));
            let Some(slices) = by_brackets.or_else(by_words) else {
                debug!(bytes = text.len(), "parsed whole: its bytes do not show where its items end");
                return None;
            };
            slices
        };
        let suspects = spec.items.as_ref().and_then(|items| Suspects::new(bytes, items, language));
        let mut choice = Choice {
            prefilter: self,
            bytes,
            suspects,
            is_divided: false,
            is_doubtful: false,
            heads: Vec::new(),
            chosen: Chosen::default(),
        };
        choice.take(&slices, true);
        if choice.is_divided {
            debug!(bytes = bytes.len(), "parsed whole: a conditional divides a statement");
            return None;
        }
        let is_large = choice.is_large();
        let chosen = choice.chosen;
        let parsed = chosen.total;
        if is_large {
            debug!(bytes = bytes.len(), parsed, "parsed whole: most of it may match, or much of it and it is doubtful");
            return None;
        }
        // Next to an error, only a parse of the whole file decides what a statement is.
        if spec.slices.as_ref().is_some_and(|found| !looks_sound(bytes, found, language)) {
            debug!(bytes = bytes.len(), "parsed whole: it may have a syntax error");
            return None;
        }
        Some(chosen)
    }
}

/// The parts of a text to parse.
#[derive(Debug, Default)]
struct Chosen {
    /// In order; adjacent ones are one.
    spans: Vec<Span>,
    /// The items and other slices that they are made of.
    items: Vec<Span>,
    /// Their bytes.
    total: usize,
}

/// Finds items that the grammar may not understand.
struct Suspects<'a> {
    lexer: Lexer<'a>,
    rule: &'a ItemSuspects,
    words: Words<'a>,
}

impl<'a> Suspects<'a> {
    fn new(bytes: &'a [u8], rule: &'a Items, language: &'a Language) -> Option<Suspects<'a>> {
        let lexer = Lexer::new(bytes, rule);
        let rule = rule.suspects.as_ref()?;
        Some(Suspects { lexer, rule, words: Words::new(rule, &language.spec().keywords) })
    }
}

/// Chooses the parts of a text in which a query may match, or which the grammar may not understand.
struct Choice<'a> {
    prefilter: &'a Prefilter,
    bytes: &'a [u8],
    suspects: Option<Suspects<'a>>,
    /// Whether a conditional divides a statement.
    is_divided: bool,
    /// Whether the grammar may not understand some part.
    is_doubtful: bool,
    /// The heads of the open containers.
    heads: Vec<&'a [u8]>,
    chosen: Chosen,
}

impl<'a> Choice<'a> {
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

    /// Whether so much is chosen that the whole text is parsed.
    fn is_large(&self) -> bool {
        let largest = if self.is_doubtful { LARGEST_DOUBTFUL_PART } else { LARGEST_PART };
        self.chosen.total * 100 >= self.bytes.len() * largest
    }

    /// Whether the grammar may not understand some parts, read together.
    fn is_suspect(&mut self, parts: &[Span]) -> bool {
        let Some(suspects) = &self.suspects else { return false };
        let found = signs(&suspects.lexer, suspects.rule, &suspects.words, parts);
        self.is_divided |= found == Signs::Divided;
        self.is_doubtful |= found != Signs::Nothing;
        found != Signs::Nothing
    }

    /// Whether the grammar may not understand a slice or one in it.
    fn has_suspect(&mut self, slice: &Slice) -> bool {
        match slice {
            _ if self.suspects.is_none() => false,
            Slice::Items(span) | Slice::Fixed(span) => self.is_suspect(&[*span]),
            Slice::Container { head, members, tail } => {
                // All of them are read, to find divided statements.
                let found = members.iter().filter(|member| self.has_suspect(member)).count();
                self.is_suspect(&[*head, *tail]) || found > 0
            }
        }
    }

    fn add(&mut self, span: Span) {
        let chosen = &mut self.chosen;
        let last = chosen.spans.last().map(|last| last.end());
        // Blank lines would become part of the directive before them.
        let may_trim =
            self.suspects.is_some() && last.is_none_or(|end| end < span.start() && self.bytes[end - 1] == b'\n');
        let span = if may_trim { without_blank_lines(self.bytes, span) } else { span };
        chosen.items.push(span);
        chosen.total += span.len();
        match chosen.spans.last_mut().filter(|last| last.end() == span.start()) {
            Some(last) => *last = last.join(span),
            None => chosen.spans.push(span),
        }
    }

    /// Takes the slices in which the query may match, and the fixed ones if there are any or if they are `needed`.
    fn take(&mut self, slices: &[Slice], needed: bool) {
        for slice in slices {
            // What is chosen outside of containers stays chosen.
            if self.is_divided || self.heads.is_empty() && self.is_large() {
                return;
            }
            match slice {
                Slice::Items(span) => {
                    if self.is_suspect(&[*span]) || self.holds(*span) {
                        self.add(*span);
                    }
                }
                Slice::Fixed(span) if needed => self.add(*span),
                Slice::Fixed(_) => {}
                Slice::Container { head, members, tail } if self.prefilter.in_members => {
                    // What an error in one branch of a conditional does depends on the others.
                    let has_branches = members.iter().any(|member| matches!(member, Slice::Fixed(_)));
                    if self.is_suspect(&[*head, *tail]) || has_branches && self.has_suspect(slice) {
                        self.add(slice.span());
                    } else {
                        self.take_container(*head, members, *tail);
                    }
                }
                Slice::Container { .. } => {
                    if self.has_suspect(slice) || self.holds(slice.span()) {
                        self.add(slice.span());
                    }
                }
            }
        }
    }

    /// Takes a container if a member is taken, or if it may match itself.
    fn take_container(&mut self, head: Span, members: &[Slice], tail: Span) {
        let before =
            (self.chosen.spans.len(), self.chosen.spans.last().copied(), self.chosen.items.len(), self.chosen.total);
        self.add(head);
        let without_members = self.chosen.items.len() + fixed_count(members);
        self.heads.push(self.bytes_of(head));
        self.take(members, true);
        // `#elif F(x)`
        let fixed_holds = members.iter().any(|slice| matches!(slice, Slice::Fixed(span) if self.holds(*span)));
        let holds = self.chosen.items.len() > without_members || fixed_holds || self.holds(tail);
        self.heads.pop();
        if holds {
            self.add(tail);
            return;
        }
        self.chosen.spans.truncate(before.0);
        if let (Some(last), Some(span)) = (self.chosen.spans.last_mut(), before.1) {
            *last = span;
        }
        self.chosen.items.truncate(before.2);
        self.chosen.total = before.3;
    }
}

fn fixed_count(slices: &[Slice]) -> usize {
    slices.iter().filter(|slice| matches!(slice, Slice::Fixed(_))).count()
}

/// A span without the blank lines at its start.
fn without_blank_lines(bytes: &[u8], span: Span) -> Span {
    let text = &bytes[span.start()..span.end()];
    let filled = text.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(0);
    let start = memchr::memrchr(b'\n', &text[..filled]).map_or(0, |end| end + 1);
    Span::new(span.start() + start, span.end())
}
