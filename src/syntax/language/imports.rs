//! The rules of `[imports]` in a language's data, with their words looked up in the grammar.

use super::by_type::ByType;
use super::lazy_regex::LazyRegex;
use super::name_data::{ImportPart, ImportRule};
use super::notation::{Notation, in_key};
use super::organize::Organize;
use super::path::Path;
use super::place::NodePatterns;
use super::symbols::TypeId;
use super::type_set::TypeSet;
use super::values::Values;

/// How the imports of a language are read, and where they go. `ImportRule` describes each field.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct Imports {
    parts: Vec<(Option<TypeId>, TypeId, Part)>,
    pub types: TypeSet,
    pub calls: Vec<String>,
    pub first: NodePatterns,
    pub opens: TypeSet,
    /// Containers, with the type of the definition that must come first in them, if any.
    pub containers: ByType<Option<TypeId>>,
    pub separator: String,
    pub itself: String,
    pub globs: TypeSet,
    pub varieties: TypeSet,
    pub weak: TypeSet,
    pub strong: TypeSet,
    pub own_names: TypeSet,
    pub declares: TypeSet,
    pub free: TypeSet,
    pub binds: Option<LazyRegex>,
    pub file_comments: Vec<String>,
    pub organize: Option<Organize>,
}

/// How a node of an import is read.
#[derive(Debug)]
pub struct Part {
    /// Paths to the module of its names.
    pub source: Vec<Path>,
    /// Paths to the parts inside.
    pub each: Vec<Path>,
    /// Path to the imported name.
    pub name: Option<Path>,
    /// Path to the alias.
    pub alias: Option<Path>,
    /// Whether a comma begins another import.
    pub split: bool,
}

impl Imports {
    /// Looks up the words of the rule in a section of the data.
    ///
    /// # Errors
    /// At a word that the grammar does not have.
    pub(super) fn new(rule: &ImportRule, section: &str, notation: Notation<'_>) -> Result<Imports, String> {
        let marks =
            |key: &str, words: &[String]| notation.marks(&format!("{section}.{key}"), words.iter().map(String::as_str));
        let mut parts = Vec::new();
        for (place, part) in &rule.parts {
            let key = format!("{section}.parts.{place}");
            let (outer, inner) =
                place.split_once('/').map_or((None, place.as_str()), |(outer, inner)| (Some(outer), inner));
            let outer = outer.map(|word| notation.mark(word)).transpose().map_err(in_key(&key))?;
            let inner = notation.mark(inner).map_err(in_key(&key))?;
            parts.push((outer, inner, Part::new(part, notation).map_err(in_key(&key))?));
        }
        // A rule for one parent takes precedence over the rule for all.
        parts.sort_by_key(|(outer, _, _)| outer.is_none());
        let binds = Some(&rule.binds).filter(|binds| !binds.is_empty());
        let binds = binds.map(|binds| notation.regex(&format!("{section}.binds"), binds)).transpose();
        let first = |word: &String| {
            if word.is_empty() { Ok(None) } else { notation.mark(word).map(Some) }
        };
        Ok(Imports {
            parts,
            types: marks("types", &rule.types)?,
            calls: rule.calls.clone(),
            first: notation.patterns(&format!("{section}.first"), rule.first.iter().map(String::as_str))?,
            opens: marks("opens", &rule.opens)?,
            containers: notation.by_type(&format!("{section}.containers"), &rule.containers, first)?,
            separator: rule.separator.clone(),
            itself: rule.itself.clone(),
            globs: marks("globs", &rule.globs)?,
            varieties: marks("varieties", &rule.varieties)?,
            weak: marks("weak", &rule.weak)?,
            strong: marks("strong", &rule.strong)?,
            own_names: marks("own_names", &rule.own_names)?,
            declares: marks("declares", &rule.declares)?,
            free: marks("free", &rule.free)?,
            binds: binds?,
            file_comments: rule.file_comments.clone(),
            organize: rule.organize.as_ref().map(|rule| Organize::new(rule, section, notation)).transpose()?,
        })
    }

    /// The rule for a node type in a type of parent.
    pub fn part(&self, parent: Option<TypeId>, id: TypeId) -> Option<&Part> {
        let fits =
            |(outer, inner, _): &&(Option<TypeId>, TypeId, Part)| *inner == id && (outer.is_none() || *outer == parent);
        self.parts.iter().find(fits).map(|(_, _, part)| part)
    }
}

impl Part {
    fn new(part: &ImportPart, notation: Notation<'_>) -> Result<Part, String> {
        let path = |path: &String| notation.path(path);
        let paths = |values: &Option<Values>| {
            let each = values.iter().flat_map(Values::iter);
            each.map(|word| notation.path(word)).collect::<Result<Vec<_>, _>>()
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
