//! A transaction: what is pending is settled, the journal is written, then all files are, or none.

use crate::engine::session::saving::{Content, NewFile, Saved, Shield, files_in_words, finish_file};
use crate::engine::session::writer::Writer;
use crate::request::error::EngineError;
use crate::store::{Journal, Stage};

impl Writer<'_> {
    /// Writes files for a request: all of them or, with an error, none.
    pub(crate) fn write_files(&self, files: Vec<NewFile>, request: &str) -> Result<Saved, EngineError> {
        let store = self.store()?;
        let _lock = store.lock_saving()?;
        let observer = self.host.observer.clone();
        let _shield = Shield::raise(&*observer);
        self.recover_locked(store)?;
        let transaction = uuid::Uuid::now_v7().to_string();
        let mut saved = Saved { transaction: transaction.clone(), notes: Vec::new() };
        if files.is_empty() {
            return Ok(saved);
        }
        let mut planned = Vec::with_capacity(files.len());
        for (place, file) in files.iter().enumerate() {
            planned.push(self.plan_file(file, &transaction, place)?);
            saved.notes.extend(self.linked(&file.path));
        }
        let journal = Journal { transaction, stage: Stage::Writing, files: planned };
        self.mark()?;
        store.write(|session| {
            session.put_journal(&journal)?;
            session.put_request(&journal.transaction, request)?;
            let planned = files.iter().zip(&journal.files);
            planned.into_iter().try_for_each(|(file, planned)| self.keep_old_bytes(session, &journal, file, planned))
        })?;
        let written = self.stage_all(&files, &journal).and_then(|()| self.rename_all(&files, &journal));
        if let Err(error) = written {
            return Err(self.rolled_back(store, journal, error));
        }
        store.write(|session| {
            let written = files.iter().zip(&journal.files);
            written.into_iter().try_for_each(|(file, planned)| match &file.content {
                Content::Held { old, new } => finish_file(session, planned, new.as_deref(), old.as_deref()),
                Content::Patched(_) => Ok(()),
            })?;
            session.drop_journal(&journal.transaction)
        })?;
        self.unmark(store)?;
        for gone in journal.files.iter().filter(|file| file.new_hash.is_none()) {
            self.remove_empty_folders(&gone.path);
        }
        if observer.is_interrupted() {
            let count = files_in_words(journal.files.len());
            let message =
                format!("interrupted after the last file: {count} written, transaction {}", journal.transaction);
            observer.note(&message);
        }
        Ok(saved)
    }
}
