//! The files and folders of a project by path, with the modules that manifests name.

use rustc_hash::{FxHashMap, FxHashSet};

use super::model::{FileId, Manifest, Module, ProjectFile};
use super::package_manifests::PackageManifests;
use super::paths::{folder_of, join, stem_of, walk};
use crate::language::{Language, ModuleScheme};

/// The files and folders of a project by path.
#[derive(Debug, Default)]
pub(crate) struct Modules {
    pub(super) files: FxHashMap<String, FileId>,
    pub(super) folders: Vec<String>,
    pub(super) folder_ids: FxHashMap<String, u32>,
    /// The files directly in each folder.
    pub(super) inside: Vec<Vec<FileId>>,
    /// Folders, and files, by the last part of their path.
    pub(super) by_name: FxHashMap<String, Vec<u32>>,
    pub(super) files_by_name: FxHashMap<String, Vec<FileId>>,
    /// Folders with a package file.
    pub(super) packages: FxHashSet<String>,
    /// The names of packages that are in no other, with the folders that contain them.
    pub(super) tops: FxHashMap<String, Vec<String>>,
    pub(super) paths: Vec<String>,
    /// The modules that manifests name, the longest names first.
    pub(super) named: Vec<NamedModule>,
    pub(super) manifests: PackageManifests,
}

/// A module that a manifest names.
#[derive(Debug)]
pub(super) struct NamedModule {
    pub(super) name: String,
    pub(super) folder: String,
    /// The path of its first file from there.
    pub(super) root: Option<String>,
    /// The folder of the files for which it has this name: all, if it is empty.
    pub(super) seen_from: String,
}

impl Modules {
    pub(crate) fn new(files: &[ProjectFile], manifests: &[Manifest]) -> Modules {
        Modules::renumbered(files, manifests, &[])
    }

    /// The same; folders that were known before keep their numbers.
    pub(crate) fn renumbered(files: &[ProjectFile], manifests: &[Manifest], folders: &[String]) -> Modules {
        let mut modules = Modules { folders: folders.to_vec(), ..Modules::default() };
        modules.inside.resize(folders.len(), Vec::new());
        let numbers: FxHashMap<&str, usize> = folders.iter().map(String::as_str).zip(0..).collect();
        for (file, number) in files.iter().zip(0..) {
            modules.files.insert(file.path.clone(), FileId(number));
            modules.paths.push(file.path.clone());
            modules.files_by_name.entry(stem_of(&file.path).to_owned()).or_default().push(FileId(number));
            let mut folder = folder_of(&file.path);
            if is_package_file(&file.path, file.language) {
                modules.packages.insert(folder.to_owned());
            }
            while !modules.folder_ids.contains_key(folder) {
                let known = numbers.get(folder).copied();
                let number = u32::try_from(known.unwrap_or(modules.folders.len())).unwrap_or(u32::MAX);
                modules.folder_ids.insert(folder.to_owned(), number);
                modules.by_name.entry(stem_of(folder).to_owned()).or_default().push(number);
                if known.is_none() {
                    modules.folders.push(folder.to_owned());
                    modules.inside.push(Vec::new());
                }
                folder = folder_of(folder);
            }
            let place = modules.folder_ids[folder_of(&file.path)];
            modules.inside[place as usize].push(FileId(number));
        }
        for package in &modules.packages {
            let outer = folder_of(package);
            if !package.is_empty() && !modules.packages.contains(outer) {
                modules.tops.entry(stem_of(package).to_owned()).or_default().push(outer.to_owned());
            }
        }
        modules.tops.values_mut().for_each(|roots| roots.sort_unstable());
        for manifest in manifests {
            modules.add_manifest(manifest);
        }
        modules.manifests.settle();
        modules.named.sort_by_key(|module| std::cmp::Reverse(module.name.len()));
        modules
    }

