//! Responses: what the engine answers. Serialised they are exactly what `--json`, JSON-RPC and MCP give; a field that has
//! nothing to say is left out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::entries::Entries;
use super::error::EngineError;
use super::fields::is_false;
use super::node_row::{NodeRow, SyntaxErrorRow};
use super::report::{FilesReport, Skipped};
use crate::tree::Tree;

/// A revision: a tree's number, or the start of a file's content hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Revision {
    /// Of a tree, from 0.
    Number(u32),
    /// Of a file named by path.
    Hash(String),
}

/// The trees that were loaded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LoadResponse {
    /// In the order asked for.
    pub trees: Vec<LoadedTree>,
}

/// A tree just loaded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LoadedTree {
    /// The id of the tree.
    pub tree_id: String,
    /// Its file, seen from the working directory; the text's name, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Its language.
    pub language: String,
    /// 0.
    pub revision: u32,
    /// How many lines.
    pub lines: usize,
    /// How many named nodes.
    pub nodes: usize,
    /// Its syntax errors.
    pub errors: Vec<SyntaxErrorRow>,
    /// Its definitions, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outline: Option<Vec<DefinitionRow>>,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FindResponse {
    /// The tree searched, where the target was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree_id: Option<String>,
    /// Its revision; of a single file or text the start of its content's hash.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<Revision>,
    /// The matches, as many as asked for.
    pub matches: Vec<NodeRow>,
    /// How many matches there are in the files searched.
    pub total: usize,
    /// Whether there are, or in files that weren't searched may be, more than are listed.
    pub truncated: bool,
    /// Where to go on, when truncated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// What was searched.
    pub files: FilesReport,
    /// What came nearest, where nothing was found in not too many files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub near: Vec<String>,
    /// The project's named selectors that were used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub selectors: Vec<NamedSelector>,
}

/// What became of an index.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IndexResponse {
    /// How many files were parsed.
    pub indexed: usize,
    /// How many were there as they are.
    pub kept: usize,
    /// How many bytes the index takes on the disk; with `clear`, how many it took.
    pub bytes: u64,
    /// Whether the index was removed.
    #[serde(default, skip_serializing_if = "is_false")]
    pub cleared: bool,
    /// Files that couldn't be read, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
    /// How many are in an unrecognised language.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unknown_language: usize,
}

/// Nodes as asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ShowResponse {
    /// The tree, where the target was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree_id: Option<String>,
    /// Its revision; of a file the start of its content's hash.
    pub revision: Revision,
    /// The nodes in the order asked for.
    pub nodes: Vec<NodeRow>,
    /// Whether something was cut.
    pub truncated: bool,
    /// Where to go on, when truncated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// What an edit did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModifyResponse {
    /// The tree, where the target was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree_id: Option<String>,
    /// Its file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The revision made; of a file the start of its new content's hash.
    pub revision: Revision,
    /// How many operations applied, one for each node that a selector stood for.
    pub applied: usize,
    /// Whether a file was written.
    pub written: bool,
    /// What each operation made.
    pub operations: Vec<OperationRow>,
    /// The ids that died.
    pub removed: Vec<String>,
    /// The lines changed.
    pub changed_ranges: Vec<LineRange>,
    /// The difference, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// The file that was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backup: Option<String>,
    /// The transaction that wrote the file, by which `undo` brings it back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transaction: Option<String>,
    /// What else is worth knowing: a configured check that isn't trusted and wasn't run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The project's named selectors that it used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub selectors: Vec<NamedSelector>,
    /// What became of a file's nodes, where it was written; not in JSON.
    #[serde(skip)]
    #[schemars(skip)]
    pub carried: Option<Carried>,
}

/// Which nodes of a file an edit kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Carried {
    /// The start of the hash of the content before the edit.
    pub from: String,
    /// The nodes.
    pub kept: KeptNodes,
}

/// What became of the nodes of a content.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum KeptNodes {
    /// Each node of the new content is the one of the old at the same place.
    #[default]
    All,
    /// Some are.
    Some {
        /// How many nodes the old content had.
        count: usize,
        /// For each node of the new content, the place of the old one that it is, in document order.
        places: Vec<Option<u32>>,
    },
}

impl KeptNodes {
    /// What the ids of a tree say that was made by edits from a tree whose ids are fresh.
    pub(super) fn by_ids(old: &Tree, new: &Tree) -> KeptNodes {
        let count = old.table().len();
        let place = |node| Some(new.id(node).number()).filter(|&number| (number as usize) < count);
        KeptNodes::Some { count, places: new.table().nodes().map(place).collect() }
    }
}

/// A named selector that a project defines, where a request used it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NamedSelector {
    /// Its name, with the colon.
    pub name: String,
    /// Its definition, as written.
    pub definition: String,
    /// The file that defines it.
    pub path: String,
}

