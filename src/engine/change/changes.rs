//! Texts changed in many files: each with its diff, then all of them written, or none.
//!
//! A [`Change`] is made of a file and its new tree, on any thread: the messages of configured programs, its diff, its new bytes. The
//! calling thread collects the [`Changes`] of a request. Nothing is written before all of them are known and the request can be
//! done; then files are written as one transaction, and trees get their next revisions.

use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::engine::change::verify::NewContent;
use crate::engine::core::{Begun, Engine};
use crate::engine::session::modify::stage_revision;
use crate::engine::session::removed::by_ids;
use crate::engine::session::saving::{NewFile, Patched, Saved};
use crate::engine::session::undo::ranges;
use crate::reader::document::{Document, Origin, content_hash, short};
use crate::request::entries::Entries;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::report::FilesReport;
use crate::request::requests::OnError;
use crate::request::responses::{Carried, ChangedFile, ChangesResponse, Revision};
use crate::store::NewRevision;
use crate::text::{
    EditSet, Encoding, Patch, Text, changed_lines, difference, unified, unified_deleted, unified_move, unified_new,
};
use crate::tree::Tree;

/// What is to be done with the changes of a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct WriteOptions {
    /// The request's name, under which the store says what removed a node.
    pub request: &'static str,
    /// Files are written.
    pub write: bool,
    /// Nothing is changed at all, no tree either.
    pub dry_run: bool,
    /// Whether the configured check is left out.
    pub unchecked: bool,
    /// What happens to files that can't be changed.
    pub on_error: OnError,
    /// How many matches there must be.
    pub expect_count: Option<usize>,
}

/// What was found in a file, and done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct MatchCounts {
    /// How many matches.
    pub matches: usize,
    /// How many of them changed the text.
    pub applied: usize,
    /// What else is worth knowing.
    pub notes: Vec<String>,
}

/// A file with its new text.
pub(crate) struct Change {
    row: ChangedFile,
    destination: Destination,
    /// What is known of all files together.
    note: Option<String>,
}

/// Where a new text goes.
enum Destination {
    /// Into a file.
    File { path: PathBuf, old: Vec<u8>, new: Vec<u8> },
    /// Into a file of many, which is read again when it is written.
    Patched { path: PathBuf, patched: Patched },
    /// Into a file with another path, or a new one.
    Placed { from: Option<(PathBuf, Vec<u8>)>, to: PathBuf, new: Vec<u8> },
    /// Nowhere: the file is deleted.
    Deleted { path: PathBuf, old: Vec<u8> },
    /// Into the store.
    Tree { document: Box<Document>, next: Box<NewRevision>, tree: Tree },
    /// Nowhere: the text is the old one, or came with the request.
    Nowhere,
}

impl Change {
    /// A file that can't be changed.
    pub(crate) fn refused(path: Option<&str>, counts: MatchCounts, error: EngineError) -> Change {
        let path = path.unwrap_or("-").to_owned();
        let MatchCounts { matches, notes, .. } = counts;
        let row = ChangedFile { path, matches, notes, error: Some(error), ..ChangedFile::default() };
        Change { row, destination: Destination::Nowhere, note: None }
    }

    /// The same, with what became of the file's nodes.
    pub(crate) fn carrying(mut self, carried: Carried) -> Change {
        self.row.carried = Some(carried);
        self
    }

    /// About how many bytes it takes.
    pub(crate) fn weight(&self) -> usize {
        let diff = self.row.diff.as_ref().map_or(0, String::len);
        let destination = match &self.destination {
            Destination::File { old, new, .. } => old.len() + new.len(),
            Destination::Patched { patched, .. } => patched.patch.memory(),
            Destination::Placed { from, new, .. } => from.as_ref().map_or(0, |(_, old)| old.len()) + new.len(),
            Destination::Deleted { old, .. } => old.len(),
            Destination::Tree { next, .. } => 2 * next.source.len(),
            Destination::Nowhere => 0,
        };
        size_of::<Change>() + diff + destination
    }
}

