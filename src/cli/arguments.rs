//! The command line: its commands, and the global options.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use super::caller::Caller;
use super::exit::Exit;
use super::failure::Failure;
use super::lazy::Lazy;
use super::printer::Color;
use super::{
    agent, check, chunk, deps, duplicates, explain, find, generate, hook, impact, index, journal, languages, load, map,
    metrics, modify, outline, pipe, refactor, refs, rewrite, rules, run, scan, search, serve, session, show, test,
    trust, unused,
};

/// Finds and edits code by its syntax
#[derive(Debug, Parser)]
#[command(name = "cst", version, after_help = AFTER_HELP, max_term_width = 110)]
pub struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
    #[command(flatten)]
    pub(super) global: Global,
}

const AFTER_HELP: &str = r#"Start with:
  cst outline src/                                    what is defined where
  cst find 'class > function[name^="get"]' src/       find by syntax
  cst modify app.py rename 'function#get' fetch       preview an edit; --write applies it
  cst help find                                       selectors by example

Exit status: 0 done or found; 1 nothing found, nothing to change, or a check failed; 2 an error, even if only some files failed."#;

/// The options of every command.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Global options")]
pub(super) struct Global {
    /// Print one JSON object
    #[arg(long, global = true)]
    pub json: bool,
    /// Print a JSON object per line, each as soon as it is found
    #[arg(long, global = true, conflicts_with = "json")]
    pub jsonl: bool,
    /// Print nothing but errors; the exit status is the answer
    #[arg(short, long, global = true, conflicts_with_all = ["json", "jsonl"])]
    pub quiet: bool,
    /// Report on standard error why files are skipped, parsed whole or not taken from the index, and list all files with
    /// syntax errors; CST_LOG sets a filter, as `CST_LOG=cst_codebase::project=debug`
    #[arg(short, long, global = true)]
    pub verbose: bool,
    /// When to use colour: auto, always or never; NO_COLOR is respected
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t, hide_possible_values = true)]
    pub color: Color,
    /// Folder of the session store; the default is CST_STATE, then the user's state folder
    #[arg(long, global = true, value_name = "DIR")]
    pub state: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    #[command(flatten)]
    Asking(Box<Asking>),
    Rpc(Lazy<serve::Rpc>),
    Mcp(Lazy<serve::Mcp>),
    Pipe(Lazy<pipe::Pipe>),
    #[cfg(feature = "ui")]
    Ui(Lazy<super::ui::Ui>),
    Agent(Lazy<agent::Agent>),
    Hook(Lazy<hook::Hook>),
    Journal(Lazy<journal::JournalCommand>),
    Completions(Lazy<generate::Completions>),
    Man(Lazy<generate::Man>),
}

/// Defines the commands that ask the engine: what clap reads, and what runs it.
macro_rules! commands {
    ($($name:ident($command:ty),)+) => {
        /// The commands that use the engine.
        #[derive(Debug, Subcommand)]
        pub(super) enum Asking {
            $($name(Lazy<$command>),)+
        }

        impl Asking {
            /// Runs the command.
            pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
                match self {
                    $(Asking::$name(command) => command.0.run(caller),)+
                }
            }
        }
    };
}

commands! {
    Find(find::Find),
    Outline(outline::Outline),
    Chunk(chunk::Chunk),
    Show(show::Show),
    Check(check::Check),
    Metrics(metrics::Metrics),
    Duplicates(duplicates::Duplicates),
    Symbols(refs::Symbols),
    Refs(refs::Refs),
    Callers(refs::Callers),
    Callees(refs::Callees),
    Hierarchy(refs::Hierarchy),
    Deps(deps::Deps),
    Search(search::Search),
    Map(map::Map),
    Impact(impact::Impact),
    Unused(unused::Unused),
    Index(index::Index),
    Explain(explain::Explain),
    Load(load::Load),
    Modify(modify::Modify),
    Rewrite(rewrite::Rewrite),
    Refactor(refactor::RefactorCommand),
    Run(run::Run),
    Scan(scan::Scan),
    Rules(rules::Rules),
    Test(test::Test),
    Undo(session::Undo),
    Redo(session::Redo),
    Diff(session::Diff),
    Save(session::Save),
    Trees(session::Trees),
    Drop(session::Drop),
    Backups(session::Backups),
    Languages(languages::Languages),
    Trust(trust::Trust),
}
