//! `run`: a refactor script on trees, files and folders.
//!
//! The script is read and planned for every language that it may meet before any file is looked at. Each file is then run
//! through it on its own, several at once; how often a step matched is known when all are done, and only then is anything written.

use std::collections::HashMap;
use std::sync::Arc;

use crate::edit::Allow;
use crate::engine::change::changes::{Change, Changes, MatchCounts, WriteOptions};
use crate::engine::change::script::{ReadScript, check_counts, plans, run_error};
use crate::engine::core::Begun;
use crate::engine::method::Method;
use crate::language::Language;
use crate::project::{Prefilter, Sink};
use crate::reader::document::{Document, limits};
use crate::reader::names::Names;
use crate::reader::scan::{FileVisitor, ParsedFile};
use crate::reader::searched::Searched;
use crate::reader::versions::ProjectVersions;
use crate::request::error::EngineError;
use crate::request::report::{FilesReport, Skipped};
use crate::request::requests::RunRequest;
use crate::request::responses::ChangesResponse;
use crate::script::{Cause, Count, Plan};
use crate::tree::Tree;

impl Method for RunRequest {
    const NAME: &'static str = "run";
    const READS: bool = false;
    type Result = ChangesResponse;

    /// Runs a script: on files as a diff, unless `write` says to write them; on trees as their next revisions.
    ///
    /// # Errors
    /// When the script is wrong, a step has another number of matches than it expects, a file can't be changed and may not be left
    /// out. Nothing is written then.
    fn run(&self, engine: &Begun<'_>) -> Result<ChangesResponse, EngineError> {
        if self.write && !self.dry_run {
            engine.writer().recover()?;
        }
        let script = engine.script(&self.script)?;
        let names = engine.names(&[])?;
        if script.script.steps.iter().any(|step| step.refactor().is_some()) {
            return engine.run_in_project(self, &script, &names).map_err(EngineError::not_applied);
        }
        let mut report = FilesReport::default();
        let within = &script.script.files;
        let searched = engine.searched_within(&self.targets, &self.reading, within, &mut report)?;
        let runner = engine.runner((&script, &names), &searched, self)?;
        let mut changes = Changes::default();
        let mut counts = vec![Count::default(); script.script.steps.len()];
        let take = |found: FileRun, report: &mut FilesReport| {
            if changes.add(engine, found.change) {
                report.matched += usize::from(found.steps.iter().any(|count| count.matches > 0));
                for (count, more) in counts.iter_mut().zip(&found.steps) {
                    count.matches += more.matches;
                    count.applied += more.applied;
                }
            }
            Ok(true)
        };
        engine.visit(&searched, &self.reading, &runner, &mut report, take)?;
        engine.check_cancelled()?;
        let unchanged: usize = counts.iter().map(|count| count.matches.saturating_sub(count.applied)).sum();
        if unchanged > 0 {
            let what = if unchanged == 1 { "1 match was".to_owned() } else { format!("{unchanged} matches were") };
            changes.notes.push(format!(
                "{what} left alone: the code is already what the script makes of it, or it is part of another match"
            ));
        }
        let verify = self.verify.as_deref();
        let finish = |()| changes.verify_and_finish(engine, runner.write_options, report, verify);
        let done = check_counts(&script, &counts).and_then(finish);
        done.map(|done| ChangesResponse { selectors: names.used(), ..done }).map_err(EngineError::not_applied)
    }

    fn name_skips(answer: &mut ChangesResponse) -> &mut [Skipped] {
        &mut answer.skipped
    }
}

impl Begun<'_> {
    /// The script's plans for all languages that it may meet.
    fn runner<'s>(
        &'s self,
        (script, names): (&'s ReadScript, &Names),
        searched: &Searched,
        request: &'s RunRequest,
    ) -> Result<Runner<'s>, EngineError> {
        let mut languages = script.script.languages.clone();
        if languages.is_empty() {
            languages = self.languages_in_play(searched, &request.reading);
            for hidden in self.hidden_languages(searched, &request.reading) {
                if !languages.contains(&hidden) {
                    languages.push(hidden);
                }
            }
        }
        let plans = plans(script, &languages, names)?;
        let ready = |plan: Plan<'s>| {
            let prefilter = Prefilter::of_condition(&plan.necessary());
            (plan.language().name().to_owned(), Ready { plan, prefilter: Arc::new(prefilter) })
        };
        let write_options = WriteOptions {
            request: "run",
            write: request.write,
            dry_run: request.dry_run,
            unchecked: false,
            on_error: request.on_error,
            expect_count: request.expect_count,
        };
        let plans = plans.into_iter().map(ready).collect();
        Ok(Runner { engine: self, script, request, write_options, plans, versions: ProjectVersions::default() })
    }
}

