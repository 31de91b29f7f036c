//! The trees that the session holds.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::core::Reader;
use super::document::Document;
use crate::request::error::EngineError;

impl Reader {
    /// The trees of files with edits that are not saved, the last one of each file. If the session cannot be read, that is noted.
    pub(crate) fn unsaved_trees(&self) -> Vec<Document> {
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
    pub(crate) fn trees_named(&self, words: &[String]) -> Result<Vec<String>, EngineError> {
        if words.is_empty() {
            return Err(EngineError::bad_request("no tree is named").hint("{trees} lists the loaded trees"));
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
