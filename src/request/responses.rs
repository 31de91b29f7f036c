//! Responses: what the engine answers. Serialised they are exactly what `--json`, JSON-RPC and MCP give; a field that has
//! nothing to say is left out.

use crate::naming::named_enum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::edit::OperationKind;
use crate::request::cursor::PageRun;
use crate::request::entries::Entries;
use crate::request::error::EngineError;
use crate::request::fields::{is_false, is_zero};
use crate::request::node_row::{NodeRow, SyntaxErrorRow};
use crate::request::report::{FilesReport, Skipped};
use crate::request::verify::Verified;
use crate::tree::Tree;

/// A revision: the number of a tree's, or the start of the hash of a file's content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Revision {
    /// A tree's, from 0.
    Number(u32),
    /// A file's: the start of the hash of its content.
    Hash(String),
}

/// The trees that were loaded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct LoadResponse {
    /// In the order of the request.
    pub trees: Vec<LoadedTree>,
}

/// A tree that was loaded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct LoadedTree {
    /// The tree's id.
    pub tree_id: String,
    /// The path of its file, relative to the working directory; for a text its name, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Its language.
    pub language: String,
    /// The revision: 0.
    pub revision: u32,
    /// Number of lines.
    pub lines: usize,
    /// Number of named nodes.
    pub nodes: usize,
    /// Its syntax errors.
    pub errors: Vec<SyntaxErrorRow>,
    /// Its definitions, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outline: Option<Vec<DefinitionRow>>,
}

/// The findings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct FindResponse {
    /// The tree that was searched, if the target is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree_id: Option<String>,
    /// The tree's revision; for a single file or text, the start of the hash of its content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<Revision>,
    /// The matches, up to the limit.
    pub matches: Vec<NodeRow>,
    /// Number of matches in the files searched, after the cursor of the request.
    pub total: usize,
    /// Whether there are more matches than are listed, or may be in files that were not searched.
    pub truncated: bool,
    /// Continues this answer, if it is truncated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// The file in which the cursor of the request lies, if it changed since: its matches are listed from the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relisted: Option<String>,
    /// If the selector asks about the project: how many unsaved trees of the session were read in place of their files.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unsaved: usize,
    /// What was searched.
    pub files: FilesReport,
    /// The nearest matches, if nothing was found and not too many files were searched.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub near: Vec<String>,
    /// The project's named selectors that were used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub selectors: Vec<NamedSelector>,
    /// Which files the listed matches belong to, if there is a limit.
    #[serde(skip)]
    pub(crate) runs: Vec<PageRun>,
}

impl FindResponse {
    /// The cursor that continues after the first `listed` matches of this answer. `None` if nothing follows, or if the
    /// request had no limit.
    pub fn cursor_after(&self, listed: usize) -> Option<String> {
        if listed >= self.matches.len() {
            return self.cursor.clone();
        }
        let before = self.runs.partition_point(|run| run.before < listed.max(1));
        let run = self.runs.get(before.checked_sub(1)?)?;
        Some(run.cursor_after(listed).to_string())
    }

    /// How many bytes the longest of these cursors has.
    pub fn longest_cursor(&self) -> usize {
        self.runs.iter().map(|run| run.cursor_after(run.before).to_string().len()).max().unwrap_or(0)
    }
}

/// What was read of a SCIP index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ScipSummary {
    /// The program that made it.
    pub tool: String,
    /// How many of its files are in the folder.
    pub files: usize,
    /// How many of their names are as the index has them.
    pub names: usize,
}

/// The state of an index.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct IndexResponse {
    /// What was read of a SCIP index, if one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scip: Option<ScipSummary>,
    /// Number of files that were parsed.
    pub indexed: usize,
    /// Number of files that were already in the index.
    pub kept: usize,
    /// Size of the index on the disk in bytes; with `clear`, before it was removed.
    pub bytes: u64,
    /// Whether the index was removed.
    #[serde(default, skip_serializing_if = "is_false")]
    pub cleared: bool,
    /// The vectors, if they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vectors: Option<VectorCounts>,
    /// Files that could not be read, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
    /// Number of files in an unrecognised language.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unknown_language: usize,
}

