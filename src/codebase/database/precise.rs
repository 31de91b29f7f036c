//! A precise index of a folder: which symbol the names of its files mean, as another program found out.
//!
//! It is a database of its own, written once and replaced as a whole, so that it needs no lock: `document` has the names of each
//! file, `symbol` the places where each symbol is defined, and `source` says what it was made from. Each name has the hash of
//! its line: what is not as it was does not count.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rusqlite::{Connection, OpenFlags, OptionalExtension, params};

use super::place;
use crate::locks::IgnorePoison;
use crate::project::{Disk, sibling_temp_path};
use crate::symbols::{PreciseName, PreciseNames, PrecisePlace, PreciseSpan};

/// The version of the tables.
const VERSION: i64 = 1;

const SCHEMA: &str = "
CREATE TABLE source (path TEXT NOT NULL, stamp TEXT NOT NULL, tool TEXT NOT NULL, documents INTEGER NOT NULL, names INTEGER NOT NULL);
CREATE TABLE document (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, names BLOB NOT NULL);
CREATE TABLE symbol (id INTEGER PRIMARY KEY, places BLOB NOT NULL);
";

/// What a precise index was made from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PreciseSource {
    /// The index, as the system names it.
    pub path: String,
    /// Its size and times; empty if it counts whatever becomes of it.
    pub stamp: String,
    /// The program that made it.
    pub tool: String,
    /// How many files it has that are there.
    pub documents: u32,
    /// How many of its names are in these files.
    pub names: u32,
}

/// The names of a file of an index.
#[derive(Debug, Default)]
pub struct PreciseDocument {
    /// The file, from the folder.
    pub path: String,
    /// Its names.
    pub names: Vec<PreciseName>,
    /// Those that define their symbols.
    pub definitions: Vec<PreciseName>,
}

/// A precise index.
#[derive(Debug)]
pub struct Precise {
    connection: Mutex<Connection>,
    source: PreciseSource,
}

impl Precise {
    /// The index of a folder, as the system names it; `None` if there is none that can be read.
    pub fn open(cache: &Path, folder: &Path) -> Option<Precise> {
        let path = file(cache, folder);
        if !Disk.exists(&path) {
            return None;
        }
        let connection = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY).ok()?;
        Precise::of(connection).ok().flatten()
    }

    fn of(connection: Connection) -> rusqlite::Result<Option<Precise>> {
        let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if version != VERSION {
            return Ok(None);
        }
        let source = connection.query_row("SELECT path, stamp, tool, documents, names FROM source", [], |row| {
            let (path, stamp, tool) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok(PreciseSource { path, stamp, tool, documents: row.get(3)?, names: row.get(4)? })
        })?;
        Ok(Some(Precise { connection: Mutex::new(connection), source }))
    }

    /// What it was made from.
    pub fn source(&self) -> &PreciseSource {
        &self.source
    }

    /// Keeps an index of a folder, in place of the one before.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(
        cache: &Path,
        folder: &Path,
        source: &PreciseSource,
        documents: &[PreciseDocument],
    ) -> rusqlite::Result<()> {
        let path = file(cache, folder);
        let unusable = |_| rusqlite::Error::InvalidPath(path.clone());
        let parent = path.parent().unwrap_or(cache);
        Disk.make_private_folder(parent).map_err(unusable)?;
        let temporary = sibling_temp_path(&path, &format!("new-{}-", std::process::id()));
        Disk.make_private_file(&temporary).map_err(unusable)?;
        let written =
            Connection::open(&temporary).and_then(|connection| write(connection, source, documents)).map(drop);
        let renamed = written.and_then(|()| std::fs::rename(&temporary, &path).map_err(unusable));
        if renamed.is_err() {
            let _ = Disk.remove_file(&temporary);
        }
        renamed
    }

    /// An index that is not kept.
    ///
    /// # Errors
    /// Those of SQLite.
    pub fn in_memory(source: &PreciseSource, documents: &[PreciseDocument]) -> rusqlite::Result<Precise> {
        let connection = write(Connection::open_in_memory()?, source, documents)?;
        Precise::of(connection)?.ok_or(rusqlite::Error::InvalidQuery)
    }
}