impl Begun<'_> {
    /// A document's change to a new tree; what can't be is the row's error. The new tree has passed the gates of `edit`; here the
    /// configured check looks at it.
    pub(crate) fn change(
        &self,
        document: &Document,
        new: &Tree,
        counts: MatchCounts,
        write_options: WriteOptions,
    ) -> Change {
        let edits = difference(document.tree.text(), new.text());
        self.change_to(document, (new.text(), Some(new)), edits, counts, write_options)
    }

    /// The same, where the edits that made the new tree are known.
    pub(crate) fn change_edited(
        &self,
        document: &Document,
        new: &Tree,
        edits: EditSet,
        counts: MatchCounts,
        write_options: WriteOptions,
    ) -> Change {
        self.change_to(document, (new.text(), Some(new)), edits, counts, write_options)
    }

    /// A document's change by edits that leave every node what it was, so that there is no need for a new tree.
    pub(crate) fn change_by(
        &self,
        document: &Document,
        edits: EditSet,
        counts: MatchCounts,
        write_options: WriteOptions,
    ) -> Change {
        let new = document.tree.text().apply(&edits);
        self.change_to(document, (&new, None), edits, counts, write_options)
    }

    fn change_to(
        &self,
        document: &Document,
        new: (&Text, Option<&Tree>),
        edits: EditSet,
        counts: MatchCounts,
        write_options: WriteOptions,
    ) -> Change {
        let path = self.shown_path(document);
        match self.changed(document, new, edits, &counts, write_options) {
            Ok(change) => change,
            Err(error) => Change::refused(path.as_deref(), counts, error),
        }
    }

    fn changed(
        &self,
        document: &Document,
        (new, new_tree): (&Text, Option<&Tree>),
        edits: EditSet,
        counts: &MatchCounts,
        write_options: WriteOptions,
    ) -> Result<Change, EngineError> {
        let old = &document.tree;
        let path = self.shown_path(document);
        let MatchCounts { matches, applied, notes } = counts.clone();
        let mut row = ChangedFile {
            path: path.clone().unwrap_or_else(|| "-".to_owned()),
            tree_id: document.tree_id(),
            matches,
            applied,
            notes,
            ..ChangedFile::default()
        };
        if edits.is_empty() {
            row.applied = 0;
            return Ok(Change { row, destination: Destination::Nowhere, note: None });
        }
        let is_written = write_options.write && !write_options.dry_run;
        let is_staged = document.tree_id().is_some() && !write_options.dry_run;
        // A preview runs nothing.
        let checks = (is_written || is_staged) && !write_options.unchecked;
        let note = if checks { self.check_externally(document, new)? } else { None };
        row.changed_ranges = ranges(&changed_lines(new, &edits));
        row.diff = (!is_written).then(|| unified(path.as_deref().unwrap_or("text"), old.text(), new));
        let patch = match &document.origin {
            Origin::Walked { .. } if *new.encoding() == Encoding::UTF_8 => Patch::new(&edits, old.text().len()),
            _ => None,
        };
        let bytes = self.encode(document, new)?;
        let destination = match &document.origin {
            Origin::Walked { path } if let Some(patch) = patch => {
                let old_hash = content_hash(&self.encode(document, old.text())?);
                let patched = Patched { patch, old_hash, new_hash: content_hash(&bytes) };
                Destination::Patched { path: path.clone(), patched }
            }
            Origin::Held(held) if let Some(new) = new_tree => {
                let next = NewRevision {
                    inverse: edits.inverse(old.text()),
                    forward: edits,
                    source: new.text().to_string(),
                    ids: new.id_runs(),
                    shape: new.table().shape(),
                    removed: by_ids(old, new, write_options.request),
                    unsaved: content_hash(&bytes) != held.base_hash,
                };
                Destination::Tree { document: Box::new(document.clone()), next: Box::new(next), tree: new.clone() }
            }
            Origin::File { path, bytes: old, .. } => {
                Destination::File { path: path.clone(), old: old.clone(), new: bytes }
            }
            // A walk doesn't keep the bytes; the text is written as it was read.
            Origin::Walked { path } => {
                let old = self.encode(document, old.text())?;
                Destination::File { path: path.clone(), old, new: bytes }
            }
            Origin::Held(_) | Origin::Text { .. } => Destination::Nowhere,
        };
        let written = match &destination {
            Destination::File { path, new, .. } => Some((path, content_hash(new))),
            Destination::Patched { path, patched } => Some((path, patched.new_hash.clone())),
            Destination::Placed { .. }
            | Destination::Deleted { .. }
            | Destination::Tree { .. }
            | Destination::Nowhere => None,
        };
        if let Some((path, hash)) = &written {
            if is_written {
                self.writer().check_writable(path)?;
            }
            row.revision = Some(Revision::Hash(short(hash)));
        }
        let needless = write_options.write && written.is_none();
        if needless {
            let error = EngineError::bad_request("`write` is for files named by path");
            return Err(if document.tree_id().is_some() { error.hint("{save} writes a tree's file") } else { error });
        }
        Ok(Change { row, destination, note })
    }

    /// A file that gets another path, or a new file, with its text; what can't be is the row's error.
    pub(crate) fn change_placed(
        &self,
        from: Option<&Document>,
        (to, new): (&Path, &Tree),
        counts: MatchCounts,
        write_options: WriteOptions,
    ) -> Change {
        let path = self.shown(to);
        match self.placed(from, (to, new), &counts, write_options) {
            Ok(change) => change,
            Err(error) => Change::refused(Some(&path), counts, error),
        }
    }

    fn placed(
        &self,
        from: Option<&Document>,
        (to, new): (&Path, &Tree),
        counts: &MatchCounts,
        write_options: WriteOptions,
    ) -> Result<Change, EngineError> {
        let path = self.shown(to);
        let document = Document::walked(new.clone(), to);
        let bytes = self.encode(&document, new.text())?;
        let is_written = write_options.write && !write_options.dry_run;
        let note = match from {
            Some(old) if is_written && !write_options.unchecked && old.tree.text() != new.text() => {
                self.check_externally(old, new.text())?
            }
            _ => None,
        };
        let old = match from {
            Some(document) if let Origin::Walked { path } = &document.origin => {
                Some((path.clone(), self.encode(document, document.tree.text())?))
            }
            _ => None,
        };
        let moved_from = old.as_ref().map(|(path, _)| self.shown(path));
        let diff = match (&moved_from, from) {
            (Some(old_path), Some(old)) => unified_move(old_path, &path, old.tree.text(), new.text()),
            _ => unified_new(&path, new.text()),
        };
        let edits = match from {
            Some(old) => difference(old.tree.text(), new.text()),
            None => difference(&Text::new(""), new.text()),
        };
        let row = ChangedFile {
            path,
            is_created: from.is_none(),
            moved_from,
            matches: counts.matches,
            applied: counts.applied,
            notes: counts.notes.clone(),
            changed_ranges: ranges(&changed_lines(new.text(), &edits)),
            diff: (!is_written).then_some(diff),
            revision: Some(Revision::Hash(short(&content_hash(&bytes)))),
            ..ChangedFile::default()
        };
        let destination = Destination::Placed { from: old, to: to.to_owned(), new: bytes };
        Ok(Change { row, destination, note })
    }

    /// A file that is deleted.
    ///
    /// # Errors
    /// If its text cannot be written in its encoding.
    pub(crate) fn change_deleted(
        &self,
        (path, old): (&Path, &Tree),
        write_options: WriteOptions,
    ) -> Result<Change, EngineError> {
        let document = Document::walked(old.clone(), path);
        let bytes = self.encode(&document, old.text())?;
        let is_written = write_options.write && !write_options.dry_run;
        let shown = self.shown(path);
        let row = ChangedFile {
            diff: (!is_written).then(|| unified_deleted(&shown, old.text())),
            path: shown,
            is_deleted: true,
            matches: 1,
            applied: 1,
            ..ChangedFile::default()
        };
        Ok(Change { row, destination: Destination::Deleted { path: path.to_owned(), old: bytes }, note: None })
    }

    /// A file without a language that gets another path.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn change_path(
        &self,
        from: &Path,
        to: &Path,
        write_options: WriteOptions,
    ) -> Result<Change, EngineError> {
        let bytes = self.files().read(from, u64::MAX).map_err(|error| self.unreadable(from, &error))?;
        let (path, old_path) = (self.shown(to), self.shown(from));
        let is_written = write_options.write && !write_options.dry_run;
        let row = ChangedFile {
            diff: (!is_written).then(|| unified_move(&old_path, &path, &Text::new(""), &Text::new(""))),
            path,
            moved_from: Some(old_path),
            matches: 1,
            applied: 1,
            ..ChangedFile::default()
        };
        let destination =
            Destination::Placed { from: Some((from.to_owned(), bytes.clone())), to: to.to_owned(), new: bytes };
        Ok(Change { row, destination, note: None })
    }
}

