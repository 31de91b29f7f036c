//! Modules that files and their parts declare, and paths through them.

use super::model::{FileId, Meaning, Site, Thing, Value, Values};
use super::resolver::{Resolver, View};
use crate::language::ModuleScheme;
use crate::scopes::Found;
use crate::tree::Node;

/// How deep modules are nested.
const DEPTH: usize = 64;

impl Resolver<'_> {
    /// The module that a node is in: a part of the file, or the file.
    pub(super) fn module_around(&self, view: &View<'_>, node: Node) -> Thing {
        let table = view.tree.table();
        let mut scope = view.scopes.around(node);
        while scope != Node::ROOT {
            if view.rules.module_tree.types.contains(table.type_id(scope))
                && let Some(name) = view.tree.name_node(scope)
            {
                return Thing::Symbol(Site { file: view.file, name });
            }
            scope = view.scopes.around(scope);
        }
        Thing::Module(view.file)
    }

    /// The module that contains a module; `None` for that of a whole library or program.
    fn module_above(&self, module: Thing) -> Option<Thing> {
        match module {
            Thing::Symbol(site) => Some(self.module_around(&*self.view(site.file)?, site.name)),
            Thing::Module(file) => {
                if let Some(known) = self.parents.borrow().get(&file) {
                    return *known;
                }
                let above = self.file_above(file);
                self.parents.borrow_mut().insert(file, above);
                above
            }
            Thing::Folder(_) | Thing::Package(_) => None,
        }
    }

    /// The module whose file declares that of another file.
    fn file_above(&self, file: FileId) -> Option<Thing> {
        let language = self.project().file(file).language;
        let modules = &self.project().modules;
        let stem = modules.name_in_tree(file, language)?;
        let declares = |&above: &FileId| {
            above != file
                && self.trees.may_have(above, stem)
                && self.view(above).is_some_and(|view| {
                    let is_module = |&node: &Node| {
                        let definition = self.definition_of(&view, node);
                        definition
                            .is_some_and(|node| view.rules.module_tree.types.contains(view.tree.table().type_id(node)))
                    };
                    view.scopes.nodes_of(stem).iter().any(is_module)
                })
        };
        modules.above_in_tree(file, language).into_iter().find(declares).map(Thing::Module)
    }

    /// The module of a whole library or program.
    fn root_module(&self, file: FileId) -> Thing {
        let mut module = Thing::Module(file);
        for _ in 0..DEPTH {
            match self.module_above(module) {
                Some(above) => module = above,
                None => break,
            }
        }
        module
    }

    /// The module that a word such as `crate` means at its place.
    pub(super) fn module_word(&self, view: &View<'_>, node: Node) -> Option<Thing> {
        let rules = view.rules;
        if rules.modules != Some(ModuleScheme::ModuleTree)
            || view.scopes.fits(node, &rules.module_words.places).is_none()
        {
            return None;
        }
        self.module_of_word(view, node, &view.tree.node_text(node))
    }

    pub(super) fn module_of_word(&self, view: &View<'_>, node: Node, word: &str) -> Option<Thing> {
        let is_in = |words: &[String]| words.iter().any(|known| known == word);
        if is_in(&view.rules.module_words.root) {
            return Some(self.root_module(view.file));
        }
        if is_in(&view.rules.module_words.own) {
            return Some(self.module_around(view, node));
        }
        if is_in(&view.rules.module_words.parent) {
            return self.module_above(self.module_around(view, node));
        }
        None
    }

    /// The module that a definition declares: a part of the file, or another file.
    pub(super) fn declared_module(&self, view: &View<'_>, definition: Node, name: Node) -> Option<Thing> {
        let table = view.tree.table();
        let has_body = view.tree.body(definition).is_some();
        if has_body {
            return Some(Thing::Symbol(Site { file: view.file, name }));
        }
        let mut names = vec![view.tree.node_text(name).into_owned()];
        let mut module = self.module_around(view, name);
        while let Thing::Symbol(site) = module {
            names.push(view.tree.node_text(site.name).into_owned());
            module = self.module_around(view, site.name);
        }
        names.reverse();
        let leading = view.tree.attachments().leading(table, definition);
        let written = leading.filter_map(|node| {
            let text = view.tree.node_text(node).into_owned();
            let found = view.rules.module_tree.path.get().captures(&text)?;
            found.get(1).map(|path| path.as_str().to_owned())
        });
        let path = written.filter(|path| !path.is_empty()).last();
        let is_root = self.module_above(Thing::Module(view.file)).is_none();
        let modules = &self.project().modules;
        modules.below_in_tree(view.file, view.tree.language(), &names, path.as_deref(), is_root).map(Thing::Module)
    }

    /// What the names of a path mean, the last one of them, as seen from a node.
    pub(super) fn path_meaning(&self, view: &View<'_>, at: Node, path: &str) -> Meaning {
        let separator = view.tree.language().spec().imports.separator.as_str();
        if matches!(view.rules.modules, Some(ModuleScheme::Packages | ModuleScheme::Namespaces)) {
            let parts: Vec<&str> = path.split(separator).collect();
            return self.class_path(view, &parts);
        }
        let mut parts = path.split(separator);
        let Some(first) = parts.next() else { return Meaning::Unknown(Vec::new()) };
        let mut meaning = match self.module_of_word(view, at, first) {
            Some(module) => Meaning::Known(vec![module]),
            None => self.first_of_path(view, at, first),
        };
        for part in parts {
            let Meaning::Known(things) = &meaning else { break };
            let values = Values::union(things.iter().map(|&thing| self.thing_value(thing)));
            if values.known.is_empty() {
                return Meaning::Unknown(Vec::new());
            }
            meaning = Meaning::union(values.known.iter().map(|value| match value {
                Value::Module(module) if view.rules.module_words.parent.iter().any(|word| word == part) => {
                    self.module_above(*module).map_or(Meaning::Unknown(Vec::new()), |above| Meaning::Known(vec![above]))
                }
                value => self.member_of(value, part),
            }));
        }
        meaning
    }

    /// What the first name of an imported path means: a name of the module around, or a library.
    fn first_of_path(&self, view: &View<'_>, at: Node, first: &str) -> Meaning {
        let language = view.tree.language();
        if !first.is_empty() {
            // A name that the same import binds means something else: `use log::log`.
            let names = view.scopes.names(first);
            let mut scope = view.scopes.around(at);
            loop {
                let is_own = |found: &&Found| {
                    found.does.is_binding() && found.scope == scope && !view.tree.table().is_within(found.name, at)
                };
                let binders: Vec<Node> = names.found.iter().filter(is_own).map(|found| found.name).collect();
                if !binders.is_empty() {
                    return self.bound_by(view, &binders);
                }
                if scope == Node::ROOT {
                    break;
                }
                scope = view.scopes.around(scope);
            }
        }
        if let Meaning::Known(things) = self.find_in_globs(view, first) {
            return Meaning::Known(things);
        }
        match self.project().modules.import(view.file, language, first) {
            Some(library) => Meaning::Known(vec![library]),
            None => Meaning::External,
        }
    }

    /// What a name in a module that is a part of a file means.
    pub(super) fn find_in_part(&self, site: Site, name: &str) -> Meaning {
        let Some(view) = self.view(site.file) else { return Meaning::Unknown(Vec::new()) };
        let Some(scope) = view.tree.table().parent(site.name) else { return Meaning::Unknown(Vec::new()) };
        let names = view.scopes.names(name);
        let is_own = |found: &&Found| found.does.is_binding() && found.scope == scope;
        let binders: Vec<Node> = names.found.iter().filter(is_own).map(|found| found.name).collect();
        if !binders.is_empty() {
            return self.bound_by(&view, &binders);
        }
        self.find_in_globs(&view, name)
    }

    /// The first part of a path whose parts are side by side.
    pub(super) fn path_start(&self, view: &View<'_>, part: Node, separator: &str) -> Node {
        let table = view.tree.table();
        let Some(parent) = table.parent(part) else { return part };
        let children: Vec<Node> = table.children(parent).collect();
        let Some(mut at) = children.iter().position(|&child| child == part) else { return part };
        while at >= 2 && view.tree.node_text(children[at - 1]) == separator {
            at -= 2;
        }
        children[at]
    }

    /// Whether a name in an import is only the beginning of a path whose parts are side by side.
    pub(super) fn is_path_beginning(&self, view: &View<'_>, name: Node) -> bool {
        let table = view.tree.table();
        let separator = &view.tree.language().spec().imports.separator;
        let next = table.next_sibling(name);
        !view.rules.companions.types.is_empty() && next.is_some_and(|next| view.tree.node_text(next) == *separator)
    }

    /// The name that a name inside an import has as a path, from the start of the path.
    pub(super) fn whole_path(&self, view: &View<'_>, import: Node, name: Node) -> String {
        let table = view.tree.table();
        let rules = &view.tree.language().spec().imports;
        let separator = &rules.separator;
        let (mut heads, mut top) = (Vec::new(), None);
        let mut inner = name;
        for around in table.ancestors(name) {
            let parent = table.parent(around).map(|parent| table.type_id(parent));
            if let Some(part) = rules.part(parent, table.type_id(around)) {
                top = top.or(Some(inner));
                let sources = part.source.iter().flat_map(|path| view.tree.reached(around, path));
                let mut sources: Vec<Node> = sources.collect();
                // The parts of a path may be side by side, and several paths, too.
                let has_run = sources.len() > 1;
                if has_run && sources.contains(&name) {
                    return self.text_up_to(view, self.path_start(view, name, separator), name);
                }
                if has_run {
                    sources.retain(|&source| source < inner);
                    let last = sources.last().copied();
                    heads.extend(last.map(|last| self.text_up_to(view, self.path_start(view, last, separator), last)));
                } else if !sources.is_empty() && !sources.iter().any(|&source| table.is_within(name, source)) {
                    let texts = sources.iter().map(|&source| self.text_up_to(view, source, source));
                    heads.push(texts.collect::<Vec<_>>().join(separator));
                }
            }
            inner = around;
            if around == import {
                break;
            }
        }
        heads.reverse();
        heads.push(self.text_up_to(view, top.unwrap_or(name), name));
        let path = heads.join(separator);
        path.trim_start_matches(separator.as_str()).to_owned()
    }
}
