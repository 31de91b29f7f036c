//! `check`: syntax errors.

use clap::Args;

use crate::request::{CheckRequest, SyntaxErrorRow};

use super::caller::Caller;
use super::exit::Exit;
use super::failure::Failure;
use super::printer::{Format, NAME, Printer};
use super::report::{self, in_unrecognised_language, plural};
use super::targets::{Changed, Reading, Walking};

/// Lists syntax errors
///
/// Prints `path:line:col: what  in` for each. Exit status: 0 none, 1 syntax errors, 2 an error or a file that could not be read.
#[derive(Debug, Args)]
pub(super) struct Check {
    /// Files, folders, trees, or `-` with --stdin-filename or -t for standard input; default: the working directory
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
    /// The file name of standard input, which decides its language
    #[arg(long = "stdin-filename", value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    changed: Changed,
    #[command(flatten)]
    walking: Walking,
    #[command(flatten)]
    reading: Reading,
}

impl Check {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        let targets = self.reading.any_targets(&self.targets, self.name.as_deref(), &mut caller.input)?;
        let request = CheckRequest { targets, reading: self.changed.limit(self.reading.request(Some(&self.walking))) };
        let checked = caller.ask(&request)?;
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json => printer.answer(&checked)?,
            Format::JsonLines => checked.files.iter().try_for_each(|file| printer.json(file))?,
            Format::Text => {
                for file in &checked.files {
                    for error in &file.errors {
                        let line = row(&file.path, error, &printer);
                        printer.line(line)?;
                    }
                }
                report::print_skipped(&checked.skipped, &mut printer)?;
                let (errors, files) = (plural(checked.total, "syntax error"), plural(checked.checked, "file"));
                let mut summary = match checked.total {
                    0 => format!("no syntax error in {files}"),
                    _ => format!("{errors} in {} of {files}", checked.files.len()),
                };
                if checked.unknown_language > 0 {
                    summary.push_str(&format!("; {}", in_unrecognised_language(checked.unknown_language)));
                }
                printer.note(summary)?;
            }
        }
        Ok(Exit::when(checked.total == 0).unless_failed(&checked.skipped))
    }
}

/// `path:line:col  what  in`
pub(super) fn row(path: &str, error: &SyntaxErrorRow, printer: &Printer) -> String {
    let mut row = format!("{}: {}", printer.place(path, error.line, error.col), printer.source(&error.what));
    if !error.within.is_empty() {
        row.push_str(&format!("  in {}", printer.paint(NAME, &error.within)));
    }
    row
}
