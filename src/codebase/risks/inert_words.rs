//! Strings and symbols that cannot name what is called, because of where they are: a key, one side of a comparison, text that is shown.

use crate::symbols::{Meaning, Resolver, View};
use crate::tree::Node;

impl Resolver<'_> {
    /// Whether a string or symbol is only text or a key at its place.
    pub(super) fn is_inert(&self, view: &View<'_>, word: Node) -> bool {
        let table = view.tree.table();
        let rules = &view.rules.hidden_uses;
        let Some(parent) = table.parent(word) else { return false };
        let id = table.type_id(parent);
        if rules.inert_parents.contains(id) {
            return true;
        }
        // The key of an object that is written, and not passed as arguments. What is alone is no key.
        let mut parts = table.children(parent);
        if rules.key_pairs.contains(id) && parts.next() == Some(word) && parts.next().is_some() {
            let list = table.parent(parent).map(|list| table.type_id(list));
            return list.is_some_and(|list| !view.rules.open_classes.key_lists.contains(list));
        }
        let mut children = table.children(parent);
        if rules.key_holders.contains(id) {
            return children.next() != Some(word);
        }
        if children.any(|child| {
            !table.is_named(child) && rules.comparisons.iter().any(|operator| **operator == *view.tree.node_text(child))
        }) {
            return true;
        }
        let objects = view.rules.objects.of(id).into_iter().flatten();
        if objects.flat_map(|path| view.tree.reached(parent, path)).any(|object| object == word) {
            // `:run.to_proc`
            return !self.is_named_access(view, parent);
        }
        self.is_argument_of(view, word, &rules.inert_calls)
    }

    /// Whether a node is an argument of a call of one of some functions, none of which the project defines.
    fn is_argument_of(&self, view: &View<'_>, argument: Node, functions: &[String]) -> bool {
        /// How far an argument is below its call.
        const REACH: usize = 3;
        let table = view.tree.table();
        let call = table.ancestors(argument).skip(1).take(REACH).find(|&node| view.tree.callee(node).is_some());
        let Some(callee) = call.and_then(|call| self.called(view, call)) else { return false };
        let name = self.member_name(view, callee).unwrap_or(callee);
        let text = view.tree.node_text(name);
        functions.iter().any(|function| **function == *text)
            && !table.is_within(argument, callee)
            && !matches!(self.meaning(view.file, name), Meaning::Known(_))
    }

    /// Whether a symbol of a file is only text or a key at its place.
    pub(super) fn is_inert_symbol(&self, view: &View<'_>, word: Node) -> bool {
        self.is_symbol(view, word) && self.is_inert(view, word)
    }

    /// Whether a node is a symbol: `:name`.
    pub(super) fn is_symbol(&self, view: &View<'_>, node: Node) -> bool {
        view.rules.open_classes.symbol_types.contains(view.tree.table().type_id(node))
    }
}
