//! The results for each file.

use std::path::PathBuf;

use super::agents::{Part, Scope};
use super::content::State;
use super::target::Target;
use crate::text::Position;

/// What was done with a file or, in a dry run, would be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Nothing.
    None,
    /// The file was created.
    Created,
    /// The file was changed.
    Changed,
    /// Our content was removed from the file.
    Removed,
    /// The file was deleted.
    Deleted,
    /// Left alone, since it is not ours or cannot be read.
    Refused,
    /// The system reported an error.
    Failed,
}

impl Action {
    /// Whether the action changes the file.
    pub fn writes(self) -> bool {
        matches!(self, Action::Created | Action::Changed | Action::Removed | Action::Deleted)
    }

    /// The name in the output.
    pub fn name(self) -> &'static str {
        match self {
            Action::None => "unchanged",
            Action::Created => "created",
            Action::Changed => "changed",
            Action::Removed => "removed",
            Action::Deleted => "deleted",
            Action::Refused => "refused",
            Action::Failed => "failed",
        }
    }
}

/// A file of an agent.
#[derive(Debug, Clone)]
pub struct Line {
    /// The agent.
    pub agent: &'static str,
    /// The scope of the file.
    pub scope: Scope,
    /// The part of `cst` in it.
    pub part: Part,
    /// The absolute path.
    pub file: PathBuf,
    /// The path as people write it.
    pub path: String,
    /// The state before.
    pub state: State,
    /// What was done.
    pub action: Action,
    /// Why nothing was done, and the place of the reason in the file.
    pub problem: Option<(String, Option<Position>)>,
    /// Another agent that still needs the entry.
    pub shared_with: Option<&'static str>,
    /// The diff; on the last line of a file.
    pub diff: Option<String>,
}

/// The results for all files.
#[derive(Debug, Clone)]
pub struct Report {
    /// One line per file and part.
    pub lines: Vec<Line>,
    /// Notes for the user.
    pub notes: Vec<String>,
    /// Whether nothing was written.
    pub dry_run: bool,
}

/// The content that would be in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    /// The agent.
    pub agent: &'static str,
    /// The scope of the file.
    pub scope: Scope,
    /// The path as people write it.
    pub path: String,
    /// The content.
    pub text: String,
}

impl Line {
    pub(super) fn new(target: &Target, path: String) -> Line {
        Line {
            agent: target.agent.id,
            scope: target.scope,
            part: target.part,
            file: target.path.clone(),
            path,
            state: State::Absent,
            action: Action::None,
            problem: None,
            shared_with: None,
            diff: None,
        }
    }

    pub(super) fn refuse(&mut self, state: State, why: String, place: Option<Position>) {
        self.state = state;
        self.action = Action::Refused;
        self.problem = Some((why, place));
    }

    pub(super) fn fail(&mut self, why: String) {
        self.action = Action::Failed;
        self.problem = Some((why, None));
    }

    /// Whether the file changes.
    pub(super) fn is_change(&self) -> bool {
        matches!(self.action, Action::Created | Action::Changed | Action::Removed | Action::Deleted)
    }

    /// Refines the action if the whole file was created or deleted.
    pub(super) fn refine(&mut self, is_new: bool, is_gone: bool) {
        match self.action {
            Action::Changed if is_new => self.action = Action::Created,
            Action::Removed if is_gone => self.action = Action::Deleted,
            _ => {}
        }
    }
}

impl Report {
    /// Whether a file was refused.
    pub fn is_refused(&self) -> bool {
        self.lines.iter().any(|line| line.action == Action::Refused)
    }

    /// Whether a file could not be read or written.
    pub fn is_failed(&self) -> bool {
        self.lines.iter().any(|line| line.action == Action::Failed)
    }
}
