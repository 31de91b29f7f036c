//! Makes visible in the whole library or program what a module that moves uses and could not use in its new place.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::modules::FileId;
use crate::refactor::move_modules::moving::ModuleMove;
use crate::symbols::{Bound, BoundName, ImportedName, Meaning, Reach, Site, Thing};
use crate::text::Span;
use crate::transfer::module_text::{has_number_access, is_value, leaves, line_before, opening};
use crate::tree::{Node, Tree};

impl ModuleMove<'_, '_> {
    /// Lets the whole library or program use a definition.
    pub(super) fn open(&mut self, site: Site) {
        let Some((_, start)) = self.resolver.words_of_reach(site) else { return };
        if self.opened.insert((site.file, start))
            && let Some(change) = opening(self.resolver, site)
        {
            self.changes.push((site.file, change));
        }
    }

    /// Lets the module use what its code uses. `names`: those of its files.
    pub(super) fn open_what_it_uses(&mut self, names: &[BoundName]) {
        let mut unknown: FxHashSet<String> = FxHashSet::default();
        for name in names {
            let Some(tree) = self.resolver.tree(name.file) else { continue };
            let node = tree.table().smallest_around(name.span);
            if matches!(name.bound, Bound::Unknown(_)) {
                unknown.insert(tree.text().slice(name.span).into_owned());
            }
            let Meaning::Known(things) = self.resolver.name_means(name.file, node) else { continue };
            for thing in things {
                if let Thing::Symbol(site) = thing
                    && self.resolver.is_class(site)
                    && (is_value(tree, name.span) || has_number_access(&tree.text().to_string()))
                {
                    self.open_unnamed_fields(site);
                }
                self.open_thing(thing);
            }
        }
        let known: FxHashSet<(FileId, usize)> = names.iter().map(|name| (name.file, name.span.start())).collect();
        self.route.moved.clone().into_iter().for_each(|file| {
            let Some(tree) = self.resolver.tree(file) else { return };
            let others = leaves(tree).into_iter().filter(|&leaf| !known.contains(&(file, tree.span(leaf).start())));
            unknown.extend(others.map(|leaf| tree.node_text(leaf).into_owned()));
        });
        self.open_members(&unknown);
        self.open_imports();
    }

    /// Lets the module use a definition, and what is on the way to it.
    fn open_thing(&mut self, thing: Thing) {
        let mut next = Some(thing);
        while let Some(inner) = next {
            if self.moves(inner) {
                return;
            }
            let site = match inner {
                Thing::Symbol(site) => Some(site),
                _ => self.resolver.declaration_of(inner),
            };
            let is_local = |site: Site| !self.resolver.is_lasting(site) || self.resolver.is_macro(site);
            if let Some(site) = site.filter(|&site| !is_local(site)) {
                if !self.is_seen(self.resolver.reach_of(site)) {
                    self.open(site);
                }
                self.open_types_of(site);
            }
            next = match inner {
                Thing::Symbol(site) if !self.resolver.declares_module(site) => {
                    Some(self.resolver.module_of(site.file, site.name))
                }
                _ => self.resolver.outer_module(inner),
            };
        }
    }

    /// Lets the module use the types that a definition has outside of its body: of parameters, results, fields.
    fn open_types_of(&mut self, site: Site) {
        if self.resolver.root_of_module(site.file) != self.resolver.root_of_module(self.route.module) {
            return;
        }
        let Some(tree) = self.resolver.tree(site.file) else { return };
        if !self.looked_at.insert((site.file, tree.span(site.name).start())) || self.resolver.declares_module(site) {
            return;
        }
        let table = tree.table();
        let definition = table.ancestors(site.name).find(|&node| tree.name_node(node) == Some(site.name));
        let Some(definition) = definition else { return };
        let body = tree.body(definition);
        let head = table.descendants(definition).filter(|&node| {
            table.subtree_end(node) == node.index() + 1 && body.is_none_or(|body| !table.is_within(node, body))
        });
        let names: Vec<Node> = head.filter(|&node| node != site.name && table.is_named(node)).collect();
        for name in names {
            let Meaning::Known(things) = self.resolver.name_means(site.file, name) else { continue };
            for thing in things {
                if matches!(thing, Thing::Symbol(found) if found != site && self.resolver.is_lasting(found)) {
                    self.open_thing(thing);
                }
            }
        }
    }

