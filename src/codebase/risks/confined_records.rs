//! Records without a name whose values stay in the variables of a function: the table of cases that a test goes through.

use crate::language::{ByType, Path};
use crate::symbols::{Resolver, View};
use crate::tree::Node;

/// How far a record is from what binds the variable.
const REACH: usize = 8;
/// How many variables and expressions a value goes through.
const DEPTH: usize = 12;

impl Resolver<'_> {
    /// Whether the values of a type without a name stay in the variables of a function, whose fields alone are used.
    pub(super) fn is_confined(&self, view: &View<'_>, record: Node) -> bool {
        let table = view.tree.table();
        let rules = view.rules;
        let mut inner = record;
        for holder in table.ancestors(record).take(REACH) {
            let id = table.type_id(holder);
            let is_function = view.tree.language().spec().params.of(id).is_some();
            let is_record = rules.members.alike_records.contains(id);
            if is_function
                || is_record
                || self.called(view, holder).is_some()
                || is_at(view, &rules.elements.keys, inner)
            {
                return false;
            }
            if rules.values.of(id).is_some() {
                let values = rules.values.of(id).into_iter().flatten().flat_map(|path| view.tree.reached(holder, path));
                let mut others = values.filter(|&value| !table.is_within(record, value));
                return others.next().is_none()
                    && has_own_elements(view, holder, record)
                    && self.binds_confined(view, holder, inner, DEPTH);
            }
            inner = holder;
        }
        false
    }

    /// Whether the only variable that a statement binds, besides those in one of its parts, keeps its value.
    fn binds_confined(&self, view: &View<'_>, statement: Node, part: Node, depth: usize) -> bool {
        let table = view.tree.table();
        let binders = table
            .descendants(statement)
            .filter(|&node| !table.is_within(node, part) && view.scopes.is_identifier(node) && view.scopes.binds(node));
        let binders: Vec<Node> = binders.collect();
        matches!(binders[..], [binder] if self.is_confined_variable(view, binder, depth))
    }

    fn is_confined_variable(&self, view: &View<'_>, binder: Node, depth: usize) -> bool {
        if depth == 0 || view.scopes.around(binder) == Node::ROOT {
            return false;
        }
        let names = view.scopes.names(&view.tree.node_text(binder));
        let Some(symbol) = names.at(binder).and_then(|found| names.resolve(&view.scopes, found)) else { return false };
        let mut uses = names.found.iter().filter(|found| {
            found.name != binder && names.resolve(&view.scopes, found).is_some_and(|other| other.is(symbol))
        });
        uses.all(|found| self.is_confined_value(view, found.name, depth - 1))
    }

    fn is_confined_value(&self, view: &View<'_>, node: Node, depth: usize) -> bool {
        let table = view.tree.table();
        let rules = view.rules;
        let Some(parent) = table.parent(node).filter(|_| depth > 0) else { return false };
        if is_at(view, &rules.objects, node) {
            return true;
        }
        if is_at(view, &rules.same, node) || is_at(view, &rules.elements.indexed, node) {
            return self.is_confined_value(view, parent, depth - 1);
        }
        if is_at(view, &rules.elements.ranges, node) {
            let binders = table.descendants(parent).filter(|&name| {
                !table.is_within(name, node) && view.scopes.is_identifier(name) && view.scopes.binds(name)
            });
            // The first one is the key.
            let mut elements = binders.skip(usize::from(rules.elements.range_keys));
            return elements.all(|element| self.is_confined_variable(view, element, depth - 1));
        }
        if is_at(view, &rules.values, node) {
            return self.binds_confined(view, parent, node, depth - 1);
        }
        let call = table.parent(parent).filter(|_| table.is_named(parent));
        let callee = call.and_then(|call| self.called(view, call)).filter(|&callee| callee != parent);
        callee.is_some_and(|callee| {
            let text = view.tree.node_text(callee);
            rules.known_calls.plain.iter().any(|word| *word == *text)
        })
    }
}

/// Whether what a literal with elements of a type has are values that are written in it, and not some of other types.
fn has_own_elements(view: &View<'_>, statement: Node, record: Node) -> bool {
    let table = view.tree.table();
    let rules = view.rules;
    let is_body = |node: Node| rules.made_objects.bodies.contains(table.type_id(node));
    let around = || table.ancestors(record).take_while(|&around| around != statement);
    let containers = around().filter(|&around| rules.elements.types.of(table.type_id(around)).is_some()).count();
    let body = table.descendants(statement).find(|&node| is_body(node) && !table.is_within(node, record));
    let is_own = |element: Node| {
        let mut node = Some(element);
        while let Some(next) = node.filter(|&next| !is_body(next)) {
            let is_other = rules.written_types.casts.of(table.type_id(next)).is_some()
                || rules.made_objects.creations.of(table.type_id(next)).is_some();
            node = if is_other { None } else { view.tree.named_children(next).last() };
        }
        node.is_some()
    };
    match (containers, body) {
        (_, None) | (0, _) => true,
        (1, Some(body)) => view.tree.named_children(body).filter(|&child| !view.tree.is_comment(child)).all(is_own),
        _ => false,
    }
}

/// Whether a node is at one of the places that are given for the type of its parent.
fn is_at(view: &View<'_>, places: &ByType<Vec<Path>>, node: Node) -> bool {
    let table = view.tree.table();
    let Some(parent) = table.parent(node) else { return false };
    let paths = places.of(table.type_id(parent)).into_iter().flatten();
    paths.flat_map(|path| view.tree.reached(parent, path)).any(|part| part == node)
}
