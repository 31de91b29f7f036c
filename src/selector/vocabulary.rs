//! The words of a language: its kinds resolved, once for each language.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use super::definitions::Definitions;
use super::error::{ErrorCode, SelectorError};
use super::ir::{List, Types};
use super::resolve::{Resolver, Words};
use crate::language::{ERROR_TYPE, KindRule, Language, Memo, TypeId, taxonomy};
use crate::text::Span;

/// A language's kinds and visibilities, resolved.
#[derive(Debug)]
pub(super) struct Vocabulary {
    /// Each kind of the taxonomy, in its order, with the language's own rules for it.
    pub kinds: Vec<(&'static str, Types)>,
    /// For each node type, the indices of the kinds that may accept it.
    likely: Vec<Vec<u8>>,
    /// Visibilities in order, with the definitions that have them.
    pub visibility: Vec<(&'static str, Arc<List>)>,
}

/// A language's vocabulary.
///
/// # Errors
/// If a rule in the language's data does not resolve. Those of built-in languages do; a user's may not.
pub(super) fn of(language: &'static Language) -> Result<&'static Vocabulary, SelectorError> {
    language.memo(Memo::Vocabulary, || Vocabulary::new(language)).as_ref().map_err(Clone::clone)
}

impl Vocabulary {
    fn new(language: &'static Language) -> Result<Vocabulary, SelectorError> {
        let building = Building { language, done: RefCell::default() };
        let kinds = taxonomy().kinds().iter();
        let rules = |kind: &'static str| {
            let place = format!("language.toml: kinds.{kind}");
            building.own_rules(kind).map_err(|error| error.in_data(language, &place))
        };
        let kinds = kinds.map(|kind| Ok((kind.name.as_str(), rules(&kind.name)?)));
        let kinds = kinds.collect::<Result<Vec<_>, SelectorError>>()?;
        let mut likely = vec![Vec::new(); language.type_count() + 1];
        for (place, (_, types)) in kinds.iter().enumerate() {
            let place = u8::try_from(place).expect("there are at most 128 kinds");
            let mask = types.mask();
            for (id, places) in likely.iter_mut().enumerate() {
                let id =
                    if id == language.type_count() { ERROR_TYPE } else { TypeId::try_from(id).unwrap_or(ERROR_TYPE) };
                if mask.as_ref().is_none_or(|mask| mask.contains(id)) && !matches!(types, Types::Named) {
                    places.push(place);
                }
            }
        }
        let vocabulary = Vocabulary { kinds, likely, visibility: Vec::new() };
        let rules = language.spec().visibility.iter().map(|rule| {
            let list = Resolver::new(language, &vocabulary, &Definitions::default()).source(&rule.when);
            let list = list.map_err(|error| error.in_data(language, "language.toml: visibility"))?;
            Ok((rule.word.as_str(), Arc::new(list)))
        });
        let visibility = rules.collect::<Result<Vec<_>, SelectorError>>()?;
        Ok(Vocabulary { visibility, ..vocabulary })
    }
}

impl Vocabulary {
    /// The indices of the kinds that may accept a node of a type.
    pub fn likely(&self, id: TypeId) -> &[u8] {
        self.likely.get(usize::from(id)).or(self.likely.last()).map_or(&[], Vec::as_slice)
    }
}

impl Words for Vocabulary {
    fn kind(&self, name: &str) -> Result<Types, SelectorError> {
        let below = self.kinds.iter().filter(|(kind, _)| taxonomy().is_a(kind, name));
        Ok(Types::union(below.map(|(_, types)| types.clone())))
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
