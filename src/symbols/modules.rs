//! How the name of a module leads to a file.

use rustc_hash::{FxHashMap, FxHashSet};

use super::model::{FileId, ProjectFile, Thing};
use crate::language::{Language, ModuleScheme};

/// The files and folders of a project by path.
#[derive(Debug, Default)]
pub(super) struct Modules {
    files: FxHashMap<String, FileId>,
    folders: Vec<String>,
    folder_ids: FxHashMap<String, u32>,
    /// Folders with a package file.
    packages: FxHashSet<String>,
    /// The names of packages that are in no other, with the folders that contain them.
    tops: FxHashMap<String, Vec<String>>,
    paths: Vec<String>,
}

/// Parts of the path of folders whose packages are for what is inside that folder alone.
const TEST_FOLDERS: &[&str] = &["test", "tests", "testing", "testdata", "fixtures", "examples"];

impl Modules {
    pub(super) fn new(files: &[ProjectFile]) -> Modules {
        let mut modules = Modules::default();
        for (file, number) in files.iter().zip(0..) {
            modules.files.insert(file.path.clone(), FileId(number));
            modules.paths.push(file.path.clone());
            let mut folder = folder_of(&file.path);
            if is_package_file(&file.path, file.language) {
                modules.packages.insert(folder.to_owned());
            }
            while !modules.folder_ids.contains_key(folder) {
                let number = u32::try_from(modules.folders.len()).unwrap_or(u32::MAX);
                modules.folder_ids.insert(folder.to_owned(), number);
                modules.folders.push(folder.to_owned());
                folder = folder_of(folder);
            }
        }
        for package in &modules.packages {
            let outer = folder_of(package);
            if !package.is_empty() && !modules.packages.contains(outer) {
                modules.tops.entry(stem_of(package).to_owned()).or_default().push(outer.to_owned());
            }
        }
        modules.tops.values_mut().for_each(|roots| roots.sort_unstable());
        modules
    }

    pub(super) fn file_at(&self, path: &str) -> Option<FileId> {
        self.files.get(path).copied()
    }

    /// The path of a folder.
    pub(super) fn folder(&self, number: u32) -> &str {
        &self.folders[number as usize]
    }

    /// The module that an import names, as the file `from` sees it; `None` if it is not one of the project's.
    pub(super) fn import(&self, from: FileId, language: &Language, source: &str) -> Option<Thing> {
        let path = &self.paths[from.0 as usize];
        match language.spec().symbols.modules? {
            ModuleScheme::Dotted => self.dotted(path, language, source),
            ModuleScheme::Relative => self.relative(path, language, source),
        }
    }

    fn dotted(&self, path: &str, language: &Language, source: &str) -> Option<Thing> {
        let names = source.trim_start_matches('.');
        let level = source.len() - names.len();
        let names: Vec<&str> = names.split('.').filter(|name| !name.is_empty()).collect();
        let mut folder = folder_of(path);
        if level > 0 {
            for _ in 1..level {
                folder = (!folder.is_empty()).then(|| folder_of(folder))?;
            }
            return self.below(folder, &names, language);
        }
        let first = *names.first()?;
        let mut root = folder;
        while self.packages.contains(root) && !root.is_empty() {
            root = folder_of(root);
        }
        let mut roots = vec![root.to_owned(), String::new()];
        roots.extend(language.spec().symbols.source_folders.iter().cloned());
        if let Some(found) = roots.iter().find_map(|root| self.below(root, &names, language)) {
            return Some(found);
        }
        // Another package of the same repository, the nearest one if there are several.
        let tops = self.tops.get(first)?.iter().filter(|top| is_open_to(top, path));
        let nearest = tops.max_by_key(|top| shared(top, path))?;
        self.below(nearest, &names, language)
    }

    fn relative(&self, path: &str, language: &Language, source: &str) -> Option<Thing> {
        if !source.starts_with('.') {
            return None;
        }
        let mut folder = folder_of(path).to_owned();
        let mut names = Vec::new();
        for part in source.split('/') {
            match part {
                "" | "." => {}
                ".." if names.pop().is_some() => {}
                ".." => folder = (!folder.is_empty()).then(|| folder_of(&folder).to_owned())?,
                name => names.push(name),
            }
        }
        let whole = names.iter().fold(folder, |folder, name| join(&folder, name));
        if let Some(file) = self.file_at(&whole) {
            return Some(Thing::Module(file));
        }
        self.module_at(&whole, language).or_else(|| {
            // `./a.js` may be the file `a.ts`.
            let stem = whole.rsplit_once('.')?.0;
            self.module_at(stem, language)
        })
    }

    /// The module with a path of names below a folder.
    fn below(&self, folder: &str, names: &[&str], language: &Language) -> Option<Thing> {
        let whole = names.iter().fold(folder.to_owned(), |folder, name| join(&folder, name));
        self.module_at(&whole, language)
    }

    /// The module at a path without an extension: a file, the file of a package, or a folder.
    fn module_at(&self, path: &str, language: &Language) -> Option<Thing> {
        let mut extensions = language.extensions().iter();
        let of_package = || {
            let names = language.spec().symbols.package_files.iter();
            let paths = names.flat_map(|name| language.extensions().iter().map(move |extension| (name, extension)));
            paths
                .map(|(name, extension)| join(path, &format!("{name}.{extension}")))
                .find_map(|path| self.file_at(&path))
        };
        let of_file = || extensions.find_map(|extension| self.file_at(&format!("{path}.{extension}")));
        // A package comes before a file of the same name.
        of_package()
            .or_else(of_file)
            .map(Thing::Module)
            .or_else(|| self.folder_ids.get(path).copied().map(Thing::Folder))
    }

    /// The module with a name inside a package.
    pub(super) fn child(&self, package: Thing, name: &str, language: &Language) -> Option<Thing> {
        let folder = match package {
            Thing::Folder(number) => self.folder(number),
            Thing::Module(file) => {
                let path = &self.paths[file.0 as usize];
                is_package_file(path, language).then(|| folder_of(path))?
            }
            Thing::Symbol(_) => return None,
        };
        self.module_at(&join(folder, name), language)
    }
}

fn is_package_file(path: &str, language: &Language) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    language.spec().symbols.package_files.iter().any(|package| package == stem)
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn stem_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// Whether the packages in a folder are meant for a file: those of tests are not meant for other code.
fn is_open_to(folder: &str, path: &str) -> bool {
    let mut end = 0;
    folder.split('/').all(|part| {
        end += part.len() + 1;
        !TEST_FOLDERS.contains(&part) || path.starts_with(folder.get(..end - 1).unwrap_or(folder))
    })
}

/// How many parts of their paths are the same.
fn shared(one: &str, other: &str) -> usize {
    one.split('/').zip(other.split('/')).take_while(|(one, other)| one == other).count()
}
