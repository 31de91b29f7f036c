//! Values of names in patterns that take an object apart by places: `Shape::Circle(c)`, `Some(x)`.

use super::resolver::{Resolver, View};
use crate::symbols::model::{Meaning, Site, Thing, Values};
use crate::tree::Node;

/// A name in such a pattern.
struct Opened {
    /// The pattern.
    pattern: Node,
    /// The name of what it takes apart.
    head: Node,
    /// The number of the part that the name is.
    place: usize,
}

impl Resolver<'_> {
    /// The value of a name in a pattern, by the definition of what the pattern takes apart; `None` if it is in none, or that is not known.
    pub(in crate::symbols) fn opened_value(&self, view: &View<'_>, binder: Node) -> Option<Values> {
        let opened = opened(view, binder)?;
        match self.nested(Meaning::Unknown(Vec::new()), || self.meaning(view.file, opened.head)) {
            Meaning::Known(things) => match things[..] {
                [Thing::Symbol(site)] => self.part_of(site, opened.place),
                _ => None,
            },
            _ if opened.place == 0 => self.wrapped(view, &opened),
            _ => None,
        }
    }

    /// The part of a variant or a structure with a number.
    fn part_of(&self, site: Site, place: usize) -> Option<Values> {
        let view = self.view(site.file)?;
        let definition = self.definition_of(&view, site.name)?;
        let table = view.tree.table();
        let paths = view.rules.opened.parts.of(table.type_id(definition))?;
        let written = paths.iter().flat_map(|path| view.tree.reached(definition, path)).nth(place)?;
        // A type parameter may be any type where the object is used.
        if view.scopes.is_identifier(written) {
            let Meaning::Known(things) = self.meaning(site.file, written) else { return None };
            let item = table.ancestors(definition).find(|&node| view.tree.is_scope(node)).unwrap_or(definition);
            let is_inside =
                |node: Node| table.is_within(node, definition) || item != Node::ROOT && table.is_within(node, item);
            let is_own =
                |thing: &Thing| matches!(thing, Thing::Symbol(of) if of.file == site.file && is_inside(of.name));
            if things.iter().any(is_own) {
                return None;
            }
        }
        Some(self.type_values(site.file, written))
    }

    /// The element of the container that a pattern takes apart.
    fn wrapped(&self, view: &View<'_>, opened: &Opened) -> Option<Values> {
        let rules = &view.rules.opened;
        let table = view.tree.table();
        let name = view.tree.node_text(opened.head);
        rules.wrappers.iter().find(|known| **known == *name)?;
        let mut holder = table.parent(opened.pattern)?;
        while rules.between.contains(table.type_id(holder)) {
            holder = table.parent(holder)?;
        }
        let paths = rules.subjects.of(table.type_id(holder))?;
        let subject = paths.iter().flat_map(|path| view.tree.reached(holder, path)).next()?;
        Some(self.elements(self.value(view.file, subject)))
    }
}

/// The pattern around a name.
fn opened(view: &View<'_>, binder: Node) -> Option<Opened> {
    let rules = &view.rules.opened;
    let table = view.tree.table();
    let mut part = binder;
    let mut pattern = table.parent(part)?;
    while rules.heads.of(table.type_id(pattern)).is_none() {
        if !rules.plain.contains(table.type_id(pattern)) {
            return None;
        }
        part = pattern;
        pattern = table.parent(part)?;
    }
    let paths = rules.heads.of(table.type_id(pattern))?;
    let whole = paths.iter().flat_map(|path| view.tree.reached(pattern, path)).next()?;
    // `_` is a part, too.
    let is_blank = |child: Node| rules.blank.iter().any(|blank| **blank == *view.tree.node_text(child));
    let is_part =
        |&child: &Node| child != whole && !view.tree.is_comment(child) && (table.is_named(child) || is_blank(child));
    let parts: Vec<Node> = table.children(pattern).filter(is_part).collect();
    let place = parts.iter().position(|&child| child == part)?;
    // It may be any number of parts.
    if parts[..place].iter().any(|&child| rules.rest.contains(table.type_id(child))) {
        return None;
    }
    let head = if view.scopes.is_identifier(whole) { whole } else { table.last_child(whole)? };
    view.scopes.is_identifier(head).then_some(Opened { pattern, head, place })
}
