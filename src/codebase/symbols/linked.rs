//! Names that a linker makes one: functions and variables of files that do not include each other.

use super::inference::find::describe;
use super::inference::resolver::Resolver;
use super::model::{FileId, Meaning, Site, Thing};
use super::uses::definitions_of;
use crate::language::ModuleScheme;
use crate::selector::Kinds;
use crate::tree::Node;

impl Resolver<'_> {
    /// Whether a name in another file may be one with some symbols where the program is linked: both are functions or variables
    /// that no file keeps to itself, and at most one of them is defined with a body; or both are structs, and one has no body.
    pub fn may_be_linked(&self, symbols: &[Site], file: FileId, name: Node) -> bool {
        let Some(view) = self.view(file).filter(|view| view.rules.modules == Some(ModuleScheme::Includes)) else {
            return false;
        };
        if symbols.iter().any(|site| site.file == file) {
            return false;
        }
        let Meaning::Known(things) = self.meaning(view.file, name) else { return false };
        let others = things.iter().filter_map(|thing| match thing {
            Thing::Symbol(site) => Some(*site),
            _ => None,
        });
        let has_body = symbols.iter().any(|&site| self.has_body(site));
        let is_linked = |site: Site| !(has_body && self.has_body(site)) && self.is_shared_by_linking(site);
        let mut others = others.into_iter().peekable();
        let is_class = |site: Site| self.view(site.file).is_some_and(|view| self.is_class_name(&view, site.name));
        if others.peek().is_some_and(|&other| is_class(other)) {
            let is_declared = |other: Site| {
                let is_whole = has_body && self.has_body(other);
                is_class(other)
                    && !is_whole
                    && symbols.iter().any(|&site| is_class(site) && self.is_named_like(site, other))
            };
            return others.any(is_declared);
        }
        others.any(is_linked) && symbols.iter().any(|&site| self.is_shared_by_linking(site))
    }

    /// Whether two symbols are in the same namespaces.
    fn is_named_like(&self, one: Site, other: Site) -> bool {
        let around = |site: Site| {
            let view = self.view(site.file)?;
            let kinds = Kinds::new(view.tree);
            let around = view.tree.table().ancestors(site.name).filter(|&node| kinds.is(node, "namespace"));
            let name = |node: Node| view.tree.name_node(node).map(|name| view.tree.node_text(name).into_owned());
            Some(around.map(name).collect::<Vec<_>>())
        };
        around(one) == around(other)
    }

    fn has_body(&self, site: Site) -> bool {
        self.view(site.file).is_some_and(|view| {
            let definition = self.definition_of(&view, site.name);
            definition.is_some_and(|definition| view.tree.body(definition).is_some())
        })
    }

    /// Whether a symbol is a function or a variable at the top of its file that other files can use.
    pub(super) fn is_shared_by_linking(&self, site: Site) -> bool {
        let Some(view) = self.view(site.file) else { return false };
        let found = view.scopes.names(&view.tree.node_text(site.name)).at(site.name).map(|found| found.scope);
        if found != Some(Node::ROOT) {
            return false;
        }
        let kind = describe(self, Thing::Symbol(site)).map(|definition| definition.kind);
        let hidden = definitions_of(&view, "private");
        let mut around = std::iter::once(site.name).chain(view.tree.table().ancestors(site.name));
        matches!(kind, Some("function" | "variable")) && !around.any(|node| hidden.contains(node))
    }
}
