//! The database of names: what is kept of the files of a repository, by their content, for questions about a whole project.
//!
//! A file's facts depend on its bytes alone, so branches and working trees of a repository share them: `file` says which
//! content a path had when it was last read, `content` has the definitions of each content, `word` and `defined` say which
//! contents have a word or define a name, and `document` is the full-text index. A file that has changed since is not
//! used; whoever asks reads it. So an answer does not depend on what the database has, only how long it takes.
//!
//! One process writes, in short transactions, and others read meanwhile. A database that is damaged or of another version
//! is made again. This module accesses the disk itself, only in the cache folder.

mod definitions;
mod family;
mod precise;
mod query;
mod search;
mod vectors;

pub use precise::{Precise, PreciseDocument, PreciseSource};
pub use query::{Query, QueryError};
pub use search::Hit;
pub use vectors::{ContentVectors, Near, StoredModel, VectorStore};

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OptionalExtension, params};
use rustc_hash::FxHashMap;

use crate::facts::{DefinitionFacts, FACTS_VERSION, Facts};
use crate::limits;
use crate::locks::IgnorePoison;
use crate::project::{Disk, Lock, Stamp};

/// The version of the tables.
const VERSION: i64 = 1;

const SCHEMA: &str = "
CREATE TABLE file (
  path TEXT PRIMARY KEY, size INTEGER NOT NULL, modified INTEGER NOT NULL, changed INTEGER NOT NULL, inode INTEGER NOT NULL,
  read_at INTEGER NOT NULL, content INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE content (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, definitions BLOB NOT NULL, documents INTEGER NOT NULL);
CREATE TABLE word (text TEXT PRIMARY KEY, contents BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE defined (text TEXT PRIMARY KEY, contents BLOB NOT NULL) WITHOUT ROWID;
CREATE VIRTUAL TABLE document USING fts5(
  name, scope, signature, documentation, body, content='', contentless_delete=1, tokenize='porter ascii'
);
";

/// What the database cannot do.
pub type DatabaseError = rusqlite::Error;

/// The number of a content.
pub type Content = u32;

/// How many documents one content can have; the number of a document is that of its content times this, plus its place.
const DOCUMENTS: i64 = 1 << 20;

/// A file as it was when it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileRow {
    /// Its size and times.
    pub stamp: Stamp,
    /// When it was read, in nanoseconds since 1970.
    pub read_at: i64,
    /// What it contained.
    pub content: Content,
}

/// How long before it was read a file's last change must be for its times to count, in nanoseconds: file system clocks are
/// coarse.
const SLACK: i64 = 2_000_000_000;

impl FileRow {
    /// Whether a file with this stamp has certainly the content that was read.
    pub fn is_current(&self, stamp: Stamp) -> bool {
        self.stamp == stamp && stamp.changed.max(stamp.modified) < self.read_at.saturating_sub(SLACK)
    }
}

/// The content of a file, ready to be kept.
#[derive(Debug)]
pub enum NewContent {
    /// It is known already.
    Known(Content),
    /// It is new.
    New([u8; 16], Box<Facts>),
}

/// A file that was read.
#[derive(Debug)]
pub struct FileChange {
    /// Its path, as the system names it.
    pub path: String,
    /// Its size and times, from before it was read.
    pub stamp: Stamp,
    /// When it was read, in nanoseconds since 1970.
    pub read_at: i64,
    /// What it contains.
    pub content: NewContent,
}

/// The database of one repository.
#[derive(Debug)]
pub struct Database {
    connection: Mutex<Connection>,
    /// `None` if it is in memory.
    folder: Option<PathBuf>,
}

/// The right to write to a database, which one process has at a time.
#[derive(Debug)]
pub struct Writer<'a> {
    database: &'a Database,
    _lock: Option<Lock>,
    next: Cell<Content>,
}

