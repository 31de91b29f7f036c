//! The models that embed texts, as requests and the user's configuration name them.

use std::path::Path;
use std::sync::Arc;

use crate::embedding::{EmbeddingError, open_endpoint, open_folder};
use crate::locks::IgnorePoison;
use crate::reader::core::Reader;
use crate::reader::open_model::OpenModel;
use crate::request::error::{EngineError, ErrorCode};

/// What a source begins with if it is an endpoint; a folder is an absolute path.
const ENDPOINT: &str = "endpoint:";

impl Reader {
    /// The model of a name: an endpoint in the user's configuration, or a folder.
    ///
    /// # Errors
    /// If there is none, or it cannot be used.
    pub(crate) fn model_named(&self, name: &str) -> Result<OpenModel, EngineError> {
        if self.endpoints()?.iter().any(|endpoint| endpoint.name == name) {
            return self.model_of(&format!("{ENDPOINT}{name}"));
        }
        let folder = self.absolute(Path::new(name));
        if self.files().facts(&folder.join("config.json")).is_err() {
            let message = format!("`{name}` is neither the folder of a model nor an endpoint of your configuration");
            let hint = "a model is a folder with `config.json`, `tokenizer.json` and `model.safetensors`; an endpoint is a table \
                        `[embeddings.NAME]` with `url` and `model` in your own `config.toml`";
            return Err(EngineError::new(ErrorCode::NotFound, message).hint(hint));
        }
        let folder = self.files().resolve(&folder).unwrap_or(folder);
        self.model_of(&folder.to_string_lossy())
    }

    /// The model of a source. It stays open.
    ///
    /// # Errors
    /// If it cannot be used.
    pub(crate) fn model_of(&self, source: &str) -> Result<OpenModel, EngineError> {
        let name = source.strip_prefix(ENDPOINT);
        let stamp = match name {
            Some(_) => None,
            None => {
                self.own_files().facts(&Path::new(source).join("model.safetensors")).ok().and_then(|facts| facts.stamp)
            }
        };
        let mut open = self.models.lock().ignore_poison();
        // An endpoint costs nothing to open, and its configuration may have changed.
        if let Some(open) = open.iter().find(|open| name.is_none() && open.source == source && open.stamp == stamp) {
            return Ok(open.clone());
        }
        let model = match name {
            Some(name) => {
                let settings = self.endpoints()?.into_iter().find(|endpoint| endpoint.name == name);
                let gone = || {
                    let message = format!("the endpoint `{name}` is not in your configuration any more");
                    EngineError::new(ErrorCode::NotFound, message).hint("add it again, or use another model: {embed}")
                };
                open_endpoint(&settings.ok_or_else(gone)?)
            }
            None => open_folder(Path::new(source)),
        };
        let model = model.map_err(|error| embedding_error(&error))?;
        let opened = OpenModel { source: source.to_owned(), model: Arc::from(model), stamp };
        open.clear();
        open.push(opened.clone());
        Ok(opened)
    }
}

/// The error of a model.
pub(crate) fn embedding_error(error: &EmbeddingError) -> EngineError {
    let engine_error = EngineError::new(ErrorCode::from(error), error.to_string());
    match error {
        EmbeddingError::NotBuilt(_) => engine_error.hint("build with the feature `semantic`, which `all` includes"),
        EmbeddingError::Unreadable { .. } => {
            engine_error.hint("a model is a folder with `config.json`, `tokenizer.json` and `model.safetensors`")
        }
        EmbeddingError::Invalid { .. } => engine_error
            .hint("models like BERT and model2vec are supported, with weights as safetensors and a tokenizer"),
        EmbeddingError::Settings { .. } => engine_error.hint("see `[embeddings]` in your own `config.toml`"),
        EmbeddingError::Endpoint { .. } => engine_error.hint("the vectors made so far are kept; try again later"),
    }
}
