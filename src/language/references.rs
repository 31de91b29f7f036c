//! The rules of a language's `[references]`, with their words looked up in the grammar.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::data::{ReferenceRule, Values};
use super::symbols::{FieldId, TypeId};
use super::words::Words;

/// A set of name spaces: a TypeScript class is a value and a type, a label neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spaces(u16);

impl Spaces {
    /// All of them, which is what a language without name spaces has.
    pub const ALL: Spaces = Spaces(u16::MAX);

    /// Whether the sets have a space in common.
    pub fn meets(self, other: Spaces) -> bool {
        self.0 & other.0 != 0
    }

    /// The spaces of both sets.
    #[must_use]
    pub fn union(self, other: Spaces) -> Spaces {
        Spaces(self.0 | other.0)
    }
}

/// What a node must be for a place to fit, from the parent of the name outwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level {
    /// Its type.
    pub type_id: TypeId,
    /// The field of the one within it; the innermost has its field in the table of places.
    pub field: Option<FieldId>,
    /// Types and tokens of which it must have one as a child; empty for no condition.
    pub holds: Vec<TypeId>,
    /// Types and tokens of which it must have none.
    pub lacks: Vec<TypeId>,
}

/// A place that a rule names: `outer(token)/type(!token).field: space`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The parent, then the nodes around it.
    pub levels: Vec<Level>,
    /// The name spaces of a name there; `None` for those of the name's type.
    pub spaces: Option<Spaces>,
}

/// The places of one rule by the parent's type and the field.
#[derive(Debug, Default)]
pub struct Places {
    slots: FxHashMap<(TypeId, FieldId), Vec<Place>>,
}

impl Places {
    /// The places in a field of a type, those with the most conditions first.
    pub fn at(&self, parent: TypeId, field: FieldId) -> &[Place] {
        self.slots.get(&(parent, field)).map_or(&[], Vec::as_slice)
    }
}

/// `[references]` with its words looked up. Each field is described at [`ReferenceRule`].
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct ReferenceRules {
    pub identifiers: FxHashSet<TypeId>,
    pub spaces: FxHashMap<TypeId, Spaces>,
    pub lexical: FxHashSet<TypeId>,
    pub scopes: FxHashSet<TypeId>,
    pub merged: Places,
    pub unseen: FxHashSet<TypeId>,
    pub expressions: FxHashSet<TypeId>,
    pub outside: Places,
    pub first_outside: Places,
    pub bindings: Places,
    pub bindings_beyond: Places,
    pub leaking: Places,
    pub delayed: Places,
    pub own_names: Places,
    pub wide: Places,
    pub headers: FxHashSet<TypeId>,
    pub imports: Places,
    pub patterns: Places,
    pub heads: FxHashSet<TypeId>,
    pub refers: Places,
    pub not_names: Places,
    pub unclear: Places,
    pub globals: Places,
    pub outers: Places,
    pub parameters: Places,
    pub positional: FxHashSet<TypeId>,
    pub positional_before: FxHashSet<TypeId>,
    pub arguments: Places,
    pub splats: FxHashSet<TypeId>,
    pub attributes: Places,
    pub keys: Places,
    pub elements: Places,
    pub members: FxHashSet<TypeId>,
    pub self_types: FxHashSet<TypeId>,
    pub self_scopes: FxHashSet<TypeId>,
    pub static_marks: FxHashSet<TypeId>,
    pub shared_spaces: Option<Spaces>,
    pub instance_space: Option<Spaces>,
    pub static_space: Option<Spaces>,
    pub exports: Places,
    pub open: Places,
    pub dynamic_scopes: FxHashSet<TypeId>,
    /// Places to what a name there becomes.
    pub shorthand: Vec<(Places, String)>,
}

impl ReferenceRules {
    /// # Errors
    /// Says which word the grammar doesn't have.
    pub(super) fn new(rule: &ReferenceRule, words: &Words<'_>) -> Result<ReferenceRules, String> {
        let mut reader = Reader { words, spaces: Vec::new() };
        reader.rules(rule)
    }
}

/// What is wrong with a key of the table.
fn in_key(key: &str) -> impl Fn(String) -> String + '_ {
    move |message| format!("references.{key}: {message}")
}

/// Reads places, and numbers the name spaces as they come.
struct Reader<'a> {
    words: &'a Words<'a>,
    spaces: Vec<String>,
}

