//! What a target is: a tree that is held, a file, a folder, or a text that came with the request.

use std::path::{Component, Path, PathBuf};

use crate::project::{Kind, OutsideRoot, path_text, unquoted};
use crate::reader::core::Reader;
use crate::reader::project_root::project_root;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::requests::{Target, TextTarget};
use crate::store::{Session, TreeRow};

/// The shortest start of an id that is taken for one.
pub(crate) const SHORTEST_PREFIX: usize = 6;

/// A target that was found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Source {
    /// A tree of the store, by its whole id.
    Tree(String),
    /// A plain file, absolute.
    File(PathBuf),
    /// A folder, absolute.
    Folder(PathBuf),
    /// A text.
    Text(TextTarget),
}

impl Reader {
    /// Whether a target is a tree that is held.
    pub fn is_tree(&self, target: &Target) -> bool {
        matches!(self.source(target), Ok(Source::Tree(_)))
    }

    /// Whether a target is a folder.
    pub fn is_folder(&self, target: &Target) -> bool {
        matches!(self.source(target), Ok(Source::Folder(_)))
    }

    /// A path as results show it, whichever way it was given.
    pub fn as_shown(&self, path: &Path) -> String {
        self.shown(&self.absolute(path))
    }

    /// Finds out what a target is.
    pub(crate) fn source(&self, target: &Target) -> Result<Source, EngineError> {
        match target {
            Target::Text(text) => Ok(Source::Text(text.clone())),
            Target::Tree(tree) => self.tree_named(&tree.tree_id).map(Source::Tree),
            Target::Path(path) => self.source_at(&path.path),
            Target::Named(word) => {
                let missing = match self.source_at(Path::new(word)) {
                    Err(error) if error.code == ErrorCode::NotFound => error,
                    found => return found,
                };
                if !could_be_tree(word) {
                    return Err(missing);
                }
                self.tree_named(word).map(Source::Tree)
            }
        }
    }

    /// What is at a path.
    pub(crate) fn source_at(&self, path: &Path) -> Result<Source, EngineError> {
        let absolute = self.absolute(path);
        let facts = self.files().facts(&absolute).map_err(|error| self.unreadable(&absolute, &error))?;
        match facts.kind {
            Kind::File => Ok(Source::File(absolute)),
            Kind::Folder => Ok(Source::Folder(absolute)),
            Kind::Other(what) => {
                let shown = self.shown(&absolute);
                Err(EngineError::bad_request(format!("`{shown}` is {what}, not a file")).path(shown))
            }
        }
    }

    /// The whole id of the tree whose id begins so, else of the one that is held of a file of that name.
    pub(crate) fn tree_named(&self, word: &str) -> Result<String, EngineError> {
        let mut found = match could_be_tree(word) {
            true if self.confined.is_some() => {
                let start = word.to_ascii_lowercase();
                let rows = self.store()?.read(|session| self.own_trees(session))?;
                rows.into_iter().map(|row| row.id).filter(|id| id.starts_with(&start)).collect()
            }
            true => self.store()?.read(|session| session.trees_named(word))?,
            false => Vec::new(),
        };
        let mut which = "begin with";
        if found.is_empty() {
            which = "are of";
            let path = self.absolute(Path::new(word));
            let is_of = |row: &TreeRow| match &row.path {
                Some(held) => *held == path,
                None => row.name.as_deref() == Some(word),
            };
            let rows = self.store()?.read(|session| self.own_trees(session))?;
            found = rows.into_iter().filter(is_of).map(|row| row.id).collect();
        }
        match found.len() {
            0 => Err(EngineError::new(ErrorCode::UnknownTree, format!("no tree `{word}`"))
                .hint("{trees} lists the loaded trees; {load} loads another")),
            1 => Ok(found.remove(0)),
            _ => Err(EngineError::new(ErrorCode::Ambiguous, format!("several trees {which} `{word}`"))
                .hint(format!("`{}`; give more of the id", found.join("`, `")))),
        }
    }

    /// The trees that requests may see: of files in the root, and of texts that were loaded there.
    pub(crate) fn own_trees(&self, session: &Session<'_>) -> Result<Vec<TreeRow>, EngineError> {
        let rows = session.trees()?;
        let Some(confined) = &self.confined else { return Ok(rows) };
        let of_root = session.trees_of_project(&confined.root().to_string_lossy())?;
        let is_own = |row: &TreeRow| match &row.path {
            Some(path) => confined.permits(path),
            None => of_root.contains(&row.id),
        };
        Ok(rows.into_iter().filter(is_own).collect())
    }

    /// The project that what is loaded now belongs to.
    pub(crate) fn project(&self) -> String {
        let root = match &self.confined {
            Some(confined) => confined.root().to_owned(),
            None => project_root(&self.host.working_directory, self.files()),
        };
        let resolved = self.files().resolve(&root).unwrap_or(root);
        resolved.to_string_lossy().into_owned()
    }

