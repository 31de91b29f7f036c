//! Requests: what can be asked of the engine, the same in the command line, JSON-RPC and MCP.
//!
//! A request is plain data. Its field names are a promise to users; a field that isn't one is refused. What a request
//! does is in the file of the request's name. Outside of this crate a request is made by its constructor or as the default, and its
//! fields are set; so a new field breaks no program.

use crate::naming::named_enum;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::edit::Gate;
use crate::outline::chunk;
use crate::request::entries::Entries;
use crate::request::fields::{is_false, one_or_many, some_or_all};
use crate::request::operation::Operation;

/// What a request is about: a tree, a file, a folder, or a text that comes with the request.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Target {
    /// A tree's id or a unique prefix of 6 or more, or a path; an existing path is preferred.
    Named(String),
    /// A tree, whatever files there are.
    Tree(TreeTarget),
    /// A path, whatever trees there are.
    Path(PathTarget),
    /// A text, such as standard input.
    Text(TextTarget),
}

/// A tree as a target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TreeTarget {
    /// The tree's id, or a unique prefix of 6 or more.
    pub tree_id: String,
}

/// A path as a target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PathTarget {
    /// A file or folder.
    pub path: PathBuf,
}

/// A text as a target.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TextTarget {
    /// The text.
    pub text: String,
    /// A file name that decides the language and is shown as the path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// By hand, since a derived one takes a list for an object: `["a.py", "b.py"]` would be the text `a.py`, named `b.py`.
impl<'de> Deserialize<'de> for Target {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Target, D::Error> {
        const EXPECTED: &str = "expected a path or a tree's id, or an object with `path`, `tree_id` or `text`";
        let read = match Value::deserialize(deserializer)? {
            Value::String(word) => return Ok(Target::Named(word)),
            fields @ Value::Object(_) if fields.get("tree_id").is_some() => {
                serde_json::from_value(fields).map(Target::Tree)
            }
            fields @ Value::Object(_) if fields.get("path").is_some() => {
                serde_json::from_value(fields).map(Target::Path)
            }
            fields @ Value::Object(_) if fields.get("text").is_some() => {
                serde_json::from_value(fields).map(Target::Text)
            }
            _ => return Err(D::Error::custom(EXPECTED)),
        };
        read.map_err(D::Error::custom)
    }
}

impl Target {
    /// A file or folder.
    pub fn path(path: impl Into<PathBuf>) -> Target {
        Target::Path(PathTarget { path: path.into() })
    }

    /// A tree that is loaded.
    pub fn tree(tree_id: impl Into<String>) -> Target {
        Target::Tree(TreeTarget { tree_id: tree_id.into() })
    }

    /// A text; its file name decides its language.
    pub fn text(text: impl Into<String>, name: impl Into<String>) -> Target {
        Target::Text(TextTarget { text: text.into(), name: Some(name.into()), language: None })
    }
}

impl From<&str> for Target {
    fn from(word: &str) -> Target {
        Target::Named(word.to_owned())
    }
}

/// How files are chosen and read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Reading {
    /// The language of files named; in a folder, only files of that language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The encoding of files that are neither UTF-8 nor marked UTF-16. Without it, they are read in the one that they
    /// declare; one that is named itself to be edited is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// Skip larger files, in bytes; default: 64 MiB for files that are named, 4 MiB for those found in folders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_size: Option<u64>,
    /// In a folder, only files whose path matches one of these globs; `!GLOB` excludes.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub glob: Vec<String>,
    /// In a folder, include hidden files.
    #[serde(skip_serializing_if = "is_false")]
    pub hidden: bool,
    /// In a folder, include files that `.gitignore` excludes.
    #[serde(skip_serializing_if = "is_false")]
    pub no_ignore: bool,
    /// Treat named files like files found in a folder: those in an unrecognised language are counted, the limits of folders
    /// hold, and `language` chooses among them. Without targets, nothing is searched.
    #[serde(skip_serializing_if = "is_false")]
    pub as_in_folders: bool,
    /// In folders, the number of threads; default: one per processor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    /// In folders, give results as they are found instead of sorted by path.
    #[serde(skip_serializing_if = "is_false")]
    pub unordered: bool,
    /// Update the folder's index while searching.
    #[serde(skip_serializing_if = "is_false")]
    pub cache: bool,
    /// Ignore the folder's index.
    #[serde(skip_serializing_if = "is_false")]
    pub no_cache: bool,
    /// Only files with changes staged in git; what is read is the working tree.
    #[serde(skip_serializing_if = "is_false")]
    pub staged: bool,
    /// Only files that differ from this git revision, untracked ones among them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// In questions about a project, read the files themselves, not the unsaved trees of the session that are loaded from them.
    #[serde(skip_serializing_if = "is_false")]
    pub saved: bool,
}

