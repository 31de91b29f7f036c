//! Names that the files of a package share, and packages that are imported without a name of their own.

use super::model::{FileId, Meaning, Member, MemberName, Site, Thing, Values};
use super::resolver::{Resolver, View};
use crate::language::{Language, ModuleScheme, Spaces};
use crate::scopes::Found;
use crate::tree::Node;

impl Resolver<'_> {
    /// The name of the package that a file declares.
    pub(super) fn package_of<'v>(&self, view: &'v View<'_>) -> Option<&'v str> {
        let table = view.tree.table();
        let read = || {
            let paths = |&node: &Node| view.rules.packages.of(table.type_id(node));
            let (statement, paths) = table.children(Node::ROOT).find_map(|node| Some((node, paths(&node)?)))?;
            let name = paths.iter().flat_map(|path| view.tree.reached(statement, path)).next()?;
            Some(view.tree.node_text(name).split_whitespace().collect())
        };
        view.package.get_or_init(read).as_deref()
    }

    /// What a name means that nothing in its file binds.
    pub(super) fn free_name(&self, view: &View<'_>, at: Node, name: &str) -> Meaning {
        if Resolver::has_namespaces(view) {
            return self.namespaced(view, at, name.into());
        }
        let from_globs = self.find_in_globs(view, name);
        if let Meaning::Known(_) = from_globs {
            return from_globs;
        }
        if let Some(found) = self.find_in_package(view, at, name) {
            return found;
        }
        if let Some(imported) = self.imported_package(view, name) {
            return imported;
        }
        match from_globs {
            // Near a syntax error, a name may be bound in what the parser could not read.
            Meaning::Unknown(_)
                if view.rules.builtins.contains(name)
                    || view.rules.imports_are_complete && !view.tree.table().has_error(Node::ROOT) =>
            {
                Meaning::External
            }
            meaning => meaning,
        }
    }

    /// What a name means in the other files of the package.
    fn find_in_package(&self, view: &View<'_>, at: Node, name: &str) -> Option<Meaning> {
        match view.rules.modules {
            Some(ModuleScheme::PackageFolders) => {}
            Some(ModuleScheme::Packages) => {
                let package = self.package_of(view).unwrap_or_default();
                let found = self.class_in_package(view, package, name);
                return found.filter(|found| matches!(found, Meaning::Known(_)));
            }
            Some(ModuleScheme::Includes) => {
                let spaces = view.scopes.classify(at).map_or(Spaces::ALL, |(_, spaces)| spaces);
                let included = self.find_in_includes(view, MemberName { text: name, spaces });
                return included.or_else(|| self.defined_elsewhere(view, name));
            }
            _ => return None,
        }
        let package = self.package_of(view)?;
        let folder = self.project().modules.folder_of(view.file);
        let found = self.member_of_folder(folder, view.tree.language(), Some(package), name);
        matches!(found, Meaning::Known(_)).then_some(found)
    }

    /// What a name means at the top of the files of a folder that declare this package; without one, of those that other
    /// packages see.
    pub(super) fn member_of_folder(
        &self,
        folder: u32,
        language: &'static Language,
        package: Option<&str>,
        name: &str,
    ) -> Meaning {
        let key = (folder, package.unwrap_or_default().to_owned(), name.to_owned());
        if let Some(known) = self.folder_members.borrow().get(&key) {
            return known.clone();
        }
        let private = &language.spec().symbols.module_files.private;
        let files = self.project().modules.files_in(folder).iter().copied();
        let mut found = Vec::new();
        for file in files.filter(|&file| self.project().file(file).language == language) {
            let path = &self.project().file(file).path;
            let stem = path.rsplit_once('.').map_or(path.as_str(), |(stem, _)| stem);
            let is_seen = package.is_some() || !private.iter().any(|end| stem.ends_with(end.as_str()));
            if !is_seen || !self.trees.may_have(file, name) {
                continue;
            }
            let Some(view) = self.view(file) else { continue };
            if package.is_some() && self.package_of(&view) != package {
                continue;
            }
            let mut binders = self.top_binders(&view, name);
            binders.retain(|&binder| self.import_around(&view, binder).is_none());
            if let Some(&binder) = binders.first() {
                found.push(Meaning::site(file, binder));
            }
        }
        let found = Meaning::union(found);
        self.folder_members.borrow_mut().insert(key, found.clone());
        found
    }

    /// The package that an import binds to a name without writing it: the last part of `example.org/a/b`, or what its
    /// files declare.
    fn imported_package(&self, view: &View<'_>, name: &str) -> Option<Meaning> {
        if view.rules.packages.is_empty() || view.rules.modules != Some(ModuleScheme::PackageFolders) {
            return None;
        }
        let modules = &self.project().modules;
        let language = view.tree.language();
        for (_, part) in view.imports().iter().filter(|(_, part)| !part.is_glob && part.alias.is_none()) {
            let module = modules.import(view.file, language, &part.name);
            let is_it = match module {
                Some(Thing::Folder(folder)) => self.declares(folder, language, name),
                _ => part.bound.as_deref() == Some(name),
            };
            if is_it {
                return Some(module.map_or(Meaning::External, |module| Meaning::Known(vec![module])));
            }
        }
        None
    }

    /// Whether one of the first files of a folder declares a package with this name.
    fn declares(&self, folder: u32, language: &'static Language, name: &str) -> bool {
        /// How many files are looked at: those of a program beside the package come first, if at all.
        const MOST_FILES: usize = 12;
        let private = &language.spec().symbols.module_files.private;
        let is_seen = |&&file: &&FileId| {
            let file = self.project().file(file);
            let stem = file.path.rsplit_once('.').map_or(file.path.as_str(), |(stem, _)| stem);
            file.language == language && !private.iter().any(|end| stem.ends_with(end.as_str()))
        };
        let files = self.project().modules.files_in(folder).iter().filter(is_seen).take(MOST_FILES);
        let mut views = files.filter_map(|&file| self.view(file));
        views.any(|view| self.package_of(&view) == Some(name))
    }

    /// What a name means in a package with this name: a class at the top of one of its files. `None` if no folder has the
    /// package's name.
    pub(super) fn class_in_package(&self, view: &View<'_>, package: &str, name: &str) -> Option<Meaning> {
        if Resolver::has_namespaces(view) {
            return self.in_namespace(view, package, name.into(), None);
        }
        let language = view.tree.language();
        let separator = &language.spec().imports.separator;
        let modules = &self.project().modules;
        let folders = match package {
            "" => vec![modules.folder_of(view.file)],
            package => modules.folders_named(&package.replace(separator.as_str(), "/")),
        };
        if folders.is_empty() {
            return None;
        }
        let mut found: Vec<Meaning> = Vec::new();
        for folder in folders {
            let package = Some(package).filter(|package| !package.is_empty());
            let meaning = match package {
                Some(_) => self.member_of_folder(folder, language, package, name),
                None => self.member_of_folder(folder, language, None, name),
            };
            if let Meaning::Known(_) = meaning {
                found.push(meaning);
            }
        }
        Some(Meaning::union(found))
    }

    /// What a path of packages and classes means.
    pub(super) fn class_path(&self, view: &View<'_>, parts: &[&str]) -> Meaning {
        let separator = &view.tree.language().spec().imports.separator;
        let is_spread = Resolver::has_namespaces(view);
        let shortest = usize::from(!is_spread);
        for end in (shortest..parts.len()).rev() {
            let package = parts[..end].join(separator);
            let things = match self.class_in_package(view, &package, parts[end]) {
                Some(Meaning::Known(things)) => things,
                Some(Meaning::Unknown(things)) if is_spread && end + 1 == parts.len() => {
                    return Meaning::Unknown(things);
                }
                _ => continue,
            };
            let mut meaning = Meaning::Known(things);
            for part in &parts[end + 1..] {
                let Meaning::Known(things) = &meaning else { break };
                let values = Values::union(things.iter().map(|&thing| self.thing_value(thing)));
                meaning = Meaning::union(values.known.iter().map(|value| self.member_of(value, *part)));
            }
            return meaning;
        }
        let whole = || self.package(view.tree.language(), &parts.join(separator));
        is_spread.then(whole).flatten().map_or(Meaning::External, |package| Meaning::Known(vec![package]))
    }

    /// What a name means in the files that a file includes, directly or through others, in their order.
    pub(super) fn find_in_includes(&self, view: &View<'_>, name: MemberName<'_>) -> Option<Meaning> {
        let MemberName { text: name, spaces } = name;
        let key = (view.file, name.to_owned(), spaces);
        if let Some(known) = self.included.borrow().get(&key) {
            return known.clone();
        }
        let mut found = None;
        for &file in self.trees.includes(view.file).iter().filter(|&&file| self.trees.may_have(file, name)) {
            let Some(other) = self.view(file) else { continue };
            // Name spaces are those of one language.
            let is_like = other.tree.language() == view.tree.language();
            let fits =
                |&binder: &Node| !is_like || other.scopes.classify(binder).is_none_or(|(_, bound)| bound.meets(spaces));
            if let Some(binder) = self.top_binders(&other, name).into_iter().find(fits) {
                found = Some(Meaning::site(file, binder));
                break;
            }
        }
        self.included.borrow_mut().insert(key, found.clone());
        found
    }

    /// The functions with a name in files that a file does not include: the header that declares them may be missing, so
    /// they are only possible.
    fn defined_elsewhere(&self, view: &View<'_>, name: &str) -> Option<Meaning> {
        /// In how many files a name is looked for.
        const MOST_FILES: usize = 64;
        let key = (view.file, format!("*{name}"), Spaces::ALL);
        if let Some(known) = self.included.borrow().get(&key) {
            return known.clone();
        }
        let mut found = Vec::new();
        for file in self.files_around(view, &[name]).into_iter().filter(|&file| file != view.file).take(MOST_FILES) {
            let Some(other) = self.view(file) else { continue };
            let is_function = |&binder: &Node| {
                let definition = self.definition_of(&other, binder);
                definition.is_some_and(|definition| other.tree.body(definition).is_some())
            };
            let binder = self.top_binders(&other, name).into_iter().find(is_function);
            found.extend(binder.map(|name| Thing::Symbol(Site { file, name })));
        }
        let found = (!found.is_empty()).then_some(Meaning::Unknown(found));
        self.included.borrow_mut().insert(key, found.clone());
        found
    }

    /// The name that binds a class in other files if this one only mentions it: the one with a body.
    pub(super) fn other_bodies(&self, view: &View<'_>, class: Site) -> Vec<Site> {
        if Resolver::has_namespaces(view) {
            return self.other_parts(view, class);
        }
        if view.rules.modules != Some(ModuleScheme::Includes) || !view.scopes.is_identifier(class.name) {
            return Vec::new();
        }
        let word = view.tree.node_text(class.name);
        let key = (class, String::new(), Spaces::ALL);
        if let Some(known) = self.attached.borrow().get(&key) {
            return known.clone();
        }
        let mut found = Vec::new();
        for file in self.files_around(view, &[&word]) {
            let Some(other) = self.view(file) else { continue };
            for binder in self.top_binders(&other, &word) {
                let is_it = || self.meaning(file, binder) == Meaning::site(class.file, class.name);
                let definition = self.definition_of(&other, binder);
                let has_body = definition.is_some_and(|definition| other.tree.body(definition).is_some());
                if has_body && (file, binder) != (class.file, class.name) && is_it() {
                    found.push(Site { file, name: binder });
                }
            }
        }
        self.attached.borrow_mut().insert(key, found.clone());
        found
    }

    /// What an inherited member means by its name alone, in a class inside the scope of a binding; `None` if there is none.
    pub(super) fn implicit_member(
        &self,
        view: &View<'_>,
        found: &Found,
        text: &str,
        bound: Option<Node>,
    ) -> Option<Meaning> {
        if !view.rules.members.implicit || found.does.is_binding() {
            return None;
        }
        let table = view.tree.table();
        let mut scope = found.scope;
        while scope != Node::ROOT && Some(scope) != bound {
            if view.scopes.rules.members.contains(table.type_id(scope))
                && let Some(class) = self.class_at(view, scope)
            {
                let name = MemberName { text, spaces: found.spaces };
                let is_part = !view.rules.class_parts.words.is_empty()
                    && view.rules.companions.types.is_empty()
                    && self.view(class.file).is_some_and(|view| !self.other_bodies(&view, class).is_empty());
                let own = view.tree.name_node(scope).map(|name| Site { file: view.file, name });
                let search = || match own.filter(|_| !view.rules.companions.types.is_empty()) {
                    Some(part) => self.inherited_by_part(part, name),
                    None if is_part => self.member(class, name),
                    None => self.inherited(class, name),
                };
                if let Member::Found(sites) = self.nested(Member::Missing, search) {
                    return Some(Meaning::Known(sites.into_iter().map(Thing::Symbol).collect()));
                }
            }
            scope = view.scopes.around(scope);
        }
        None
    }

    /// What a name in a written path means: `Entry` of `Map.Entry`; `None` if it is in none, or the first one.
    pub(super) fn in_written_path(&self, view: &View<'_>, name: Node) -> Option<Meaning> {
        let table = view.tree.table();
        let mut top = table.parent(name)?;
        if !view.rules.written_types.paths.contains(table.type_id(top)) {
            return None;
        }
        while let Some(parent) =
            table.parent(top).filter(|&parent| view.rules.written_types.paths.contains(table.type_id(parent)))
        {
            top = parent;
        }
        if table.span(top).start() == table.span(name).start() {
            return None;
        }
        // `this.field::run`, `Outer.this::run`
        if let Some(object) = table.children(top).next()
            && !table.is_within(name, object)
            && table.descendants(object).any(|node| view.scopes.class_of_self(node).is_some())
        {
            let spaces = self.spaces_of_member(view, name);
            let text = view.tree.node_text(name);
            return Some(self.member_of_values(
                view,
                &self.value(view.file, object),
                MemberName { text: &text, spaces },
            ));
        }
        let path = self.text_up_to(view, top, name);
        let is_plain = path.chars().all(|sign| sign.is_alphanumeric() || "_.:$\\".contains(sign));
        if !is_plain {
            return Some(Meaning::Unknown(Vec::new()));
        }
        let path = path.replace("::", ".").replace('\\', ".");
        let parts: Vec<&str> = path.split('.').collect();
        if let Some((first, rest)) = parts.split_first()
            && Resolver::has_namespaces(view)
        {
            let is_in = |words: &[String]| words.iter().any(|word| word == first);
            if first.is_empty() || is_in(&view.rules.module_words.root) {
                return Some(self.class_path(view, rest));
            }
            if is_in(&view.rules.module_words.own) {
                let own = self.namespace_of(view, name);
                let separator = &view.tree.language().spec().imports.separator;
                let parts: Vec<&str> = own.split(separator.as_str()).chain(rest.iter().copied()).collect();
                return Some(self.class_path(view, &parts));
            }
            return Some(self.nested(Meaning::Unknown(Vec::new()), || self.path_at(view, top, &path)));
        }
        match self.nested(Meaning::Unknown(Vec::new()), || self.path_at(view, top, &path)) {
            Meaning::Known(things) => Some(Meaning::Known(things)),
            other => match self.class_path(view, &parts) {
                Meaning::Known(things) => Some(Meaning::Known(things)),
                _ => Some(other),
            },
        }
    }
}
