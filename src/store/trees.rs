//! Trees in the store, and their revisions.

use std::path::PathBuf;

use rusqlite::{OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};

use super::path::StoredPath;
use super::{Session, from_json, to_json};
use crate::request::error::{EngineError, ErrorCode};
use crate::text::EditSet;
use crate::tree::{IdRuns, NodeId};

/// A tree as the store holds it.
#[derive(Debug, Clone)]
pub struct TreeRow {
    /// Its id, a UUID of version 7.
    pub id: String,
    /// Its file, absolute.
    pub path: Option<PathBuf>,
    /// The name of a text without a file.
    pub name: Option<String>,
    /// Its language.
    pub language: String,
    /// The encoding's name, where the bytes don't tell it.
    pub label: Option<String>,
    /// The file's content hash when it was loaded.
    pub loaded_hash: String,
    /// The file's content hash when it was last loaded or saved.
    pub base_hash: String,
    /// The current revision.
    pub head: u32,
    /// The number of the next revision to be made.
    pub next_revision: u32,
    /// The next node id to be given.
    pub next_id: u32,
    /// Whether it has edits that no file has.
    pub unsaved: bool,
    /// When it was last used.
    pub used: i64,
}

/// A revision as the store holds it.
#[derive(Debug, Clone)]
pub struct RevisionRow {
    /// Its number.
    pub number: u32,
    /// The revision it was made from; `None` for the loaded text.
    pub parent: Option<u32>,
    /// From the parent's text to this one.
    pub forward: EditSet,
    /// From this text to the parent's.
    pub inverse: EditSet,
    /// The ids of its nodes.
    pub ids: IdRuns,
    /// The shape of the table the ids were given for.
    pub shape: String,
    /// The first id given in it.
    pub first_id: u32,
    /// The first id not given any more.
    pub next_id: u32,
    /// What it removed.
    pub removed: Vec<Removed>,
}

/// A revision to be put into the store: number and parent follow from where the tree is.
#[derive(Debug, Clone)]
pub struct NewRevision {
    /// From the current text to the new one.
    pub forward: EditSet,
    /// Back.
    pub inverse: EditSet,
    /// The new text.
    pub source: String,
    /// The ids of its nodes.
    pub ids: IdRuns,
    /// The shape of its table.
    pub shape: String,
    /// What it removed.
    pub removed: Vec<Removed>,
    /// Whether its text isn't the file's.
    pub unsaved: bool,
}

/// The nodes that one operation removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removed {
    /// The operation's name.
    pub op: String,
    /// Its number in the batch.
    pub operation: usize,
    /// The ids.
    pub runs: Vec<RemovedRun>,
}

/// Consecutive ids of one definition's insides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemovedRun {
    /// The first id.
    pub first: u32,
    /// How many.
    pub length: u32,
    /// The qualname of the definition; empty at top level.
    pub within: String,
}

impl Removed {
    /// Where a removed node stood; `None` when it isn't among these.
    pub fn within(&self, id: NodeId) -> Option<&str> {
        let holds = |run: &&RemovedRun| (run.first..run.first.saturating_add(run.length)).contains(&id.number());
        self.runs.iter().find(holds).map(|run| run.within.as_str())
    }
}

const COLUMNS: &str =
    "id, path, name, language, label, loaded_hash, base_hash, head, next_revision, next_id, unsaved, used";

fn tree_row(row: &Row<'_>) -> rusqlite::Result<TreeRow> {
    let path: Option<StoredPath> = row.get(1)?;
    Ok(TreeRow {
        id: row.get(0)?,
        path: path.map(|path| path.0),
        name: row.get(2)?,
        language: row.get(3)?,
        label: row.get(4)?,
        loaded_hash: row.get(5)?,
        base_hash: row.get(6)?,
        head: row.get(7)?,
        next_revision: row.get(8)?,
        next_id: row.get(9)?,
        unsaved: row.get(10)?,
        used: row.get(11)?,
    })
}

