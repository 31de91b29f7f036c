//! Files on the disk.

use std::cmp::Ordering;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use ignore::{DirEntry, WalkBuilder, WalkState};

use super::{Exposure, Files, Kind, Listing, Metadata, OnWalked, Prepare, Stamp, Walk, WalkError};
use crate::interrupt;
use crate::locks::IgnorePoison;

/// The disk.
#[derive(Debug, Clone, Copy, Default)]
pub struct Disk;

/// A file that only this process holds. The system releases it however the process ends.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Disk {
    /// Creates a folder and its parents, which only the owner can access.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn make_private_folder(self, path: &Path) -> io::Result<()> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(path)
    }

    /// Options to open a file for writing that only the owner can access.
    pub fn private_options(self) -> OpenOptions {
        options(Privacy::Private)
    }

    /// Creates an empty file that only the owner can access. If the file exists, restricts it.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn make_private_file(self, path: &Path) -> io::Result<()> {
        match options(Privacy::Private).create_new(true).open(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => self.make_private(path),
            made => made.map(drop),
        }
    }

    /// Restricts a file to its owner. A missing file is not an error.
    ///
    /// # Errors
    /// Errors of the system.
    #[cfg(unix)]
    pub fn make_private(self, path: &Path) -> io::Result<()> {
        use std::os::unix::fs::PermissionsExt;
        match fs::metadata(path) {
            Ok(metadata) if metadata.permissions().mode() & 0o077 != 0 => {
                let mode = metadata.permissions().mode() & 0o700;
                fs::set_permissions(path, fs::Permissions::from_mode(mode))
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Restricts a file to its owner, if the system has such modes.
    ///
    /// # Errors
    /// Errors of the system.
    #[cfg(not(unix))]
    pub fn make_private(self, _path: &Path) -> io::Result<()> {
        Ok(())
    }

    /// Why a folder is not the user's alone: others own it or may write to it. The text follows its name.
    ///
    /// # Errors
    /// Errors of the system.
    #[cfg(unix)]
    pub fn insecurity(self, folder: &Path) -> io::Result<Option<String>> {
        use std::os::unix::fs::MetadataExt;
        let metadata = fs::metadata(folder)?;
        if metadata.mode() & 0o022 != 0 {
            return Ok(Some(format!("can be written by others (its mode is {:04o})", metadata.mode() & 0o7777)));
        }
        // The user is the owner of a file that they create.
        let probe = folder.join(format!(".{}", uuid::Uuid::now_v7().simple()));
        let owner = match options(Privacy::Private).create_new(true).open(&probe) {
            Ok(file) => Some(file.metadata()?.uid()),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => None,
            Err(error) => return Err(error),
        };
        self.remove_file(&probe)?;
        Ok((owner != Some(metadata.uid())).then(|| "belongs to another user".to_owned()))
    }

    /// Why a folder is not the user's alone; unknown on this system.
    ///
    /// # Errors
    /// Errors of the system.
    #[cfg(not(unix))]
    pub fn insecurity(self, _folder: &Path) -> io::Result<Option<String>> {
        Ok(None)
    }

    /// Whether anything exists at a path.
    pub fn exists(self, path: &Path) -> bool {
        fs::symlink_metadata(path).is_ok()
    }

    /// Creates an empty file that only the owner can access, and syncs it.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn make_file(self, path: &Path) -> io::Result<()> {
        self.make_private_file(path)?;
        sync_folder(path)
    }

    /// Removes a file. A missing file is not an error.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn remove_file(self, path: &Path) -> io::Result<()> {
        self.discard(path)
    }

    /// Waits for the lock file at `path`.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn lock(self, path: &Path) -> io::Result<Lock> {
        check_plain(path)?;
        let file = options(Privacy::Private).create(true).truncate(false).open(path)?;
        file.lock()?;
        Ok(Lock { _file: file })
    }

    /// Takes the lock file at `path`, unless another process holds it.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn try_lock(self, path: &Path) -> io::Result<Option<Lock>> {
        check_plain(path)?;
        let file = options(Privacy::Private).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Lock { _file: file })),
            Err(fs::TryLockError::WouldBlock) => Ok(None),
            Err(fs::TryLockError::Error(error)) => Err(error),
        }
    }
}