/// Where the index of a folder is.
fn file(cache: &Path, folder: &Path) -> PathBuf {
    let name = blake3::hash(folder.to_string_lossy().as_bytes()).to_hex();
    place(cache, folder).join(format!("precise-{}.db", &name[..16]))
}

fn write(
    mut connection: Connection,
    source: &PreciseSource,
    documents: &[PreciseDocument],
) -> rusqlite::Result<Connection> {
    connection.pragma_update(None, "synchronous", "OFF")?;
    let transaction = connection.transaction()?;
    transaction.execute_batch(SCHEMA)?;
    transaction.execute(
        "INSERT INTO source VALUES (?1, ?2, ?3, ?4, ?5)",
        params![source.path, source.stamp, source.tool, source.documents, source.names],
    )?;
    let mut places: std::collections::BTreeMap<u32, Vec<u8>> = std::collections::BTreeMap::new();
    {
        let mut insert = transaction.prepare("INSERT OR REPLACE INTO document VALUES (?1, ?2, ?3)")?;
        for (number, document) in (1u32..).zip(documents) {
            let mut bytes = Vec::new();
            for name in &document.names {
                pack(&mut bytes, name.symbol, name.span);
            }
            insert.execute(params![number, document.path, bytes])?;
            for name in &document.definitions {
                pack(places.entry(name.symbol).or_default(), number, name.span);
            }
        }
        let mut insert = transaction.prepare("INSERT INTO symbol VALUES (?1, ?2)")?;
        for (symbol, bytes) in places {
            insert.execute(params![symbol, bytes])?;
        }
    }
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()?;
    Ok(connection)
}

impl PreciseNames for Precise {
    fn names(&self, path: &str) -> Vec<PreciseName> {
        let connection = self.connection.lock().ignore_poison();
        let names = connection.prepare_cached("SELECT names FROM document WHERE path = ?1");
        let bytes = names.and_then(|mut names| names.query_row([path], |row| row.get::<_, Vec<u8>>(0)).optional());
        let all = unpack(&bytes.ok().flatten().unwrap_or_default());
        all.into_iter().map(|(symbol, span)| PreciseName { span, symbol }).collect()
    }

    fn places(&self, symbol: u32) -> Vec<PrecisePlace> {
        let connection = self.connection.lock().ignore_poison();
        let places = connection.prepare_cached("SELECT places FROM symbol WHERE id = ?1");
        let bytes = places.and_then(|mut places| places.query_row([symbol], |row| row.get::<_, Vec<u8>>(0)).optional());
        let Ok(mut path) = connection.prepare_cached("SELECT path FROM document WHERE id = ?1") else {
            return Vec::new();
        };
        let all = unpack(&bytes.ok().flatten().unwrap_or_default()).into_iter();
        all.filter_map(|(document, span)| {
            Some(PrecisePlace { path: path.query_row([document], |row| row.get(0)).ok()?, span })
        })
        .collect()
    }
}

fn pack(bytes: &mut Vec<u8>, number: u32, span: PreciseSpan) {
    for part in [number, span.line, span.start, span.length, span.line_hash] {
        bytes.extend_from_slice(&part.to_le_bytes());
    }
}

fn unpack(bytes: &[u8]) -> Vec<(u32, PreciseSpan)> {
    let row = |row: &[u8]| {
        let part = |place: usize| u32::from_le_bytes([row[place], row[place + 1], row[place + 2], row[place + 3]]);
        (part(0), PreciseSpan { line: part(4), start: part(8), length: part(12), line_hash: part(16) })
    };
    bytes.chunks_exact(20).map(row).collect()
}