impl Session<'_> {
    /// Puts a tree in that was just loaded, as revision 0.
    pub fn insert_tree(
        &self,
        tree: &TreeRow,
        base: &[u8],
        source: &str,
        ids: &IdRuns,
        shape: &str,
    ) -> Result<(), EngineError> {
        let path = tree.path.as_deref().map(StoredPath::new);
        self.transaction.execute(
            &format!("INSERT INTO tree ({COLUMNS}) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12)"),
            params![
                tree.id,
                path,
                tree.name,
                tree.language,
                tree.label,
                tree.loaded_hash,
                tree.base_hash,
                tree.head,
                tree.next_revision,
                tree.next_id,
                tree.unsaved,
                tree.used
            ],
        )?;
        self.transaction.execute("INSERT INTO base VALUES (?1, ?2)", params![tree.id, base])?;
        self.transaction.execute("INSERT INTO text VALUES (?1, ?2)", params![tree.id, source])?;
        let none = to_json(&EditSet::default());
        self.transaction.execute(
            "INSERT INTO revision VALUES (?1, 0, NULL, ?2, ?2, ?3, ?4, 0, ?5, '[]')",
            params![tree.id, none, to_json(ids), shape, ids.next],
        )?;
        Ok(())
    }

    /// The trees whose id begins so, oldest first; at most a handful.
    pub fn trees_named(&self, prefix: &str) -> Result<Vec<String>, EngineError> {
        let pattern = format!("{}*", prefix.to_ascii_lowercase());
        let mut statement = self.transaction.prepare("SELECT id FROM tree WHERE id GLOB ?1 ORDER BY id LIMIT 6")?;
        Ok(statement.query_map([pattern], |row| row.get(0))?.collect::<Result<_, _>>()?)
    }

    /// A tree by its whole id.
    pub fn tree(&self, id: &str) -> Result<TreeRow, EngineError> {
        let query = format!("SELECT {COLUMNS} FROM tree WHERE id = ?1");
        let row = self.transaction.query_row(&query, [id], tree_row).optional()?;
        row.ok_or_else(|| EngineError::new(ErrorCode::UnknownTree, format!("no tree `{id}`")))
    }

    /// All trees, oldest first.
    pub fn trees(&self) -> Result<Vec<TreeRow>, EngineError> {
        let mut statement = self.transaction.prepare(&format!("SELECT {COLUMNS} FROM tree ORDER BY id"))?;
        Ok(statement.query_map([], tree_row)?.collect::<Result<_, _>>()?)
    }

    /// The text of a tree's current revision.
    pub fn source(&self, id: &str) -> Result<String, EngineError> {
        Ok(self.transaction.query_row("SELECT source FROM text WHERE tree = ?1", [id], |row| row.get(0))?)
    }

    /// The bytes of a tree's file as it was last loaded or saved.
    pub fn base(&self, id: &str) -> Result<Vec<u8>, EngineError> {
        Ok(self.transaction.query_row("SELECT bytes FROM base WHERE tree = ?1", [id], |row| row.get(0))?)
    }

    /// A revision of a tree.
    pub fn revision(&self, id: &str, number: u32) -> Result<RevisionRow, EngineError> {
        let query = "SELECT number, parent, forward, inverse, ids, shape, first_id, next_id, removed FROM revision
            WHERE tree = ?1 AND number = ?2";
        self.transaction.query_row(query, params![id, number], |row| Ok(revision_row(row)))?
    }

    /// The revision that a redo goes to: the one last made from the current one.
    pub fn redo_of(&self, id: &str, head: u32) -> Result<Option<u32>, EngineError> {
        let query = "SELECT max(number) FROM revision WHERE tree = ?1 AND parent = ?2";
        Ok(self.transaction.query_row(query, params![id, head], |row| row.get(0))?)
    }

    /// Puts a revision in and makes it the current one; its number.
    pub fn put_revision(&self, tree: &TreeRow, revision: &NewRevision) -> Result<u32, EngineError> {
        let number = tree.next_revision;
        self.transaction.execute(
            "INSERT INTO revision VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            params![
                tree.id,
                number,
                tree.head,
                to_json(&revision.forward),
                to_json(&revision.inverse),
                to_json(&revision.ids),
                revision.shape,
                tree.next_id,
                revision.ids.next,
                to_json(&revision.removed)
            ],
        )?;
        self.transaction.execute(
            "UPDATE tree SET next_revision = ?2, next_id = max(next_id, ?3) WHERE id = ?1",
            params![tree.id, number + 1, revision.ids.next],
        )?;
        self.set_head(&tree.id, number, &revision.source, revision.unsaved)?;
        Ok(number)
    }

    /// Makes a revision the current one.
    pub fn set_head(&self, id: &str, number: u32, source: &str, unsaved: bool) -> Result<(), EngineError> {
        self.transaction.execute("UPDATE text SET source = ?2 WHERE tree = ?1", params![id, source])?;
        self.transaction.execute(
            "UPDATE tree SET head = ?2, unsaved = ?3, used = ?4 WHERE id = ?1",
            params![id, number, unsaved, self.now()],
        )?;
        Ok(())
    }

    /// Writes down the ids of a revision anew, after a parse that gave other nodes.
    pub fn renumber(&self, id: &str, number: u32, ids: &IdRuns, shape: &str) -> Result<(), EngineError> {
        self.transaction.execute(
            "UPDATE revision SET ids = ?3, shape = ?4, next_id = max(next_id, ?5) WHERE tree = ?1 AND number = ?2",
            params![id, number, to_json(ids), shape, ids.next],
        )?;
        self.transaction.execute("UPDATE tree SET next_id = max(next_id, ?2) WHERE id = ?1", params![id, ids.next])?;
        Ok(())
    }

    /// The file of a tree now holds these bytes.
    pub fn set_base(&self, id: &str, bytes: &[u8], hash: &str, unsaved: bool) -> Result<(), EngineError> {
        self.transaction.execute("UPDATE base SET bytes = ?2 WHERE tree = ?1", params![id, bytes])?;
        self.transaction.execute(
            "UPDATE tree SET base_hash = ?2, unsaved = ?3, used = ?4 WHERE id = ?1",
            params![id, hash, unsaved, self.now()],
        )?;
        Ok(())
    }

    /// Notes that a tree is in use.
    pub fn touch(&self, id: &str) -> Result<(), EngineError> {
        self.transaction.execute("UPDATE tree SET used = ?2 WHERE id = ?1", params![id, self.now()])?;
        Ok(())
    }

    /// Lets a tree go with all its revisions.
    pub fn drop_tree(&self, id: &str) -> Result<(), EngineError> {
        for table in ["base", "text", "revision"] {
            self.transaction.execute(&format!("DELETE FROM {table} WHERE tree = ?1"), [id])?;
        }
        self.transaction.execute("DELETE FROM tree WHERE id = ?1", [id])?;
        Ok(())
    }
}

fn revision_row(row: &Row<'_>) -> Result<RevisionRow, EngineError> {
    let json = |column: usize| row.get::<_, String>(column);
    Ok(RevisionRow {
        number: row.get(0)?,
        parent: row.get(1)?,
        forward: from_json(&json(2)?)?,
        inverse: from_json(&json(3)?)?,
        ids: from_json(&json(4)?)?,
        shape: row.get(5)?,
        first_id: row.get(6)?,
        next_id: row.get(7)?,
        removed: from_json(&json(8)?)?,
    })
}
