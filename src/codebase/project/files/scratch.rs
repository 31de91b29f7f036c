//! A scratch copy of a working tree, in which a program may write what it likes.
//!
//! Every file is a copy: the system shares its blocks where the file system can (`copy_file_range` on Linux, `clonefile` on macOS), and
//! never by hard links, through which a program that writes into a file would write into the user's. Times are kept, so that what
//! is up to date stays so. Ignored files are copied as far as they are few and small. Folders of dependencies are not: their
//! entries are links to the user's.
//!
//! A copy is removed when it is dropped, and by [`remove_scratch_copies`] when the process is about to end. What a killed process has left
//! is removed by the next copy of the same tree.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, FileTimes};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ignore::WalkBuilder;
use rustc_hash::FxHashSet;

use super::disk::check_ignore_files;
use super::{Disk, Lock};
use crate::limits;
use crate::locks::IgnorePoison;

/// Folders of dependencies: read by programs, and written only when dependencies are installed.
const DEPENDENCIES: &[&str] = &["node_modules", "bower_components", "jspm_packages", "Pods"];
/// The same, if git ignores them.
const IGNORED_DEPENDENCIES: &[&str] = &["vendor", ".yarn", ".bundle"];
/// Folders in those of dependencies that have programs, or say where packages are: what is in them is linked one by one.
const NESTED: &[&str] = &[".bin", "bin", "Scripts", "lib", "Lib", "site-packages", "composer"];
/// The largest file there in which paths of the tree are looked for, in bytes.
const NAMING: u64 = 256 << 10;
/// The file that a virtual environment of Python has.
const ENVIRONMENT: &str = "pyvenv.cfg";
/// How many copies of one tree there may be at a time.
const COPIES: usize = 16;

/// The copies that are there now.
static LIVE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A copy of a working tree.
#[derive(Debug)]
pub struct Scratch {
    /// The folder that is copied.
    source: PathBuf,
    /// The copy of it.
    root: PathBuf,
    /// The folder that is removed at the end.
    whole: PathBuf,
    /// Ignored files and folders that are not in the copy, below the root.
    left_out: Vec<PathBuf>,
    /// The files that were changed, and what they held.
    originals: BTreeMap<PathBuf, Option<Vec<u8>>>,
    /// The time of the file that was changed last.
    latest: SystemTime,
    _lock: Option<Lock>,
}

/// Asked now and then whether the copy is not wanted any more.
pub type IsStopped<'a> = &'a dyn Fn() -> bool;

impl Scratch {
    /// Copies a working tree to a folder of its own: below `cache`, always the same for this tree unless two copies are wanted at a time;
    /// without it, among the system's temporary files.
    ///
    /// # Errors
    /// Errors of the system; `FileTooLarge` if the tree has more than [`limits::SCRATCH_FILES`] files or [`limits::SCRATCH_BYTES`];
    /// `Interrupted` if it is stopped.
    pub fn of(source: &Path, cache: Option<&Path>, is_stopped: IsStopped<'_>) -> io::Result<Scratch> {
        let source = fs::canonicalize(source)?;
        let (whole, lock) = place(&source, cache)?;
        LIVE.lock().ignore_poison().push(whole.clone());
        let root = whole.join(source.file_name().unwrap_or(OsStr::new("root")));
        let mut scratch = Scratch {
            source,
            root,
            whole,
            left_out: Vec::new(),
            originals: BTreeMap::new(),
            latest: UNIX_EPOCH,
            _lock: lock,
        };
        Disk.make_private_folder(&scratch.whole)?;
        scratch.root = fs::canonicalize(&scratch.whole)?.join(scratch.root.file_name().unwrap_or_default());
        scratch.fill(is_stopped)?;
        Ok(scratch)
    }

    /// The copy's root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The root of the tree that is copied, with links followed.
    pub fn source(&self) -> &Path {
        &self.source
    }

    /// Ignored files and folders that are not in the copy, from its root.
    pub fn left_out(&self) -> &[PathBuf] {
        &self.left_out
    }

