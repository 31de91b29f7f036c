//! Modules that files declare, as paths from the root of a library or program, and from where a definition can be used.

use super::inference::resolver::{Resolver, View};
use super::model::{Meaning, Site, Thing};
use super::project::Project;
use crate::modules::FileId;
use crate::selector::Kinds;
use crate::text::Span;
use crate::tree::Node;

/// How deep modules are nested.
const DEPTH: usize = 64;

/// From where a definition can be used, as far as its own words say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// From everywhere.
    Everywhere,
    /// From its library or program.
    Library,
    /// From a module and those inside it.
    Module(Thing),
}

impl Project {
    /// The files that may declare the module of a file.
    pub fn files_above(&self, file: FileId) -> Vec<FileId> {
        self.modules.above_in_tree(file, self.file(file).language)
    }

    /// The name of a file's module in the one above; `None` if it can have none above.
    pub fn name_in_tree(&self, file: FileId) -> Option<&str> {
        self.modules.name_in_tree(file, self.file(file).language)
    }
}

impl Resolver<'_> {
    /// The meaning of a path of names as seen from a node.
    pub fn path_means(&self, file: FileId, at: Node, path: &str) -> Meaning {
        let Some(view) = self.view(file) else { return Meaning::Unknown(Vec::new()) };
        if let Some(thing) = self.first_name_of_path(&view, at, path) {
            return self.as_modules(Meaning::Known(vec![thing]));
        }
        self.as_modules(self.scheme(&view).path(self, &view, at, path))
    }

    /// The meaning of a name.
    pub fn name_means(&self, file: FileId, name: Node) -> Meaning {
        self.as_modules(self.meaning(file, name))
    }

    /// A meaning with the modules in place of their declarations.
    fn as_modules(&self, meaning: Meaning) -> Meaning {
        let module = |thing: Thing| {
            let Thing::Symbol(site) = thing else { return thing };
            let declared = self.view(site.file).and_then(|view| {
                let definition = self.definition_of(&view, site.name)?;
                let is_module = view.rules.module_tree.types.contains(view.tree.table().type_id(definition));
                is_module.then(|| self.declared_module(&view, definition, site.name)).flatten()
            });
            declared.unwrap_or(thing)
        };
        match meaning {
            Meaning::Known(things) => Meaning::Known(things.into_iter().map(module).collect()),
            other => other,
        }
    }

    /// The module that a node is in: a part of the file, or the file.
    pub fn module_of(&self, file: FileId, node: Node) -> Thing {
        self.view(file).map_or(Thing::Module(file), |view| self.module_around(&view, node))
    }

    /// The module that contains a module; `None` for that of a whole library or program.
    pub fn outer_module(&self, module: Thing) -> Option<Thing> {
        self.module_above(module)
    }

    /// The module of a whole library or program.
    pub fn root_of_module(&self, file: FileId) -> Thing {
        self.root_module(file)
    }

    /// Whether a module is another one, or is inside it.
    pub fn is_module_within(&self, module: Thing, outer: Thing) -> bool {
        let mut next = Some(module);
        for _ in 0..DEPTH {
            match next {
                Some(module) if module == outer => return true,
                Some(module) => next = self.module_above(module),
                None => return false,
            }
        }
        false
    }

    /// The names of a module from the root on, without that of the root.
    pub fn names_of_module(&self, module: Thing) -> Vec<String> {
        let mut names = Vec::new();
        let mut next = module;
        while let Some(above) = self.module_above(next).filter(|_| names.len() < DEPTH) {
            let name = match next {
                Thing::Symbol(site) => self.name_of(site),
                Thing::Module(file) => {
                    let language = self.project().file(file).language;
                    self.project().modules.name_in_tree(file, language).map(str::to_owned)
                }
                Thing::Folder(_) | Thing::Package(_) => None,
            };
            names.extend(name);
            next = above;
        }
        names.reverse();
        names
    }

    /// The definition that declares a module.
    pub fn declaration_of(&self, module: Thing) -> Option<Site> {
        let file = match module {
            Thing::Symbol(site) => return Some(site),
            Thing::Module(file) => file,
            Thing::Folder(_) | Thing::Package(_) => return None,
        };
        let Some(Thing::Module(above)) = self.module_above(module) else { return None };
        let name = self.project().modules.name_in_tree(file, self.project().file(file).language)?;
        let view = self.view(above)?;
        let declares = |node: &&Node| {
            let definition = self.definition_of(&view, **node);
            definition.is_some_and(|node| view.rules.module_tree.types.contains(view.tree.table().type_id(node)))
        };
        view.scopes.nodes_of(name).iter().find(declares).map(|&name| Site { file: above, name })
    }

    /// Whether a definition is a module.
    pub fn declares_module(&self, site: Site) -> bool {
        self.view(site.file).is_some_and(|view| {
            let definition = self.definition_of(&view, site.name);
            definition.is_some_and(|node| view.rules.module_tree.types.contains(view.tree.table().type_id(node)))
        })
    }

    /// From where a definition can be used.
    pub fn reach_of(&self, site: Site) -> Reach {
        let Some(view) = self.view(site.file) else { return Reach::Everywhere };
        let Some(definition) = self.definition_of(&view, site.name) else { return Reach::Everywhere };
        self.reach_at(&view, definition)
    }

    fn reach_at(&self, view: &View<'_>, definition: Node) -> Reach {
        let rules = &view.rules.module_tree;
        let own = self.visibility_word(view, definition).map(|span| view.tree.text().slice(span).into_owned());
        let Some(word) = own else {
            return match self.is_as_open_as_its_owner(view, definition) {
                true => Reach::Everywhere,
                false => Reach::Module(self.module_around(view, definition)),
            };
        };
        let word: String = word.split_whitespace().collect::<Vec<&str>>().join(" ");
        if rules.open_words.contains(&word) {
            return Reach::Everywhere;
        }
        if rules.library_words.contains(&word) {
            return Reach::Library;
        }
        let inner = word.split_once('(').map_or("", |(_, rest)| rest.trim_end_matches(')'));
        let path = inner.rsplit(' ').next().unwrap_or(inner);
        match self.as_modules(self.scheme(view).path(self, view, definition, path)) {
            Meaning::Known(things) if things.len() == 1 => Reach::Module(things[0]),
            _ => Reach::Module(self.module_around(view, definition)),
        }
    }

    /// Where the words are that say from where a definition can be used.
    fn visibility_word(&self, view: &View<'_>, definition: Node) -> Option<Span> {
        let words = &view.rules.module_tree.open_words;
        let is_one = |node: &Node| {
            let text = view.tree.node_text(*node);
            words.iter().any(|word| {
                text.strip_prefix(word.as_str()).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
            })
        };
        view.tree.table().children(definition).take(3).find(is_one).map(|node| view.tree.span(node))
    }

    /// The same for the definition of a symbol, and where the definition begins.
    pub fn words_of_reach(&self, site: Site) -> Option<(Option<Span>, usize)> {
        let view = self.view(site.file)?;
        let definition = self.definition_of(&view, site.name)?;
        Some((self.visibility_word(&view, definition), view.tree.span(definition).start()))
    }

    /// Whether a definition can be used wherever what is around it can: a variant, a member of a trait, or of its implementation.
    fn is_as_open_as_its_owner(&self, view: &View<'_>, definition: Node) -> bool {
        let table = view.tree.table();
        let kinds = Kinds::new(view.tree);
        let mut around = table.ancestors(definition).take_while(|&node| node != Node::ROOT);
        if view.rules.members.variants.contains(table.type_id(definition)) {
            return true;
        }
        let owner = around.find(|&node| {
            ["trait", "impl", "function", "struct"].iter().any(|kind| kinds.is(node, kind))
                || view.rules.members.variants.contains(table.type_id(node))
        });
        owner.is_some_and(|owner| {
            kinds.is(owner, "trait")
                || view.rules.members.variants.contains(table.type_id(owner))
                || kinds.is(owner, "impl") && view.tree.base_nodes(owner).next().is_some()
        })
    }

    /// Statements at the top of the file of a class that add members to it.
    pub fn additions_to(&self, class: Site) -> Vec<Node> {
        let Some(view) = self.view(class.file) else { return Vec::new() };
        let table = view.tree.table();
        let adds = |unit: &Node| {
            let Some(paths) = view.rules.members.attached.of(table.type_id(*unit)) else { return false };
            let written = paths.iter().flat_map(|path| view.tree.reached(*unit, path)).next();
            let name = written.and_then(|written| view.tree.name_node(written));
            name.is_some_and(|name| self.meaning(class.file, name) == Meaning::site(class.file, class.name))
        };
        view.tree.named_children(Node::ROOT).filter(adds).collect()
    }

    /// The names that some parts of a file define: of statements, of their members.
    pub fn defined_in(&self, file: FileId, parts: &[Span]) -> Vec<Site> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let table = view.tree.table();
        let is_inside = |span: Span| parts.iter().any(|part| part.contains(span));
        let binds =
            |&node: &Node| view.scopes.is_identifier(node) && view.scopes.binds(node) && is_inside(table.span(node));
        let nodes = table.nodes().filter(binds);
        let lasting = nodes.filter(|&node| {
            let definition = self.definition_of(&view, node);
            definition.is_some_and(|definition| view.tree.name_node(definition) == Some(node))
        });
        lasting.map(|name| Site { file, name }).collect()
    }

    /// Whether two definitions with one name cannot be in one module.
    pub fn are_in_one_space(&self, one: Site, other: Site) -> bool {
        let spaces = |site: Site| {
            let view = self.view(site.file)?;
            let names = view.scopes.names_like(site.name);
            names.at(site.name).map(|found| found.spaces)
        };
        match (spaces(one), spaces(other)) {
            (Some(one), Some(other)) => one.meets(other),
            _ => true,
        }
    }

    /// Whether a name is that of a macro.
    pub fn is_macro(&self, site: Site) -> bool {
        self.view(site.file).is_some_and(|view| {
            let definition = self.definition_of(&view, site.name);
            definition.is_some_and(|node| view.rules.loose.opaque.contains(view.tree.table().type_id(node)))
        })
    }

    /// Where the types of the fields of a class are that have no names.
    pub fn unnamed_fields(&self, class: Site) -> Vec<Span> {
        let Some(view) = self.view(class.file) else { return Vec::new() };
        let Some(definition) = self.definition_of(&view, class.name) else { return Vec::new() };
        let table = view.tree.table();
        let places = &view.rules.module_tree.unnamed_fields;
        let variants = &view.rules.members.variants;
        if variants.contains(table.type_id(definition)) {
            return Vec::new();
        }
        let in_variant = |node: Node| {
            table.ancestors(node).take_while(|&up| up != definition).any(|up| variants.contains(table.type_id(up)))
        };
        let inside = table.descendants(definition).filter(|&node| view.scopes.fits(node, places).is_some());
        inside.filter(|&node| !in_variant(node)).map(|node| table.span(node)).collect()
    }
}
