//! What clients were shown: ids of a file that isn't held count its nodes, so they mean something in one content of it alone.

use std::path::Path;

use crate::engine::core::Engine;
use crate::project::path_text;
use crate::reader::document::{content_hash, short};
use crate::request::error::EngineError;

impl Engine {
    /// Notes in the session store that ids of these contents were shown: the path as results have it, and the start of the content's
    /// hash.
    ///
    /// # Errors
    /// When the store can't be written.
    pub fn note_shown(&self, contents: &[(String, String)]) -> Result<(), EngineError> {
        if contents.is_empty() {
            return Ok(());
        }
        let contents: Vec<_> = contents.iter().map(|(path, hash)| (self.key_of(path), hash.clone())).collect();
        self.store()?.write_lightly(|session| session.note_shown(&contents))
    }

    /// The contents of a file that ids were shown of in the last days, by whomever, oldest first.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn shown_contents(&self, path: &str) -> Result<Vec<String>, EngineError> {
        let key = self.key_of(path);
        self.store()?.read(|session| session.shown(&key))
    }

    /// The start of the hash of a file's content, as results give it; `None` where it can't be read.
    pub fn revision_of(&self, path: &str) -> Option<String> {
        let absolute = self.absolute(Path::new(path));
        if !self.permits(&absolute) {
            return None;
        }
        let bytes = self.files().read(&absolute, u64::MAX).ok()?;
        Some(short(&content_hash(&bytes)))
    }

    fn key_of(&self, path: &str) -> String {
        path_text(&self.absolute(Path::new(path)))
    }
}
