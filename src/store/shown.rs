//! Which contents of files clients were shown ids of, so that after a restart a bare id still isn't taken for another node.

use crate::limits;
use rusqlite::params;

use super::Session;
use super::time::DAY;
use crate::request::error::EngineError;

/// Made when it is first needed: nothing else depends on it.
const TABLE: &str = "CREATE TABLE IF NOT EXISTS shown (
  path TEXT NOT NULL, hash TEXT NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (path, hash)
) WITHOUT ROWID";

impl Session<'_> {
    /// Notes that ids of these contents were shown: path, start of the content's hash.
    pub fn note_shown(&self, contents: &[(String, String)]) -> Result<(), EngineError> {
        self.transaction.execute(TABLE, [])?;
        let now = self.now();
        self.transaction.execute("DELETE FROM shown WHERE time < ?1", [now - limits::TREE_DAYS * DAY])?;
        let mut statement = self.transaction.prepare("INSERT OR REPLACE INTO shown VALUES (?1, ?2, ?3)")?;
        for (path, hash) in contents {
            statement.execute(params![path, hash, now])?;
        }
        Ok(())
    }

    /// The contents of a file that ids were shown of.
    pub fn shown(&self, path: &str) -> Result<Vec<String>, EngineError> {
        let table = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'shown'";
        if self.transaction.query_row(table, [], |row| row.get::<_, i64>(0))? == 0 {
            return Ok(Vec::new());
        }
        let mut statement = self.transaction.prepare("SELECT hash FROM shown WHERE path = ?1 ORDER BY time")?;
        Ok(statement.query_map([path], |row| row.get(0))?.collect::<Result<_, _>>()?)
    }
}
