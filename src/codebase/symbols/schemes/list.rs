//! The schemes, and which of the kinds each of them is.

use std::rc::Rc;

use crate::language::{Language, ModuleScheme, Spaces};
use crate::modules::FileId;
use crate::scopes::VariableName;
use crate::symbols::inference::resolver::{Resolver, Scheme, View};
use crate::symbols::model::{Bases, Meaning, Member, MemberName, Site, Thing, Value, Values};
use crate::symbols::project::Trees;
use crate::text::Span;
use crate::tree::Node;

impl<'t> Resolver<'t> {
    /// A resolver that has found out nothing yet.
    pub fn new(trees: &'t Trees<'t>) -> Resolver<'t> {
        Resolver::with_schemes(trees, scheme_of)
    }
}

fn scheme_of(kind: Option<ModuleScheme>) -> &'static dyn Scheme {
    match kind {
        Some(ModuleScheme::Dotted | ModuleScheme::Relative) => &LoadedModules,
        Some(ModuleScheme::PackageFolders) => &PackageFolders,
        Some(ModuleScheme::ModuleTree) => &ModuleTree,
        Some(ModuleScheme::Packages) => &Packages,
        Some(ModuleScheme::Namespaces) => &Namespaces,
        Some(ModuleScheme::Includes) => &Includes,
        Some(ModuleScheme::OpenClasses) => &OpenClasses,
        Some(ModuleScheme::Unsupported) | None => &Alone,
    }
}

/// Names are not followed.
struct Alone;

impl Scheme for Alone {}

/// Modules are files that imports name, and that calls may load: `require("./b")`.
struct LoadedModules;

impl Scheme for LoadedModules {
    fn loaded_name(&self, resolver: &Resolver<'_>, view: &View<'_>, name: Node) -> Option<Meaning> {
        resolver.required_meaning(view, name)
    }

    fn assigned_export(&self, resolver: &Resolver<'_>, view: &View<'_>, name: &str) -> Option<Meaning> {
        resolver.exported_by_assignment(view, name)
    }

    fn value(&self, resolver: &Resolver<'_>, view: &View<'_>, node: Node) -> Option<Values> {
        if let Some(exports) = resolver.own_exports(view, node) {
            return Some(Values::one(exports));
        }
        resolver.loaded(view, node).map(|loaded| resolver.meaning_value(loaded, None, ""))
    }

    fn bound_value(&self, resolver: &Resolver<'_>, view: &View<'_>, binder: Node) -> Option<Values> {
        let is_namespace =
            |definition: Node| view.rules.members.namespaces.contains(view.tree.table().type_id(definition));
        if resolver.definition_of(view, binder).is_some_and(is_namespace) {
            return Some(Values::one(Value::Module(Thing::Symbol(Site { file: view.file, name: binder }))));
        }
        resolver.own_exports(view, binder).map(Values::one)
    }

    fn member_of_whole(&self, resolver: &Resolver<'_>, whole: Site, name: &str) -> Option<Meaning> {
        resolver.member_of_exported(whole, name)
    }
}

/// A package is a folder, whose files share one scope.
struct PackageFolders;

impl Scheme for PackageFolders {
    fn meaning(&self, _: &Resolver<'_>, view: &View<'_>, name: Node) -> Option<Meaning> {
        // The clause of a file names its package alone.
        let table = view.tree.table();
        let clause = table.parent(name).filter(|&parent| view.rules.packages.of(table.type_id(parent)).is_some());
        clause.map(|_| Meaning::External)
    }

    fn shared_name(&self, resolver: &Resolver<'_>, view: &View<'_>, _: Node, name: &str) -> Option<Meaning> {
        resolver.name_in_folder(view, name)
    }

    fn class_path(&self, resolver: &Resolver<'_>, view: &View<'_>, parts: &[&str]) -> Meaning {
        resolver.class_by_path(view, parts, false).unwrap_or(Meaning::External)
    }

    fn class_in_package(&self, resolver: &Resolver<'_>, view: &View<'_>, package: &str, name: &str) -> Option<Meaning> {
        resolver.class_in_folders(view, package, name)
    }

    fn member_of_folder(
        &self,
        resolver: &Resolver<'_>,
        language: &'static Language,
        folder: u32,
        name: &str,
    ) -> Option<Meaning> {
        Some(resolver.in_folder(folder, language, None, name))
    }
}

/// Modules are declared by the module around them, as files or as parts of one.
struct ModuleTree;

impl Scheme for ModuleTree {
    fn free_name(&self, resolver: &Resolver<'_>, view: &View<'_>, at: Node, name: &str) -> Option<Meaning> {
        resolver.imported_by_itself(view, at, name)
    }

    fn has_paths(&self) -> bool {
        true
    }

    /// A library is known by its name in each file that can use it.
    fn shared_name(&self, resolver: &Resolver<'_>, view: &View<'_>, _: Node, name: &str) -> Option<Meaning> {
        let library = resolver.project().imported_module(view.file, view.tree.language(), name);
        library.map(|library| Meaning::Known(vec![library]))
    }

