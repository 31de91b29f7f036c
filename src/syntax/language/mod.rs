//! Languages: a grammar each, and the data about the meaning of its nodes.
//!
//! Everything known about a language is in `selectors/<language>/`; no code asks for one by name. A [`Language`] is that data
//! with its words looked up in the grammar. It is made on first use, and lives as long as the program.
//!
//! This module knows nothing about trees and selectors: a kind that is defined by a selector is kept here as its text.

mod ast_grep_words;
mod autoload;
mod by_type;
mod closed_types;
mod constructions;
mod detect;
mod docs;
mod entries;
mod error;
mod flow;
mod forbidden_names;
mod form;
mod grammars;
mod head;
mod hidden_uses;
mod imports;
mod injections;
mod inside;
mod kinds;
mod languages;
mod lazy_regex;
mod library;
mod load;
mod memo;
mod metrics;
mod mistakes;
mod module_tree;
mod node_types;
mod notation;
mod organize;
mod overloads;
mod path;
mod pieces;
mod place;
mod precedence;
mod project_files;
mod references;
mod regex_parts;
mod resolved;
mod role;
mod row;
mod run_documentation;
mod shared;
mod shown;
mod spec;
mod symbol_rules;
mod symbols;
mod taxonomy;
mod type_set;
mod type_tests;
mod used_from;
mod values;
mod versions;
mod written;

pub use autoload::Autoload;
pub use by_type::ByType;
pub use cst_languages::library;
pub use detect::{ByName, Detection, Detector, HEAD, NamedFiles, detect};
pub use docs::Docs;
pub use error::LanguageError;
pub use flow::{Choice, CodeRule, Decided, Declares, Flow};
pub use form::{SignSet, WordSet};
#[doc(hidden)]
pub use head::Head;
pub use hidden_uses::HiddenUses;
pub use imports::{Imports, Part as ImportPart};
pub use injections::Injection;
pub use kinds::KindRule;
#[doc(hidden)]
pub use kinds::is_word;
pub use languages::{Languages, UserFolder};
pub use lazy_regex::LazyRegex;
pub use memo::Memo;
pub use metrics::Metrics;
pub use module_tree::ModuleTree;
pub use node_types::NodeTypes;
pub use organize::{ImportOrder, ImportUses, Organize, SettingRule};
pub use path::{Path, Step};
pub use pieces::{Blocks, Conditionals, ItemSuspects, Items, Lines, Slices, StringForm};
pub use place::{Among, Held, Level, NodePattern, NodePatterns, Place, Places, Spaces};
pub use precedence::{Ban, Child, Form, Groups, Leveled, Place as OperandPlace, Precedence, Side, Within};
pub use project_files::ProjectFiles;
pub use references::ReferenceRules;
pub use resolved::{Language, read_path};
pub use role::Role;
pub use run_documentation::RunDocumentation;
#[doc(hidden)]
pub use spec::Data;
pub use spec::{
    BlankLines, Count, Indent, Limits, List, Order, PatternContext, Punctuation, Spec, Statements, Surroundings,
    TokenArguments, Unread, Visibility,
};
pub use symbol_rules::{Macros, ModuleScheme, SymbolRules, TextNames};
pub use symbols::{ERROR_TYPE, FieldId, TypeId};
pub use taxonomy::{KindEntry, Taxonomy, taxonomy};
pub use type_set::TypeSet;
pub use values::Values;
pub use versions::{SinceVersion, VersionSetting};
