//! The engine: requests in, responses out. The only promised way in.
//!
//! Command line, JSON-RPC and MCP turn words into a [`Request`] and print a [`Response`]; what they mean is written once,
//! here, a file a request. The engine alone holds state: trees live in a store on disk, so that what one process loaded
//! another finds. It touches the disk only through [`Files`], and other programs only through [`Programs`].
//!
//! ```
//! use cst::engine::{LoadRequest, ModifyRequest};
//! use cst::{Engine, Surroundings};
//!
//! let engine = Engine::new(Surroundings::at("."));
//! let text = Some("def get(x):\n    return x\n".to_owned());
//! let loaded = engine.load(&LoadRequest { text, language: Some("python".to_owned()), ..LoadRequest::default() })?;
//! let tree = loaded.trees[0].tree_id.as_str();
//!
//! let rename = serde_json::json!({"op": "rename", "target": "function#get", "to": "fetch"});
//! let modified = engine.modify(&ModifyRequest::new(tree.into(), vec![rename]))?;
//! assert_eq!(modified.applied, 1);
//!
//! // The same as plain data, as other programs ask it.
//! let request = serde_json::json!({"method": "find", "params": {"selector": "function", "targets": [tree]}});
//! let response = engine.handle(serde_json::from_value(request)?)?;
//! assert_eq!(serde_json::to_value(&response)?["matches"][0]["name"], "fetch");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod backups;
mod batch;
mod cached;
mod changed_files;
mod changes;
mod check;
mod chunk;
mod configuration;
mod document;
mod error;
mod explain;
mod external;
mod find;
mod hint;
mod index;
mod languages;
mod load;
mod merge;
mod methods;
mod modify;
mod names;
mod node_row;
mod operation;
mod outline;
mod programs;
mod queries;
mod recovery;
mod reference;
mod removed;
mod report;
mod request;
mod response;
mod rewrite;
mod rows;
mod run;
mod save;
mod saving;
mod search;
mod show;
mod shown;
mod stale;
mod store;
mod target;
mod test;
mod transactions;
mod trees;
mod trust;
mod undo;
mod versioned;

pub use crate::project::{
    Disk, Exposure, Facts, Files, Kind, Listing, Lock, Memory, Unlisted, Walk, path_text, unquoted,
};
pub use changes::{ChangedFile, ChangesResponse, OnError};
pub use chunk::{ChunkContext, ChunkCount, ChunkMode, ChunkRequest, ChunkResponse, ChunkRow};
pub use error::{Candidate, EngineError, ErrorCode, ErrorResponse, MergeOffer};
pub use hint::{Hint, Term};
pub use methods::{Method, Methods, UnreadRequest};
pub use node_row::{CaptureRow, NodeRow, SyntaxErrorRow};
pub use operation::{Extent, Operation, Position, References};
pub use programs::{Machine, ProgramCall, Programs, Said, kill_programs};
pub use report::{FilesReport, Skipped};
pub use request::*;
pub use response::*;
pub use rewrite::{Decision, Proposal, RewriteRequest};
pub use run::{RunRequest, ScriptSource};
pub use show::is_of_one_file;
#[cfg(feature = "cli")]
pub(crate) use store::{seconds_now, timestamp};
pub use test::{AcceptedTest, TestRequest, TestResponse, TestRow};
pub use trust::{TrustState, TrustedCheck, TrustedFile};
pub use versioned::{SCHEMA, Versioned};

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use crate::interrupt::{Question, Reason, within};
use crate::project::{Confined, MemoryLimit};
use crate::tree::Tree;
use store::Store;

/// Where an engine works.
pub struct Surroundings {
    /// The way to files.
    pub files: Arc<dyn Files>,
    /// The way to other programs.
    pub programs: Arc<dyn Programs>,
    /// What relative paths are relative to.
    pub working_directory: PathBuf,
    /// The folder that requests may read and write in, symbolic links followed; trees of files elsewhere aren't seen either. `None`
    /// for everything that the process may read and write.
    pub root: Option<PathBuf>,
    /// The folder of the session store, made when it is first needed. `None` keeps sessions in memory.
    pub state: Option<PathBuf>,
    /// The folder of the user's own configuration.
    pub configuration: Option<PathBuf>,
    /// The folder of indexes. `None` keeps none.
    pub cache: Option<PathBuf>,
    /// What all indexes together may take, in bytes; 8 GiB if nothing is said. Those used longest ago go first.
    pub cache_limit: Option<u64>,
    /// Who is told of progress.
    pub observer: Arc<dyn Observer>,
}

