//! What happened, whoever tells it: the one form that all dialects are turned into.

use super::caller::Caller;
use super::phase::Phase;

/// A tool's call, around which an agent calls its hooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Who really calls.
    pub caller: Caller,
    /// Which of the caller's dialects the event was told in, where it has several.
    pub variant: Option<&'static str>,
    /// When.
    pub phase: Phase,
    /// The tool's name.
    pub tool: String,
    /// The call's id.
    pub tool_use_id: Option<String>,
    /// The session's id.
    pub session: Option<String>,
    /// What relative paths are relative to.
    pub cwd: Option<String>,
    /// The first of the folders that the agent works in, where it names them.
    pub root: Option<String>,
    /// What the tool does.
    pub work: Work,
    /// Whether the tool says that it failed.
    pub failed: bool,
}

/// What a tool does to files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Work {
    /// It edits these.
    Files(Vec<Touched>),
    /// It runs commands, which may do anything.
    Shell(String),
}

/// A file that a tool edits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    /// The file as the agent names it.
    pub path: String,
    /// Where it was before, if the tool moves it.
    pub moved_from: Option<String>,
    /// What it held, where the event says so.
    pub before: Option<Before>,
}

/// What an event says that a file held before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Before {
    /// There was no such file.
    Absent,
    /// This.
    Text(String),
}

impl Touched {
    /// A file of which no more is known.
    pub(super) fn new(path: impl Into<String>) -> Touched {
        Touched { path: path.into(), moved_from: None, before: None }
    }
}

/// The work with what the only file of it held before.
pub(super) fn with_before(mut work: Work, before: Option<Before>) -> Work {
    if let Work::Files(files) = &mut work
        && let [file] = files.as_mut_slice()
        && file.moved_from.is_none()
    {
        file.before = before;
    }
    work
}
