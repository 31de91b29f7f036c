//! Labels that are the name of what is around them: `return@each`, `this@Outer`.

use super::resolver::{Resolver, View};
use crate::symbols::model::{Meaning, Site, Thing};
use crate::tree::Node;

impl Resolver<'_> {
    /// The meaning of such a label: a function or a class around it, or the function that gets the lambda around it. `None` if it is none.
    pub(in crate::symbols) fn labelled(&self, view: &View<'_>, label: Node) -> Option<Meaning> {
        view.scopes.fits(label, &view.rules.constructions.labels)?;
        let table = view.tree.table();
        let text = view.tree.node_text(label);
        // One that is written is another.
        let is_written = |node: Node| {
            let written = view.tree.node_text(node);
            written.len() == text.len() + 1 && written.starts_with(&*text) && written.ends_with('@')
        };
        let labels = table.nodes().filter(|&node| table.span(node).len() == text.len() + 1);
        if { labels }.any(is_written) {
            return None;
        }
        table.ancestors(label).find_map(|around| {
            let named = view.tree.name_node(around).filter(|_| view.tree.is_scope(around));
            let called = || {
                let is_lambda = view.rules.implicit_objects.scopes.contains(table.type_id(around));
                let call = table.ancestors(around).take(3).find(|&call| view.tree.callee(call).is_some());
                let callee = call.filter(|_| is_lambda).and_then(|call| self.called(view, call))?;
                Some(self.member_name(view, callee).unwrap_or(callee))
            };
            let name = named.filter(|&name| *view.tree.node_text(name) == *text);
            let name = name.or_else(|| called().filter(|&name| *view.tree.node_text(name) == *text))?;
            Some(self.meaning(view.file, name))
        })
    }

    /// The class of which an expression is the object by a label: `this@Outer`.
    pub(in crate::symbols) fn class_of_label(&self, view: &View<'_>, expression: Node) -> Option<Site> {
        let label = view.tree.named_children(expression).next()?;
        match self.labelled(view, label)? {
            Meaning::Known(things) => match things[..] {
                [Thing::Symbol(site)] if self.is_class(site) => Some(site),
                _ => None,
            },
            _ => None,
        }
    }
}
