//! The rules of `[imports]` in a language's data, with their words looked up in the grammar.

use regex::Regex;

use super::data::{ImportPart, ImportRule, Values};
use super::path::Path;
use super::symbols::{Symbols, TypeId};
use super::words::Words;

/// How the imports of a language are read.
#[derive(Debug, Default)]
pub struct Imports {
    parts: Vec<(Option<TypeId>, TypeId, Part)>,
    /// Tokens and types that import all that a module has.
    pub globs: Vec<TypeId>,
    /// Tokens and types that make a variety of an import.
    pub varieties: Vec<TypeId>,
    /// What of a path an import without an alias binds: the first group, or the whole match.
    pub binds: Option<Regex>,
    /// Words that a comment about the whole file begins with.
    pub file_comments: Vec<String>,
}

/// How a node of an import is read.
#[derive(Debug)]
pub struct Part {
    /// Paths to what its names are imported from.
    pub source: Vec<Path>,
    /// Paths to the parts inside.
    pub each: Vec<Path>,
    /// Path to the imported name.
    pub name: Option<Path>,
    /// Path to the name that it is bound to.
    pub alias: Option<Path>,
    /// Whether a comma begins another import.
    pub split: bool,
}

impl Imports {
    /// Looks up the words of a rule.
    ///
    /// # Errors
    /// Says which word the grammar does not have.
    pub(super) fn new(rule: &ImportRule, symbols: &Symbols) -> Result<Imports, String> {
        let known = |word: &str| symbols.type_id(word).or_else(|| symbols.token_id(word));
        let missing = |key: &str, word: &str| format!("imports.{key}: the grammar has no type or token `{word}`");
        let mark = |key: &str, word: &str| known(word).ok_or_else(|| missing(key, word));
        let marks =
            |key: &str, words: &[String]| words.iter().map(|word| mark(key, word)).collect::<Result<Vec<_>, _>>();
        let lists = [
            ("types", &rule.types),
            ("first", &rule.first),
            ("opens", &rule.opens),
            ("declares", &rule.declares),
            ("free", &rule.free),
            ("weak", &rule.weak),
            ("strong", &rule.strong),
            ("own_names", &rule.own_names),
        ];
        for (key, words) in lists {
            let mut words = words.iter().flat_map(|word| word.split('/'));
            words.try_for_each(|word| mark(key, word).map(|_| ()))?;
        }
        for (container, first) in &rule.containers {
            let mut words = [container, first].into_iter().filter(|word| !word.is_empty());
            words.try_for_each(|word| mark("containers", word).map(|_| ()))?;
        }
        let mut parts = Vec::new();
        for (place, part) in &rule.parts {
            let (outer, inner) =
                place.split_once('/').map_or((None, place.as_str()), |(outer, inner)| (Some(outer), inner));
            let outer = outer.map(|word| mark("parts", word)).transpose()?;
            parts.push((
                outer,
                mark("parts", inner)?,
                Part::new(part, symbols).map_err(|message| format!("imports.parts.{place}: {message}"))?,
            ));
        }
        // A rule for one parent goes before the rule for all.
        parts.sort_by_key(|(outer, _, _)| outer.is_none());
        let binds = Some(&rule.binds).filter(|binds| !binds.is_empty());
        let binds =
            binds.map(|binds| Regex::new(binds)).transpose().map_err(|error| format!("imports.binds: {error}"))?;
        Ok(Imports {
            parts,
            globs: marks("globs", &rule.globs)?,
            varieties: marks("varieties", &rule.varieties)?,
            binds,
            file_comments: rule.file_comments.clone(),
        })
    }

    /// The rule of a node of one type in a parent of another.
    pub fn part(&self, parent: Option<TypeId>, id: TypeId) -> Option<&Part> {
        let fits =
            |(outer, inner, _): &&(Option<TypeId>, TypeId, Part)| *inner == id && (outer.is_none() || *outer == parent);
        self.parts.iter().find(fits).map(|(_, _, part)| part)
    }
}

impl Part {
    fn new(part: &ImportPart, symbols: &Symbols) -> Result<Part, String> {
        let words = Words::new(symbols);
        let path = |path: &String| words.path(path);
        let paths = |values: &Option<Values>| {
            let each = values.iter().flat_map(Values::iter);
            each.map(|word| words.path(word)).collect::<Result<Vec<_>, _>>()
        };
        Ok(Part {
            source: paths(&part.source)?,
            each: paths(&part.each)?,
            name: part.name.as_ref().map(path).transpose()?,
            alias: part.alias.as_ref().map(path).transpose()?,
            split: part.split,
        })
    }
}
