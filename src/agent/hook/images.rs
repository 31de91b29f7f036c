//! The previous content of files, from the best source: the event itself, the snapshot from before the call, or the
//! last commit.

use crate::limits;
use std::path::Path;

use super::event::{Before, Event, Touched, Work};
use super::git;
use super::setting::Setting;
use super::snapshot::{Content, Snapshot};
use super::verdict;
use super::workspace::{Placed, Workspace};
use crate::language::Detector;

/// A file before and after a call.
#[derive(Debug)]
pub(super) struct Edit {
    /// The file.
    pub placed: Placed,
    /// The previous content; `None` if the file did not exist, or the content is unknown.
    pub before: Option<Vec<u8>>,
    /// The current content; `None` if the file does not exist.
    pub after: Option<Vec<u8>>,
    /// The source of the previous content.
    pub base: &'static str,
    /// Whether the file was moved.
    pub moved: bool,
}

/// The base of a file whose previous content is not known, or that did not exist.
pub(super) const UNKNOWN: &str = "none";

/// Stores the content of the files that a call may change.
pub(super) fn remember(event: &Event, workspace: &Workspace, setting: &Setting<'_>) -> Option<()> {
    let mut snapshot = Snapshot::default();
    let detector = Detector::default();
    let mut keep = |placed: Placed| {
        let content = content(&placed.path, setting);
        snapshot.keep(placed.path, content);
    };
    match &event.work {
        Work::Files(files) => {
            let named = files.iter().flat_map(|file| file.moved_from.iter().chain([&file.path]));
            named.filter_map(|path| workspace.placed(path, setting)).for_each(&mut keep);
        }
        Work::Shell(_) => {
            let changed = changed(workspace, &detector, setting)?;
            let is_cut = changed.len() > limits::HOOK_FILES;
            changed.into_iter().take(limits::HOOK_FILES).for_each(keep);
            snapshot.cut = is_cut;
            return snapshot.write(event, &workspace.memory(), setting);
        }
    }
    snapshot.paths().next()?;
    snapshot.write(event, &workspace.memory(), setting)
}

/// The files that a call changed.
pub(super) fn edits(event: &Event, workspace: &Workspace, setting: &Setting<'_>) -> Vec<Edit> {
    let snapshot = Snapshot::take(event, &workspace.memory(), setting, |path| content(path, setting));
    let found: Vec<Option<Edit>> = match &event.work {
        // A command that failed may still have changed files.
        Work::Files(_) if event.failed => return Vec::new(),
        Work::Files(files) => files.iter().map(|file| edit(file, snapshot.as_ref(), workspace, setting)).collect(),
        Work::Shell(_) => snapshot.map(|snapshot| by_shell(&snapshot, workspace, setting)).unwrap_or_default(),
    };
    let edits = found.into_iter().flatten().filter(|edit| edit.before != edit.after || edit.moved).collect();
    with_moves(edits)
}

/// Combines a deleted and a new file with the same content into a moved one.
fn with_moves(mut edits: Vec<Edit>) -> Vec<Edit> {
    let mut gone = Vec::new();
    for index in 0..edits.len() {
        if edits[index].before.is_some() || edits[index].after.is_none() {
            continue;
        }
        let is_origin = |other: &Edit| other.after.is_none() && other.before == edits[index].after;
        let Some(origin) = (0..edits.len()).find(|other| !gone.contains(other) && is_origin(&edits[*other])) else {
            continue;
        };
        gone.push(origin);
        (edits[index].before, edits[index].base) = (edits[origin].before.clone(), edits[origin].base);
        edits[index].moved = true;
    }
    let mut index = 0;
    edits.retain(|_| (!gone.contains(&index), index += 1).0);
    edits
}

