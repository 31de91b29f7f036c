//! The console: what an engine's observer prints during a request, and what a command prints after it.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

use crate::engine::Observer;
use crate::locks::IgnorePoison;
use crate::request::{ChunkRow, Decision, NodeRow, OutlinedFile, Proposal};

use super::definitions::OutlineStyle;
use super::failure::Failure;
use super::matches::{self, MatchStyle};
use super::printer::{Format, Printer};
use super::progress::Progress;
use super::proposal;
use super::signals::Signals;

/// Standard output and standard error, shared with the engine.
pub(super) struct Console {
    printer: Mutex<Printer>,
    progress: Mutex<Progress>,
    /// How results are printed as they are found; without it, they are left to the response.
    streaming: Mutex<Option<Streaming>>,
    /// How many results were printed that way.
    streamed: AtomicUsize,
    /// The path printed last.
    last_path: Mutex<Option<String>>,
    /// Whether the output cannot be written any more.
    closed: AtomicBool,
    /// Why it cannot.
    failed: Mutex<Option<io::Error>>,
    signals: Signals,
}

/// How results are printed as they are found.
#[derive(Debug, Clone, Copy)]
pub(super) enum Streaming {
    /// Matches.
    Matches(MatchStyle),
    /// The files of matches, each once; ended by NUL or a line end.
    Paths { null: bool },
    /// Outlines of files.
    Outlines(OutlineStyle),
    /// Chunks, one per line.
    Chunks,
}

impl Console {
    /// A console for this printer.
    pub(super) fn new(printer: Printer) -> Console {
        Console {
            printer: Mutex::new(printer),
            progress: Mutex::default(),
            streaming: Mutex::default(),
            streamed: AtomicUsize::new(0),
            last_path: Mutex::default(),
            closed: AtomicBool::new(false),
            failed: Mutex::default(),
            signals: Signals::default(),
        }
    }

    /// The way to standard output.
    pub(super) fn printer(&self) -> MutexGuard<'_, Printer> {
        lock(&self.printer)
    }

    /// The signals that end the process.
    pub(super) fn signals(&self) -> &Signals {
        &self.signals
    }

    /// The format of the output.
    pub(super) fn format(&self) -> Format {
        self.printer().format()
    }

    /// From now on, results are printed as they are found.
    pub(super) fn stream(&self, streaming: Streaming) {
        *lock(&self.streaming) = Some(streaming);
    }

    /// How many results were printed as they were found.
    pub(super) fn streamed(&self) -> usize {
        self.streamed.load(Ordering::Relaxed)
    }

    /// Prints a result with the progress bar out of the way.
    fn print(&self, print: impl FnOnce(&mut Printer) -> io::Result<()>) {
        let mut printer = self.printer();
        let written = lock(&self.progress).aside(|| print(&mut printer));
        self.streamed.fetch_add(1, Ordering::Relaxed);
        if let Err(error) = written {
            self.fail(error);
        }
    }

    /// Keeps why the output cannot be written; what runs is cancelled.
    fn fail(&self, error: io::Error) {
        lock(&self.failed).get_or_insert(error);
        self.closed.store(true, Ordering::Relaxed);
    }

    /// Removes the progress bar, and returns an error if printing failed in the meantime.
    pub(super) fn settle(&self) -> Result<(), Failure> {
        lock(&self.progress).finish();
        match lock(&self.failed).take() {
            Some(error) => Err(Failure::Output(error)),
            None => Ok(()),
        }
    }
}

impl Observer for Console {
    fn progress(&self, done: usize, total: Option<usize>, message: &str) {
        lock(&self.progress).show(done, total, message);
    }

    fn found(&self, row: &NodeRow) -> bool {
        match *lock(&self.streaming) {
            Some(Streaming::Matches(style)) => self.print(|printer| style.print(row, printer)),
            Some(Streaming::Paths { null }) => {
                let mut last = lock(&self.last_path);
                if let Some(path) = row.path.as_deref().filter(|path| last.as_deref() != Some(path)) {
                    *last = Some(path.to_owned());
                    self.print(|printer| matches::print_path(path, null, printer));
                }
            }
            _ => return false,
        }
        true
    }

    fn outlined(&self, file: &OutlinedFile) -> bool {
        let Some(Streaming::Outlines(style)) = *lock(&self.streaming) else { return false };
        let is_first = self.streamed() == 0;
        self.print(|printer| style.print(file, is_first, printer));
        true
    }

    fn chunked(&self, chunk: &ChunkRow) -> bool {
        if !matches!(*lock(&self.streaming), Some(Streaming::Chunks)) {
            return false;
        }
        self.print(|printer| printer.json(chunk));
        true
    }

    fn decide(&self, proposal: &Proposal) -> Decision {
        let mut printer = self.printer();
        let decided = lock(&self.progress).aside(|| proposal::ask(proposal, &mut printer));
        decided.unwrap_or_else(|error| {
            self.fail(error);
            Decision::Quit
        })
    }

    fn note(&self, message: &str) {
        let mut printer = self.printer();
        let written = lock(&self.progress).aside(|| printer.note(message));
        if let Err(error) = written {
            self.fail(error);
        }
    }

    fn begin_writing(&self) {
        self.signals.hold();
    }

    fn end_writing(&self) {
        self.signals.release();
    }

    fn is_interrupted(&self) -> bool {
        self.signals.is_interrupted()
    }

    fn is_cancelled(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }
}

/// A panic during printing leaves no inconsistent state that matters here.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().ignore_poison()
}
