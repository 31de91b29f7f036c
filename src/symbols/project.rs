//! The files of a project, and their trees.

use std::cell::OnceCell;

use super::model::{FileId, ProjectFile};
use super::modules::Modules;
use crate::language::Language;
use crate::tree::Tree;

/// The files of a project, and how the names of modules lead to them.
#[derive(Debug)]
pub struct Project {
    files: Vec<ProjectFile>,
    languages: Vec<&'static Language>,
    pub(super) modules: Modules,
}

impl Project {
    /// The project with these files.
    pub fn new(files: Vec<ProjectFile>) -> Project {
        let modules = Modules::new(&files);
        let mut languages: Vec<&'static Language> = Vec::new();
        for file in &files {
            if !languages.contains(&file.language) {
                languages.push(file.language);
            }
        }
        Project { files, languages, modules }
    }

    /// The languages of its files.
    pub(super) fn languages(&self) -> &[&'static Language] {
        &self.languages
    }

    /// All files.
    pub fn files(&self) -> &[ProjectFile] {
        &self.files
    }

    /// The numbers of all files.
    pub fn ids(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..u32::try_from(self.files.len()).unwrap_or(u32::MAX)).map(FileId)
    }

    /// A file.
    pub fn file(&self, id: FileId) -> &ProjectFile {
        &self.files[id.0 as usize]
    }

    /// The file at a path from the root.
    pub fn at(&self, path: &str) -> Option<FileId> {
        self.modules.file_at(path)
    }
}

/// Makes the tree of a file; `None` if it cannot be read.
pub type LoadTree<'a> = dyn Fn(FileId) -> Option<Tree> + 'a;

/// The trees of a project, loaded when they are first asked for and kept.
pub struct Trees<'a> {
    pub(super) project: &'a Project,
    load: &'a LoadTree<'a>,
    slots: Vec<OnceCell<Option<Box<Tree>>>>,
}

impl<'a> Trees<'a> {
    /// No tree is loaded yet.
    pub fn new(project: &'a Project, load: &'a LoadTree<'a>) -> Trees<'a> {
        Trees { project, load, slots: project.files.iter().map(|_| OnceCell::new()).collect() }
    }

    /// The tree of a file; `None` if it cannot be read.
    pub fn get(&self, file: FileId) -> Option<&Tree> {
        self.slots.get(file.0 as usize)?.get_or_init(|| (self.load)(file).map(Box::new)).as_deref()
    }

    /// Keeps a tree that was already loaded.
    pub fn put(&self, file: FileId, tree: Tree) {
        if let Some(slot) = self.slots.get(file.0 as usize) {
            let _ = slot.set(Some(Box::new(tree)));
        }
    }
}
