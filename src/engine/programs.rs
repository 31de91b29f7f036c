//! The way to other programs: those of the machine, or what a test puts in their place.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// What a program said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    /// What it wrote to its standard output, then what it wrote to its standard error.
    pub output: Vec<u8>,
    /// Its exit status; `None` when a signal ended it.
    pub status: Option<i32>,
}

/// The only way to other programs.
pub trait Programs: Send + Sync {
    /// Runs a program with its arguments, in a folder, with `input` on its standard input.
    ///
    /// # Errors
    /// As the system says: `NotFound` when there is no such program, `TimedOut` when it takes longer than `deadline`; it is
    /// ended then.
    fn run(&self, words: &[String], folder: &Path, input: &[u8], deadline: Duration) -> io::Result<Said>;
}

/// The programs of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct Machine;

impl Programs for Machine {
    fn run(&self, words: &[String], folder: &Path, input: &[u8], deadline: Duration) -> io::Result<Said> {
        let Some((name, arguments)) = words.split_first() else { return Err(io::ErrorKind::InvalidInput.into()) };
        // A path is seen from the folder, whatever the system would make of it; a name alone is looked up.
        let is_path = Path::new(name).components().count() > 1;
        let program = if is_path { folder.join(name) } else { name.into() };
        let mut child = Command::new(program)
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let said = heard(&mut child, input, Instant::now() + deadline);
        if said.is_err() {
            // What is over can't be ended; that is as good.
            let _ = child.kill();
            let _ = child.wait();
        }
        said
    }
}

/// Feeds a program and hears it out. The threads are left behind at the deadline: a program's own children may hold its
/// output open for longer than it lives.
fn heard(child: &mut Child, input: &[u8], end: Instant) -> io::Result<Said> {
    if let Some(mut stdin) = child.stdin.take() {
        let input = input.to_vec();
        // Whoever doesn't read all of it needn't.
        thread::spawn(move || stdin.write_all(&input));
    }
    let outputs = [child.stdout.take().map(collected), child.stderr.take().map(collected)];
    let mut said = Said::default();
    for output in outputs.into_iter().flatten() {
        let left = end.saturating_duration_since(Instant::now());
        let bytes = output.recv_timeout(left).map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?;
        said.output.extend(bytes?);
    }
    // It has closed both its outputs and has nothing left to say.
    while said.status.is_none() {
        match child.try_wait()? {
            Some(status) => {
                said.status = status.code();
                break;
            }
            None if Instant::now() >= end => return Err(io::ErrorKind::TimedOut.into()),
            None => thread::sleep(Duration::from_millis(1)),
        }
    }
    Ok(said)
}

/// All that comes out of a pipe, once it is closed.
fn collected(mut pipe: impl Read + Send + 'static) -> Receiver<io::Result<Vec<u8>>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = pipe.read_to_end(&mut bytes).map(|_| bytes);
        // Nobody listens any more after the deadline.
        let _ = sender.send(read);
    });
    receiver
}
