//! Scanning files with rules: the request, and the findings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::naming::named_enum;
use crate::request::entries::Entries;
use crate::request::error::EngineError;
use crate::request::fields::{is_false, is_zero, one_or_many, some_or_all};
use crate::request::report::FilesReport;
use crate::request::requests::{Reading, Target};
use crate::request::responses::ChangesResponse;
pub use crate::rule::Severity;

named_enum! {
    /// Which fixes are applied.
    #[non_exhaustive]
    pub enum FixKind {
        /// Those that never change what a program does.
        Safe = "safe",
        /// All.
        All = "all",
    }
}

named_enum! {
    /// The use of a baseline.
    #[non_exhaustive]
    pub enum BaselineUse {
        /// Findings that it has are marked.
        Read = "read",
        /// It is written anew, with all findings there are.
        Write = "write",
        /// Findings that are gone are taken out of it.
        Prune = "prune",
    }
}

named_enum! {
    /// A part of an answer that is given only if asked for.
    #[non_exhaustive]
    pub enum ScanDetail {
        /// The changes that the fix of each finding would make.
        Fixes = "fixes",
        /// Comments that silence nothing.
        UnusedIgnores = "unused_ignores",
        /// The time that each rule takes.
        Stats = "stats",
    }
}

/// Find what rules say about files.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct ScanRequest {
    /// Trees, files, folders, texts; the working directory otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "some_or_all")]
    pub targets: Vec<Target>,
    /// Files and folders of rules, beside those of the project in `.cst/rules`.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub rules: Vec<String>,
    /// Shipped packs: `quality`, `python`, `javascript`, `go`, `rust`, `java`, `security`.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub packs: Vec<String>,
    /// Only these rules: `PACK/ID`, `ID`, or with `*`.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub only: Vec<String>,
    /// A selector as a rule of its own; no other rules are run then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// The message of that rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// A configuration file in place of the nearest `.cst/config.toml`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config: Option<String>,
    /// Whether to list the rules and look at no file.
    #[serde(skip_serializing_if = "is_false")]
    pub list: bool,
    /// Fixes to apply: as a diff, unless `write` is set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<FixKind>,
    /// Whether files are written.
    #[serde(skip_serializing_if = "is_false")]
    pub write: bool,
    /// A command, or the user's name for one, that must not complain more with the fixes than before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify: Option<String>,
    /// A file of findings that are known already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    /// The use of that file; default: `read`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline_use: Option<BaselineUse>,
    /// Only findings on lines that changed since a git revision, or since its merge base with `HEAD`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed_since: Option<String>,
    /// Further parts of the answer.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub with: Vec<ScanDetail>,
    /// How files are chosen and read.
    #[serde(skip_serializing_if = "Reading::is_default")]
    pub reading: Reading,
}

/// The findings of rules.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ScanResponse {
    /// The findings, by file and place. Silenced and known ones are among them, and marked.
    pub findings: Vec<FindingRow>,
    /// How many findings count, by severity: neither silenced nor known.
    pub counts: SeverityCounts,
    /// How many findings comments silence.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub suppressed: usize,
    /// How many findings the baseline has.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub known: usize,
    /// The rules that were run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RuleRow>,
    /// Rules that cannot be run, or could not in some file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<RuleProblem>,
    /// Comments that silence nothing, if asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unused_ignores: Vec<UnusedIgnore>,
    /// The lowest severity that the configuration makes a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fail_on: Option<Severity>,
    /// The files that were searched.
    pub files: FilesReport,
    /// The changes by fixes, made or not, if asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<ChangesResponse>,
    /// Notes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Numbers of findings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SeverityCounts {
    /// Errors.
    pub error: usize,
    /// Warnings.
    pub warning: usize,
    /// Infos.
    pub info: usize,
    /// Hints.
    pub hint: usize,
}

impl ScanRequest {
    /// Whether the answer is to say that, too.
    pub fn shows(&self, detail: ScanDetail) -> bool {
        self.with.contains(&detail)
    }
}

impl SeverityCounts {
    /// Counts one more.
    pub fn add(&mut self, severity: Severity) {
        match severity {
            Severity::Error => self.error += 1,
            Severity::Warning => self.warning += 1,
            Severity::Info => self.info += 1,
            Severity::Hint => self.hint += 1,
            Severity::Off => {}
        }
    }