/// What an operation made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OperationRow {
    /// Its name.
    pub op: String,
    /// Its target, as given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The nodes that stand there now.
    pub nodes: Vec<MadeNode>,
    /// What else is worth knowing: decorators that were kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A node that an operation made or kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
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
pub struct LineRange {
    /// First line.
    pub start_line: usize,
    /// Last line.
    pub end_line: usize,
}

/// What a step back or forward did: of one tree as `modify` says it; of several, a list.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum StepResponse {
    /// Of one tree.
    One(Box<ModifyResponse>),
    /// Of several.
    Many {
        /// In the order asked for.
        trees: Vec<ModifyResponse>,
    },
    /// Of a transaction: the files that were put back.
    Transaction {
        /// Its id.
        transaction: String,
        /// The files.
        restored: Vec<String>,
        /// Files that changed since and were left alone.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        skipped: Vec<Skipped>,
        /// The transaction that put them back; undone, it brings back what this one wrote.
        #[serde(skip_serializing_if = "Option::is_none")]
        undone_by: Option<String>,
    },
}

/// Trees against their files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiffResponse {
    /// In the order asked for.
    pub trees: Vec<TreeDiff>,
}

/// A tree against its file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TreeDiff {
    /// The tree.
    pub tree_id: String,
    /// Its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The difference from the file on disk, or from the text as loaded; empty for none.
    pub diff: String,
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SaveResponse {
    /// In the order asked for.
    pub saved: Vec<SavedTree>,
    /// The transaction's id, by which `undo` brings the files back.
    pub transaction: String,
    /// What else is worth knowing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A tree that was saved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SavedTree {
    /// The tree.
    pub tree_id: String,
    /// Its file.
    pub path: String,
    /// Whether the file was written; not when nothing had changed.
    pub written: bool,
    /// Size of the file.
    pub bytes: usize,
    /// The id of the backup.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backup: Option<String>,
    /// Whether it was merged with what somebody changed in the file.
    #[serde(default, skip_serializing_if = "is_false")]
    pub merged: bool,
}

/// The trees held.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TreesResponse {
    /// Oldest first.
    pub trees: Vec<HeldTree>,
}

/// A tree held.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// Whether it has edits that no file has.
    pub unsaved: bool,
    /// When it was last used, in UTC: `2026-11-21T23:56:35Z`.
    pub used: String,
}

/// The trees let go.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DropResponse {
    /// Their ids.
    pub dropped: Vec<String>,
}

/// What was written and can be undone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TransactionsResponse {
    /// Newest first.
    pub transactions: Vec<TransactionRow>,
}

/// A transaction that can be undone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TransactionRow {
    /// Its id.
    pub transaction: String,
    /// The request that wrote it: `modify`, `rewrite`, `run`, `save`, `backups`, `undo`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// When, in UTC.
    pub time: String,
    /// The files it wrote, as far as they aren't undone.
    pub files: Vec<String>,
}

/// The files that were kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BackupsResponse {
    /// Newest first.
    pub backups: Vec<BackupRow>,
    /// The one that was put back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restored: Option<BackupRow>,
    /// The transaction that put it back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transaction: Option<String>,
    /// What was forgotten, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expired: Option<ExpiredRows>,
}

/// What was forgotten.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExpiredRows {
    /// How many backups.
    pub backups: usize,
    /// How many transactions, which can't be undone any more.
    pub transactions: usize,
}

/// A file that was kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BackupRow {
    /// Its id.
    pub backup: String,
    /// The file it was.
    pub path: String,
    /// When, in UTC.
    pub time: String,
    /// Size.
    pub bytes: usize,
}

/// How a selector was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExplainResponse {
    /// In words.
    pub read_as: String,
    /// How many nodes survived each step; no numbers without a target.
    pub steps: Vec<StepRow>,
    /// The definitions of the named selectors in it, as `language: :name = selector`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub named: Vec<String>,
    /// What nearly matched.
    pub near: Vec<String>,
    /// The words that a selector may use, by what they are for.
    pub words: Entries<Vec<String>>,
    /// The project's named selectors that it uses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub selectors: Vec<NamedSelector>,
}

/// A step of a selector.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StepRow {
    /// The step as written.
    pub step: String,
    /// How many nodes survived it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<usize>,
}

/// The languages known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LanguagesResponse {
    /// In order of name.
    pub languages: Vec<LanguageRow>,
}

/// A language.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// What is wrong with its data or its grammar, so that it can't be used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Definitions of files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OutlineResponse {
    /// A row a file.
    pub files: Vec<OutlinedFile>,
    /// Whether files were left out.
    pub truncated: bool,
    /// How many files were left out.
    pub more_files: usize,
    /// Files that couldn't be read, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
    /// How many files are in an unrecognised language.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unknown_language: usize,
}