impl Database {
    /// The database for a folder; `None` if there is none, unless it is to be made, or if it cannot be used.
    pub fn open(cache: &Path, folder: &Path, create: bool) -> Option<Database> {
        let folder = place(cache, folder);
        let path = folder.join("facts.db");
        if !create && !Disk.exists(&path) {
            return None;
        }
        Disk.make_private_folder(&folder).ok()?;
        Disk.make_private(&folder).ok()?;
        match Database::prepared(&path) {
            Ok(connection) => Some(Database { connection: Mutex::new(connection), folder: Some(folder) }),
            Err(_) => {
                // Damaged, foreign or of another version: whoever may write makes it again.
                let _lock = Disk.try_lock(&folder.join("lock")).ok()??;
                remove(&folder);
                let connection = Database::prepared(&path).ok()?;
                Some(Database { connection: Mutex::new(connection), folder: Some(folder) })
            }
        }
    }

    /// An empty database in memory.
    ///
    /// # Errors
    /// Those of SQLite.
    pub fn in_memory() -> rusqlite::Result<Database> {
        let connection = Connection::open_in_memory()?;
        connection.execute_batch(SCHEMA)?;
        Ok(Database { connection: Mutex::new(connection), folder: None })
    }

    /// Removes a database that is damaged, so that it is made again, unless another process is writing to it.
    pub fn discard(&self) {
        let Some(folder) = &self.folder else { return };
        let Ok(Some(_lock)) = Disk.try_lock(&folder.join("lock")) else { return };
        remove(folder);
    }

    /// The connection, with its tables made.
    fn prepared(path: &Path) -> rusqlite::Result<Connection> {
        let unusable = |_| rusqlite::Error::InvalidPath(path.to_owned());
        Disk.make_private_file(path).map_err(unusable)?;
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(limits::FACTS_WAIT)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        let version = |connection: &Connection| connection.query_row("PRAGMA user_version", [], |row| row.get(0));
        let wanted = VERSION * 1000 + i64::from(FACTS_VERSION);
        let mut found: i64 = version(&connection)?;
        if found == 0 {
            let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
            if version(&transaction)? == 0i64 {
                transaction.execute_batch(SCHEMA)?;
                transaction.pragma_update(None, "user_version", wanted)?;
            }
            transaction.commit()?;
            found = version(&connection)?;
        }
        if found != wanted {
            return Err(rusqlite::Error::InvalidQuery);
        }
        Ok(connection)
    }

