//! Languages: a grammar each, and the data that says what its nodes mean.
//!
//! All that is known of a language stands in `selectors/<language>/`; the code knows none by name. A [`Language`] is that
//! data with its words looked up in the grammar. It is made once, on first use, and lives as long as the program.
//!
//! This module knows nothing of trees and selectors: a kind that is told by a selector is kept here as its text.

mod check;
mod data;
mod detect;
mod grammars;
mod imports;
mod library;
mod node_types;
mod precedence;
mod references;
mod registry;
mod rules;
mod taxonomy;

#[doc(hidden)]
pub use data::{
    BlankLines, CountRule, Data, DocRule, ImportPart, ImportRule, Indent, LineRule, ListRule, OrderRule,
    PatternContext, ReferenceRule, SliceRule, UnreadRule, Values, VisibilityRule,
};
pub use detect::{Detection, Detector, HEAD, Told, detect};
#[doc(hidden)]
pub use imports::{Imports, Part as ImportRead};
pub use node_types::NodeTypes;
pub use precedence::{
    Ban, BanRule, Child, Form, Groups, Leveled, Place as OperandPlace, Precedence, PrecedenceRule, Side,
};
#[doc(hidden)]
pub use references::{Level, Place, Places, ReferenceRules, Spaces};
pub use registry::{UserFolder, add, names};
#[doc(hidden)]
pub use rules::{ByType, Count, Path, Rules, Step, read_path};
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
    /// Stands before a definition, as its sibling, and belongs to it.
    pub leading: bool,
    /// Holds statements beside other children: a `case`.
    pub section: bool,
    /// Holds another body, or an expression.
    pub outer_body: bool,
    /// Follows the statements of a body and is none: a `rescue`.
    pub clause: bool,
    /// Stands out of the indentation around it: `public:`.
    pub label: bool,
    /// A function or class without a name, which makes what it is given to a scope.
    pub value: bool,
    /// A modifier, where it stands in a definition.
    pub modifier: bool,
    /// Holds a definition's modifiers and decorators.
    pub modifier_holder: bool,
    /// A definition's body, where it stands in no field.
    pub body_type: bool,
    /// Its end is told by indentation.
    pub ends_by_indentation: bool,
    /// A value whose definition's name is in the qualnames inside.
    pub named_value: bool,
    /// A scope whose name is in no qualname.
    pub nameless: bool,
}

/// A language: its data, resolved against its grammar.
#[derive(Debug)]
pub struct Language {
    data: Data,
    grammar: &'static tree_sitter::Language,
    node_types_source: &'static str,
    named_selectors: String,
    named_files: Vec<(&'static str, &'static str)>,
    outline: &'static str,
    type_names: Vec<&'static str>,
    field_names: Vec<&'static str>,
    named_types: FxHashMap<&'static str, TypeId>,
    anonymous_types: FxHashMap<&'static str, TypeId>,
    fields: FxHashMap<&'static str, FieldId>,
    roles: Vec<Role>,
    rules: Rules,
    precedence: Precedence,
    unread: Vec<Unread>,
    too_long: Option<regex::Regex>,
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
    /// A user's folder without a grammar, of a name that no built-in language has.
    #[error("no grammar for `{name}`: no built-in language has that name, and the folder has no shared library")]
    NoGrammar {
        /// The folder's name.
        name: String,
    },
    /// Data that is not in its form, or that speaks of types that the grammar lacks.
    #[error("the data of `{name}` is wrong: {message}")]
    Data {
        /// The language.
        name: String,
        /// What is wrong with it.
        message: String,
    },
    /// A shared library that isn't a grammar of a version that can be read.
    #[error("the grammar of `{name}` can't be used: {message}")]
    Library {
        /// The language.
        name: String,
        /// Why not.
        message: String,
    },
}

/// Text that the grammar can't read, with its rule's words looked up; see `UnreadRule`.
#[derive(Debug)]
pub struct Unread {
    /// What finds it; its first group stays.
    pub find: regex::Regex,
    /// What is read at its start instead.
    pub instead: String,
    /// What is read in each of its other bytes instead.
    pub fill: u8,
}

