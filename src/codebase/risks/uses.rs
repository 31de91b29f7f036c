//! Which symbols a file defines and uses, for questions about all symbols at once.

use rustc_hash::{FxHashMap, FxHashSet};

use super::conventions::Openness;
use super::outside::LIBRARY_METHOD;
use super::plain_names::without_formats;
use crate::facts::words;
use crate::language::taxonomy;
use crate::modules::FileId;
use crate::outline;
use crate::selector::{Definitions, Query, Selector};
use crate::symbols::{Meaning, Member, Resolver, Site, Thing, View, is_lasting};
use crate::tree::{Node, NodeSet};

/// What a file defines and uses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Uses {
    /// Its definitions that other code can use.
    pub definitions: Vec<DefinitionUse>,
    /// The symbols that it uses outside of their own definitions, each once.
    pub used: Vec<SymbolUse>,
    /// Names whose meaning is not known, and words in strings, each once.
    pub unknown: Vec<String>,
    /// Members of base classes that definitions of the file override.
    pub overridden: Vec<Site>,
    /// How many definitions it lists, whether their names are followed or not.
    pub listed: usize,
    /// Further parts of symbols that it defines, and that are first defined elsewhere.
    pub parts: Vec<DefinitionUse>,
    /// The classes whose members are accessed without their names, with their bases.
    pub dynamic: Vec<Site>,
    /// The modules whose definitions are.
    pub dynamic_modules: Vec<FileId>,
    /// The classes for which code looks that they are extended.
    pub searched_bases: Vec<Site>,
    /// Whether code looks for classes that extend one that is not known.
    pub searches_bases: bool,
    /// The bases of classes that have bases from outside, too, and the classes whose objects code from outside gets: it may call members of
    /// these.
    pub opened: Vec<Site>,
}

/// How a file uses a symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolUse {
    /// The symbol.
    pub site: Site,
    /// How many places refer to it.
    pub refs: usize,
    /// The definitions that call it.
    pub callers: Vec<Thing>,
}

/// A definition, and why it may be in use without a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefinitionUse {
    /// The symbol.
    pub site: Site,
    /// Its name.
    pub name: String,
    /// The name that it also has, outside of its class: Python's `_A__x` for `__x`.
    pub other_name: Option<String>,
    /// Its qualified name.
    pub qualname: String,
    /// Its kind.
    pub kind: &'static str,
    /// The line and the column of its name, from 1.
    pub place: (usize, usize),
    /// Its first and its last line, from 1.
    pub lines: (usize, usize),
    /// Why something that is not seen may use it.
    pub kept: Option<Kept>,
    /// Whether something calls it by itself, so that what holds it is in use.
    pub is_started: bool,
    /// Whether its name is public, and so are those around it and the file.
    pub is_public: bool,
    /// Whether it is a visible member of a class that its file exports.
    pub is_of_export: bool,
    /// Whether it overrides a member of a base class, or implements one.
    pub is_override: bool,
    /// Whether something that is not known may call it or find it, because of what its class extends, or it does as a class.
    pub is_open: bool,
    /// Whether it counts as a method of objects of other classes, so that a use does not name what holds it.
    pub is_extension: bool,
    /// The class that it is a member of, and the bases of that class.
    pub classes: Vec<Site>,
    /// The bases of a class.
    pub bases: Vec<Site>,
    /// The definitions around it, and the class that it is a member of.
    pub holders: Vec<Site>,
}

/// Why a definition may be in use without a reference.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kept {
    /// Its name has a meaning for the language or for a tool: which, by the language's data.
    Name(String),
    /// A decorator may register it.
    Decorator,
    /// Its module exports it.
    Export,
    /// It overrides a member of a base class, or is overridden.
    Override,
    /// Something in it starts by itself, or is decorated.
    Holder,
}

