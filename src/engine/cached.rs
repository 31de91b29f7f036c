//! A search that uses the index of its folder, and keeps it up to date where that is asked for.

use crate::limits;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use super::core::Engine;
use super::noted::noted;
use super::request::Reading;
use crate::index::{Entry, Parsed, Store, Writer, prune};
use crate::project::Stamp;
use crate::tree::Tree;

/// The index of a folder that is searched.
pub(super) struct Cached {
    /// The folder as the walk names it, and as the system does.
    walked: PathBuf,
    resolved: PathBuf,
    store: Option<Arc<Store>>,
    writer: Mutex<Option<Writer>>,
    /// Whether the whole of the folder is gone through, so that what isn't met isn't there any more.
    whole: bool,
}

impl Engine {
    /// The index of a folder. None where there is none and none is to be made.
    pub(super) fn index_of(&self, folder: &Path, reading: &Reading) -> Option<Cached> {
        let cache = self.host.cache.as_ref().filter(|_| !reading.no_cache && reading.encoding.is_none())?;
        let resolved = self.files().resolve(folder).ok()?;
        let store = self.open_index(cache, &resolved);
        let mut cached = Cached { walked: folder.to_owned(), resolved, store, writer: Mutex::new(None), whole: false };
        if reading.cache {
            match Writer::open(cache, cached.root(), self.languages_known()) {
                Ok(writer) => cached.writer = Mutex::new(writer),
                Err(error) => self.host.observer.note(&format!("the index can't be written: {error}")),
            }
            let all = reading.glob.is_empty() && reading.language.is_none() && reading.max_size.is_none();
            cached.whole = all && cached.root() == cached.resolved;
        }
        (cached.store.is_some() || cached.is_writing()).then_some(cached)
    }

    /// The index of a folder, or of one around it: kept open between requests as long as it isn't replaced, so that neither its
    /// catalogue is read for each nor its packs are mapped for each.
    fn open_index(&self, cache: &Path, folder: &Path) -> Option<Arc<Store>> {
        let mut open = self.indexes.lock().unwrap_or_else(PoisonError::into_inner);
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
    pub(super) fn finish_index(&self, cached: &Cached, is_whole: bool) -> io::Result<()> {
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
    /// The folder that the store is of.
    fn root(&self) -> &Path {
        self.store.as_ref().map_or(&self.resolved, |store| store.root())
    }

    /// A path that the walk found, as the store knows it.
    fn inside(&self, path: &Path) -> Option<PathBuf> {
        path.strip_prefix(&self.walked).ok().map(|inside| self.resolved.join(inside))
    }

    /// Whether what is parsed is to be kept.
    pub fn is_writing(&self) -> bool {
        self.writer().is_some()
    }

    fn writer(&self) -> MutexGuard<'_, Option<Writer>> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known of a file that is the same as it was.
    pub fn entry(&self, path: &Path, stamp: Stamp) -> Option<Entry> {
        self.store.as_ref()?.entry(&self.inside(path)?, stamp)
    }

    /// The tree of a file of the index; `None` if it is damaged.
    pub fn tree(&self, entry: &Entry) -> Option<Tree> {
        entry.tree(self.store.as_ref()?)
    }

    /// What is known of a file whose text is the same as it was.
    pub fn again(&self, path: &Path, stamp: Stamp, read_at: SystemTime, text: &str) -> Option<(Entry, Parsed)> {
        Parsed::again(self.store.as_ref()?, &self.inside(path)?, stamp, read_at, text)
    }

    /// What parsing gave, ready to be kept.
    pub fn parsed(&self, path: &Path, stamp: Stamp, read_at: SystemTime, tree: &Tree) -> Option<Parsed> {
        Parsed::new((self.root(), &self.inside(path)?), stamp, read_at, tree, &noted(tree)?)
    }

    /// Keeps a file as it is.
    pub fn keep(&self, path: &Path) {
        if let (Some(writer), Some(path)) = (self.writer().as_mut(), self.inside(path)) {
            writer.keep(&path);
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
