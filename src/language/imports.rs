//! `[imports]` in a language's data: as it is written, and with its words looked up in the grammar.

use std::collections::BTreeMap;

use regex::Regex;
use serde::Deserialize;

use super::data::Values;
use super::{Language, Path, TypeId, read_path};

/// Which types are imports, how they are read, and where they go.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImportRule {
    /// All of them.
    #[serde(default)]
    pub types: Vec<String>,
    /// The functions that an import calls, where imports are calls: Ruby's `require`.
    #[serde(default)]
    pub calls: Vec<String>,
    /// Types that must stand at the start of the file, or of their block: a package clause. `outer/inner` is an `outer` that holds
    /// an `inner` and nothing else: `"use strict";`.
    #[serde(default)]
    pub first: Vec<String>,
    /// Types before which there is no code: `<?php`.
    #[serde(default)]
    pub opens: Vec<String>,
    /// What a comment begins with that is about the whole file, and stays above its imports.
    #[serde(default)]
    pub file_comments: Vec<String>,
    /// Types that imports go into where they hold all of the file: a namespace; and the type of the definition of the same name that
    /// must stand first in them: the include guard's `#define`.
    #[serde(default)]
    pub containers: BTreeMap<String, String>,
    /// Node type in an import, or `parent/type`, to how it is read. Other nodes are names.
    #[serde(default)]
    pub parts: BTreeMap<String, ImportPart>,
    /// What joins a source and a name to a path; empty where `a` from `b` and `b.a` are not the same.
    #[serde(default)]
    pub separator: String,
    /// The name of a source in its own group: `self`.
    #[serde(default)]
    pub itself: String,
    /// Tokens and types that import all that a module has: `*`.
    #[serde(default)]
    pub globs: Vec<String>,
    /// Tokens and types in an import that make it another one: `static`.
    #[serde(default)]
    pub varieties: Vec<String>,
    /// Those that ask for less: what is imported without them is imported with them.
    #[serde(default)]
    pub weak: Vec<String>,
    /// Those that ask for more: what is imported with them is imported without them.
    #[serde(default)]
    pub strong: Vec<String>,
    /// Those whose names do not clash with other names.
    #[serde(default)]
    pub own_names: Vec<String>,
    /// A regex that finds the name which a path binds without an alias: its first group, or all of it. Empty where no name is bound.
    #[serde(default)]
    pub binds: String,
    /// Types at the top of the file that bind names like an import, besides definitions: variables.
    #[serde(default)]
    pub declares: Vec<String>,
    /// Types of definitions whose names do not clash with imported ones.
    #[serde(default)]
    pub free: Vec<String>,
}

/// How a node of an import is read.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImportPart {
    /// Paths to what its names are imported from, as in `names`.
    #[serde(default)]
    pub source: Option<Values>,
    /// Paths to the parts inside.
    #[serde(default)]
    pub each: Option<Values>,
    /// Path to the imported name.
    #[serde(default)]
    pub name: Option<String>,
    /// Path to the name that it is bound to.
    #[serde(default)]
    pub alias: Option<String>,
    /// Whether a comma begins another import: `import a.B, c.D`.
    #[serde(default)]
    pub split: bool,
}

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
    pub(super) fn new(rule: &ImportRule, language: &Language) -> Result<Imports, String> {
        let known = |word: &str| language.type_id(word).or_else(|| language.token_id(word));
        let missing = |word: &str| format!("imports: the grammar has no type or token `{word}`");
        let mark = |word: &str| known(word).ok_or_else(|| missing(word));
        let marks = |words: &[String]| words.iter().map(|word| mark(word)).collect::<Result<Vec<_>, _>>();
        for word in rule.types.iter().chain(&rule.first).chain(&rule.opens).chain(&rule.declares).chain(&rule.free) {
            word.split('/').try_for_each(|word| mark(word).map(|_| ()))?;
        }
        for (container, first) in &rule.containers {
            [container, first]
                .into_iter()
                .filter(|word| !word.is_empty())
                .try_for_each(|word| mark(word).map(|_| ()))?;
        }
        let mut parts = Vec::new();
        for (place, part) in &rule.parts {
            let (outer, inner) =
                place.split_once('/').map_or((None, place.as_str()), |(outer, inner)| (Some(outer), inner));
            let outer = outer.map(mark).transpose()?;
            parts.push((
                outer,
                mark(inner)?,
                Part::new(part, language).map_err(|message| format!("imports: {place}: {message}"))?,
            ));
        }
        // A rule for one parent goes before the rule for all.
        parts.sort_by_key(|(outer, _, _)| outer.is_none());
        let binds = Some(&rule.binds).filter(|binds| !binds.is_empty());
        let binds = binds.map(|binds| Regex::new(binds)).transpose().map_err(|error| format!("imports: {error}"))?;
        Ok(Imports {
            parts,
            globs: marks(&rule.globs)?,
            varieties: marks(&rule.varieties)?,
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
    fn new(part: &ImportPart, language: &Language) -> Result<Part, String> {
        let path = |path: &String| read_path(language, path);
        let paths = |values: &Option<Values>| {
            let words = values.iter().flat_map(Values::iter);
            words.map(|word| read_path(language, word)).collect::<Result<Vec<_>, _>>()
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