    fn add_manifest(&mut self, manifest: &Manifest) {
        let rules = &manifest.language.spec().symbols;
        if rules.modules == Some(ModuleScheme::Relative) {
            self.manifests.add(&manifest.path, &manifest.text);
            return;
        }
        let folder = folder_of(&manifest.path);
        let name = rules.manifests.name.get().captures(&manifest.text).and_then(|found| found.get(1));
        if let Some(name) = name {
            let (name, folder) = (name.as_str().to_owned(), folder.to_owned());
            let root = rules.manifests.root.get().captures(&manifest.text).and_then(|found| found.get(1));
            let root = root.map(|root| root.as_str().to_owned());
            self.named.push(NamedModule { name, folder, root, seen_from: String::new() });
        }
        for found in rules.manifests.folders.get().captures_iter(&manifest.text) {
            let (Some(name), Some(path)) = (found.get(1), found.get(2)) else { continue };
            let Some(path) = walk(folder, path.as_str()) else { continue };
            let (name, seen_from) = (name.as_str().to_owned(), folder.to_owned());
            self.named.push(NamedModule { name, folder: path, root: None, seen_from });
        }
    }

    pub(crate) fn file_at(&self, path: &str) -> Option<FileId> {
        self.files.get(path).copied()
    }

    /// The path of a file.
    pub(crate) fn path(&self, file: FileId) -> &str {
        &self.paths[file.0 as usize]
    }

    /// The number of a folder.
    pub(crate) fn folder_at(&self, path: &str) -> Option<u32> {
        self.folder_ids.get(path).copied()
    }

    /// The paths of all folders.
    pub(crate) fn folders(&self) -> &[String] {
        &self.folders
    }

    /// The path of a folder.
    pub(crate) fn folder(&self, number: u32) -> &str {
        &self.folders[number as usize]
    }

    /// The files directly in a folder.
    pub(crate) fn files_in(&self, number: u32) -> &[FileId] {
        &self.inside[number as usize]
    }

    /// The folder of a file.
    pub(crate) fn folder_of(&self, file: FileId) -> u32 {
        self.folder_ids[folder_of(self.path(file))]
    }

    /// The folders whose path ends with this one.
    pub(crate) fn folders_named(&self, path: &str) -> Vec<u32> {
        let numbers = self.by_name.get(stem_of(path)).into_iter().flatten().copied();
        let fits = |&number: &u32| {
            let rest = self.folder(number).strip_suffix(path);
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        numbers.filter(fits).collect()
    }

    /// The module with a path of names below a folder.
    pub(super) fn below(&self, folder: &str, names: &[&str], language: &Language) -> Option<Module> {
        let whole = names.iter().fold(folder.to_owned(), |folder, name| join(&folder, name));
        self.module_at(&whole, language)
    }

    /// The module at a path without an extension: a file, the file of a package, or a folder.
    pub(super) fn module_at(&self, path: &str, language: &Language) -> Option<Module> {
        let mut extensions = language.extensions().iter();
        let of_package = || {
            let names = language.spec().symbols.module_files.packages.iter();
            let paths = names.flat_map(|name| language.extensions().iter().map(move |extension| (name, extension)));
            paths
                .map(|(name, extension)| join(path, &format!("{name}.{extension}")))
                .find_map(|path| self.file_at(&path))
        };
        let of_file = || extensions.find_map(|extension| self.file_at(&format!("{path}.{extension}")));
        // A package comes before a file of the same name.
        of_package()
            .or_else(of_file)
            .map(Module::File)
            .or_else(|| self.folder_ids.get(path).copied().map(Module::Folder))
    }

    /// The module with a name inside a package.
    pub(crate) fn child(&self, package: Module, name: &str, language: &Language) -> Option<Module> {
        let scheme = language.spec().symbols.modules;
        if !matches!(scheme, Some(ModuleScheme::Dotted | ModuleScheme::Relative)) {
            return None;
        }
        let folder = match package {
            Module::Folder(number) => self.folder(number),
            Module::File(file) => {
                let path = self.path(file);
                is_package_file(path, language).then(|| folder_of(path))?
            }
        };
        self.module_at(&join(folder, name), language)
    }
}

pub(super) fn is_package_file(path: &str, language: &Language) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    language.spec().symbols.module_files.packages.iter().any(|package| package == stem)
}
