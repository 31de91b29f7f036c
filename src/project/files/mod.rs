//! The way to files: the disk, or memory for tests and for programs that hold their own texts.
//!
//! A file is written in two steps: [`Files::stage`] puts the new bytes beside it, synced, with the file's own mode and
//! owner; [`Files::commit`] renames them over it, and [`Files::sync_folder`] makes that last. Whatever happens in between, the file is the old one or the new one.

mod confined;
mod disk;
mod memory;
mod memory_use;
mod quoted;

pub use confined::{Confined, OutsideRoot};
pub use disk::{Disk, Lock};
pub use memory::Memory;
pub use memory_use::MemoryLimit;
pub use quoted::{path_text, unquoted};

use std::io;
use std::path::{Path, PathBuf};

use ignore::overrides::{Override, OverrideBuilder};

/// What stands at a path, symbolic links followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A plain file.
    File,
    /// A folder.
    Folder,
    /// Something that isn't kept on the disk: a FIFO, a device, a socket; in words.
    Other(&'static str),
}

/// How another user could have written the file at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exposure {
    /// It belongs to another user.
    OtherOwner,
    /// Its group, or everybody, may write it.
    OthersWrite,
}

/// What is known of a path without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// What it is.
    pub kind: Kind,
    /// Size in bytes.
    pub bytes: u64,
    /// Whether nobody may write it.
    pub read_only: bool,
    /// How many names it has: hard links.
    pub links: u64,
    /// What tells without reading that it is the file that was read before, where the system says so.
    pub stamp: Option<Stamp>,
}

/// What tells without reading that a file is the one that was read before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// Bytes.
    pub size: u64,
    /// When its content was written, in nanoseconds since 1970.
    pub modified: i64,
    /// When anything of it changed, as the system noted; nobody can set it.
    pub changed: i64,
    /// Its place on the disk.
    pub inode: u64,
}

/// Which files of a folder are wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walk {
    /// Only paths that match one of these globs; `!` before a glob leaves its files out.
    pub globs: Vec<String>,
    /// Of these only paths that match one of these globs too.
    pub within: Vec<String>,
    /// Hidden files too.
    pub hidden: bool,
    /// What `.gitignore` and its like leave out, too.
    pub no_ignore: bool,
    /// What symbolic links lead to, too.
    pub links: bool,
}

/// A part of a folder that couldn't be listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unlisted {
    /// The file or folder.
    pub path: PathBuf,
    /// Why.
    pub why: String,
}

/// The files of a folder, in order of path, and what couldn't be listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// Plain files.
    pub files: Vec<PathBuf>,
    /// What couldn't be listed.
    pub unlisted: Vec<Unlisted>,
}

/// What is done with a staged file before it is renamed; an error keeps the old one.
pub type Prepare<'a> = &'a dyn Fn(&Path) -> io::Result<()>;

/// The only way to files.
pub trait Files: Send + Sync {
    /// What stands at a path.
    ///
    /// # Errors
    /// As the system says; `NotFound` when nothing does.
    fn facts(&self, path: &Path) -> io::Result<Facts>;

    /// All bytes of a file, or `FileTooLarge` when there are more than `limit`. What isn't a plain file is refused, so that nobody
    /// waits for a FIFO.
    ///
    /// # Errors
    /// As the system says.
    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>>;

    /// The same of what the user named for reading, such as a shell's `<(…)`, which may be a FIFO.
    ///
    /// # Errors
    /// As the system says.
    fn read_stream(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        self.read(path, limit)
    }

    /// The first bytes of a file, `most` of them or all.
    ///
    /// # Errors
    /// As the system says.
    fn head(&self, path: &Path, most: usize) -> io::Result<Vec<u8>>;

    /// The path with symbolic links followed.
    ///
    /// # Errors
    /// As the system says.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf>;

