//! Uses of a symbol by a language or by code outside of the project, where its name is not written.

use crate::symbols::{Resolver, Site, View};
use crate::tree::Node;

impl Resolver<'_> {
    /// Whether code outside of the project is found by the name of a symbol: it is a function with such a modifier, or a class that
    /// has one.
    pub(super) fn is_linked_by_name(&self, view: &View<'_>, site: Site) -> bool {
        let words = &view.rules.outside_words;
        let Some(definition) = self.definition_of(view, site.name).filter(|_| !words.is_empty()) else { return false };
        let is_one = |node: Node| view.tree.modifiers(node).iter().any(|word| words.iter().any(|one| *one == **word));
        match self.is_class(site) {
            true => view.tree.table().descendants(definition).any(|node| view.tree.is_scope(node) && is_one(node)),
            false => view.tree.name_node(definition) == Some(site.name) && is_one(definition),
        }
    }

    /// Whether the language means a member where its name is not written, by one of two names of it.
    pub(super) fn is_meant_unwritten(&self, view: &View<'_>, site: Site, names: &[&str]) -> bool {
        let rules = &view.rules.members;
        let Some(definition) = self.definition_of(view, site.name) else { return false };
        let is_called =
            || view.tree.modifiers(definition).iter().any(|word| rules.called_words.iter().any(|one| *one == **word));
        let is_type = rules.unwritten_types.contains(view.tree.table().type_id(definition));
        is_type && rules.unwritten_names.iter().any(|one| names.contains(&one.as_str()))
            || !rules.called_words.is_empty() && is_called()
    }
}
