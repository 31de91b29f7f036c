//! The journal of writes: what is about to be written, so that a write which was cut short can be completed or rolled back; and
//! the transactions that were written, so that they can be undone.

use std::path::PathBuf;

use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};

use super::path::{self, StoredPath};
use super::{Session, from_json, to_json};
use crate::request::error::EngineError;

/// How far a write has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// New bytes are staged beside the files, or renamed over them.
    #[serde(alias = "staging", alias = "renaming")]
    Writing,
    /// Files that were renamed get their old bytes back.
    RollingBack,
}

/// A file that a transaction is about to write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Planned {
    /// The file itself, symbolic links followed.
    #[serde(with = "path")]
    pub path: PathBuf,
    /// Where its new bytes are staged.
    #[serde(with = "path")]
    pub beside: PathBuf,
    /// The hash of its bytes before; `None` when there was no file.
    pub old_hash: Option<String>,
    /// The hash of its new bytes; `None` when the file is removed.
    pub new_hash: Option<String>,
    /// The tree that is saved, and its revision.
    pub tree: Option<(String, u32)>,
    /// The id under which the old bytes are kept as a backup.
    #[serde(default)]
    pub backup: Option<String>,
}

/// A write that was begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Journal {
    /// Its transaction.
    pub transaction: String,
    /// How far it came.
    pub stage: Stage,
    /// What it writes.
    pub files: Vec<Planned>,
}

/// A file that a transaction wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub path: PathBuf,
    /// The tree that was saved.
    pub tree: Option<String>,
    /// What it held before; `None` when there was no file.
    pub old: Option<Vec<u8>>,
    /// The hash of what was written; `None` when the file was removed.
    pub new_hash: Option<String>,
}

/// A transaction that can be undone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransactionRecord {
    /// Its id.
    pub id: String,
    /// The request that wrote it, where that is known.
    pub request: Option<String>,
    /// When, in seconds since 1970.
    pub time: i64,
    /// The files it wrote, in order of path.
    pub paths: Vec<PathBuf>,
}