impl Surroundings {
    /// A folder on the disk, and nothing else: no configuration of the user's, no index, trees held as long as the engine is there,
    /// and nobody told. What is wanted besides is named: `Surroundings { state: Some(folder), ..Surroundings::at(".") }`.
    pub fn at(folder: impl Into<PathBuf>) -> Surroundings {
        let folder = folder.into();
        Surroundings {
            files: Arc::new(Disk),
            programs: Arc::new(Machine),
            working_directory: std::path::absolute(&folder).unwrap_or(folder),
            root: None,
            state: None,
            configuration: None,
            cache: None,
            cache_limit: None,
            observer: Arc::new(Silent),
        }
    }
}

/// Receives what a request does while it runs. Called from one thread at a time, except for `is_cancelled`.
pub trait Observer: Send + Sync {
    /// `done` of `total` files; `message` names what is being done.
    fn progress(&self, _done: usize, _total: Option<usize>, _message: &str) {}

    /// A match of `find`, as soon as it is found; whoever takes it returns true, and it isn't listed in the response.
    fn found(&self, _row: &NodeRow) -> bool {
        false
    }

    /// A file of `outline`, likewise.
    fn outlined(&self, _file: &OutlinedFile) -> bool {
        false
    }

    /// A chunk of `chunk`, likewise.
    fn chunked(&self, _chunk: &ChunkRow) -> bool {
        false
    }

    /// What is done with a match of `rewrite`, where it asks about each.
    fn decide(&self, _proposal: &Proposal) -> Decision {
        Decision::Yes
    }

    /// Something worth knowing that no response has a place for: a write completed after a crash.
    fn note(&self, _message: &str) {}

    /// Files are about to be written. A signal that would end the process is held back until [`Observer::end_writing`];
    /// [`Observer::is_interrupted`] says that one came, so that the write is rolled back.
    fn begin_writing(&self) {}

    /// All files are written, or rolled back. If a signal was held back, the process may end here.
    fn end_writing(&self) {}

    /// Whether a signal that ends the process is held back.
    fn is_interrupted(&self) -> bool {
        false
    }

    /// Whether the request should stop. Asked often, and by several threads at once.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Tells nobody.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {}

/// The root of the repository that a folder lies in: the nearest folder, from it up, with `.git`. Without one, the folder itself.
pub fn project_root(folder: &Path, files: &dyn Files) -> PathBuf {
    let root = folder.ancestors().find(|above| files.facts(&above.join(".git")).is_ok());
    root.unwrap_or(folder).to_owned()
}

/// Where to read on when a language's data is wrong.
const DATA_HINT: &str = "docs/adding-a-language.md says what a language's folder holds";

/// How much memory a request may take, in bytes, if nothing else is said.
const MEMORY: u64 = 4 << 30;

/// Answers requests.
pub struct Engine {
    surroundings: Surroundings,
    store: OnceLock<Store>,
    opening: Mutex<()>,
    /// Trees kept parsed, least recently used first: tree id, revision, tree.
    kept: Mutex<Vec<(String, u32, Tree)>>,
    /// The files of the root alone, where there is one.
    confined: Option<Arc<Confined>>,
    begun: OnceLock<()>,
    /// How much memory a request may take, in bytes.
    memory: u64,
    /// What configured checks said of texts.
    answers: Mutex<external::Answers>,
    /// What is wrong with the selectors of languages that were looked at.
    flaws: Mutex<Vec<(&'static crate::language::Language, Option<String>)>>,
    /// The indexes that are open.
    indexes: Mutex<Vec<Arc<crate::index::Store>>>,
    /// What is trusted, where there is no state to keep it in.
    trusted: Mutex<trust::Trusted>,
}

impl Engine {
    /// An engine that works there. Nothing is read or written until a request needs it.
    pub fn new(surroundings: Surroundings) -> Engine {
        let confined = surroundings.root.as_ref().map(|root| Confined::new(surroundings.files.clone(), root));
        Engine {
            confined: confined.map(Arc::new),
            surroundings,
            store: OnceLock::new(),
            opening: Mutex::new(()),
            kept: Mutex::default(),
            begun: OnceLock::new(),
            memory: MEMORY,
            answers: Mutex::default(),
            flaws: Mutex::default(),
            indexes: Mutex::default(),
            trusted: Mutex::default(),
        }
    }

