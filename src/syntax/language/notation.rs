//! The notations of a language's data, read and looked up in the grammar: words, paths, node patterns, places. All keys use
//! these; docs/adding-a-language.md has them as a table.
//!
//! ```text
//! path    = step { "." step } [ "." literal ] | literal [ " + " step { "." step } ] | "." ; several, separated by "|"
//! step    = "*" | "$" | "**" | field [ "!" ] | [ "/" ] type | type "^" | type "$" | field ":" type | "+" type | "-" type
//! pattern = level { "/" level }                        the last level is the node, those before it are around it
//! level   = type [ "(" [ "!" ] word { "|" [ "!" ] word } ")" ] [ "." field ]
//! place   = pattern [ "^" | "$" | "~" ] [ ": " space { " " space } ]       a child of the node, in the field of the last level or in none
//! literal = "'" text "'"
//! ```

use super::lazy_regex::LazyRegex;
use super::path::{Path, Step};
use super::place::{Among, Held, Level, NodePattern, Place};
use super::symbols::{FieldId, Symbols, TypeId};
use super::type_set::TypeSet;
use super::values::Values;

/// Names the key in an error's message.
pub(super) fn in_key(key: &str) -> impl Fn(String) -> String + '_ {
    move |message| format!("{key}: {message}")
}

/// Reads notations with a grammar's words.
#[derive(Clone, Copy)]
pub(super) struct Notation<'a> {
    pub(super) symbols: &'a Symbols,
    /// Whether regexes are compiled now, to check them.
    checks: bool,
}

impl<'a> Notation<'a> {
    pub(super) fn new(symbols: &'a Symbols) -> Notation<'a> {
        Notation { symbols, checks: false }
    }

    /// The same, and regexes are compiled now, if `checks`.
    pub(super) fn checking(self, checks: bool) -> Notation<'a> {
        Notation { checks, ..self }
    }

    pub(super) fn regex(self, source: &str) -> Result<LazyRegex, String> {
        LazyRegex::new(source, self.checks)
    }

    pub(super) fn type_id(self, name: &str) -> Result<TypeId, String> {
        self.symbols.type_id(name).ok_or_else(|| format!("the grammar has no type `{name}`"))
    }

    /// A type or a token.
    pub(super) fn mark(self, name: &str) -> Result<TypeId, String> {
        let known = self.symbols.type_id(name).or_else(|| self.symbols.token_id(name));
        known.ok_or_else(|| format!("the grammar has no type or token `{name}`"))
    }

    /// Both, where a type and a token have the name.
    fn marks_of(self, name: &str) -> Result<impl Iterator<Item = TypeId>, String> {
        self.mark(name)?;
        Ok([self.symbols.type_id(name), self.symbols.token_id(name)].into_iter().flatten())
    }

    pub(super) fn field(self, name: &str) -> Result<FieldId, String> {
        self.symbols.field_id(name).ok_or_else(|| format!("the grammar has no field `{name}`"))
    }

