//! The files of a project, for questions about symbols: listed, loaded as they are needed, and gone through for a word.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rustc_hash::{FxHashMap, FxHashSet};

use super::cached::{Cached, Extent, IndexedFolder};
use super::core::Engine;
use super::document::{Document, Origin, unknown_language};
use super::error::{EngineError, ErrorCode};
use super::known_facts::ProjectFacts;
use super::report::{FilesReport, Skipped};
use super::request::{Reading, Target};
use super::store::TreeRow;
use super::target::Source;
use crate::database::Precise;
use crate::interrupt::within;
use crate::language::{ByName, Detector, Language, ModuleScheme};
use crate::limits;
use crate::project::{Flight, Prefilter, Scan, Sink, Stamp, scan};
use crate::refactor::Relocation;
use crate::selector::Condition;
use crate::symbols::{FileId, Manifest, PreciseNames, Project, ProjectFile, Resolver, Trees};
use crate::text::{Span, Text};
use crate::tree::{ParseLimits, Tree};

/// What the index has of a file.
enum Kept {
    Tree(Box<Tree>),
    /// A text without what is looked for.
    CannotMatch,
    Nothing,
}

/// How many files one job goes through. Its trees are dropped afterwards.
const FILES_A_JOB: usize = 48;

/// The files of a project.
pub(super) struct Workspace<'a> {
    pub(super) engine: &'a Engine,
    pub(super) reading: &'a Reading,
    pub(super) project: Project,
    pub(super) facts: Option<ProjectFacts>,
    /// What another program knows about its names.
    pub(super) precise: Option<Precise>,
    root: PathBuf,
    /// All files of the folder, those without a language among them.
    listed: Vec<PathBuf>,
    paths: Vec<PathBuf>,
    indexes: Vec<Cached>,
    indexed: Option<IndexedFolder>,
    /// The unsaved trees of the session that are read in place of their files.
    pub(super) unsaved: FxHashMap<FileId, Document>,
    skipped: Mutex<Vec<Skipped>>,
    /// The trees of files as a refactor would leave them.
    edited: FxHashMap<FileId, Tree>,
    /// The trees that were read, if the same files are read several times.
    remembered: Option<Mutex<Remembered>>,
    /// Files that a refactor deletes: they are empty here.
    deleted: FxHashSet<FileId>,
}

/// Trees that were read.
#[derive(Default)]
struct Remembered {
    trees: FxHashMap<FileId, Tree>,
    /// The files among those read that have syntax errors.
    with_errors: BTreeSet<String>,
    /// About how many bytes they take.
    memory: usize,
}

impl Remembered {
    fn add(&mut self, file: FileId, tree: &Tree) {
        // What a parse takes beside its table.
        const PARSE: usize = 5;
        let memory = tree.memory();
        let (memory, tree) = match self.memory + (1 + PARSE) * memory <= limits::REMEMBERED_TREES {
            true => ((1 + PARSE) * memory, tree.clone()),
            false => (memory, tree.clone().without_parse()),
        };
        if self.memory + memory <= limits::REMEMBERED_TREES && self.trees.insert(file, tree).is_none() {
            self.memory += memory;
        }
    }
}

impl Engine {
    /// The project in a folder; the working directory, if none is named.
    ///
    /// # Errors
    /// If the target is not one folder.
    pub(super) fn workspace<'a>(
        &'a self,
        targets: &[Target],
        reading: &'a Reading,
    ) -> Result<Workspace<'a>, EngineError> {
        self.workspace_with(targets, reading, false)
    }

    /// The same; its database is made if there is none.
    pub(super) fn workspace_with<'a>(
        &'a self,
        targets: &[Target],
        reading: &'a Reading,
        create: bool,
    ) -> Result<Workspace<'a>, EngineError> {
        let here = Target::Named(".".to_owned());
        let target = match targets {
            [] => &here,
            [target] => target,
            _ => {
                return Err(EngineError::new(
                    ErrorCode::BadRequest,
                    "a question about symbols needs one folder, not several",
                ));
            }
        };
        let root = match self.source(target)? {
            Source::Folder(path) => path,
            Source::File(path) => path.parent().map(Path::to_owned).unwrap_or(path),
            Source::Tree(_) | Source::Text(_) => {
                let error = EngineError::new(ErrorCode::BadRequest, "a question about symbols needs a folder");
                return Err(error.hint("name the folder of the project"));
            }
        };
        let mut report = FilesReport::default();
        let mut indexes = Vec::new();
        let indexed = self.index_of(&root, reading, Extent::Part, &mut indexes);
        let detector = Detector::new(self.languages_known());
        let (mut files, mut paths) = (Vec::new(), Vec::new());
        let listed = self.listed(&root, reading, &[], &mut report)?;
        for path in &listed {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let detected = detector.detect_by_name(&name);
            let detected = detected.map_err(|error| unknown_language(&error, self.languages_known()))?;
            let (ByName::Certain(language) | ByName::Ambiguous(language)) = detected else { continue };
            files.push(ProjectFile { path: below(path, &root), language });
            paths.push(path.clone());
        }
        let manifests = self.manifests(&files, &listed, &root, reading);
        let project = Project::new(files, manifests);
        let skipped = Mutex::new(report.skipped);
        let (facts, precise, unsaved, edited) = (None, None, FxHashMap::default(), FxHashMap::default());
        let mut workspace = Workspace {
            engine: self,
            reading,
            project,
            facts,
            precise,
            root,
            listed,
            paths,
            indexes,
            indexed,
            unsaved,
            skipped,
            edited,
            remembered: None,
            deleted: FxHashSet::default(),
        };
        // The database has what is on the disk.
        workspace.know(create)?;
        workspace.find_precise()?;
        if !reading.saved {
            workspace.overlay(self.unsaved_trees());
        }
        Ok(workspace)
    }
}