impl Reader<'_> {
    fn rules(&mut self, rule: &ReferenceRule) -> Result<ReferenceRules, String> {
        let shorthand: Result<Vec<_>, String> = rule
            .shorthand
            .iter()
            .map(|(place, to)| Ok((self.places("shorthand", std::slice::from_ref(place))?, to.clone())))
            .collect();
        Ok(ReferenceRules {
            identifiers: self.types("identifiers", &rule.identifiers)?,
            spaces: self.spaces_of("spaces", &rule.spaces)?,
            lexical: self.types("lexical", &rule.lexical)?,
            scopes: self.types("scopes", &rule.scopes)?,
            merged: self.places("merged", &rule.merged)?,
            unseen: self.types("unseen", &rule.unseen)?,
            expressions: self.types("expressions", &rule.expressions)?,
            outside: self.places("outside", &rule.outside)?,
            first_outside: self.places("first_outside", &rule.first_outside)?,
            bindings: self.places("bindings", &rule.bindings)?,
            bindings_beyond: self.places("bindings_beyond", &rule.bindings_beyond)?,
            leaking: self.places("leaking", &rule.leaking)?,
            delayed: self.places("delayed", &rule.delayed)?,
            own_names: self.places("own_names", &rule.own_names)?,
            wide: self.places("wide", &rule.wide)?,
            headers: self.types("headers", &rule.headers)?,
            imports: self.places("imports", &rule.imports)?,
            patterns: self.places("patterns", &rule.patterns)?,
            heads: self.types("heads", &rule.heads)?,
            refers: self.places("refers", &rule.refers)?,
            not_names: self.places("not_names", &rule.not_names)?,
            unclear: self.places("unclear", &rule.unclear)?,
            globals: self.places("globals", &rule.globals)?,
            outers: self.places("outers", &rule.outers)?,
            parameters: self.places("parameters", &rule.parameters)?,
            positional: self.types("positional", &rule.positional)?,
            positional_before: self.types("positional_before", &rule.positional_before)?,
            arguments: self.places("arguments", &rule.arguments)?,
            splats: self.types("splats", &rule.splats)?,
            attributes: self.places("attributes", &rule.attributes)?,
            keys: self.places("keys", &rule.keys)?,
            elements: self.places("elements", &rule.elements)?,
            members: self.types("members", &rule.members)?,
            self_types: self.types("self_types", &rule.self_types)?,
            self_scopes: self.types("self_scopes", &rule.self_scopes)?,
            static_marks: self.marks("static_marks", &rule.static_marks)?,
            shared_spaces: self.shared(&rule.shared_spaces)?,
            instance_space: self.space(&rule.instance_space),
            static_space: self.space(&rule.static_space),
            exports: self.places("exports", &rule.exports)?,
            open: self.places("open", &rule.open)?,
            dynamic_scopes: self.types("dynamic_scopes", &rule.dynamic_scopes)?,
            shorthand: shorthand?,
        })
    }

    fn types(&self, key: &str, names: &[String]) -> Result<FxHashSet<TypeId>, String> {
        names.iter().map(|name| self.words.type_id(name).map_err(in_key(key))).collect()
    }

    fn marks(&self, key: &str, names: &[String]) -> Result<FxHashSet<TypeId>, String> {
        names.iter().map(|name| self.words.mark(name).map_err(in_key(key))).collect()
    }

    fn space(&mut self, name: &str) -> Option<Spaces> {
        (!name.is_empty()).then(|| self.numbered(name))
    }

    fn numbered(&mut self, name: &str) -> Spaces {
        let place = self.spaces.iter().position(|known| known == name).unwrap_or_else(|| {
            self.spaces.push(name.to_owned());
            self.spaces.len() - 1
        });
        Spaces(1_u16.checked_shl(u32::try_from(place).unwrap_or(u32::MAX)).unwrap_or(0))
    }

    fn joined<'s>(&mut self, names: impl Iterator<Item = &'s str>) -> Spaces {
        names.fold(Spaces::default(), |all, name| all.union(self.numbered(name)))
    }

    /// The name spaces in which names of one scope are one thing; `None` where there are none.
    fn shared(&mut self, spaces: &[String]) -> Result<Option<Spaces>, String> {
        if let Some(unknown) = spaces.iter().find(|space| !self.spaces.contains(space)) {
            return Err(format!("references.shared_spaces: unknown name space `{unknown}`"));
        }
        Ok((!spaces.is_empty()).then(|| self.joined(spaces.iter().map(String::as_str))))
    }

    fn spaces_of(&mut self, key: &str, rules: &BTreeMap<String, Values>) -> Result<FxHashMap<TypeId, Spaces>, String> {
        let of_type = |(name, spaces): (&String, &Values)| {
            Ok((self.words.type_id(name).map_err(in_key(key))?, self.joined(spaces.iter())))
        };
        rules.iter().map(of_type).collect()
    }

    fn places(&mut self, key: &str, texts: &[String]) -> Result<Places, String> {
        let mut places = Places::default();
        for text in texts {
            let (slot, place) = self.place(text).map_err(in_key(key))?;
            places.slots.entry(slot).or_default().push(place);
        }
        let weight = |level: &Level| {
            1 + usize::from(level.field.is_some()) + level.holds.len().min(1) + level.lacks.len().min(1)
        };
        for slot in places.slots.values_mut() {
            slot.sort_by_key(|place| std::cmp::Reverse(place.levels.iter().map(weight).sum::<usize>()));
        }
        Ok(places)
    }

    fn place(&mut self, text: &str) -> Result<((TypeId, FieldId), Place), String> {
        let (path, spaces) = match text.split_once(": ") {
            Some((path, spaces)) => (path, Some(self.joined(spaces.split_whitespace()))),
            None => (text, None),
        };
        let mut parts = path.rsplit('/');
        let last = parts.next().unwrap_or_default();
        // A field stands behind the condition: `type(token).field`.
        let (parent, field) = match last.rsplit_once('.') {
            Some((parent, field)) => (parent, self.words.field(field)?),
            None => (last, 0),
        };
        let levels = std::iter::once(parent).chain(parts).map(|level| self.level(level));
        let levels: Vec<Level> = levels.collect::<Result<_, String>>()?;
        Ok(((levels[0].type_id, field), Place { levels, spaces }))
    }

    fn level(&self, text: &str) -> Result<Level, String> {
        let (text, field) = match text.rsplit_once('.') {
            Some((text, field)) => (text, Some(self.words.field(field)?)),
            None => (text, None),
        };
        let (name, condition) = match text.split_once('(') {
            Some((name, rest)) => (name, rest.strip_suffix(')').ok_or_else(|| format!("`{text}` lacks a `)`"))?),
            None => (text, ""),
        };
        let mut level = Level { type_id: self.words.type_id(name)?, field, holds: Vec::new(), lacks: Vec::new() };
        for word in condition.split('|').filter(|word| !word.is_empty()) {
            match word.strip_prefix('!') {
                Some(word) => level.lacks.push(self.words.mark(word)?),
                None => level.holds.push(self.words.mark(word)?),
            }
        }
        Ok(level)
    }
}
