//! The session store: trees, their revisions, the journal of saves, and kept files, in one SQLite database.
//!
//! Several processes may work on one store: whoever writes holds the database for the length of one request, so that a
//! request sees what the one before it left, and nothing is written over. Texts are kept whole for a tree's current
//! revision and as edit sets, forward and back, for the steps between revisions.

mod backups;
mod journal;
mod opening;
mod path;
mod projects;
pub(crate) mod sessions;
mod shown;
mod time;
mod trees;

pub use backups::Backup;
pub use journal::{Journal, Planned, Stage, TransactionRecord, Written};
pub use time::{seconds_now, timestamp};
pub use trees::{NewRevision, Removed, RemovedRun, RevisionRow, TreeRow};

use crate::limits;
use crate::locks::IgnorePoison;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::project::{Disk, Lock};
use crate::request::error::{EngineError, ErrorCode};

const DATABASE: &str = "store.db";

/// Seconds since 1970.
type Clock = fn() -> i64;

/// The store: open, with its tables made.
#[derive(Debug)]
pub struct Store {
    connection: Mutex<Connection>,
    folder: Option<PathBuf>,
    clock: Clock,
}

/// How far a commit reaches before it returns.
#[derive(Debug, Clone, Copy)]
enum Reaching {
    System,
    Disk,
}

impl Reaching {
    /// SQLite's word for it.
    fn level(self) -> &'static str {
        match self {
            Reaching::System => "NORMAL",
            Reaching::Disk => "FULL",
        }
    }
}

/// The store in the middle of a transaction.
pub struct Session<'a> {
    transaction: Transaction<'a>,
    clock: Clock,
}

impl Store {
    /// Whether there is one in a folder.
    pub fn is_at(folder: &Path) -> bool {
        Disk.exists(&folder.join(DATABASE))
    }

    /// Takes what was deleted out of the files too. Deleted rows are overwritten where they were (`prepare`), but the log
    /// still has them: it is emptied. Where much is free, the database is written anew without it.
    ///
    /// Whoever reads at the moment keeps the log; then it is emptied at the next opportunity.
    ///
    /// # Errors
    /// When the database can't be written.
    pub fn erase(&self) -> Result<(), EngineError> {
        self.erase_beyond(limits::STORE_FREE_BYTES)
    }

    fn erase_beyond(&self, most_free: i64) -> Result<(), EngineError> {
        let connection = self.connection.lock().ignore_poison();
        let number = |pragma: &str| connection.query_row(pragma, [], |row| row.get::<_, i64>(0));
        let free = number("PRAGMA freelist_count")? * number("PRAGMA page_size")?;
        let patient = connection.busy_timeout(Duration::from_secs(2));
        // Another process may hold it, in which case it is left as it is.
        let erased = patient.and_then(|()| {
            if free > most_free {
                let _ = connection.execute_batch("VACUUM");
            }
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        });
        connection.busy_timeout(limits::STORE_WAIT)?;
        Ok(erased?)
    }

    /// Does what `work` says in one transaction: all of it, or nothing when it fails.
    ///
    /// # Errors
    /// As `work`; when another process holds the store for too long.
    pub fn write<T>(&self, work: impl FnOnce(&Session<'_>) -> Result<T, EngineError>) -> Result<T, EngineError> {
        self.transact(TransactionBehavior::Immediate, Reaching::Disk, work)
    }

    /// As [`Store::write`], for what a file still holds or nobody misses: it outlives the process, and a loss of power may undo it.
    /// It spares waiting for the disk, a third of what a `load` takes.
    ///
    /// # Errors
    /// As [`Store::write`].
    pub fn write_lightly<T>(
        &self,
        work: impl FnOnce(&Session<'_>) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        self.transact(TransactionBehavior::Immediate, Reaching::System, work)
    }

    /// Reads one state of the store.
    ///
    /// # Errors
    /// As `work`.
    pub fn read<T>(&self, work: impl FnOnce(&Session<'_>) -> Result<T, EngineError>) -> Result<T, EngineError> {
        self.transact(TransactionBehavior::Deferred, Reaching::System, work)
    }

    fn transact<T>(
        &self,
        behavior: TransactionBehavior,
        reaching: Reaching,
        work: impl FnOnce(&Session<'_>) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        // A panic in between rolled its transaction back, so the connection is good.
        let mut connection = self.connection.lock().ignore_poison();
        connection.pragma_update(None, "synchronous", reaching.level())?;
        let session = Session { transaction: connection.transaction_with_behavior(behavior)?, clock: self.clock };
        let result = work(&session)?;
        session.transaction.commit()?;
        Ok(result)
    }

    /// Waits until no other process saves.
    ///
    /// # Errors
    /// When the lock file can't be used.
    pub fn lock_saving(&self) -> Result<Option<Lock>, EngineError> {
        let lock = |folder: &PathBuf| Disk.lock(&folder.join("saving.lock"));
        self.folder.as_ref().map(lock).transpose().map_err(lock_failed)
    }

    /// Takes the right to save, unless another process has it: the outer `None` then.
    ///
    /// # Errors
    /// When the lock file can't be used.
    pub fn try_lock_saving(&self) -> Result<Option<Option<Lock>>, EngineError> {
        match &self.folder {
            Some(folder) => Ok(Disk.try_lock(&folder.join("saving.lock")).map_err(lock_failed)?.map(Some)),
            None => Ok(Some(None)),
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the error's last use")]
fn lock_failed(error: std::io::Error) -> EngineError {
    EngineError::new(ErrorCode::Internal, format!("the lock for saving cannot be used: {error}"))
}

/// A folder that isn't the user's alone, as an error.
fn insecure(folder: &Path, why: &str) -> EngineError {
    let message = format!("the session store is not used: the folder `{}` {why}", folder.display());
    EngineError::bad_request(message)
        .path(folder.display().to_string())
        .hint("make it yours alone (`chmod go-w`, `chown`), or name another folder with {state}")
}

/// Sets a connection up: a log that readers needn't wait for, and that isn't copied into the database at each process's end;
/// what is deleted is overwritten.
fn prepare(connection: Connection) -> rusqlite::Result<Connection> {
    connection.busy_timeout(limits::STORE_WAIT)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "secure_delete", "ON")?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    Ok(connection)
}

impl Session<'_> {
    /// Now, in seconds since 1970.
    fn now(&self) -> i64 {
        (self.clock)()
    }
}

impl From<rusqlite::Error> for EngineError {
    fn from(error: rusqlite::Error) -> EngineError {
        let failed = EngineError::new(ErrorCode::Internal, format!("the session store failed: {error}"));
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked) => {
                failed.hint("another process holds it; try again")
            }
            _ => failed,
        }
    }
}

/// Data of the store that doesn't read as what it should be.
fn damaged_store(error: &dyn std::fmt::Display) -> EngineError {
    EngineError::new(ErrorCode::Internal, format!("the session store is damaged: {error}"))
}

/// Writes plain data as JSON.
fn to_json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("plain data can be written as JSON")
}

/// Reads plain data from JSON.
fn from_json<T: serde::de::DeserializeOwned>(source: &str) -> Result<T, EngineError> {
    serde_json::from_str(source).map_err(|error| damaged_store(&error))
}
