//! Files that ignore files exclude, beside those of a project.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use crate::interrupt;

/// Folders of dependencies, and of what tools make: they repeat the names of the code that they are made of.
const MADE: &[&str] = &[
    "node_modules",
    "bower_components",
    "jspm_packages",
    "Pods",
    "vendor",
    "target",
    "build",
    "dist",
    "out",
    "bin",
    "obj",
    "coverage",
    "htmlcov",
    "site",
    "_build",
    "__pycache__",
    "venv",
    "env",
    "tmp",
    "temp",
    "DerivedData",
];
/// The files that say that a folder is a cache, or a virtual environment.
const MARKERS: &[&str] = &["CACHEDIR.TAG", "pyvenv.cfg"];
/// How deep an ignored folder is looked through.
const DEPTH: usize = 4;

/// The files that were not listed although they are in a listed file's folder, or in a folder beside one; at most so many. Hidden files
/// are left out, and so are folders of dependencies and of what tools make.
pub(super) fn ignored(root: &Path, listed: &[PathBuf], most: usize) -> Vec<PathBuf> {
    let mut folders: FxHashSet<&Path> = FxHashSet::default();
    folders.insert(root);
    for path in listed {
        let above = path.ancestors().skip(1).take_while(|above| above.starts_with(root));
        // Whoever is known, has those above known.
        let _ = above.take_while(|above| folders.insert(above)).count();
    }
    let known: FxHashSet<&Path> = listed.iter().map(PathBuf::as_path).collect();
    let mut found = Vec::new();
    let mut waiting: Vec<(PathBuf, usize)> = folders.iter().map(|folder| ((*folder).to_owned(), 0)).collect();
    waiting.sort_unstable();
    while let Some((folder, depth)) = waiting.pop() {
        interrupt::poll();
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let (name, path) = (entry.file_name(), entry.path());
            let Ok(kind) = entry.file_type() else { continue };
            if found.len() >= most {
                return found;
            }
            if name.as_encoded_bytes().starts_with(b".") {
                continue;
            }
            if kind.is_file() && !known.contains(path.as_path()) {
                found.push(path);
            } else if kind.is_dir() && depth < DEPTH && !folders.contains(path.as_path()) && !is_made(&name, &path) {
                waiting.push((path, depth + 1));
            }
        }
    }
    found.sort_unstable();
    found
}

fn is_made(name: &OsStr, folder: &Path) -> bool {
    MADE.iter().any(|made| name == *made)
        || name.as_encoded_bytes().ends_with(b".egg-info")
        || MARKERS.iter().any(|marker| folder.join(marker).exists())
}
