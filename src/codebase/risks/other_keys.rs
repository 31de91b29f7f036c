//! Members that a literal or the body of a class has beside those that have a name: keys in quotes, computed ones, copies of other objects.

use rustc_hash::FxHashSet;

use super::made::{Key, content};
use crate::modules::FileId;
use crate::symbols::{Resolver, Site, Value, View};
use crate::tree::Node;

/// How many literals that copy one another are looked at.
const COPIES: usize = 4;

impl Resolver<'_> {
    /// The part of the literal or class with a member that gives the objects another one with a name, or may do so if the name is in use.
    pub fn other_key(&self, member: Site, name: &str, is_in_use: bool) -> Option<Site> {
        let view = self.view(member.file)?;
        let around = literal_around(&view, member.name).or_else(|| {
            let found = view.scopes.found(member.name)?;
            view.scopes.rules.members.contains(view.tree.table().type_id(found.scope)).then_some(found.scope)
        })?;
        let key = self.key_in(&view, around, &Wanted { name, is_in_use }, COPIES)?;
        Some(Site { file: member.file, name: key })
    }

    /// The same for the class itself.
    pub fn other_key_of_class(&self, class: Site, name: &str, is_in_use: bool) -> Option<Site> {
        let view = self.view(class.file)?;
        let scope = self.class_scope(&view, class.name)?;
        let key = self.key_in(&view, scope, &Wanted { name, is_in_use }, COPIES)?;
        Some(Site { file: class.file, name: key })
    }

    /// Where a file names a member of some classes by the table of a class's members: `A.prototype.run`.
    pub fn named_in_tables(&self, file: FileId, classes: &FxHashSet<Site>, name: &str) -> Vec<Site> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let tables = &view.rules.escapes.tables;
        let is_of_table = |&&node: &&Node| {
            let table = self.object_of(&view, node).and_then(|table| self.member_name(&view, table));
            let table = table.filter(|&table| tables.iter().any(|word| *word == *view.tree.node_text(table)));
            table.and_then(|table| self.object_of(&view, table)).is_some_and(|object| {
                let is_its = |value: &Value| matches!(value, Value::Class { class, .. } if classes.contains(class));
                self.value(file, object).known.iter().any(is_its)
            })
        };
        let names = if tables.is_empty() { &[][..] } else { view.scopes.nodes_of(name) };
        names.iter().filter(is_of_table).map(|&name| Site { file, name }).collect()
    }

    /// The key of a literal, or of the body of a class, that is a name.
    fn key_in(&self, view: &View<'_>, scope: Node, wanted: &Wanted<'_>, copies: usize) -> Option<Node> {
        let table = view.tree.table();
        let rules = view.rules;
        if !rules.hidden_uses.keys_are_members {
            return None;
        }
        let is_string = |node: Node| view.tree.language().role(table.type_id(node)).string;
        let is_computed = |node: Node| rules.escapes.unnamed.contains(table.type_id(node));
        let is_literal = rules.members.literals.contains(table.type_id(scope));
        view.tree.named_children(scope).find_map(|part| {
            let mut copied = rules.escapes.copies.of(table.type_id(part)).into_iter().flatten();
            let mut copied = copied.by_ref().flat_map(|path| view.tree.reached(part, path));
            if is_literal && copied.any(|copied| self.may_copy(view, copied, wanted, copies)) {
                return Some(part);
            }
            let parts = std::iter::once(part).chain(view.tree.named_children(part));
            let mut keys = parts.filter(|&key| is_string(key) || is_computed(key) || view.scopes.is_identifier(key));
            let key = keys.next()?;
            let is_its = match (is_string(key), is_computed(key)) {
                (true, _) => content(&view.tree.node_text(key)) == wanted.name,
                (_, true) => view.tree.named_children(key).next().is_some_and(|made| self.may_make(view, made, wanted)),
                _ => is_literal && *view.tree.node_text(key) == *wanted.name,
            };
            is_its.then_some(key)
        })
    }

    /// Whether a computed key may be a name.
    fn may_make(&self, view: &View<'_>, made: Node, wanted: &Wanted<'_>) -> bool {
        let key = Key::of(view, made);
        !self.is_nameless_key(view, made) && key.may_be(wanted.name) && (wanted.is_in_use || !key.is_open())
    }

    /// Whether an object that is copied may have a member of a name.
    fn may_copy(&self, view: &View<'_>, copied: Node, wanted: &Wanted<'_>, copies: usize) -> bool {
        let values = self.value(view.file, copied);
        let is_known = |value: &Value| matches!(value, Value::Plain | Value::Instance { .. } | Value::Class { .. });
        if copies == 0 || !values.is_complete || values.known.is_empty() || !values.known.iter().all(is_known) {
            return wanted.is_in_use;
        }
        values.known.iter().any(|value| match *value {
            Value::Instance { class, .. } | Value::Class { class, .. } => {
                let other = self.view(class.file);
                let key = other.and_then(|other| {
                    let scope = self.class_scope(&other, class.name)?;
                    self.key_in(&other, scope, wanted, copies - 1)
                });
                key.is_some() || self.may_have(class, wanted.name)
            }
            _ => false,
        })
    }
}

/// The literal that has a key.
fn literal_around(view: &View<'_>, name: Node) -> Option<Node> {
    let table = view.tree.table();
    table.ancestors(name).take(2).find(|&node| view.rules.members.literals.contains(table.type_id(node)))
}

/// A name that is searched for.
struct Wanted<'a> {
    name: &'a str,
    /// Whether the project has it, so that what is not known may be it.
    is_in_use: bool,
}
