//! Questions about the symbols of a project, and their answers.

use crate::naming::named_enum;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::request::fields::{is_false, is_zero, one_or_many, some_or_all};
use crate::request::report::{ProjectReport, Skipped};
use crate::request::requests::{Reading, Target};
pub use crate::symbols::{Confidence, Reason, Role};

/// Who refers to a symbol.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct RefsRequest {
    /// The symbol: a name or the end of a qualified one (`Server.handle`), `PATH::Server.handle`, or `PATH:LINE[:COL]`.
    pub symbol: String,
    /// A file or folder of the project, which chooses among symbols or limits what is listed. All files are searched.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "some_or_all")]
    pub targets: Vec<Target>,
    /// Only references that do this; all otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub role: Vec<Role>,
    /// Only references that certainly mean the symbol.
    #[serde(skip_serializing_if = "is_false")]
    pub certain: bool,
    /// Whether the word in strings and comments is listed as well, with the role `mention`.
    #[serde(skip_serializing_if = "is_false")]
    pub mentions: bool,
    /// Whether to list those of all symbols that fit.
    #[serde(skip_serializing_if = "is_false")]
    pub all: bool,
    /// Whether each reference says why it is one, and references about which the precise index disagrees are listed.
    #[serde(skip_serializing_if = "is_false")]
    pub explain: bool,
    /// The most references listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// How files are chosen and read.
    #[serde(skip_serializing_if = "Reading::is_default")]
    pub reading: Reading,
}

/// The references of a symbol.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RefsResponse {
    /// The symbols that were asked for.
    pub symbols: Vec<SymbolRow>,
    /// Their references, by file and place: the certain ones, the candidates, and what could not be determined.
    pub references: Vec<ReferenceRow>,
    /// How many occurrences of the name there are in each part, whatever is listed.
    pub counts: ReferenceCounts,
    /// Whether references were left out because of the limit.
    pub truncated: bool,
    /// Limits of the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// If it was asked why: the occurrences of which a precise index says something else than the files themselves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disagreements: Vec<ReferenceRow>,
    /// The project that was searched.
    pub project: ProjectReport,
    /// How many unsaved trees of the session were read in place of their files.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unsaved: usize,
    /// Files that could not be read, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
}

/// How many occurrences of a name are in each part of an answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ReferenceCounts {
    /// They mean the symbol.
    pub certain: usize,
    /// They may mean it: their name fits, and the type of the receiver is unknown.
    pub candidate: usize,
    /// It cannot be said what they mean.
    pub undetermined: usize,
    /// They mean something else: another symbol, or something outside the project.
    pub elsewhere: usize,
    /// How often it is a word in a string or a comment, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mentions: Option<usize>,
}

/// An occurrence of a symbol's name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ReferenceRow {
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub col: usize,
    /// How it uses the name.
    pub role: Role,
    /// How sure it is that it means the symbol.
    pub confidence: Confidence,
    /// The definition around it.
    #[serde(rename = "in", default, skip_serializing_if = "String::is_empty")]
    pub within: String,
    /// Whether it means a method that overrides the symbol, or that the symbol overrides.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_override: bool,
    /// Why it may mean the symbol, where the name itself is not there; of other uncertain places if it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doubt: Option<String>,
    /// If it was asked for: what says that it means the symbol.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Reason>,
    /// If it was asked for: how sure it is without the precise index, if that differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without_index: Option<Confidence>,
    /// Whether it is in documentation that is run as code.
    #[serde(default, skip_serializing_if = "is_false")]
    pub in_documentation: bool,
    /// Its line, without indentation.
    pub text: String,
}

/// A definition of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SymbolRow {
    /// The qualified name.
    pub qualname: String,
    /// The kind.
    pub kind: String,
    /// The file.
    pub path: String,
    /// The line of its name, from 1.
    pub line: usize,
    /// The column of its name, from 1.
    pub col: usize,
}

/// Definitions by name.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct SymbolsRequest {
    /// A name, a part of one, or the first letters of its words; all definitions otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// A file or folder of the project, which chooses among symbols or limits what is listed. All files are searched.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "some_or_all")]
    pub targets: Vec<Target>,
    /// Only definitions of these kinds.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub kinds: Vec<String>,
    /// The most definitions listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// How files are chosen and read.
    #[serde(skip_serializing_if = "Reading::is_default")]
    pub reading: Reading,
}

/// Definitions by name, the best first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SymbolsResponse {
    /// The definitions.
    pub symbols: Vec<SymbolRow>,
    /// How many fit, whatever is listed.
    pub total: usize,
    /// The project that was searched.
    pub project: ProjectReport,
    /// How many unsaved trees of the session were read in place of their files.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unsaved: usize,
    /// Files that could not be read, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
}

/// The classes above and below a class.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct HierarchyRequest {
    /// The class, as in `refs`.
    pub symbol: String,
    /// A file or folder of the project, which chooses among symbols or limits what is listed. All files are searched.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "some_or_all")]
    pub targets: Vec<Target>,
    /// A method: which classes define it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// How files are chosen and read.
    #[serde(skip_serializing_if = "Reading::is_default")]
    pub reading: Reading,
}