    /// The files of a folder, found as ripgrep finds them.
    ///
    /// # Errors
    /// When a glob can't be read.
    fn list(&self, folder: &Path, walk: &Walk) -> io::Result<Listing>;

    /// Puts bytes into the file `beside`, in the folder of `path`, with the mode and owner of the file at `path` if there
    /// is one; what they hold is on the disk afterwards. Nothing is left behind when it fails.
    ///
    /// # Errors
    /// As the system says.
    fn stage(&self, path: &Path, beside: &Path, bytes: &[u8]) -> io::Result<()>;

    /// Renames the staged file over `path`.
    ///
    /// # Errors
    /// As the system says.
    fn commit(&self, beside: &Path, path: &Path) -> io::Result<()>;

    /// Replaces one file, or makes it: stages its bytes beside it, has `prepare` look at them, renames them over it and syncs. What
    /// a process that was killed has left of replacing this file is removed.
    ///
    /// # Errors
    /// As the system or `prepare` says; the file is as it was then, and nothing lies beside it.
    fn replace(&self, path: &Path, bytes: &[u8], prepare: Prepare<'_>) -> io::Result<()> {
        let beside = place_beside(path, "lone-");
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

    /// Brings the renamings in the folder that holds `path` to the disk.
    ///
    /// # Errors
    /// As the system says.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;

    /// Makes a folder, and those above it, unless they are there.
    ///
    /// # Errors
    /// As the system says.
    fn make_folder(&self, path: &Path) -> io::Result<()>;

    /// The same, so that others may not look into it.
    ///
    /// # Errors
    /// As the system says.
    fn make_private_folder(&self, path: &Path) -> io::Result<()> {
        self.make_folder(path)
    }

    /// Writes a new file that others may not look into.
    ///
    /// # Errors
    /// As the system says; when there is such a file.
    fn write_private(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.append(path, bytes)
    }

    /// Adds bytes at the end of a file, which is made unless it is there. They stay together, whoever else adds to it.
    ///
    /// # Errors
    /// As the system says.
    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;

    /// Removes a staged file; it is no error if there is none.
    ///
    /// # Errors
    /// As the system says.
    fn discard(&self, beside: &Path) -> io::Result<()>;

    /// Removes a folder if nothing is in it; whether it did.
    ///
    /// # Errors
    /// As the system says.
    fn remove_empty_folder(&self, path: &Path) -> io::Result<bool>;

    /// Lets everybody run a file who may read it.
    ///
    /// # Errors
    /// As the system says.
    fn make_executable(&self, path: &Path) -> io::Result<()>;

    /// Whether its owner may run a file; where the system keeps no such mode, whether it is there.
    fn is_executable(&self, path: &Path) -> bool;

    /// Whether a symbolic link stands at a path, wherever it leads.
    fn is_link(&self, path: &Path) -> bool;

    /// Whether another user than that of this process could have written the file at a path; symbolic links are followed.
    /// Where files have no owners, nobody could.
    ///
    /// # Errors
    /// As the system says.
    fn exposure(&self, _path: &Path) -> io::Result<Option<Exposure>> {
        Ok(None)
    }
}

/// Globs as in `.gitignore`, seen from a folder.
fn globs(folder: &Path, globs: &[String]) -> io::Result<Override> {
    let mut builder = OverrideBuilder::new(folder);
    for glob in globs {
        builder.add(glob).map_err(io::Error::other)?;
    }
    builder.build().map_err(io::Error::other)
}

/// Where the new bytes of the file at `path` are staged: a hidden file beside it that nobody else names so.
pub fn place_beside(path: &Path, token: &str) -> PathBuf {
    // A name may have 255 bytes; what is added must fit too.
    const KEPT: usize = 128;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let end = (0..=KEPT.min(name.len())).rev().find(|&end| name.is_char_boundary(end)).unwrap_or(0);
    let kept = &name[..end];
    path.with_file_name(format!(".{kept}.cst-{token}"))
}