/// A file's definitions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OutlinedFile {
    /// The tree, where the target was one.
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
    /// How many lines.
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
pub struct DefinitionRow {
    /// Its id.
    pub node_id: String,
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// Its qualname.
    pub qualname: String,
    /// Without its body, on one line.
    pub signature: String,
    /// First line.
    pub start_line: usize,
    /// Last line.
    pub end_line: usize,
    /// How many definitions are around it.
    pub depth: usize,
    /// Its documentation, if asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
}

/// The syntax errors of files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckResponse {
    /// The files that have some.
    pub files: Vec<CheckedFile>,
    /// How many errors.
    pub total: usize,
    /// How many files were checked.
    pub checked: usize,
    /// How many of a folder's files are in an unrecognised language.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unknown_language: usize,
    /// Files that couldn't be read, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
}

/// A file's syntax errors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckedFile {
    /// The file.
    pub path: String,
    /// Its syntax errors.
    pub errors: Vec<SyntaxErrorRow>,
}

/// What files were changed to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangesResponse {
    /// The files with matches, in order.
    pub files: Vec<ChangedFile>,
    /// How many matches.
    pub matches: usize,
    /// How many of them changed the text.
    pub applied: usize,
    /// Whether files were written.
    pub written: bool,
    /// The transaction that wrote them, by which `undo` brings all back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transaction: Option<String>,
    /// How many files were searched.
    pub searched: usize,
    /// Files that couldn't be read, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
    /// What else is worth knowing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What came nearest, where a rewrite found nothing in not too many files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub near: Vec<String>,
    /// The project's named selectors that were used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub selectors: Vec<NamedSelector>,
}

/// A file with matches.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangedFile {
    /// The file; `-` for a text.
    pub path: String,
    /// The tree, where the target was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree_id: Option<String>,
    /// The revision made; of a file the start of its new content's hash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<Revision>,
    /// How many matches it has.
    pub matches: usize,
    /// How many of them changed its text.
    pub applied: usize,
    /// The lines changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed_ranges: Vec<LineRange>,
    /// What else is worth knowing: matches that were left alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The difference, where no file is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// Why it was left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<EngineError>,
    /// What became of its nodes, where the request asked; for callers in this process.
    #[serde(skip)]
    #[schemars(skip)]
    pub carried: Option<Carried>,
}

impl ChangedFile {
    /// Whether its text is another.
    pub fn is_changed(&self) -> bool {
        !self.changed_ranges.is_empty()
    }
}

/// How the tests of scripts came out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TestResponse {
    /// In order.
    pub tests: Vec<TestRow>,
    /// How many passed.
    pub passed: usize,
    /// How many failed.
    pub failed: usize,
    /// What no test shows: steps that none of them matches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// How a test came out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TestRow {
    /// The script's path.
    pub script: String,
    /// The test's name.
    pub test: String,
    /// The line of the script in which it begins.
    pub line: usize,
    /// Whether it passed.
    pub status: TestStatus,
    /// What speaks against it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
    /// From what was expected to what came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// The file of its snapshot, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<String>,
    /// Whether the snapshot is new or differs, so that it may be accepted.
    #[serde(default, skip_serializing_if = "is_false")]
    pub pending: bool,
    /// Whether the snapshot was written.
    #[serde(default, skip_serializing_if = "is_false")]
    pub updated: bool,
}

named_enum! {
    /// Whether a test passed.
    #[derive(Default)]
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
pub struct ChunkResponse {
    /// The chunks, file after file in order of their text.
    pub chunks: Vec<ChunkRow>,
    /// How many files were cut into chunks.
    pub files: usize,
    /// How many of them are in an unrecognised language, and were cut by lines.
    pub by_lines: usize,
    /// Files that weren't cut, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
}

/// A piece of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChunkRow {
    /// Its id: of path, text, and which of several with that text it is, so that it stays when only other chunks change.
    pub id: String,
    /// The tree, where the target was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree_id: Option<String>,
    /// The file.
    pub path: Option<String>,
    /// Its language; null where none is known.
    pub language: Option<String>,
    /// The bytes of the file, from and up to; in order.
    pub ranges: Vec<[usize; 2]>,
    /// First and last line, from 1.
    pub lines: [usize; 2],
    /// The kind of the definition that it is, or is a part of; else that of the whole file.
    pub kind: String,
    /// The definitions in it, or the one that it is a part of.
    pub qualnames: Vec<String>,
    /// The id of the chunk in which what is around it begins.
    pub parent: Option<String>,
    /// Which of how many chunks it is, where one definition or statement has several.
    pub part: Option<[usize; 2]>,
    /// How many tokens context and text are together.
    pub tokens: usize,
    /// What is read before the text: the file's path, signatures of what is around, the overlap.
    pub context: String,
    /// The bytes, decoded.
    pub text: String,
    /// The hash of the text.
    pub hash: String,
    /// What is to be known of it besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}
