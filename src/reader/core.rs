//! How requests read: files, languages and the session, within limits.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

use super::host::Host;
use super::open_model::OpenModel;
use crate::index;
use crate::interrupt::{Question, Reason, within};
use crate::language::{Language, Languages};
use crate::limits;
use crate::project::{Confined, Files, MemoryLimit};
use crate::request::error::{EngineError, ErrorCode, cancelled};
use crate::store::Store;
use crate::store::sessions::Sessions;

/// What is trusted: the configurations' paths, and the hashes of their contents.
pub(crate) type Trusted = BTreeMap<String, String>;

/// What requests read from: the host's files within the root, the known languages, open indexes and models, the session.
pub struct Reader {
    pub(crate) host: Host,
    pub(crate) sessions: Sessions,
    /// The files of the root alone, where there is one.
    pub(crate) confined: Option<Arc<Confined>>,
    /// The languages: the built-in ones, and the user's from the first request on.
    pub(crate) languages: OnceLock<Languages>,
    /// How much memory a request may take, in bytes.
    pub(crate) memory: u64,
    /// What is wrong with the selectors of languages that were looked at.
    pub(crate) flaws: Mutex<Vec<(&'static Language, Option<String>)>>,
    /// The indexes that are open.
    pub(crate) indexes: Mutex<Vec<Arc<index::Store>>>,
    /// What is trusted, where there is no state to keep it in.
    pub(crate) trusted: Mutex<Trusted>,
    /// The model that was used last.
    pub(crate) models: Mutex<Vec<OpenModel>>,
}

impl Reader {
    /// A reader there. Nothing is read until a request needs it.
    pub(crate) fn new(host: Host) -> Reader {
        let confined = host.root.as_ref().map(|root| Confined::new(host.files.clone(), root));
        Reader {
            confined: confined.map(Arc::new),
            sessions: Sessions::new(host.state.clone()),
            host,
            languages: OnceLock::new(),
            memory: limits::REQUEST_MEMORY,
            flaws: Mutex::default(),
            indexes: Mutex::default(),
            trusted: Mutex::default(),
            models: Mutex::default(),
        }
    }

    /// Whether the work of a request that begins now is to stop.
    pub(crate) fn question(&self) -> Question {
        let observer = Arc::clone(&self.host.observer);
        let limit = MemoryLimit::new(self.memory);
        Arc::new(move || match observer.is_cancelled() {
            true => Some(Reason::Cancelled),
            false => limit.is_exceeded().then_some(Reason::Memory),
        })
    }

    /// Does what may take long, until it is done or there is a reason to stop. Nothing in it may write.
    pub(crate) fn interruptible<T>(&self, work: impl FnOnce() -> Result<T, EngineError>) -> Result<T, EngineError> {
        within(&self.question(), work).unwrap_or_else(|reason| Err(self.left(reason)))
    }

    /// The error of work that was left.
    pub(crate) fn left(&self, reason: Reason) -> EngineError {
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
    pub(crate) fn files(&self) -> &dyn Files {
        match &self.confined {
            Some(confined) => &**confined,
            None => &*self.host.files,
        }
    }

    /// The same, to be kept.
    pub(crate) fn shared_files(&self) -> Arc<dyn Files> {
        match &self.confined {
            Some(confined) => confined.clone(),
            None => self.host.files.clone(),
        }
    }

    /// The way to the user's own configuration, which lies outside of any root.
    pub(crate) fn own_files(&self) -> &dyn Files {
        &*self.host.files
    }

    /// Whether requests may read and write at a path.
    pub(crate) fn permits(&self, path: &Path) -> bool {
        self.confined.as_ref().is_none_or(|confined| confined.permits(path))
    }

    /// Whether there is a session store, opened or not.
    pub(crate) fn has_store(&self) -> bool {
        self.sessions.has_store()
    }

    /// The session store, opened when it is first needed.
    pub(crate) fn store(&self) -> Result<&Store, EngineError> {
        self.sessions.store()
    }
}
