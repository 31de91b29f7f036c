//! Symbols over a whole project: what a name means, whatever file defines it.
//!
//! A [`Project`] is a list of files and the ways in which the names of modules lead to them. [`Trees`] loads them as they
//! are needed. A [`Resolver`] follows names through scopes, imports, classes and type annotations ([`Meaning`]), and
//! [`occurrences`] sorts all occurrences of a name by what they mean: certain, possible, and not determined.
//!
//! What differs between languages is data (`[references]`, `[imports]` and `[symbols]` of `language.toml`). The module
//! knows nothing about requests and sessions, and reaches files only through the function that loads trees.

mod bindings;
mod bounded;
mod calls;
mod calls_in_place;
mod clashes;
mod computed;
mod computed_loads;
mod conventions;
mod decorating;
mod default_exports;
mod deps;
mod derived;
mod escape;
mod exposed;
mod foreign_bases;
mod inert_words;
mod inference;
mod keys;
mod linked;
mod local_aliases;
mod model;
mod module_paths;
mod name_rules;
mod needs;
mod outside;
mod own_uses;
mod project;
mod references;
mod registering;
mod risks;
mod schemes;
mod scip;
mod specifiers;
mod splats;
mod subclasses;
mod twofold;
mod uses;
mod whole_modules;

pub use bindings::{Bound, BoundName, Place, bindings, unbound};
pub use calls::{Argument, CallSite, Parameter, Parameters};
pub use clashes::{Clash, ClashKind};
pub use computed::{Having, MadeName, Making, NamedSymbol};
pub use computed_loads::ComputedLoad;
pub use default_exports::DefaultImport;
pub use deps::{Dependency, dependencies, import_cycles};
pub use derived::DerivedName;
pub use escape::{Followed, Held, Origins, Step};
pub use exposed::{TakenName, taken_names, words_of_strings};
pub use inference::class_words::may_name_base;
pub use inference::find::{Definition, Named, Query, definitions_at, find_definitions, module_name, names};
pub use inference::hierarchy::{Callees, OwnedName};
pub use inference::precise::line_hash;
pub use inference::resolver::Resolver;
pub use linked::Linking;
pub use local_aliases::LocalAlias;
pub use model::{Meaning, MemberName, PreciseName, PreciseNames, PrecisePlace, PreciseSpan, Site, Thing};
pub use module_paths::Reach;
pub use name_rules::{NameRisk, loses_capital};
pub use needs::{ImportedName, Need, NeedSource, TopDefinition};
pub use own_uses::{LocalUse, OwnUse};
pub use project::{Project, Trees};
pub use references::{Confidence, Occurrence, Reason, Role, Target, documented, mentions, occurrences};
pub use registering::ModuleAccess;
pub use risks::{Around, Callee, Holder, HolderKind, Risk, StringKind, StringUse};
pub use scip::{scip_document, scip_head};
pub use specifiers::{ModuleMember, ModuleUse, ModuleUseKind, Respelled};
pub use splats::Splat;
pub use subclasses::{Subclass, subclasses};
pub use uses::{DefinitionUse, Kept, SymbolUse, Uses, uses};
