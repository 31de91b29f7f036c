//! Calls the engine from the command line, and words its errors for the command line.

use std::sync::Arc;

use super::console::Console;
use super::failure::{self, Failure};
use super::input::Input;
use crate::engine::{Engine, Method};
use crate::request::EngineError;

/// The engine, the console, and the input of a command.
pub(super) struct Caller {
    pub engine: Engine,
    pub console: Arc<Console>,
    pub input: Input,
}

impl Caller {
    /// Sends a request to the engine.
    pub(super) fn ask<M: Method>(&self, request: &M) -> Result<M::Result, Failure> {
        let answer = self.engine.ask(request);
        self.console.settle()?;
        let mut answer = answer.map_err(worded)?;
        for file in M::name_skips(&mut answer) {
            let hint = &mut file.error.details.hint;
            *hint = hint.take().map(|hint| failure::in_command_words(&hint).into());
        }
        Ok(answer)
    }
}

/// An error with a hint in the terms of the command line, also for programs.
fn worded(mut error: EngineError) -> EngineError {
    error.details.hint = error.details.hint.map(|hint| failure::in_command_words(&hint).into());
    error
}
