//! Symbols over a whole project: what a name means, whatever file defines it.
//!
//! A [`Project`] is a list of files and the ways in which the names of modules lead to them. [`Trees`] loads them as they
//! are needed. A [`Resolver`] follows names through scopes, imports, classes and type annotations ([`Meaning`]), and
//! [`occurrences`] sorts all occurrences of a name by what they mean: certain, possible, and not determined. What may use a symbol
//! unseen is asked in [`risks`](crate::risks), above this module.
//!
//! What differs between languages is data (`[references]`, `[imports]` and `[symbols]` of `language.toml`). The module
//! knows nothing about requests and sessions, and reaches files only through the function that loads trees.

mod bindings;
mod calls;
mod computing;
mod default_exports;
mod definitions_at;
mod deps;
mod implementations;
mod inference;
mod interface_uses;
mod keys;
mod left_over_imports;
mod local_aliases;
mod model;
mod module_paths;
mod needs;
mod overloads;
mod own_uses;
mod package_borders;
mod project;
mod references;
mod schemes;
mod scip;
mod specifiers;
mod subclasses;
mod twofold;
mod whole_modules;

pub use bindings::{Bound, BoundName, Place, bindings, unbound, unbound_in_new};
pub use calls::{Argument, CallSite, Parameter, Parameters};
pub use default_exports::DefaultImport;
pub use definitions_at::definitions_at;
pub use deps::{Dependency, dependencies, import_cycles};
pub use implementations::{Implementing, NamedMethod};
pub use inference::class_words::may_name_base;
pub use inference::find::{Definition, Named, Query, find_definitions, module_name, names};
pub use inference::hierarchy::{Callees, OwnedName};
pub(crate) use inference::macro_text::macro_parameters;
pub use inference::precise::line_hash;
pub use inference::resolver::Resolver;
pub use interface_uses::InterfaceUse;
pub use left_over_imports::LeftOverImports;
pub use local_aliases::{KeptNames, LocalAlias};
pub use model::{Meaning, MemberName, PreciseName, PreciseNames, PrecisePlace, PreciseSpan, Site, Thing};
pub use module_paths::Reach;
pub use needs::{ImportedName, Need, NeedSource, TopDefinition};
pub use overloads::{Accepted, ConstructorCall, WrittenType};
pub use own_uses::{LocalUse, OwnUse};
pub use package_borders::{BorderMember, DeclaredPackage, MemberReach, PackagePath};
pub use project::{DocumentFile, Project, Trees};
pub use references::{Confidence, Occurrence, Reason, Role, Target, documented, mentions, occurrences};
pub use scip::{scip_document, scip_head};
pub use specifiers::{ModuleMember, ModuleUse, ModuleUseKind, Respelled};
pub use subclasses::{Subclass, subclasses};

pub(crate) use inference::find::{describe, is_found, is_lasting};
pub(crate) use inference::rebound::has_annotation;
pub(crate) use inference::resolver::View;
pub(crate) use model::{Member, Value, Values};
