//! `outline`: definitions with their signatures.

use std::io;

use clap::Args;

use crate::engine::{DefinitionRow, OutlineRequest, OutlinedFile, Request, Response};

use super::check::plural;
use super::failure::Failure;
use super::find;
use super::printer::{Format, NUMBER, Printer, QUIET};
use super::targets::{Reading, Walking};
use super::{Caller, Exit};

/// Lists definitions, with signatures and without bodies
///
/// One line a definition, nested as in the code, with its lines and its node id.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Outline {
    /// Files, folders, trees, or `-` with --name or --language for standard input; the working directory otherwise
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
    /// Only definitions of these kinds
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    kinds: Vec<String>,
    /// How many levels; 1 is the top level alone
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    /// The first line of each definition's documentation too
    #[arg(long)]
    docs: bool,
    /// The most files
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Leave the node ids out
    #[arg(long)]
    no_ids: bool,
    /// The file name that says what standard input is
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    walking: Walking,
    #[command(flatten)]
    reading: Reading,
}

const EXAMPLES: &str = "\
Examples:
  cst outline src/
  cst outline app.py --kinds class,function --depth 2 --docs";

impl Outline {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        let targets = self.reading.targets(&self.targets, self.name.as_deref(), &mut caller.input)?;
        let request = OutlineRequest {
            targets,
            kinds: self.kinds,
            depth: self.depth,
            docs: self.docs,
            limit: self.limit,
            format: None,
            reading: self.reading.request(Some(&self.walking)),
        };
        let Response::Outline(outlined) = caller.ask(Request::Outline(request))? else {
            return Err(Failure::mismatched());
        };
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json => printer.json(&outlined)?,
            Format::JsonLines => outlined.files.iter().try_for_each(|file| printer.json(file))?,
            Format::Text => {
                for file in &outlined.files {
                    heading(file, &mut printer)?;
                    definitions(&file.definitions, !self.no_ids, &mut printer)?;
                }
                find::skipped(&outlined.skipped, &mut printer)?;
                if outlined.more_files > 0 {
                    let more = plural(outlined.more_files, "more file");
                    printer.line(format!("{more} (narrow the path, or give a higher --limit)"))?;
                }
            }
        }
        Ok(Exit::when(!outlined.files.is_empty()))
    }
}

/// `src/app.py  (python, 212 lines, 2 syntax errors: 7:3, 19:1)`
fn heading(file: &OutlinedFile, printer: &mut Printer) -> io::Result<()> {
    let path = file.path.as_deref().map_or("-".to_owned(), |path| printer.link(path));
    let mut about = format!("{}, {}", file.language, plural(file.lines, "line"));
    if !file.errors.is_empty() {
        let places: Vec<_> = file.errors.iter().map(|error| format!("{}:{}", error.line, error.col)).collect();
        about.push_str(&format!(", {}: {}", plural(places.len(), "syntax error"), places.join(", ")));
    }
    printer.line(format!("{path}  ({about})"))
}

/// A line a definition, nested by indentation: `   12-48  class Server(Base)  n4`.
pub(super) fn definitions(rows: &[DefinitionRow], ids: bool, printer: &mut Printer) -> io::Result<()> {
    let lines = |row: &DefinitionRow| format!("{}-{}", row.start_line, row.end_line);
    let widest = rows.iter().map(|row| lines(row).len()).max().unwrap_or(0);
    for row in rows {
        let lines = printer.paint(NUMBER, format!("{:>widest$}", lines(row)));
        let indent = "  ".repeat(row.depth);
        let id = if ids { format!("  {}", printer.paint(QUIET, &row.node_id)) } else { String::new() };
        printer.line(format!("  {lines}  {indent}{}{id}", printer.source(&row.signature)))?;
        if let Some(doc) = row.doc.as_ref().and_then(|doc| doc.lines().next()) {
            let doc = printer.paint(QUIET, printer.source(doc));
            printer.line(format!("  {:widest$}  {indent}  {doc}", ""))?;
        }
    }
    Ok(())
}