    /// Lets the module use the fields of a class that have no names.
    fn open_unnamed_fields(&mut self, class: Site) {
        let module = self.resolver.module_of(class.file, class.name);
        if self.moves(module) || self.is_seen(Reach::Module(module)) {
            return;
        }
        let Some(tree) = self.resolver.tree(class.file) else { return };
        let language = tree.language().spec();
        let opened = language.symbols.import_forms.get("opened").cloned().unwrap_or_default();
        for span in self.resolver.unnamed_fields(class) {
            let before = line_before(tree, span.start());
            let own = before.rsplit(['(', ',']).next().unwrap_or_default().trim();
            let words = &language.symbols.module_tree.open_words;
            let is_open = words.iter().any(|word| own.contains(word.as_str())) || before.trim_end().ends_with(')');
            if !is_open && self.opened.insert((class.file, span.start())) {
                self.change(class.file, tree, Span::at(span.start()), format!("{opened} "));
            }
        }
    }

    /// The files of the modules around the old place that are not around the new one.
    fn left_modules(&self) -> Vec<FileId> {
        let (mut found, mut next) = (Vec::new(), Some(Thing::Module(self.route.from)));
        while let Some(module) = next {
            if self.resolver.is_module_within(Thing::Module(self.route.home), module) {
                break;
            }
            if let Thing::Module(file) = module {
                found.push(file);
            }
            next = self.resolver.outer_module(module);
        }
        found
    }

    /// Lets the module use the members of classes with some names, as one of them may be meant.
    fn open_members(&mut self, names: &FxHashSet<String>) {
        for file in self.left_modules() {
            let Some(tree) = self.resolver.tree(file) else { continue };
            let whole = Span::new(0, tree.text().len());
            let sites = self.resolver.defined_in(file, &[whole]).into_iter();
            let named = sites.filter(|site| names.contains(&*tree.node_text(site.name)));
            let members: Vec<Site> = named.filter(|&site| self.resolver.class_of_member(site).is_some()).collect();
            for site in members {
                if !self.is_seen(self.resolver.reach_of(site)) {
                    self.open(site);
                    self.open_types_of(site);
                }
            }
        }
    }

    /// Refuses names that the module has from imports which the modules around it have for themselves alone.
    fn open_imports(&mut self) {
        let left = self.left_modules();
        let separator = self.separator(self.route.module);
        let mut hidden: FxHashMap<(FileId, String), ImportedName> = FxHashMap::default();
        for &file in &left {
            for import in self.resolver.imported_names(file) {
                let is_own =
                    import.variety.is_empty() && self.resolver.module_of(file, import.statement) == Thing::Module(file);
                if is_own {
                    let last = import.name.rsplit(separator).next().unwrap_or_default().to_owned();
                    let bound = import.alias.clone().unwrap_or(last);
                    hidden.insert((file, bound), import);
                }
            }
        }
        let mut moved: Vec<FileId> = self.route.moved.iter().copied().collect();
        moved.sort_unstable();
        for file in moved {
            let Some(tree) = self.resolver.tree(file) else { continue };
            self.check_written_paths(file, tree, &left, &hidden);
            self.check_globs(file, tree, &left, &hidden);
        }
    }

    /// Paths through a module that is left, to what it only imports: `super::Name`.
    fn check_written_paths(
        &mut self,
        file: FileId,
        tree: &Tree,
        left: &[FileId],
        hidden: &FxHashMap<(FileId, String), ImportedName>,
    ) {
        let separator = self.separator(file);
        let mut found: Vec<(usize, String, FileId)> = Vec::new();
        let mut look = |at: Node, start: usize, path: &str| {
            let names: Vec<&str> = path.split(separator).collect();
            for end in 1..names.len() {
                let name = names[end].to_owned();
                if !left.iter().any(|&file| hidden.contains_key(&(file, name.clone()))) {
                    continue;
                }
                let Meaning::Known(things) = self.resolver.path_means(file, at, &names[..end].join(separator)) else {
                    continue;
                };
                if let &[Thing::Module(module)] = &things[..]
                    && hidden.contains_key(&(module, name.clone()))
                {
                    found.push((start, name, module));
                }
            }
        };
        let imports = self.resolver.imported_names(file);
        for import in &imports {
            look(import.statement, tree.span(import.node).start(), &import.name);
        }
        let leaves = leaves(tree);
        let text = |at: usize| leaves.get(at).map(|&leaf| tree.node_text(leaf)).unwrap_or_default();
        let mut at = 0;
        while at < leaves.len() {
            let first = at;
            let mut path = text(at).into_owned();
            while text(at + 1) == separator && !text(at + 2).is_empty() {
                path = format!("{path}{separator}{}", text(at + 2));
                at += 2;
            }
            if at > first {
                let node = leaves[first];
                if !imports.iter().any(|import| tree.table().is_within(node, import.statement)) {
                    look(node, tree.span(node).start(), &path);
                }
            }
            at += 1;
        }
        for (start, name, module) in found {
            self.open_import(file, start, &name, module, hidden);
        }
    }

