//! `check`: syntax errors.

use super::document::error_rows;
use super::{CheckRequest, CheckResponse, CheckedFile, Engine, EngineError, FilesReport};

impl Engine {
    /// Lists the syntax errors of trees, files, folders and texts.
    ///
    /// # Errors
    /// When a target is wrong.
    pub fn check(&self, request: &CheckRequest) -> Result<CheckResponse, EngineError> {
        let mut report = FilesReport::default();
        let searched = self.searched(&request.targets, &request.reading, &mut report)?;
        let (mut files, mut total) = (Vec::new(), 0);
        self.each_document(searched, &request.reading, &mut report, |document, _, _| {
            let errors = error_rows(&document.tree);
            if !errors.is_empty() {
                total += errors.len();
                let path = self.shown_path(&document).unwrap_or_else(|| "-".to_owned());
                files.push(CheckedFile { path, errors });
            }
            Ok(true)
        })?;
        Ok(CheckResponse { files, total, checked: report.searched, skipped: report.skipped })
    }
}
