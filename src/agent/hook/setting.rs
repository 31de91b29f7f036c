//! Where a hook is called: files, programs, and how long there is left.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::engine::{Files, Kind, Programs};

/// Where a hook is called.
pub struct Setting<'a> {
    /// The way to files.
    pub files: &'a dyn Files,
    /// The way to other programs.
    pub programs: &'a dyn Programs,
    /// The folder in which it was called.
    pub working_directory: PathBuf,
    /// The user's own folder.
    pub home: Option<PathBuf>,
    /// The environment.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// When the answer must be there.
    pub end: Instant,
}

impl Setting<'_> {
    /// How long there is left.
    pub(super) fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    /// Whether anything stands at a path.
    pub(super) fn exists(&self, path: &Path) -> bool {
        self.files.facts(path).is_ok()
    }

    /// A path with symbolic links and `..` followed as far as there is anything.
    pub(super) fn resolved(&self, path: &Path) -> Option<PathBuf> {
        if let Ok(resolved) = self.files.resolve(path) {
            return Some(resolved);
        }
        let name = path.file_name()?;
        Some(self.resolved(path.parent()?)?.join(name))
    }

    /// The nearest folder from one up that holds `.git`.
    pub(crate) fn git_root(&self, folder: &Path) -> Option<PathBuf> {
        folder.ancestors().find(|folder| self.exists(&folder.join(".git"))).map(Path::to_owned)
    }

    /// Whether a plain file stands at a path.
    pub(super) fn is_file(&self, path: &Path) -> bool {
        self.files.facts(path).is_ok_and(|facts| facts.kind == Kind::File)
    }
}
