//! Rules of other tools to convert, and what becomes of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::scan_messages::RuleProblem;

/// Print rules of another tool as TOML.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ConvertRulesRequest {
    /// A file with rules of ast-grep (`.yml`), or a query of tree-sitter (`.scm`).
    pub path: String,
    /// The language of a query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

impl ConvertRulesRequest {
    /// The rules of a file.
    pub fn new(path: impl Into<String>) -> ConvertRulesRequest {
        ConvertRulesRequest { path: path.into(), language: None }
    }

    /// The same, for a language.
    #[must_use]
    pub fn in_language(self, language: Option<String>) -> ConvertRulesRequest {
        ConvertRulesRequest { language, ..self }
    }
}

/// Rules as TOML.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ConvertRulesResponse {
    /// A file of rules.
    pub toml: String,
    /// The rules in it, and what they no longer say.
    pub rules: Vec<ConvertedRow>,
    /// Rules that cannot be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<RuleProblem>,
}

/// A rule that was converted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ConvertedRow {
    /// Its name in the other tool.
    pub rule: String,
    /// The parts that a selector cannot say; empty if it means the same.
    pub lost: Vec<LostRow>,
}

/// A part of a rule that was not converted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct LostRow {
    /// The part, and why it was not converted.
    pub what: String,
    /// Its line, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}
