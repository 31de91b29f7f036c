//! How tightly expressions bind, where the grammar accepts or groups more than the language does.
//!
//! The data names *forms*: a node type, or a type and what one of its children must be: `binary_expression '+' '-'` has such a
//! token, `composite_literal type_identifier` a child of that type, `new_expression !arguments` none of that type. A *place* is a form and which of its children: `first`, `last`,
//! `inner` (neither), `any`, or a field: `binary_expression '**'.first`, `if_statement.condition`.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;

use super::form::{Needed, Reader, as_written, forms, rules};
use super::symbols::{FieldId, Symbols, TypeId};
use super::type_set::TypeSet;
use super::values::Values;

rules! {
    /// The language's own precedence, for code that the grammar accepts or groups otherwise. Types without a level bind tightest.
    Precedence from PrecedenceRule {
        /// One level each: its forms, the loosest level first.
        levels: Vec<Forms>,
        /// Forms that group from the right. A form that begins with a token or a parameter list and ends with an operand
        /// does so anyway.
        right: Forms,
        /// Forms that do not group with forms of the same level.
        neither: Forms,
        /// Places whose children must bind at least as tightly as a form, if the levels do not say so.
        operands: PlaceForms,
        /// Forms that may be a last operand whatever their level: `a || return`.
        trailing: Forms,
        /// Places that accept only some forms, in parentheses or not: the target of an assignment.
        targets: TargetForms,
        /// Forms that a place does not accept without parentheses.
        bans: Vec<Ban>,
        /// Forms that may occur only in some functions: `await`.
        within: Vec<Within>,
        /// Operators of which two in a row become one token: `--`.
        glued: Vec<String>,
        /// Types of lists without brackets, with their type in parentheses: `a, b` is a tuple.
        bare_lists: TypePairs,
    } => {
        /// The forms of each type that have levels.
        leveled: HashMap<TypeId, Vec<Leveled>>,
        /// The places of each type whose children must have a lowest level.
        lowest: HashMap<TypeId, Vec<(Place, usize)>>,
        /// The places of each type that accept only some forms.
        accepted: HashMap<TypeId, Vec<(Place, Vec<Form>)>>,
        /// The places of each type with bans, each with the index of the ban.
        banned: HashMap<TypeId, Vec<(Place, usize)>>,
    }

    /// Forms that a place does not accept without parentheses: a struct literal in a condition.
    Ban from BanRule {
        /// The places.
        at: SomePlaces,
        /// The part of the place.
        side: Needed<Side>,
        /// The forms.
        of: SomeForms,
        /// Forms of parents to which the ban is limited.
        under: FormValues,
        /// Whether a node that was in such a place before may stay: there the language accepts it.
        unless_before: bool,
    }

    /// Forms that may occur only in some functions, in parentheses or not: `await` in `async` functions.
    Within from WithinRule {
        /// The forms.
        of: SomeForms,
        /// Forms of which the innermost enclosing one decides; without any, it is allowed.
        around: SomeForms,
        /// Those of them in which it is allowed.
        only: SomeForms,
    }
}

/// A part of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Its beginning, at any depth.
    First,
    /// Its end, at any depth.
    Last,
    /// Anywhere except in brackets.
    Bare,
    /// The whole of it.
    #[default]
    Whole,
}

as_written!(Side);

