//! The engine: requests in, responses out. The only promised way in.
//!
//! Command line, JSON-RPC and MCP turn words into a [`Request`] and print a [`Response`]; what they mean is written once,
//! here, a file a request. The engine alone holds state: trees live in a store on disk, so that what one process loaded
//! another finds. It touches the disk only through [`Files`].

mod error;
mod files;
mod operation;
mod request;
mod response;

pub use error::{Candidate, EngineError, ErrorCode, ErrorResponse, MergeOffer};
pub use files::{Disk, Files, Memory};
pub use operation::{Extent, Operation, Position, References};
pub use request::*;
pub use response::*;

use std::path::PathBuf;
use std::sync::Arc;

/// Where an engine works.
pub struct Surroundings {
    /// The way to files.
    pub files: Arc<dyn Files>,
    /// What relative paths are relative to.
    pub working_directory: PathBuf,
    /// The folder of the session store, made when it is first needed. `None` keeps sessions in memory.
    pub state: Option<PathBuf>,
    /// Who is told of progress.
    pub observer: Arc<dyn Observer>,
}

/// Who is told what a request does while it runs. Called from one thread at a time.
pub trait Observer: Send + Sync {
    /// `done` of `total` files; `message` names what is being done.
    fn progress(&self, _done: usize, _total: Option<usize>, _message: &str) {}

    /// A match of `find`, as soon as it is found; whoever takes it returns true, and it isn't listed in the response.
    fn found(&self, _row: &NodeRow) -> bool {
        false
    }

    /// Something worth knowing that no response has a place for: a save finished after a crash.
    fn note(&self, _message: &str) {}

    /// Whether the request should stop.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Tells nobody.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {}

/// Answers requests.
pub struct Engine {
    surroundings: Surroundings,
}

impl Engine {
    /// An engine that works there. Nothing is read or written until a request needs it.
    pub fn new(surroundings: Surroundings) -> Engine {
        Engine { surroundings }
    }

    /// Answers a request.
    ///
    /// # Errors
    /// When it can't be done; nothing was written then.
    pub fn handle(&self, _request: Request) -> Result<Response, EngineError> {
        let _ = &self.surroundings;
        Err(EngineError::new(ErrorCode::Internal, "not there yet"))
    }
}
