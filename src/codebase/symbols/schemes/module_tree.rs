//! Modules that files and their parts declare, and paths through them.

use crate::language::Spaces;
use crate::modules::FileId;
use crate::scopes::VariableName;
use crate::scopes::imported::Imported;
use crate::symbols::inference::resolver::{Resolver, View};
use crate::symbols::model::{Meaning, MemberName, Site, Thing, Value, Values};
use crate::text::Span;
use crate::tree::Node;

/// How deep modules are nested.
const DEPTH: usize = 64;

impl Resolver<'_> {
    /// The module that a node is in: a part of the file, or the file.
    pub(in crate::symbols) fn module_around(&self, view: &View<'_>, node: Node) -> Thing {
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
    pub(in crate::symbols) fn module_above(&self, module: Thing) -> Option<Thing> {
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
    pub(in crate::symbols) fn root_module(&self, file: FileId) -> Thing {
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
    pub(in crate::symbols) fn module_word(&self, view: &View<'_>, node: Node) -> Option<Thing> {
        view.scopes.fits(node, &view.rules.module_words.places)?;
        self.module_of_word(view, node, &view.tree.node_text(node))
    }

    pub(in crate::symbols) fn module_of_word(&self, view: &View<'_>, node: Node, word: &str) -> Option<Thing> {
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

    /// The names by which a file declares that another file is a module: `mod name;`.
    pub fn module_declarations(&self, file: FileId, of: FileId) -> Vec<Span> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let table = view.tree.table();
        let types = &view.rules.module_tree.types;
        let definitions = table.nodes().filter(|&node| types.contains(table.type_id(node)));
        let named = definitions.filter_map(|node| Some((node, view.tree.name_node(node)?)));
        let is_it = |&(node, name): &(Node, Node)| self.declared_module(&view, node, name) == Some(Thing::Module(of));
        named.filter(is_it).map(|(_, name)| table.span(name)).collect()
    }

    /// The module that a definition declares: a part of the file, or another file.
    pub(in crate::symbols) fn declared_module(&self, view: &View<'_>, definition: Node, name: Node) -> Option<Thing> {
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

    /// The meaning of the names of a path, the last one of them, as seen from a node.
    pub(in crate::symbols) fn path_in_tree(&self, view: &View<'_>, at: Node, path: &str) -> Meaning {
        let separator = view.tree.language().spec().imports.separator.as_str();
        let mut parts = path.split(separator);
        let Some(first) = parts.next() else { return Meaning::Unknown(Vec::new()) };
        let mut meaning = match self.module_of_word(view, at, first) {
            Some(module) => Meaning::Known(vec![module]),
            None => {
                let spaces = view.scopes.rules.path_space.filter(|_| path.contains(separator));
                self.first_of_path(view, at, first, spaces)
            }
        };
        let mut parts = parts.peekable();
        while let Some(part) = parts.next() {
            let Meaning::Known(things) = &meaning else { break };
            let values = Values::union(things.iter().map(|&thing| self.thing_value(thing)));
            if values.known.is_empty() {
                return Meaning::Unknown(Vec::new());
            }
            meaning = Meaning::union(values.known.iter().map(|value| match value {
                Value::Module(module) if view.rules.module_words.parent.iter().any(|word| word == part) => {
                    self.module_above(*module).map_or(Meaning::Unknown(Vec::new()), |above| Meaning::Known(vec![above]))
                }
                value if parts.peek().is_none() => {
                    self.member_of(value, MemberName { text: part, spaces: self.spaces_of_last(view, at) })
                }
                value => self.member_of(value, part),
            }));
        }
        meaning
    }

    /// The name spaces of the last name of a path among tokens: a type before a brace or a separator, else a value.
    fn spaces_of_last(&self, view: &View<'_>, name: Node) -> Spaces {
        let rules = view.scopes.rules;
        let table = view.tree.table();
        let is_token = table.parent(name).is_some_and(|list| rules.token_lists.contains(table.type_id(list)));
        let Some(own) = rules.path_space.filter(|_| is_token) else { return Spaces::ALL };
        let next = table.next_sibling(name).map(|next| view.tree.node_text(next));
        let is_type =
            next.is_some_and(|next| next.starts_with('{') || *next == *view.tree.language().spec().imports.separator);
        // A path leads to no field.
        let others = rules.field_space.map_or(own, |field| field.union(own));
        if is_type { own } else { Spaces::ALL.without(others) }
    }

    /// The meaning of a single name as the first one of a path, if it is one thing: no variable.
    pub(in crate::symbols) fn first_name_of_path(&self, view: &View<'_>, at: Node, name: &str) -> Option<Thing> {
        let separator = view.tree.language().spec().imports.separator.as_str();
        if name.contains(separator) || self.module_of_word(view, at, name).is_some() {
            return None;
        }
        match self.first_of_path(view, at, name, view.scopes.rules.path_space) {
            Meaning::Known(things) if things.len() == 1 => things.first().copied(),
            _ => match self.imported_by_itself(view, at, name) {
                Some(Meaning::Known(things)) if things.len() == 1 => things.first().copied(),
                _ => None,
            },
        }
    }

    /// The meaning of a name that an import binds without writing it in its list: `use crate::a::{self}` binds `a`.
    pub(in crate::symbols) fn imported_by_itself(&self, view: &View<'_>, at: Node, name: &str) -> Option<Meaning> {
        let is_its = |part: &Imported| part.bound.as_deref() == Some(name) && part.name != name && part.alias.is_none();
        let around = self.module_around(view, at);
        let mut own = view.imports().iter().filter(|(statement, part)| {
            is_its(part)
                && !view.tree.table().is_within(at, *statement)
                && self.module_around(view, *statement) == around
        });
        let (statement, part) = own.next()?;
        let found = self.path_in_tree(view, *statement, &part.name);
        matches!(found, Meaning::Known(_)).then_some(found)
    }

    /// The meaning of the first name of an imported path: a name of the module around, or a library.
    fn first_of_path(&self, view: &View<'_>, at: Node, first: &str, spaces: Option<Spaces>) -> Meaning {
        let language = view.tree.language();
        if !first.is_empty() {
            // A name that the same import binds means something else: `use log::log`.
            let names = view.scopes.names(first);
            let mut scope = view.scopes.around(at);
            loop {
                let is_own = |found: &&VariableName| {
                    found.does.is_binding()
                        && found.scope == scope
                        && !view.tree.table().is_within(found.name, at)
                        && spaces.is_none_or(|spaces| found.spaces.meets(spaces))
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
        if let Meaning::Known(things) =
            self.find_in_globs_at(view, at, MemberName { text: first, spaces: spaces.unwrap_or(Spaces::ALL) })
        {
            return Meaning::Known(things);
        }
        if let Some(found) = self.nested(None, || self.imported_by_itself(view, at, first)) {
            return found;
        }
        match self.project().imported_module(view.file, language, first) {
            Some(library) => Meaning::Known(vec![library]),
            None => Meaning::External,
        }
    }
}
