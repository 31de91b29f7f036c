//! The languages of a project of ast-grep: the files that it reads in others, and libraries of its own.

use super::loaded::LoadedRules;
use crate::engine::core::Begun;
use crate::language::NamedFiles;
use crate::reader::searched::{Item, Searched};
use crate::reader::target::Source;
use crate::request::RuleProblem;
use crate::request::error::{EngineError, ErrorCode};
use crate::rule::ast_grep::AstGrepProject;

/// A problem in the configuration of a project.
fn problem(message: String, hint: &str, path: &str, line: usize) -> RuleProblem {
    let message = format!("{message} in line {line} of `{path}`");
    let mut error = EngineError::new(ErrorCode::UnsupportedLanguage, message).path(path);
    error.details.line = Some(line);
    RuleProblem { rule: path.to_owned(), error: error.hint(hint.to_owned()) }
}

impl Begun<'_> {
    /// Adds the languages of a project's files; what cannot be read is a problem.
    pub(super) fn add_languages(&self, project: &AstGrepProject, path: &str, loaded: &mut LoadedRules) {
        for glob in &project.globs {
            let Ok(language) = self.languages_known().named(&glob.language.to_lowercase()) else {
                let message = format!("unknown language `{}`", glob.language);
                loaded.problems.push(problem(
                    message,
                    "one of ast-grep's names, or of this program's",
                    path,
                    glob.line,
                ));
                continue;
            };
            match NamedFiles::of_glob(&glob.glob, language) {
                Some(named) => loaded.named_files.push(named),
                None => {
                    let message = format!("`languageGlobs` with `{}`", glob.glob);
                    loaded.problems.push(problem(
                        message,
                        "only `*.EXTENSION` and names of files are read",
                        path,
                        glob.line,
                    ));
                }
            }
        }
        for (name, line) in &project.own_languages {
            // A language that is called so may have been added in the way of this program.
            if self.languages_known().named(&name.to_lowercase()).is_err() {
                let message = format!("`customLanguages` is not read: `{name}`");
                let hint = "docs/adding-a-language.md says how a project gets a language of its own";
                loaded.problems.push(problem(message, hint, path, *line));
            }
        }
    }
}

impl LoadedRules {
    /// Has the files of a search read in the languages that the project says.
    pub(super) fn apply_languages(&self, searched: &mut Searched) {
        if self.named_files.is_empty() {
            return;
        }
        let detector = std::mem::take(&mut searched.detector).with_own(self.named_files.clone());
        for item in &mut searched.items {
            // The language of a file that is named is found without this detector.
            let own = match item {
                Item::Named(source) => match &**source {
                    Source::File(path) if detector.own_language(&path.to_string_lossy()).is_some() => {
                        Some(path.clone())
                    }
                    _ => None,
                },
                Item::Walked(_) => None,
            };
            if let Some(path) = own {
                *item = Item::Walked(path);
            }
        }
        searched.detector = detector;
    }
}
