//! Files and modules, as plain data.

use crate::language::Language;

/// The number of a file in its project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A file of a project.
#[derive(Debug, Clone)]
pub struct ProjectFile {
    /// Its path from the root, with `/` between the parts.
    pub path: String,
    /// Its language.
    pub language: &'static Language,
}

/// A file that names modules: `go.mod`.
#[derive(Debug, Clone)]
pub struct Manifest {
    /// Its path from the root, with `/` between the parts.
    pub path: String,
    /// The language whose modules it names.
    pub language: &'static Language,
    /// Its text.
    pub text: String,
}

/// A module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Module {
    /// A file.
    File(FileId),
    /// A package without a file of its own: the number of its folder.
    Folder(u32),
}