forms! {
    /// Forms.
    Forms: Vec<String> => Vec<Form> = |forms, reader| Words::of(reader).forms(forms.iter().map(String::as_str));
    /// One or several forms.
    FormValues: Values => Vec<Form> = |forms, reader| Words::of(reader).forms(forms.iter());
    /// One or several forms, of which one has to be there.
    SomeForms: Values => Vec<Form> = |forms, reader| match Words::of(reader).forms(forms.iter())? {
        forms if forms.is_empty() => Err("it is missing".to_owned()),
        forms => Ok(forms),
    };
    /// One or several places of operands, of which one has to be there.
    SomePlaces: Values => Vec<Place> = |places, reader| {
        let places: Vec<Place> = places.iter().map(|place| Words::of(reader).place(place)).collect::<Result<_, _>>()?;
        if places.is_empty() { Err("it is missing".to_owned()) } else { Ok(places) }
    };
    /// From a place of an operand to a form.
    PlaceForms: BTreeMap<String, String> => Vec<(Place, Form)> = |rules, reader| {
        let words = Words::of(reader);
        rules.iter().map(|(place, form)| Ok((words.place(place)?, words.form(form)?))).collect()
    };
    /// From a place of an operand to forms.
    TargetForms: BTreeMap<String, Values> => Vec<(Place, Vec<Form>)> = |rules, reader| {
        let words = Words::of(reader);
        rules.iter().map(|(place, forms)| Ok((words.place(place)?, words.forms(forms.iter())?))).collect()
    };
    /// From a type to another.
    TypePairs: BTreeMap<String, String> => Vec<(TypeId, TypeId)> = |pairs, reader| {
        let words = Words::of(reader);
        pairs.iter().map(|(one, other)| Ok((words.form(one)?.type_id, words.form(other)?.type_id))).collect()
    };
}

/// A node type, and a condition on its children; no condition if all lists are empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// The type.
    pub type_id: TypeId,
    /// Texts of tokens, one of which must be there.
    pub tokens: Vec<String>,
    /// Those that are tokens of the grammar.
    pub token_ids: TypeSet,
    /// Types, one of which must be there.
    pub types: Vec<TypeId>,
    /// Types of which none may be there.
    pub without: Vec<TypeId>,
}

/// A form with its level.
#[derive(Debug, Clone)]
pub struct Leveled {
    /// The form.
    pub form: Form,
    /// How tightly it binds; higher is tighter.
    pub level: usize,
    /// The side to which it groups.
    pub groups: Groups,
    /// Whether it may be a last operand at any level.
    pub trails: bool,
}

/// The side to which operators of one level group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Groups {
    /// `a - b - c` is `(a - b) - c`.
    Left,
    /// `a ** b ** c` is `a ** (b ** c)`.
    Right,
    /// `a < b < c` does not group: it means something else, or nothing.
    Neither,
}

/// A form and one of its children.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The parent's form.
    pub form: Form,
    /// The child.
    pub child: Child,
}

/// Which child of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Child {
    /// The first.
    First,
    /// The last.
    Last,
    /// A named child that is neither.
    Inner,
    /// Any.
    Any,
    /// One in a field.
    Field(FieldId),
}

impl Precedence {
    /// Orders the rules by the types of nodes.
    ///
    /// # Errors
    /// If a form should have a level and has none.
    pub(super) fn arrange(&mut self, symbols: &Symbols) -> Result<(), String> {
        let is_in = |list: &[Form], form: &Form| list.iter().any(|other| other.holds(form));
        for (level, forms) in std::mem::take(&mut self.levels).into_iter().enumerate() {
            for form in forms {
                let groups = if is_in(&self.right, &form) {
                    Groups::Right
                } else if is_in(&self.neither, &form) {
                    Groups::Neither
                } else {
                    Groups::Left
                };
                let trails = is_in(&self.trailing, &form);
                let forms = self.leveled.entry(form.type_id).or_default();
                forms.push(Leveled { form, level, groups, trails });
            }
        }
        for (key, list) in [("right", &self.right), ("neither", &self.neither), ("trailing", &self.trailing)] {
            let has_level = |form: &Form| {
                let leveled = self.forms_of(form.type_id);
                leveled.iter().any(|leveled| form.holds(&leveled.form) || leveled.form.holds(form))
            };
            if let Some(form) = list.iter().find(|form| !has_level(form)) {
                let name = symbols.type_name(form.type_id);
                return Err(format!("precedence.{key}: `{name}` has no level"));
            }
        }
        for (place, least) in std::mem::take(&mut self.operands) {
            let level = self.forms_of(least.type_id).iter().find(|leveled| leveled.form.holds(&least));
            let Some(level) = level.map(|leveled| leveled.level) else {
                return Err(format!("precedence.operands: `{}` has no level", symbols.type_name(least.type_id)));
            };
            self.lowest.entry(place.form.type_id).or_default().push((place, level));
        }
        for (place, forms) in std::mem::take(&mut self.targets) {
            self.accepted.entry(place.form.type_id).or_default().push((place, forms));
        }
        for (number, ban) in self.bans.iter_mut().enumerate() {
            for place in std::mem::take(&mut ban.at) {
                self.banned.entry(place.form.type_id).or_default().push((place, number));
            }
        }
        Ok(())
    }

