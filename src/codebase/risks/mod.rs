//! Uses of a symbol without a reference that can be followed, and names that a new one may run into.
//!
//! A reference that [`symbols`](crate::symbols) follows is certain. The rest is found here: names that code computes, decorators and
//! conventions that run a definition, objects that leave what can be seen, members that bases outside the project have, names that a
//! linker or a tool makes one. These are questions to a [`Resolver`](crate::symbols::Resolver); it asks none of them itself.

mod alike_records;
mod argument_readers;
mod bounded;
mod called_text;
mod calls_in_place;
mod clashes;
mod class_tables;
mod comment_uses;
mod computed;
mod computed_loads;
mod confined_records;
mod conventions;
mod decorating;
mod derived;
mod embedded;
mod entries;
mod escape;
mod exposed;
mod foreign_bases;
mod given;
mod global_object;
mod hidden_uses;
mod implied_names;
mod inert_words;
mod linked;
mod made;
mod metaclasses;
mod name_keys;
mod name_rules;
mod named_access;
mod number_keys;
mod other_keys;
mod other_languages;
mod outside;
mod own_words;
mod pasted;
mod plain_names;
mod registering;
mod shown;
mod shown_places;
mod sources;
mod splats;
mod unresolved;
mod unwritten;
mod uses;

pub use alike_records::{Record, RecordField};
pub use clashes::{Clash, ClashKind};
pub use computed_loads::ComputedLoad;
pub use derived::DerivedName;
pub use escape::{Followed, Held, Origins, Step};
pub use exposed::{TakenName, taken_names, words_of_strings};
pub use hidden_uses::{Around, Callee, Holder, HolderKind, Risk, StringKind, StringUse};
pub use linked::Linking;
pub use made::{Having, MadeName, Making, NamedSymbol, words_in};
pub use name_keys::NameKeys;
pub use name_rules::{NameRisk, loses_capital};
pub use own_words::{OwnWord, OwnWordKind};
pub use pasted::PastedName;
pub use registering::ModuleAccess;
pub use sources::Source;
pub use splats::Splat;
pub use uses::{DefinitionUse, Kept, SymbolUse, Uses, uses};
