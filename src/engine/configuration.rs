//! What a project and a user configure: `config.toml`, in the project's folder `.cst` and in the user's own.
//!
//! ```toml
//! [check]
//! python = "ruff check -"
//! ```

use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Engine, EngineError, ErrorCode};
use crate::language::{Language, LanguageError};
use crate::text::Text;

/// The largest configuration read.
const LARGEST: u64 = 1 << 20;

/// A command that checks the code of a language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CheckCommand {
    /// As it is written.
    pub line: String,
    /// The program, and its arguments.
    pub words: Vec<String>,
    /// The file that says so, as it is shown.
    pub path: String,
    /// The line there.
    pub at: usize,
    /// Where it is run.
    pub folder: PathBuf,
}

impl Engine {
    /// The command that checks a language's code: the project's, else the user's. An empty one is none.
    pub(super) fn check_command(&self, language: &Language) -> Result<Option<CheckCommand>, EngineError> {
        let here = &self.surroundings.working_directory;
        let of_project = here.ancestors().map(|folder| (folder.join(".cst").join("config.toml"), folder));
        let of_user = self.surroundings.configuration.iter().map(|folder| (folder.join("config.toml"), here.as_path()));
        let is_there = |(path, _): &(PathBuf, &Path)| self.files().facts(path).is_ok();
        let files = of_project.into_iter().find(is_there).into_iter().chain(of_user.filter(is_there));
        for (path, folder) in files {
            let shown = self.shown(&path);
            let bytes = self.files().read(&path, LARGEST).map_err(|error| {
                EngineError::new(ErrorCode::BadRequest, format!("can't read the configuration: {error}"))
                    .path(shown.clone())
            })?;
            let commands = commands(&bytes, &shown, folder)?;
            if let Some((_, command)) = commands.into_iter().find(|(name, _)| *name == language.name()) {
                return Ok(Some(command).filter(|command| !command.words.is_empty()));
            }
        }
        Ok(None)
    }
}

/// The commands that a file configures, each with the name of its language.
fn commands(bytes: &[u8], path: &str, folder: &Path) -> Result<Vec<(&'static str, CheckCommand)>, EngineError> {
    let bad = |message: String| EngineError::new(ErrorCode::BadRequest, message).path(path);
    let source = std::str::from_utf8(bytes).map_err(|_| bad("the configuration is written in UTF-8".to_owned()))?;
    let text = Text::new(source);
    let line_of = |offset: usize| text.line_at(offset.min(text.len()));
    let at = |offset: usize, message: String| {
        let mut error = bad(format!("{message} in line {} of `{path}`", line_of(offset)));
        error.details.line = Some(line_of(offset));
        error
    };
    let table = DeTable::parse(source).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        at(start, error.message().trim_end_matches('.').to_owned())
    })?;
    let mut commands = Vec::new();
    for (key, value) in table.get_ref() {
        let name: &str = key.get_ref();
        if name != "check" {
            let error = at(key.span().start, format!("unknown key `{name}`"));
            return Err(error.hint("did you mean `check`? There is no other"));
        }
        let DeValue::Table(checks) = value.get_ref() else {
            return Err(at(value.span().start, "`check` is a table of languages and their commands".to_owned()));
        };
        for (key, value) in checks {
            let language = Language::named(key.get_ref()).map_err(|error| {
                let hint = match &error {
                    LanguageError::Unknown { nearest: Some(nearest), .. } => format!("did you mean `{nearest}`?"),
                    LanguageError::Unknown { nearest: None, .. } => {
                        format!("known: {}", crate::language::names().join(", "))
                    }
                    _ => super::DATA_HINT.to_owned(),
                };
                at(key.span().start, error.to_string()).hint(hint)
            })?;
            commands.push((language.name(), command(value, (path, folder), at)?));
        }
    }
    Ok(commands)
}

fn command(
    value: &Spanned<DeValue<'_>>,
    (path, folder): (&str, &Path),
    at: impl Fn(usize, String) -> EngineError,
) -> Result<CheckCommand, EngineError> {
    let start = value.span().start;
    let DeValue::String(line) = value.get_ref() else {
        let hint = "write the command as a string: `python = \"ruff check -\"`";
        return Err(at(start, "a check is a command".to_owned()).hint(hint));
    };
    let words = words(line).ok_or_else(|| at(start, "a quote that isn't closed".to_owned()))?;
    // Its line, once it is known that the words are well formed.
    let line_number = at(start, String::new()).details.line.unwrap_or(1);
    Ok(CheckCommand {
        line: line.to_string(),
        words,
        path: path.to_owned(),
        at: line_number,
        folder: folder.to_owned(),
    })
}

/// The words of a command line as a shell splits them: quotes hold a word together, a backslash takes what follows as it
/// is. `None` when a quote isn't closed. Nothing else that a shell does is done.
fn words(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            space if space.is_whitespace() => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '\'' => break,
                        inner => word.push(inner),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '"' => break,
                        '\\' => {
                            let next = characters.next()?;
                            if !matches!(next, '"' | '\\' | '$' | '`') {
                                word.push('\\');
                            }
                            word.push(next);
                        }
                        inner => word.push(inner),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(characters.next()?),
            plain => word.get_or_insert_default().push(plain),
        }
    }
    words.extend(word);
    Some(words)
}
