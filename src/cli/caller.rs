//! Who asks the engine on the command line, with the words that its errors have there.

use std::sync::Arc;

use super::console::Console;
use super::failure::{self, Failure};
use super::input::Input;
use crate::engine::{Engine, EngineError, Request, Response};

/// Who asks: the engine, the console on which it is answered, and what else can be read.
pub(super) struct Caller {
    pub engine: Engine,
    pub console: Arc<Console>,
    pub input: Input,
}

impl Caller {
    /// Asks the engine.
    pub(super) fn ask(&self, request: Request) -> Result<Response, Failure> {
        let answer = self.engine.handle(request);
        self.console.settle()?;
        let mut response = answer.map_err(worded)?;
        for file in response.skipped_mut().into_iter().flatten() {
            let hint = &mut file.error.details.hint;
            *hint = hint.take().map(|hint| failure::in_command_words(&hint).into());
        }
        Ok(response)
    }
}

/// An error whose hint is in the words of the command line, for programs too.
fn worded(mut error: EngineError) -> EngineError {
    error.details.hint = error.details.hint.map(|hint| failure::in_command_words(&hint).into());
    error
}