impl Reading {
    /// Whether it says nothing.
    pub fn is_default(&self) -> bool {
        *self == Reading::default()
    }
}

/// Build search indexes for folders.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct IndexRequest {
    /// The folders; the working directory otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "some_or_all")]
    pub targets: Vec<Target>,
    /// Read a SCIP index by another program, and keep what it says about the names of the folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scip: Option<PathBuf>,
    /// Remove their indexes instead.
    #[serde(skip_serializing_if = "is_false")]
    pub clear: bool,
    /// Also make vectors of all definitions, for `search` by meaning: the folder of an embedding model, or the name of an endpoint in
    /// the user's configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embed: Option<String>,
    /// How files are read.
    #[serde(flatten, skip_serializing_if = "Reading::is_default")]
    pub reading: Reading,
}

/// Load trees of files, or of one text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct LoadRequest {
    /// The files.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub paths: Vec<PathBuf>,
    /// A text in place of files, with `language` or `name`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// A file name that decides the text's language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether to show the definitions too.
    #[serde(skip_serializing_if = "is_false")]
    pub outline: bool,
    /// How files are read.
    #[serde(skip_serializing_if = "Reading::is_default")]
    pub reading: Reading,
}

impl LoadRequest {
    /// The trees of files.
    pub fn files<P: Into<PathBuf>>(paths: impl IntoIterator<Item = P>) -> LoadRequest {
        LoadRequest { paths: paths.into_iter().map(Into::into).collect(), ..LoadRequest::default() }
    }

    /// The tree of a text in a language.
    pub fn text(text: impl Into<String>, language: impl Into<String>) -> LoadRequest {
        LoadRequest { text: Some(text.into()), language: Some(language.into()), ..LoadRequest::default() }
    }
}

/// Find nodes by a selector, or by a code pattern.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct FindRequest {
    /// The selector.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// A code pattern in place of a selector.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// A query of tree-sitter in place of a selector; each capture is a match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Trees, files, folders, texts; the working directory otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "some_or_all")]
    pub targets: Vec<Target>,
    /// List at most this many matches; in folders, the search stops there. 0 counts all and lists none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Continue an earlier, truncated answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// Whether to show each match's code.
    #[serde(skip_serializing_if = "is_false")]
    pub code: bool,
    /// Whether to show the line on which each match starts.
    #[serde(skip_serializing_if = "is_false")]
    pub source_lines: bool,
    /// Fail unless there is exactly one match.
    #[serde(skip_serializing_if = "is_false")]
    pub require_one: bool,
    /// Parse every file of a folder, even those that cannot match; the results are the same.
    #[serde(skip_serializing_if = "is_false")]
    pub no_prefilter: bool,
    /// Whether matches in folders get node ids.
    #[serde(skip_serializing_if = "is_false")]
    pub ids: bool,
    /// Whether matches get anchors.
    #[serde(skip_serializing_if = "is_false")]
    pub anchors: bool,
    /// Say in `files.revisions` which version of each file the ids belong to.
    #[serde(skip_serializing_if = "is_false")]
    pub revisions: bool,
    /// Named selectors, such as `:route = function:has(decorator)`.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub define: Vec<String>,
    /// How files are chosen and read.
    #[serde(skip_serializing_if = "Reading::is_default")]
    pub reading: Reading,
}

impl FindRequest {
    /// All matches of a selector in the working directory.
    pub fn new(selector: impl Into<String>) -> FindRequest {
        FindRequest { selector: Some(selector.into()), ..FindRequest::default() }
    }

    /// The same in some trees, files, folders, texts.
    #[must_use]
    pub fn within<T: Into<Target>>(mut self, targets: impl IntoIterator<Item = T>) -> FindRequest {
        self.targets = targets.into_iter().map(Into::into).collect();
        self
    }
}

