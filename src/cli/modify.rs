//! `modify`: its arguments, and how its result is printed.

use std::io;

use clap::Args;
use serde_json::Value;

use crate::edit::Gate;
use crate::engine::{self};
use crate::request::{ModifyRequest, ModifyResponse, OperationRow};

use super::caller::Caller;
use super::exit::Exit;
use super::failure::Failure;
use super::input::Input;
use super::operation::Operation;
use super::printer::{Format, KIND, NAME, NUMBER, Printer, QUIET};
use super::report::{named_selectors, plural, print_with_errors};
use super::targets::{Reading, refuse_place};

/// Changes a tree or a file by its syntax
///
/// A NODE is an id (`n31`), an id with a field (`n31.body`), or a selector that matches one node. A batch is applied as a whole
/// or not at all. An edit that would break the syntax, or change how the surrounding code nests, is refused.
///
/// Without --write, a file is not changed and the diff is shown. A tree (an id from `cst load`) takes the edit as its next
/// revision; `cst save` writes it.
///
/// CODE `-` reads standard input and `@FILE` a file. Code that begins with `@`, such as a decorator, is taken as code if it has
/// several lines; put a space before a single line. Put `--` before code that begins with `-`.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES, override_usage = USAGE, subcommand_value_name = "OP", subcommand_help_heading = "Operations")]
pub(super) struct Modify {
    /// The tree or file to change; `-` with --stdin-filename or -t for standard input
    target: String,
    #[command(subcommand)]
    operation: Option<Operation>,
    /// A batch as JSON, from a file or `-`: [{"op": "delete", "target": "n31"}, …]
    #[arg(long, value_name = "FILE")]
    ops: Option<String>,
    /// Write the file
    #[arg(short = 'U', long, global = true)]
    write: bool,
    /// Write nothing; exit status 1 if anything would change, 0 if not
    #[arg(long, global = true, conflicts_with = "write")]
    check: bool,
    /// Show the diff and change nothing
    #[arg(long, visible_alias = "preview", global = true, conflicts_with = "write")]
    dry_run: bool,
    /// Show the diff for trees, too
    #[arg(long, global = true)]
    diff: bool,
    /// Let a selector match several nodes, and change all of them
    #[arg(long, global = true)]
    all: bool,
    /// Fail unless exactly N nodes are changed
    #[arg(long, global = true, value_name = "N")]
    expect: Option<usize>,
    /// Checks to disable
    #[arg(long, global = true, value_name = "GATES", value_delimiter = ',')]
    allow: Vec<Gate>,
    /// Keep the old file when one is written; `cst backups` lists and restores
    #[arg(long, global = true, requires = "write")]
    backup: bool,
    /// Define a named selector: ':route = function:has(> decorator)'
    #[arg(long, global = true, value_name = "DEFINITION")]
    define: Vec<String>,
    /// The file name of standard input, which decides its language
    #[arg(long = "stdin-filename", global = true, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    reading: Reading,
}

const USAGE: &str = "\
cst modify [OPTIONS] <TARGET> <OP> <WORD>...
       cst modify [OPTIONS] <TARGET> --ops <FILE>";

const EXAMPLES: &str = "\
Examples:
  cst modify app.py rename 'function#get_user' fetch_user --references file
  cst modify app.py replace 'method#close > block' 'self.socket.close()' --write
  cst modify app.py insert after 'class#Server > method:last' @method.py --write
  cst modify app.py delete 'import#os' --dry-run
  cst modify 019abc wrap n31 'with self.lock:\n    $0'
  cst modify 019abc --ops batch.json

Exit status: 0 something changes or was written, 1 nothing does, 2 an error. With --check: 1 something would change.";

impl Modify {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        if self.write && self.target == "-" {
            return Err(Failure::usage(
                "standard input is not a file that can be written",
                "leave --write out to see the diff",
            ));
        }
        let operations = self.operations(caller)?;
        let escaped = operations.iter().any(has_escaped_lines);
        let preview = self.dry_run || self.check || !(self.write || self.names_a_tree(&caller.input));
        refuse_place([&self.target], &caller.input)?;
        let target = self.reading.target(&self.target, self.name.as_deref(), &mut caller.input)?;
        let request = ModifyRequest {
            dry_run: self.dry_run || self.check,
            diff: self.diff || preview,
            all: self.all,
            expect_count: self.expect,
            allow: self.allow.clone(),
            write: self.write,
            backup: self.backup,
            define: self.define,
            reading: self.reading.request(None),
            ..ModifyRequest::new(target, operations)
        };
        let only = self.operation.is_some() && caller.console.format() == Format::Text;
        let answer = caller.ask(&request);
        let answer = answer.map_err(|failure| if only { failure.of_the_only_operation() } else { failure });
        let answer = answer.map_err(|failure| match failure {
            Failure::Refused(error) if escaped && error.code == engine::ErrorCode::WouldBreakSyntax => {
                Failure::Refused(error.hint(LINE_BREAKS))
            }
            failure => failure,
        });
        let modified = answer?;
        let mut printer = caller.console.printer();
        // Notes are for the user, even if standard output goes to a pipe.
        modified.notes.iter().try_for_each(|note| printer.note(note))?;
        match printer.format() {
            Format::Text if self.dry_run => preview_of(&modified, "dry run", &mut printer)?,
            Format::Text => print(&modified, &mut printer)?,
            _ => printer.answer(&modified)?,
        }
        Ok(Exit::when(has_changes(&modified) != self.check))
    }

    /// Whether the target must be a tree, since no file has such a name.
    fn names_a_tree(&self, input: &Input) -> bool {
        let like_an_id = |byte: u8| byte.is_ascii_hexdigit() || byte == b'-';
        let named = self.target.len() >= 6 && self.target.bytes().all(like_an_id);
        self.reading.names_trees() || (named && !input.exists(&self.target))
    }

    /// The batch: one operation from the arguments, or several from JSON.
    fn operations(&self, caller: &mut Caller) -> Result<Vec<engine::Operation>, Failure> {
        match (&self.operation, &self.ops) {
            (Some(operation), None) => Ok(vec![operation.request(&mut caller.input)?]),
            (None, Some(file)) => batch(&caller.input.file_or_stdin(file, "the operations")?),
            (Some(_), Some(_)) => Err(Failure::usage("an operation in words and --ops are two batches", "give one")),
            (None, None) => {
                let hint = "`cst help modify` lists the operations; or give --ops FILE";
                Err(Failure::usage(format!("what to do with `{}` is missing", self.target), hint))
            }
        }
    }
}

