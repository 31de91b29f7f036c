//! `check`: syntax errors.

use clap::Args;

use crate::engine::{CheckRequest, Request, Response, SyntaxErrorRow};

use super::failure::Failure;
use super::find;
use super::printer::{Format, NAME, NUMBER, Printer};
use super::targets::{Reading, Walking};
use super::{Caller, Exit};

/// Lists syntax errors
///
/// Prints `path:line:col: what  in` for each. The exit status is 1 if there is any.
#[derive(Debug, Args)]
pub(super) struct Check {
    /// Files, folders, trees, or `-` with --name or --language for standard input; the working directory otherwise
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
    /// The file name that says what standard input is
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    walking: Walking,
    #[command(flatten)]
    reading: Reading,
}

impl Check {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        let targets = self.reading.targets(&self.targets, self.name.as_deref(), &mut caller.input)?;
        let request = CheckRequest { targets, reading: self.reading.request(Some(&self.walking)) };
        let Response::Check(checked) = caller.ask(Request::Check(request))? else { return Err(Failure::mismatched()) };
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json => printer.json(&checked)?,
            Format::JsonLines => checked.files.iter().try_for_each(|file| printer.json(file))?,
            Format::Text => {
                for file in &checked.files {
                    for error in &file.errors {
                        let line = row(&file.path, error, &printer);
                        printer.line(line)?;
                    }
                }
                find::skipped(&checked.skipped, &mut printer)?;
                let (errors, files) = (plural(checked.total, "syntax error"), plural(checked.checked, "file"));
                printer.note(match checked.total {
                    0 => format!("no syntax error in {files}"),
                    _ => format!("{errors} in {} of {files}", checked.files.len()),
                })?;
            }
        }
        Ok(Exit::when(checked.total == 0))
    }
}

/// `path:line:col  what  in`
pub(super) fn row(path: &str, error: &SyntaxErrorRow, printer: &Printer) -> String {
    let path = if path == "-" { path.to_owned() } else { printer.link(path) };
    let (line, column) = (printer.paint(NUMBER, error.line), printer.paint(NUMBER, error.col));
    let mut row = format!("{path}:{line}:{column}: {}", printer.source(&error.what));
    if !error.within.is_empty() {
        row.push_str(&format!("  in {}", printer.paint(NAME, &error.within)));
    }
    row
}

/// A count with its noun.
pub(super) fn plural(count: usize, noun: &str) -> String {
    match (count, noun) {
        (1, _) => format!("1 {noun}"),
        (_, "match") => format!("{count} matches"),
        _ => format!("{count} {noun}s"),
    }
}
