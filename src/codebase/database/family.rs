//! Which folders share a database: all working trees of a repository.

use std::fs;
use std::path::{Path, PathBuf};

/// What a folder's database is named after: the common folder of the repository that it is in, else the folder itself.
pub(super) fn of(folder: &Path) -> PathBuf {
    folder.ancestors().find_map(repository).unwrap_or_else(|| folder.to_owned())
}

/// The common folder of the repository whose top a folder is.
fn repository(top: &Path) -> Option<PathBuf> {
    let git = top.join(".git");
    let about = fs::metadata(&git).ok()?;
    if about.is_dir() {
        return fs::canonicalize(&git).ok();
    }
    // A further working tree: the file names a folder of the repository, which names the common one.
    let text = read_short(&git)?;
    let own = top.join(text.strip_prefix("gitdir:")?.trim());
    let common = read_short(&own.join("commondir"))?;
    fs::canonicalize(own.join(common.trim())).ok()
}

/// The text of a small file.
fn read_short(path: &Path) -> Option<String> {
    let about = fs::metadata(path).ok()?;
    (about.is_file() && about.len() < 4096).then(|| fs::read_to_string(path).ok())?
}
