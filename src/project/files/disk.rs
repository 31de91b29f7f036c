//! Files on the disk.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use super::{Exposure, Facts, Files, Kind, Listing, Stamp, Unlisted, Walk};
use crate::interrupt;

/// The disk.
#[derive(Debug, Clone, Copy, Default)]
pub struct Disk;

/// A file that this process alone holds; the system lets go of it however the process ends.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Disk {
    /// Makes a folder, and those above it, that others may not look into.
    ///
    /// # Errors
    /// As the system says.
    pub fn make_private_folder(self, path: &Path) -> io::Result<()> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(path)
    }

    /// Takes a file that was just written from everybody but its owner.
    ///
    /// # Errors
    /// As the system says.
    #[cfg(unix)]
    pub fn make_private(self, path: &Path) -> io::Result<()> {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o600))
    }

    /// Takes a file that was just written from everybody but its owner; here its folder alone does.
    ///
    /// # Errors
    /// Never.
    #[cfg(not(unix))]
    pub fn make_private(self, _path: &Path) -> io::Result<()> {
        Ok(())
    }

    /// Whether anything stands at a path.
    pub fn exists(self, path: &Path) -> bool {
        fs::symlink_metadata(path).is_ok()
    }

    /// Makes an empty file, and brings it to the disk.
    ///
    /// # Errors
    /// As the system says.
    pub fn make_file(self, path: &Path) -> io::Result<()> {
        File::create(path)?;
        sync_folder(path)
    }

    /// Removes a file; it is no error if there is none.
    ///
    /// # Errors
    /// As the system says.
    pub fn remove_file(self, path: &Path) -> io::Result<()> {
        self.discard(path)
    }

    /// Waits for the lock file at `path`.
    ///
    /// # Errors
    /// As the system says.
    pub fn lock(self, path: &Path) -> io::Result<Lock> {
        let file = OpenOptions::new().create(true).write(true).truncate(false).open(path)?;
        file.lock()?;
        Ok(Lock { _file: file })
    }

    /// Takes the lock file at `path`, unless another holds it.
    ///
    /// # Errors
    /// As the system says.
    pub fn try_lock(self, path: &Path) -> io::Result<Option<Lock>> {
        let file = OpenOptions::new().create(true).write(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Lock { _file: file })),
            Err(fs::TryLockError::WouldBlock) => Ok(None),
            Err(fs::TryLockError::Error(error)) => Err(error),
        }
    }
}

impl Files for Disk {
    fn facts(&self, path: &Path) -> io::Result<Facts> {
        let metadata = fs::metadata(path)?;
        let kind = if metadata.is_file() {
            Kind::File
        } else if metadata.is_dir() {
            Kind::Folder
        } else {
            Kind::Other(special(metadata.file_type()))
        };
        Ok(Facts { kind, bytes: metadata.len(), read_only: metadata.permissions().readonly(), stamp: stamp(&metadata) })
    }

    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        if length > limit {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0) + 1);
        file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
    }

    fn head(&self, path: &Path, most: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(most);
        File::open(path)?.take(most as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(path)
    }

    fn list(&self, folder: &Path, walk: &Walk) -> io::Result<Listing> {
        let globs = super::globs(folder, &walk.globs)?;
        let within = super::globs(folder, &walk.within)?;
        let mut builder = WalkBuilder::new(folder);
        builder
            .hidden(!walk.hidden)
            .standard_filters(!walk.no_ignore)
            .follow_links(walk.links)
            .hidden(!walk.hidden)
            .overrides(globs)
            .sort_by_file_path(Path::cmp);
        let mut listing = Listing::default();
        for entry in builder.build() {
            interrupt::poll();
            match entry {
                Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                    if within.matched(entry.path(), false).is_ignore() {
                        continue;
                    }
                    listing.files.push(entry.into_path());
                }
                Ok(_) => {}
                Err(error) => listing.unlisted.push(unlisted(folder, &error)),
            }
        }
        Ok(listing)
    }

    fn stage(&self, path: &Path, beside: &Path, bytes: &[u8]) -> io::Result<()> {
        let written = write_like(path, beside, bytes);
        if written.is_err() {
            let _ = fs::remove_file(beside);
        }
        written
    }

    fn commit(&self, beside: &Path, path: &Path) -> io::Result<()> {
        fs::rename(beside, path)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        sync_folder(path)
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        // One write of a file opened so is one piece; more than one is only for a disk that is full.
        OpenOptions::new().append(true).create(true).open(path)?.write_all(bytes)
    }

    fn discard(&self, beside: &Path) -> io::Result<()> {
        match fs::remove_file(beside) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn remove_empty_folder(&self, path: &Path) -> io::Result<bool> {
        match fs::remove_dir(path) {
            Ok(()) => Ok(true),
            // A link to a folder is none.
            Err(error) => match error.kind() {
                io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Ok(false),
                _ => Err(error),
            },
        }
    }

    #[cfg(unix)]
    fn make_executable(&self, path: &Path) -> io::Result<()> {
        use std::os::unix::fs::PermissionsExt;
        let mut permissions = fs::metadata(path)?.permissions();
        let mode = permissions.mode();
        // Who may read it may run it.
        permissions.set_mode(mode | (mode & 0o444) >> 2);
        fs::set_permissions(path, permissions)
    }

    #[cfg(not(unix))]
    fn make_executable(&self, _path: &Path) -> io::Result<()> {
        Ok(())
    }

    #[cfg(unix)]
    fn is_executable(&self, path: &Path) -> bool {
        use std::os::unix::fs::PermissionsExt;
        fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o100 != 0)
    }

    #[cfg(not(unix))]
    fn is_executable(&self, path: &Path) -> bool {
        path.exists()
    }

    fn is_link(&self, path: &Path) -> bool {
        fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink())
    }

    #[cfg(unix)]
    fn exposure(&self, path: &Path) -> io::Result<Option<Exposure>> {
        use std::os::unix::fs::MetadataExt;
        let metadata = fs::metadata(path)?;
        let is_ours = metadata.uid() == rustix::process::geteuid().as_raw();
        Ok(match (is_ours, metadata.mode() & 0o022) {
            (false, _) => Some(Exposure::OtherOwner),
            (true, 0) => None,
            (true, _) => Some(Exposure::OthersWrite),
        })
    }
}

