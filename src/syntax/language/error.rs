//! Why a language cannot be used.

/// Why a language cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LanguageError {
    /// No language has that name.
    #[error("unknown language `{name}`")]
    Unknown {
        /// The name as given.
        name: String,
        /// A similar known name.
        nearest: Option<String>,
    },
    /// A user's folder without a grammar, with a name that is not built in.
    #[error("no grammar for `{name}`: no built-in language has that name, and the folder has no shared library")]
    NoGrammar {
        /// The folder's name.
        name: String,
    },
    /// Invalid data, or data with types that the grammar lacks.
    #[error("the data of `{name}` is wrong: {message}")]
    Data {
        /// The language.
        name: String,
        /// The problem.
        message: String,
    },
    /// A shared library that is not a grammar of a supported version.
    #[error("the grammar of `{name}` cannot be used: {message}")]
    Library {
        /// The language.
        name: String,
        /// The reason.
        message: String,
    },
}

impl LanguageError {
    /// An error in one file of a language's folder.
    pub(super) fn of_file(name: &str, file: &str, message: impl std::fmt::Display) -> LanguageError {
        LanguageError::Data { name: name.to_owned(), message: format!("{file}: {message}") }
    }
}
