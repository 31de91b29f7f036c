//! A language: its data, resolved against its grammar.

use std::any::Any;
use std::sync::OnceLock;

use super::head::Head;
use super::kinds::KindRule;
use super::lazy_regex::LazyRegex;
use super::memo::{Memo, Memos};
use super::node_types::NodeTypes;
use super::path::Path;
use super::precedence::Precedence;
use super::role::Role;
use super::spec::{Data, Spec, Unread};
use super::symbols::{FieldId, Symbols, TypeId};

/// A language: its data, resolved against its grammar.
#[derive(Debug)]
pub struct Language {
    pub(super) name: &'static str,
    pub(super) head: &'static Head,
    pub(super) symbols: Symbols,
    pub(super) node_types_source: &'static str,
    pub(super) named_selectors: String,
    pub(super) named_files: Vec<(&'static str, &'static str)>,
    pub(super) is_built_in: bool,
    pub(super) outline: &'static str,
    pub(super) roles: Vec<Role>,
    pub(super) spec: Spec,
    pub(super) node_types: OnceLock<NodeTypes>,
    pub(super) fingerprint: String,
    pub(super) data: OnceLock<Box<Data>>,
    pub(super) memos: Memos,
    /// The language as ast-grep reads it; `None` if that is this one.
    pub(super) for_ast_grep: OnceLock<Option<Box<Language>>>,
}

impl Language {
    /// Its name, in lower case: `python`.
    pub fn name(&self) -> &str {
        self.name
    }

    /// Other names that it goes by.
    pub fn aliases(&self) -> &[String] {
        &self.head.aliases
    }

    /// What language servers call it: `typescriptreact` for `tsx`.
    pub fn server_name(&self) -> &str {
        if self.spec.server_name.is_empty() { self.name } else { &self.spec.server_name }
    }

    /// The extensions of its files, without the dot.
    pub fn extensions(&self) -> &[String] {
        &self.head.extensions
    }

    /// How a file is stored, if not as text of the language: the label by which its bytes are decoded.
    pub fn stored_as(&self, path: &str) -> Option<&str> {
        let (_, extension) = path.rsplit_once('.')?;
        self.head.stored.get(extension).map(String::as_str)
    }

    /// Whole names of its files.
    pub fn file_names(&self) -> &[String] {
        &self.head.file_names
    }

    /// The keys by which its files are recognised, for tests of the data.
    #[doc(hidden)]
    pub fn head(&self) -> &Head {
        self.head
    }

    /// Whether the language is built in; a user's data is checked when it is first used.
    pub fn is_built_in(&self) -> bool {
        self.is_built_in
    }

    /// The grammar, for the parser.
    pub fn grammar(&self) -> &tree_sitter::Language {
        self.symbols.grammar()
    }

    /// The lines of its named selectors.
    pub fn named_selectors(&self) -> &str {
        &self.named_selectors
    }

    /// The file that contains a line of them.
    pub fn named_file(&self, line: &str) -> &'static str {
        let holds = |text: &str| text.lines().any(|other| other.trim() == line);
        self.named_files.iter().find(|(_, text)| holds(text)).map_or("*.sel", |(name, _)| *name)
    }

    /// Its outline's rows, as TOML.
    pub fn outline(&self) -> &str {
        self.outline
    }

    /// The version of data and grammar; changes whenever one of them does.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// A type's name: `function_definition`, `(`, `ERROR`.
    pub fn type_name(&self, id: TypeId) -> &str {
        self.symbols.type_name(id)
    }

    /// The type of every root: the plain type of the kind `module`.
    pub fn root_type(&self) -> Option<TypeId> {
        self.spec.kind("module").iter().find_map(|rule| match rule {
            KindRule::Type(id) => Some(*id),
            KindRule::Selector(_) => None,
        })
    }

    /// The number of types in the grammar, including hidden ones.
    pub fn type_count(&self) -> usize {
        self.symbols.type_count()
    }

    /// The id of a named type. `ERROR` is one.
    pub fn type_id(&self, name: &str) -> Option<TypeId> {
        self.symbols.type_id(name)
    }

    /// Whether a word names a supertype of the grammar: no node has it as its type.
    pub fn is_supertype(&self, name: &str) -> bool {
        self.symbols.is_supertype(name)
    }

    /// The id of an anonymous token: `async`, `(`.
    pub fn token_id(&self, text: &str) -> Option<TypeId> {
        self.symbols.token_id(text)
    }

    /// The names of all named types.
    pub fn named_type_names(&self) -> impl Iterator<Item = &'static str> {
        self.symbols.named_type_names()
    }

    /// The texts of all anonymous tokens.
    pub fn token_texts(&self) -> impl Iterator<Item = &'static str> {
        self.symbols.token_texts()
    }

    /// The name of a field; empty if there is none.
    pub fn field_name(&self, id: FieldId) -> &str {
        self.symbols.field_name(id)
    }

    /// The id of a field.
    pub fn field_id(&self, name: &str) -> Option<FieldId> {
        self.symbols.field_id(name)
    }

    /// The names of all fields.
    pub fn all_field_names(&self) -> impl Iterator<Item = &'static str> {
        self.symbols.all_field_names()
    }

    /// The role of a type.
    pub fn role(&self, id: TypeId) -> Role {
        self.roles.get(usize::from(id)).copied().unwrap_or_default()
    }

    /// What was made of the language, or is now made. Reading it again takes no lock.
    ///
    /// # Panics
    /// If one memo is asked for as two types.
    pub fn memo<T: Any + Send + Sync>(&self, memo: Memo, make: impl FnOnce() -> T) -> &T {
        self.memos.get(memo, make)
    }

    /// The fields of each type and the types below each supertype. Read from the grammar on first use.
    pub fn node_types(&self) -> &NodeTypes {
        self.node_types.get_or_init(|| NodeTypes::new(self.node_types_source))
    }

    /// Words that are too long for the grammar's scanner.
    pub fn too_long(&self) -> Option<&regex::Regex> {
        self.spec.limits.too_long.as_ref().map(LazyRegex::get)
    }

    /// The text that the grammar cannot read, and what is read instead.
    pub fn mask_rules(&self) -> &[Unread] {
        &self.spec.unread
    }

    /// Its data, compiled.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The precedence of its expressions.
    pub fn precedence(&self) -> &Precedence {
        &self.spec.precedence
    }
}

/// Looks up one path, as in the data's `names`.
///
/// # Errors
/// At a word that the grammar does not have.
pub fn read_path(language: &Language, path: &str) -> Result<Path, String> {
    super::notation::Notation::new(&language.symbols).path(path)
}

impl PartialEq for Language {
    fn eq(&self, other: &Language) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Language {}
