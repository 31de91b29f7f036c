//! A file or folder that gets another path.

/// Where files go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relocation {
    /// The old path of the file or folder, from the root.
    pub(crate) old: String,
    /// The new one.
    pub(crate) new: String,
    is_folder: bool,
    /// The folder that moves with a file, with the modules inside that of the file.
    inner: Option<Box<Relocation>>,
}

impl Relocation {
    /// A file or folder gets another path; both are from the root of the project.
    pub fn new(old: String, new: String, is_folder: bool) -> Relocation {
        Relocation { old, new, is_folder, inner: None }
    }

    /// A file gets another path, and the folder with the modules inside its own goes with it.
    #[must_use]
    pub fn with_inner(self, old: String, new: String) -> Relocation {
        Relocation { inner: Some(Box::new(Relocation::new(old, new, true))), ..self }
    }

    /// The old path of the file or folder.
    pub fn old(&self) -> &str {
        &self.old
    }

    /// The new path of a file or folder; `None` if it does not move.
    pub fn new_path(&self, path: &str) -> Option<String> {
        if path == self.old {
            return Some(self.new.clone());
        }
        let rest = path.strip_prefix(&self.old).filter(|rest| self.is_folder && rest.starts_with('/'));
        match rest {
            Some(rest) => Some(format!("{}{rest}", self.new)),
            None => self.inner.as_ref()?.new_path(path),
        }
    }
}
