//! The loop: one thread reads, another works, in the order sent.
//!
//! Every request has a [`PendingRequest`] from when it is read until it is answered. Cancelling it marks the pending request; the engine asks for
//! the mark now and then through its observer, and gives up. What is answered without the engine is answered by the reader, at
//! once. What waits is bounded, in requests and in bytes: while it is full, nothing more is read.

use crate::limits;
use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::error::ServeError;
use super::framing::Framing;
use super::message::{Call, Failure, INTERNAL_ERROR, InvalidMessage, Message, response};
use super::protocol::{Answer, Progress, Protocol};
use crate::engine::{Engine, Host, Observer};
use crate::locks::IgnorePoison;

/// How long a request runs before it says how far it is.
const QUIET: Duration = Duration::from_secs(1);
/// How long it is quiet between.
const PAUSE: Duration = Duration::from_millis(100);

/// A call on its way.
struct PendingRequest {
    call: Call,
    is_cancelled: AtomicBool,
}

/// What is read, on its way to who works.
enum Job {
    One(Result<Arc<PendingRequest>, InvalidMessage>),
    Batch(Vec<Result<Arc<PendingRequest>, InvalidMessage>>),
    /// Input can't be read any further.
    Broken(io::Error),
}

impl Job {
    /// How many requests it is.
    fn requests(&self) -> usize {
        match self {
            Job::One(_) | Job::Broken(_) => 1,
            Job::Batch(calls) => calls.len(),
        }
    }
}

/// What was read and isn't worked on yet.
#[derive(Default)]
struct Waiting {
    state: Mutex<WaitingState>,
    /// Something was put in or taken out, or no more will be.
    changed: Condvar,
}

#[derive(Default)]
struct WaitingState {
    /// Each with the bytes of its message.
    jobs: VecDeque<(Job, usize)>,
    requests: usize,
    bytes: usize,
    /// Nothing more comes.
    is_ended: bool,
    /// Nobody takes anything any more.
    is_abandoned: bool,
}

impl Waiting {
    /// Adds a job as soon as the queue has space; false if the receiver is gone.
    fn put(&self, job: Job, bytes: usize) -> bool {
        let mut state = lock(&self.state);
        while !state.is_abandoned
            && !state.jobs.is_empty()
            && (state.requests + job.requests() > limits::WAITING_REQUESTS
                || state.bytes + bytes > limits::WAITING_BYTES)
        {
            state = self.changed.wait(state).ignore_poison();
        }
        if state.is_abandoned {
            return false;
        }
        state.requests += job.requests();
        state.bytes += bytes;
        state.jobs.push_back((job, bytes));
        self.changed.notify_all();
        true
    }

    /// The next job; `None` when all were taken and no more come.
    fn take(&self) -> Option<Job> {
        let mut state = lock(&self.state);
        loop {
            if let Some((job, bytes)) = state.jobs.pop_front() {
                state.requests -= job.requests();
                state.bytes -= bytes;
                self.changed.notify_all();
                return Some(job);
            }
            if state.is_ended {
                return None;
            }
            state = self.changed.wait(state).ignore_poison();
        }
    }

    fn end(&self) {
        lock(&self.state).is_ended = true;
        self.changed.notify_all();
    }

    fn abandon(&self) {
        lock(&self.state).is_abandoned = true;
        self.changed.notify_all();
    }
}

/// What both threads and the engine know.
struct Server<W> {
    wire: W,
    framing: Framing,
    output: Mutex<Box<dyn Write + Send>>,
    /// Whether answers cannot be written any more.
    is_closed: AtomicBool,
    /// Why they cannot.
    failed: Mutex<Option<io::Error>>,
    /// The requests that were read and aren't answered.
    open: Mutex<Vec<Arc<PendingRequest>>>,
    waiting: Waiting,
    running: Mutex<Option<Running>>,
    /// Who takes what is worth knowing and no answer has a place for.
    notes: Arc<dyn Observer>,
}

/// The call that is being worked on.
struct Running {
    pending: Arc<PendingRequest>,
    since: Instant,
    /// When it last said how far it is.
    told: Option<Instant>,
}

/// Answers messages until the end of input.
pub(super) fn serve<W: Protocol>(
    wire: W,
    host: Host,
    framing: Framing,
    input: Box<dyn Read + Send>,
    output: Box<dyn Write + Send>,
) -> Result<(), ServeError> {
    let server = Arc::new(Server {
        wire,
        framing,
        output: Mutex::new(output),
        is_closed: AtomicBool::new(false),
        failed: Mutex::default(),
        open: Mutex::default(),
        waiting: Waiting::default(),
        running: Mutex::default(),
        notes: host.observer.clone(),
    });
    let engine = Engine::new(Host { observer: server.clone(), ..host });
    let reader = server.clone();
    // It isn't waited for: where nobody reads the answers, it may wait for input for ever.
    std::thread::spawn(move || {
        reader.read(input);
        reader.waiting.end();
    });
    let worked = server.work(&engine);
    server.waiting.abandon();
    worked
}

impl<W: Protocol> Server<W> {
    fn read(&self, input: Box<dyn Read + Send>) {
        let mut input = BufReader::with_capacity(1 << 16, input);
        loop {
            let (job, bytes) = match self.framing.next(&mut input) {
                Ok(None) => return,
                Ok(Some(Ok(bytes))) => match Message::read(&bytes) {
                    Message::One(Err(refused)) if refused.is_response && self.wire.ignores_responses() => continue,
                    Message::One(Ok(call)) if self.answer_at_once(&call) => continue,
                    Message::One(call) => (Job::One(self.enqueue(call)), bytes.len()),
                    Message::Batch(calls) => {
                        (Job::Batch(calls.into_iter().map(|call| self.enqueue(call)).collect()), bytes.len())
                    }
                },
                Ok(Some(Err(refused))) => (Job::One(Err(refused)), 0),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => (Job::Broken(error), 0),
            };
            let is_broken = matches!(job, Job::Broken(_));
            if !self.waiting.put(job, bytes) || is_broken {
                return;
            }
        }
    }

