//! Stops work that was cancelled, or that takes too much memory.
//!
//! A request runs [`within`] a question: is there a reason to stop? Work that may take long calls [`poll`] now and
//! then, at any depth. If there is a reason, the work unwinds up to [`within`]. So no code in between has to pass a
//! cancellation on, and none can forget to. No panic is reported, and values are dropped as usual.
//!
//! Work that writes files is never left halfway: it does not poll.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::time::Duration;
#[cfg(not(target_family = "wasm"))]
use std::time::Instant;

/// Returns whether work must stop, and why. Called often, from the threads that work on the request.
pub type Question = Arc<dyn Fn() -> Option<Reason> + Send + Sync>;

/// Why work was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It was cancelled.
    Cancelled,
    /// It takes too much memory.
    Memory,
}

/// A point in time by which work must be done. WebAssembly in a browser has no clock: there it never passes.
#[derive(Debug, Clone, Copy)]
pub struct Deadline {
    #[cfg(not(target_family = "wasm"))]
    at: Instant,
}

impl Deadline {
    /// The deadline of work that begins now and may take `time`.
    #[cfg_attr(target_family = "wasm", expect(unused_variables, reason = "there is no clock"))]
    pub fn after(time: Duration) -> Deadline {
        Deadline {
            #[cfg(not(target_family = "wasm"))]
            at: Instant::now() + time,
        }
    }

    /// Whether it has passed.
    pub fn is_past(self) -> bool {
        #[cfg(not(target_family = "wasm"))]
        return Instant::now() > self.at;
        #[cfg(target_family = "wasm")]
        false
    }
}

/// The payload of the unwinding.
struct Left(Reason);

thread_local! {
    static ASKED: RefCell<Option<Question>> = const { RefCell::new(None) };
    static STEPS: Cell<u64> = const { Cell::new(0) };
}

/// Counts a step of this thread's work: a read of a table, a node in a set. Only builds with debug assertions count, so
/// that tests can measure how work grows with its input; elsewhere this is nothing.
#[inline]
pub fn count_step() {
    count_steps(1);
}

/// Counts several steps at once, as [`count_step`].
#[inline]
pub fn count_steps(steps: usize) {
    if cfg!(debug_assertions) {
        // Of the ways to a variable of a thread, the one that is inlined in every build.
        let _ = STEPS.try_with(|counted| counted.set(counted.get() + steps as u64));
    }
}

/// The steps that [`count_step`] has counted on this thread.
pub fn counted_steps() -> u64 {
    STEPS.get()
}

/// Does some work on this thread, until it is done or left.
///
/// # Errors
/// When it was left: why.
///
/// # Panics
/// When the work does.
pub fn within<T>(question: &Question, work: impl FnOnce() -> T) -> Result<T, Reason> {
    let outer = ASKED.replace(Some(Arc::clone(question)));
    let outcome = catch_unwind(AssertUnwindSafe(work));
    ASKED.set(outer);
    match outcome {
        Ok(value) => Ok(value),
        Err(payload) => match payload.downcast::<Left>() {
            Ok(left) => Err(left.0),
            Err(payload) => resume_unwind(payload),
        },
    }
}

/// The question that the work of this thread runs within, for threads that do a part of it.
pub fn question() -> Option<Question> {
    ASKED.with_borrow(Clone::clone)
}

/// The reason for the work of this thread to stop, if there is one.
pub fn reason() -> Option<Reason> {
    // Not borrowed during the call.
    question().and_then(|question| question())
}

/// Unwinds the work of this thread if there is a reason to stop. Takes some ten nanoseconds.
pub fn poll() {
    if let Some(reason) = reason().filter(|_| !std::thread::panicking()) {
        resume_unwind(Box::new(Left(reason)));
    }
}

/// Like [`poll`], for a loop that takes about a hundred nanoseconds per step: asks once in 4096 steps.
pub fn poll_at(step: usize) {
    if step.is_multiple_of(4096) {
        poll();
    }
}
