//! `crate::a::b`: files and folders below the file of a library or a program, as its modules declare them.

use super::files::{Modules, NamedModule, is_package_file};
use super::model::{FileId, Module};
use super::paths::{folder_of, is_below, join, stem_of, walk};
use crate::language::Language;

impl Modules {
    /// The library with a name.
    pub(super) fn library(&self, path: &str, language: &Language, name: &str) -> Option<Module> {
        let rules = &language.spec().symbols;
        let is_it = |module: &&NamedModule| module.name.replace('-', "_") == name && is_below(path, &module.seen_from);
        let mut found = self.named.iter().filter(is_it).filter_map(|module| {
            if let Some(root) = &module.root {
                return self.file_at(&join(&module.folder, root));
            }
            let folders = rules.module_files.sources.iter().map(String::as_str).chain([""]);
            let mut paths = folders.flat_map(|folder| {
                let names =
                    rules.module_tree.crate_files.iter().flat_map(|stem| {
                        language.extensions().iter().map(move |extension| format!("{stem}.{extension}"))
                    });
                names.map(move |name| join(&join(&module.folder, folder), &name))
            });
            paths.find_map(|path| self.file_at(&path))
        });
        let first = found.next()?;
        // Two libraries with one name: which is meant depends on more than the manifest.
        found.all(|other| other == first).then_some(Module::File(first))
    }

    /// The name of a file's module in the one above; `None` if it can have none above.
    pub(crate) fn name_in_tree(&self, file: FileId, language: &Language) -> Option<&str> {
        let path = self.path(file);
        let name = if is_package_file(path, language) { folder_of(path) } else { path };
        let stem = stem_of(name);
        let stem = stem.split_once('.').map_or(stem, |(stem, _)| stem);
        let is_root = language.spec().symbols.module_tree.crate_files.iter().any(|root| root == file_stem(path));
        (!stem.is_empty() && !is_root).then_some(stem)
    }

    /// The files that may declare a file's module.
    pub(crate) fn above_in_tree(&self, file: FileId, language: &Language) -> Vec<FileId> {
        let path = self.path(file);
        let is_package = is_package_file(path, language);
        let folder = if is_package { folder_of(folder_of(path)) } else { folder_of(path) };
        let rules = &language.spec().symbols;
        let mut found = Vec::new();
        for extension in language.extensions() {
            for stem in &rules.module_files.packages {
                found.extend(self.file_at(&join(folder, &format!("{stem}.{extension}"))));
            }
            found.extend(self.file_at(&format!("{folder}.{extension}")));
        }
        found.retain(|&other| other != file);
        found
    }

    /// The file of a module that a file declares, inside modules of these names.
    pub(crate) fn below_in_tree(
        &self,
        file: FileId,
        language: &Language,
        names: &[String],
        written: Option<&str>,
        is_root: bool,
    ) -> Option<FileId> {
        let path = self.path(file);
        if let Some(written) = written {
            return self.file_at(&walk(folder_of(path), written)?);
        }
        let folder = match is_root || is_package_file(path, language) {
            true => folder_of(path).to_owned(),
            false => join(folder_of(path), file_stem(path)),
        };
        let whole = names.iter().fold(folder, |folder, name| join(&folder, name));
        match self.module_at(&whole, language)? {
            Module::File(file) => Some(file),
            Module::Folder(_) => None,
        }
    }
}

fn file_stem(path: &str) -> &str {
    let name = stem_of(path);
    name.split_once('.').map_or(name, |(stem, _)| stem)
}
