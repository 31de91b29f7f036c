//! Runs jobs on several threads and passes on their results on the calling thread: in the order of the jobs, or as they
//! come.
//!
//! A job sends its results in parts, each with its weight in bytes. The queue of results is bounded, in jobs and in
//! weight: a worker that is ahead waits before it begins another job or sends another part. The job whose turn it is
//! never waits, so there is no deadlock. With one thread nothing waits: each part is passed on where it is made.

use crate::limits;
use crate::locks::IgnorePoison;
use std::cell::Cell;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, LazyLock, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

/// The interval in which the calling thread looks for results, and checks whether the work was cancelled. It is woken only for many
/// results and at the end: waking it for each costs more than most results.
const GLANCE: Duration = Duration::from_millis(4);
/// How many results in a row wake the calling thread.
const BATCH: usize = 64;
/// The stack size of a program's first thread on common systems, on which jobs may rely.
const STACK: usize = 8 << 20;

/// Options for a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scan {
    /// The number of threads; 0 for one per processor.
    pub threads: usize,
    /// Whether to pass on results as they come instead of in the order of the jobs.
    pub unordered: bool,
}

/// Sends a part of a job's results with its weight in bytes. Returns false if no more is wanted.
pub type Sink<'a, R> = &'a mut dyn FnMut(R, usize) -> bool;

/// The memory held by the running jobs; a job waits until there is enough left.
#[derive(Clone, Copy)]
pub struct Flight<'a> {
    hold: &'a dyn Fn(usize),
}

impl Flight<'_> {
    /// Waits until there is room for the file of this job, whose size in bytes counts until the job ends. The job whose
    /// turn it is never waits, nor does one that runs alone.
    pub fn hold(self, bytes: usize) {
        (self.hold)(bytes);
    }
}

/// Runs the jobs from 0 to `count`, each once, and passes each part of their results to `take` on the calling thread.
/// `take` may stop the scan, and so may `glance`, which is called often. Running jobs then end at their next send.
///
/// # Panics
/// If a job panics; no further job is started.
pub fn scan<R: Send, B>(
    count: usize,
    scan: Scan,
    work: impl Fn(usize, Flight<'_>, Sink<'_, R>) + Sync,
    mut glance: impl FnMut() -> ControlFlow<B>,
    mut take: impl FnMut(R) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let threads = count_of_threads(scan.threads).min(count);
    if threads <= 1 {
        return one_by_one(count, work, glance, take);
    }
    let queue = Queue::new(count, scan.unordered);
    thread::scope(|scope| {
        // Whatever happens, nobody waits afterwards.
        let _stop = Stop(&queue);
        for _ in 0..threads {
            let worker = || queue.work(&work);
            let started = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker);
            if started.is_err() {
                // The system allows no more threads. The existing ones do all the work, or this one if there are none.
                break;
            }
            queue.lock().workers += 1;
        }
        if queue.lock().workers == 0 {
            return one_by_one(count, &work, glance, take);
        }
        pass_on(&queue, &mut glance, &mut take)
    })
}

/// Makes one more job known; returns whether any is wanted.
pub type Announce<'a> = &'a (dyn Fn() -> bool + Sync);

/// Runs jobs that become known while others run. `feed` runs on a thread of its own and calls its argument once for each
/// further job; it ends early when that returns false. Results are passed on as they come.
///
/// # Panics
/// If a job or `feed` panics.
pub fn scan_fed<R: Send, B>(
    threads: usize,
    feed: impl FnOnce(Announce<'_>) + Send,
    work: impl Fn(usize, Flight<'_>, Sink<'_, R>) + Sync,
    mut glance: impl FnMut() -> ControlFlow<B>,
    mut take: impl FnMut(R) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let queue = Queue::new(0, true);
    queue.lock().is_fed = true;
    // Whichever thread runs it, it runs once.
    let feed = Mutex::new(Some(feed));
    let feed = || {
        let _closing = Closing(&queue);
        let feed = feed.lock().ignore_poison().take();
        feed.into_iter().for_each(|feed| feed(&|| queue.announce()));
    };
    thread::scope(|scope| {
        let _stop = Stop(&queue);
        for _ in 0..count_of_threads(threads) {
            let worker = || queue.work(&work);
            if thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker).is_err() {
                break;
            }
            queue.lock().workers += 1;
        }
        if queue.lock().workers == 0 || thread::Builder::new().spawn_scoped(scope, feed).is_err() {
            feed();
        }
        if queue.lock().workers == 0 {
            let count = queue.lock().count;
            return one_by_one(count, &work, glance, take);
        }
        pass_on(&queue, &mut glance, &mut take)
    })
}

/// How many threads a scan has: as many as are wanted, or as there are processors for 0.
pub fn count_of_threads(wanted: usize) -> usize {
    match wanted {
        0 => *PROCESSORS,
        threads => threads,
    }
}

