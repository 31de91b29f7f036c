//! `deps`: which files of a project import which.

use clap::Args;

use crate::request::{DepsRequest, DepsResponse, FileDeps};

use super::caller::Caller;
use super::exit::Exit;
use super::failure::Failure;
use super::graph::{self, Form};
use super::printer::{Format, PATH, Printer};
use super::project::ProjectArgs;
use super::report::{self, plural};

/// Lists which files import which
///
/// Prints, for each file or for PATH alone, the files of the project that it imports and those that import it. Relative imports that
/// cannot be resolved are listed as missing.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Deps {
    /// A file; all files if there is none
    #[arg(value_name = "PATH")]
    path: Option<String>,
    /// Only what is in this file or folder; all files of the project around it are searched [default: the working directory]
    #[arg(value_name = "FOLDER")]
    target: Option<String>,
    /// List modules from outside the project, too
    #[arg(long)]
    external: bool,
    /// Only list groups of files that import each other
    #[arg(long)]
    cycles: bool,
    /// Output form
    #[arg(long, value_name = "FORM", value_enum, default_value_t)]
    format: Form,
    #[command(flatten)]
    project: ProjectArgs,
}

const EXAMPLES: &str = "\
Examples:
  cst deps src/app.py
  cst deps --cycles
  cst deps --format dot | dot -Tsvg -o deps.svg";

impl Deps {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        // One word may be the folder.
        let (path, target) = match (self.path, self.target) {
            (Some(word), None) if std::path::Path::new(&word).is_dir() => (None, Some(word)),
            words => words,
        };
        let request = DepsRequest {
            path,
            targets: self.project.targets(target.as_ref(), caller)?,
            external: self.external,
            reading: self.project.reading(),
        };
        let found = caller.ask(&request)?;
        let mut printer = caller.console.printer();
        match (printer.format(), self.format) {
            (Format::Json, _) => printer.answer(&found)?,
            (Format::JsonLines, _) => found.files.iter().try_for_each(|file| printer.json(file))?,
            (Format::Text, Form::Dot) => printer.text(&graph::dot("deps", &edges(&found)))?,
            (Format::Text, Form::Mermaid) => printer.text(&graph::mermaid(&edges(&found)))?,
            (Format::Text, Form::Text) if self.cycles => {
                for group in &found.cycles {
                    printer.line(format!("{}: {}", plural(group.len(), "file"), group.join("  ")))?;
                }
                printer.note(plural(found.cycles.len(), "cycle"))?;
            }
            (Format::Text, Form::Text) => {
                print_files(&found, &mut printer)?;
                report::print_project(&found.project, found.unsaved, &found.skipped, &mut printer)?;
                let files = plural(found.files.len(), "file");
                printer.note(format!("{files}, {}", plural(found.cycles.len(), "cycle")))?;
            }
        }
        drop(printer);
        let any = if self.cycles { !found.cycles.is_empty() } else { !found.files.is_empty() };
        Ok(Exit::when(any).unless_failed(&found.skipped))
    }
}

fn print_files(found: &DepsResponse, printer: &mut Printer) -> std::io::Result<()> {
    for file in &found.files {
        let path = printer.paint(PATH, &file.path);
        printer.line(path)?;
        for import in &file.imports {
            printer.line(format!("  imports {} in line {}", import.path, import.line))?;
        }
        for import in &file.external {
            printer.line(format!("  imports {} from outside in line {}", import.path, import.line))?;
        }
        for import in &file.missing {
            printer.line(format!("  missing {} in line {}", import.path, import.line))?;
        }
        for path in &file.imported_by {
            printer.line(format!("  imported by {path}"))?;
        }
    }
    Ok(())
}

/// The files that import others, with these.
fn edges(found: &DepsResponse) -> Vec<(&str, &str)> {
    let of_file = |file: &'_ FileDeps| file.imports.len();
    let mut edges = Vec::with_capacity(found.files.iter().map(of_file).sum());
    for file in &found.files {
        edges.extend(file.imports.iter().map(|import| (file.path.as_str(), import.path.as_str())));
    }
    edges
}
