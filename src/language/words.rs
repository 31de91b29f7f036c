//! The words of a language's data, looked up in the grammar.

use std::collections::HashMap;

use super::by_type::ByType;
use super::data::{CountRule, Values};
use super::path::{Path, Step};
use super::symbols::{FieldId, Symbols, TypeId};

/// A count rule with its words looked up.
#[derive(Debug)]
pub struct Count {
    /// To the nodes that hold what is counted.
    pub at: Vec<Path>,
    /// Types that count; empty for all.
    pub only: Vec<TypeId>,
    /// Types that don't.
    pub except: Vec<TypeId>,
    /// Texts that don't.
    pub except_text: Vec<String>,
    /// Types of a holding node that count as one.
    pub single: Vec<TypeId>,
    /// Field of which a child counts as often as it has it.
    pub each: Option<FieldId>,
}

/// A grammar's words.
pub(super) struct Words<'a> {
    symbols: &'a Symbols,
}

impl<'a> Words<'a> {
    pub(super) fn new(symbols: &'a Symbols) -> Words<'a> {
        Words { symbols }
    }

    pub(super) fn type_id(&self, name: &str) -> Result<TypeId, String> {
        self.symbols.type_id(name).ok_or_else(|| format!("the grammar has no type `{name}`"))
    }

    /// A type or a token.
    pub(super) fn mark(&self, name: &str) -> Result<TypeId, String> {
        let known = self.symbols.type_id(name).or_else(|| self.symbols.token_id(name));
        known.ok_or_else(|| format!("the grammar has no type or token `{name}`"))
    }

    pub(super) fn marks(&self, names: &[String]) -> Result<Vec<TypeId>, String> {
        names.iter().map(|name| self.mark(name)).collect()
    }

    pub(super) fn field(&self, name: &str) -> Result<FieldId, String> {
        self.symbols.field_id(name).ok_or_else(|| format!("the grammar has no field `{name}`"))
    }

    pub(super) fn by_type<T, U>(
        &self,
        place: &str,
        rules: &HashMap<String, T>,
        resolve: impl Fn(&T) -> Result<U, String>,
    ) -> Result<ByType<U>, String> {
        let mut by_type = ByType::default();
        for (name, rule) in rules {
            let wrong = |message: String| format!("{place}: {name}: {message}");
            by_type.insert(self.type_id(name).map_err(wrong)?, resolve(rule).map_err(wrong)?);
        }
        Ok(by_type)
    }

    pub(super) fn paths(&self, place: &str, rules: &HashMap<String, Values>) -> Result<ByType<Vec<Path>>, String> {
        self.by_type(place, rules, |paths| self.each(paths))
    }

    fn each(&self, paths: &Values) -> Result<Vec<Path>, String> {
        paths.iter().map(|path| self.path(path)).collect()
    }

    pub(super) fn path(&self, path: &str) -> Result<Path, String> {
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
            let steps = steps.split('.').map(|step| self.step(step)).collect::<Result<_, _>>()?;
            return Ok(Path::Prefixed(word, steps));
        }
        if let Some((steps, word)) = path.rsplit_once('.').and_then(|(steps, word)| Some((steps, literal(word)?))) {
            let steps = steps.split('.').map(|step| self.step(step)).collect::<Result<_, _>>()?;
            return Ok(Path::Given(steps, word));
        }
        path.split('.').map(|step| self.step(step)).collect::<Result<_, _>>().map(Path::Steps)
    }

    fn step(&self, step: &str) -> Result<Step, String> {
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

    pub(super) fn count(&self, rule: &CountRule) -> Result<Count, String> {
        let types = |names: &[String]| names.iter().map(|name| self.type_id(name)).collect::<Result<Vec<_>, _>>();
        Ok(Count {
            at: self.each(&rule.at)?,
            only: types(&rule.only)?,
            except: types(&rule.except)?,
            except_text: rule.except_text.clone(),
            single: types(&rule.single)?,
            each: if rule.each.is_empty() { None } else { Some(self.field(&rule.each)?) },
        })
    }
}
