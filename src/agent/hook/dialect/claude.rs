//! Claude Code, and the agents with the same events: Codex and Droid.

use serde_json::Value;

use super::super::caller::Caller;
use super::super::event::{Before, Event, Work, with_before};
use super::super::payload::{owned, tells_failure, text};
use super::super::phase::{Phase, phase_of};
use super::super::tools;

pub(super) fn read(caller: Caller, payload: &Value, phase: Option<Phase>) -> Option<Event> {
    let response = &payload["tool_response"];
    let name = text(payload, &["hook_event_name", "hookEventName"]);
    let phase = phase_of(name, phase, !response.is_null())?;
    let tool = owned(payload, &["tool_name"])?;
    let work = tools::work(&tool, &payload["tool_input"])?;
    Some(Event {
        caller,
        variant: None,
        phase,
        tool,
        tool_use_id: owned(payload, &["tool_use_id"]),
        session: owned(payload, &["session_id", "sessionId"]),
        cwd: owned(payload, &["cwd"]),
        root: None,
        failed: tells_failure(response) || has_exit_code(response),
        work: with_original(work, response),
    })
}

/// The work, with the previous content of the file that the response contains.
fn with_original(work: Work, response: &Value) -> Work {
    const NAMES: [&str; 4] = ["originalFile", "originalContent", "originalFileContents", "original_file"];
    let original = NAMES.iter().find_map(|name| response[name].as_str());
    let before = match original {
        Some(text) => Some(Before::Text(text.to_owned())),
        None if response["type"] == "create" => Some(Before::Absent),
        None => None,
    };
    with_before(work, before)
}

/// Whether a response begins with the exit code of a failure: `Exit code: 1`.
fn has_exit_code(response: &Value) -> bool {
    let code = response.as_str().and_then(|text| text.trim_start().strip_prefix("Exit code: "));
    code.is_some_and(|code| !code.trim_start().starts_with('0'))
}
