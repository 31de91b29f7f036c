//! `duplicates`: code that occurs several times.

use clap::Args;
use serde_json::{Value, json};

use crate::request::{DuplicateGroup, DuplicatePlace, DuplicatesRequest, DuplicatesResponse};

use super::caller::Caller;
use super::exit::Exit;
use super::failure::Failure;
use super::findings::sarif::{driver, log_of, place, unread};
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
    /// List at most N groups; default: 20 as text, 200 on the page, all in the other forms
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Output form
    #[arg(long, value_name = "FORM", value_enum, default_value_t)]
    format: Form,
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

/// How groups are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// Places
    #[default]
    Text,
    /// SARIF 2.1.0: a result for each place, which names the others
    Sarif,
    /// A page with the code, which needs no network
    Html,
}

const EXAMPLES: &str = "\
Examples:
  cst duplicates src
  cst duplicates --min-tokens 100 --json src tests
  cst duplicates --format html src > duplicates.html";

/// How many groups are listed as text.
const SHOWN: usize = 20;
/// How many groups are on the page.
const SHOWN_ON_PAGE: usize = 200;
/// The page, with a mark where the groups go.
const PAGE: &str = include_str!("duplicates_page.html");
/// The rule that the results in SARIF are of.
const RULE: &str = "cst/duplicates";
/// How many other places a result in SARIF names.
const NAMED: usize = 10;

impl Duplicates {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        let targets = self.reading.any_targets(&self.targets, self.name.as_deref(), &mut caller.input)?;
        let is_text = caller.console.format() == Format::Text;
        let most = match self.format {
            Form::Text if is_text => Some(SHOWN),
            Form::Html if is_text => Some(SHOWN_ON_PAGE),
            _ => None,
        };
        let request = DuplicatesRequest {
            targets,
            min_tokens: Some(self.min_tokens),
            limit: self.limit.or(most),
            code: is_text && self.format != Form::Text,
            reading: self.changed.limit(self.reading.request(Some(&self.walking))),
        };
        let found = caller.ask(&request)?;
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json => printer.answer(&found)?,
            Format::JsonLines => found.groups.iter().try_for_each(|group| printer.json(group))?,
            Format::Text if self.format != Form::Text => {
                match self.format {
                    Form::Html => printer.text(&page(&found)?)?,
                    _ => printer.text(&format!("{:#}\n", sarif(&found)))?,
                }
                report::print_skipped(&found.skipped, &mut printer)?;
            }
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

/// The page with the groups in it.
fn page(found: &DuplicatesResponse) -> std::io::Result<String> {
    // A text in a script ends at the first `</script`.
    Ok(PAGE.replace("@DATA@", &serde_json::to_string(found)?.replace('<', "\\u003c")))
}

/// A result for each place of each group.
fn sarif(found: &DuplicatesResponse) -> Value {
    let about = "Code that occurs several times has to be changed several times. Names may differ between the places.";
    let rule = json!({
        "id": RULE,
        "shortDescription": {"text": "duplicated code"},
        "fullDescription": {"text": about},
        "help": {"text": about, "markdown": about},
        "defaultConfiguration": {"level": "warning"},
    });
    let results = found.groups.iter().flat_map(|group| (0..group.places.len()).map(|number| result(group, number)));
    log_of(json!({
        "tool": driver(vec![rule]),
        "invocations": [{
            "executionSuccessful": true,
            "toolExecutionNotifications": found.skipped.iter().map(unread).collect::<Vec<Value>>(),
        }],
        "results": results.collect::<Vec<Value>>(),
    }))
}

/// One place of a group, as a result that names the others.
fn result(group: &DuplicateGroup, number: usize) -> Value {
    let others = group.places.iter().enumerate().filter(|(other, _)| *other != number).map(|(_, other)| other);
    let related = others.take(NAMED).enumerate().map(|(number, other)| {
        let mut row = location(other);
        row["id"] = json!(number + 1);
        row["message"] = json!({"text": "the same code"});
        row
    });
    let related: Vec<Value> = related.collect();
    let renamed = if group.renamed { " but for names" } else { "" };
    let (lines, places) = (plural(group.lines, "line"), plural(group.places.len() - 1, "other place"));
    let links: Vec<String> = (1..=related.len()).map(|number| format!("[{number}]({number})")).collect();
    json!({
        "ruleId": RULE,
        "ruleIndex": 0,
        "level": "warning",
        "message": {"text": format!("{lines} are the same{renamed} in {places}: {}", links.join(", "))},
        "locations": [location(&group.places[number])],
        "relatedLocations": related,
        "partialFingerprints": {"cst/v1": group.fingerprint.as_deref().unwrap_or_default()},
    })
}

fn location(at: &DuplicatePlace) -> Value {
    let region = json!({
        "startLine": at.start_line,
        "startColumn": at.start_col,
        "endLine": at.end_line,
        "endColumn": at.end_col,
    });
    place(&at.path, Some(region))
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
