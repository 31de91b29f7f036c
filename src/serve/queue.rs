//! The loop: one thread reads, another works, in the order sent.
//!
//! Every request has a [`Ticket`] from when it is read until it is answered. Calling it off marks the ticket; the engine asks for
//! the mark now and then through its observer, and gives up.

use std::io::{self, BufReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::framing::Framing;
use super::message::{Call, Failure, INTERNAL_ERROR, Message, Refused, response};
use super::{Answer, Progress, Wire};
use crate::engine::{Engine, Observer, Surroundings};

/// How long a request runs before it says how far it is.
const QUIET: Duration = Duration::from_secs(1);
/// How long it is quiet between.
const PAUSE: Duration = Duration::from_millis(100);

/// A call on its way.
struct Ticket {
    call: Call,
    is_cancelled: AtomicBool,
}

/// What is read, on its way to who works.
enum Job {
    One(Result<Arc<Ticket>, Refused>),
    Batch(Vec<Result<Arc<Ticket>, Refused>>),
    /// Input can't be read any further.
    Broken(io::Error),
}

/// What both threads and the engine know.
struct Desk<W> {
    wire: W,
    framing: Framing,
    output: Mutex<Box<dyn Write + Send>>,
    /// Whether nobody reads the answers any more.
    is_closed: AtomicBool,
    /// The requests that were read and aren't answered.
    open: Mutex<Vec<Arc<Ticket>>>,
    running: Mutex<Option<Running>>,
    /// Who takes what is worth knowing and no answer has a place for.
    notes: Arc<dyn Observer>,
}

/// The call that is being worked on.
struct Running {
    ticket: Arc<Ticket>,
    since: Instant,
    /// When it last said how far it is.
    told: Option<Instant>,
}

/// Answers messages until the end of input.
pub(super) fn serve<W: Wire>(
    wire: W,
    surroundings: Surroundings,
    framing: Framing,
    input: Box<dyn Read + Send>,
    output: Box<dyn Write + Send>,
) -> io::Result<()> {
    let desk = Arc::new(Desk {
        wire,
        framing,
        output: Mutex::new(output),
        is_closed: AtomicBool::new(false),
        open: Mutex::default(),
        running: Mutex::default(),
        notes: surroundings.observer.clone(),
    });
    let engine = Engine::new(Surroundings { observer: desk.clone(), ..surroundings });
    let (sender, jobs) = channel();
    let reader = desk.clone();
    // It isn't waited for: where nobody reads the answers, it may wait for input for ever.
    std::thread::spawn(move || reader.read(input, &sender));
    desk.work(&engine, &jobs)
}

impl<W: Wire> Desk<W> {
    fn read(&self, input: Box<dyn Read + Send>, jobs: &Sender<Job>) {
        let mut input = BufReader::with_capacity(1 << 16, input);
        loop {
            let job = match self.framing.next(&mut input) {
                Ok(None) => return,
                Ok(Some(Ok(bytes))) => match Message::read(&bytes) {
                    Message::One(Err(refused)) if refused.is_response && self.wire.ignores_responses() => continue,
                    Message::One(call) => Job::One(self.admitted(call)),
                    Message::Batch(calls) => Job::Batch(calls.into_iter().map(|call| self.admitted(call)).collect()),
                },
                Ok(Some(Err(refused))) => Job::One(Err(refused)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => Job::Broken(error),
            };
            let is_broken = matches!(job, Job::Broken(_));
            if jobs.send(job).is_err() || is_broken {
                return;
            }
        }
    }

    /// A call with its ticket. What it cancels is cancelled at once.
    fn admitted(&self, call: Result<Call, Refused>) -> Result<Arc<Ticket>, Refused> {
        let call = call?;
        if let Some(id) = self.wire.cancels(&call) {
            let open = lock(&self.open);
            let meant = open.iter().filter(|ticket| ticket.call.id.as_ref() == Some(&id));
            meant.for_each(|ticket| ticket.is_cancelled.store(true, Ordering::Relaxed));
        }
        let ticket = Arc::new(Ticket { call, is_cancelled: AtomicBool::new(false) });
        if ticket.call.id.is_some() {
            lock(&self.open).push(ticket.clone());
        }
        Ok(ticket)
    }

    fn work(&self, engine: &Engine, jobs: &Receiver<Job>) -> io::Result<()> {
        for job in jobs {
            let answer = match job {
                Job::One(ticket) => self.answered(ticket, engine),
                Job::Batch(tickets) => {
                    let answers = tickets.into_iter().filter_map(|ticket| self.answered(ticket, engine));
                    Some(Value::Array(answers.collect())).filter(|answers| answers != &Value::Array(Vec::new()))
                }
                Job::Broken(error) => return Err(error),
            };
            if let Some(answer) = answer {
                self.write(&answer);
            }
            if self.is_closed.load(Ordering::Relaxed) {
                break;
            }
        }
        Ok(())
    }

    /// The response to a call; none to a notification.
    fn answered(&self, ticket: Result<Arc<Ticket>, Refused>, engine: &Engine) -> Option<Value> {
        let ticket = match ticket {
            Ok(ticket) => ticket,
            Err(refused) if refused.is_response && self.wire.ignores_responses() => return None,
            Err(refused) => return Some(response(&refused.id, Err(refused.failure))),
        };
        let is_cancelled = || ticket.is_cancelled.load(Ordering::Relaxed);
        let outcome = if is_cancelled() { None } else { Some(self.outcome(&ticket, engine)) };
        lock(&self.open).retain(|open| !Arc::ptr_eq(open, &ticket));
        let id = ticket.call.id.as_ref()?;
        let outcome = match outcome {
            // What took effect is said, whoever called it off meanwhile.
            Some(Ok(answer)) if answer.has_effect || !is_cancelled() => Ok(answer.result),
            Some(Err(failure)) if !is_cancelled() => Err(failure),
            _ => Err(self.wire.cancelled()?),
        };
        Some(response(id, outcome))
    }

    /// Does what a call asks.
    fn outcome(&self, ticket: &Arc<Ticket>, engine: &Engine) -> Result<Answer, Failure> {
        *lock(&self.running) = Some(Running { ticket: ticket.clone(), since: Instant::now(), told: None });
        let outcome = catch_unwind(AssertUnwindSafe(|| self.wire.answer(&ticket.call, engine)));
        *lock(&self.running) = None;
        outcome.unwrap_or_else(|_| {
            Err(Failure::new(INTERNAL_ERROR, "internal error (a bug in cst); standard error says where it happened"))
        })
    }

    fn write(&self, message: &Value) {
        let mut output = lock(&self.output);
        if self.framing.write(message, &mut *output).is_err() {
            self.is_closed.store(true, Ordering::Relaxed);
        }
    }
}

impl<W: Wire> Observer for Desk<W> {
    fn progress(&self, done: usize, total: Option<usize>, message: &str) {
        let mut running = lock(&self.running);
        let Some(running) = running.as_mut() else { return };
        let is_early = running.since.elapsed() < QUIET || running.told.is_some_and(|told| told.elapsed() < PAUSE);
        if is_early || running.ticket.call.id.is_none() {
            return;
        }
        running.told = Some(Instant::now());
        let progress = Progress { done, total, message };
        if let Some(notification) = self.wire.progress(&running.ticket.call, &progress) {
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
        let is_cancelled = |running: &Running| running.ticket.is_cancelled.load(Ordering::Relaxed);
        self.is_closed.load(Ordering::Relaxed) || running.as_ref().is_some_and(is_cancelled)
    }
}

/// A panic while it was held leaves nothing half done that matters here.
fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
