//! The root of a project.

use std::path::{Path, PathBuf};

use crate::project::Files;

/// The root of the repository that a folder is in: the nearest folder, from it up, with `.git`. Without one, the folder itself.
pub fn project_root(folder: &Path, files: &dyn Files) -> PathBuf {
    repository_of(folder, files).unwrap_or(folder).to_owned()
}

/// The nearest folder, from this one up, with `.git`.
pub(crate) fn repository_of<'a>(folder: &'a Path, files: &dyn Files) -> Option<&'a Path> {
    folder.ancestors().find(|above| files.facts(&above.join(".git")).is_ok())
}