    /// A path made absolute, `.` and `..` taken out; symbolic links are left as they are.
    pub(crate) fn absolute(&self, path: &Path) -> PathBuf {
        let literal = self.absolute_literal(path);
        // What results show in quotes is meant so, unless there is a file of that very name.
        match path.to_str().and_then(unquoted) {
            Some(path) if self.files().facts(&literal).is_err() => self.absolute_literal(&path),
            _ => literal,
        }
    }

    fn absolute_literal(&self, path: &Path) -> PathBuf {
        let mut absolute = PathBuf::new();
        for part in self.host.working_directory.join(path).components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir if !self.is_link(&absolute) => {
                    absolute.pop();
                }
                part => absolute.push(part),
            }
        }
        absolute
    }

    /// Whether a path leads elsewhere, so that `..` after it isn't the folder it is in.
    fn is_link(&self, path: &Path) -> bool {
        let parent = path.parent().and_then(|parent| self.files().resolve(parent).ok());
        let here = self.files().resolve(path).ok();
        match (parent, here) {
            (Some(parent), Some(here)) => here.parent() != Some(parent.as_path()),
            _ => false,
        }
    }

    /// A path as results show it: seen from the working directory where it lies below, else absolute; quoted where it isn't UTF-8.
    pub(crate) fn shown(&self, path: &Path) -> String {
        let shown = path_text(self.inside(path)).replace(std::path::MAIN_SEPARATOR, "/");
        if shown.is_empty() { ".".to_owned() } else { shown }
    }

    /// A path as the detection of languages sees it: what isn't UTF-8 is left out of account.
    pub(crate) fn detected_as(&self, path: &Path) -> String {
        self.inside(path).to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
    }

    fn inside<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.host.working_directory).unwrap_or(path)
    }

    /// Why a file can't be written, as an error.
    pub(crate) fn unwritable(&self, path: &Path, error: &std::io::Error) -> EngineError {
        if let Some(outside) = self.outside(path, error) {
            return outside;
        }
        let shown = self.shown(path);
        let code = match error.kind() {
            std::io::ErrorKind::PermissionDenied
            | std::io::ErrorKind::ReadOnlyFilesystem
            | std::io::ErrorKind::StorageFull
            | std::io::ErrorKind::QuotaExceeded
            | std::io::ErrorKind::FileTooLarge => ErrorCode::ReadOnly,
            std::io::ErrorKind::NotFound => ErrorCode::NotFound,
            _ => ErrorCode::Internal,
        };
        EngineError::new(code, format!("`{shown}` cannot be written: {error}")).path(shown)
    }

    /// Why a file can't be read, as an error.
    pub(crate) fn unreadable(&self, path: &Path, error: &std::io::Error) -> EngineError {
        if let Some(outside) = self.outside(path, error) {
            return outside;
        }
        let shown = self.shown(path);
        let message = match error.kind() {
            std::io::ErrorKind::NotFound => format!("no file or folder `{shown}`"),
            std::io::ErrorKind::PermissionDenied => format!("`{shown}` cannot be read: permission denied"),
            _ => format!("`{shown}` cannot be read: {error}"),
        };
        EngineError::new(ErrorCode::NotFound, message).path(shown)
    }

    /// The error of a path that leads out of the root.
    pub(crate) fn outside(&self, path: &Path, error: &std::io::Error) -> Option<EngineError> {
        let outside = error.get_ref()?.downcast_ref::<OutsideRoot>()?;
        let shown = self.shown(path);
        let message = format!("`{shown}` is outside of the root `{}`", outside.root.display());
        let hint = "the server reads and writes inside of its root alone; its user may start it with another root, or let it \
                    outside";
        Some(EngineError::new(ErrorCode::OutsideRoot, message).path(shown).hint(hint))
    }
}

/// Whether a word can be a tree's id or the start of one.
fn could_be_tree(word: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_hexdigit() || byte == b'-';
    (SHORTEST_PREFIX..=36).contains(&word.len()) && word.bytes().all(fits)
}

/// Whether an error is about the one target that gave it.
pub(crate) fn is_about_one(error: &EngineError) -> bool {
    matches!(error.code, ErrorCode::NotFound | ErrorCode::UnknownTree | ErrorCode::BadRequest)
}

/// A target as it was named.
pub(crate) fn named(target: &Target) -> String {
    match target {
        Target::Named(word) => word.clone(),
        Target::Path(path) => path.path.to_string_lossy().into_owned(),
        Target::Tree(tree) => tree.tree_id.clone(),
        Target::Text(text) => text.name.clone().unwrap_or_else(|| "-".to_owned()),
    }
}
