//! Cline, which has two dialects: that of the extension, and that of the command line, which reports `success` even for
//! edits that failed.

use serde_json::Value;

use super::super::caller::Caller;
use super::super::event::Event;
use super::super::payload::{owned, tells_failure, text};
use super::super::phase::Phase;
use super::super::tools;

pub(super) fn read(payload: &Value) -> Option<Event> {
    let phase = match text(payload, &["hookName"])? {
        "PreToolUse" | "tool_call" => Phase::Pre,
        "PostToolUse" | "tool_result" => Phase::Post,
        _ => return None,
    };
    let (plain, extended) = match phase {
        Phase::Pre => (&payload["tool_call"], &payload["preToolUse"]),
        Phase::Post => (&payload["tool_result"], &payload["postToolUse"]),
    };
    let is_plain = plain.is_object();
    let tool = owned(plain, &["name"]).or_else(|| owned(extended, &["toolName"]))?;
    let input = if is_plain { &plain["input"] } else { &extended["parameters"] };
    let output = &plain["output"];
    Some(Event {
        caller: Caller::Cline,
        variant: Some(if is_plain { "cli" } else { "extension" }),
        phase,
        work: tools::work(&tool, input)?,
        tool,
        tool_use_id: owned(plain, &["id"]),
        session: owned(payload, &["taskId"]),
        cwd: owned(payload, &["cwd"]),
        root: payload["workspaceRoots"]
            .get(0)
            .and_then(Value::as_str)
            .map(str::to_owned)
            .or_else(|| owned(&payload["workspaceInfo"], &["rootPath"])),
        failed: tells_failure(extended) || tells_failure(plain) || tells_failure(output),
    })
}
