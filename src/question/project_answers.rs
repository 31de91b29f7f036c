//! What selectors ask about a project, answered for all of its files at once.

use std::sync::{Arc, Mutex};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::language::Language;
use crate::locks::IgnorePoison;
use crate::modules::FileId;
use crate::question::unused::Judge;
use crate::reader::core::Reader;
use crate::reader::document::{Document, Origin};
use crate::reader::queries::Queries;
use crate::reader::target::Source;
use crate::request::error::EngineError;
use crate::request::requests::{Reading, Target};
use crate::request::symbol_messages::{Confidence, Role};
use crate::selector::{Match, ProjectQuestions, ProjectView, Query, Relation};
use crate::store::TreeRow;
use crate::symbols::{Site, Thing};
use crate::tree::{Node, Tree};
use crate::workspace::files::Workspace;

/// The project that the files of a search are in, asked when a query needs it.
pub(crate) struct ProjectScope<'a> {
    engine: &'a Reader,
    targets: &'a [Target],
    reading: &'a Reading,
    /// Whether unsaved trees are only asked about if they are targets, since what is asked about is changed in its file.
    rewrites: bool,
    known: Mutex<Vec<(Asked, Arc<ProjectAnswers>)>>,
}

/// What has been asked, of which texts.
#[derive(Debug, Clone, PartialEq)]
struct Asked {
    questions: ProjectQuestions,
    /// Of files alone, not of the unsaved trees of the session.
    saved: bool,
}

/// The answers, by file.
struct ProjectAnswers {
    relations: Vec<Relation>,
    files: FxHashMap<String, FileAnswers>,
    /// The trees that were asked about in place of files.
    unsaved: FxHashMap<String, Document>,
}

/// The answers about one file. Places are the offsets of names.
#[derive(Default)]
struct FileAnswers {
    /// The places in each relation, in the order of the relations.
    places: Vec<FxHashSet<usize>>,
    /// How many places refer to a definition, and how many definitions call it, by its place.
    counts: FxHashMap<usize, (usize, usize)>,
}

/// The answers about a tree.
struct TreeAnswers<'a> {
    relations: &'a [Relation],
    answers: Option<&'a FileAnswers>,
    tree: &'a Tree,
}

impl<'a> ProjectScope<'a> {
    /// The project that these targets are in.
    pub(crate) fn new(engine: &'a Reader, targets: &'a [Target], reading: &'a Reading) -> ProjectScope<'a> {
        ProjectScope { engine, targets, reading, rewrites: false, known: Mutex::default() }
    }

    /// The same, for a request that changes what it finds.
    pub(crate) fn rewriting(self) -> ProjectScope<'a> {
        ProjectScope { rewrites: true, ..self }
    }

    /// How many unsaved trees were asked about in place of files.
    pub(crate) fn unsaved(&self) -> usize {
        let known = self.known.lock().ignore_poison();
        known.iter().map(|(_, answers)| answers.unsaved.len()).max().unwrap_or(0)
    }

    /// The unsaved tree that a query looks at in place of a file, with its answers.
    ///
    /// # Errors
    /// If a symbol that the query names is not in the project.
    pub(crate) fn in_place_of(
        &self,
        query: &Query,
        document: &Document,
        path: Option<&str>,
    ) -> Result<Option<Document>, EngineError> {
        let questions = query.project_questions();
        let (Some(path), None, false) = (path, document.tree_id(), questions.is_empty()) else {
            return Ok(None);
        };
        let answers = self.answers(Asked { questions, saved: self.reading.saved })?;
        Ok(answers.unsaved.get(path).map(|document| document.clone().at_path(Some(path))))
    }

