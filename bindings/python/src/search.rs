//! Searches over files: several threads, no lock of Python, and a bounded number of hits that wait.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use cst::Host;
use cst::engine::{EngineError, ErrorCode, FindResponse, NodeRow, Observer, Target};
use pyo3::exceptions::PyStopIteration;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::errors::{bad, raise_in_arguments};
use crate::node::{position, shortened};
use crate::running::{Cancelled, host};
use crate::tree::{Tree, find_request};

/// How many hits may wait for Python.
const WAITING: usize = 4096;
/// How long Python waits before it looks for a signal.
const SIGNALS: Duration = Duration::from_millis(50);

/// A node that a search found: plain data.
#[pyclass(frozen, module = "cst_engine")]
pub struct Hit {
    row: NodeRow,
}

impl Hit {
    /// The match in a tree, with its code.
    pub fn of(tree: &Tree, found: &cst::Match) -> Hit {
        let (own, node) = (tree.tree(), found.node);
        let (start, end, span) = (own.start(node), own.end(node), own.span(node));
        let captures: serde_json::Map<String, serde_json::Value> = found
            .captures
            .iter()
            .map(|(name, captured)| {
                let id = captured.first().map(|first| own.id(first).to_string());
                (name.clone(), serde_json::json!({"node_id": id, "text": captured.text(own)}))
            })
            .collect();
        let json = serde_json::json!({
            "node_id": own.id(node).to_string(), "path": own.path().filter(|path| !path.is_empty()),
            "type": own.type_name(node), "kind": tree.data.kind(node), "name": own.name(node), "qualname": own.qualname(node),
            "start_line": start.line, "start_col": start.col(), "end_line": end.line, "end_col": end.col(),
            "start_byte": span.start(), "end_byte": span.end(), "captures": captures, "code": own.node_text(node),
        });
        Hit { row: serde_json::from_value(json).unwrap_or_default() }
    }
}

#[pymethods]
impl Hit {
    /// The path of the file.
    #[getter]
    fn path(&self) -> Option<&str> {
        self.row.path.as_deref()
    }

    /// The most specific kind; `node` if it has none.
    #[getter]
    fn kind(&self) -> &str {
        &self.row.kind
    }

    /// The type in the grammar.
    #[getter]
    fn r#type(&self) -> &str {
        &self.row.type_name
    }

    /// The name.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.row.name.as_deref()
    }

    /// The name with those of the enclosing definitions.
    #[getter]
    fn qualname(&self) -> Option<&str> {
        self.row.qualname.as_deref()
    }

    /// The id in the file, if it was asked for.
    #[getter]
    fn id(&self) -> Option<&str> {
        self.row.node_id.as_deref()
    }

    /// Where it starts: line from 1, column in characters from 1.
    #[getter]
    fn start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        position(py, self.row.start_line, self.row.start_col)
    }

    /// The place after its last character.
    #[getter]
    fn end<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        position(py, self.row.end_line, self.row.end_col)
    }

    /// The offset of its first byte.
    #[getter]
    fn start_byte(&self) -> usize {
        self.row.start_byte
    }

    /// The offset after its last byte.
    #[getter]
    fn end_byte(&self) -> usize {
        self.row.end_byte
    }

    /// The text, if it was asked for.
    #[getter]
    fn text(&self) -> Option<&str> {
        self.row.code.as_deref()
    }

    /// The texts of what the selector captures, by name.
    #[getter]
    fn captures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let captures = PyDict::new(py);
        for (name, capture) in self.row.captures.iter() {
            captures.set_item(name, &capture.text)?;
        }
        Ok(captures)
    }

    /// The hit as JSON, in the form of `cst find --jsonl`.
    fn to_json(&self) -> String {
        serde_json::to_string(&self.row).unwrap_or_default()
    }

    /// The hit of such JSON.
    #[staticmethod]
    fn from_json(json: &str) -> PyResult<Hit> {
        Ok(Hit { row: serde_json::from_str(json).map_err(|error| bad(error.to_string()))? })
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Hit>().is_ok_and(|other| other.get().row == self.row)
    }

    fn __hash__(&self) -> u64 {
        self.row.start_byte as u64
    }

    fn __repr__(&self) -> String {
        let NodeRow { kind, start_line, start_col, .. } = &self.row;
        let name = self.row.qualname.as_deref().or(self.row.name.as_deref());
        let name = name.map(|name| format!(" {name:?}"));
        let code = || self.row.code.as_deref().map(|code| format!(" `{}`", shortened(code)));
        let name = name.or_else(code).unwrap_or_default();
        format!("<Hit {}:{start_line}:{start_col} {kind}{name}>", self.path().unwrap_or("-"))
    }

    /// A row for notebooks.
    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        Ok(slf.py().import("cst_engine._html")?.call_method1("of_hit", (slf,))?.unbind())
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String,))> {
        let make = slf.get_type().getattr("from_json")?.unbind();
        Ok((make, (slf.get().to_json(),)))
    }
}

