//! `trust`: which projects' configurations may run programs.

use std::io;
use std::path::PathBuf;

use clap::Args;

use crate::engine::{TrustState, TrustedFile};

use super::caller::Caller;
use super::exit::Exit;
use super::failure::Failure;
use super::printer::{ADDED, ERROR, Format, KIND, Printer};

/// Lets a project's .cst/config.toml run the checks that it names
///
/// A repository could name any program in its .cst/config.toml, so none of them runs until you trust the file. `cst trust` shows
/// them and stores the hash of the file in your state folder; a file that changes has to be trusted again. The file is that of DIR
/// or of the nearest folder above it, up to the root of its git repository. A file that other users may write cannot be trusted.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Trust {
    /// The project; default: the working directory
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// List what is trusted
    #[arg(long, conflicts_with_all = ["folder", "revoke"])]
    list: bool,
    /// Revoke the trust
    #[arg(long)]
    revoke: bool,
}

const EXAMPLES: &str = "\
Examples:
  cst trust                 trust the project around the working directory
  cst trust --list          path, state, and the commands it may run
  cst trust --revoke lib/

Exit status: 0 done; 1 with --list, nothing is trusted; 2 an error.";

impl Trust {
    pub(super) fn run(self, caller: &Caller) -> Result<Exit, Failure> {
        let folder = self.folder.unwrap_or_else(|| PathBuf::from("."));
        let files = match (self.list, self.revoke) {
            (true, _) => caller.engine.trusted_files()?,
            (_, true) => vec![caller.engine.revoke(&folder)?],
            _ => vec![caller.engine.trust(&folder)?],
        };
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json => printer.answer(&serde_json::json!({"files": files}))?,
            Format::JsonLines => files.iter().try_for_each(|file| printer.json(file))?,
            Format::Text => files.iter().try_for_each(|file| print(file, &mut printer))?,
        }
        if files.is_empty() && printer.format() == Format::Text {
            printer.note("nothing is trusted")?;
        }
        Ok(Exit::when(!files.is_empty()))
    }
}

fn print(file: &TrustedFile, printer: &mut Printer) -> io::Result<()> {
    let state = match file.state {
        TrustState::Trusted => printer.paint(ADDED, "trusted"),
        TrustState::Changed => printer.paint(ERROR, "changed: not trusted any more"),
        TrustState::Gone => "gone".to_owned(),
        TrustState::Revoked => "revoked".to_owned(),
    };
    let path = printer.link(&file.path);
    printer.line(format!("{path}  {state}"))?;
    for check in &file.checks {
        let language = printer.paint(KIND, &check.language);
        printer.line(format!("  {language}: {}", check.command))?;
    }
    Ok(())
}