/// Look at nodes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ShowRequest {
    /// A tree, a file or a text.
    pub target: Target,
    /// Node ids, selectors, anchors, or lines as `10-20`; the root otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "some_or_all")]
    pub nodes: Vec<String>,
    /// A line, or line and column as `12:5`, from 1: the innermost statement there; lines as `10-20`.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "place")]
    pub at: Option<String>,
    /// In which form.
    #[serde(default, rename = "as", skip_serializing_if = "Option::is_none")]
    pub form: Option<Form>,
    /// How many levels below the node a tree is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<usize>,
    /// Whether to list the nodes around it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub parents: bool,
    /// Whether to list its children.
    #[serde(default, skip_serializing_if = "is_false")]
    pub children: bool,
    /// Whether nodes get anchors.
    #[serde(default, skip_serializing_if = "is_false")]
    pub anchors: bool,
    /// The most characters of code and trees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_chars: Option<usize>,
    /// Continue an earlier, truncated answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// How a file is read.
    #[serde(default, skip_serializing_if = "Reading::is_default")]
    pub reading: Reading,
}

impl ShowRequest {
    /// The whole of a target.
    pub fn new(target: Target) -> ShowRequest {
        ShowRequest {
            target,
            nodes: Vec::new(),
            at: None,
            form: None,
            depth: None,
            parents: false,
            children: false,
            anchors: false,
            max_chars: None,
            cursor: None,
            reading: Reading::default(),
        }
    }
}

named_enum! {
    /// In which form a node is shown.
    #[derive(Default)]
    #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
    #[non_exhaustive]
    pub enum Form {
        /// The text.
        #[default]
        Code = "code",
        /// Types, fields and ids, a line a node.
        Tree = "tree",
        /// A definition without its body.
        Signature = "signature",
        /// The nodes below as JSON.
        Json = "json",
        /// A graph for Graphviz.
        Dot = "dot",
    }
}

/// Edit a tree, or a file: a batch of operations, all or nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ModifyRequest {
    /// A tree or a file.
    pub target: Target,
    /// The batch, resolved against the text as it is before: all are done or none.
    pub operations: Vec<Operation>,
    /// Whether to change nothing and show the diff.
    #[serde(default, skip_serializing_if = "is_false")]
    pub dry_run: bool,
    /// Whether to show the diff.
    #[serde(default, skip_serializing_if = "is_false")]
    pub diff: bool,
    /// Whether a selector means every node that it matches.
    #[serde(default, skip_serializing_if = "is_false")]
    pub all: bool,
    /// How many nodes the operations must apply to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect_count: Option<usize>,
    /// Checks to disable.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub allow: Vec<Gate>,
    /// Whether a path's file is written.
    #[serde(default, skip_serializing_if = "is_false")]
    pub write: bool,
    /// Whether the old file is kept when one is written.
    #[serde(default, skip_serializing_if = "is_false")]
    pub backup: bool,
    /// Named selectors, for targets that are selectors.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub define: Vec<String>,
    /// How a file is read.
    #[serde(default, skip_serializing_if = "Reading::is_default")]
    pub reading: Reading,
}

impl ModifyRequest {
    /// A batch for a target, everything else as usual.
    pub fn new(target: Target, operations: Vec<Operation>) -> ModifyRequest {
        ModifyRequest {
            target,
            operations,
            dry_run: false,
            diff: false,
            all: false,
            expect_count: None,
            allow: Vec::new(),
            write: false,
            backup: false,
            define: Vec::new(),
            reading: Reading::default(),
        }
    }
}

/// Step trees back one revision, or undo a transaction: its files become what they were.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct UndoRequest {
    /// The trees.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "some_or_all")]
    pub tree_ids: Vec<String>,
    /// In place of trees: the id of a transaction, or a unique prefix of 6 or more. Its files become what they were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transaction: Option<String>,
    /// The last transaction that wrote a file below the working directory and is not itself an undo; a write that was cut short
    /// goes first.
    #[serde(skip_serializing_if = "is_false")]
    pub last: bool,
    /// Whether files of a transaction that changed since are left out, and listed; otherwise one of them refuses it.
    #[serde(skip_serializing_if = "is_false")]
    pub skip_changed: bool,
}

/// Step forward one revision that was undone.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RedoRequest {
    /// The trees.
    #[serde(deserialize_with = "one_or_many")]
    pub tree_ids: Vec<String>,
}

/// Show trees against their files.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct DiffRequest {
    /// The trees.
    #[serde(deserialize_with = "one_or_many")]
    pub tree_ids: Vec<String>,
}

