//! Snapshots: the files that a tool call may change, stored before the call until after it. There is one file per call
//! below `.cst/hook/`, which is deleted after use.
//!
//! The first line describes the content, as JSON; the bytes of the files follow. A truncated snapshot is ignored.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::event::{Event, Work};
use super::setting::Setting;
use crate::agent::journal;
use crate::engine::{Walk, seconds_now};

/// After how many seconds a call that never ended is forgotten.
const AGE: i64 = 24 * 60 * 60;
/// How many calls are stored.
const MOST: usize = 100;
/// The maximum size of one snapshot, in bytes.
const ROOM: usize = 32 << 20;

/// The files before a call.
#[derive(Debug, Default)]
pub(super) struct Snapshot {
    files: Vec<Kept>,
    /// Whether there were more files than the snapshot contains.
    pub cut: bool,
}

/// A file before a call.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    /// Its path.
    pub path: PathBuf,
    /// Its content.
    pub content: Content,
}

/// The content of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Content {
    /// The file did not exist.
    Absent,
    /// These bytes.
    Bytes(Vec<u8>),
    /// The file is too large, or could not be read.
    Unread,
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Header {
    cut: bool,
    files: Vec<Listed>,
}

#[derive(Serialize, Deserialize)]
struct Listed {
    path: PathBuf,
    /// The number of bytes; `None` if the file did not exist or was not read.
    bytes: Option<usize>,
    absent: bool,
}

impl Snapshot {
    /// Adds a file, as long as there is room.
    pub fn keep(&mut self, path: PathBuf, content: Content) {
        let used: usize = self.files.iter().map(|kept| kept.content.len()).sum();
        let content = if used + content.len() > ROOM { Content::Unread } else { content };
        self.files.push(Kept { path, content });
    }

    /// The content of a file; `None` if the snapshot does not contain it.
    pub fn content(&self, path: &Path) -> Option<&Content> {
        self.files.iter().find(|kept| kept.path == path).map(|kept| &kept.content)
    }

    /// All files of the snapshot.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|kept| kept.path.as_path())
    }

    /// Writes the snapshot below `.cst`. Failures are ignored.
    pub fn write(&self, event: &Event, memory: &Path, setting: &Setting<'_>) -> Option<()> {
        let folder = journal::room(memory, "hook", setting.files)?;
        prune(&folder, setting);
        let bytes = self.bytes()?;
        let path = place(&folder, event, setting).free;
        setting.files.discard(&path).ok()?;
        setting.files.write_private(&path, &bytes).ok()
    }

    /// The serialised snapshot.
    fn bytes(&self) -> Option<Vec<u8>> {
        let listed = self.files.iter().map(|kept| Listed {
            path: kept.path.clone(),
            bytes: if let Content::Bytes(bytes) = &kept.content { Some(bytes.len()) } else { None },
            absent: kept.content == Content::Absent,
        });
        let header = Header { cut: self.cut, files: listed.collect() };
        let mut bytes = serde_json::to_vec(&header).ok()?;
        bytes.push(b'\n');
        for kept in &self.files {
            if let Content::Bytes(content) = &kept.content {
                bytes.extend_from_slice(content);
            }
        }
        Some(bytes)
    }

    /// Reads the snapshot of a call and deletes it. Calls without an id on the same files cannot be distinguished: the
    /// last snapshot is used, and the others are updated to the current files, which `content` reads.
    pub fn take(
        event: &Event,
        memory: &Path,
        setting: &Setting<'_>,
        content: impl Fn(&Path) -> Content,
    ) -> Option<Snapshot> {
        let folder = memory.join("hook");
        let mut taken = place(&folder, event, setting).taken;
        let path = taken.pop()?;
        let bytes = setting.files.read(&path, 2 * ROOM as u64).ok();
        // It may be read-only by now; then it expires.
        let _ = setting.files.discard(&path);
        for other in taken {
            let Some(mut earlier) = setting.files.read(&other, 2 * ROOM as u64).ok().as_deref().and_then(parse) else {
                continue;
            };
            earlier.files.iter_mut().for_each(|kept| kept.content = content(&kept.path));
            let _ = setting.files.discard(&other);
            let _ = earlier.bytes().map(|bytes| setting.files.write_private(&other, &bytes));
        }
        parse(&bytes?)
    }
}

