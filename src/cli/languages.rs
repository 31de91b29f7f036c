//! `languages`: what can be read.

use clap::Args;

use crate::engine::{LanguagesRequest, Request, Response};

use super::failure::Failure;
use super::printer::{ERROR, Format, NAME, QUIET};
use super::{Caller, Exit};

/// Lists the languages known
///
/// Prints `language  extensions  other names` for each; with --json the kinds that each has, too.
#[derive(Debug, Args)]
pub(super) struct Languages {}

impl Languages {
    pub(super) fn run(self, caller: &Caller) -> Result<Exit, Failure> {
        let request = Request::Languages(LanguagesRequest {});
        let Response::Languages(known) = caller.ask(request)? else { return Err(Failure::mismatched()) };
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json => printer.json(&known)?,
            Format::JsonLines => known.languages.iter().try_for_each(|language| printer.json(language))?,
            Format::Text => {
                for language in &known.languages {
                    let name = printer.paint(NAME, &language.name);
                    let extensions: Vec<_> =
                        language.extensions.iter().map(|extension| format!(".{extension}")).collect();
                    let others = printer.paint(QUIET, language.aliases.join(" "));
                    let line = format!("{name}  {}  {others}", extensions.join(" "));
                    printer.line(line.trim_end())?;
                    if let Some(error) = &language.error {
                        let label = printer.paint(ERROR, "error");
                        printer.line(format!("  {label}: {}", error.replace('\n', "\n  ")))?;
                    }
                }
            }
        }
        Ok(Exit::Done)
    }
}