    /// Whether queries in these languages ask the project anything.
    pub(crate) fn is_asked(&self, queries: &Queries<'_>, met: &[&'static Language]) -> bool {
        let asks = |query: &Query| !query.project_questions().is_empty();
        met.iter().any(|language| queries.of(language).is_ok_and(|query| asks(&query)))
    }

    /// Answers what queries in these languages ask, so that an error in it is one of the request.
    ///
    /// # Errors
    /// If a symbol is not in the project.
    pub(crate) fn prepare(&self, queries: &Queries<'_>, met: &[&'static Language]) -> Result<(), EngineError> {
        for language in met {
            let questions = queries.of(language)?.project_questions();
            if !questions.is_empty() {
                self.answers(Asked { questions, saved: self.reading.saved || self.rewrites })?;
            }
        }
        Ok(())
    }

    /// The matches of a query in a document of the search.
    ///
    /// # Errors
    /// If matching takes too long, or a symbol that the query names is not in the project.
    pub(crate) fn select(
        &self,
        query: &Query,
        document: &Document,
        path: Option<&str>,
    ) -> Result<Vec<Match>, EngineError> {
        let (tree, questions) = (&document.tree, query.project_questions());
        if questions.is_empty() {
            return Ok(query.select(tree)?);
        }
        let is_held = document.tree_id().is_some();
        let answers = self.answers(Asked { questions, saved: !is_held && (self.reading.saved || self.rewrites) })?;
        let view =
            TreeAnswers { relations: &answers.relations, answers: path.and_then(|path| answers.files.get(path)), tree };
        Ok(query.select_in(tree, Some(&view))?)
    }

    fn answers(&self, asked: Asked) -> Result<Arc<ProjectAnswers>, EngineError> {
        let mut known = self.known.lock().ignore_poison();
        if let Some((_, answers)) = known.iter().find(|(known, _)| *known == asked) {
            return Ok(Arc::clone(answers));
        }
        let (mut folders, mut trees) = (Vec::new(), Vec::new());
        for target in self.targets {
            match self.engine.source(target)? {
                Source::Folder(folder) => folders.push(self.engine.project_of(&folder).path),
                Source::File(file) => folders.push(self.engine.project_of(file.parent().unwrap_or(&file)).path),
                Source::Tree(id) => {
                    let document = self.engine.session_document(&id)?;
                    let Origin::Held(TreeRow { path: Some(file), .. }) = &document.origin else {
                        return Err(no_project());
                    };
                    folders.push(self.engine.project_of(file.parent().unwrap_or(file)).path);
                    trees.push(document);
                }
                Source::Text(_) => return Err(no_project()),
            }
        }
        folders.sort_unstable();
        folders.dedup();
        // Several projects: what is around them.
        if folders.len() != 1 {
            folders = vec![self.engine.host.working_directory.clone()];
        }
        let folder = Target::Named(folders.remove(0).to_string_lossy().into_owned());
        // The rest of the project may use what is searched.
        let reading = Reading {
            language: None,
            glob: Vec::new(),
            max_size: None,
            staged: false,
            since: None,
            unordered: false,
            cache: false,
            saved: asked.saved,
            ..self.reading.clone()
        };
        let mut workspace = self.engine.workspace(&[folder], &reading)?;
        // What is searched is asked about in its own text.
        if !asked.saved {
            workspace.overlay(trees);
        }
        let answers = Arc::new(workspace.answers(asked.questions.clone())?);
        known.push((asked, Arc::clone(&answers)));
        Ok(answers)
    }
}

fn no_project() -> EngineError {
    let message = "the selector asks about a whole project, and this text belongs to none";
    EngineError::bad_request(message).hint("name a folder, or a file in it")
}

