//! Opens the store: makes its tables, and drops what has expired.

use std::path::Path;
use std::sync::Mutex;

use rusqlite::Connection;

use super::time::{DAY, seconds_now};
use super::{Clock, DATABASE, Session, Store, insecure, prepare};
use crate::limits;
use crate::project::Disk;
use crate::request::error::{EngineError, ErrorCode};

/// Which shape of tables this program writes.
const VERSION: i64 = 2;

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

impl Store {
    /// Opens the store in a folder, which is made if it isn't there; without one, a store in memory.
    ///
    /// # Errors
    /// When the folder or the database can't be used.
    pub fn open(folder: Option<&Path>) -> Result<Store, EngineError> {
        Store::open_at(folder, seconds_now)
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
}

impl Session<'_> {
    /// The version of the tables; 0 where there are none.
    fn version(&self) -> Result<i64, EngineError> {
        Ok(self.transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?)
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
