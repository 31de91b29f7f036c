//! The database of names, for one project: which content each of its files has.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::database::{Content, Database};
use crate::facts::{DefinitionFacts, words};
use crate::modules::FileId;

/// What is kept of a project.
#[derive(Debug)]
pub(crate) struct ProjectFacts {
    database: Database,
    /// The content of each file; `None` if the file has to be read.
    contents: Vec<Option<Content>>,
    files: FxHashMap<Content, Vec<FileId>>,
}

impl ProjectFacts {
    /// What is kept of files, each with its content; `None` for a file that has to be read.
    pub(crate) fn new(database: Database, contents: Vec<Option<Content>>) -> ProjectFacts {
        let mut files: FxHashMap<Content, Vec<FileId>> = FxHashMap::default();
        for (file, content) in (0u32..).zip(&contents) {
            if let Some(content) = content {
                files.entry(*content).or_default().push(FileId(file));
            }
        }
        ProjectFacts { database, contents, files }
    }

    /// Knows nothing more about these files.
    pub(crate) fn forget<T>(&mut self, files: &FxHashMap<FileId, T>) {
        for file in files.keys() {
            let Some(content) = self.contents.get_mut(file.0 as usize).and_then(Option::take) else { continue };
            if let Some(known) = self.files.get_mut(&content) {
                known.retain(|other| other != file);
            }
        }
    }

    /// The files that may have a word as code: those that have it, and those about which nothing is known.
    pub(crate) fn with_word(&self, word: &str) -> Option<FxHashSet<FileId>> {
        let mut found: Option<FxHashSet<Content>> = None;
        for part in words(word) {
            let Ok(contents) = self.database.with_word(part) else {
                self.database.discard();
                return None;
            };
            let contents: FxHashSet<Content> = contents.into_iter().collect();
            found = Some(match found {
                Some(found) => &found & &contents,
                None => contents,
            });
        }
        let known = found?.into_iter().filter_map(|content| self.files.get(&content)).flatten().copied();
        Some(known.chain(self.unknown()).collect())
    }

    /// The files that are known.
    pub(crate) fn known(&self) -> impl Iterator<Item = FileId> {
        let numbers = (0u32..).zip(&self.contents).filter(|(_, content)| content.is_some());
        numbers.map(|(number, _)| FileId(number))
    }

    /// The known files with a word; `None` if the database is damaged.
    pub(crate) fn known_with_word(&self, word: &str) -> Option<impl Iterator<Item = FileId>> {
        let contents = self.database.with_word(word).ok()?;
        Some(contents.into_iter().filter_map(|content| self.files.get(&content)).flatten().copied())
    }

    /// Goes through the names that are defined, each with the known files that define it; `None` if the database is damaged.
    pub(crate) fn each_definer(&self, mut look: impl FnMut(&str, &mut dyn Iterator<Item = FileId>)) -> Option<()> {
        let mut of_name = |name: &str, contents: &[Content]| {
            let mut files = contents.iter().filter_map(|content| self.files.get(content)).flatten().copied();
            look(name, &mut files);
        };
        self.database.each_defined(&mut of_name).ok()
    }

    /// The files that have to be read.
    pub(crate) fn unknown(&self) -> impl Iterator<Item = FileId> {
        let numbers = (0u32..).zip(&self.contents).filter(|(_, content)| content.is_none());
        numbers.map(|(number, _)| FileId(number))
    }

    /// The definitions in the files whose name fits; `None` if the database is damaged.
    pub(crate) fn named(&self, fits: impl FnMut(&str) -> bool) -> Option<Vec<(FileId, DefinitionFacts)>> {
        let Ok(contents) = self.database.each_name(fits) else {
            self.database.discard();
            return None;
        };
        let mut found = Vec::new();
        for content in contents {
            let Some(files) = self.files.get(&content) else { continue };
            let definitions = self.database.definitions(content).ok()?;
            for &file in files {
                found.extend(definitions.iter().cloned().map(|definition| (file, definition)));
            }
        }
        Some(found)
    }

    /// The definitions of a file.
    pub(crate) fn definitions(&self, file: FileId) -> Option<Vec<DefinitionFacts>> {
        self.database.definitions((*self.contents.get(file.0 as usize)?)?).ok()
    }

    /// The content of a file.
    pub(crate) fn content(&self, file: FileId) -> Option<Content> {
        *self.contents.get(file.0 as usize)?
    }

    /// The files with a content.
    pub(crate) fn files(&self, content: Content) -> &[FileId] {
        self.files.get(&content).map_or(&[], Vec::as_slice)
    }

    /// The database.
    pub(crate) fn database(&self) -> &Database {
        &self.database
    }
}