/// How many processors there are. The system reads files for it, so it is asked once.
static PROCESSORS: LazyLock<usize> = LazyLock::new(|| thread::available_parallelism().map_or(1, usize::from));

/// Passes on what comes until the end.
fn pass_on<R, B>(
    queue: &Queue<R>,
    glance: &mut impl FnMut() -> ControlFlow<B>,
    take: &mut impl FnMut(R) -> ControlFlow<B>,
) -> ControlFlow<B> {
    loop {
        glance()?;
        match queue.next() {
            Next::Part(part) => take(part)?,
            Next::Nothing => {}
            Next::End => return ControlFlow::Continue(()),
        }
    }
}

fn one_by_one<R, B>(
    count: usize,
    work: impl Fn(usize, Flight<'_>, Sink<'_, R>),
    mut glance: impl FnMut() -> ControlFlow<B>,
    mut take: impl FnMut(R) -> ControlFlow<B>,
) -> ControlFlow<B> {
    for job in 0..count {
        let mut flow = glance();
        if flow.is_continue() {
            work(job, Flight { hold: &|_| {} }, &mut |part, _| {
                if flow.is_continue() {
                    flow = glance();
                }
                if flow.is_continue() {
                    flow = take(part);
                }
                flow.is_continue()
            });
        }
        flow?;
    }
    ControlFlow::Continue(())
}

/// The queue of results.
struct Queue<R> {
    state: Mutex<State<R>>,
    /// Signals that a result can be passed on.
    arrived: Condvar,
    /// Signals that a result was passed on.
    room: Condvar,
    /// Signals that a job became known.
    known: Condvar,
    unordered: bool,
}

struct State<R> {
    /// The number of worker threads.
    workers: usize,
    /// The number of jobs, as far as they are known.
    count: usize,
    /// Whether more jobs may become known.
    is_fed: bool,
    /// The next job to begin.
    next: usize,
    /// The job whose turn it is.
    head: usize,
    finished: usize,
    /// The results of the jobs, beginning with the one at the head; without an order, all in one.
    slots: VecDeque<Slot<R>>,
    /// The total weight of all queued parts.
    weight: usize,
    /// The bytes of the files in progress.
    held: usize,
    /// How many workers wait for room.
    waiting: usize,
    /// How many workers wait for a job.
    idle: usize,
    /// Whether the calling thread waits for results.
    is_awaited: bool,
    stopped: bool,
}

struct Slot<R> {
    parts: VecDeque<(R, usize)>,
    weight: usize,
    done: bool,
}

/// What to pass on next.
enum Next<R> {
    Part(R),
    /// Nothing yet.
    Nothing,
    End,
}

impl<R> Default for Slot<R> {
    fn default() -> Slot<R> {
        Slot { parts: VecDeque::new(), weight: 0, done: false }
    }
}

