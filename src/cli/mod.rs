//! The command line: words to a [`Request`], a [`Response`] to text.
//!
//! A command's file holds its words and options, the request that they make, and how the answer is printed; what a request
//! means is the engine's. The definitions that parse the command line also write its help, completions and manual page.
//! Nothing is read, opened or started before the words are parsed: `cst --version` is as fast as a process starts.

mod agent;
mod changes;
mod check;
mod chunk;
mod console;
mod explain;
mod failure;
mod filters;
mod find;
mod generate;
mod hook;
mod index;
mod input;
mod journal;
mod junit;
mod languages;
mod load;
mod matches;
mod modify;
mod operation;
mod outline;
mod printer;
mod progress;
mod report;
mod rewrite;
mod run;
mod serve;
mod session;
mod show;
mod signals;
mod targets;
mod test;
mod trust;
mod usage;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::engine::{Disk, Engine, EngineError, ErrorCode, Machine, Request, Response, Skipped, Surroundings};
use crate::project::path_text;

use console::Console;
use failure::Failure;
use input::Input;
use printer::{Color, Format, Printer};

/// Finds and edits code by its syntax
#[derive(Debug, Parser)]
#[command(name = "cst", version, after_help = AFTER_HELP, max_term_width = 110)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    global: Global,
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
struct Global {
    /// Print one JSON object
    #[arg(long, global = true)]
    json: bool,
    /// Print a JSON object per line, each as soon as it is found
    #[arg(long, global = true, conflicts_with = "json")]
    jsonl: bool,
    /// Print nothing but errors; the exit status is the answer
    #[arg(short, long, global = true, conflicts_with_all = ["json", "jsonl"])]
    quiet: bool,
    /// When to use colour: auto, always or never; NO_COLOR is respected
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t, hide_possible_values = true)]
    color: Color,
    /// Folder of the session store; the default is CST_STATE, then the user's state folder
    #[arg(long, global = true, value_name = "DIR")]
    state: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(flatten)]
    Asking(Box<Asking>),
    Rpc(serve::Rpc),
    Mcp(serve::Mcp),
    Agent(agent::Agent),
    Hook(hook::Hook),
    Journal(journal::JournalCommand),
    Completions(generate::Completions),
    Man(generate::Man),
}

/// The commands that ask the engine.
#[derive(Debug, Subcommand)]
enum Asking {
    Find(find::Find),
    Outline(outline::Outline),
    Chunk(chunk::Chunk),
    Show(show::Show),
    Check(check::Check),
    Index(index::Index),
    Explain(explain::Explain),
    Load(load::Load),
    Modify(modify::Modify),
    Rewrite(rewrite::Rewrite),
    Run(run::Run),
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

/// How a command ended that was no error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exit {
    /// Done, or found.
    Done,
    /// Nothing found, a check failed, or nothing to change.
    Nothing,
    /// Some of it failed; the rest was done.
    Failed,
}

impl Exit {
    /// Done if there is something.
    fn when(something: bool) -> Exit {
        if something { Exit::Done } else { Exit::Nothing }
    }

    /// The same, unless files that could not be read were left out.
    fn unless_failed(self, skipped: &[Skipped]) -> Exit {
        if report::has_failed(skipped) { Exit::Failed } else { self }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        match exit {
            Exit::Done => ExitCode::SUCCESS,
            Exit::Nothing => ExitCode::from(1),
            Exit::Failed => ExitCode::from(2),
        }
    }
}

/// Who asks: the engine, the console on which it is answered, and what else can be read.
struct Caller {
    engine: Engine,
    console: Arc<Console>,
    input: Input,
}

impl Caller {
    /// Asks the engine.
    fn ask(&self, request: Request) -> Result<Response, Failure> {
        let answer = self.engine.handle(request);
        self.console.settle()?;
        let mut response = answer.map_err(|error| worded(in_words(error)))?;
        for file in response.skipped_mut().into_iter().flatten() {
            file.hint = file.hint.take().map(|hint| failure::in_command_words(&hint).into());
        }
        Ok(response)
    }
}

/// An error whose hint is in the words of the command line, for programs too.
fn worded(mut error: EngineError) -> EngineError {
    error.details.hint = error.details.hint.map(|hint| failure::in_command_words(&hint).into());
    error
}

