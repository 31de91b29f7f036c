//! Engines, and work that Python can interrupt.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use cst::Host;
use cst::engine::{Observer, Request, UnreadRequest, Versioned};
use pyo3::prelude::*;
use serde_json::Value;

use crate::errors::{bad, raise};

/// How long Python waits before it looks for a signal.
const SIGNALS: Duration = Duration::from_millis(50);
/// The stack of a thread that works, as a main thread has it.
const STACK: usize = 8 << 20;

/// Whether work is to stop.
#[derive(Clone, Default)]
pub struct Cancelled(pub Arc<AtomicBool>);

impl Observer for Cancelled {
    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The environment of an engine: the working directory as it is now, the user's configuration and indexes.
pub fn host(observer: Arc<dyn Observer>) -> PyResult<Host> {
    Ok(Host { configuration: cst::cli::configuration(), cache: cst::cli::cache(), observer, ..here()? })
}

fn here() -> PyResult<Host> {
    Ok(Host::at(std::env::current_dir()?))
}

/// The engine for trees that Python holds: one as long as the working directory stays the same.
pub fn shared() -> PyResult<Arc<cst::Engine>> {
    type Kept = Option<(PathBuf, Arc<cst::Engine>)>;
    static KEPT: Mutex<Kept> = Mutex::new(None);
    let directory = std::env::current_dir()?;
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((known, engine)) = &*kept
        && *known == directory
    {
        return Ok(engine.clone());
    }
    let engine = Arc::new(cst::Engine::new(host(Arc::new(cst::engine::Silent))?));
    *kept = Some((directory, engine.clone()));
    Ok(engine)
}

/// Answers requests: what `cst_engine.Session` is made of.
#[pyclass(frozen, module = "cst_engine._native")]
pub struct Engine {
    engine: Arc<cst::Engine>,
    cancelled: Cancelled,
    /// One request after the other: cancelling one must not cancel another.
    turn: Arc<Mutex<()>>,
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (*, state=None, root=None, directory=None))]
    fn new(state: Option<PathBuf>, root: Option<PathBuf>, directory: Option<PathBuf>) -> PyResult<Engine> {
        let cancelled = Cancelled::default();
        let host = host(Arc::new(cancelled.clone()))?;
        let working_directory = match directory {
            Some(directory) => std::path::absolute(directory)?,
            None => host.working_directory.clone(),
        };
        let absolute = |path: PathBuf| std::path::absolute(path);
        let host = Host {
            state: state.map(absolute).transpose()?,
            root: root.map(absolute).transpose()?,
            working_directory,
            ..host
        };
        Ok(Engine { engine: Arc::new(cst::Engine::new(host)), cancelled, turn: Arc::default() })
    }

    /// The answer to a request, both in JSON.
    fn request(&self, py: Python<'_>, method: &str, params: &str) -> PyResult<String> {
        let fields = match serde_json::from_str(params) {
            Ok(Value::Object(fields)) => fields,
            _ => return Err(bad("the parameters of a request are an object")),
        };
        let request = Request::read(method, fields).map_err(|error| unread(&error))?;
        let (engine, turn, cancelled) = (self.engine.clone(), self.turn.clone(), self.cancelled.clone());
        let work = move || {
            let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
            cancelled.0.store(false, Ordering::Relaxed);
            engine.handle(request).map(|answer| serde_json::to_string(&Versioned::new(answer)).unwrap_or_default())
        };
        interruptible(py, &self.cancelled, work)?.map_err(|error| raise(&error))
    }

    fn __repr__(&self) -> &'static str {
        "<Engine>"
    }
}

fn unread(error: &UnreadRequest) -> PyErr {
    let hint = match error {
        UnreadRequest::UnknownMethod { hint, .. } | UnreadRequest::WrongField { hint, .. } => hint.clone(),
        UnreadRequest::UnknownField { hint, .. } => Some(hint.clone()),
        _ => None,
    };
    let refused = cst::engine::EngineError::new(cst::engine::ErrorCode::BadRequest, error.to_string());
    raise(&match hint {
        Some(hint) => refused.hint(hint),
        None => refused,
    })
}

/// Works on another thread, without Python's lock. A signal of Python, such as Ctrl-C, cancels the work.
fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    cancelled: &Cancelled,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, receiver) = channel();
    let receiver = Mutex::new(receiver);
    thread::Builder::new().stack_size(STACK).spawn(move || sender.send(work()))?;
    loop {
        let received = py.detach(|| receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(SIGNALS));
        match received {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Disconnected) => return Err(bad("an internal error: the work panicked")),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(signal) = py.check_signals() {
            cancelled.0.store(true, Ordering::Relaxed);
            // What is being written is completed or rolled back first.
            py.detach(|| _ = receiver.lock().unwrap_or_else(PoisonError::into_inner).recv());
            return Err(signal);
        }
    }
}
