//! Files that were kept before they were written over.

use std::path::{Path, PathBuf};

use rusqlite::{OptionalExtension, params};

use super::Session;
use super::path::StoredPath;
use crate::request::error::{EngineError, ErrorCode};

/// A file that was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backup {
    /// Its id.
    pub id: String,
    /// The file it was, absolute.
    pub path: PathBuf,
    /// When it was kept, in seconds since 1970.
    pub time: i64,
    /// Size.
    pub bytes: usize,
}

impl Session<'_> {
    /// Keeps a file.
    pub fn put_backup(&self, id: &str, path: &Path, bytes: &[u8]) -> Result<(), EngineError> {
        let values = params![id, StoredPath::new(path), bytes, self.now()];
        self.transaction.execute("INSERT INTO backup VALUES (?1, ?2, ?3, ?4)", values)?;
        Ok(())
    }

    /// All files kept, newest first.
    pub fn backups(&self) -> Result<Vec<Backup>, EngineError> {
        let query = "SELECT id, path, time, length(bytes) FROM backup ORDER BY id DESC";
        let mut statement = self.transaction.prepare(query)?;
        let rows = statement.query_map([], |row| {
            let bytes: i64 = row.get(3)?;
            let bytes = usize::try_from(bytes).unwrap_or(0);
            let path: StoredPath = row.get(1)?;
            Ok(Backup { id: row.get(0)?, path: path.0, time: row.get(2)?, bytes })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The bytes of a file kept.
    pub fn backup_bytes(&self, id: &str) -> Result<Vec<u8>, EngineError> {
        let query = "SELECT bytes FROM backup WHERE id = ?1";
        let bytes = self.transaction.query_row(query, [id], |row| row.get(0)).optional()?;
        bytes.ok_or_else(|| EngineError::new(ErrorCode::NotFound, format!("no backup `{id}`")))
    }
}
