//! `undo` and `redo`: steps between a tree's revisions, and taking back what a save wrote.

use std::path::PathBuf;

use crate::engine::core::Begun;
use crate::engine::method::Method;
use crate::engine::session::recovery::RolledBack;
use crate::engine::session::saving::{Content, NewFile, files_in_words};
use crate::reader::document::{Document, Origin, content_hash};
use crate::request::error::{EngineError, ErrorCode};
use crate::request::hint::Hint;
use crate::request::report::Skipped;
use crate::request::requests::{RedoRequest, UndoRequest};
use crate::request::responses::{LineRange, ModifyResponse, Revision, StepResponse};
use crate::store::{RevisionRow, Session, TreeRow};
use crate::text::{EditSet, changed_lines, unified};
use crate::tree::{Node, Tree};

impl Method for UndoRequest {
    const NAME: &'static str = "undo";
    const READS: bool = false;
    type Result = StepResponse;

    /// Steps each tree back one revision; with a transaction, or the last one, gives the files that it wrote their old contents.
    ///
    /// # Errors
    /// When a tree has no revision to go back to; when a file of the transaction changed since and may not be left out. Nothing is
    /// undone then.
    fn run(&self, engine: &Begun<'_>) -> Result<StepResponse, EngineError> {
        match (&self.transaction, self.last) {
            (None, false) if self.skip_changed => Err(EngineError::bad_request("`skip_changed` is for transactions")),
            (transaction, last)
                if usize::from(transaction.is_some()) + usize::from(last) + usize::from(!self.tree_ids.is_empty())
                    > 1 =>
            {
                let message = "`tree_ids`, `transaction` and `last` exclude each other";
                Err(EngineError::bad_request(message))
            }
            (Some(transaction), _) => {
                engine.writer().recover()?;
                engine.undo_transaction(&engine.transaction_named(transaction)?, self.skip_changed)
            }
            (None, true) => match engine.writer().recover_back()?.pop() {
                // What was cut short is the last one.
                Some(RolledBack { transaction, files }) => {
                    Ok(StepResponse::Transaction { transaction, restored: files, skipped: Vec::new(), undone_by: None })
                }
                None => engine.undo_transaction(&engine.last_transaction()?, self.skip_changed),
            },
            (None, false) => engine.step(&self.tree_ids, |session, row, head| {
                let Some(parent) = head.parent else {
                    let message = format!("tree `{}` has nothing to undo", row.id);
                    return Err(EngineError::bad_request(message).hint("it is as it was loaded"));
                };
                Ok((head.inverse.clone(), session.revision(&row.id, parent)?))
            }),
        }
    }
}

impl Method for RedoRequest {
    const NAME: &'static str = "redo";
    const READS: bool = false;
    type Result = StepResponse;

    /// Steps each tree forward one revision that was undone.
    ///
    /// # Errors
    /// When a tree has no revision to go to. No tree is changed then.
    fn run(&self, engine: &Begun<'_>) -> Result<StepResponse, EngineError> {
        engine.step(&self.tree_ids, |session, row, _| {
            let Some(number) = session.redo_of(&row.id, row.head)? else {
                let message = format!("tree `{}` has nothing to redo", row.id);
                return Err(EngineError::bad_request(message));
            };
            let next = session.revision(&row.id, number)?;
            Ok((next.forward.clone(), next))
        })
    }
}

