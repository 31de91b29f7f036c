//! Why an outline cannot be made.

use crate::selector::SelectorError;

/// Why an outline cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OutlineError {
    /// An unknown kind.
    #[error("unknown kind `{word}`")]
    UnknownKind {
        /// The word as given.
        word: String,
        /// A similar known kind.
        nearest: Option<&'static str>,
    },
    /// The language's `outline.toml` is malformed.
    #[error("the data of `{language}` is wrong: outline.toml: {message}")]
    Data {
        /// The language.
        language: String,
        /// The problem with it.
        message: String,
    },
    /// A selector in the language's `outline.toml`.
    #[error(transparent)]
    Selector(#[from] SelectorError),
}
