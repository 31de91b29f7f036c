//! The words of a language: its kinds resolved, once for each language.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::definitions::Definitions;
use super::error::{ErrorCode, SelectorError};
use super::ir::{List, Types};
use super::resolve::{Resolver, Words};
use crate::language::{ERROR_TYPE, KindRule, Language, Memo, TypeId, TypeSet, taxonomy};
use crate::text::Span;

/// The visibilities of a language in order, with the definitions that have them.
type Visibilities = Vec<(&'static str, Arc<List>)>;

/// A language's kinds and visibilities. Each rule is resolved when it is first needed.
#[derive(Debug)]
pub(super) struct Vocabulary {
    language: &'static Language,
    /// For each kind of the taxonomy, in its order, what the language's own rules accept.
    kinds: Vec<OnceLock<Result<Types, SelectorError>>>,
    /// For each node type, the indices of the kinds that may accept it.
    likely: OnceLock<Vec<Vec<u8>>>,
    visibility: OnceLock<Result<Visibilities, SelectorError>>,
}

/// A language's vocabulary.
///
/// # Errors
/// If a rule in the data of a user's language does not resolve. Those of built-in languages do; a test checks them.
pub(super) fn of(language: &'static Language) -> Result<&'static Vocabulary, SelectorError> {
    let make = || {
        let vocabulary = Vocabulary::new(language);
        if language.is_built_in() {
            return Ok(vocabulary);
        }
        vocabulary.check().map(|()| vocabulary)
    };
    language.memo(Memo::Vocabulary, make).as_ref().map_err(Clone::clone)
}

impl Vocabulary {
    fn new(language: &'static Language) -> Vocabulary {
        let kinds = taxonomy().kinds().iter().map(|_| OnceLock::new()).collect();
        Vocabulary { language, kinds, likely: OnceLock::new(), visibility: OnceLock::new() }
    }

    /// Resolves all rules.
    ///
    /// # Errors
    /// At the first that does not resolve.
    pub fn check(&self) -> Result<(), SelectorError> {
        (0..self.kinds.len()).try_for_each(|place| self.own_types(place).map(|_| ()))?;
        self.visibilities().map(|_| ())
    }

    /// What the language's own rules of a kind accept; the kind is given by its index in the taxonomy.
    ///
    /// # Errors
    /// If a rule does not resolve.
    pub fn own_types(&self, place: usize) -> Result<&Types, SelectorError> {
        let name = taxonomy().kinds()[place].name.as_str();
        let resolve = || {
            let building = Building { language: self.language, done: RefCell::default() };
            building
                .own_rules(name)
                .map_err(|error| error.in_data(self.language, &format!("language.toml: kinds.{name}")))
        };
        self.kinds[place].get_or_init(resolve).as_ref().map_err(Clone::clone)
    }

    /// The visibilities in order, with the definitions that have them.
    ///
    /// # Errors
    /// If a rule does not resolve.
    pub fn visibilities(&self) -> Result<&[(&'static str, Arc<List>)], SelectorError> {
        let resolve = || {
            let rules = self.language.spec().visibility.iter().map(|rule| {
                let list = Resolver::new(self.language, self, &Definitions::default()).source(&rule.when);
                let list = list.map_err(|error| error.in_data(self.language, "language.toml: visibility"))?;
                Ok((rule.word.as_str(), Arc::new(list)))
            });
            rules.collect()
        };
        self.visibility.get_or_init(resolve).as_ref().map(Vec::as_slice).map_err(Clone::clone)
    }

    /// The indices of the kinds that may accept a node of a type.
    pub fn likely(&self, id: TypeId) -> &[u8] {
        let likely = self.likely.get_or_init(|| self.list_likely());
        likely.get(usize::from(id)).or(likely.last()).map_or(&[], Vec::as_slice)
    }

    fn list_likely(&self) -> Vec<Vec<u8>> {
        let count = self.language.type_count();
        let mut likely = vec![Vec::new(); count + 1];
        for (place, kind) in taxonomy().kinds().iter().enumerate() {
            let place = u8::try_from(place).expect("there are at most 128 kinds");
            let mut mask = Some(TypeSet::default());
            for rule in self.language.spec().kind(&kind.name) {
                let types = match rule {
                    KindRule::Type(id) => Some([*id].into_iter().collect()),
                    KindRule::Selector(rule) => self.subjects(rule),
                };
                mask = match (mask, types) {
                    (Some(mut mask), Some(types)) => {
                        mask.union_with(&types);
                        Some(mask)
                    }
                    _ => None,
                };
            }
            for (id, places) in likely.iter_mut().enumerate() {
                let id = if id == count { ERROR_TYPE } else { TypeId::try_from(id).unwrap_or(ERROR_TYPE) };
                if mask.as_ref().is_none_or(|mask| mask.contains(id)) {
                    places.push(place);
                }
            }
        }
        likely
    }

    /// The types of the nodes that a rule may accept, from its text: the last step of each alternative begins with the
    /// name of a type. `None` for a rule of any other form.
    fn subjects(&self, rule: &str) -> Option<TypeSet> {
        let mut types = TypeSet::default();
        for alternative in split_outside(rule, |byte| byte == b',')? {
            let is_combinator = |byte: u8| byte.is_ascii_whitespace() || b">+~</".contains(&byte);
            let last = split_outside(alternative.trim(), is_combinator)?.pop()?;
            let end = last.find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
            let (name, rest) = last.split_at(end.unwrap_or(last.len()));
            // What comes after a type makes it narrower, unless it was the name of an axis.
            let is_narrowed = rest.is_empty() || rest.starts_with([':', '[', '.', '#', '@']) && !rest.starts_with("::");
            if taxonomy().contains(name) || !is_narrowed {
                return None;
            }
            types.insert(self.language.type_id(name)?);
        }
        Some(types)
    }
}

/// The parts of a selector between separators outside brackets, strings and regexes; `None` if brackets do not match.
fn split_outside(text: &str, separates: impl Fn(u8) -> bool) -> Option<Vec<&str>> {
    let bytes = text.as_bytes();
    let (mut parts, mut start, mut depth, mut last, mut at) = (Vec::new(), 0, 0usize, b' ', 0);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' | b'\'' => at = quote_end(bytes, at)?,
            // A value; elsewhere it is a combinator.
            b'/' if depth > 0 && last == b'=' => at = quote_end(bytes, at)?,
            b'/' if bytes.get(at + 1) == Some(&b'*') => return None,
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.checked_sub(1)?,
            _ if depth == 0 && separates(byte) => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            last = byte;
        }
        at += 1;
    }
    parts.push(&text[start..]);
    (depth == 0).then_some(parts)
}

/// Where a string or regex ends that begins at `start`.
fn quote_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    while *bytes.get(at)? != bytes[start] {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    Some(at)
}

impl Words for Vocabulary {
    fn kind(&self, name: &str) -> Result<Types, SelectorError> {
        let kinds = taxonomy().kinds().iter().enumerate();
        let below = kinds.filter(|(_, kind)| taxonomy().is_a(&kind.name, name));
        let types = below.map(|(place, _)| self.own_types(place).cloned());
        Ok(Types::union(types.collect::<Result<Vec<_>, _>>()?.into_iter()))
    }
}

/// A vocabulary under construction: rules of a kind may mention other kinds.
struct Building {
    language: &'static Language,
    /// `None` for a kind whose rules are being resolved.
    done: RefCell<HashMap<String, Option<Types>>>,
}

impl Building {
    fn own_rules(&self, name: &str) -> Result<Types, SelectorError> {
        if let Some(known) = self.done.borrow().get(name) {
            return known.clone().ok_or_else(|| SelectorError {
                code: ErrorCode::UnknownType,
                message: format!("the kind `{name}` is defined by itself"),
                span: Span::new(0, 0),
                hint: Some(format!("`[type=\"{name}\"]` is the grammar's type of that name")),
                selector: name.to_owned(),
            });
        }
        self.done.borrow_mut().insert(name.to_owned(), None);
        let rules = self.language.spec().kind(name).iter();
        let resolve = |rule: &KindRule| match rule {
            KindRule::Type(id) => Ok(Types::Some { mask: [*id].into_iter().collect(), lists: Vec::new() }),
            KindRule::Selector(rule) => Resolver::new(self.language, self, &Definitions::default()).rule(rule),
        };
        let types = Types::union(rules.map(resolve).collect::<Result<Vec<_>, _>>()?.into_iter());
        self.done.borrow_mut().insert(name.to_owned(), Some(types.clone()));
        Ok(types)
    }
}

impl Words for Building {
    fn kind(&self, name: &str) -> Result<Types, SelectorError> {
        let below = taxonomy().kinds().iter().filter(|kind| taxonomy().is_a(&kind.name, name));
        Ok(Types::union(below.map(|kind| self.own_rules(&kind.name)).collect::<Result<Vec<_>, _>>()?.into_iter()))
    }
}
