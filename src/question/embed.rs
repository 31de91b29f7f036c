//! Makes the vectors of a project's definitions, for the search by meaning.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::Instant;

use rustc_hash::FxHashMap;

use crate::database::{Content, ContentVectors, DatabaseError, StoredModel, VectorStore};
use crate::embedding::Purpose;
use crate::facts::{PASSAGES_VERSION, passages};
use crate::interrupt::{poll, within};
use crate::limits;
use crate::locks::IgnorePoison;
use crate::modules::FileId;
use crate::project::{Flight, Scan, Sink, scan};
use crate::reader::models::embedding_error;
use crate::reader::open_model::OpenModel;
use crate::request::error::{EngineError, ErrorCode};
use crate::workspace::files::Workspace;
use crate::workspace::freshen::hash;

/// What was made.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Embedded {
    /// How many vectors were made now.
    pub made: usize,
    /// How many definitions had one already.
    pub kept: usize,
    /// The bytes of all vectors on the disk.
    pub bytes: u64,
}

/// What vectors of a model depend on: the model, and the texts that it gets.
pub(crate) fn identity(model: &OpenModel) -> String {
    format!("{} {PASSAGES_VERSION} {}", model.model.identity(), limits::PASSAGE_CHARACTERS)
}

/// A content without vectors.
struct Missing {
    content: Content,
    hash: [u8; 16],
    file: FileId,
}

/// The vectors that a job made.
struct Made {
    vectors: ContentVectors,
    documents: usize,
    made: usize,
}

