//! Answers a hook call: judges the changes of the tool and adds them to the journal.

use std::path::PathBuf;

use serde_json::Value;

use super::super::journal::{self, Entry};
use super::caller::Caller;
use super::event::Event;
use super::findings::{Edited, find_new};
use super::images::{self, Edit};
use super::payload;
use super::phase::Phase;
use super::setting::Setting;
use super::verdict::{self, Pair, Verdict};
use super::words::{self, Broken};
use super::workspace::Workspace;
use crate::engine::{seconds_now, timestamp};

/// Answers a hook call: returns the text for standard output.
pub fn answer(caller: Caller, phase: Option<Phase>, input: &[u8], setting: &Setting<'_>) -> String {
    let Some(payload) = payload::read(input) else { return caller.neutral() };
    let real = real_caller(caller, &payload, setting);
    let Some(event) = Event::read(real, &payload, phase) else { return real.neutral() };
    let Some(workspace) = Workspace::of(&event, setting) else { return real.neutral() };
    if real != caller && has_own_hook(&event, &workspace, setting) {
        return real.neutral();
    }
    match event.phase {
        Phase::Pre => {
            images::remember(&event, &workspace, setting);
            real.neutral()
        }
        Phase::Post => {
            let judged = judge(&event, &workspace, setting);
            if !judged.broken.is_empty() {
                return real.reply(&words::text(&judged.broken));
            }
            match find_new(&judged.sound, &workspace).as_slice() {
                [] => real.neutral(),
                found => real.reply(&words::findings(found)),
            }
        }
    }
}

/// The files that a call changed.
#[derive(Default)]
struct Judged {
    /// Those that it broke.
    broken: Vec<Broken>,
    /// Those that it did not, where it is known what they were before.
    sound: Vec<Edited>,
}

/// Judges the changes of a call and records them.
fn judge(event: &Event, workspace: &Workspace, setting: &Setting<'_>) -> Judged {
    let now = seconds_now();
    let (mut entries, mut judged) = (Vec::new(), Judged::default());
    for edit in images::edits(event, workspace, setting) {
        let pair = Pair {
            path: &edit.placed.shown,
            before: edit.before.as_deref(),
            after: edit.after.as_deref(),
            moved: edit.moved,
        };
        let Some(verdict) = verdict::judge(pair, setting.left()) else { continue };
        if verdict.new_errors.is_empty() {
            judged.sound.extend(sound(&edit));
        } else {
            judged.broken.push(Broken {
                path: edit.placed.shown.clone(),
                errors: verdict.new_errors.clone(),
                changed: verdict.changed.clone(),
            });
        }
        entries.push(entry(event, edit, verdict, now));
    }
    journal::write(&entries, &workspace.memory(), now, setting.files);
    judged
}

/// A file that is text, of which it is known what it was before.
fn sound(edit: &Edit) -> Option<Edited> {
    if edit.base == images::UNKNOWN {
        return None;
    }
    let text = |bytes: &Vec<u8>| String::from_utf8(bytes.clone()).ok();
    let before = match &edit.before {
        Some(bytes) => Some(text(bytes)?),
        None => None,
    };
    let after = text(edit.after.as_ref()?)?;
    Some(Edited { path: edit.placed.path.clone(), shown: edit.placed.shown.clone(), before, after })
}

/// The journal's line for an edit.
fn entry(event: &Event, edit: Edit, verdict: Verdict, now: i64) -> Entry {
    Entry {
        v: 1,
        ts: timestamp(now),
        agent: event.caller.name().to_owned(),
        variant: event.variant.map(str::to_owned),
        session: event.session.clone(),
        tool: event.tool.clone(),
        tool_use_id: event.tool_use_id.clone(),
        path: edit.placed.shown,
        language: verdict.language.to_owned(),
        base: edit.base.to_owned(),
        before: edit.before.as_deref().map(verdict::hash),
        after: edit.after.as_deref().map(verdict::hash),
        parse_ok: verdict.is_sound,
        new_errors: verdict.new_errors,
        changed: verdict.changed,
    }
}

/// The agent that really called: other agents run the hooks of Claude Code's settings, too.
fn real_caller(caller: Caller, payload: &Value, setting: &Setting<'_>) -> Caller {
    let has = |name: &str| !payload[name].is_null();
    if caller != Caller::ClaudeCode {
        caller
    } else if has("cursor_version") {
        Caller::Cursor
    } else if has("tool_result") || has("toolArgs") || (setting.variable)("COPILOT_PROJECT_DIR").is_some() {
        Caller::Copilot
    } else {
        caller
    }
}

/// Whether an agent that runs another agent's hooks has one of its own, which then answers.
fn has_own_hook(event: &Event, workspace: &Workspace, setting: &Setting<'_>) -> bool {
    const LARGEST: u64 = 1 << 20;
    let own = event.caller.own_hook().filter(|own| own.phases.contains(&event.phase));
    let Some(own) = own else { return false };
    let projects = [Some(&workspace.root), workspace.repository.as_ref()].into_iter().flatten();
    let named = own.variable.and_then(|name| (setting.variable)(name)).map(PathBuf::from);
    let folder = named.or_else(|| Some(setting.home.as_ref()?.join(own.home)));
    let command = format!("hook {}", event.caller.name());
    let files = projects.map(|project| project.join(own.project)).chain(folder.map(|folder| folder.join(own.file)));
    let holds_it = |file: PathBuf| {
        let bytes = setting.files.read(&file, LARGEST);
        bytes.is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(&command))
    };
    files.into_iter().any(holds_it)
}