/// The changes of a request.
#[derive(Default)]
pub(crate) struct Changes {
    changes: Vec<Change>,
    /// The files named so far: a file that two targets name is changed once.
    seen: FxHashSet<PathBuf>,
    /// What is known of all files together.
    pub notes: Vec<String>,
    /// The files that must change, and the revision that each must get; any, if there are none.
    pub expected: Entries<String>,
}

impl Changes {
    /// Adds the change of a file; false where it is known already.
    pub(crate) fn add(&mut self, engine: &Engine, change: Change) -> bool {
        if let Destination::File { path, .. } | Destination::Patched { path, .. } = &change.destination {
            let resolved = engine.files().resolve(path).unwrap_or_else(|_| path.clone());
            if !self.seen.insert(resolved) {
                return false;
            }
        }
        if let Some(note) = change.note.as_ref().filter(|note| !self.notes.contains(note)) {
            self.notes.push(note.clone());
        }
        if change.row.matches > 0 || change.row.error.is_some() {
            self.changes.push(change);
        }
        true
    }

    /// Refuses changes that are not as the request wants them.
    ///
    /// # Errors
    /// When a file couldn't be changed and none may be left out, or at another number of matches than expected.
    pub(crate) fn check(&self, write_options: WriteOptions) -> Result<(), EngineError> {
        if write_options.on_error == OnError::Stop {
            refuse_failed(&self.changes)?;
        }
        refuse_unexpected(&self.changes, &self.expected)?;
        let matches = self.matches();
        match write_options.expect_count.filter(|&expected| expected != matches) {
            Some(expected) => {
                let message = format!("the number of matches is {matches}, not {expected}");
                Err(EngineError::new(ErrorCode::ExpectCount, message).hint("{dry_run} shows what would change"))
            }
            None => Ok(()),
        }
    }

