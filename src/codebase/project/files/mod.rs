//! Access to files: the disk, or memory for tests and for programs that hold their own texts.
//!
//! A file is written in two steps: [`Files::stage`] writes the new bytes next to it, synced, with the mode and owner of
//! the file. [`Files::commit`] renames them over it, and [`Files::sync_folder`] makes that durable. Whatever happens in
//! between, the file is the old one or the new one.

mod confined;
mod disk;
mod ignored;
mod input;
mod memory;
mod memory_use;
mod quoted;
mod scratch;

pub use confined::{Confined, OutsideRoot};
#[doc(hidden)]
pub use disk::resident_memory;
pub use disk::{Disk, Lock};
pub use input::has_unread_input;
pub use memory::Memory;
pub use memory_use::MemoryLimit;
pub use quoted::{path_in_line, path_text, unquoted};
pub use scratch::{IsStopped, Scratch, remove_scratch_copies};

use std::io;
use std::path::{Path, PathBuf};

use ignore::overrides::{Override, OverrideBuilder};

/// What is at a path, with symbolic links followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A plain file.
    File,
    /// A folder.
    Folder,
    /// Something without content on disk: a FIFO, a device, a socket. The text names it.
    Other(&'static str),
}

/// How another user could have written the file at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exposure {
    /// It belongs to another user.
    OtherOwner,
    /// Its group, or everyone, may write to it.
    OthersWrite,
}

/// What can be found out about a path without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metadata {
    /// What it is.
    pub kind: Kind,
    /// Size in bytes.
    pub bytes: u64,
    /// Whether nobody may write to it.
    pub read_only: bool,
    /// The number of hard links.
    pub links: u64,
    /// Identifies the version of the file, if the system supports it.
    pub stamp: Option<Stamp>,
}

/// Identifies the version of a file without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// Bytes.
    pub size: u64,
    /// When its content was last written, in nanoseconds since 1970.
    pub modified: i64,
    /// When anything about it last changed, as the system recorded it; users cannot set it.
    pub changed: i64,
    /// The inode.
    pub inode: u64,
}

/// Which files of a folder are listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walk {
    /// Only paths that match one of these globs; `!` before a glob excludes its files.
    pub globs: Vec<String>,
    /// Of these, only paths that also match one of these globs.
    pub within: Vec<String>,
    /// Whether to include hidden files.
    pub hidden: bool,
    /// Whether to include files that `.gitignore` and similar files exclude.
    pub no_ignore: bool,
    /// Whether to follow symbolic links.
    pub links: bool,
    /// The number of threads that walk; with 0 or 1, only the calling one does.
    pub threads: usize,
}

/// A part of a folder that could not be listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalkError {
    /// The file or folder.
    pub path: PathBuf,
    /// The reason.
    pub why: String,
}

/// The files of a folder, sorted by path, and what could not be listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// Plain files.
    pub files: Vec<PathBuf>,
    /// What could not be listed.
    pub unlisted: Vec<WalkError>,
}

/// Called for each file of a folder and for what could not be listed, in any order and on several threads. Returns false if
/// no more is wanted.
pub type OnWalked<'a> = &'a (dyn Fn(Result<PathBuf, WalkError>) -> bool + Sync);

/// Called with a staged file before it is renamed; an error keeps the old file.
pub type Prepare<'a> = &'a dyn Fn(&Path) -> io::Result<()>;

/// The only access to files.
pub trait Files: Send + Sync {
    /// What is at a path.
    ///
    /// # Errors
    /// Errors of the system; `NotFound` if nothing is there.
    fn facts(&self, path: &Path) -> io::Result<Metadata>;

    /// All bytes of a file, or `FileTooLarge` if there are more than `limit`. Anything but a plain file is refused, so
    /// that no FIFO blocks.
    ///
    /// # Errors
    /// Errors of the system.
    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>>;

    /// The same for a file that the user named for reading, such as a shell's `<(…)`, which may be a FIFO.
    ///
    /// # Errors
    /// Errors of the system.
    fn read_stream(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        self.read(path, limit)
    }

    /// The first bytes of a file, at most `most`.
    ///
    /// # Errors
    /// Errors of the system.
    fn head(&self, path: &Path, most: usize) -> io::Result<Vec<u8>>;

    /// The path with symbolic links followed.
    ///
    /// # Errors
    /// Errors of the system.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf>;

    /// The files of a folder, as ripgrep finds them.
    ///
    /// # Errors
    /// If a glob is invalid.
    fn list(&self, folder: &Path, walk: &Walk) -> io::Result<Listing>;

    /// The same without the files that do not fit, of which is asked in any order and on several threads.
    ///
    /// # Errors
    /// If a glob is invalid.
    fn list_fitting(&self, folder: &Path, walk: &Walk, fits: &(dyn Fn(&Path) -> bool + Sync)) -> io::Result<Listing> {
        let mut listing = self.list(folder, walk)?;
        listing.files.retain(|path| fits(path));
        Ok(listing)
    }

    /// The same, passed on while the walk goes on.
    ///
    /// # Errors
    /// If a glob is invalid.
    fn walk(&self, folder: &Path, walk: &Walk, take: OnWalked<'_>) -> io::Result<()> {
        let Listing { files, unlisted } = self.list(folder, walk)?;
        let _ = files.into_iter().map(Ok).chain(unlisted.into_iter().map(Err)).all(take);
        Ok(())
    }