    /// Answers a call that asks nothing of the engine, whatever else is worked on; whether it is one.
    fn answer_at_once(&self, call: &Call) -> bool {
        let Some(outcome) = self.wire.at_once(call) else { return false };
        if let Some(id) = &call.id {
            self.write(&response(id, outcome));
        }
        true
    }

    /// A call as a pending request. A cancellation takes effect at once.
    fn enqueue(&self, call: Result<Call, InvalidMessage>) -> Result<Arc<PendingRequest>, InvalidMessage> {
        let call = call?;
        if let Some(id) = self.wire.cancels(&call) {
            let open = lock(&self.open);
            let meant = open.iter().filter(|pending| pending.call.id.as_ref() == Some(&id));
            meant.for_each(|pending| pending.is_cancelled.store(true, Ordering::Relaxed));
        }
        let pending = Arc::new(PendingRequest { call, is_cancelled: AtomicBool::new(false) });
        if pending.call.id.is_some() {
            lock(&self.open).push(pending.clone());
        }
        Ok(pending)
    }

    fn work(&self, engine: &Engine) -> Result<(), ServeError> {
        while let Some(job) = self.waiting.take() {
            let answer = match job {
                Job::One(pending) => self.respond(pending, engine),
                Job::Batch(pendings) => {
                    let answers = pendings.into_iter().filter_map(|pending| self.respond(pending, engine));
                    Some(Value::Array(answers.collect())).filter(|answers| answers != &Value::Array(Vec::new()))
                }
                Job::Broken(error) => return Err(ServeError::Input(error)),
            };
            if let Some(answer) = answer {
                self.write(&answer);
            }
            if self.is_closed.load(Ordering::Relaxed) {
                break;
            }
        }
        lock(&self.failed).take().map_or(Ok(()), ServeError::of_output)
    }

    /// The response to a call; none to a notification.
    fn respond(&self, pending: Result<Arc<PendingRequest>, InvalidMessage>, engine: &Engine) -> Option<Value> {
        let pending = match pending {
            Ok(pending) => pending,
            Err(refused) if refused.is_response && self.wire.ignores_responses() => return None,
            Err(refused) => return Some(response(&refused.id, Err(refused.failure))),
        };
        let is_cancelled = || pending.is_cancelled.load(Ordering::Relaxed);
        let outcome = if is_cancelled() { None } else { Some(self.outcome(&pending, engine)) };
        lock(&self.open).retain(|open| !Arc::ptr_eq(open, &pending));
        let id = pending.call.id.as_ref()?;
        let outcome = match outcome {
            // What took effect is answered, though it was cancelled meanwhile.
            Some(Ok(answer)) if answer.has_effect || !is_cancelled() => Ok(answer.result),
            Some(Err(failure)) if !is_cancelled() => Err(failure),
            _ => Err(self.wire.cancelled()?),
        };
        Some(response(id, outcome))
    }

    /// Does what a call asks.
    fn outcome(&self, pending: &Arc<PendingRequest>, engine: &Engine) -> Result<Answer, Failure> {
        *lock(&self.running) = Some(Running { pending: pending.clone(), since: Instant::now(), told: None });
        let outcome = catch_unwind(AssertUnwindSafe(|| self.wire.answer(&pending.call, engine)));
        *lock(&self.running) = None;
        outcome.unwrap_or_else(|_| {
            Err(Failure::new(INTERNAL_ERROR, "internal error (a bug in cst); standard error says where it happened"))
        })
    }

    fn write(&self, message: &Value) {
        let mut output = lock(&self.output);
        if let Err(error) = self.framing.write(message, &mut *output) {
            lock(&self.failed).get_or_insert(error);
            self.is_closed.store(true, Ordering::Relaxed);
            // Who works may be waiting for a request, and there may never be one.
            self.waiting.end();
        }
    }
}

impl<W: Protocol> Observer for Server<W> {
    fn progress(&self, done: usize, total: Option<usize>, message: &str) {
        let mut running = lock(&self.running);
        let Some(running) = running.as_mut() else { return };
        let is_early = running.since.elapsed() < QUIET || running.told.is_some_and(|told| told.elapsed() < PAUSE);
        if is_early || running.pending.call.id.is_none() {
            return;
        }
        running.told = Some(Instant::now());
        let progress = Progress { done, total, message };
        if let Some(notification) = self.wire.progress(&running.pending.call, &progress) {
            self.write(&notification);
        }
    }

    fn note(&self, message: &str) {
        self.notes.note(message);
    }

    fn begin_writing(&self) {
        self.notes.begin_writing();
    }

    fn end_writing(&self) {
        self.notes.end_writing();
    }

    fn is_interrupted(&self) -> bool {
        self.notes.is_interrupted()
    }

    fn is_cancelled(&self) -> bool {
        let running = lock(&self.running);
        let is_cancelled = |running: &Running| running.pending.is_cancelled.load(Ordering::Relaxed);
        self.is_closed.load(Ordering::Relaxed) || running.as_ref().is_some_and(is_cancelled)
    }
}

/// A panic while it was held leaves nothing half done that matters here.
fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().ignore_poison()
}
