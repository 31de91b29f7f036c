//! A user's own named selectors: those that come with a request, and those of the project's `.cst/selectors/` folder.

use crate::limits;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use crate::language::Language;
use crate::locks::IgnorePoison;
use crate::project::{Files, Kind, path_text};
use crate::reader::core::Reader;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::responses::NamedSelector;
use crate::selector::{Definitions, Query, UsedDefinition};

/// Where a user's own named selectors are.
pub(crate) struct Names {
    files: Arc<dyn Files>,
    folder: Option<PathBuf>,
    given: Definitions,
    /// The folder that paths are shown from.
    here: PathBuf,
    /// What queries used of the project's.
    used: Mutex<Vec<NamedSelector>>,
}

impl Reader {
    /// The named selectors that are good for a request.
    pub(crate) fn names(&self, given: &[String]) -> Result<Names, EngineError> {
        Ok(Names {
            files: self.shared_files(),
            folder: self.project_folder().map(|folder| folder.join("selectors")),
            given: Definitions::parse(&given.join("\n"))?,
            here: self.host.working_directory.clone(),
            used: Mutex::default(),
        })
    }

    /// The nearest folder `.cst`, from the working directory up to the root of its repository.
    pub(crate) fn project_folder(&self) -> Option<PathBuf> {
        let folders = self.folders_of_project(&self.host.working_directory);
        let mut folders = folders.into_iter().map(|folder| folder.join(".cst"));
        let is_folder = |path: &PathBuf| self.files().facts(path).is_ok_and(|facts| facts.kind == Kind::Folder);
        folders.find(is_folder)
    }
}

impl Names {
    /// The named selectors for a language; those of the request go first.
    pub fn of(&self, language: &Language) -> Result<Definitions, EngineError> {
        let Some(folder) = &self.folder else { return Ok(self.given.clone()) };
        let path = folder.join(format!("{}.sel", language.name()));
        let shown = path_text(path.strip_prefix(&self.here).unwrap_or(&path));
        let bytes = match self.files.read(&path, limits::NAMES_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(self.given.clone()),
            Err(error) => {
                let message = format!("cannot read the named selectors in `{shown}`: {error}");
                return Err(EngineError::bad_request(message).path(shown));
            }
        };
        let lines = String::from_utf8(bytes).map_err(|_| {
            EngineError::new(ErrorCode::UnsupportedEncoding, "named selectors are written in UTF-8").path(shown.clone())
        })?;
        let own = Definitions::parse(&lines).map_err(|error| EngineError::from(error).path(shown.clone()))?;
        Ok(own.of_file(&shown).with(self.given.clone()))
    }

    /// Remembers what a query uses of the project's named selectors.
    pub fn note_use(&self, query: &Query) {
        let mut used = self.used.lock().ignore_poison();
        for UsedDefinition { name, source, file } in query.used_definitions() {
            let row = NamedSelector {
                name: format!(":{name}"),
                definition: source.clone(),
                path: file.replace(std::path::MAIN_SEPARATOR, "/"),
            };
            if !used.contains(&row) {
                used.push(row);
            }
        }
    }

    /// What the queries of the request used of the project's named selectors, by name.
    pub fn used(&self) -> Vec<NamedSelector> {
        let mut used = self.used.lock().ignore_poison().clone();
        used.sort_by(|first, second| (&first.name, &first.path).cmp(&(&second.name, &second.path)));
        used
    }
}
