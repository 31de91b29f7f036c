//! `refs`, `symbols`, `callers`, `callees`, `hierarchy`: questions about the symbols of a project.

use clap::Args;

use crate::engine::{Confidence, Role};
use crate::request::{
    CallNode, CallsRequest, HierarchyRequest, ReferenceRow, RefsRequest, RefsResponse, RelatedClass, SymbolRow,
    SymbolsRequest,
};

use super::caller::Caller;
use super::exit::Exit;
use super::failure::Failure;
use super::graph::{self, Form};
use super::printer::{Format, NAME, Printer};
use super::project::FolderArgs;
use super::report::{self, plural};

/// Lists who refers to a symbol, in a whole project
///
/// Prints `path:line:col  role  confidence  in` and the line for each reference, then the counts: certain references, candidates
/// (the name fits, and the type of the receiver is unknown), and occurrences that could not be determined. Every occurrence of
/// the name as code is in one of the counts.
#[derive(Debug, Args)]
#[command(after_long_help = REFS_EXAMPLES)]
pub(super) struct Refs {
    /// The symbol: `handle`, `Server.handle`, `PATH::Server.handle`, or `PATH:LINE[:COL]`
    #[arg(value_name = "SYMBOL")]
    symbol: String,
    /// Only references that do this; may be repeated
    #[arg(long, value_name = "ROLE", value_enum, value_delimiter = ',')]
    role: Vec<Role>,
    /// Only references that certainly mean the symbol
    #[arg(long)]
    certain: bool,
    /// If several symbols fit, list the references of all
    #[arg(long)]
    all: bool,
    /// Also list the word in strings and comments
    #[arg(long)]
    mentions: bool,
    /// Also print the reason for each reference (scope, import, type, scip), and where a precise index disagrees
    #[arg(long)]
    explain: bool,
    /// Only print the counts
    #[arg(short, long, conflicts_with = "files")]
    count: bool,
    /// Only print the paths of files with references
    #[arg(short = 'l', long)]
    files: bool,
    /// List at most N references
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    #[command(flatten)]
    project: FolderArgs,
}

const REFS_EXAMPLES: &str = "\
Examples:
  cst refs get_object_or_404
  cst refs Server.handle src/ --role call
  cst refs app.py:120:9 --certain";

impl Refs {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        let targets = self.project.targets(caller)?;
        let request = RefsRequest {
            symbol: self.symbol,
            targets,
            role: self.role,
            certain: self.certain,
            all: self.all,
            mentions: self.mentions,
            explain: self.explain,
            limit: self.limit,
            reading: self.project.reading(),
        };
        let found = caller.ask(&request)?;
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json => printer.answer(&found)?,
            Format::JsonLines => {
                found.references.iter().try_for_each(|row| printer.json(row))?;
                report::print_project(&found.project, found.unsaved, &found.skipped, &mut printer)?;
            }
            Format::Text if self.count => printer.line(counts(&found))?,
            Format::Text if self.files => {
                let mut paths: Vec<&str> = found.references.iter().map(|row| row.path.as_str()).collect();
                paths.dedup();
                paths.into_iter().try_for_each(|path| printer.line(path))?;
            }
            Format::Text => {
                for row in &found.references {
                    let line = reference(row, &printer);
                    printer.line(line)?;
                }
                for row in &found.disagreements {
                    let own = row.without_index.unwrap_or(row.confidence);
                    let place = printer.place(&row.path, row.line, row.col);
                    printer.line(format!("differs  {place}  {own} by the files, {} by the index", row.confidence))?;
                }
                report::print_project(&found.project, found.unsaved, &found.skipped, &mut printer)?;
                found.notes.iter().try_for_each(|note| printer.note(format!("note: {note}")))?;
                printer.note(counts(&found))?;
            }
        }
        drop(printer);
        let any = found.references.iter().any(|row| row.role != Role::Definition);
        Ok(Exit::when(any).unless_failed(&found.skipped))
    }
}

/// `path:line:col  role  confidence  in QUALNAME`, and the line.
fn reference(row: &ReferenceRow, printer: &Printer) -> String {
    let mut line = format!("{}  {}", printer.place(&row.path, row.line, row.col), row.role);
    if row.confidence != Confidence::Certain && row.role != Role::Mention {
        line.push_str(&format!("  {}", row.confidence));
    }
    if row.is_override {
        line.push_str("  override");
    }
    if !row.within.is_empty() {
        line.push_str(&format!("  in {}", printer.paint(NAME, &row.within)));
    }
    if row.in_documentation {
        line.push_str("  in documentation that is run");
    }
    if let Some(doubt) = &row.doubt {
        line.push_str(&format!("  {doubt}"));
    }
    if let Some(why) = row.why {
        line.push_str(&format!("  by {why}"));
    }
    format!("{line}\n    {}", printer.source(&row.text))
}

