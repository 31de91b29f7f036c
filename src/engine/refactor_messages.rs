//! Refactors of a project, and their answers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::PlaceRow;
use super::fields::{is_false, one_or_many};
use super::request::{Reading, Target};
use super::response::ChangesResponse;
use super::symbol_messages::SymbolRow;

/// A refactor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Refactor {
    /// Renames a symbol: its definition, its references, imports and overrides, and the arguments that name a parameter.
    Rename {
        /// The symbol: a name or the end of a qualified one (`Server.handle`), `PATH::Server.handle`, or `PATH:LINE[:COL]`.
        symbol: String,
        /// The new name.
        to: String,
    },
}

/// Changes a definition and all that refers to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RefactorRequest {
    /// What is done.
    #[serde(flatten)]
    pub refactor: Refactor,
    /// The folder of the project; the working directory otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub targets: Vec<Target>,
    /// Whether the files are written; otherwise the answer has the diffs.
    #[serde(default, skip_serializing_if = "is_false")]
    pub write: bool,
    /// Places that are not certain and are changed as well: `PATH:LINE`.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub include: Vec<String>,
    /// Whether other places that are not certain are left as they are; the answer lists them. Otherwise they are an error.
    #[serde(default, skip_serializing_if = "is_false")]
    pub leave_undetermined: bool,
    /// Whether strings that are the name count as places that are not certain.
    #[serde(default, skip_serializing_if = "is_false")]
    pub strings: bool,
    /// Whether it is done although something that is not seen may use the old name: a decorator, a base class outside the project.
    #[serde(default, skip_serializing_if = "is_false")]
    pub force: bool,
    /// How files are chosen and read.
    #[serde(default, skip_serializing_if = "Reading::is_default")]
    pub reading: Reading,
}

impl RefactorRequest {
    /// A refactor in the working directory that is only shown.
    pub fn new(refactor: Refactor) -> RefactorRequest {
        RefactorRequest {
            refactor,
            targets: Vec::new(),
            write: false,
            include: Vec::new(),
            leave_undetermined: false,
            strings: false,
            force: false,
            reading: Reading::default(),
        }
    }
}

/// What a refactor changed, or would change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RefactorResponse {
    /// The symbols that are changed, the one that was asked for first; the others are overrides, and parameters of overrides.
    pub symbols: Vec<SymbolRow>,
    /// How many places are changed that certainly refer to the symbol.
    pub certain: usize,
    /// How many others are changed because the request names them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub included: usize,
    /// The places that were left as they are because it is not known whether they refer to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<PlaceRow>,
    /// The changes.
    #[serde(flatten)]
    pub changes: ChangesResponse,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}
