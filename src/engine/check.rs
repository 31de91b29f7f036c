//! `check`: syntax errors.

use super::core::Engine;
use super::document::error_rows;
use super::error::EngineError;
use super::report::FilesReport;
use super::request::CheckRequest;
use super::response::{CheckResponse, CheckedFile};
use super::search::{Look, Seen};
use crate::project::Outlet;

/// Lists the syntax errors of one file.
struct Checker;

impl Engine {
    /// Lists the syntax errors of trees, files, folders and texts.
    ///
    /// # Errors
    /// When a target is wrong.
    pub fn check(&self, request: &CheckRequest) -> Result<CheckResponse, EngineError> {
        self.begin()?;
        let mut report = FilesReport::default();
        let searched = self.resolve_targets(&request.targets, &request.reading, &mut report)?;
        let (mut files, mut total) = (Vec::new(), 0);
        self.look(&searched, &request.reading, &Checker, &mut report, |file, _| {
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
}

impl Look for Checker {
    type Found = CheckedFile;

    fn look(&self, seen: &Seen<'_>, send: Outlet<'_, CheckedFile>) -> Result<(), EngineError> {
        let errors = error_rows(&seen.document.tree);
        if !errors.is_empty() {
            let weight = size_of_val(errors.as_slice());
            send(CheckedFile { path: seen.path.clone().unwrap_or_else(|| "-".to_owned()), errors }, weight);
        }
        Ok(())
    }
}
