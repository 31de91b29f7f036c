//! Code that asks a class for its members or its bases as a table.

use super::shown::is_callee;
use crate::modules::FileId;
use crate::symbols::{Resolver, Thing, View};
use crate::text::Span;
use crate::tree::Node;

impl Resolver<'_> {
    /// Whether the name of a class is where its own members or its bases are asked for: `A.__dict__`, `vars(A)`.
    pub fn asks_for_table(&self, file: FileId, name: Node) -> bool {
        let Some(view) = self.view(file) else { return false };
        let table = view.tree.table();
        let rules = &view.rules.hidden_uses;
        let asks = |&around: &Node| {
            let member = self.member_name(&view, around).filter(|&member| member != name);
            let is_table = |member: Node| rules.class_tables.iter().any(|word| *word == *view.tree.node_text(member));
            member.is_some_and(is_table)
                || view.tree.callee_text(around).is_some_and(|callee| is_callee(&rules.member_searches, &callee))
        };
        // The access; or the list of arguments and the call.
        table.ancestors(name).take(2).any(|around| asks(&around))
    }

    /// Whether code adds to what another module has: `declare module "./m" { interface A { … } }`.
    pub(super) fn is_in_augmentation(&self, view: &View<'_>, node: Node) -> bool {
        let table = view.tree.table();
        let is_string = |node: Node| view.tree.language().role(table.type_id(node)).string;
        let augments = |node: Node| {
            view.rules.hidden_uses.augmenting.contains(table.type_id(node))
                && view.tree.named_children(node).next().is_some_and(is_string)
        };
        table.ancestors(node).any(augments)
    }

    /// Where a file adds to a module of the project from outside, in code that has a name: `declare module "./a" { … }`.
    pub fn added_from_outside(&self, file: FileId, module: FileId, name: &str) -> Vec<Span> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let (tree, table) = (view.tree, view.tree.table());
        let types = &view.rules.hidden_uses.additions;
        let is_string = |node: &Node| tree.language().role(table.type_id(*node)).string;
        let adds = |&node: &Node| {
            let string = tree.named_children(node).find(is_string);
            let source = string.map(|string| tree.node_text(string).trim_matches(['"', '\'']).to_owned());
            source.is_some_and(|source| self.imported_module(file, &source) == Some(Thing::Module(module)))
                && table.descendants(node).any(|inner| tree.node_text(inner) == name)
        };
        let nodes = table.nodes().filter(|&node| types.contains(table.type_id(node)));
        nodes.filter(adds).map(|node| tree.span(node)).collect()
    }
}