    /// The variables of the environment that name the tree, with the copy in its place.
    pub fn environment(&self) -> Vec<(OsString, OsString)> {
        let (Some(source), Some(root)) = (self.source.to_str(), self.root.to_str()) else { return Vec::new() };
        let mut changed = Vec::new();
        for (name, value) in std::env::vars_os() {
            let Some(value) = value.to_str().filter(|value| value.contains(source)) else { continue };
            changed.push((name, in_place_of(value, source, root).into()));
        }
        changed
    }

    /// Writes a file of the copy, or removes it. The path is from the root.
    ///
    /// # Errors
    /// Errors of the system; `Unsupported` if it would write through a link, which leads to the user's files.
    pub fn put(&mut self, path: &Path, content: Option<&[u8]>) -> io::Result<()> {
        let target = self.root.join(path);
        self.make_folders(&target)?;
        let is_link = |path: &Path| fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
        if is_link(&target) {
            return Err(io::ErrorKind::Unsupported.into());
        }
        if !self.originals.contains_key(path) {
            let original = match fs::read(&target) {
                Ok(bytes) => Some(bytes),
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                Err(error) => return Err(error),
            };
            if let Ok(modified) = fs::metadata(&target).and_then(|metadata| metadata.modified()) {
                self.latest = self.latest.max(modified);
            }
            self.originals.insert(path.to_owned(), original);
        }
        self.set(&target, content)
    }

    /// Gives all files that were changed what they held.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn reset(&mut self) -> io::Result<()> {
        for (path, original) in std::mem::take(&mut self.originals) {
            let target = self.root.join(&path);
            self.make_folders(&target)?;
            self.set(&target, original.as_deref())?;
        }
        Ok(())
    }

    /// Waits until a file that is written now is visibly newer than those changed before: some programs compare whole seconds.
    pub fn settle(&self) {
        let second = |time: SystemTime| time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let now = SystemTime::now();
        let age = now.duration_since(self.latest).unwrap_or_default();
        if second(now) == second(self.latest) && age < Duration::from_secs(1) {
            let into = now.duration_since(UNIX_EPOCH).unwrap_or_default().subsec_nanos();
            std::thread::sleep(Duration::from_nanos(u64::from(1_000_000_000 - into)));
        }
    }

    fn set(&mut self, target: &Path, content: Option<&[u8]>) -> io::Result<()> {
        match content {
            // In place, so that its mode stays.
            Some(bytes) => fs::write(target, bytes)?,
            None => match fs::remove_file(target) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            },
        }
        self.latest = self.latest.max(SystemTime::now());
        Ok(())
    }

    /// Makes the folders of a file, none of which may be a link.
    fn make_folders(&self, target: &Path) -> io::Result<()> {
        let folder = target.parent().unwrap_or(&self.root);
        let below = folder.strip_prefix(&self.root).map_err(|_| io::Error::from(io::ErrorKind::Unsupported))?;
        let mut folder = self.root.clone();
        for part in below.components() {
            let Component::Normal(part) = part else { return Err(io::ErrorKind::Unsupported.into()) };
            folder.push(part);
            match fs::symlink_metadata(&folder) {
                Ok(metadata) if metadata.is_dir() => {}
                Ok(_) => return Err(io::ErrorKind::Unsupported.into()),
                Err(_) => fs::create_dir(&folder)?,
            }
        }
        Ok(())
    }

    /// Copies the tree.
    fn fill(&mut self, is_stopped: IsStopped<'_>) -> io::Result<()> {
        let mut copy = Copying {
            source: self.source.clone(),
            root: self.root.clone(),
            files: 0,
            bytes: 0,
            is_stopped,
            left_out: Vec::new(),
        };
        fs::create_dir(&self.root)?;
        copy.link_repository()?;
        let mut known = FxHashSet::default();
        let mut folders = vec![self.source.clone()];
        for entry in walk(&self.source) {
            copy.check()?;
            // What cannot be listed cannot be copied; the command may not need it.
            let Ok(entry) = entry else { continue };
            if entry.depth() == 0 {
                continue;
            }
            let (path, kind) = (entry.path(), entry.file_type());
            known.insert(path.to_owned());
            match kind {
                Some(kind) if kind.is_dir() && is_environment(path) => copy.link_dependencies(path)?,
                Some(kind) if kind.is_dir() => {
                    fs::create_dir(copy.to(path))?;
                    folders.push(path.to_owned());
                }
                Some(kind) => copy.entry(path, kind)?,
                None => {}
            }
        }
        if copy.files > limits::SCRATCH_FILES || copy.bytes > limits::SCRATCH_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        copy.copy_rest(&folders, &known)?;
        self.left_out = copy.left_out;
        Ok(())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        remove(&self.whole);
        LIVE.lock().ignore_poison().retain(|live| *live != self.whole);
    }
}

