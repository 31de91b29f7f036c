//! The question about duplicated code, and its answer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::request::fields::{is_false, is_zero, some_or_all};
use crate::request::report::Skipped;
use crate::request::requests::{Reading, Target};

/// Code that occurs several times, names left out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct DuplicatesRequest {
    /// Trees, files, folders, texts; the working directory otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "some_or_all")]
    pub targets: Vec<Target>,
    /// The least number of tokens; default: 50.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_tokens: Option<usize>,
    /// The most groups that are listed; default: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Also the code of the first place of each group, and its fingerprint.
    #[serde(skip_serializing_if = "is_false")]
    pub code: bool,
    /// How files are chosen and read.
    #[serde(skip_serializing_if = "Reading::is_default")]
    pub reading: Reading,
}

/// Groups of code that is the same but for names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct DuplicatesResponse {
    /// The groups, those with the most tokens to save first.
    pub groups: Vec<DuplicateGroup>,
    /// How many groups were left out.
    pub more_groups: usize,
    /// How many files were compared.
    pub files: usize,
    /// How many lines they have.
    pub lines: usize,
    /// How many of their lines are in a group, each counted once.
    pub duplicated_lines: usize,
    /// Files that could not be read, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
    /// Number of files in an unrecognised language.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unknown_language: usize,
}

/// Code that occurs several times.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct DuplicateGroup {
    /// How many tokens each place has.
    pub tokens: usize,
    /// How many lines the first place has.
    pub lines: usize,
    /// Whether names differ; each has one counterpart then.
    pub renamed: bool,
    /// Where it is: whole statements and definitions.
    pub places: Vec<DuplicatePlace>,
    /// The code of the first place, if asked for; at most 100 lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// A hash of that code without its white space: it stays the same when the code moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
}

/// A place of duplicated code.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct DuplicatePlace {
    /// The file.
    pub path: String,
    /// Where it begins, counted from 1.
    pub start_line: usize,
    /// The column, counted from 1.
    pub start_col: usize,
    /// Where it ends.
    pub end_line: usize,
    /// The column after its last character.
    pub end_col: usize,
    /// The offset of its first byte.
    pub start_byte: usize,
    /// The offset after its last byte.
    pub end_byte: usize,
}
