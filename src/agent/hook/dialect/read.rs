//! Reading an event in the dialect of the agent whose hook was called.

use serde_json::Value;

use super::super::caller::Caller;
use super::super::event::Event;
use super::super::phase::Phase;
use super::{claude, cline, copilot, cursor, gemini, opencode, windsurf};

impl Event {
    /// Reads an event in the dialect of the agent whose hook was called. `None` if there is nothing to do: another
    /// event, a tool that changes no file, or an invalid payload.
    pub fn read(caller: Caller, payload: &Value, phase: Option<Phase>) -> Option<Event> {
        match caller {
            Caller::ClaudeCode | Caller::Codex | Caller::Droid => claude::read(caller, payload, phase),
            Caller::Gemini => gemini::read(payload),
            Caller::Cline => cline::read(payload),
            Caller::Copilot => copilot::read(payload, phase),
            Caller::Opencode => opencode::read(payload, phase),
            Caller::Cursor => cursor::read(payload, phase),
            Caller::Windsurf => windsurf::read(payload),
        }
    }
}