/// How far a search is.
#[derive(Default)]
struct Progress {
    /// How many files were looked at.
    searched: AtomicUsize,
    /// How many files there are; 0 while the folders are walked.
    files: AtomicUsize,
    /// How many hits were found.
    found: AtomicUsize,
}

/// Passes hits on as they are found, and waits while too many are not taken.
struct Passing {
    hits: SyncSender<NodeRow>,
    cancelled: Cancelled,
    progress: Arc<Progress>,
}

impl Observer for Passing {
    fn progress(&self, done: usize, total: Option<usize>, _message: &str) {
        self.progress.searched.store(done, Ordering::Relaxed);
        self.progress.files.store(total.unwrap_or_default(), Ordering::Relaxed);
    }

    fn found(&self, row: &NodeRow) -> bool {
        self.progress.found.fetch_add(1, Ordering::Relaxed);
        if self.hits.send(row.clone()).is_err() {
            // Nobody takes any more.
            self.cancelled.0.store(true, Ordering::Relaxed);
        }
        true
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.is_cancelled()
    }
}

type Outcome = Result<FindResponse, EngineError>;

/// The hits of a search, as they are found.
#[pyclass(frozen, module = "cst_engine")]
pub struct Hits {
    rows: Mutex<Receiver<NodeRow>>,
    ended: Mutex<Receiver<Outcome>>,
    outcome: Mutex<Option<Outcome>>,
    cancelled: Cancelled,
    /// Whether the program itself ended the search.
    is_closed: AtomicBool,
    progress: Arc<Progress>,
}

impl Drop for Hits {
    fn drop(&mut self) {
        self.cancelled.0.store(true, Ordering::Relaxed);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hits {
    /// Why no more hits come: an error, or the end.
    fn end(&self) -> PyErr {
        let mut outcome = lock(&self.outcome);
        if outcome.is_none() {
            *outcome = lock(&self.ended).recv().ok();
        }
        match &*outcome {
            Some(Ok(_)) => PyStopIteration::new_err(()),
            // Who closed a search knows why no more hits come.
            Some(Err(error)) if error.code == ErrorCode::Cancelled && self.is_closed.load(Ordering::Relaxed) => {
                PyStopIteration::new_err(())
            }
            Some(Err(error)) => raise_in_arguments(error),
            None => bad("an internal error: the search panicked"),
        }
    }

    fn report<T>(&self, take: impl FnOnce(&FindResponse) -> T) -> Option<T> {
        lock(&self.outcome).as_ref().and_then(|outcome| outcome.as_ref().ok()).map(take)
    }
}

#[pymethods]
impl Hits {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Hit> {
        match py_try(&self.rows) {
            Some(Ok(row)) => return Ok(Hit { row }),
            Some(Err(TryRecvError::Disconnected)) => return Err(self.end()),
            Some(Err(TryRecvError::Empty)) | None => {}
        }
        loop {
            match py.detach(|| lock(&self.rows).recv_timeout(SIGNALS)) {
                Ok(row) => return Ok(Hit { row }),
                Err(RecvTimeoutError::Disconnected) => return Err(py.detach(|| self.end())),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Err(signal) = py.check_signals() {
                self.cancelled.0.store(true, Ordering::Relaxed);
                return Err(signal);
            }
        }
    }

    /// Ends the search. What was found before can still be taken.
    fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
        self.cancelled.0.store(true, Ordering::Relaxed);
    }

    /// How many files were searched; so far, while the search runs.
    #[getter]
    fn searched(&self) -> usize {
        let so_far = || self.progress.searched.load(Ordering::Relaxed);
        self.report(|found| found.files.searched).unwrap_or_else(so_far)
    }

    /// How many files there are to search; None while the folders are walked.
    #[getter]
    fn files(&self) -> Option<usize> {
        let known = || Some(self.progress.files.load(Ordering::Relaxed)).filter(|files| *files > 0);
        self.report(|found| found.files.searched).or_else(known)
    }

    /// How many matches there are, listed or not; so far, while the search runs.
    #[getter]
    fn total(&self) -> usize {
        self.report(|found| found.total).unwrap_or_else(|| self.progress.found.load(Ordering::Relaxed))
    }

    /// Whether the search has ended, so that the numbers are final. It ends when the last hit is taken.
    #[getter]
    fn is_done(&self) -> bool {
        lock(&self.outcome).is_some()
    }

    /// At the end: files that were skipped, as (path, code, message).
    #[getter]
    fn skipped<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let skipped = self.report(|found| {
            let row = |skipped: &cst::engine::Skipped| {
                (skipped.path.clone(), skipped.error.code.as_str().to_owned(), skipped.error.message.clone())
            };
            found.files.skipped.iter().map(row).collect::<Vec<_>>()
        });
        PyList::new(py, skipped.unwrap_or_default())
    }

    fn __repr__(&self) -> String {
        // Each of these looks at the outcome, too.
        let (total, searched, files) = (self.total(), self.searched(), self.files());
        match (&*lock(&self.outcome), self.is_closed.load(Ordering::Relaxed)) {
            (Some(Ok(_)), _) => format!("<Hits: {total} in {searched} files>"),
            (Some(Err(_)), false) => "<Hits: failed>".to_owned(),
            (_, true) => format!("<Hits: closed, {total} found>"),
            (None, false) => {
                let of = files.map(|files| format!(" of {files}")).unwrap_or_default();
                format!("<Hits: searching, {total} so far in {searched}{of} files>")
            }
        }
    }

    /// The state for notebooks; it takes no hit.
    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        Ok(slf.py().import("cst_engine._html")?.call_method1("of_hits", (slf,))?.unbind())
    }
}

