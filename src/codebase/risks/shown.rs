//! Whose names are data: members of objects that are printed or written with the names of their members, data from outside that gets a
//! type, constants that are shown by their names.

use rustc_hash::FxHashSet;

use crate::language::HiddenUses;
use crate::selector::Kinds;
use crate::symbols::{Meaning, Resolver, Site, Thing, View};
use crate::text::Span;
use crate::tree::Node;

impl Resolver<'_> {
    /// The classes whose objects show or get the name of a member when they are written or read as data: its own, and those that have
    /// objects of it. There are none if nothing shows the member's name. The same for the name of a class itself.
    pub fn classes_that_show(&self, symbol: Site) -> FxHashSet<Site> {
        let mut classes = FxHashSet::default();
        let Some(view) = self.view(symbol.file) else { return classes };
        let class = match view.rules.shown.class_names && self.is_class(symbol) {
            true => Some(symbol).filter(|&class| self.is_shown(class)),
            false => self.class_of_member(symbol).filter(|&class| self.shows(&view, class, symbol)),
        };
        let Some(class) = class else { return classes };
        classes.insert(class);
        let table = view.tree.table();
        let kinds = Kinds::new(view.tree);
        let definitions: Vec<(Site, Node)> = table
            .nodes()
            .filter_map(|node| {
                let name = view.tree.name_node(node)?;
                let site = Site { file: view.file, name };
                // `type Items []A`
                let is_type = || !view.tree.is_scope(node) && kinds.is(node, "type");
                (view.tree.is_scope(node) && self.is_class(site) || is_type()).then_some((site, node))
            })
            .collect();
        loop {
            let names: Vec<String> = classes.iter().filter_map(|&class| self.name_of(class)).collect();
            let has_one = |node: Node| {
                let is_one = |&inner: &Node| {
                    view.scopes.is_identifier(inner) && names.contains(&view.tree.node_text(inner).into_owned())
                };
                table.descendants(node).any(|inner| is_one(&inner))
            };
            let before = classes.len();
            classes.extend(definitions.iter().filter(|(_, node)| has_one(*node)).map(|(site, _)| *site));
            if classes.len() == before {
                return classes;
            }
        }
    }

    /// Whether the objects of a class are written or read with the name of a member: it is a field, and nothing gives it another name.
    fn shows(&self, view: &View<'_>, class: Site, member: Site) -> bool {
        let rules = &view.rules.shown;
        if rules.calls.is_empty() && rules.printed.is_empty() && rules.data_calls.is_empty() {
            return false;
        }
        let table = view.tree.table();
        let text = view.tree.node_text(member.name);
        let definition = self.definition_of(view, member.name);
        let is_function = definition.is_some_and(|definition| {
            view.tree.is_scope(definition) && !rules.constants.contains(table.type_id(definition))
        });
        let tags = &view.rules.members.tags;
        let field = definition.or_else(|| table.parent(member.name));
        let is_tagged =
            field.is_some_and(|field| table.children(field).any(|child| tags.contains(table.type_id(child))));
        let is_hidden = view.rules.capital_exports && !text.starts_with(char::is_uppercase);
        !is_function && !is_tagged && !is_hidden && self.is_shown(class)
    }

    /// Whether the objects of a class are written or read with names.
    fn is_shown(&self, class: Site) -> bool {
        let Some(view) = self.view(class.file) else { return false };
        let rules = &view.rules.shown;
        let Some(mut definition) = self.definition_of(&view, class.name) else { return false };
        let table = view.tree.table();
        // A variant of an enum is as the enum is.
        if rules.constants.contains(table.type_id(definition)) {
            let is_class = |&node: &Node| {
                node != definition && view.tree.is_scope(node) && Kinds::new(view.tree).is(node, "class")
            };
            definition = table.ancestors(definition).find(is_class).unwrap_or(definition);
        }
        let has = |one: Node, text: &str| {
            is_in(&rules.decorators, text)
                || rules.marks.as_ref().is_some_and(|marks| marks.get().is_match(&view.tree.node_text(one)))
        };
        let is_any = rules.decorators.is_empty() && rules.types.is_empty() && rules.marks.is_none();
        let is_made = is_any
            || rules.types.contains(table.type_id(definition))
            || view.tree.decorators(definition).into_iter().any(|one| has(one, &view.tree.decorator_word(one)))
            || view.tree.base_nodes(definition).any(|base| is_in(&rules.decorators, &view.tree.node_text(base)))
            || rules.marks.as_ref().is_some_and(|marks| marks.get().is_match(&head_of(&view, definition)));
        is_made && !rules.own.iter().any(|name| self.found_member(class, name).is_some())
    }

    /// Whether an expression names a constant of one of some classes: `Color.RED`, whose text is its name.
    pub(super) fn is_constant_of(&self, view: &View<'_>, node: Node, classes: &FxHashSet<Site>) -> bool {
        let rules = &view.rules.shown;
        if rules.constants.is_empty() && rules.constant_bases.is_empty() {
            return false;
        }
        let table = view.tree.table();
        let name = self.member_name(view, node).or_else(|| {
            let is_name =
                |&inner: &Node| view.scopes.is_identifier(inner) && table.span(inner).end() == table.span(node).end();
            table.descendants(node).chain([node]).find(is_name)
        });
        let Some(Meaning::Known(things)) = name.map(|name| self.meaning(view.file, name)) else { return false };
        things.iter().any(|thing| {
            let Thing::Symbol(site) = *thing else { return false };
            let Some(class) = self.class_of_member(site).filter(|class| classes.contains(class)) else { return false };
            let Some(own) = self.view(site.file) else { return false };
            let definition = self.definition_of(&own, site.name);
            let around = definition.or_else(|| own.tree.table().parent(site.name));
            around.is_some_and(|node| rules.constants.contains(own.tree.table().type_id(node)))
                || self.view(class.file).is_some_and(|own| {
                    let class = self.definition_of(&own, class.name);
                    class.is_some_and(|class| {
                        own.tree.base_nodes(class).any(|base| is_in(&rules.constant_bases, &own.tree.node_text(base)))
                    })
                })
        })
    }
}

