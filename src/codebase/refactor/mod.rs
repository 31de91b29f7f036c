//! Refactors: changes to a definition and to all that refers to it, in every file of a project.
//!
//! [`rename`] makes the edits of a rename, file by file. [`compare`] is the *binding gate*: it compares what names are bound to before
//! and after a refactor, and lists every name that would mean something else. [`organize`] sorts the imports of a file, and removes
//! those without a use.
//!
//! The module knows nothing about requests: the engine goes through the files, and decides what is done with places that are
//! not certain.

mod base;
mod class_part;
mod decided;
mod extract;
mod extract_variable;
mod flag;
mod flow;
mod gate;
mod import_block;
mod import_order;
mod import_style;
mod import_text;
mod inline;
mod inlined_function;
mod moved;
mod order;
mod organize;
mod partition;
mod put;
mod redirect;
mod refusal;
mod region;
mod relocation;
mod rename;
mod signature;
mod transfer;
mod unused_imports;

pub use base::{ExtractedBase, Heir, extract_base, makes_bases};
pub use class_part::{ClassPart, PartMethod, PartState, SplitClass, only_sets, split_class, splits_classes};
pub use extract::{Extracted, extract_function};
pub use extract_variable::extract_variable;
pub use flag::{FlagUses, Removed, remove_flag};
pub use gate::{Followed, Moved, Rebound, Transferred, compare};
pub use import_style::{ImportStyle, Section};
pub use inline::inline;
pub use organize::{Organized, organize};
pub use partition::{FileStyle, Unit, partition};
pub use redirect::{Redirected, Transfer, Use, path_strings, redirect};
pub use refusal::{Reason, Refusal};
pub use relocation::{Doubt, FileChanges, Relocation, changes_of_move};
pub use rename::{RenameError, Renaming, new_names, rename};
pub use signature::{ListChanges, SignatureChange, change_arguments, change_parameters};
pub use transfer::{ChangedEnds, Piece, change_ends, erases_types, marks_exports, path_in_words};
pub use unused_imports::{ImportFacts, drop_imports};