/// The classes above and below a class.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct HierarchyResponse {
    /// The class.
    pub symbol: SymbolRow,
    /// The classes that it extends, directly or not, the nearest first.
    pub above: Vec<RelatedClass>,
    /// Whether one of its bases is not known, or outside the project.
    pub has_external_bases: bool,
    /// The classes that extend it, directly or not.
    pub below: Vec<RelatedClass>,
    /// The project that was searched.
    pub project: ProjectReport,
    /// How many unsaved trees of the session were read in place of their files.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unsaved: usize,
    /// Files that could not be read, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
}

/// A class in a hierarchy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RelatedClass {
    /// The class.
    #[serde(flatten)]
    pub symbol: SymbolRow,
    /// How many steps it is away.
    pub depth: usize,
    /// The qualified name of the class on the way to the one that was asked for.
    pub via: String,
    /// The line of the method that was asked for, if the class defines it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method_line: Option<usize>,
}

/// Who calls a function, or what it calls.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct CallsRequest {
    /// The function, as in `refs`.
    pub symbol: String,
    /// Whether what it calls is listed, instead of who calls it.
    #[serde(skip_serializing_if = "is_false")]
    pub callees: bool,
    /// How many levels; default: 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<usize>,
    /// A file or folder of the project, which chooses among symbols or limits what is listed. All files are searched.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "some_or_all")]
    pub targets: Vec<Target>,
    /// How files are chosen and read.
    #[serde(skip_serializing_if = "Reading::is_default")]
    pub reading: Reading,
}

/// A call hierarchy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct CallsResponse {
    /// The function, and below it the calls.
    pub root: CallNode,
    /// How many calls by name may be more of them: the type of the receiver is unknown.
    pub candidates: usize,
    /// How many calls could not be determined.
    pub undetermined: usize,
    /// The project that was searched.
    pub project: ProjectReport,
    /// How many unsaved trees of the session were read in place of their files.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unsaved: usize,
    /// Files that could not be read, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
}

/// A function of a call hierarchy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct CallNode {
    /// The function; a module, if calls are at its top level.
    #[serde(flatten)]
    pub symbol: SymbolRow,
    /// The lines of the calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<usize>,
    /// Whether it is above in the hierarchy already, and not followed again.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_cycle: bool,
    /// The functions that call it, or that it calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<CallNode>,
}

/// Write the symbols of a project to a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ExportRequest {
    /// The format.
    pub format: ExportFormat,
    /// The file to write. A file of that name is replaced.
    pub output: PathBuf,
    /// A file or folder of the project, which chooses among symbols or limits what is listed. All files are searched.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "some_or_all")]
    pub targets: Vec<Target>,
    /// How files are chosen and read.
    #[serde(default, skip_serializing_if = "Reading::is_default")]
    pub reading: Reading,
}

named_enum! {
    /// The format of exported symbols.
    #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
    #[non_exhaustive]
    pub enum ExportFormat {
        /// SCIP: definitions and what names mean, for code search and editors.
        Scip = "scip",
        /// Definitions in the format of ctags.
        Tags = "tags",
        /// A JSON object per line for each name and what it means.
        Jsonl = "jsonl",
    }
}

/// A file with the symbols of a project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ExportResponse {
    /// The file.
    pub path: String,
    /// The number of files whose symbols it has.
    pub files: usize,
    /// Its size in bytes.
    pub bytes: u64,
    /// Files that could not be read, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
}

/// Which files of a project import which.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct DepsRequest {
    /// Only this file; all of them otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// A file or folder of the project, which chooses among symbols or limits what is listed. All files are searched.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "some_or_all")]
    pub targets: Vec<Target>,
    /// Whether modules from outside the project are listed.
    #[serde(skip_serializing_if = "is_false")]
    pub external: bool,
    /// How files are chosen and read.
    #[serde(skip_serializing_if = "Reading::is_default")]
    pub reading: Reading,
}

/// Which files import which.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct DepsResponse {
    /// The files that import others or are imported.
    pub files: Vec<FileDeps>,
    /// Groups of files that import each other, directly or through others, the largest first.
    pub cycles: Vec<Vec<String>>,
    /// The project that was searched.
    pub project: ProjectReport,
    /// How many unsaved trees of the session were read in place of their files.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unsaved: usize,
    /// Files that could not be read, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
}

/// What a file imports, and what imports it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct FileDeps {
    /// The file.
    pub path: String,
    /// The files that it imports.
    pub imports: Vec<DependencyRow>,
    /// The files that import it.
    pub imported_by: Vec<String>,
    /// The modules from outside the project that it imports, if asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub external: Vec<DependencyRow>,
    /// Imports that should be in the project and lead nowhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<DependencyRow>,
}

/// A file or module that is imported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct DependencyRow {
    /// The file, or the module as the import names it.
    pub path: String,
    /// The line of the import, from 1.
    pub line: usize,
}
