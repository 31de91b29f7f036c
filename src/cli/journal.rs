//! `journal`: what coding agents did to which definitions.

use std::path::Path;

use clap::Args;

use crate::agent::journal::{Entry, Journal, Wanted, memory, read};
use crate::engine::Disk;
use crate::request::{EngineError, ErrorCode};

use super::console::Console;
use super::exit::Exit;
use super::failure::Failure;
use super::printer::{ADDED, ERROR, Format, NAME, Printer, QUIET};

/// Shows what coding agents changed
///
/// Prints one line per edit that `cst hook` recorded: time, agent, tool, file, changed definitions (`+` added, `-` removed,
/// `~` changed, `>` renamed or moved), and new syntax errors.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct JournalCommand {
    /// Only edits of this agent
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Only edits of sessions whose id begins with ID
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Only edits of this file, or of files in this folder
    #[arg(long, value_name = "PATH")]
    path: Option<String>,
    /// Only edits that changed this definition, or one inside it
    #[arg(long, value_name = "QUALNAME")]
    qualname: Option<String>,
    /// Only edits that caused a syntax error
    #[arg(long)]
    broken: bool,
}

const EXAMPLES: &str = "\
Examples:
  cst journal --path src/app.py
  cst journal --qualname Server.handle
  cst journal --broken --json";

impl JournalCommand {
    pub(super) fn run(self, console: &Console) -> Result<Exit, Failure> {
        let here = std::env::current_dir().map_err(|error| Failure::unreadable(".", &error))?;
        let here = std::path::absolute(&here).unwrap_or(here);
        let Some(memory) = memory(&here, &Disk) else {
            let error = EngineError::new(ErrorCode::NotFound, "no journal here");
            return none(error.hint("`cst agent install` sets up the hooks that write one"), console);
        };
        let paths = self.path.map(|path| named(&path, &here, &memory)).unwrap_or_default();
        let (session, qualname) = (self.session, self.qualname);
        let wanted = Wanted { agent: self.agent, session, paths, qualname, broken: self.broken };
        let journal = read(&memory, &wanted, &Disk);
        let mut printer = console.printer();
        match printer.format() {
            Format::Json => printer.answer(&journal)?,
            Format::JsonLines => journal.entries.iter().try_for_each(|entry| printer.json(entry))?,
            Format::Text => {
                for entry in &journal.entries {
                    let line = line(entry, &printer);
                    printer.line(line)?;
                }
                if journal.entries.is_empty() {
                    printer.note("no such edits")?;
                }
            }
        }
        if printer.format() != Format::Json {
            print_skipped(&journal, &mut printer)?;
        }
        Ok(Exit::when(!journal.entries.is_empty()))
    }
}

/// Reports that there is no journal, and why.
fn none(error: EngineError, console: &Console) -> Result<Exit, Failure> {
    let mut printer = console.printer();
    match printer.format() {
        Format::Json => printer.answer(&Journal::default())?,
        Format::JsonLines => {}
        Format::Text => Failure::from(error).show(&mut printer)?,
    }
    Ok(Exit::Nothing)
}

/// Reports invalid lines.
fn print_skipped(journal: &Journal, printer: &mut Printer) -> std::io::Result<()> {
    for skipped in &journal.skipped {
        let line = skipped.line.map(|line| format!(":{line}")).unwrap_or_default();
        printer.note(format!("{}{line}: skipped: {}", skipped.path, skipped.why))?;
    }
    Ok(())
}

/// The names that a file may have in the journal: relative to the working directory, relative to the project, or as
/// written.
fn named(path: &str, here: &Path, memory: &Path) -> Vec<String> {
    let plain = path.trim_start_matches("./").trim_end_matches('/');
    let plain = if plain == "." { "" } else { plain };
    let mut names = vec![plain.to_owned()];
    let project = memory.parent().unwrap_or(memory);
    if let Ok(inner) = here.join(plain).strip_prefix(project) {
        names.extend(inner.to_str().map(|inner| inner.replace('\\', "/").trim_end_matches('/').to_owned()));
    }
    names
}

/// `2026-11-21T23:56:35Z  claude-code  Edit  a.py  ~f  2:5: unexpected …`
fn line(entry: &Entry, printer: &Printer) -> String {
    let signed = |changed: &crate::agent::journal::Changed| format!("{}{}", changed.change.sign(), changed.qualname);
    let changed: Vec<String> = entry.changed.iter().map(signed).collect();
    let mut line = format!(
        "{}  {}  {}  {}",
        printer.paint(QUIET, &entry.ts),
        printer.paint(NAME, printer.source(&entry.agent)),
        printer.source(&entry.tool),
        printer.source(&entry.path)
    );
    if !changed.is_empty() {
        line.push_str(&format!("  {}", printer.paint(ADDED, printer.source(&changed.join(" ")))));
    }
    if let Some(error) = entry.new_errors.first() {
        let words = format!("{}:{}: {}", error.line, error.col, printer.source(&error.what));
        line.push_str(&format!("  {}", printer.paint(ERROR, words)));
        if entry.new_errors.len() > 1 {
            line.push_str(&format!(" and {} more", entry.new_errors.len() - 1));
        }
    }
    line
}