/// Vectors of definitions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct VectorCounts {
    /// Number of definitions whose vector was made now.
    pub made: usize,
    /// Number of definitions that had one already.
    pub kept: usize,
    /// Size of all vectors on the disk in bytes.
    pub bytes: u64,
}

/// The nodes that were asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ShowResponse {
    /// The tree, if the target is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree_id: Option<String>,
    /// The tree's revision; for a file, the start of the hash of its content.
    pub revision: Revision,
    /// The nodes, in the order of the request.
    pub nodes: Vec<NodeRow>,
    /// Whether something was left out.
    pub truncated: bool,
    /// Continues this answer, if it is truncated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// What an edit did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ModifyResponse {
    /// The tree, if the target is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree_id: Option<String>,
    /// Its file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The new revision; for a file, the start of the hash of its new content.
    pub revision: Revision,
    /// Number of operations applied; a selector that means several nodes counts once for each.
    pub applied: usize,
    /// Whether a file was written.
    pub written: bool,
    /// The result of each operation.
    pub operations: Vec<OperationRow>,
    /// The ids of nodes that were replaced or deleted.
    pub removed: Vec<String>,
    /// The lines that changed.
    pub changed_ranges: Vec<LineRange>,
    /// The diff, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// The id of the backup.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backup: Option<String>,
    /// The transaction that wrote the file; `undo` with it restores the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transaction: Option<String>,
    /// Its file, if it had syntax errors before the edit and has some after it: matches near them may be missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with_errors: Vec<String>,
    /// Notes: a configured check that is not trusted and was not run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The project's named selectors that were used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub selectors: Vec<NamedSelector>,
    /// Which nodes of a file were kept, if it was written; not in JSON.
    #[serde(skip)]
    #[schemars(skip)]
    pub carried: Option<Carried>,
}

/// Which nodes of a file an edit kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Carried {
    /// The start of the hash of the content before the edit.
    pub from: String,
    /// The nodes.
    pub kept: KeptNodes,
}

/// Which nodes of a content were kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeptNodes {
    /// All: each node of the new content is the one at the same place in the old.
    #[default]
    All,
    /// Some.
    Some {
        /// How many nodes the old content had.
        count: usize,
        /// For each node of the new content, the place of the old one that it is, in document order.
        places: Vec<Option<u32>>,
    },
}

impl KeptNodes {
    /// What the ids of a tree say that was made by edits from a tree whose ids are fresh.
    pub(crate) fn by_ids(old: &Tree, new: &Tree) -> KeptNodes {
        let count = old.table().len();
        let place = |node| Some(new.id(node).number()).filter(|&number| (number as usize) < count);
        KeptNodes::Some { count, places: new.table().nodes().map(place).collect() }
    }
}

/// A named selector of the project that a request used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct NamedSelector {
    /// Its name, with the colon.
    pub name: String,
    /// Its definition, as written.
    pub definition: String,
    /// The file that defines it.
    pub path: String,
}

/// The result of an operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct OperationRow {
    /// Which operation.
    pub op: OperationKind,
    /// The target, as it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The nodes that it made, or that are there now.
    pub nodes: Vec<MadeNode>,
    /// Notes: decorators that were kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A node that an operation made or kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct MadeNode {
    /// Its id.
    pub node_id: String,
    /// Its kind.
    pub kind: String,
    /// Its qualname.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qualname: Option<String>,
    /// First line.
    pub start_line: usize,
    /// Last line.
    pub end_line: usize,
}

/// A range of lines, from 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct LineRange {
    /// First line.
    pub start_line: usize,
    /// Last line.
    pub end_line: usize,
}

