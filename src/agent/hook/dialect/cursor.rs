//! Cursor. The result of a tool is JSON in a text.

use serde_json::Value;

use super::super::caller::Caller;
use super::super::event::Event;
use super::super::payload::{owned, tells_failure, text};
use super::super::phase::{Phase, phase_of};
use super::super::tools;

pub(super) fn read(payload: &Value, phase: Option<Phase>) -> Option<Event> {
    let output = &payload["tool_output"];
    let name = text(payload, &["hook_event_name"]);
    // An edit is reported a second time on its own, without the tool.
    let is_edit_alone = name == Some("afterFileEdit");
    let (phase, tool, input) = if is_edit_alone {
        (Phase::Post, "edit".to_owned(), payload)
    } else {
        let phase = phase_of(name, phase, !output.is_null() || !payload["tool_response"].is_null())?;
        (phase, owned(payload, &["tool_name"])?, &payload["tool_input"])
    };
    Some(Event {
        caller: Caller::Cursor,
        variant: None,
        phase,
        work: tools::work(&tool, input)?,
        tool,
        tool_use_id: owned(payload, &["tool_use_id"]),
        session: owned(payload, &["conversation_id", "session_id"]),
        cwd: owned(payload, &["cwd"]),
        root: payload["workspace_roots"].get(0).and_then(Value::as_str).map(str::to_owned),
        failed: tells_failure(output) || tells_failure(&payload["tool_response"]),
    })
}