    fn matches(&self) -> usize {
        self.changes.iter().filter(|change| change.row.error.is_none()).map(|change| change.row.matches).sum()
    }

    /// The files as the changes leave them.
    ///
    /// # Errors
    /// If one cannot be read any more, or if a tree changes, which is no file.
    pub(crate) fn contents(&self, engine: &Engine) -> Result<Vec<NewContent>, EngineError> {
        let mut contents = Vec::new();
        for change in &self.changes {
            match &change.destination {
                Destination::File { path, old, new } => {
                    let (old, new) = (Some(old.clone()), Some(new.clone()));
                    contents.push(NewContent { path: path.clone(), old, new });
                }
                Destination::Patched { path, patched } => {
                    let old = engine.files().read(path, u64::MAX).map_err(|error| engine.unreadable(path, &error))?;
                    let new = patched.patch.apply(&old).filter(|new| content_hash(new) == patched.new_hash);
                    let new = new.ok_or_else(|| engine.writer().changed_meanwhile(path))?;
                    contents.push(NewContent { path: path.clone(), old: Some(old), new: Some(new) });
                }
                Destination::Placed { from, to, new } => {
                    if let Some((path, old)) = from {
                        contents.push(NewContent { path: path.clone(), old: Some(old.clone()), new: None });
                    }
                    contents.push(NewContent { path: to.clone(), old: None, new: Some(new.clone()) });
                }
                Destination::Deleted { path, old } => {
                    contents.push(NewContent { path: path.clone(), old: Some(old.clone()), new: None });
                }
                Destination::Tree { .. } => {
                    let error = EngineError::bad_request("`verify` is for files, not for trees");
                    return Err(error.hint("name the file by its path, or save the tree and run the command"));
                }
                Destination::Nowhere => {}
            }
        }
        Ok(contents)
    }

    /// Does what is to be done with the changes, now that all of them are known, if the command that `verify` names has no new
    /// complaint.
    ///
    /// # Errors
    /// As [`Changes::finish`]; if the command has new complaints, or does not look at the changed files.
    pub(crate) fn verify_and_finish(
        self,
        engine: &Engine,
        write_options: WriteOptions,
        report: FilesReport,
        verify: Option<&str>,
    ) -> Result<ChangesResponse, EngineError> {
        let Some(verify) = verify else { return self.finish(engine, write_options, report) };
        self.check(write_options)?;
        let contents = self.contents(engine)?;
        let Some(first) = contents.first() else { return self.finish(engine, write_options, report) };
        let here = engine.project_of(&engine.host.working_directory).path;
        let is_here = contents.iter().all(|file| file.path.starts_with(&here));
        let root = match is_here {
            true => here,
            false => engine.project_of(first.path.parent().unwrap_or(&first.path)).path,
        };
        let mut verifier = engine.verifier(verify, &root)?;
        let trial = verifier.check_change(&contents)?;
        if !trial.passes() {
            return Err(trial.refusal());
        }
        verifier.check_notice(&contents)?;
        drop(verifier);
        let done = self.finish(engine, write_options, report)?;
        Ok(ChangesResponse { verified: Some(trial.verified), ..done })
    }