impl Files for Disk {
    fn facts(&self, path: &Path) -> io::Result<Metadata> {
        let metadata = fs::metadata(path)?;
        let kind = if metadata.is_file() {
            Kind::File
        } else if metadata.is_dir() {
            Kind::Folder
        } else {
            Kind::Other(special(metadata.file_type()))
        };
        let read_only = metadata.permissions().readonly();
        Ok(Metadata { kind, bytes: metadata.len(), read_only, links: links(&metadata), stamp: stamp(&metadata) })
    }

    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        let (file, length) = open_plain(path)?;
        read_within(file, length, limit)
    }

    fn read_stream(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        read_within(file, length, limit)
    }

    fn head(&self, path: &Path, most: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(most);
        open_plain(path)?.0.take(most as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(path)
    }

    fn list(&self, folder: &Path, walk: &Walk) -> io::Result<Listing> {
        self.list_fitting(folder, walk, &|_| true)
    }

    fn list_fitting(&self, folder: &Path, walk: &Walk, fits: &(dyn Fn(&Path) -> bool + Sync)) -> io::Result<Listing> {
        let listing = Mutex::new(Listing::default());
        self.walk(folder, walk, &|found| {
            if found.as_ref().is_ok_and(|path| !fits(path)) {
                return true;
            }
            let mut listing = listing.lock().ignore_poison();
            match found {
                Ok(path) => listing.files.push(path),
                Err(unlisted) => listing.unlisted.push(unlisted),
            }
            true
        })?;
        let mut listing = listing.into_inner().ignore_poison();
        listing.files.sort_unstable_by(|first, second| compare(first, second));
        listing.unlisted.sort_by(|first, second| compare(&first.path, &second.path));
        Ok(listing)
    }

    fn walk(&self, folder: &Path, walk: &Walk, take: OnWalked<'_>) -> io::Result<()> {
        let globs = super::globs(folder, &walk.globs)?;
        let within = super::globs(folder, &walk.within)?;
        let mut builder = WalkBuilder::new(folder);
        let waiting = Arc::new(Mutex::new(Vec::new()));
        if !walk.no_ignore {
            // The walk would block on a FIFO.
            folder.ancestors().try_for_each(check_ignore_files)?;
            let waiting = waiting.clone();
            builder.filter_entry(move |entry| {
                let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
                let checked = if is_folder { check_ignore_files(entry.path()) } else { Ok(()) };
                let Err(error) = checked else { return true };
                let unlisted = WalkError { path: entry.path().to_owned(), why: error.to_string() };
                waiting.lock().ignore_poison().push(unlisted);
                false
            });
        }
        builder
            .hidden(!walk.hidden)
            .standard_filters(!walk.no_ignore)
            .follow_links(walk.links)
            .hidden(!walk.hidden)
            .overrides(globs);
        let take_entry = |entry: Result<DirEntry, ignore::Error>| match entry {
            Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                within.matched(entry.path(), false).is_ignore() || take(Ok(entry.into_path()))
            }
            Ok(_) => true,
            Err(error) => take(Err(walk_error(folder, &error))),
        };
        if walk.threads > 1 {
            let question = interrupt::question();
            let is_stopped = || question.as_ref().is_some_and(|question| question().is_some());
            builder.threads(walk.threads).build_parallel().run(|| {
                Box::new(|entry| match is_stopped() || !take_entry(entry) {
                    true => WalkState::Quit,
                    false => WalkState::Continue,
                })
            });
            interrupt::poll();
        } else {
            for entry in builder.build() {
                interrupt::poll();
                if !take_entry(entry) {
                    return Ok(());
                }
            }
        }
        let waiting = std::mem::take(&mut *waiting.lock().ignore_poison());
        let _ = waiting.into_iter().map(Err).all(take);
        Ok(())
    }

    fn ignored(&self, folder: &Path, listed: &[PathBuf], most: usize) -> Vec<PathBuf> {
        super::ignored::ignored(folder, listed, most)
    }

    fn stage(&self, path: &Path, beside: &Path, bytes: &[u8]) -> io::Result<()> {
        // A new file may be in a new folder.
        if let Some(folder) = beside.parent().filter(|folder| !folder.exists()) {
            fs::create_dir_all(folder)?;
        }
        let staged = create_like(path, beside)?;
        let written = write_like(path, &staged, bytes);
        if written.is_err() {
            let _ = fs::remove_file(beside);
        }
        written
    }

    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir(path)
    }

    fn commit(&self, beside: &Path, path: &Path) -> io::Result<()> {
        fs::rename(beside, path)
    }

    fn replace(&self, path: &Path, bytes: &[u8], prepare: Prepare<'_>) -> io::Result<()> {
        remove_leftovers(path);
        let (beside, staged) = loop {
            let beside = super::sibling_temp_path(path, &format!("{LONE}{}", uuid::Uuid::now_v7().simple()));
            let file = create_like(path, &beside)?;
            file.lock()?;
            // Another process may have removed it as a leftover before it was locked.
            if is_linked(&file)? {
                break (beside, file);
            }
        };
        let replaced = write_like(path, &staged, bytes)
            .and_then(|()| prepare(&beside))
            .and_then(|()| fs::rename(&beside, path))
            .and_then(|()| sync_folder(path));
        if replaced.is_err() {
            let _ = self.discard(&beside);
        }
        replaced
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        sync_folder(path)
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        check_plain(path)?;
        // A single write to a file opened like this is atomic; more than one is only needed if the disk is full.
        OpenOptions::new().append(true).create(true).open(path)?.write_all(bytes)
    }

    #[cfg(unix)]
    fn check_folder(&self, folder: &Path) -> io::Result<()> {
        Ok(rustix::fs::access(folder, rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK)?)
    }

    fn write_into(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        OpenOptions::new().write(true).open(path)?.write_all(bytes)
    }

    fn make_private_folder(&self, path: &Path) -> io::Result<()> {
        Disk::make_private_folder(*self, path)
    }

    fn write_private(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        options(Privacy::Private).create_new(true).open(path)?.write_all(bytes)
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
            // A link to a folder does not count as one.
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
        // Everyone who may read it may run it.
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

/// Who can access a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Privacy {
    /// Its owner.
    Private,
    /// Everyone whom the umask of the process permits.
    Usual,
}