/// What is there already; None if another thread waits for the next.
fn py_try(rows: &Mutex<Receiver<NodeRow>>) -> Option<Result<NodeRow, TryRecvError>> {
    rows.try_lock().ok().map(|rows| rows.try_recv())
}

/// Searches files and folders on several threads.
#[pyfunction]
#[pyo3(signature = (paths, selector, pattern, define, language, glob, hidden, no_ignore, threads, ordered, code, limit, max_size))]
#[expect(clippy::too_many_arguments, reason = "the wrapper in Python has defaults and names for them")]
pub fn search(
    paths: Vec<PathBuf>,
    selector: Option<String>,
    pattern: Option<String>,
    define: Vec<String>,
    language: Option<String>,
    glob: Vec<String>,
    hidden: bool,
    no_ignore: bool,
    threads: Option<usize>,
    ordered: bool,
    code: bool,
    limit: Option<usize>,
    max_size: Option<u64>,
) -> PyResult<Hits> {
    let mut request = find_request(selector, pattern, define);
    request.targets = paths.into_iter().map(Target::path).collect();
    request.code = code;
    request.limit = limit;
    request.reading.language = language;
    request.reading.glob = glob;
    request.reading.hidden = hidden;
    request.reading.no_ignore = no_ignore;
    request.reading.threads = threads;
    request.reading.unordered = !ordered;
    request.reading.max_size = max_size;
    let (cancelled, progress) = (Cancelled::default(), Arc::<Progress>::default());
    let (hits, rows) = sync_channel(WAITING);
    let (end, ended) = sync_channel(1);
    let observer: Arc<dyn Observer> =
        Arc::new(Passing { hits, cancelled: cancelled.clone(), progress: progress.clone() });
    let host: Host = host(observer)?;
    thread::Builder::new().name("cst-search".to_owned()).spawn(move || {
        let engine = cst::Engine::new(host);
        let outcome = engine.find(&request);
        // The outcome is there before the engine's end says that no more hits come.
        _ = end.send(outcome);
        drop(engine);
    })?;
    let (rows, ended) = (Mutex::new(rows), Mutex::new(ended));
    Ok(Hits { rows, ended, outcome: Mutex::new(None), cancelled, is_closed: AtomicBool::new(false), progress })
}
