//! What the bytes of a file must contain for a query to match.
//!
//! A [`Condition`] is necessary, not sufficient: if it is false, the query finds nothing. It is derived from the parts
//! of a selector that require a text: a name, a string, the keyword of a definition. All of these compare pieces of the
//! source verbatim, so escapes and normal forms make no difference. Text that is composed of several pieces, such as
//! documentation without comment signs, requires nothing here.

use crate::limits;
use std::cell::RefCell;

use regex_syntax::hir::{Hir, HirKind};
use rustc_hash::FxHashMap;

use super::attribute::Attribute;
use super::ir::{AttributeTest, Chain, Comparison, List, Step, Subject, Test, Types};
use super::pattern::{Fixed, Pattern};
use super::query::Query;
use super::syntax::Operator;
use crate::language::TypeSet;
use crate::language::{ByType, Language, Path, TypeId};

/// The shortest text worth searching for.
const SHORTEST: usize = 2;

/// A condition on bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// True for all bytes.
    Anything,
    /// Contains these bytes.
    Literal(String),
    /// Contains this word, not as a part of a longer one; it may directly follow a number.
    Word(String),
    /// A regex matches.
    Regex(String),
    /// All are true.
    All(Vec<Condition>),
    /// One is true.
    Any(Vec<Condition>),
}

impl Condition {
    /// The condition that all of some conditions hold.
    pub fn all(parts: impl IntoIterator<Item = Condition>) -> Condition {
        let mut kept: Vec<Condition> = Vec::new();
        for part in parts {
            match part {
                Condition::Anything => {}
                Condition::All(parts) => kept.extend(parts),
                part if kept.contains(&part) => {}
                part => kept.push(part),
            }
        }
        match kept.len() {
            0 => Condition::Anything,
            1 => kept.remove(0),
            _ => Condition::All(kept),
        }
    }

    /// The condition that one of some conditions holds.
    pub fn any(parts: impl IntoIterator<Item = Condition>) -> Condition {
        let mut kept: Vec<Condition> = Vec::new();
        for part in parts {
            match part {
                Condition::Anything => return Condition::Anything,
                Condition::Any(parts) => kept.extend(parts),
                part if kept.contains(&part) => {}
                part => kept.push(part),
            }
        }
        if kept.len() == 1 { kept.remove(0) } else { Condition::Any(kept) }
    }

    /// The number of texts in the condition.
    pub fn parts(&self) -> usize {
        match self {
            Condition::Anything => 0,
            Condition::Literal(_) | Condition::Word(_) | Condition::Regex(_) => 1,
            Condition::All(parts) | Condition::Any(parts) => parts.iter().map(Condition::parts).sum(),
        }
    }

    /// The bytes, if the condition is a literal.
    pub fn as_literal(&self) -> Option<&str> {
        match self {
            Condition::Literal(text) => Some(text),
            _ => None,
        }
    }

    /// The condition that these bytes are there; a text that is too short to look for is no condition.
    pub fn literal(text: &str) -> Condition {
        if text.len() < SHORTEST { Condition::Anything } else { Condition::Literal(text.to_owned()) }
    }

    /// The condition that a regex may match.
    pub fn of_regex(regex: &str) -> Condition {
        regex_syntax::parse(regex).map_or(Condition::Anything, |hir| required(&hir))
    }
}

impl Query {
    /// The condition on a file's text for this query to match. If no branch can match, it is false for every text.
    pub fn necessary(&self) -> Condition {
        Necessary { language: self.language, lists: RefCell::default() }.list(&self.list)
    }
}

struct Necessary {
    language: &'static Language,
    /// The conditions of lists, by their ids.
    lists: RefCell<FxHashMap<usize, Condition>>,
}

impl Necessary {
    fn list(&self, list: &List) -> Condition {
        if let Some(known) = self.lists.borrow().get(&list.id) {
            return known.clone();
        }
        let condition = Condition::any(list.chains.iter().map(|chain| self.chain(chain)));
        // Omitting a condition is always correct, since it is necessary, not sufficient.
        let condition = if condition.parts() > limits::CONDITION_TEXTS { Condition::Anything } else { condition };
        self.lists.borrow_mut().insert(list.id, condition.clone());
        condition
    }

