//! Refactors: changes to a definition and to all that refers to it, in every file of a project.
//!
//! [`rename`] makes the edits of a rename, file by file. [`compare`] is the *binding gate*: it compares what names are bound to before
//! and after a refactor, and lists every name that would mean something else. [`organize`] sorts the imports of a file, and removes
//! those without a use.
//!
//! The module knows nothing about requests: the engine goes through the files, and decides what is done with uncertain
//! references.

pub(crate) mod delete_unused;
mod dispatch;
pub(crate) mod extract;
pub(crate) mod extract_base;
pub(crate) mod inline;
mod left_over_imports;
pub(crate) mod move_file;
pub(crate) mod move_modules;
pub(crate) mod move_packages;
pub(crate) mod move_symbols;
pub(crate) mod moved;
pub(crate) mod organize_imports;
pub(crate) mod place_file;
pub(crate) mod plan;
pub(crate) mod put;
pub(crate) mod remove_flag;
pub(crate) mod rename;
pub(crate) mod signature;
pub(crate) mod split_class;
pub(crate) mod split_file;

pub use crate::flow::{Reason, Refusal};
pub use crate::gates::{Followed, Moved, Rebound, Transferred, compare};
pub use crate::imports::{ImportFacts, ImportStyle, Section, drop_imports};
pub use crate::transfer::{
    ChangedEnds, Doubt, FileChanges, Piece, Redirected, Transfer, Use, change_ends, changes_of_move, erases_types,
    marks_exports, path_strings, redirect,
};
pub use crate::workspace::relocation::Relocation;
pub use extract::function::{Extracted, extract_function};
pub use extract::variable::extract_variable;
pub use extract_base::edits::{ExtractedBase, Heir, extract_base, makes_bases};
pub use inline::edits::inline;
pub use organize_imports::edits::{Organized, organize};
pub use remove_flag::edits::{FlagUses, Removed, remove_flag};
pub use rename::edits::{Merged, NewNames, RenameError, Renamed, Renaming, new_names, rename};
pub(crate) use signature::edits::default_at;
pub use signature::edits::{ListChanges, MovedElement, SignatureChange, change_arguments, change_parameters};
pub use split_class::edits::{ClassPart, PartMethod, PartState, SplitClass, only_sets, split_class, splits_classes};
pub use split_file::partition::{FileStyle, Unit, partition};