/// The change of a file that a tool named.
fn edit(file: &Touched, snapshot: Option<&Snapshot>, workspace: &Workspace, setting: &Setting<'_>) -> Option<Edit> {
    let placed = workspace.placed(&file.path, setting)?;
    let after = present(&placed.path, setting)?;
    let origin = match &file.moved_from {
        Some(from) => workspace.placed(from, setting)?,
        None => placed.clone(),
    };
    let moved = origin != placed;
    let edit = |before, base| Some(Edit { placed, before, after, base, moved });
    match &file.before {
        Some(Before::Absent) => return edit(None, "payload"),
        Some(Before::Text(text)) => return edit(Some(text.clone().into_bytes()), "payload"),
        None => {}
    }
    match snapshot.and_then(|snapshot| snapshot.content(&origin.path)) {
        Some(Content::Absent) => return edit(None, "snapshot"),
        Some(Content::Bytes(bytes)) => return edit(Some(bytes.clone()), "snapshot"),
        // There was something that could not be read.
        Some(Content::Unread) => return None,
        None => {}
    }
    match committed(&origin, workspace, setting)? {
        Some(bytes) => edit(Some(bytes), "head"),
        None => edit(None, UNKNOWN),
    }
}

/// The changes of a shell command: the files that git lists, compared with the snapshot.
fn by_shell(snapshot: &Snapshot, workspace: &Workspace, setting: &Setting<'_>) -> Vec<Option<Edit>> {
    let Some(changed) = changed(workspace, &Detector::default(), setting) else { return Vec::new() };
    // A file that is clean now may have been reverted or committed.
    let known = snapshot.paths().filter(|path| changed.iter().all(|placed| placed.path != **path));
    let known: Vec<Placed> = known.filter_map(|path| workspace.placed(path.to_str()?, setting)).collect();
    let edit = |placed: Placed| {
        let after = present(&placed.path, setting)?;
        let (before, base) = match snapshot.content(&placed.path) {
            Some(Content::Absent) => (None, "snapshot"),
            Some(Content::Bytes(bytes)) => (Some(bytes.clone()), "snapshot"),
            Some(Content::Unread) => return None,
            // It may be one of those that were left out of the snapshot.
            None if snapshot.cut => return None,
            None => match committed(&placed, workspace, setting)? {
                Some(bytes) => (Some(bytes), "head"),
                None => (None, UNKNOWN),
            },
        };
        Some(Edit { placed, before, after, base, moved: false })
    };
    known.into_iter().chain(changed).take(2 * limits::HOOK_FILES).map(edit).collect()
}

/// The code files in the workspace that differ from the last commit.
fn changed(workspace: &Workspace, detector: &Detector, setting: &Setting<'_>) -> Option<Vec<Placed>> {
    let repository = workspace.repository.as_ref()?;
    let changed = git::changed(repository, setting).ok()?;
    let code = changed.into_iter().filter(|path| verdict::is_code(path, detector));
    let placed = code.filter_map(|path| workspace.placed(repository.join(path).to_str()?, setting));
    Some(placed.collect())
}

/// The content of a file at the last commit. The outer `None` means that git did not answer.
#[allow(clippy::option_option)]
fn committed(placed: &Placed, workspace: &Workspace, setting: &Setting<'_>) -> Option<Option<Vec<u8>>> {
    let Some(repository) = &workspace.repository else { return Some(None) };
    let path = placed.path.strip_prefix(repository).ok()?.to_str()?;
    git::committed(repository, path, setting).ok()
}

/// The current content of a file. The outer `None` means that it is not a file, too large, or cannot be read.
#[allow(clippy::option_option)]
fn present(path: &Path, setting: &Setting<'_>) -> Option<Option<Vec<u8>>> {
    match content(path, setting) {
        Content::Absent => Some(None),
        Content::Bytes(bytes) => Some(Some(bytes)),
        Content::Unread => None,
    }
}

fn content(path: &Path, setting: &Setting<'_>) -> Content {
    if !setting.exists(path) {
        return Content::Absent;
    }
    let bytes =
        Some(path).filter(|path| setting.is_file(path)).map(|path| setting.files.read(path, limits::HOOK_FILE_BYTES));
    bytes.and_then(Result::ok).map_or(Content::Unread, Content::Bytes)
}
