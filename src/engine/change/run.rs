//! `run`: a refactor script on trees, files and folders.
//!
//! The script is read and planned for every language that it may meet before any file is looked at. Each file is then run
//! through it on its own, several at once; how often a step matched is known when all are done, and only then is anything written.

use crate::limits;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use crate::edit::EditError;
use crate::engine::change::changes::{Change, Changes, MatchCounts, WriteOptions};
use crate::engine::core::{Begun, Engine};
use crate::engine::method::Method;
use crate::language::Language;
use crate::project::{Prefilter, Sink};
use crate::reader::document::limits;
use crate::reader::names::Names;
use crate::reader::scan::{FileVisitor, ParsedFile, Searched};
use crate::reader::target::Source;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::report::{FilesReport, Skipped};
use crate::request::requests::{RunRequest, ScriptSource};
use crate::request::responses::ChangesResponse;
use crate::script::{Cause, Count, Plan, RunError, Script, ScriptError, check_words};
use crate::selector::Definitions;

/// A script that was read, with what it takes to say what is wrong with it.
pub(crate) struct ReadScript {
    pub script: Script,
    pub source: String,
    /// Its path as results show it.
    pub path: String,
}

impl ReadScript {
    /// An error in the script, as the engine's.
    pub fn wrong(&self, error: &ScriptError) -> EngineError {
        wrong(error, &self.source, &self.path)
    }

    /// The plan for a language.
    pub fn plan(&self, language: &'static Language, own: &Definitions) -> Result<Plan<'_>, EngineError> {
        self.script.plan(language, own).map_err(|error| self.wrong(&error))
    }
}

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
            engine.recover()?;
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
        let take = |found: Found, report: &mut FilesReport| {
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
        let done = check_expected(&script, &counts).and_then(|()| changes.finish(engine, runner.write_options, report));
        done.map(|done| ChangesResponse { selectors: names.used(), ..done }).map_err(EngineError::not_applied)
    }

    fn skipped(answer: &mut ChangesResponse) -> &mut [Skipped] {
        &mut answer.skipped
    }
}

impl Engine {
    /// Reads a script.
    pub(crate) fn script(&self, source: &ScriptSource) -> Result<ReadScript, EngineError> {
        let (source, path) = match source {
            ScriptSource::Text { text } => (text.clone(), "script".to_owned()),
            ScriptSource::Path(path) => {
                let absolute = match self.source_at(Path::new(path))? {
                    Source::File(path) => path,
                    _ => {
                        let error =
                            EngineError::new(ErrorCode::BadRequest, format!("`{path}` is a folder, not a script"));
                        return Err(error.path(path).hint("`test` takes folders; `run` takes one script"));
                    }
                };
                let bytes = self
                    .files()
                    .read(&absolute, limits::SCRIPT_BYTES)
                    .map_err(|error| self.unreadable(&absolute, &error))?;
                let shown = self.shown(&absolute);
                let source = String::from_utf8(bytes).map_err(|_| {
                    EngineError::new(ErrorCode::UnsupportedEncoding, "a script is written in UTF-8").path(&shown)
                })?;
                (source, shown)
            }
        };
        // How a checkout writes line ends says nothing of the code that a script speaks of.
        let source = source.strip_prefix('\u{feff}').unwrap_or(&source).replace("\r\n", "\n");
        let script =
            Script::read_with(&source, self.languages_known()).map_err(|error| wrong(&error, &source, &path))?;
        Ok(ReadScript { script, source, path })
    }

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
        Ok(Runner { engine: self, script, request, write_options, plans: plans.into_iter().map(ready).collect() })
    }
}

/// A script's plans, one for each language. A word that all of them lack is an error.
pub(crate) fn plans<'s>(
    script: &'s ReadScript,
    languages: &[&'static Language],
    names: &Names,
) -> Result<Vec<Plan<'s>>, EngineError> {
    let plan = |language: &&'static Language| {
        let plan = script.plan(language, &names.of(language)?)?;
        plan.queries().for_each(|query| names.note_use(query));
        Ok(plan)
    };
    let plans = languages.iter().map(plan).collect::<Result<Vec<_>, EngineError>>()?;
    check_words(&plans.iter().collect::<Vec<_>>()).map_err(|error| script.wrong(&error))?;
    Ok(plans)
}

/// Runs a script on one file after another.
struct Runner<'a> {
    engine: &'a Engine,
    script: &'a ReadScript,
    request: &'a RunRequest,
    write_options: WriteOptions,
    plans: HashMap<String, Ready<'a>>,
}

/// A plan, and what tells which files it can't change.
struct Ready<'a> {
    plan: Plan<'a>,
    prefilter: Arc<Prefilter>,
}

/// What a script did to a file.
struct Found {
    change: Change,
    steps: Vec<Count>,
}

