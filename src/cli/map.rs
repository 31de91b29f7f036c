//! `map`: the definitions that a project uses most.

use clap::Args;

use crate::request::MapRequest;

use super::caller::Caller;
use super::exit::Exit;
use super::failure::Failure;
use super::printer::{Format, NUMBER};
use super::project::ProjectArgs;
use super::report::{self, plural};

/// Shows the skeleton of a project in a number of tokens
///
/// Lists the signatures of the definitions that the rest of the project uses most, under their files. The order is an estimate:
/// names are compared as text, and the files that are themselves used most count most. With --focus, what these files and
/// definitions use comes first.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Map {
    /// Only definitions in this file or folder of the project
    #[arg(value_name = "PATH")]
    path: Option<String>,
    /// A file or folder of the project to search; only what is in it is listed [default: the working directory]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<String>,
    /// Print at most so many tokens
    #[arg(long, value_name = "N", default_value_t = 2000)]
    tokens: usize,
    /// A path, or the name of a definition, to focus on; may be repeated
    #[arg(long, value_name = "PATH|NAME")]
    focus: Vec<String>,
    #[command(flatten)]
    project: ProjectArgs,
}

const EXAMPLES: &str = "\
Examples:
  cst map --tokens 4000
  cst map src/server --focus src/server/handler.py";

impl Map {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        let targets = self.project.targets(self.folder.as_ref(), caller)?;
        let request = MapRequest {
            path: self.path,
            targets,
            tokens: Some(self.tokens),
            focus: self.focus,
            reading: self.project.reading(),
        };
        let found = caller.ask(&request)?;
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json => printer.answer(&found)?,
            Format::JsonLines => {
                found.files.iter().try_for_each(|file| printer.json(file))?;
                report::print_project(&found.project, found.unsaved, &found.skipped, &mut printer)?;
            }
            Format::Text => {
                for file in &found.files {
                    let path = printer.link(&file.path);
                    printer.line(path)?;
                    for definition in &file.definitions {
                        let number = definition.line.to_string();
                        let text = definition.to_string().replacen(&number, &printer.paint(NUMBER, &number), 1);
                        printer.line(text)?;
                    }
                }
                report::print_project(&found.project, found.unsaved, &found.skipped, &mut printer)?;
                let all = plural(found.definitions, "definition");
                printer.note(format!("{} of {all}, {}", found.listed, plural(found.tokens, "token")))?;
            }
        }
        drop(printer);
        Ok(Exit::when(!found.files.is_empty()).unless_failed(&found.skipped))
    }
}
