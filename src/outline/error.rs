//! Why an outline cannot be made.

use crate::selector::SelectorError;

/// Why an outline cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OutlineError {
    /// A kind that there isn't.
    #[error("unknown kind `{word}`")]
    UnknownKind {
        /// The word as given.
        word: String,
        /// A known kind much like it.
        nearest: Option<&'static str>,
    },
    /// The language's `outline.toml` isn't in the form of one.
    #[error("the data of `{language}` is wrong: outline.toml: {message}")]
    Data {
        /// The language.
        language: String,
        /// What is wrong with it.
        message: String,
    },
    /// A selector in the language's `outline.toml`.
    #[error(transparent)]
    Selector(#[from] SelectorError),
}
