//! `hook`: what coding agents call around their edits. It always exits with 0, in time, and prints only what the agent
//! expects.

use crate::limits;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;

use crate::agent::hook::{Caller, Phase, Setting, answer};
use crate::engine::{Disk, SystemCommands, kill_programs};

use super::exit::Exit;

/// The time limit for the work, which leaves time for writing.
const WORK: Duration = Duration::from_millis(1800);
/// The time limit for the reader of the answer.
const WRITING: Duration = Duration::from_millis(300);

/// Handles the hook events of coding agents
///
/// Reads the agent's event from standard input. Reports a syntax error that the agent's edit caused, and records which
/// definitions changed: see `cst journal`. Always exits with 0.
#[derive(Debug, Args)]
pub(super) struct Hook {
    /// claude-code, codex, gemini, cline, copilot, opencode, cursor, droid or windsurf
    #[arg(value_name = "AGENT")]
    agent: Option<String>,
    /// pre or post, for agents whose events do not say which
    #[arg(value_name = "PHASE")]
    phase: Option<String>,
}

/// The arguments after `hook`, if that is the command; requests for help are left to clap.
pub(super) fn words(words: &[OsString]) -> Option<Vec<String>> {
    let mut rest = words.iter().skip(1);
    loop {
        let word = rest.next()?;
        match word.to_str()? {
            "--color" | "--state" => _ = rest.next(),
            "hook" => break,
            option if option.starts_with("--") => {}
            _ => return None,
        }
    }
    let words: Vec<String> = rest.map(|word| word.to_string_lossy().into_owned()).collect();
    let is_help = words.iter().any(|word| word == "--help" || word == "-h");
    (!is_help).then_some(words)
}

impl Hook {
    /// The same, called as a normal command.
    pub(super) fn run(self) -> Exit {
        run(&self.agent.into_iter().chain(self.phase).collect::<Vec<_>>())
    }
}

/// Answers the call with these arguments.
pub(super) fn run(words: &[String]) -> Exit {
    let start = Instant::now();
    // An agent would take a panic message for the answer, or for a failure.
    std::panic::set_hook(Box::new(|_| {}));
    let caller = words.first().and_then(|name| Caller::named(name));
    let phase = words.get(1).map(|word| Phase::named(word));
    let neutral = caller.map_or_else(|| "{}".to_owned(), Caller::neutral);
    let answered = match (caller, phase) {
        (Some(caller), None | Some(Some(_))) if words.len() <= 2 => work(caller, phase.flatten(), start),
        _ => {
            say("usage: cst hook AGENT [pre|post]");
            read_all()
        }
    };
    let answer = match answered.recv_timeout((start + limits::HOOK_TIME).saturating_duration_since(Instant::now())) {
        Ok(Some(answer)) => answer,
        Ok(None) | Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => neutral,
    };
    write(&answer);
    // Unfinished work may have left one running.
    kill_programs();
    Exit::Done
}

/// Reads the event and answers it on another thread: the input may never end, and the work may take too long.
fn work(caller: Caller, phase: Option<Phase>, start: Instant) -> Receiver<Option<String>> {
    // A stack overflow could not be caught as a panic; unused stack costs nothing.
    const STACK: usize = 256 << 20;
    let (sender, receiver) = channel();
    let work = move || {
        let setting = Setting {
            files: &Disk,
            programs: &SystemCommands,
            working_directory: std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/")),
            home: std::env::home_dir(),
            variable: &|name| std::env::var(name).ok(),
            end: start + WORK,
        };
        let answer = input().map(|input| answer(caller, phase, &input, &setting));
        // After the deadline nobody receives it.
        let _ = sender.send(answer);
    };
    // If no thread can be started, the answer is the neutral one.
    let _ = thread::Builder::new().stack_size(STACK).spawn(work);
    receiver
}

/// Reads the event of a call that cannot be answered, so that the writer does not fail.
fn read_all() -> Receiver<Option<String>> {
    let (sender, receiver) = channel();
    let _ = thread::Builder::new().spawn(move || {
        input();
        let _ = sender.send(None);
    });
    receiver
}

/// All of standard input, up to a limit. A terminal is not read.
fn input() -> Option<Vec<u8>> {
    let mut stdin = io::stdin().lock();
    if stdin.is_terminal() {
        return None;
    }
    let mut bytes = Vec::new();
    stdin.by_ref().take(limits::HOOK_EVENT_BYTES as u64 + 1).read_to_end(&mut bytes).ok()?;
    if bytes.len() > limits::HOOK_EVENT_BYTES {
        // The writer must be able to write all of it.
        let _ = io::copy(&mut stdin, &mut io::sink());
        return None;
    }
    Some(bytes)
}

/// Writes the answer, without waiting for a reader that does not read.
fn write(answer: &str) {
    let (sender, receiver) = channel();
    let text = answer.to_owned();
    let written = thread::Builder::new().spawn(move || {
        print(&text);
        let _ = sender.send(());
    });
    match written {
        Ok(_) => _ = receiver.recv_timeout(WRITING),
        Err(_) => print(answer),
    }
}

fn print(answer: &str) {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(answer.as_bytes()).and_then(|()| stdout.flush());
    // The exit status stays 0, and a closed pipe is not an error here.
    if let Some(error) = written.err().filter(|error| error.kind() != io::ErrorKind::BrokenPipe) {
        say(&format!("error: cannot write: {error}"));
    }
}

/// Prints a message to standard error, which agents do not read.
fn say(words: &str) {
    let _ = writeln!(io::stderr(), "{words}");
}
