//! The journal: what agents did to which definitions, one line per edit, in `.cst/journal/YYYY-MM-DD.jsonl`.
//!
//! Several hooks may write to it at once: a line is appended in one piece. Reading tolerates invalid lines.

use crate::limits;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::engine::{Files, Kind, Walk, timestamp};
use crate::request::SyntaxErrorRow;

/// An edit of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The version of this shape, 1.
    pub v: u32,
    /// The time: `2026-11-21T23:56:35Z`.
    pub ts: String,
    /// The agent.
    pub agent: String,
    /// The dialect, if the agent has several.
    #[serde(default)]
    pub variant: Option<String>,
    /// The session's id.
    #[serde(default)]
    pub session: Option<String>,
    /// The tool.
    #[serde(default)]
    pub tool: String,
    /// The call's id.
    #[serde(default)]
    pub tool_use_id: Option<String>,
    /// The path relative to the workspace.
    pub path: String,
    /// Its language.
    pub language: String,
    /// The source of the previous content: `payload`, `snapshot`, `head` or `none`.
    pub base: String,
    /// The hash of the previous content: `sha256:…`; null if the file did not exist.
    pub before: Option<String>,
    /// The hash of the new content, likewise.
    pub after: Option<String>,
    /// Whether the file has no syntax error now.
    pub parse_ok: bool,
    /// The syntax errors that were not there before.
    pub new_errors: Vec<SyntaxErrorRow>,
    /// The changed definitions.
    pub changed: Vec<Changed>,
}

/// A changed definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changed {
    /// Its qualified name; the new one if it was renamed.
    pub qualname: String,
    /// Its kind.
    pub kind: String,
    /// The kind of change.
    pub change: Change,
    /// The parts that differ, by the grammar's names: `parameters`, `body`.
    pub fields: Vec<String>,
}

/// The kind of change of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// It is new.
    Added,
    /// It was deleted.
    Removed,
    /// Its parts changed.
    Changed,
    /// Its name changed.
    Renamed,
    /// It is at another place.
    Moved,
}

impl Change {
    /// The sign before the definition's name.
    pub fn sign(self) -> char {
        match self {
            Change::Added => '+',
            Change::Removed => '-',
            Change::Changed => '~',
            Change::Renamed | Change::Moved => '>',
        }
    }
}

/// A filter for entries. All conditions must be met.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// The agent.
    pub agent: Option<String>,
    /// The beginning of the session's id.
    pub session: Option<String>,
    /// The file, or a folder around it, under one of these names.
    pub paths: Vec<String>,
    /// A definition that changed, or that contains one that did.
    pub qualname: Option<String>,
    /// Only edits that caused a syntax error.
    pub broken: bool,
}

impl Wanted {
    fn takes(&self, entry: &Entry) -> bool {
        let below = |inner: &str, outer: &str, sign: char| {
            inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(sign) || outer.is_empty())
        };
        let session = |wanted: &String| entry.session.as_ref().is_some_and(|session| session.starts_with(wanted));
        let qualname = |wanted: &String| entry.changed.iter().any(|changed| below(&changed.qualname, wanted, '.'));
        self.agent.as_ref().is_none_or(|agent| *agent == entry.agent)
            && self.session.as_ref().is_none_or(session)
            && (self.paths.is_empty() || self.paths.iter().any(|path| below(&entry.path, path, '/')))
            && self.qualname.as_ref().is_none_or(qualname)
            && (!self.broken || !entry.new_errors.is_empty())
    }
}

/// The content of a journal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Journal {
    /// The matching entries, by time.
    pub entries: Vec<Entry>,
    /// The number of entries.
    pub total: usize,
    /// Invalid lines, and files that cannot be read.
    pub skipped: Vec<Skipped>,
}

/// An invalid line, or a file that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// The file.
    pub path: String,
    /// The line, from 1; `None` for a whole file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The reason.
    pub why: String,
}

