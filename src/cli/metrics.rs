//! `metrics`: complexity, nesting and sizes of functions and files.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::metrics::Measure;
use crate::request::{LanguageMetrics, MetricsRequest, MetricsResponse, NumberRow};

use super::caller::Caller;
use super::exit::Exit;
use super::failure::Failure;
use super::printer::{Format, NAME, Printer};
use super::report::{self, in_unrecognised_language, plural};
use super::targets::{Changed, Reading, Walking};

/// Lists how complex functions are, and how large files are
///
/// Prints for each function its complexity, cognitive complexity, nesting, statements and lines of code, the largest first, and sums for
/// each language. docs/metrics.md says what is counted.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Metrics {
    /// Files, folders, trees, or `-` with --stdin-filename or -t for standard input; default: the working directory
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
    /// List files with the sums of their functions
    #[arg(long)]
    files: bool,
    /// The number by which to sort, the largest first
    #[arg(long, value_name = "NUMBER", value_parser = measures(), default_value = "complexity")]
    sort: Measure,
    /// List at most N functions or files; default: 20 as text, 200 functions on the page, all with --json and --jsonl
    #[arg(long, value_name = "N")]
    top: Option<usize>,
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

/// How the numbers are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// Tables
    #[default]
    Text,
    /// A page with a map of the files, which needs no network
    Html,
}

const EXAMPLES: &str = "\
Examples:
  cst metrics src
  cst metrics --sort cognitive --top 50
  cst metrics --files --sort code_lines src
  cst metrics --format html src > metrics.html";

/// How many functions or files are listed as text.
const SHOWN: usize = 20;
/// How many functions are listed on the page.
const SHOWN_ON_PAGE: usize = 200;
/// The page, with a mark where the numbers go.
const PAGE: &str = include_str!("metrics_page.html");

fn measures() -> impl TypedValueParser<Value = Measure> {
    let names = PossibleValuesParser::new(Measure::ALL.iter().map(|measure| measure.as_str()));
    names.map(|name| Measure::named(&name).unwrap_or(Measure::Complexity))
}

impl Metrics {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        let targets = self.reading.any_targets(&self.targets, self.name.as_deref(), &mut caller.input)?;
        let format = caller.console.format();
        let is_page = format == Format::Text && self.format == Form::Html;
        let top = match format {
            // All files are on the page.
            Format::Text if !is_page => Some(self.top.unwrap_or(SHOWN)),
            Format::Text => None,
            _ => self.top,
        };
        let request = MetricsRequest {
            targets,
            sort: Some(self.sort),
            top,
            files: self.files || is_page,
            reading: self.changed.limit(self.reading.request(Some(&self.walking))),
        };
        let mut found = caller.ask(&request)?;
        let mut printer = caller.console.printer();
        match format {
            Format::Json => printer.answer(&found)?,
            Format::JsonLines if self.files => found.files.iter().try_for_each(|row| printer.json(row))?,
            Format::JsonLines => found.functions.iter().try_for_each(|row| printer.json(row))?,
            Format::Text if is_page => {
                let top = self.top.unwrap_or(SHOWN_ON_PAGE);
                found.more_functions += found.functions.len().saturating_sub(top);
                found.functions.truncate(top);
                printer.text(&page(&found, self.sort)?)?;
                report::print_skipped(&found.skipped, &mut printer)?;
            }
            Format::Text => {
                let is_any = if self.files {
                    print_files(&found, &mut printer)?
                } else {
                    print_functions(&found, &mut printer)?
                };
                if is_any {
                    printer.line("")?;
                }
                print_languages(&found.languages, &mut printer)?;
                report::print_skipped(&found.skipped, &mut printer)?;
                printer.note(summary(&found, self.files))?;
            }
        }
        drop(printer);
        Ok(Exit::when(!found.languages.is_empty()).unless_failed(&found.skipped))
    }
}

/// The page with the numbers in it.
fn page(found: &MetricsResponse, sort: Measure) -> std::io::Result<String> {
    let mut data = serde_json::to_value(found)?;
    data["sort"] = sort.as_str().into();
    if data["files"].is_null() {
        data["files"] = serde_json::Value::Array(Vec::new());
    }
    // A text in a script ends at the first `</script`.
    Ok(PAGE.replace("@DATA@", &data.to_string().replace('<', "\\u003c")))
}

const HEADS: &str = "complexity cognitive nesting statements   code";

fn row(numbers: &NumberRow) -> String {
    let NumberRow { complexity, cognitive, nesting, statements, code_lines, .. } = numbers;
    format!("{complexity:>10} {cognitive:>9} {nesting:>7} {statements:>10} {code_lines:>6}")
}

fn print_functions(found: &MetricsResponse, printer: &mut Printer) -> std::io::Result<bool> {
    printer.columns(&format!("{HEADS}  function"))?;
    for function in &found.functions {
        let place = printer.place(&function.path, function.start_line, function.start_col);
        let name =
            function.qualname.as_deref().map_or_else(String::new, |name| format!("  {}", printer.paint(NAME, name)));
        printer.line(format!("{}  {place}{name}", row(&function.numbers)))?;
    }
    Ok(!found.functions.is_empty())
}

fn print_files(found: &MetricsResponse, printer: &mut Printer) -> std::io::Result<bool> {
    printer.columns(&format!("{HEADS} functions largest  file"))?;
    for file in &found.files {
        let (functions, largest, path) = (file.functions, file.max_complexity, printer.link(&file.path));
        printer.line(format!("{} {functions:>9} {largest:>7}  {path}", row(&file.numbers)))?;
    }
    Ok(!found.files.is_empty())
}

fn print_languages(languages: &[LanguageMetrics], printer: &mut Printer) -> std::io::Result<()> {
    let width = languages.iter().map(|row| row.language.len()).max().unwrap_or_default().max("language".len());
    printer.columns(&format!(
        "{:<width$}  files    lines     code comments functions complexity largest  mean",
        "language"
    ))?;
    for row in languages {
        let LanguageMetrics { language, files, lines, functions, max_complexity, numbers, .. } = row;
        #[allow(clippy::cast_precision_loss)]
        let mean = numbers.complexity as f64 / (*functions).max(1) as f64;
        let (code, comments, complexity) = (numbers.code_lines, numbers.comments, numbers.complexity);
        printer.line(format!(
            "{language:<width$} {files:>6} {lines:>8} {code:>8} {comments:>8} {functions:>9} {complexity:>10} {max_complexity:>7} {mean:>5.1}"
        ))?;
    }
    Ok(())
}

fn summary(found: &MetricsResponse, files: bool) -> String {
    let sum = |of: fn(&LanguageMetrics) -> usize| found.languages.iter().map(of).sum::<usize>();
    let mut text =
        format!("{} in {}", plural(sum(|row| row.functions), "function"), plural(sum(|row| row.files), "file"));
    let (more, noun) = if files { (found.more_files, "file") } else { (found.more_functions, "function") };
    if more > 0 {
        text.push_str(&format!("; {} not listed: raise --top", plural(more, noun)));
    }
    if found.unknown_language > 0 {
        text.push_str(&format!("; {}", in_unrecognised_language(found.unknown_language)));
    }
    text
}
