//! Searches that use the indexes that their files are in, and keep them up to date where that is asked for.

use crate::limits;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::SystemTime;

use crate::index::{Entry, Parsed, Store, Writer, prune};
use crate::locks::IgnorePoison;
use crate::project::Stamp;
use crate::reader::core::Reader;
use crate::reader::noted::noted;
use crate::request::requests::Reading;
use crate::tree::Tree;

/// An index that a search uses.
pub(crate) struct Cached {
    /// The folder that it is of.
    root: PathBuf,
    store: Option<Arc<Store>>,
    writer: Mutex<Option<Writer>>,
    /// Whether the whole of the folder is gone through, so that what isn't met isn't there any more.
    whole: bool,
}

/// What a search visits of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All of its files.
    All,
    /// Some of its files.
    Part,
    /// One file that was named, which adds nothing to an index.
    OneFile,
}

/// A folder that is searched, or the folder of a file, and the index that it lies in.
pub(crate) struct IndexedFolder {
    /// The number of the index among those of the search.
    index: usize,
    /// The folder as the walk names it, and as the system does.
    walked: PathBuf,
    resolved: PathBuf,
}

/// A file in an index, or one that may be added to it.
pub(crate) struct IndexedFile<'a> {
    cached: &'a Cached,
    /// The number of the index among those of the search.
    pub index: usize,
    /// The file as the index knows it.
    pub path: PathBuf,
}

impl Reader {
    /// The index that a folder lies in, which is added to those of the search. None where there is none and none is to be made.
    pub(crate) fn index_of(
        &self,
        folder: &Path,
        reading: &Reading,
        extent: Extent,
        indexes: &mut Vec<Cached>,
    ) -> Option<IndexedFolder> {
        let cache = self.host.cache.as_ref().filter(|_| !reading.no_cache && reading.encoding.is_none())?;
        let resolved = self.files().resolve(folder).ok()?;
        let store = self.open_index(cache, &resolved);
        // An index that is being made holds the folders in it, too.
        let is_of = |cached: &Cached| match &store {
            Some(store) => cached.root == store.root(),
            None => resolved.starts_with(&cached.root),
        };
        let index = indexes.iter().rposition(is_of).unwrap_or(indexes.len());
        if index == indexes.len() {
            let root = store.as_ref().map_or_else(|| resolved.clone(), |store| store.root().to_owned());
            indexes.push(Cached { root, store, writer: Mutex::new(None), whole: false });
        }
        let cached = &mut indexes[index];
        if reading.cache && extent != Extent::OneFile && !cached.is_writing() {
            match Writer::open(cache, &cached.root, self.languages_known()) {
                Ok(writer) => cached.writer = Mutex::new(writer),
                Err(error) => self.host.observer.note(&format!("the index cannot be written: {error}")),
            }
        }
        let is_all = reading.glob.is_empty() && reading.language.is_none() && reading.max_size.is_none();
        cached.whole |= is_all && extent == Extent::All && cached.root == resolved;
        if cached.store.is_none() && !cached.is_writing() {
            indexes.pop();
            return None;
        }
        Some(IndexedFolder { index, walked: folder.to_owned(), resolved })
    }

    /// The index of a folder, or of one around it: kept open between requests as long as it isn't replaced, so that neither its
    /// catalogue is read for each nor its packs are mapped for each.
    fn open_index(&self, cache: &Path, folder: &Path) -> Option<Arc<Store>> {
        let mut open = self.indexes.lock().ignore_poison();
        let store = Store::open(cache, folder, self.languages_known(), &open)?;
        // The most recently used is last.
        open.retain(|other| !other.is_of_same_folder(&store));
        open.push(Arc::clone(&store));
        if open.len() > limits::OPEN_INDEXES {
            open.remove(0);
        }
        Some(store)
    }

    /// Makes what a search kept the index. `is_whole` means that it visited all files that it listed.
    pub(crate) fn finish_index(&self, cached: &Cached, is_whole: bool) -> io::Result<()> {
        let Some(cache) = self.host.cache.as_ref() else { return Ok(()) };
        if let Some(mut writer) = cached.writer().take() {
            if !(cached.whole && is_whole) {
                writer.keep_rest();
            }
            writer.finish()?;
            prune(cache, self.host.cache_limit.unwrap_or(limits::INDEX_BYTES))?;
        }
        Ok(())
    }
}

impl Cached {
    /// Whether what is parsed is to be kept.
    pub fn is_writing(&self) -> bool {
        self.writer().is_some()
    }

    fn writer(&self) -> MutexGuard<'_, Option<Writer>> {
        self.writer.lock().ignore_poison()
    }

    /// Keeps a file as it is.
    pub fn keep(&self, path: &Path) {
        if let Some(writer) = self.writer().as_mut() {
            writer.keep(path);
        }
    }

    /// Keeps nothing more: the index stays as it was.
    pub fn give_up(&self) {
        self.writer().take();
    }

    /// Keeps what parsing gave.
    pub fn add(&self, parsed: Parsed) -> io::Result<()> {
        self.writer().as_mut().map_or(Ok(()), |writer| writer.add(parsed))
    }
}

impl IndexedFolder {
    /// The number of the index among those of the search.
    pub fn index(&self) -> usize {
        self.index
    }

    /// A file of the folder that was found at this path.
    pub fn file<'a>(&self, path: &Path, indexes: &'a [Cached]) -> Option<IndexedFile<'a>> {
        let path = self.resolved.join(path.strip_prefix(&self.walked).ok()?);
        Some(IndexedFile { cached: indexes.get(self.index)?, index: self.index, path })
    }
}

impl IndexedFile<'_> {
    /// Whether what is parsed is to be kept.
    pub fn is_writing(&self) -> bool {
        self.cached.is_writing()
    }

    /// What is known of the file, if it is the same as it was.
    pub fn entry(&self, stamp: Stamp) -> Option<Entry> {
        self.cached.store.as_ref()?.entry(&self.path, stamp)
    }

    /// The tree of an entry; `None` if it is damaged.
    pub fn tree(&self, entry: &Entry) -> Option<Tree> {
        entry.tree(self.cached.store.as_ref()?)
    }

    /// What is known of the file, if its text is the same as it was.
    pub fn again(&self, stamp: Stamp, read_at: SystemTime, text: &str) -> Option<(Entry, Parsed)> {
        Parsed::again(self.cached.store.as_ref()?, &self.path, stamp, read_at, text)
    }

    /// What parsing gave, ready to be kept.
    pub fn parsed(&self, stamp: Stamp, read_at: SystemTime, tree: &Tree) -> Option<Parsed> {
        Parsed::new((&self.cached.root, &self.path), stamp, read_at, tree, &noted(tree)?)
    }
}
