//! Classes without a name: `new T() { … }`, `object : T { … }`.

use super::resolver::{Resolver, View};
use crate::modules::FileId;
use crate::symbols::model::Site;
use crate::tree::Node;

impl Resolver<'_> {
    /// The class around a member that has a body of its own, as a constant of an enum, by that body.
    pub(in crate::symbols) fn class_of_body(&self, view: &View<'_>, body: Node) -> Option<Site> {
        let table = view.tree.table();
        let is_variant = |&node: &Node| {
            let id = table.type_id(node);
            view.rules.members.variants.contains(id) && !view.rules.classes.contains(id)
        };
        let holder = Some(body).filter(is_variant).or_else(|| table.parent(body).filter(is_variant))?;
        let around = table.ancestors(holder).find(|&node| is_body(view, node))?;
        self.class_at(view, around)
    }

    /// The bodies of the members of a class that have one of their own.
    pub fn bodies_of_variants(&self, class: Site) -> Vec<Site> {
        let Some(view) = self.view(class.file) else { return Vec::new() };
        let scope = self.class_scope(&view, class.name).filter(|_| !view.rules.members.variants.is_empty());
        let Some(scope) = scope else { return Vec::new() };
        let table = view.tree.table();
        let bodies = table.descendants(scope).filter(|&node| node != scope && is_body(&view, node));
        let own = bodies.filter(|&body| self.class_of_body(&view, body) == Some(class));
        own.map(|name| Site { file: class.file, name }).collect()
    }

    /// The class without a name that extends the type at a node, known by its body.
    pub(in crate::symbols) fn anonymous_class_of(&self, file: FileId, base: Node) -> Option<Site> {
        /// How deep the name of a base is in what makes an object of the class.
        const REACH: usize = 8;
        let view = self.view(file)?;
        let table = view.tree.table();
        table.ancestors(base).take(REACH).find_map(|holder| {
            let id = table.type_id(holder);
            let casts = view.rules.written_types.casts.of(id).into_iter().flatten();
            let creations = view.rules.made_objects.creations.of(id).into_iter().flatten();
            let mut written = casts.chain(creations).flat_map(|path| view.tree.reached(holder, path));
            let is_base = written.any(|written| table.is_within(base, written))
                || view.tree.base_nodes(holder).any(|written| table.is_within(base, written));
            let name = view.tree.name_node(holder).filter(|&name| !table.is_within(base, name));
            if !is_base || name.is_some_and(|name| self.class_scope(&view, name).is_some()) {
                return None;
            }
            let own = Some(holder).filter(|&holder| is_body(&view, holder));
            let body = own.or_else(|| table.children(holder).find(|&child| is_body(&view, child)))?;
            // Not what is inside the arguments.
            (!table.is_within(base, body) || body == holder).then_some(Site { file, name: body })
        })
    }
}

/// Whether a node is a scope of members.
fn is_body(view: &View<'_>, node: Node) -> bool {
    view.scopes.rules.members.contains(view.tree.table().type_id(node)) && view.scopes.is_scope(node)
}