/// Options to open a file for writing.
fn options(privacy: Privacy) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    if privacy == Privacy::Private {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    #[cfg(not(unix))]
    let _ = privacy;
    options
}

/// All bytes of an open file that had `length` of them, or `FileTooLarge` if there are more than `limit`.
fn read_within(file: File, length: u64, limit: u64) -> io::Result<Vec<u8>> {
    if length > limit {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0) + 1);
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
}

/// Opens a plain file; returns it with its length in bytes. No FIFO blocks, and nothing else is read.
#[cfg(unix)]
fn open_plain(path: &Path) -> io::Result<(File, u64)> {
    use std::os::unix::fs::OpenOptionsExt;
    let without_waiting = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    let opened = OpenOptions::new().read(true).custom_flags(without_waiting).open(path);
    // A socket can't be opened: say what it is.
    let file = opened.map_err(|error| check_plain(path).err().unwrap_or(error))?;
    let metadata = file.metadata()?;
    refuse_special(&metadata)?;
    Ok((file, metadata.len()))
}

#[cfg(not(unix))]
fn open_plain(path: &Path) -> io::Result<(File, u64)> {
    check_plain(path)?;
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    Ok((file, length))
}

fn refuse_special(metadata: &fs::Metadata) -> io::Result<()> {
    if metadata.is_file() || metadata.is_dir() {
        return Ok(());
    }
    let what = special(metadata.file_type());
    Err(io::Error::new(io::ErrorKind::InvalidInput, format!("it is {what}, not a plain file")))
}