impl Engine {
    /// The files that name modules, for the languages of these files.
    fn manifests(&self, files: &[ProjectFile], listed: &[PathBuf], root: &Path, reading: &Reading) -> Vec<Manifest> {
        let mut languages: Vec<&'static Language> = Vec::new();
        for file in files {
            if !languages.contains(&file.language) {
                languages.push(file.language);
            }
        }
        let (mut manifests, mut seen) = (Vec::new(), FxHashSet::default());
        for language in languages {
            let names = &language.spec().symbols.manifests;
            // Languages with the same modules have the same manifests.
            if language.spec().symbols.modules == Some(ModuleScheme::Relative) && !seen.insert(names) {
                continue;
            }
            let fits = |name: &String, file: &OsStr| match name.split_once('*') {
                Some((start, end)) => file.to_str().is_some_and(|file| file.starts_with(start) && file.ends_with(end)),
                None => file == name.as_str(),
            };
            let is_one =
                |path: &&PathBuf| path.file_name().is_some_and(|file| names.iter().any(|name| fits(name, file)));
            for path in listed.iter().filter(is_one) {
                if let Ok(bytes) = self.walked_bytes(path, reading) {
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    manifests.push(Manifest { path: below(path, root), language, text });
                }
            }
        }
        manifests
    }
}

/// The text of a tree, as bytes.
fn text_of(tree: &Tree) -> Vec<u8> {
    let text = tree.text();
    text.slice(Span::new(0, text.len())).into_owned().into_bytes()
}

