//! A file or folder that gets another path.

/// Where files go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relocation {
    /// The old path of the file or folder, from the root.
    pub(crate) old: String,
    /// The new one.
    pub(crate) new: String,
    is_folder: bool,
}

impl Relocation {
    /// A file or folder gets another path; both are from the root of the project.
    pub fn new(old: String, new: String, is_folder: bool) -> Relocation {
        Relocation { old, new, is_folder }
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
        let rest = path.strip_prefix(&self.old).filter(|rest| self.is_folder && rest.starts_with('/'))?;
        Some(format!("{}{rest}", self.new))
    }
}
