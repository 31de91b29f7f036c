//! Which folder a question looks at: the whole project around what it names, never a part of it.

use std::path::{Path, PathBuf};

use crate::language::ProjectFiles;
use crate::limits;
use crate::reader::core::Reader;
use crate::reader::project_root::repository_of;
use crate::reader::target::Source;
use crate::request::error::EngineError;
use crate::request::report::{FoundBy, ProjectReport};
use crate::request::requests::Target;

/// The folder of a project, and why it is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProjectFolder {
    pub path: PathBuf,
    pub found_by: FoundBy,
}

/// The project that a request is about, and the part of it that the request names.
#[derive(Debug)]
pub(crate) struct ProjectPart {
    pub folder: ProjectFolder,
    /// The files and folders that are named; the working directory, if none is.
    pub paths: Vec<PathBuf>,
    /// Whether the request names them.
    pub is_named: bool,
}

impl Reader {
    /// The project that a folder is in: its repository; else the folder of the nearest manifest, or of the workspace around that; else
    /// the working directory, if the folder is in it; else the folder.
    pub(crate) fn project_of(&self, folder: &Path) -> ProjectFolder {
        let found = |path: &Path, found_by| ProjectFolder { path: path.to_owned(), found_by };
        if let Some(repository) = repository_of(folder, self.files()) {
            return found(repository, FoundBy::Repository);
        }
        if let Some(project) = self.manifest_of(folder) {
            return found(project, FoundBy::Manifest);
        }
        let root = self.confined.as_ref().map(|confined| confined.root());
        let mut around = [Some(self.host.working_directory.as_path()), root].into_iter().flatten();
        let around = around.find(|around| folder.starts_with(around) && around.parent().is_some());
        found(around.unwrap_or(folder), FoundBy::Folder)
    }

    /// The folder of the workspace or of the nearest manifest around a folder.
    fn manifest_of<'a>(&self, folder: &'a Path) -> Option<&'a Path> {
        let known = ProjectFiles::new(self.languages_known());
        let is_there = |path: &Path| self.files().facts(path).is_ok();
        let is_workspace = |above: &Path| {
            known.workspaces().iter().any(|(name, text)| {
                let path = above.join(name);
                is_there(&path)
                    && (text.is_empty()
                        || self.files().head(&path, limits::MANIFEST_BYTES).is_ok_and(|bytes| contains(&bytes, text)))
            })
        };
        let mut found = None;
        for above in folder.ancestors() {
            if is_workspace(above) || found.is_none() && known.names().iter().any(|name| is_there(&above.join(name))) {
                found = Some(above);
            }
        }
        found
    }

    /// The project of the files and folders that a request names; of the working directory, if it names none.
    ///
    /// # Errors
    /// If a target is a text or a tree without a file, or if they are in several projects.
    pub(crate) fn project_part(&self, targets: &[Target]) -> Result<ProjectPart, EngineError> {
        let here = [Target::Named(".".to_owned())];
        let is_named = !targets.is_empty();
        let (mut paths, mut folder) = (Vec::new(), None);
        for target in if is_named { targets } else { &here } {
            let (path, own) = match self.source(target)? {
                Source::Folder(path) => (path.clone(), self.project_of(&path)),
                Source::File(path) => {
                    let own = self.project_of(path.parent().unwrap_or(&path));
                    (path, own)
                }
                Source::Tree(_) | Source::Text(_) => {
                    let error = EngineError::bad_request("a question about symbols needs a folder");
                    return Err(error.hint("name the folder of the project"));
                }
            };
            if folder.as_ref().is_some_and(|folder: &ProjectFolder| folder.path != own.path) {
                let (one, other) = (self.shown(&folder.unwrap_or(own.clone()).path), self.shown(&own.path));
                let message = format!("these are in two projects, `{one}` and `{other}`");
                return Err(EngineError::bad_request(message).hint("ask about one project at a time"));
            }
            folder = Some(own);
            paths.push(path);
        }
        let folder = folder.unwrap_or_else(|| self.project_of(&self.host.working_directory));
        Ok(ProjectPart { folder, paths, is_named })
    }

    /// A project as answers show it.
    pub(crate) fn project_report(&self, folder: &ProjectFolder, files: usize) -> ProjectReport {
        let (ignored, with_errors) = (Vec::new(), Vec::new());
        ProjectReport { root: self.shown(&folder.path), found_by: folder.found_by, files, ignored, with_errors }
    }
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}
