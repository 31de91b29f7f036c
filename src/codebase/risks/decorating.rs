//! Decorators of the project that do nothing with the name of what they get: they call it, return it, or keep it.

use std::rc::Rc;

use crate::symbols::{Meaning, Resolver, Site, Value, View};
use crate::tree::Node;

/// The use that a function makes of its first argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Handling {
    /// It calls it with what it gets itself, or returns it.
    Calls,
    /// It keeps it somewhere, or calls it with arguments of its own choice by their names.
    Keeps,
    /// It may use its name.
    MayName,
}

impl Resolver<'_> {
    /// The use that a decorator makes of the definition that it gets.
    pub(super) fn handling(&self, view: &Rc<View<'_>>, decorator: Node) -> Handling {
        if view.rules.decorators.keepers.is_empty() {
            return Handling::MayName;
        }
        let Some(expression) = view.tree.named_children(decorator).next() else { return Handling::MayName };
        if let Some(function) = self.function_at(view, expression) {
            return self.handling_in(view, function);
        }
        let values = self.value(view.file, expression);
        if !values.is_complete || values.known.is_empty() {
            return Handling::MayName;
        }
        let of_value = |value: &Value| match *value {
            Value::Function { function, .. } => {
                let Some(view) = self.view(function.file) else { return Handling::MayName };
                self.function_node(&view, function).map_or(Handling::MayName, |node| self.handling_in(&view, node))
            }
            _ => Handling::MayName,
        };
        values.known.iter().map(of_value).max().unwrap_or(Handling::MayName)
    }

    /// The use that a function makes of its first argument.
    fn handling_in(&self, view: &View<'_>, function: Node) -> Handling {
        let table = view.tree.table();
        let list = table.children(function).find(|&child| view.tree.holds_parameters(child));
        let Some(first) = list.and_then(|list| view.tree.named_children(list).next()) else { return Handling::MayName };
        let is_its = |&node: &Node| view.scopes.is_identifier(node) && view.scopes.binds(node);
        let Some(name) = std::iter::once(first).chain(table.descendants(first)).find(is_its) else {
            return Handling::MayName;
        };
        let names = view.scopes.names(&view.tree.node_text(name));
        let Some(symbol) = names.at(name).and_then(|found| names.resolve(&view.scopes, found)) else {
            return Handling::MayName;
        };
        let uses = names.found.iter().filter(|found| {
            found.name != name && names.resolve(&view.scopes, found).is_some_and(|other| other.is(symbol))
        });
        let handled = uses.map(|found| match found.does.is_binding() {
            true => Handling::MayName,
            false => self.handling_at(view, found.name),
        });
        handled.max().unwrap_or(Handling::Calls)
    }

    /// The use of a value where a name refers to it.
    fn handling_at(&self, view: &View<'_>, name: Node) -> Handling {
        let table = view.tree.table();
        let Some(parent) = table.parent(name) else { return Handling::MayName };
        let id = table.type_id(parent);
        if view.tree.callee(parent) == Some(name) {
            return self.handling_of_call(view, parent);
        }
        let reached = |paths: Option<&'static Vec<crate::language::Path>>| {
            let mut nodes = paths.into_iter().flatten().flat_map(|path| view.tree.reached(parent, path));
            nodes.any(|node| node == name)
        };
        let is_body = view.tree.language().spec().params.of(id).is_some();
        if reached(view.rules.results.values.of(id)) || is_body {
            return Handling::Calls;
        }
        if reached(view.rules.objects.of(id)) {
            // `f.extra = 1`, `f.__name__`
            let prefix = view.scopes.rules.class_private_prefix.as_deref().unwrap_or_default();
            let member = self.member_name(view, parent).filter(|&member| member != name);
            let is_plain = member.is_some_and(|member| !view.tree.node_text(member).starts_with(prefix));
            return if is_plain { Handling::Keeps } else { Handling::MayName };
        }
        if table.ancestors(name).take(2).any(|node| view.rules.containers.contains(table.type_id(node))) {
            return Handling::Keeps;
        }
        if reached(view.rules.values.of(id)) && view.rules.assignments.places.of(id).is_some() {
            let target = view.tree.named_children(parent).next();
            let is_variable = target.is_none_or(|target| view.scopes.is_identifier(target));
            return if is_variable { Handling::MayName } else { Handling::Keeps };
        }
        let call = table.parent(parent).filter(|&call| view.tree.callee(call).is_some_and(|callee| callee != name));
        let Some(callee) = call.and_then(|call| self.called(view, call)) else { return Handling::MayName };
        let called = self.member_name(view, callee).unwrap_or(callee);
        let word = view.tree.node_text(called);
        let is_keeper = view.rules.decorators.keepers.iter().any(|known| *known == *word);
        match is_keeper && !matches!(self.meaning(view.file, called), Meaning::Known(_)) {
            true => Handling::Keeps,
            false => Handling::MayName,
        }
    }

    /// The use of a value by a call of it, which may name its arguments.
    fn handling_of_call(&self, view: &View<'_>, call: Node) -> Handling {
        let table = view.tree.table();
        let rules = view.scopes.rules;
        let arguments = table.children(call).flat_map(|list| table.children(list));
        let mut arguments = arguments.filter(|&argument| {
            let is_splat = rules.splats.contains(table.type_id(argument));
            is_splat && !self.is_passed_on_splat(view, argument)
                || table.children(argument).any(|name| view.scopes.fits(name, &rules.arguments).is_some())
        });
        if arguments.next().is_some() { Handling::Keeps } else { Handling::Calls }
    }

    /// The node of a function, which may have no name.
    pub(super) fn function_node(&self, view: &View<'_>, function: Site) -> Option<Node> {
        let own = || self.function_at(view, function.name).filter(|&node| node == function.name);
        self.definition_of(view, function.name).or_else(own)
    }
}
