//! Writing files: all of a transaction or none, whenever the process may end.
//!
//! New bytes are first put beside the files, synced ([`Stage::Staging`]). Once all are there, the journal says so
//! ([`Stage::Renaming`]) and they are renamed over the files, one after the other. A process that dies before that point has
//! changed nothing, and the next one takes away what lies beside; one that dies after it has left everything needed to
//! finish, and the next one does. While one process saves, others wait.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use super::document::content_hash;
use super::store::{Journal, Planned, Session, Stage, Store, Written};
use super::{Engine, EngineError, ErrorCode};
use crate::project::{Disk, place_beside};

/// The file whose presence says that a save was begun.
const MARKER: &str = "unfinished";

/// A file to be written.
#[derive(Debug, Clone)]
pub(super) struct NewFile {
    /// The file, absolute; symbolic links are followed.
    pub path: PathBuf,
    /// Its new bytes.
    pub bytes: Vec<u8>,
    /// Its bytes now; `None` where there is no file.
    pub old: Option<Vec<u8>>,
    /// The tree that is saved, and its revision.
    pub tree: Option<(String, u32)>,
    /// The id under which the old bytes are kept.
    pub backup: Option<String>,
}

impl Engine {
    /// Finishes or takes back what a process that died has left, if there is any such thing.
    pub(super) fn recover_if_marked(&self) -> Result<(), EngineError> {
        let marked = self.surroundings.state.as_ref().is_some_and(|folder| Disk.exists(&folder.join(MARKER)));
        if marked {
            // Opening the store recovers.
            self.store()?;
        }
        Ok(())
    }

    /// Finishes or takes back the saves that died, unless another process is saving right now.
    pub(super) fn recover(&self, store: &Store) -> Result<(), EngineError> {
        match store.try_lock_saving()? {
            Some(_lock) => self.recover_locked(store),
            None => Ok(()),
        }
    }

    fn recover_locked(&self, store: &Store) -> Result<(), EngineError> {
        for journal in store.read(|session| session.journals())? {
            // Another project's save is left to who may write there.
            if !journal.files.iter().all(|file| self.permits(Path::new(&file.path))) {
                self.leaves_saves.store(true, Ordering::Relaxed);
                continue;
            }
            match journal.stage {
                Stage::Staging => self.take_back(store, &journal)?,
                Stage::Renaming => self.finish(store, &journal)?,
            }
        }
        self.unmark()
    }

    /// No file was changed: removes what lies beside.
    fn take_back(&self, store: &Store, journal: &Journal) -> Result<(), EngineError> {
        for file in &journal.files {
            self.discard(Path::new(&file.beside))?;
        }
        store.write(|session| session.drop_journal(&journal.transaction))?;
        let count = files_in_words(journal.files.len());
        let message = format!("rolled back the unfinished save {}: {count} as before", journal.transaction);
        self.surroundings.observer.note(&message);
        Ok(())
    }

    /// All new bytes are there: renames what isn't yet.
    fn finish(&self, store: &Store, journal: &Journal) -> Result<(), EngineError> {
        let (mut done, mut foreign) = (Vec::new(), Vec::new());
        for file in &journal.files {
            let (path, beside) = (Path::new(&file.path), Path::new(&file.beside));
            let now = self.files().read(path, u64::MAX).ok().map(|bytes| content_hash(&bytes));
            if now.as_ref() == Some(&file.new_hash) {
                self.discard(beside)?;
            } else if now == file.old_hash && self.files().facts(beside).is_ok() {
                self.files().commit(beside, path).map_err(|error| self.unwritable(path, &error))?;
            } else {
                // Somebody wrote the file since: it is theirs, and the tree keeps what was to be saved.
                self.discard(beside)?;
                foreign.push(self.shown(path));
                continue;
            }
            done.push(file);
        }
        self.sync_folders(done.iter().map(|file| Path::new(&file.path)))?;
        store.write(|session| {
            for file in &done {
                let bytes = self.files().read(Path::new(&file.path), u64::MAX);
                let bytes = bytes.map_err(|error| self.unreadable(Path::new(&file.path), &error))?;
                settle(session, file, &bytes)?;
            }
            session.drop_journal(&journal.transaction)
        })?;
        let count = files_in_words(done.len());
        let mut message = format!("finished the save {}: {count} written", journal.transaction);
        if !foreign.is_empty() {
            message.push_str(&format!("; changed by somebody else and left alone: {}", foreign.join(", ")));
        }
        self.surroundings.observer.note(&message);
        Ok(())
    }

