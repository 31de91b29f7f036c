//! `run` with a script that has refactors: its steps go through the whole project, one after the other, and nothing is written before
//! the last one.

use rustc_hash::FxHashSet;
use serde_json::Value;

use crate::edit::Allow;
use crate::engine::change::changes::WriteOptions;
use crate::engine::change::script::{ReadScript, check_counts, plans, run_error};
use crate::engine::core::Begun;
use crate::language::Language;
use crate::modules::FileId;
use crate::reader::document::limits;
use crate::reader::names::Names;
use crate::reader::versions::ProjectVersions;
use crate::refactor::plan::Done;
use crate::request::error::EngineError;
use crate::request::refactor::{RefactorOptions, RefactorRequest};
use crate::request::report::FilesReport;
use crate::request::requests::{Reading, RunRequest};
use crate::request::responses::ChangesResponse;
use crate::script::{Count, Plan, RefactorStep, RunError};
use crate::tree::{ParseLimits, Tree};
use crate::workspace::files::{Workspace, languages_of};

impl Begun<'_> {
    /// Runs a script on a project, step by step.
    ///
    /// # Errors
    /// If a step fails or has another number of matches than it expects, or a refactor is refused.
    pub(crate) fn run_in_project(
        &self,
        request: &RunRequest,
        script: &ReadScript,
        names: &Names,
    ) -> Result<ChangesResponse, EngineError> {
        let Reading { language, glob, staged, since, .. } = &request.reading;
        if language.is_some() || !glob.is_empty() || *staged || since.is_some() {
            let error = EngineError::bad_request("a script with refactors looks at all files of the project");
            return Err(
                error.hint("leave out what chooses files; the script's `files` choose those of its other steps")
            );
        }
        let reading = Reading { saved: true, ..request.reading.clone() };
        let mut workspace = self.workspace(&request.targets, &reading)?;
        workspace.prepare_refactors();
        let mut languages: Vec<&'static Language> = script.script.languages.clone();
        if languages.is_empty() {
            languages = languages_of(workspace.project.files());
        }
        let plans = plans(script, &languages, names)?;
        let globs = &script.script.files;
        let mut report = FilesReport::default();
        let root = workspace.root().to_owned();
        let chosen = self.walk_folder(&root, &reading, globs, &mut report)?;
        let mut chosen: FxHashSet<FileId> = chosen.iter().filter_map(|path| workspace.file_of(path)).collect();
        if let Some(named) = workspace.chosen(None)? {
            chosen.retain(|file| named.contains(file));
        }
        let limits = limits(&reading);
        let mut done = Done::default();
        let mut counts = vec![Count::default(); script.script.steps.len()];
        for (at, step) in script.script.steps.iter().enumerate() {
            self.check_cancelled()?;
            let known = workspace.project.files().len();
            if let Some(parameters) = step.refactor() {
                let refactor = refactor_of(script, at, parameters, request)?;
                let before = done.places();
                workspace.refactor(&refactor, &mut done).map_err(|error| in_step(script, at, error))?;
                let places = done.places() - before;
                counts[at] = Count { matches: places, applied: places };
                // A file that is new is changed by later steps as well.
                if globs.is_empty() {
                    chosen.extend(workspace.project.ids().skip(known));
                }
                continue;
            }
            for (file, old, new, count) in workspace.run_step(&plans, at, &chosen, &limits, script)? {
                counts[at].matches += count.matches;
                counts[at].applied += count.applied;
                if old.text() != new.text() {
                    workspace.edit([(file, new.clone())]);
                    done.add_file(file, old, new, count.applied);
                }
            }
        }
        check_counts(script, &counts)?;
        let write_options = WriteOptions {
            request: "run",
            write: request.write,
            dry_run: request.dry_run,
            unchecked: false,
            on_error: request.on_error,
            expect_count: request.expect_count,
        };
        let (with_errors, skipped) = (workspace.with_errors(), workspace.take_skipped());
        let report = FilesReport { searched: workspace.project.files().len(), with_errors, skipped, ..report };
        let changes = done.changes(self, &workspace, write_options)?;
        let answer = changes.verify_and_finish(self, write_options, report, request.verify.as_deref())?;
        Ok(ChangesResponse { selectors: names.used(), ..answer })
    }
}