fn counts(found: &RefsResponse) -> String {
    let counts = &found.counts;
    let names: Vec<&str> = found.symbols.iter().map(|symbol| symbol.qualname.as_str()).collect();
    let mut line = format!("{}: {} certain", names.join(", "), counts.certain);
    line.push_str(&format!(", {}", plural(counts.candidate, "candidate")));
    line.push_str(&format!(", {} not determined", counts.undetermined));
    line.push_str(&format!("; {} of other symbols", counts.elsewhere));
    if let Some(mentions) = counts.mentions {
        line.push_str(&format!(", {}", plural(mentions, "mention")));
    }
    if found.truncated {
        line.push_str(&format!("; {} listed (raise --limit)", found.references.len()));
    }
    line
}

/// Lists definitions of a project by name
///
/// Exact names come first, then names that begin with the query, names that contain it, and similar ones: `goo4` finds
/// `get_object_or_404`.
#[derive(Debug, Args)]
pub(super) struct Symbols {
    /// A name, or a part of one; all definitions if there is none
    #[arg(value_name = "QUERY")]
    query: Option<String>,
    /// Only definitions of these kinds, separated by commas
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    kind: Vec<String>,
    /// List at most N definitions; default: 50 as text, all with --json and --jsonl
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    #[command(flatten)]
    project: FolderArgs,
}

/// How many definitions are shown as text.
const SHOWN: usize = 50;

impl Symbols {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        let targets = self.project.targets(caller)?;
        let most = if caller.console.format() == Format::Text { SHOWN } else { usize::MAX };
        let request = SymbolsRequest {
            query: self.query,
            targets,
            kinds: self.kind,
            limit: Some(self.limit.unwrap_or(most)),
            reading: self.project.reading(),
        };
        let found = caller.ask(&request)?;
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json => printer.answer(&found)?,
            Format::JsonLines => found.symbols.iter().try_for_each(|row| printer.json(row))?,
            Format::Text => {
                for row in &found.symbols {
                    let line = symbol(row, &printer);
                    printer.line(line)?;
                }
                report::print_project(&found.project, found.unsaved, &found.skipped, &mut printer)?;
                if found.total > found.symbols.len() {
                    let more = plural(found.total - found.symbols.len(), "more definition");
                    printer.note(format!("{more} (narrow the query, or raise --limit)"))?;
                }
            }
        }
        Ok(Exit::when(!found.symbols.is_empty()).unless_failed(&found.skipped))
    }
}

/// `path:line:col  kind  QUALNAME`
fn symbol(row: &SymbolRow, printer: &Printer) -> String {
    let place = printer.place(&row.path, row.line, row.col);
    format!("{place}  {}  {}", row.kind, printer.paint(NAME, &row.qualname))
}

/// Lists the classes above and below a class
///
/// The bases of the class come first, then the class, then the classes that extend it, indented by distance. With --method,
/// each class that defines the method shows its line.
#[derive(Debug, Args)]
pub(super) struct Hierarchy {
    /// The class: `Model`, `PATH::Model`, or `PATH:LINE[:COL]`
    #[arg(value_name = "CLASS")]
    symbol: String,
    /// Show which classes define this method
    #[arg(long, value_name = "NAME")]
    method: Option<String>,
    #[command(flatten)]
    project: FolderArgs,
}

impl Hierarchy {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        let targets = self.project.targets(caller)?;
        let request =
            HierarchyRequest { symbol: self.symbol, targets, method: self.method, reading: self.project.reading() };
        let found = caller.ask(&request)?;
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json => printer.answer(&found)?,
            Format::JsonLines => found.above.iter().chain(&found.below).try_for_each(|row| printer.json(row))?,
            Format::Text => {
                let wants_method = request.method.is_some();
                for class in &found.above {
                    let line = format!("above  {}", related(class, &printer));
                    printer.line(line)?;
                }
                let line = symbol(&found.symbol, &printer);
                printer.line(line)?;
                for class in &found.below {
                    let line = format!("{}{}", "  ".repeat(class.depth), related(class, &printer));
                    printer.line(line)?;
                }
                report::print_project(&found.project, found.unsaved, &found.skipped, &mut printer)?;
                let mut note = format!("{} below", plural(found.below.len(), "class"));
                if wants_method {
                    let count = found.below.iter().filter(|class| class.method_line.is_some()).count();
                    note.push_str(&format!(", {count} of them define the method"));
                }
                if found.has_external_bases {
                    note.push_str("; some bases are outside the project or not known");
                }
                printer.note(note)?;
            }
        }
        Ok(Exit::when(true).unless_failed(&found.skipped))
    }
}

