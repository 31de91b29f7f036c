//! The session store: trees, their revisions, the journal of saves, and kept files, in one SQLite database.
//!
//! Several processes may work on one store: whoever writes holds the database for the length of one request, so that a
//! request sees what the one before it left, and nothing is written over. Texts are kept whole for a tree's current
//! revision and as edit sets, forward and back, for the steps between revisions.

mod backups;
mod journal;
mod path;
mod projects;
pub(crate) mod sessions;
mod shown;
mod trees;

pub use backups::Backup;
pub use journal::{Journal, Planned, Stage, TransactionRecord, Written};
pub use trees::{NewRevision, Removed, RemovedRun, RevisionRow, TreeRow};

use crate::limits;
use crate::locks::IgnorePoison;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::project::{Disk, Lock};
use crate::request::error::{EngineError, ErrorCode};

/// Which shape of tables this program writes.
const VERSION: i64 = 2;
const DATABASE: &str = "store.db";
const DAY: i64 = 24 * 60 * 60;

const SCHEMA: &str = "
CREATE TABLE tree (
  id TEXT PRIMARY KEY, path TEXT, name TEXT, language TEXT NOT NULL, label TEXT,
  loaded_hash TEXT NOT NULL, base_hash TEXT NOT NULL, head INTEGER NOT NULL, next_revision INTEGER NOT NULL,
  next_id INTEGER NOT NULL, unsaved INTEGER NOT NULL, used INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE base (tree TEXT PRIMARY KEY, bytes BLOB NOT NULL);
CREATE TABLE text (tree TEXT PRIMARY KEY, source TEXT NOT NULL);
CREATE TABLE revision (
  tree TEXT NOT NULL, number INTEGER NOT NULL, parent INTEGER, forward TEXT NOT NULL, inverse TEXT NOT NULL,
  ids TEXT NOT NULL, shape TEXT NOT NULL, first_id INTEGER NOT NULL, next_id INTEGER NOT NULL, removed TEXT NOT NULL,
  PRIMARY KEY (tree, number)
);
CREATE TABLE journal (transaction_id TEXT PRIMARY KEY, stage TEXT NOT NULL, files TEXT NOT NULL);
CREATE TABLE written (
  transaction_id TEXT NOT NULL, path TEXT NOT NULL, tree TEXT, old BLOB, new_hash TEXT NOT NULL, time INTEGER NOT NULL,
  PRIMARY KEY (transaction_id, path)
);
CREATE TABLE backup (id TEXT PRIMARY KEY, path TEXT NOT NULL, bytes BLOB NOT NULL, time INTEGER NOT NULL);
";

/// What version 2 added: the request that wrote a transaction.
const REQUESTS: &str = "CREATE TABLE request (transaction_id TEXT PRIMARY KEY, request TEXT NOT NULL) WITHOUT ROWID";

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
    /// Opens the store in a folder, which is made if it isn't there; without one, a store in memory.
    ///
    /// # Errors
    /// When the folder or the database can't be used.
    pub fn open(folder: Option<&Path>) -> Result<Store, EngineError> {
        Store::open_at(folder, seconds_now)
    }

    /// Whether there is one in a folder.
    pub fn is_at(folder: &Path) -> bool {
        Disk.exists(&folder.join(DATABASE))
    }

    /// As [`Store::open`], with another clock: seconds since 1970.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn open_at(folder: Option<&Path>, clock: Clock) -> Result<Store, EngineError> {
        let unusable = |path: &Path, error: &dyn std::fmt::Display| {
            EngineError::new(ErrorCode::Internal, format!("the session store cannot be used: {error}"))
                .path(path.display().to_string())
                .hint("name another folder with {state}")
        };
        let connection = match folder {
            Some(folder) => {
                Disk.make_private_folder(folder).map_err(|error| unusable(folder, &error))?;
                if let Some(why) = Disk.insecurity(folder).map_err(|error| unusable(folder, &error))? {
                    return Err(insecure(folder, &why));
                }
                let path = folder.join(DATABASE);
                // SQLite gives its other files the mode of this one.
                Disk.make_private_file(&path).map_err(|error| unusable(&path, &error))?;
                for name in ["store.db-wal", "store.db-shm"] {
                    let path = folder.join(name);
                    Disk.make_private(&path).map_err(|error| unusable(&path, &error))?;
                }
                let opened = Connection::open(&path).and_then(prepare);
                opened.map_err(|error| unusable(&path, &error))?
            }
            None => Connection::open_in_memory().and_then(prepare)?,
        };
        let store = Store { connection: Mutex::new(connection), folder: folder.map(Path::to_owned), clock };
        // Looked at first, since a reader needn't wait for others and most openings change nothing.
        let version = match store.read(|session| session.version())? {
            version if version < VERSION => {
                let migrated = store.write(|session| session.migrate())?;
                if version > 0 {
                    // Older versions didn't overwrite what they deleted.
                    store.erase_beyond(0)?;
                }
                migrated
            }
            version => version,
        };
        if version > VERSION {
            let message = format!("the session store is of version {version}, this program knows {VERSION}");
            return Err(
                EngineError::new(ErrorCode::Internal, message).hint("use a newer `cst`, or another `CST_STATE`")
            );
        }
        if store.read(|session| session.has_unused())? {
            store.write(|session| session.forget_unused())?;
            store.erase()?;
        }
        Ok(store)
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
    /// The version of the tables; 0 where there are none.
    fn version(&self) -> Result<i64, EngineError> {
        Ok(self.transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?)
    }

    /// Now, in seconds since 1970.
    fn now(&self) -> i64 {
        (self.clock)()
    }

    /// Makes the tables if there are none, brings those of an older version up to date, and says which version they are of.
    fn migrate(&self) -> Result<i64, EngineError> {
        let version = self.version()?;
        if version >= VERSION {
            return Ok(version);
        }
        if version == 0 {
            self.transaction.execute_batch(SCHEMA)?;
        }
        self.transaction.execute_batch(REQUESTS)?;
        self.transaction.pragma_update(None, "user_version", VERSION)?;
        Ok(VERSION)
    }

    /// Whether anything has expired.
    fn has_unused(&self) -> Result<bool, EngineError> {
        let query = "SELECT EXISTS (SELECT 1 FROM tree WHERE used < ?1 AND unsaved = 0)
            OR EXISTS (SELECT 1 FROM written WHERE time < ?2) OR EXISTS (SELECT 1 FROM backup WHERE time < ?2)";
        let times = [self.now() - limits::TREE_DAYS * DAY, self.now() - limits::BACKUP_DAYS * DAY];
        Ok(self.transaction.query_row(query, times, |row| row.get(0))?)
    }

    /// Drops trees that nobody used for long and that hold nothing unsaved, and the writes and backups that have expired.
    fn forget_unused(&self) -> Result<(), EngineError> {
        let query = "SELECT id FROM tree WHERE used < ?1 AND unsaved = 0";
        let mut statement = self.transaction.prepare(query)?;
        let before = self.now() - limits::TREE_DAYS * DAY;
        let ids: Vec<String> = statement.query_map([before], |row| row.get(0))?.collect::<Result<_, _>>()?;
        for id in ids {
            self.drop_tree(&id)?;
        }
        self.forget_writes(limits::BACKUP_DAYS)?;
        Ok(())
    }

    /// Forgets the backups and the transactions older than so many days; how many backups, and how many transactions. What a
    /// write that was cut short needs stays.
    pub fn forget_writes(&self, days: i64) -> Result<(usize, usize), EngineError> {
        let before = self.now().saturating_sub(days.saturating_mul(DAY));
        let backups = self.transaction.execute("DELETE FROM backup WHERE time <= ?1", [before])?;
        let expired = "FROM written WHERE time <= ?1 AND transaction_id NOT IN (SELECT transaction_id FROM journal)";
        let count = format!("SELECT count(DISTINCT transaction_id) {expired}");
        let transactions: i64 = self.transaction.query_row(&count, [before], |row| row.get(0))?;
        self.transaction.execute(&format!("DELETE {expired}"), [before])?;
        self.drop_idle_requests()?;
        Ok((backups, usize::try_from(transactions).unwrap_or(0)))
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

/// Seconds since 1970, in UTC.
pub fn seconds_now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

/// A time as people and programs read it: `2026-11-21T23:56:35Z`.
pub fn timestamp(seconds: i64) -> String {
    let (days, second) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
    // Days to a date of the Gregorian calendar, in eras of 400 years that begin in March (Hinnant, `civil_from_days`).
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}
