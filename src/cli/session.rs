//! The commands of a session that take trees: `undo`, `redo`, `diff`, `save`, `trees`, `drop`, `backups`.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::engine::Method;
use crate::request::{
    BackupsRequest, DiffRequest, DropRequest, RedoRequest, SaveRequest, StepResponse, TransactionsRequest,
    TreesRequest, UndoRequest,
};

use super::caller::Caller;
use super::exit::Exit;
use super::failure::Failure;
use super::modify;
use super::printer::{ADDED, Format, KIND, NUMBER, Printer, QUIET};
use super::report::{plural, print_skipped as skipped_files};

/// Undoes the last edit of trees, or a transaction that wrote files
///
/// Every write is a transaction: `modify --write`, `rewrite --write`, `run --write`, `save`, `backups --restore` and `undo` itself.
/// Undoing one restores its files, as one transaction. It is refused if a file changed since; --skip-changed leaves that file out.
#[derive(Debug, Args)]
#[command(after_long_help = UNDO_EXAMPLES)]
pub(super) struct Undo {
    /// The trees
    #[arg(value_name = "TREE", required_unless_present_any = ["transaction", "last", "list"])]
    trees: Vec<String>,
    /// Undo a transaction instead: its id, or at least the first 6 characters
    #[arg(long, value_name = "ID", conflicts_with = "trees")]
    transaction: Option<String>,
    /// Undo the last transaction that wrote a file below the working directory; again: the one before
    #[arg(long, conflicts_with_all = ["trees", "transaction"])]
    last: bool,
    /// Leave out files that changed since, and list them
    #[arg(long, conflicts_with = "trees")]
    skip_changed: bool,
    /// List the transactions that wrote a file below the working directory, newest first
    #[arg(long, conflicts_with_all = ["trees", "transaction", "last", "skip_changed"])]
    list: bool,
}

const UNDO_EXAMPLES: &str = "\
Examples:
  cst undo --last
  cst undo --list
  cst undo --transaction 019abc12-3456 --skip-changed
  cst undo 019abc";

/// Redoes an edit that was undone
#[derive(Debug, Args)]
pub(super) struct Redo {
    /// The trees
    #[arg(value_name = "TREE", required = true)]
    trees: Vec<String>,
}

/// Shows how trees differ from their files
///
/// Prints a unified diff that `git apply` and `patch` accept. Exit status: 0 there is a difference, 1 there is none, 2 an error.
#[derive(Debug, Args)]
pub(super) struct Diff {
    /// The trees
    #[arg(value_name = "TREE", required = true)]
    trees: Vec<String>,
}

/// Writes trees to their files
///
/// All are written, or none. A file that changed on disk since it was loaded is refused: --merge combines both changes,
/// --force overwrites the file.
#[derive(Debug, Args)]
pub(super) struct Save {
    /// The trees
    #[arg(value_name = "TREE", required = true)]
    trees: Vec<String>,
    /// Overwrite a file that changed on disk
    #[arg(long, conflicts_with = "merge")]
    force: bool,
    /// Merge with the changes on disk
    #[arg(long)]
    merge: bool,
    /// Keep the old file; `cst backups` lists and restores
    #[arg(long)]
    backup: bool,
}

/// Lists the loaded trees
///
/// Prints `tree_id  path  language  revision  state  last used` for each.
#[derive(Debug, Args)]
pub(super) struct Trees {}

/// Discards trees and their unsaved edits
#[derive(Debug, Args)]
pub(super) struct Drop {
    /// The trees
    #[arg(value_name = "TREE", required = true)]
    trees: Vec<String>,
}

/// Lists backups, or restores one
///
/// Backups and transactions are kept for 30 days.
#[derive(Debug, Args)]
pub(super) struct Backups {
    /// Only of these files
    #[arg(value_name = "FILE")]
    files: Vec<String>,
    /// The backup to restore: its id, or at least the first 6 characters
    #[arg(long, value_name = "BACKUP", conflicts_with = "files")]
    restore: Option<String>,
    /// Forget backups and transactions older than DAYS now; 0 forgets all
    #[arg(long, value_name = "DAYS", conflicts_with_all = ["files", "restore"])]
    keep: Option<u32>,
}