    /// Each step has a node somewhere in the file. For a chain with very many steps, some are enough.
    fn chain(&self, chain: &Chain) -> Condition {
        Condition::all(chain.steps.iter().take(limits::CONDITION_TEXTS).map(|step| self.step(step)))
    }

    fn step(&self, step: &Step) -> Condition {
        let tests = step.tests.iter().map(|test| self.test(test, &step.types));
        Condition::all([self.types(&step.types)].into_iter().chain(tests))
    }

    fn types(&self, types: &Types) -> Condition {
        let Types::Some { mask, lists } = types else { return Condition::Anything };
        let of_types = mask.types().map(|id| self.introducer(id));
        Condition::any(of_types.chain(lists.iter().map(|list| self.list(list))))
    }

    /// The keyword that every node of a type contains.
    fn introducer(&self, id: TypeId) -> Condition {
        match self.language.spec().introducers.of(id) {
            Some(word) => Condition::Literal(word.clone()),
            None => Condition::Anything,
        }
    }

    fn test(&self, test: &Test, types: &Types) -> Condition {
        match test {
            Test::Attribute(test) => self.attribute(test, types),
            Test::Type { types, negated: false } => self.types(types),
            Test::Like(like) => self.pattern(&like.pattern),
            Test::Is(list)
            | Test::Has { list }
            | Test::In(list)
            | Test::InOwn(list)
            | Test::Precedes(list)
            | Test::Follows(list) => self.list(list),
            _ => Condition::Anything,
        }
    }

    /// The names, strings and nodes of a pattern in one of its readings.
    fn pattern(&self, pattern: &Pattern) -> Condition {
        let part = |part: Fixed<'_>| match part {
            Fixed::Text(text) if self.is_word(text) => Condition::Word(text.to_owned()),
            Fixed::Text(text) => Condition::literal(text),
            Fixed::String(content) => Condition::literal(content),
            Fixed::Type(id) => self.introducer(id),
        };
        Condition::any(pattern.parts().map(|parts| Condition::all(parts.into_iter().map(part))))
    }

    fn attribute(&self, test: &AttributeTest, types: &Types) -> Condition {
        let Subject::Attribute(attribute) = test.subject else { return Condition::Anything };
        let of_node = test.head.is_none() && test.fields.is_empty();
        let in_source = match attribute {
            Attribute::Text
            | Attribute::Callee
            | Attribute::Bases
            | Attribute::Decorators
            | Attribute::Modifiers
            | Attribute::Returns
            | Attribute::FieldText(_) => true,
            Attribute::Name | Attribute::Qualname => {
                !says_words(&self.language.spec().names) && !says_words(&self.language.spec().other_names)
            }
            Attribute::Module => !says_words(&self.language.spec().modules) && !says_words(&self.language.spec().names),
            _ => false,
        };
        match &test.comparison {
            Comparison::Text { operator, text, ignore_case: false } => {
                let asked =
                    matches!(operator, Operator::Equal | Operator::Prefix | Operator::Suffix | Operator::Contains);
                if !asked {
                    return Condition::Anything;
                }
                let of_name = attribute == Attribute::Name && of_node;
                if of_name
                    && matches!(operator, Operator::Equal | Operator::Prefix)
                    && !text.is_empty()
                    && let Some(introduced) = self.introduced(types, text, *operator == Operator::Equal)
                {
                    return introduced;
                }
                match attribute {
                    _ if !in_source => self.word_or_source(attribute, text),
                    Attribute::Name if *operator == Operator::Equal && self.is_word(text) => {
                        Condition::Word(text.clone())
                    }
                    Attribute::Name => self.parts(text),
                    // The parts between the dots are names of scopes; one may be composed of several.
                    Attribute::Qualname => Condition::all(text.split(['.', ',', ' ']).map(|name| self.parts(name))),
                    _ => Condition::literal(text),
                }
            }
            Comparison::Regex { regex, folded: false, negated: false } if in_source && self.is_whole(attribute) => {
                Condition::of_regex(regex.as_str())
            }
            _ => Condition::Anything,
        }
    }

    /// A name or module that may come from the data. Unless one of the data's words fits, it is in the source.
    fn word_or_source(&self, attribute: Attribute, text: &str) -> Condition {
        let rules = self.language.spec();
        let said = match attribute {
            Attribute::Name => [&rules.names, &rules.other_names],
            Attribute::Module => [&rules.modules, &rules.names],
            _ => return Condition::Anything,
        };
        let fits = said.into_iter().any(|rules| words_said(rules).any(|word| word.contains(text)));
        if fits {
            return Condition::Anything;
        }
        let prefixes: Vec<&str> = said.into_iter().flat_map(prefixes).collect();
        if prefixes.is_empty() {
            return self.parts(text);
        }
        // Of a name such as `operator bool`, only the last part is in the source verbatim.
        let is_said = |word: &str| prefixes.iter().any(|prefix| prefix.contains(word));
        let signs =
            |c: char| !c.is_whitespace() && prefixes.iter().any(|prefix| prefix.contains(c) && !c.is_alphanumeric());
        let words = text.split_whitespace().map(|word| word.trim_start_matches(signs)).filter(|word| !is_said(word));
        Condition::all(words.map(|word| self.parts(word)))
    }

    /// Whether a name is a word of its own in the source.
    fn is_word(&self, name: &str) -> bool {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        self.language.spec().names_are_words && name.len() >= SHORTEST && name.bytes().all(is_plain)
    }

    /// Whether the text of an attribute is one piece of the source.
    fn is_whole(&self, attribute: Attribute) -> bool {
        match attribute {
            Attribute::Qualname => false,
            Attribute::Name | Attribute::Module => self.language.spec().joined_names.is_empty(),
            _ => true,
        }
    }

    /// A name, or the parts of which it is composed.
    fn parts(&self, name: &str) -> Condition {
        match self.language.spec().joined_names.is_empty() {
            true => Condition::literal(name),
            false => Condition::all(name.split(':').map(Condition::literal)),
        }
    }

    /// The keyword of a definition followed by its name. `None` if an accepted type has no such keyword, or has its
    /// name elsewhere.
    fn introduced(&self, types: &Types, name: &str, whole: bool) -> Option<Condition> {
        let gap = &self.language.spec().introducer_gap;
        let mask = types.mask().filter(|mask| !mask.is_empty() && !gap.is_empty())?;
        let rules = self.language.spec();
        let mut words = Vec::new();
        for id in TypeSet::types(&mask) {
            let word = rules.introducers.of(id).filter(|_| rules.introduced_names.contains(id))?;
            if !words.contains(word) {
                words.push(word.clone());
            }
        }
        let words: Vec<String> = words.iter().map(|word| regex::escape(word)).collect();
        let name_start = regex::escape(name);
        // Not the boundary of Unicode: for that, texts with other letters are read by slower means.
        let is_word = name.bytes().next_back().is_some_and(|last| last.is_ascii_alphanumeric() || last == b'_');
        let end = if whole && is_word { r"(?-u:\b)" } else { "" };
        let introduced = Condition::Regex(format!("(?:{}){gap}{name_start}{end}", words.join("|")));
        Some(Condition::all([Condition::literal(name), introduced]))
    }
}

