//! The root of a project.

use std::path::{Path, PathBuf};

use crate::project::Files;

/// The root of the repository that a folder lies in: the nearest folder, from it up, with `.git`. Without one, the folder itself.
pub fn project_root(folder: &Path, files: &dyn Files) -> PathBuf {
    let root = folder.ancestors().find(|above| files.facts(&above.join(".git")).is_ok());
    root.unwrap_or(folder).to_owned()
}
