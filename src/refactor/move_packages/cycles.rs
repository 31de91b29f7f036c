//! Cycles of packages that a move would make, and packages that may not be imported.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::modules::FileId;
use crate::refactor::move_packages::crossing::{Crossing, NewImport};
use crate::refactor::move_symbols::packages::{folder, stem};
use crate::symbols::Thing;

/// The number of a folder that is not there yet.
const NEW: u32 = u32::MAX;

impl Crossing<'_, '_> {
    /// Refuses imports of what may not be imported, or that would make a cycle.
    pub(super) fn check_new_imports(&mut self) {
        let imports = self.new_imports.clone();
        let rules = &self.parcel.language.spec().symbols.package_borders;
        let is_program = rules.programs.contains(&self.parcel.new.name);
        for import in &imports {
            let (file, start) = self.place_of(import);
            let importer = self.importer(import);
            if import.path == self.parcel.new.path && is_program {
                self.block(file, start, "a program cannot be imported, and other code would need it");
            } else if import.path == self.parcel.old.path && rules.programs.contains(&self.parcel.old.name) {
                self.block(file, start, "what moves needs a program, which cannot be imported");
            } else if self.is_hidden_from(&import.path, &importer) {
                self.block(file, start, format!("`{}` cannot be imported from `{importer}`", import.path));
            }
        }
        let mut graph = Graph { crossing: self, folders: FxHashMap::default() };
        let found: Vec<(FileId, usize, String)> = imports.iter().filter_map(|import| graph.cycle(import)).collect();
        for (file, start, why) in found {
            self.block(file, start, why);
        }
    }

    fn place_of(&self, import: &NewImport) -> (FileId, usize) {
        match import.file {
            Some(file) => (file, 0),
            None => self.parcel.parts.first().map_or((FileId(0), 0), |part| (part.file, part.span.start())),
        }
    }

    /// The path of the package that has a new import.
    fn importer(&self, import: &NewImport) -> String {
        let is_new = import.file.is_none_or(|file| Some(file) == self.parcel.whole);
        match import.file.filter(|_| !is_new) {
            Some(file) => {
                let own = folder(&self.resolver.project().file(file).path);
                self.resolver.project().package_path(own).map_or(String::new(), |package| package.path)
            }
            None => self.parcel.new.path.clone(),
        }
    }

    /// Whether a package may not be imported from another one.
    fn is_hidden_from(&self, path: &str, importer: &str) -> bool {
        is_hidden(&self.parcel.language.spec().symbols.package_borders.hidden_folders, path, importer)
    }

    /// Whether a file is only compiled for tests.
    pub(super) fn is_test(&self, file: FileId) -> bool {
        let private = &self.parcel.language.spec().symbols.module_files.private;
        let stem = stem(&self.resolver.project().file(file).path);
        private.iter().any(|ending| stem.ends_with(ending.as_str()))
    }
}

/// The packages as the move leaves them, as far as they were asked for.
struct Graph<'g, 'a, 'r> {
    crossing: &'g Crossing<'a, 'r>,
    folders: FxHashMap<u32, Vec<u32>>,
}

