//! How the name of a module leads to a file or a folder: one file for each scheme.

mod dotted;
mod files;
mod import;
mod includes;
mod model;
mod module_tree;
mod package_folders;
mod package_manifests;
mod paths;
mod relative;
mod spelling;

pub(crate) use self::files::Modules;
pub use self::model::{FileId, Manifest, Module, ProjectFile};
pub(crate) use self::paths::{folder_of, is_below, join, walk};
pub(crate) use self::spelling::without_extension;
pub use self::spelling::{Written, relative_path, spell_relative};
