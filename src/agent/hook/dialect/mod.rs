//! Dialects: how each agent tells of a tool's call.

pub(super) mod claude;
pub(super) mod cline;
pub(super) mod copilot;
pub(super) mod cursor;
pub(super) mod gemini;
pub(super) mod opencode;
pub(super) mod windsurf;

use serde_json::Value;

use super::event::{Before, Phase, Work};
use super::payload::text;

/// An owned text of the first of some fields that has one.
fn owned(payload: &Value, names: &[&str]) -> Option<String> {
    text(payload, names).map(str::to_owned)
}

/// The phase that an event's name says; by another name it is another event. Without a name the word counts that the hook was
/// called with, or else whether the payload has a result.
fn phase_of(name: Option<&str>, phase: Option<Phase>, has_result: bool) -> Option<Phase> {
    let Some(name) = name else {
        return phase.or(Some(if has_result { Phase::Post } else { Phase::Pre }));
    };
    match name.to_ascii_lowercase().as_str() {
        "pretooluse" => Some(Phase::Pre),
        "posttooluse" => Some(Phase::Post),
        _ => None,
    }
}

/// The work with what the only file of it held before.
fn with_before(mut work: Work, before: Option<Before>) -> Work {
    if let Work::Files(files) = &mut work
        && let [file] = files.as_mut_slice()
        && file.moved_from.is_none()
    {
        file.before = before;
    }
    work
}
