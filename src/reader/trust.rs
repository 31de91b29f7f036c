//! Which projects' configurations may run programs: those whose user said so, as long as they stay as they were.
//!
//! A repository brings its `.cst/config.toml` along, so what that file names runs only after the user has trusted it. What is stored is
//! the hash of its content, in the user's state: a file that changes is inert again. A file that another user may write is never
//! trusted, nor is one above the repository's root.

use crate::limits;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::language::{Language, Languages};
use crate::locks::IgnorePoison;
use crate::project::{Disk, Exposure, Files, Kind, sibling_temp_path};
use crate::reader::configuration::{CONFIGURATION, Check, CheckCommand, commands};
use crate::reader::core::{Reader, Trusted};
use crate::reader::project_root::project_root;
use crate::request::error::{EngineError, ErrorCode};

/// The file of the state that lists what is trusted.
const TRUSTED: &str = "trusted.json";
/// The file that is locked while the list is rewritten.
const LOCK: &str = "trusted.lock";

/// A configuration that was trusted, or is to be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TrustedFile {
    /// The configuration, absolute.
    pub path: String,
    /// Whether it is what was trusted.
    pub state: TrustState,
    /// The commands that it configures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<TrustedCheck>,
}

/// A command that a trusted configuration may run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TrustedCheck {
    /// The language whose code it checks.
    pub language: String,
    /// The command as it is written.
    pub command: String,
}

/// What became of a configuration since it was trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TrustState {
    /// It is as it was, and counts.
    Trusted,
    /// Its content changed, so it doesn't count.
    Changed,
    /// It can't be read any more.
    Gone,
    /// Its trust was just taken back.
    Revoked,
}

/// A project's configuration, read once: what is parsed is what was hashed.
pub(crate) struct ProjectFile {
    /// The file as it was found.
    pub path: PathBuf,
    /// The folder that holds `.cst`.
    pub folder: PathBuf,
    /// Its content.
    pub bytes: Vec<u8>,
    /// Why what it says doesn't count; `None` for a trusted file.
    pub inert: Option<Inert>,
}

/// Why a project's configuration doesn't count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Inert {
    Untrusted,
    Changed,
    Exposed(String),
}

impl Reader {
    /// Trusts the configuration of the project around a folder, as it is now; the commands that it may run from now on.
    ///
    /// # Errors
    /// When there is none, it can't be read, or another user could have written it.
    pub fn trust(&self, folder: &Path) -> Result<TrustedFile, EngineError> {
        let file = self.configuration_around(folder)?;
        let shown = self.shown(&file.path);
        if let Some(Inert::Exposed(why)) = &file.inert {
            let error = EngineError::bad_request(format!("`{shown}` cannot be trusted: {why}"));
            return Err(error
                .path(shown)
                .hint("take ownership of it and of its folders, and the right to write from others"));
        }
        // Its mistakes are better known now than at the first edit.
        let checks = checks(self.languages_known(), &file.bytes, &shown, &file.folder)?;
        let path = self.trusted_path(&file.path)?;
        let hash = hash_of(&file.bytes);
        self.change_trusted(|trusted| _ = trusted.insert(path.clone(), hash))?;
        Ok(TrustedFile { path, state: TrustState::Trusted, checks })
    }

    /// Takes the trust in the configuration of the project around a folder back.
    ///
    /// # Errors
    /// When it isn't trusted.
    pub fn revoke(&self, folder: &Path) -> Result<TrustedFile, EngineError> {
        let folder = self.absolute(folder);
        let candidates = self.folders_of_project(&folder).into_iter().map(|folder| folder.join(CONFIGURATION));
        let known = self.trusted()?;
        let paths = candidates.filter_map(|path| self.trusted_path(&path).ok());
        let Some(path) = paths.into_iter().find(|path| known.contains_key(path)) else {
            let shown = self.shown(&folder);
            let error = EngineError::new(ErrorCode::NotFound, format!("nothing is trusted in `{shown}`"));
            return Err(error.path(shown));
        };
        self.change_trusted(|trusted| _ = trusted.remove(&path))?;
        Ok(TrustedFile { path, state: TrustState::Revoked, checks: Vec::new() })
    }

