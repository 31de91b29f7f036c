//! The engine itself: what it holds, and what each request begins with and works in.

use crate::limits;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

use super::error::{EngineError, ErrorCode, cancelled};
use super::host::Host;
use super::open_model::OpenModel;
use super::programs::CommandOutput;
use super::store::Store;
use crate::index;
use crate::interrupt::{Question, Reason, within};
use crate::language::{Language, Languages};
use crate::locks::IgnorePoison;
use crate::project::{Confined, Files, MemoryLimit};
use crate::tree::Tree;

/// What checks printed: the hash of command and text, and the answer; least recently asked first.
pub(super) type Answers = Vec<(blake3::Hash, CommandOutput)>;

/// What is trusted: the configurations' paths, and the hashes of their contents.
pub(super) type Trusted = BTreeMap<String, String>;

/// Answers requests.
pub struct Engine {
    pub(super) host: Host,
    pub(super) store: OnceLock<Store>,
    pub(super) opening: Mutex<()>,
    /// Trees kept parsed, least recently used first: tree id, revision, tree.
    pub(super) kept: Mutex<Vec<(String, u32, Tree)>>,
    /// The files of the root alone, where there is one.
    pub(super) confined: Option<Arc<Confined>>,
    pub(super) begun: OnceLock<()>,
    /// Set once it was said whether a write is pending.
    pub(super) noted: OnceLock<()>,
    /// The languages: the built-in ones, and the user's from the first request on.
    pub(super) languages: OnceLock<Languages>,
    /// How much memory a request may take, in bytes.
    pub(super) memory: u64,
    /// What configured checks said of texts.
    pub(super) answers: Mutex<Answers>,
    /// What is wrong with the selectors of languages that were looked at.
    pub(super) flaws: Mutex<Vec<(&'static Language, Option<String>)>>,
    /// The indexes that are open.
    pub(super) indexes: Mutex<Vec<Arc<index::Store>>>,
    /// What is trusted, where there is no state to keep it in.
    pub(super) trusted: Mutex<Trusted>,
    /// The model that was used last.
    pub(super) models: Mutex<Vec<OpenModel>>,
}

/// An engine that knows the user's languages. Requests run on it alone, and only the engine makes one.
pub struct Begun<'a>(&'a Engine);

impl Deref for Begun<'_> {
    type Target = Engine;

    fn deref(&self) -> &Engine {
        self.0
    }
}

impl Engine {
    /// An engine that works there. Nothing is read or written until a request needs it.
    pub fn new(host: Host) -> Engine {
        let confined = host.root.as_ref().map(|root| Confined::new(host.files.clone(), root));
        Engine {
            confined: confined.map(Arc::new),
            host,
            store: OnceLock::new(),
            opening: Mutex::new(()),
            kept: Mutex::default(),
            begun: OnceLock::new(),
            noted: OnceLock::new(),
            languages: OnceLock::new(),
            memory: limits::REQUEST_MEMORY,
            answers: Mutex::default(),
            flaws: Mutex::default(),
            indexes: Mutex::default(),
            trusted: Mutex::default(),
            models: Mutex::default(),
        }
    }

    /// Does what comes before the first request, whichever it is.
    pub(super) fn begin(&self) -> Begun<'_> {
        self.begun.get_or_init(|| {
            self.add_user_languages();
        });
        Begun(self)
    }

    /// Says once that a write is pending.
    pub(super) fn note_pending_once(&self) {
        self.noted.get_or_init(|| self.note_pending());
    }

    /// The same engine, whose requests each take no more memory than so many bytes, and no more than three quarters of what is free:
    /// one that would is refused with `budget`. 4 GiB if nothing is said. Counts where the system says how much a process takes.
    #[must_use]
    pub fn with_memory(mut self, bytes: u64) -> Engine {
        self.memory = bytes;
        self
    }

    /// Whether the work of a request that begins now is to stop.
    pub(super) fn question(&self) -> Question {
        let observer = Arc::clone(&self.host.observer);
        let limit = MemoryLimit::new(self.memory);
        Arc::new(move || match observer.is_cancelled() {
            true => Some(Reason::Cancelled),
            false => limit.is_exceeded().then_some(Reason::Memory),
        })
    }

    /// Does what may take long, until it is done or there is a reason to stop. Nothing in it may write.
    pub(super) fn interruptible<T>(&self, work: impl FnOnce() -> Result<T, EngineError>) -> Result<T, EngineError> {
        within(&self.question(), work).unwrap_or_else(|reason| Err(self.left(reason)))
    }

    /// The error of work that was left.
    pub(super) fn left(&self, reason: Reason) -> EngineError {
        match reason {
            Reason::Cancelled => cancelled(),
            Reason::Memory => {
                let message = format!("it takes more than {} MiB of memory", self.memory >> 20);
                let hint = "narrow the selector, or leave large files out";
                EngineError::new(ErrorCode::Budget, message).hint(hint)
            }
        }
    }

    /// The way to the files that requests name.
    pub(super) fn files(&self) -> &dyn Files {
        match &self.confined {
            Some(confined) => &**confined,
            None => &*self.host.files,
        }
    }

    /// The same, to be kept.
    pub(super) fn shared_files(&self) -> Arc<dyn Files> {
        match &self.confined {
            Some(confined) => confined.clone(),
            None => self.host.files.clone(),
        }
    }

    /// The way to the user's own configuration, which lies outside of any root.
    pub(super) fn own_files(&self) -> &dyn Files {
        &*self.host.files
    }

    /// Whether requests may read and write at a path.
    pub(super) fn permits(&self, path: &Path) -> bool {
        self.confined.as_ref().is_none_or(|confined| confined.permits(path))
    }

    /// Whether there is a session store, opened or not.
    pub(super) fn has_store(&self) -> bool {
        self.store.get().is_some() || self.host.state.as_deref().is_some_and(Store::is_at)
    }

    /// The session store, opened when it is first needed.
    pub(super) fn store(&self) -> Result<&Store, EngineError> {
        if let Some(store) = self.store.get() {
            return Ok(store);
        }
        let _opening = self.opening.lock().ignore_poison();
        if let Some(store) = self.store.get() {
            return Ok(store);
        }
        let store = Store::open(self.host.state.as_deref())?;
        Ok(self.store.get_or_init(|| store))
    }
}
