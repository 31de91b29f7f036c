//! The meaning of the names in an import.

use super::resolver::{Resolver, View, Work};
use crate::language::{ModuleScheme, Spaces};
use crate::modules::FileId;
use crate::scopes::imported::{self, Imported};
use crate::symbols::model::{Meaning, MemberName, Thing, Values};
use crate::text::Span;
use crate::tree::Node;

impl Resolver<'_> {
    /// The import statement around a name; `None` if it is in none.
    pub(crate) fn import_around(&self, view: &View<'_>, name: Node) -> Option<Node> {
        /// How deep a name is inside its import.
        const DEPTH: usize = 16;
        let table = view.tree.table();
        let rules = &view.tree.language().spec().imports;
        let mut around = table.ancestors(name).take(DEPTH);
        around.find(|&node| rules.types.contains(table.type_id(node)) && imported::is_import(view.tree, node))
    }

    /// Of several meanings those in the name spaces of a name: before `::` a module, and no function.
    fn in_spaces_of(&self, view: &View<'_>, name: Node, meaning: Meaning) -> Meaning {
        let Meaning::Known(things) = &meaning else { return meaning };
        let names = view.scopes.names(&view.tree.node_text(name));
        let Some(found) = names.at(name).filter(|_| things.len() > 1) else { return meaning };
        let is_its = |thing: &Thing| {
            let Thing::Symbol(site) = thing else { return true };
            let Some(other) = self.view(site.file) else { return true };
            let names = other.scopes.names(&other.tree.node_text(site.name));
            names.at(site.name).is_none_or(|symbol| symbol.spaces.meets(found.spaces))
        };
        let own: Vec<Thing> = things.iter().copied().filter(is_its).collect();
        if own.is_empty() { meaning } else { Meaning::Known(own) }
    }

    /// The meaning of a name inside an import statement.
    pub(in crate::symbols) fn imported(&self, view: &View<'_>, import: Node, name: Node) -> Meaning {
        let table = view.tree.table();
        let (file, language) = (view.file, view.tree.language());
        if self.scheme(view).has_paths() {
            let path = self.whole_path(view, import, name);
            let is_alias = |part: &&Imported| {
                table.is_within(name, part.node) && part.alias.as_deref() == Some(&*view.tree.node_text(name))
            };
            let parts = imported::read(view.tree, import);
            let is_bound = view.scopes.binds(name);
            let path = parts.iter().find(is_alias).filter(|_| is_bound).map_or(path, |part| part.name.clone());
            let found = self.nested(Meaning::Unknown(Vec::new()), || self.scheme(view).path(self, view, import, &path));
            return if is_bound { found } else { self.in_spaces_of(view, name, found) };
        }
        let parts = imported::read(view.tree, import);
        let inside = parts.iter().find(|part| table.is_within(name, part.node));
        let Some(part) = inside else {
            // In the name of the module: the module up to this part.
            let top = table.ancestors(name).take_while(|&node| node > import).last().unwrap_or(name);
            return self.module(file, &self.text_up_to(view, top, name));
        };
        if part.is_glob && part.source.is_empty() {
            return Meaning::Unknown(Vec::new());
        }
        let binds = view.scopes.classify(name).is_some_and(|(role, _)| role.is_binding());
        let is_alias = binds && part.alias.as_deref() == Some(&*view.tree.node_text(name));
        if part.source.is_empty() {
            let path = self.text_up_to(view, part.node, name);
            // The alias may be the name that it would bind anyway.
            let path = if is_alias || !part.name.starts_with(&path) { part.name.clone() } else { path };
            // `import a = b.c`: names of this file, not of modules.
            if view.is(ModuleScheme::Relative) {
                let span = view.tree.span(name);
                let head = part.places.name.filter(|whole| whole.contains(span) && !is_alias);
                let head = head.map(|whole| view.tree.text().slice(Span::new(whole.start(), span.end())).into_owned());
                let path = head.unwrap_or_else(|| part.name.clone());
                return self.nested(Meaning::Unknown(Vec::new()), || self.path_at(view, import, &path));
            }
            return self.module(file, &path);
        }
        match self.trees.project.imported_module(file, language, &part.source) {
            Some(module) if view.rules.module_words.whole.contains(&part.name) => Meaning::Known(vec![module]),
            Some(module) => self.member_of_module(module, &part.name),
            None => Meaning::External,
        }
    }

    /// The parts of the export with a name in its list; none if it is in no such list.
    pub(crate) fn export_around(&self, view: &View<'_>, name: Node) -> Vec<Imported> {
        /// How deep a name is inside its export.
        const DEPTH: usize = 4;
        let table = view.tree.table();
        let types = &view.rules.exports.types;
        let export = table.ancestors(name).take(DEPTH).find(|&node| types.contains(table.type_id(node)));
        let Some(export) = export else { return Vec::new() };
        let parts = imported::read_exports(view.tree, export);
        let is_listed = parts.iter().any(|part| part.node != export && table.is_within(name, part.node));
        if is_listed { parts } else { Vec::new() }
    }

    /// The meaning of a name in a statement that exports it from another module; `None` if it is in none.
    pub(in crate::symbols) fn exported_from(&self, view: &View<'_>, name: Node) -> Option<Meaning> {
        let table = view.tree.table();
        let parts = self.export_around(view, name);
        let part = parts.into_iter().find(|part| table.is_within(name, part.node))?;
        if part.source.is_empty() {
            // The name under which it is exported means the same.
            let is_alias = part.alias.as_deref() == Some(&*view.tree.node_text(name));
            return is_alias.then(|| self.own_name(view, &part.name));
        }
        Some(match self.trees.project.imported_module(view.file, view.tree.language(), &part.source) {
            Some(module) if view.rules.module_words.whole.contains(&part.name) => Meaning::Known(vec![module]),
            Some(module) => self.member_of_module(module, &part.name),
            None => Meaning::External,
        })
    }

    /// What a module exports under a name by a statement of its own.
    pub(in crate::symbols) fn exported(&self, view: &View<'_>, name: &str) -> Option<Meaning> {
        for (_, part) in view.exports() {
            let is_glob = part.is_glob && part.alias.is_none();
            if is_glob || part.name.is_empty() || part.alias.as_deref().unwrap_or(&part.name) != name {
                continue;
            }
            if part.source.is_empty() {
                return Some(self.own_name(view, &part.name));
            }
            return Some(match self.trees.project.imported_module(view.file, view.tree.language(), &part.source) {
                Some(module) if view.rules.module_words.whole.contains(&part.name) => Meaning::Known(vec![module]),
                Some(module) => self.member_of_module(module, &part.name),
                None => Meaning::External,
            });
        }
        let value = self.default_export(view, name)?;
        if let Some(name) = view.tree.name_node(value).filter(|&name| self.definition_of(view, name) == Some(value)) {
            return Some(Meaning::site(view.file, name));
        }
        view.scopes.is_identifier(value).then(|| self.meaning(view.file, value))
    }

    /// The node that a file exports without a name, if that is how a module's part with this name is exported.
    fn default_export(&self, view: &View<'_>, name: &str) -> Option<Node> {
        if view.rules.default_exports.name.as_deref() != Some(name) {
            return None;
        }
        let table = view.tree.table();
        let fits = |&node: &Node| {
            view.rules.default_exports.places.iter().find(|(pattern, _)| view.tree.table().fits(node, pattern))
        };
        let (export, (_, paths)) = table.nodes().find_map(|node| Some((node, fits(&node)?)))?;
        paths.iter().flat_map(|path| view.tree.reached(export, path)).next()
    }

    /// The value of a variable that imports what a module exports without a name, if that is an expression: `export default { a }`.
    pub(in crate::symbols) fn imported_value(&self, view: &View<'_>, variable: Node) -> Option<Values> {
        view.rules.default_exports.name.as_ref()?;
        let names = view.scopes.names(&view.tree.node_text(variable));
        let symbol = names.resolve(&view.scopes, names.at(variable)?)?;
        let binders: Vec<Node> = names.binders(&view.scopes, symbol).map(|found| found.name).collect();
        let &[name] = binders.as_slice() else { return None };
        let import = self.import_around(view, name)?;
        let parts = imported::read(view.tree, import);
        let part = parts.iter().find(|part| view.tree.table().is_within(name, part.node) && !part.source.is_empty())?;
        let module = self.trees.project.imported_module(view.file, view.tree.language(), &part.source)?;
        self.value_exported(module, &part.name)
    }

    /// The value that a module exports under a name, if it is an expression that a module exports without one.
    fn value_exported(&self, module: Thing, name: &str) -> Option<Values> {
        let Thing::Module(file) = module else { return None };
        let view = self.view(file)?;
        if let Some(value) = self.default_export(&view, name) {
            return Some(self.value(file, value));
        }
        let mut parts = view.exports().iter().map(|(_, part)| part).filter(|part| !part.is_glob);
        let part = parts.find(|part| part.alias.as_deref().unwrap_or(&part.name) == name && !part.source.is_empty())?;
        let module = self.trees.project.imported_module(file, view.tree.language(), &part.source)?;
        // Modules may export from each other.
        let key = Work::Member(file, format!("={name}"), Spaces::ALL);
        if !self.open.enter(&key) {
            return None;
        }
        let found = self.value_exported(module, &part.name);
        self.open.leave(&key);
        found
    }

    /// Whether a name is that of a definition in a statement that exports it without a name.
    pub(crate) fn is_in_default_export(&self, view: &View<'_>, name: Node) -> bool {
        let table = view.tree.table();
        let Some(definition) = self.definition_of(view, name) else { return false };
        let Some(export) = table.parent(definition) else { return false };
        let places = view.rules.default_exports.places.iter().filter(|(pattern, _)| table.fits(export, pattern));
        let mut exported = places.flat_map(|(_, paths)| paths.iter().flat_map(|path| view.tree.reached(export, path)));
        exported.any(|node| node == definition)
    }

    /// The meaning of a name at the top level of a file.
    fn own_name(&self, view: &View<'_>, name: &str) -> Meaning {
        let binders = self.top_binders(view, name);
        if binders.is_empty() { Meaning::Unknown(Vec::new()) } else { self.bound_by(view, &binders) }
    }

    /// The names at the top level of a file that bind a name.
    pub(in crate::symbols) fn top_binders<'n>(&self, view: &View<'_>, name: impl Into<MemberName<'n>>) -> Vec<Node> {
        let name = name.into();
        let names = view.scopes.names(name.text);
        let is_at_top = |found: &&crate::scopes::VariableName| {
            found.does.is_binding()
                && (name.spaces == Spaces::ALL || found.spaces.meets(name.spaces))
                && names.resolve(&view.scopes, found).is_some_and(|symbol| symbol.scope == Node::ROOT)
        };
        names.found.iter().filter(is_at_top).map(|found| found.name).collect()
    }

    /// The text from the start of a node to the end of a name inside it, without white space.
    pub(in crate::symbols) fn text_up_to(&self, view: &View<'_>, from: Node, name: Node) -> String {
        let span = crate::text::Span::new(view.tree.span(from).start(), view.tree.span(name).end());
        view.tree.text().slice(span).split_whitespace().collect()
    }

    fn module(&self, from: FileId, path: &str) -> Meaning {
        let Some(view) = self.view(from) else { return Meaning::External };
        match self.trees.project.imported_module(from, view.tree.language(), path) {
            Some(module) => Meaning::Known(vec![module]),
            None => Meaning::External,
        }
    }

    /// The meaning of a name in a module.
    pub(crate) fn member_of_module<'n>(&self, module: Thing, name: impl Into<MemberName<'n>>) -> Meaning {
        let name = name.into();
        self.nested(Meaning::Unknown(Vec::new()), || self.find_in_module(module, name))
    }

    fn find_in_module(&self, module: Thing, member: MemberName<'_>) -> Meaning {
        let name = member.text;
        let Thing::Module(file) = module else {
            if let Thing::Symbol(site) = module {
                return self.find_in_part(site, member);
            }
            if let Thing::Package(package) = module {
                return self.member_of_package(package, name);
            }
            if let Some(found) = self.find_in_folder(module, name) {
                return found;
            }
            let mut languages = self.trees.project.languages().iter();
            let child = languages.find_map(|language| self.trees.project.child_module(module, name, language));
            return child.map_or(Meaning::Unknown(Vec::new()), |child| Meaning::Known(vec![child]));
        };
        let Some(view) = self.view(file) else { return Meaning::Unknown(Vec::new()) };
        // Modules may import from each other.
        let key = Work::Member(file, name.to_owned(), member.spaces);
        if !self.open.enter(&key) {
            // `from . import tools` in the package's own file is the module `tools`.
            if view.rules.modules == Some(ModuleScheme::ModuleTree) {
                let mut binders = self.top_binders(&view, member);
                binders.retain(|&binder| self.import_around(&view, binder).is_none());
                return self.bound_by(&view, &binders);
            }
            let child = self.trees.project.child_module(module, name, view.tree.language());
            return child.map_or(Meaning::Unknown(Vec::new()), |child| Meaning::Known(vec![child]));
        }
        let found = self.find_in_file(&view, module, member);
        self.open.leave(&key);
        found
    }

    /// The meaning of a name in a package that is a folder.
    fn find_in_folder(&self, module: Thing, name: &str) -> Option<Meaning> {
        let Thing::Folder(folder) = module else { return None };
        let languages = self.trees.project.languages().iter();
        let found =
            languages.filter_map(|language| self.scheme_of(language).member_of_folder(self, language, folder, name));
        found.reduce(|one, other| Meaning::union([one, other]))
    }

    /// The meaning of a name in a package.
    fn member_of_package(&self, package: u32, name: &str) -> Meaning {
        let package = self.project().package_name(package);
        let mut languages = self.trees.project.languages().iter();
        let found = languages
            .find_map(|language| self.scheme_of(language).member_of_package(self, language, &package, name.into()));
        found.unwrap_or(Meaning::External)
    }

    fn find_in_file(&self, view: &View<'_>, module: Thing, member: MemberName<'_>) -> Meaning {
        let name = member.text;
        if let Some(exported) = self.exported(view, name) {
            return exported;
        }
        if let Some(exported) = self.scheme(view).assigned_export(self, view, name) {
            return exported;
        }
        let mut binders = self.top_binders(view, member);
        let is_exported = |binder: Node| {
            let (table, types) = (view.tree.table(), &view.rules.exports.types);
            table.ancestors(binder).any(|node| types.contains(table.type_id(node)))
        };
        // Where exports are written, an import is none; and what is exported without its name is not exported under it.
        if !view.rules.exports.types.is_empty() {
            binders.retain(|&binder| self.import_around(view, binder).is_none() || is_exported(binder));
            binders.retain(|&binder| !self.is_in_default_export(view, binder));
        }
        // What is not exported does not hide what everything of another module brings.
        if view.exports().iter().any(|(_, part)| part.is_glob) {
            let exported: Vec<Node> = binders.iter().copied().filter(|&binder| is_exported(binder)).collect();
            let is_brought = || matches!(self.find_in_modules(view, view.exports(), member), Meaning::Known(_));
            if exported.is_empty() && !binders.is_empty() && is_brought() {
                binders.clear();
            }
        }
        if !binders.is_empty() {
            return self.bound_by(view, &binders);
        }
        let from_glob = self.find_in_globs(view, member);
        if let Meaning::Known(_) = from_glob {
            return from_glob;
        }
        let from_exports = self.find_in_modules(view, view.exports(), member);
        if let Meaning::Known(_) = from_exports {
            return from_exports;
        }
        if let Some(child) = self.trees.project.child_module(module, name, view.tree.language()) {
            return Meaning::Known(vec![child]);
        }
        if from_glob == Meaning::External { from_glob } else { from_exports }
    }

    /// The meaning of a name that a module imports with everything in another one.
    pub(in crate::symbols) fn find_in_globs<'n>(&self, view: &View<'_>, name: impl Into<MemberName<'n>>) -> Meaning {
        let name = name.into();
        if let Some(found) = self.scheme(view).name_in_globs(self, view, name.text) {
            return found;
        }
        self.find_in_modules(view, view.globs(), name)
    }

    /// The same for a name at a node: only what is imported in its own module counts.
    pub(in crate::symbols) fn find_in_globs_at(&self, view: &View<'_>, at: Node, name: MemberName<'_>) -> Meaning {
        if view.scopes.rules.barriers.is_empty() {
            return self.find_in_globs(view, name);
        }
        let (own, table) = (view.scopes.barrier_around(at), view.tree.table());
        // One in a function counts there.
        let is_seen = |import: Node| {
            let scope = view.scopes.around(import);
            view.scopes.barrier_around(import) == own
                && (scope == Node::ROOT || view.scopes.is_barrier(scope) || table.is_within(at, scope))
        };
        let seen: Vec<(Node, Imported)> = view.globs().iter().filter(|(node, _)| is_seen(*node)).cloned().collect();
        match self.find_in_modules(view, &seen, name) {
            // What a macro has in its body means something where it is used.
            Meaning::External
                if table.ancestors(at).any(|node| view.rules.macros.templates.contains(table.type_id(node))) =>
            {
                Meaning::Unknown(Vec::new())
            }
            found => found,
        }
    }

    /// The meaning of a name in the modules of which everything is imported or exported.
    fn find_in_modules(&self, view: &View<'_>, parts: &[(Node, Imported)], name: MemberName<'_>) -> Meaning {
        let mut external = false;
        let mut globs: Vec<&(Node, Imported)> =
            parts.iter().filter(|(_, part)| part.is_glob && part.bound.is_none()).collect();
        // Statements that run one after the other: the last one counts.
        if view.rules.modules == Some(ModuleScheme::Dotted) {
            globs.reverse();
        }
        for (node, glob) in globs {
            if self.scheme(view).has_paths() {
                match self.find_in_glob_path(view, *node, glob, name) {
                    Meaning::Known(things) => return Meaning::Known(things),
                    Meaning::External => external = true,
                    Meaning::Unknown(_) => {}
                }
                continue;
            }
            let source = if glob.source.is_empty() { &glob.name } else { &glob.source };
            match self.trees.project.imported_module(view.file, view.tree.language(), source) {
                Some(module) if module != Thing::Module(view.file) && self.is_public(module, name.text) => {
                    if let Meaning::Known(things) = self.member_of_module(module, name) {
                        return Meaning::Known(things);
                    }
                }
                Some(_) => {}
                None => external = true,
            }
        }
        if external { Meaning::External } else { Meaning::Unknown(Vec::new()) }
    }

    /// The meaning of a name in what a path ends with: a module, or an enum.
    fn find_in_glob_path(&self, view: &View<'_>, import: Node, glob: &Imported, name: MemberName<'_>) -> Meaning {
        let separator = &view.tree.language().spec().imports.separator;
        let path = glob.glob_path.as_str();
        // Modules may import everything from each other.
        let key = Work::Member(view.file, format!("{path}{separator}*{separator}{}", name.text), name.spaces);
        if !self.open.enter(&key) {
            return Meaning::Unknown(Vec::new());
        }
        if let Some(found) = self.scheme(view).class_in_package(self, view, path, name.text) {
            self.open.leave(&key);
            return found;
        }
        let found =
            self.nested(Meaning::Unknown(Vec::new()), || match self.scheme(view).path(self, view, import, path) {
                Meaning::Known(things) => {
                    let values = Values::union(things.into_iter().map(|thing| self.thing_value(thing)));
                    Meaning::union(values.known.iter().map(|value| self.member_of(value, name)))
                }
                other => other,
            });
        self.open.leave(&key);
        found
    }

    /// Whether an import of everything in a module imports a name.
    fn is_public(&self, module: Thing, name: &str) -> bool {
        let Thing::Module(file) = module else { return true };
        let Some(view) = self.view(file) else { return false };
        let is_private =
            view.rules.star_imports.private_prefix.as_deref().is_some_and(|prefix| name.starts_with(prefix));
        // A list of public names may have private ones, and has all that are imported.
        match self.listed_names(&view) {
            Some(names) => names.is_none_or(|names| names.iter().any(|listed| listed == name)),
            None => !is_private,
        }
    }

    /// The names in the list of what an import of everything in a module imports; `None` if there is no list, and no names if it is
    /// made of more than strings.
    fn listed_names(&self, view: &View<'_>) -> Option<Option<Vec<String>>> {
        let list = view.rules.star_imports.list.as_ref()?;
        let (tree, table) = (view.tree, view.tree.table());
        let names = view.scopes.names(list);
        if !names.found.iter().any(|found| found.does.is_binding()) {
            return None;
        }
        let mut listed = Vec::new();
        for found in &names.found {
            let statement = table.parent(found.name)?;
            let is_string = |node: Node| tree.language().role(table.type_id(node)).string;
            let binds = found.does.is_binding() && found.scope == Node::ROOT;
            // Nothing but strings is added: `__all__ = ["a"]`, `__all__ += ["b"]`.
            let mut other = table.descendants(statement).filter(|&node| {
                table.is_named(node) && node != found.name && view.scopes.is_identifier(node)
                    || view.tree.callee(node).is_some()
            });
            let values: Vec<Node> = tree.named_children(statement).filter(|&node| node != found.name).collect();
            if !binds || other.next().is_some() || values.is_empty() {
                return Some(None);
            }
            let strings = table.descendants(statement).filter(|&node| is_string(node));
            listed.extend(strings.map(|node| tree.node_text(node).trim_matches(['"', '\'']).to_owned()));
        }
        Some(Some(listed))
    }
}
