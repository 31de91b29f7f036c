//! The row of a language: its grammar and the files of its folder, of which little is read until the language is used.

use std::path::PathBuf;
use std::sync::OnceLock;

use tree_sitter_language::LanguageFn;

use super::error::LanguageError;
use super::head::{Head, Headed, Source};
use super::library;
use super::resolved::Language;

/// A grammar and the files of its folder.
pub(super) struct Row {
    pub name: &'static str,
    pub grammar: Grammar,
    /// The grammar with which ast-grep reads the language, if it is another one.
    pub ast_grep: Option<LanguageFn>,
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

/// A language, or what is wrong with it.
pub(super) type Loaded = Result<Box<Language>, LanguageError>;

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