/// The snapshot files with the same key.
struct Places {
    /// Existing files, oldest first.
    taken: Vec<PathBuf>,
    /// The path of the next one.
    free: PathBuf,
}

fn place(folder: &Path, event: &Event, setting: &Setting<'_>) -> Places {
    /// How many concurrent calls with the same key are distinguished.
    const MOST_AT_ONCE: usize = 16;
    let key = key(event);
    let first = folder.join(&key);
    let numbered = (1..MOST_AT_ONCE).map(|number| folder.join(format!("{key}-{number}")));
    let is_there = |path: &PathBuf| setting.files.facts(path).is_ok();
    if event.tool_use_id.is_some() {
        return Places { taken: Some(first.clone()).into_iter().filter(is_there).collect(), free: first };
    }
    let mut all = std::iter::once(first.clone()).chain(numbered);
    let taken: Vec<PathBuf> = all.by_ref().take_while(is_there).collect();
    let free = match taken.last() {
        None => first,
        Some(last) if taken.len() == MOST_AT_ONCE => last.clone(),
        Some(_) => folder.join(format!("{key}-{}", taken.len())),
    };
    Places { taken, free }
}

impl Content {
    fn len(&self) -> usize {
        if let Content::Bytes(bytes) = self { bytes.len() } else { 0 }
    }
}

fn parse(bytes: &[u8]) -> Option<Snapshot> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    let header: Header = serde_json::from_slice(&bytes[..end]).ok()?;
    let mut at = end + 1;
    let mut files = Vec::with_capacity(header.files.len());
    for listed in header.files {
        let content = match listed.bytes {
            Some(length) => {
                let content = bytes.get(at..at.checked_add(length)?)?;
                at += length;
                Content::Bytes(content.to_vec())
            }
            None if listed.absent => Content::Absent,
            None => Content::Unread,
        };
        files.push(Kept { path: listed.path, content });
    }
    (at == bytes.len()).then_some(Snapshot { files, cut: header.cut })
}

/// The key of a call: its id, or else what distinguishes it from other calls of the session.
fn key(event: &Event) -> String {
    const SHOWN: usize = 40;
    let mut hasher = Sha256::new();
    hasher.update(event.caller.name());
    match &event.tool_use_id {
        Some(id) => hasher.update(id),
        None => {
            hasher.update(event.session.as_deref().unwrap_or_default());
            match &event.work {
                Work::Files(files) => files.iter().for_each(|file| {
                    hasher.update([0]);
                    hasher.update(&file.path);
                }),
                Work::Shell(command) => hasher.update(command),
            }
        }
    }
    let digest: String = hasher.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let id = event.tool_use_id.as_deref().unwrap_or("call");
    let shown: String = id.chars().filter(|&sign| sign.is_ascii_alphanumeric() || sign == '_').take(SHOWN).collect();
    format!("{shown}-{digest}")
}

/// Deletes the snapshots of calls that never ended.
fn prune(folder: &Path, setting: &Setting<'_>) {
    let walk = Walk { hidden: true, no_ignore: true, ..Walk::default() };
    let Ok(listing) = setting.files.list(folder, &walk) else { return };
    let modified = |path: &PathBuf| {
        let stamp = setting.files.facts(path).ok().and_then(|facts| facts.stamp);
        stamp.map_or(0, |stamp| stamp.modified / 1_000_000_000)
    };
    let mut calls: Vec<(i64, PathBuf)> = listing.files.into_iter().map(|path| (modified(&path), path)).collect();
    calls.sort();
    let many = calls.len().saturating_sub(MOST - 1);
    let oldest = seconds_now() - AGE;
    for (index, (time, path)) in calls.iter().enumerate() {
        if index < many || (*time != 0 && *time < oldest) {
            let _ = setting.files.discard(path);
        }
    }
}