impl<R> Queue<R> {
    fn new(count: usize, unordered: bool) -> Queue<R> {
        let slots = VecDeque::from([Slot::default()]);
        let state = State {
            workers: 0,
            count,
            is_fed: false,
            next: 0,
            head: 0,
            finished: 0,
            slots,
            weight: 0,
            held: 0,
            waiting: 0,
            idle: 0,
            is_awaited: false,
            stopped: false,
        };
        Queue {
            state: Mutex::new(state),
            arrived: Condvar::new(),
            room: Condvar::new(),
            known: Condvar::new(),
            unordered,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<R>> {
        // No job runs while the state is locked, so the state is consistent even if a job panicked.
        self.state.lock().ignore_poison()
    }

    /// Waits until something was passed on.
    fn wait_for_room<'a>(&'a self, mut state: MutexGuard<'a, State<R>>) -> MutexGuard<'a, State<R>> {
        self.wake_caller(&state);
        state.waiting += 1;
        let mut state = self.room.wait(state).ignore_poison();
        state.waiting -= 1;
        state
    }

    /// Wakes the workers that wait for room. A signal costs a call of the system, even if nobody waits.
    fn wake_workers(&self, state: &State<R>) {
        if state.waiting > 0 {
            self.room.notify_all();
        }
    }

    /// Wakes the calling thread if it waits for results.
    fn wake_caller(&self, state: &State<R>) {
        if state.is_awaited {
            self.arrived.notify_one();
        }
    }

    /// The loop of a worker.
    fn work(&self, work: &(impl Fn(usize, Flight<'_>, Sink<'_, R>) + Sync)) {
        while let Some(job) = self.begin() {
            let held = Cell::new(0);
            let hold = |bytes| {
                self.hold(job, bytes);
                held.set(held.get() + bytes);
            };
            let worked = catch_unwind(AssertUnwindSafe(|| {
                work(job, Flight { hold: &hold }, &mut |part, weight| self.send(job, part, weight));
            }));
            self.finish(job, worked.is_ok(), held.get());
            if let Err(panic) = worked {
                resume_unwind(panic);
            }
        }
    }

    /// The next job, as soon as there is room for its results.
    fn begin(&self) -> Option<usize> {
        let mut state = self.lock();
        loop {
            let is_known = state.next < state.count;
            if state.stopped || !(is_known || state.is_fed) {
                return None;
            }
            let is_near = self.unordered || state.next - state.head < limits::AHEAD;
            if is_known && state.weight < limits::WAITING && is_near {
                state.next += 1;
                return Some(state.next - 1);
            }
            if is_known {
                state = self.wait_for_room(state);
            } else {
                state.idle += 1;
                state = self.known.wait(state).ignore_poison();
                state.idle -= 1;
            }
        }
    }

    /// Makes one more job known; returns whether any is wanted.
    fn announce(&self) -> bool {
        let mut state = self.lock();
        state.count += 1;
        if state.idle > 0 {
            self.known.notify_one();
        }
        !state.stopped
    }

    /// Wakes all that wait, since something has ended.
    fn wake_all(&self) {
        self.known.notify_all();
        self.room.notify_all();
        self.arrived.notify_one();
    }

    /// Waits until there is room for the bytes of a job. The job whose turn it is does not wait, so that jobs that wait
    /// for it can finish.
    fn hold(&self, job: usize, bytes: usize) {
        let mut state = self.lock();
        loop {
            let is_turn = !self.unordered && job == state.head;
            if state.stopped || is_turn || state.held == 0 || state.held + bytes <= limits::IN_FLIGHT {
                state.held += bytes;
                return;
            }
            state = self.wait_for_room(state);
        }
    }

    fn send(&self, job: usize, part: R, weight: usize) -> bool {
        let mut state = self.lock();
        loop {
            if state.stopped {
                return false;
            }
            // The job whose turn it is waits only for its own parts, which are being passed on.
            let waiting = match self.unordered || job == state.head {
                true => state.slots.front().map_or(0, |slot| slot.weight),
                false => state.weight,
            };
            if waiting < limits::WAITING {
                break;
            }
            state = self.wait_for_room(state);
        }
        let slot = self.slot(&mut state, job);
        slot.parts.push_back((part, weight));
        slot.weight += weight;
        state.weight += weight;
        if state.slots.front().is_some_and(|slot| slot.parts.len() >= BATCH) {
            self.wake_caller(&state);
        }
        true
    }

    fn finish(&self, job: usize, well: bool, held: usize) {
        let mut state = self.lock();
        state.finished += 1;
        state.held -= held;
        if held > 0 {
            self.wake_workers(&state);
        }
        state.stopped |= !well;
        if !self.unordered {
            self.slot(&mut state, job).done = true;
        }
        if !state.is_fed && state.finished == state.count || !well {
            self.wake_caller(&state);
        }
    }

    fn slot<'a>(&self, state: &'a mut State<R>, job: usize) -> &'a mut Slot<R> {
        let place = if self.unordered { 0 } else { job - state.head };
        while state.slots.len() <= place {
            state.slots.push_back(Slot::default());
        }
        &mut state.slots[place]
    }

    /// What to pass on next; waits a little for it.
    fn next(&self) -> Next<R> {
        let mut state = self.lock();
        for glances in 0.. {
            while !self.unordered && state.slots.front().is_some_and(|slot| slot.done && slot.parts.is_empty()) {
                state.slots.pop_front();
                state.head += 1;
                self.wake_workers(&state);
            }
            let part = state.slots.front_mut().and_then(|slot| {
                let (part, weight) = slot.parts.pop_front()?;
                slot.weight -= weight;
                Some((part, weight))
            });
            if let Some((part, weight)) = part {
                state.weight -= weight;
                self.wake_workers(&state);
                return Next::Part(part);
            }
            if (state.finished == state.count && !state.is_fed) || state.stopped {
                return Next::End;
            }
            if glances > 0 {
                break;
            }
            state.is_awaited = true;
            let waited = self.arrived.wait_timeout(state, GLANCE);
            state = waited.ignore_poison().0;
            state.is_awaited = false;
        }
        Next::Nothing
    }
}

/// Ends the announcing of jobs.
struct Closing<'a, R>(&'a Queue<R>);

impl<R> Drop for Closing<'_, R> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.is_fed = false;
        // A feed that failed ends the whole.
        state.stopped |= thread::panicking();
        self.0.wake_all();
    }
}

/// Releases the workers when the calling thread stops.
struct Stop<'a, R>(&'a Queue<R>);

impl<R> Drop for Stop<'_, R> {
    fn drop(&mut self) {
        self.0.lock().stopped = true;
        self.0.wake_all();
    }
}
