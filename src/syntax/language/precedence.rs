//! How tightly expressions bind, where the grammar accepts or groups more than the language does.
//!
//! The data names *forms*: a node type, or a type and what one of its children must be: `binary_expression '+' '-'` has such a
//! token, `composite_literal type_identifier` a child of that type, `new_expression !arguments` none of that type. A *place* is a form and which of its children: `first`, `last`,
//! `inner` (neither), `any`, or a field: `binary_expression '**'.first`, `if_statement.condition`.

use std::collections::HashMap;

use super::data::{BanRule, PrecedenceRule, Side};
use super::symbols::{FieldId, Symbols, TypeId};
use super::type_set::TypeSet;
use super::values::Values;

/// A language's precedence, compiled.
#[derive(Debug, Default)]
pub struct Precedence {
    forms: HashMap<TypeId, Vec<Leveled>>,
    operands: HashMap<TypeId, Vec<(Place, usize)>>,
    targets: HashMap<TypeId, Vec<(Place, Vec<Form>)>>,
    bans: HashMap<TypeId, Vec<(Place, usize)>>,
    /// The bans that places refer to.
    pub banned: Vec<Ban>,
    /// What may occur only in some functions.
    pub within: Vec<Within>,
    /// Operators of which two in a row become one token.
    pub glued: Vec<String>,
    bare_lists: HashMap<TypeId, TypeId>,
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

/// Forms that are not allowed without parentheses in a part of a place.
#[derive(Debug, Clone)]
pub struct Ban {
    /// The part.
    pub side: Side,
    /// The forms.
    pub of: Vec<Form>,
    /// The forms of their parents to which the ban is limited; all if empty.
    pub under: Vec<Form>,
    /// Whether a node that was in such a place before may stay.
    pub unless_before: bool,
}

/// Forms that are allowed only in some functions.
#[derive(Debug, Clone)]
pub struct Within {
    /// The forms.
    pub of: Vec<Form>,
    /// Forms of which the innermost enclosing one decides.
    pub around: Vec<Form>,
    /// Those of them in which it is allowed.
    pub only: Vec<Form>,
}

impl Precedence {
    /// Looks up the words of a language's data.
    ///
    /// # Errors
    /// At a word that the grammar does not have.
    pub(super) fn new(rule: &PrecedenceRule, symbols: &Symbols) -> Result<Precedence, String> {
        let words = Words { symbols };
        let mut precedence = Precedence { glued: rule.glued.clone(), ..Precedence::default() };
        let forms_in = |list: &[String]| words.forms(list.iter().map(String::as_str));
        let (right, neither, trailing) = (forms_in(&rule.right)?, forms_in(&rule.neither)?, forms_in(&rule.trailing)?);
        let is_in = |list: &[Form], form: &Form| list.iter().any(|other| other.holds(form));
        for (level, forms) in rule.levels.iter().enumerate() {
            for form in words.forms(forms.iter().map(String::as_str))? {
                let groups = if is_in(&right, &form) {
                    Groups::Right
                } else if is_in(&neither, &form) {
                    Groups::Neither
                } else {
                    Groups::Left
                };
                let trails = is_in(&trailing, &form);
                let forms = precedence.forms.entry(form.type_id).or_default();
                forms.push(Leveled { form, level, groups, trails });
            }
        }
        for (key, list) in [("right", &right), ("neither", &neither), ("trailing", &trailing)] {
            let has_level = |form: &Form| {
                let leveled = precedence.forms_of(form.type_id);
                leveled.iter().any(|leveled| form.holds(&leveled.form) || leveled.form.holds(form))
            };
            if let Some(form) = list.iter().find(|form| !has_level(form)) {
                let name = symbols.type_name(form.type_id);
                return Err(format!("precedence.{key}: `{name}` has no level"));
            }
        }
        for (place, least) in &rule.operands {
            let place = words.place(place)?;
            let form = words.form(least)?;
            let level = precedence
                .forms
                .get(&form.type_id)
                .and_then(|forms| forms.iter().find(|leveled| leveled.form.holds(&form)).map(|leveled| leveled.level));
            let level = level.ok_or_else(|| format!("precedence.operands: `{least}` has no level"))?;
            precedence.operands.entry(place.form.type_id).or_default().push((place, level));
        }
        for (place, only) in &rule.targets {
            let place = words.place(place)?;
            let forms = words.forms(only.iter())?;
            precedence.targets.entry(place.form.type_id).or_default().push((place, forms));
        }
        for (bare, bracketed) in &rule.bare_lists {
            precedence.bare_lists.insert(words.form(bare)?.type_id, words.form(bracketed)?.type_id);
        }
        for ban in &rule.bans {
            let number = precedence.banned.len();
            precedence.banned.push(words.ban(ban)?);
            for place in ban.at.iter() {
                let place = words.place(place)?;
                precedence.bans.entry(place.form.type_id).or_default().push((place, number));
            }
        }
        for within in &rule.within {
            precedence.within.push(Within {
                of: words.forms(within.of.iter())?,
                around: words.forms(within.around.iter())?,
                only: words.forms(within.only.iter())?,
            });
        }
        Ok(precedence)
    }

    /// Whether there are no rules.
    pub fn is_empty(&self) -> bool {
        self.forms.is_empty() && self.banned.is_empty() && self.within.is_empty() && self.glued.is_empty()
    }

    /// The type in parentheses of a list without brackets.
    pub fn bracketed(&self, id: TypeId) -> Option<TypeId> {
        self.bare_lists.get(&id).copied()
    }

    /// The forms of a type that have levels.
    pub fn forms_of(&self, id: TypeId) -> &[Leveled] {
        self.forms.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The places of a type whose children must have a lowest level.
    pub fn operands_of(&self, id: TypeId) -> &[(Place, usize)] {
        self.operands.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The places of a type that accept only some forms, in parentheses or not.
    pub fn targets_of(&self, id: TypeId) -> &[(Place, Vec<Form>)] {
        self.targets.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The places of a type with bans, and the index of each ban.
    pub fn bans_of(&self, id: TypeId) -> &[(Place, usize)] {
        self.bans.get(&id).map_or(&[], Vec::as_slice)
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

impl Words<'_> {
    fn ban(&self, rule: &BanRule) -> Result<Ban, String> {
        Ok(Ban {
            side: rule.side,
            of: self.forms(rule.of.iter())?,
            under: self.forms(rule.under.iter().flat_map(Values::iter))?,
            unless_before: rule.unless_before,
        })
    }

    fn forms<'w>(&self, words: impl Iterator<Item = &'w str>) -> Result<Vec<Form>, String> {
        words.map(|word| self.form(word)).collect()
    }

    fn form(&self, written: &str) -> Result<Form, String> {
        let mut words = written.split_whitespace();
        let name = words.next().unwrap_or("");
        let wrong = |word: &str| format!("precedence: `{written}`: the grammar has no type or token `{word}`");
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
        let (form, child) = written
            .rsplit_once('.')
            .ok_or_else(|| format!("precedence: `{written}` names no child; write `type.first`"))?;
        let child = match child {
            "first" => Child::First,
            "last" => Child::Last,
            "inner" => Child::Inner,
            "any" => Child::Any,
            field => Child::Field(
                self.symbols
                    .field_id(field)
                    .ok_or_else(|| format!("precedence: `{written}`: the grammar has no field `{field}`"))?,
            ),
        };
        Ok(Place { form: self.form(form)?, child })
    }
}
