//! `index`: what parsing a folder's files gives, kept for the searches to come.

use super::search::{Look, Seen};
use super::{Engine, EngineError, ErrorCode, FilesReport, IndexRequest, IndexResponse, Reading};
use crate::project::Outlet;

/// Looks at nothing: that files are read and kept is all.
struct Indexer;

impl Look for Indexer {
    type Found = ();

    fn wants_trees(&self) -> bool {
        false
    }

    fn look(&self, _seen: &Seen<'_>, _send: Outlet<'_, ()>) -> Result<(), EngineError> {
        Ok(())
    }
}

impl Engine {
    /// Makes the indexes of folders, or brings them up to date.
    ///
    /// # Errors
    /// When a target is no folder, or there is no place for the index.
    pub fn index(&self, request: &IndexRequest) -> Result<IndexResponse, EngineError> {
        self.begin()?;
        if self.surroundings.cache.is_none() {
            let error = EngineError::new(ErrorCode::BadRequest, "there is no folder for the index");
            return Err(error.hint("set CST_CACHE to one"));
        }
        let mut report = FilesReport::default();
        let reading = Reading { cache: true, no_cache: false, ..request.reading.clone() };
        let searched = self.searched(&request.targets, &reading, &mut report)?;
        if searched.single {
            return Err(EngineError::new(ErrorCode::BadRequest, "an index is made of a folder, not of a file"));
        }
        if !searched.is_writing() {
            let error = EngineError::new(ErrorCode::BadRequest, "the index can't be written now");
            let hint = "another process writes it, or its folder is read-only; searches go on meanwhile";
            return Err(error.hint(hint));
        }
        self.look(&searched, &reading, &Indexer, &mut report, |(), _| Ok(true))?;
        let FilesReport { searched, kept, skipped, unknown_language, .. } = report;
        Ok(IndexResponse { indexed: searched, kept, skipped, unknown_language })
    }
}