/// Refuses files whose opening might block: FIFOs, sockets, devices. A missing file is accepted.
fn check_plain(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(metadata) => refuse_special(&metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Refuses a folder whose ignore files cannot be read without blocking.
pub(super) fn check_ignore_files(folder: &Path) -> io::Result<()> {
    [".gitignore", ".ignore", ".git/info/exclude"].iter().try_for_each(|name| {
        let path = folder.join(name);
        match check_plain(&path) {
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                Err(io::Error::other(format!("`{}` cannot be read: {error}", path.display())))
            }
            // The walk reports all other problems with it.
            _ => Ok(()),
        }
    })
}

/// Creates the file in which new bytes for the file at `path` are staged. From the start, only those who can access
/// that file can access this one.
fn create_like(path: &Path, beside: &Path) -> io::Result<File> {
    let privacy = match fs::metadata(path) {
        Ok(_) => Privacy::Private,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Privacy::Usual,
        Err(error) => return Err(error),
    };
    options(privacy).create_new(true).open(beside)
}

/// Writes a file with the mode and owner of the one at `path`.
fn write_like(path: &Path, mut file: &File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    match fs::metadata(path) {
        Ok(metadata) => {
            keep_owner(file, &metadata)?;
            keep_attributes(file, path);
            file.set_permissions(metadata.permissions())?;
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    file.sync_all()
}

/// The prefix of the files in which [`Disk::replace`] stages bytes. They are locked as long as their process lives.
const LONE: &str = "lone-";

/// Removes files that dead processes left when they replaced the file at `path`.
fn remove_leftovers(path: &Path) {
    let sample = super::sibling_temp_path(path, LONE);
    let (Some(folder), Some(begin)) = (path.parent(), sample.file_name().and_then(|name| name.to_str())) else {
        return;
    };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_one = entry.file_name().to_str().is_some_and(|name| name.starts_with(begin));
        if !is_one || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        // The process that holds the lock is still at work.
        if let Ok(file) = options(Privacy::Private).open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Copies the extended attributes of the old file, including access lists, as far as the system allows: some can only
/// be set by the administrator, and some file systems have none.
#[cfg(unix)]
fn keep_attributes(file: &File, old: &Path) {
    for name in xattr::list_deref(old).into_iter().flatten() {
        if let Ok(Some(value)) = xattr::get_deref(old, &name) {
            let _ = xattr::FileExt::set_xattr(file, &name, &value);
        }
    }
}

#[cfg(not(unix))]
fn keep_attributes(_file: &File, _old: &Path) {}

/// Whether an open file still has a name.
#[cfg(unix)]
fn is_linked(file: &File) -> io::Result<bool> {
    Ok(std::os::unix::fs::MetadataExt::nlink(&file.metadata()?) > 0)
}

#[cfg(not(unix))]
fn is_linked(_file: &File) -> io::Result<bool> {
    Ok(true)
}

/// Copies the owner and group of the old file. A group to which this process does not belong is left: the file is its owner's
/// all the same.
#[cfg(unix)]
fn keep_owner(file: &File, old: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let new = file.metadata()?;
    let changed = |new: u32, old: u32| (new != old).then_some(old);
    let (owner, group) = (changed(new.uid(), old.uid()), changed(new.gid(), old.gid()));
    if owner.is_none() && group.is_none() {
        return Ok(());
    }
    match fchown(file, owner, group) {
        Err(error) if owner.is_none() && error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        changed => changed,
    }
}

#[cfg(not(unix))]
fn keep_owner(_file: &File, _old: &fs::Metadata) -> io::Result<()> {
    Ok(())
}

/// The number of hard links of a file.
#[cfg(unix)]
fn links(metadata: &fs::Metadata) -> u64 {
    if metadata.is_file() { std::os::unix::fs::MetadataExt::nlink(metadata) } else { 1 }
}

#[cfg(not(unix))]
fn links(_metadata: &fs::Metadata) -> u64 {
    1
}

/// Syncs the folder that contains `path`.
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
    "something else"
}

/// The order of `Path::cmp` for paths of one walk, without taking them apart: a separator comes before any other byte.
fn compare(first: &Path, second: &Path) -> Ordering {
    let (first, second) = (first.as_os_str().as_encoded_bytes(), second.as_os_str().as_encoded_bytes());
    let rank = |byte: u8| if std::path::is_separator(char::from(byte)) { 0 } else { u16::from(byte) + 1 };
    match first.iter().zip(second).find(|(first, second)| first != second) {
        Some((&first, &second)) => rank(first).cmp(&rank(second)),
        None => first.len().cmp(&second.len()),
    }
}

/// The path that an error of the walk is about.
fn walk_error(folder: &Path, error: &ignore::Error) -> WalkError {
    fn path_of(error: &ignore::Error) -> Option<&Path> {
        match error {
            ignore::Error::WithPath { path, .. } => Some(path),
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
            ignore::Error::Partial(errors) => errors.iter().find_map(path_of),
            _ => None,
        }
    }
    let why = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
    WalkError { path: path_of(error).unwrap_or(folder).to_owned(), why }
}

/// Distinguishes versions of a file. Not every system records when anything about a file changed.
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

/// The resident memory of this process in bytes; `None` if the system does not report it.
pub fn resident_memory() -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        let pages: u64 = fs::read_to_string("/proc/self/statm").ok()?.split(' ').nth(1)?.parse().ok()?;
        Some(pages * rustix::param::page_size() as u64)
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// The memory available to this process in bytes; `None` if the system does not report it.
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
