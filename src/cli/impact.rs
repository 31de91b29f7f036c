//! `impact`: what a change affects.

use clap::Args;

use crate::request::{ImpactRequest, ImpactResponse, SymbolRow};

use super::caller::Caller;
use super::exit::Exit;
use super::failure::Failure;
use super::printer::{Format, NAME, Printer};
use super::project::ProjectArgs;
use super::report::{self, plural};

/// Lists which definitions have changed since a git revision, and what refers to them
///
/// Compares the definitions of changed files with those of the revision: comments and white space do not count. Then lists the
/// definitions that certainly refer to the changed ones, by distance, and counts the uncertain references. --symbol asks about a symbol
/// that has not changed yet.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Impact {
    /// Only what is in this file or folder; all files of the project around it are searched [default: the working directory]
    #[arg(value_name = "FOLDER")]
    folder: Option<String>,
    /// The git revision that the working tree is compared with; default: HEAD
    #[arg(long, value_name = "REV", conflicts_with = "symbol")]
    since: Option<String>,
    /// A symbol that would change: `Server.handle`, `PATH::handle`, `PATH:LINE`; may be repeated
    #[arg(long, value_name = "SYMBOL")]
    symbol: Vec<String>,
    /// Number of steps
    #[arg(long, value_name = "N", default_value_t = 2)]
    depth: usize,
    /// List at most N affected definitions
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    #[command(flatten)]
    project: ProjectArgs,
}

const EXAMPLES: &str = "\
Examples:
  cst impact --since HEAD~3
  cst impact --symbol QuerySet.filter --depth 1";

impl Impact {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        let targets = self.project.targets(self.folder.as_ref(), caller)?;
        let request = ImpactRequest {
            since: self.since,
            symbols: self.symbol,
            targets,
            depth: Some(self.depth),
            limit: self.limit,
            reading: self.project.reading(),
        };
        let found = caller.ask(&request)?;
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json => printer.answer(&found)?,
            Format::JsonLines => {
                found.changed.iter().try_for_each(|row| printer.json(row))?;
                found.affected.iter().try_for_each(|row| printer.json(row))?;
                report::print_project(&found.project, found.unsaved, &found.skipped, &mut printer)?;
            }
            Format::Text => print(&found, &mut printer)?,
        }
        drop(printer);
        Ok(Exit::when(!found.changed.is_empty()).unless_failed(&found.skipped))
    }
}

fn print(found: &ImpactResponse, printer: &mut Printer) -> Result<(), Failure> {
    let shown = |row: &SymbolRow, printer: &Printer| {
        format!("{}  {}  {}", printer.place(&row.path, row.line, row.col), row.kind, printer.paint(NAME, &row.qualname))
    };
    for row in &found.changed {
        let candidates = match row.candidates {
            0 => String::new(),
            count => format!("  {}", plural(count, "candidate")),
        };
        let line = format!("{}  {}{candidates}", row.change, shown(&row.symbol, printer));
        printer.line(line)?;
    }
    for row in &found.affected {
        let lines: Vec<String> = row.lines.iter().map(usize::to_string).collect();
        let noun = if lines.len() == 1 { "line" } else { "lines" };
        let indent = "  ".repeat(row.depth);
        let line = format!("{indent}{}  uses {} in {noun} {}", shown(&row.symbol, printer), row.via, lines.join(", "));
        printer.line(line)?;
    }
    report::print_project(&found.project, found.unsaved, &found.skipped, printer)?;
    let mut note = format!("{}, {} affected", plural(found.changed.len(), "definition"), found.total);
    if found.candidates > 0 {
        note.push_str(&format!(", {} that may refer to them", plural(found.candidates, "place")));
    }
    if found.truncated {
        note.push_str("; too many to follow further (lower --depth)");
    }
    Ok(printer.note(note)?)
}
