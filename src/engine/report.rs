//! What became of the files of a search.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::entries::Entries;
use super::error::{EngineError, ErrorCode};
use super::fields::is_false;

/// What became of the files of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FilesReport {
    /// How many were searched.
    pub searched: usize,
    /// In how many something was found.
    pub matched: usize,
    /// Those with syntax errors, as far as they were parsed: what can hold no match isn't.
    pub with_errors: Vec<String>,
    /// Those that couldn't be read, and why.
    pub skipped: Vec<Skipped>,
    /// How many of a folder's files are in an unrecognised language.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unknown_language: usize,
    /// How many were found in the index as they are, where that is all that was asked.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub kept: usize,
    /// How many weren't searched since the limit was reached before.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unsearched: usize,
    /// Of each file with matches the start of its content's hash, if asked for.
    #[serde(default, skip_serializing_if = "Entries::is_empty")]
    pub revisions: Entries<String>,
}

/// A file that was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Skipped {
    /// The file.
    pub path: String,
    /// Why it was left out.
    pub error: EngineError,
    /// Whether a rule of the search left it out, and nothing failed: it is in an unrecognised language; of a folder's files also those
    /// over the size limit, and those that are binary or in an unknown encoding.
    #[serde(default, skip_serializing_if = "is_false")]
    pub by_rule: bool,
}

impl Skipped {
    /// A file that `error` leaves out; `walked` means that it was found in a folder and not named.
    pub(super) fn new(path: String, mut error: EngineError, walked: bool) -> Skipped {
        let by_rule = match error.code {
            ErrorCode::UnsupportedLanguage => true,
            ErrorCode::TooLarge | ErrorCode::UnsupportedEncoding => walked,
            _ => false,
        };
        // The path is already there.
        error.details.path = error.details.path.filter(|of| *of != path);
        Skipped { path, error, by_rule }
    }
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}
