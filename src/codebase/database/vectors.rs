//! Vectors of the documents of contents, by the hash of the content and the model that made them. They are in a file of
//! their own: they take long to make, and the tables of names are made again whenever their version changes.
//!
//! A vector is kept as whole numbers of eight bits and a factor. The vectors of a content are one value: its number of documents,
//! then for each the hash of its text, the factors, the numbers. A search reads all of a model's.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OptionalExtension, params};
use rustc_hash::FxHashMap;

use super::{Content, damaged, place};
use crate::limits;
use crate::locks::IgnorePoison;
use crate::project::{Disk, Lock};

/// The version of the tables.
const VERSION: i64 = 1;

const SCHEMA: &str = "
CREATE TABLE model (
  id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, source TEXT NOT NULL, dimensions INTEGER NOT NULL, used INTEGER NOT NULL
);
CREATE TABLE vector (
  id INTEGER PRIMARY KEY, model INTEGER NOT NULL, content BLOB NOT NULL, vectors BLOB NOT NULL, UNIQUE (model, content)
);
";

/// The vectors for one repository.
#[derive(Debug)]
pub struct VectorStore {
    connection: Mutex<Connection>,
    folder: PathBuf,
}

/// A model whose vectors are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredModel {
    /// Its number.
    pub id: i64,
    /// What its vectors depend on.
    pub identity: String,
    /// Its folder, or the name of its endpoint.
    pub source: String,
    /// How many numbers a vector has.
    pub dimensions: usize,
}

/// The right to add vectors, which one process has at a time.
#[derive(Debug)]
pub struct VectorWriter<'a> {
    store: &'a VectorStore,
    _lock: Lock,
}

/// The vectors of a content.
#[derive(Debug)]
pub struct ContentVectors {
    /// The hash of the content.
    pub content: [u8; 16],
    /// For each document the hash of its text and its vector.
    pub vectors: Vec<(u64, Vec<f32>)>,
}

/// A document close to a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Near {
    /// The content.
    pub content: Content,
    /// The number of the document in it.
    pub document: usize,
    /// The cosine of the angle between the vectors.
    pub similarity: f32,
}

impl VectorStore {
    /// The vectors for a folder; `None` if there are none, unless they are to be made, or if they cannot be used.
    pub fn open(cache: &Path, folder: &Path, create: bool) -> Option<VectorStore> {
        let folder = place(cache, folder);
        let path = folder.join("vectors.db");
        if !create && !Disk.exists(&path) {
            return None;
        }
        Disk.make_private_folder(&folder).ok()?;
        Disk.make_private(&folder).ok()?;
        let connection = prepared(&path).or_else(|_| {
            // Damaged, foreign or of another version: whoever may write makes it again.
            if !create {
                return Err(damaged());
            }
            let _lock = lock(&folder).ok_or_else(damaged)?;
            for name in ["vectors.db", "vectors.db-wal", "vectors.db-shm"] {
                let _ = Disk.remove_file(&folder.join(name));
            }
            prepared(&path)
        });
        Some(VectorStore { connection: Mutex::new(connection.ok()?), folder })
    }

