//! Lines of JSON, each with a text and a selector; one line of JSON for each, in the same order.
//!
//! One thread reads, several search, and the calling thread writes. The lines between reading and writing are bounded, in
//! number and in bytes. A line that cannot be answered becomes a row with an error: other programs split their work into
//! lines, and one bad text must not end the work on all others.

use std::collections::BTreeMap;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::bounded;
use super::error::ServeError;
use super::framing::{Line, line};
use crate::engine::{Engine, Host};
use crate::limits;
use crate::locks::IgnorePoison;
use crate::request::{EngineError, ErrorCode, FindRequest, NodeRow, Reading, Target, Versioned};
use crate::text::Text;

/// What holds for lines that do not say otherwise.
#[derive(Debug, Clone, Default)]
pub struct PipeDefaults {
    /// The selector.
    pub selector: Option<String>,
    /// The language of the texts.
    pub language: Option<String>,
    /// Whether matches have their code.
    pub code: bool,
    /// The most matches of a text.
    pub limit: Option<usize>,
    /// The most bytes of a text; 4 MiB by default.
    pub max_size: Option<u64>,
    /// How many texts are searched at once; one per processor by default.
    pub threads: Option<usize>,
}

/// The fields of a line.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Fields {
    #[serde(rename = "id")]
    _id: Value,
    path: Option<String>,
    text: Option<String>,
    bytes: Option<String>,
    selector: Option<String>,
    pattern: Option<String>,
    language: Option<String>,
    code: Option<bool>,
    limit: Option<usize>,
}

/// The `id` of a line as it is written: a number may have more digits than any number of a processor.
#[derive(Deserialize)]
struct Label<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
}

/// The answer to a line.
#[derive(Serialize)]
struct Row {
    id: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(flatten)]
    outcome: Outcome,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Outcome {
    Found {
        total: usize,
        truncated: bool,
        /// Whether the text has syntax errors.
        has_errors: bool,
        matches: Vec<NodeRow>,
    },
    Failed {
        /// The number of the line, from 1.
        line: usize,
        error: EngineError,
    },
}

/// A line on its way to a thread that searches.
struct Job {
    number: usize,
    line: Line,
}

/// An answer on its way to the output.
struct Answer {
    number: usize,
    /// The bytes of the line.
    bytes: usize,
    row: String,
}

/// The lines that were read and are not written.
#[derive(Default)]
struct Window {
    open: Mutex<Open>,
    changed: Condvar,
}

#[derive(Default)]
struct Open {
    lines: usize,
    bytes: usize,
    /// Nobody writes any more.
    is_abandoned: bool,
}

impl Window {
    /// Adds a line as soon as the queue has space; false if the writer is gone.
    fn enter(&self, bytes: usize) -> bool {
        let mut open = lock(&self.open);
        while !open.is_abandoned
            && open.lines > 0
            && (open.lines >= limits::AHEAD || open.bytes + bytes > limits::WAITING_BYTES)
        {
            open = self.changed.wait(open).ignore_poison();
        }
        open.lines += 1;
        open.bytes += bytes;
        !open.is_abandoned
    }

    fn leave(&self, bytes: usize) {
        let mut open = lock(&self.open);
        open.lines -= 1;
        open.bytes -= bytes;
        self.changed.notify_all();
    }

    fn abandon(&self) {
        lock(&self.open).is_abandoned = true;
        self.changed.notify_all();
    }
}

/// Answers each line of the input with a line of the output, until the end of input, or until the answers are no longer
/// read.
///
/// # Errors
/// When input cannot be read, or output cannot be written.
pub fn pipe(
    host: Host,
    defaults: PipeDefaults,
    input: impl Read + Send + 'static,
    output: impl Write,
) -> Result<(), ServeError> {
    let threads = defaults.threads.filter(|threads| *threads > 0);
    let threads = threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
    let searcher = Arc::new(Searcher { engine: Engine::new(host), defaults });
    let window = Arc::new(Window::default());
    let (jobs, waiting) = channel();
    let (answers, answered) = channel();
    let waiting = Arc::new(Mutex::new(waiting));
    for _ in 0..threads {
        let (searcher, waiting, answers) = (searcher.clone(), waiting.clone(), answers.clone());
        thread::spawn(move || {
            while let Some(Job { number, line }) = next(&waiting) {
                let bytes = size(&line);
                let row = searcher.row(number, line);
                if answers.send(Ok(Answer { number, bytes, row })).is_err() {
                    return;
                }
            }
        });
    }
    // It is not waited for: if nobody reads the answers, it may wait for input for ever.
    let reading = window.clone();
    thread::spawn(move || {
        if let Err(error) = read(input, &reading, &jobs) {
            // If nobody writes any more, nobody asks for the reason either.
            _ = answers.send(Err(ServeError::Input(error)));
        }
    });
    let written = write(&answered, &window, output);
    window.abandon();
    match written {
        Err(ServeError::Output(error)) => ServeError::of_output(error),
        ended => ended,
    }
}

/// Passes lines on until the end of input, or until nobody writes any more.
fn read(input: impl Read, window: &Window, jobs: &Sender<Job>) -> io::Result<()> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    for number in 1.. {
        let Some(line) = line(&mut input, limits::MESSAGE_BYTES)? else { break };
        if !window.enter(size(&line)) || jobs.send(Job { number, line }).is_err() {
            break;
        }
    }
    Ok(())
}

