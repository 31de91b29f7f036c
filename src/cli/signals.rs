//! Signals that end the process, held back while files are written.
//!
//! Nothing is caught until the first write, or until a request that may run programs. From then on, a signal outside a
//! write ends those programs and then has its usual effect. A signal during a write is remembered, the engine rolls the
//! write back, and then the process ends by that signal.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::low_level::emulate_default_handler;

use crate::engine::kill_programs;
use crate::locks::IgnorePoison;
use crate::project::{Disk, Files, remove_scratch_copies};

/// The signals that end a process.
#[cfg(unix)]
const ENDING: [i32; 3] = [SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
#[cfg(not(unix))]
const ENDING: [i32; 2] = [SIGINT, SIGTERM];

/// Signals that end the process.
#[derive(Debug, Default)]
pub(super) struct Signals {
    installed: OnceLock<()>,
    state: Arc<Mutex<State>>,
    /// Whether interrupts are left to the client.
    ignores_interrupts: AtomicBool,
}

#[derive(Debug, Default)]
struct State {
    is_writing: bool,
    /// The signal that came during a write.
    caught: Option<i32>,
}

impl Signals {
    /// From now on, ignores interrupts: those in a client's terminal are meant for the client.
    pub(super) fn ignore_interrupts(&self) {
        self.ignores_interrupts.store(true, Ordering::Relaxed);
        // If it cannot be caught, it ends the process.
        let _ = signal_hook::flag::register(SIGINT, Arc::new(AtomicBool::new(false)));
    }

    /// Catches signals from now on, so that running programs end with this one.
    pub(super) fn watch(&self) {
        self.installed.get_or_init(|| self.install());
    }

    /// Holds signals back.
    pub(super) fn hold(&self) {
        self.watch();
        lock(&self.state).is_writing = true;
    }

    /// Lets signals through again; if one was held back, the process ends by it.
    pub(super) fn release(&self) {
        let caught = {
            let mut state = lock(&self.state);
            state.is_writing = false;
            state.caught
        };
        // This cannot fail for the caught signals.
        let _ = caught.map(emulate_default_handler);
    }

    /// Whether a signal is held back.
    pub(super) fn is_interrupted(&self) -> bool {
        lock(&self.state).caught.is_some()
    }

    fn install(&self) {
        let ignored = ignored();
        let ignores_interrupts = self.ignores_interrupts.load(Ordering::Relaxed);
        let is_caught = |signal: &i32| {
            let is_ignored = ignored & (1 << (*signal - 1)) != 0;
            !(is_ignored || *signal == SIGINT && ignores_interrupts)
        };
        let caught: Vec<i32> = ENDING.into_iter().filter(is_caught).collect();
        let state = Arc::clone(&self.state);
        // If no signal can be caught, one ends the process at once, and the next write recovers.
        let _ = for_each_signal(&caught, move |signal| {
            let mut state = lock(&state);
            if state.is_writing {
                state.caught = Some(signal);
            } else {
                // The programs are in process groups of their own, which no signal of the terminal reaches.
                kill_programs();
                remove_scratch_copies();
                let _ = emulate_default_handler(signal);
            }
        });
    }
}

/// Calls a function for each of these signals that arrives, in a thread of its own.
#[cfg(unix)]
fn for_each_signal(signals: &[i32], act: impl FnMut(i32) + Send + 'static) -> std::io::Result<()> {
    let mut signals = signal_hook::iterator::Signals::new(signals)?;
    std::thread::spawn(move || signals.forever().for_each(act));
    Ok(())
}

/// The same where a thread cannot wait for signals, as on Windows: it looks for them twenty times a second.
#[cfg(not(unix))]
fn for_each_signal(signals: &[i32], mut act: impl FnMut(i32) + Send + 'static) -> std::io::Result<()> {
    let mut flags = Vec::new();
    for &signal in signals {
        let flag = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register(signal, Arc::clone(&flag))?;
        flags.push((signal, flag));
    }
    std::thread::spawn(move || {
        loop {
            flags.iter().filter(|(_, flag)| flag.swap(false, Ordering::Relaxed)).for_each(|(signal, _)| act(*signal));
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    });
    Ok(())
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().ignore_poison()
}

/// The signals that the process was started to ignore, as by `nohup`: one bit each, from Linux's status file.
fn ignored() -> u64 {
    let status = Disk.read(Path::new("/proc/self/status"), 1 << 16).unwrap_or_default();
    let status = String::from_utf8_lossy(&status);
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok()).unwrap_or(0)
}