impl LanguageError {
    /// What is wrong with one file of a language's folder.
    fn of_file(name: &str, file: &str, message: impl std::fmt::Display) -> LanguageError {
        LanguageError::Data { name: name.to_owned(), message: format!("{file}: {message}") }
    }
}

impl Language {
    /// The language that goes by `name`: its own, or one of its aliases; case doesn't matter.
    ///
    /// # Errors
    /// When no language has that name, or what it is made of is wrong.
    pub fn named(name: &str) -> Result<&'static Language, LanguageError> {
        let wanted = name.to_ascii_lowercase();
        let row = registry::find(&wanted).ok_or_else(|| {
            let nearest = names().into_iter().filter(|known| strsim::jaro(known, &wanted) > 0.7);
            let nearest = nearest.max_by(|a, b| strsim::jaro(a, &wanted).total_cmp(&strsim::jaro(b, &wanted)));
            LanguageError::Unknown { name: name.to_owned(), nearest: nearest.map(str::to_owned) }
        })?;
        row.language()
    }

    /// Every language that can be used, in order of name.
    pub fn all() -> Vec<&'static Language> {
        names().into_iter().filter_map(|name| Language::named(name).ok()).collect()
    }

    /// Resolves a language's data against its grammar.
    fn new(row: &registry::Row) -> Result<Language, LanguageError> {
        let wrong = |message: String| LanguageError::of_file(row.name, "language.toml", message);
        let grammar = row.load_grammar()?;
        let data = read_data(row)?;
        check_kinds(&data).map_err(wrong)?;
        if row.is_own {
            NodeTypes::check(row.node_types)
                .map_err(|message| LanguageError::of_file(row.name, "node-types.json", message))?;
        }
        let base = registry::find(&data.extends).filter(|_| !data.extends.is_empty());
        let mut language = Language::of_grammar(grammar);
        check::check(&data, &language).map_err(wrong)?;
        language.roles = language.new_roles(&data).map_err(wrong)?;
        language.rules = Rules::new(&data, &language).map_err(wrong)?;
        language.precedence = Precedence::new(&data.precedence, &language).map_err(wrong)?;
        for rule in &data.unread {
            let regex = regex::Regex::new(&rule.find).map_err(|error| wrong(format!("unread.find: {error}")))?;
            let fill = match rule.fill.as_bytes() {
                [] => b' ',
                &[fill] if fill.is_ascii_graphic() => fill,
                _ => return Err(wrong("unread.fill: it is one letter or sign of ASCII".to_owned())),
            };
            language.unread.push(Unread { find: regex, instead: rule.instead.clone(), fill });
        }
        if !data.limits.too_long.is_empty() {
            let regex = regex::Regex::new(&data.limits.too_long);
            let regex = regex.map_err(|error| wrong(format!("limits.too_long: {error}")))?;
            language.too_long = Some(regex);
        }
        language.outline = match base {
            Some(base) if row.outline.trim().is_empty() => base.outline,
            _ => row.outline,
        };
        let base_files = base.map_or(&[][..], |base| base.named);
        language.named_selectors = join_named(&texts(base_files), &texts(row.named));
        language.named_files = row.named.iter().chain(base_files).copied().collect();
        language.node_types_source = row.node_types;
        let parts = [row.data, base.map_or("", |base| base.data), &language.named_selectors, language.outline];
        language.fingerprint =
            blake3::hash([&parts.concat(), row.node_types].concat().as_bytes()).to_hex()[..16].to_owned();
        language.data = data;
        Ok(language)
    }

    /// A language of which only the grammar is known.
    fn of_grammar(grammar: tree_sitter::Language) -> Language {
        // One for each language, for as long as the program runs: its names are borrowed from it.
        let grammar: &'static tree_sitter::Language = Box::leak(Box::new(grammar));
        let count = grammar.node_kind_count();
        let mut type_names = Vec::with_capacity(count);
        let mut named_types = FxHashMap::default();
        let mut anonymous_types = FxHashMap::default();
        for id in 0..count {
            let id = TypeId::try_from(id).expect("a grammar has fewer than 65,535 node types");
            let name: &'static str = grammar.node_kind_for_id(id).unwrap_or("");
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
            field_names.push(name);
            fields.insert(name, id);
        }
        Language {
            data: Data::default(),
            grammar,
            node_types_source: "",
            named_selectors: String::new(),
            named_files: Vec::new(),
            outline: "",
            type_names,
            field_names,
            named_types,
            anonymous_types,
            fields,
            roles: Vec::new(),
            rules: Rules::default(),
            precedence: Precedence::default(),
            unread: Vec::new(),
            too_long: None,
            node_types: OnceLock::new(),
            fingerprint: String::new(),
        }
    }

    fn new_roles(&self, data: &Data) -> Result<Vec<Role>, String> {
        let mut roles = vec![Role::default(); self.type_names.len()];
        let mut mark = |types: &[&str], set: fn(&mut Role)| {
            for name in types {
                let id = self.type_id(name).ok_or_else(|| format!("the grammar has no type `{name}`"))?;
                roles.get_mut(usize::from(id)).map(set);
            }
            Ok::<(), String>(())
        };
        fn words(list: &[String]) -> Vec<&str> {
            list.iter().map(String::as_str).collect()
        }
        mark(&words(&data.bodies), |role| role.body = true)?;
        mark(&words(&data.wrappers), |role| role.wrapper = true)?;
        mark(&words(&data.comments), |role| role.comment = true)?;
        mark(&words(&data.strings), |role| role.string = true)?;
        mark(&words(&data.decorators), |role| role.decorator = true)?;
        let leading = data.leading.iter().map(|word| word.rsplit('/').next().unwrap_or(word));
        mark(&leading.collect::<Vec<_>>(), |role| role.leading = true)?;
        mark(&words(&data.body_types), |role| role.body_type = true)?;
        mark(&words(&data.nameless), |role| role.nameless = true)?;
        mark(&words(&data.named_values), |role| role.named_value = true)?;
        mark(&words(&data.ends_by_indentation), |role| role.ends_by_indentation = true)?;
        mark(&words(&data.clauses), |role| role.clause = true)?;
        mark(&words(&data.labels), |role| role.label = true)?;
        mark(&words(&data.outer_bodies), |role| role.outer_body = true)?;
        let sections = data.sections.keys().chain(data.body_after.keys()).map(String::as_str);
        mark(&sections.collect::<Vec<_>>(), |role| role.section = true)?;
        mark(&words(&data.values), |role| role.value = true)?;
        mark(&words(&data.modifier_holders), |role| role.modifier_holder = true)?;
        mark(&data.lists.keys().map(String::as_str).collect::<Vec<_>>(), |role| role.list = true)?;
        // A kind's rules may be selectors; the scopes are told by type alone.
        let plain =
            |kind: &String| data.kinds.get(kind).into_iter().flat_map(Values::iter).filter(|rule| is_word(rule));
        mark(&data.scopes.iter().flat_map(plain).collect::<Vec<_>>(), |role| role.scope = true)?;
        mark(&words(&data.scope_types), |role| role.scope = true)?;
        for word in &data.modifiers {
            let ids = [self.type_id(word), self.token_id(word)];
            if ids == [None, None] {
                return Err(format!("the grammar has no type or token `{word}`"));
            }
            ids.into_iter().flatten().for_each(|id| roles[usize::from(id)].modifier = true);
        }
        Ok(roles)
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
        self.grammar
    }

    /// The lines of its named selectors.
    pub fn named_selectors(&self) -> &str {
        &self.named_selectors
    }

    /// The name of the file in which a line of them stands.
    pub fn named_file(&self, line: &str) -> &'static str {
        let holds = |text: &str| text.lines().any(|other| other.trim() == line);
        self.named_files.iter().find(|(_, text)| holds(text)).map_or("*.sel", |(name, _)| *name)
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

    /// The type of every root: the plain type of the kind `module`.
    pub fn root_type(&self) -> Option<TypeId> {
        let module = self.data.kinds.get("module")?;
        module.iter().find(|rule| is_word(rule)).and_then(|rule| self.type_id(rule))
    }

    /// How many types the grammar has, hidden ones too.
    pub fn type_count(&self) -> usize {
        self.type_names.len()
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

    /// Words that the grammar's scanner has no room for.
    pub fn too_long(&self) -> Option<&regex::Regex> {
        self.too_long.as_ref()
    }

    /// What the grammar can't read, and what is read instead.
    pub fn unread(&self) -> &[Unread] {
        &self.unread
    }

    /// What the data says of node types, by type.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How tightly its expressions bind.
    pub fn precedence(&self) -> &Precedence {
        &self.precedence
    }

    /// The rule of a map in the data that speaks of node types, for a node of type `id`.
    pub fn rule<'a, T>(&self, rules: &'a HashMap<String, T>, id: TypeId) -> Option<&'a T> {
        rules.get(self.type_name(id))
    }
}