    /// The right to write, unless another process has it.
    pub fn writer(&self) -> Option<VectorWriter<'_>> {
        Some(VectorWriter { store: self, _lock: lock(&self.folder)? })
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().ignore_poison()
    }

    /// The model that was used last.
    ///
    /// # Errors
    /// If the database is damaged.
    pub fn model(&self) -> rusqlite::Result<Option<StoredModel>> {
        let connection = self.connection();
        let query = "SELECT id, identity, source, dimensions FROM model ORDER BY used DESC LIMIT 1";
        let model = connection.prepare_cached(query)?.query_row([], |row| {
            let dimensions: i64 = row.get(3)?;
            let dimensions = usize::try_from(dimensions).unwrap_or_default();
            Ok(StoredModel { id: row.get(0)?, identity: row.get(1)?, source: row.get(2)?, dimensions })
        });
        model.optional()
    }

    /// The contents with vectors of a model.
    ///
    /// # Errors
    /// If the database is damaged.
    pub fn contents(&self, model: &StoredModel) -> rusqlite::Result<FxHashMap<[u8; 16], usize>> {
        let connection = self.connection();
        let each = i64::try_from(8 + 4 + model.dimensions).unwrap_or(i64::MAX);
        let query = "SELECT content, (length(vectors) - 4) / ?2 FROM vector WHERE model = ?1";
        let mut statement = connection.prepare_cached(query)?;
        let count = |row: &rusqlite::Row<'_>| {
            let count: i64 = row.get(1)?;
            Ok((row.get(0)?, usize::try_from(count).unwrap_or_default()))
        };
        statement.query_map(params![model.id, each], count)?.collect()
    }

    /// Where the vector of each text is, by the hash of the text: the row, and the number in it.
    ///
    /// # Errors
    /// If the database is damaged.
    pub fn texts(&self, model: &StoredModel) -> rusqlite::Result<FxHashMap<u64, (i64, u32)>> {
        let connection = self.connection();
        let each = 8 + 4 + model.dimensions;
        // The hashes come first, so that the rest need not be read.
        let query = "SELECT id, substr(vectors, 1, 4 + 8 * ((length(vectors) - 4) / ?2)) FROM vector WHERE model = ?1";
        let mut statement = connection.prepare_cached(query)?;
        let mut rows = statement.query(params![model.id, i64::try_from(each).unwrap_or(i64::MAX)])?;
        let mut texts = FxHashMap::default();
        while let Some(row) = rows.next()? {
            let id = row.get(0)?;
            let bytes = row.get_ref(1)?.as_blob().map_err(|_| damaged())?;
            let hashes = bytes.get(4..).unwrap_or_default().as_chunks::<8>().0;
            for (number, hash) in (0u32..).zip(hashes) {
                texts.insert(u64::from_le_bytes(*hash), (id, number));
            }
        }
        Ok(texts)
    }

    /// One vector, by its place.
    ///
    /// # Errors
    /// If the database is damaged.
    pub fn vector(&self, model: &StoredModel, (row, number): (i64, u32)) -> rusqlite::Result<Vec<f32>> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached("SELECT vectors FROM vector WHERE id = ?1")?;
        let bytes: Vec<u8> = statement.query_row([row], |row| row.get(0))?;
        let rows = Rows::of(&bytes, model.dimensions).ok_or_else(damaged)?;
        let (factor, numbers) = rows.row(number as usize).ok_or_else(damaged)?;
        Ok(numbers.iter().map(|&number| f32::from(number.cast_signed()) * factor).collect())
    }

    /// How close each document of some contents is to a query, in no order. A document without text has no vector.
    ///
    /// # Errors
    /// If the database is damaged.
    pub fn near(
        &self,
        model: &StoredModel,
        query: &[f32],
        content: impl Fn(&[u8; 16]) -> Option<Content>,
    ) -> rusqlite::Result<Vec<Near>> {
        let (factor, query) = packed(query);
        if query.len() != model.dimensions {
            return Err(damaged());
        }
        // Signed, and wide enough that products add up without overflow.
        let query: Vec<i16> = query.iter().map(|&number| i16::from(number.cast_signed())).collect();
        let connection = self.connection();
        let mut statement = connection.prepare_cached("SELECT content, vectors FROM vector WHERE model = ?1")?;
        let mut rows = statement.query([model.id])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let hash: [u8; 16] = row.get(0)?;
            let Some(content) = content(&hash) else { continue };
            let bytes = row.get_ref(1)?.as_blob().map_err(|_| damaged())?;
            let rows = Rows::of(bytes, model.dimensions).ok_or_else(damaged)?;
            for document in 0..rows.count {
                let Some((scale, numbers)) = rows.row(document) else { break };
                if scale > 0.0 {
                    #[expect(clippy::cast_precision_loss, reason = "a measure")]
                    let similarity = product(numbers, &query) as f32 * scale * factor;
                    found.push(Near { content, document, similarity });
                }
            }
        }
        Ok(found)
    }

    /// The bytes of its files.
    pub fn bytes(&self) -> u64 {
        let paths = ["vectors.db", "vectors.db-wal"].map(|name| self.folder.join(name));
        paths.into_iter().filter_map(|path| std::fs::metadata(path).ok()).map(|found| found.len()).sum()
    }
}