impl Workspace<'_> {
    fn answers(&self, asked: ProjectQuestions) -> Result<ProjectAnswers, EngineError> {
        let relations = asked.relations;
        let mut files: FxHashMap<FileId, FileAnswers> = FxHashMap::default();
        let count = relations.len();
        let mut add = |file: FileId, relation: usize, place: usize| {
            let answers = files.entry(file).or_default();
            answers.places.resize_with(count, FxHashSet::default);
            answers.places[relation].insert(place);
        };
        for (number, relation) in relations.iter().enumerate() {
            match relation {
                Relation::To(symbol) | Relation::RefersTo(symbol) => {
                    let things: Vec<Thing> = self.find(symbol, true)?.iter().map(|found| found.thing).collect();
                    let calls = matches!(relation, Relation::To(_));
                    for reference in self.references(&things)? {
                        let role = reference.row.role;
                        let is_asked_for = if calls { role == Role::Call } else { role != Role::Definition };
                        if is_asked_for && reference.row.confidence == Confidence::Certain {
                            add(reference.file, number, reference.start);
                        }
                    }
                }
                Relation::Extends(symbol) => {
                    for below in self.classes_below(&self.classes_named(symbol)?)? {
                        for place in self.starts(below.class.file, [below.class.name].into_iter()) {
                            add(below.class.file, number, place);
                        }
                    }
                }
                Relation::Unused | Relation::Overrides => {}
            }
        }
        let of_all = |relation: &Relation| matches!(relation, Relation::Unused | Relation::Overrides);
        if !asked.counts && !relations.iter().any(of_all) {
            let files = files.into_iter().map(|(file, answers)| (self.shown(file), answers)).collect();
            return Ok(ProjectAnswers { relations, files, unsaved: self.unsaved_by_path() });
        }
        let all = self.all_uses()?;
        let judge = Judge::new(&all);
        let mut uses: FxHashMap<Site, (usize, FxHashSet<Thing>)> = FxHashMap::default();
        for used in all.files.iter().flat_map(|(_, uses)| &uses.used) {
            let (refs, callers) = uses.entry(used.site).or_default();
            *refs += used.refs;
            callers.extend(used.callers.iter().copied());
        }
        for (file, found) in &all.files {
            let follows = self.project.file(*file).language.spec().symbols.modules.is_some();
            let starts = self.starts(*file, found.definitions.iter().map(|definition| definition.site.name));
            let answers = files.entry(*file).or_default();
            answers.places.resize_with(count, FxHashSet::default);
            for (definition, place) in found.definitions.iter().zip(starts) {
                let is_unused = follows && judge.is_unused(definition);
                for (number, relation) in relations.iter().enumerate() {
                    let fits = match relation {
                        Relation::Unused => is_unused,
                        Relation::Overrides => definition.is_override,
                        _ => false,
                    };
                    if fits {
                        answers.places[number].insert(place);
                    }
                }
                let known = uses.get(&definition.site);
                let counts = known.map_or((0, 0), |(refs, callers)| (*refs, callers.len()));
                answers.counts.insert(place, counts);
            }
        }
        let files = files.into_iter().map(|(file, answers)| (self.shown(file), answers)).collect();
        Ok(ProjectAnswers { relations, files, unsaved: self.unsaved_by_path() })
    }

    fn unsaved_by_path(&self) -> FxHashMap<String, Document> {
        self.unsaved.iter().map(|(&file, document)| (self.shown(file), document.clone())).collect()
    }

    /// The classes with a name.
    fn classes_named(&self, symbol: &str) -> Result<Vec<Site>, EngineError> {
        let of_thing = |thing: Thing| match thing {
            Thing::Symbol(site) => Some(site),
            Thing::Module(_) | Thing::Folder(_) | Thing::Package(_) => None,
        };
        let found = self.find(symbol, true)?;
        let mut classes: Vec<Site> = found.iter().filter_map(|found| of_thing(found.thing)).collect();
        classes.retain(|&site| self.resolve(|resolver| resolver.is_class(site)));
        if classes.is_empty() {
            return Err(EngineError::bad_request(format!("`{symbol}` is not a class of the project")));
        }
        Ok(classes)
    }

    /// Where names of a file begin.
    fn starts(&self, file: FileId, names: impl Iterator<Item = Node>) -> Vec<usize> {
        self.resolve(|resolver| {
            let tree = resolver.tree(file);
            names.map(|name| tree.map_or(0, |tree| tree.span(name).start())).collect()
        })
    }
}

impl ProjectView for TreeAnswers<'_> {
    fn fits(&self, relation: &Relation, node: Node) -> bool {
        let Some(answers) = self.answers else { return false };
        let number = self.relations.iter().position(|known| known == relation);
        let Some(places) = number.and_then(|number| answers.places.get(number)) else { return false };
        let table = self.tree.table();
        let is_leaf = |node: Node| table.subtree_end(node) == node.index() + 1;
        let is_there = |node: Node| places.contains(&self.tree.span(node).start());
        match relation {
            // The name that is called is the callee, or the end of it: `a().b`.
            Relation::To(_) => self.tree.callee(node).is_some_and(|callee| {
                let last = table.descendants(callee).rev().find(|&part| table.is_named(part) && is_leaf(part));
                last.or(is_leaf(callee).then_some(callee)).is_some_and(is_there)
            }),
            Relation::RefersTo(_) => is_leaf(node) && is_there(node),
            Relation::Extends(_) | Relation::Unused | Relation::Overrides => {
                self.tree.name_node(node).is_some_and(is_there)
            }
        }
    }

    fn counts(&self, node: Node) -> Option<(usize, usize)> {
        let name = self.tree.name_node(node)?;
        self.answers?.counts.get(&self.tree.span(name).start()).copied()
    }
}