/// Writes answers in the order of their lines. What is written reaches the reader before the next wait.
fn write(
    answered: &Receiver<Result<Answer, ServeError>>,
    window: &Window,
    output: impl Write,
) -> Result<(), ServeError> {
    let mut output = BufWriter::with_capacity(1 << 16, output);
    let mut early: BTreeMap<usize, Answer> = BTreeMap::new();
    let mut expected = 1;
    loop {
        let answer = match answered.try_recv() {
            Ok(answer) => answer,
            Err(TryRecvError::Disconnected) => return output.flush().map_err(ServeError::Output),
            Err(TryRecvError::Empty) => {
                output.flush().map_err(ServeError::Output)?;
                match answered.recv() {
                    Ok(answer) => answer,
                    Err(_) => return Ok(()),
                }
            }
        }?;
        early.insert(answer.number, answer);
        while let Some(Answer { bytes, row, .. }) = early.remove(&expected) {
            let line = [row.as_bytes(), b"\n"];
            line.iter().try_for_each(|part| output.write_all(part)).map_err(ServeError::Output)?;
            window.leave(bytes);
            expected += 1;
        }
    }
}

/// The next line to search; `None` when no more come.
fn next(waiting: &Mutex<Receiver<Job>>) -> Option<Job> {
    lock(waiting).recv().ok()
}

fn size(line: &Line) -> usize {
    match line {
        Line::Whole(line) => line.len(),
        Line::TooLong => 0,
    }
}

/// Answers lines.
struct Searcher {
    engine: Engine,
    defaults: PipeDefaults,
}

impl Searcher {
    /// The answer to a line, as JSON.
    fn row(&self, number: usize, line: Line) -> String {
        let (mut id, mut path) = (None, None);
        let outcome = catch_unwind(AssertUnwindSafe(|| self.answer(line, &mut id, &mut path)));
        let outcome = outcome.unwrap_or_else(|_| Err(EngineError::new(ErrorCode::Internal, "an internal error")));
        let outcome = outcome.unwrap_or_else(|error| Outcome::Failed { line: number, error });
        serde_json::to_string(&Versioned::new(Row { id, path, outcome })).expect("a row is plain data")
    }

    fn answer(
        &self,
        line: Line,
        id: &mut Option<Box<RawValue>>,
        path: &mut Option<String>,
    ) -> Result<Outcome, EngineError> {
        let Line::Whole(line) = line else {
            let message = format!("a line of over {} MiB", limits::MESSAGE_BYTES >> 20);
            return Err(EngineError::new(ErrorCode::TooLarge, message));
        };
        *id = id_as_written(&line);
        let value = bounded::read(&line).map_err(|error| bad(format!("the line is not JSON: {error}")))?;
        drop(line);
        let Value::Object(object) = &value else { return Err(bad("the line is not a JSON object")) };
        if id.is_none() {
            *id = object.get("id").and_then(|id| serde_json::value::to_raw_value(id).ok());
        }
        *path = object.get("path").and_then(Value::as_str).map(str::to_owned);
        let fields: Fields = serde_json::from_value(value).map_err(|error| bad(error.to_string()))?;
        let request = self.request(fields)?;
        let found = self.engine.find(&request)?;
        Ok(Outcome::Found {
            total: found.total,
            truncated: found.truncated,
            has_errors: !found.files.with_errors.is_empty(),
            matches: found.matches,
        })
    }

    fn request(&self, fields: Fields) -> Result<FindRequest, EngineError> {
        let text = match (fields.text, fields.bytes) {
            (Some(text), None) => text,
            (None, Some(bytes)) => decode(&bytes)?,
            (Some(_), Some(_)) => return Err(bad("`text` and `bytes` exclude each other")),
            (None, None) => return Err(bad("`text` or `bytes` is missing")),
        };
        let defaults = &self.defaults;
        let (selector, pattern) = match (fields.selector, fields.pattern) {
            (None, None) => (defaults.selector.clone(), None),
            own => own,
        };
        if selector.is_none() && pattern.is_none() {
            return Err(bad("`selector` or `pattern` is missing"));
        }
        let mut request = FindRequest::default().within([Target::text(text, fields.path.unwrap_or_default())]);
        request.selector = selector;
        request.pattern = pattern;
        request.code = fields.code.unwrap_or(defaults.code);
        request.limit = fields.limit.or(defaults.limit);
        request.reading = Reading {
            language: fields.language.or_else(|| defaults.language.clone()),
            max_size: Some(defaults.max_size.unwrap_or(limits::FOLDER_FILE_BYTES)),
            ..Reading::default()
        };
        Ok(request)
    }
}

/// The id of a line; `None` if there is none, or if there are several.
fn id_as_written(line: &[u8]) -> Option<Box<RawValue>> {
    // A structure is read from a list, too.
    let object = line.trim_ascii_start().strip_prefix(b"{").map(|_| line)?;
    let Label { id } = serde_json::from_slice(object).ok()?;
    let id = id?.get();
    // Where a carriage return is white space some readers of lines end the line.
    RawValue::from_string(id.replace('\r', " ")).ok()
}

/// The text of bytes in base64, white space in between allowed, in the encoding that they declare.
fn decode(bytes: &str) -> Result<String, EngineError> {
    let compact: Vec<u8> = bytes.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let bytes = STANDARD.decode(compact).map_err(|error| bad(format!("`bytes` is not base64: {error}")))?;
    let text = Text::decode_declared(bytes);
    let text = text.map_err(|error| EngineError::new(ErrorCode::from(&error), format!("`bytes` is {error}")))?;
    Ok(text.to_string())
}

fn bad(message: impl Into<String>) -> EngineError {
    EngineError::bad_request(message)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().ignore_poison()
}
