//! `trees` and `drop`: what is held, and letting it go.

use super::core::Engine;
use super::error::{EngineError, ErrorCode};
use super::request::{DropRequest, TreesRequest};
use super::response::{DropResponse, HeldTree, TreesResponse};
use super::store::timestamp;

impl Engine {
    /// Lists the trees held, oldest first.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn trees(&self, _request: &TreesRequest) -> Result<TreesResponse, EngineError> {
        self.begin()?;
        let rows = self.store()?.read(|session| self.own_trees(session))?;
        let held = |row: super::store::TreeRow| HeldTree {
            path: row.path.as_deref().map(|path| self.shown(path)).or(row.name),
            tree_id: row.id,
            language: row.language,
            revision: row.head,
            unsaved: row.unsaved,
            used: timestamp(row.used),
        };
        Ok(TreesResponse { trees: rows.into_iter().map(held).collect() })
    }

    /// Lets trees go, with their unsaved edits. No file is touched.
    ///
    /// # Errors
    /// When one of them isn't held; none goes then.
    pub fn drop_trees(&self, request: &DropRequest) -> Result<DropResponse, EngineError> {
        self.begin()?;
        let dropped = self.trees_named(&request.tree_ids)?;
        let store = self.store()?;
        store.write(|session| dropped.iter().try_for_each(|id| session.drop_tree(id)))?;
        // Their texts go out of the store's files too.
        store.erase()?;
        Ok(DropResponse { dropped })
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