/// Appends entries to the journal below a folder `.cst`. Failures are ignored.
pub(super) fn write(entries: &[Entry], memory: &Path, now: i64, files: &dyn Files) -> Option<()> {
    if entries.is_empty() {
        return None;
    }
    let folder = room(memory, "journal", files)?;
    let day: String = timestamp(now).chars().take_while(|&sign| sign != 'T').collect();
    let path = folder.join(format!("{day}.jsonl"));
    if !is_own(&path, files) {
        return None;
    }
    for entry in entries {
        let mut line = serde_json::to_vec(entry).ok()?;
        line.push(b'\n');
        files.append(&path, &line).ok()?;
    }
    Some(())
}

/// The folder with that name below `.cst`, created if necessary and hidden from git. `None` if it cannot be created or
/// is elsewhere; the path to `.cst` has no symbolic links.
pub(super) fn room(memory: &Path, name: &str, files: &dyn Files) -> Option<PathBuf> {
    let folder = memory.join(name);
    // A link in a foreign project may lead anywhere.
    let is_here = |path: &Path| files.resolve(path).is_ok_and(|resolved| resolved == path);
    if files.facts(memory).is_ok() && !is_here(memory) {
        return None;
    }
    files.create_dir_all(memory).ok()?;
    files.make_private_folder(&folder).ok()?;
    if !is_here(&folder) {
        return None;
    }
    let ignored = memory.join(".gitignore");
    if files.facts(&ignored).is_err() && is_own(&ignored, files) {
        // If users keep files of their own here, only those written by hooks are hidden.
        let is_shared = ["config.toml", "selectors"].iter().any(|name| files.facts(&memory.join(name)).is_ok());
        let lines: &[u8] = if is_shared { b"/.gitignore\n/hook/\n/journal/\n" } else { b"*\n" };
        // The hook works without it, too.
        let _ = files.append(&ignored, lines);
    }
    Some(folder)
}

/// Whether a path is free or a plain file: not a link in a foreign project, and nothing that blocks.
fn is_own(path: &Path, files: &dyn Files) -> bool {
    !files.is_link(path) && files.facts(path).map_or(true, |facts| facts.kind == Kind::File)
}

/// The folder `.cst` with the journal for a folder: that of the repository, else the nearest one with a journal.
pub fn memory(folder: &Path, files: &dyn Files) -> Option<PathBuf> {
    let is_folder = |path: &Path| files.facts(path).is_ok_and(|facts| facts.kind == Kind::Folder);
    let has_journal = |folder: &&Path| is_folder(&folder.join(".cst").join("journal"));
    let repository = folder.ancestors().find(|folder| files.facts(&folder.join(".git")).is_ok());
    let found = repository.filter(has_journal).or_else(|| folder.ancestors().find(has_journal))?;
    Some(found.join(".cst"))
}

/// Reads the journal below a folder `.cst`.
pub fn read(memory: &Path, wanted: &Wanted, files: &dyn Files) -> Journal {
    let walk = Walk { hidden: true, no_ignore: true, ..Walk::default() };
    let listing = files.list(&memory.join("journal"), &walk).unwrap_or_default();
    let mut journal = Journal::default();
    for path in listing.files.iter().filter(|path| path.extension().is_some_and(|extension| extension == "jsonl")) {
        let shown = path.display().to_string();
        let skipped = |line: Option<usize>, why: String| Skipped { path: shown.clone(), line, why };
        let bytes = match files.read(path, limits::JOURNAL_BYTES) {
            Ok(bytes) => bytes,
            Err(error) => {
                journal.skipped.push(skipped(None, error.to_string()));
                continue;
            }
        };
        for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            match serde_json::from_slice::<Entry>(line) {
                Ok(entry) if wanted.takes(&entry) => journal.entries.push(entry),
                Ok(_) => {}
                Err(error) => journal.skipped.push(skipped(Some(index + 1), error.to_string())),
            }
        }
    }
    journal.total = journal.entries.len();
    journal
}
