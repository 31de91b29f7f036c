//! Which languages there are: the built-in ones, and those of a user, which come first.
//!
//! Little is read of a language until it is used: the keys by which its files are recognised. The rest is read, and compiled
//! against the grammar, when a file in it is met.
//!
//! A [`Language`] lives as long as the program, so that trees can hold it. A user's language is therefore kept by its content: to
//! read the same files again gives the same language, in whichever [`Languages`].

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use super::error::LanguageError;
use super::grammars;
use super::head::{Head, Source};
use super::resolved::Language;
use super::row::{Base, Grammar, Row};
use crate::locks::IgnorePoison;

/// A user's own folder of a language, as it was read; `None` for a file that is missing.
#[derive(Debug, Clone, Default)]
pub struct UserFolder {
    /// The folder's name, which is the language's.
    pub name: String,
    /// `language.toml`.
    pub data: Option<String>,
    /// Each `*.sel`, its name and its text; empty if there is none.
    pub named: Vec<(String, String)>,
    /// `outline.toml`.
    pub outline: Option<String>,
    /// `node-types.json`.
    pub node_types: Option<String>,
    /// The path of the grammar as a shared library.
    pub library: Option<PathBuf>,
}

/// A set of languages, each with a name of its own. Cheap to clone.
#[derive(Clone)]
pub struct Languages {
    /// A user's first; a built-in one that a user's replaces is left out.
    rows: Arc<[&'static Row]>,
}

impl std::fmt::Debug for Languages {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.rows.iter().map(|row| row.name)).finish()
    }
}

impl Default for Languages {
    fn default() -> Languages {
        Languages::built_in().clone()
    }
}

impl Languages {
    /// The languages that the library was built with.
    pub fn built_in() -> &'static Languages {
        static BUILT_IN: LazyLock<Languages> = LazyLock::new(|| Languages { rows: grammars::ROWS.iter().collect() });
        &BUILT_IN
    }

    /// The built-in languages with those of a user, which add to them or replace files of theirs. A folder without a
    /// grammar is left out. Files of a language are not recognised if the keys for that cannot be read, and using it is an error.
    /// Other mistakes in its files are found when the language is used.
    pub fn with(folders: Vec<UserFolder>) -> (Languages, Vec<LanguageError>) {
        let bases: BTreeMap<String, Base> = folders.iter().filter_map(base_of).collect();
        let mut rows: Vec<&'static Row> = Vec::new();
        let mut errors = Vec::new();
        for folder in folders {
            match user_row(folder, &bases) {
                Ok(row) => {
                    rows.push(row);
                    errors.extend(row.read_head_once().as_ref().err().cloned());
                }
                Err(error) => errors.push(error),
            }
        }
        let built_in = grammars::ROWS.iter().filter(|row| !rows.iter().any(|own| own.name == row.name));
        let built_in: Vec<&'static Row> = built_in.collect();
        rows.extend(built_in);
        (Languages { rows: rows.into() }, errors)
    }

    /// The language that goes by `name`: its own, or one of its aliases; case doesn't matter.
    ///
    /// # Errors
    /// When no language has that name, or its files are wrong.
    pub fn named(&self, name: &str) -> Result<&'static Language, LanguageError> {
        let wanted = name.to_ascii_lowercase();
        let row = self.find(&wanted).ok_or_else(|| {
            let nearest = self.names().into_iter().filter(|known| strsim::jaro(known, &wanted) > 0.7);
            let nearest = nearest.max_by(|a, b| strsim::jaro(a, &wanted).total_cmp(&strsim::jaro(b, &wanted)));
            LanguageError::Unknown { name: name.to_owned(), nearest: nearest.map(str::to_owned) }
        })?;
        row.language()
    }

    /// The language that code in a text calls so: by its name, an alias, or the extension of its files.
    pub fn in_code(&self, name: &str) -> Option<&'static Language> {
        let has_extension = |row: &&&'static Row| {
            row.head().is_some_and(|head| head.extensions.iter().any(|extension| extension.eq_ignore_ascii_case(name)))
        };
        let row = self.find(name).or_else(|| self.rows.iter().find(has_extension).copied())?;
        row.language().ok()
    }

    /// Every usable language, by name.
    pub fn all(&self) -> Vec<&'static Language> {
        self.names().into_iter().filter_map(|name| self.named(name).ok()).collect()
    }

    /// The names of all languages, sorted.
    pub fn names(&self) -> Vec<&'static str> {
        let mut names: Vec<&'static str> = self.rows.iter().map(|row| row.name).collect();
        names.sort_unstable();
        names
    }

    /// The row of that name or alias. Names are tried first.
    pub(super) fn find(&self, name: &str) -> Option<&'static Row> {
        let known = |row: &&&'static Row| row.head().is_some_and(|head| head.aliases.iter().any(|alias| alias == name));
        self.rows.iter().find(|row| row.name == name).or_else(|| self.rows.iter().find(known)).copied()
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &'static Row> {
        self.rows.iter().copied()
    }
}

