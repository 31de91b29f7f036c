//! `load`: hold trees.

use crate::engine::core::Begun;
use crate::engine::method::Method;
use crate::outline::Options;
use crate::reader::document::{ReadFile, content_hash, decode_error, error_rows, limits, parse_error};
use crate::reader::rows::definitions;
use crate::reader::target::Source;
use crate::request::error::EngineError;
use crate::request::requests::LoadRequest;
use crate::request::responses::{LoadResponse, LoadedTree};
use crate::store::{TreeRow, seconds_now};
use crate::text::Text;
use crate::tree::Tree;
use std::path::PathBuf;

/// A tree that is about to be held.
struct Loading {
    tree: Tree,
    bytes: Vec<u8>,
    path: Option<PathBuf>,
    name: Option<String>,
}

impl Method for LoadRequest {
    const NAME: &'static str = "load";
    const READS: bool = false;
    type Result = LoadResponse;

    /// Holds trees of files, or of one text. No file is written.
    ///
    /// # Errors
    /// When one of them can't be read or parsed; none is held then.
    fn run(&self, engine: &Begun<'_>) -> Result<LoadResponse, EngineError> {
        let loading = engine.interruptible(|| engine.read_all(self))?;
        let mut trees = Vec::with_capacity(loading.len());
        let store = engine.store()?;
        store.write_lightly(|session| {
            for loading in &loading {
                let Loading { tree, bytes, path, name } = loading;
                let hash = content_hash(bytes);
                let encoding = tree.text().encoding();
                let ids = tree.id_runs();
                let row = TreeRow {
                    id: uuid::Uuid::now_v7().to_string(),
                    path: path.clone(),
                    name: name.clone(),
                    language: tree.language().name().to_owned(),
                    label: (!encoding.is_self_describing()).then(|| encoding.name()),
                    loaded_hash: hash.clone(),
                    base_hash: hash,
                    head: 0,
                    next_revision: 1,
                    next_id: ids.next,
                    unsaved: false,
                    used: seconds_now(),
                };
                session.insert_tree(&row, bytes, &tree.text().to_string(), &ids, &tree.table().shape())?;
                if row.path.is_none() {
                    session.note_project(&row.id, &engine.project())?;
                }
                trees.push(engine.loaded_row(self, loading, row)?);
            }
            Ok(())
        })?;
        Ok(LoadResponse { trees })
    }
}

impl Begun<'_> {
    fn loaded_row(&self, request: &LoadRequest, loading: &Loading, row: TreeRow) -> Result<LoadedTree, EngineError> {
        let tree = &loading.tree;
        self.sessions.keep_tree(&row.id, 0, tree);
        let table = tree.table();
        let outline = request.outline.then(|| definitions(tree, &Options::default())).transpose()?;
        Ok(LoadedTree {
            tree_id: row.id,
            path: row.path.as_deref().map(|path| self.shown(path)).or(row.name),
            language: row.language,
            revision: 0,
            lines: tree.text().line_count(),
            nodes: table.nodes().filter(|&node| table.is_named(node)).count(),
            errors: error_rows(tree),
            outline,
        })
    }

    fn read_all(&self, request: &LoadRequest) -> Result<Vec<Loading>, EngineError> {
        let mut reading = request.reading.clone();
        reading.language = request.language.clone().or(reading.language);
        if let Some(text) = &request.text {
            if !request.paths.is_empty() {
                let message = "`text` and `paths` exclude each other";
                return Err(EngineError::bad_request(message));
            }
            let name = request.name.clone();
            let path = name.as_deref().unwrap_or("");
            let language = self.language_of(path, text.as_bytes(), reading.language.as_deref(), "the text")?;
            let bytes = text.clone().into_bytes();
            let text = Text::decode(&bytes, language.stored_as(path)).map_err(|error| decode_error(&error, path))?;
            let tree = Tree::parse(text, language, &limits(&reading)).map_err(|error| parse_error(&error, None))?;
            return Ok(vec![Loading { tree, bytes, path: None, name }]);
        }
        if request.paths.is_empty() {
            let error = EngineError::bad_request("nothing to load");
            return Err(error.hint("give `paths`, or `text` with `language` or `name`"));
        }
        let mut loading = Vec::with_capacity(request.paths.len());
        for path in &request.paths {
            let path = match self.source_at(path)? {
                Source::File(path) => path,
                _ => {
                    let shown = self.shown(&self.absolute(path));
                    let error = EngineError::bad_request(format!("`{shown}` is a folder, not a file"));
                    return Err(error
                        .path(shown)
                        .hint("load the files that you mean to edit; {find} searches folders"));
                }
            };
            let ReadFile { bytes, text, language } = self.read_file(&path, &reading)?;
            let shown = self.shown(&path);
            let tree =
                Tree::parse(text, language, &limits(&reading)).map_err(|error| parse_error(&error, Some(&shown)))?;
            loading.push(Loading { tree, bytes, path: Some(path), name: None });
        }
        Ok(loading)
    }
}
