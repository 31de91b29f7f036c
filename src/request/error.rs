//! What the engine answers when it doesn't do what it was asked: a code, the reason in words, and what to do about it.

use crate::naming::named_enum;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::edit::{BadRequest, EditError, TemplateError};
use crate::embedding::EmbeddingError;
use crate::language::LanguageError;
use crate::outline::OutlineError;
use crate::outline::chunk::ChunkError;
use crate::request::hint::Hint;
use crate::script::{Cause, Problem};
use crate::selector;
use crate::text::{EncodingError, Span};
use crate::tree::ParseError;

named_enum! {
    /// The code of an error.
    #[non_exhaustive]
    pub enum ErrorCode {
        /// A selector does not follow the grammar.
        SelectorSyntax = "selector_syntax",
        /// No language in use has this node type or kind.
        UnknownType = "unknown_type",
        /// There is no such attribute.
        UnknownAttribute = "unknown_attribute",
        /// The grammar has no such field.
        UnknownField = "unknown_field",
        /// There is no such pseudo-class.
        UnknownPseudo = "unknown_pseudo",
        /// A code pattern does not parse.
        BadPattern = "bad_pattern",
        /// A regular expression does not parse.
        BadRegex = "bad_regex",
        /// A target matches nothing.
        NoMatch = "no_match",
        /// A target matches several nodes.
        Ambiguous = "ambiguous",
        /// A node was replaced or deleted.
        StaleNode = "stale_node",
        /// A file is not the version that an id belongs to.
        StaleFile = "stale_file",
        /// Code is nested deeper, or a word is longer, than the grammar's scanner can take.
        TooDeep = "too_deep",
        /// An id was never given.
        UnknownNode = "unknown_node",
        /// No such tree is loaded.
        UnknownTree = "unknown_tree",
        /// Operations change the same bytes.
        Conflict = "conflict",
        /// An edit would cause a syntax error.
        WouldBreakSyntax = "would_break_syntax",
        /// An edit would change how the code around it nests.
        WouldRestructure = "would_restructure",
        /// A refactor has uncertain references.
        Undetermined = "undetermined",
        /// A refactor would change what a name means.
        WouldRebind = "would_rebind",
        /// The number of nodes is not the expected one.
        ExpectCount = "expect_count",
        /// A file changed on disk since it was loaded.
        FileChanged = "file_changed",
        /// A file does not exist or cannot be read.
        NotFound = "not_found",
        /// The language is not known, or its data cannot be used.
        UnsupportedLanguage = "unsupported_language",
        /// Bytes are not text in the encoding.
        UnsupportedEncoding = "unsupported_encoding",
        /// A file is larger than the limit.
        TooLarge = "too_large",
        /// A file cannot be written.
        ReadOnly = "read_only",
        /// The request takes too much time or memory, or repeats without an end.
        Budget = "budget",
        /// The request was cancelled.
        Cancelled = "cancelled",
        /// A path is outside of the root that a server works in.
        OutsideRoot = "outside_root",
        /// An endpoint that makes embeddings does not answer, or answers something else.
        EndpointFailed = "endpoint_failed",
        /// A language server does not answer, or answers something that is not a renaming.
        ServerFailed = "server_failed",
        /// The second opinion of a language server lacks certain references, or writes something else there.
        Disagreement = "disagreement",
        /// The command of `verify` says more with the change than without it, or fails.
        VerifyFailed = "verify_failed",
        /// The request is not valid.
        BadRequest = "bad_request",
        /// An internal error: a bug in cst.
        Internal = "internal",
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
            selector::ErrorCode::NeedsProject => ErrorCode::BadRequest,
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
            ParseError::OutsidePart => ErrorCode::Internal,
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
            EditError::TooManyPieces { .. } => ErrorCode::TooLarge,
            EditError::Parse(error) => ErrorCode::from(error),
        }
    }
}

impl From<&TemplateError> for ErrorCode {
    fn from(error: &TemplateError) -> ErrorCode {
        match error {
            TemplateError::UnknownCapture { .. } | TemplateError::UnknownFilter { .. } => ErrorCode::BadRequest,
            TemplateError::BadRegex { .. } => ErrorCode::BadRegex,
        }
    }
}

impl From<&EncodingError> for ErrorCode {
    fn from(error: &EncodingError) -> ErrorCode {
        match error {
            // The request names the encoding, not the file.
            EncodingError::Unknown { .. } => ErrorCode::BadRequest,
            EncodingError::OutsideCells => ErrorCode::WouldBreakSyntax,
            EncodingError::Undecodable { .. }
            | EncodingError::Binary { .. }
            | EncodingError::Lossy { .. }
            | EncodingError::NoNotebook { .. }
            | EncodingError::Utf32
            | EncodingError::Unencodable { .. } => ErrorCode::UnsupportedEncoding,
        }
    }
}

impl From<&LanguageError> for ErrorCode {
    fn from(error: &LanguageError) -> ErrorCode {
        match error {
            LanguageError::Unknown { .. }
            | LanguageError::NoGrammar { .. }
            | LanguageError::Data { .. }
            | LanguageError::Library { .. } => ErrorCode::UnsupportedLanguage,
        }
    }
}

