//! `trees` and `drop`: what is held, and letting it go.

use crate::engine::core::Begun;
use crate::engine::method::Method;
use crate::request::error::EngineError;
use crate::request::requests::{DropRequest, TreesRequest};
use crate::request::responses::{DropResponse, HeldTree, TreesResponse};
use crate::store::timestamp;

impl Method for TreesRequest {
    const NAME: &'static str = "trees";
    const READS: bool = true;
    type Result = TreesResponse;

    /// Lists the loaded trees, oldest first.
    ///
    /// # Errors
    /// When the store can't be read.
    fn run(&self, engine: &Begun<'_>) -> Result<TreesResponse, EngineError> {
        let rows = engine.store()?.read(|session| engine.own_trees(session))?;
        let held = |row: crate::store::TreeRow| HeldTree {
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