/// What a file defines and uses.
pub fn uses(resolver: &Resolver<'_>, file: FileId) -> Uses {
    let mut uses = Uses::default();
    let Some(view) = resolver.view(file) else { return uses };
    let table = view.tree.table();
    let mut used: FxHashMap<Site, SymbolUse> = FxHashMap::default();
    let mut unknown = FxHashSet::default();
    let mut exported: FxHashSet<Site> = FxHashSet::default();
    let mut note = |meaning: Meaning, node: Node, text: &str| match meaning {
        Meaning::Known(things) => {
            let is_export = !resolver.export_around(&view, node).is_empty();
            for thing in things {
                let Thing::Symbol(site) = thing else { continue };
                if site.file == file && is_export {
                    exported.insert(site);
                } else if site.file != file || !resolver.is_inside(&view, node, site) {
                    let count = used.entry(site).or_insert_with(|| SymbolUse { site, refs: 0, callers: Vec::new() });
                    count.refs += 1;
                    let owner = resolver.is_callee(&view, node).then(|| resolver.owner(file, node));
                    count.callers.extend(owner.filter(|owner| !count.callers.contains(owner)));
                }
            }
        }
        Meaning::Unknown(_) => _ = unknown.insert(text.to_owned()),
        // A member of an object from outside may be one of the project's that the object passes on.
        Meaning::External if resolver.object_of(&view, node).is_some() => _ = unknown.insert(text.to_owned()),
        Meaning::External => {}
    };
    let mut uncertain = Vec::new();
    for node in table.nodes().filter(|&node| view.scopes.is_identifier(node)) {
        if resolver.is_in_error(&view, node) {
            uncertain.push(view.tree.node_text(node).into_owned());
        }
        note(resolver.meaning(file, node), node, &view.tree.node_text(node));
        // `const { a } = b` binds a variable, and reads a member.
        if let Some(key) = resolver.pattern_key(&view, node) {
            note(key, node, &view.tree.node_text(node));
        }
    }
    for (node, span) in resolver.quoted_words(&view) {
        note(resolver.quoted_meaning(&view, node, span), node, &view.tree.text().slice(span));
    }
    unknown.extend(uncertain);
    let documentation = resolver.documentation(&view);
    for node in table.nodes().filter(|&node| view.tree.language().role(table.type_id(node)).string) {
        if !documentation.contains(&node) {
            unknown.extend(words(&without_formats(&view.tree.node_text(node))).map(str::to_owned));
        }
    }
    unknown.extend(resolver.words_of_comments(&view, &documentation));
    if view.rules.hidden_uses.words_are_names {
        unknown.extend(words(&view.tree.node_text(Node::ROOT)).map(str::to_owned));
    }
    let public = resolver.public_names(&view);
    let visible = definitions_of_visibility(&view, "public");
    let hidden = definitions_of_visibility(&view, "private");
    let is_private_file = resolver.is_private_file(&view);
    let path = &resolver.project().file(file).path;
    let only_declares = view.rules.hidden_uses.declaration_files.iter().any(|end| path.ends_with(end.as_str()));
    let mut around: Vec<(Node, Site)> = Vec::new();
    let mut known: FxHashMap<Site, Openness> = FxHashMap::default();
    let listed = outline::outline(view.tree, &outline::Options::default()).unwrap_or_default();
    uses.listed = listed.len();
    for definition in listed {
        let Some(name) = view.tree.name_node(definition.node) else { continue };
        let Meaning::Known(things) = resolver.meaning(file, name) else { continue };
        let [Thing::Symbol(site)] = things.as_slice() else { continue };
        while around.last().is_some_and(|&(node, _)| !table.is_within(definition.node, node)) {
            around.pop();
        }
        let are_visible = around.iter().all(|&(node, _)| visible.contains(node));
        let mut holders: Vec<Site> = around.iter().map(|&(_, holder)| holder).filter(|holder| holder != site).collect();
        around.push((definition.node, *site));
        if !is_lasting(resolver, &view, name) {
            continue;
        }
        let class = resolver.class_of_member(*site);
        holders.extend(class.filter(|class| !holders.contains(class)));
        let is_visible = visible.contains(definition.node);
        let is_exported = exported.contains(site)
            || is_visible && view.rules.hidden_uses.public_is_exported
            || class.is_none() && public.contains(&definition.name);
        let inherited = class.map(|class| resolver.inherited(class, (&definition.name).into()));
        let is_override = matches!(inherited, Some(Member::Found(_)));
        if let Some(Member::Found(sites)) = inherited {
            uses.overridden.extend(sites);
        }
        let kept = resolver.kept(&view, &definition, is_override, is_exported);
        let is_started = match &kept {
            Some(Kept::Name(why)) => view.rules.entries.started.contains(why),
            kept => kept == &Some(Kept::Decorator),
        };
        let is_hidden = view.rules.hidden_uses.private_is_hidden && hidden.contains(definition.node);
        let mut openness_of = |class: Site| *known.entry(class).or_insert_with(|| resolver.openness(class));
        let own = class.map(&mut openness_of).unwrap_or_default();
        let mut is_open = (own.has_unknown_bases || own.is_called) && !is_hidden || only_declares;
        // The object may be used through a type.
        is_open |= resolver.is_of_object(&view, *site);
        let above = class.map(|class| resolver.superclasses(class).0).unwrap_or_default();
        let mut bases = Vec::new();
        if resolver.is_class(*site) {
            let openness = openness_of(*site);
            is_open |= openness.is_found;
            bases = resolver.superclasses(*site).0;
            if openness.is_called {
                uses.opened.extend(bases.iter().copied());
            }
        }
        let start = view.tree.start(name);
        let is_private = view.scopes.rules.is_class_private(&definition.name);
        let other_name = class.filter(|_| is_private).and_then(|class| {
            Some(format!("_{}{}", resolver.name_of(class)?.trim_start_matches('_'), definition.name))
        });
        let found = DefinitionUse {
            other_name,
            site: *site,
            is_started,
            is_public: is_visible && are_visible && !is_private_file,
            is_of_export: !hidden.contains(definition.node) && class.is_some_and(|class| exported.contains(&class)),
            is_open,
            is_extension: resolver.is_extension(&view, name),
            classes: class.into_iter().chain(above).collect(),
            bases,
            holders,
            name: definition.name,
            qualname: definition.qualname,
            kind: definition.kind,
            place: (start.line, start.col()),
            lines: (definition.start_line, definition.end_line),
            kept,
            is_override,
        };
        // Another definition of the same symbol may have been listed before.
        let is_first = *site == Site { file, name };
        if is_first { uses.definitions.push(found) } else { uses.parts.push(found) }
    }
    uses.opened.extend(resolver.handed_out(&view));
    let searched = resolver.searched(&view);
    for class in searched.classes {
        let (above, _) = resolver.superclasses(class);
        uses.dynamic.extend(above.into_iter().chain([class]));
    }
    uses.dynamic_modules = searched.modules.into_iter().collect();
    uses.searches_bases = searched.has_unknown_bases;
    uses.searched_bases = searched.bases.into_iter().collect();
    uses.used = used.into_values().collect();
    uses.unknown = unknown.into_iter().collect();
    uses
}

