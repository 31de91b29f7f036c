//! Questions about the text and the shape of a project, and their answers.

use crate::naming::named_enum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::request::fields::{is_false, is_zero, one_or_many, some_or_all};
use crate::request::report::{ProjectReport, Skipped};
use crate::request::requests::{Reading, Target};
use crate::request::symbol_messages::{Confidence, SymbolRow};

named_enum! {
    /// What a search goes by.
    pub enum SearchMode {
        /// The words alone.
        Lexical = "lexical",
        /// The meaning alone, by the vectors that `index` made with `embed`.
        Semantic = "semantic",
    }
}

/// Definitions by the words in them, and by their meaning if `index` made vectors of them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct SearchRequest {
    /// Plain words. `"…"` is a phrase that must occur, `-word` must not occur, `word*` is the beginning of a word.
    /// `kind:class`, `lang:go`, `path:src/**` and `in:Server` choose definitions.
    pub query: String,
    /// A file or folder of the project, which chooses among symbols or limits what is listed. All files are searched.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "some_or_all")]
    pub targets: Vec<Target>,
    /// The most results; default: 10.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// By words or by meaning alone; default: by words, and by meaning if there are vectors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<SearchMode>,
    /// Whether each result says what its score is made of.
    #[serde(skip_serializing_if = "is_false")]
    pub explain: bool,
    /// How files are chosen and read.
    #[serde(skip_serializing_if = "Reading::is_default")]
    pub reading: Reading,
}

/// Definitions by the words in them and by their meaning, the best first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SearchResponse {
    /// The results.
    pub results: Vec<SearchRow>,
    /// Whether there are more.
    pub truncated: bool,
    /// The project that was searched.
    pub project: ProjectReport,
    /// How many unsaved trees of the session were read in place of their files.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unsaved: usize,
    /// Number of files that have no vectors yet, if meaning counts. They were searched by words alone.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub without_vectors: usize,
    /// Why meaning does not count although there are vectors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Files that could not be read, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
}

/// A definition that fits a search, or the part of a file that is in no definition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SearchRow {
    /// The definition; of kind `file`, if it is the rest of a file.
    #[serde(flatten)]
    pub symbol: SymbolRow,
    /// Everything up to its body, on one line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub signature: String,
    /// How well it fits: more is better. Only comparable within one answer.
    pub score: f64,
    /// The lines that fit best.
    pub lines: Vec<SearchLine>,
    /// What the score is made of, if asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<ScoreParts>,
}

/// A line of a search result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SearchLine {
    /// The line, from 1.
    pub line: usize,
    /// Its text, without indentation.
    pub text: String,
    /// Where the words of the query are in it: columns of `text` from 1, and the columns after them.
    pub marks: Vec<(usize, usize)>,
}

/// What a score is made of: what the words would count if they were looked for in one field alone.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ScoreParts {
    /// In its name.
    pub name: f64,
    /// In the names of the definitions around it.
    pub scope: f64,
    /// In its signature.
    pub signature: f64,
    /// In its documentation and comments.
    pub documentation: f64,
    /// In its code.
    pub body: f64,
    /// Its place among the results by words, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lexical_rank: Option<usize>,
    /// Its place among the results by meaning, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub semantic_rank: Option<usize>,
    /// The cosine between its vector and that of the query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
    /// Added or taken away for its kind, for words in its path, and for a name that has only words of the query.
    pub order: f64,
}

/// Definitions that nothing refers to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct UnusedRequest {
    /// Only definitions in this file or folder of the project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// A file or folder of the project, which chooses among symbols or limits what is listed. All files are searched.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "some_or_all")]
    pub targets: Vec<Target>,
    /// Only definitions of these kinds.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub kinds: Vec<String>,
    /// Only definitions that certainly nothing in the project refers to.
    #[serde(skip_serializing_if = "is_false")]
    pub certain: bool,
    /// Whether exported definitions are listed as well.
    #[serde(skip_serializing_if = "is_false")]
    pub exports: bool,
    /// The most definitions listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// How files are chosen and read.
    #[serde(skip_serializing_if = "Reading::is_default")]
    pub reading: Reading,
}

/// Definitions that nothing refers to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct UnusedResponse {
    /// The definitions, by file and place.
    pub unused: Vec<UnusedRow>,
    /// How many are certain.
    pub certain: usize,
    /// How many are candidates: their name occurs where its meaning is not known, or in a string.
    pub candidates: usize,
    /// Whether definitions were left out because of the limit.
    pub truncated: bool,
    /// The number of definitions searched.
    pub definitions: usize,
    /// Definitions without a reference that are not listed, since something that is not seen may use them.
    pub kept: Vec<KeptCount>,
    /// Files in languages whose names are not followed from file to file: `why` is the language. Nothing of them is listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_followed: Vec<KeptCount>,
    /// The project that was searched.
    pub project: ProjectReport,
    /// How many unsaved trees of the session were read in place of their files.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unsaved: usize,
    /// Files that could not be read, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
}