/// An error whose hint names a field of a request, with what there is on the command line.
fn in_words(error: EngineError) -> EngineError {
    let better = ["did you mean", "docs/"];
    let hint = error.details.hint.as_ref().map(ToString::to_string).unwrap_or_default();
    let is_better = better.iter().any(|words| hint.contains(words));
    match error.code {
        ErrorCode::UnsupportedLanguage if !is_better => error
            .hint("name it with -t, or with --stdin-filename app.py for standard input; `cst languages` lists them"),
        _ => error,
    }
}

/// Does what the process's arguments say.
pub fn run() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    // Agents must never see how this program fails.
    if let Some(words) = hook::words(&words) {
        return hook::run(&words);
    }
    let parsed = match parse(&words) {
        Err(error) if error.kind() == ErrorKind::InvalidUtf8 => parse(&in_quotes(&words)),
        parsed => parsed,
    };
    let arguments = match parsed {
        Ok(arguments) => arguments,
        Err(error) => return usage::show(error, &words),
    };
    let format = match (arguments.global.json, arguments.global.jsonl) {
        (true, _) => Format::Json,
        (_, true) => Format::JsonLines,
        _ => Format::Text,
    };
    let console = Arc::new(Console::new(Printer::new(arguments.global.color, format, arguments.global.quiet)));
    let outcome = execute(arguments, &console);
    let mut printer = console.printer();
    let outcome = outcome.and_then(|exit| Ok(printer.flush().map(|()| exit)?));
    match outcome {
        Ok(exit) => exit.into(),
        Err(failure) => {
            let quiet = failure.is_closed_pipe() || failure.show(&mut printer).is_err();
            if quiet { ExitCode::SUCCESS } else { ExitCode::from(2) }
        }
    }
}

fn execute(arguments: Arguments, console: &Arc<Console>) -> Result<Exit, Failure> {
    refuse_inert(&arguments)?;
    let state = arguments.global.state;
    match &arguments.command {
        Command::Asking(asking) if matches!(**asking, Asking::Modify(_) | Asking::Rewrite(_) | Asking::Run(_)) => {
            console.signals().watch();
        }
        Command::Rpc(_) => console.signals().watch(),
        _ => {}
    }
    match arguments.command {
        Command::Asking(asking) => asking.run(surroundings(state, console)?, console),
        Command::Rpc(rpc) => rpc.run(surroundings(state, console)?),
        Command::Mcp(mcp) => {
            // An interrupt in the client's terminal is the client's.
            console.signals().ignore_interrupts();
            console.signals().watch();
            mcp.run(surroundings(state, console)?)
        }
        Command::Agent(agent) => agent.run(&mut console.printer()),
        Command::Hook(hook) => Ok(hook.run()),
        Command::Journal(journal) => journal.run(console),
        Command::Completions(completions) => completions.run(Arguments::command(), &mut console.printer()),
        Command::Man(man) => man.run(Arguments::command(), &mut console.printer()),
    }
}

/// Refuses global options that would do nothing.
fn refuse_inert(arguments: &Arguments) -> Result<(), Failure> {
    let (name, reads_format, reads_state) = match &arguments.command {
        Command::Rpc(_) => ("rpc", false, true),
        Command::Mcp(_) => ("mcp", false, true),
        Command::Completions(_) => ("completions", false, false),
        Command::Man(_) => ("man", false, false),
        Command::Agent(_) => ("agent", true, false),
        Command::Journal(_) => ("journal", true, false),
        Command::Asking(_) | Command::Hook(_) => return Ok(()),
    };
    let Global { json, jsonl, state, .. } = &arguments.global;
    let given = [
        ("--json", *json && !reads_format),
        ("--jsonl", *jsonl && !reads_format),
        ("--state", state.is_some() && !reads_state),
    ];
    match given.iter().find(|(_, inert)| *inert) {
        Some((option, _)) => Err(Failure::usage(format!("`cst {name}` has no use for {option}"), "leave it out")),
        None => Ok(()),
    }
}

