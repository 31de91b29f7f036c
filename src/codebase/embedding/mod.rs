//! Embedding models: texts become vectors whose cosine says how close they are in meaning.
//!
//! A model is a folder that the user has ([`Folder`]), with a network like BERT or a table of vectors (model2vec), its weights
//! as safetensors and its tokenizer; or an endpoint that speaks OpenAI's protocol ([`Endpoint`]). Nothing is downloaded. Vectors
//! have length one.

#[cfg(feature = "semantic")]
mod bert;
#[cfg(feature = "semantic")]
mod endpoint;
#[cfg(feature = "semantic")]
mod folder;
mod model;
#[cfg(feature = "semantic")]
mod weights;

#[cfg(feature = "semantic")]
#[doc(hidden)]
pub use bert::{exp, gelu, gelu_tanh};
#[cfg(feature = "semantic")]
pub use endpoint::Endpoint;
#[cfg(feature = "semantic")]
pub use folder::Folder;
pub use model::{EmbeddingError, EndpointSettings, Model, Purpose};

/// The model in a folder.
///
/// # Errors
/// If it cannot be read, or is of another kind.
pub fn open_folder(folder: &std::path::Path) -> Result<Box<dyn Model>, EmbeddingError> {
    #[cfg(feature = "semantic")]
    return Ok(Box::new(Folder::open(folder)?));
    #[cfg(not(feature = "semantic"))]
    Err(EmbeddingError::not_built(&folder.display().to_string()))
}

/// The model behind an endpoint. Nothing is asked yet.
///
/// # Errors
/// If its settings cannot be used.
pub fn open_endpoint(settings: &EndpointSettings) -> Result<Box<dyn Model>, EmbeddingError> {
    #[cfg(feature = "semantic")]
    return Ok(Box::new(Endpoint::open(settings)?));
    #[cfg(not(feature = "semantic"))]
    Err(EmbeddingError::not_built(&settings.name))
}