    /// Does what is to be done with the changes, now that all of them are known.
    ///
    /// # Errors
    /// When a file couldn't be changed and none may be left out, at another number of matches than expected, when a file can't
    /// be written. Nothing is written then.
    pub(crate) fn finish(
        self,
        engine: &Engine,
        write_options: WriteOptions,
        report: FilesReport,
    ) -> Result<ChangesResponse, EngineError> {
        self.check(write_options)?;
        let matches = self.matches();
        let Changes { changes, notes, .. } = self;
        let is_done = |change: &&Change| change.row.error.is_none();
        let applied = changes.iter().filter(is_done).map(|change| change.row.applied).sum();
        let mut response = ChangesResponse {
            matches,
            applied,
            searched: report.searched,
            unknown_language: report.unknown_language,
            with_errors: report.with_errors,
            skipped: report.skipped,
            notes,
            ..ChangesResponse::default()
        };
        let (mut files, mut trees) = (Vec::new(), Vec::new());
        for Change { row, destination, .. } in changes {
            match destination {
                Destination::File { path, old, new } if write_options.write => {
                    files.push(NewFile::new(path, old, new));
                }
                Destination::Patched { path, patched } if write_options.write => {
                    files.push(NewFile::patched(path, patched));
                }
                Destination::Placed { from, to, new } if write_options.write => {
                    if let Some((path, old)) = from {
                        files.push(NewFile::placed(path, Some(old), None));
                    }
                    files.push(NewFile::placed(to, None, Some(new)));
                }
                Destination::Deleted { path, old } if write_options.write => {
                    files.push(NewFile::placed(path, Some(old), None));
                }
                Destination::Tree { document, next, tree } => trees.push((response.files.len(), document, next, tree)),
                _ => {}
            }
            response.files.push(row);
        }
        if write_options.dry_run {
            return Ok(response);
        }
        if !files.is_empty() {
            let Saved { transaction, notes } = engine.writer().write_files(files, write_options.request)?;
            response.transaction = Some(transaction);
            response.notes.extend(notes);
            response.written = true;
        }
        if !trees.is_empty() {
            let numbers = engine.store()?.write(|session| {
                let stage = |(_, document, next, _): &(usize, Box<Document>, Box<NewRevision>, Tree)| {
                    stage_revision(session, document, next)?.ok_or_else(edited_meanwhile)
                };
                trees.iter().map(stage).collect::<Result<Vec<u32>, EngineError>>()
            })?;
            for ((place, document, _, tree), number) in trees.iter().zip(numbers) {
                engine.sessions.keep_tree(&document.tree_id().unwrap_or_default(), number, tree);
                response.files[*place].revision = Some(Revision::Number(number));
            }
        }
        Ok(response)
    }
}

/// The error of the first file that can't be changed, with how many others can't.
fn refuse_failed(changes: &[Change]) -> Result<(), EngineError> {
    let mut failed = changes.iter().filter_map(|change| Some((&change.row.path, change.row.error.as_ref()?)));
    let Some((path, error)) = failed.next() else { return Ok(()) };
    let mut error = error.clone();
    error.details.path.get_or_insert_with(|| path.clone());
    if changes.len() > 1 {
        let others = match failed.count() {
            0 => String::new(),
            1 => "another file fails too; ".to_owned(),
            count => format!("{count} other files fail too; "),
        };
        let before = error.details.hint.take().map(|hint| hint.and("; ")).unwrap_or_default();
        error = error.hint(before.and(others).and("{skip} leaves such files out"));
    }
    Err(error)
}

/// The error if files do not change as is expected.
fn refuse_unexpected(changes: &[Change], expected: &Entries<String>) -> Result<(), EngineError> {
    if expected.is_empty() {
        return Ok(());
    }
    let mut open: FxHashMap<&str, &str> = expected.iter().map(|(path, revision)| (path, revision.as_str())).collect();
    let mut wrong: Vec<(&str, &str)> = Vec::new();
    for ChangedFile { path, revision, error, .. } in changes.iter().map(|change| &change.row) {
        let Some(Revision::Hash(revision)) = revision.as_ref().filter(|_| error.is_none()) else { continue };
        match open.remove(path.as_str()) {
            Some(expected) if expected == revision => {}
            Some(_) => wrong.push((path, "would become a different text than expected")),
            None => wrong.push((path, "would change as well, unexpectedly")),
        }
    }
    let missing = expected.iter().filter(|(path, _)| open.contains_key(path));
    wrong.extend(missing.map(|(path, _)| (path, "would not change any more")));
    let Some((path, what)) = wrong.first() else { return Ok(()) };
    let others = match wrong.len() - 1 {
        0 => String::new(),
        1 => ", and another file differs, too".to_owned(),
        count => format!(", and {count} other files differ, too"),
    };
    let error = EngineError::new(ErrorCode::FileChanged, format!("`{path}` {what}{others}"));
    Err(error.path(*path).hint("files have changed: look at the preview again"))
}

fn edited_meanwhile() -> EngineError {
    EngineError::new(ErrorCode::Conflict, "another process has edited the tree in the meantime")
        .hint("repeat the request")
}
