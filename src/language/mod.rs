//! Languages: a grammar each, and the data that says what its nodes mean.
//!
//! All that is known of a language stands in `selectors/<language>/`; the code knows none by name. A [`Language`] is that
//! data with its words looked up in the grammar. It is made once, on first use, and lives as long as the program.
//!
//! This module knows nothing of trees and selectors: a kind that is told by a selector is kept here as its text.

mod data;
mod detect;
mod grammars;
mod node_types;
mod taxonomy;

pub use data::{
    BlankLines, CountRule, Data, DocRule, ImportRule, Indent, ListRule, ReferenceRule, Values, VisibilityRule,
};
pub use detect::{Detection, detect};
pub use grammars::names;
pub use node_types::NodeTypes;
pub use taxonomy::{KindEntry, Taxonomy, taxonomy};

use std::collections::HashMap;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

/// The number a grammar gives a node type.
pub type TypeId = u16;
/// The number a grammar gives a field, from 1; 0 is no field.
pub type FieldId = u8;

/// The type of ERROR nodes, in every grammar.
pub const ERROR_TYPE: TypeId = u16::MAX;

/// What a node type is to the engine, from the language's data.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Role {
    /// Holds many and isn't seen: a block, a parameter list.
    pub body: bool,
    /// Holds one and isn't seen: a decorated definition, an expression statement.
    pub wrapper: bool,
    /// A comment.
    pub comment: bool,
    /// Its inner lines are its value and are never re-indented.
    pub string: bool,
    /// Adds its name to the qualnames inside, and ends `:has-own`.
    pub scope: bool,
    /// A decorator: belongs to the definition it stands at.
    pub decorator: bool,
    /// Has a comma-like separator between its elements.
    pub list: bool,
}

/// A language: its data, resolved against its grammar.
#[derive(Debug)]
pub struct Language {
    data: Data,
    grammar: tree_sitter::Language,
    node_types_source: &'static str,
    named_selectors: String,
    outline: &'static str,
    type_names: Vec<&'static str>,
    field_names: Vec<&'static str>,
    named_types: FxHashMap<&'static str, TypeId>,
    anonymous_types: FxHashMap<&'static str, TypeId>,
    fields: FxHashMap<&'static str, FieldId>,
    roles: Vec<Role>,
    node_types: OnceLock<NodeTypes>,
    fingerprint: String,
}

/// Why a language can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LanguageError {
    /// No language goes by that name.
    #[error("unknown language `{name}`")]
    Unknown {
        /// The name as given.
        name: String,
        /// A known name much like it.
        nearest: Option<String>,
    },
}

