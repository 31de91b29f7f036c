//! The row of a language: its grammar and the files of its folder, of which little is read until the language is used.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::OnceLock;

use tree_sitter_language::LanguageFn;

use super::error::LanguageError;
use super::form::plain;
use super::library;
use super::resolved::Language;
use super::written;

/// A grammar and the files of its folder.
pub(super) struct Row {
    pub name: &'static str,
    pub grammar: Grammar,
    pub node_types: &'static str,
    pub data: Source,
    /// The files of named selectors: name and text.
    pub named: &'static [(&'static str, &'static str)],
    pub outline: &'static str,
    /// Whether the files may be any user's.
    pub is_own: bool,
    /// What it extends, for a user's.
    pub base: Option<Base>,
    pub head: &'static OnceLock<Headed>,
    pub cell: &'static OnceLock<Loaded>,
}

/// What a language takes from the one that it extends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Base {
    pub data: Source,
    pub named: &'static [(&'static str, &'static str)],
    pub outline: &'static str,
}

/// A language's data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// As the build script leaves it, in JSON, what it extends joined with it.
    Compiled { head: &'static str, whole: &'static str },
    /// A `language.toml` as it is.
    Written(&'static str),
}

impl Source {
    /// All of its text.
    pub fn text(self) -> &'static str {
        match self {
            Source::Compiled { whole, .. } => whole,
            Source::Written(text) => text,
        }
    }

    /// The data after the first paragraph, as a table.
    pub fn table(self) -> Result<toml::Table, String> {
        match self {
            Source::Compiled { whole, .. } => serde_json::from_str(whole).map_err(|error| error.to_string()),
            Source::Written(text) => text.parse().map_err(|error: toml::de::Error| error.to_string()),
        }
    }
}

/// Where a grammar comes from.
pub(super) enum Grammar {
    BuiltIn(LanguageFn),
    Library { path: PathBuf, symbol: String },
}

impl Grammar {
    /// Whether both are the same library; a language has one built-in grammar.
    pub fn is_same(&self, other: &Grammar) -> bool {
        match (self, other) {
            (Grammar::BuiltIn(_), Grammar::BuiltIn(_)) => true,
            (Grammar::Library { path: one, .. }, Grammar::Library { path: other, .. }) => one == other,
            _ => false,
        }
    }
}

/// The first paragraph of a language's data, or what is wrong with it.
pub(super) type Headed = Result<Head, LanguageError>;
/// A language, or what is wrong with it.
pub(super) type Loaded = Result<Language, LanguageError>;

plain! {
    /// The first paragraph of `language.toml`: all by which a file of the language is recognised, and the folder of a project.
    Head {
        /// The language's name, in lower case.
        name: String,
        /// Other names of the language.
        aliases: Vec<String>,
        /// File extensions, without the dot.
        extensions: Vec<String>,
        /// Whole file names.
        file_names: Vec<String>,
        /// Interpreters in a first line `#!`; a version after the name is ignored.
        shebangs: Vec<String>,
        /// Maps another language's extension to a regex: a file with a line that matches is in this language.
        claims: BTreeMap<String, String>,
        /// Files that are at the top of a project, by which its folder is recognised where there is no repository.
        projects: Vec<String>,
        /// Files at the top of a workspace of several projects, each with a text that must be in it.
        workspaces: BTreeMap<String, String>,
        /// The language on whose data this is based: tables are merged, and everything else in this file replaces the
        /// other's.
        extends: String,
    }
}

impl Head {
    /// Reads the keys by which files of a language are recognised.
    pub(super) fn read(name: &str, data: Source) -> Headed {
        let wrong = |message: String| LanguageError::of_file(name, "language.toml", message);
        let head: Head = match data {
            Source::Compiled { head, .. } => serde_json::from_str(head).map_err(|error| wrong(error.to_string()))?,
            Source::Written(text) => {
                let text = first_paragraph(text);
                let table = text.parse().map_err(|error: toml::de::Error| wrong(error.to_string()))?;
                written::read(&table, text).map_err(wrong)?
            }
        };
        if head.name != name {
            return Err(wrong(format!("it calls itself `{}`", head.name)));
        }
        Ok(head)
    }
}

impl std::fmt::Debug for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Row {
    /// What a language that extends this one takes from it.
    pub fn as_base(&self) -> Base {
        Base { data: self.data, named: self.named, outline: self.outline }
    }

    /// By what its files are recognised; `None` where it can't be read.
    pub fn head(&self) -> Option<&Head> {
        self.read_head_once().as_ref().ok()
    }

    /// The first paragraph of its data, read once.
    pub fn read_head_once(&self) -> &Headed {
        self.head.get_or_init(|| Head::read(self.name, self.data))
    }

    /// The grammar.
    pub fn load_grammar(&self) -> Result<tree_sitter::Language, LanguageError> {
        match &self.grammar {
            Grammar::BuiltIn(grammar) => Ok((*grammar).into()),
            Grammar::Library { path, symbol } => library::load(path, symbol)
                .map_err(|message| LanguageError::Library { name: self.name.to_owned(), message }),
        }
    }
}

/// The first lines that say something, up to the next empty one.
pub(super) fn first_paragraph(data: &str) -> &str {
    let mut start = None;
    let mut at = 0;
    for line in data.split_inclusive('\n') {
        let is_blank = line.trim().is_empty();
        match start {
            None if !is_blank && !line.starts_with('#') => start = Some(at),
            Some(start) if is_blank => return &data[start..at],
            _ => {}
        }
        at += line.len();
    }
    start.map_or("", |start| &data[start..])
}
