//! A protocol: what its messages mean.

use serde_json::Value;

use super::message::{Call, Failure};
use crate::engine::Engine;

/// What messages mean.
pub(super) trait Protocol: Send + Sync + 'static {
    /// Does what a request or notification asks.
    fn answer(&self, call: &Call, engine: &Engine) -> Result<Answer, Failure>;

    /// The answer to a call that needs no engine; it is given while other requests run.
    fn at_once(&self, _call: &Call) -> Option<Result<Value, Failure>> {
        None
    }

    /// The id of the request that a call cancels, if it does.
    fn cancels(&self, call: &Call) -> Option<Value>;

    /// The answer to a cancelled request; `None` where none is sent.
    fn cancelled(&self) -> Option<Failure>;

    /// The notification about a request's progress, if it wants one.
    fn progress(&self, call: &Call, progress: &Progress<'_>) -> Option<Value>;

    /// Whether responses without a request are ignored.
    fn ignores_responses(&self) -> bool;
}

/// The answer to a request.
pub(super) struct Answer {
    pub result: Value,
    /// Whether it changed anything, so that it can no longer be cancelled.
    pub has_effect: bool,
}

impl Answer {
    /// An answer that changed nothing.
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
