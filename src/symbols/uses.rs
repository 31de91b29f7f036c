//! Which symbols a file defines and uses, for questions about all symbols at once.

use rustc_hash::{FxHashMap, FxHashSet};

use super::find::is_lasting;
use super::model::{FileId, Meaning, Member, Site, Thing};
use super::resolver::{Resolver, View};
use super::words::words;
use crate::language::taxonomy;
use crate::outline;
use crate::selector::{Definitions, Query, Selector};
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
    /// The classes whose members are accessed by names that are computed, with their bases.
    pub dynamic: Vec<Site>,
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
    /// Whether it overrides a member of a base class, or implements one.
    pub is_override: bool,
    /// Whether it is a member of a class with bases that are not known.
    pub has_unknown_bases: bool,
    /// The class that it is a member of, and the bases of that class.
    pub classes: Vec<Site>,
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
    for node in table.nodes().filter(|&node| view.scopes.is_identifier(node)) {
        note(resolver.meaning(file, node), node, &view.tree.node_text(node));
    }
    for (node, span) in resolver.quoted_words(&view) {
        note(resolver.quoted_meaning(&view, node, span), node, &view.tree.text().slice(span));
    }
    let documentation = resolver.documentation(&view);
    for node in table.nodes().filter(|&node| view.tree.language().role(table.type_id(node)).string) {
        if !documentation.contains(&node) {
            unknown.extend(words(&without_formats(&view.tree.node_text(node))).map(str::to_owned));
        }
    }
    let public = resolver.public_names(&view);
    let visible = public_definitions(&view);
    let listed = outline::outline(view.tree, &outline::Options::default()).unwrap_or_default();
    uses.listed = listed.len();
    for definition in listed {
        let Some(name) = view.tree.name_node(definition.node) else { continue };
        let Meaning::Known(things) = resolver.meaning(file, name) else { continue };
        let [Thing::Symbol(site)] = things.as_slice() else { continue };
        // Another definition of the same symbol may have been listed before.
        let is_first = *site == Site { file, name };
        if !is_first || !is_lasting(resolver, &view, name) {
            continue;
        }
        let class = resolver.class_of_member(*site);
        let is_exported = exported.contains(site)
            || visible.contains(definition.node)
            || class.is_none() && public.contains(&definition.name);
        let inherited = class.map(|class| resolver.inherited(class, (&definition.name).into()));
        let is_override = matches!(inherited, Some(Member::Found(_)));
        if let Some(Member::Found(sites)) = inherited {
            uses.overridden.extend(sites);
        }
        let kept = resolver.kept(&view, &definition, is_override, is_exported);
        let (above, is_complete) = class.map_or((Vec::new(), true), |class| resolver.superclasses(class));
        let start = view.tree.start(name);
        uses.definitions.push(DefinitionUse {
            site: *site,
            has_unknown_bases: !is_complete,
            classes: class.into_iter().chain(above).collect(),
            name: definition.name,
            qualname: definition.qualname,
            kind: definition.kind,
            place: (start.line, start.col()),
            lines: (definition.start_line, definition.end_line),
            kept,
            is_override,
        });
    }
    for class in resolver.dynamic_classes(&view) {
        let (above, _) = resolver.superclasses(class);
        uses.dynamic.extend(above.into_iter().chain([class]));
    }
    uses.used = used.into_values().collect();
    uses.unknown = unknown.into_iter().collect();
    uses
}

/// The definitions that code outside of the project can use, where the language says so by their visibility.
fn public_definitions(view: &View<'_>) -> NodeSet {
    let none = || NodeSet::empty(view.tree.table().len());
    if !view.rules.public_is_exported {
        return none();
    }
    let query = Selector::parse("definition[visibility=\"public\"]")
        .and_then(|selector| Query::new(&selector, view.tree.language(), &Definitions::default()));
    query.and_then(|query| query.nodes(view.tree)).unwrap_or_else(|_| none())
}

/// The text of a string with spaces for what is put in by `%`, so that the words before and after it are the ends of a name.
fn without_formats(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        plain.push(if letter == '%' { ' ' } else { letter });
        if letter == '%' && letters.next_if(|letter| "sdri".contains(*letter)).is_some() {
            plain.push(' ');
        }
    }
    plain
}

impl Resolver<'_> {
    /// Whether a name is what a call calls.
    fn is_callee(&self, view: &View<'_>, name: Node) -> bool {
        let table = view.tree.table();
        let is_attribute = view.scopes.fits(name, &view.scopes.rules.attributes).is_some();
        let whole = if is_attribute { table.parent(name).unwrap_or(name) } else { name };
        table.parent(whole).is_some_and(|call| self.called(view, call) == Some(whole))
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

    /// The classes whose own objects have members that are accessed by a computed name.
    fn dynamic_classes(&self, view: &View<'_>) -> FxHashSet<Site> {
        let table = view.tree.table();
        let is_string = |node: Node| view.tree.language().role(table.type_id(node)).string;
        let is_dynamic = |node: &Node| {
            let calls = &view.rules.dynamic_calls;
            let is_call = !calls.is_empty()
                && view.tree.callee_text(*node).is_some_and(|callee| calls.iter().any(|known| *known == *callee));
            is_call || view.rules.dynamic_accesses.contains(table.type_id(*node))
        };
        let mut classes = FxHashSet::default();
        for access in table.nodes().filter(is_dynamic) {
            // The words of a string are looked at by themselves.
            if table.descendants(access).any(is_string) {
                continue;
            }
            let own = table.descendants(access).find_map(|node| view.scopes.class_of_self(node));
            classes.extend(own.and_then(|own| self.class_at(view, own.class)));
        }
        classes
    }

    /// The strings that document something.
    pub(super) fn documentation(&self, view: &View<'_>) -> FxHashSet<Node> {
        let nodes = view.tree.table().nodes();
        nodes.filter_map(|node| view.tree.docstring(node)).collect()
    }

    /// The names in the list of a module's public names.
    fn public_names(&self, view: &View<'_>) -> FxHashSet<String> {
        let mut names = FxHashSet::default();
        let Some(list) = &view.rules.public_list else { return names };
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
        let rules = view.rules;
        if let Some((why, _)) = rules.entries.iter().find(|(_, names)| names.get().is_match(&definition.name)) {
            return Some(Kept::Name(why.clone()));
        }
        let name = view.tree.name_node(definition.node)?;
        // `mod x;` loads the file of the module.
        if taxonomy().is_a(definition.kind, "namespace") && view.tree.body(definition.node).is_none() {
            return Some(Kept::Name("module".to_owned()));
        }
        if is_exported || self.is_in_export(view, definition.node) || !self.export_around(view, name).is_empty() {
            return Some(Kept::Export);
        }
        if self.foreign_decorator(view, definition.node).is_some() {
            return Some(Kept::Decorator);
        }
        is_override.then_some(Kept::Override)
    }
}
