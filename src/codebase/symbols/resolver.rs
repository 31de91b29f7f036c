//! The state of a resolution: files with their scopes, and what was found out.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::model::{
    AssignedExports, Bases, ErrorScopes, FileId, HiddenWord, MacroWord, Meaning, PreciseFile, RequiredNames, Site,
    Spread, TextName, Thing, Values,
};
use super::project::{Project, Trees};
use crate::language::{Spaces, SymbolRules};
use crate::limits;
use crate::scopes::Scopes;
use crate::scopes::imported::{self, Imported};
use crate::tree::{Node, Tree};

/// A file with its scopes.
pub(super) struct View<'t> {
    pub(super) file: FileId,
    pub(super) tree: &'t Tree,
    pub(super) scopes: Scopes<'t>,
    pub(super) rules: &'static SymbolRules,
    imports: OnceCell<Vec<(Node, Imported)>>,
    globs: OnceCell<Vec<(Node, Imported)>>,
    exports: OnceCell<Vec<(Node, Imported)>>,
    /// Strings with a type annotation.
    pub(super) quoted: OnceCell<Vec<Node>>,
    /// Names in strings that the grammar takes for text.
    pub(super) text_names: OnceCell<Vec<TextName>>,
    /// Names in the bodies of macros.
    pub(super) macro_words: OnceCell<Vec<MacroWord>>,
    /// Where it has syntax errors; `None` if nowhere.
    pub(super) errors: OnceCell<Option<ErrorScopes>>,
    /// Words that the grammar did not read as names.
    pub(super) hidden_words: OnceCell<Vec<HiddenWord>>,
    /// The package that it declares.
    pub(super) package: OnceCell<Option<String>>,
    pub(super) required: OnceCell<RequiredNames>,
    pub(super) assigned_exports: OnceCell<AssignedExports>,
}

