//! The exit status of a command.

use super::report;
use crate::request::Skipped;

/// How a command ended without an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exit {
    /// Done, or found.
    Done,
    /// Nothing found, a check failed, or nothing to change.
    Nothing,
    /// Some of it failed, and the rest was done.
    Failed,
}

impl Exit {
    /// `Done` if there is something, else `Nothing`.
    pub(super) fn when(something: bool) -> Exit {
        if something { Exit::Done } else { Exit::Nothing }
    }

    /// `Failed` if the process has failed, else `Done`.
    pub(super) fn failed(has_failed: bool) -> Exit {
        if has_failed { Exit::Failed } else { Exit::Done }
    }

    /// The same, unless files that could not be read were skipped.
    pub(super) fn unless_failed(self, skipped: &[Skipped]) -> Exit {
        if report::has_failed(skipped) { Exit::Failed } else { self }
    }
}

impl Exit {
    /// The exit status of the process.
    pub(super) fn status(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Nothing => 1,
            Exit::Failed => 2,
        }
    }
}
