//! The environment of a hook: files, programs, and the deadline.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::engine::{CommandRunner, Files, Kind};

/// The environment of a hook.
pub struct Setting<'a> {
    /// Access to files.
    pub files: &'a dyn Files,
    /// Access to other programs.
    pub programs: &'a dyn CommandRunner,
    /// The working directory.
    pub working_directory: PathBuf,
    /// The home folder.
    pub home: Option<PathBuf>,
    /// The environment variables.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// The deadline of the answer.
    pub end: Instant,
}

impl Setting<'_> {
    /// The time until the deadline.
    pub(super) fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    /// Whether anything exists at a path.
    pub(super) fn exists(&self, path: &Path) -> bool {
        self.files.facts(path).is_ok()
    }

    /// A path with symbolic links and `..` resolved, as far as it exists.
    pub(super) fn resolve(&self, path: &Path) -> Option<PathBuf> {
        if let Ok(resolved) = self.files.resolve(path) {
            return Some(resolved);
        }
        let name = path.file_name()?;
        Some(self.resolve(path.parent()?)?.join(name))
    }

    /// The nearest folder with `.git`, from a folder upwards.
    pub(crate) fn git_root(&self, folder: &Path) -> Option<PathBuf> {
        folder.ancestors().find(|folder| self.exists(&folder.join(".git"))).map(Path::to_owned)
    }

    /// Whether there is a plain file at a path.
    pub(super) fn is_file(&self, path: &Path) -> bool {
        self.files.facts(path).is_ok_and(|facts| facts.kind == Kind::File)
    }
}
