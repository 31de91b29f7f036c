//! Changes of files when definitions or files go elsewhere: imports, paths to modules, names that leave a module.

pub(crate) mod barrels;
pub(crate) mod changes;
pub(crate) mod computed;
pub(crate) mod definitions;
pub(crate) mod import_parts;
pub(crate) mod module_text;
pub(crate) mod redirect;

pub use changes::{Doubt, FileChanges, changes_of_move};
pub use definitions::{ChangedEnds, Piece, change_ends, erases_types, marks_exports};
pub use redirect::{Redirected, Transfer, Use, path_strings, redirect};
