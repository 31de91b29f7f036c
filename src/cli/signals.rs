//! Signals that end the process, held back while files are written.
//!
//! Nothing is caught until the first write. From then on a signal that comes outside of writes does what it always does; one that
//! comes during a write is remembered, the engine rolls the write back, and then the process ends by that signal.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::{flag, low_level};

use crate::project::{Disk, Files};

/// The signals that end a process, and what the system's word for "hang up" is where it has one.
#[cfg(unix)]
const ENDING: [i32; 3] = [SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
#[cfg(not(unix))]
const ENDING: [i32; 2] = [SIGINT, SIGTERM];

/// Signals that end the process.
#[derive(Debug, Default)]
pub(super) struct Signals {
    installed: OnceLock<()>,
    /// The signal that came during a write; 0 for none.
    caught: Arc<AtomicUsize>,
    /// Whether nothing is being written, so that a signal does what it always does.
    is_idle: Arc<AtomicBool>,
    /// Whether interrupts are somebody else's.
    ignores_interrupts: AtomicBool,
}

impl Signals {
    /// Interrupts in a client's terminal are the client's: from now on they do nothing.
    pub(super) fn ignore_interrupts(&self) {
        self.ignores_interrupts.store(true, Ordering::Relaxed);
        // Where it can't be caught, the process ends by it.
        let _ = flag::register(SIGINT, Arc::new(AtomicBool::new(false)));
    }

    /// Holds signals back.
    pub(super) fn hold(&self) {
        self.installed.get_or_init(|| self.install());
        self.is_idle.store(false, Ordering::SeqCst);
    }

    /// Lets signals through again; if one was held back, the process ends by it.
    pub(super) fn release(&self) {
        self.is_idle.store(true, Ordering::SeqCst);
        if let Some(signal) = self.caught() {
            let _ = low_level::emulate_default_handler(signal);
        }
    }

    /// The signal that was held back.
    pub(super) fn caught(&self) -> Option<i32> {
        i32::try_from(self.caught.load(Ordering::SeqCst)).ok().filter(|&signal| signal != 0)
    }

    fn install(&self) {
        let ignored = ignored();
        self.is_idle.store(true, Ordering::SeqCst);
        for signal in ENDING {
            let is_ignored = ignored & (1 << (signal - 1)) != 0;
            if is_ignored || (signal == SIGINT && self.ignores_interrupts.load(Ordering::Relaxed)) {
                continue;
            }
            // In this order: outside of writes the first ends the process.
            let _ = flag::register_conditional_default(signal, self.is_idle.clone());
            let _ = flag::register_usize(signal, self.caught.clone(), usize::try_from(signal).unwrap_or(0));
        }
    }
}

/// The signals that the process was started to ignore, as `nohup` does: a bit each, as Linux tells it.
fn ignored() -> u64 {
    let status = Disk.read(Path::new("/proc/self/status"), 1 << 16).unwrap_or_default();
    let status = String::from_utf8_lossy(&status);
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok()).unwrap_or(0)
}
