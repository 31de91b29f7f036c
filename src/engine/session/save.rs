//! `save` and `diff`: trees to their files, and against them.

use std::path::PathBuf;

use crate::engine::core::Begun;
use crate::engine::method::Method;
use crate::engine::session::merge::merge;
use crate::engine::session::saving::{Content, NewFile, Saved};
use crate::reader::document::{Document, Origin, content_hash, decode_error};
use crate::request::error::{EngineError, ErrorCode, MergeOffer};
use crate::request::hint::Hint;
use crate::request::requests::{DiffRequest, Reading, SaveRequest};
use crate::request::responses::{DiffResponse, SaveResponse, SavedTree, TreeDiff};
use crate::store::{NewRevision, TreeRow};
use crate::text::{Text, unified};
use crate::tree::{EditIntent, ParseLimits, Tree};

/// A tree that is about to be saved.
struct Saving {
    row: TreeRow,
    path: PathBuf,
    tree: Tree,
    /// The revision that is written: the current one, or the merge that is made for it.
    revision: u32,
    bytes: Vec<u8>,
    old: Option<Vec<u8>>,
    merged: bool,
}

impl Method for DiffRequest {
    const NAME: &'static str = "diff";
    const READS: bool = true;
    type Result = DiffResponse;

    /// Shows trees against their files as they are on the disk now.
    ///
    /// # Errors
    /// When a tree isn't held, or its file can't be read.
    fn run(&self, engine: &Begun<'_>) -> Result<DiffResponse, EngineError> {
        let mut trees = Vec::new();
        for id in engine.trees_named(&self.tree_ids)? {
            let document = engine.session_document(&id)?;
            let path = engine.shown_path(&document);
            let header = path.clone().unwrap_or_else(|| "text".to_owned());
            let before = engine.text_on_disk(&document, &header)?;
            let diff = unified(&header, &before, document.tree.text());
            trees.push(TreeDiff { tree_id: id, path, diff });
        }
        Ok(DiffResponse { trees })
    }
}

impl Method for SaveRequest {
    const NAME: &'static str = "save";
    const READS: bool = false;
    type Result = SaveResponse;

    /// Writes trees to their files: all of them, or none. A file that isn't what was loaded is left alone unless `force` or
    /// `merge` say otherwise.
    ///
    /// # Errors
    /// When a file changed meanwhile, or one can't be written; none is written then.
    fn run(&self, engine: &Begun<'_>) -> Result<SaveResponse, EngineError> {
        if self.force && self.merge {
            return Err(EngineError::bad_request("`force` and `merge` exclude each other"));
        }
        engine.writer().recover()?;
        let ids = engine.trees_named(&self.tree_ids)?;
        let mut saving = Vec::with_capacity(ids.len());
        for id in &ids {
            let next = engine.prepare_save(id, self)?;
            if let Some(other) = saving.iter().find(|other: &&Saving| other.path == next.path) {
                let message = format!("trees `{}` and `{}` are both of one file", other.row.id, next.row.id);
                return Err(EngineError::new(ErrorCode::Conflict, message).path(engine.shown(&next.path)));
            }
            saving.push(next);
        }
        // What was merged becomes a revision only once every file is known to be fit for writing.
        for saving in saving.iter_mut().filter(|saving| saving.merged) {
            engine.keep_merge(saving)?;
        }
        let mut files = Vec::new();
        let mut saved = Vec::with_capacity(saving.len());
        for saving in saving {
            let Saving { row, path, revision, bytes, old, merged, .. } = saving;
            let written = old.as_ref() != Some(&bytes);
            let backup = (self.backup && written && old.is_some()).then(|| uuid::Uuid::now_v7().to_string());
            saved.push(SavedTree {
                tree_id: row.id.clone(),
                path: engine.shown(&path),
                written,
                bytes: bytes.len(),
                backup: backup.clone(),
                merged,
            });
            if written {
                let content = Content::Held { old, new: Some(bytes) };
                files.push(NewFile { path, content, tree: Some((row.id, revision)), backup });
            } else {
                let hash = content_hash(&bytes);
                engine.store()?.write(|session| {
                    let unsaved = session.tree(&row.id)?.head != revision;
                    session.set_base(&row.id, &bytes, &hash, unsaved)
                })?;
            }
        }
        let Saved { transaction, notes } = engine.writer().write_files(files, "save")?;
        Ok(SaveResponse { saved, transaction, notes })
    }
}

