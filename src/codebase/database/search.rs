//! Full-text search over the documents of the contents.

use rusqlite::params;
use rustc_hash::FxHashSet;

use super::query::Query;
use super::{Content, DOCUMENTS, Database};

/// How much a word counts in a name, in the names around it, in a signature, in documentation and in code. Chosen by
/// `benches/symbols/search.py`.
const WEIGHTS: [f64; 5] = [12.0, 4.0, 6.0, 1.0, 2.0];

/// A document that fits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The content.
    pub content: Content,
    /// The number of the document in it.
    pub document: usize,
    /// How well it fits; more is better.
    pub score: f64,
}

/// What a score is made of: what each field would count alone.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Parts {
    /// Its name.
    pub name: f64,
    /// The names around it.
    pub scope: f64,
    /// Its signature.
    pub signature: f64,
    /// Its documentation.
    pub documentation: f64,
    /// Its code.
    pub body: f64,
}

fn bm25(weights: [f64; 5]) -> String {
    let [name, scope, signature, documentation, body] = weights;
    format!("-bm25(document, {name:.1}, {scope:.1}, {signature:.1}, {documentation:.1}, {body:.1})")
}

/// The content and the number of a document.
fn document_of(id: i64) -> (Content, usize) {
    let content = Content::try_from(id / DOCUMENTS).unwrap_or_default();
    (content, usize::try_from(id % DOCUMENTS).unwrap_or_default())
}

impl Database {
    /// The documents that fit a query, the best first: at most `most`.
    ///
    /// # Errors
    /// If the database is damaged.
    pub fn search(&self, query: &Query, most: usize) -> rusqlite::Result<Vec<Hit>> {
        let connection = self.connection();
        let score = bm25(WEIGHTS);
        let text = format!(
            "SELECT rowid, {score} AS score FROM document WHERE document MATCH ?1 ORDER BY score DESC, rowid LIMIT ?2"
        );
        let mut statement = connection.prepare_cached(&text)?;
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let rows = statement.query_map(params![query.expression(), most], |row| {
            let (content, document) = document_of(row.get(0)?);
            Ok(Hit { content, document, score: row.get(1)? })
        })?;
        rows.collect()
    }

    /// The documents with the phrases that must occur; `None` if none must.
    ///
    /// # Errors
    /// If the database is damaged.
    pub fn required(&self, query: &Query) -> rusqlite::Result<Option<FxHashSet<(Content, usize)>>> {
        query.required().map(|expression| self.matching(&expression)).transpose()
    }

    /// The documents with a phrase that must not occur; `None` if there is no such phrase.
    ///
    /// # Errors
    /// If the database is damaged.
    pub fn excluded(&self, query: &Query) -> rusqlite::Result<Option<FxHashSet<(Content, usize)>>> {
        query.excluded().map(|expression| self.matching(&expression)).transpose()
    }

    fn matching(&self, expression: &str) -> rusqlite::Result<FxHashSet<(Content, usize)>> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached("SELECT rowid FROM document WHERE document MATCH ?1")?;
        let rows = statement.query_map([expression], |row| row.get::<_, i64>(0))?;
        rows.map(|id| id.map(document_of)).collect()
    }

    /// What the score of a document is made of.
    ///
    /// # Errors
    /// If the database is damaged.
    pub fn parts(&self, query: &Query, hit: Hit) -> rusqlite::Result<Parts> {
        let connection = self.connection();
        let one = |field: usize| {
            let mut weights = [0.0; 5];
            weights[field] = WEIGHTS[field];
            bm25(weights)
        };
        let fields: Vec<String> = (0..WEIGHTS.len()).map(one).collect();
        let text = format!("SELECT {} FROM document WHERE document MATCH ?1 AND rowid = ?2", fields.join(", "));
        let id = i64::from(hit.content) * DOCUMENTS + i64::try_from(hit.document).unwrap_or(0);
        connection.prepare_cached(&text)?.query_row(params![query.expression(), id], |row| {
            Ok(Parts {
                name: row.get(0)?,
                scope: row.get(1)?,
                signature: row.get(2)?,
                documentation: row.get(3)?,
                body: row.get(4)?,
            })
        })
    }
}
