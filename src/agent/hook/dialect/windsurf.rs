//! Windsurf. It reads no answer, so its edits are only recorded.

use serde_json::Value;

use super::super::caller::Caller;
use super::super::event::Event;
use super::super::payload::{owned, text};
use super::super::phase::Phase;
use super::super::tools;

pub(super) fn read(payload: &Value) -> Option<Event> {
    let action = text(payload, &["agent_action_name"])?;
    let (phase, rest) = match action.split_once('_')? {
        ("pre", rest) => (Phase::Pre, rest),
        ("post", rest) => (Phase::Post, rest),
        _ => return None,
    };
    let tool = match rest {
        "write_code" => "edit",
        "run_command" => "shell",
        _ => return None,
    };
    let about = &payload["tool_info"];
    Some(Event {
        caller: Caller::Windsurf,
        variant: None,
        phase,
        tool: rest.to_owned(),
        // Its execution id is that of a whole turn of the conversation.
        tool_use_id: None,
        session: owned(payload, &["trajectory_id"]),
        cwd: owned(about, &["cwd"]),
        root: None,
        work: tools::work(tool, about)?,
        failed: false,
    })
}
