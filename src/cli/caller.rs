//! Who asks the engine on the command line, with the words that its errors have there.

use std::sync::Arc;

use super::console::Console;
use super::failure::{self, Failure};
use super::input::Input;
use crate::engine::{Engine, EngineError, ErrorCode, Request, Response};

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
        let mut response = answer.map_err(|error| worded(in_words(error)))?;
        for file in response.skipped_mut().into_iter().flatten() {
            file.hint = file.hint.take().map(|hint| failure::in_command_words(&hint).into());
        }
        Ok(response)
    }
}

/// An error whose hint is in the words of the command line, for programs too.
fn worded(mut error: EngineError) -> EngineError {
    error.details.hint = error.details.hint.map(|hint| failure::in_command_words(&hint).into());
    error
}

/// An error whose hint names a field of a request, with what there is on the command line.
fn in_words(error: EngineError) -> EngineError {
    let better = ["did you mean", "docs/"];
    let hint = error.details.hint.as_ref().map(ToString::to_string).unwrap_or_default();
    let is_better = better.iter().any(|words| hint.contains(words));
    match error.code {
        ErrorCode::UnsupportedLanguage if !is_better => error
            .hint("name it with -t, or with --stdin-filename app.py for standard input; `cst languages` lists them"),
        _ => error,
    }
}
