//! What happened, whoever tells it: the one form that all dialects are turned into.

use serde_json::Value;

use super::Caller;
use super::dialect;

/// Whether a tool is about to run, or has run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// It is about to run.
    Pre,
    /// It has run.
    Post,
}

impl Phase {
    /// The phase of a hook's second word.
    pub fn named(word: &str) -> Option<Phase> {
        match word {
            "pre" => Some(Phase::Pre),
            "post" => Some(Phase::Post),
            _ => None,
        }
    }
}

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

impl Event {
    /// The event that a payload tells, in the dialect of the agent whose hook was called. `None` where there is nothing to do:
    /// another event, a tool that changes no file, or a payload that isn't what it should be.
    pub fn read(caller: Caller, payload: &Value, phase: Option<Phase>) -> Option<Event> {
        match caller {
            Caller::ClaudeCode | Caller::Codex | Caller::Droid => dialect::claude::read(caller, payload, phase),
            Caller::Gemini => dialect::gemini::read(payload),
            Caller::Cline => dialect::cline::read(payload),
            Caller::Copilot => dialect::copilot::read(payload, phase),
            Caller::Opencode => dialect::opencode::read(payload, phase),
            Caller::Cursor => dialect::cursor::read(payload, phase),
            Caller::Windsurf => dialect::windsurf::read(payload),
        }
    }
}
