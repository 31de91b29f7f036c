//! Gemini CLI. It also calls its hooks for edits that failed, and its calls have no ids.

use serde_json::Value;

use super::super::caller::Caller;
use super::super::event::{Before, Event, with_before};
use super::super::payload::{owned, tells_failure, text};
use super::super::phase::Phase;
use super::super::tools;

pub(super) fn read(payload: &Value) -> Option<Event> {
    let phase = match text(payload, &["hook_event_name"])? {
        "BeforeTool" => Phase::Pre,
        "AfterTool" => Phase::Post,
        _ => return None,
    };
    let response = &payload["tool_response"];
    let shown = &response["returnDisplay"];
    let before = if shown["isNewFile"] == true {
        Some(Before::Absent)
    } else {
        shown["originalContent"].as_str().map(|text| Before::Text(text.to_owned()))
    };
    let tool = owned(payload, &["tool_name"])?;
    let work = tools::work(&tool, &payload["tool_input"])?;
    Some(Event {
        caller: Caller::Gemini,
        variant: None,
        phase,
        tool,
        tool_use_id: owned(payload, &["tool_use_id"]),
        session: owned(payload, &["session_id"]),
        cwd: owned(payload, &["cwd"]),
        root: None,
        work: with_before(work, before),
        failed: tells_failure(response),
    })
}
