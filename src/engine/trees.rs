//! `trees` and `drop`: what is held, and letting it go.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::core::{Begun, Engine};
use super::document::Document;
use super::error::{EngineError, ErrorCode};
use super::method::Method;
use super::request::{DropRequest, TreesRequest};
use super::response::{DropResponse, HeldTree, TreesResponse};
use super::store::timestamp;

impl Method for TreesRequest {
    const NAME: &'static str = "trees";
    const READS: bool = true;
    type Result = TreesResponse;

    /// Lists the trees held, oldest first.
    ///
    /// # Errors
    /// When the store can't be read.
    fn run(&self, engine: &Begun<'_>) -> Result<TreesResponse, EngineError> {
        let rows = engine.store()?.read(|session| engine.own_trees(session))?;
        let held = |row: super::store::TreeRow| HeldTree {
            path: row.path.as_deref().map(|path| engine.shown(path)).or(row.name),
            tree_id: row.id,
            language: row.language,
            revision: row.head,
            unsaved: row.unsaved,
            used: timestamp(row.used),
        };
        Ok(TreesResponse { trees: rows.into_iter().map(held).collect() })
    }
}

impl Method for DropRequest {
    const NAME: &'static str = "drop";
    const READS: bool = false;
    type Result = DropResponse;

    /// Lets trees go, with their unsaved edits. No file is touched.
    ///
    /// # Errors
    /// When one of them isn't held; none goes then.
    fn run(&self, engine: &Begun<'_>) -> Result<DropResponse, EngineError> {
        let dropped = engine.trees_named(&self.tree_ids)?;
        let store = engine.store()?;
        store.write(|session| dropped.iter().try_for_each(|id| session.drop_tree(id)))?;
        // Their texts go out of the store's files too.
        store.erase()?;
        Ok(DropResponse { dropped })
    }
}

impl Engine {
    /// The trees of files with edits that are not saved, the last one of each file. If the session cannot be read, that is noted.
    pub(super) fn unsaved_trees(&self) -> Vec<Document> {
        if !self.has_store() {
            return Vec::new();
        }
        let rows = self.store().and_then(|store| store.read(|session| self.own_trees(session)));
        let rows = rows.unwrap_or_else(|error| {
            self.host.observer.note(&format!("unsaved trees are left out: {error}"));
            Vec::new()
        });
        let mut last: BTreeMap<PathBuf, (i64, String)> = BTreeMap::new();
        for row in rows.into_iter().filter(|row| row.unsaved) {
            let Some(path) = row.path else { continue };
            let held = last.entry(path).or_default();
            *held = std::mem::take(held).max((row.used, row.id));
        }
        let document = |(_, id): (i64, String)| match self.session_document(&id) {
            Ok(document) => Some(document),
            Err(error) => {
                self.host.observer.note(&format!("the unsaved tree `{id}` is left out: {error}"));
                None
            }
        };
        last.into_values().filter_map(document).collect()
    }

    /// The whole ids of trees.
    pub(super) fn trees_named(&self, words: &[String]) -> Result<Vec<String>, EngineError> {
        if words.is_empty() {
            return Err(
                EngineError::new(ErrorCode::BadRequest, "no tree is named").hint("{trees} lists the trees held")
            );
        }
        let mut ids: Vec<String> = Vec::with_capacity(words.len());
        for word in words {
            let id = self.tree_named(word)?;
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        Ok(ids)
    }
}