    /// All that was trusted, in order of path.
    ///
    /// # Errors
    /// When the list can't be read.
    pub fn trusted_files(&self) -> Result<Vec<TrustedFile>, EngineError> {
        let row = |(path, hash): (String, String)| {
            let file = Path::new(&path);
            let is_file = self.files().facts(file).is_ok_and(|facts| facts.kind == Kind::File);
            let Some(bytes) = is_file.then(|| self.files().read(file, limits::CONFIGURATION_BYTES).ok()).flatten()
            else {
                return TrustedFile { path, state: TrustState::Gone, checks: Vec::new() };
            };
            let state = if hash_of(&bytes) == hash { TrustState::Trusted } else { TrustState::Changed };
            let folder = file.parent().and_then(Path::parent).unwrap_or(file);
            let checks = checks(self.languages_known(), &bytes, &path, folder).unwrap_or_default();
            TrustedFile { path, state, checks }
        };
        Ok(self.trusted()?.into_iter().map(row).collect())
    }

    /// The command that checks a language's code: that of the project, if its user trusts it, else the user's. An empty command
    /// switches the check off.
    pub(crate) fn check_of(&self, language: &Language) -> Result<Check, EngineError> {
        let of_language = |commands: Vec<(&'static str, CheckCommand)>| {
            commands.into_iter().find(|(name, _)| *name == language.name()).map(|(_, command)| command)
        };
        let mut note = None;
        if let Some(file) = self.project_configuration()? {
            let shown = self.shown(&file.path);
            let commands = commands(self.languages_known(), &file.bytes, &shown, &file.folder);
            match file.inert {
                None => {
                    if let Some(command) = of_language(commands?) {
                        return Ok(Check { command: Some(command).filter(|command| !command.words.is_empty()), note });
                    }
                }
                // What is inert is no error either; it is only said where it would have mattered.
                Some(inert) => {
                    let configures = commands.map_or(true, |commands| of_language(commands).is_some());
                    note = configures.then(|| inert.note(&shown, language.name()));
                }
            }
        }
        let command = of_language(self.own_checks()?);
        Ok(Check { command: command.filter(|command| !command.words.is_empty()), note })
    }

    /// The nearest configuration of the project that the working directory lies in.
    pub(crate) fn project_configuration(&self) -> Result<Option<ProjectFile>, EngineError> {
        let here = self.host.working_directory.clone();
        let mut folders = self.folders_of_project(&here).into_iter();
        let found = folders.find_map(|folder| {
            let path = folder.join(CONFIGURATION);
            let facts = self.files().facts(&path).ok()?;
            Some((path, folder, facts.kind))
        });
        let Some((path, folder, kind)) = found else { return Ok(None) };
        let shown = self.shown(&path);
        // A FIFO would never be read to its end.
        if kind != Kind::File {
            let error = EngineError::bad_request(format!("`{shown}` is not a file"));
            return Err(error.path(shown));
        }
        let bytes = self
            .files()
            .read(&path, limits::CONFIGURATION_BYTES)
            .map_err(|error| EngineError::bad_request(format!("cannot read the configuration: {error}")).path(shown))?;
        let inert = self.why_inert(&path, &folder, &bytes)?;
        Ok(Some(ProjectFile { path, folder, bytes, inert }))
    }

    fn configuration_around(&self, folder: &Path) -> Result<ProjectFile, EngineError> {
        let folder = self.absolute(folder);
        let found = self.folders_of_project(&folder).into_iter().find_map(|folder| {
            let path = folder.join(CONFIGURATION);
            let is_file = self.files().facts(&path).is_ok_and(|facts| facts.kind == Kind::File);
            is_file.then_some((path, folder))
        });
        let Some((path, project)) = found else {
            let shown = self.shown(&folder);
            let message = format!("no `{CONFIGURATION}` in `{shown}`, nor above it in its repository");
            return Err(EngineError::new(ErrorCode::NotFound, message).path(shown));
        };
        let bytes =
            self.files().read(&path, limits::CONFIGURATION_BYTES).map_err(|error| self.unreadable(&path, &error))?;
        let inert = self.why_inert(&path, &project, &bytes)?;
        Ok(ProjectFile { path, folder: project, bytes, inert })
    }

    /// Why a configuration with this content doesn't count.
    fn why_inert(&self, path: &Path, folder: &Path, bytes: &[u8]) -> Result<Option<Inert>, EngineError> {
        if let Some(why) = self.exposure(path, folder) {
            return Ok(Some(Inert::Exposed(why)));
        }
        let Ok(path) = self.trusted_path(path) else { return Ok(Some(Inert::Untrusted)) };
        Ok(match self.trusted()?.get(&path) {
            None => Some(Inert::Untrusted),
            Some(hash) if *hash != hash_of(bytes) => Some(Inert::Changed),
            Some(_) => None,
        })
    }

