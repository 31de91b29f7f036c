//! Names that a file gives to what it imports: `import * as m`, `import { a as b }`, `import m as n`. They are variables of the file.

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
        let places = own.into_iter().map(|found| table.span(found.name)).collect();
        Some(LocalAlias { name: text, binder, places, is_visible: is_shared && symbol.scope == Node::ROOT })
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
