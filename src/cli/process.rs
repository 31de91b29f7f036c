//! The process: parses the arguments, runs the command, and returns the exit status.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches};
use tracing_subscriber::EnvFilter;

use super::arguments::{Arguments, Asking, Command, Global};
use super::caller::Caller;
use super::console::Console;
use super::exit::Exit;
use super::failure::Failure;
use super::folders::{cache, configuration, state};
use super::input::Input;
use super::printer::{Format, Printer, Volume};
use super::{hook, lazy, usage};
use crate::engine::{Commands, Disk, Engine, Host, SystemCommands};
use crate::project::path_text;

/// Runs the command of the process's arguments.
pub fn run() -> ExitCode {
    ExitCode::from(run_words(std::env::args_os().collect(), None))
}

/// Runs a command, its name first, in this process, and returns the exit status. For programs that have the command line
/// built in.
///
/// `program` is what others start to get here; otherwise, the process's own program.
pub fn run_words(words: Vec<OsString>, program: Option<PathBuf>) -> u8 {
    run_command(&words, program).status()
}

fn run_command(words: &[OsString], program: Option<PathBuf>) -> Exit {
    // Agents must never see an error of this program.
    if let Some(words) = hook::words(words) {
        return hook::run(&words);
    }
    let parsed = match parse(words) {
        Err(error) if error.kind() == ErrorKind::InvalidUtf8 => parse(&in_quotes(words)),
        parsed => parsed,
    };
    let arguments = match parsed {
        Ok(arguments) => arguments,
        Err(error) => return usage::show(error, words),
    };
    let format = match (arguments.global.json, arguments.global.jsonl) {
        (true, _) => Format::Json,
        (_, true) => Format::JsonLines,
        _ => Format::Text,
    };
    log(arguments.global.verbose);
    let volume = match (arguments.global.quiet, arguments.global.verbose) {
        (true, _) => Volume::Quiet,
        (_, true) => Volume::Verbose,
        _ => Volume::Normal,
    };
    let console = Arc::new(Console::new(Printer::new(arguments.global.color, format, volume)));
    let outcome = execute(arguments, program, &console);
    let mut printer = console.printer();
    let outcome = outcome.and_then(|exit| Ok(printer.flush().map(|()| exit)?));
    match outcome {
        Ok(exit) => exit,
        Err(failure) => Exit::failed(failure.end(&mut printer)),
    }
}

/// Sends what the engine reports of its decisions to standard error: all of it with `-v`, else what `CST_LOG` asks for.
fn log(verbose: bool) {
    const VARIABLE: &str = "CST_LOG";
    if !verbose && std::env::var_os(VARIABLE).is_none() {
        return;
    }
    let filter = match verbose {
        true => EnvFilter::new("cst=debug"),
        false => EnvFilter::from_env(VARIABLE),
    };
    let printing = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // It is set once; what is called in one process again keeps the first.
    _ = printing.without_time().with_ansi(false).with_target(false).try_init();
}

fn execute(arguments: Arguments, program: Option<PathBuf>, console: &Arc<Console>) -> Result<Exit, Failure> {
    refuse_inert(&arguments)?;
    let state = arguments.global.state;
    match &arguments.command {
        Command::Asking(asking)
            if matches!(**asking, Asking::Modify(_) | Asking::Rewrite(_) | Asking::Run(_) | Asking::Refactor(_)) =>
        {
            console.signals().watch();
        }
        Command::Rpc(_) => console.signals().watch(),
        _ => {}
    }
    match arguments.command {
        Command::Asking(asking) => {
            let host = host(state, console)?;
            let input = Input::new(host.files.clone());
            asking.run(&mut Caller { engine: Engine::new(host), console: console.clone(), input })
        }
        Command::Rpc(rpc) => rpc.0.run(host(state, console)?),
        Command::Pipe(pipe) => pipe.0.run(host(state, console)?),
        #[cfg(feature = "ui")]
        Command::Ui(ui) => {
            console.signals().watch();
            ui.0.run(host(state, console)?, console)
        }
        Command::Mcp(mcp) => {
            // An interrupt in the client's terminal is meant for the client.
            console.signals().ignore_interrupts();
            console.signals().watch();
            mcp.0.run(host(state, console)?)
        }
        Command::Agent(agent) => agent.0.run(program, &mut console.printer()),
        Command::Hook(hook) => Ok(hook.0.run()),
        Command::Journal(journal) => journal.0.run(console),
        Command::Completions(completions) => completions.0.run(Arguments::command(), &mut console.printer()),
        Command::Man(man) => man.0.run(Arguments::command(), &mut console.printer()),
    }
}

/// Refuses global options that have no effect.
fn refuse_inert(arguments: &Arguments) -> Result<(), Failure> {
    let (name, reads_format, reads_state) = match &arguments.command {
        Command::Rpc(_) => ("rpc", false, true),
        Command::Mcp(_) => ("mcp", false, true),
        Command::Pipe(_) => ("pipe", false, true),
        #[cfg(feature = "ui")]
        Command::Ui(_) => ("ui", false, true),
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
        Some((option, _)) => Err(Failure::usage(format!("`cst {name}` does not take {option}"), "leave it out")),
        None => Ok(()),
    }
}

/// The environment of the engine.
fn host(state_asked: Option<PathBuf>, console: &Arc<Console>) -> Result<Host, Failure> {
    Ok(Host {
        files: Arc::new(Disk),
        programs: Arc::new(SystemCommands),
        working_directory: std::env::current_dir().map_err(|error| Failure::unreadable(".", &error))?,
        root: None,
        state: state(state_asked),
        configuration: configuration(),
        cache: cache(),
        cache_limit: None,
        commands: Commands::Any,
        observer: console.clone(),
    })
}

/// Parses the arguments; help is coloured as requested, before anything else is known.
fn parse(words: &[OsString]) -> Result<Arguments, clap::Error> {
    let mut command = lazy::for_words(words, Arguments::command);
    if words.iter().any(|word| word == "--color=never") || words.windows(2).any(|pair| pair == ["--color", "never"]) {
        command = command.color(clap::ColorChoice::Never);
    }
    let mut matches = command.try_get_matches_from_mut(words)?;
    Arguments::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

/// Arguments of which some are not UTF-8: these are quoted, as results show such paths, and for `@FILE` the part after
/// `@`.
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