/// The result of `undo` or `redo`: for one tree that of `modify`, for several a list.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
#[non_exhaustive]
pub enum StepResponse {
    /// For one tree.
    One(Box<ModifyResponse>),
    /// For several trees.
    Many {
        /// In the order of the request.
        trees: Vec<ModifyResponse>,
    },
    /// For a transaction: the files that were restored.
    Transaction {
        /// Its id.
        transaction: String,
        /// The files.
        restored: Vec<String>,
        /// Files that changed since and were left out.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        skipped: Vec<Skipped>,
        /// The transaction that restored them; undoing it writes the files again.
        #[serde(skip_serializing_if = "Option::is_none")]
        undone_by: Option<String>,
    },
}

/// Trees against their files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct DiffResponse {
    /// In the order of the request.
    pub trees: Vec<TreeDiff>,
}

/// A tree against its file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct TreeDiff {
    /// The tree.
    pub tree_id: String,
    /// Its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The diff from the file on disk, or from the text as it was loaded; empty if there is none.
    pub diff: String,
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SaveResponse {
    /// In the order of the request.
    pub saved: Vec<SavedTree>,
    /// The transaction's id; `undo` with it restores the files.
    pub transaction: String,
    /// Notes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A tree that was saved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SavedTree {
    /// The tree.
    pub tree_id: String,
    /// Its file.
    pub path: String,
    /// Whether the file was written; false if nothing had changed.
    pub written: bool,
    /// Size of the file in bytes.
    pub bytes: usize,
    /// The id of the backup.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backup: Option<String>,
    /// Whether it was merged with changes on disk.
    #[serde(default, skip_serializing_if = "is_false")]
    pub merged: bool,
}

/// The loaded trees.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct TreesResponse {
    /// Oldest first.
    pub trees: Vec<HeldTree>,
}

/// A loaded tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct HeldTree {
    /// Its id.
    pub tree_id: String,
    /// Its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Its language.
    pub language: String,
    /// Its revision.
    pub revision: u32,
    /// Whether it has edits that were not saved.
    pub unsaved: bool,
    /// When it was last used, in UTC: `2026-11-21T23:56:35Z`.
    pub used: String,
}

/// The trees that were discarded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct DropResponse {
    /// Their ids.
    pub dropped: Vec<String>,
}

/// What was written and can be undone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct TransactionsResponse {
    /// Newest first.
    pub transactions: Vec<TransactionRow>,
}

/// A transaction that can be undone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct TransactionRow {
    /// Its id.
    pub transaction: String,
    /// The request that wrote it: `modify`, `rewrite`, `run`, `refactor`, `save`, `backups`, `undo`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// When, in UTC.
    pub time: String,
    /// The files that it wrote and that are not restored yet.
    pub files: Vec<String>,
}

/// The backups.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct BackupsResponse {
    /// Newest first.
    pub backups: Vec<BackupRow>,
    /// The backup that was restored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restored: Option<BackupRow>,
    /// The transaction that restored it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transaction: Option<String>,
    /// What was deleted, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expired: Option<ExpiredRows>,
}

/// What was deleted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ExpiredRows {
    /// Number of backups.
    pub backups: usize,
    /// Number of transactions, which can no longer be undone.
    pub transactions: usize,
}

/// A backup of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct BackupRow {
    /// Its id.
    pub backup: String,
    /// The file.
    pub path: String,
    /// When, in UTC.
    pub time: String,
    /// Size in bytes.
    pub bytes: usize,
}

/// How a selector was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ExplainResponse {
    /// In words.
    pub read_as: String,
    /// The steps, with the number of nodes that each left if there is a target.
    pub steps: Vec<StepRow>,
    /// The definitions of the named selectors in it, as `language: :name = selector`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>")]
    pub named: Vec<LanguageDefinition>,
    /// What nearly matched, in words.
    pub near: Vec<String>,
    /// The words that a selector may use, by what they are for.
    pub words: Entries<Vec<String>>,
    /// The project's named selectors that it uses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub selectors: Vec<NamedSelector>,
    /// Files with syntax errors, as far as they were parsed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with_errors: Vec<String>,
    /// Files that could not be read, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
    /// Number of a folder's files in an unrecognised language.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unknown_language: usize,
}

