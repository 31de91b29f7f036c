//! A model that stays open between requests.

use std::sync::Arc;

use crate::embedding::Model;
use crate::project::Stamp;

/// A model that is open.
#[derive(Debug, Clone)]
pub(crate) struct OpenModel {
    /// Its folder, or the name of its endpoint.
    pub source: String,
    /// The model.
    pub model: Arc<dyn Model>,
    /// The weights as they were when it was opened.
    pub stamp: Option<Stamp>,
}
