//! Which project a tree without a file belongs to: that in which its text was loaded.

use rusqlite::params;
use rustc_hash::FxHashSet;

use super::Session;
use crate::request::error::EngineError;

/// Made when it is first needed: nothing else depends on it.
const TABLE: &str = "CREATE TABLE IF NOT EXISTS project (tree TEXT PRIMARY KEY, root TEXT NOT NULL) WITHOUT ROWID";

impl Session<'_> {
    /// Notes the project of a tree that has no file. Trees that are gone are forgotten.
    pub fn note_project(&self, tree: &str, root: &str) -> Result<(), EngineError> {
        self.transaction.execute(TABLE, [])?;
        self.transaction.execute("DELETE FROM project WHERE tree NOT IN (SELECT id FROM tree)", [])?;
        self.transaction.execute("INSERT OR REPLACE INTO project VALUES (?1, ?2)", params![tree, root])?;
        Ok(())
    }

    /// The trees without a file that belong to a project.
    pub fn trees_of_project(&self, root: &str) -> Result<FxHashSet<String>, EngineError> {
        let table = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'project'";
        if self.transaction.query_row(table, [], |row| row.get::<_, i64>(0))? == 0 {
            return Ok(FxHashSet::default());
        }
        let mut statement = self.transaction.prepare("SELECT tree FROM project WHERE root = ?1")?;
        Ok(statement.query_map([root], |row| row.get(0))?.collect::<Result<_, _>>()?)
    }
}
