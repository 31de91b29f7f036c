//! What became of each file.

use std::path::PathBuf;

use super::agents::{Part, Scope};
use super::content::State;
use super::target::Target;
use crate::text::Position;

/// What was done with a file or, in a dry run, would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Nothing.
    None,
    /// The file was made.
    Created,
    /// The file was changed.
    Changed,
    /// What was ours was taken out of the file.
    Removed,
    /// The file was taken away.
    Deleted,
    /// Left alone, since it isn't ours or can't be read.
    Refused,
    /// The system didn't let us.
    Failed,
}

impl Action {
    /// Whether it makes the file another.
    pub fn writes(self) -> bool {
        matches!(self, Action::Created | Action::Changed | Action::Removed | Action::Deleted)
    }

    /// Its word.
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
    /// Whose file it is.
    pub scope: Scope,
    /// What of `cst` is in it.
    pub part: Part,
    /// Where it is.
    pub file: PathBuf,
    /// The same, as people write it.
    pub path: String,
    /// How it stood before.
    pub state: State,
    /// What was done.
    pub action: Action,
    /// Why nothing was, and where in the file the reason is.
    pub problem: Option<(String, Option<Position>)>,
    /// The other agent that still needs the entry.
    pub shared_with: Option<&'static str>,
    /// What changed; with the last line of a file.
    pub diff: Option<String>,
}

/// What became of all files.
#[derive(Debug, Clone)]
pub struct Report {
    /// A line a file and part.
    pub lines: Vec<Line>,
    /// What the user should know besides.
    pub notes: Vec<String>,
    /// Whether nothing was written.
    pub dry_run: bool,
}

/// What would be in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    /// The agent.
    pub agent: &'static str,
    /// Whose file it is.
    pub scope: Scope,
    /// Where it is, as people write it.
    pub path: String,
    /// What it says.
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

    /// Whether the file is to be another.
    pub(super) fn is_change(&self) -> bool {
        matches!(self.action, Action::Created | Action::Changed | Action::Removed | Action::Deleted)
    }

    /// Says what a change meant for the file as a whole.
    pub(super) fn settle(&mut self, is_new: bool, is_gone: bool) {
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

    /// Whether a file couldn't be read or written.
    pub fn is_failed(&self) -> bool {
        self.lines.iter().any(|line| line.action == Action::Failed)
    }
}