    fn path(&self, resolver: &Resolver<'_>, view: &View<'_>, at: Node, path: &str) -> Meaning {
        resolver.path_in_tree(view, at, path)
    }

    fn value(&self, resolver: &Resolver<'_>, view: &View<'_>, node: Node) -> Option<Values> {
        resolver.module_word(view, node).map(|module| Values::one(Value::Module(module)))
    }

    fn bound_value(&self, resolver: &Resolver<'_>, view: &View<'_>, binder: Node) -> Option<Values> {
        let definition = resolver.definition_of(view, binder)?;
        if !view.rules.module_tree.types.contains(view.tree.table().type_id(definition)) {
            return None;
        }
        let module = resolver.declared_module(view, definition, binder);
        Some(module.map_or_else(Values::unknown, |module| Values::one(Value::Module(module))))
    }
}

/// Classes are in packages, which their files declare and their folders are named after.
struct Packages;

impl Scheme for Packages {
    fn shared_name(&self, resolver: &Resolver<'_>, view: &View<'_>, _: Node, name: &str) -> Option<Meaning> {
        let package = resolver.package_of(view).unwrap_or_default();
        let found = resolver.class_in_folders(view, package, name);
        found.filter(|found| matches!(found, Meaning::Known(_)))
    }

    fn has_paths(&self) -> bool {
        true
    }

    fn path(&self, resolver: &Resolver<'_>, view: &View<'_>, _: Node, path: &str) -> Meaning {
        let separator = view.tree.language().spec().imports.separator.as_str();
        let parts: Vec<&str> = path.split(separator).collect();
        self.class_path(resolver, view, &parts)
    }

    fn class_path(&self, resolver: &Resolver<'_>, view: &View<'_>, parts: &[&str]) -> Meaning {
        resolver.class_by_path(view, parts, false).unwrap_or(Meaning::External)
    }

    fn class_in_package(&self, resolver: &Resolver<'_>, view: &View<'_>, package: &str, name: &str) -> Option<Meaning> {
        resolver.class_in_folders(view, package, name)
    }

    fn value(&self, resolver: &Resolver<'_>, view: &View<'_>, node: Node) -> Option<Values> {
        resolver.written_package(view, node).map(|package| Values::one(Value::Module(package)))
    }

    fn member_of_package(
        &self,
        resolver: &Resolver<'_>,
        language: &'static Language,
        package: &str,
        name: MemberName<'_>,
    ) -> Option<Meaning> {
        resolver.member_of_folders(language, package, name.text)
    }
}

/// Names are in namespaces, which files declare as they like.
struct Namespaces;

impl Namespaces {
    fn has_companions(view: &View<'_>) -> bool {
        !view.rules.companions.types.is_empty()
    }
}

impl Scheme for Namespaces {
    fn variable(
        &self,
        resolver: &Resolver<'_>,
        view: &View<'_>,
        found: &VariableName,
        bound: Option<Node>,
        text: &str,
    ) -> Option<Meaning> {
        resolver.spread_variable(view, found, bound, text)
    }

    fn free_name(&self, resolver: &Resolver<'_>, view: &View<'_>, at: Node, name: &str) -> Option<Meaning> {
        Some(resolver.namespaced(view, at, name.into()))
    }

    fn unless_hidden(
        &self,
        resolver: &Resolver<'_>,
        view: &View<'_>,
        found: &VariableName,
        meaning: Meaning,
    ) -> Meaning {
        let meaning = resolver.unless_open(view, found, meaning);
        resolver.unless_shared(view, found, meaning)
    }

    fn is_continuation(&self, resolver: &Resolver<'_>, view: &View<'_>, name: Node) -> bool {
        resolver.is_part(view, name)
    }

    fn has_paths(&self) -> bool {
        true
    }

    fn path(&self, resolver: &Resolver<'_>, view: &View<'_>, at: Node, path: &str) -> Meaning {
        let separator = view.tree.language().spec().imports.separator.as_str();
        let parts: Vec<&str> = path.split(separator).collect();
        let rooted = resolver.path_from_root(view, at, &parts);
        let known = rooted.or_else(|| resolver.path_from_name(view, at, &parts));
        known.unwrap_or_else(|| resolver.class_in_namespaces(view, &parts))
    }

    fn rooted_path(&self, resolver: &Resolver<'_>, view: &View<'_>, name: Node, parts: &[&str]) -> Option<Meaning> {
        resolver.path_from_root(view, name, parts)
    }

    fn class_path(&self, resolver: &Resolver<'_>, view: &View<'_>, parts: &[&str]) -> Meaning {
        resolver.class_in_namespaces(view, parts)
    }

    fn class_in_package(&self, resolver: &Resolver<'_>, view: &View<'_>, package: &str, name: &str) -> Option<Meaning> {
        resolver.in_namespace(view, package, name.into(), None)
    }

    fn name_in_globs(&self, resolver: &Resolver<'_>, view: &View<'_>, name: &str) -> Option<Meaning> {
        Some(resolver.find_in_namespace_globs(view, None, name.into(), None))
    }