    /// The types of a list.
    pub(super) fn types_alone<'w>(self, names: impl IntoIterator<Item = &'w str>) -> Result<TypeSet, String> {
        names.into_iter().map(|name| self.type_id(name)).collect()
    }

    /// The types and tokens of a list.
    pub(super) fn marks_alone<'w>(self, names: impl IntoIterator<Item = &'w str>) -> Result<TypeSet, String> {
        let mut marks = TypeSet::default();
        for name in names {
            self.marks_of(name)?.for_each(|id| marks.insert(id));
        }
        Ok(marks)
    }

    pub(super) fn each(self, paths: &Values) -> Result<Vec<Path>, String> {
        paths.iter().map(|path| self.path(path)).collect()
    }

    pub(super) fn path(self, path: &str) -> Result<Path, String> {
        if path.contains('|') {
            let paths = path.split('|').map(|path| self.path(path.trim())).collect::<Result<_, _>>();
            return paths.map(Path::Either);
        }
        let literal = |word: &str| word.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).map(str::to_owned);
        if let Some(word) = literal(path) {
            return Ok(Path::Literal(word));
        }
        if path == "." {
            return Ok(Path::Itself);
        }
        if let Some((word, steps)) = path.split_once(" + ").and_then(|(word, steps)| Some((literal(word)?, steps))) {
            return Ok(Path::Prefixed(word, self.steps(steps)?));
        }
        if let Some((steps, word)) = path.rsplit_once('.').and_then(|(steps, word)| Some((steps, literal(word)?))) {
            return Ok(Path::Given(self.steps(steps)?, word));
        }
        self.steps(path).map(Path::Steps)
    }

    fn steps(self, steps: &str) -> Result<Vec<Step>, String> {
        steps.split('.').map(|step| self.step(step)).collect()
    }

    fn step(self, step: &str) -> Result<Step, String> {
        if let Some((field, type_name)) = step.split_once(':') {
            return Ok(Step::FieldOf(self.field(field)?, self.type_id(type_name)?));
        }
        let of_type =
            |word: Option<&str>| word.filter(|word| !word.is_empty()).map(|word| self.type_id(word)).transpose();
        match step {
            "*" => return Ok(Step::First),
            "$" => return Ok(Step::Last),
            "**" => return Ok(Step::All),
            _ => {}
        }
        if let Some(field) = step.strip_suffix('!').and_then(|word| self.symbols.field_id(word)) {
            return Ok(Step::FirstIn(field));
        }
        if let Some(id) = of_type(step.strip_suffix('^'))? {
            return Ok(Step::FirstOf(id));
        }
        if let Some(id) = of_type(step.strip_suffix('$'))? {
            return Ok(Step::LastOf(id));
        }
        if let Some(id) = of_type(step.strip_prefix('+'))? {
            return Ok(Step::After(id));
        }
        if let Some(id) = of_type(step.strip_prefix('-'))? {
            return Ok(Step::Before(id));
        }
        // A field is meant where there is one of that name; a type of that name is written after a slash.
        match (step.strip_prefix('/'), self.symbols.field_id(step)) {
            (Some(word), _) => self.type_id(word).map(Step::Type),
            (None, Some(field)) => Ok(Step::Field(field)),
            (None, None) => match self.symbols.type_id(step) {
                Some(id) => Ok(Step::Type(id)),
                None => Err(format!("the grammar has no field or type `{step}`")),
            },
        }
    }

    /// What a node is. The innermost level has no field.
    pub(super) fn pattern(self, text: &str) -> Result<NodePattern, String> {
        let levels: Vec<Level> =
            split(text, '/').into_iter().rev().map(|level| self.level(level)).collect::<Result<_, String>>()?;
        match levels[0].field {
            Some(_) => Err(format!("`{text}` is the place of a child: a node pattern ends with a type")),
            None => Ok(NodePattern { levels }),
        }
    }

    /// Where a node is, name spaces left out.
    pub(super) fn place(self, text: &str) -> Result<Place, String> {
        let sides = [('^', Among::First), ('$', Among::Last), ('~', Among::Between)];
        let side = sides.into_iter().find_map(|(sign, side)| Some((text.strip_suffix(sign)?, side)));
        let (text, side) = side.unwrap_or((text, Among::Any));
        let mut levels: Vec<Level> =
            split(text, '/').into_iter().rev().map(|level| self.level(level)).collect::<Result<_, String>>()?;
        let field = levels[0].field.take().unwrap_or(0);
        Ok(Place { parent: NodePattern { levels }, field, side, spaces: None })
    }

    fn level(self, text: &str) -> Result<Level, String> {
        // A field follows the condition: `type(token).field`.
        let (text, field) = match text.rsplit_once('.').filter(|(_, field)| !field.contains(')')) {
            Some((text, field)) => (text, Some(self.field(field)?)),
            None => (text, None),
        };
        let (name, condition) = match text.split_once('(') {
            Some((name, rest)) => (name, rest.strip_suffix(')').ok_or_else(|| format!("`{text}` lacks a `)`"))?),
            None => (text, ""),
        };
        let mut level = Level { type_id: self.type_id(name)?, field, holds: Vec::new(), lacks: Vec::new() };
        for word in split(condition, '|').into_iter().filter(|word| !word.is_empty()) {
            let quoted = word.strip_prefix('\'').and_then(|word| word.strip_suffix('\''));
            if let Some(word) = quoted {
                level.holds.push(Held { type_id: self.mark(word)?, inner: None });
                continue;
            }
            match word.strip_prefix('!') {
                Some(word) => level.lacks.push(self.held(word)?),
                None => level.holds.push(self.held(word)?),
            }
        }
        Ok(level)
    }

    /// A child that a node must or must not have: `token`, or `type/token` for one with such a child.
    fn held(self, word: &str) -> Result<Held, String> {
        let (word, inner) = match word.split_once('/').filter(|(word, inner)| !word.is_empty() && !inner.is_empty()) {
            Some((word, inner)) => (word, Some(self.mark(inner)?)),
            None => (word, None),
        };
        Ok(Held { type_id: self.mark(word)?, inner })
    }
}

/// The parts of a text, without separators in brackets or quotes.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quoted) = (Vec::new(), 0, 0_usize, false);
    for (at, letter) in text.char_indices() {
        match letter {
            '\'' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            _ if letter == separator && depth == 0 && !quoted => {
                parts.push(&text[start..at]);
                start = at + separator.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}
