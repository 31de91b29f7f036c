//! Snapshots of tests.

use std::path::{Path, PathBuf};

use crate::engine::core::Begun;
use crate::limits;
use crate::request::error::EngineError;
use crate::script::Snapshot;

/// The snapshot of a test: its file, and the text that it holds.
pub(in crate::engine) struct KeptSnapshot {
    pub path: PathBuf,
    pub text: Option<String>,
}

impl Begun<'_> {
    /// The snapshot at a path.
    pub(in crate::engine) fn kept_snapshot(&self, path: PathBuf) -> Result<KeptSnapshot, EngineError> {
        let bytes = match self.files().read(&path, limits::SNAPSHOT_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(KeptSnapshot { path, text: None }),
            Err(error) => return Err(self.unreadable(&path, &error)),
        };
        let text = String::from_utf8(bytes).ok();
        match text.as_deref().and_then(Snapshot::text_of) {
            Some(text) => Ok(KeptSnapshot { text: Some(text.to_owned()), path }),
            None => {
                let shown = self.shown(&path);
                let error = EngineError::bad_request(format!("`{shown}` is not a snapshot")).path(shown);
                Err(error.hint("remove it; `update` writes it anew"))
            }
        }
    }

    /// Writes a snapshot, with the folders that it takes.
    pub(in crate::engine) fn keep(&self, path: &Path, snapshot: &Snapshot) -> Result<(), EngineError> {
        let written = || {
            if let Some(folder) = path.parent() {
                self.files().create_dir_all(folder)?;
            }
            self.files().replace(path, snapshot.to_text().as_bytes(), &|_| Ok(()))
        };
        written().map_err(|error: std::io::Error| self.unwritable(path, &error))
    }
}
