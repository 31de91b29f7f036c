//! Files below one folder: paths that lead out of it are refused.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Exposure, Files, Listing, Metadata, OnWalked, Walk};

/// The files below a root. Symbolic links are followed before it is decided where a path leads. A link out of the root
/// is refused, in any part of the path, and so is a path that does not exist yet but begins outside.
///
/// Checking and acting are two steps, so each operation uses the resolved path, and after reading and staging the path
/// is checked again. Someone who may move folders inside the root while a request runs can still win a race against a
/// single rename. Hard links look like any other file.
pub struct Confined {
    files: Arc<dyn Files>,
    root: PathBuf,
}

/// A path leads out of the root.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("it is outside of the root `{}`", root.display())]
pub struct OutsideRoot {
    /// The root.
    pub root: PathBuf,
}

impl Confined {
    /// The files below `root`; none if there is no such folder.
    pub fn new(files: Arc<dyn Files>, root: &Path) -> Confined {
        let root = files.resolve(root).unwrap_or_else(|_| root.to_owned());
        Confined { files, root }
    }

    /// The root, with symbolic links followed.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Whether a path is inside the root.
    pub fn permits(&self, path: &Path) -> bool {
        self.inside(path).is_ok()
    }

    fn outside(&self) -> io::Error {
        io::Error::new(io::ErrorKind::PermissionDenied, OutsideRoot { root: self.root.clone() })
    }

    /// A path with its links followed as far as it exists; it is inside the root.
    fn inside(&self, path: &Path) -> io::Result<PathBuf> {
        let resolved = match self.files.resolve(path) {
            Ok(resolved) => resolved,
            // Writing through a dangling link would create its target.
            Err(_) if self.files.is_link(path) => return Err(self.outside()),
            Err(_) => return self.named_inside(path),
        };
        if resolved.starts_with(&self.root) { Ok(resolved) } else { Err(self.outside()) }
    }

    /// The same without following the last part, which is to be replaced or does not exist yet.
    fn named_inside(&self, path: &Path) -> io::Result<PathBuf> {
        match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) => Ok(self.inside(parent)?.join(name)),
            _ => Err(self.outside()),
        }
    }

    /// Whether a path still leads to the same place.
    fn check(&self, path: &Path, resolved: &Path) -> io::Result<()> {
        if self.inside(path)? == resolved { Ok(()) } else { Err(self.outside()) }
    }
}

impl Files for Confined {
    fn facts(&self, path: &Path) -> io::Result<Metadata> {
        self.files.facts(&self.inside(path)?)
    }

    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        let resolved = self.inside(path)?;
        let bytes = self.files.read(&resolved, limit)?;
        self.check(path, &resolved)?;
        Ok(bytes)
    }

    fn head(&self, path: &Path, most: usize) -> io::Result<Vec<u8>> {
        let resolved = self.inside(path)?;
        let bytes = self.files.head(&resolved, most)?;
        self.check(path, &resolved)?;
        Ok(bytes)
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        let resolved = self.files.resolve(path)?;
        if resolved.starts_with(&self.root) { Ok(resolved) } else { Err(self.outside()) }
    }

    fn list(&self, folder: &Path, walk: &Walk) -> io::Result<Listing> {
        self.inside(folder)?;
        // Links in it are not followed, or are refused one by one when they are read.
        self.files.list(folder, walk)
    }

    fn list_fitting(&self, folder: &Path, walk: &Walk, fits: &(dyn Fn(&Path) -> bool + Sync)) -> io::Result<Listing> {
        self.inside(folder)?;
        self.files.list_fitting(folder, walk, fits)
    }

    fn ignored(&self, folder: &Path, listed: &[PathBuf], most: usize) -> Vec<PathBuf> {
        match self.inside(folder) {
            Ok(_) => self.files.ignored(folder, listed, most),
            Err(_) => Vec::new(),
        }
    }

    fn walk(&self, folder: &Path, walk: &Walk, take: OnWalked<'_>) -> io::Result<()> {
        self.inside(folder)?;
        self.files.walk(folder, walk, take)
    }

    fn stage(&self, path: &Path, beside: &Path, bytes: &[u8]) -> io::Result<()> {
        let (resolved, staged) = (self.inside(path)?, self.named_inside(beside)?);
        self.files.stage(&resolved, &staged, bytes)?;
        let checked = self.check(path, &resolved).and_then(|()| match self.named_inside(beside)? == staged {
            true => Ok(()),
            false => Err(self.outside()),
        });
        if checked.is_err() {
            // The staged file has no other use; if it cannot be removed, it stays.
            let _ = self.files.discard(&staged);
        }
        checked
    }

    fn commit(&self, beside: &Path, path: &Path) -> io::Result<()> {
        self.files.commit(&self.named_inside(beside)?, &self.named_inside(path)?)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.files.sync_folder(&self.named_inside(path)?)
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        self.files.create_dir_all(&self.inside(path)?)
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.files.append(&self.inside(path)?, bytes)
    }

    fn check_folder(&self, folder: &Path) -> io::Result<()> {
        self.files.check_folder(&self.inside(folder)?)
    }

    fn write_into(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.files.write_into(&self.inside(path)?, bytes)
    }

    fn discard(&self, beside: &Path) -> io::Result<()> {
        self.files.discard(&self.named_inside(beside)?)
    }

    fn remove_empty_folder(&self, path: &Path) -> io::Result<bool> {
        self.files.remove_empty_folder(&self.named_inside(path)?)
    }

    fn make_executable(&self, path: &Path) -> io::Result<()> {
        self.files.make_executable(&self.inside(path)?)
    }

    fn is_executable(&self, path: &Path) -> bool {
        self.inside(path).is_ok_and(|path| self.files.is_executable(&path))
    }

    fn is_link(&self, path: &Path) -> bool {
        self.named_inside(path).is_ok_and(|path| self.files.is_link(&path))
    }

    fn exposure(&self, path: &Path) -> io::Result<Option<Exposure>> {
        self.files.exposure(&self.inside(path)?)
    }
}
