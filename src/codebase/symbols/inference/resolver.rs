//! The state of a resolution: files with their scopes, what was found out, and what it asks of languages.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::language::{Language, ModuleScheme, Spaces, SymbolRules};
use crate::limits;
use crate::modules::FileId;
use crate::scopes::imported::{self, Imported};
use crate::scopes::{Scopes, VariableName};
use crate::symbols::model::{
    AssignedExports, Bases, ErrorScopes, HiddenWord, MacroWord, Meaning, Member, MemberName, PreciseFile,
    RequiredNames, Site, Spread, TextName, Thing, Values,
};
use crate::symbols::project::{Project, Trees};
use crate::text::Span;
use crate::tree::{Node, Tree};

/// A file with its scopes.
pub(crate) struct View<'t> {
    pub(crate) file: FileId,
    pub(crate) tree: &'t Tree,
    pub(crate) scopes: Scopes<'t>,
    pub(crate) rules: &'static SymbolRules,
    imports: OnceCell<Vec<(Node, Imported)>>,
    globs: OnceCell<Vec<(Node, Imported)>>,
    exports: OnceCell<Vec<(Node, Imported)>>,
    /// Strings with a type annotation.
    pub(in crate::symbols) quoted: OnceCell<Vec<Node>>,
    /// Names in strings that the grammar takes for text.
    pub(in crate::symbols) text_names: OnceCell<Vec<TextName>>,
    /// Names in the bodies of macros.
    pub(in crate::symbols) macro_words: OnceCell<Vec<MacroWord>>,
    /// Where it has syntax errors; `None` if nowhere.
    pub(in crate::symbols) errors: OnceCell<Option<ErrorScopes>>,
    /// Words that the grammar did not read as names.
    pub(in crate::symbols) hidden_words: OnceCell<Vec<HiddenWord>>,
    /// The package that it declares.
    pub(in crate::symbols) package: OnceCell<Option<String>>,
    pub(in crate::symbols) required: OnceCell<RequiredNames>,
    pub(in crate::symbols) assigned_exports: OnceCell<AssignedExports>,
}

impl<'t> View<'t> {
    /// A view of a tree of a file: that of the whole file, or of code inside of it.
    pub(crate) fn new(file: FileId, tree: &'t Tree) -> View<'t> {
        View {
            file,
            tree,
            scopes: Scopes::with_members(tree),
            rules: &tree.language().spec().symbols,
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
        }
    }
}

impl View<'_> {
    /// Whether the language of the file has a scheme.
    pub(crate) fn is(&self, scheme: ModuleScheme) -> bool {
        self.rules.modules == Some(scheme)
    }

    /// Whether a parameter or an argument stands for any number of them: `*args`, `...rest`, `xs...`.
    pub(crate) fn is_spread(&self, node: Node) -> bool {
        let table = self.tree.table();
        let start = table.span(node).start();
        let is_spread = |node: Node| self.scopes.rules.spreads.contains(table.type_id(node));
        let begins = |inner: &Node| table.span(*inner).start() == start;
        is_spread(node)
            || table.descendants(node).take_while(begins).any(is_spread)
            || table.children(node).any(|child| !table.is_named(child) && is_spread(child))
    }

    /// The imports of everything in a module, each with its statement.
    pub(crate) fn globs(&self) -> &[(Node, Imported)] {
        let all = || self.imports().iter().filter(|(_, imported)| imported.is_glob).cloned().collect();
        self.globs.get_or_init(all)
    }

