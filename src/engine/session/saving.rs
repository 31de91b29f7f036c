//! Writing files: all of a transaction or none, whenever the process may end.
//!
//! First the journal says what is about to be written, and keeps what the files hold ([`Stage::Writing`]). Then the new bytes are
//! staged beside the files, synced, and once all are there they are renamed over them, one after the other. What fails or is
//! interrupted by a signal on the way is rolled back ([`Stage::RollingBack`]): files that were renamed get their old bytes again.
//! After the last renaming there is nothing to roll back: a signal ends the process after the journal is closed.
//!
//! What a process that was killed has left is dealt with by the next request that writes (`recovery.rs`). While one process
//! writes, others wait.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use crate::engine::session::writer::Writer;
use crate::project::{Disk, sibling_temp_path};
use crate::reader::document::content_hash;
use crate::reader::observer::Observer;
use crate::request::error::{EngineError, ErrorCode};
use crate::store::{Journal, Planned, Session, Stage, Store, Written};
use crate::text::Patch;

/// The file whose presence says that a write was begun.
const MARKER: &str = "unfinished";

/// A file to be written.
#[derive(Debug, Clone)]
pub(crate) struct NewFile {
    /// The file, absolute; symbolic links are followed.
    pub path: PathBuf,
    /// Its bytes now, and the new ones.
    pub content: Content,
    /// The tree that is saved, and its revision.
    pub tree: Option<(String, u32)>,
    /// The id under which the old bytes are kept as a backup.
    pub backup: Option<String>,
}

/// What a file holds now, and what it is to hold.
#[derive(Debug, Clone)]
pub(crate) enum Content {
    /// Both in memory; `None` if there was no file before, or there is none afterwards.
    Held { old: Option<Vec<u8>>, new: Option<Vec<u8>> },
    /// The difference of the two. The file is read again when its bytes are needed, so many files take little memory.
    Patched(Patched),
}

/// The difference between what a file holds and what it is to hold, and the hashes of both.
#[derive(Debug, Clone)]
pub(crate) struct Patched {
    pub patch: Patch,
    pub old_hash: String,
    pub new_hash: String,
}

impl NewFile {
    /// New bytes of a file that no tree is of.
    pub fn new(path: PathBuf, old: Vec<u8>, new: Vec<u8>) -> NewFile {
        NewFile { path, content: Content::Held { old: Some(old), new: Some(new) }, tree: None, backup: None }
    }

    /// A changed file that no tree is of.
    pub fn patched(path: PathBuf, patched: Patched) -> NewFile {
        NewFile { path, content: Content::Patched(patched), tree: None, backup: None }
    }

    /// A file that is removed, or one that was not there before.
    pub fn placed(path: PathBuf, old: Option<Vec<u8>>, new: Option<Vec<u8>>) -> NewFile {
        NewFile { path, content: Content::Held { old, new }, tree: None, backup: None }
    }

    fn is_there(&self) -> bool {
        !matches!(self.content, Content::Held { old: None, .. })
    }

    fn old_hash(&self) -> Option<String> {
        match &self.content {
            Content::Held { old, .. } => old.as_deref().map(content_hash),
            Content::Patched(patched) => Some(patched.old_hash.clone()),
        }
    }

    fn new_hash(&self) -> Option<String> {
        match &self.content {
            Content::Held { new, .. } => new.as_deref().map(content_hash),
            Content::Patched(patched) => Some(patched.new_hash.clone()),
        }
    }
}

/// A transaction that was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Saved {
    /// Its id.
    pub transaction: String,
    /// What else is worth knowing.
    pub notes: Vec<String>,
}

/// What a file of a journal holds now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Now {
    /// What it held before.
    Old,
    /// What the transaction writes.
    New,
    /// Neither: somebody else wrote it, or it can't be read.
    Foreign,
}

/// Holds signals back that would end the process, until it is dropped.
pub(crate) struct Shield<'a>(&'a dyn Observer);

impl Shield<'_> {
    pub fn raise(observer: &dyn Observer) -> Shield<'_> {
        observer.begin_writing();
        Shield(observer)
    }
}

impl Drop for Shield<'_> {
    fn drop(&mut self) {
        self.0.end_writing();
    }
}

