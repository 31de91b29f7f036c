//! `backups`: files that were kept before they were written over, and putting one back.

use std::path::PathBuf;

use crate::engine::core::Begun;
use crate::engine::method::Method;
use crate::engine::session::saving::{Content, NewFile, Saved};
use crate::engine::session::transactions::unique_id;
use crate::request::error::EngineError;
use crate::request::requests::BackupsRequest;
use crate::request::responses::{BackupRow, BackupsResponse, ExpiredRows};
use crate::store::{Backup, timestamp};

impl Method for BackupsRequest {
    const NAME: &'static str = "backups";
    const READS: bool = false;
    type Result = BackupsResponse;

    /// Lists the files that were kept, newest first; with `restore`, puts one back and keeps what it replaces; with `keep`, forgets
    /// older ones first.
    ///
    /// # Errors
    /// When there is no such backup, or its file can't be written.
    fn run(&self, engine: &Begun<'_>) -> Result<BackupsResponse, EngineError> {
        let expired = match self.keep {
            Some(days) => Some(engine.expire(days)?),
            None => None,
        };
        let (restored, saved) = match &self.restore {
            Some(word) => engine.restore(word).map(|(row, saved)| (Some(row), saved))?,
            None => (None, None),
        };
        let wanted: Vec<PathBuf> = self.paths.iter().map(|path| engine.real(&engine.absolute(path))).collect();
        let is_wanted =
            |backup: &Backup| engine.permits(&backup.path) && (wanted.is_empty() || wanted.contains(&backup.path));
        let backups = engine.store()?.read(|session| session.backups())?;
        let backups = backups.into_iter().filter(is_wanted).map(|backup| engine.backup_row(backup)).collect();
        Ok(BackupsResponse { backups, restored, transaction: saved.map(|saved| saved.transaction), expired })
    }
}

impl Begun<'_> {
    /// Forgets backups and transactions that are older than so many days.
    fn expire(&self, days: u32) -> Result<ExpiredRows, EngineError> {
        let store = self.store()?;
        let (backups, transactions) = store.write(|session| session.forget_writes(i64::from(days)))?;
        store.erase()?;
        Ok(ExpiredRows { backups, transactions })
    }

    fn restore(&self, word: &str) -> Result<(BackupRow, Option<Saved>), EngineError> {
        self.writer().recover()?;
        let store = self.store()?;
        let known = store.read(|session| session.backups())?;
        let permitted = known.iter().filter(|backup| self.permits(&backup.path));
        let id = unique_id(word, "backup", "{backups} lists them", permitted.map(|backup| backup.id.clone()))?;
        let backup = known.into_iter().find(|backup| backup.id == id).expect("the id is one of these");
        let bytes = store.read(|session| session.backup_bytes(&backup.id))?;
        let path = backup.path.clone();
        let old = match self.files().read(&path, u64::MAX) {
            Ok(old) => Some(old),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(self.unreadable(&path, &error)),
        };
        let mut saved = None;
        if old.as_ref() != Some(&bytes) {
            let kept = old.is_some().then(|| uuid::Uuid::now_v7().to_string());
            let file = NewFile { path, content: Content::Held { old, new: Some(bytes) }, tree: None, backup: kept };
            saved = Some(self.writer().write_files(vec![file], "backups")?);
        }
        Ok((self.backup_row(backup), saved))
    }

    fn backup_row(&self, backup: Backup) -> BackupRow {
        BackupRow {
            path: self.shown(&backup.path),
            backup: backup.id,
            time: timestamp(backup.time),
            bytes: backup.bytes,
        }
    }
}
