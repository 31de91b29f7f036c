//! Errors in rules in YAML.

/// A place in the YAML, both from 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

/// An error in a rule in YAML.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct AstGrepError {
    /// The message.
    pub message: String,
    /// The place.
    pub place: Place,
    /// How to mend it.
    pub hint: Option<String>,
}

impl AstGrepError {
    pub(super) fn new(message: String, place: Place) -> AstGrepError {
        AstGrepError { message, place, hint: None }
    }

    pub(super) fn hint(self, hint: impl Into<String>) -> AstGrepError {
        AstGrepError { hint: Some(hint.into()), ..self }
    }
}
