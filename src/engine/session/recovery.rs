//! Recovery: a write that was cut short is completed, or rolled back, by the next request that writes.
//!
//! It is rolled back if no file was written yet: nobody has seen anything of it. Otherwise it is completed if every file is what the
//! journal left: as it was before with its new bytes staged beside it, or written already. If any is not, because somebody changed it or took
//! away what was staged, all that were written get their old bytes back and those that somebody changed are left alone: never are some files
//! new and some old by this program's doing. Requests that only read say that a write is pending, and change nothing.

use crate::engine::session::saving::{Now, Shield, files_in_words, finish_file};
use crate::engine::session::writer::Writer;
use crate::reader::document::content_hash;
use crate::request::error::EngineError;
use crate::store::{Journal, Planned, Stage, Store};

/// How many files that were not restored a message names.
const LEFT: usize = 3;

/// How pending writes are dealt with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Completed where that is possible.
    Forward,
    /// Rolled back.
    Back,
}

/// A pending write that was rolled back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RolledBack {
    /// Its transaction.
    pub transaction: String,
    /// Its files, as they are shown.
    pub files: Vec<String>,
}

impl Writer<'_> {
    /// Says that a write was cut short, if that is so; nothing is changed.
    pub(crate) fn note_pending(&self) {
        if !self.is_marked() {
            return;
        }
        // Whatever is wrong with the store is said by the request that needs it.
        let Ok(store) = self.store() else { return };
        // While another process writes, nothing is pending.
        let Ok(Some(_lock)) = store.try_lock_saving() else { return };
        let Ok(journals) = store.read(|session| session.journals()) else { return };
        let own = journals.iter().filter(|journal| self.may_settle(journal) && self.is_here(journal));
        let count: usize = own.map(|journal| journal.files.len()).sum();
        if count > 0 {
            let count = files_in_words(count);
            let message = format!(
                "a write of {count} was interrupted: the next command that writes completes it or rolls it back, \
                 `cst undo --last` rolls it back"
            );
            self.host.observer.note(&message);
        }
    }

    /// Completes or rolls back what is pending, before a request that writes looks at its files.
    pub(crate) fn recover(&self) -> Result<(), EngineError> {
        self.recover_unless_held(Way::Forward).map(drop)
    }

    /// Rolls back what is pending.
    pub(crate) fn recover_back(&self) -> Result<Vec<RolledBack>, EngineError> {
        self.recover_unless_held(Way::Back)
    }

    fn recover_unless_held(&self, way: Way) -> Result<Vec<RolledBack>, EngineError> {
        if !self.is_marked() {
            return Ok(Vec::new());
        }
        let store = self.store()?;
        // Another process is writing: its write isn't pending.
        let Some(_lock) = store.try_lock_saving()? else { return Ok(Vec::new()) };
        let _shield = Shield::raise(&*self.host.observer);
        self.recover_as(store, way)
    }

    /// The same while nobody else writes.
    pub(crate) fn recover_locked(&self, store: &Store) -> Result<(), EngineError> {
        if self.is_marked() {
            self.recover_as(store, Way::Forward)?;
        }
        Ok(())
    }

    fn recover_as(&self, store: &Store, way: Way) -> Result<Vec<RolledBack>, EngineError> {
        let mut rolled_back = Vec::new();
        for journal in store.read(|session| session.journals())? {
            if !self.may_settle(&journal) {
                continue;
            }
            let transaction = journal.transaction.clone();
            let is_completed = way == Way::Forward
                && journal.stage == Stage::Writing
                && self.can_complete(&journal)
                && self.complete(store, &journal).is_ok();
            if is_completed {
                let count = files_in_words(journal.files.len());
                let message = format!("completed the interrupted write {transaction}: {count} written");
                self.host.observer.note(&message);
                continue;
            }
            let files: Vec<String> = journal.files.iter().map(|file| self.shown(&file.path)).collect();
            let count = files_in_words(files.len());
            let is_here = self.is_here(&journal);
            match self.roll_back(store, journal) {
                Ok(left) => {
                    let more = left.len().saturating_sub(LEFT);
                    let more = if more > 0 { format!("; and {} more", files_in_words(more)) } else { String::new() };
                    let left = left.into_iter().take(LEFT).map(|left| format!("; {left}")).collect::<String>() + &more;
                    let as_before = if left.is_empty() { format!(": {count} as before") } else { left };
                    let message = format!("rolled back the interrupted write {transaction}{as_before}");
                    self.host.observer.note(&message);
                    rolled_back.push(RolledBack { transaction, files });
                }
                // Whoever works elsewhere can do nothing about it.
                Err(_) if !is_here => {}
                Err(error) => {
                    let message =
                        format!("the interrupted write {transaction} cannot be rolled back yet: {}", error.message);
                    self.host.observer.note(&message);
                }
            }
        }
        self.unmark(store)?;
        Ok(rolled_back)
    }

    /// Whether the files of a journal may be written here: another project's write is left to who may write there.
    fn may_settle(&self, journal: &Journal) -> bool {
        journal.files.iter().all(|file| self.permits(&file.path))
    }

    /// Whether a write is one of files below the working directory.
    fn is_here(&self, journal: &Journal) -> bool {
        let here = &self.host.working_directory;
        let real = self.files().resolve(here).unwrap_or_else(|_| here.clone());
        journal.files.iter().any(|file| file.path.starts_with(here) || file.path.starts_with(&real))
    }

    /// Whether a file was written, and every other is what the journal left: written, or with its new bytes staged.
    fn can_complete(&self, journal: &Journal) -> bool {
        let mut is_begun = false;
        let is_left = |file: &Planned| match (self.now(file), &file.new_hash) {
            (Now::New, _) => {
                is_begun = true;
                true
            }
            (Now::Old, None) => true,
            (Now::Foreign, _) => false,
            (Now::Old, Some(new_hash)) => {
                let staged = self.files().read(&file.beside, u64::MAX);
                staged.is_ok_and(|bytes| content_hash(&bytes) == *new_hash)
            }
        };
        journal.files.iter().all(is_left) && is_begun
    }

    /// Renames what isn't yet, and closes the journal.
    fn complete(&self, store: &Store, journal: &Journal) -> Result<(), EngineError> {
        for file in &journal.files {
            if self.now(file) == Now::Old {
                self.commit(file).map_err(|error| self.unwritable(&file.path, &error))?;
            }
            // A file that was renamed may have been staged once more.
            self.files().discard(&file.beside).map_err(|error| self.unwritable(&file.beside, &error))?;
        }
        self.sync_folders(&journal.files)?;
        store.write(|session| {
            for file in &journal.files {
                let bytes = match &file.new_hash {
                    Some(_) => {
                        let bytes = self.files().read(&file.path, u64::MAX);
                        Some(bytes.map_err(|error| self.unreadable(&file.path, &error))?)
                    }
                    None => None,
                };
                let old = match &file.backup {
                    Some(_) => session.old_bytes(&journal.transaction, &file.path)?.flatten(),
                    None => None,
                };
                finish_file(session, file, bytes.as_deref(), old.as_deref())?;
            }
            session.drop_journal(&journal.transaction)
        })
    }
}
