//! A long answer as lines of JSON: matches and progress as they come, the result at the end.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::engine::Observer;
use crate::locks::IgnorePoison;
use crate::request::NodeRow;

/// How many matches are sent at once.
const ROWS: usize = 400;
/// How long a match waits for others.
const WAIT: Duration = Duration::from_millis(50);
/// How long nothing is sent before an empty line is: only who writes learns that the reader is gone.
const PULSE: Duration = Duration::from_millis(300);

/// The observer of a request whose answer is a stream. When its reader is gone, the request is cancelled.
pub(super) struct Stream {
    state: Mutex<State>,
    is_closed: AtomicBool,
    /// Who is asked about writes.
    console: Arc<dyn Observer>,
}

struct State {
    output: Box<dyn Write + Send>,
    rows: Vec<Value>,
    progress: Option<Value>,
    sent: Instant,
}

impl Stream {
    /// A stream with its head, which is sent at once.
    pub fn new(mut output: Box<dyn Write + Send>, head: &str, console: Arc<dyn Observer>) -> io::Result<Stream> {
        output.write_all(head.as_bytes())?;
        let state = State { output, rows: Vec::new(), progress: None, sent: Instant::now() };
        Ok(Stream { state: Mutex::new(state), is_closed: AtomicBool::new(false), console })
    }

    /// Sends the last line.
    pub fn end(&self, last: &Value) {
        let mut state = self.state();
        let ended = state.flush().and_then(|()| state.send(last)).and_then(|()| {
            state.output.write_all(b"0\r\n\r\n")?;
            state.output.flush()
        });
        drop(state);
        // A reader that is gone has seen enough.
        _ = ended;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().ignore_poison()
    }

    fn flush_in_time(&self, mut state: MutexGuard<'_, State>) {
        if (state.rows.len() >= ROWS || state.sent.elapsed() >= WAIT) && state.flush().is_err() {
            self.is_closed.store(true, Ordering::Relaxed);
        }
    }
}

impl State {
    fn flush(&mut self) -> io::Result<()> {
        self.sent = Instant::now();
        if !self.rows.is_empty() {
            let rows = std::mem::take(&mut self.rows);
            self.send(&json!({"rows": rows}))?;
        }
        match self.progress.take() {
            Some(progress) => self.send(&progress),
            None => Ok(()),
        }
    }

    /// Sends a line.
    fn send(&mut self, line: &Value) -> io::Result<()> {
        self.send_line(&format!("{line}\n"))
    }

    /// Sends an empty line, which the page skips.
    fn pulse(&mut self) -> io::Result<()> {
        self.sent = Instant::now();
        self.send_line("\n")
    }

    /// Sends a line with its end, as a chunk of HTTP.
    fn send_line(&mut self, line: &str) -> io::Result<()> {
        write!(self.output, "{:x}\r\n{line}\r\n", line.len())?;
        self.output.flush()
    }
}

impl Observer for Stream {
    fn progress(&self, done: usize, total: Option<usize>, message: &str) {
        let mut state = self.state();
        state.progress = Some(json!({"progress": {"done": done, "total": total, "message": message}}));
        self.flush_in_time(state);
    }

    fn found(&self, row: &NodeRow) -> bool {
        let mut state = self.state();
        state.rows.push(serde_json::to_value(row).unwrap_or_default());
        self.flush_in_time(state);
        true
    }

    fn begin_writing(&self) {
        self.console.begin_writing();
    }

    fn end_writing(&self) {
        self.console.end_writing();
    }

    fn is_interrupted(&self) -> bool {
        self.console.is_interrupted()
    }

    fn is_cancelled(&self) -> bool {
        // Whoever has the stream now writes to it.
        if let Ok(mut state) = self.state.try_lock()
            && state.sent.elapsed() >= PULSE
            && state.pulse().is_err()
        {
            self.is_closed.store(true, Ordering::Relaxed);
        }
        self.is_closed.load(Ordering::Relaxed)
    }
}
