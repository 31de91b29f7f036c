//! The files of a project, their trees, and the state of a resolution.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::modules::Modules;
use super::value::Values;
use crate::language::{Language, SymbolRules};
use crate::scopes::Scopes;
use crate::scopes::imported::{self, Imported};
use crate::tree::{Node, Tree};

/// The number of a file in its project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A file of a project.
#[derive(Debug, Clone)]
pub struct ProjectFile {
    /// Its path from the root, with `/` between the parts.
    pub path: String,
    /// Its language.
    pub language: &'static Language,
}

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

/// Where a symbol is first bound: the node of its name there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    /// The file.
    pub file: FileId,
    /// The name.
    pub name: Node,
}

/// What a name can mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Thing {
    /// A symbol.
    Symbol(Site),
    /// A module that is a file.
    Module(FileId),
    /// A package without a file of its own: a folder.
    Folder(u32),
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

/// A file with its scopes.
pub(super) struct View<'t> {
    pub(super) file: FileId,
    pub(super) tree: &'t Tree,
    pub(super) scopes: Scopes<'t>,
    pub(super) rules: &'static SymbolRules,
    globs: OnceCell<Vec<(Node, Imported)>>,
    exports: OnceCell<Vec<(Node, Imported)>>,
    /// Strings with a written type.
    pub(super) quoted: OnceCell<Vec<Node>>,
}

impl View<'_> {
    /// The imports of everything in a module, each with its statement.
    pub(super) fn globs(&self) -> &[(Node, Imported)] {
        self.globs.get_or_init(|| {
            let rules = &self.tree.language().spec().imports;
            let table = self.tree.table();
            let imports = table.nodes().filter(|&node| rules.types.contains(table.type_id(node)));
            let read = |node| imported::read(self.tree, node).into_iter().map(move |imported| (node, imported));
            imports.flat_map(read).filter(|(_, imported)| imported.is_glob).collect()
        })
    }
}

impl View<'_> {
    /// What a module exports by statements of their own, each with its statement.
    pub(super) fn exports(&self) -> &[(Node, Imported)] {
        self.exports.get_or_init(|| {
            let rules = &self.rules.exports;
            let table = self.tree.table();
            let exports = table.nodes().filter(|&node| rules.types.contains(table.type_id(node)));
            let read = |node| imported::read_exports(self.tree, node).into_iter().map(move |found| (node, found));
            exports.flat_map(read).collect()
        })
    }
}

/// Works out what names mean, and keeps what it found out.
pub struct Resolver<'t> {
    pub(super) trees: &'t Trees<'t>,
    views: RefCell<FxHashMap<FileId, Option<Rc<View<'t>>>>>,
    pub(super) values: RefCell<FxHashMap<Site, Values>>,
    /// Nodes whose value is being worked out.
    pub(super) open: RefCell<FxHashSet<Site>>,
    /// Members of modules that are being looked up.
    pub(super) open_members: RefCell<FxHashSet<(FileId, String)>>,
    /// How deep the work is nested.
    pub(super) depth: Cell<usize>,
}

impl<'t> Resolver<'t> {
    /// A resolver that has found out nothing yet.
    pub fn new(trees: &'t Trees<'t>) -> Resolver<'t> {
        Resolver {
            trees,
            views: RefCell::default(),
            values: RefCell::default(),
            open: RefCell::default(),
            open_members: RefCell::default(),
            depth: Cell::new(0),
        }
    }

    /// The project.
    pub fn project(&self) -> &'t Project {
        self.trees.project
    }

    /// The tree of a file.
    pub fn tree(&self, file: FileId) -> Option<&'t Tree> {
        self.trees.get(file)
    }

    pub(super) fn view(&self, file: FileId) -> Option<Rc<View<'t>>> {
        if let Some(view) = self.views.borrow().get(&file) {
            return view.clone();
        }
        let view = self.trees.get(file).map(|tree| {
            let rules = &tree.language().spec().symbols;
            Rc::new(View {
                file,
                tree,
                scopes: Scopes::new(tree),
                rules,
                globs: OnceCell::new(),
                exports: OnceCell::new(),
                quoted: OnceCell::new(),
            })
        });
        self.views.borrow_mut().insert(file, view.clone());
        view
    }

    /// Does nested work, unless it is nested too deep already.
    pub(super) fn nested<T>(&self, otherwise: T, work: impl FnOnce() -> T) -> T {
        let depth = self.depth.get();
        if depth >= crate::limits::SYMBOL_DEPTH {
            return otherwise;
        }
        self.depth.set(depth + 1);
        let result = work();
        self.depth.set(depth);
        result
    }
}
