//! The rules of a language's `[references]`: as they are written, and with their words looked up in the grammar.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

use super::rules::Words;
use super::{FieldId, TypeId, Values};

/// Which names mean the same thing: what opens a scope, what binds a name in it, what is a name but no variable.
///
/// A place is written `type.field`; `type` is a child without a field; `outer/type` a child of a type that is in another,
/// `outer.field/type` in a field of it. `type(word)` must have a child of that type or token, `type(!word)` must have none, `type(a|b)` one of them. Behind `: ` are the name spaces of a name
/// at the place.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ReferenceRule {
    /// Whether a rename may follow references: these rules are complete for the language, and compared with an independent tool.
    pub supported: bool,
    /// Types of names.
    pub identifiers: Vec<String>,
    /// The name spaces of a name by its type, where its place has none. Without any, all names share one space.
    pub spaces: BTreeMap<String, Values>,
    /// Types of names that are looked up from scope to scope wherever they are: `#private`.
    pub lexical: Vec<String>,
    /// Types that open a scope.
    pub scopes: Vec<String>,
    /// Places of such nodes that open none: a function's body, whose names are the function's.
    pub merged: Vec<String>,
    /// Scopes whose names aren't seen in the scopes inside: a class.
    pub unseen: Vec<String>,
    /// Scopes through which the names of `bindings_beyond` go: a comprehension, a block.
    pub expressions: Vec<String>,
    /// Places that belong to the scope around the one that they are in: a default value.
    pub outside: Vec<String>,
    /// The same, for the first of its type alone: what a comprehension goes over.
    pub first_outside: Vec<String>,
    /// Places of names that bind.
    pub bindings: Vec<String>,
    /// Those of them that bind beyond expressions: `:=`, `var`.
    pub bindings_beyond: Vec<String>,
    /// Those that bind in their block, and in some modes beyond it: a function in a block.
    pub leaking: Vec<String>,
    /// Those that bind from the end of their parent on, so that what is before means another thing: Go's `x := x`.
    pub delayed: Vec<String>,
    /// Those that bind in a scope of their own around the one they are in: the name of a function expression.
    pub own_names: Vec<String>,
    /// Places of names that bind in more than their scope, so that no name like them is renamed: Python's type parameters.
    pub wide: Vec<String>,
    /// Types of a function's parts that don't see what its body binds: its parameters.
    pub headers: Vec<String>,
    /// Names that bind nothing: `_`.
    pub blank: Vec<String>,
    /// Names that the language itself knows a definition by: `main`.
    pub fixed: Vec<String>,
    /// Places of names that an import binds, and another file gives.
    pub imports: Vec<String>,
    /// Places in patterns through which a name still binds: a tuple of names.
    pub patterns: Vec<String>,
    /// Dotted types, of which only the first name is a variable.
    pub heads: Vec<String>,
    /// Places of names that refer, where the name spaces aren't those of their type.
    pub refers: Vec<String>,
    /// Places of names that are no variables.
    pub not_names: Vec<String>,
    /// Places where a name may be a variable or something else; the tree doesn't show which.
    pub unclear: Vec<String>,
    /// Places of names that are said to be the file's.
    pub globals: Vec<String>,
    /// Places of names that are said to be of a scope around.
    pub outers: Vec<String>,
    /// Places of parameters that an argument may name.
    pub parameters: Vec<String>,
    /// Types around a parameter that no argument names: `*args`.
    pub positional: Vec<String>,
    /// Types before which a parameter is positional only: Python's `/`.
    pub positional_before: Vec<String>,
    /// Places of an argument's name.
    pub arguments: Vec<String>,
    /// Types of arguments that give any number of named ones: `**kw`.
    pub splats: Vec<String>,
    /// Places of an attribute's name.
    pub attributes: Vec<String>,
    /// Places of other names of members: the key of a pattern.
    pub keys: Vec<String>,
    /// Places where a name in lower case is no variable: the tag of an element.
    pub elements: Vec<String>,
    /// Scopes whose names are members, found as attributes too.
    pub members: Vec<String>,
    /// Whether members of unrelated classes may be the same: an object that has the members of an interface.
    pub structural: bool,
    /// Types of what means the object itself: `this`.
    pub self_types: Vec<String>,
    /// Types in which that means another object than around them.
    pub self_scopes: Vec<String>,
    /// Types and tokens that make a member the class's own: `static`.
    pub static_marks: Vec<String>,
    /// The name space of an object's members.
    pub instance_space: String,
    /// The name space of a class's own members.
    pub static_space: String,
    /// Decorators of methods whose first parameter is no object of the class.
    pub static_decorators: Vec<String>,
    /// Methods that a call of the class calls.
    pub constructors: Vec<String>,
    /// Bases that have no members of their own.
    pub plain_bases: Vec<String>,
    /// Names of objects whose attributes are the file's variables: `window`.
    pub global_objects: Vec<String>,
    /// Places of declarations that other files can use.
    pub exports: Vec<String>,
    /// Places of scopes whose names are used from outside as well: the body of a namespace.
    pub open: Vec<String>,
    /// Types in which any name may be a member of an object: `with`.
    pub dynamic_scopes: Vec<String>,
    /// Functions that take names as text: `eval`.
    pub dynamic_calls: Vec<String>,
    /// Places where a name says two things, to what it becomes when one of them is renamed: `$old: $new`.
    pub shorthand: BTreeMap<String, String>,
}

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
        let wrong = |message: String| format!("references: {message}");
        reader.rules(rule).map_err(wrong)
    }
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
            .map(|(place, to)| Ok((self.places(std::slice::from_ref(place))?, to.clone())))
            .collect();
        Ok(ReferenceRules {
            identifiers: self.types(&rule.identifiers)?,
            spaces: self.spaces_of(&rule.spaces)?,
            lexical: self.types(&rule.lexical)?,
            scopes: self.types(&rule.scopes)?,
            merged: self.places(&rule.merged)?,
            unseen: self.types(&rule.unseen)?,
            expressions: self.types(&rule.expressions)?,
            outside: self.places(&rule.outside)?,
            first_outside: self.places(&rule.first_outside)?,
            bindings: self.places(&rule.bindings)?,
            bindings_beyond: self.places(&rule.bindings_beyond)?,
            leaking: self.places(&rule.leaking)?,
            delayed: self.places(&rule.delayed)?,
            own_names: self.places(&rule.own_names)?,
            wide: self.places(&rule.wide)?,
            headers: self.types(&rule.headers)?,
            imports: self.places(&rule.imports)?,
            patterns: self.places(&rule.patterns)?,
            heads: self.types(&rule.heads)?,
            refers: self.places(&rule.refers)?,
            not_names: self.places(&rule.not_names)?,
            unclear: self.places(&rule.unclear)?,
            globals: self.places(&rule.globals)?,
            outers: self.places(&rule.outers)?,
            parameters: self.places(&rule.parameters)?,
            positional: self.types(&rule.positional)?,
            positional_before: self.types(&rule.positional_before)?,
            arguments: self.places(&rule.arguments)?,
            splats: self.types(&rule.splats)?,
            attributes: self.places(&rule.attributes)?,
            keys: self.places(&rule.keys)?,
            elements: self.places(&rule.elements)?,
            members: self.types(&rule.members)?,
            self_types: self.types(&rule.self_types)?,
            self_scopes: self.types(&rule.self_scopes)?,
            static_marks: self.marks(&rule.static_marks)?,
            instance_space: self.space(&rule.instance_space),
            static_space: self.space(&rule.static_space),
            exports: self.places(&rule.exports)?,
            open: self.places(&rule.open)?,
            dynamic_scopes: self.types(&rule.dynamic_scopes)?,
            shorthand: shorthand?,
        })
    }

    fn types(&self, names: &[String]) -> Result<FxHashSet<TypeId>, String> {
        names.iter().map(|name| self.words.type_id(name)).collect()
    }

    fn marks(&self, names: &[String]) -> Result<FxHashSet<TypeId>, String> {
        names.iter().map(|name| self.words.mark(name)).collect()
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

    fn spaces_of(&mut self, rules: &BTreeMap<String, Values>) -> Result<FxHashMap<TypeId, Spaces>, String> {
        rules.iter().map(|(name, spaces)| Ok((self.words.type_id(name)?, self.joined(spaces.iter())))).collect()
    }

    fn places(&mut self, texts: &[String]) -> Result<Places, String> {
        let mut places = Places::default();
        for text in texts {
            let (slot, place) = self.place(text)?;
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
