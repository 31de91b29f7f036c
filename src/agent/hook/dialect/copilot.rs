//! Copilot, which has two dialects: camelCase without the event's name, and Claude's names with a `tool_result`.

use serde_json::Value;

use super::super::caller::Caller;
use super::super::event::Event;
use super::super::payload::{owned, tells_failure, text};
use super::super::phase::{Phase, phase_of};
use super::super::tools;

pub(super) fn read(payload: &Value, phase: Option<Phase>) -> Option<Event> {
    let is_camel = !payload["toolName"].is_null();
    let (input, result) = match is_camel {
        true => (&payload["toolArgs"], &payload["toolResult"]),
        false => (&payload["tool_input"], &payload["tool_result"]),
    };
    let has_result = !result.is_null() || !payload["tool_response"].is_null();
    let name = text(payload, &["hook_event_name", "hookEventName"]);
    let phase = phase_of(name, phase, has_result)?;
    let tool = owned(payload, &["toolName", "tool_name"])?;
    let outcome = text(result, &["resultType", "result_type"]);
    Some(Event {
        caller: Caller::Copilot,
        variant: Some(if is_camel { "camel" } else { "snake" }),
        phase,
        work: tools::work(&tool, input)?,
        tool,
        tool_use_id: owned(payload, &["toolCallId", "toolUseId", "tool_use_id"]),
        session: owned(payload, &["sessionId", "session_id"]),
        cwd: owned(payload, &["cwd"]),
        root: None,
        failed: outcome.is_some_and(|outcome| outcome != "success") || tells_failure(result),
    })
}
