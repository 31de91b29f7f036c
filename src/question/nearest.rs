//! The definitions of a project whose vectors are close to that of a query.

use rustc_hash::FxHashSet;

use crate::database::{Near, Query, StoredModel, VectorStore};
use crate::embedding::Purpose;
use crate::question::embed::identity;
use crate::reader::models::embedding_error;
use crate::request::error::EngineError;
use crate::workspace::files::Workspace;
use crate::workspace::known_facts::ProjectFacts;

/// How many documents are ordered, unless filters leave some of them out.
const MOST: usize = 10_000;

/// The meaning of a query, and what it is compared with.
pub(crate) struct Meaning {
    store: VectorStore,
    model: StoredModel,
    vector: Vec<f32>,
}

/// The documents of a part of a project, the closest first.
pub(crate) struct Nearest {
    /// The documents.
    pub documents: Vec<Near>,
    /// How many files have no vectors.
    pub missing: usize,
}

impl Workspace<'_> {
    /// The meaning of a query by the model whose vectors the project has; `None` if it has none.
    ///
    /// # Errors
    /// If the model cannot be used any more.
    pub(crate) fn meaning(&self, query: &str) -> Result<Option<Meaning>, EngineError> {
        let Some(store) = self.vectors(false) else { return Ok(None) };
        let Ok(Some(model)) = store.model() else { return Ok(None) };
        let open = self.engine.model_of(&model.source)?;
        let is_same = identity(&open) == model.identity;
        let vectors = match is_same {
            true => open.model.embed(&[query], Purpose::Query).map_err(|error| embedding_error(&error))?,
            false => Vec::new(),
        };
        let vector = vectors.into_iter().next().filter(|vector| vector.len() == model.dimensions);
        let changed = || {
            let message = format!("the vectors were made by another version of the model in `{}`", model.source);
            EngineError::bad_request(message).hint("make them again: {embed}")
        };
        Ok(Some(Meaning { store, vector: vector.ok_or_else(changed)?, model }))
    }
}

impl Meaning {
    /// All documents of a part of the project, the closest first, as far as the query allows them; `None` if the database of names is damaged.
    pub(crate) fn nearest(&self, facts: &ProjectFacts, query: &Query) -> Option<Nearest> {
        let database = facts.database();
        let hashes = database.hashes().ok()?;
        let mut met = FxHashSet::default();
        let mut documents = {
            let met = std::cell::RefCell::new(&mut met);
            let content = |hash: &[u8; 16]| {
                let content = hashes.get(hash).copied().filter(|content| !facts.files(*content).is_empty());
                met.borrow_mut().extend(content);
                content
            };
            // Damaged vectors are as good as none; the answer says so.
            self.store.near(&self.model, &self.vector, content).unwrap_or_default()
        };
        if documents.is_empty() {
            met.clear();
        }
        let has_vector = |file| facts.content(file).is_some_and(|content| met.contains(&content));
        let missing = facts.known().filter(|file| !has_vector(*file)).count();
        if let Some(required) = database.required(query).ok()? {
            documents.retain(|near| required.contains(&(near.content, near.document)));
        }
        if let Some(excluded) = database.excluded(query).ok()? {
            documents.retain(|near| !excluded.contains(&(near.content, near.document)));
        }
        let order = |one: &Near, other: &Near| {
            let by_place = || (one.content, one.document).cmp(&(other.content, other.document));
            other.similarity.total_cmp(&one.similarity).then_with(by_place)
        };
        if query.is_without_filters() && documents.len() > MOST {
            documents.select_nth_unstable_by(MOST, order);
            documents.truncate(MOST);
        }
        documents.sort_unstable_by(order);
        Some(Nearest { documents, missing })
    }
}