impl Begun<'_> {
    /// What is to be written of a tree.
    fn prepare_save(&self, id: &str, request: &SaveRequest) -> Result<Saving, EngineError> {
        let Document { tree, origin: Origin::Held(row) } = self.session_document(id)? else {
            return Err(EngineError::new(ErrorCode::Internal, "a tree of the store is held"));
        };
        let Some(path) = row.path.clone() else {
            let error = EngineError::bad_request(format!("tree `{id}` has no file"));
            return Err(error.hint("it was loaded from a text; {show} gives what it holds"));
        };
        let shown = self.shown(&path);
        let bytes = tree.text().encode().map_err(|error| decode_error(&error, &shown))?;
        let old = match self.files().read(&path, u64::MAX) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(self.unreadable(&path, &error)),
        };
        let revision = row.head;
        let mut saving = Saving { row, path, tree, revision, bytes, old, merged: false };
        let is_as_loaded = saving.old.as_deref().is_some_and(|old| content_hash(old) == saving.row.base_hash);
        if is_as_loaded || request.force || saving.old.as_ref() == Some(&saving.bytes) {
            return Ok(saving);
        }
        self.merge_in(&mut saving, request.merge)?;
        Ok(saving)
    }

    /// Merges what somebody did to the file into what is to be written; an error with the offer, unless it was accepted.
    fn merge_in(&self, saving: &mut Saving, accepted: bool) -> Result<(), EngineError> {
        let shown = self.shown(&saving.path);
        let gone = EngineError::new(ErrorCode::FileChanged, format!("`{shown}` is gone")).path(shown.clone());
        let Some(old) = &saving.old else { return Err(gone.hint("{force} writes it anew")) };
        let changed = EngineError::new(ErrorCode::FileChanged, format!("`{shown}` was changed since it was loaded"));
        let mut changed = changed.path(shown.clone());
        let label = saving.row.label.as_deref();
        let Ok(theirs) = Text::decode(old, label) else {
            return Err(changed.hint("it is no longer text in its encoding; {force} overwrites it"));
        };
        let base = self.store()?.read(|session| session.base(&saving.row.id))?;
        let base = Text::decode(&base, label).map_err(|error| decode_error(&error, &shown))?;
        let ours = saving.tree.text();
        let merged = merge(&base.to_string(), &ours.to_string(), &theirs.to_string());
        let text = theirs.with_source(&merged.source);
        if merged.conflicts > 0 || !accepted {
            let diff = unified(&shown, &theirs, &text);
            changed.details.merge = Some(MergeOffer { conflicts: merged.conflicts, diff });
            return Err(match merged.conflicts {
                0 => changed.hint("{merge} takes both changes, {force} writes over the other's"),
                count => changed.hint(
                    Hint::from(format!(
                        "both changed the same lines in {count} place{}",
                        if count == 1 { "" } else { "s" }
                    ))
                    .and("; reload the file, or overwrite it with {force}"),
                ),
            });
        }
        let limits = ParseLimits::default();
        let edited = saving.tree.edit(&merged.from_ours, &EditIntent::default(), &limits);
        let edited = edited.map_err(|error| crate::reader::document::parse_error(&error, Some(&shown)))?;
        let theirs_tree = Tree::parse(theirs, saving.tree.language(), &limits);
        let sound_before = saving.tree.is_sound() && theirs_tree.is_ok_and(|tree| tree.is_sound());
        if sound_before && let Some(error) = edited.tree.errors().first() {
            let message = format!("the merge would break the syntax: {}", error.what);
            let mut broken = EngineError::new(ErrorCode::WouldBreakSyntax, message).path(shown);
            broken.details.line = Some(error.position.line);
            return Err(broken.hint("reload the file and edit that"));
        }
        saving.bytes = text.encode().map_err(|error| decode_error(&error, &shown))?;
        saving.merged = true;
        Ok(())
    }

    /// Makes the merge a revision of the tree.
    fn keep_merge(&self, saving: &mut Saving) -> Result<(), EngineError> {
        let label = saving.row.label.as_deref();
        let shown = self.shown(&saving.path);
        let text = Text::decode(&saving.bytes, label).map_err(|error| decode_error(&error, &shown))?;
        let ours = saving.tree.text();
        let forward = crate::engine::session::merge::edits(&ours.to_string(), &text.to_string());
        let inverse = forward.inverse(ours);
        let edited = saving.tree.edit(&forward, &EditIntent::default(), &ParseLimits::default());
        let edited = edited.map_err(|error| crate::reader::document::parse_error(&error, Some(&shown)))?;
        let removed = crate::engine::session::removed::by_one(&saving.tree, &edited.node_map, "merge");
        let revision = NewRevision {
            forward,
            inverse,
            source: edited.tree.text().to_string(),
            ids: edited.tree.id_runs(),
            shape: edited.tree.table().shape(),
            removed,
            unsaved: true,
        };
        saving.revision = self.store()?.write(|session| {
            let now = session.tree(&saving.row.id)?;
            if now.head != saving.row.head {
                let message = format!("another process has edited tree `{}` in the meantime", saving.row.id);
                return Err(EngineError::new(ErrorCode::Conflict, message).hint("repeat the request"));
            }
            session.put_revision(&now, &revision)
        })?;
        self.sessions.keep_tree(&saving.row.id, saving.revision, &edited.tree);
        Ok(())
    }

    /// The text of a tree's file now; of a text without a file, and of a file that is gone, the text as loaded.
    fn text_on_disk(&self, document: &Document, shown: &str) -> Result<Text, EngineError> {
        let Origin::Held(row) = &document.origin else { return Ok(document.tree.text().clone()) };
        let there = match &row.path {
            Some(path) => match self.read_bytes(path, &Reading::default()) {
                Ok(bytes) => Some(bytes),
                Err(error) if error.code == ErrorCode::NotFound => None,
                Err(error) => return Err(error),
            },
            None => None,
        };
        let bytes = match there {
            Some(bytes) => bytes,
            None => self.store()?.read(|session| session.base(&row.id))?,
        };
        Text::decode(&bytes, row.label.as_deref()).map_err(|error| decode_error(&error, shown))
    }
}