impl Undo {
    pub(super) fn run(self, caller: &Caller) -> Result<Exit, Failure> {
        if self.list {
            return transactions(caller);
        }
        let request = UndoRequest {
            tree_ids: self.trees,
            transaction: self.transaction,
            last: self.last,
            skip_changed: self.skip_changed,
        };
        step(&request, caller)
    }
}

impl Redo {
    pub(super) fn run(self, caller: &Caller) -> Result<Exit, Failure> {
        step(&RedoRequest { tree_ids: self.trees }, caller)
    }
}

fn step<M: Method<Result = StepResponse>>(request: &M, caller: &Caller) -> Result<Exit, Failure> {
    let step = caller.ask(request)?;
    let mut printer = caller.console.printer();
    match (printer.format(), &step) {
        (Format::JsonLines, StepResponse::Many { trees }) => trees.iter().try_for_each(|tree| printer.json(tree))?,
        (Format::Json | Format::JsonLines, _) => printer.answer(&step)?,
        (Format::Text, StepResponse::One(tree)) => modify::print(tree, &mut printer)?,
        (Format::Text, StepResponse::Many { trees }) => {
            trees.iter().try_for_each(|tree| modify::print(tree, &mut printer))?;
        }
        (Format::Text, StepResponse::Transaction { restored, skipped, transaction, undone_by }) => {
            for path in restored {
                let path = printer.link(path);
                printer.line(format!("{path}  restored"))?;
            }
            skipped_files(skipped, &mut printer)?;
            let redo = undone_by.as_ref().map(|id| format!("; cst undo --transaction {id} brings it back"));
            let summary = format!("{} restored, transaction {transaction} is undone", plural(restored.len(), "file"));
            if !restored.is_empty() {
                let summary = printer.paint_error(QUIET, format!("{summary}{}", redo.unwrap_or_default()));
                printer.note(summary)?;
            }
        }
    }
    let is_idle = matches!(&step, StepResponse::Transaction { restored, .. } if restored.is_empty());
    Ok(Exit::when(!is_idle))
}

/// The transactions that wrote below the working directory.
fn transactions(caller: &Caller) -> Result<Exit, Failure> {
    let known = caller.ask(&TransactionsRequest { paths: vec![PathBuf::from(".")] })?;
    let mut printer = caller.console.printer();
    match printer.format() {
        Format::Json => printer.answer(&known)?,
        Format::JsonLines => known.transactions.iter().try_for_each(|row| printer.json(row))?,
        Format::Text => {
            printer.columns("transaction  request  time  files")?;
            for row in &known.transactions {
                let request = printer.paint(KIND, row.request.as_deref().unwrap_or("-"));
                let (time, count) = (printer.paint(QUIET, &row.time), plural(row.files.len(), "file"));
                let first = row.files.first().map(|path| printer.link(path)).unwrap_or_default();
                let more = if row.files.len() > 1 { ", …" } else { "" };
                printer.line(format!("{}  {request}  {time}  {count}: {first}{more}", row.transaction))?;
            }
            if known.transactions.is_empty() {
                printer.note("nothing was written here that can be undone")?;
            }
        }
    }
    Ok(Exit::when(!known.transactions.is_empty()))
}

impl Diff {
    pub(super) fn run(self, caller: &Caller) -> Result<Exit, Failure> {
        let difference = caller.ask(&DiffRequest { tree_ids: self.trees })?;
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json => printer.answer(&difference)?,
            Format::JsonLines => difference.trees.iter().try_for_each(|tree| printer.json(tree))?,
            Format::Text => difference.trees.iter().try_for_each(|tree| printer.diff(&tree.diff))?,
        }
        Ok(Exit::when(difference.trees.iter().any(|tree| !tree.diff.is_empty())))
    }
}

