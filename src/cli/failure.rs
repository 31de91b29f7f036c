//! Errors, and how they are printed: text for people on standard error, an object for programs on standard output.

use std::io::{self, Write};

use crate::request::{EngineError, ErrorCode, Hint, Term};
use crate::selector::Excerpt;
use crate::serve::ServeError;

use super::printer::{ERROR, Format, HINT, KIND, NAME, NUMBER, PATH, Printer, QUIET};

/// Why a command stopped.
#[derive(Debug)]
pub(super) enum Failure {
    /// An error of the engine.
    Refused(EngineError),
    /// Output could not be written.
    Output(io::Error),
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Failure {
        Failure::Refused(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Failure {
        match error {
            ServeError::Input(error) => Failure::unreadable("-", &error),
            ServeError::Output(error) => Failure::Output(error),
        }
    }
}

impl Failure {
    /// Arguments that do not make a request.
    pub(super) fn usage(message: impl Into<String>, hint: impl Into<Hint>) -> Failure {
        EngineError::bad_request(message).hint(hint).into()
    }

    /// A file that cannot be read.
    pub(super) fn unreadable(path: &str, error: &io::Error) -> Failure {
        let error = match error.kind() {
            io::ErrorKind::NotFound => EngineError::new(ErrorCode::NotFound, format!("no file `{path}`")),
            io::ErrorKind::IsADirectory => EngineError::bad_request(format!("`{path}` is a folder")),
            _ => EngineError::new(ErrorCode::NotFound, format!("cannot read `{path}`: {error}")),
        };
        error.path(path).into()
    }

    /// Adds another hint, if the request failed.
    pub(super) fn hinting(self, hint: impl Into<Hint>) -> Failure {
        match self {
            Failure::Refused(error) => Failure::Refused(error.hint(hint)),
            output => output,
        }
    }

    /// The same for a command that takes one node per argument and has no option for several.
    pub(super) fn of_one_node(self) -> Failure {
        match self {
            Failure::Refused(error) if error.code == ErrorCode::Ambiguous && !error.details.candidates.is_empty() => {
                Failure::Refused(error.hint("name one by its id, or narrow the selector"))
            }
            other => other,
        }
    }

    /// The same for a single operation, whose number is omitted.
    pub(super) fn of_the_only_operation(self) -> Failure {
        match self {
            Failure::Refused(mut error) => {
                error.details.operation = None;
                Failure::Refused(error)
            }
            output => output,
        }
    }

    /// Whether the selector is invalid.
    pub(super) fn is_about_the_selector(&self) -> bool {
        matches!(self, Failure::Refused(error) if error.details.selector.is_some())
    }

    /// The missing path.
    pub(super) fn missing_path(&self) -> Option<&str> {
        match self {
            Failure::Refused(error) if error.code == ErrorCode::NotFound => error.details.path.as_deref(),
            _ => None,
        }
    }

    /// Prints the error that ends the process, and returns whether the process has failed: a reader that has closed the pipe has
    /// seen enough.
    pub(super) fn end(self, printer: &mut Printer) -> bool {
        let lost = match self {
            Failure::Output(error) => error,
            refused => match refused.show(printer) {
                Ok(()) => return true,
                Err(error) => error,
            },
        };
        if lost.kind() == io::ErrorKind::BrokenPipe {
            return false;
        }
        // Output that could not be written cannot be flushed either; standard error is left, and it may be closed, too.
        let label = printer.paint_error(ERROR, "error");
        _ = writeln!(io::stderr(), "{label}: cannot write: {lost}");
        true
    }

    /// Prints the error, and goes on.
    pub(super) fn show(&self, printer: &mut Printer) -> io::Result<()> {
        match self {
            Failure::Output(error) => Err(io::Error::new(error.kind(), error.to_string())),
            Failure::Refused(error) if printer.format() == Format::Text => {
                let shown = describe(error, printer);
                printer.problem(shown)
            }
            Failure::Refused(error) => {
                printer.answer(&error.to_json())?;
                printer.flush()
            }
        }
    }
}

/// The name of a term on the command line.
fn name(term: Term) -> Option<&'static str> {
    Some(match term {
        Term::Trees => "`cst trees`",
        Term::Load => "`cst load`",
        Term::Find => "`cst find`",
        Term::Show => "`cst show`",
        Term::Save => "`cst save`",
        Term::Explain => "`cst explain`",
        Term::Backups => "`cst backups`",
        Term::Rewrite => "`cst rewrite`",
        Term::All => "`--all`",
        Term::DryRun => "`--dry-run`",
        Term::SkipErrors => "`--on-error skip`",
        Term::AllowSyntax => "`--allow syntax`",
        Term::AllowStructure => "`--allow structure`",
        Term::MaxSize => "`--max-size`",
        Term::Force => "`--force`",
        Term::Merge => "`--merge`",
        Term::ForceRefactor => "`--force`",
        Term::Include => "`--include PATH:LINE`",
        Term::Leave => "`--leave-undetermined`",
        Term::Part => "`--part FILE=NAME,NAME`",
        Term::Encoding => "`--encoding`",
        Term::Language => "-t, or with --stdin-filename app.py for standard input",
        Term::SkipChanged => "`--skip-changed`",
        Term::Transactions => "`cst undo --list`",
        Term::State => "`CST_STATE` or `--state`",
        Term::Decide => "`--verify CMD --decide`",
        Term::Embed => "`cst index --embed MODEL`",
        Term::LanguageNames => "`cst languages` lists them",
    })
}

/// A hint in the terms of the command line.
pub(super) fn in_command_words(hint: &Hint) -> String {
    hint.worded(name).unwrap_or_else(|| hint.to_string())
}

/// The line of a selector, with carets under the error and the hint next to them.
fn with_carets(excerpt: &Excerpt, hint: Option<String>, printer: &Printer) -> String {
    let carets = printer.paint_error(ERROR, "^".repeat(excerpt.width));
    let hint = hint.map(|hint| format!(" {hint}")).unwrap_or_default();
    format!("\n  {}\n  {}{carets}{hint}", excerpt.line, " ".repeat(excerpt.start))
}

/// An error as text: the message, the place, candidates, hints.
fn describe(error: &EngineError, printer: &Printer) -> String {
    let mut shown = format!("{}: ", printer.paint_error(ERROR, "error"));
    let details = &error.details;
    let place = details.selector.as_deref().zip(details.span);
    if let Some(excerpt) = place.and_then(|(selector, span)| Excerpt::of(selector, span)) {
        shown.push_str(&error.message);
        shown.push_str(&with_carets(&excerpt, details.hint.as_ref().map(in_command_words), printer));
        return shown;
    }
    // Continuation lines stay next to the place shown.
    shown.push_str(&error.message.replace('\n', "\n  "));
    if let Some(path) = details.path.as_ref().filter(|path| !error.message.contains(path.as_str())) {
        let line = details.line.map(|line| format!(":{line}")).unwrap_or_default();
        shown.push_str(&format!("\n  at {}{}", printer.paint_error(PATH, path), printer.paint_error(NUMBER, line)));
    } else if let Some(line) = details.line.filter(|line| !error.message.contains(&format!("line {line}"))) {
        shown.push_str(&format!("\n  at line {}", printer.paint_error(NUMBER, line)));
    }
    if let Some(operation) = details.operation {
        shown.push_str(&format!("\n  in operation {operation} of the batch, counted from 0"));
    }
    for candidate in &details.candidates {
        let id = printer.paint_error(QUIET, &candidate.node_id);
        let kind = printer.paint_error(KIND, &candidate.kind);
        let name = printer.paint_error(NAME, candidate.qualname.as_deref().unwrap_or("-"));
        shown.push_str(&format!("\n  {id}  {kind}  {name}  line {}", candidate.line));
    }
    for place in &details.places {
        let at = format!("{}:{}:{}", printer.paint_error(PATH, &place.path), place.line, place.col);
        shown.push_str(&format!("\n  {at}  {}  {}", place.why, printer.paint_error(QUIET, &place.text)));
    }
    if let Some(merge) = &details.merge {
        let conflicts = merge.conflicts;
        shown.push_str(&match conflicts {
            0 => "\n  both changes fit together".to_owned(),
            _ => format!("\n  both changed the same lines in {conflicts} places"),
        });
    }
    if let Some(hint) = details.hint.as_ref().filter(|hint| !hint.is_empty()) {
        shown.push_str(&format!("\n{}: {}", printer.paint_error(HINT, "hint"), in_command_words(hint)));
    }
    shown
}
