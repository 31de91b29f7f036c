//! Members that belong to what is outside of the project: those of an implementation of a trait from there.

use super::outside::Asks;
use crate::symbols::{Resolver, Site, Value, Values, View};

/// A base outside of the project, or one that may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignBase {
    /// Its text.
    pub text: String,
    /// Whether it is known to be outside.
    pub is_known: bool,
}

impl Resolver<'_> {
    /// The base outside of the project for which a definition is written, if what is around it implements one: `Iterator` for `next` in
    /// `impl Iterator for A`.
    pub fn foreign_base_of(&self, member: Site) -> Option<ForeignBase> {
        let view = self.view(member.file)?;
        let table = view.tree.table();
        if view.rules.members.attached_bases.is_empty() {
            return None;
        }
        let definition = self.definition_of(&view, member.name)?;
        let scope = table.parent(definition)?;
        if !view.scopes.rules.members.contains(table.type_id(scope)) {
            return None;
        }
        let holder = table.parent(scope)?;
        let paths = view.rules.members.attached_bases.of(table.type_id(holder))?;
        let base = paths.iter().flat_map(|path| view.tree.reached(holder, path)).next()?;
        let values = self.nested(Values::unknown(), || self.type_values(view.file, base));
        let is_outside = |value: &Value| matches!(value, Value::External { .. } | Value::Foreign);
        let is_known_by =
            |values: &Values| values.is_complete && !values.known.is_empty() && values.known.iter().all(is_outside);
        // `Borrow<A>` is outside if `Borrow` is.
        let has_arguments = view.rules.written_types.arguments.of(table.type_id(base)).is_some();
        let head = view.tree.named_children(base).next().filter(|_| has_arguments);
        let of_head = || head.map(|head| self.nested(Values::unknown(), || self.type_values(view.file, head)));
        let is_known = is_known_by(&values) || of_head().is_some_and(|values| is_known_by(&values));
        let text = || view.tree.node_text(base).into_owned();
        self.only_class(&values).is_none().then(|| ForeignBase { text: text(), is_known })
    }

    /// The base from outside of the project that is implemented for a class and has a member, which calls might mean: `Iterator` for
    /// `count`.
    pub(super) fn attached_base_with(&self, class: Site, member: &str) -> Option<String> {
        /// How far what is implemented is from the name of a class.
        const REACH: usize = 4;
        let view = self.view(class.file)?;
        if view.rules.members.attached_bases.is_empty() {
            return None;
        }
        let word = view.tree.node_text(class.name);
        self.files_around(&view, &[&word]).into_iter().find_map(|file| {
            let other = self.view(file)?;
            let table = other.tree.table();
            other.scopes.nodes_of(&word).iter().find_map(|&node| {
                let holders = table.ancestors(node).take(REACH);
                let (holder, paths) = { holders }
                    .find_map(|holder| Some((holder, other.rules.members.attached_bases.of(table.type_id(holder))?)))?;
                let base = paths.iter().flat_map(|path| other.tree.reached(holder, path)).next()?;
                let has_it = !table.is_within(node, base)
                    && self.outside_member(&other, base, member, Asks::ByName) == Some(true);
                has_it.then(|| other.tree.node_text(base).into_owned())
            })
        })
    }

    /// The type from outside of the project that a class without a name is made of, if it has or may have a member: `new Runnable() { … }`.
    pub(super) fn base_without_class(&self, view: &View<'_>, member: Site, name: &str) -> Option<String> {
        let table = view.tree.table();
        let definition = self.definition_of(view, member.name)?;
        let scope =
            table.parent(definition).filter(|&scope| view.scopes.rules.members.contains(table.type_id(scope)))?;
        let holder = table.parent(scope).filter(|&holder| view.tree.callee(holder).is_some())?;
        let paths = view.rules.written_types.casts.of(table.type_id(holder))?;
        let base = paths.iter().flat_map(|path| view.tree.reached(holder, path)).next()?;
        let values = self.nested(Values::unknown(), || self.type_values(view.file, base));
        let is_of_project =
            values.is_complete && values.known.iter().all(Value::is_of_project) && !values.known.is_empty();
        let has_it = || self.outside_member(view, base, name, Asks::ByName) != Some(false);
        (!is_of_project && has_it()).then(|| view.tree.node_text(base).into_owned())
    }
}