    fn member_of_package(
        &self,
        resolver: &Resolver<'_>,
        language: &'static Language,
        package: &str,
        name: MemberName<'_>,
    ) -> Option<Meaning> {
        resolver.package(language, package).map(|_| resolver.member_of_namespace(language, package, name))
    }

    fn member(
        &self,
        resolver: &Resolver<'_>,
        view: &View<'_>,
        class: Site,
        name: MemberName<'_>,
        of_class: bool,
    ) -> Option<Member> {
        Self::has_companions(view).then(|| resolver.companion_member(class, name, of_class))
    }

    fn inherited(&self, resolver: &Resolver<'_>, view: &View<'_>, class: Site, name: MemberName<'_>) -> Option<Member> {
        Self::has_companions(view).then(|| resolver.inherited_by_part(class, name))
    }

    fn is_in_class_object(&self, resolver: &Resolver<'_>, view: &View<'_>, node: Node) -> bool {
        resolver.is_in_companion(view, node)
    }

    fn called_of_class(&self, resolver: &Resolver<'_>, view: &View<'_>, class: Site) -> Option<Site> {
        resolver.companion_call(view, class)
    }

    fn is_member(&self, resolver: &Resolver<'_>, view: &View<'_>, name: Node) -> bool {
        resolver.is_extension(view, name)
    }

    fn other_bodies(&self, resolver: &Resolver<'_>, view: &View<'_>, class: Site) -> Vec<Site> {
        resolver.other_parts(view, class)
    }

    fn extensions(&self, resolver: &Resolver<'_>, view: &View<'_>, name: &str) -> Rc<[Thing]> {
        resolver.extension_methods(view, name)
    }
}

/// Files are included as they are.
struct Includes;

impl Scheme for Includes {
    fn variable(
        &self,
        resolver: &Resolver<'_>,
        view: &View<'_>,
        found: &VariableName,
        bound: Option<Node>,
        text: &str,
    ) -> Option<Meaning> {
        // Declared in a file that this one includes.
        let name = MemberName { text, spaces: found.spaces };
        bound.filter(|&scope| scope == Node::ROOT).and_then(|_| resolver.find_in_includes(view, name))
    }

    fn shared_name(&self, resolver: &Resolver<'_>, view: &View<'_>, at: Node, name: &str) -> Option<Meaning> {
        let spaces = view.scopes.classify(at).map_or(Spaces::ALL, |(_, spaces)| spaces);
        let included = resolver.find_in_includes(view, MemberName { text: name, spaces });
        included.or_else(|| resolver.defined_elsewhere(view, name))
    }

    fn is_continuation(&self, _: &Resolver<'_>, view: &View<'_>, name: Node) -> bool {
        let names = view.scopes.names(&view.tree.node_text(name));
        names.at(name).is_some_and(|found| found.does.is_binding())
    }

    fn other_bodies(&self, resolver: &Resolver<'_>, view: &View<'_>, class: Site) -> Vec<Site> {
        resolver.bodies_elsewhere(view, class)
    }
}

/// Any file can open a class or module again.
struct OpenClasses;

impl Scheme for OpenClasses {
    fn meaning(&self, resolver: &Resolver<'_>, view: &View<'_>, name: Node) -> Option<Meaning> {
        Some(resolver.open_meaning(view, name))
    }

    fn is_continuation(&self, resolver: &Resolver<'_>, view: &View<'_>, name: Node) -> bool {
        resolver.defines_constant(view, name)
    }

    fn words(&self, view: &View<'_>) -> Option<Vec<(Node, Span)>> {
        let mut words = Resolver::symbol_words(view);
        words.append(&mut Resolver::key_words(view));
        Some(words)
    }

    fn value(&self, resolver: &Resolver<'_>, view: &View<'_>, node: Node) -> Option<Values> {
        resolver.open_value(view, node)
    }

    fn has_calls_alone(&self) -> bool {
        true
    }

    fn member_of_classes(&self, resolver: &Resolver<'_>, _: &View<'_>, classes: &[Site], name: &str) -> Option<Member> {
        Some(resolver.open_member(classes, name))
    }

    fn is_member(&self, resolver: &Resolver<'_>, view: &View<'_>, name: Node) -> bool {
        resolver.is_method_name(view, name)
    }

    fn class_of_member(&self, resolver: &Resolver<'_>, view: &View<'_>, name: Node) -> Option<Option<Site>> {
        Some(resolver.open_class_of(view, name))
    }

    fn add_bases(
        &self,
        resolver: &Resolver<'_>,
        view: &View<'_>,
        class: Site,
        bases: &mut Bases,
    ) -> Vec<(FileId, Node)> {
        let (mixed, is_complete) = resolver.mixed_in(view, class);
        bases.known.extend(mixed);
        bases.is_complete &= is_complete;
        let definition = |part: Site| {
            let view = resolver.view(part.file)?;
            resolver.definition_of(&view, part.name).map(|definition| (part.file, definition))
        };
        resolver.opened_again(view, class).into_iter().filter_map(definition).collect()
    }
}