    /// Writes files: all of them or, with an error, none. The transaction's id.
    pub(super) fn write_files(&self, files: Vec<NewFile>) -> Result<String, EngineError> {
        let store = self.store()?;
        let _lock = store.lock_saving()?;
        self.recover_locked(store)?;
        let transaction = uuid::Uuid::now_v7().to_string();
        if files.is_empty() {
            return Ok(transaction);
        }
        let mut planned = Vec::with_capacity(files.len());
        for (place, file) in files.iter().enumerate() {
            planned.push(self.planned(file, &transaction, place)?);
        }
        let mut journal = Journal { transaction, stage: Stage::Staging, files: planned };
        self.mark()?;
        store.write(|session| session.put_journal(&journal))?;
        if let Err(error) = self.stage_all(&files, &journal) {
            self.abandon(store, &journal)?;
            return Err(error);
        }
        journal.stage = Stage::Renaming;
        store.write(|session| {
            session.put_journal(&journal)?;
            files.iter().zip(&journal.files).try_for_each(|(file, planned)| keep(session, &journal, file, planned))
        })?;
        if let Err(error) = self.rename_all(&files, &journal) {
            store.write(|session| session.drop_written(&journal.transaction))?;
            self.abandon(store, &journal)?;
            return Err(error);
        }
        store.write(|session| {
            let written = files.iter().zip(&journal.files);
            written.into_iter().try_for_each(|(file, planned)| settle(session, planned, &file.bytes))?;
            session.drop_journal(&journal.transaction)
        })?;
        self.unmark()?;
        Ok(journal.transaction)
    }

    /// Writes one file that no tree is of; nothing needs a journal, since one renaming is all or nothing by itself.
    pub(super) fn write_file(&self, path: &Path, old: &[u8], bytes: &[u8]) -> Result<(), EngineError> {
        let file =
            NewFile { path: path.to_owned(), bytes: bytes.to_vec(), old: Some(old.to_vec()), tree: None, backup: None };
        let planned = self.planned(&file, &uuid::Uuid::now_v7().to_string(), 0)?;
        let journal = Journal { transaction: String::new(), stage: Stage::Staging, files: vec![planned] };
        let files = [file];
        // Between the look at what the file holds and its renaming nobody else writes it who works on this store.
        let _lock = self.store()?.lock_saving()?;
        self.stage_all(&files, &journal)?;
        self.rename_all(&files, &journal)
    }

    /// Whether a file may be written, as far as its mode says.
    pub(super) fn check_writable(&self, path: &Path) -> Result<(), EngineError> {
        if !self.files().facts(path).is_ok_and(|facts| facts.read_only) {
            return Ok(());
        }
        let shown = self.shown(path);
        let error = EngineError::new(ErrorCode::ReadOnly, format!("`{shown}` is read-only"));
        Err(error.path(shown).hint("make it writable first"))
    }

    /// Where a file's new bytes will wait; an error if it can't be written.
    fn planned(&self, file: &NewFile, transaction: &str, place: usize) -> Result<Planned, EngineError> {
        let path = match file.old {
            Some(_) => self.files().resolve(&file.path).map_err(|error| self.unreadable(&file.path, &error))?,
            None => file.path.clone(),
        };
        self.check_writable(&file.path)?;
        // The end of the id is random; its start is the time.
        let random = &transaction[transaction.len().saturating_sub(12)..];
        let beside = place_beside(&path, &format!("{random}-{place}"));
        Ok(Planned {
            path: path.to_string_lossy().into_owned(),
            beside: beside.to_string_lossy().into_owned(),
            old_hash: file.old.as_deref().map(content_hash),
            new_hash: content_hash(&file.bytes),
            tree: file.tree.clone(),
        })
    }

    fn stage_all(&self, files: &[NewFile], journal: &Journal) -> Result<(), EngineError> {
        for (file, planned) in files.iter().zip(&journal.files) {
            let staged = self.files().stage(Path::new(&planned.path), Path::new(&planned.beside), &file.bytes);
            if let Err(error) = staged {
                self.discard_all(journal)?;
                return Err(self.unwritable(&file.path, &error));
            }
        }
        for (file, planned) in files.iter().zip(&journal.files) {
            if let Err(error) = self.check_unchanged(&file.path, planned) {
                self.discard_all(journal)?;
                return Err(error);
            }
        }
        Ok(())
    }

    /// Somebody may have written the file while the new bytes were put beside it.
    fn check_unchanged(&self, path: &Path, planned: &Planned) -> Result<(), EngineError> {
        let now = self.files().read(Path::new(&planned.path), u64::MAX).ok().map(|bytes| content_hash(&bytes));
        if now == planned.old_hash { Ok(()) } else { Err(self.changed_meanwhile(path)) }
    }

