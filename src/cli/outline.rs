//! `outline`: definitions with their signatures.

use std::io;

use clap::{Args, ValueEnum};

use crate::engine::{
    DefinitionRow, OutlineFormat, OutlineRequest, OutlineResponse, OutlinedFile, Request, Response, Target, TreeTarget,
};
use crate::outline::ID_COLUMN;

use super::console::Streaming;
use super::failure::Failure;
use super::printer::{Format, NUMBER, Printer, QUIET};
use super::report::{self, in_unrecognised_language, plural};
use super::targets::{Changed, Reading, Walking};
use super::{Caller, Exit};

/// Lists definitions, with signatures and without bodies
///
/// Prints one line per definition, nested as in the code, with its line numbers and its node id.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Outline {
    /// Files, folders, trees, or `-` with --stdin-filename or -t for standard input; default: the working directory
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
    /// Only definitions of these kinds, separated by commas
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    kind: Vec<String>,
    /// Number of levels; 1 shows the top level only
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    /// Show the first line of each definition's documentation
    #[arg(long)]
    docs: bool,
    /// Show at most N files; default: 50 as text, all with --json and --jsonl
    #[arg(long, value_name = "N")]
    max_files: Option<usize>,
    /// Omit node ids
    #[arg(long)]
    no_ids: bool,
    /// In which form
    #[arg(long = "as", value_name = "FORM", value_enum, default_value_t)]
    form: Style,
    /// The file name of standard input, which decides its language
    #[arg(long = "stdin-filename", value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    changed: Changed,
    #[command(flatten)]
    walking: Walking,
    #[command(flatten)]
    reading: Reading,
}

const EXAMPLES: &str = "\
Examples:
  cst outline src/
  cst outline app.py --kind class,function --depth 2 --docs";

/// How many files are shown to a person.
const SHOWN: usize = 50;

/// How an outline is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Style {
    /// An indented text
    #[default]
    Text,
    /// The source lines with the names
    Cline,
}

impl Outline {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        let targets = self.reading.targets(&self.targets, self.name.as_deref(), &mut caller.input)?;
        let format = match (caller.console.format(), self.form) {
            (Format::Text, Style::Text) => text_format(!self.no_ids, caller),
            (Format::Text, Style::Cline) => OutlineFormat::Cline,
            _ => OutlineFormat::Json,
        };
        let most = if caller.console.format() == Format::Text { SHOWN } else { usize::MAX };
        let limit = self.max_files.unwrap_or(most);
        let request = OutlineRequest {
            targets,
            kinds: self.kind,
            depth: self.depth,
            docs: self.docs,
            limit: Some(limit),
            format: Some(format),
            revisions: false,
            reading: self.changed.limit(self.reading.request(Some(&self.walking))),
        };
        if caller.console.format() != Format::Json {
            let style = OutlineStyle { style: self.form, ids: !self.no_ids };
            caller.console.stream(Streaming::Outlines(style));
        }
        let outlined = asked(request, caller)?;
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json => printer.answer(&outlined)?,
            Format::JsonLines => report::skipped(&outlined.skipped, &mut printer)?,
            Format::Text => {
                report::skipped(&outlined.skipped, &mut printer)?;
                if outlined.unknown_language > 0 {
                    printer.note(in_unrecognised_language(outlined.unknown_language))?;
                }
                if outlined.more_files > 0 {
                    let more = plural(outlined.more_files, "more file");
                    printer.line(format!("{more} (only {limit} shown: narrow the path, or raise --max-files)"))?;
                }
            }
        }
        drop(printer);
        let any = !outlined.files.is_empty() || caller.console.streamed() > 0;
        Ok(Exit::when(any).unless_failed(&outlined.skipped))
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
