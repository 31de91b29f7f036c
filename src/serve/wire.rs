//! A wire: what messages mean, whichever protocol they are of.

use serde_json::Value;

use super::message::{Call, Failure};
use crate::engine::Engine;

/// What messages mean.
pub(super) trait Wire: Send + Sync + 'static {
    /// Does what a request or notification asks.
    fn answer(&self, call: &Call, engine: &Engine) -> Result<Answer, Failure>;

    /// The answer to a call that asks nothing of the engine, and is given whatever else is worked on.
    fn at_once(&self, _call: &Call) -> Option<Result<Value, Failure>> {
        None
    }

    /// The id of the request that a call takes back, if it does that.
    fn cancels(&self, call: &Call) -> Option<Value>;

    /// The answer to a cancelled request; `None` where none is sent.
    fn cancelled(&self) -> Option<Failure>;

    /// The notification that says how far a request is, if it wants to know.
    fn progress(&self, call: &Call, progress: &Progress<'_>) -> Option<Value>;

    /// Whether responses to nothing are passed over.
    fn ignores_responses(&self) -> bool;
}

/// The answer to a request.
pub(super) struct Answer {
    pub result: Value,
    /// Whether it changed anything, so that it can't be taken back any more.
    pub has_effect: bool,
}

impl Answer {
    /// What changed nothing.
    pub fn of(result: Value) -> Answer {
        Answer { result, has_effect: false }
    }
}

/// How far a request is.
pub(super) struct Progress<'a> {
    pub done: usize,
    pub total: Option<usize>,
    pub message: &'a str,
}