/// The hint for shells that keep `\n` as it is.
const LINE_BREAKS: &str = r"`\n` in the code is not a line break: write a real one, or give the code as `-` or `@FILE`";

/// Whether the code of an operation is a single line that contains `\n` as two characters.
fn has_escaped_lines(operation: &engine::Operation) -> bool {
    operation.edit.code().is_some_and(|code| code.contains("\\n") && !code.contains('\n'))
}

/// Operations from JSON: a list, a single one, or an object with `operations`.
fn batch(json: &str) -> Result<Vec<engine::Operation>, Failure> {
    let refused = |error| Failure::usage(format!("the operations are not JSON: {error}"), BATCH_SHAPE);
    let mut value: Value = serde_json::from_str(json.trim_start_matches('\u{feff}')).map_err(refused)?;
    match value.get_mut("operations").map(Value::take).unwrap_or(value) {
        Value::Array(operations) if operations.is_empty() => {
            Err(Failure::usage("the batch has no operation", BATCH_SHAPE))
        }
        Value::Array(operations) => {
            let read = |(number, operation): (usize, &Value)| {
                engine::Operation::read(operation).map_err(|error| error.operation(number).not_applied().into())
            };
            operations.iter().enumerate().map(read).collect()
        }
        operation @ Value::Object(_) => {
            Ok(vec![engine::Operation::read(&operation).map_err(engine::EngineError::not_applied)?])
        }
        _ => Err(Failure::usage("the operations are not a list", BATCH_SHAPE)),
    }
}

const BATCH_SHAPE: &str = r#"a batch is [{"op": "delete", "target": "n31"}, …]"#;

/// Prints the result of an edit: its diff on standard output, the rest on standard error.
pub(super) fn print(modified: &ModifyResponse, printer: &mut Printer) -> io::Result<()> {
    let state = match (&modified.tree_id, &modified.path, modified.written) {
        (_, Some(path), true) => match &modified.transaction {
            Some(transaction) => format!("written: {path}; cst undo --transaction {transaction} takes it back"),
            None => format!("written: {path}"),
        },
        (_, None, true) => "written".to_owned(),
        (Some(tree), _, false) => format!("staged; write the file with: cst save {tree}"),
        (None, _, false) => "preview only; add --write to apply".to_owned(),
    };
    preview_of(modified, &state, printer)
}

fn preview_of(modified: &ModifyResponse, state: &str, printer: &mut Printer) -> io::Result<()> {
    let rows = modified.operations.iter().flat_map(|operation| rows(operation, printer)).collect::<Vec<_>>();
    let summary = summary(modified, state);
    named_selectors(&modified.selectors, printer)?;
    print_with_errors(&modified.with_errors, printer)?;
    match &modified.diff {
        Some(diff) => {
            printer.diff(diff)?;
            modified
                .operations
                .iter()
                .flat_map(|operation| &operation.notes)
                .try_for_each(|note| printer.note(note))?;
            let summary = printer.paint_error(QUIET, summary);
            printer.note(summary)
        }
        None => {
            rows.into_iter().try_for_each(|row| printer.line(row))?;
            let summary = printer.paint(QUIET, summary);
            printer.line(summary)
        }
    }
}

/// `replace  method  Server.handle  20-35  n31`, one line per resulting node.
fn rows(operation: &OperationRow, printer: &Printer) -> Vec<String> {
    let mut rows = Vec::new();
    for node in &operation.nodes {
        let kind = printer.paint(KIND, &node.kind);
        let name = printer.paint(NAME, node.qualname.as_deref().unwrap_or("-"));
        let lines = printer.paint(NUMBER, format!("{}-{}", node.start_line, node.end_line));
        rows.push(format!("{}  {kind}  {name}  {lines}  {}", operation.op, printer.paint(QUIET, &node.node_id)));
    }
    if operation.nodes.is_empty() {
        rows.push(format!("{}  {}", operation.op, operation.target.as_deref().unwrap_or("-")));
    }
    rows.extend(operation.notes.iter().map(|note| format!("  {note}")));
    rows
}

fn has_changes(modified: &ModifyResponse) -> bool {
    modified.diff.as_ref().map_or(!modified.changed_ranges.is_empty(), |diff| !diff.is_empty())
}

fn summary(modified: &ModifyResponse, state: &str) -> String {
    if !has_changes(modified) {
        return "nothing changes".to_owned();
    }
    let mut parts = vec![format!("{} applied", plural(modified.applied, "operation"))];
    if let engine::Revision::Number(revision) = modified.revision {
        parts.push(format!("revision {revision}"));
    }
    if !modified.removed.is_empty() {
        parts.push(format!("{} gone", plural(modified.removed.len(), "node")));
    }
    if let Some(backup) = &modified.backup {
        parts.push(format!("backup {backup}"));
    }
    parts.push(state.to_owned());
    parts.join(", ")
}