/// Reads a language's data, laid over that of the language it extends.
fn read_data(row: &registry::Row) -> Result<Data, LanguageError> {
    let wrong = |message: String| LanguageError::of_file(row.name, "language.toml", message);
    let mut table: toml::Table = row.data.parse().map_err(|error: toml::de::Error| wrong(error.to_string()))?;
    let extended = table.get("extends").and_then(toml::Value::as_str).map(str::to_owned);
    if let Some(name) = extended {
        let base = registry::find(&name).ok_or_else(|| wrong(format!("extends: unknown language `{name}`")))?;
        let base: toml::Table = base.data.parse().map_err(|error: toml::de::Error| wrong(error.to_string()))?;
        // What tells files of the other language isn't inherited.
        let told = ["name", "aliases", "extensions", "file_names", "shebangs", "claims", "extends"];
        let inherited = base.into_iter().filter(|(key, _)| !told.contains(&key.as_str()));
        lay_under(&mut table, inherited.collect());
    } else {
        // Reading the text itself gives errors with their line.
        return toml::from_str(row.data).map_err(|error| wrong(error.to_string()));
    }
    table.try_into().map_err(|error: toml::de::Error| wrong(error.to_string()))
}

/// Whether each word that should be a kind is one.
fn check_kinds(data: &Data) -> Result<(), String> {
    let check = |key: &str, word: &String| {
        if taxonomy().contains(word) {
            return Ok(());
        }
        let names = taxonomy().kinds().iter().map(|kind| kind.name.as_str());
        let likely = names.filter(|name| strsim::jaro(name, word) > 0.7);
        let nearest = likely.max_by(|a, b| strsim::jaro(a, word).total_cmp(&strsim::jaro(b, word)));
        let meant = nearest.map(|kind| format!("; did you mean `{kind}`?")).unwrap_or_default();
        Err(format!("{key}: unknown kind `{word}`{meant}"))
    };
    let mut kinds: Vec<&String> = data.kinds.keys().collect();
    kinds.sort();
    kinds.into_iter().try_for_each(|word| check("kinds", word))?;
    data.scopes.iter().try_for_each(|word| check("scopes", word))
}