impl VectorWriter<'_> {
    /// A model, which is used from now on.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn choose(&self, identity: &str, source: &str, dimensions: usize) -> rusqlite::Result<StoredModel> {
        let mut connection = self.store.connection();
        let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let count = i64::try_from(dimensions).unwrap_or(i64::MAX);
        let query = "INSERT INTO model (identity, source, dimensions, used)
            VALUES (?1, ?2, ?3, (SELECT coalesce(max(used), 0) + 1 FROM model))
            ON CONFLICT (identity) DO UPDATE SET source = excluded.source, used = excluded.used RETURNING id, dimensions";
        let chosen = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let (id, known): (i64, i64) = transaction.query_row(query, params![identity, source, count], chosen)?;
        if known != count {
            // An endpoint has changed what it makes.
            transaction.execute("DELETE FROM vector WHERE model = ?1", [id])?;
            transaction.execute("UPDATE model SET dimensions = ?2 WHERE id = ?1", params![id, count])?;
        }
        transaction.commit()?;
        Ok(StoredModel { id, identity: identity.to_owned(), source: source.to_owned(), dimensions })
    }

    /// Keeps the vectors of contents, in one transaction.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn add(&self, model: &StoredModel, contents: &[ContentVectors]) -> rusqlite::Result<()> {
        let mut connection = self.store.connection();
        let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        {
            let query = "INSERT OR REPLACE INTO vector (model, content, vectors) VALUES (?1, ?2, ?3)";
            let mut insert = transaction.prepare_cached(query)?;
            for ContentVectors { content, vectors } in contents {
                let mut bytes = Vec::with_capacity(4 + vectors.len() * (12 + model.dimensions));
                bytes.extend_from_slice(&u32::try_from(vectors.len()).unwrap_or(u32::MAX).to_le_bytes());
                vectors.iter().for_each(|(hash, _)| bytes.extend_from_slice(&hash.to_le_bytes()));
                let packed: Vec<(f32, Vec<u8>)> = vectors.iter().map(|(_, vector)| packed(vector)).collect();
                packed.iter().for_each(|(factor, _)| bytes.extend_from_slice(&factor.to_le_bytes()));
                for (_, numbers) in packed {
                    if numbers.len() != model.dimensions {
                        return Err(damaged());
                    }
                    bytes.extend_from_slice(&numbers);
                }
                insert.execute(params![model.id, &content[..], bytes])?;
            }
        }
        transaction.commit()
    }

    /// Removes the vectors of models that were not used last, and those of contents that are not known any more, if they are
    /// many. Copies the log into the database.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn settle(&self, model: &StoredModel, is_known: impl Fn(&[u8; 16]) -> bool) -> rusqlite::Result<()> {
        let contents = self.store.contents(model)?;
        let mut connection = self.store.connection();
        let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        transaction.execute("DELETE FROM vector WHERE model <> ?1", [model.id])?;
        transaction.execute("DELETE FROM model WHERE id <> ?1", [model.id])?;
        let unknown: Vec<&[u8; 16]> = contents.keys().filter(|content| !is_known(content)).collect();
        if unknown.len() > contents.len() / 2 + usize::try_from(limits::UNUSED_CONTENTS).unwrap_or_default() {
            let mut remove = transaction.prepare("DELETE FROM vector WHERE model = ?1 AND content = ?2")?;
            for content in unknown {
                remove.execute(params![model.id, &content[..]])?;
            }
        }
        transaction.commit()?;
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
    }
}

fn lock(folder: &Path) -> Option<Lock> {
    Disk.try_lock(&folder.join("vectors.lock")).ok()?
}

fn prepared(path: &Path) -> rusqlite::Result<Connection> {
    let unusable = |_| rusqlite::Error::InvalidPath(path.to_owned());
    Disk.make_private_file(path).map_err(unusable)?;
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(limits::FACTS_WAIT)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    let version = |connection: &Connection| connection.query_row("PRAGMA user_version", [], |row| row.get(0));
    let mut found: i64 = version(&connection)?;
    if found == 0 {
        let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        if version(&transaction)? == 0i64 {
            transaction.execute_batch(SCHEMA)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        transaction.commit()?;
        found = version(&connection)?;
    }
    if found != VERSION {
        return Err(damaged());
    }
    Ok(connection)
}

/// A vector as a factor and whole numbers from -127 to 127, as bytes.
fn packed(vector: &[f32]) -> (f32, Vec<u8>) {
    let most = vector.iter().fold(0.0f32, |most, part| most.max(part.abs()));
    if most == 0.0 || !most.is_finite() {
        return (0.0, vec![0; vector.len()]);
    }
    let factor = most / 127.0;
    #[expect(clippy::cast_possible_truncation, reason = "at most 127")]
    let numbers = vector.iter().map(|part| ((part / factor).round() as i8).cast_unsigned());
    (factor, numbers.collect())
}

/// The sum of the products of numbers. The compiler makes vector instructions of it.
fn product(numbers: &[u8], query: &[i16]) -> i32 {
    let pairs = numbers.iter().zip(query);
    pairs.map(|(&number, &other)| i32::from(i16::from(number.cast_signed())) * i32::from(other)).sum()
}

/// The vectors of a content, as they are kept.
struct Rows<'a> {
    count: usize,
    factors: &'a [[u8; 4]],
    numbers: &'a [u8],
    dimensions: usize,
}

impl Rows<'_> {
    fn of(bytes: &[u8], dimensions: usize) -> Option<Rows<'_>> {
        let (count, rest) = bytes.split_first_chunk::<4>()?;
        let count = usize::try_from(u32::from_le_bytes(*count)).ok()?;
        let rest = rest.get(count.checked_mul(8)?..)?;
        let (factors, numbers) = rest.split_at_checked(count.checked_mul(4)?)?;
        let is_whole = numbers.len() == count.checked_mul(dimensions)?;
        is_whole.then_some(Rows { count, factors: factors.as_chunks().0, numbers, dimensions })
    }

    fn row(&self, number: usize) -> Option<(f32, &[u8])> {
        let start = number * self.dimensions;
        Some((f32::from_le_bytes(*self.factors.get(number)?), self.numbers.get(start..start + self.dimensions)?))
    }
}