impl From<&OutlineError> for ErrorCode {
    fn from(error: &OutlineError) -> ErrorCode {
        match error {
            OutlineError::UnknownKind { .. } => ErrorCode::UnknownType,
            OutlineError::Data { .. } => ErrorCode::UnsupportedLanguage,
            OutlineError::Selector(error) => ErrorCode::from(error.code),
        }
    }
}

impl From<&EmbeddingError> for ErrorCode {
    fn from(error: &EmbeddingError) -> ErrorCode {
        match error {
            EmbeddingError::Unreadable { .. } => ErrorCode::NotFound,
            EmbeddingError::NotBuilt(_) | EmbeddingError::Invalid { .. } | EmbeddingError::Settings { .. } => {
                ErrorCode::BadRequest
            }
            EmbeddingError::Endpoint { .. } => ErrorCode::EndpointFailed,
        }
    }
}

impl From<&ChunkError> for ErrorCode {
    fn from(error: &ChunkError) -> ErrorCode {
        match error {
            ChunkError::SmallMaximum { .. } | ChunkError::LargeOverlap { .. } => ErrorCode::BadRequest,
            ChunkError::Outline(error) => ErrorCode::from(error),
        }
    }
}

impl From<&Cause> for ErrorCode {
    fn from(cause: &Cause) -> ErrorCode {
        match cause {
            Cause::Selector(error) => ErrorCode::from(error.code),
            Cause::Edit(error) => ErrorCode::from(error),
            Cause::Template(error) => ErrorCode::from(error),
            Cause::NoField { .. } | Cause::Refactor(_) => ErrorCode::BadRequest,
            Cause::Cycle { .. } | Cause::Growing { .. } | Cause::Unstable { .. } => ErrorCode::Budget,
        }
    }
}

impl From<&Problem> for ErrorCode {
    fn from(problem: &Problem) -> ErrorCode {
        match problem {
            Problem::Selector(error) => ErrorCode::from(error.code),
            Problem::Template(error) => ErrorCode::from(error),
            Problem::Language(error) => ErrorCode::from(error),
            Problem::Toml { .. }
            | Problem::UnknownKey { .. }
            | Problem::NoId { .. }
            | Problem::OtherForm { .. }
            | Problem::Missing { .. }
            | Problem::Kind { .. }
            | Problem::Both { .. }
            | Problem::NoStep
            | Problem::NoAction
            | Problem::UnknownWord { .. }
            | Problem::NoTarget { .. }
            | Problem::NoCapture { .. }
            | Problem::NoField { .. }
            | Problem::Empty { .. }
            | Problem::NoPlaceholder
            | Problem::SameName { .. }
            | Problem::Foreign { .. } => ErrorCode::BadRequest,
        }
    }
}

/// An error, with what helps to correct the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error, JsonSchema)]
#[error("{message}")]
#[non_exhaustive]
pub struct EngineError {
    /// Which kind.
    pub code: ErrorCode,
    /// In words, lower case, no full stop.
    pub message: String,
    /// What helps to do better.
    #[serde(flatten)]
    pub details: Box<ErrorDetails>,
}

/// What an error has besides code and message; in JSON, these are fields of the same object.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
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
    /// The place in the selector, as bytes of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "span_schema")]
    pub span: Option<Span>,
    /// The selector.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// The places that prevent a refactor.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<PlaceRow>,
    /// What a merge would give, if a file changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merge: Option<MergeOffer>,
    /// Always false: a request that fails writes nothing.
    pub written: bool,
}

fn span_schema(_: &mut SchemaGenerator) -> Schema {
    let offset = json_schema!({"type": "integer", "minimum": 0});
    json_schema!({"type": "object", "properties": {"start": offset, "end": offset}, "required": ["start", "end"]})
}

/// A node that may have been meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
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

/// A place that a refactor has a question about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct PlaceRow {
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub col: usize,
    /// What is not known about it, or what would be wrong there.
    pub why: String,
    /// Its line, without indentation.
    pub text: String,
}

impl PlaceRow {
    /// The place: `PATH:LINE:COL`.
    pub fn at(&self) -> String {
        format!("{}:{}:{}", self.path, self.line, self.col)
    }
}

/// What a merge with a changed file would give.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct MergeOffer {
    /// Number of places where both changed the same lines.
    pub conflicts: usize,
    /// The difference from the file as it is now.
    pub diff: String,
}

/// The error as a response holds it: `{"error": …}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ErrorResponse {
    /// The error.
    pub error: EngineError,
}

impl EngineError {
    /// An error without particulars.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> EngineError {
        EngineError { code, message: message.into(), details: Box::default() }
    }

    /// A request that cannot be answered as it is.
    pub fn bad_request(message: impl Into<String>) -> EngineError {
        EngineError::new(ErrorCode::BadRequest, message)
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
pub(crate) fn cancelled() -> EngineError {
    EngineError::new(ErrorCode::Cancelled, "cancelled")
}