impl Save {
    pub(super) fn run(self, caller: &Caller) -> Result<Exit, Failure> {
        let request = SaveRequest { tree_ids: self.trees, force: self.force, merge: self.merge, backup: self.backup };
        let answer = caller.ask(&request);
        let saved = answer?;
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json => printer.answer(&saved)?,
            Format::JsonLines => saved.saved.iter().try_for_each(|tree| printer.json(tree))?,
            Format::Text => {
                for tree in &saved.saved {
                    let what = match (tree.written, tree.merged) {
                        (false, _) => printer.paint(QUIET, "unchanged"),
                        (true, false) => printer.paint(ADDED, "written"),
                        (true, true) => printer.paint(ADDED, "merged"),
                    };
                    let bytes = printer.paint(NUMBER, tree.bytes);
                    let path = printer.link(&tree.path);
                    let backup = tree.backup.as_ref().map(|id| format!("  backup {id}")).unwrap_or_default();
                    printer.line(format!("{}  {path}  {what}  {bytes} bytes{backup}", tree.tree_id))?;
                }
                saved.notes.iter().try_for_each(|note| printer.note(note))?;
                if saved.saved.iter().any(|tree| tree.written) {
                    let undo = format!("cst undo --transaction {} brings the files back", saved.transaction);
                    let undo = printer.paint_error(QUIET, undo);
                    printer.note(undo)?;
                }
            }
        }
        Ok(Exit::Done)
    }
}

impl Trees {
    pub(super) fn run(self, caller: &Caller) -> Result<Exit, Failure> {
        let held = caller.ask(&TreesRequest {})?;
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json => printer.answer(&held)?,
            Format::JsonLines => held.trees.iter().try_for_each(|tree| printer.json(tree))?,
            Format::Text => {
                printer.columns("tree_id  path  language  revision  state  used")?;
                for tree in &held.trees {
                    let path = path(tree.path.as_deref(), &printer);
                    let language = printer.paint(KIND, &tree.language);
                    let revision = printer.paint(NUMBER, tree.revision);
                    let state = if tree.unsaved { printer.paint(ADDED, "unsaved") } else { "saved".to_owned() };
                    let used = printer.paint(QUIET, &tree.used);
                    printer.line(format!("{}  {path}  {language}  {revision}  {state}  {used}", tree.tree_id))?;
                }
                if held.trees.is_empty() {
                    printer.note("no trees are loaded: cst load FILE")?;
                }
            }
        }
        Ok(Exit::when(!held.trees.is_empty()))
    }
}

impl Drop {
    pub(super) fn run(self, caller: &Caller) -> Result<Exit, Failure> {
        let dropped = caller.ask(&DropRequest { tree_ids: self.trees })?;
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json => printer.answer(&dropped)?,
            Format::JsonLines => {
                dropped.dropped.iter().try_for_each(|id| printer.json(&json!({"tree_id": id, "dropped": true})))?;
            }
            Format::Text => dropped.dropped.iter().try_for_each(|id| printer.line(format!("{id}  dropped")))?,
        }
        Ok(Exit::Done)
    }
}

impl Backups {
    pub(super) fn run(self, caller: &Caller) -> Result<Exit, Failure> {
        let paths = self.files.into_iter().map(PathBuf::from).collect();
        let kept = caller.ask(&BackupsRequest { paths, restore: self.restore, keep: self.keep })?;
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json => printer.answer(&kept)?,
            Format::JsonLines => kept.restored.iter().chain(&kept.backups).try_for_each(|row| printer.json(row))?,
            Format::Text => {
                if let Some(restored) = &kept.restored {
                    let path = printer.link(&restored.path);
                    printer.line(format!("{path}  restored from {}", restored.backup))?;
                    if let Some(transaction) = &kept.transaction {
                        let undo = format!("cst undo --transaction {transaction} takes it back");
                        let undo = printer.paint_error(QUIET, undo);
                        printer.note(undo)?;
                    }
                    return Ok(Exit::Done);
                }
                if let Some(expired) = &kept.expired {
                    let (backups, transactions) =
                        (plural(expired.backups, "backup"), plural(expired.transactions, "transaction"));
                    printer.note(format!("forgotten: {backups}, {transactions}"))?;
                    return Ok(Exit::Done);
                }
                printer.columns("backup  path  time  bytes")?;
                for row in &kept.backups {
                    let (path, bytes) = (printer.link(&row.path), printer.paint(NUMBER, row.bytes));
                    printer.line(format!("{}  {path}  {}  {bytes}", row.backup, row.time))?;
                }
                if kept.backups.is_empty() {
                    printer.note("there are no backups: cst save --backup TREE makes one")?;
                }
            }
        }
        Ok(Exit::when(kept.restored.is_some() || kept.expired.is_some() || !kept.backups.is_empty()))
    }
}

/// A path, or `-` if there is none.
fn path(path: Option<&str>, printer: &Printer) -> String {
    path.map_or("-".to_owned(), |path| printer.link(path))
}
