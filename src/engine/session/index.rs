//! `index`: what parsing a folder's files gives, kept for the searches to come.

use std::path::{Path, PathBuf};

use crate::engine::core::Begun;
use crate::engine::method::Method;
use crate::index::{clear, size};
use crate::project::Sink;
use crate::reader::scan::{FileVisitor, ParsedFile};
use crate::reader::target::Source;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::report::{FilesReport, Skipped};
use crate::request::requests::{IndexRequest, Reading, Target};
use crate::request::responses::{IndexResponse, ScipSummary, VectorCounts};

/// Looks at nothing: that files are read and kept is all.
struct Indexer;

impl FileVisitor for Indexer {
    type Found = ();

    fn looks_inside(&self) -> bool {
        false
    }

    fn wants_trees(&self) -> bool {
        false
    }

    fn visit(&self, _seen: &ParsedFile<'_>, _send: Sink<'_, ()>) -> Result<(), EngineError> {
        Ok(())
    }
}

impl Method for IndexRequest {
    const NAME: &'static str = "index";
    const READS: bool = false;
    type Result = IndexResponse;

    /// Makes the indexes of folders, or brings them up to date.
    ///
    /// # Errors
    /// When a target is no folder, or there is no place for the index.
    fn run(&self, engine: &Begun<'_>) -> Result<IndexResponse, EngineError> {
        if engine.host.cache.is_none() {
            let error = EngineError::bad_request("no folder for the index is known");
            return Err(error.hint("set CST_CACHE to a folder"));
        }
        if self.clear {
            return engine.clear_indexes(&self.targets);
        }
        // A model that cannot be used is better known before the work than after it.
        let model = self.embed.as_ref().map(|name| engine.model_named(name)).transpose()?;
        let folders = engine.index_folders(&self.targets)?;
        let scip =
            self.scip.as_ref().map(|index| engine.keep_index(index, &self.targets, &self.reading)).transpose()?;
        let mut report = FilesReport::default();
        let reading = Reading { cache: true, no_cache: false, ..self.reading.clone() };
        let searched = engine.resolve_targets(&self.targets, &reading, &mut report)?;
        if !searched.is_writing() {
            let error = EngineError::bad_request("the index cannot be written now");
            let hint = "another process writes it, or its folder is read-only; searches go on meanwhile";
            return Err(error.hint(hint));
        }
        engine.visit(&searched, &reading, &Indexer, &mut report, |(), _| Ok(true))?;
        let here = [Target::Named(".".to_owned())];
        let mut names = 0;
        let mut vectors = model.as_ref().map(|_| VectorCounts::default());
        for target in if self.targets.is_empty() { &here[..] } else { &self.targets } {
            let reading = Reading { cache: false, ..self.reading.clone() };
            let workspace = engine.workspace_with(std::slice::from_ref(target), &reading, true)?;
            names += workspace.facts.as_ref().map_or(0, |facts| facts.database().bytes());
            if let Some((model, counts)) = model.as_ref().zip(vectors.as_mut()) {
                let embedded = workspace.embed(model)?;
                counts.made += embedded.made;
                counts.kept += embedded.kept;
                counts.bytes += embedded.bytes;
            }
        }
        let FilesReport { searched, kept, skipped, unknown_language, .. } = report;
        let bytes = names + folders.iter().map(|(cache, root)| size(cache, root)).sum::<u64>();
        Ok(IndexResponse { scip, indexed: searched, kept, bytes, cleared: false, vectors, skipped, unknown_language })
    }

    fn name_skips(answer: &mut IndexResponse) -> &mut [Skipped] {
        &mut answer.skipped
    }
}

impl Begun<'_> {
    /// Keeps a SCIP index for the only folder.
    fn keep_index(&self, index: &Path, targets: &[Target], reading: &Reading) -> Result<ScipSummary, EngineError> {
        let here = Target::Named(".".to_owned());
        let target = match targets {
            [] => &here,
            [target] => target,
            _ => {
                return Err(EngineError::bad_request("a SCIP index is one of one folder, not of several"));
            }
        };
        let Source::Folder(folder) = self.source(target)? else {
            return Err(EngineError::bad_request("a SCIP index is one of a folder, not of a file"));
        };
        // Questions look at the whole project.
        let project = self.project_of(&folder);
        let kept = self.keep_scip(&self.absolute(index), &project.path, reading)?;
        Ok(ScipSummary { tool: kept.tool, files: kept.documents as usize, names: kept.names as usize })
    }

    /// Removes the indexes of exactly these folders.
    fn clear_indexes(&self, targets: &[Target]) -> Result<IndexResponse, EngineError> {
        let mut bytes = 0;
        for (cache, root) in self.index_folders(targets)? {
            bytes += size(&cache, &root);
            let cleared = clear(&cache, &root).map_err(|error| {
                EngineError::new(ErrorCode::ReadOnly, format!("the index cannot be removed: {error}"))
            })?;
            if !cleared {
                let error = EngineError::new(ErrorCode::Conflict, "another process writes the index");
                return Err(error.path(self.shown(&root)).hint("repeat it when that process has ended"));
            }
            bytes += crate::database::clear(&cache, &root).unwrap_or(0);
        }
        let skipped = Vec::new();
        Ok(IndexResponse {
            scip: None,
            indexed: 0,
            kept: 0,
            bytes,
            cleared: true,
            vectors: None,
            skipped,
            unknown_language: 0,
        })
    }

    /// The cache folder, and the folders named as the system names them.
    fn index_folders(&self, targets: &[Target]) -> Result<Vec<(PathBuf, PathBuf)>, EngineError> {
        let here = [Target::Named(".".to_owned())];
        let targets = if targets.is_empty() { &here } else { targets };
        let cache = self.host.cache.clone().unwrap_or_default();
        let mut folders = Vec::new();
        for target in targets {
            let Source::Folder(folder) = self.source(target)? else {
                return Err(EngineError::bad_request("an index is made of a folder, not of a file"));
            };
            let resolved = self.files().resolve(&folder).map_err(|error| self.unreadable(&folder, &error))?;
            folders.push((cache.clone(), resolved));
        }
        Ok(folders)
    }
}
