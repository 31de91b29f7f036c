//! `refactor`: changes to a definition and all that refers to it, in all files of a project.
//!
//! Each kind plans its edits in a file of its own. Here they go through the gates, the binding gate among them, and all files are
//! written or none.

use crate::engine::core::Begun;
use crate::engine::method::Method;
use crate::request::error::EngineError;
use crate::request::refactor::{RefactorRequest, RefactorResponse};
use crate::request::report::Skipped;
use crate::request::requests::Reading;

impl Method for RefactorRequest {
    const NAME: &'static str = "refactor";
    const READS: bool = false;
    type Result = RefactorResponse;

    /// Changes a definition and all that refers to it: in files as a diff, unless `write` says to write them.
    ///
    /// # Errors
    /// If no symbol fits, or several; if references are uncertain, or a name would mean something else. Nothing is written then.
    fn run(&self, engine: &Begun<'_>) -> Result<RefactorResponse, EngineError> {
        if self.options.write && !self.options.dry_run {
            engine.writer().recover()?;
        }
        self.refactored(engine).map_err(EngineError::not_applied)
    }

    fn name_skips(answer: &mut RefactorResponse) -> &mut [Skipped] {
        &mut answer.changes.skipped
    }
}

impl RefactorRequest {
    fn refactored(&self, engine: &Begun<'_>) -> Result<RefactorResponse, EngineError> {
        let Reading { language, glob, staged, since, .. } = &self.options.reading;
        if language.is_some() || !glob.is_empty() || *staged || since.is_some() {
            let error = EngineError::bad_request("a refactor looks at all files of the project");
            return Err(error.hint("leave out what chooses files; any other may refer to the symbol"));
        }
        match &self.options.verify {
            Some(verify) => self.verify(engine, verify),
            None if self.options.decide => {
                Err(EngineError::bad_request("`decide` needs `verify`: the command that decides"))
            }
            None => self.plan_changes(engine, &self.options)?.finish(engine),
        }
    }
}