    /// The files of a folder that ignore files exclude, at most so many: those beside the listed ones, without folders of dependencies and
    /// of what tools make.
    fn ignored(&self, _folder: &Path, _listed: &[PathBuf], _most: usize) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Writes bytes to the file `beside`, in the folder of `path`, and syncs it. It gets the mode and owner of the file
    /// at `path`, if there is one. Nothing is left behind on failure.
    ///
    /// # Errors
    /// Errors of the system.
    fn stage(&self, path: &Path, beside: &Path, bytes: &[u8]) -> io::Result<()>;

    /// Removes a folder that is empty.
    ///
    /// # Errors
    /// If it is not empty, or cannot be removed.
    fn remove_folder(&self, _path: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Renames the staged file over `path`.
    ///
    /// # Errors
    /// Errors of the system.
    fn commit(&self, beside: &Path, path: &Path) -> io::Result<()>;

    /// Replaces or creates one file: stages its bytes, calls `prepare` with the staged file, renames it over `path`,
    /// and syncs. Removes leftovers of killed processes that replaced this file.
    ///
    /// # Errors
    /// Errors of the system or of `prepare`. Then the file is unchanged, and nothing is left next to it.
    fn replace(&self, path: &Path, bytes: &[u8], prepare: Prepare<'_>) -> io::Result<()> {
        let beside = sibling_temp_path(path, "lone-");
        let replaced = self
            .stage(path, &beside, bytes)
            .and_then(|()| prepare(&beside))
            .and_then(|()| self.commit(&beside, path))
            .and_then(|()| self.sync_folder(path));
        if replaced.is_err() {
            let _ = self.discard(&beside);
        }
        replaced
    }

    /// Syncs the folder that contains `path`, so that renames are durable.
    ///
    /// # Errors
    /// Errors of the system.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;

    /// Creates a folder and its parents, unless they exist.
    ///
    /// # Errors
    /// Errors of the system.
    fn create_dir_all(&self, path: &Path) -> io::Result<()>;

    /// The same, but only the owner can access them.
    ///
    /// # Errors
    /// Errors of the system.
    fn make_private_folder(&self, path: &Path) -> io::Result<()> {
        self.create_dir_all(path)
    }

    /// Writes a new file that only the owner can access.
    ///
    /// # Errors
    /// Errors of the system; if the file exists.
    fn write_private(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.append(path, bytes)
    }

    /// Appends bytes to a file, which is created if missing. They stay together even if others append at the same time.
    ///
    /// # Errors
    /// Errors of the system.
    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;

    /// Writes bytes to what is no plain file: a FIFO, which waits for its reader, or a device.
    ///
    /// # Errors
    /// Errors of the system.
    fn write_into(&self, _path: &Path, _bytes: &[u8]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Removes a staged file. A missing file is not an error.
    ///
    /// # Errors
    /// Errors of the system.
    fn discard(&self, beside: &Path) -> io::Result<()>;

    /// Removes a folder if it is empty; returns whether it did.
    ///
    /// # Errors
    /// Errors of the system.
    fn remove_empty_folder(&self, path: &Path) -> io::Result<bool>;

    /// Makes a file executable for everyone who may read it.
    ///
    /// # Errors
    /// Errors of the system.
    fn make_executable(&self, path: &Path) -> io::Result<()>;

    /// Whether files can be made and replaced in a folder, as far as can be found out without trying.
    ///
    /// # Errors
    /// Why they cannot: it belongs to others, or the file system is mounted for reading only.
    fn check_folder(&self, _folder: &Path) -> io::Result<()> {
        Ok(())
    }

    /// Whether its owner may run a file; if the system has no such mode, whether it exists.
    fn is_executable(&self, path: &Path) -> bool;

    /// Whether there is a symbolic link at a path, wherever it leads.
    fn is_link(&self, path: &Path) -> bool;

    /// Whether a user other than that of this process could have written the file at a path, with symbolic links
    /// followed. If files have no owners, nobody could.
    ///
    /// # Errors
    /// Errors of the system.
    fn exposure(&self, _path: &Path) -> io::Result<Option<Exposure>> {
        Ok(None)
    }
}

/// Globs as in `.gitignore`, relative to a folder.
fn globs(folder: &Path, globs: &[String]) -> io::Result<Override> {
    let mut builder = OverrideBuilder::new(folder);
    for glob in globs {
        builder.add(glob).map_err(io::Error::other)?;
    }
    builder.build().map_err(io::Error::other)
}

/// Tests paths by globs as in `.gitignore`.
#[derive(Debug)]
pub struct PathFilter(Override);

impl PathFilter {
    /// A filter for paths relative to some folder: one of the globs must fit, and none of those after `!`.
    ///
    /// # Errors
    /// If a glob is invalid.
    pub fn new(patterns: &[String]) -> io::Result<PathFilter> {
        globs(Path::new(""), patterns).map(PathFilter)
    }

    /// Whether a path fits.
    pub fn fits(&self, path: &str) -> bool {
        !self.0.matched(path, false).is_ignore()
    }
}

/// Where new bytes of the file at `path` are staged: a hidden file in the same folder with a unique name.
pub fn sibling_temp_path(path: &Path, token: &str) -> PathBuf {
    // A name may have 255 bytes, including the suffix.
    const KEPT: usize = 128;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let end = (0..=KEPT.min(name.len())).rev().find(|&end| name.is_char_boundary(end)).unwrap_or(0);
    let kept = &name[..end];
    path.with_file_name(format!(".{kept}.cst-{token}"))
}
