//! A user's own named selectors: those that come with a request, and those of the project's `.cst/selectors/` folder.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;

use super::{Engine, EngineError, ErrorCode};
use crate::language::Language;
use crate::project::Files;
use crate::selector::Definitions;

/// The largest file of named selectors read.
const LARGEST: u64 = 1 << 20;

/// Where a user's own named selectors are.
pub(super) struct Names {
    files: Arc<dyn Files>,
    folder: Option<PathBuf>,
    given: Definitions,
}

impl Engine {
    /// The named selectors that are good for a request.
    pub(super) fn names(&self, given: &[String]) -> Result<Names, EngineError> {
        let folder = self.project_folder().map(|folder| folder.join("selectors"));
        Ok(Names { files: self.surroundings.files.clone(), folder, given: Definitions::parse(&given.join("\n"))? })
    }

    /// The nearest folder `.cst`, from the working directory up.
    pub(super) fn project_folder(&self) -> Option<PathBuf> {
        let folders = self.surroundings.working_directory.ancestors().map(|folder| folder.join(".cst"));
        let is_folder =
            |path: &PathBuf| self.files().facts(path).is_ok_and(|facts| facts.kind == crate::project::Kind::Folder);
        folders.into_iter().find(is_folder)
    }
}

impl Names {
    /// The named selectors for a language; those of the request go first.
    pub fn of(&self, language: &Language) -> Result<Definitions, EngineError> {
        let Some(folder) = &self.folder else { return Ok(self.given.clone()) };
        let path = folder.join(format!("{}.sel", language.name()));
        let shown = path.display().to_string();
        let bytes = match self.files.read(&path, LARGEST) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(self.given.clone()),
            Err(error) => {
                let message = format!("can't read the named selectors in `{shown}`: {error}");
                return Err(EngineError::new(ErrorCode::BadRequest, message).path(shown));
            }
        };
        let lines = String::from_utf8(bytes).map_err(|_| {
            EngineError::new(ErrorCode::UnsupportedEncoding, "named selectors are written in UTF-8").path(shown.clone())
        })?;
        let own = Definitions::parse(&lines).map_err(|error| EngineError::from(error).path(shown))?;
        Ok(own.with(self.given.clone()))
    }
}
