//! Who looks on while a request runs.

use crate::request::node_row::NodeRow;
use crate::request::proposal::{Decision, Proposal};
use crate::request::responses::{ChunkRow, OutlinedFile};

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

/// Ignores all events.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {}