impl Language {
    /// The language that goes by `name`: its own, or one of its aliases; case doesn't matter.
    ///
    /// # Errors
    /// When no built-in language has that name.
    pub fn named(name: &str) -> Result<&'static Language, LanguageError> {
        let wanted = name.to_ascii_lowercase();
        grammars::find(&wanted).ok_or_else(|| {
            let nearest = grammars::names().into_iter().filter(|known| strsim::jaro(known, &wanted) > 0.7);
            let nearest = nearest.max_by(|a, b| strsim::jaro(a, &wanted).total_cmp(&strsim::jaro(b, &wanted)));
            LanguageError::Unknown { name: name.to_owned(), nearest: nearest.map(str::to_owned) }
        })
    }

    /// Every built-in language, in order of name.
    pub fn all() -> Vec<&'static Language> {
        grammars::names().into_iter().filter_map(grammars::find).collect()
    }

    /// Resolves a language's data against its grammar.
    ///
    /// # Panics
    /// When the data doesn't parse or speaks of a type or field that the grammar lacks: it is built in, and the test
    /// suite loads every language.
    pub(crate) fn new(row: &grammars::Row) -> Language {
        let grammar: tree_sitter::Language = (row.grammar)();
        let data: Data = toml::from_str(row.data).unwrap_or_else(|error| panic!("selectors/{}: {error}", row.name));
        let count = grammar.node_kind_count();
        let mut type_names = Vec::with_capacity(count);
        let mut named_types = FxHashMap::default();
        let mut anonymous_types = FxHashMap::default();
        for id in 0..count {
            let id = TypeId::try_from(id).expect("a grammar has fewer than 65,535 node types");
            let name = grammar.node_kind_for_id(id).unwrap_or("");
            // The grammar is a static; tree-sitter's binding ties its names to the handle, which never goes away here.
            let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
            type_names.push(name);
            if grammar.node_kind_is_visible(id) && !grammar.node_kind_is_supertype(id) {
                let named = grammar.node_kind_is_named(id);
                let canonical = grammar.id_for_node_kind(name, named);
                let table = if named { &mut named_types } else { &mut anonymous_types };
                table.entry(name).or_insert(canonical);
            }
        }
        let mut field_names = vec![""];
        let mut fields = FxHashMap::default();
        for id in 1..=grammar.field_count() {
            let id = FieldId::try_from(id).expect("a grammar has fewer than 256 fields");
            let name = grammar.field_name_for_id(u16::from(id)).unwrap_or("");
            let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
            field_names.push(name);
            fields.insert(name, id);
        }
        let mut roles = vec![Role::default(); count];
        let mut mark = |types: &[String], set: fn(&mut Role)| {
            for name in types {
                let id = named_types.get(name.as_str());
                let id = id.unwrap_or_else(|| panic!("selectors/{}: the grammar has no type `{name}`", row.name));
                set(&mut roles[usize::from(*id)]);
            }
        };
        mark(&data.bodies, |role| role.body = true);
        mark(&data.wrappers, |role| role.wrapper = true);
        mark(&data.comments, |role| role.comment = true);
        mark(&data.strings, |role| role.string = true);
        mark(&data.decorators, |role| role.decorator = true);
        mark(&data.lists.keys().cloned().collect::<Vec<_>>(), |role| role.list = true);
        // A kind's rules may be selectors; the scopes are told by type alone.
        let plain =
            |kind: &String| data.kinds.get(kind).into_iter().flat_map(Values::iter).filter(|rule| is_word(rule));
        let scopes: Vec<String> = data.scopes.iter().flat_map(plain).map(str::to_owned).collect();
        mark(&scopes, |role| role.scope = true);
        let fingerprint = blake3::hash([row.data, row.named, row.outline, row.node_types].concat().as_bytes());
        Language {
            data,
            node_types_source: row.node_types,
            named_selectors: row.named.to_owned(),
            outline: row.outline,
            grammar,
            type_names,
            field_names,
            named_types,
            anonymous_types,
            fields,
            roles,
            node_types: OnceLock::new(),
            fingerprint: fingerprint.to_hex()[..16].to_owned(),
        }
    }

    /// Its name, in lower case: `python`.
    pub fn name(&self) -> &str {
        &self.data.name
    }

    /// Its data as written.
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// The grammar, for the parser.
    pub fn grammar(&self) -> &tree_sitter::Language {
        &self.grammar
    }

    /// The lines of its named selectors.
    pub fn named_selectors(&self) -> &str {
        &self.named_selectors
    }

    /// Its outline's rows, as TOML.
    pub fn outline(&self) -> &str {
        self.outline
    }

    /// Which version of data and grammar this is; changes whenever one of them does.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// A type's name: `function_definition`, `(`, `ERROR`.
    pub fn type_name(&self, id: TypeId) -> &str {
        if id == ERROR_TYPE { "ERROR" } else { self.type_names.get(usize::from(id)).copied().unwrap_or("") }
    }

    /// The id of a named type. `ERROR` is one.
    pub fn type_id(&self, name: &str) -> Option<TypeId> {
        if name == "ERROR" { Some(ERROR_TYPE) } else { self.named_types.get(name).copied() }
    }

    /// The id of an anonymous token: `async`, `(`.
    pub fn token_id(&self, text: &str) -> Option<TypeId> {
        self.anonymous_types.get(text).copied()
    }

    /// The names of all named types.
    pub fn named_type_names(&self) -> impl Iterator<Item = &'static str> {
        self.named_types.keys().copied()
    }

    /// The texts of all anonymous tokens.
    pub fn token_texts(&self) -> impl Iterator<Item = &'static str> {
        self.anonymous_types.keys().copied()
    }

    /// A field's name; empty for none.
    pub fn field_name(&self, id: FieldId) -> &str {
        self.field_names.get(usize::from(id)).copied().unwrap_or("")
    }

    /// The id of a field.
    pub fn field_id(&self, name: &str) -> Option<FieldId> {
        self.fields.get(name).copied()
    }

    /// The names of all fields.
    pub fn all_field_names(&self) -> impl Iterator<Item = &'static str> {
        self.fields.keys().copied()
    }

    /// What a type is to the engine.
    pub fn role(&self, id: TypeId) -> Role {
        self.roles.get(usize::from(id)).copied().unwrap_or_default()
    }

    /// Which fields each type has and which types a supertype stands for. Read from the grammar on first use.
    pub fn node_types(&self) -> &NodeTypes {
        self.node_types.get_or_init(|| NodeTypes::new(self.node_types_source))
    }

    /// The rule of a map in the data that speaks of node types, for a node of type `id`.
    pub fn rule<'a, T>(&self, rules: &'a HashMap<String, T>, id: TypeId) -> Option<&'a T> {
        rules.get(self.type_name(id))
    }
}

/// Whether a rule in the data is a plain node type, no selector.
pub fn is_word(rule: &str) -> bool {
    rule.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

impl PartialEq for Language {
    fn eq(&self, other: &Language) -> bool {
        self.data.name == other.data.name
    }
}