/// Write trees to their files: one transaction.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct SaveRequest {
    /// The trees.
    #[serde(deserialize_with = "one_or_many")]
    pub tree_ids: Vec<String>,
    /// Whether to write over a file that somebody changed.
    #[serde(default, skip_serializing_if = "is_false")]
    pub force: bool,
    /// Whether to merge with what somebody changed in the file.
    #[serde(default, skip_serializing_if = "is_false")]
    pub merge: bool,
    /// Whether the old file is kept.
    #[serde(default, skip_serializing_if = "is_false")]
    pub backup: bool,
}

/// List the loaded trees.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TreesRequest {}

/// List the transactions that can be undone: every write of a file is one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct TransactionsRequest {
    /// Only of those that wrote one of these files, or a file in one of these folders.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub paths: Vec<PathBuf>,
}

/// Discard trees and their unsaved edits.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct DropRequest {
    /// The trees.
    #[serde(deserialize_with = "one_or_many")]
    pub tree_ids: Vec<String>,
}

/// List backups, or restore one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct BackupsRequest {
    /// Only of these files.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub paths: Vec<PathBuf>,
    /// The backup to restore: its id, or a unique prefix of 6 or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restore: Option<String>,
    /// Forget backups and transactions older than this many days now; after 30 days they expire by themselves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep: Option<u32>,
}

/// How a selector was read, and how many nodes survived each step.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct ExplainRequest {
    /// The selector.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// A code pattern in place of a selector.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// What to search; nothing otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// Named selectors.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub define: Vec<String>,
    /// How files are chosen and read.
    #[serde(skip_serializing_if = "Reading::is_default")]
    pub reading: Reading,
}

/// The languages known.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct LanguagesRequest {
    /// Only this language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Whether to give the named selectors of each, with their definitions.
    #[serde(skip_serializing_if = "is_false")]
    pub selectors: bool,
}

/// Definitions with their signatures.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct OutlineRequest {
    /// Trees, files, folders, texts; the working directory otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "some_or_all")]
    pub targets: Vec<Target>,
    /// Only definitions of these kinds.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub kinds: Vec<String>,
    /// How many levels of definitions; 1 is the top level alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<usize>,
    /// Whether to show documentation.
    #[serde(skip_serializing_if = "is_false")]
    pub docs: bool,
    /// The most files listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// In which form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<OutlineFormat>,
    /// Whether files get the revision that their ids are of.
    #[serde(skip_serializing_if = "is_false")]
    pub revisions: bool,
    /// How files are chosen and read.
    #[serde(skip_serializing_if = "Reading::is_default")]
    pub reading: Reading,
}

/// In which form an outline is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum OutlineFormat {
    /// An indented text.
    Text,
    /// The source lines with the names.
    Cline,
    /// The definitions as a list.
    #[default]
    Json,
}

/// Syntax errors.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct CheckRequest {
    /// Trees, files, folders, texts; the working directory otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "some_or_all")]
    pub targets: Vec<Target>,
    /// How files are chosen and read.
    #[serde(skip_serializing_if = "Reading::is_default")]
    pub reading: Reading,
}

named_enum! {
    /// What to do when a file cannot be changed.
    #[derive(Default)]
    #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
    #[non_exhaustive]
    pub enum OnError {
        /// No file is changed.
        #[default]
        Stop = "stop",
        /// The file is skipped and listed.
        Skip = "skip",
    }
}

impl OnError {
    /// Whether nothing needs to be said.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
    pub(crate) fn is_default(&self) -> bool {
        *self == OnError::Stop
    }
}