/// A definition that nothing refers to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct UnusedRow {
    /// The definition.
    #[serde(flatten)]
    pub symbol: SymbolRow,
    /// How sure it is.
    pub confidence: Confidence,
    /// How many lines it has.
    pub lines: usize,
}

/// How many are left out for a reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct KeptCount {
    /// The reason.
    pub why: String,
    /// How many.
    pub count: usize,
}

/// The definitions that a project uses most.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct MapRequest {
    /// Only definitions in this file or folder of the project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// A file or folder of the project, which chooses among symbols or limits what is listed. All files are searched.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "some_or_all")]
    pub targets: Vec<Target>,
    /// The most tokens; default: 2000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<usize>,
    /// Paths and names of definitions: what they use comes first.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub focus: Vec<String>,
    /// How files are chosen and read.
    #[serde(skip_serializing_if = "Reading::is_default")]
    pub reading: Reading,
}

/// The definitions that a project uses most.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct MapResponse {
    /// The files, that of the most used definition first.
    pub files: Vec<MapFile>,
    /// How many tokens the map has as text.
    pub tokens: usize,
    /// How many definitions are listed.
    pub listed: usize,
    /// How many definitions there are.
    pub definitions: usize,
    /// The project that was searched.
    pub project: ProjectReport,
    /// How many unsaved trees of the session were read in place of their files.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unsaved: usize,
    /// Files that could not be read, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
}

/// A file of a map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct MapFile {
    /// The file.
    pub path: String,
    /// Its most used definitions and those around them, in order.
    pub definitions: Vec<MapDefinition>,
}

/// A definition of a map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct MapDefinition {
    /// The line of its name, from 1.
    pub line: usize,
    /// How many definitions enclose it.
    pub depth: usize,
    /// The kind.
    pub kind: String,
    /// Everything up to its body, on one line.
    pub signature: String,
}

impl std::fmt::Display for MapDefinition {
    /// Its line in a map as text.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}{} {}", "  ".repeat(self.depth + 1), self.line, self.signature)
    }
}

/// What a change of a project may affect.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct ImpactRequest {
    /// The git revision to compare the working tree with; default: `HEAD`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// Symbols, as in `refs`, that would change; changes in git are then ignored.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "some_or_all")]
    pub symbols: Vec<String>,
    /// A file or folder of the project, which chooses among symbols or limits what is listed. All files are searched.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "some_or_all")]
    pub targets: Vec<Target>,
    /// How many steps references are followed; default: 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<usize>,
    /// The most affected definitions listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// How files are chosen and read.
    #[serde(skip_serializing_if = "Reading::is_default")]
    pub reading: Reading,
}

/// What a change of a project may affect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ImpactResponse {
    /// The definitions that have changed, or would.
    pub changed: Vec<ChangedSymbol>,
    /// The definitions that certainly refer to them, directly or through others, the nearest first.
    pub affected: Vec<AffectedSymbol>,
    /// How many definitions are affected, whatever is listed.
    pub total: usize,
    /// Places that may refer to a changed definition: the name fits, and what it means is not known.
    pub candidates: usize,
    /// Whether the search was ended because too many definitions are affected.
    pub truncated: bool,
    /// The project that was searched.
    pub project: ProjectReport,
    /// How many unsaved trees of the session were read in place of their files.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unsaved: usize,
    /// Files that could not be read, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
}

/// A definition that has changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ChangedSymbol {
    /// The definition; if it was removed, where it was.
    #[serde(flatten)]
    pub symbol: SymbolRow,
    /// What happened to it.
    pub change: SymbolChange,
    /// How many places may refer to it: the name fits, and what it means is not known.
    pub candidates: usize,
}

named_enum! {
    /// What happened to a definition.
    #[non_exhaustive]
    pub enum SymbolChange {
        /// Its code is another one.
        Changed = "changed",
        /// It is new.
        Added = "added",
        /// It is gone, or has another name.
        Removed = "removed",
    }
}

/// A definition that refers to one that has changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct AffectedSymbol {
    /// The definition, or the module.
    #[serde(flatten)]
    pub symbol: SymbolRow,
    /// How many steps it is away.
    pub depth: usize,
    /// What it refers to.
    pub via: String,
    /// The lines of the references.
    pub lines: Vec<usize>,
}
