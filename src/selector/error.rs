//! What can be wrong with a selector, and how it is shown.

use crate::text::Span;

/// The code of a selector's error, as in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorCode {
    /// It doesn't follow the grammar.
    SelectorSyntax,
    /// A type or kind that no language in play knows.
    UnknownType,
    /// An attribute that there isn't.
    UnknownAttribute,
    /// A field that the grammar lacks.
    UnknownField,
    /// A pseudo-class or named selector that there isn't.
    UnknownPseudo,
    /// A code pattern that doesn't parse.
    BadPattern,
    /// A regex that doesn't parse.
    BadRegex,
    /// It takes too long.
    Budget,
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
            ErrorCode::Budget => "budget",
        }
    }
}

/// Something wrong in a selector: where, what, and what may have been meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectorError {
    /// Which kind of error.
    pub code: ErrorCode,
    /// In words, lower case, no full stop.
    pub message: String,
    /// The place, as bytes of the selector; punctuation such as `:` left out.
    pub span: Span,
    /// What to do about it.
    pub hint: Option<String>,
    /// The selector.
    pub selector: String,
}

impl std::error::Error for SelectorError {}

impl std::fmt::Display for SelectorError {
    /// The message, the selector's line with carets under the place, and the hint beside them.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}", self.message)
    }
}