impl Workspace<'_> {
    /// Makes the vectors that are missing. What was made stays, if it ends early.
    ///
    /// # Errors
    /// If the model fails, another process makes vectors, or the request is to stop.
    pub(crate) fn embed(&self, model: &OpenModel) -> Result<Embedded, EngineError> {
        let damaged = |error: DatabaseError| {
            EngineError::new(ErrorCode::Internal, format!("the vectors cannot be kept: {error}"))
        };
        let Some(facts) = &self.facts else {
            let error = EngineError::bad_request("without a database of names there is no place for vectors");
            return Err(error.hint("leave out what keeps the cache from being used"));
        };
        let store = self.vectors(true);
        let store = store.ok_or_else(|| EngineError::new(ErrorCode::ReadOnly, "the vectors cannot be opened"))?;
        let writer = store.writer().ok_or_else(|| {
            let error = EngineError::new(ErrorCode::ReadOnly, "another process makes vectors now");
            error.hint("wait until it is done; searches go on meanwhile")
        })?;
        // How long a vector is, an endpoint shows only by making one.
        let sample = model.model.embed(&["dimensions"], Purpose::Passage).map_err(|error| embedding_error(&error))?;
        let stored =
            writer.choose(&identity(model), &model.source, sample.first().map_or(0, Vec::len)).map_err(damaged)?;
        let hashes = facts.database().hashes().map_err(damaged)?;
        let present = store.contents(&stored).map_err(damaged)?;
        let mut missing = Vec::new();
        let (mut embedded, mut total) = (Embedded::default(), 0);
        for (hash, &content) in &hashes {
            let Some(&file) = facts.files(content).first() else { continue };
            match present.get(hash) {
                Some(vectors) => embedded.kept += vectors,
                None => {
                    total += facts.database().documents(content).map_err(damaged)?;
                    missing.push(Missing { content, hash: *hash, file });
                }
            }
        }
        missing.sort_by_key(|missing| (missing.file, missing.content));
        // A definition that was moved or whose file has changed elsewhere keeps its vector.
        let texts = match missing.is_empty() {
            true => FxHashMap::default(),
            false => store.texts(&stored).map_err(damaged)?,
        };
        let known = Known { store: &store, model: &stored, texts };
        let failed: Mutex<Option<EngineError>> = Mutex::default();
        let question = self.engine.question();
        let work = |job: usize, _: Flight<'_>, send: Sink<'_, Made>| {
            let worked = within(&question, || self.embed_content(&missing[job], model, &known));
            let error = match worked {
                Ok(Ok(Some(made))) => {
                    send(made, 0);
                    return;
                }
                Ok(Ok(None)) => return,
                Ok(Err(error)) => error,
                Err(reason) => self.engine.left(reason),
            };
            failed.lock().ignore_poison().get_or_insert(error);
        };
        let has_failed = || match failed.lock().ignore_poison().is_some() {
            true => ControlFlow::Break(None),
            false => ControlFlow::Continue(()),
        };
        let observer = &self.engine.host.observer;
        let (mut waiting, mut since, mut done) = (Vec::new(), Instant::now(), 0);
        let ended = scan(
            missing.len(),
            Scan { threads: self.reading.threads.unwrap_or(0), unordered: true },
            work,
            has_failed,
            |made| {
                done += made.documents;
                embedded.made += made.made;
                embedded.kept += made.documents - made.made;
                observer.progress(done.min(total), Some(total), "embedding");
                waiting.push(made.vectors);
                if since.elapsed() < limits::VECTORS_TIME {
                    return ControlFlow::Continue(());
                }
                since = Instant::now();
                match writer.add(&stored, &std::mem::take(&mut waiting)) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(error) => ControlFlow::Break(Some(error)),
                }
            },
        );
        let written = match ended {
            ControlFlow::Break(Some(error)) => Err(error),
            _ => writer.add(&stored, &waiting),
        };
        if let Some(error) = failed.into_inner().ignore_poison() {
            return Err(error);
        }
        written.and_then(|()| writer.settle(&stored, |hash| hashes.contains_key(hash))).map_err(damaged)?;
        embedded.bytes = store.bytes();
        Ok(embedded)
    }

    /// The store of vectors of the project.
    pub(crate) fn vectors(&self, create: bool) -> Option<VectorStore> {
        if self.reading.no_cache {
            return None;
        }
        let root = self.engine.files().resolve(self.root()).ok()?;
        VectorStore::open(self.engine.host.cache.as_ref()?, &root, create)
    }

    /// The vectors of a content; `None` if its file has changed since, or cannot be read.
    fn embed_content(
        &self,
        missing: &Missing,
        model: &OpenModel,
        known: &Known<'_>,
    ) -> Result<Option<Made>, EngineError> {
        let Ok(bytes) = self.bytes(missing.file) else { return Ok(None) };
        if hash(self.project.file(missing.file).language, &bytes) != missing.hash {
            return Ok(None);
        }
        let Ok(tree) = self.tree_of(missing.file, bytes) else { return Ok(None) };
        let texts = passages(&tree);
        drop(tree);
        let mut vectors: Vec<(u64, Option<Vec<f32>>)> = Vec::with_capacity(texts.len());
        let mut sought: Vec<usize> = Vec::new();
        for (number, text) in texts.iter().enumerate() {
            let text_hash = text_hash(text);
            let vector = known.vector(text_hash);
            if vector.is_none() {
                sought.push(number);
            }
            vectors.push((text_hash, vector));
        }
        let made = sought.len();
        // Those of similar length together.
        sought.sort_by_key(|&number| texts[number].len());
        for part in sought.chunks(model.model.batch().max(1)) {
            poll();
            let batch: Vec<&str> = part.iter().map(|&number| texts[number].as_str()).collect();
            let found = model.model.embed(&batch, Purpose::Passage).map_err(|error| embedding_error(&error))?;
            for (&number, vector) in part.iter().zip(found) {
                if vector.len() != known.model.dimensions {
                    let message = "the model makes vectors of several lengths";
                    return Err(EngineError::new(ErrorCode::EndpointFailed, message));
                }
                vectors[number].1 = Some(vector);
            }
        }
        let documents = vectors.len();
        let dimensions = known.model.dimensions;
        let vectors =
            vectors.into_iter().map(|(hash, vector)| (hash, vector.unwrap_or_else(|| vec![0.0; dimensions]))).collect();
        let vectors = ContentVectors { content: missing.hash, vectors };
        Ok(Some(Made { vectors, documents, made }))
    }
}

/// The vectors that there are.
struct Known<'a> {
    store: &'a VectorStore,
    model: &'a StoredModel,
    texts: FxHashMap<u64, (i64, u32)>,
}

impl Known<'_> {
    /// The vector of a text.
    fn vector(&self, text: u64) -> Option<Vec<f32>> {
        self.store.vector(self.model, *self.texts.get(&text)?).ok()
    }
}

/// The hash of a text.
fn text_hash(text: &str) -> u64 {
    let mut hash = [0; 8];
    hash.copy_from_slice(&blake3::hash(text.as_bytes()).as_bytes()[..8]);
    u64::from_le_bytes(hash)
}
