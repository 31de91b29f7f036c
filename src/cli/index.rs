//! `index`: what parsing folders gives, kept.

use clap::Args;

use crate::engine::{IndexRequest, Request, Response};

use super::check::plural;
use super::failure::Failure;
use super::find;
use super::printer::Format;
use super::targets::{Reading, Walking};
use super::{Caller, Exit};

/// Keeps what parsing the files of folders gives, for faster searches
///
/// `find`, `outline` and `check` over the folder, or one in it, then read only files that changed; `--cache` keeps the index up to
/// date while it searches. An answer is always the same as without. The index is in CST_CACHE, else in the user's cache folder.
#[derive(Debug, Args)]
pub(super) struct Index {
    /// Folders; the working directory otherwise
    #[arg(value_name = "FOLDER")]
    targets: Vec<String>,
    #[command(flatten)]
    walking: Walking,
    #[command(flatten)]
    reading: Reading,
}

impl Index {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        let targets = if self.targets.is_empty() { vec![".".to_owned()] } else { self.targets.clone() };
        let mut printer = caller.console.printer();
        for target in targets {
            let targets = self.reading.targets(&[target], None, &mut caller.input)?;
            let request = IndexRequest { targets, reading: self.reading.request(Some(&self.walking)) };
            let Response::Index(made) = caller.ask(Request::Index(request))? else { return Err(Failure::mismatched()) };
            match printer.format() {
                Format::Json | Format::JsonLines => printer.json(&made)?,
                Format::Text => {
                    find::skipped(&made.skipped, &mut printer)?;
                    let indexed = plural(made.indexed, "file");
                    printer.note(format!("{indexed} parsed, {} kept as they were", made.kept))?;
                }
            }
        }
        Ok(Exit::Done)
    }
}
