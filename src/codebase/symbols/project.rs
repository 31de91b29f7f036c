//! The files of a project, and their trees.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::hash::Hasher;
use std::rc::Rc;
use std::sync::{Arc, Mutex, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::model::{PreciseNames, Site, Thing};
use crate::language::{Language, ModuleScheme};
use crate::locks::IgnorePoison;
use crate::modules::{FileId, Manifest, Module, Modules, ProjectFile};
use crate::tree::Tree;

/// The files of a project, and how the names of modules lead to them.
#[derive(Debug)]
pub struct Project {
    files: Vec<ProjectFile>,
    languages: Vec<&'static Language>,
    manifests: Vec<Manifest>,
    pub(crate) modules: Modules,
    /// The hashes of the words of each file, as far as they were needed, in order.
    words: Vec<OnceLock<Box<[u32]>>>,
    /// The hashes of the names that traits of files define, in order; `None` for a file that cannot be read.
    in_traits: Vec<OnceLock<Option<Box<[u32]>>>>,
    /// The files that each file includes itself, as far as they were needed.
    includes: Vec<OnceLock<Box<[FileId]>>>,
    /// The namespaces that were asked for, by their numbers.
    packages: Mutex<Vec<String>>,
    /// The namespaces that the files of each language declare, with those around them.
    declared: OnceLock<FxHashSet<(&'static str, String)>>,
    /// Files whose package is not that of their folder, by language and package.
    strays: OnceLock<FxHashMap<(&'static str, String), Vec<FileId>>>,
    /// The names at which members with a name get values, by language and name, as far as they were needed.
    assigned: Shared,
    /// The names of the classes that name a base, by language and the base's name.
    extending: Shared,
    /// The files whose documentation has code that is a file here, by the numbers of these, which are the last ones.
    hosts: BTreeMap<FileId, FileId>,
}

/// Code in documentation that tools run, as a file.
#[derive(Debug, Clone)]
pub struct DocumentFile {
    /// The file.
    pub file: ProjectFile,
    /// The file with the documentation.
    pub host: FileId,
}

/// A language and a name in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct NameKey<'n> {
    pub(super) language: &'static str,
    pub(super) name: &'n str,
}

/// Places by language and name, which the resolvers of a project find once.
type Shared = Mutex<FxHashMap<(&'static str, String), Arc<[Site]>>>;

impl Project {
    /// The files that name its modules.
    pub fn manifests(&self) -> &[Manifest] {
        &self.manifests
    }

    /// The project with these files, and those that name its modules.
    pub fn new(files: Vec<ProjectFile>, manifests: Vec<Manifest>) -> Project {
        let modules = Modules::new(&files, &manifests);
        Project::with(files, manifests, modules)
    }

    /// The same project with other paths, and with more files: those that are there keep their numbers, and so do folders.
    #[must_use]
    pub fn relocated(&self, new_path: impl Fn(&str) -> Option<String>, more: Vec<ProjectFile>) -> Project {
        let moved = |path: &str| new_path(path).unwrap_or_else(|| path.to_owned());
        let files = self.files.iter().map(|file| ProjectFile { path: moved(&file.path), ..file.clone() });
        let files: Vec<ProjectFile> = files.chain(more).collect();
        let manifests = self.manifests.iter().cloned();
        let manifests = manifests.map(|manifest| Manifest { path: moved(&manifest.path), ..manifest });
        let manifests: Vec<Manifest> = manifests.collect();
        let modules = Modules::renumbered(&files, &manifests, self.modules.folders());
        let mut project = Project::with(files, manifests, modules);
        project.hosts.clone_from(&self.hosts);
        // Namespaces keep their numbers, too.
        *project.packages.lock().ignore_poison() = self.packages.lock().ignore_poison().clone();
        project
    }

    fn with(files: Vec<ProjectFile>, manifests: Vec<Manifest>, modules: Modules) -> Project {
        let mut languages: Vec<&'static Language> = Vec::new();
        for file in &files {
            if !languages.contains(&file.language) {
                languages.push(file.language);
            }
        }
        let words = files.iter().map(|_| OnceLock::new()).collect();
        let in_traits = files.iter().map(|_| OnceLock::new()).collect();
        let includes = files.iter().map(|_| OnceLock::new()).collect();
        let (packages, declared, strays) = (Mutex::default(), OnceLock::new(), OnceLock::new());
        let (assigned, extending, hosts) = (Mutex::default(), Mutex::default(), BTreeMap::new());
        Project {
            files,
            languages,
            manifests,
            modules,
            words,
            in_traits,
            includes,
            packages,
            declared,
            strays,
            assigned,
            extending,
            hosts,
        }
    }

    /// Adds code in documentation, as files; their numbers are the next ones.
    pub fn add_documents(&mut self, documents: Vec<DocumentFile>) {
        for DocumentFile { file, host } in documents {
            let number = u32::try_from(self.files.len()).unwrap_or(u32::MAX);
            self.hosts.insert(FileId(number), host);
            self.files.push(file);
        }
        self.resize();
    }

    /// Removes the code in documentation.
    pub fn remove_documents(&mut self) {
        let Some(first) = self.hosts.keys().next().copied() else { return };
        self.hosts.clear();
        self.files.truncate(first.0 as usize);
        self.resize();
    }

    /// The code in documentation, each with the file that has the documentation.
    pub fn documents(&self) -> impl Iterator<Item = (FileId, FileId)> {
        self.hosts.iter().map(|(&document, &host)| (document, host))
    }

    /// The file with the documentation of which a file is the code; `None` for other files.
    pub fn host_of(&self, file: FileId) -> Option<FileId> {
        self.hosts.get(&file).copied()
    }

    /// Knows modules and words of its files, as many as there are now.
    fn resize(&mut self) {
        self.modules = Modules::renumbered(&self.files, &self.manifests, self.modules.folders());
        self.words.resize_with(self.files.len(), OnceLock::new);
        self.in_traits.resize_with(self.files.len(), OnceLock::new);
        self.includes.resize_with(self.files.len(), OnceLock::new);
        (self.assigned, self.extending) = (Mutex::default(), Mutex::default());
        (self.declared, self.strays) = (OnceLock::new(), OnceLock::new());
    }

    /// The number of a namespace.
    pub(super) fn package_id(&self, name: &str) -> u32 {
        let mut packages = self.packages.lock().ignore_poison();
        let index = packages.iter().position(|known| known == name).unwrap_or_else(|| {
            packages.push(name.to_owned());
            packages.len() - 1
        });
        u32::try_from(index).unwrap_or(u32::MAX)
    }

    /// The name of a namespace.
    pub(super) fn package_name(&self, id: u32) -> String {
        let packages = self.packages.lock().ignore_poison();
        packages.get(id as usize).cloned().unwrap_or_default()
    }

    /// Whether a file declares a namespace, or one inside it.
    fn declares_package(&self, language: &Language, name: &str, read: &ReadFile<'_>) -> bool {
        let declared = self.declared.get_or_init(|| {
            let mut declared = FxHashSet::default();
            for file in self.ids() {
                let language = self.file(file).language;
                let spec = language.spec();
                let (Some(lines), Some(bytes)) = (&spec.symbols.namespaces.lines, read(file)) else { continue };
                let separator = spec.imports.separator.as_str();
                let text = String::from_utf8_lossy(&bytes);
                for found in lines.get().captures_iter(&text).filter_map(|found| found.get(1)) {
                    let mut name: String = found.as_str().split_whitespace().collect();
                    while declared.insert((language.name(), name.clone())) {
                        let Some((outer, _)) = name.rsplit_once(separator) else { break };
                        name.truncate(outer.len());
                    }
                }
            }
            declared
        });
        declared.contains(&(language.name(), name.to_owned()))
    }

    /// The files that declare a package after which their folder is not named; for the package without a name, all of its files.
    fn strays(&self, language: &'static Language, package: &str, read: &ReadFile<'_>) -> &[FileId] {
        let strays = self.strays.get_or_init(|| {
            let mut strays: FxHashMap<(&'static str, String), Vec<FileId>> = FxHashMap::default();
            for file in self.ids() {
                let language = self.file(file).language;
                let spec = language.spec();
                let (Some(lines), Some(ModuleScheme::Packages)) =
                    (&spec.symbols.namespaces.lines, spec.symbols.modules)
                else {
                    continue;
                };
                let Some(bytes) = read(file) else { continue };
                let text = String::from_utf8_lossy(&bytes);
                let declared = lines.get().captures(&text).and_then(|found| found.get(1));
                let package: String =
                    declared.map_or_else(String::new, |name| name.as_str().split_whitespace().collect());
                let folder = self.file(file).path.rsplit_once('/').map_or("", |(folder, _)| folder);
                let own = package.replace(spec.imports.separator.as_str(), "/");
                let rest = folder.strip_suffix(own.as_str());
                if package.is_empty() || !rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/')) {
                    strays.entry((language.name(), package)).or_default().push(file);
                }
            }
            strays
        });
        strays.get(&(language.name(), package.to_owned())).map_or(&[], Vec::as_slice)
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

    /// Whether a file contains a word; if it cannot be read, it may. Its words are read once.
    fn may_have(&self, file: FileId, word: &str, read: &ReadFile<'_>) -> bool {
        let Some(slot) = self.words.get(file.0 as usize) else { return false };
        let words = match slot.get() {
            Some(words) => words,
            None => match read(file) {
                Some(bytes) => slot.get_or_init(|| {
                    let any_case = self.file(file).language.spec().symbols.references.as_ref();
                    match any_case.is_some_and(|rules| rules.any_case.is_some()) {
                        true => words_of(&[&*bytes, b" ", &*bytes.to_ascii_lowercase()].concat()),
                        false => words_of(&bytes),
                    }
                }),
                None => return true,
            },
        };
        // Some names end with signs: `empty?`.
        let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
        let mut parts = word.as_bytes().split(|byte| !is_letter(byte)).filter(|part| !part.is_empty());
        parts.all(|part| words.binary_search(&hash(part)).is_ok())
    }

    /// The files that a file includes itself.
    fn includes(&self, file: FileId, read: &ReadFile<'_>) -> &[FileId] {
        let Some(slot) = self.includes.get(file.0 as usize) else { return &[] };
        slot.get_or_init(|| {
            let language = self.file(file).language;
            let (Some(lines), Some(bytes)) = (&language.spec().symbols.includes.lines, read(file)) else {
                return Box::default();
            };
            let text = String::from_utf8_lossy(&bytes);
            let names = lines.get().captures_iter(&text).filter_map(|found| found.get(1));
            names.filter_map(|name| self.modules.included(file, name.as_str())).collect()
        })
    }

    /// The places at which members of a language with a name get values; the first who asks finds them.
    pub(super) fn assigned(&self, key: NameKey<'_>, find: impl FnOnce() -> Vec<Site>) -> Arc<[Site]> {
        found_once(&self.assigned, key, find)
    }

    /// The classes of a language that name a base, by its name; the first who asks finds them.
    pub(super) fn extending(&self, key: NameKey<'_>, find: impl FnOnce() -> Vec<Site>) -> Arc<[Site]> {
        found_once(&self.extending, key, find)
    }

    /// Whether a trait of a file may define a name; the first who asks finds all names.
    pub(super) fn may_be_in_trait(&self, file: FileId, name: &str, find: impl FnOnce() -> Option<Vec<String>>) -> bool {
        let Some(slot) = self.in_traits.get(file.0 as usize) else { return true };
        let hashes = |names: Vec<String>| {
            let mut hashes: Vec<u32> = names.iter().map(|name| hash(name.as_bytes())).collect();
            hashes.sort_unstable();
            hashes.into_boxed_slice()
        };
        let known = slot.get_or_init(|| find().map(hashes));
        known.as_ref().is_none_or(|known| known.binary_search(&hash(name.as_bytes())).is_ok())
    }

    /// Forgets what was read of files.
    pub fn forget(&mut self, files: impl Iterator<Item = FileId>) {
        (self.assigned, self.extending) = (Mutex::default(), Mutex::default());
        for file in files {
            let place = file.0 as usize;
            if let Some(names) = self.in_traits.get_mut(place) {
                *names = OnceLock::new();
            }
            if let (Some(words), Some(includes)) = (self.words.get_mut(place), self.includes.get_mut(place)) {
                (*words, *includes) = (OnceLock::new(), OnceLock::new());
            }
        }
    }

    /// The folders that have files, with their numbers.
    pub fn folders(&self) -> impl Iterator<Item = (u32, &str)> {
        let paths = self.modules.folders().iter().map(String::as_str);
        paths.filter_map(|path| Some((self.modules.folder_at(path)?, path)))
    }

    /// The number of the folder at a path from the root, if it has files.
    pub fn folder_at(&self, path: &str) -> Option<u32> {
        self.modules.folder_at(path)
    }

    /// Whether an import in a file means a module of the project.
    pub fn has_module(&self, from: FileId, path: &str) -> bool {
        self.imported_module(from, self.file(from).language, path).is_some()
    }

    /// The module that a name in an import of a file means.
    pub(crate) fn imported_module(&self, from: FileId, language: &Language, source: &str) -> Option<Thing> {
        self.modules.import(from, language, source).map(Thing::from)
    }

    /// The module with a name inside a package.
    pub(crate) fn child_module(&self, package: Thing, name: &str, language: &Language) -> Option<Thing> {
        let package = match package {
            Thing::Module(file) => Module::File(file),
            Thing::Folder(folder) => Module::Folder(folder),
            Thing::Symbol(_) | Thing::Package(_) => return None,
        };
        self.modules.child(package, name, language).map(Thing::from)
    }

    /// Whether two files are in the same folder.
    pub fn are_in_one_folder(&self, one: FileId, other: FileId) -> bool {
        let folder = |file: FileId| self.file(file).path.rsplit_once('/').map_or("", |(folder, _)| folder);
        folder(one) == folder(other)
    }

    /// The file at a path from the root.
    pub fn at(&self, path: &str) -> Option<FileId> {
        self.modules.file_at(path)
    }
}

/// The places that are kept under a key; the first who asks finds them.
fn found_once(kept: &Shared, key: NameKey<'_>, find: impl FnOnce() -> Vec<Site>) -> Arc<[Site]> {
    let key = (key.language, key.name.to_owned());
    if let Some(known) = kept.lock().ignore_poison().get(&key) {
        return Arc::clone(known);
    }
    let found: Arc<[Site]> = find().into();
    kept.lock().ignore_poison().insert(key, Arc::clone(&found));
    found
}

/// The hashes of the words of a text, in order.
fn words_of(bytes: &[u8]) -> Box<[u32]> {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
    let words = bytes.split(|byte| !is_letter(byte)).filter(|word| !word.is_empty());
    let mut hashes: Vec<u32> = words.map(hash).collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes.into_boxed_slice()
}

fn hash(word: &[u8]) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(word);
    let hash = hasher.finish().to_le_bytes();
    u32::from_le_bytes([hash[4], hash[5], hash[6], hash[7]])
}

/// Reads the bytes of a file; `None` if it cannot be read.
pub type ReadFile<'a> = dyn Fn(FileId) -> Option<Vec<u8>> + 'a;

/// Makes the tree of a file; `None` if it cannot be read.
pub type LoadTree<'a> = dyn Fn(FileId) -> Option<Tree> + 'a;

/// The trees of a project, loaded when they are first asked for and kept.
pub struct Trees<'a> {
    pub(super) project: &'a Project,
    load: &'a LoadTree<'a>,
    read: &'a ReadFile<'a>,
    slots: Vec<OnceCell<Option<Box<Tree>>>>,
    included: RefCell<FxHashMap<FileId, Rc<[FileId]>>>,
    precise: Option<&'a dyn PreciseNames>,
}

impl<'a> Trees<'a> {
    /// No tree is loaded yet.
    pub fn new(project: &'a Project, load: &'a LoadTree<'a>, read: &'a ReadFile<'a>) -> Trees<'a> {
        let included = RefCell::default();
        let slots = project.files.iter().map(|_| OnceCell::new()).collect();
        Trees { project, load, read, included, slots, precise: None }
    }

    /// The same, with what another program knows about names.
    #[must_use]
    pub fn with_precise(self, precise: Option<&'a dyn PreciseNames>) -> Trees<'a> {
        Trees { precise, ..self }
    }

    /// What another program knows about names.
    pub(super) fn precise(&self) -> Option<&'a dyn PreciseNames> {
        self.precise
    }

    /// The tree of a file; `None` if it cannot be read.
    pub fn get(&self, file: FileId) -> Option<&Tree> {
        self.slots.get(file.0 as usize)?.get_or_init(|| (self.load)(file).map(Box::new)).as_deref()
    }

    /// Whether a file may contain a word, which costs less than its tree.
    pub(super) fn may_have(&self, file: FileId, word: &str) -> bool {
        self.project.may_have(file, word, self.read)
    }

    /// Whether the bytes of a file pass a test, which costs less than its tree; if it cannot be read, they do.
    pub(super) fn may_pass(&self, file: FileId, test: impl FnOnce(&[u8]) -> bool) -> bool {
        (self.read)(file).is_none_or(|bytes| test(&bytes))
    }

    /// The files that a file includes, directly or through others, in their order. Only their lines are read.
    pub(super) fn includes(&self, file: FileId) -> Rc<[FileId]> {
        /// How many files count.
        const MOST_FILES: usize = 4096;
        if let Some(known) = self.included.borrow().get(&file) {
            return Rc::clone(known);
        }
        let mut found: Vec<FileId> = Vec::new();
        let mut seen = FxHashSet::from_iter([file]);
        let mut waiting: Vec<FileId> = self.project.includes(file, self.read).iter().rev().copied().collect();
        while let Some(next) = waiting.pop() {
            if found.len() < MOST_FILES && seen.insert(next) {
                found.push(next);
                waiting.extend(self.project.includes(next, self.read).iter().rev());
            }
        }
        let found: Rc<[FileId]> = found.into();
        self.included.borrow_mut().insert(file, Rc::clone(&found));
        found
    }

    /// Whether a file declares a namespace, or one inside it. Only its lines are read.
    pub(super) fn declares_package(&self, language: &Language, name: &str) -> bool {
        self.project.declares_package(language, name, self.read)
    }

    /// The files that declare a package after which their folder is not named; for the package without a name, all of its files.
    pub(super) fn strays(&self, language: &'static Language, package: &str) -> &[FileId] {
        self.project.strays(language, package, self.read)
    }

    /// The folders that have files of a package: those that are named after it, and those of its other files.
    pub(super) fn folders_of_package(&self, language: &'static Language, package: &str) -> Vec<u32> {
        let modules = &self.project.modules;
        let path = package.replace(language.spec().imports.separator.as_str(), "/");
        let mut folders = if path.is_empty() { Vec::new() } else { modules.folders_named(&path) };
        for &file in self.strays(language, package) {
            let folder = modules.folder_of(file);
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
        folders
    }

    /// Keeps a tree that was already loaded.
    pub fn put(&self, file: FileId, tree: Tree) {
        if let Some(slot) = self.slots.get(file.0 as usize) {
            let _ = slot.set(Some(Box::new(tree)));
        }
    }
}