    /// Imports of everything in a module that is left.
    fn check_globs(
        &mut self,
        file: FileId,
        tree: &Tree,
        left: &[FileId],
        hidden: &FxHashMap<(FileId, String), ImportedName>,
    ) {
        let separator = self.separator(file);
        let imports = self.resolver.imported_names(file);
        for import in imports.iter().filter(|import| import.is_glob) {
            let path = import.name.rsplit_once(separator).map_or("", |(path, _)| path);
            let Meaning::Known(things) = self.resolver.path_means(file, import.statement, path) else { continue };
            let &[Thing::Module(module)] = &things[..] else { continue };
            if !left.contains(&module) {
                continue;
            }
            let words: FxHashSet<String> = leaves(tree).iter().map(|&leaf| tree.node_text(leaf).into_owned()).collect();
            let traits = &tree.language().spec().symbols.module_tree.traits;
            let mut names: Vec<&String> = hidden.keys().filter(|(of, _)| *of == module).map(|(_, name)| name).collect();
            names.sort_unstable();
            let start = tree.span(import.statement).start();
            for name in names {
                let own = &hidden[&(module, name.clone())];
                if own.is_glob || words.contains(name) || traits.contains_key(name) || self.may_be_trait(module, own) {
                    self.open_import(file, start, name, module, hidden);
                }
            }
        }
    }

    /// Whether an import may be one of a trait.
    fn may_be_trait(&self, file: FileId, import: &ImportedName) -> bool {
        match self.resolver.path_means(file, import.statement, &import.name) {
            Meaning::Known(things) => things
                .iter()
                .any(|&thing| self.resolver.describe(thing).is_some_and(|definition| definition.kind == "trait")),
            _ => {
                let last = import.name.rsplit(self.separator(file)).next().unwrap_or_default();
                last.starts_with(char::is_uppercase)
            }
        }
    }

    /// Lets the library or program use a name that a module imports.
    fn open_import(
        &mut self,
        file: FileId,
        start: usize,
        name: &str,
        module: FileId,
        hidden: &FxHashMap<(FileId, String), ImportedName>,
    ) {
        let Some(import) = hidden.get(&(module, name.to_owned())) else { return };
        let Some(tree) = self.resolver.tree(module) else { return };
        let statement = tree.span(import.statement);
        let imports = self.resolver.imported_names(module);
        let is_fit =
            imports.iter().filter(|one| one.statement == import.statement).all(|one| self.may_be_opened(module, one));
        if !is_fit {
            let why = format!("`{name}` is imported for the old module around it alone");
            return self.leave(file, start, why);
        }
        if self.opened.insert((module, statement.start())) {
            let opened = tree.language().spec().symbols.import_forms.get("opened").cloned().unwrap_or_default();
            self.change(module, tree, Span::at(statement.start()), format!("{opened} "));
        }
    }

    /// Whether all of the library or program can use what an import names.
    fn may_be_opened(&self, file: FileId, import: &ImportedName) -> bool {
        if import.is_glob {
            return true;
        }
        match self.resolver.path_means(file, import.statement, &import.name) {
            Meaning::Known(things) => things.iter().all(|&thing| {
                let site = match thing {
                    Thing::Symbol(site) => Some(site),
                    _ => self.resolver.declaration_of(thing),
                };
                site.is_none_or(|site| {
                    !self.resolver.is_macro(site) && !matches!(self.resolver.reach_of(site), Reach::Module(_))
                })
            }),
            Meaning::External => true,
            Meaning::Unknown(_) => false,
        }
    }
}