    /// What the file imports, each with its statement.
    pub(crate) fn imports(&self) -> &[(Node, Imported)] {
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
    pub(crate) fn exports(&self) -> &[(Node, Imported)] {
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
    pub(in crate::symbols) trees: &'t Trees<'t>,
    schemes: Schemes,
    views: RefCell<FxHashMap<FileId, Option<Rc<View<'t>>>>>,
    pub(in crate::symbols) values: RefCell<FxHashMap<Site, Values>>,
    /// What names mean in the files of a folder that declare a package.
    pub(in crate::symbols) folder_members: RefCell<FxHashMap<(u32, String, String), Meaning>>,
    /// Members that are written outside their class.
    pub(in crate::symbols) attached: RefCell<FxHashMap<(Site, String, Spaces), Vec<Site>>>,
    /// What names mean in included files.
    pub(in crate::symbols) included: RefCell<FxHashMap<(FileId, String, Spaces), Option<Meaning>>>,
    /// Whether code runs a file.
    pub(crate) run_files: RefCell<FxHashMap<FileId, bool>>,
    /// Bases that classes get outside their definitions.
    pub(in crate::symbols) traits: RefCell<FxHashMap<Site, Vec<Site>>>,
    /// The definitions with a name at the top of a namespace.
    pub(in crate::symbols) spread: RefCell<FxHashMap<SpreadKey, Rc<[Spread]>>>,
    /// The methods of objects of other classes with a name.
    pub(in crate::symbols) extensions: RefCell<FxHashMap<ExtensionKey, Rc<[Thing]>>>,
    /// The imports of files that count for all.
    pub(in crate::symbols) shared_globs: OnceCell<Vec<(FileId, Node, Imported)>>,
    /// The modules around files.
    pub(in crate::symbols) parents: RefCell<FxHashMap<FileId, Option<Thing>>>,
    /// What an index by another program says about the names of files, and where its symbols are.
    pub(in crate::symbols) precise_files: RefCell<FxHashMap<FileId, Rc<PreciseFile>>>,
    pub(in crate::symbols) precise_symbols: RefCell<FxHashMap<u32, Vec<Thing>>>,
    /// The bases of classes.
    pub(in crate::symbols) known_bases: RefCell<FxHashMap<Site, Bases>>,
    /// The work that goes on.
    pub(in crate::symbols) open: OpenWork,
    /// Whether values that come from elsewhere are unknown, and not looked for in the whole project.
    pub(in crate::symbols) is_quick: Cell<bool>,
    /// How deep the work is nested.
    pub(in crate::symbols) depth: Cell<usize>,
}

/// Work that must not go on twice at once.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::symbols) enum Work {
    /// The value of a node.
    Value(Site),
    /// A member of a module.
    Member(FileId, String, Spaces),
    /// The bases of a class.
    Bases(Site),
}

/// The work that goes on, each with its place: the outermost has the first. What is found out while work further out was met again may
/// lack a part.
#[derive(Debug, Default)]
pub(in crate::symbols) struct OpenWork {
    places: RefCell<FxHashMap<Work, usize>>,
    /// The outermost place that was met again since then.
    met: Cell<Option<usize>>,
}

impl OpenWork {
    /// Begins work; `false` if it goes on already.
    pub(in crate::symbols) fn enter(&self, work: &Work) -> bool {
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
    pub(in crate::symbols) fn leave(&self, work: &Work) -> bool {
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
    pub(in crate::symbols) fn with_schemes(trees: &'t Trees<'t>, schemes: Schemes) -> Resolver<'t> {
        Resolver {
            trees,
            schemes,
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

    /// What the language of a file does in its own way.
    pub(in crate::symbols) fn scheme(&self, view: &View<'_>) -> &'static dyn Scheme {
        (self.schemes)(view.rules.modules)
    }

    /// What a language does in its own way.
    pub(in crate::symbols) fn scheme_of(&self, language: &'static Language) -> &'static dyn Scheme {
        (self.schemes)(language.spec().symbols.modules)
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

    /// The files that a file includes, directly or through others, in their order.
    pub(crate) fn included_files(&self, file: FileId) -> Rc<[FileId]> {
        self.trees.includes(file)
    }

    pub(crate) fn view(&self, file: FileId) -> Option<Rc<View<'t>>> {
        if let Some(view) = self.views.borrow().get(&file) {
            return view.clone();
        }
        let view = self.trees.get(file).map(|tree| Rc::new(View::new(file, tree)));
        self.views.borrow_mut().insert(file, view.clone());
        view
    }

    /// Does nested work, unless it is nested too deep already.
    pub(crate) fn nested<T>(&self, otherwise: T, work: impl FnOnce() -> T) -> T {
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

/// The scheme of each kind.
pub(in crate::symbols) type Schemes = fn(Option<ModuleScheme>) -> &'static dyn Scheme;

/// A language's own way to make a name of one file mean something in others, and to give a class more than its body. Each function has
/// an answer for languages that do nothing there.
pub(in crate::symbols) trait Scheme: Sync {
    // Names.

    /// The meaning of a name, in a language with rules of its own for all of them.
    fn meaning(&self, _: &Resolver<'_>, _: &View<'_>, _name: Node) -> Option<Meaning> {
        None
    }

    /// The meaning of a name that gets what a call loads: `a` of `const { a } = require("./b")`.
    fn loaded_name(&self, _: &Resolver<'_>, _: &View<'_>, _name: Node) -> Option<Meaning> {
        None
    }

    /// The meaning of a variable that other files define as well; `bound` is the scope that binds it in its own file.
    fn variable(
        &self,
        _: &Resolver<'_>,
        _: &View<'_>,
        _found: &VariableName,
        _bound: Option<Node>,
        _text: &str,
    ) -> Option<Meaning> {
        None
    }

    /// The meaning of a name that nothing in its file binds, in a language with rules of its own for that.
    fn free_name(&self, _: &Resolver<'_>, _: &View<'_>, _at: Node, _name: &str) -> Option<Meaning> {
        None
    }

    /// The meaning of a name that nothing in its file binds or imports, by the other files of its package.
    fn shared_name(&self, _: &Resolver<'_>, _: &View<'_>, _at: Node, _name: &str) -> Option<Meaning> {
        None
    }

    /// The meaning of a variable, less certain where an object that is not seen may have a member of the name.
    fn unless_hidden(&self, _: &Resolver<'_>, _: &View<'_>, _found: &VariableName, meaning: Meaning) -> Meaning {
        meaning
    }

    /// Whether a name continues a definition in another file.
    fn is_continuation(&self, _: &Resolver<'_>, _: &View<'_>, _name: Node) -> bool {
        false
    }

    /// The words of a file that may name something without being names, each with its node; `None` where those are in strings with types.
    fn words(&self, _: &View<'_>) -> Option<Vec<(Node, Span)>> {
        None
    }

    // Modules and packages.

    /// Whether an import names a path through modules or packages.
    fn has_paths(&self) -> bool {
        false
    }

    /// The meaning of the names of a path, the last one of them, as seen from a node.
    fn path(&self, _: &Resolver<'_>, _: &View<'_>, _at: Node, _path: &str) -> Meaning {
        Meaning::Unknown(Vec::new())
    }

    /// The meaning of a path in code that begins at the root of all packages, or at the own one: its parts up to a name.
    fn rooted_path(&self, _: &Resolver<'_>, _: &View<'_>, _name: Node, _parts: &[&str]) -> Option<Meaning> {
        None
    }

    /// The meaning of a path of packages and classes.
    fn class_path(&self, _: &Resolver<'_>, _: &View<'_>, _parts: &[&str]) -> Meaning {
        Meaning::External
    }

    /// The meaning of a name in a package; `None` if the project lacks such a package.
    fn class_in_package(&self, _: &Resolver<'_>, _: &View<'_>, _package: &str, _name: &str) -> Option<Meaning> {
        None
    }

    /// The meaning of a name by imports of everything, in a language with rules of its own for that.
    fn name_in_globs(&self, _: &Resolver<'_>, _: &View<'_>, _name: &str) -> Option<Meaning> {
        None
    }

    /// The meaning of a name that a file exports by assignments.
    fn assigned_export(&self, _: &Resolver<'_>, _: &View<'_>, _name: &str) -> Option<Meaning> {
        None
    }

    /// The meaning of a name in a package, as the name after a dot.
    fn member_of_package(
        &self,
        _: &Resolver<'_>,
        _: &'static Language,
        _package: &str,
        _name: MemberName<'_>,
    ) -> Option<Meaning> {
        None
    }

    /// The meaning of a name in a folder that is a package.
    fn member_of_folder(&self, _: &Resolver<'_>, _: &'static Language, _folder: u32, _name: &str) -> Option<Meaning> {
        None
    }

    // Values and classes.

    /// The value of an expression that only this language has.
    fn value(&self, _: &Resolver<'_>, _: &View<'_>, _node: Node) -> Option<Values> {
        None
    }

    /// The value that a name gets at its place, in code that only this language has.
    fn bound_value(&self, _: &Resolver<'_>, _: &View<'_>, _binder: Node) -> Option<Values> {
        None
    }

    /// Whether each access of a member is a call, which means what its name means.
    fn has_calls_alone(&self) -> bool {
        false
    }

    /// The meaning of a name as a member of a function or class that its file exports as a whole.
    fn member_of_whole(&self, _: &Resolver<'_>, _whole: Site, _name: &str) -> Option<Meaning> {
        None
    }

    /// A member of a class, or of its instances, where both have members of their own.
    fn member(
        &self,
        _: &Resolver<'_>,
        _: &View<'_>,
        _class: Site,
        _name: MemberName<'_>,
        _of_class: bool,
    ) -> Option<Member> {
        None
    }

    /// A member of the bases of a class, where the class and its instances have members of their own.
    fn inherited(&self, _: &Resolver<'_>, _: &View<'_>, _class: Site, _name: MemberName<'_>) -> Option<Member> {
        None
    }

    /// A member of classes or of what is above them, where files open classes again.
    fn member_of_classes(&self, _: &Resolver<'_>, _: &View<'_>, _classes: &[Site], _name: &str) -> Option<Member> {
        None
    }

    /// Whether the code at a node belongs to the object of a class.
    fn is_in_class_object(&self, _: &Resolver<'_>, _: &View<'_>, _node: Node) -> bool {
        false
    }

    /// The method that a call of a class calls, if the class has one for that.
    fn called_of_class(&self, _: &Resolver<'_>, _: &View<'_>, _class: Site) -> Option<Site> {
        None
    }

    /// Whether a name that binds is a member by what is around it.
    fn is_member(&self, _: &Resolver<'_>, _: &View<'_>, _name: Node) -> bool {
        false
    }

    /// The class of which a name is a member, in a language with rules of its own for that.
    fn class_of_member(&self, _: &Resolver<'_>, _: &View<'_>, _name: Node) -> Option<Option<Site>> {
        None
    }

    /// The other definitions of a class, in its own file and in others.
    fn other_bodies(&self, _: &Resolver<'_>, _: &View<'_>, _class: Site) -> Vec<Site> {
        Vec::new()
    }

    /// Adds the bases that a class gets elsewhere; returns its other definitions.
    fn add_bases(&self, _: &Resolver<'_>, _: &View<'_>, _class: Site, _: &mut Bases) -> Vec<(FileId, Node)> {
        Vec::new()
    }

    /// The definitions with a name that count as methods of objects of other classes.
    fn extensions(&self, _: &Resolver<'_>, _: &View<'_>, _name: &str) -> Rc<[Thing]> {
        Rc::new([])
    }
}
