//! Receivers of which only a type from outside of the project is known: their class may be one of the project below that type.

use crate::modules::FileId;
use crate::symbols::{Resolver, Site, Value, View, has_annotation};
use crate::tree::Node;

impl Resolver<'_> {
    /// Whether the receiver of a member is a variable that is declared with a type from outside, or catches one.
    pub fn is_bounded_from_outside(&self, file: FileId, name: Node) -> bool {
        let Some(view) = self.view(file) else { return false };
        let Some(object) = self.object_of(&view, name).filter(|&object| view.scopes.is_identifier(object)) else {
            return false;
        };
        let names = view.scopes.names(&view.tree.node_text(object));
        let symbol = names.at(object).and_then(|found| names.resolve(&view.scopes, found));
        let is_its = |found: &&crate::scopes::VariableName| {
            found.does.is_binding()
                && names.resolve(&view.scopes, found).zip(symbol).is_some_and(|(one, two)| one.is(two))
        };
        let mut binders = names.found.iter().filter(is_its).map(|found| found.name);
        let is_outside = |value: &Value| matches!(value, Value::External { .. } | Value::Foreign);
        let values = || self.value(file, object);
        binders.any(|binder| has_annotation(&view, binder) || catches(&view, binder)) && {
            let known = values().known;
            !known.is_empty() && known.iter().all(is_outside)
        }
    }

    /// Whether a class is one from outside, or below one.
    pub fn has_outside_base(&self, class: Site) -> bool {
        !self.superclasses(class).1
    }
}

/// Whether a name is bound to what a statement catches.
fn catches(view: &View<'_>, binder: Node) -> bool {
    /// How far a name is from what binds it.
    const REACH: usize = 4;
    let table = view.tree.table();
    table.ancestors(binder).take(REACH).any(|holder| {
        let paths = view.rules.caught.of(table.type_id(holder)).into_iter().flatten();
        paths.flat_map(|path| view.tree.reached(holder, path)).any(|class| !table.is_within(binder, class))
    })
}