/// Removes every copy that is there now: for a process that is about to end.
pub fn remove_scratch_copies() {
    let live = LIVE.lock().ignore_poison();
    live.iter().for_each(|whole| remove(whole));
    // None is made any more: whoever makes one waits for the list, which stays locked.
    std::mem::forget(live);
}

/// The folder of a new copy, and the lock that says that it is in use.
fn place(source: &Path, cache: Option<&Path>) -> io::Result<(PathBuf, Option<Lock>)> {
    let Some(cache) = cache else {
        let name = format!("cst-verify-{}", uuid::Uuid::now_v7().simple());
        return Ok((std::env::temp_dir().join(name), None));
    };
    let folder = cache.join("verify");
    Disk.make_private_folder(&folder)?;
    remove_leftovers(&folder);
    let hash = blake3::hash(source.as_os_str().as_encoded_bytes()).to_hex();
    for number in 0..COPIES {
        let name = format!("{}-{number}", &hash[..16]);
        if let Some(lock) = Disk.try_lock(&folder.join(format!("{name}.lock")))? {
            let whole = folder.join(name);
            // A process that was killed in the meantime may have left it.
            remove(&whole);
            return Ok((whole, Some(lock)));
        }
    }
    Err(io::Error::new(io::ErrorKind::ResourceBusy, format!("{COPIES} copies of it are in use")))
}

/// Removes what killed processes have left: copies whose lock nobody holds, and those that were being removed.
fn remove_leftovers(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let own = name.split(".gone-").next().unwrap_or(&name);
        if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        if let Ok(Some(_lock)) = Disk.try_lock(&folder.join(format!("{own}.lock"))) {
            remove(&entry.path());
        }
    }
}

/// Removes a folder with all that is in it. Links are removed, not followed. It gets another name first, so that whoever is still
/// filling it cannot go on.
fn remove(whole: &Path) {
    let name = whole.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let gone = whole.with_file_name(format!("{name}.gone-{}", uuid::Uuid::now_v7().simple()));
    if fs::rename(whole, &gone).is_err() {
        return;
    }
    if fs::remove_dir_all(&gone).is_err() {
        // Some programs leave folders that may not be written.
        make_writable(&gone);
        let _ = fs::remove_dir_all(&gone);
    }
}

fn make_writable(folder: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            make_writable(&entry.path());
        }
    }
}

/// All that git does not ignore, without folders of dependencies.
fn walk(source: &Path) -> ignore::Walk {
    let is_wanted = |entry: &ignore::DirEntry| {
        if entry.depth() == 0 {
            return true;
        }
        let name = entry.file_name();
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        // The walk would block on a FIFO.
        name != ".git"
            && !(is_folder
                && (DEPENDENCIES.iter().any(|known| name == *known) || check_ignore_files(entry.path()).is_err()))
    };
    let mut builder = WalkBuilder::new(source);
    builder.hidden(false).ignore(false).require_git(false).follow_links(false).filter_entry(is_wanted);
    // A folder is made before what is in it.
    builder.sort_by_file_name(|one, other| one.cmp(other)).build()
}

fn is_environment(folder: &Path) -> bool {
    folder.join(ENVIRONMENT).is_file()
}

/// A copy in the making.
struct Copying<'a> {
    source: PathBuf,
    root: PathBuf,
    files: usize,
    bytes: u64,
    is_stopped: IsStopped<'a>,
    left_out: Vec<PathBuf>,
}

