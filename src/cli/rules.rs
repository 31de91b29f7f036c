//! `rules`: what can be done with rules beside running them.

use clap::{Args, Subcommand};

use crate::request::{ConvertRulesRequest, ConvertRulesResponse};

use super::caller::Caller;
use super::exit::Exit;
use super::failure::Failure;
use super::printer::{Format, Printer};
use super::report::plural;

/// Converts rules of other tools
#[derive(Debug, Args)]
pub(super) struct Rules {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Convert(Convert),
}

/// Prints rules of ast-grep, or a query of tree-sitter, as a file of rules
///
/// Conditions become one selector; what a selector cannot say is named on standard error. `cst scan` runs the rules of both tools as they
/// are, too. Exit status 1 if something was left out.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
struct Convert {
    /// A file with rules of ast-grep (.yml), or a query of tree-sitter (.scm)
    #[arg(value_name = "FILE")]
    file: String,
    /// The language of a query of tree-sitter
    #[arg(short = 't', long, value_name = "LANGUAGE")]
    language: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  cst rules convert rules/no-console-log.yml > .cst/rules/no-console-log.toml
  cst rules convert -t python queries/tags.scm";

impl Rules {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        let Command::Convert(Convert { file, language }) = self.command;
        let converted = caller.ask(&ConvertRulesRequest::new(file).in_language(language))?;
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json | Format::JsonLines => printer.answer(&converted)?,
            Format::Text => print(&converted, &mut printer)?,
        }
        let is_whole = converted.rules.iter().all(|rule| rule.lost.is_empty());
        Ok(if !converted.problems.is_empty() { Exit::Failed } else { Exit::when(is_whole) })
    }
}

fn print(converted: &ConvertRulesResponse, printer: &mut Printer) -> Result<(), Failure> {
    for line in converted.toml.lines() {
        printer.line(line)?;
    }
    for problem in &converted.problems {
        printer.note(&problem.error.message)?;
    }
    for rule in &converted.rules {
        for lost in &rule.lost {
            let line = lost.line.map(|line| format!(", line {line}")).unwrap_or_default();
            printer.note(format!("not converted: {}{line}: {}", rule.rule, lost.what))?;
        }
    }
    let whole = converted.rules.iter().filter(|rule| rule.lost.is_empty()).count();
    printer.note(format!("{}, {whole} of them whole", plural(converted.rules.len(), "rule")))?;
    Ok(())
}