impl View<'_> {
    /// The imports of everything in a module, each with its statement.
    pub(super) fn globs(&self) -> &[(Node, Imported)] {
        let all = || self.imports().iter().filter(|(_, imported)| imported.is_glob).cloned().collect();
        self.globs.get_or_init(all)
    }

    /// What the file imports, each with its statement.
    pub(super) fn imports(&self) -> &[(Node, Imported)] {
        self.imports.get_or_init(|| {
            let rules = &self.tree.language().spec().imports;
            let table = self.tree.table();
            let is_import =
                |&node: &Node| rules.types.contains(table.type_id(node)) && imported::is_import(self.tree, node);
            let imports = table.nodes().filter(is_import);
            let read = |node| imported::read(self.tree, node).into_iter().map(move |imported| (node, imported));
            imports.flat_map(read).collect()
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

/// A language, a namespace and a name in it.
type SpreadKey = (&'static str, String, String);

/// A language and the name of a method.
type ExtensionKey = (&'static str, String);

/// Works out what names mean, and keeps what it found out.
pub struct Resolver<'t> {
    pub(super) trees: &'t Trees<'t>,
    views: RefCell<FxHashMap<FileId, Option<Rc<View<'t>>>>>,
    pub(super) values: RefCell<FxHashMap<Site, Values>>,
    /// What names mean in the files of a folder that declare a package.
    pub(super) folder_members: RefCell<FxHashMap<(u32, String, String), Meaning>>,
    /// Members that are written outside their class.
    pub(super) attached: RefCell<FxHashMap<(Site, String, Spaces), Vec<Site>>>,
    /// What names mean in included files.
    pub(super) included: RefCell<FxHashMap<(FileId, String, Spaces), Option<Meaning>>>,
    /// Whether code runs a file.
    pub(super) run_files: RefCell<FxHashMap<FileId, bool>>,
    /// Bases that classes get outside their definitions.
    pub(super) traits: RefCell<FxHashMap<Site, Vec<Site>>>,
    /// The definitions with a name at the top of a namespace.
    pub(super) spread: RefCell<FxHashMap<SpreadKey, Rc<[Spread]>>>,
    /// The methods of objects of other classes with a name.
    pub(super) extensions: RefCell<FxHashMap<ExtensionKey, Rc<[Thing]>>>,
    /// The imports of files that count for all.
    pub(super) shared_globs: OnceCell<Vec<(FileId, Node, Imported)>>,
    /// The modules around files.
    pub(super) parents: RefCell<FxHashMap<FileId, Option<Thing>>>,
    /// What an index by another program says about the names of files, and where its symbols are.
    pub(super) precise_files: RefCell<FxHashMap<FileId, Rc<PreciseFile>>>,
    pub(super) precise_symbols: RefCell<FxHashMap<u32, Vec<Thing>>>,
    /// The bases of classes.
    pub(super) known_bases: RefCell<FxHashMap<Site, Bases>>,
    /// The work that goes on.
    pub(super) open: OpenWork,
    /// Whether values that come from elsewhere are unknown, and not looked for in the whole project.
    pub(super) is_quick: Cell<bool>,
    /// How deep the work is nested.
    pub(super) depth: Cell<usize>,
}

/// Work that must not go on twice at once.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Work {
    /// The value of a node.
    Value(Site),
    /// A member of a module.
    Member(FileId, String),
    /// The bases of a class.
    Bases(Site),
}

/// The work that goes on, each with its place: the outermost has the first. What is found out while work further out was met again may
/// lack a part.
#[derive(Debug, Default)]
pub(super) struct OpenWork {
    places: RefCell<FxHashMap<Work, usize>>,
    /// The outermost place that was met again since then.
    met: Cell<Option<usize>>,
}

impl OpenWork {
    /// Begins work; `false` if it goes on already.
    pub(super) fn enter(&self, work: &Work) -> bool {
        let mut places = self.places.borrow_mut();
        if let Some(&place) = places.get(work) {
            self.meet(place);
            return false;
        }
        let place = places.len();
        places.insert(work.clone(), place);
        true
    }

    /// Ends the innermost work. Whether all that it needed was found out.
    pub(super) fn leave(&self, work: &Work) -> bool {
        let place = self.places.borrow_mut().remove(work).unwrap_or_default();
        let is_whole = self.met.get().is_none_or(|met| met >= place);
        if is_whole {
            self.met.set(None);
        }
        is_whole
    }

    fn meet(&self, place: usize) {
        self.met.set(Some(self.met.get().map_or(place, |met| met.min(place))));
    }
}

impl<'t> Resolver<'t> {
    /// A resolver that has found out nothing yet.
    pub fn new(trees: &'t Trees<'t>) -> Resolver<'t> {
        Resolver {
            trees,
            views: RefCell::default(),
            values: RefCell::default(),
            folder_members: RefCell::default(),
            attached: RefCell::default(),
            traits: RefCell::default(),
            run_files: RefCell::default(),
            included: RefCell::default(),
            parents: RefCell::default(),
            precise_files: RefCell::default(),
            precise_symbols: RefCell::default(),
            spread: RefCell::default(),
            extensions: RefCell::default(),
            shared_globs: OnceCell::new(),
            known_bases: RefCell::default(),
            open: OpenWork::default(),
            is_quick: Cell::new(false),
            depth: Cell::new(0),
        }
    }

    /// From here on, values that variables and members get elsewhere are unknown: they are not looked for in the whole project.
    pub fn be_quick(&self) {
        self.is_quick.set(true);
    }

    /// The project.
    pub fn project(&self) -> &'t Project {
        self.trees.project
    }

    /// The tree of a file.
    pub fn tree(&self, file: FileId) -> Option<&'t Tree> {
        self.trees.get(file)
    }

    /// Whether a file may contain a word, which costs less than its tree.
    pub fn may_contain(&self, file: FileId, word: &str) -> bool {
        self.trees.may_have(file, word)
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
                scopes: Scopes::with_members(tree),
                rules,
                globs: OnceCell::new(),
                exports: OnceCell::new(),
                quoted: OnceCell::new(),
                text_names: OnceCell::new(),
                macro_words: OnceCell::new(),
                errors: OnceCell::new(),
                hidden_words: OnceCell::new(),
                package: OnceCell::new(),
                required: OnceCell::new(),
                assigned_exports: OnceCell::new(),
                imports: OnceCell::new(),
            })
        });
        self.views.borrow_mut().insert(file, view.clone());
        view
    }

    /// Does nested work, unless it is nested too deep already.
    pub(super) fn nested<T>(&self, otherwise: T, work: impl FnOnce() -> T) -> T {
        let depth = self.depth.get();
        if depth >= limits::SYMBOL_DEPTH {
            // Whatever needed it may lack a part.
            self.open.meet(0);
            return otherwise;
        }
        self.depth.set(depth + 1);
        let result = work();
        self.depth.set(depth);
        result
    }
}
