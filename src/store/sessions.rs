//! The sessions of an engine: its store, opened when it is first needed, and the trees that stay parsed between requests.

use std::path::PathBuf;
use std::sync::{Mutex, OnceLock};

use super::Store;
use crate::limits;
use crate::locks::IgnorePoison;
use crate::request::error::EngineError;
use crate::tree::Tree;

/// The session store of an engine, and its trees that are kept parsed.
#[derive(Default)]
pub(crate) struct Sessions {
    /// Where the store is; without a folder it is in memory.
    folder: Option<PathBuf>,
    store: OnceLock<Store>,
    opening: Mutex<()>,
    /// Least recently used first.
    kept: Mutex<Vec<KeptTree>>,
}

/// A tree that was parsed for an earlier request.
struct KeptTree {
    id: String,
    revision: u32,
    tree: Tree,
}

impl Sessions {
    /// Sessions in a folder, or in memory. Nothing is read yet.
    pub(crate) fn new(folder: Option<PathBuf>) -> Sessions {
        Sessions { folder, ..Sessions::default() }
    }

    /// Whether there is a store, opened or not.
    pub(crate) fn has_store(&self) -> bool {
        self.store.get().is_some() || self.folder.as_deref().is_some_and(Store::is_at)
    }

    /// The store, opened when it is first needed.
    ///
    /// # Errors
    /// If the folder or the database cannot be used.
    pub(crate) fn store(&self) -> Result<&Store, EngineError> {
        if let Some(store) = self.store.get() {
            return Ok(store);
        }
        let _opening = self.opening.lock().ignore_poison();
        if let Some(store) = self.store.get() {
            return Ok(store);
        }
        let store = Store::open(self.folder.as_deref())?;
        Ok(self.store.get_or_init(|| store))
    }

    /// A tree that was parsed before.
    pub(crate) fn kept_tree(&self, id: &str, revision: u32) -> Option<Tree> {
        let mut kept = self.kept.lock().ignore_poison();
        let place = kept.iter().position(|known| known.id == id && known.revision == revision)?;
        let found = kept.remove(place);
        let tree = found.tree.clone();
        kept.push(found);
        Some(tree)
    }

    /// Keeps a tree parsed; a revision's number is never given twice, so what is kept never goes wrong.
    pub(crate) fn keep_tree(&self, id: &str, revision: u32, tree: &Tree) {
        let mut kept = self.kept.lock().ignore_poison();
        kept.retain(|known| known.id != id);
        kept.push(KeptTree { id: id.to_owned(), revision, tree: tree.clone() });
        if kept.len() > limits::KEPT_TREES {
            kept.remove(0);
        }
    }
}