impl Graph<'_, '_, '_> {
    /// The cycle that a new import would be part of.
    fn cycle(&mut self, import: &NewImport) -> Option<(FileId, usize, String)> {
        let crossing = self.crossing;
        let target = self.folder_of_path(import)?;
        let is_home = import.file.is_none_or(|file| Some(file) == crossing.parcel.whole);
        let own = match import.file.filter(|_| !is_home) {
            Some(file) => self.folder_of(file),
            None => self.number_of_new(),
        };
        // Tests with a package of their own import what they test.
        if let Some(file) = import.file.filter(|_| !is_home)
            && crossing.is_test(file)
            && self.is_apart(file)
        {
            return None;
        }
        let (file, start) = crossing.place_of(import);
        if own == target || self.reach_from(target).contains(&own) {
            return Some((file, start, format!("an import of `{}` would be part of an import cycle", import.path)));
        }
        let is_test = import.file.filter(|_| !is_home).is_some_and(|file| crossing.is_test(file));
        let test = if is_test { None } else { self.test_around(own, target) };
        let why = format!("an import of `{}` would be part of an import cycle in the tests of a package", import.path);
        test.map(|test| (test, 0, why))
    }

    /// A test that is compiled with a package which a new import leads to, and that leads to the package with the import.
    fn test_around(&mut self, own: u32, target: u32) -> Option<FileId> {
        let mut packages: Vec<u32> = self.reach_from(target).into_iter().collect();
        packages.push(target);
        let crossing = self.crossing;
        let project = crossing.resolver.project();
        let is_its = |&file: &FileId| {
            project.file(file).language == crossing.parcel.language
                && crossing.is_test(file)
                && packages.contains(&self.folder_of(file))
                && !self.is_apart(file)
        };
        let tests: Vec<FileId> = project.ids().filter(is_its).collect();
        tests.into_iter().find(|&test| {
            let imported = self.imports_of_files(&[test], false);
            imported.into_iter().any(|folder| folder == own || self.reach_from(folder).contains(&own))
        })
    }

    fn number_of_new(&self) -> u32 {
        self.crossing.parcel.new.number.unwrap_or(NEW)
    }

    fn folder_of(&self, file: FileId) -> u32 {
        let project = self.crossing.resolver.project();
        project.folder_at(folder(&project.file(file).path)).unwrap_or(NEW)
    }

    /// Whether a file for tests declares another package than the files beside it.
    fn is_apart(&self, file: FileId) -> bool {
        let crossing = self.crossing;
        let project = crossing.resolver.project();
        let beside = project.ids().find(|&other| {
            project.are_in_one_folder(other, file)
                && project.file(other).language == crossing.parcel.language
                && !crossing.is_test(other)
        });
        beside.is_some_and(|beside| {
            crossing.resolver.declared_package(beside).map(|package| package.name)
                != crossing.resolver.declared_package(file).map(|package| package.name)
        })
    }

    fn folder_of_path(&self, import: &NewImport) -> Option<u32> {
        let parcel = self.crossing.parcel;
        if import.path == parcel.new.path {
            return Some(self.number_of_new());
        }
        let seen_from = import.file.or(parcel.home).or_else(|| parcel.old.files.first().copied())?;
        match self.crossing.resolver.imported_module(seen_from, &import.path)? {
            Thing::Folder(folder) => Some(folder),
            _ => None,
        }
    }

    /// The packages that one leads to.
    fn reach_from(&mut self, from: u32) -> FxHashSet<u32> {
        let (mut seen, mut waiting) = (FxHashSet::default(), vec![from]);
        while let Some(folder) = waiting.pop() {
            for next in self.imports_of(folder) {
                if seen.insert(next) {
                    waiting.push(next);
                }
            }
        }
        seen
    }

    /// The packages that the files of a folder import, those of tests left out.
    fn imports_of(&mut self, folder: u32) -> Vec<u32> {
        if let Some(known) = self.folders.get(&folder) {
            return known.clone();
        }
        let crossing = self.crossing;
        let parcel = crossing.parcel;
        let project = crossing.resolver.project();
        let is_new = folder == self.number_of_new();
        let is_its = |&file: &FileId| {
            let is_whole = Some(file) == parcel.whole;
            project.file(file).language == parcel.language
                && !crossing.is_test(file)
                && (is_whole && is_new || !is_whole && self.folder_of(file) == folder)
        };
        let files: Vec<FileId> = project.ids().filter(is_its).collect();
        let found = self.imports_of_files(&files, is_new);
        self.folders.insert(folder, found.clone());
        found
    }

    /// The packages that some files import; with `is_new`, what moves besides.
    fn imports_of_files(&self, files: &[FileId], is_new: bool) -> Vec<u32> {
        let crossing = self.crossing;
        let mut found = Vec::new();
        for &file in files {
            for (node, target) in crossing.resolver.imported_folders(file) {
                let is_dropped = crossing.dropped.iter().any(|(other, part)| {
                    *other == file
                        && crossing.resolver.tree(file).is_some_and(|tree| {
                            tree.table().is_within(node, *part) || tree.table().is_within(*part, node)
                        })
                });
                if !is_dropped {
                    found.push(target);
                }
            }
        }
        let added = crossing.new_imports.iter().filter(|import| match import.file {
            Some(file) => files.contains(&file),
            None => is_new,
        });
        found.extend(added.filter_map(|import| self.folder_of_path(import)));
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Whether a package is only for those below a folder that another one is not below.
pub(super) fn is_hidden(hidden: &[String], path: &str, importer: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    (1..parts.len()).filter(|&at| hidden.iter().any(|name| name == parts[at])).any(|at| {
        let around = parts[..at].join("/");
        importer != around && !importer.starts_with(&format!("{around}/"))
    })
}
