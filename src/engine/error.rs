//! What the engine answers when it doesn't do what it was asked: a code, the reason in words, and what to do about it.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::hint::Hint;
use crate::edit::{BadRequest, EditError, TemplateError};
use crate::script::{Cause, Problem};
use crate::selector;
use crate::text::Span;
use crate::tree::ParseError;

/// The code of an error, as in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// A selector doesn't follow the grammar.
    SelectorSyntax,
    /// A type or kind that no language in play knows.
    UnknownType,
    /// An attribute that there isn't.
    UnknownAttribute,
    /// A field that the grammar lacks.
    UnknownField,
    /// A pseudo-class that there isn't.
    UnknownPseudo,
    /// A code pattern that doesn't parse.
    BadPattern,
    /// A regex that doesn't parse.
    BadRegex,
    /// A target that matches nothing.
    NoMatch,
    /// A target that matches several nodes.
    Ambiguous,
    /// A node that is gone.
    StaleNode,
    /// A file that isn't the one the id came from.
    StaleFile,
    /// More in each other, or a longer word, than the grammar's scanner has room for.
    TooDeep,
    /// An id that was never given.
    UnknownNode,
    /// A tree that isn't held.
    UnknownTree,
    /// Operations that change the same bytes.
    Conflict,
    /// An edit that makes a syntax error.
    WouldBreakSyntax,
    /// An edit that changes what is around it.
    WouldRestructure,
    /// Another number of nodes than expected.
    ExpectCount,
    /// A file that somebody changed since it was loaded.
    FileChanged,
    /// A file that isn't there or can't be read.
    NotFound,
    /// A language that isn't known.
    UnsupportedLanguage,
    /// Bytes that are no text in the encoding.
    UnsupportedEncoding,
    /// A file over the limit.
    TooLarge,
    /// A file that can't be written.
    ReadOnly,
    /// Something that takes too long.
    Budget,
    /// The request was cancelled.
    Cancelled,
    /// A path outside of the root that a server works in.
    OutsideRoot,
    /// A request that makes no sense.
    BadRequest,
    /// A mistake of the engine's own.
    Internal,
}

impl ErrorCode {
    /// As written in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            ErrorCode::SelectorSyntax => "selector_syntax",
            ErrorCode::UnknownType => "unknown_type",
            ErrorCode::UnknownAttribute => "unknown_attribute",
            ErrorCode::UnknownField => "unknown_field",
            ErrorCode::UnknownPseudo => "unknown_pseudo",
            ErrorCode::BadPattern => "bad_pattern",
            ErrorCode::BadRegex => "bad_regex",
            ErrorCode::NoMatch => "no_match",
            ErrorCode::Ambiguous => "ambiguous",
            ErrorCode::StaleNode => "stale_node",
            ErrorCode::StaleFile => "stale_file",
            ErrorCode::TooDeep => "too_deep",
            ErrorCode::UnknownNode => "unknown_node",
            ErrorCode::UnknownTree => "unknown_tree",
            ErrorCode::Conflict => "conflict",
            ErrorCode::WouldBreakSyntax => "would_break_syntax",
            ErrorCode::WouldRestructure => "would_restructure",
            ErrorCode::ExpectCount => "expect_count",
            ErrorCode::FileChanged => "file_changed",
            ErrorCode::NotFound => "not_found",
            ErrorCode::UnsupportedLanguage => "unsupported_language",
            ErrorCode::UnsupportedEncoding => "unsupported_encoding",
            ErrorCode::TooLarge => "too_large",
            ErrorCode::ReadOnly => "read_only",
            ErrorCode::Budget => "budget",
            ErrorCode::Cancelled => "cancelled",
            ErrorCode::OutsideRoot => "outside_root",
            ErrorCode::BadRequest => "bad_request",
            ErrorCode::Internal => "internal",
        }
    }
}

impl From<selector::ErrorCode> for ErrorCode {
    fn from(code: selector::ErrorCode) -> ErrorCode {
        match code {
            selector::ErrorCode::SelectorSyntax => ErrorCode::SelectorSyntax,
            selector::ErrorCode::UnknownType => ErrorCode::UnknownType,
            selector::ErrorCode::UnknownAttribute => ErrorCode::UnknownAttribute,
            selector::ErrorCode::UnknownField => ErrorCode::UnknownField,
            selector::ErrorCode::UnknownPseudo => ErrorCode::UnknownPseudo,
            selector::ErrorCode::BadPattern => ErrorCode::BadPattern,
            selector::ErrorCode::BadRegex => ErrorCode::BadRegex,
            selector::ErrorCode::Budget => ErrorCode::Budget,
            selector::ErrorCode::LanguageData => ErrorCode::UnsupportedLanguage,
        }
    }
}

