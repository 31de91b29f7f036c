//! Why a language can't be used.

/// Why a language can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LanguageError {
    /// No language goes by that name.
    #[error("unknown language `{name}`")]
    Unknown {
        /// The name as given.
        name: String,
        /// A known name much like it.
        nearest: Option<String>,
    },
    /// A user's folder without a grammar, of a name that no built-in language has.
    #[error("no grammar for `{name}`: no built-in language has that name, and the folder has no shared library")]
    NoGrammar {
        /// The folder's name.
        name: String,
    },
    /// Data that is not in its form, or that speaks of types that the grammar lacks.
    #[error("the data of `{name}` is wrong: {message}")]
    Data {
        /// The language.
        name: String,
        /// What is wrong with it.
        message: String,
    },
    /// A shared library that isn't a grammar of a version that can be read.
    #[error("the grammar of `{name}` can't be used: {message}")]
    Library {
        /// The language.
        name: String,
        /// Why not.
        message: String,
    },
}

impl LanguageError {
    /// What is wrong with one file of a language's folder.
    pub(super) fn of_file(name: &str, file: &str, message: impl std::fmt::Display) -> LanguageError {
        LanguageError::Data { name: name.to_owned(), message: format!("{file}: {message}") }
    }
}
