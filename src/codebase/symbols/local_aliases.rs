//! Names that a file gives to what it imports: `import * as m`, `import { a as b }`, `import m as n`. They are variables of the file.

use super::inference::macro_text::macro_words_of;
use super::inference::resolver::{Resolver, View};
use super::model::{Meaning, Thing};
use crate::language::ModuleScheme;
use crate::modules::FileId;
use crate::scopes::imported;
use crate::text::Span;
use crate::tree::Node;

/// A name that a file gives to what it imports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalAlias {
    /// The name.
    pub name: String,
    /// Where it is bound.
    pub binder: Node,
    /// All places of it.
    pub places: Vec<Span>,
    /// Whether other files may use it without an export.
    pub is_visible: bool,
    /// Places that may mean it: members, if it is an extension.
    pub members: Vec<Span>,
    /// Other names that are in use in the text where it means something.
    pub taken: Vec<String>,
}

/// The places of a name that change where a file keeps it for what it imports.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct KeptNames {
    /// All of them.
    pub changed: Vec<Span>,
    /// Those that import it.
    pub imports: Vec<Span>,
}

impl Resolver<'_> {
    /// The alias at a place of a file; `None` if there is something with that name itself.
    pub fn alias_at(&self, file: FileId, line: usize, col: usize) -> Option<LocalAlias> {
        let view = self.view(file)?;
        let (tree, table) = (view.tree, view.tree.table());
        let is_there = |&node: &Node| {
            let (start, end) = (tree.start(node), tree.end(node));
            start.line == line && start.col() <= col && col <= end.col() && view.scopes.is_identifier(node)
        };
        let name = table.nodes().filter(is_there).last()?;
        let text = tree.node_text(name).into_owned();
        if let Some(parameter) = self.macro_parameter(&view, name) {
            return Some(parameter);
        }
        let names = view.scopes.names(&text);
        let symbol = names.resolve(&view.scopes, names.at(name)?)?;
        let is_its = |found: &&crate::scopes::VariableName| {
            names.resolve(&view.scopes, found).is_some_and(|other| other.is(symbol))
        };
        let own: Vec<&crate::scopes::VariableName> = names.found.iter().filter(is_its).collect();
        let binders: Vec<Node> = own.iter().filter(|found| found.does.is_binding()).map(|found| found.name).collect();
        let &binder = binders.first()?;
        if !binders.iter().all(|&binder| self.is_alias(&view, binder, &text)) {
            return None;
        }
        // Where the symbol itself has the name, it is that symbol's.
        if let Meaning::Known(things) | Meaning::Unknown(things) = self.meaning(file, name) {
            let has_name = |thing: &Thing| match *thing {
                Thing::Symbol(site) => self.name_of(site).is_some_and(|own| own == text),
                Thing::Module(_) | Thing::Folder(_) | Thing::Package(_) => false,
            };
            if things.iter().any(has_name) {
                return None;
            }
        }
        let is_shared = matches!(view.rules.modules, Some(ModuleScheme::Dotted | ModuleScheme::ModuleTree));
        let mut places: Vec<Span> = own.into_iter().map(|found| table.span(found.name)).collect();
        let is_visible = is_shared && symbol.scope == Node::ROOT;
        let (certain, members) = self.members_of_alias(&view, binder, &text);
        places.extend(certain);
        places.sort_unstable_by_key(|place| place.start());
        Some(LocalAlias { name: text, binder, places, is_visible, members, taken: Vec::new() })
    }

    /// The members of an alias's name that are the extension which it imports, and those that may be.
    fn members_of_alias(&self, view: &View<'_>, alias: Node, text: &str) -> (Vec<Span>, Vec<Span>) {
        let (mut certain, mut members) = (Vec::new(), Vec::new());
        if view.rules.members.extensions.is_empty() {
            return (certain, members);
        }
        let own = self.meaning(view.file, alias);
        let is_extension = |thing: &Thing| match *thing {
            Thing::Symbol(site) => self.view(site.file).is_some_and(|view| self.is_extension(&view, site.name)),
            Thing::Module(_) | Thing::Folder(_) | Thing::Package(_) => false,
        };
        if matches!(&own, Meaning::Known(things) if !things.iter().any(is_extension)) {
            return (certain, members);
        }
        let attributes = &view.scopes.rules.attributes;
        for &node in view.scopes.nodes_of(text).iter().filter(|&&node| view.scopes.fits(node, attributes).is_some()) {
            let span = view.tree.span(node);
            match self.meaning(view.file, node) {
                Meaning::Known(things) if own == Meaning::Known(things.clone()) => certain.push(span),
                Meaning::Known(_) => {}
                Meaning::Unknown(_) | Meaning::External => members.push(span),
            }
        }
        (certain, members)
    }

    /// A parameter of a macro, which its body alone knows.
    fn macro_parameter(&self, view: &View<'_>, name: Node) -> Option<LocalAlias> {
        let table = view.tree.table();
        let list = table.parent(name).filter(|_| self.is_macro_parameter(view, name))?;
        let definition = table.parent(list)?;
        let text = view.tree.node_text(name).into_owned();
        let mut words: Vec<(Span, String)> = Vec::new();
        for part in table.children(definition) {
            if part == list {
                let names = table.children(list).filter(|&name| view.scopes.is_identifier(name));
                words.extend(names.map(|name| (table.span(name), view.tree.node_text(name).into_owned())));
            } else if view.rules.macros.bodies.contains(table.type_id(part)) {
                words.extend(macro_words_of(view, part));
            }
        }
        let (own, others): (Vec<_>, Vec<_>) = words.into_iter().partition(|(_, word)| *word == text);
        let places = own.into_iter().map(|(span, _)| span).collect();
        let taken = others.into_iter().map(|(_, word)| word).collect();
        Some(LocalAlias { name: text, binder: name, places, is_visible: false, members: Vec::new(), taken })
    }

    /// The places of a name in a file that change if the file keeps it for what it imports: `import { new as old }`. `None` if it cannot,
    /// as it exports the name again, or an import is written otherwise.
    pub fn kept_names(&self, file: FileId, places: &[Span]) -> Option<KeptNames> {
        let view = self.view(file)?;
        let table = view.tree.table();
        let imports = |name: Node| {
            self.import_around(&view, name).is_some()
                || !view.rules.loaded_modules.calls.is_empty() && self.required(&view).names.contains_key(&name)
        };
        let mut kept = KeptNames::default();
        for &place in places {
            let name = table.smallest_around(place);
            let names = view.scopes.names(&view.tree.node_text(name));
            let symbol = names.at(name).and_then(|found| names.resolve(&view.scopes, found));
            let its = |found: &&crate::scopes::VariableName| {
                found.does.is_binding()
                    && names.resolve(&view.scopes, found).zip(symbol).is_some_and(|(one, two)| one.is(two))
            };
            let binders: Vec<Node> = names.found.iter().filter(its).map(|found| found.name).collect();
            let is_imported = !binders.is_empty() && binders.iter().all(|&binder| imports(binder));
            match (is_imported, binders.contains(&name)) {
                (false, _) => kept.changed.push(place),
                (true, true) => {
                    view.scopes.shorthand(name)?;
                    kept.changed.push(place);
                    kept.imports.push(place);
                }
                (true, false) => {
                    let exports = self.export_around(&view, name);
                    let is_own = |part: &&imported::Imported| table.is_within(name, part.node);
                    if exports.iter().find(is_own).is_some_and(|part| part.alias.is_none()) {
                        return None;
                    }
                }
            }
        }
        (!kept.imports.is_empty()).then_some(kept)
    }

    /// Whether a name binds something under another name than its own, or without one.
    fn is_alias(&self, view: &View<'_>, binder: Node, text: &str) -> bool {
        let table = view.tree.table();
        if let Some(import) = self.import_around(view, binder) {
            return imported::read(view.tree, import).iter().any(|part| {
                table.is_within(binder, part.node)
                    && part.alias.as_deref() == Some(text)
                    && part.places.name != Some(table.span(binder))
            });
        }
        !view.rules.loaded_modules.calls.is_empty()
            && self
                .required(view)
                .names
                .get(&binder)
                .is_some_and(|required| required.binder == binder && required.member.is_none())
    }

    /// Where another file may use an alias: imports of its name, members of that name of what may be its module.
    pub fn uses_of_alias(&self, file: FileId, name: &str) -> Vec<Span> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let may_be = |&node: &Node| {
            let is_own = view.scopes.binds(node) && self.import_around(&view, node).is_none();
            let is_member = view.scopes.fits(node, &view.scopes.rules.attributes).is_some();
            let is_path = self.object_of(&view, node).is_some();
            let is_thing = |thing: &Thing| !matches!(thing, Thing::Symbol(_));
            let meaning = self.meaning(file, node);
            let is_known = match &meaning {
                Meaning::Known(things) => things.iter().any(is_thing),
                Meaning::External => false,
                Meaning::Unknown(_) => true,
            };
            !is_own && is_known && (is_member || is_path || self.import_around(&view, node).is_some())
        };
        let nodes = view.scopes.nodes_of(name).iter().copied().filter(|node| may_be(node));
        nodes.map(|node| view.tree.span(node)).collect()
    }
}