/// Adds what `table` doesn't say from `base`; tables are joined. An empty value takes an entry of `base` away.
fn lay_under(table: &mut toml::Table, base: toml::Table) {
    for (key, value) in base {
        match (table.get_mut(&key), value) {
            (None, value) => {
                table.insert(key, value);
            }
            (Some(toml::Value::Table(own)), toml::Value::Table(other)) => {
                lay_under(own, other);
                own.retain(|_, value| !value.as_array().is_some_and(Vec::is_empty));
            }
            (Some(_), _) => {}
        }
    }
}

/// The texts of files, one after the other.
fn texts(files: &[(&str, &str)]) -> String {
    files.iter().map(|(_, text)| format!("{text}\n")).collect()
}

/// The named selectors of a language and of the one it extends; its own stand for the other's.
fn join_named(base: &str, own: &str) -> String {
    fn name(line: &str) -> Option<&str> {
        line.strip_prefix(':').and_then(|rest| rest.split_once('=')).map(|(name, _)| name.trim())
    }
    let names: Vec<&str> = own.lines().filter_map(name).collect();
    let kept = base.lines().filter(|line| name(line).is_none_or(|name| !names.contains(&name)));
    kept.chain(own.lines()).map(|line| format!("{line}\n")).collect()
}

/// Whether a rule in the data is a plain node type, no selector.
#[doc(hidden)]
pub fn is_word(rule: &str) -> bool {
    rule.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

impl PartialEq for Language {
    fn eq(&self, other: &Language) -> bool {
        self.data.name == other.data.name
    }
}
