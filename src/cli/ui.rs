//! `ui`: a page in the browser to search and rewrite a folder.

use std::io;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::Args;

use crate::engine::{Host, Kind};
use crate::serve::{UiServer, UiSettings};

use super::console::Console;
use super::exit::Exit;
use super::failure::Failure;

/// Opens a page in the browser to explore, search and rewrite a folder
///
/// The page shows files, syntax trees and matches, proposes selectors for what you click, and previews rewrites. It is served on this
/// machine alone, at an address with a token that changes with each start. It reads nothing outside of the folder, and changes
/// nothing unless `--write` is given.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Ui {
    /// The folder
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
    /// Let the page change files: apply rewrites, and undo them
    #[arg(long)]
    write: bool,
    /// Print the address, and do not open a browser
    #[arg(long)]
    no_open: bool,
    /// The port; default: a free one
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    port: u16,
}

const EXAMPLES: &str = "\
Examples:
  cst ui
  cst ui --write src/
  cst ui --no-open --port 8080    then, on your own machine: ssh -L 8080:localhost:8080 HOST";

impl Ui {
    pub(super) fn run(self, host: Host, console: &Console) -> Result<Exit, Failure> {
        let folder = host.working_directory.join(&self.folder);
        let shown = self.folder.display().to_string();
        let resolved = host.files.resolve(&folder).map_err(|error| Failure::unreadable(&shown, &error))?;
        let facts = host.files.facts(&resolved).map_err(|error| Failure::unreadable(&shown, &error))?;
        if facts.kind != Kind::Folder {
            return Err(Failure::usage(format!("`{shown}` is not a directory"), "`cst ui` takes a directory"));
        }
        // Without leave to write, nothing is kept either.
        let state = host.state.filter(|_| self.write);
        let host = Host { working_directory: resolved.clone(), root: Some(resolved), state, ..host };
        let settings = UiSettings { port: self.port, writes: self.write };
        let server = UiServer::new(host, settings).map_err(|error| unserved(self.port, &error))?;
        let url = server.url();
        // The printer is free again while the page is served.
        {
            let mut printer = console.printer();
            printer.line(&url)?;
            printer.flush()?;
        }
        if !self.no_open {
            open(&url);
        }
        server.run().map_err(|error| Failure::unreadable("127.0.0.1", &error))?;
        Ok(Exit::Done)
    }
}

/// The error of a port that cannot be listened on.
fn unserved(port: u16, error: &io::Error) -> Failure {
    let reason = match error.kind() {
        io::ErrorKind::AddrInUse => "another program uses it".to_owned(),
        io::ErrorKind::PermissionDenied => "that needs more rights".to_owned(),
        _ => error.to_string(),
    };
    let message = format!("can't serve the page on port {port}: {reason}");
    Failure::usage(message, "another `--port`, or none for any free one")
}

/// Opens an address in the user's browser. If there is none, the address was printed.
fn open(url: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    _ = command.spawn();
}
