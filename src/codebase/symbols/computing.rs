//! Expressions that only give a value: nothing else happens when they are computed.

use super::inference::rebound::has_annotation;
use super::inference::resolver::{Resolver, View};
use super::model::{Meaning, Thing};
use crate::modules::FileId;
use crate::selector::Kinds;
use crate::tree::{Node, Tree};

/// Kinds of nodes that call something, or leave the function for a while.
const ACTING: &[&str] = &["call", "yield", "await"];

impl Resolver<'_> {
    /// Whether an expression of a file only gives a value: it changes nothing, calls nothing and does not fail.
    pub fn is_quiet(&self, file: FileId, expression: Node) -> bool {
        self.view(file).is_some_and(|view| self.first_action(&view, expression).is_none())
    }

    /// Whether a name certainly has one value: it means a function, a class, a module or a constant.
    pub fn is_fixed(&self, file: FileId, name: Node) -> bool {
        let Meaning::Known(things) = self.meaning(file, name) else { return false };
        things.iter().all(|thing| {
            let Thing::Symbol(site) = *thing else { return true };
            self.view(site.file).is_some_and(|view| {
                let (tree, table) = (view.tree, view.tree.table());
                let constants = &tree.language().spec().flow.untyped;
                let is_constant =
                    table.parent(site.name).is_some_and(|holder| constants.contains(table.type_id(holder)));
                is_constant || self.definition_of(&view, site.name).is_some_and(|definition| tree.is_scope(definition))
            })
        })
    }

    /// The first part of an expression that may change something, fail, or call something.
    fn first_action(&self, view: &View<'_>, expression: Node) -> Option<Node> {
        let (tree, table) = (view.tree, view.tree.table());
        let flow = &tree.language().spec().flow;
        let kinds = Kinds::new(tree);
        let mut at = expression.index();
        while at < table.subtree_end(expression) {
            let node = table.range(at, at + 1).next()?;
            at += 1;
            if !table.is_named(node) {
                continue;
            }
            let id = table.type_id(node);
            let is_later = kinds.is(node, "lambda") || flow.functions.contains(id) && tree.is_scope(node);
            if is_later || tree.is_comment(node) || is_type_of(tree, node) {
                at = table.subtree_end(node);
            } else if view.scopes.is_identifier(node) {
                if !self.is_quiet_name(view, node) {
                    return Some(node);
                }
                at = table.subtree_end(node);
            } else if !self.is_quiet_node(view, &kinds, node) {
                return Some(node);
            }
        }
        None
    }

    /// Whether a node does nothing by itself.
    fn is_quiet_node(&self, view: &View<'_>, kinds: &Kinds<'_>, node: Node) -> bool {
        let (tree, table) = (view.tree, view.tree.table());
        let spec = tree.language().spec();
        let id = table.type_id(node);
        if ACTING.iter().any(|kind| kinds.is(node, kind))
            || spec.callees.of(id).is_some()
            || spec.flow.exits.contains(id)
        {
            return false;
        }
        tree.named_children(node).next().is_none()
            || table.fits_any(node, &spec.flow.quiet)
            || view.rules.objects.of(id).is_some() && self.member_name(view, node).is_some()
    }

    /// Whether reading a name does nothing.
    fn is_quiet_name(&self, view: &View<'_>, name: Node) -> bool {
        let table = view.tree.table();
        let flow = &view.tree.language().spec().flow;
        let is_member = view.scopes.fits(name, &view.scopes.rules.attributes).is_some();
        if !is_member && view.scopes.classify(name).is_none() {
            return true;
        }
        // Where a member is only data, it does not matter which one it is.
        let access = table.parent(name).filter(|_| is_member);
        if access.is_some_and(|access| table.fits_any(access, &flow.quiet)) {
            return true;
        }
        match self.meaning(view.file, name) {
            Meaning::Known(things) => things.iter().all(|thing| self.is_quiet_thing(*thing, is_member)),
            Meaning::External => !flow.names_call || !is_member,
            Meaning::Unknown(_) => false,
        }
    }

    /// Whether reading a symbol calls nothing.
    fn is_quiet_thing(&self, thing: Thing, is_member: bool) -> bool {
        let Thing::Symbol(site) = thing else { return true };
        let Some(view) = self.view(site.file) else { return false };
        let (tree, table) = (view.tree, view.tree.table());
        let flow = &tree.language().spec().flow;
        // A variable is read as it is, unless its name alone is a call.
        if !flow.names_call && !is_member && self.class_of_member(site).is_none() {
            return true;
        }
        let role = |node: Node| tree.language().role(table.type_id(node));
        let has_code = |node: Node| tree.named_children(node).any(|part| !role(part).modifier);
        let runs = |node: Node| flow.getters.contains(table.type_id(node)) && has_code(node);
        // The name, and what declares it in its definition.
        let mut holders = table.ancestors(site.name).take(2).take_while(|&holder| !role(holder).body);
        if holders.any(|holder| table.range(holder.index(), table.subtree_end(holder)).any(runs)) {
            return false;
        }
        let Some(definition) = self.definition_of(&view, site.name) else { return true };
        let is_property = !flow.getters.is_empty() && !self.is_function(&view, definition);
        if is_property || !tree.is_scope(definition) {
            // An object that is an attribute of a class may say what is read there.
            let is_in_class = view.scopes.rules.members.contains(table.type_id(view.scopes.around(site.name)));
            let is_made = || tree.named_children(definition).any(|value| tree.callee(value).is_some());
            let has_getter = is_in_class && !has_annotation(&view, site.name) && is_made();
            return view.rules.members.getters.is_empty() || !has_getter;
        }
        if self.is_class(site) {
            return true;
        }
        let is_one_of = |words: &[String], word: &str| words.iter().any(|known| known == word);
        let is_getter = tree.modifiers(definition).iter().any(|word| is_one_of(&flow.getter_words, word));
        let rules = &view.rules.decorators;
        let is_plain = |decorator: Node| {
            let word = tree.decorator_word(decorator);
            is_one_of(&rules.plain, &word) || is_one_of(&rules.class_methods, &word)
        };
        self.is_function(&view, definition)
            && !flow.names_call
            && !is_getter
            && tree.decorators(definition).into_iter().all(is_plain)
    }
}

/// Whether a node is the type that the expression around it writes: in a cast.
fn is_type_of(tree: &Tree, node: Node) -> bool {
    let table = tree.table();
    let Some(parent) = table.parent(node) else { return false };
    let paths = tree.language().spec().flow.value_types.of(table.type_id(parent));
    paths.is_some_and(|paths| paths.iter().any(|path| tree.reached(parent, path).contains(&node)))
}
