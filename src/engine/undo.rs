//! `undo` and `redo`: steps between a tree's revisions, and taking back what a save wrote.

use std::path::PathBuf;

use super::document::{Document, Origin, content_hash};
use super::saving::NewFile;
use super::store::{RevisionRow, Session, TreeRow};
use super::{
    Engine, EngineError, ErrorCode, LineRange, ModifyResponse, RedoRequest, Revision, StepResponse, UndoRequest,
};
use crate::text::{EditSet, changed_lines, unified};
use crate::tree::{Node, Tree};

impl Engine {
    /// Steps each tree back one revision; with a transaction, gives the files that it wrote their old contents.
    ///
    /// # Errors
    /// When a tree has no revision to go back to; when a file of the transaction changed since. Nothing is undone then.
    pub fn undo(&self, request: &UndoRequest) -> Result<StepResponse, EngineError> {
        self.begin()?;
        match &request.transaction {
            Some(transaction) => self.undo_transaction(transaction),
            None => self.step(&request.tree_ids, |session, row, head| {
                let Some(parent) = head.parent else {
                    let message = format!("tree `{}` has nothing to undo", row.id);
                    return Err(EngineError::new(ErrorCode::BadRequest, message).hint("it is as it was loaded"));
                };
                Ok((head.inverse.clone(), session.revision(&row.id, parent)?))
            }),
        }
    }

    /// Steps each tree forward one revision that was undone.
    ///
    /// # Errors
    /// When a tree has no revision to go to. No tree is changed then.
    pub fn redo(&self, request: &RedoRequest) -> Result<StepResponse, EngineError> {
        self.begin()?;
        self.step(&request.tree_ids, |session, row, _| {
            let Some(number) = session.redo_of(&row.id, row.head)? else {
                let message = format!("tree `{}` has nothing to redo", row.id);
                return Err(EngineError::new(ErrorCode::BadRequest, message));
            };
            let next = session.revision(&row.id, number)?;
            Ok((next.forward.clone(), next))
        })
    }

    /// Takes each tree to the revision that `way` names, by its edits.
    fn step(
        &self,
        tree_ids: &[String],
        way: impl Fn(&Session<'_>, &TreeRow, &RevisionRow) -> Result<(EditSet, RevisionRow), EngineError>,
    ) -> Result<StepResponse, EngineError> {
        let ids = self.trees_named(tree_ids)?;
        let mut responses = self.store()?.write(|session| {
            let mut responses = Vec::with_capacity(ids.len());
            for id in &ids {
                let Document { tree: old, origin: Origin::Held(row) } = self.held_for_writing(session, id)? else {
                    return Err(EngineError::new(ErrorCode::Internal, "a tree of the store is held"));
                };
                let head = session.revision(id, row.head)?;
                let (edits, revision) = way(session, &row, &head)?;
                let text = old.text().apply(&edits);
                let source = text.to_string();
                let (new, renumbered) = self.rebuilt(session, &row, &source, &revision.ids, &revision.shape)?;
                if renumbered {
                    session.renumber(id, revision.number, &new.id_runs(), &new.table().shape())?;
                }
                let hash = text.encode().map(|bytes| content_hash(&bytes)).unwrap_or_default();
                session.set_head(id, revision.number, &source, hash != row.base_hash)?;
                responses.push(self.step_response(&row, &old, &new, &edits, revision.number));
            }
            Ok(responses)
        })?;
        Ok(match responses.len() {
            1 => StepResponse::One(responses.remove(0)),
            _ => StepResponse::Many { trees: responses },
        })
    }

    fn step_response(&self, row: &TreeRow, old: &Tree, new: &Tree, edits: &EditSet, revision: u32) -> ModifyResponse {
        let path = row.path.as_deref().map(|path| self.shown(path)).or_else(|| row.name.clone());
        let diff = unified(path.as_deref().unwrap_or("text"), old.text(), new.text());
        ModifyResponse {
            tree_id: Some(row.id.clone()),
            path,
            revision: Revision::Number(revision),
            applied: edits.len(),
            written: false,
            operations: Vec::new(),
            removed: gone(old, new),
            changed_ranges: ranges(&changed_lines(new.text(), edits)),
            diff: Some(diff),
            backup: None,
            carried: None,
        }
    }

    /// Gives the files that a save wrote their old contents, as one transaction of its own.
    fn undo_transaction(&self, transaction: &str) -> Result<StepResponse, EngineError> {
        let written = self.store()?.read(|session| session.written(transaction))?;
        if written.is_empty() {
            let message = format!("no transaction `{transaction}` that could be undone");
            return Err(EngineError::new(ErrorCode::NotFound, message).hint("saves are kept for seven days"));
        }
        let (mut files, mut trees, mut restored) = (Vec::new(), Vec::new(), Vec::new());
        for file in written {
            let path = PathBuf::from(&file.path);
            let now = self.files().read(&path, u64::MAX).map_err(|error| self.unreadable(&path, &error))?;
            if content_hash(&now) != file.new_hash {
                return Err(self.changed_meanwhile(&path));
            }
            let Some(old) = file.old else { continue };
            restored.push(self.shown(&path));
            trees.extend(file.tree.map(|tree| (tree, old.clone())));
            files.push(NewFile { path, bytes: old, old: Some(now), tree: None, backup: None });
        }
        self.write_files(files)?;
        self.store()?.write(|session| {
            for (tree, old) in &trees {
                if !session.holds(tree)? {
                    continue;
                }
                let hash = content_hash(old);
                let document = self.held_for_writing(session, tree)?;
                let same = document.tree.text().encode().is_ok_and(|bytes| bytes == *old);
                session.set_base(tree, old, &hash, !same)?;
            }
            session.drop_written(transaction)
        })?;
        Ok(StepResponse::Transaction { transaction: transaction.to_owned(), restored })
    }
}

/// The ids of one revision that another lacks.
fn gone(old: &Tree, new: &Tree) -> Vec<String> {
    let is_gone = |node: &Node| old.table().is_named(*node) && new.node(old.id(*node)).is_none();
    old.table().nodes().filter(is_gone).map(|node| old.id(node).to_string()).collect()
}

/// Lines as ranges of a response.
pub(super) fn ranges(lines: &[(usize, usize)]) -> Vec<LineRange> {
    lines.iter().map(|&(start_line, end_line)| LineRange { start_line, end_line }).collect()
}
