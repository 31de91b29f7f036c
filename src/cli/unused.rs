//! `unused`: definitions that nothing refers to.

use clap::Args;

use crate::engine::Confidence;
use crate::request::{UnusedRequest, UnusedResponse};

use super::caller::Caller;
use super::exit::Exit;
use super::failure::Failure;
use super::printer::{Format, NAME};
use super::project::ProjectArgs;
use super::report::{self, plural};

/// Lists definitions that nothing in the project refers to
///
/// A definition is `certain` if its name occurs nowhere with an unknown meaning, and a `candidate` if it does, or if it occurs in a
/// string. Definitions that are exported, decorated, override others, or have names that the language or a tool uses (`__init__`,
/// `test_…`) are counted and not listed. Exit status 1 if nothing is unused.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Unused {
    /// Only definitions in this file or folder of the project
    #[arg(value_name = "PATH")]
    path: Option<String>,
    /// A file or folder of the project to search; only what is in it is listed [default: the working directory]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<String>,
    /// Only definitions of these kinds, separated by commas
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    kind: Vec<String>,
    /// Only definitions that are certainly unused
    #[arg(long)]
    certain: bool,
    /// Also list exported definitions that the project itself does not use
    #[arg(long)]
    exports: bool,
    /// List at most N definitions
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    #[command(flatten)]
    project: ProjectArgs,
}

const EXAMPLES: &str = "\
Examples:
  cst unused --certain
  cst unused src/app --kind function,class";

impl Unused {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        let targets = self.project.targets(self.folder.as_ref(), caller)?;
        let request = UnusedRequest {
            path: self.path,
            targets,
            kinds: self.kind,
            certain: self.certain,
            exports: self.exports,
            limit: self.limit,
            reading: self.project.reading(),
        };
        let found = caller.ask(&request)?;
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json => printer.answer(&found)?,
            Format::JsonLines => {
                found.unused.iter().try_for_each(|row| printer.json(row))?;
                report::print_project(&found.project, found.unsaved, &found.skipped, &mut printer)?;
            }
            Format::Text => {
                for row in &found.unused {
                    let symbol = &row.symbol;
                    let place = printer.place(&symbol.path, symbol.line, symbol.col);
                    let name = printer.paint(NAME, &symbol.qualname);
                    let mut line = format!("{place}  {}  {name}  {}", symbol.kind, plural(row.lines, "line"));
                    if row.confidence != Confidence::Certain {
                        line.push_str(&format!("  {}", row.confidence));
                    }
                    printer.line(line)?;
                }
                report::print_project(&found.project, found.unsaved, &found.skipped, &mut printer)?;
                printer.note(summary(&found))?;
            }
        }
        drop(printer);
        Ok(Exit::when(!found.unused.is_empty()).unless_failed(&found.skipped))
    }
}

fn summary(found: &UnusedResponse) -> String {
    let mut text = format!(
        "{} certainly unused, {}, of {}",
        found.certain,
        plural(found.candidates, "candidate"),
        plural(found.definitions, "definition")
    );
    if !found.kept.is_empty() {
        let kept: Vec<String> = found.kept.iter().map(|row| format!("{} ({})", row.why, row.count)).collect();
        text.push_str(&format!("\nwithout a reference, and not listed: {}", kept.join(", ")));
    }
    if !found.not_followed.is_empty() {
        let files: Vec<String> =
            found.not_followed.iter().map(|row| format!("{} ({})", row.why, plural(row.count, "file"))).collect();
        text.push_str(&format!("\nnot followed from file to file, and not listed: {}", files.join(", ")));
    }
    text
}
