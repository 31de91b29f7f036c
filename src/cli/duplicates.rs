//! `duplicates`: code that occurs several times.

use clap::Args;

use crate::request::{DuplicatesRequest, DuplicatesResponse};

use super::caller::Caller;
use super::exit::Exit;
use super::failure::Failure;
use super::printer::Format;
use super::report::{self, in_unrecognised_language, plural};
use super::targets::{Changed, Reading, Walking};

/// Lists code that occurs several times
///
/// Compares whole statements and definitions of all files. Names may differ, if each has one counterpart; literals may not, and
/// comments do not count. The groups with the most code to save come first. Exit status 1 if there are none.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Duplicates {
    /// Files, folders, trees, or `-` with --stdin-filename or -t for standard input; default: the working directory
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
    /// Only code of at least N tokens
    #[arg(long, value_name = "N", default_value_t = 50)]
    min_tokens: usize,
    /// List at most N groups; default: 20 as text, all with --json and --jsonl
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
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
  cst duplicates src
  cst duplicates --min-tokens 100 --json src tests";

/// How many groups are listed as text.
const SHOWN: usize = 20;

impl Duplicates {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        let targets = self.reading.any_targets(&self.targets, self.name.as_deref(), &mut caller.input)?;
        let most = if caller.console.format() == Format::Text { Some(SHOWN) } else { None };
        let request = DuplicatesRequest {
            targets,
            min_tokens: Some(self.min_tokens),
            limit: self.limit.or(most),
            reading: self.changed.limit(self.reading.request(Some(&self.walking))),
        };
        let found = caller.ask(&request)?;
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json => printer.answer(&found)?,
            Format::JsonLines => found.groups.iter().try_for_each(|group| printer.json(group))?,
            Format::Text => {
                for group in &found.groups {
                    let names = if group.renamed { ", names differ" } else { "" };
                    let (lines, tokens) = (plural(group.lines, "line"), plural(group.tokens, "token"));
                    printer.line(format!("{lines}, {tokens}, {}{names}", plural(group.places.len(), "place")))?;
                    for place in &group.places {
                        let shown = printer.place(&place.path, place.start_line, place.start_col);
                        printer.line(format!("  {shown}-{}", place.end_line))?;
                    }
                }
                report::print_skipped(&found.skipped, &mut printer)?;
                printer.note(summary(&found))?;
            }
        }
        drop(printer);
        let any = !found.groups.is_empty() || found.more_groups > 0;
        Ok(Exit::when(any).unless_failed(&found.skipped))
    }
}

fn summary(found: &DuplicatesResponse) -> String {
    let groups = plural(found.groups.len() + found.more_groups, "group");
    #[allow(clippy::cast_precision_loss)]
    let share = 100.0 * found.duplicated_lines as f64 / found.lines.max(1) as f64;
    let mut text = format!(
        "{groups} with {} of {} ({share:.1} %) in {}",
        found.duplicated_lines,
        plural(found.lines, "line"),
        plural(found.files, "file")
    );
    if found.more_groups > 0 {
        text.push_str(&format!("; {} not listed: raise --limit", plural(found.more_groups, "group")));
    }
    if found.unknown_language > 0 {
        text.push_str(&format!("; {}", in_unrecognised_language(found.unknown_language)));
    }
    text
}