/// A named selector's definition in a language; in JSON the text `language: :name = selector`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
#[non_exhaustive]
pub struct LanguageDefinition {
    /// The language.
    pub language: String,
    /// The definition: `:name = selector`.
    pub definition: String,
}

impl From<LanguageDefinition> for String {
    fn from(LanguageDefinition { language, definition }: LanguageDefinition) -> String {
        format!("{language}: {definition}")
    }
}

impl From<String> for LanguageDefinition {
    fn from(written: String) -> LanguageDefinition {
        let (language, definition) = written.split_once(": ").unwrap_or(("", &written));
        LanguageDefinition { language: language.to_owned(), definition: definition.to_owned() }
    }
}

/// A step of a selector.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct StepRow {
    /// The step as written.
    pub step: String,
    /// Number of nodes that it left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<usize>,
}

/// The languages known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct LanguagesResponse {
    /// In order of name.
    pub languages: Vec<LanguageRow>,
}

/// A language.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct LanguageRow {
    /// Its name.
    pub name: String,
    /// Other names.
    pub aliases: Vec<String>,
    /// File extensions, without the dot.
    pub extensions: Vec<String>,
    /// Whole file names.
    pub file_names: Vec<String>,
    /// The kinds it has.
    pub kinds: Vec<String>,
    /// Its named selectors with their definitions, if asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub selectors: Vec<String>,
    /// What is wrong with its data or its grammar, so that it cannot be used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Definitions of files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct OutlineResponse {
    /// One entry per file.
    pub files: Vec<OutlinedFile>,
    /// Whether files were left out.
    pub truncated: bool,
    /// Number of files that were left out.
    pub more_files: usize,
    /// Files that could not be read, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
    /// Number of files in an unrecognised language.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unknown_language: usize,
}

/// A file's definitions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct OutlinedFile {
    /// The tree, if the target is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree_id: Option<String>,
    /// The file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Its revision, if asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<Revision>,
    /// Its language.
    pub language: String,
    /// Number of lines.
    pub lines: usize,
    /// Its syntax errors.
    pub errors: Vec<SyntaxErrorRow>,
    /// Its definitions in document order.
    pub definitions: Vec<DefinitionRow>,
    /// The outline as an indented text, if asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A definition in an outline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct DefinitionRow {
    /// Its id.
    pub node_id: String,
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// Its qualname.
    pub qualname: String,
    /// The definition without its body, on one line.
    pub signature: String,
    /// First line.
    pub start_line: usize,
    /// Last line.
    pub end_line: usize,
    /// Number of enclosing definitions.
    pub depth: usize,
    /// Its documentation, if asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
}

/// The syntax errors of files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct CheckResponse {
    /// The files with syntax errors.
    pub files: Vec<CheckedFile>,
    /// Number of errors.
    pub total: usize,
    /// Number of files that were checked.
    pub checked: usize,
    /// Number of a folder's files in an unrecognised language.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unknown_language: usize,
    /// Files that could not be read, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
}

/// A file's syntax errors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct CheckedFile {
    /// The file.
    pub path: String,
    /// Its syntax errors.
    pub errors: Vec<SyntaxErrorRow>,
}

/// What changed in files and trees.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ChangesResponse {
    /// The files with matches, in order.
    pub files: Vec<ChangedFile>,
    /// Number of matches.
    pub matches: usize,
    /// Number of matches whose text changed.
    pub applied: usize,
    /// Whether files were written.
    pub written: bool,
    /// The transaction that wrote them; `undo` with it restores all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transaction: Option<String>,
    /// Number of files searched.
    pub searched: usize,
    /// Number of a folder's files in an unrecognised language.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unknown_language: usize,
    /// Files with syntax errors, as far as they were parsed: matches near the errors may be missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with_errors: Vec<String>,
    /// Files that could not be read, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
    /// The command that verified the changes, if the request names one and anything changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified: Option<Verified>,
    /// Notes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The nearest matches, if a rewrite found nothing and not too many files were searched.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub near: Vec<String>,
    /// The project's named selectors that were used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub selectors: Vec<NamedSelector>,
}