    /// Who else could have written a configuration: itself, the folders `.cst` and of the project, and where links lead.
    fn exposure(&self, path: &Path, folder: &Path) -> Option<String> {
        let resolved = self.files().resolve(path).ok();
        let of_link = resolved.as_deref().and_then(Path::parent);
        let places = [Some(path), path.parent(), Some(folder), of_link];
        places.into_iter().flatten().find_map(|place| {
            let shown = self.shown(place);
            match self.files().exposure(place) {
                Ok(None) => None,
                Ok(Some(Exposure::OtherOwner)) => Some(format!("`{shown}` belongs to another user")),
                Ok(Some(Exposure::OthersWrite)) => Some(format!("others may write `{shown}`")),
                Err(error) => Some(format!("`{shown}` cannot be inspected: {error}")),
            }
        })
    }

    /// A folder and those above it, up to the root of its repository: the nearest folder with `.git`. Without a repository, the folder
    /// alone.
    pub(crate) fn folders_of_project(&self, folder: &Path) -> Vec<PathBuf> {
        let root = project_root(folder, self.files());
        folder.ancestors().take_while(|above| above.starts_with(&root)).map(Path::to_owned).collect()
    }

    /// A configuration's path as the list has it.
    fn trusted_path(&self, path: &Path) -> Result<String, EngineError> {
        let resolved = self.files().resolve(path).unwrap_or_else(|_| path.to_owned());
        let utf8 = resolved.to_str().map(str::to_owned);
        utf8.ok_or_else(|| {
            let message = format!("`{}` is not UTF-8, so it cannot be trusted", self.shown(path));
            EngineError::bad_request(message)
        })
    }

    /// What is trusted.
    fn trusted(&self) -> Result<Trusted, EngineError> {
        let Some(state) = &self.host.state else { return Ok(self.trusted_here().clone()) };
        let path = state.join(TRUSTED);
        let bytes = match Disk.read(&path, limits::CONFIGURATION_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Trusted::new()),
            Err(error) => return Err(self.unreadable(&path, &error)),
        };
        // A list that others may write lists what they like.
        if !matches!(Disk.exposure(&path), Ok(None)) || !matches!(Disk.exposure(state), Ok(None)) {
            let message = format!("`{}` could have been written by others; nothing in it counts", path.display());
            return Err(EngineError::bad_request(message)
                .path(path.display().to_string())
                .hint("make it and its folder yours alone, or remove it"));
        }
        serde_json::from_slice(&bytes).map_err(|error| {
            let message = format!("the list of what is trusted cannot be read: {error}");
            EngineError::bad_request(message).path(path.display().to_string())
        })
    }

    /// Changes the list of what is trusted; one process at a time.
    fn change_trusted(&self, change: impl FnOnce(&mut Trusted)) -> Result<(), EngineError> {
        let Some(state) = &self.host.state else {
            change(&mut self.trusted_here());
            return Ok(());
        };
        let path = state.join(TRUSTED);
        let unwritten = |error: std::io::Error| self.unwritable(&path, &error);
        Disk.make_private_folder(state).map_err(unwritten)?;
        let _lock = Disk.lock(&state.join(LOCK)).map_err(unwritten)?;
        let mut trusted = self.trusted()?;
        change(&mut trusted);
        let bytes = serde_json::to_vec_pretty(&trusted).unwrap_or_default();
        let beside = sibling_temp_path(&path, &uuid::Uuid::now_v7().to_string());
        Disk.stage(&path, &beside, &bytes).map_err(unwritten)?;
        Disk.make_private(&beside).map_err(unwritten)?;
        Disk.commit(&beside, &path).map_err(unwritten)
    }

    fn trusted_here(&self) -> std::sync::MutexGuard<'_, Trusted> {
        self.trusted.lock().ignore_poison()
    }
}

impl Inert {
    /// The note about a check that does not run.
    pub(crate) fn note(&self, path: &str, language: &str) -> String {
        let why = match self {
            Inert::Untrusted => "is not trusted".to_owned(),
            Inert::Changed => "changed since it was trusted".to_owned(),
            Inert::Exposed(why) => format!("cannot be trusted ({why})"),
        };
        format!("`{path}` {why}, so its check of {language} does not run; its user trusts it with `cst trust`")
    }
}

/// The commands of a configuration as they are listed.
fn checks(languages: &Languages, bytes: &[u8], path: &str, folder: &Path) -> Result<Vec<TrustedCheck>, EngineError> {
    let found = commands(languages, bytes, path, folder)?.into_iter();
    Ok(found.map(|(language, command)| TrustedCheck { language: language.to_owned(), command: command.line }).collect())
}

/// The hash of a content, at full length: whoever wrote one content may choose the other.
fn hash_of(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}
