//! The folder in which an agent works: which files are inside, and where hooks store their data.

use std::path::{Component, Path, PathBuf};

use super::event::Event;
use super::setting::Setting;

/// The folder in which an agent works.
#[derive(Debug, Clone)]
pub(super) struct Workspace {
    /// The folder; files outside are ignored.
    pub root: PathBuf,
    /// The folder for relative paths.
    pub cwd: PathBuf,
    /// The repository around it.
    pub repository: Option<PathBuf>,
}

/// A file of a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Placed {
    /// The path, with symbolic links resolved.
    pub path: PathBuf,
    /// The path relative to the workspace, with `/`.
    pub shown: String,
}

impl Workspace {
    /// The workspace of an event: the first folder that it names, else its working directory. `None` if there is no
    /// such folder.
    pub fn of(event: &Event, setting: &Setting<'_>) -> Option<Workspace> {
        let absolute = |folder: &str| setting.files.resolve(&setting.working_directory.join(folder)).ok();
        let told = event.root.as_deref().or(event.cwd.as_deref()).unwrap_or("");
        let root = absolute(told)?;
        let cwd = event.cwd.as_deref().and_then(absolute).unwrap_or_else(|| root.clone());
        // Some agents work in a subfolder of the project and report only that.
        let variable = event.caller.project_variable().and_then(|name| (setting.variable)(name));
        let project = variable.filter(|folder| Path::new(folder).is_absolute()).and_then(|folder| absolute(&folder));
        let root = project.filter(|project| root.starts_with(project)).unwrap_or(root);
        let repository = setting.git_root(&root);
        Some(Workspace { root, cwd, repository })
    }

    /// The folder `.cst` of the repository, or else of the workspace.
    pub fn memory(&self) -> PathBuf {
        self.repository.as_ref().unwrap_or(&self.root).join(".cst")
    }

    /// The file that an agent names. `None` if it is outside the workspace, or not a file of the user.
    pub fn placed(&self, path: &str, setting: &Setting<'_>) -> Option<Placed> {
        let path = setting.resolve(&self.cwd.join(path))?;
        let inner = path.strip_prefix(&self.root).ok()?;
        let mut parts = Vec::new();
        for component in inner.components() {
            match component {
                Component::Normal(part) if part != ".git" => parts.push(part.to_str()?),
                _ => return None,
            }
        }
        if parts.is_empty() || path.starts_with(self.memory()) {
            return None;
        }
        Some(Placed { shown: parts.join("/"), path })
    }
}