    /// Whether there are no rules.
    pub fn is_empty(&self) -> bool {
        self.leveled.is_empty() && self.bans.is_empty() && self.within.is_empty() && self.glued.is_empty()
    }

    /// The type in parentheses of a list without brackets.
    pub fn bracketed(&self, id: TypeId) -> Option<TypeId> {
        self.bare_lists.iter().find(|(bare, _)| *bare == id).map(|(_, bracketed)| *bracketed)
    }

    /// The forms of a type that have levels.
    pub fn forms_of(&self, id: TypeId) -> &[Leveled] {
        self.leveled.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The places of a type whose children must have a lowest level.
    pub fn operands_of(&self, id: TypeId) -> &[(Place, usize)] {
        self.lowest.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The places of a type that accept only some forms, in parentheses or not.
    pub fn targets_of(&self, id: TypeId) -> &[(Place, Vec<Form>)] {
        self.accepted.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The places of a type with bans, and the index of each ban in `bans`.
    pub fn bans_of(&self, id: TypeId) -> &[(Place, usize)] {
        self.banned.get(&id).map_or(&[], Vec::as_slice)
    }
}

impl Form {
    /// Whether every node of the other form has this one.
    fn holds(&self, other: &Form) -> bool {
        let is_plain = self.tokens.is_empty() && self.types.is_empty();
        self.type_id == other.type_id
            && (is_plain
                || self.tokens == other.tokens && self.types == other.types
                || !other.tokens.is_empty() && other.tokens.iter().all(|token| self.tokens.contains(token)))
    }
}

/// Looks up the words of forms and places.
struct Words<'a> {
    symbols: &'a Symbols,
}

impl<'a> Words<'a> {
    fn of(reader: &'a Reader<'_>) -> Words<'a> {
        Words { symbols: reader.notation.symbols }
    }

    fn forms<'w>(&self, words: impl Iterator<Item = &'w str>) -> Result<Vec<Form>, String> {
        words.map(|word| self.form(word)).collect()
    }

    fn form(&self, written: &str) -> Result<Form, String> {
        let mut words = written.split_whitespace();
        let name = words.next().unwrap_or("");
        let wrong = |word: &str| format!("`{written}`: the grammar has no type or token `{word}`");
        let type_id = self.symbols.type_id(name).ok_or_else(|| wrong(name))?;
        let mut form =
            Form { type_id, tokens: Vec::new(), types: Vec::new(), without: Vec::new(), token_ids: TypeSet::default() };
        for word in words {
            if let Some(name) = word.strip_prefix('!') {
                form.without.push(self.symbols.type_id(name).ok_or_else(|| wrong(name))?);
                continue;
            }
            match word.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
                // The text of a user-defined operator is that of a named node.
                Some(token) if self.symbols.token_id(token).is_some() || !token.contains(char::is_alphanumeric) => {
                    self.symbols.token_id(token).into_iter().for_each(|id| form.token_ids.insert(id));
                    form.tokens.push(token.to_owned());
                }
                Some(token) => return Err(wrong(token)),
                None => form.types.push(self.symbols.type_id(word).ok_or_else(|| wrong(word))?),
            }
        }
        Ok(form)
    }

    fn place(&self, written: &str) -> Result<Place, String> {
        let (form, child) =
            written.rsplit_once('.').ok_or_else(|| format!("`{written}` names no child; write `type.first`"))?;
        let child = match child {
            "first" => Child::First,
            "last" => Child::Last,
            "inner" => Child::Inner,
            "any" => Child::Any,
            field => Child::Field(
                self.symbols
                    .field_id(field)
                    .ok_or_else(|| format!("`{written}`: the grammar has no field `{field}`"))?,
            ),
        };
        Ok(Place { form: self.form(form)?, child })
    }
}