/// Replace matches by a template: in all files or in none.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RewriteRequest {
    /// What is replaced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// A code pattern in place of the selector: `requests.get($URL, $$$REST)`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// What is put in its place: code with `$NAME` and `$$$NAME` as captured and `$0` for the whole match.
    pub template: String,
    /// Trees, files, folders, texts; the working directory otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "some_or_all")]
    pub targets: Vec<Target>,
    /// How many matches there must be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect_count: Option<usize>,
    /// The files that change, each with the `revision` that it had in a preview: if another file would change, or one to another text, or
    /// one not at all, nothing is written.
    #[serde(default, skip_serializing_if = "Entries::is_empty")]
    pub expect_revisions: Entries<String>,
    /// What happens when a file cannot be changed.
    #[serde(default, skip_serializing_if = "OnError::is_default")]
    pub on_error: OnError,
    /// Whether to repeat it until nothing changes.
    #[serde(default, skip_serializing_if = "is_false")]
    pub until_stable: bool,
    /// Ask the observer about each match, for callers in this process.
    #[serde(skip)]
    #[schemars(skip)]
    pub interactive: bool,
    /// Whether to change nothing and show the diffs.
    #[serde(default, skip_serializing_if = "is_false")]
    pub dry_run: bool,
    /// Whether files are written.
    #[serde(default, skip_serializing_if = "is_false")]
    pub write: bool,
    /// A command, or the user's name for one, that must not complain more than before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify: Option<String>,
    /// Checks to disable.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub allow: Vec<Gate>,
    /// Named selectors.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub define: Vec<String>,
    /// How files are chosen and read.
    #[serde(default, skip_serializing_if = "Reading::is_default")]
    pub reading: Reading,
    /// The files of whose nodes the caller wants to know what becomes of them, for callers in this process.
    #[serde(skip)]
    #[schemars(skip)]
    pub carried_paths: Vec<String>,
}

/// Change files by a refactor script: all of them or none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RunRequest {
    /// The script.
    pub script: ScriptSource,
    /// Trees, files, folders, texts; the working directory otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "some_or_all")]
    pub targets: Vec<Target>,
    /// How many matches all steps must have together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect_count: Option<usize>,
    /// What happens when a file cannot be changed.
    #[serde(default, skip_serializing_if = "OnError::is_default")]
    pub on_error: OnError,
    /// Whether to change nothing and show the diffs.
    #[serde(default, skip_serializing_if = "is_false")]
    pub dry_run: bool,
    /// Whether files are written.
    #[serde(default, skip_serializing_if = "is_false")]
    pub write: bool,
    /// A command, or the user's name for one, that must not complain more than before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify: Option<String>,
    /// How files are chosen and read.
    #[serde(default, skip_serializing_if = "Reading::is_default")]
    pub reading: Reading,
}

impl RunRequest {
    /// A script on targets, everything else as usual.
    pub fn new(script: ScriptSource, targets: Vec<Target>) -> RunRequest {
        RunRequest {
            script,
            targets,
            expect_count: None,
            on_error: OnError::Stop,
            dry_run: false,
            write: false,
            verify: None,
            reading: Reading::default(),
        }
    }
}

/// Where a script is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a script's path, or an object with its `text`")]
#[non_exhaustive]
pub enum ScriptSource {
    /// In a file.
    Path(String),
    /// In the request.
    Text {
        /// The script.
        text: String,
    },
}

/// Run the tests of refactor scripts and of rules.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct TestRequest {
    /// Scripts, files of rules, and folders of them; `refactors/**/*.toml`, `examples/refactors/*.toml` and `.cst/rules/**/*.toml`
    /// otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "some_or_all")]
    pub scripts: Vec<PathBuf>,
    /// Only tests in whose script's or own name one of these words occurs.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub filter: Vec<String>,
    /// Whether the snapshots that are new or differ are written.
    #[serde(skip_serializing_if = "is_false")]
    pub update: bool,
    /// The tests whose snapshots are written, where not all are.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub accept: Vec<AcceptedTest>,
}

/// A test whose result is right as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct AcceptedTest {
    /// The script's path, as the result shows it.
    pub script: String,
    /// The test's name.
    pub test: String,
}

/// Chunks of files for retrieval, cut at syntax boundaries.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct ChunkRequest {
    /// Trees, files, folders, texts; the working directory otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "some_or_all")]
    pub targets: Vec<Target>,
    /// The most tokens of a chunk, its context counted; 1024 otherwise, and 8 at least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<usize>,
    /// Chunks with fewer tokens are packed with a neighbour where that fits; 20 otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_tokens: Option<usize>,
    /// How code is cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<chunk::Mode>,
    /// The context before the text of a chunk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<chunk::Context>,
    /// How many tokens of the text before a chunk end its context; none otherwise, and half of the maximum at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overlap: Option<usize>,
    /// How size is counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<chunk::Count>,
    /// How files are chosen and read.
    #[serde(skip_serializing_if = "Reading::is_default")]
    pub reading: Reading,
}

/// Reads `12`, `"12"` or `"12:4"`.
fn place<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Null => Ok(None),
        Value::String(word) => Ok(Some(word)),
        Value::Number(line) => Ok(Some(line.to_string())),
        _ => Err(D::Error::custom("a place is a line, or `line:column`")),
    }
}
