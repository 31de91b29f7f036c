//! Places where a value becomes one of an interface that its type does not name.

use super::inference::resolver::{Resolver, View};
use super::model::{Meaning, Site, Value};
use crate::modules::FileId;
use crate::tree::Node;

/// A place where a value becomes one of an interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InterfaceUse {
    /// A parameter of a function, by its place; the last may take any number of arguments.
    Parameter {
        /// The function.
        function: Site,
        /// Its place, from 0.
        place: usize,
        /// Whether it takes all further arguments.
        is_rest: bool,
    },
    /// A field or a variable.
    Variable(Site),
    /// An expression.
    Value(Site),
}

impl Resolver<'_> {
    /// The places of a file where a value becomes one of an interface.
    pub fn uses_of_interface(&self, file: FileId, interface: Site) -> Vec<InterfaceUse> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let Some(other) = self.view(interface.file) else { return Vec::new() };
        let mut found = Vec::new();
        if !other.scopes.is_identifier(interface.name) {
            // One without a name is written where it is used.
            let own = (file == interface.file).then_some(interface.name);
            own.into_iter().for_each(|body| self.add_use(&view, body, &mut found));
            return found;
        }
        let name = other.tree.node_text(interface.name);
        let is_it = |node: Node| {
            (file, node) != (interface.file, interface.name)
                && self.meaning(file, node) == Meaning::site(interface.file, interface.name)
        };
        for &node in view.scopes.nodes_of(&name).iter().filter(|&&node| is_it(node)) {
            self.add_use(&view, node, &mut found);
        }
        found
    }

    fn add_use(&self, view: &View<'_>, written: Node, found: &mut Vec<InterfaceUse>) {
        /// How far a type is from what has it.
        const REACH: usize = 10;
        let table = view.tree.table();
        let rules = view.rules;
        if self.add_results(view, written, found) {
            return;
        }
        let value = |node: Node| InterfaceUse::Value(Site { file: view.file, name: node });
        let is_in = |node: Node| node == written || table.is_within(written, node);
        for holder in table.ancestors(written).take(REACH) {
            let id = table.type_id(holder);
            let reached = |paths: Option<&'static Vec<crate::language::Path>>| -> Vec<Node> {
                paths.into_iter().flatten().flat_map(|path| view.tree.reached(holder, path)).collect()
            };
            if let Some(callee) = self.called(view, holder).filter(|&callee| is_in(callee)) {
                found.extend(self.first_argument(view, holder, callee).map(value));
                return;
            }
            if reached(rules.written_types.casts.of(id)).into_iter().any(is_in) {
                let parts = view.tree.named_children(holder).filter(|&part| !is_in(part));
                let elements = parts.flat_map(|part| view.tree.named_children(part).collect::<Vec<Node>>());
                found.extend(elements.map(|element| value(innermost_value(view, element))));
                return;
            }
            if let Some(annotation) =
                reached(rules.written_types.annotations.of(id)).into_iter().find(|&node| is_in(node))
            {
                self.add_bindings(view, holder, annotation, found);
                return;
            }
        }
    }

    /// Adds the values that a function returns in the place of a type; whether the type is that of a result.
    fn add_results(&self, view: &View<'_>, written: Node, found: &mut Vec<InterfaceUse>) -> bool {
        /// How far a type is from the function.
        const REACH: usize = 8;
        let table = view.tree.table();
        let flow = &view.tree.language().spec().flow;
        let is_in = |node: Node| node == written || table.is_within(written, node);
        let result_of =
            |function: Node| Some((function, view.tree.return_type(function).filter(|&result| is_in(result))?));
        let Some((function, result)) = table.ancestors(written).take(REACH).find_map(result_of) else { return false };
        let parts = self.tuple_parts(view, result);
        let place = parts.as_ref().and_then(|parts| parts.iter().position(|&part| is_in(part))).unwrap_or(0);
        let count = parts.map_or(1, |parts| parts.len());
        let is_its = |&node: &Node| {
            let mut functions = table.ancestors(node).filter(|&up| flow.functions.contains(table.type_id(up)));
            flow.returns.contains(table.type_id(node)) && functions.next() == Some(function)
        };
        for node in table.descendants(function).filter(is_its) {
            let values = split_list(view, view.tree.named_children(node).collect());
            let value = values.get(place).filter(|_| values.len() == count);
            found.extend(value.map(|&name| InterfaceUse::Value(Site { file: view.file, name })));
        }
        true
    }

    /// Adds what an annotation gives a type: parameters, or fields and variables with their values.
    fn add_bindings(&self, view: &View<'_>, holder: Node, annotation: Node, found: &mut Vec<InterfaceUse>) {
        let table = view.tree.table();
        let spec = view.tree.language().spec();
        let site = |name: Node| Site { file: view.file, name };
        let function = table.ancestors(holder).take(3).find(|&up| spec.params.of(table.type_id(up)).is_some());
        if let Some(function) = function.and_then(|function| view.tree.name_node(function)).map(site)
            && let Some(parameters) = self.parameters(function)
            && parameters.all.iter().any(|parameter| parameter.node == holder)
        {
            for (place, parameter) in parameters.all.iter().enumerate().filter(|(_, one)| one.node == holder) {
                found.push(InterfaceUse::Parameter { function, place, is_rest: parameter.is_rest });
            }
            return;
        }
        let names = table.descendants(holder).filter(|&name| {
            view.scopes.is_identifier(name)
                && name != annotation
                && !table.is_within(name, annotation)
                && (view.scopes.binds(name) || view.scopes.fits(name, &view.rules.package_borders.members).is_some())
        });
        found.extend(names.map(|name| InterfaceUse::Variable(site(name))));
        let values = view.rules.values.of(table.type_id(holder)).into_iter().flatten();
        let values: Vec<Node> = values.flat_map(|path| view.tree.reached(holder, path)).collect();
        found.extend(split_list(view, values).into_iter().map(|node| InterfaceUse::Value(site(node))));
    }

    /// The value that a field or a variable gets at a use of it: as a key in a literal, or on the left of an assignment.
    pub fn value_at_use(&self, file: FileId, name: Node) -> Option<Site> {
        /// How far a name is from what gives it a value.
        const REACH: usize = 4;
        let view = self.view(file)?;
        let table = view.tree.table();
        let is_key = view.scopes.fits(name, &view.rules.made_objects.keys).is_some();
        let holder = table.ancestors(name).take(REACH).find(|&holder| {
            let gives = |child: Node| !table.is_named(child) && ["=", ":"].contains(&&*view.tree.node_text(child));
            table.children(holder).any(gives)
        })?;
        let parts: Vec<Node> = view.tree.named_children(holder).collect();
        let [left, right] = parts[..] else { return None };
        let is_left = table.is_within(name, left) || left == name;
        let values = split_list(&view, vec![right]);
        let [value] = values[..] else { return None };
        let is_whole = is_key || view.tree.node_text(left).ends_with(&*view.tree.node_text(name));
        (is_left && is_whole).then(|| Site { file, name: innermost_value(&view, value) })
    }

    /// Whether an expression may be an object of a class from outside of the project.
    pub fn may_be_from_outside(&self, value: Site) -> bool {
        let values = self.value(value.file, value.name);
        values.known.iter().any(|value| matches!(value, Value::External { .. } | Value::Foreign))
    }
}

/// The values of a list, or the value that is none.
fn split_list(view: &View<'_>, nodes: Vec<Node>) -> Vec<Node> {
    let lists = &view.rules.several_values.lists;
    let is_list = |node: Node| lists.contains(view.tree.table().type_id(node));
    nodes
        .into_iter()
        .flat_map(|node| if is_list(node) { view.tree.named_children(node).collect() } else { vec![node] })
        .collect()
}

/// The value of an element of a literal: what is after its key, without what only holds it.
fn innermost_value(view: &View<'_>, element: Node) -> Node {
    let holds = |node: Node| {
        let keys =
            view.tree.language().spec().symbols.package_borders.named_values.contains(view.tree.table().type_id(node));
        let children: Vec<Node> = view.tree.named_children(node).collect();
        let same = view.tree.span(node) == children.last().map_or(view.tree.span(node), |&last| view.tree.span(last));
        (keys || children.len() == 1 && same).then(|| children.last().copied()).flatten()
    };
    let mut value = element;
    while let Some(inner) = holds(value) {
        value = inner;
    }
    value
}