/// Whether the data itself contains some names.
fn says_words(rules: &ByType<Vec<Path>>) -> bool {
    words_said(rules).next().is_some()
}

fn words_said(rules: &ByType<Vec<Path>>) -> impl Iterator<Item = &str> {
    rules.values().flatten().flat_map(words_of)
}

/// The words that the data puts before names.
fn prefixes(rules: &ByType<Vec<Path>>) -> impl Iterator<Item = &str> {
    rules
        .values()
        .flatten()
        .filter_map(|path| if let Path::Prefixed(word, _) = path { Some(word.as_str()) } else { None })
}

fn words_of(path: &Path) -> Vec<&str> {
    match path {
        Path::Literal(word) | Path::Given(_, word) | Path::Prefixed(word, _) => vec![word],
        Path::Either(paths) => paths.iter().flat_map(words_of).collect(),
        Path::Itself | Path::Steps(_) => Vec::new(),
    }
}

/// What a text must contain for a regex to match.
fn required(hir: &Hir) -> Condition {
    match hir.kind() {
        HirKind::Literal(literal) => match std::str::from_utf8(&literal.0) {
            Ok(text) => Condition::literal(text),
            Err(_) => Condition::Anything,
        },
        HirKind::Capture(capture) => required(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => required(&repetition.sub),
        HirKind::Concat(parts) => Condition::all(parts.iter().map(required)),
        HirKind::Alternation(parts) => Condition::any(parts.iter().map(required)),
        _ => Condition::Anything,
    }
}