    /// Answers a request of any kind: what the method of its name does. A write that another process began and didn't end is
    /// completed or rolled back by the first request that writes; others note that it is pending.
    ///
    /// # Errors
    /// When it can't be done; nothing was written then.
    pub fn handle(&self, request: Request) -> Result<Response, EngineError> {
        Ok(match request {
            Request::Load(request) => Response::Load(self.load(&request)?),
            Request::Find(request) => Response::Find(self.find(&request)?),
            Request::Show(request) => Response::Show(self.show(&request)?),
            Request::Modify(request) => Response::Modify(self.modify(&request)?),
            Request::Undo(request) => Response::Step(self.undo(&request)?),
            Request::Redo(request) => Response::Step(self.redo(&request)?),
            Request::Diff(request) => Response::Diff(self.diff(&request)?),
            Request::Save(request) => Response::Save(self.save(&request)?),
            Request::Trees(request) => Response::Trees(self.trees(&request)?),
            Request::Transactions(request) => Response::Transactions(self.transactions(&request)?),
            Request::Drop(request) => Response::Drop(self.drop_trees(&request)?),
            Request::Backups(request) => Response::Backups(self.backups(&request)?),
            Request::Explain(request) => Response::Explain(self.explain(&request)?),
            Request::Languages(request) => Response::Languages(self.languages(&request)?),
            Request::Outline(request) => Response::Outline(self.outline(&request)?),
            Request::Chunk(request) => Response::Chunk(self.chunk(&request)?),
            Request::Check(request) => Response::Check(self.check(&request)?),
            Request::Index(request) => Response::Index(self.index(&request)?),
            Request::Rewrite(request) => Response::Rewrite(self.rewrite(&request)?),
            Request::Run(request) => Response::Run(self.run(&request)?),
            Request::Test(request) => Response::Test(self.test(&request)?),
        })
    }

    /// What comes before the first request, whichever it is.
    #[expect(clippy::unnecessary_wraps, reason = "requests stop where it fails")]
    fn begin(&self) -> Result<(), EngineError> {
        self.begun.get_or_init(|| {
            self.add_user_languages();
            self.note_pending();
        });
        Ok(())
    }

    /// The same engine, whose requests each take no more memory than so many bytes, and no more than three quarters of what is free:
    /// one that would is refused with `budget`. 4 GiB if nothing is said. Counts where the system says how much a process takes.
    #[must_use]
    pub fn with_memory(mut self, bytes: u64) -> Engine {
        self.memory = bytes;
        self
    }

    /// Whether the work of a request that begins now is to stop.
    fn question(&self) -> Question {
        let observer = Arc::clone(&self.surroundings.observer);
        let limit = MemoryLimit::new(self.memory);
        Arc::new(move || match observer.is_cancelled() {
            true => Some(Reason::Cancelled),
            false => limit.is_exceeded().then_some(Reason::Memory),
        })
    }

    /// Does what may take long, until it is done or there is a reason to stop. Nothing in it may write.
    fn interruptible<T>(&self, work: impl FnOnce() -> Result<T, EngineError>) -> Result<T, EngineError> {
        within(&self.question(), work).unwrap_or_else(|reason| Err(self.left(reason)))
    }

    /// The error of work that was left.
    fn left(&self, reason: Reason) -> EngineError {
        match reason {
            Reason::Cancelled => search::cancelled(),
            Reason::Memory => {
                let message = format!("it takes more than {} MiB of memory", self.memory >> 20);
                let hint = "narrow the selector, or leave large files out";
                EngineError::new(ErrorCode::Budget, message).hint(hint)
            }
        }
    }

    /// The way to the files that requests name.
    fn files(&self) -> &dyn Files {
        match &self.confined {
            Some(confined) => &**confined,
            None => &*self.surroundings.files,
        }
    }

    /// The same, to be kept.
    fn shared_files(&self) -> Arc<dyn Files> {
        match &self.confined {
            Some(confined) => confined.clone(),
            None => self.surroundings.files.clone(),
        }
    }

    /// The way to the user's own configuration, which lies outside of any root.
    fn own_files(&self) -> &dyn Files {
        &*self.surroundings.files
    }

    /// Whether requests may read and write at a path.
    fn permits(&self, path: &Path) -> bool {
        self.confined.as_ref().is_none_or(|confined| confined.permits(path))
    }

    /// The session store, opened when it is first needed.
    fn store(&self) -> Result<&Store, EngineError> {
        if let Some(store) = self.store.get() {
            return Ok(store);
        }
        let _opening = self.opening.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(store) = self.store.get() {
            return Ok(store);
        }
        let store = Store::open(self.surroundings.state.as_deref())?;
        Ok(self.store.get_or_init(|| store))
    }
}