impl FileVisitor for Runner<'_> {
    type Found = Found;

    fn wants(&self, language: &'static Language) -> bool {
        self.plans.contains_key(language.name())
    }

    fn prefilter(&self, language: &'static Language) -> Option<Arc<Prefilter>> {
        let ready = self.plans.get(language.name())?;
        Some(ready.prefilter.clone()).filter(|prefilter| !prefilter.is_idle())
    }

    fn visit(&self, seen: &ParsedFile<'_>, send: Sink<'_, Found>) -> Result<(), EngineError> {
        let document = seen.document;
        let tree = &document.tree;
        let Some(ready) = self.plans.get(tree.language().name()) else {
            return Err(self.script.wrong_language(tree.language(), seen.path.as_deref()));
        };
        let found = match ready.plan.run(tree, &limits(&self.request.reading)) {
            Ok(ran) => {
                let matches = ran.steps.iter().map(|count| count.matches).sum();
                let applied = ran.steps.iter().map(|count| count.applied).sum();
                let counts = MatchCounts { matches, applied, notes: ran.notes };
                Found { change: self.engine.change(document, &ran.tree, counts, self.write_options), steps: ran.steps }
            }
            // A file that takes too long to be searched is left out and listed, as in a search.
            Err(error) if seen.walked && matches!(&*error.cause, Cause::Selector(_)) => {
                let error = run_error(&error, &self.script.path);
                return Err(match seen.path.as_deref() {
                    Some(path) => error.path(path),
                    None => error,
                });
            }
            Err(error) => {
                let error = run_error(&error, &self.script.path);
                Found {
                    change: Change::refused(seen.path.as_deref(), MatchCounts::default(), error),
                    steps: Vec::new(),
                }
            }
        };
        let weight = found.change.weight();
        send(found, weight);
        Ok(())
    }
}

impl ReadScript {
    /// A file in a language that the script isn't for.
    pub(crate) fn wrong_language(&self, language: &Language, path: Option<&str>) -> EngineError {
        let known: Vec<&str> = self.script.languages.iter().map(|known| known.name()).collect();
        let what = path.map_or_else(|| "the text".to_owned(), |path| format!("`{path}`"));
        let message = format!("{what} is in {}, and `{}` is for {}", language.name(), self.path, known.join(", "));
        let error = EngineError::new(ErrorCode::UnsupportedLanguage, message);
        match path {
            Some(path) => error.path(path),
            None => error,
        }
    }
}

/// Whether each step has as many matches as it expects.
pub(crate) fn check_expected(script: &ReadScript, counts: &[Count]) -> Result<(), EngineError> {
    for (at, (step, count)) in script.script.steps.iter().zip(counts).enumerate() {
        let Some(expected) = step.expect.filter(|&expected| expected != count.matches) else { continue };
        let (number, line) = (at + 1, step.line(&script.source));
        let message = format!(
            "step {number}, in line {line} of `{}`: the number of matches is {}, not {expected}",
            script.path, count.matches
        );
        let mut error = EngineError::new(ErrorCode::ExpectCount, message).path(&script.path);
        error.details.line = Some(line);
        return Err(error.hint("{find} shows what the step's selector matches"));
    }
    Ok(())
}

/// What is wrong with a script, as the engine's error: where, and the place itself.
pub(crate) fn wrong(error: &ScriptError, source: &str, path: &str) -> EngineError {
    let code = ErrorCode::from(&*error.problem);
    let line = error.line(source);
    let step = error.step.map(|step| format!("step {step}, ")).unwrap_or_default();
    let said = error.to_string();
    let (first, rest) = said.split_at(said.find('\n').unwrap_or(said.len()));
    let mut message = format!("{first} in {step}line {line} of `{path}`{rest}");
    if let Some(excerpt) = error.excerpt(source) {
        message.push('\n');
        message.push_str(&excerpt);
    }
    let mut engine_error = EngineError::new(code, message).path(path);
    engine_error.details.line = Some(line);
    engine_error.details.hint = error.hint().map(Into::into);
    if let crate::script::Problem::Selector(problem) = &*error.problem {
        engine_error.details.span = Some(problem.span);
        engine_error.details.selector = Some(problem.selector.clone());
    }
    engine_error
}

/// Why a script can't be run on a file, as the engine's error.
pub(crate) fn run_error(error: &RunError, script: &str) -> EngineError {
    let code = ErrorCode::from(&*error.cause);
    let message = format!("step {} of `{script}`: {}", error.step, error.cause);
    let mut refused = EngineError::new(code, message);
    refused.details.line = error.line;
    refused.details.hint = match &*error.cause {
        Cause::Edit(EditError::WouldBreakSyntax { .. } | EditError::WouldRestructure { .. }) => {
            Some("look at the step's template, and at what is put into it".into())
        }
        Cause::Edit(EditError::Conflict { .. }) => {
            Some("two matches would change the same text: narrow the selector, or say `replace`".into())
        }
        Cause::Edit(error) => error.hint().map(Into::into),
        Cause::Selector(error) => error.hint.clone().map(Into::into),
        Cause::Cycle { .. } | Cause::Growing { .. } | Cause::Unstable { .. } => {
            Some("narrow the selector so that it doesn't match what the step makes".into())
        }
        Cause::Template(_) | Cause::NoField { .. } | Cause::Refactor(_) => None,
    };
    refused
}
