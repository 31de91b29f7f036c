//! Scripts as requests name them: read, planned for languages, and what is wrong with them.

use crate::edit::EditError;
use crate::engine::core::Begun;
use crate::language::Language;
use crate::limits;
use crate::reader::names::Names;
use crate::reader::target::Source;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::requests::ScriptSource;
use crate::script::{Cause, Count, Plan, RunError, Script, ScriptError, check_words};
use crate::selector::Definitions;
use std::path::Path;

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

impl Begun<'_> {
    /// Reads a script.
    pub(crate) fn script(&self, source: &ScriptSource) -> Result<ReadScript, EngineError> {
        let (source, path) = match source {
            ScriptSource::Text { text } => (text.clone(), "script".to_owned()),
            ScriptSource::Path(path) => {
                let absolute = match self.source_at(Path::new(path))? {
                    Source::File(path) => path,
                    _ => {
                        let error = EngineError::bad_request(format!("`{path}` is a folder, not a script"));
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
pub(crate) fn check_counts(script: &ReadScript, counts: &[Count]) -> Result<(), EngineError> {
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

/// The error of a script, with its place, as the engine's.
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
            Some("narrow the selector so that it does not match what the step makes".into())
        }
        Cause::Template(_) | Cause::NoField { .. } | Cause::Refactor(_) => None,
    };
    refused
}