/// A file with matches.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ChangedFile {
    /// The file; `-` for a text.
    pub path: String,
    /// Its path before, if it moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_from: Option<String>,
    /// Whether it is new.
    #[serde(default, rename = "created", skip_serializing_if = "is_false")]
    pub is_created: bool,
    /// Whether it is deleted.
    #[serde(default, rename = "deleted", skip_serializing_if = "is_false")]
    pub is_deleted: bool,
    /// The tree, if the target is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree_id: Option<String>,
    /// The new revision; for a file, the start of the hash of its new content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<Revision>,
    /// Number of matches.
    pub matches: usize,
    /// Number of matches whose text changed.
    pub applied: usize,
    /// The lines that changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed_ranges: Vec<LineRange>,
    /// Notes: matches that were left alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The diff, if the file is not written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// Why it was left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<EngineError>,
    /// Which of its nodes were kept, if the request asked; for callers in this process.
    #[serde(skip)]
    #[schemars(skip)]
    pub carried: Option<Carried>,
}

impl ChangedFile {
    /// Whether its text changed.
    pub fn is_changed(&self) -> bool {
        !self.changed_ranges.is_empty() || self.moved_from.is_some() || self.is_created || self.is_deleted
    }
}

/// The results of scripts' tests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct TestResponse {
    /// In order.
    pub tests: Vec<TestRow>,
    /// Number of tests that passed.
    pub passed: usize,
    /// Number of tests that failed.
    pub failed: usize,
    /// Number of rules that have no test.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub untested: usize,
    /// Warnings: steps that no test matches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// The result of a test.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct TestRow {
    /// The script's path.
    pub script: String,
    /// The test's name.
    pub test: String,
    /// The line of the script on which it begins.
    pub line: usize,
    /// Whether it passed.
    pub status: TestStatus,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
    /// The diff from the expected text to the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// The file of its snapshot, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<String>,
    /// Whether the snapshot is new or differs, and can be accepted.
    #[serde(default, skip_serializing_if = "is_false")]
    pub pending: bool,
    /// Whether the snapshot was written.
    #[serde(default, skip_serializing_if = "is_false")]
    pub updated: bool,
}

named_enum! {
    /// Whether a test passed.
    #[derive(Default)]
    #[non_exhaustive]
    pub enum TestStatus {
        /// The result is the expected one.
        #[default]
        Passed = "passed",
        /// The result is not the expected one, or there is none.
        Failed = "failed",
    }
}

/// The chunks of files.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ChunkResponse {
    /// The chunks, by file in the order of their text.
    pub chunks: Vec<ChunkRow>,
    /// Number of files that were cut into chunks.
    pub files: usize,
    /// Number of these in an unrecognised language, which were cut by lines.
    pub by_lines: usize,
    /// Files that were not cut, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
}

/// A piece of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ChunkRow {
    /// The id: a hash of path, text, and number among chunks of that text; it stays the same when only other chunks change.
    pub id: String,
    /// The tree, if the target is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree_id: Option<String>,
    /// The file.
    pub path: Option<String>,
    /// Its language; null where none is known.
    pub language: Option<String>,
    /// The ranges of the file's bytes, start and end, in order.
    pub ranges: Vec<[usize; 2]>,
    /// First and last line, from 1.
    pub lines: [usize; 2],
    /// The kind of the definition that it is or is a part of; otherwise that of the file.
    pub kind: String,
    /// The qualified names of the definitions in it, or of the one that it is a part of.
    pub qualnames: Vec<String>,
    /// The id of the chunk in which the enclosing definition begins.
    pub parent: Option<String>,
    /// Its number and the number of chunks, if one definition or statement has several.
    pub part: Option<[usize; 2]>,
    /// Size of context and text together, in tokens.
    pub tokens: usize,
    /// What precedes the text: the path, the signatures of the enclosing definitions, the overlap.
    pub context: String,
    /// The text.
    pub text: String,
    /// The hash of the text.
    pub hash: String,
    /// A note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}
