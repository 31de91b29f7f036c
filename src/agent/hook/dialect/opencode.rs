//! OpenCode, with the events of the installed plugin: the arguments of `tool.execute.before` and `tool.execute.after`.

use serde_json::Value;

use super::super::caller::Caller;
use super::super::event::{Before, Event, Work};
use super::super::payload::{owned, tells_failure, text};
use super::super::phase::{Phase, phase_of};
use super::super::tools;

pub(super) fn read(payload: &Value, phase: Option<Phase>) -> Option<Event> {
    let metadata = &payload["metadata"];
    let name = match text(payload, &["hook", "event"]) {
        Some("tool.execute.before") => Some("PreToolUse"),
        Some("tool.execute.after") => Some("PostToolUse"),
        other => other,
    };
    let phase = phase_of(name, phase, !metadata.is_null() || !payload["output"].is_null())?;
    let tool = owned(payload, &["tool"])?;
    let mut work = tools::work(&tool, &payload["args"])?;
    if let Work::Files(files) = &mut work {
        for file in files.iter_mut().filter(|file| file.moved_from.is_none()) {
            file.before = before(metadata, &file.path);
        }
    }
    Some(Event {
        caller: Caller::Opencode,
        variant: None,
        phase,
        work,
        tool,
        tool_use_id: owned(payload, &["callID"]),
        session: owned(payload, &["sessionID"]),
        cwd: owned(payload, &["cwd", "directory"]),
        root: owned(payload, &["directory", "cwd", "worktree"]),
        failed: tells_failure(payload),
    })
}

/// The previous content of a file, computed from the diff that the tool reports.
fn before(metadata: &Value, path: &str) -> Option<Before> {
    let only = &metadata["filediff"];
    let several = metadata["files"].as_array().into_iter().flatten();
    let mut differences = std::iter::once(only).chain(several);
    let same = |named: &str| named == path || std::path::Path::new(named).ends_with(path);
    let names = ["file", "filePath", "path", "relativePath"];
    let difference = differences.find(|difference| text(difference, &names).is_some_and(same));
    match difference.and_then(|difference| difference["before"].as_str()) {
        Some(before) => Some(Before::Text(before.to_owned())),
        None if metadata["exists"] == false => Some(Before::Absent),
        None => None,
    }
}