/// The definitions of a file with a visibility.
pub(super) fn definitions_of(view: &View<'_>, visibility: &str) -> NodeSet {
    let query = Selector::parse(&format!("definition[visibility=\"{visibility}\"]"))
        .and_then(|selector| Query::new(&selector, view.tree.language(), &Definitions::default()));
    query.and_then(|query| query.nodes(view.tree)).unwrap_or_else(|_| NodeSet::empty(view.tree.table().len()))
}

/// The definitions of a file with a visibility, if the language says what that means.
fn definitions_of_visibility(view: &View<'_>, visibility: &str) -> NodeSet {
    let none = || NodeSet::empty(view.tree.table().len());
    let rules = view.rules;
    if !rules.hidden_uses.public_is_exported
        && rules.hidden_uses.libraries.is_empty()
        && !rules.hidden_uses.private_is_hidden
    {
        return none();
    }
    definitions_of(view, visibility)
}

impl Resolver<'_> {
    /// Whether only the class of a member sees it.
    pub(super) fn is_hidden(&self, view: &View<'_>, name: Node) -> bool {
        /// How deep a name is in its definition.
        const REACH: usize = 5;
        if !view.rules.hidden_uses.private_is_hidden {
            return false;
        }
        let hidden = definitions_of_visibility(view, "private");
        let mut around = view.tree.table().ancestors(name).take(REACH);
        let definition = around.find(|&node| hidden.contains(node) || view.tree.is_scope(node));
        definition.is_some_and(|node| hidden.contains(node))
    }

    /// Whether a name is inside the definition of a symbol, its own name among it.
    fn is_inside(&self, view: &View<'_>, node: Node, site: Site) -> bool {
        let binders = self.binders(view, site);
        let table = view.tree.table();
        binders.iter().chain([&site.name]).any(|&name| {
            name == node
                || self
                    .definition_of(view, name)
                    .is_some_and(|definition| view.tree.is_scope(definition) && table.is_within(node, definition))
        })
    }

    /// The strings that document something.
    pub(crate) fn documentation(&self, view: &View<'_>) -> FxHashSet<Node> {
        let nodes = view.tree.table().nodes();
        nodes.filter_map(|node| view.tree.docstring(node)).collect()
    }

    /// The words of lines in comments and documentation that name definitions.
    fn words_of_comments(&self, view: &View<'_>, documentation: &FxHashSet<Node>) -> Vec<String> {
        let rules = &view.rules.hidden_uses.naming_comments;
        let mut found = Vec::new();
        let is_text = |node: &Node| view.tree.is_comment(*node) || documentation.contains(node);
        for node in view.tree.table().nodes().filter(|node| !rules.is_empty() && is_text(node)) {
            let text = view.tree.node_text(node);
            let lines = text.lines().filter(|line| rules.iter().any(|(_, regex)| regex.get().is_match(line)));
            found.extend(lines.flat_map(words).map(str::to_owned));
        }
        found
    }

    /// The names in the list of a module's public names.
    fn public_names(&self, view: &View<'_>) -> FxHashSet<String> {
        let mut names = FxHashSet::default();
        let Some(list) = &view.rules.star_imports.list else { return names };
        let table = view.tree.table();
        for found in view.scopes.names(list).found.iter().filter(|found| found.does.is_binding()) {
            let Some(holder) = table.parent(found.name) else { continue };
            let strings =
                table.descendants(holder).filter(|&node| view.tree.language().role(table.type_id(node)).string);
            names.extend(strings.map(|node| view.tree.node_text(node).trim_matches(['"', '\'']).to_owned()));
        }
        names
    }

    /// Whether a definition is the content of a statement that exports.
    fn is_in_export(&self, view: &View<'_>, definition: Node) -> bool {
        let table = view.tree.table();
        let around = table.ancestors(definition).take_while(|&node| !view.tree.is_scope(node));
        let types = &view.rules.exports.types;
        around.take(3).any(|node| types.contains(table.type_id(node)))
    }

    /// Why a definition may be in use without a reference.
    fn kept(
        &self,
        view: &View<'_>,
        definition: &outline::Definition,
        is_override: bool,
        is_exported: bool,
    ) -> Option<Kept> {
        if let Some(why) = self.entry(view, definition) {
            return Some(Kept::Name(why.to_owned()));
        }
        let name = view.tree.name_node(definition.node)?;
        if self.implements_outside(view, Site { file: view.file, name }) {
            return Some(Kept::Name(LIBRARY_METHOD.to_owned()));
        }
        // `(function later() { … })()`: the name is the expression's own.
        let table = view.tree.table();
        if view.tree.language().role(table.type_id(definition.node)).value {
            return Some(Kept::Name("expression".to_owned()));
        }
        // `mod x;` loads the file of the module.
        if taxonomy().is_a(definition.kind, "namespace") && view.tree.body(definition.node).is_none() {
            return Some(Kept::Name("module".to_owned()));
        }
        if self.foreign_decorator(view, definition.node).is_some() {
            return Some(Kept::Decorator);
        }
        let is_outside =
            || table.ancestors(definition.node).any(|node| view.rules.outside.contains(table.type_id(node)));
        if is_exported
            || self.is_in_export(view, definition.node)
            || !self.export_around(view, name).is_empty()
            || is_outside()
        {
            return Some(Kept::Export);
        }
        is_override.then_some(Kept::Override)
    }
}