    /// The right to write, unless another process has it.
    pub fn writer(&self) -> Option<Writer<'_>> {
        let lock = match &self.folder {
            Some(folder) => Some(Disk.try_lock(&folder.join("lock")).ok()??),
            None => None,
        };
        let next = self.connection().query_row("SELECT coalesce(max(id), 0) + 1 FROM content", [], |row| row.get(0));
        Some(Writer { database: self, _lock: lock, next: Cell::new(next.ok()?) })
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().ignore_poison()
    }

    /// The files below a folder.
    ///
    /// # Errors
    /// If the database is damaged or cannot be written.
    pub fn files(&self, folder: &str) -> rusqlite::Result<FxHashMap<String, FileRow>> {
        let connection = self.connection();
        let query =
            "SELECT path, size, modified, changed, inode, read_at, content FROM file WHERE path >= ?1 AND path < ?2";
        let mut statement = connection.prepare_cached(query)?;
        // `0` is the character after `/`.
        let rows = statement.query_map([format!("{folder}/"), format!("{folder}0")], |row| {
            let whole = |number: usize| row.get::<_, i64>(number).map(i64::cast_unsigned);
            let stamp = Stamp { size: whole(1)?, modified: row.get(2)?, changed: row.get(3)?, inode: whole(4)? };
            Ok((row.get(0)?, FileRow { stamp, read_at: row.get(5)?, content: row.get(6)? }))
        })?;
        rows.collect()
    }

    /// The number of a content by its hash.
    ///
    /// # Errors
    /// If the database is damaged or cannot be written.
    pub fn content(&self, hash: &[u8; 16]) -> rusqlite::Result<Option<Content>> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached("SELECT id FROM content WHERE hash = ?1")?;
        statement.query_row([&hash[..]], |row| row.get(0)).optional()
    }

    /// The hashes of all contents.
    ///
    /// # Errors
    /// If the database is damaged.
    pub fn hashes(&self) -> rusqlite::Result<FxHashMap<[u8; 16], Content>> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached("SELECT hash, id FROM content")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.collect()
    }

    /// How many documents each of some contents has.
    ///
    /// # Errors
    /// If the database is damaged.
    pub fn documents(&self, content: Content) -> rusqlite::Result<usize> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached("SELECT documents FROM content WHERE id = ?1")?;
        let count: i64 = statement.query_row([content], |row| row.get(0))?;
        Ok(usize::try_from(count).unwrap_or_default() + 1)
    }

    /// The definitions of a content.
    ///
    /// # Errors
    /// If the database is damaged or cannot be written.
    pub fn definitions(&self, content: Content) -> rusqlite::Result<Vec<DefinitionFacts>> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached("SELECT definitions FROM content WHERE id = ?1")?;
        let bytes: Vec<u8> = statement.query_row([content], |row| row.get(0))?;
        definitions::unpacked(&bytes).ok_or_else(damaged)
    }

    /// The contents that have a word.
    ///
    /// # Errors
    /// If the database is damaged or cannot be written.
    pub fn with_word(&self, word: &str) -> rusqlite::Result<Vec<Content>> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached("SELECT contents FROM word WHERE text = ?1")?;
        let bytes: Option<Vec<u8>> = statement.query_row([word], |row| row.get(0)).optional()?;
        unpacked(&bytes.unwrap_or_default()).ok_or_else(damaged)
    }

    /// Goes through the names of all definitions, each with the contents that define it.
    ///
    /// # Errors
    /// If the database is damaged.
    pub fn each_defined(&self, look: &mut dyn FnMut(&str, &[Content])) -> rusqlite::Result<()> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached("SELECT text, contents FROM defined")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let bytes = row.get_ref(1)?.as_blob().map_err(|_| damaged())?;
            let contents = unpacked(bytes).ok_or_else(damaged)?;
            look(row.get_ref(0)?.as_str().map_err(|_| damaged())?, &contents);
        }
        Ok(())
    }

    /// The contents that define a name that fits.
    ///
    /// # Errors
    /// If the database is damaged.
    pub fn each_name(&self, mut fits: impl FnMut(&str) -> bool) -> rusqlite::Result<Vec<Content>> {
        let mut found = Vec::new();
        self.each_defined(&mut |name, contents| {
            if fits(name) {
                found.extend_from_slice(contents);
            }
        })?;
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// The bytes of its files.
    pub fn bytes(&self) -> u64 {
        let paths = self.folder.iter().flat_map(|folder| ["facts.db", "facts.db-wal"].map(|name| folder.join(name)));
        paths.filter_map(|path| std::fs::metadata(path).ok()).map(|found| found.len()).sum()
    }
}

/// Removes the files of a database.
fn remove(folder: &Path) {
    for name in ["facts.db", "facts.db-wal", "facts.db-shm"] {
        let _ = Disk.remove_file(&folder.join(name));
    }
}

/// Removes the database for a folder; how many bytes it had. `None` while another process writes.
pub fn clear(cache: &Path, folder: &Path) -> Option<u64> {
    let folder = place(cache, folder);
    if !Disk.exists(&folder) {
        return Some(0);
    }
    let _lock = Disk.try_lock(&folder.join("lock")).ok()??;
    let bytes = std::fs::metadata(folder.join("facts.db")).map_or(0, |found| found.len());
    std::fs::remove_dir_all(&folder).ok()?;
    Some(bytes)
}

