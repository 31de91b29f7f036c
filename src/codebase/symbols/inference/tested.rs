//! Types that code has tested a name for where it is used: `if (a is A) a.x`.

use super::resolver::{Resolver, View};
use crate::symbols::model::{Meaning, MemberName, Thing, Value, Values};
use crate::tree::Node;

impl Resolver<'_> {
    /// The member of a type that an object was tested for, if the object has no other member of the name by its own type.
    pub(in crate::symbols) fn tested_member(
        &self,
        view: &View<'_>,
        object: Node,
        values: &Values,
        name: MemberName<'_>,
    ) -> Option<Meaning> {
        if !view.scopes.is_identifier(object) {
            return None;
        }
        let types = tested_types(view, object);
        let values_of = |written: &Node| self.type_values(view.file, *written);
        let found =
            Meaning::union(types.iter().map(values_of).filter(|tested| tested.is_complete).flat_map(|tested| {
                let members = tested.known.iter().map(|value| self.member_of(value, name)).collect::<Vec<Meaning>>();
                members.into_iter().filter(|member| matches!(member, Meaning::Known(_)))
            }));
        let Meaning::Known(things) = &found else { return None };
        let own = values.known.iter().map(|value| self.member_of(value, name));
        let is_other = |meaning: Meaning| match meaning {
            Meaning::Known(own) => own != *things,
            Meaning::Unknown(own) => !own.is_empty(),
            Meaning::External => true,
        };
        let is_known = values.is_complete && values.known.iter().all(|value| matches!(value, Value::Instance { .. }))
            || self.is_of_any_type(view, object);
        (is_known && !own.into_iter().any(is_other)).then_some(found)
    }

    /// Whether a variable is declared to be of the type of all objects.
    fn is_of_any_type(&self, view: &View<'_>, variable: Node) -> bool {
        let Meaning::Known(things) = self.meaning(view.file, variable) else { return false };
        let &[Thing::Symbol(site)] = things.as_slice() else { return false };
        let Some(view) = self.view(site.file) else { return false };
        let table = view.tree.table();
        let Some(holder) = table.parent(site.name) else { return false };
        let paths = view.rules.written_types.annotations.of(table.type_id(holder)).into_iter().flatten();
        let mut written = paths.flat_map(|path| view.tree.reached(holder, path));
        written.next().is_some_and(|written| {
            let text = view.tree.node_text(written);
            view.rules.type_words.any.iter().any(|word| *word == text.trim_end_matches('?'))
        })
    }
}

/// The types for which a name was tested before it is used.
fn tested_types(view: &View<'_>, name: Node) -> Vec<Node> {
    let rules = &view.rules.type_tests;
    let mut found = Vec::new();
    if rules.types.is_empty() {
        return found;
    }
    let table = view.tree.table();
    let names = view.scopes.names_like(name);
    let Some(symbol) = names.at(name).and_then(|found| names.resolve(&view.scopes, found)) else { return found };
    let is_it = |other: Node| {
        names.at(other).and_then(|found| names.resolve(&view.scopes, found)).is_some_and(|other| other.is(symbol))
    };
    let mut inner = name;
    for around in table.ancestors(name) {
        if table.fits_any(around, &rules.both) {
            let first = view.tree.named_children(around).next();
            let before = first.filter(|&first| first != inner);
            before.into_iter().for_each(|before| add_tests(view, before, &is_it, &mut found));
        }
        let conditions = rules.conditions.of(table.type_id(around)).into_iter().flatten();
        let conditions: Vec<Node> = conditions.flat_map(|path| view.tree.reached(around, path)).collect();
        if let &[condition] = conditions.as_slice()
            && condition < inner
            && !table.is_within(inner, condition)
        {
            let otherwise = |child: Node| rules.otherwise.contains(table.type_id(child)) && child < inner;
            if !table.children(around).any(otherwise) {
                let subject = table.parent(around).and_then(|switch| subject_of(view, switch));
                let is_tested = || subject.is_some_and(is_it);
                let types = rules.types.of(table.type_id(condition)).filter(|_| is_tested());
                let has_own = rules.subjects.of(table.type_id(condition)).is_some();
                let negated = is_negated(view, condition);
                let types = types.into_iter().flatten().filter(|_| !has_own && !negated);
                found.extend(types.flat_map(|path| view.tree.reached(condition, path)));
                add_tests(view, condition, &is_it, &mut found);
            }
        }
        inner = around;
    }
    found
}

/// The name that the parts of a statement test.
fn subject_of(view: &View<'_>, switch: Node) -> Option<Node> {
    let paths = view.rules.type_tests.switches.of(view.tree.table().type_id(switch))?;
    let subject = paths.iter().flat_map(|path| view.tree.reached(switch, path)).next()?;
    view.scopes.is_identifier(subject).then_some(subject)
}

fn is_negated(view: &View<'_>, test: Node) -> bool {
    let table = view.tree.table();
    table.children(test).any(|child| view.rules.type_tests.negated.contains(table.type_id(child)))
}

/// Adds the types for which a condition tests a name.
fn add_tests(view: &View<'_>, condition: Node, is_it: &dyn Fn(Node) -> bool, found: &mut Vec<Node>) {
    let rules = &view.rules.type_tests;
    let table = view.tree.table();
    let mut waiting = vec![condition];
    while let Some(node) = waiting.pop() {
        let id = table.type_id(node);
        let is_whole = table.fits_any(node, &rules.both) || view.rules.same.of(id).is_some();
        if is_whole {
            waiting.extend(view.tree.named_children(node));
            continue;
        }
        let reached = |paths: Option<&'static Vec<crate::language::Path>>| {
            paths.into_iter().flatten().flat_map(|path| view.tree.reached(node, path)).next()
        };
        if reached(rules.subjects.of(id)).is_some_and(is_it) && !is_negated(view, node) {
            found.extend(reached(rules.types.of(id)));
        }
    }
}