/// A path from the root, with `/` between its parts.
fn below(path: &Path, root: &Path) -> String {
    let below = path.strip_prefix(root).unwrap_or(path);
    let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

impl Workspace<'_> {
    /// The folder of the project.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// A file's path as results show it.
    pub(super) fn shown(&self, file: FileId) -> String {
        self.engine.shown(&self.paths[file.0 as usize])
    }

    /// The file at a path, as a person gives it: from the working directory or from the project.
    pub(super) fn file_at(&self, path: &str) -> Option<FileId> {
        let absolute = self.engine.absolute(Path::new(path));
        let below = absolute.strip_prefix(&self.root).ok().map(|path| path.to_string_lossy().replace('\\', "/"));
        below.and_then(|path| self.project.at(&path)).or_else(|| self.project.at(path))
    }

    /// An absolute path from the folder of the project; `None` if it is not in there.
    pub(super) fn path_below(&self, path: &Path) -> Option<String> {
        path.starts_with(&self.root).then(|| below(path, &self.root))
    }

    /// The file with an absolute path.
    pub(super) fn file_of(&self, path: &Path) -> Option<FileId> {
        let below = path.strip_prefix(&self.root).ok()?.to_string_lossy().replace('\\', "/");
        self.project.at(&below)
    }

    /// The file at a path, or the files below it.
    ///
    /// # Errors
    /// If there are none.
    pub(super) fn below(&self, path: &str) -> Result<FxHashSet<FileId>, EngineError> {
        if let Some(file) = self.file_at(path) {
            return Ok(FxHashSet::from_iter([file]));
        }
        let folder = self.engine.absolute(Path::new(path));
        let is_below = |file: &FileId| self.paths[file.0 as usize].starts_with(&folder);
        let mut found: FxHashSet<FileId> = self.project.ids().filter(is_below).collect();
        if found.is_empty() {
            let prefix = format!("{}/", path.trim_end_matches('/'));
            found.extend(self.project.ids().filter(|&file| self.project.file(file).path.starts_with(&prefix)));
        }
        if found.is_empty() {
            let error = EngineError::new(ErrorCode::NotFound, format!("`{path}` has no file of the project"));
            return Err(error.hint("paths are relative to the working directory"));
        }
        Ok(found)
    }

    /// The files that were left out so far; they stay in the list.
    pub(super) fn skipped_files(&self) -> Vec<Skipped> {
        self.skipped.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }

    /// Reads trees of the session in place of their files.
    pub(super) fn overlay(&mut self, trees: Vec<Document>) {
        for document in trees {
            let Origin::Held(TreeRow { path: Some(path), .. }) = &document.origin else { continue };
            let file = self.file_of(path).or_else(|| {
                let files = self.engine.files();
                let (path, root) = (files.resolve(path).ok()?, files.resolve(&self.root).ok()?);
                self.project.at(&below(path.strip_prefix(root).ok()?, Path::new("")))
            });
            if let Some(file) = file.filter(|&file| self.project.file(file).language == document.tree.language()) {
                self.unsaved.insert(file, document);
            }
        }
        if let Some(facts) = &mut self.facts {
            facts.forget(&self.unsaved);
        }
    }

    /// The files that were left out so far.
    pub(super) fn take_skipped(&self) -> Vec<Skipped> {
        let mut skipped = std::mem::take(&mut *self.skipped.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
        skipped.sort_by(|one, other| one.path.cmp(&other.path));
        skipped.dedup_by(|one, other| one.path == other.path);
        skipped
    }

    pub(super) fn skip(&self, file: FileId, error: EngineError) {
        let skipped = Skipped::new(self.shown(file), error, true);
        self.skipped.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(skipped);
    }

    /// The tree of a file, if the file can contain a word.
    fn load(&self, file: FileId, prefilter: Option<&Prefilter>) -> Option<Tree> {
        if let Some(tree) = self.edited.get(&file) {
            return Some(tree.clone());
        }
        if let Some(tree) = self.remembered(file) {
            let may_match = prefilter.is_none_or(|prefilter| prefilter.may_match(&text_of(&tree)));
            return may_match.then_some(tree);
        }
        match self.try_load(file, prefilter) {
            Ok(tree) => {
                if let (Some(remembered), Some(tree)) = (&self.remembered, &tree) {
                    let mut remembered = remembered.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    remembered.with_errors.extend((!tree.is_sound()).then(|| self.shown(file)));
                    remembered.add(file, tree);
                }
                tree
            }
            Err(error) => {
                self.skip(file, error);
                None
            }
        }
    }

    /// From here on, trees that are read are kept, as far as they take little memory.
    pub(super) fn remember(&mut self) {
        self.remembered = Some(Mutex::default());
    }

    /// The files with syntax errors among those read since then.
    pub(super) fn with_errors(&self) -> Vec<String> {
        let Some(remembered) = &self.remembered else { return Vec::new() };
        let remembered = remembered.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        remembered.with_errors.iter().cloned().collect()
    }

    fn remembered(&self, file: FileId) -> Option<Tree> {
        let remembered = self.remembered.as_ref()?.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        remembered.trees.get(&file).cloned()
    }

    /// The bytes of a file, for a look at its words.
    fn bytes_of(&self, file: FileId) -> Option<Vec<u8>> {
        if let Some(tree) = self.edited.get(&file).cloned().or_else(|| self.remembered(file)) {
            return Some(tree.text().to_string().into_bytes());
        }
        self.bytes(file).ok()
    }

    fn try_load(&self, file: FileId, prefilter: Option<&Prefilter>) -> Result<Option<Tree>, EngineError> {
        if let Some(document) = self.unsaved.get(&file) {
            let tree = &document.tree;
            let may_match = prefilter.is_none_or(|prefilter| prefilter.may_match(&text_of(tree)));
            return Ok(may_match.then(|| tree.clone()));
        }
        let path = &self.paths[file.0 as usize];
        match self.kept(file, prefilter) {
            Kept::Tree(tree) => return Ok(Some(*tree)),
            Kept::CannotMatch => return Ok(None),
            Kept::Nothing => {}
        }
        let language = self.project.file(file).language;
        let bytes = self.engine.walked_bytes(path, self.reading)?;
        let document = self.engine.parse_walked(path, bytes, language, (prefilter, false), self.reading)?;
        Ok(document.map(|document| document.tree))
    }

    /// The tree of a file in the index, if that is current.
    fn kept(&self, file: FileId, prefilter: Option<&Prefilter>) -> Kept {
        let path = &self.paths[file.0 as usize];
        let Some(folder) = &self.indexed else { return Kept::Nothing };
        let Some(indexed) = folder.file(path, &self.indexes) else { return Kept::Nothing };
        let entry = self.stamp(file).and_then(|stamp| indexed.entry(stamp));
        let Some(entry) = entry.filter(|entry| entry.language() == self.project.file(file).language) else {
            return Kept::Nothing;
        };
        if prefilter.is_some_and(|prefilter| !prefilter.may_match(entry.text().as_bytes())) {
            return Kept::CannotMatch;
        }
        indexed.tree(&entry).map_or(Kept::Nothing, |tree| Kept::Tree(Box::new(tree)))
    }

    /// The size and times of a file.
    pub(super) fn stamp(&self, file: FileId) -> Option<Stamp> {
        self.engine.files().facts(&self.paths[file.0 as usize]).ok()?.stamp
    }

    /// The bytes of a file, or the text of its unsaved tree.
    pub(super) fn bytes(&self, file: FileId) -> Result<Vec<u8>, EngineError> {
        if let Some(document) = self.unsaved.get(&file) {
            return Ok(text_of(&document.tree));
        }
        self.engine.walked_bytes(&self.paths[file.0 as usize], self.reading)
    }

    /// The tree of a file with these bytes.
    ///
    /// # Errors
    /// If it cannot be parsed.
    pub(super) fn tree_of(&self, file: FileId, bytes: Vec<u8>) -> Result<Tree, EngineError> {
        if let Some(document) = self.unsaved.get(&file) {
            return Ok(document.tree.clone());
        }
        if let Kept::Tree(tree) = self.kept(file, None)
            && tree.text().as_str().is_some_and(|text| text.as_bytes() == bytes)
        {
            return Ok(*tree);
        }
        let (path, language) = (&self.paths[file.0 as usize], self.project.file(file).language);
        let document = self.engine.parse_walked(path, bytes, language, (None, false), self.reading)?;
        let document = document.ok_or_else(|| EngineError::new(ErrorCode::Internal, "the file was not parsed"))?;
        Ok(document.tree)
    }

    /// From here on, these files are as a refactor would leave them.
    pub(super) fn edit(&mut self, trees: impl IntoIterator<Item = (FileId, Tree)>) {
        self.edited.extend(trees);
        self.project.forget(self.edited.keys().copied());
    }

    /// From here on, a file is deleted.
    pub(super) fn delete(&mut self, file: FileId, tree: &Tree) {
        if let Ok(empty) = Tree::parse(Text::new(""), tree.language(), &ParseLimits::default()) {
            self.edit([(file, empty)]);
        }
        self.deleted.insert(file);
    }

    /// Whether a refactor deletes a file.
    pub(super) fn is_deleted(&self, file: FileId) -> bool {
        self.deleted.contains(&file)
    }

    /// From here on, files are where a refactor would put them. Returns the old and new numbers of folders.
    pub(super) fn relocate(&mut self, relocation: &Relocation) -> Vec<(u32, u32)> {
        let after = self.project.relocated(|path| relocation.new_path(path), Vec::new());
        let moved: Vec<FileId> =
            self.project.ids().filter(|&file| relocation.new_path(&self.project.file(file).path).is_some()).collect();
        for &file in &moved {
            // The disk has it at the old path.
            if let Some(tree) = self.load(file, None) {
                self.edited.entry(file).or_insert(tree);
            }
            self.paths[file.0 as usize] = self.root.join(&after.file(file).path);
        }
        let folders = self.project.folders().filter_map(|(number, path)| {
            let now = after.folder_at(&relocation.new_path(path)?)?;
            Some((number, now))
        });
        let folders = folders.collect();
        self.project = after;
        folders
    }

    /// All files of the folder, those without a language among them.
    pub(super) fn listed(&self) -> &[PathBuf] {
        &self.listed
    }

    /// Adds a file that a refactor makes.
    pub(super) fn create(&mut self, file: ProjectFile, tree: Tree) -> FileId {
        let count = u32::try_from(self.project.files().len()).unwrap_or(u32::MAX);
        self.create_all(vec![(file, tree)]);
        FileId(count)
    }

    /// Adds files; their numbers are the next ones.
    pub(super) fn create_all(&mut self, files: Vec<(ProjectFile, Tree)>) {
        let count = u32::try_from(self.project.files().len()).unwrap_or(u32::MAX);
        let (files, trees): (Vec<ProjectFile>, Vec<Tree>) = files.into_iter().unzip();
        self.paths.extend(files.iter().map(|file| self.root.join(&file.path)));
        self.project = self.project.relocated(|_| None, files);
        self.edited.extend((count..).map(FileId).zip(trees));
    }

    /// From here on, these files are again as they were.
    pub(super) fn restore(&mut self, files: impl IntoIterator<Item = FileId>) {
        for file in files {
            self.edited.remove(&file);
            self.project.forget([file].into_iter());
        }
    }

    /// The path of a file.
    pub(super) fn path(&self, file: FileId) -> &Path {
        &self.paths[file.0 as usize]
    }

    /// Whether all files of the folder are in the project.
    pub(super) fn is_whole(&self) -> bool {
        let Reading { language, max_size, glob, staged, since, .. } = self.reading;
        let skipped = self.skipped.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        language.is_none() && max_size.is_none() && glob.is_empty() && !staged && since.is_none() && skipped.is_empty()
    }

    fn precise_names(&self) -> Option<&dyn PreciseNames> {
        self.precise.as_ref().map(|precise| precise as &dyn PreciseNames)
    }

    /// Does work that follows names through the project.
    pub(super) fn resolve<T>(&self, work: impl FnOnce(&Resolver<'_>) -> T) -> T {
        let load = |file| self.load(file, None);
        let read = |file| self.bytes_of(file);
        let trees = Trees::new(&self.project, &load, &read).with_precise(self.precise_names());
        work(&Resolver::new(&trees))
    }

    /// Looks at all files, or some, that contain a word as code; several at once, the results in the order of the files.
    pub(super) fn look<R: Send>(
        &self,
        word: &str,
        only: Option<&FxHashSet<FileId>>,
        look: impl Fn(&Resolver<'_>, FileId) -> Vec<R> + Sync,
    ) -> Result<Vec<R>, EngineError> {
        let mut with_word = self.facts.as_ref().and_then(|facts| facts.with_word(word));
        if let Some(with_word) = &mut with_word {
            with_word.extend(self.edited.keys().copied());
        }
        self.look_at(word, (only, with_word.as_ref()), look)
    }

    /// Looks at all files that contain a text, in comments and documentation, too.
    pub(super) fn look_at_text<R: Send>(
        &self,
        text: &str,
        look: impl Fn(&Resolver<'_>, FileId) -> Vec<R> + Sync,
    ) -> Result<Vec<R>, EngineError> {
        self.look_at(text, (None, None), look)
    }

    fn look_at<R: Send>(
        &self,
        word: &str,
        (only, with_word): (Option<&FxHashSet<FileId>>, Option<&FxHashSet<FileId>>),
        look: impl Fn(&Resolver<'_>, FileId) -> Vec<R> + Sync,
    ) -> Result<Vec<R>, EngineError> {
        let may_be = |file: &FileId| with_word.is_none_or(|files| files.contains(file));
        let is_asked_for = |file: &FileId| only.is_none_or(|only| only.contains(file));
        let files: Vec<FileId> = self.project.ids().filter(|file| is_asked_for(file) && may_be(file)).collect();
        let jobs: Vec<&[FileId]> = files.chunks(FILES_A_JOB).collect();
        let prefilter = Prefilter::of_condition(&Condition::Literal(word.to_owned()));
        let question = self.engine.question();
        let stopped = Mutex::new(None);
        let work = |job: usize, _: Flight<'_>, send: Sink<'_, Vec<R>>| {
            let worked = within(&question, || {
                let mut found = Vec::new();
                let load = |file| self.load(file, None);
                let read = |file| self.bytes_of(file);
                let trees = Trees::new(&self.project, &load, &read).with_precise(self.precise_names());
                let resolver = Resolver::new(&trees);
                for &file in jobs[job] {
                    let Some(tree) = self.load(file, Some(&prefilter)) else { continue };
                    trees.put(file, tree);
                    found.append(&mut look(&resolver, file));
                }
                found
            });
            match worked {
                Ok(found) => _ = send(found, 0),
                Err(reason) => *stopped.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(reason),
            }
        };
        let mut all = Vec::new();
        let threads = self.reading.threads.unwrap_or(0);
        // Nothing ends it early: a job that is stopped says so in `stopped`.
        let _: ControlFlow<()> = scan(
            jobs.len(),
            Scan { threads, unordered: false },
            work,
            || ControlFlow::Continue(()),
            |mut found| {
                all.append(&mut found);
                ControlFlow::Continue(())
            },
        );
        match stopped.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            Some(reason) => Err(self.engine.left(reason)),
            None => Ok(all),
        }
    }
}