/// Where the database for a folder is: one for all working trees of a repository.
fn place(cache: &Path, folder: &Path) -> PathBuf {
    let family = family::of(folder);
    let name = blake3::hash(family.to_string_lossy().as_bytes()).to_hex();
    cache.join("index").join(format!("facts-{}", &name[..32]))
}

fn damaged() -> rusqlite::Error {
    rusqlite::Error::InvalidQuery
}

impl Writer<'_> {
    /// Keeps files, in one transaction.
    ///
    /// # Errors
    /// If the database is damaged or cannot be written.
    pub fn add(&self, changes: Vec<FileChange>) -> rusqlite::Result<()> {
        let mut connection = self.database.connection();
        let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let mut words: FxHashMap<String, Vec<Content>> = FxHashMap::default();
        let mut names: FxHashMap<String, Vec<Content>> = FxHashMap::default();
        {
            let mut file =
                transaction.prepare_cached("INSERT OR REPLACE INTO file VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?;
            let mut known = transaction.prepare_cached("SELECT id FROM content WHERE hash = ?1")?;
            let mut new = transaction.prepare_cached("INSERT INTO content VALUES (?1, ?2, ?3, ?4)")?;
            let query = "INSERT INTO document (rowid, name, scope, signature, documentation, body)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            let mut document = transaction.prepare_cached(query)?;
            for change in changes {
                let content = match change.content {
                    NewContent::Known(content) => content,
                    NewContent::New(hash, facts) => match known.query_row([&hash[..]], |row| row.get(0)).optional()? {
                        Some(content) => content,
                        None => {
                            let content = self.next.get();
                            self.next.set(content + 1);
                            let definitions = definitions::packed(&facts.definitions).ok_or_else(damaged)?;
                            let documents = i64::try_from(facts.documents.len()).unwrap_or(DOCUMENTS);
                            new.execute(params![content, &hash[..], definitions, documents])?;
                            for (number, part) in (0..DOCUMENTS).zip(&facts.documents) {
                                let id = i64::from(content) * DOCUMENTS + number;
                                document.execute(params![
                                    id,
                                    part.name,
                                    part.scope,
                                    part.signature,
                                    part.documentation,
                                    part.body
                                ])?;
                            }
                            let defined = facts.definitions.into_iter().map(|definition| definition.name);
                            let mut defined: Vec<String> = defined.collect();
                            defined.sort_unstable();
                            defined.dedup();
                            defined.into_iter().for_each(|name| names.entry(name).or_default().push(content));
                            facts.words.into_iter().for_each(|word| words.entry(word).or_default().push(content));
                            content
                        }
                    },
                };
                let Stamp { size, modified, changed, inode } = change.stamp;
                let (size, inode) = (size.cast_signed(), inode.cast_signed());
                file.execute(params![change.path, size, modified, changed, inode, change.read_at, content])?;
            }
            for (table, texts) in [("word", words), ("defined", names)] {
                let query = format!(
                    "INSERT INTO {table} VALUES (?1, ?2) ON CONFLICT (text) DO UPDATE SET contents = CAST(contents || excluded.contents AS BLOB)"
                );
                let mut add = transaction.prepare_cached(&query)?;
                let mut texts: Vec<(String, Vec<Content>)> = texts.into_iter().collect();
                texts.sort_unstable();
                for (text, contents) in texts {
                    add.execute(params![text, packed(&contents)])?;
                }
            }
        }
        transaction.commit()
    }

    /// Forgets files that are gone, and contents that no file has if these are many.
    ///
    /// # Errors
    /// If the database is damaged or cannot be written.
    pub fn forget(&self, paths: &[String]) -> rusqlite::Result<()> {
        let mut connection = self.database.connection();
        let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        {
            let mut statement = transaction.prepare_cached("DELETE FROM file WHERE path = ?1")?;
            for path in paths {
                statement.execute([path])?;
            }
        }
        transaction.commit()
    }

    /// Removes the contents that no file has, if they are the larger part.
    ///
    /// # Errors
    /// If the database is damaged or cannot be written.
    pub fn prune(&self) -> rusqlite::Result<()> {
        self.prune_beyond(limits::UNUSED_CONTENTS)
    }

    /// Removes the contents that no file has, if they are more than half of the others and `most` besides.
    ///
    /// # Errors
    /// If the database is damaged or cannot be written.
    #[doc(hidden)]
    pub fn prune_beyond(&self, most: i64) -> rusqlite::Result<()> {
        let mut connection = self.database.connection();
        let count = |query: &str| connection.query_row(query, [], |row| row.get::<_, i64>(0));
        let all = count("SELECT count(*) FROM content")?;
        let used = count("SELECT count(DISTINCT content) FROM file")?;
        if all - used <= used / 2 + most {
            return Ok(());
        }
        let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        {
            let unused = "SELECT id, documents FROM content WHERE id NOT IN (SELECT content FROM file)";
            let mut statement = transaction.prepare(unused)?;
            let rows: Vec<(Content, i64)> =
                statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?;
            let mut document = transaction.prepare("DELETE FROM document WHERE rowid = ?1")?;
            let mut content = transaction.prepare("DELETE FROM content WHERE id = ?1")?;
            for &(id, documents) in &rows {
                for number in 0..documents {
                    document.execute([i64::from(id) * DOCUMENTS + number])?;
                }
                content.execute([id])?;
            }
            let gone: rustc_hash::FxHashSet<Content> = rows.into_iter().map(|(id, _)| id).collect();
            for table in ["word", "defined"] {
                let mut all = transaction.prepare(&format!("SELECT text, contents FROM {table}"))?;
                let mut changed: Vec<(String, Vec<Content>)> = Vec::new();
                let mut rows = all.query([])?;
                while let Some(row) = rows.next()? {
                    let bytes = row.get_ref(1)?.as_blob().map_err(|_| damaged())?;
                    let contents = unpacked(bytes).ok_or_else(damaged)?;
                    if contents.iter().any(|content| gone.contains(content)) {
                        let kept = contents.into_iter().filter(|content| !gone.contains(content)).collect();
                        changed.push((row.get(0)?, kept));
                    }
                }
                let mut update = transaction.prepare(&format!("UPDATE {table} SET contents = ?2 WHERE text = ?1"))?;
                let mut remove = transaction.prepare(&format!("DELETE FROM {table} WHERE text = ?1"))?;
                for (text, kept) in changed {
                    if kept.is_empty() {
                        remove.execute([text])?;
                    } else {
                        update.execute(params![text, packed(&kept)])?;
                    }
                }
            }
        }
        transaction.commit()
    }

    /// Copies the log into the database, so that it does not grow.
    ///
    /// # Errors
    /// If the database is damaged or cannot be written.
    pub fn settle(&self) -> rusqlite::Result<()> {
        let connection = self.database.connection();
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
    }
}

/// Numbers as bytes: seven bits each, the last one of a number without the eighth bit.
#[doc(hidden)]
pub fn packed(numbers: &[Content]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(numbers.len() * 2);
    for &number in numbers {
        let mut rest = number;
        while rest >= 0x80 {
            bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        bytes.push(rest as u8);
    }
    bytes
}

/// The numbers of some bytes; `None` if they are damaged.
#[doc(hidden)]
pub fn unpacked(bytes: &[u8]) -> Option<Vec<Content>> {
    let mut numbers = Vec::with_capacity(bytes.len() / 2);
    let (mut number, mut shift) = (0u32, 0);
    for &byte in bytes {
        number |= u32::from(byte & 0x7f).checked_shl(shift)?;
        shift += 7;
        if byte & 0x80 == 0 {
            numbers.push(number);
            (number, shift) = (0, 0);
        }
    }
    (shift == 0).then_some(numbers)
}
