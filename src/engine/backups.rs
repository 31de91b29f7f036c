//! `backups`: files that were kept before they were written over, and putting one back.

use std::path::{Path, PathBuf};

use super::saving::NewFile;
use super::store::{Backup, timestamp};
use super::{BackupRow, BackupsRequest, BackupsResponse, Engine, EngineError, ErrorCode};

impl Engine {
    /// Lists the files that were kept, newest first; with `restore`, puts one back and keeps what it replaces.
    ///
    /// # Errors
    /// When there is no such backup, or its file can't be written.
    pub fn backups(&self, request: &BackupsRequest) -> Result<BackupsResponse, EngineError> {
        self.begin()?;
        let restored = request.restore.as_deref().map(|word| self.restore(word)).transpose()?;
        let wanted: Vec<PathBuf> = request.paths.iter().map(|path| self.real(&self.absolute(path))).collect();
        let is_wanted = |backup: &Backup| wanted.is_empty() || wanted.contains(&PathBuf::from(&backup.path));
        let backups = self.store()?.read(|session| session.backups())?;
        let backups = backups.into_iter().filter(is_wanted).map(|backup| self.backup_row(backup)).collect();
        Ok(BackupsResponse { backups, restored })
    }

    fn restore(&self, word: &str) -> Result<BackupRow, EngineError> {
        let store = self.store()?;
        let known = store.read(|session| session.backups())?;
        let mut found = known.into_iter().filter(|backup| backup.id.starts_with(word));
        let backup = match (found.next(), found.next()) {
            (Some(backup), None) => backup,
            (Some(_), Some(_)) => {
                let message = format!("several backups begin with `{word}`");
                return Err(EngineError::new(ErrorCode::Ambiguous, message).hint("give more of the id"));
            }
            (None, _) => {
                let error = EngineError::new(ErrorCode::NotFound, format!("no backup `{word}`"));
                return Err(error.hint("{backups} lists them"));
            }
        };
        let bytes = store.read(|session| session.backup_bytes(&backup.id))?;
        let path = PathBuf::from(&backup.path);
        let old = match self.files().read(&path, u64::MAX) {
            Ok(old) => Some(old),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(self.unreadable(&path, &error)),
        };
        if old.as_ref() != Some(&bytes) {
            let kept = old.is_some().then(|| uuid::Uuid::now_v7().to_string());
            self.write_files(vec![NewFile { path, bytes, old, tree: None, backup: kept }])?;
        }
        Ok(self.backup_row(backup))
    }

    fn backup_row(&self, backup: Backup) -> BackupRow {
        BackupRow {
            path: self.shown(Path::new(&backup.path)),
            backup: backup.id,
            time: timestamp(backup.time),
            bytes: backup.bytes,
        }
    }

    /// A path with symbolic links followed, where it leads anywhere.
    fn real(&self, path: &Path) -> PathBuf {
        self.files().resolve(path).unwrap_or_else(|_| path.to_owned())
    }
}