impl From<&ParseError> for ErrorCode {
    fn from(error: &ParseError) -> ErrorCode {
        match error {
            ParseError::TooLarge { .. } => ErrorCode::TooLarge,
            ParseError::TooDeep { .. } => ErrorCode::TooDeep,
            ParseError::TooSlow { .. } => ErrorCode::Budget,
        }
    }
}

impl From<&EditError> for ErrorCode {
    fn from(error: &EditError) -> ErrorCode {
        match error {
            EditError::Conflict { .. } => ErrorCode::Conflict,
            EditError::WouldBreakSyntax { .. } => ErrorCode::WouldBreakSyntax,
            EditError::WouldRestructure { .. } | EditError::WouldLose { .. } => ErrorCode::WouldRestructure,
            EditError::BadRequest { problem: BadRequest::BadRegex { .. }, .. } => ErrorCode::BadRegex,
            EditError::BadRequest { .. } => ErrorCode::BadRequest,
            EditError::Parse(error) => ErrorCode::from(error),
        }
    }
}

impl From<&Cause> for ErrorCode {
    fn from(cause: &Cause) -> ErrorCode {
        match cause {
            Cause::Selector(error) => ErrorCode::from(error.code),
            Cause::Edit(error) => ErrorCode::from(error),
            Cause::Template(_) | Cause::NoField { .. } => ErrorCode::BadRequest,
            Cause::Cycle { .. } | Cause::Growing { .. } | Cause::Unstable { .. } => ErrorCode::Budget,
        }
    }
}

impl From<&Problem> for ErrorCode {
    fn from(problem: &Problem) -> ErrorCode {
        match problem {
            Problem::Selector(error) => ErrorCode::from(error.code),
            Problem::Template(TemplateError::BadRegex { .. }) => ErrorCode::BadRegex,
            Problem::Language(_) => ErrorCode::UnsupportedLanguage,
            // Everything else is a script that isn't written as scripts are.
            _ => ErrorCode::BadRequest,
        }
    }
}

/// An error with all that helps to do better.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, thiserror::Error, JsonSchema)]
#[error("{message}")]
pub struct EngineError {
    /// Which kind.
    pub code: ErrorCode,
    /// In words, lower case, no full stop.
    pub message: String,
    /// What helps to do better.
    #[serde(flatten)]
    pub details: Box<ErrorDetails>,
}

/// What an error says beside code and message; in JSON it stands right beside them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorDetails {
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<Hint>,
    /// The file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The line, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The operation of the batch, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<usize>,
    /// Nodes that may have been meant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Candidate>,
    /// The place in the selector, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "span_schema")]
    pub span: Option<Span>,
    /// The selector.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// The merge on offer, where a file changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merge: Option<MergeOffer>,
    /// Always false: what fails writes nothing.
    pub written: bool,
}

fn span_schema(_: &mut SchemaGenerator) -> Schema {
    let offset = json_schema!({"type": "integer", "minimum": 0});
    json_schema!({"type": "object", "properties": {"start": offset, "end": offset}, "required": ["start", "end"]})
}

/// A node that may have been meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Candidate {
    /// Its id.
    pub node_id: String,
    /// Its qualname.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qualname: Option<String>,
    /// Its kind.
    pub kind: String,
    /// Its first line.
    pub line: usize,
}

/// What merging with a changed file would give.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MergeOffer {
    /// In how many places both changed the same lines.
    pub conflicts: usize,
    /// The difference from the file as it is now.
    pub diff: String,
}

/// The error as a response holds it: `{"error": …}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorResponse {
    /// The error.
    pub error: EngineError,
}

impl EngineError {
    /// An error without particulars.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> EngineError {
        EngineError { code, message: message.into(), details: Box::default() }
    }

    /// With what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Hint>) -> EngineError {
        self.details.hint = Some(hint.into());
        self
    }

    /// With the file.
    #[must_use]
    pub fn path(mut self, path: impl Into<String>) -> EngineError {
        self.details.path = Some(path.into());
        self
    }

    /// With the operation's number.
    #[must_use]
    pub fn operation(mut self, number: usize) -> EngineError {
        self.details.operation = Some(number);
        self
    }

    /// As the answer to an edit, which says first that nothing was done.
    #[must_use]
    pub fn not_applied(mut self) -> EngineError {
        if !self.message.starts_with("not applied") {
            self.message = format!("not applied: {}", self.message);
        }
        self
    }

    /// As the JSON object `{"error": …}`.
    pub fn to_json(&self) -> serde_json::Value {
        let response = ErrorResponse { error: self.clone() };
        serde_json::to_value(response).expect("an error is plain data")
    }
}

/// The error of a request that was cancelled.
pub(super) fn cancelled() -> EngineError {
    EngineError::new(ErrorCode::Cancelled, "cancelled")
}
