//! `outline`: definitions with their signatures.

use std::io;

use clap::{Args, ValueEnum};

use crate::engine::{
    DefinitionRow, OutlineFormat, OutlineRequest, OutlineResponse, OutlinedFile, Request, Response, Target, TreeTarget,
};
use crate::outline::ID_COLUMN;

use super::check::plural;
use super::console::Streaming;
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
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: usize,
    /// Leave the node ids out
    #[arg(long)]
    no_ids: bool,
    /// How it is written
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    format: Style,
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

/// How an outline is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Style {
    /// An indented text
    #[default]
    Text,
    /// The source lines on which the names stand
    Cline,
}

impl Outline {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        let targets = self.reading.targets(&self.targets, self.name.as_deref(), &mut caller.input)?;
        let format = match (caller.console.format(), self.format) {
            (Format::Text, Style::Text) => text_format(!self.no_ids, caller),
            (Format::Text, Style::Cline) => OutlineFormat::Cline,
            _ => OutlineFormat::Json,
        };
        let request = OutlineRequest {
            targets,
            kinds: self.kinds,
            depth: self.depth,
            docs: self.docs,
            limit: Some(self.limit),
            format: Some(format),
            revisions: false,
            reading: self.reading.request(Some(&self.walking)),
        };
        if caller.console.format() != Format::Json {
            let style = OutlineStyle { style: self.format, ids: !self.no_ids };
            caller.console.stream(Streaming::Outlines(style));
        }
        let outlined = asked(request, caller)?;
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json => printer.json(&outlined)?,
            Format::JsonLines => {}
            Format::Text => {
                find::skipped(&outlined.skipped, &mut printer)?;
                if outlined.unknown_language > 0 {
                    printer.note(format!("{} in no language known", plural(outlined.unknown_language, "file")))?;
                }
                if outlined.more_files > 0 {
                    let (more, limit) = (plural(outlined.more_files, "more file"), self.limit);
                    printer.line(format!("{more} (limit {limit} reached: narrow the path, or --limit)"))?;
                }
            }
        }
        drop(printer);
        Ok(Exit::when(!outlined.files.is_empty() || caller.console.streamed() > 0))
    }
}

/// How the outlines of files are printed.
#[derive(Debug, Clone, Copy)]
pub(super) struct OutlineStyle {
    style: Style,
    ids: bool,
}

impl OutlineStyle {
    /// Prints a file's outline.
    pub(super) fn print(self, file: &OutlinedFile, is_first: bool, printer: &mut Printer) -> io::Result<()> {
        if printer.format() == Format::JsonLines {
            return printer.json(file);
        }
        if !is_first && self.style == Style::Cline {
            printer.line("")?;
        }
        print(file, self.ids, printer)
    }
}

/// The outline of trees, as text.
pub(super) fn of_trees(ids: Vec<String>, caller: &Caller) -> Result<OutlineResponse, Failure> {
    let targets = ids.into_iter().map(|tree_id| Target::Tree(TreeTarget { tree_id })).collect();
    asked(OutlineRequest { targets, format: Some(text_format(true, caller)), ..OutlineRequest::default() }, caller)
}

/// What is asked of the engine for a text: the text itself, where it needs no colour and nothing is left out.
fn text_format(ids: bool, caller: &Caller) -> OutlineFormat {
    if ids && caller.console.printer().is_plain() { OutlineFormat::Text } else { OutlineFormat::Json }
}

fn asked(request: OutlineRequest, caller: &Caller) -> Result<OutlineResponse, Failure> {
    match caller.ask(Request::Outline(request))? {
        Response::Outline(outlined) => Ok(outlined),
        _ => Err(Failure::mismatched()),
    }
}

/// A file's outline: as the engine wrote it, or of its rows, in colour.
pub(super) fn print(file: &OutlinedFile, ids: bool, printer: &mut Printer) -> io::Result<()> {
    if let Some(text) = &file.text {
        return printer.text(text);
    }
    let heading = file.heading();
    let shown = match file.path.as_deref().and_then(|path| Some((path, heading.strip_prefix(path)?))) {
        Some((path, rest)) => format!("{}{rest}", printer.link(path)),
        None => heading,
    };
    printer.line(shown)?;
    for row in &file.definitions {
        let line = definition(row, ids, printer);
        printer.line(line)?;
        if let Some(doc) = &row.doc {
            let line = format!("{:>8}  {}  {}", "", "  ".repeat(row.depth), printer.source(doc));
            printer.line(line)?;
        }
    }
    Ok(())
}

/// A definition's line: its line numbers, its signature, and its id at the end.
fn definition(row: &DefinitionRow, ids: bool, printer: &Printer) -> String {
    let numbers = format!("{:>8}", format!("{}-{}", row.start_line, row.end_line));
    let signature = format!("{}{}", "  ".repeat(row.depth), row.signature);
    let gap = ID_COLUMN.saturating_sub(numbers.chars().count() + 2 + signature.chars().count()).max(3);
    let shown = format!("{}  {}", printer.paint(NUMBER, numbers), printer.source(&signature));
    if ids { format!("{shown}{:gap$}{}", "", printer.paint(QUIET, &row.node_id)) } else { shown }
}
