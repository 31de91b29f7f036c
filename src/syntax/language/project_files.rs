//! The files by which the folder of a project is recognised where there is no repository: `pyproject.toml`, `Cargo.toml`.

use super::languages::Languages;
use super::row::Row;

/// The files that languages keep at the top of a project, and those that make a folder a workspace of several projects.
#[derive(Debug, Default)]
pub struct ProjectFiles {
    names: Vec<&'static str>,
    workspaces: Vec<(&'static str, &'static str)>,
}

impl ProjectFiles {
    /// The files of all languages in a set.
    pub fn new(languages: &Languages) -> ProjectFiles {
        let mut found = ProjectFiles::default();
        for head in languages.rows().filter_map(Row::head) {
            found.names.extend(head.projects.iter().map(String::as_str));
            found.workspaces.extend(head.workspaces.iter().map(|(name, text)| (name.as_str(), text.as_str())));
        }
        found.names.sort_unstable();
        found.names.dedup();
        found.workspaces.sort_unstable();
        found.workspaces.dedup();
        found
    }

    /// Their names.
    pub fn names(&self) -> &[&'static str] {
        &self.names
    }

    /// The files of workspaces, each with the text that must be in it; an empty text is in every file.
    pub fn workspaces(&self) -> &[(&'static str, &'static str)] {
        &self.workspaces
    }
}
