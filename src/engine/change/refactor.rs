//! `refactor`: changes to a definition and all that refers to it, in all files of a project.
//!
//! Each kind plans its edits in a file of its own. Here they go through the gates, the binding gate among them, and all files are
//! written or none.

use crate::engine::change::changes::{Changes, MatchCounts, WriteOptions};
use crate::engine::core::Begun;
use crate::engine::method::Method;
use crate::reader::document::Document;
use crate::refactor::plan::Done;
use crate::request::error::EngineError;
use crate::request::refactor::{RefactorRequest, RefactorResponse};
use crate::request::report::{FilesReport, Skipped};
use crate::request::requests::Reading;
use crate::request::responses::ChangesResponse;
use crate::workspace::files::Workspace;

impl Method for RefactorRequest {
    const NAME: &'static str = "refactor";
    const READS: bool = false;
    type Result = RefactorResponse;

    /// Changes a definition and all that refers to it: in files as a diff, unless `write` says to write them.
    ///
    /// # Errors
    /// If no symbol fits, or several; if references are uncertain, or a name would mean something else. Nothing is written then.
    fn run(&self, engine: &Begun<'_>) -> Result<RefactorResponse, EngineError> {
        if self.options.write && !self.options.dry_run {
            engine.writer().recover()?;
        }
        self.refactored(engine).map_err(EngineError::not_applied)
    }

    fn skipped(answer: &mut RefactorResponse) -> &mut [Skipped] {
        &mut answer.changes.skipped
    }
}

impl RefactorRequest {
    fn refactored(&self, engine: &Begun<'_>) -> Result<RefactorResponse, EngineError> {
        let Reading { language, glob, staged, since, .. } = &self.options.reading;
        if language.is_some() || !glob.is_empty() || *staged || since.is_some() {
            let error = EngineError::bad_request("a refactor looks at all files of the project");
            return Err(error.hint("leave out what chooses files; any other may refer to the symbol"));
        }
        let reading = Reading { saved: true, ..self.options.reading.clone() };
        let mut workspace = engine.workspace(&self.options.targets, &reading)?;
        workspace.prepare_refactors();
        let mut done = Done::default();
        workspace.refactor(self, &mut done)?;
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
        let changes: ChangesResponse = changes.finish(engine, write_options, report)?;
        let Done { symbols, left, second_opinion, counts: (certain, included), .. } = done;
        let project = workspace.report();
        Ok(RefactorResponse { symbols, certain, included, second_opinion, left, project, changes })
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
