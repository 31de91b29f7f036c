//! The parameters of functions, and the arguments of calls.

use super::inference::resolver::{Resolver, View};
use super::model::{Meaning, Site, Thing, Value};
use crate::language::{ByType, Count};
use crate::modules::FileId;
use crate::tree::{Node, Tree};

/// A parameter of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The whole of it.
    pub node: Node,
    /// Its name; `None` for a pattern.
    pub name: Option<String>,
    /// Its name in a declaration of several: `w` in Go's `w, h int`.
    pub among: Option<Node>,
    /// Whether it is the object of a method, which calls do not pass as an argument: `self`.
    pub is_receiver: bool,
    /// Whether it takes any number of arguments, or only separates others.
    pub is_rest: bool,
    /// Whether it only separates others: `*`.
    pub is_separator: bool,
    /// The value that it has without an argument.
    pub default: Option<Node>,
    /// The parts of it that the grammar has beside it in the list, up to the commas: the default value and the modifiers of Kotlin.
    pub beside: Vec<Node>,
}

/// The parameters of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameters {
    /// The list.
    pub list: Node,
    /// Its elements, in order, without those that only separate others and stand for no parameter: C's `void`.
    pub all: Vec<Parameter>,
    /// The end of those that no argument can name: Python's `/`.
    pub slash: Option<Node>,
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
    /// Its value.
    pub value: Node,
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
    /// Whether the arguments are written in a form that is no list: JavaScript's ``tag`a` ``.
    pub is_special: bool,
}

/// How many declarators can be around a list.
const HOPS: usize = 4;