    /// How many are at least as bad.
    pub fn from(&self, severity: Severity) -> usize {
        let counts = [
            (Severity::Error, self.error),
            (Severity::Warning, self.warning),
            (Severity::Info, self.info),
            (Severity::Hint, self.hint),
        ];
        counts.iter().filter(|(known, _)| *known <= severity && severity != Severity::Off).map(|(_, count)| count).sum()
    }

    /// How many there are.
    pub fn total(&self) -> usize {
        self.error + self.warning + self.info + self.hint
    }
}

/// Something that a rule found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct FindingRow {
    /// The rule, as `PACK/ID`.
    pub rule: String,
    /// How bad it is.
    pub severity: Severity,
    /// The sentence about it.
    pub message: String,
    /// More about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The first line, from 1.
    pub start_line: usize,
    /// The first column, from 1.
    pub start_col: usize,
    /// The last line, from 1.
    pub end_line: usize,
    /// The column after the last one, from 1.
    pub end_col: usize,
    /// The first byte.
    pub start_byte: usize,
    /// The byte after the last one.
    pub end_byte: usize,
    /// Its columns in bytes.
    #[serde(skip)]
    pub byte_columns: ByteColumns,
    /// The line that it starts on.
    pub source_line: String,
    /// The captures, by name.
    #[serde(default, skip_serializing_if = "Entries::is_empty")]
    pub captures: Entries<String>,
    /// Other places that it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<LabelRow>,
    /// The changes that its fix would make, if asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<FixRow>,
    /// A number that stays the same when the code moves.
    pub fingerprint: String,
    /// Whether a comment silences it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub suppressed: bool,
    /// The reason that the comment gives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether the baseline has it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub known: bool,
}

impl FindingRow {
    /// Whether it is neither silenced nor known.
    pub fn counts(&self) -> bool {
        !self.suppressed && !self.known
    }
}

/// Another place that a finding is about.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct LabelRow {
    /// The first line, from 1.
    pub start_line: usize,
    /// The first column, from 1.
    pub start_col: usize,
    /// The last line, from 1.
    pub end_line: usize,
    /// The column after the last one, from 1.
    pub end_col: usize,
    /// The sentence about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// The changes that a fix would make.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct FixRow {
    /// Whether it never changes what the program does.
    pub safe: bool,
    /// The parts of the file that it replaces, in order.
    pub edits: Vec<FixEdit>,
}

/// A part of a file, and the text in its place.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct FixEdit {
    /// The first line, from 1.
    pub start_line: usize,
    /// The first column, from 1.
    pub start_col: usize,
    /// The last line, from 1.
    pub end_line: usize,
    /// The column after the last one, from 1.
    pub end_col: usize,
    /// The first byte.
    pub start_byte: usize,
    /// The byte after the last one.
    pub end_byte: usize,
    /// Its columns in bytes.
    #[serde(skip)]
    pub byte_columns: ByteColumns,
    /// The new text.
    pub text: String,
}

/// Columns in bytes of UTF-8, from 1: some readers of findings count so. They are no part of the protocol.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ByteColumns {
    /// The first column.
    pub start: usize,
    /// The column after the last one.
    pub end: usize,
}

/// A rule that was run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RuleRow {
    /// Its name, as `PACK/ID`.
    pub rule: String,
    /// How bad a finding is.
    pub severity: Severity,
    /// Its message, with the names of captures.
    pub message: String,
    /// More about it, in Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Where more is written about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The languages that it names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<String>,
    /// The file that it is from.
    pub path: String,
    /// The line there.
    pub line: usize,
    /// Whether it has a fix, and of which kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<FixKind>,
    /// How many findings it has.
    pub findings: usize,
    /// How long it took in all threads together, in seconds, if asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// Why a rule cannot be run, or could not in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RuleProblem {
    /// The rule, or the file of rules.
    pub rule: String,
    /// The error, with its place.
    pub error: EngineError,
}

/// A comment that silences nothing.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct UnusedIgnore {
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub col: usize,
    /// The rules that it names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
}
