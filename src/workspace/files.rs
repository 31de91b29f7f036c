//! The files of a project, for questions about symbols: listed, loaded as they are needed, and gone through for a word.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::database::Precise;
use crate::facts::{has_word, is_letter};
use crate::index::Entry;
use crate::interrupt::within;
use crate::language::Language;
use crate::limits;
use crate::locks::IgnorePoison;
use crate::modules::{FileId, ProjectFile};
use crate::project::{Flight, Prefilter, Scan, Sink, Stamp, count_of_threads, scan};
use crate::reader::cached::{Cached, IndexedFile, IndexedFolder};
use crate::reader::core::Reader;
use crate::reader::document::{Document, Origin};
use crate::reader::project_part::ProjectFolder;
use crate::request::error::{EngineError, ErrorCode, PlaceRow};
use crate::request::refactor::RefactorOptions;
use crate::request::report::{ProjectReport, Skipped};
use crate::request::requests::Reading;
use crate::request::symbol_messages::SymbolRow;
use crate::selector::Condition;
use crate::store::TreeRow;
use crate::symbols::{PreciseNames, Project, Query, Resolver, Trees, may_name_base};
use crate::text::{Span, Text};
use crate::tree::{ParseLimits, Tree};
use crate::workspace::known_facts::ProjectFacts;
use crate::workspace::relocation::Relocation;
use crate::workspace::unsearched::{Names, Unparsed};

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
pub(crate) struct Workspace<'a> {
    pub(crate) engine: &'a Reader,
    /// How files are read; what chooses files is in `chosen`.
    pub(crate) reading: Reading,
    pub(crate) project: Project,
    pub(crate) facts: Option<ProjectFacts>,
    /// What another program knows about its names.
    pub(crate) precise: Option<Precise>,
    pub(super) folder: ProjectFolder,
    /// The files and folders that the request names.
    pub(super) parts: Vec<PathBuf>,
    /// The files that the request names; `None` for all.
    pub(super) chosen: Option<FxHashSet<FileId>>,
    /// Whether the request says which files it means; otherwise they are those of the working directory.
    pub(super) is_named: bool,
    /// All files of the folder, those without a language among them.
    pub(super) listed: Vec<PathBuf>,
    pub(super) paths: Vec<PathBuf>,
    pub(super) indexes: Vec<Cached>,
    pub(super) indexed: Option<IndexedFolder>,
    /// The unsaved trees of the session that are read in place of their files.
    pub(crate) unsaved: FxHashMap<FileId, Document>,
    pub(super) skipped: Mutex<Vec<Skipped>>,
    /// The trees of files as a refactor would leave them.
    pub(super) edited: FxHashMap<FileId, Tree>,
    /// The trees that were read, if the same files are read several times.
    pub(super) remembered: Option<Mutex<Remembered>>,
    /// Files that a refactor deletes: they are empty here.
    pub(super) deleted: FxHashSet<FileId>,
    /// Whether it is read to be changed.
    pub(super) refactors: bool,
    /// The uncertain places that a refactor changes because its request includes them, as the request names them.
    pub(super) included: Mutex<FxHashSet<String>>,
    /// The uncertain places that a refactor could change.
    pub(super) changeable: Mutex<FxHashSet<String>>,
    /// Files with syntax errors that contain a name that was looked for.
    pub(super) misread: Mutex<BTreeSet<String>>,
    /// Those that a refactor leaves although they need a decision.
    pub(super) undecided: Mutex<Vec<PlaceRow>>,
}

/// Trees that were read.
#[derive(Default)]
pub(super) struct Remembered {
    trees: FxHashMap<FileId, Tree>,
    /// The files among those read that have syntax errors.
    with_errors: BTreeSet<String>,
    /// About how many bytes they take.
    memory: usize,
}

impl Remembered {
    /// Adds a tree; with its parse, if it may be edited and there is room.
    fn add(&mut self, file: FileId, tree: &Tree, may_be_edited: bool) {
        // What a parse takes beside its table.
        const PARSE: usize = 5;
        let memory = tree.memory();
        let keeps_parse = may_be_edited && self.memory + (1 + PARSE) * memory <= limits::REMEMBERED_TREES;
        let (memory, tree) = match keeps_parse {
            true => ((1 + PARSE) * memory, tree.clone()),
            false => (memory, tree.clone().without_parse()),
        };
        if self.memory + memory <= limits::REMEMBERED_TREES && self.trees.insert(file, tree).is_none() {
            self.memory += memory;
        }
    }
}