impl Begun<'_> {
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
            1 => StepResponse::One(Box::new(responses.remove(0))),
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
            transaction: None,
            with_errors: Vec::new(),
            notes: Vec::new(),
            selectors: Vec::new(),
        }
    }

    /// Gives the files that a transaction wrote their old contents, as one transaction of its own.
    fn undo_transaction(&self, transaction: &str, skip_changed: bool) -> Result<StepResponse, EngineError> {
        let written = self.store()?.read(|session| session.written(transaction))?;
        // Another project's is none.
        if !written.is_empty() && !written.iter().any(|file| self.permits(&file.path)) {
            let message = format!("no transaction `{transaction}` that could be undone");
            return Err(
                EngineError::new(ErrorCode::NotFound, message).hint("`undo` takes transactions of this project")
            );
        }
        let (mut files, mut trees, mut paths) = (Vec::new(), Vec::new(), Vec::new());
        let (mut restored, mut skipped, mut changed) = (Vec::new(), Vec::new(), Vec::new());
        for file in written {
            let now = match self.files().read(&file.path, u64::MAX) {
                Ok(bytes) => Some(bytes),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
                Err(error) => return Err(self.unreadable(&file.path, &error)),
            };
            let is_as_before = now == file.old;
            if now.as_deref().map(content_hash) != file.new_hash && !is_as_before {
                changed.push(file.path.clone());
                let shown = self.shown(&file.path);
                let what = if now.is_some() { "was changed since" } else { "is gone" };
                let error = EngineError::new(ErrorCode::FileChanged, format!("`{shown}` {what}"));
                // Whoever asked to skip such files gets what was asked for.
                skipped.push(Skipped { by_rule: true, ..Skipped::new(shown, error, false) });
                continue;
            }
            restored.push(self.shown(&file.path));
            paths.push(file.path.clone());
            trees.extend(file.tree.zip(file.old.clone()));
            // Something else has restored it already: git, an editor.
            if is_as_before {
                continue;
            }
            let content = Content::Held { old: now, new: file.old };
            files.push(NewFile { path: file.path, content, tree: None, backup: None });
        }
        if let Some(first) = skipped.first().filter(|_| !skip_changed) {
            let later = self.is_written_later(transaction, &changed)?;
            return Err(changed_since(first, later, skipped.len(), restored.len()));
        }
        // Where nothing can be restored any more, the next `undo` goes further back.
        if files.is_empty() && paths.is_empty() {
            paths.append(&mut changed);
        }
        let undone_by = match files.is_empty() {
            true => None,
            false => Some(self.writer().write_files(files, "undo")?.transaction),
        };
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
            session.drop_written(transaction, &paths)
        })?;
        Ok(StepResponse::Transaction { transaction: transaction.to_owned(), restored, skipped, undone_by })
    }

    /// Whether a later transaction, which can be undone, wrote one of some files.
    fn is_written_later(&self, transaction: &str, paths: &[PathBuf]) -> Result<bool, EngineError> {
        let all = self.store()?.read(|session| session.transactions())?;
        let mut later = all.iter().take_while(|record| record.id != transaction);
        Ok(later.any(|record| record.paths.iter().any(|path| paths.contains(path))))
    }
}

/// Files of a transaction aren't any more what it wrote.
fn changed_since(first: &Skipped, is_later: bool, changed: usize, others: usize) -> EngineError {
    let why = &first.error.message;
    let more = if changed > 1 { format!(", and {} more", files_in_words(changed - 1)) } else { String::new() };
    let error = EngineError::new(ErrorCode::FileChanged, format!("{why}{more}")).path(&first.path);
    let hint = match others {
        0 if is_later => return error.hint("undo the later writes first"),
        0 => Hint::from("not by `cst`; {skip_changed} leaves it as it is, and takes the write off the list"),
        _ => Hint::from("{skip_changed} leaves out what changed and restores ").and(files_in_words(others)),
    };
    error.hint(if is_later && others > 0 { hint.and("; or undo the later writes first") } else { hint })
}

/// The ids of one revision that another lacks.
fn gone(old: &Tree, new: &Tree) -> Vec<String> {
    let is_gone = |node: &Node| old.table().is_named(*node) && new.node(old.id(*node)).is_none();
    old.table().nodes().filter(is_gone).map(|node| old.id(node).to_string()).collect()
}

/// Lines as ranges of a response.
pub(crate) fn ranges(lines: &[(usize, usize)]) -> Vec<LineRange> {
    lines.iter().map(|&(start_line, end_line)| LineRange { start_line, end_line }).collect()
}
