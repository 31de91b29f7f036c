//! The journal of saves: what is about to be written, so that a save which was cut short can be finished or taken back.

use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};

use super::{Session, from_json, seconds_now, to_json};
use crate::engine::EngineError;

/// How far a save has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// New bytes are being put beside the files; no file has changed.
    Staging,
    /// All new bytes are on the disk; files are being renamed.
    Renaming,
}

/// A file that a save is about to write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Planned {
    /// The file itself, symbolic links followed.
    pub path: String,
    /// Where its new bytes wait.
    pub beside: String,
    /// The hash of the bytes there now; `None` when there is no file.
    pub old_hash: Option<String>,
    /// The hash of the new bytes.
    pub new_hash: String,
    /// The tree that is saved, and its revision.
    pub tree: Option<(String, u32)>,
}

/// A save that was begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Journal {
    /// Its transaction.
    pub transaction: String,
    /// How far it came.
    pub stage: Stage,
    /// What it writes.
    pub files: Vec<Planned>,
}

/// A file that a save wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub path: String,
    /// The tree that was saved.
    pub tree: Option<String>,
    /// What it held before; `None` when there was no file.
    pub old: Option<Vec<u8>>,
    /// The hash of what was written.
    pub new_hash: String,
}

impl Session<'_> {
    /// Notes a save, or how far it has come.
    pub fn put_journal(&self, journal: &Journal) -> Result<(), EngineError> {
        self.transaction.execute(
            "INSERT OR REPLACE INTO journal VALUES (?1, ?2, ?3)",
            params![journal.transaction, to_json(&journal.stage), to_json(&journal.files)],
        )?;
        Ok(())
    }

    /// A save is over.
    pub fn drop_journal(&self, transaction: &str) -> Result<(), EngineError> {
        self.transaction.execute("DELETE FROM journal WHERE transaction_id = ?1", [transaction])?;
        Ok(())
    }

    /// The saves that were begun and are not over.
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

    /// Keeps what a file held before a save, so that the save can be undone.
    pub fn put_written(&self, transaction: &str, written: &Written) -> Result<(), EngineError> {
        self.transaction.execute(
            "INSERT OR REPLACE INTO written VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![transaction, written.path, written.tree, written.old, written.new_hash, seconds_now()],
        )?;
        Ok(())
    }

    /// What a save wrote, in order of path.
    pub fn written(&self, transaction: &str) -> Result<Vec<Written>, EngineError> {
        let query = "SELECT path, tree, old, new_hash FROM written WHERE transaction_id = ?1 ORDER BY path";
        let mut statement = self.transaction.prepare(query)?;
        let rows = statement.query_map([transaction], |row| {
            Ok(Written { path: row.get(0)?, tree: row.get(1)?, old: row.get(2)?, new_hash: row.get(3)? })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Forgets what a save wrote: it was undone, or never happened.
    pub fn drop_written(&self, transaction: &str) -> Result<(), EngineError> {
        self.transaction.execute("DELETE FROM written WHERE transaction_id = ?1", [transaction])?;
        Ok(())
    }

    /// Whether a tree is still held.
    pub fn holds(&self, tree: &str) -> Result<bool, EngineError> {
        let found = self.transaction.query_row("SELECT 1 FROM tree WHERE id = ?1", [tree], |_| Ok(())).optional()?;
        Ok(found.is_some())
    }
}