    fn rename_all(&self, files: &[NewFile], journal: &Journal) -> Result<(), EngineError> {
        for (place, (file, planned)) in files.iter().zip(&journal.files).enumerate() {
            let (path, beside) = (Path::new(&planned.path), Path::new(&planned.beside));
            let committed = self
                .check_unchanged(&file.path, planned)
                .and_then(|()| self.files().commit(beside, path).map_err(|error| self.unwritable(&file.path, &error)));
            if let Err(error) = committed {
                self.put_back(&files[..place], &journal.files[..place])?;
                self.discard_all(journal)?;
                return Err(error);
            }
        }
        let synced = self.sync_folders(journal.files.iter().map(|file| Path::new(&file.path)));
        if synced.is_err() {
            self.put_back(files, &journal.files)?;
        }
        synced
    }

    /// Makes renamings last: one call for each folder.
    fn sync_folders<'a>(&self, paths: impl Iterator<Item = &'a Path>) -> Result<(), EngineError> {
        let mut by_folder = std::collections::BTreeMap::new();
        for path in paths {
            by_folder.entry(path.parent()).or_insert(path);
        }
        by_folder
            .into_values()
            .try_for_each(|path| self.files().sync_folder(path).map_err(|error| self.unwritable(path, &error)))
    }

    /// Gives files that were renamed already their old bytes again.
    fn put_back(&self, files: &[NewFile], planned: &[Planned]) -> Result<(), EngineError> {
        for (file, planned) in files.iter().zip(planned) {
            let (path, beside) = (Path::new(&planned.path), Path::new(&planned.beside));
            let restored = match &file.old {
                Some(old) => {
                    let staged = self.files().stage(path, beside, old);
                    staged.and_then(|()| self.files().commit(beside, path))
                }
                None => self.files().discard(path),
            };
            restored.map_err(|error| self.unwritable(&file.path, &error))?;
        }
        self.sync_folders(planned.iter().map(|file| Path::new(&file.path)))
    }

    /// Ends a save that failed and left no trace in the files.
    fn abandon(&self, store: &Store, journal: &Journal) -> Result<(), EngineError> {
        store.write(|session| session.drop_journal(&journal.transaction))?;
        self.unmark()
    }

    fn discard_all(&self, journal: &Journal) -> Result<(), EngineError> {
        journal.files.iter().try_for_each(|file| self.discard(Path::new(&file.beside)))
    }

    fn discard(&self, beside: &Path) -> Result<(), EngineError> {
        self.files().discard(beside).map_err(|error| self.unwritable(beside, &error))
    }

    fn mark(&self) -> Result<(), EngineError> {
        let Some(folder) = &self.surroundings.state else { return Ok(()) };
        let marker = folder.join(MARKER);
        Disk.make_file(&marker).map_err(|error| self.unwritable(&marker, &error))
    }

    fn unmark(&self) -> Result<(), EngineError> {
        if self.leaves_saves.load(Ordering::Relaxed) {
            return Ok(());
        }
        let Some(folder) = &self.surroundings.state else { return Ok(()) };
        let marker = folder.join(MARKER);
        Disk.remove_file(&marker).map_err(|error| self.unwritable(&marker, &error))
    }

    /// Why a file can't be written, as an error.
    pub(super) fn unwritable(&self, path: &Path, error: &std::io::Error) -> EngineError {
        if let Some(outside) = self.outside(path, error) {
            return outside;
        }
        let shown = self.shown(path);
        let code = match error.kind() {
            std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => ErrorCode::ReadOnly,
            std::io::ErrorKind::NotFound => ErrorCode::NotFound,
            _ => ErrorCode::Internal,
        };
        EngineError::new(code, format!("`{shown}` can't be written: {error}")).path(shown)
    }

    /// A file changed between being read and being written.
    pub(super) fn changed_meanwhile(&self, path: &Path) -> EngineError {
        let shown = self.shown(path);
        let message = format!("`{shown}` was changed by somebody else");
        EngineError::new(ErrorCode::FileChanged, message).path(shown).hint("look at it again, then repeat the request")
    }
}

/// Keeps what a file held, for undoing the save and as a backup.
fn keep(session: &Session<'_>, journal: &Journal, file: &NewFile, planned: &Planned) -> Result<(), EngineError> {
    let written = Written {
        path: planned.path.clone(),
        tree: file.tree.as_ref().map(|(tree, _)| tree.clone()),
        old: file.old.clone(),
        new_hash: planned.new_hash.clone(),
    };
    session.put_written(&journal.transaction, &written)?;
    match (&file.backup, &file.old) {
        (Some(id), Some(old)) => session.put_backup(id, &planned.path, old),
        _ => Ok(()),
    }
}

/// A tree's file holds what was saved.
fn settle(session: &Session<'_>, file: &Planned, bytes: &[u8]) -> Result<(), EngineError> {
    let Some((tree, revision)) = &file.tree else { return Ok(()) };
    if !session.holds(tree)? {
        return Ok(());
    }
    // Somebody may have edited the tree while its file was written.
    let unsaved = session.tree(tree)?.head != *revision;
    session.set_base(tree, bytes, &file.new_hash, unsaved)
}

fn files_in_words(count: usize) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}