/// The text of a definition before its body.
fn head_of(view: &View<'_>, definition: Node) -> String {
    let span = view.tree.span(definition);
    let end = view.tree.body(definition).map_or(span.end(), |body| view.tree.span(body).start());
    view.tree.text().slice(Span::new(span.start(), end.max(span.start()))).into_owned()
}

/// The nodes around one, the nearest first, up to its statement.
pub(super) fn around_in_statement(view: &View<'_>, node: Node, reach: usize) -> Vec<Node> {
    let is_outside = |node: Node| {
        let role = view.tree.language().role(view.tree.table().type_id(node));
        node == Node::ROOT || role.section || role.body && !role.list && !role.outer_body || view.tree.is_scope(node)
    };
    view.tree.table().ancestors(node).take(reach).take_while(|&node| !is_outside(node)).collect()
}

/// Whether a text is one of some words, as a whole or by its last name.
pub(super) fn is_in(words: &[String], text: &str) -> bool {
    is_callee(words, text.split(['(', '[', '<']).next().unwrap_or(text))
}

/// Whether what is called runs a text as code: `eval`, and not `re.compile`.
pub(super) fn is_code_call(rules: &HiddenUses, callee: &str) -> bool {
    let last = callee.rsplit('.').next().unwrap_or(callee);
    let is_whole = rules.code_calls.iter().any(|word| word == callee);
    is_whole || is_callee(&rules.code_calls, callee) && !rules.plain_code_calls.iter().any(|word| word == last)
}

/// Whether what is called is one of some words, as a whole or by its last name.
pub(super) fn is_callee(words: &[String], callee: &str) -> bool {
    let last = callee.rsplit(['.', ':', '>', '\\']).next().unwrap_or(callee);
    words.iter().any(|word| word == callee || word == last)
}
