//! The registry: the built-in languages and the user's own, which take precedence.
//!
//! Until a language is used, only the first paragraph of its data is read, by which its files are detected. The rest is
//! read and resolved against the grammar when a file in the language is met.

use std::path::PathBuf;
use std::sync::{OnceLock, RwLock};

use super::error::LanguageError;
use super::grammars;
use super::row::{Grammar, Row, Source};

/// A user's folder for a language, as it was read; `None` for missing files.
#[derive(Debug, Clone, Default)]
pub struct UserFolder {
    /// The folder's name, which is the language's.
    pub name: String,
    /// `language.toml`.
    pub data: Option<String>,
    /// The name and text of each `*.sel`; empty if there is none.
    pub named: Vec<(String, String)>,
    /// `outline.toml`.
    pub outline: Option<String>,
    /// `node-types.json`.
    pub node_types: Option<String>,
    /// The path of the grammar as a shared library.
    pub library: Option<PathBuf>,
}

static USERS: RwLock<Vec<&'static Row>> = RwLock::new(Vec::new());

/// Adds a user's language, or overlays the user's files on a built-in one. Affects trees made from now on.
///
/// # Errors
/// If there is no grammar of that name and the folder has none; or if the first paragraph of its data is invalid, so
/// that no file could be detected. Other errors in the files are reported when the language is used.
pub fn add(folder: UserFolder) -> Result<(), LanguageError> {
    let built_in = grammars::ROWS.iter().find(|row| row.name == folder.name);
    let grammar = match (folder.library, built_in) {
        (Some(path), _) => Grammar::Library { path, symbol: format!("tree_sitter_{}", folder.name.replace('-', "_")) },
        (None, Some(Row { grammar: Grammar::BuiltIn(grammar), .. })) => Grammar::BuiltIn(*grammar),
        (None, _) => return Err(LanguageError::NoGrammar { name: folder.name }),
    };
    let keep = |text: Option<String>, built_in: Option<&'static str>| -> &'static str {
        text.map_or(built_in.unwrap_or(""), |text| Box::leak(text.into_boxed_str()))
    };
    let written = folder.data.map(|text| Source::Written(Box::leak(text.into_boxed_str())));
    let Some(data) = written.or(built_in.map(|row| row.data)) else {
        let message = "a grammar without `language.toml`".to_owned();
        return Err(LanguageError::Data { name: folder.name, message });
    };
    let named = |files: Vec<(String, String)>| -> &'static [(&'static str, &'static str)] {
        let leak = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
        let files: Vec<_> = files.into_iter().map(|(name, text)| (leak(name), leak(text))).collect();
        Box::leak(files.into_boxed_slice())
    };
    // It lives as long as the program, as built-in rows do.
    let row = Box::leak(Box::new(Row {
        data,
        named: if folder.named.is_empty() { built_in.map_or(&[], |row| row.named) } else { named(folder.named) },
        is_own: true,
        outline: keep(folder.outline, built_in.map(|row| row.outline)),
        node_types: keep(folder.node_types, built_in.map(|row| row.node_types)),
        name: Box::leak(folder.name.into_boxed_str()),
        grammar,
        head: Box::leak(Box::new(OnceLock::new())),
        cell: Box::leak(Box::new(OnceLock::new())),
    }));
    let mut users = USERS.write().unwrap_or_else(std::sync::PoisonError::into_inner);
    users.retain(|known| known.name != row.name);
    users.push(row);
    row.read_head_once().as_ref().map(|_| ()).map_err(Clone::clone)
}

/// All rows, the user's first, without built-in ones that the user replaced.
pub(super) fn rows() -> impl Iterator<Item = &'static Row> {
    let users = USERS.read().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
    let names: Vec<&str> = users.iter().map(|row| row.name).collect();
    let built_in = grammars::ROWS.iter().filter(move |row| !names.contains(&row.name));
    users.into_iter().chain(built_in)
}

/// The names of all languages, sorted.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&'static str> = rows().map(|row| row.name).collect();
    names.sort_unstable();
    names
}

/// The language of that name or alias. Names are tried first.
pub(super) fn find(name: &str) -> Option<&'static Row> {
    let known = |row: &&'static Row| row.head().is_some_and(|head| head.aliases.iter().any(|alias| alias == name));
    rows().find(|row| row.name == name).or_else(|| rows().find(known))
}