/// Writes a new file that has the mode and owner of the one at `path`.
fn write_like(path: &Path, beside: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(beside)?;
    file.write_all(bytes)?;
    match fs::metadata(path) {
        Ok(metadata) => {
            keep_owner(&file, &metadata)?;
            file.set_permissions(metadata.permissions())?;
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    file.sync_all()
}

/// Gives a new file the owner and group of the old one.
#[cfg(unix)]
fn keep_owner(file: &File, old: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let new = file.metadata()?;
    let changed = |new: u32, old: u32| (new != old).then_some(old);
    let (owner, group) = (changed(new.uid(), old.uid()), changed(new.gid(), old.gid()));
    if owner.is_some() || group.is_some() { fchown(file, owner, group) } else { Ok(()) }
}

#[cfg(not(unix))]
fn keep_owner(_file: &File, _old: &fs::Metadata) -> io::Result<()> {
    Ok(())
}

/// Brings the entries of the folder that holds `path` to the disk.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn special(kind: fs::FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if kind.is_fifo() {
        "a FIFO"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn special(_kind: fs::FileType) -> &'static str {
    "no plain file"
}

/// Which path an error of the walk is about.
fn unlisted(folder: &Path, error: &ignore::Error) -> Unlisted {
    fn path_of(error: &ignore::Error) -> Option<&Path> {
        match error {
            ignore::Error::WithPath { path, .. } => Some(path),
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
            ignore::Error::Partial(errors) => errors.iter().find_map(path_of),
            _ => None,
        }
    }
    let why = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
    Unlisted { path: path_of(error).unwrap_or(folder).to_owned(), why }
}

/// What tells a file from its next version. Not every system notes when anything of a file changed.
#[cfg(unix)]
#[allow(clippy::unnecessary_wraps)]
fn stamp(metadata: &fs::Metadata) -> Option<Stamp> {
    use std::os::unix::fs::MetadataExt;
    let nanoseconds = |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
    Some(Stamp {
        size: metadata.len(),
        modified: nanoseconds(metadata.mtime(), metadata.mtime_nsec()),
        changed: nanoseconds(metadata.ctime(), metadata.ctime_nsec()),
        inode: metadata.ino(),
    })
}

#[cfg(not(unix))]
fn stamp(_metadata: &fs::Metadata) -> Option<Stamp> {
    None
}

/// How much of the memory this process holds, in bytes; `None` where the system doesn't say.
pub fn resident_memory() -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        let pages: u64 = fs::read_to_string("/proc/self/statm").ok()?.split(' ').nth(1)?.parse().ok()?;
        Some(pages * rustix::param::page_size() as u64)
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// How much memory is free for this process, in bytes; `None` where the system doesn't say.
pub fn available_memory() -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        let known = fs::read_to_string("/proc/meminfo").ok()?;
        let line = known.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        let free = line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024;
        // A container may have less than its machine.
        let number = |name: &str| {
            let text = fs::read_to_string(format!("/sys/fs/cgroup/memory.{name}")).ok()?;
            text.trim().parse::<u64>().ok()
        };
        let of_container = number("max").zip(number("current")).map(|(most, used)| most.saturating_sub(used));
        Some(of_container.map_or(free, |left| left.min(free)))
    }
    #[cfg(not(target_os = "linux"))]
    None
}