/// Where the process works.
fn surroundings(state_asked: Option<PathBuf>, console: &Arc<Console>) -> Result<Surroundings, Failure> {
    Ok(Surroundings {
        files: Arc::new(Disk),
        programs: Arc::new(Machine),
        working_directory: std::env::current_dir().map_err(|error| Failure::unreadable(".", &error))?,
        root: None,
        state: state(state_asked),
        configuration: configuration(),
        cache: cache(),
        cache_limit: None,
        observer: console.clone(),
    })
}

impl Asking {
    fn run(self, surroundings: Surroundings, console: &Arc<Console>) -> Result<Exit, Failure> {
        let input = Input::new(surroundings.files.clone());
        let mut caller = Caller { engine: Engine::new(surroundings), console: console.clone(), input };
        match self {
            Asking::Find(find) => find.run(&mut caller),
            Asking::Outline(outline) => outline.run(&mut caller),
            Asking::Chunk(chunk) => chunk.run(&mut caller),
            Asking::Show(show) => show.run(&mut caller),
            Asking::Check(check) => check.run(&mut caller),
            Asking::Index(index) => index.run(&mut caller),
            Asking::Explain(explain) => explain.run(&mut caller),
            Asking::Load(load) => load.run(&mut caller),
            Asking::Modify(modify) => modify.run(&mut caller),
            Asking::Rewrite(rewrite) => rewrite.run(&mut caller),
            Asking::Run(run) => run.run(&mut caller),
            Asking::Test(test) => test.run(&mut caller),
            Asking::Undo(undo) => undo.run(&caller),
            Asking::Redo(redo) => redo.run(&caller),
            Asking::Diff(diff) => diff.run(&caller),
            Asking::Save(save) => save.run(&caller),
            Asking::Trees(trees) => trees.run(&caller),
            Asking::Drop(drop) => drop.run(&caller),
            Asking::Backups(backups) => backups.run(&caller),
            Asking::Languages(languages) => languages.run(&caller),
            Asking::Trust(trust) => trust.run(&caller),
        }
    }
}

/// The arguments; help for people is coloured as they asked, before anything else is known.
fn parse(words: &[OsString]) -> Result<Arguments, clap::Error> {
    let mut command = Arguments::command();
    if words.iter().any(|word| word == "--color=never") || words.windows(2).any(|pair| pair == ["--color", "never"]) {
        command = command.color(clap::ColorChoice::Never);
    }
    let mut matches = command.try_get_matches_from_mut(words)?;
    Arguments::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

/// Words of which some aren't UTF-8: these in quotes, as results show such paths, and `@FILE` as `@` and the rest.
fn in_quotes(words: &[OsString]) -> Vec<OsString> {
    let in_quotes = |word: &OsString| {
        if word.to_str().is_some() || word.as_encoded_bytes().starts_with(b"-") {
            return word.clone();
        }
        let text = path_text(Path::new(word));
        text.strip_prefix("\"@").map_or_else(|| text.clone(), |rest| format!("@\"{rest}")).into()
    };
    words.iter().map(in_quotes).collect()
}

/// The folder of the session store: as asked for, else the environment's, else the user's.
fn state(asked: Option<PathBuf>) -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| !path.as_os_str().is_empty());
    if let Some(exact) = asked.or_else(|| folder("CST_STATE")) {
        return Some(exact);
    }
    let home = std::env::home_dir();
    let base = if cfg!(windows) {
        folder("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        home.map(|home| home.join("Library/Application Support"))
    } else {
        let absolute = folder("XDG_STATE_HOME").filter(|path| path.is_absolute());
        absolute.or_else(|| home.map(|home| home.join(".local/state")))
    };
    base.map(|base| base.join("cst"))
}

/// The folder of indexes: the environment's, else the user's.
fn cache() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    if let Some(exact) = folder("CST_CACHE") {
        return Some(exact);
    }
    let base = folder("XDG_CACHE_HOME").or_else(|| std::env::home_dir().map(|home| home.join(".cache")));
    base.map(|base| base.join("cst"))
}

/// The folder of the user's own configuration.
fn configuration() -> Option<PathBuf> {
    let absolute = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute.or_else(|| std::env::home_dir().map(|home| home.join(".config")));
    base.map(|base| base.join("cst"))
}