impl Copying<'_> {
    fn check(&self) -> io::Result<()> {
        if (self.is_stopped)() { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
    }

    /// Where the copy of a path is.
    fn to(&self, path: &Path) -> PathBuf {
        self.root.join(path.strip_prefix(&self.source).unwrap_or(path))
    }

    /// Copies a file or a link. FIFOs, sockets and devices stay behind.
    fn entry(&mut self, path: &Path, kind: fs::FileType) -> io::Result<()> {
        let to = self.to(path);
        if kind.is_symlink() {
            return link(&self.link_target(path)?, &to);
        }
        if !kind.is_file() {
            return Ok(());
        }
        let metadata = fs::metadata(path)?;
        self.files += 1;
        self.bytes += metadata.len();
        if self.files > limits::SCRATCH_FILES || self.bytes > limits::SCRATCH_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        match fs::copy(path, &to) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied && File::open(path).is_err() => {
                self.leave_out(path);
                return Ok(());
            }
            Err(error) => return Err(error),
        }
        keep_times(&metadata, &to)
    }

    fn leave_out(&mut self, path: &Path) {
        self.left_out.push(path.strip_prefix(&self.source).unwrap_or(path).to_owned());
    }

    /// Where a link of the copy leads: to the copy of what it leads to in the tree, else to the same.
    fn link_target(&self, path: &Path) -> io::Result<PathBuf> {
        let target = fs::read_link(path)?;
        let absolute = normal(&path.parent().unwrap_or(path).join(&target));
        match (absolute.strip_prefix(&self.source), target.is_absolute()) {
            (Ok(_), false) => Ok(target),
            (Ok(below), true) => Ok(self.root.join(below)),
            (Err(_), _) => Ok(absolute),
        }
    }

    /// Copies what git ignores, the smallest folders first, as far as the limits reach.
    fn copy_rest(&mut self, folders: &[PathBuf], known: &FxHashSet<PathBuf>) -> io::Result<()> {
        (self.files, self.bytes) = (0, 0);
        let (mut files, mut trees) = (Vec::new(), Vec::new());
        for folder in folders {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                self.check()?;
                let path = entry.path();
                let Ok(kind) = entry.file_type() else { continue };
                if known.contains(&path) || entry.file_name() == ".git" {
                    continue;
                }
                let is_dependency =
                    |names: &[&str]| kind.is_dir() && names.iter().any(|known| entry.file_name() == *known);
                if is_dependency(DEPENDENCIES) || is_dependency(IGNORED_DEPENDENCIES) || is_environment(&path) {
                    self.link_dependencies(&path)?;
                } else if kind.is_dir() {
                    trees.push((size(&path, self.is_stopped)?, path));
                } else {
                    let bytes = entry.metadata().map_or(0, |metadata| metadata.len());
                    files.push((bytes, path, kind));
                }
            }
        }
        files.sort_by_key(|(bytes, ..)| *bytes);
        for (bytes, path, kind) in files {
            match self.bytes + bytes > limits::SCRATCH_IGNORED_BYTES || self.files > limits::SCRATCH_IGNORED_FILES {
                true => self.leave_out(&path),
                false => self.entry(&path, kind)?,
            }
        }
        trees.sort_by_key(|(size, _)| size.bytes);
        for (size, path) in trees {
            let fits = self.bytes + size.bytes <= limits::SCRATCH_IGNORED_BYTES
                && self.files + size.files <= limits::SCRATCH_IGNORED_FILES;
            match fits {
                true => self.tree(&path)?,
                false => self.leave_out(&path),
            }
        }
        Ok(())
    }

    /// Copies a folder with all that is in it.
    fn tree(&mut self, folder: &Path) -> io::Result<()> {
        fs::create_dir(self.to(folder))?;
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            self.check()?;
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            match kind.is_dir() {
                true => self.tree(&path)?,
                false => self.entry(&path, kind)?,
            }
        }
        Ok(())
    }

    /// Makes a folder whose entries are links to the user's. Links in it that lead to other parts of the tree lead to the copy: a package of
    /// the same repository is read as it is there. Where programs and lists of packages are, files are copied, and what names the tree
    /// names the copy.
    fn link_dependencies(&mut self, folder: &Path) -> io::Result<()> {
        fs::create_dir(self.to(folder))?;
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            self.check()?;
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if !kind.is_dir() {
                self.entry(&path, kind)?;
                if kind.is_file() {
                    self.name_copy(&path)?;
                }
            } else if NESTED.contains(&&*name) || name.starts_with('@') || name.starts_with("python") {
                self.link_dependencies(&path)?;
            } else if name != "__pycache__" {
                link(&path, &self.to(&path))?;
            }
        }
        Ok(())
    }

    /// Has a copied file name the copy where it names the tree: the first line of a script, the path of a package that is edited in place.
    fn name_copy(&self, path: &Path) -> io::Result<()> {
        let (Some(source), Some(root)) = (self.source.to_str(), self.root.to_str()) else { return Ok(()) };
        let to = self.to(path);
        if fs::metadata(&to)?.len() > NAMING {
            return Ok(());
        }
        match fs::read_to_string(&to) {
            Ok(text) if text.contains(source) => fs::write(&to, in_place_of(&text, source, root)),
            _ => Ok(()),
        }
    }

    /// Makes a repository that has the user's commits, and a head and an index of its own: `git status` and `git describe` work, and
    /// nothing of the user's index changes.
    fn link_repository(&self) -> io::Result<()> {
        let dot = self.source.join(".git");
        let folder = match fs::read_to_string(&dot) {
            Ok(text) => match text.strip_prefix("gitdir:") {
                Some(path) => self.source.join(path.trim()),
                None => return Ok(()),
            },
            Err(_) => dot,
        };
        if !folder.join("HEAD").is_file() {
            return Ok(());
        }
        let common = fs::read_to_string(folder.join("commondir")).map(|path| folder.join(path.trim()));
        let common = fs::canonicalize(common.unwrap_or_else(|_| folder.clone()))?;
        let to = self.root.join(".git");
        fs::create_dir(&to)?;
        for name in ["HEAD", "index"] {
            match fs::copy(folder.join(name), to.join(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        fs::write(to.join("commondir"), common.as_os_str().as_encoded_bytes())
    }
}

/// A text with another path in place of one, where that is not a part of a longer name.
fn in_place_of(text: &str, path: &str, other: &str) -> String {
    let mut replaced = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(path) {
        let (before, after) = (&rest[..at], &rest[at + path.len()..]);
        let is_longer = after.chars().next().is_some_and(|sign| sign.is_alphanumeric() || "-_.".contains(sign));
        replaced.push_str(before);
        replaced.push_str(if is_longer { path } else { other });
        rest = after;
    }
    replaced.push_str(rest);
    replaced
}

/// How much is in a folder.
#[derive(Debug, Clone, Copy, Default)]
struct Size {
    files: usize,
    bytes: u64,
}

/// The size of a folder; at least that, once it is beyond the limits of what is copied.
fn size(folder: &Path, is_stopped: IsStopped<'_>) -> io::Result<Size> {
    let mut size = Size::default();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        if is_stopped() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let Ok(metadata) = entry.metadata() else { continue };
            if metadata.is_dir() {
                folders.push(entry.path());
                continue;
            }
            size.files += 1;
            size.bytes += metadata.len();
            if size.files > limits::SCRATCH_IGNORED_FILES || size.bytes > limits::SCRATCH_IGNORED_BYTES {
                return Ok(size);
            }
        }
    }
    Ok(size)
}

/// Gives a copy the time of the file. A file that its owner may not write keeps the time of the copy.
fn keep_times(metadata: &fs::Metadata, to: &Path) -> io::Result<()> {
    let Ok(modified) = metadata.modified() else { return Ok(()) };
    match File::options().write(true).open(to) {
        Ok(file) => file.set_times(FileTimes::new().set_modified(modified)),
        Err(_) => Ok(()),
    }
}

/// A path without `.` and `..`, whatever is there.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => _ = normal.pop(),
            part => normal.push(part),
        }
    }
    normal
}

#[cfg(unix)]
fn link(target: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, at)
}

/// Links need a right of their own there; what they lead to is copied.
#[cfg(not(unix))]
fn link(target: &Path, at: &Path) -> io::Result<()> {
    let target = at.parent().unwrap_or(at).join(target);
    match fs::metadata(&target) {
        Ok(metadata) if metadata.is_dir() => {
            fs::create_dir_all(at)?;
            for entry in fs::read_dir(&target)?.flatten() {
                link(&entry.path(), &at.join(entry.file_name()))?;
            }
            Ok(())
        }
        Ok(_) => fs::copy(&target, at).map(|_| ()),
        Err(_) => Ok(()),
    }
}