fn related(class: &RelatedClass, printer: &Printer) -> String {
    let mut line = symbol(&class.symbol, printer);
    if class.depth > 1 {
        line.push_str(&format!("  ({})", class.via));
    }
    if let Some(method) = class.method_line {
        line.push_str(&format!("  defines it in line {method}"));
    }
    line
}

/// Lists who calls a function
///
/// Prints a tree: each function that certainly calls it, with the lines of the calls, indented by distance. Then it says how many
/// more calls there may be, where the type of the receiver is unknown.
#[derive(Debug, Args)]
#[command(after_long_help = CALLERS_EXAMPLES)]
pub(super) struct Callers {
    #[command(flatten)]
    calls: Calls,
}

/// Lists what a function calls
///
/// Prints a tree of the functions and classes of the project that it calls, with the lines of the calls.
#[derive(Debug, Args)]
pub(super) struct Callees {
    #[command(flatten)]
    calls: Calls,
}

/// What both have.
#[derive(Debug, Args)]
struct Calls {
    /// The function: `handle`, `Server.handle`, `PATH::Server.handle`, or `PATH:LINE[:COL]`
    #[arg(value_name = "SYMBOL")]
    symbol: String,
    /// Number of levels
    #[arg(long, value_name = "N", default_value_t = 1)]
    depth: usize,
    /// Output form
    #[arg(long, value_name = "FORM", value_enum, default_value_t)]
    format: Form,
    #[command(flatten)]
    project: FolderArgs,
}

const CALLERS_EXAMPLES: &str = "\
Examples:
  cst callers get_object_or_404
  cst callers Server.handle src/ --depth 3";

impl Callers {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        self.calls.run(false, caller)
    }
}

impl Callees {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        self.calls.run(true, caller)
    }
}

/// Who calls whom, each pair once.
fn edges(root: &CallNode, callees: bool) -> Vec<(String, String)> {
    let name = |node: &CallNode| format!("{}::{}", node.symbol.path, node.symbol.qualname);
    let mut edges = Vec::new();
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        for next in &node.calls {
            let (one, other) = (name(node), name(next));
            let edge = if callees { (one, other) } else { (other, one) };
            if !edges.contains(&edge) {
                edges.push(edge);
            }
            waiting.push(next);
        }
    }
    edges
}

impl Calls {
    fn run(self, callees: bool, caller: &mut Caller) -> Result<Exit, Failure> {
        let targets = self.project.targets(caller)?;
        let request = CallsRequest {
            symbol: self.symbol,
            callees,
            depth: Some(self.depth),
            targets,
            reading: self.project.reading(),
        };
        let found = caller.ask(&request)?;
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json => printer.answer(&found)?,
            Format::JsonLines => found.root.calls.iter().try_for_each(|node| printer.json(node))?,
            Format::Text if self.format != Form::Text => {
                let edges = edges(&found.root, callees);
                let edges: Vec<(&str, &str)> = edges.iter().map(|(from, to)| (from.as_str(), to.as_str())).collect();
                let text = if self.format == Form::Dot { graph::dot("calls", &edges) } else { graph::mermaid(&edges) };
                printer.text(&text)?;
            }
            Format::Text => {
                let mut waiting = vec![(&found.root, 0)];
                while let Some((node, depth)) = waiting.pop() {
                    let mut line = format!("{}{}", "  ".repeat(depth), symbol(&node.symbol, &printer));
                    if !node.lines.is_empty() {
                        let noun = if node.lines.len() == 1 { "line" } else { "lines" };
                        let lines: Vec<String> = node.lines.iter().map(usize::to_string).collect();
                        line.push_str(&format!("  {noun} {}", lines.join(", ")));
                    }
                    if node.is_cycle {
                        line.push_str("  (again)");
                    }
                    printer.line(line)?;
                    waiting.extend(node.calls.iter().rev().map(|next| (next, depth + 1)));
                }
                report::print_project(&found.project, found.unsaved, &found.skipped, &mut printer)?;
                let candidates = plural(found.candidates, "candidate call");
                printer
                    .note(format!("{candidates} with an unknown receiver, {} not determined", found.undetermined))?;
            }
        }
        drop(printer);
        Ok(Exit::when(!found.root.calls.is_empty()).unless_failed(&found.skipped))
    }
}
