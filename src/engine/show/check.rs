//! `check`: syntax errors.

use crate::engine::core::Begun;
use crate::engine::method::Method;
use crate::project::Sink;
use crate::reader::scan::{FileVisitor, ParsedFile, syntax_errors};
use crate::request::error::EngineError;
use crate::request::report::{FilesReport, Skipped};
use crate::request::requests::CheckRequest;
use crate::request::responses::{CheckResponse, CheckedFile};

/// Lists the syntax errors of one file.
struct Checker;

impl Method for CheckRequest {
    const NAME: &'static str = "check";
    const READS: bool = true;
    type Result = CheckResponse;

    /// Lists the syntax errors of trees, files, folders and texts.
    ///
    /// # Errors
    /// When a target is wrong.
    fn run(&self, engine: &Begun<'_>) -> Result<CheckResponse, EngineError> {
        let mut report = FilesReport::default();
        let searched = engine.resolve_targets(&self.targets, &self.reading, &mut report)?;
        let (mut files, mut total) = (Vec::new(), 0);
        engine.visit(&searched, &self.reading, &Checker, &mut report, |file, _| {
            total += file.errors.len();
            files.push(file);
            Ok(true)
        })?;
        Ok(CheckResponse {
            files,
            total,
            checked: report.searched,
            unknown_language: report.unknown_language,
            skipped: report.skipped,
        })
    }

    fn name_skips(answer: &mut CheckResponse) -> &mut [Skipped] {
        &mut answer.skipped
    }
}

impl FileVisitor for Checker {
    type Found = CheckedFile;

    fn visit(&self, seen: &ParsedFile<'_>, send: Sink<'_, CheckedFile>) -> Result<(), EngineError> {
        let errors = syntax_errors(seen);
        if !errors.is_empty() {
            let weight = size_of_val(errors.as_slice());
            send(CheckedFile { path: seen.path.clone().unwrap_or_else(|| "-".to_owned()), errors }, weight);
        }
        Ok(())
    }
}
