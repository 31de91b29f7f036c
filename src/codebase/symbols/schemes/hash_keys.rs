//! Keys that name a variable or a parameter: `f(x:)`, `f(x: 1)` of Ruby.

use crate::language::Spaces;
use crate::scopes::VariableName;
use crate::symbols::inference::resolver::{Resolver, View};
use crate::symbols::model::Meaning;
use crate::text::Span;
use crate::tree::Node;

impl Resolver<'_> {
    /// The keys of a file that name more than the key of a value: those without a value, and those of arguments.
    pub(in crate::symbols) fn key_words(view: &View<'_>) -> Vec<(Node, Span)> {
        let rules = &view.rules.open_classes;
        let table = view.tree.table();
        let is_word = |&key: &Node| {
            let Some(pair) = table.parent(key) else { return false };
            let in_call = table.parent(pair).is_some_and(|list| rules.key_lists.contains(table.type_id(list)));
            rules.key_types.contains(table.type_id(key)) && (in_call || is_short(view, key))
        };
        table.nodes().filter(is_word).map(|key| (key, table.span(key))).collect()
    }

    /// The variable that a key without a value names.
    pub(in crate::symbols) fn variable_of_key(&self, view: &View<'_>, key: Node) -> Meaning {
        let text = view.tree.node_text(key);
        let scope = view.scopes.around(key);
        let at = view.tree.span(key).start();
        let found = VariableName::reference(key, scope, at, Spaces::ALL);
        let names = view.scopes.names(&text);
        let Some(symbol) = names.resolve(&view.scopes, &found) else { return Meaning::Unknown(Vec::new()) };
        // Before it is bound, the name is that of a method.
        let binders = names.binders(&view.scopes, symbol).map(|found| found.name).filter(|&binder| binder < key);
        let binders: Vec<Node> = binders.collect();
        let all = binders.into_iter().map(|binder| self.meaning(view.file, binder));
        Meaning::union(all)
    }
}

/// Whether a key has no value.
pub(in crate::symbols) fn is_short(view: &View<'_>, key: Node) -> bool {
    let table = view.tree.table();
    table.parent(key).is_some_and(|pair| view.tree.named_children(pair).last() == Some(key))
}
