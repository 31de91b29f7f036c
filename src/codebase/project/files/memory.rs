//! Files in memory: for tests, and for texts that are not on disk.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use super::{Files, Kind, Listing, Metadata, Walk};

/// Files in memory. A folder exists if it contains a file. There is no `.gitignore`. All files are executable.
#[derive(Debug, Default)]
pub struct Memory {
    entries: Mutex<BTreeMap<PathBuf, Entry>>,
}

#[derive(Debug, Clone)]
enum Entry {
    File { bytes: Vec<u8>, read_only: bool },
    Link(PathBuf),
    Special(&'static str),
}

impl Memory {
    /// Adds a file, or replaces it.
    pub fn write(&self, path: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) {
        self.entries().insert(path.into(), Entry::File { bytes: bytes.into(), read_only: false });
    }

    /// Adds a read-only file.
    pub fn write_read_only(&self, path: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) {
        self.entries().insert(path.into(), Entry::File { bytes: bytes.into(), read_only: true });
    }

    /// Adds a symbolic link.
    pub fn link(&self, path: impl Into<PathBuf>, to: impl Into<PathBuf>) {
        self.entries().insert(path.into(), Entry::Link(to.into()));
    }

    /// Adds something that is not a plain file.
    pub fn special(&self, path: impl Into<PathBuf>, what: &'static str) {
        self.entries().insert(path.into(), Entry::Special(what));
    }

    /// Removes a file.
    pub fn remove(&self, path: impl AsRef<Path>) {
        self.entries().remove(path.as_ref());
    }

    /// The bytes of a file.
    pub fn bytes(&self, path: impl AsRef<Path>) -> Option<Vec<u8>> {
        self.read(path.as_ref(), u64::MAX).ok()
    }

    /// All paths, sorted.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.entries().keys().cloned().collect()
    }

    fn entries(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Entry>> {
        self.entries.lock().expect("nothing panics while the entries are held")
    }

    fn entry(&self, path: &Path) -> io::Result<Entry> {
        let path = self.resolve(path)?;
        self.entries().get(&path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl Files for Memory {
    fn facts(&self, path: &Path) -> io::Result<Metadata> {
        match self.entry(path) {
            Ok(Entry::File { bytes, read_only }) => {
                Ok(Metadata { kind: Kind::File, bytes: bytes.len() as u64, read_only, links: 1, stamp: None })
            }
            Ok(Entry::Special(what)) => {
                Ok(Metadata { kind: Kind::Other(what), bytes: 0, read_only: false, links: 1, stamp: None })
            }
            Ok(Entry::Link(_)) | Err(_)
                if self.entries().keys().any(|known| known != path && known.starts_with(path)) =>
            {
                Ok(Metadata { kind: Kind::Folder, bytes: 0, read_only: false, links: 1, stamp: None })
            }
            Ok(Entry::Link(_)) => Err(io::ErrorKind::NotFound.into()),
            Err(error) => Err(error),
        }
    }

    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        match self.entry(path)? {
            Entry::File { bytes, .. } if bytes.len() as u64 > limit => Err(io::ErrorKind::FileTooLarge.into()),
            Entry::File { bytes, .. } => Ok(bytes),
            _ => Err(io::ErrorKind::InvalidInput.into()),
        }
    }

    fn head(&self, path: &Path, most: usize) -> io::Result<Vec<u8>> {
        let mut bytes = self.read(path, u64::MAX)?;
        bytes.truncate(most);
        Ok(bytes)
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        const HOPS: usize = 16;
        let entries = self.entries();
        let mut path = path.to_owned();
        for _ in 0..HOPS {
            match entries.get(&path) {
                Some(Entry::Link(to)) => path = path.parent().unwrap_or(Path::new("")).join(to),
                _ => return Ok(path),
            }
        }
        Err(io::Error::other("too many symbolic links"))
    }

    fn list(&self, folder: &Path, walk: &Walk) -> io::Result<Listing> {
        let (globs, within) = (super::globs(folder, &walk.globs)?, super::globs(folder, &walk.within)?);
        let is_hidden = |path: &Path| {
            let inner = path.strip_prefix(folder).unwrap_or(path);
            inner.components().any(|part| part.as_os_str().to_string_lossy().starts_with('.'))
        };
        let entries = self.entries();
        let files = entries
            .iter()
            .filter(|(path, entry)| matches!(entry, Entry::File { .. }) && path.starts_with(folder))
            .map(|(path, _)| path)
            .filter(|path| walk.hidden || !is_hidden(path))
            .filter(|path| !globs.matched(path, false).is_ignore() && !within.matched(path, false).is_ignore());
        Ok(Listing { files: files.cloned().collect(), unlisted: Vec::new() })
    }

    fn stage(&self, _path: &Path, beside: &Path, bytes: &[u8]) -> io::Result<()> {
        self.write(beside, bytes);
        Ok(())
    }

    fn commit(&self, beside: &Path, path: &Path) -> io::Result<()> {
        let mut entries = self.entries();
        let staged = entries.remove(beside).ok_or(io::ErrorKind::NotFound)?;
        entries.insert(path.to_owned(), staged);
        Ok(())
    }

    fn sync_folder(&self, _path: &Path) -> io::Result<()> {
        Ok(())
    }

    fn create_dir_all(&self, _path: &Path) -> io::Result<()> {
        Ok(())
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut all = self.bytes(path).unwrap_or_default();
        all.extend_from_slice(bytes);
        self.write(path, all);
        Ok(())
    }

    fn discard(&self, beside: &Path) -> io::Result<()> {
        self.remove(beside);
        Ok(())
    }

    fn remove_empty_folder(&self, _path: &Path) -> io::Result<bool> {
        Ok(false)
    }

    fn make_executable(&self, _path: &Path) -> io::Result<()> {
        Ok(())
    }

    fn is_executable(&self, path: &Path) -> bool {
        self.facts(path).is_ok()
    }

    fn is_link(&self, path: &Path) -> bool {
        matches!(self.entries().get(path), Some(Entry::Link(_)))
    }
}
