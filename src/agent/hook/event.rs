//! Events: the common form into which all dialects are converted.

use super::caller::Caller;
use super::phase::Phase;

/// A tool call, around which an agent calls its hooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The agent that really calls.
    pub caller: Caller,
    /// The dialect of the event, if the agent has several.
    pub variant: Option<&'static str>,
    /// Before or after the tool ran.
    pub phase: Phase,
    /// The tool's name.
    pub tool: String,
    /// The call's id.
    pub tool_use_id: Option<String>,
    /// The session's id.
    pub session: Option<String>,
    /// The folder for relative paths.
    pub cwd: Option<String>,
    /// The first of the agent's working folders, if the event names them.
    pub root: Option<String>,
    /// What the tool does.
    pub work: Work,
    /// Whether the tool reports that it failed.
    pub failed: bool,
}

/// What a tool does with files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Work {
    /// It edits these files.
    Files(Vec<Touched>),
    /// It runs commands, which may do anything.
    Shell(String),
}

/// A file that a tool edits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    /// The path as the agent writes it.
    pub path: String,
    /// The previous path, if the tool moves the file.
    pub moved_from: Option<String>,
    /// The previous content, if the event has it.
    pub before: Option<Before>,
}

/// The previous content of a file according to an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Before {
    /// There was no such file.
    Absent,
    /// This text.
    Text(String),
}

impl Touched {
    /// A file about which nothing else is known.
    pub(super) fn new(path: impl Into<String>) -> Touched {
        Touched { path: path.into(), moved_from: None, before: None }
    }
}

/// The work, with the previous content of its only file.
pub(super) fn with_before(mut work: Work, before: Option<Before>) -> Work {
    if let Work::Files(files) = &mut work
        && let [file] = files.as_mut_slice()
        && file.moved_from.is_none()
    {
        file.before = before;
    }
    work
}