impl Writer<'_> {
    /// Removes the folder of a file that was removed, and those around it, as far as they are empty; never the working directory.
    pub(crate) fn remove_empty_folders(&self, path: &Path) {
        let here = self.absolute(Path::new("."));
        for folder in path.ancestors().skip(1) {
            if here.starts_with(folder) || self.files().remove_folder(folder).is_err() {
                break;
            }
        }
    }

    /// Rolls a failed write back; its error with what there is to say about that.
    pub(crate) fn rolled_back(&self, store: &Store, journal: Journal, mut error: EngineError) -> EngineError {
        let is_interrupted = self.host.observer.is_interrupted();
        let count = files_in_words(journal.files.len());
        match self.roll_back(store, journal) {
            Ok(left) if left.is_empty() => {
                // The process ends before it can answer.
                if is_interrupted {
                    self.host.observer.note(&format!("interrupted: rolled back, {count} as before"));
                }
                let _ = self.unmark(store);
            }
            Ok(left) => {
                error.message.push_str(&format!("; {}", left.join("; ")));
                if is_interrupted {
                    self.host.observer.note(&format!("interrupted: rolled back; {}", left.join("; ")));
                }
                let _ = self.unmark(store);
            }
            Err(failed) => {
                let message =
                    format!("rolling back failed: {}; the next request that writes tries it again", failed.message);
                self.host.observer.note(&message);
                error.message.push_str(&format!("; {message}"));
            }
        }
        error
    }

    /// Whether a file may be replaced, as far as its mode and its folder say.
    pub(crate) fn check_writable(&self, path: &Path) -> Result<(), EngineError> {
        if !self.files().facts(path).is_ok_and(|facts| facts.read_only) {
            let real = self.files().resolve(path).unwrap_or_else(|_| path.to_owned());
            let folder = real.parent().filter(|folder| self.files().facts(folder).is_ok());
            let checked = folder.map_or(Ok(()), |folder| self.files().check_folder(folder));
            return checked.map_err(|error| self.unwritable(path, &error));
        }
        let shown = self.shown(path);
        let error = EngineError::new(ErrorCode::ReadOnly, format!("`{shown}` is read-only"));
        Err(error.path(shown).hint("make it writable first"))
    }

    /// What is to be said of a file with several names: renaming parts them.
    pub(crate) fn linked(&self, path: &Path) -> Option<String> {
        let links = self.files().facts(path).map_or(1, |facts| facts.links);
        let shown = self.shown(path);
        (links > 1).then(|| {
            let others = match links - 1 {
                1 => "its other hard link keeps".to_owned(),
                others => format!("its {others} other hard links keep"),
            };
            format!("`{shown}` was written as a file of its own: {others} the old content")
        })
    }

    /// Where a file's new bytes are staged; an error if it can't be written. All files are planned before the journal begins, so
    /// nothing is pending if one is refused.
    pub(crate) fn plan_file(&self, file: &NewFile, transaction: &str, place: usize) -> Result<Planned, EngineError> {
        let path = match file.is_there() {
            true => self.files().resolve(&file.path).map_err(|error| self.unreadable(&file.path, &error))?,
            // Its folder may be one that may not be written, as outside of the root.
            false => match self.files().facts(&file.path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => file.path.clone(),
                Err(error) => return Err(self.unwritable(&file.path, &error)),
                Ok(_) => return Err(self.changed_meanwhile(&file.path)),
            },
        };
        self.check_writable(&file.path)?;
        // The end of the id is random; its start is the time.
        let random = &transaction[transaction.len().saturating_sub(12)..];
        let beside = sibling_temp_path(&path, &format!("{random}-{place}"));
        Ok(Planned {
            path,
            beside,
            old_hash: file.old_hash(),
            new_hash: file.new_hash(),
            tree: file.tree.clone(),
            backup: file.backup.clone(),
        })
    }

    pub(crate) fn stage_all(&self, files: &[NewFile], journal: &Journal) -> Result<(), EngineError> {
        for (file, planned) in files.iter().zip(&journal.files) {
            self.check_interrupted()?;
            if let Some(bytes) = self.new_bytes(file, planned)? {
                let staged = self.files().stage(&planned.path, &planned.beside, &bytes);
                staged.map_err(|error| self.unwritable(&file.path, &error))?;
            }
        }
        files.iter().zip(&journal.files).try_for_each(|(file, planned)| self.check_unchanged(&file.path, planned))
    }

    /// What a file holds before it is written.
    fn old_bytes<'f>(&self, file: &'f NewFile, planned: &Planned) -> Result<Option<Cow<'f, [u8]>>, EngineError> {
        let patched = match &file.content {
            Content::Held { old, .. } => return Ok(old.as_deref().map(Cow::Borrowed)),
            Content::Patched(patched) => patched,
        };
        let now = self.files().read(&planned.path, u64::MAX).ok();
        let now = now.filter(|now| content_hash(now) == patched.old_hash);
        now.map(|now| Some(Cow::Owned(now))).ok_or_else(|| self.changed_meanwhile(&file.path))
    }

    /// What a file is to hold; `None` where it is removed.
    fn new_bytes<'f>(&self, file: &'f NewFile, planned: &Planned) -> Result<Option<Cow<'f, [u8]>>, EngineError> {
        let patched = match &file.content {
            Content::Held { new, .. } => return Ok(new.as_deref().map(Cow::Borrowed)),
            Content::Patched(patched) => patched,
        };
        let old = self.old_bytes(file, planned)?.unwrap_or_default();
        let new = patched.patch.apply(&old).filter(|new| content_hash(new) == patched.new_hash);
        new.map(|new| Some(Cow::Owned(new))).ok_or_else(|| self.changed_meanwhile(&file.path))
    }

    /// Keeps what a file held, for rolling back and for undoing the transaction.
    pub(crate) fn keep_old_bytes(
        &self,
        session: &Session<'_>,
        journal: &Journal,
        file: &NewFile,
        planned: &Planned,
    ) -> Result<(), EngineError> {
        let written = Written {
            path: planned.path.clone(),
            tree: file.tree.as_ref().map(|(tree, _)| tree.clone()),
            old: self.old_bytes(file, planned)?.map(Cow::into_owned),
            new_hash: planned.new_hash.clone(),
        };
        session.put_written(&journal.transaction, &written)
    }

    /// Somebody may have written the file while the new bytes were staged.
    fn check_unchanged(&self, path: &Path, planned: &Planned) -> Result<(), EngineError> {
        let now = self.files().read(&planned.path, u64::MAX).ok().map(|bytes| content_hash(&bytes));
        if now == planned.old_hash { Ok(()) } else { Err(self.changed_meanwhile(path)) }
    }

    pub(crate) fn rename_all(&self, files: &[NewFile], journal: &Journal) -> Result<(), EngineError> {
        for (file, planned) in files.iter().zip(&journal.files) {
            self.check_interrupted()?;
            self.check_unchanged(&file.path, planned)?;
            self.commit(planned).map_err(|error| self.unwritable(&file.path, &error))?;
        }
        self.sync_folders(&journal.files)
    }

    fn check_interrupted(&self) -> Result<(), EngineError> {
        if self.host.observer.is_interrupted() {
            return Err(EngineError::new(ErrorCode::Budget, "interrupted"));
        }
        Ok(())
    }

    /// Makes a file what the transaction writes.
    pub(crate) fn commit(&self, planned: &Planned) -> std::io::Result<()> {
        match planned.new_hash {
            Some(_) => self.files().commit(&planned.beside, &planned.path),
            None => self.files().discard(&planned.path),
        }
    }

    /// Makes renamings last: one call for each folder.
    pub(crate) fn sync_folders(&self, files: &[Planned]) -> Result<(), EngineError> {
        let mut by_folder = std::collections::BTreeMap::new();
        for file in files {
            by_folder.entry(file.path.parent()).or_insert(file.path.as_path());
        }
        by_folder
            .into_values()
            .try_for_each(|path| self.files().sync_folder(path).map_err(|error| self.unwritable(path, &error)))
    }

    /// What a file of a journal holds now.
    pub(crate) fn now(&self, planned: &Planned) -> Now {
        let hash = match self.files().read(&planned.path, u64::MAX) {
            Ok(bytes) => Some(content_hash(&bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(_) => return Now::Foreign,
        };
        if hash == planned.new_hash {
            Now::New
        } else if hash == planned.old_hash {
            Now::Old
        } else {
            Now::Foreign
        }
    }

    /// Gives the files that were renamed their old bytes again, unless somebody else wrote them since, and removes what is staged.
    /// What a file that is left alone held before is kept as a backup. Returns what there is to say about these.
    ///
    /// A process that is killed meanwhile leaves a journal from which the next one goes on.
    pub(crate) fn roll_back(&self, store: &Store, mut journal: Journal) -> Result<Vec<String>, EngineError> {
        journal.stage = Stage::RollingBack;
        store.write(|session| session.put_journal(&journal))?;
        let (mut left, mut kept, mut failed) = (Vec::new(), Vec::new(), None);
        let mut touched = Vec::new();
        for file in &journal.files {
            // Of what is staged nothing is needed any more.
            let discarded = self.discard_staged(file);
            let now = self.now(file);
            if now == Now::New || matches!(discarded, Ok(true)) {
                touched.push(file.clone());
            }
            let put_back = match now {
                Now::Old => Ok(()),
                Now::New => self.restore_file(store, &journal.transaction, file),
                Now::Foreign => {
                    let old = store.read(|session| session.old_bytes(&journal.transaction, &file.path))?;
                    let shown = self.shown(&file.path);
                    left.push(match old.flatten() {
                        Some(old) => {
                            let backup = uuid::Uuid::now_v7().to_string();
                            let said = format!(
                                "another program has changed `{shown}` in the meantime, so it is left as it is, \
                                 what it held before is backup {backup}"
                            );
                            kept.push((backup, file.path.clone(), old));
                            said
                        }
                        None => {
                            format!("another program has changed `{shown}` in the meantime, so it is left as it is")
                        }
                    });
                    Ok(())
                }
            };
            failed = failed.or(put_back.and(discarded.map(drop)).err());
        }
        if let Some(error) = failed {
            return Err(error);
        }
        self.sync_folders(&touched)?;
        store.write(|session| {
            kept.iter().try_for_each(|(backup, path, old)| session.put_backup(backup, path, old))?;
            session.drop_transaction(&journal.transaction)?;
            session.drop_journal(&journal.transaction)
        })?;
        Ok(left)
    }

    /// Removes what is staged for a file; false if nothing is.
    fn discard_staged(&self, file: &Planned) -> Result<bool, EngineError> {
        // Where nothing can be written, removing what is not there fails as well.
        if let Err(error) = self.files().facts(&file.beside)
            && matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
        {
            return Ok(false);
        }
        self.files().discard(&file.beside).map(|()| true).map_err(|error| self.unwritable(&file.beside, &error))
    }

    /// Gives a file its old bytes again.
    fn restore_file(&self, store: &Store, transaction: &str, file: &Planned) -> Result<(), EngineError> {
        let Some(old) = store.read(|session| session.old_bytes(transaction, &file.path))? else {
            let message = format!("what `{}` held before is not kept", self.shown(&file.path));
            return Err(EngineError::new(ErrorCode::Internal, message).path(self.shown(&file.path)));
        };
        let restored = match old {
            Some(old) => {
                let staged = self.files().stage(&file.path, &file.beside, &old);
                staged.and_then(|()| self.files().commit(&file.beside, &file.path))
            }
            None => self.files().discard(&file.path),
        };
        restored.map_err(|error| self.unwritable(&file.path, &error))
    }

    /// Whether a write was begun that isn't over.
    pub(crate) fn is_marked(&self) -> bool {
        self.host.state.as_ref().is_some_and(|folder| Disk.exists(&folder.join(MARKER)))
    }

    pub(crate) fn mark(&self) -> Result<(), EngineError> {
        let Some(folder) = &self.host.state else { return Ok(()) };
        let marker = folder.join(MARKER);
        Disk.make_file(&marker).map_err(|error| self.unwritable(&marker, &error))
    }

    /// Takes the marker away, unless a write is pending that couldn't be rolled back.
    pub(crate) fn unmark(&self, store: &Store) -> Result<(), EngineError> {
        let Some(folder) = &self.host.state else { return Ok(()) };
        if !store.read(|session| session.journals())?.is_empty() {
            return Ok(());
        }
        let marker = folder.join(MARKER);
        Disk.remove_file(&marker).map_err(|error| self.unwritable(&marker, &error))
    }

    /// A file changed between being read and being written.
    pub(crate) fn changed_meanwhile(&self, path: &Path) -> EngineError {
        let shown = self.shown(path);
        let message = format!("another program has changed `{shown}`");
        EngineError::new(ErrorCode::FileChanged, message).path(shown).hint("read it again, then repeat the request")
    }
}

/// A file holds what the transaction writes: keeps the backup, and tells its tree.
pub(crate) fn finish_file(
    session: &Session<'_>,
    file: &Planned,
    bytes: Option<&[u8]>,
    old: Option<&[u8]>,
) -> Result<(), EngineError> {
    if let (Some(id), Some(old)) = (&file.backup, old) {
        session.put_backup(id, &file.path, old)?;
    }
    let (Some((tree, revision)), Some(bytes), Some(hash)) = (&file.tree, bytes, &file.new_hash) else { return Ok(()) };
    if !session.holds(tree)? {
        return Ok(());
    }
    // Somebody may have edited the tree while its file was written.
    let unsaved = session.tree(tree)?.head != *revision;
    session.set_base(tree, bytes, hash, unsaved)
}

/// `1 file`, `2 files`.
pub(crate) fn files_in_words(count: usize) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}
