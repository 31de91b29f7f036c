//! The symbols of a grammar: its node types, tokens and fields, by id and by name.

use rustc_hash::FxHashMap;

use super::shared::SharedGrammar;

/// The id of a node type in a grammar.
pub type TypeId = u16;
/// The id of a field in a grammar, from 1; 0 means none.
pub type FieldId = u8;

/// The type of ERROR nodes, in every grammar.
pub const ERROR_TYPE: TypeId = u16::MAX;

/// The names of a grammar, looked up both ways.
#[derive(Debug)]
pub(super) struct Symbols {
    grammar: SharedGrammar,
    type_names: Vec<&'static str>,
    field_names: Vec<&'static str>,
    named_types: FxHashMap<&'static str, TypeId>,
    anonymous_types: FxHashMap<&'static str, TypeId>,
    fields: FxHashMap<&'static str, FieldId>,
    supertypes: Vec<&'static str>,
}

impl Symbols {
    /// The symbols of a grammar.
    pub fn new(grammar: tree_sitter::Language) -> Symbols {
        let shared = SharedGrammar::new(grammar);
        let grammar = shared.get();
        let count = grammar.node_kind_count();
        let mut type_names = Vec::with_capacity(count);
        let mut supertypes = Vec::new();
        let mut named_types = FxHashMap::default();
        let mut anonymous_types = FxHashMap::default();
        for id in 0..count {
            let id = TypeId::try_from(id).expect("a grammar has fewer than 65,535 node types");
            let name: &'static str = grammar.node_kind_for_id(id).unwrap_or("");
            type_names.push(name);
            if grammar.node_kind_is_supertype(id) {
                supertypes.push(name);
            }
            if grammar.node_kind_is_visible(id) && !grammar.node_kind_is_supertype(id) {
                let named = grammar.node_kind_is_named(id);
                let table = if named { &mut named_types } else { &mut anonymous_types };
                table.entry(name).or_insert_with(|| grammar.id_for_node_kind(name, named));
            }
        }
        let mut field_names = vec![""];
        let mut fields = FxHashMap::default();
        for id in 1..=grammar.field_count() {
            let id = FieldId::try_from(id).expect("a grammar has fewer than 256 fields");
            let name = grammar.field_name_for_id(u16::from(id)).unwrap_or("");
            field_names.push(name);
            fields.insert(name, id);
        }
        Symbols { grammar: shared, type_names, field_names, named_types, anonymous_types, fields, supertypes }
    }

    /// The grammar, for the parser.
    pub fn grammar(&self) -> &'static tree_sitter::Language {
        self.grammar.get()
    }

    /// A type's name: `function_definition`, `(`, `ERROR`.
    pub fn type_name(&self, id: TypeId) -> &str {
        if id == ERROR_TYPE { "ERROR" } else { self.type_names.get(usize::from(id)).copied().unwrap_or("") }
    }

    /// The number of types in the grammar, including hidden ones.
    pub fn type_count(&self) -> usize {
        self.type_names.len()
    }

    /// The id of a named type. `ERROR` is one.
    pub fn type_id(&self, name: &str) -> Option<TypeId> {
        if name == "ERROR" { Some(ERROR_TYPE) } else { self.named_types.get(name).copied() }
    }

    /// Whether a word names a supertype.
    pub fn is_supertype(&self, name: &str) -> bool {
        self.supertypes.contains(&name)
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

    /// The name of a field; empty if there is none.
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
}