/// The languages of files, each once.
pub(crate) fn languages_of(files: &[ProjectFile]) -> Vec<&'static Language> {
    let mut languages: Vec<&'static Language> = Vec::new();
    for file in files {
        if !languages.contains(&file.language) {
            languages.push(file.language);
        }
    }
    languages
}

/// The text of a tree, as bytes.
fn text_of(tree: &Tree) -> Vec<u8> {
    let text = tree.text();
    text.slice(Span::new(0, text.len())).into_owned().into_bytes()
}

/// A path from the root, with `/` between its parts.
pub(super) fn below(path: &Path, root: &Path) -> String {
    let below = path.strip_prefix(root).unwrap_or(path);
    let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

impl Workspace<'_> {
    /// The folder of the project.
    pub(crate) fn root(&self) -> &Path {
        &self.folder.path
    }

    /// The project as answers show it.
    pub(crate) fn report(&self) -> ProjectReport {
        let with_errors = self.misread.lock().ignore_poison().iter().cloned().collect();
        ProjectReport { with_errors, ..self.engine.project_report(&self.folder, self.project.files().len()) }
    }

    /// Notes a file in which a name was looked for, if it has syntax errors.
    pub(crate) fn note_errors(&self, resolver: &Resolver<'_>, file: FileId) {
        let is_broken = |tree: &Tree| !tree.is_sound() && tree.part().is_none();
        if resolver.tree(file).is_some_and(is_broken) {
            self.misread.lock().ignore_poison().insert(self.shown(file));
        }
    }

    /// The same for answers about symbols: with the ignored files that contain one of their names.
    pub(crate) fn report_about<'s>(&self, symbols: impl IntoIterator<Item = &'s SymbolRow>) -> ProjectReport {
        let mut names = Names::default();
        for symbol in symbols {
            let name = symbol.qualname.rsplit(['.', ':', '#', '/']).next();
            names.names.extend(name.filter(|name| !name.is_empty()));
            let language = self.file_at(&symbol.path).map(|file| self.project.file(file).language);
            names.languages.extend(language.filter(|language| !names.languages.contains(language)));
        }
        let ignored = names.ignored_files(self.engine, self.root(), &self.listed);
        ProjectReport { ignored, ..self.report() }
    }

    /// The files that are not looked at, in languages whose names are followed: too large, too deep, in an unknown encoding, unreadable.
    pub(crate) fn unparsed(&self) -> Vec<Unparsed> {
        // Each look at the files has skipped them anew.
        let mut skipped = self.skipped_files();
        skipped.retain(|skipped| skipped.error.code != ErrorCode::UnsupportedLanguage);
        skipped.sort_by(|one, other| one.path.cmp(&other.path));
        skipped.dedup_by(|one, other| one.path == other.path);
        let unparsed = |Skipped { path, error, .. }| {
            let of_file = self.file_at(&path).map(|file| self.project.file(file).language);
            // A folder that cannot be listed may hold anything.
            of_file.is_none_or(|language| language.spec().symbols.modules.is_some()).then(|| {
                let absolute = self.engine.absolute(Path::new(&path));
                let bytes = self.engine.files().read(&absolute, limits::TEXT_BYTES as u64).ok();
                let text = bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
                Unparsed { path, why: error.message, text }
            })
        };
        skipped.into_iter().filter_map(unparsed).collect()
    }

    /// Whether the request says which files it means.
    pub(crate) fn is_named(&self) -> bool {
        self.is_named
    }

    /// The files that a request means: those that its targets and options choose, and of these those below `path`. `None` for all.
    ///
    /// # Errors
    /// If no file of the project is below `path`, or none of those that are chosen.
    pub(crate) fn chosen(&self, path: Option<&str>) -> Result<Option<FxHashSet<FileId>>, EngineError> {
        let Some(path) = path else { return Ok(self.chosen.clone()) };
        let mut below = self.below(path)?;
        if let Some(chosen) = self.chosen.as_ref().filter(|_| self.is_named) {
            below.retain(|file| chosen.contains(file));
            if below.is_empty() {
                let message = format!("`{path}` has none of the files that the request chooses");
                return Err(EngineError::new(ErrorCode::NotFound, message));
            }
        }
        Ok(Some(below))
    }

    /// A file's path as results show it.
    pub(crate) fn shown(&self, file: FileId) -> String {
        self.engine.shown(&self.paths[file.0 as usize])
    }

    /// The file at a path, as a person gives it: from the working directory or from the project.
    pub(crate) fn file_at(&self, path: &str) -> Option<FileId> {
        let absolute = self.engine.absolute(Path::new(path));
        let below = absolute.strip_prefix(self.root()).ok().map(|path| path.to_string_lossy().replace('\\', "/"));
        below.and_then(|path| self.project.at(&path)).or_else(|| self.project.at(path))
    }

    /// The file at a path that a request names.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn file_named(&self, path: &str) -> Result<FileId, EngineError> {
        self.file_at(path).ok_or_else(|| {
            let message = format!("`{path}` is not a file of the project, or its language has no data about names");
            EngineError::new(ErrorCode::NotFound, message).hint("paths are relative to the working directory")
        })
    }

    /// An absolute path from the folder of the project; `None` if it is not in there.
    pub(crate) fn path_below(&self, path: &Path) -> Option<String> {
        path.starts_with(self.root()).then(|| below(path, self.root()))
    }

    /// The file with an absolute path.
    pub(crate) fn file_of(&self, path: &Path) -> Option<FileId> {
        let below = path.strip_prefix(self.root()).ok()?.to_string_lossy().replace('\\', "/");
        self.project.at(&below)
    }

    /// The file at a path, or the files below it.
    ///
    /// # Errors
    /// If there are none.
    pub(crate) fn below(&self, path: &str) -> Result<FxHashSet<FileId>, EngineError> {
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
            let is_there = self.engine.files().facts(&folder).is_ok();
            return Err(error.hint(match is_there {
                true => "git ignores it, or no file in it is in a language that is known",
                false => "paths are relative to the working directory",
            }));
        }
        Ok(found)
    }

    /// Whether a request means a path, which may be one that is deleted.
    pub(crate) fn means(&self, path: &Path, file: Option<FileId>) -> bool {
        match (&self.chosen, file) {
            (None, _) => true,
            (Some(chosen), Some(file)) => chosen.contains(&file),
            (Some(_), None) => self.parts.iter().any(|part| path.starts_with(part)),
        }
    }

    /// The files that were left out so far; they stay in the list.
    pub(crate) fn skipped_files(&self) -> Vec<Skipped> {
        self.skipped.lock().ignore_poison().clone()
    }

    /// Reads trees of the session in place of their files.
    pub(crate) fn overlay(&mut self, trees: Vec<Document>) {
        for document in trees {
            let Origin::Held(TreeRow { path: Some(path), .. }) = &document.origin else { continue };
            let file = self.file_of(path).or_else(|| {
                let files = self.engine.files();
                let (path, root) = (files.resolve(path).ok()?, files.resolve(self.root()).ok()?);
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
    pub(crate) fn take_skipped(&self) -> Vec<Skipped> {
        let mut skipped = std::mem::take(&mut *self.skipped.lock().ignore_poison());
        skipped.sort_by(|one, other| one.path.cmp(&other.path));
        skipped.dedup_by(|one, other| one.path == other.path);
        skipped
    }

    pub(crate) fn skip(&self, file: FileId, error: EngineError) {
        let skipped = Skipped::new(self.shown(file), error, true);
        self.skipped.lock().ignore_poison().push(skipped);
    }

    /// The tree of a file, if the file can contain a word.
    fn load(&self, file: FileId, prefilter: Option<&Prefilter>) -> Option<Tree> {
        self.load_for(file, prefilter, true)
    }

    /// The same; the tree is kept for later looks, or not.
    fn load_for(&self, file: FileId, prefilter: Option<&Prefilter>, keeps: bool) -> Option<Tree> {
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
                    let mut remembered = remembered.lock().ignore_poison();
                    remembered.with_errors.extend((!tree.is_sound()).then(|| self.shown(file)));
                    if keeps {
                        remembered.add(file, tree, self.refactors);
                    }
                }
                tree
            }
            Err(error) => {
                self.skip(file, error);
                None
            }
        }
    }

    /// Keeps a tree that was loaded for a look, if trees are kept.
    fn remember(&self, file: FileId, tree: &Tree) {
        if let Some(remembered) = &self.remembered
            && !self.edited.contains_key(&file)
        {
            remembered.lock().ignore_poison().add(file, tree, self.refactors);
        }
    }

    /// Keeps the trees that are read, as far as they take little memory: whoever follows a name comes to the same files again and again.
    pub(crate) fn keep_trees(&mut self) {
        self.remembered.get_or_insert_with(Mutex::default);
    }

    /// Prepares for refactors: trees that are read are kept, as far as they take little memory, and names are compared before and after,
    /// so an index that knows only how they were is not asked.
    pub(crate) fn prepare_refactors(&mut self) {
        self.keep_trees();
        self.precise = None;
        self.refactors = true;
    }

    /// Whether the project is read to be changed.
    pub(crate) fn refactors(&self) -> bool {
        self.refactors
    }

    /// Whether a refactor's request names an uncertain reference, to be changed.
    pub(crate) fn includes(&self, options: &RefactorOptions, path: &str, line: usize, col: usize) -> bool {
        let at = [format!("{path}:{line}"), format!("{path}:{line}:{col}")];
        self.changeable.lock().ignore_poison().insert(at[1].clone());
        let named = options.include.iter().filter(|named| at.contains(*named));
        let mut included = self.included.lock().ignore_poison();
        named.map(|named| included.insert(named.clone())).count() > 0
    }

    /// Notes uncertain references that need a decision.
    pub(crate) fn note_undecided(&self, places: &[PlaceRow]) {
        self.undecided.lock().ignore_poison().extend_from_slice(places);
    }

    /// The uncertain references that need a decision, and that a refactor could change.
    pub(crate) fn take_undecided(&self) -> Vec<PlaceRow> {
        let changeable = self.changeable.lock().ignore_poison();
        let undecided = std::mem::take(&mut *self.undecided.lock().ignore_poison());
        undecided.into_iter().filter(|row| changeable.contains(&row.at())).collect()
    }

    /// The places that a request includes, as answers write them: `./a.py:6` is `a.py:6`.
    ///
    /// # Errors
    /// If one is not a place in a file of the project.
    pub(crate) fn included_places(&self, include: &[String]) -> Result<Vec<String>, EngineError> {
        let place = |named: &String| {
            let Query::Place { path, line, col } = Query::parse(named) else {
                let error = EngineError::bad_request(format!("`{named}` is not a place"));
                return Err(error.hint("a place is `PATH:LINE` or `PATH:LINE:COL`"));
            };
            let path = self.shown(self.file_named(&path)?);
            Ok(col.map_or_else(|| format!("{path}:{line}"), |col| format!("{path}:{line}:{col}")))
        };
        include.iter().map(place).collect()
    }

    /// Of the places that a request includes, the first that no uncertain reference is at.
    pub(crate) fn unmet_place<'p>(&self, include: &'p [String]) -> Option<&'p String> {
        let included = self.included.lock().ignore_poison();
        include.iter().find(|place| !included.contains(*place))
    }

    /// The files with syntax errors among those read since then.
    pub(crate) fn with_errors(&self) -> Vec<String> {
        let Some(remembered) = &self.remembered else { return Vec::new() };
        let remembered = remembered.lock().ignore_poison();
        remembered.with_errors.iter().cloned().collect()
    }

    fn remembered(&self, file: FileId) -> Option<Tree> {
        let remembered = self.remembered.as_ref()?.lock().ignore_poison();
        remembered.trees.get(&file).cloned()
    }

    /// The bytes of a file, for a look at its words.
    pub(crate) fn bytes_of(&self, file: FileId) -> Option<Vec<u8>> {
        if let Some(tree) = self.edited.get(&file).cloned().or_else(|| self.remembered(file)) {
            return Some(tree.text().to_string().into_bytes());
        }
        self.bytes(file).ok()
    }

    fn try_load(&self, file: FileId, prefilter: Option<&Prefilter>) -> Result<Option<Tree>, EngineError> {
        if let Some(document) = self.unsaved.get(&file) {
            let tree = &document.tree;
            let may_match = prefilter.is_none_or(|prefilter| prefilter.may_match(&text_of(tree)));
            return Ok(may_match.then(|| tree.clone().with_token_arguments()));
        }
        let path = &self.paths[file.0 as usize];
        match self.kept(file, prefilter) {
            Kept::Tree(tree) => return Ok(Some(tree.with_token_arguments())),
            Kept::CannotMatch => return Ok(None),
            Kept::Nothing => {}
        }
        let language = self.project.file(file).language;
        let bytes = self.engine.walked_bytes(path, &self.reading)?;
        let document = self.engine.parse_walked(path, bytes, language, (prefilter, false), &self.reading)?;
        Ok(document.map(|document| document.tree.with_token_arguments()))
    }

    /// The tree of a file in the index, if that is current.
    fn kept(&self, file: FileId, prefilter: Option<&Prefilter>) -> Kept {
        let Some((indexed, entry)) = self.indexed_entry(file) else { return Kept::Nothing };
        if prefilter.is_some_and(|prefilter| !prefilter.may_match(entry.text().as_bytes())) {
            return Kept::CannotMatch;
        }
        indexed.tree(&entry).map_or(Kept::Nothing, |tree| Kept::Tree(Box::new(tree)))
    }

    /// The entry of a file in the index, if it is current.
    fn indexed_entry(&self, file: FileId) -> Option<(IndexedFile<'_>, Entry)> {
        let indexed = self.indexed.as_ref()?.file(&self.paths[file.0 as usize], &self.indexes)?;
        let entry = self.stamp(file).and_then(|stamp| indexed.entry(stamp))?;
        (entry.language() == self.project.file(file).language).then_some((indexed, entry))
    }

    /// The size and times of a file.
    pub(crate) fn stamp(&self, file: FileId) -> Option<Stamp> {
        self.engine.files().facts(&self.paths[file.0 as usize]).ok()?.stamp
    }

    /// The bytes of a file, or the text of its unsaved tree.
    pub(crate) fn bytes(&self, file: FileId) -> Result<Vec<u8>, EngineError> {
        if let Some(document) = self.unsaved.get(&file) {
            return Ok(text_of(&document.tree));
        }
        self.engine.walked_bytes(&self.paths[file.0 as usize], &self.reading)
    }

    /// The tree of a file with these bytes.
    ///
    /// # Errors
    /// If it cannot be parsed.
    pub(crate) fn tree_of(&self, file: FileId, bytes: Vec<u8>) -> Result<Tree, EngineError> {
        if let Some(document) = self.unsaved.get(&file) {
            return Ok(document.tree.clone());
        }
        if let Kept::Tree(tree) = self.kept(file, None)
            && tree.text().as_str().is_some_and(|text| text.as_bytes() == bytes)
        {
            return Ok(*tree);
        }
        let (path, language) = (&self.paths[file.0 as usize], self.project.file(file).language);
        let document = self.engine.parse_walked(path, bytes, language, (None, false), &self.reading)?;
        let document = document.ok_or_else(|| EngineError::new(ErrorCode::Internal, "the file was not parsed"))?;
        Ok(document.tree)
    }

    /// From here on, these files are as a refactor would leave them.
    pub(crate) fn edit(&mut self, trees: impl IntoIterator<Item = (FileId, Tree)>) {
        self.edited.extend(trees);
        self.project.forget(self.edited.keys().copied());
    }

    /// From here on, a file is deleted.
    pub(crate) fn delete(&mut self, file: FileId, tree: &Tree) {
        if let Ok(empty) = Tree::parse(Text::new(""), tree.language(), &ParseLimits::default()) {
            self.edit([(file, empty)]);
        }
        self.deleted.insert(file);
    }

    /// Whether a refactor deletes a file.
    pub(crate) fn is_deleted(&self, file: FileId) -> bool {
        self.deleted.contains(&file)
    }

    /// From here on, files are where a refactor would put them. Returns the old and new numbers of folders.
    pub(crate) fn relocate(&mut self, relocation: &Relocation) -> Vec<(u32, u32)> {
        let after = self.project.relocated(|path| relocation.new_path(path), Vec::new());
        let moved: Vec<FileId> =
            self.project.ids().filter(|&file| relocation.new_path(&self.project.file(file).path).is_some()).collect();
        for &file in &moved {
            // The disk has it at the old path.
            if let Some(tree) = self.load(file, None) {
                self.edited.entry(file).or_insert(tree);
            }
            self.paths[file.0 as usize] = self.root().join(&after.file(file).path);
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
    pub(crate) fn listed(&self) -> &[PathBuf] {
        &self.listed
    }

    /// Adds a file that a refactor makes.
    pub(crate) fn create(&mut self, file: ProjectFile, tree: Tree) -> FileId {
        let count = u32::try_from(self.project.files().len()).unwrap_or(u32::MAX);
        self.create_all(vec![(file, tree)]);
        FileId(count)
    }

    /// Adds files; their numbers are the next ones.
    pub(crate) fn create_all(&mut self, files: Vec<(ProjectFile, Tree)>) {
        let count = u32::try_from(self.project.files().len()).unwrap_or(u32::MAX);
        let (files, trees): (Vec<ProjectFile>, Vec<Tree>) = files.into_iter().unzip();
        let root = &self.folder.path;
        self.paths.extend(files.iter().map(|file| root.join(&file.path)));
        self.project = self.project.relocated(|_| None, files);
        self.edited.extend((count..).map(FileId).zip(trees));
    }

    /// From here on, these files are again as they were.
    pub(crate) fn restore(&mut self, files: impl IntoIterator<Item = FileId>) {
        for file in files {
            self.edited.remove(&file);
            self.project.forget([file].into_iter());
        }
    }

    /// The path of a file.
    pub(crate) fn path(&self, file: FileId) -> &Path {
        &self.paths[file.0 as usize]
    }

    /// Whether all files of the folder are in the project.
    pub(crate) fn is_whole(&self) -> bool {
        let skipped = self.skipped.lock().ignore_poison();
        self.reading.max_size.is_none() && skipped.is_empty()
    }

    fn precise_names(&self) -> Option<&dyn PreciseNames> {
        self.precise.as_ref().map(|precise| precise as &dyn PreciseNames)
    }

    /// Does work that follows names through the project.
    pub(crate) fn resolve<T>(&self, work: impl FnOnce(&Resolver<'_>) -> T) -> T {
        let load = |file| self.load(file, None);
        let read = |file| self.bytes_of(file);
        let trees = Trees::new(&self.project, &load, &read).with_precise(self.precise_names());
        work(&Resolver::new(&trees))
    }

    /// Looks at all files, or some, that contain a word as code; several at once, the results in the order of the files.
    pub(crate) fn look<R: Send>(
        &self,
        word: &str,
        only: Option<&FxHashSet<FileId>>,
        look: impl Fn(&Resolver<'_>, FileId) -> Vec<R> + Sync,
    ) -> Result<Vec<R>, EngineError> {
        self.look_at(word, (only, self.files_of_word(word).as_ref()), &|_, _| true, look)
    }

    /// Looks at all files, or some, that may define a name: those that have it as a word.
    pub(crate) fn look_for_definitions<R: Send>(
        &self,
        name: &str,
        only: Option<&FxHashSet<FileId>>,
        look: impl Fn(&Resolver<'_>, FileId) -> Vec<R> + Sync,
    ) -> Result<Vec<R>, EngineError> {
        let is_plain = name.bytes().all(|byte| is_letter(&byte));
        let test = |_: &Language, text: &[u8]| !is_plain || has_word(text, name.as_bytes());
        self.look_at(name, (only, self.files_of_word(name).as_ref()), &test, look)
    }

    /// The files that have a word, as the index knows them, and those whose text is another one.
    fn files_of_word(&self, word: &str) -> Option<FxHashSet<FileId>> {
        let mut with_word = self.facts.as_ref()?.with_word(word)?;
        with_word.extend(self.edited.keys().copied());
        Some(with_word)
    }

    /// Looks at all files, or some, that may name a class as a base, or give it another name.
    pub(crate) fn look_for_base<R: Send>(
        &self,
        name: &str,
        only: Option<&FxHashSet<FileId>>,
        look: impl Fn(&Resolver<'_>, FileId) -> Vec<R> + Sync,
    ) -> Result<Vec<R>, EngineError> {
        let test = |language: &Language, text: &[u8]| may_name_base(language, text, name);
        self.look_at(name, (only, None), &test, look)
    }

    /// Looks at all files that contain a text, in comments and documentation, too.
    pub(crate) fn look_at_text<R: Send>(
        &self,
        text: &str,
        look: impl Fn(&Resolver<'_>, FileId) -> Vec<R> + Sync,
    ) -> Result<Vec<R>, EngineError> {
        self.look_at(text, (None, None), &|_, _| true, look)
    }

    fn look_at<R: Send>(
        &self,
        word: &str,
        (only, with_word): (Option<&FxHashSet<FileId>>, Option<&FxHashSet<FileId>>),
        test: &(dyn Fn(&Language, &[u8]) -> bool + Sync),
        look: impl Fn(&Resolver<'_>, FileId) -> Vec<R> + Sync,
    ) -> Result<Vec<R>, EngineError> {
        let may_be = |file: &FileId| with_word.is_none_or(|files| files.contains(file));
        let is_asked_for = |file: &FileId| only.is_none_or(|only| only.contains(file));
        let files: Vec<FileId> = self.project.ids().filter(|file| is_asked_for(file) && may_be(file)).collect();
        let prefilter = Prefilter::of_condition(&Condition::Literal(word.to_owned()));
        // What a job finds out about other files is lost with it, so all files of a job are ones to look at.
        let files = match word.is_empty() {
            true => files,
            false => self.files_with(&files, &|language, text| prefilter.may_match(text) && test(language, text))?,
        };
        let threads = count_of_threads(self.reading.threads.unwrap_or(0));
        let size = files.len().div_ceil(threads).clamp(1, FILES_A_JOB);
        self.in_jobs(&files, size, |files| {
            let mut found = Vec::new();
            let load = |file| self.load(file, None);
            let read = |file| self.bytes_of(file);
            let trees = Trees::new(&self.project, &load, &read).with_precise(self.precise_names());
            let resolver = Resolver::new(&trees);
            for &file in files {
                // Most of many files without a common word are looked at once.
                let Some(tree) = self.load_for(file, Some(&prefilter), !word.is_empty()) else { continue };
                trees.put(file, tree.clone());
                let mut of_file = look(&resolver, file);
                if word.is_empty() && !of_file.is_empty() {
                    self.remember(file, &tree);
                }
                found.append(&mut of_file);
            }
            found
        })
    }

    /// Of some files, those whose text passes a test; if a file cannot be read, it does.
    ///
    /// # Errors
    /// If the request is stopped.
    pub(crate) fn files_with(
        &self,
        files: &[FileId],
        test: &(dyn Fn(&Language, &[u8]) -> bool + Sync),
    ) -> Result<Vec<FileId>, EngineError> {
        self.in_jobs(files, FILES_A_JOB, |files| {
            files.iter().copied().filter(|&file| self.passes(file, test)).collect()
        })
    }

    /// The files of a language whose text passes a test.
    ///
    /// # Errors
    /// If the request is stopped.
    pub(crate) fn files_of(
        &self,
        language: &Language,
        test: &(dyn Fn(&[u8]) -> bool + Sync),
    ) -> Result<FxHashSet<FileId>, EngineError> {
        let all: Vec<FileId> = self.project.ids().filter(|&id| self.project.file(id).language == language).collect();
        Ok(self.files_with(&all, &|_, text| test(text))?.into_iter().collect())
    }

    fn passes(&self, file: FileId, test: &(dyn Fn(&Language, &[u8]) -> bool + Sync)) -> bool {
        if self.edited.contains_key(&file) || self.unsaved.contains_key(&file) {
            return true;
        }
        let ProjectFile { path, language } = self.project.file(file);
        // Its bytes are not those of its text.
        if language.stored_as(path).is_some() {
            return true;
        }
        match self.indexed_entry(file) {
            Some((_, entry)) => test(language, entry.text().as_bytes()),
            // In another encoding the words are written with other bytes.
            None => self.bytes(file).map_or(true, |bytes| {
                test(language, &bytes) || bytes.contains(&0) || std::str::from_utf8(&bytes).is_err()
            }),
        }
    }

    /// Does work on parts of a list of files, several at once; the results are in the order of the files.
    fn in_jobs<R: Send>(
        &self,
        files: &[FileId],
        size: usize,
        work: impl Fn(&[FileId]) -> Vec<R> + Sync,
    ) -> Result<Vec<R>, EngineError> {
        let jobs: Vec<&[FileId]> = files.chunks(size).collect();
        let question = self.engine.question();
        let stopped = Mutex::new(None);
        let work = |job: usize, _: Flight<'_>, send: Sink<'_, Vec<R>>| {
            let worked = within(&question, || work(jobs[job]));
            match worked {
                Ok(found) => _ = send(found, 0),
                Err(reason) => *stopped.lock().ignore_poison() = Some(reason),
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
        match stopped.into_inner().ignore_poison() {
            Some(reason) => Err(self.engine.left(reason)),
            None => Ok(all),
        }
    }
}
