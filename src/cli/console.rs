//! The console: what an engine's observer prints while a request runs, and what a command prints after it.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::engine::{NodeRow, Observer};

use super::failure::Failure;
use super::matches::MatchStyle;
use super::printer::{Format, Printer};
use super::progress::Progress;

/// Standard output and standard error, shared with the engine.
pub(super) struct Console {
    printer: Mutex<Printer>,
    progress: Mutex<Progress>,
    /// How matches are printed as they are found; while there is none, they are left to the response.
    streaming: Mutex<Option<MatchStyle>>,
    /// Whether nobody reads what is printed.
    closed: AtomicBool,
}

impl Console {
    /// A console that prints there.
    pub(super) fn new(printer: Printer) -> Console {
        Console {
            printer: Mutex::new(printer),
            progress: Mutex::default(),
            streaming: Mutex::default(),
            closed: AtomicBool::new(false),
        }
    }

    /// The way to standard output.
    pub(super) fn printer(&self) -> MutexGuard<'_, Printer> {
        lock(&self.printer)
    }

    /// The shape of the output.
    pub(super) fn format(&self) -> Format {
        self.printer().format()
    }

    /// From now on, matches are printed as they are found.
    pub(super) fn stream(&self, style: MatchStyle) {
        *lock(&self.streaming) = Some(style);
    }

    /// Takes the progress bar away, and tells whether printing failed meanwhile.
    pub(super) fn settle(&self) -> Result<(), Failure> {
        lock(&self.progress).finish();
        if self.closed.load(Ordering::Relaxed) {
            return Err(Failure::Output(io::ErrorKind::BrokenPipe.into()));
        }
        Ok(())
    }
}

impl Observer for Console {
    fn progress(&self, done: usize, total: Option<usize>, message: &str) {
        lock(&self.progress).show(done, total, message);
    }

    fn found(&self, row: &NodeRow) -> bool {
        let streaming = lock(&self.streaming);
        let Some(style) = streaming.as_ref() else { return false };
        let mut printer = self.printer();
        let written = lock(&self.progress).aside(|| style.print(row, &mut printer));
        if written.is_err() {
            self.closed.store(true, Ordering::Relaxed);
        }
        true
    }

    fn note(&self, message: &str) {
        let mut printer = self.printer();
        // Where nobody reads standard output the note is lost with the rest.
        let _ = lock(&self.progress).aside(|| printer.note(message));
    }

    fn is_cancelled(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }
}

/// A panic while something was printed leaves nothing half done that matters here.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
