//! What became of the files of a search.

use crate::naming::named_enum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::request::entries::Entries;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::fields::{is_false, is_zero};

/// The files of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct FilesReport {
    /// Number of files searched.
    pub searched: usize,
    /// Number of files with matches.
    pub matched: usize,
    /// Files with syntax errors, as far as they were parsed; files that cannot match are not.
    pub with_errors: Vec<String>,
    /// Files that could not be read, and why.
    pub skipped: Vec<Skipped>,
    /// Number of a folder's files in an unrecognised language.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unknown_language: usize,
    /// Number of files that were already in the index, when one is built.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub kept: usize,
    /// Number of files that were not searched because the limit was reached.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unsearched: usize,
    /// For each file with matches the start of the hash of its content, if asked for.
    #[serde(default, skip_serializing_if = "Entries::is_empty")]
    pub revisions: Entries<String>,
}

named_enum! {
    /// Why a folder is a project.
    #[non_exhaustive]
    pub enum FoundBy {
        /// It is a repository.
        Repository = "repository",
        /// It has a manifest, or is the workspace of one: `pyproject.toml`, `Cargo.toml`.
        Manifest = "manifest",
        /// It is what was named, or the working directory; nothing says whether it is a part of something larger.
        Folder = "folder",
    }
}

/// The project that an answer is about: references in other files are not seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ProjectReport {
    /// Its folder.
    pub root: String,
    /// Why this folder is the project.
    pub found_by: FoundBy,
    /// How many files in known languages it has.
    pub files: usize,
    /// Files that are not looked at because git ignores them, and that contain the name that was asked about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored: Vec<String>,
    /// Files with syntax errors that contain the name: what is near the errors is not certain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with_errors: Vec<String>,
}

/// How many files a sentence names.
const NAMED: usize = 3;

impl ProjectReport {
    /// A sentence for people if nothing says that the folder is a whole project, or if files contain the name that git ignores or that
    /// have syntax errors.
    pub fn notice(&self) -> Option<String> {
        let files = if self.files == 1 { "file" } else { "files" };
        let alone = (self.found_by == FoundBy::Folder).then(|| {
            format!("searched {} {files} in `{}`, which is in no repository and has no manifest", self.files, self.root)
        });
        let ignored = match self.ignored.as_slice() {
            [] => None,
            [one] => Some(format!("`{one}` contains the name, but git ignores it: it is not searched")),
            [one, more @ ..] => {
                let more = more.len();
                Some(format!("`{one}` and {more} more contain the name, but git ignores them: they are not searched"))
            }
        };
        let with_errors = match self.with_errors.as_slice() {
            [] => None,
            [one] => {
                Some(format!("`{one}` has syntax errors, and contains the name: what is near them is not certain"))
            }
            all => {
                let named = all.iter().take(NAMED).map(|path| format!("`{path}`")).collect::<Vec<_>>().join(", ");
                let more = all.len().saturating_sub(NAMED);
                let named = if more > 0 { format!("{named} and {more} more") } else { named };
                Some(format!("{named} have syntax errors, and contain the name: what is near them is not certain"))
            }
        };
        let notices: Vec<String> = alone.into_iter().chain(ignored).chain(with_errors).collect();
        (!notices.is_empty()).then(|| notices.join("; "))
    }
}

/// A file that was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
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
    pub(crate) fn new(path: String, mut error: EngineError, walked: bool) -> Skipped {
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
