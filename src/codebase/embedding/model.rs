//! What every embedding model does.

use std::path::PathBuf;

/// A model that makes vectors from texts.
pub trait Model: Send + Sync + std::fmt::Debug {
    /// What its vectors depend on: two models with the same identity make the same vectors.
    fn identity(&self) -> &str;

    /// How many texts it takes at once, if there are as many.
    fn batch(&self) -> usize;

    /// The vectors of texts, in order, each of length one; zero for a text without a known word.
    ///
    /// # Errors
    /// If the endpoint fails, or the weights do not fit together.
    fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbeddingError>;
}

/// What a vector is for. Some models put another prefix before a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To be found.
    Passage,
    /// To find.
    Query,
}

/// An endpoint, as the user configures it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointSettings {
    /// Its name.
    pub name: String,
    /// The address before `/embeddings`.
    pub url: String,
    /// The model that is asked for.
    pub model: String,
    /// The environment variable with the key.
    pub key: Option<String>,
}

/// Why there is no vector.
#[derive(Debug, thiserror::Error)]
pub enum EmbeddingError {
    /// The program was built without models.
    #[error("`{0}` cannot be used: this program was built without the feature `semantic`")]
    NotBuilt(String),
    /// A file of the model cannot be read.
    #[error("the model's `{}` cannot be read: {error}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A file of the model is not what it should be.
    #[error("the model's `{}` cannot be used: {message}", .path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// Why.
        message: String,
    },
    /// The settings of an endpoint cannot be used.
    #[error("the endpoint `{name}` cannot be used: {message}")]
    Settings {
        /// Its name.
        name: String,
        /// Why.
        message: String,
    },
    /// An endpoint does not answer, or answers something else.
    #[error("the endpoint `{name}` failed: {message}")]
    Endpoint {
        /// Its name.
        name: String,
        /// Why.
        message: String,
    },
}

impl EmbeddingError {
    #[cfg(not(feature = "semantic"))]
    pub(super) fn not_built(name: &str) -> EmbeddingError {
        EmbeddingError::NotBuilt(name.to_owned())
    }
}

/// Scales a vector to length one. One without a direction stays zero.
#[cfg(feature = "semantic")]
pub(super) fn normalize(vector: &mut [f32]) {
    let length = vector.iter().map(|part| part * part).sum::<f32>().sqrt();
    match length > 0.0 && length.is_finite() {
        true => vector.iter_mut().for_each(|part| *part /= length),
        false => vector.fill(0.0),
    }
}
