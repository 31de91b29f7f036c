//! `refactor`: changes to a definition and all that refers to it, in all files of a project.
//!
//! Each kind plans its edits in a file of its own. Here they go through the gates, the binding gate among them, and all files are
//! written or none.

use rustc_hash::FxHashSet;

use super::changes::{Changes, MatchCounts, WriteOptions};
use super::core::Begun;
use super::document::Document;
use super::error::{EngineError, ErrorCode, PlaceRow};
use super::method::Method;
use super::refactor_messages::{Refactor, RefactorRequest, RefactorResponse};
use super::report::{FilesReport, Skipped};
use super::request::Reading;
use super::response::ChangesResponse;
use super::workspace::Workspace;
use crate::edit::Outcome;
use crate::refactor::Moved;
use crate::symbols::{Definition, FileId};
use crate::tree::Tree;

/// How many places an error lists.
const SHOWN: usize = 100;

/// A refactor that is planned and not checked yet.
pub(super) struct Planned {
    /// The definitions that change.
    pub definitions: Vec<Definition>,
    /// The trees before and after.
    pub files: Vec<(FileId, Tree, Outcome)>,
    /// The names that must mean what they did, besides those in changed files.
    pub words: Vec<String>,
    /// The name that replaced others.
    pub new_name: String,
    /// How many places are changed because they are certain, and because the request names them.
    pub counts: (usize, usize),
    /// The places that are left as they are.
    pub left: Vec<PlaceRow>,
    /// What else is worth knowing.
    pub notes: Vec<String>,
}

impl Method for RefactorRequest {
    const NAME: &'static str = "refactor";
    const READS: bool = false;
    type Result = RefactorResponse;

    /// Changes a definition and all that refers to it: in files as a diff, unless `write` says to write them.
    ///
    /// # Errors
    /// If no symbol fits, or several; if places are not certain, or a name would mean something else. Nothing is written then.
    fn run(&self, engine: &Begun<'_>) -> Result<RefactorResponse, EngineError> {
        if self.write {
            engine.recover()?;
        }
        self.refactored(engine).map_err(EngineError::not_applied)
    }

    fn skipped(answer: &mut RefactorResponse) -> &mut [Skipped] {
        &mut answer.changes.skipped
    }
}

impl RefactorRequest {
    fn refactored(&self, engine: &Begun<'_>) -> Result<RefactorResponse, EngineError> {
        // Files are changed, and their names are compared before and after: an index knows only how they were.
        let reading = Reading { saved: true, ..self.reading.clone() };
        let mut workspace = engine.workspace(&self.targets, &reading)?;
        workspace.precise = None;
        let planned = match &self.refactor {
            Refactor::Rename { symbol, to } => workspace.plan_rename(self, symbol, to)?,
        };
        let symbols = workspace.symbol_rows(&planned.definitions);
        let changed: FxHashSet<FileId> = planned.files.iter().map(|(file, ..)| *file).collect();
        let words: Vec<&str> = planned.words.iter().map(String::as_str).collect();
        let before = workspace.bindings(&words, &changed)?;
        let mut moved = Moved::default();
        for (file, _, outcome) in &planned.files {
            moved.add(*file, &outcome.edits, &planned.new_name);
        }
        workspace.edit(planned.files.iter().map(|(file, _, outcome)| (*file, outcome.tree.clone())));
        let after = workspace.bindings(&words, &changed)?;
        workspace.check_bindings(&before, &after, &moved)?;
        let searched = workspace.project.files().len();
        let report = FilesReport { searched, skipped: workspace.take_skipped(), ..FilesReport::default() };
        let write_options = WriteOptions { request: "refactor", write: self.write, ..WriteOptions::default() };
        let mut changes = Changes::default();
        changes.notes = planned.notes;
        for (file, tree, outcome) in planned.files {
            let document = Document::walked(tree, workspace.path(file));
            let places = outcome.edits.len();
            let counts = MatchCounts { matches: places, applied: places, ..MatchCounts::default() };
            let change = engine.change_edited(&document, &outcome.tree, outcome.edits, counts, write_options);
            changes.add(engine, change);
        }
        let changes: ChangesResponse = changes.finish(engine, write_options, report)?;
        let (certain, included) = planned.counts;
        Ok(RefactorResponse { symbols, certain, included, left: planned.left, changes })
    }
}

impl Workspace<'_> {
    /// Refuses a refactor with places that are not certain, unless the request leaves them.
    ///
    /// # Errors
    /// With the places.
    pub(super) fn refuse_uncertain(
        &self,
        request: &RefactorRequest,
        what: &str,
        risks: Vec<PlaceRow>,
        left: &[PlaceRow],
    ) -> Result<(), EngineError> {
        let risks = if request.force { Vec::new() } else { risks };
        let left = if request.leave_undetermined { &[] } else { left };
        let (first, hint) = match (risks.first(), left.first()) {
            (None, None) => return Ok(()),
            (Some(risk), None) => (risk, "{force_refactor} does it nevertheless"),
            (None, Some(place)) => (place, "{include} changes such a place, {leave} leaves the others as they are"),
            (Some(risk), Some(_)) => {
                (risk, "{force_refactor} does it nevertheless; {include} and {leave} decide about places")
            }
        };
        let count = risks.len() + left.len();
        let places = if count == 1 { "1 place is".to_owned() } else { format!("{count} places are") };
        let message =
            format!("{what}: {places} not certain, as {}:{}:{}: {}", first.path, first.line, first.col, first.why);
        let mut error = EngineError::new(ErrorCode::Undetermined, message).hint(hint);
        let more = count.saturating_sub(SHOWN);
        error.details.places = risks.iter().chain(left).take(SHOWN).cloned().collect();
        if more > 0 {
            error.message.push_str(&format!(" ({more} more than the {SHOWN} listed)"));
        }
        Err(error)
    }
}