/// Runs a script on one file after another.
struct Runner<'a> {
    engine: &'a Begun<'a>,
    script: &'a ReadScript,
    request: &'a RunRequest,
    write_options: WriteOptions,
    plans: HashMap<String, Ready<'a>>,
    versions: ProjectVersions,
}

/// A plan, and what tells which files it can't change.
struct Ready<'a> {
    plan: Plan<'a>,
    prefilter: Arc<Prefilter>,
}

/// What a script did to a file.
struct FileRun {
    change: Change,
    steps: Vec<Count>,
}

impl FileVisitor for Runner<'_> {
    type Found = FileRun;

    fn wants(&self, language: &'static Language) -> bool {
        self.plans.contains_key(language.name())
    }

    fn prefilter(&self, language: &'static Language) -> Option<Arc<Prefilter>> {
        let ready = self.plans.get(language.name())?;
        Some(ready.prefilter.clone()).filter(|prefilter| !prefilter.is_idle())
    }

    fn visit(&self, seen: &ParsedFile<'_>, send: Sink<'_, FileRun>) -> Result<(), EngineError> {
        let document = seen.document;
        let has_plan = |document: &Document| self.plans.contains_key(document.tree.language().name());
        if !seen.documents().any(has_plan) {
            return Err(self.script.wrong_language(document.tree.language(), seen.path.as_deref()));
        }
        let found = match self.run_on(seen)? {
            Ok((tree, steps, notes)) => {
                let matches = steps.iter().map(|count| count.matches).sum();
                let applied = steps.iter().map(|count| count.applied).sum();
                let counts = MatchCounts { matches, applied, notes };
                FileRun { change: self.engine.change(document, &tree, counts, self.write_options), steps }
            }
            Err(error) => FileRun {
                change: Change::refused(seen.path.as_deref(), MatchCounts::default(), error),
                steps: Vec::new(),
            },
        };
        let weight = found.change.weight();
        send(found, weight);
        Ok(())
    }
}

/// The outcome of a script on a file: its tree, the counts of each step, and notes; or why it is refused.
type RunOutcome = Result<(Tree, Vec<Count>, Vec<String>), EngineError>;

impl Runner<'_> {
    /// Runs the script on the code inside of a file, and on what is around it.
    ///
    /// # Errors
    /// If the file takes too long to be searched: then it is left out and listed, as in a search.
    fn run_on(&self, seen: &ParsedFile<'_>) -> Result<RunOutcome, EngineError> {
        let limits = limits(&self.request.reading);
        let (mut steps, mut notes): (Vec<Count>, Vec<String>) = Default::default();
        let mut left_out = false;
        let mut run = |tree: &Tree| {
            let Some(ready) = self.plans.get(tree.language().name()) else { return Ok(None) };
            let quotes = self.versions.allows_quotes(self.engine, &seen.document.with_tree(tree.clone()));
            let allow = Allow { quotes, ..Allow::default() };
            let ran = ready.plan.run_allowing(tree, &limits, allow).map_err(|error| {
                left_out |= seen.walked && matches!(&*error.cause, Cause::Selector(_));
                run_error(&error, &self.script.path)
            })?;
            steps.resize_with(steps.len().max(ran.steps.len()), Count::default);
            for (count, more) in steps.iter_mut().zip(&ran.steps) {
                count.matches += more.matches;
                count.applied += more.applied;
            }
            notes.extend(ran.notes);
            Ok(Some(ran.tree))
        };
        let mut edit = |_, document: Document| run(&document.tree);
        let whole = self.engine.with_edited_parts(seen.document, &seen.inside, &limits, &mut edit);
        let whole = whole.and_then(|tree| Ok(if seen.is_wanted { run(&tree)? } else { None }.unwrap_or(tree)));
        match whole {
            Ok(tree) => Ok(Ok((tree, steps, notes))),
            Err(error) if left_out => Err(match seen.path.as_deref() {
                Some(path) => error.path(path),
                None => error,
            }),
            Err(error) => Ok(Err(error)),
        }
    }
}
