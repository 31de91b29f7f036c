//! Limits the memory of a piece of work, so that it ends with an error before the system kills the process.
//!
//! Measured is the resident memory of the process, relative to the start of the work, so work that runs in parallel
//! counts, too. If the system does not report it, there is no limit.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use super::disk::{available_memory, resident_memory};

/// The interval between measurements, in milliseconds.
const PAUSE: u64 = 10;

/// The memory limit of a piece of work.
#[derive(Debug)]
pub struct MemoryLimit {
    /// The limit for the process, in bytes.
    most: u64,
    begun: Instant,
    /// The time of the last measurement, in milliseconds since the start.
    measured: AtomicU64,
    is_over: AtomicBool,
}

impl MemoryLimit {
    /// A limit for work that begins now: `bytes`, or three quarters of the available memory if that is less.
    pub fn new(bytes: u64) -> MemoryLimit {
        let free = available_memory().map_or(u64::MAX, |free| free / 4 * 3);
        let most = resident_memory().unwrap_or(0).saturating_add(bytes.min(free));
        MemoryLimit { most, begun: Instant::now(), measured: AtomicU64::new(0), is_over: AtomicBool::new(false) }
    }

    /// Whether the limit was exceeded at the last measurement.
    pub fn is_exceeded(&self) -> bool {
        let now = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let measured = self.measured.load(Ordering::Relaxed);
        if now >= measured + PAUSE {
            self.measured.store(now, Ordering::Relaxed);
            let is_over = resident_memory().is_some_and(|held| held > self.most);
            self.is_over.store(is_over, Ordering::Relaxed);
        }
        self.is_over.load(Ordering::Relaxed)
    }
}
