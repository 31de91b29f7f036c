//! `outline`: definitions with their signatures.

use clap::Args;

use crate::request::{OutlineFormat, OutlineRequest, OutlineResponse, Target, TreeTarget};

use super::caller::Caller;
use super::console::Streaming;
use super::definitions::{OutlineStyle, Style};
use super::exit::Exit;
use super::failure::Failure;
use super::printer::Format;
use super::report::{self, in_unrecognised_language, plural};
use super::targets::{Changed, Reading, Walking};

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
    /// Output form
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

/// How many files are shown as text.
const SHOWN: usize = 50;

impl Outline {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        let targets = self.reading.any_targets(&self.targets, self.name.as_deref(), &mut caller.input)?;
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
        let outlined = caller.ask(&request)?;
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json => printer.answer(&outlined)?,
            Format::JsonLines => report::print_skipped(&outlined.skipped, &mut printer)?,
            Format::Text => {
                report::print_skipped(&outlined.skipped, &mut printer)?;
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

/// The outlines of trees, as text.
pub(super) fn of_trees(ids: Vec<String>, caller: &Caller) -> Result<OutlineResponse, Failure> {
    let targets = ids.into_iter().map(|tree_id| Target::Tree(TreeTarget { tree_id })).collect();
    caller.ask(&OutlineRequest { targets, format: Some(text_format(true, caller)), ..OutlineRequest::default() })
}

/// The format to request: finished text, if it needs no colour and is complete.
fn text_format(ids: bool, caller: &Caller) -> OutlineFormat {
    if ids && caller.console.printer().is_plain() { OutlineFormat::Text } else { OutlineFormat::Json }
}
