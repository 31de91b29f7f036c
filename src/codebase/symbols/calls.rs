//! The parameters of functions, and the arguments of calls.

use super::model::{FileId, Meaning, Site, Thing, Value};
use super::resolver::{Resolver, View};
use crate::language::{ByType, Count};
use crate::tree::Node;

/// A parameter of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The whole of it.
    pub node: Node,
    /// Its name; `None` for a pattern.
    pub name: Option<String>,
    /// Whether it is the object of a method, which calls do not pass as an argument: `self`.
    pub is_receiver: bool,
    /// Whether it takes any number of arguments, or only separates others.
    pub is_rest: bool,
}

/// The parameters of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameters {
    /// The list.
    pub list: Node,
    /// Its elements, in order.
    pub all: Vec<Parameter>,
}

/// An argument of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// The whole of it.
    pub node: Node,
    /// The name of its parameter, if it has one.
    pub keyword: Option<String>,
    /// Whether it passes any number of arguments.
    pub is_spread: bool,
    /// Whether it only names or writes down a value: it can be left out, or computed at another time.
    pub is_plain: bool,
}

/// A call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallSite {
    /// The call.
    pub call: Node,
    /// The list of its arguments.
    pub list: Node,
    /// The arguments, in order.
    pub arguments: Vec<Argument>,
    /// Whether its receiver is a class.
    pub is_on_class: bool,
}

impl Resolver<'_> {
    /// The parameters of a function; `None` if it has no list of them.
    pub fn parameters(&self, function: Site) -> Option<Parameters> {
        let view = self.view(function.file)?;
        let definition = self.definition_of(&view, function.name)?;
        let value = view.tree.bound_value(definition).unwrap_or(definition);
        let list = self.list_of(&view, value, &view.tree.language().spec().params)?;
        let own = view.tree.named_children(list).filter(|&node| !view.tree.is_comment(node));
        let all = own.enumerate().map(|(at, node)| self.read_parameter(&view, node, at == 0)).collect();
        Some(Parameters { list, all })
    }

    fn read_parameter(&self, view: &View<'_>, node: Node, is_first: bool) -> Parameter {
        let table = view.tree.table();
        let is_name = |&inner: &Node| {
            view.scopes.is_identifier(inner) && view.scopes.reaches(inner, &view.scopes.rules.parameters).is_some()
        };
        let mut names = std::iter::once(node).chain(table.descendants(node)).filter(is_name);
        let first = names.next();
        let is_alone = names.all(|other| Some(other) == first);
        let text = view.tree.node_text(node);
        let is_object = first.is_some_and(|name| view.scopes.class_of_self(name).is_some());
        let is_object_type = || first.is_some_and(|name| view.scopes.rules.self_types.contains(table.type_id(name)));
        let is_named_so = || {
            let name = text.split_once(':').map_or(&*text, |(name, _)| name);
            view.rules.object_words.parameters.iter().any(|word| word == name)
        };
        let is_rest = text.starts_with('*') || text.starts_with("...") || text == "/" || text.contains("...");
        Parameter {
            node,
            name: first.filter(|_| is_alone).map(|name| view.tree.node_text(name).into_owned()),
            is_receiver: is_first && (is_object || is_object_type() || is_named_so()),
            is_rest,
        }
    }

    /// The list to which a rule leads from a node.
    fn list_of(&self, view: &View<'_>, node: Node, rules: &ByType<Count>) -> Option<Node> {
        let rule = rules.of(view.tree.table().type_id(node))?;
        let list = rule.at.iter().flat_map(|path| view.tree.reached(node, path)).next()?;
        let mut children = view.tree.table().children(list);
        let is_list = children.next().is_some_and(|first| !view.tree.table().is_named(first));
        is_list.then_some(list)
    }

    /// The call of a name; `None` if it is not what a call calls.
    pub fn call_of(&self, file: FileId, name: Node) -> Option<CallSite> {
        let view = self.view(file)?;
        let table = view.tree.table();
        let is_its = |&call: &Node| {
            let callee = self.called(&view, call);
            callee.is_some_and(|callee| callee == name || self.member_name(&view, callee) == Some(name))
        };
        let call = table.ancestors(name).take(3).find(is_its)?;
        let spec = view.tree.language().spec();
        let list = self.list_of(&view, call, &spec.args)?;
        let calls = |node: Node| spec.callees.of(table.type_id(node)).is_some();
        let own = view.tree.named_children(list).filter(|&node| !view.tree.is_comment(node));
        let arguments = own.map(|node| {
            let text = view.tree.node_text(node);
            let mut inner = table.children(node);
            let keyword = inner.find(|&child| view.scopes.fits(child, &view.scopes.rules.arguments).is_some());
            let has_effects =
                std::iter::once(node).chain(table.descendants(node)).any(|node| calls(node) || view.scopes.binds(node));
            Argument {
                node,
                keyword: keyword.map(|name| view.tree.node_text(name).into_owned()),
                is_spread: text.starts_with('*') || text.starts_with("...") || text.ends_with("..."),
                is_plain: !has_effects,
            }
        });
        let object = self.object_of(&view, name);
        let is_on_class = object.is_some_and(|object| {
            self.value(file, object).known.iter().any(|value| matches!(value, Value::Class { .. }))
        });
        Some(CallSite { call, list, arguments: arguments.collect(), is_on_class })
    }

    /// Whether several definitions with parameters have one name: overloads, declarations.
    pub fn has_overloads(&self, function: Site) -> bool {
        let Some(view) = self.view(function.file) else { return false };
        let definitions = self.binders(&view, function).into_iter().filter_map(|name| self.definition_of(&view, name));
        let lists = definitions.map(|definition| {
            let value = view.tree.bound_value(definition).unwrap_or(definition);
            self.list_of(&view, value, &view.tree.language().spec().params)
        });
        lists.flatten().count() > 1
    }

    /// Whether a constructor calls that of a base class without naming it.
    pub fn calls_bases_by_a_word(&self, file: FileId) -> bool {
        self.view(file).is_some_and(|view| view.rules.object_words.base_calls.is_empty())
    }

    /// Whether a name means a class.
    pub fn is_named_like_class(&self, file: FileId, name: Node) -> bool {
        match self.meaning(file, name) {
            Meaning::Known(things) => {
                things.iter().any(|thing| matches!(thing, Thing::Symbol(site) if self.is_class(*site)))
            }
            _ => false,
        }
    }

    /// Whether the object of a method is its class.
    pub fn is_class_method(&self, function: Site) -> bool {
        let Some(view) = self.view(function.file) else { return false };
        let Some(parameters) = self.parameters(function) else { return false };
        let first = parameters.all.first().map(|parameter| parameter.node);
        first.is_some_and(|first| view.scopes.class_of_self(first).is_some_and(|own| own.is_class))
    }
}
