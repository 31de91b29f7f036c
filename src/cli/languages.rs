//! `languages`: what can be read.

use clap::Args;

use crate::request::LanguagesRequest;

use super::caller::Caller;
use super::exit::Exit;
use super::failure::Failure;
use super::printer::{ERROR, Format, NAME, QUIET};
use super::targets::LanguageName;

/// Lists the supported languages
///
/// Prints `language  extensions  aliases` for each; --json adds the kinds of each.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Languages {
    /// Only this language
    #[arg(value_name = "LANGUAGE", value_parser = LanguageName, hide_possible_values = true)]
    language: Option<String>,
    /// List the named selectors and their definitions
    #[arg(long)]
    selectors: bool,
}

const EXAMPLES: &str = "\
Examples:
  cst languages
  cst languages python --selectors";

impl Languages {
    pub(super) fn run(self, caller: &Caller) -> Result<Exit, Failure> {
        let known = caller.ask(&LanguagesRequest { language: self.language, selectors: self.selectors })?;
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json => printer.answer(&known)?,
            Format::JsonLines => known.languages.iter().try_for_each(|language| printer.json(language))?,
            Format::Text => {
                for language in &known.languages {
                    let name = printer.paint(NAME, &language.name);
                    let extensions: Vec<_> =
                        language.extensions.iter().map(|extension| format!(".{extension}")).collect();
                    let others = printer.paint(QUIET, language.aliases.join(" "));
                    let line = format!("{name}  {}  {others}", extensions.join(" "));
                    printer.line(line.trim_end())?;
                    for definition in &language.selectors {
                        printer.line(format!("  {definition}"))?;
                    }
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