impl Resolver<'_> {
    /// The parameters of a function; `None` if it has no list of them.
    pub fn parameters(&self, function: Site) -> Option<Parameters> {
        let view = self.view(function.file)?;
        let definition = self.definition_of(&view, function.name)?;
        let value = view.tree.bound_value(definition).unwrap_or(definition);
        let spec = view.tree.language().spec();
        let table = view.tree.table();
        let (list, rule) = self.list_of(&view, value, &spec.params)?;
        let own: Vec<Node> = view.tree.named_children(list).filter(|&node| !view.tree.is_comment(node)).collect();
        let slash = own.iter().copied().find(|&node| view.scopes.rules.positional_before.contains(table.type_id(node)));
        let is_none = |node: Node| rule.except_text.iter().any(|text| *text == *view.tree.node_text(node));
        let only = |node: Node| rule.only.contains(table.type_id(node));
        let is_beside = |&node: &Node| !only(node) && beside(view.tree, node).into_iter().any(only);
        let counted = own.into_iter().filter(|&node| Some(node) != slash && !is_none(node));
        let mut all = Vec::new();
        for (at, node) in counted.filter(|node| !is_beside(node)).enumerate() {
            let mut parameter = self.read_parameter(&view, list, node, at == 0);
            if only(node) {
                parameter.beside = beside(view.tree, node);
                let default = parameter.beside.last().copied().filter(|&last| last > node);
                parameter.default = parameter.default.or(default);
            }
            let names: Vec<Node> = rule
                .each
                .map(|field| table.children(node).filter(|&name| table.field(name) == field).collect())
                .unwrap_or_default();
            if names.len() < 2 {
                all.push(parameter);
                continue;
            }
            let one = |&name: &Node| {
                let text = view.tree.node_text(name).into_owned();
                Parameter { name: Some(text), among: Some(name), ..parameter.clone() }
            };
            all.extend(names.iter().map(one));
        }
        Some(Parameters { list, all, slash })
    }

    fn read_parameter(&self, view: &View<'_>, list: Node, node: Node, is_first: bool) -> Parameter {
        let (table, rules) = (view.tree.table(), view.scopes.rules);
        let has_places = !rules.parameters.is_empty();
        let is_name = |&inner: &Node| {
            let is_bound = match has_places {
                true => view.scopes.is_identifier(inner) && view.scopes.reaches(inner, &rules.parameters).is_some(),
                false => view.scopes.binds(inner),
            };
            // A function in a default value has parameters of its own.
            is_bound && table.is_within(list, view.scopes.around(inner))
        };
        let nodes = || std::iter::once(node).chain(table.descendants(node));
        let mut names = nodes().filter(is_name);
        let first = names.next();
        let is_alone = names.all(|other| Some(other) == first);
        let text = view.tree.node_text(node);
        let is_object = first.is_some_and(|name| view.scopes.class_of_self(name).is_some());
        let is_object_type = || match first {
            Some(name) => rules.self_types.contains(table.type_id(name)),
            None => nodes().any(|inner| rules.self_types.contains(table.type_id(inner))),
        };
        let is_named_so = || {
            let name = text.split_once(':').map_or(&*text, |(name, _)| name);
            view.rules.object_words.parameters.iter().any(|word| word == name)
        };
        let is_separator = rules.separators.contains(table.type_id(node));
        Parameter {
            node,
            name: first.filter(|_| is_alone).map(|name| view.tree.node_text(name).into_owned()),
            among: None,
            is_receiver: is_first && (is_object || is_object_type() || is_named_so()),
            is_rest: is_separator || view.is_spread(node),
            is_separator,
            default: default_of(view.tree, node),
            beside: Vec::new(),
        }
    }

    /// The list to which a rule leads from a node, and that rule: the one of C's declarator, for its function.
    pub(super) fn list_of<'r>(
        &self,
        view: &View<'_>,
        node: Node,
        rules: &'r ByType<Count>,
    ) -> Option<(Node, &'r Count)> {
        let mut node = node;
        for _ in 0..HOPS {
            let rule = rules.of(view.tree.table().type_id(node))?;
            let list = rule.at.iter().flat_map(|path| view.tree.reached(node, path)).next()?;
            if rules.of(view.tree.table().type_id(list)).is_none() {
                let mut children = view.tree.table().children(list);
                let is_list = children.next().is_some_and(|first| !view.tree.table().is_named(first));
                return is_list.then_some((list, rule));
            }
            node = list;
        }
        None
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
        let object = self.object_of(&view, name);
        // Where the place tells that a method is called on an object, a class of that name is an object, too.
        let attribute = view.scopes.fits(name, &view.scopes.rules.attributes).flatten();
        let is_method = attribute.is_some() && attribute == view.scopes.rules.method_space;
        let is_on_class = object.filter(|_| !is_method).is_some_and(|object| {
            self.value(file, object).known.iter().any(|value| matches!(value, Value::Class { .. }))
        });
        Some(CallSite { is_on_class, ..self.call_at(&view, call)? })
    }

    /// A call with its arguments.
    pub(super) fn call_at(&self, view: &View<'_>, call: Node) -> Option<CallSite> {
        let table = view.tree.table();
        let spec = view.tree.language().spec();
        let (list, rule) = self.list_of(view, call, &spec.args)?;
        let own = view.tree.named_children(list).filter(|&node| !view.tree.is_comment(node));
        let arguments = own.map(|node| {
            let mut inner = table.children(node);
            let keyword = inner.find(|&child| view.scopes.fits(child, &view.scopes.rules.arguments).is_some());
            let value = keyword.map_or(node, |_| view.tree.named_children(node).last().unwrap_or(node));
            Argument {
                node,
                keyword: keyword.map(|name| view.tree.node_text(name).into_owned()),
                is_spread: view.is_spread(node),
                value,
            }
        });
        let pairs = &view.scopes.rules.pair_arguments;
        let has_pairs = view.tree.named_children(list).any(|node| pairs.contains(table.type_id(node)));
        let is_special = rule.single.contains(table.type_id(list)) || has_pairs;
        Some(CallSite { call, list, arguments: arguments.collect(), is_on_class: false, is_special })
    }

    /// Whether a constructor calls that of a base class without naming it, in a way that is not known.
    pub fn calls_bases_by_a_word(&self, file: FileId) -> bool {
        self.view(file).is_some_and(|view| {
            view.rules.object_words.base_calls.is_empty() && view.rules.overloads.base_calls.is_empty()
        })
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

    /// Whether a method names its object before its own name, so that calls of it through its class pass the object first.
    pub fn has_object_before_name(&self, function: Site) -> bool {
        let Some(view) = self.view(function.file) else { return false };
        let receivers = &view.tree.language().spec().receivers;
        let definition = self.definition_of(&view, function.name);
        definition.is_some_and(|definition| receivers.of(view.tree.table().type_id(definition)).is_some())
            && self.attached_to(&view, function.name).is_some()
    }

    /// Whether the object of a method is its class.
    pub fn is_class_method(&self, function: Site) -> bool {
        let Some(view) = self.view(function.file) else { return false };
        let Some(parameters) = self.parameters(function) else { return false };
        let first = parameters.all.first().map(|parameter| parameter.node);
        first.is_some_and(|first| view.scopes.class_of_self(first).is_some_and(|own| own.is_class))
    }

    /// Whether a name is what a call calls.
    pub(crate) fn is_callee(&self, view: &View<'_>, name: Node) -> bool {
        let table = view.tree.table();
        let is_attribute = view.scopes.fits(name, &view.scopes.rules.attributes).is_some();
        let whole = if is_attribute { table.parent(name).unwrap_or(name) } else { name };
        table.parent(whole).is_some_and(|call| self.called(view, call) == Some(whole))
    }
}

/// The value after the sign of a parameter, or of the pattern in it.
fn default_of(tree: &Tree, parameter: Node) -> Option<Node> {
    let table = tree.table();
    let after_sign = |node: Node| {
        let sign = table.children(node).find(|&child| !table.is_named(child) && *tree.node_text(child) == *"=")?;
        table.next_sibling(sign)
    };
    after_sign(parameter).or_else(|| table.children(parameter).find_map(after_sign))
}

/// The other named children of a list around an element, up to the commas.
fn beside(tree: &Tree, node: Node) -> Vec<Node> {
    let table = tree.table();
    let comma = tree.language().spec().punctuation.comma;
    let is_its = |&sibling: &Node| Some(table.type_id(sibling)) != comma;
    let before = std::iter::successors(table.previous_sibling(node), |&sibling| table.previous_sibling(sibling));
    let after = std::iter::successors(table.next_sibling(node), |&sibling| table.next_sibling(sibling));
    let mut found: Vec<Node> = before.take_while(is_its).chain(after.take_while(is_its)).collect();
    found.retain(|&sibling| table.is_named(sibling) && !tree.is_comment(sibling));
    found.sort_unstable();
    found
}
