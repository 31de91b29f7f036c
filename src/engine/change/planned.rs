//! A refactor that is planned, as changes of files that are not written yet.

use std::path::PathBuf;

use crate::engine::change::changes::{Changes, MatchCounts, WriteOptions};
use crate::engine::core::Begun;
use crate::reader::document::Document;
use crate::refactor::plan::Done;
use crate::request::error::{EngineError, PlaceRow};
use crate::request::refactor::{RefactorOptions, RefactorRequest, RefactorResponse};
use crate::request::report::FilesReport;
use crate::request::requests::Reading;
use crate::request::responses::ChangesResponse;
use crate::workspace::files::Workspace;

impl RefactorRequest {
    /// The refactor with these options, planned and not written.
    ///
    /// # Errors
    /// If it is refused.
    pub(crate) fn plan_changes(
        &self,
        engine: &Begun<'_>,
        options: &RefactorOptions,
    ) -> Result<PlannedChanges, EngineError> {
        let reading = Reading { saved: true, ..self.options.reading.clone() };
        let mut workspace = engine.workspace(&self.options.targets, &reading)?;
        workspace.prepare_refactors();
        let mut done = Done::default();
        let request = RefactorRequest { refactor: self.refactor.clone(), options: options.clone() };
        workspace.refactor(&request, &mut done)?;
        let searched = workspace.project.files().len();
        let (with_errors, skipped) = (workspace.with_errors(), workspace.take_skipped());
        let report = FilesReport { searched, with_errors, skipped, ..FilesReport::default() };
        let write_options = WriteOptions {
            request: "refactor",
            write: self.options.write,
            dry_run: self.options.dry_run,
            ..WriteOptions::default()
        };
        let changes = done.changes(engine, &workspace, write_options)?;
        let Done { symbols, left, second_opinion, counts: (certain, included), .. } = done;
        let project = workspace.report_about(&symbols);
        let changes_only = ChangesResponse::default();
        let answer = RefactorResponse {
            symbols,
            certain,
            included,
            second_opinion,
            decided: Vec::new(),
            left,
            project,
            changes: changes_only,
        };
        let (root, undecided) = (workspace.root().to_owned(), workspace.take_undecided());
        Ok(PlannedChanges { answer, changes, report, write_options, root, undecided })
    }
}

/// A refactor that is planned.
pub(crate) struct PlannedChanges {
    /// The answer, without the changes.
    pub answer: RefactorResponse,
    pub changes: Changes,
    report: FilesReport,
    pub write_options: WriteOptions,
    /// The folder of the project.
    pub root: PathBuf,
    /// The uncertain references that it leaves and could change.
    pub undecided: Vec<PlaceRow>,
}

impl PlannedChanges {
    /// Does what is to be done with the changes.
    ///
    /// # Errors
    /// If a file cannot be changed or written.
    pub(crate) fn finish(self, engine: &Begun<'_>) -> Result<RefactorResponse, EngineError> {
        let changes = self.changes.finish(engine, self.write_options, self.report)?;
        Ok(RefactorResponse { changes, ..self.answer })
    }
}

impl Done {
    /// The changes of all files.
    ///
    /// # Errors
    /// If a file that moves cannot be read.
    pub(crate) fn changes(
        &mut self,
        engine: &Begun<'_>,
        workspace: &Workspace<'_>,
        write_options: WriteOptions,
    ) -> Result<Changes, EngineError> {
        let mut changes = Changes::default();
        changes.notes = std::mem::take(&mut self.notes);
        let mut moved = std::mem::take(&mut self.moved);
        for (file, changed) in std::mem::take(&mut self.files) {
            let (path, before) = (workspace.path(file), moved.remove(&file));
            if let (true, Some(old)) = (changed.is_deleted, &changed.old) {
                let path = before.as_deref().unwrap_or(path);
                changes.add(engine, engine.change_deleted((path, old), write_options)?);
                continue;
            }
            let counts = MatchCounts { matches: changed.places, applied: changed.places, ..MatchCounts::default() };
            let change = match (changed.old, before) {
                (None, _) => engine.change_placed(None, (path, &changed.new), counts, write_options),
                (Some(old), Some(before)) => {
                    let old = Document::walked(old, &before);
                    engine.change_placed(Some(&old), (path, &changed.new), counts, write_options)
                }
                (Some(old), None) => {
                    let document = Document::walked(old, path);
                    match changed.edits {
                        Some(edits) => engine.change_edited(&document, &changed.new, edits, counts, write_options),
                        None => engine.change(&document, &changed.new, counts, write_options),
                    }
                }
            };
            changes.add(engine, change);
        }
        for (file, before) in moved {
            changes.add(engine, engine.change_path(&before, workspace.path(file), write_options)?);
        }
        for (from, to) in std::mem::take(&mut self.others) {
            changes.add(engine, engine.change_path(&from, &to, write_options)?);
        }
        Ok(changes)
    }
}