fn built_in(name: &str) -> Option<&'static Row> {
    grammars::ROWS.iter().find(|row| row.name == name)
}

/// A text for as long as the program runs; the same text is kept once.
fn keep(text: String) -> &'static str {
    static KEPT: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
    let mut kept = KEPT.lock().ignore_poison();
    if let Some(known) = kept.iter().find(|known| **known == text) {
        return known;
    }
    let text: &'static str = Box::leak(text.into_boxed_str());
    kept.push(text);
    text
}

/// The files of named selectors, for as long as the program runs.
fn keep_files(files: &[(String, String)]) -> &'static [(&'static str, &'static str)] {
    static KEPT: Mutex<Vec<&'static [(&'static str, &'static str)]>> = Mutex::new(Vec::new());
    let files: Vec<_> = files.iter().map(|(name, text)| (keep(name.clone()), keep(text.clone()))).collect();
    let mut kept = KEPT.lock().ignore_poison();
    if let Some(known) = kept.iter().find(|known| ***known == *files) {
        return known;
    }
    let files: &'static [_] = Box::leak(files.into_boxed_slice());
    kept.push(files);
    files
}

/// What a user's folder gives a language that extends it.
fn base_of(folder: &UserFolder) -> Option<(String, Base)> {
    let built_in = built_in(&folder.name);
    let data = match &folder.data {
        Some(text) => Source::Written(keep(text.clone())),
        None => built_in?.data,
    };
    Some((folder.name.clone(), Base { data, named: named(folder), outline: outline(folder) }))
}

fn named(folder: &UserFolder) -> &'static [(&'static str, &'static str)] {
    let built_in = built_in(&folder.name).map_or(&[][..], |row| row.named);
    if folder.named.is_empty() { built_in } else { keep_files(&folder.named) }
}

fn outline(folder: &UserFolder) -> &'static str {
    let built_in = built_in(&folder.name).map_or("", |row| row.outline);
    folder.outline.clone().map_or(built_in, keep)
}

/// The row of a user's folder, laid over the built-in language of its name if there is one.
fn user_row(folder: UserFolder, bases: &BTreeMap<String, Base>) -> Result<&'static Row, LanguageError> {
    static KEPT: Mutex<Vec<&'static Row>> = Mutex::new(Vec::new());
    let over = built_in(&folder.name);
    let (named, outline) = (named(&folder), outline(&folder));
    let grammar = match (folder.library, over) {
        (Some(path), _) => Grammar::Library { path, symbol: format!("tree_sitter_{}", folder.name.replace('-', "_")) },
        (None, Some(Row { grammar: Grammar::BuiltIn(grammar), .. })) => Grammar::BuiltIn(*grammar),
        (None, _) => return Err(LanguageError::NoGrammar { name: folder.name }),
    };
    let written = folder.data.map(|text| Source::Written(keep(text)));
    let Some(data) = written.or(over.map(|row| row.data)) else {
        let message = "a grammar without `language.toml`".to_owned();
        return Err(LanguageError::Data { name: folder.name, message });
    };
    let name = keep(folder.name);
    let head = Head::read(name, data);
    let base = head.as_ref().ok().map(|head| &head.extends).filter(|name| !name.is_empty());
    let base = base.and_then(|name| bases.get(name).copied().or_else(|| built_in(name).map(Row::as_base)));
    let node_types = folder.node_types.map_or(over.map_or("", |row| row.node_types), keep);
    let is_same = |row: &&&'static Row| {
        let files = (row.name, row.data, row.node_types, row.named, row.outline, row.base);
        files == (name, data, node_types, named, outline, base) && row.grammar.is_same(&grammar)
    };
    let mut kept = KEPT.lock().ignore_poison();
    if let Some(known) = kept.iter().find(is_same) {
        return Ok(known);
    }
    let row: &'static Row = Box::leak(Box::new(Row {
        name,
        grammar,
        ast_grep: None,
        node_types,
        data,
        named,
        outline,
        is_own: true,
        base,
        head: Box::leak(Box::new(OnceLock::from(head))),
        cell: Box::leak(Box::new(OnceLock::new())),
    }));
    kept.push(row);
    Ok(row)
}
