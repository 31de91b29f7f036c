//! Locks after a panic.

use std::sync::{LockResult, PoisonError};

/// Takes what a lock guards even if a thread has panicked while it held the lock. Our guarded values are whole between any two
/// statements, so a panic leaves nothing half done.
pub trait IgnorePoison<G> {
    /// The guard, or the value of a lock that was taken apart.
    fn ignore_poison(self) -> G;
}

impl<G> IgnorePoison<G> for LockResult<G> {
    fn ignore_poison(self) -> G {
        self.unwrap_or_else(PoisonError::into_inner)
    }
}