impl Session<'_> {
    /// Notes a write, or how far it has come.
    pub fn put_journal(&self, journal: &Journal) -> Result<(), EngineError> {
        self.transaction.execute(
            "INSERT OR REPLACE INTO journal VALUES (?1, ?2, ?3)",
            params![journal.transaction, to_json(&journal.stage), to_json(&journal.files)],
        )?;
        Ok(())
    }

    /// Forgets a write: it is over.
    pub fn drop_journal(&self, transaction: &str) -> Result<(), EngineError> {
        self.transaction.execute("DELETE FROM journal WHERE transaction_id = ?1", [transaction])?;
        Ok(())
    }

    /// The writes that were begun and are not over, oldest first.
    pub fn journals(&self) -> Result<Vec<Journal>, EngineError> {
        let mut statement =
            self.transaction.prepare("SELECT transaction_id, stage, files FROM journal ORDER BY transaction_id")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let rows: Vec<(String, String, String)> = rows.collect::<Result<_, _>>()?;
        let journal = |(transaction, stage, files): (String, String, String)| {
            Ok(Journal { transaction, stage: from_json(&stage)?, files: from_json(&files)? })
        };
        rows.into_iter().map(journal).collect()
    }

    /// Notes which request writes a transaction.
    pub fn put_request(&self, transaction: &str, request: &str) -> Result<(), EngineError> {
        self.transaction.execute("INSERT OR REPLACE INTO request VALUES (?1, ?2)", [transaction, request])?;
        Ok(())
    }

    /// Keeps what a file held before it is written, so that the transaction can be undone.
    pub fn put_written(&self, transaction: &str, written: &Written) -> Result<(), EngineError> {
        // The column has no NULL: an empty hash is a file that was removed.
        let new_hash = written.new_hash.as_deref().unwrap_or_default();
        self.transaction.execute(
            "INSERT OR REPLACE INTO written VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![transaction, StoredPath::new(&written.path), written.tree, written.old, new_hash, self.now()],
        )?;
        Ok(())
    }

    /// What a transaction wrote, in order of path.
    pub fn written(&self, transaction: &str) -> Result<Vec<Written>, EngineError> {
        let query = "SELECT path, tree, old, new_hash FROM written WHERE transaction_id = ?1";
        let mut statement = self.transaction.prepare(query)?;
        let rows = statement.query_map([transaction], |row| {
            let (path, new_hash): (StoredPath, String) = (row.get(0)?, row.get(3)?);
            let new_hash = Some(new_hash).filter(|hash| !hash.is_empty());
            Ok(Written { path: path.0, tree: row.get(1)?, old: row.get(2)?, new_hash })
        })?;
        let mut written: Vec<Written> = rows.collect::<Result<_, _>>()?;
        // The database puts paths that aren't UTF-8 behind all others.
        written.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(written)
    }

    /// What a file held before a transaction wrote it: `None` where that isn't kept, `Some(None)` where there was no file.
    pub fn old_bytes(&self, transaction: &str, path: &std::path::Path) -> Result<Option<Option<Vec<u8>>>, EngineError> {
        let query = "SELECT old FROM written WHERE transaction_id = ?1 AND path = ?2";
        let values = params![transaction, StoredPath::new(path)];
        Ok(self.transaction.query_row(query, values, |row| row.get(0)).optional()?)
    }

    /// Forgets files that a transaction wrote, since they were undone.
    pub fn drop_written(&self, transaction: &str, paths: &[PathBuf]) -> Result<(), EngineError> {
        let mut statement = self.transaction.prepare("DELETE FROM written WHERE transaction_id = ?1 AND path = ?2")?;
        for path in paths {
            statement.execute(params![transaction, StoredPath::new(path)])?;
        }
        self.drop_idle_requests()
    }

    /// Forgets a transaction: it was never written.
    pub fn drop_transaction(&self, transaction: &str) -> Result<(), EngineError> {
        self.transaction.execute("DELETE FROM written WHERE transaction_id = ?1", [transaction])?;
        self.transaction.execute("DELETE FROM request WHERE transaction_id = ?1", [transaction])?;
        Ok(())
    }

    /// Forgets the requests of transactions that can't be undone any more.
    pub(crate) fn drop_idle_requests(&self) -> Result<(), EngineError> {
        let idle = "DELETE FROM request WHERE transaction_id NOT IN (SELECT transaction_id FROM written)";
        self.transaction.execute(idle, [])?;
        Ok(())
    }

    /// The transactions that can be undone, newest first. Those that are being written, or were cut short, are not among them.
    pub fn transactions(&self) -> Result<Vec<TransactionRecord>, EngineError> {
        let query = "SELECT written.transaction_id, request.request, written.time, written.path FROM written
            LEFT JOIN request ON request.transaction_id = written.transaction_id
            WHERE written.transaction_id NOT IN (SELECT transaction_id FROM journal)
            ORDER BY written.transaction_id DESC";
        let mut statement = self.transaction.prepare(query)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
        let mut records: Vec<TransactionRecord> = Vec::new();
        for row in rows {
            let (id, request, time, path): (String, Option<String>, i64, StoredPath) = row?;
            match records.last_mut().filter(|record| record.id == id) {
                Some(record) => record.paths.push(path.0),
                None => records.push(TransactionRecord { id, request, time, paths: vec![path.0] }),
            }
        }
        records.iter_mut().for_each(|record| record.paths.sort());
        Ok(records)
    }

    /// Whether a tree is still held.
    pub fn holds(&self, tree: &str) -> Result<bool, EngineError> {
        let found = self.transaction.query_row("SELECT 1 FROM tree WHERE id = ?1", [tree], |_| Ok(())).optional()?;
        Ok(found.is_some())
    }
}