/// A file before and after a step.
type Stepped = (FileId, Tree, Tree, Count);

impl Workspace<'_> {
    /// Runs a step with a selector on some files, as they are by then.
    fn run_step(
        &self,
        plans: &[Plan<'_>],
        step: usize,
        chosen: &FxHashSet<FileId>,
        limits: &ParseLimits,
        script: &ReadScript,
    ) -> Result<Vec<Stepped>, EngineError> {
        let versions = ProjectVersions::default();
        let ran: Vec<Result<Stepped, (FileId, RunError)>> = self.look("", Some(chosen), |resolver, file| {
            let Some(tree) = resolver.tree(file) else { return Vec::new() };
            let Some(plan) = plans.iter().find(|plan| plan.language() == tree.language()) else { return Vec::new() };
            let quotes = versions.allows_quotes_at(self.engine, self.path(file), tree.language());
            match plan.run_step(step, tree, limits, Allow { quotes, ..Allow::default() }) {
                Ok(ran) => {
                    let count = ran.steps.first().copied().unwrap_or_default();
                    if count.matches == 0 { Vec::new() } else { vec![Ok((file, tree.clone(), ran.tree, count))] }
                }
                Err(error) => vec![Err((file, error))],
            }
        })?;
        let path = |file| self.shown(file);
        ran.into_iter()
            .map(|ran| ran.map_err(|(file, error)| run_error(&error, &script.path).path(path(file))))
            .collect()
    }
}

/// The request of a step: `{ rename = "Server.handle", to = "respond" }`.
///
/// # Errors
/// If the step names no kind of refactor, or a parameter that there is not.
fn refactor_of(
    script: &ReadScript,
    step: usize,
    parameters: &RefactorStep,
    run: &RunRequest,
) -> Result<RefactorRequest, EngineError> {
    let bad = |message: String| in_step(script, step, EngineError::bad_request(message));
    let kinds = crate::request::refactor::RefactorKind::ALL;
    let mut named = kinds.iter().filter(|kind| parameters.contains_key(kind.as_str()));
    let (Some(kind), None) = (named.next(), named.next()) else {
        let known: Vec<String> = kinds.iter().map(|kind| format!("`{kind}`")).collect();
        return Err(bad(format!("a refactor has one of {}", known.join(", "))));
    };
    let mut fields = serde_json::Map::new();
    fields.insert("kind".to_owned(), kind.as_str().into());
    for (name, value) in parameters {
        match (name == kind.as_str(), value) {
            (true, Value::Array(all)) => {
                let mut all = all.clone().into_iter();
                fields.insert("symbol".to_owned(), all.next().unwrap_or_default());
                fields.insert("symbols".to_owned(), Value::Array(all.collect()));
            }
            // What these are about is a place, not a definition.
            (true, value) if matches!(kind.as_str(), "delete_unused" | "organize_imports") => {
                let path = if *value == Value::Bool(true) { Value::Null } else { value.clone() };
                fields.insert("path".to_owned(), path);
            }
            (true, value) if kind.as_str().starts_with("extract_") => _ = fields.insert("to".to_owned(), value.clone()),
            (true, value) => _ = fields.insert("symbol".to_owned(), value.clone()),
            (false, value) => _ = fields.insert(name.clone(), value.clone()),
        }
    }
    let request: RefactorRequest =
        serde_json::from_value(Value::Object(fields)).map_err(|error| bad(error.to_string()))?;
    let RefactorRequest { refactor, options } = request;
    if options.write || options.dry_run || !options.targets.is_empty() {
        return Err(bad("`write`, `dry_run` and `targets` are for the run, not for a step".to_owned()));
    }
    // A script is a file of the project, and names no program.
    if options.verify.is_some() || options.decide {
        return Err(bad(
            "`verify` is for the run, not for a step; a step has `include` and `leave_undetermined`".to_owned()
        ));
    }
    let options = RefactorOptions { targets: run.targets.clone(), reading: run.reading.clone(), ..options };
    Ok(RefactorRequest { refactor, options })
}

/// An error with the step that it is about.
fn in_step(script: &ReadScript, step: usize, error: EngineError) -> EngineError {
    let line = script.script.steps[step].line(&script.source);
    let message = format!("step {}, in line {line} of `{}`: {}", step + 1, script.path, error.message);
    EngineError { message, ..error }
}
