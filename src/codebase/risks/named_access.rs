//! Code that accesses a member by its name as text: `getattr(o, "run")`, `A.class.getMethod("run")`, `Omit<A, "size">`.

use crate::symbols::{Resolver, View};
use crate::tree::Node;

impl Resolver<'_> {
    /// Whether a call accesses a member by its name.
    pub(super) fn names_member(&self, view: &View<'_>, call: Node) -> bool {
        let rules = view.rules;
        if rules.hidden_uses.named_access.is_empty() && rules.hidden_uses.dynamic_accesses.is_empty() {
            return false;
        }
        let table = view.tree.table();
        if rules.hidden_uses.dynamic_accesses.contains(table.type_id(call))
            || table.fits_any(call, &rules.hidden_uses.member_tests)
        {
            return true;
        }
        if self.takes_keys(view, call) {
            return true;
        }
        self.is_named_access(view, call) || self.has_class_beside(view, call)
    }

    /// Whether a call accesses a member by its name, by what is called.
    pub(super) fn is_named_access(&self, view: &View<'_>, call: Node) -> bool {
        let Some(callee) = view.tree.callee_text(call) else { return false };
        let last = callee.rsplit('.').next().unwrap_or(&callee);
        view.rules.hidden_uses.named_access.iter().any(|known| *known == *callee || *known == last)
    }

    /// Whether one of the arguments of a call is a class as an object, so that a string beside it may name a member: `find(A.class, "run")`.
    pub(super) fn has_class_beside(&self, view: &View<'_>, call: Node) -> bool {
        let words = &view.rules.hidden_uses.class_words;
        let Some(callee) = self.called(view, call).filter(|_| !words.is_empty()) else { return false };
        let table = view.tree.table();
        let list = table.children(call).filter(|&child| table.is_named(child) && child != callee).last();
        let mut arguments = list.into_iter().flat_map(|list| view.tree.named_children(list));
        arguments.any(|argument| words.iter().any(|word| view.tree.node_text(argument).ends_with(word.as_str())))
    }

    /// Whether a type is made of another one and of names of its members: `Omit<A, "size">`.
    pub(super) fn takes_keys(&self, view: &View<'_>, written: Node) -> bool {
        let takers = &view.rules.hidden_uses.key_takers;
        if takers.is_empty() || !view.rules.hidden_uses.key_types.contains(view.tree.table().type_id(written)) {
            return false;
        }
        let name = view.tree.named_children(written).next();
        name.is_some_and(|name| takers.iter().any(|taker| *taker == *view.tree.node_text(name)))
    }
}
