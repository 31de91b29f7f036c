//! Keys that are numbers, and so never the name of a member: `items[i + 1]`.

use crate::symbols::{Meaning, Resolver, Thing, View};
use crate::tree::Node;

/// How many steps lead from an expression to the numbers that it is made of.
const DEPTH: usize = 6;

impl Resolver<'_> {
    /// Whether an expression is always a number.
    pub(super) fn is_number(&self, view: &View<'_>, node: Node) -> bool {
        self.is_number_within(view, node, DEPTH)
    }

    fn is_number_within(&self, view: &View<'_>, node: Node, depth: usize) -> bool {
        let rules = &view.rules.hidden_uses;
        let table = view.tree.table();
        if rules.numbers.is_empty() || depth == 0 {
            return false;
        }
        if table.fits_any(node, &rules.numbers) {
            return true;
        }
        let mut parts = view.tree.named_children(node);
        if view.rules.escapes.groups.contains(table.type_id(node)) {
            return parts.next().is_some_and(|inner| self.is_number_within(view, inner, depth - 1));
        }
        if table.fits_any(node, &rules.number_sums) {
            return parts.all(|part| self.is_number_within(view, part, depth - 1));
        }
        if let Some(name) = self.member_name(view, node) {
            let text = view.tree.node_text(name);
            return view.rules.escapes.counts.iter().any(|word| *word == *text)
                && !matches!(self.meaning(view.file, name), Meaning::Known(_));
        }
        view.scopes.is_identifier(node) && self.is_number_variable(view, node, depth - 1)
    }

    /// Whether a variable of the file gets numbers alone.
    fn is_number_variable(&self, view: &View<'_>, name: Node, depth: usize) -> bool {
        let Meaning::Known(things) = self.meaning(view.file, name) else { return false };
        let [Thing::Symbol(site)] = things.as_slice() else { return false };
        let names = view.scopes.names(&view.tree.node_text(name));
        let Some(symbol) = names.at(site.name).and_then(|found| names.resolve(&view.scopes, found)) else {
            return false;
        };
        if site.file != view.file {
            return false;
        }
        let mut uses =
            names.found.iter().filter(|found| names.resolve(&view.scopes, found).is_some_and(|other| other.is(symbol)));
        uses.all(|found| {
            let is_set = found.does.is_binding() || self.is_written(view.file, found.name);
            !is_set || self.gets_number(view, found.name, depth)
        })
    }

    /// Whether a name gets a number where it is bound or written.
    fn gets_number(&self, view: &View<'_>, name: Node, depth: usize) -> bool {
        let rules = &view.rules.hidden_uses;
        let table = view.tree.table();
        let Some(holder) = table.parent(name) else { return false };
        let id = table.type_id(holder);
        let first = |paths: Option<&'static Vec<crate::language::Path>>| {
            paths.into_iter().flatten().flat_map(|path| view.tree.reached(holder, path)).next()
        };
        if let Some(written) = first(view.rules.written_types.annotations.of(id)) {
            let text = view.tree.node_text(written);
            return rules.number_types.iter().any(|known| *known == *text.trim_start_matches([':', ' ']));
        }
        if table.fits_any(holder, &rules.numbers) {
            return true;
        }
        let scopes = &view.scopes;
        // What a parameter or a pattern is by default is not all that it may be.
        if scopes.reaches(name, &scopes.rules.parameters).is_some()
            || scopes.fits(name, &scopes.rules.patterns).is_some()
        {
            return false;
        }
        if view.rules.values.of(id).is_none()
            && view.scopes.reaches(name, &view.tree.language().spec().flow.updates).is_none()
        {
            return false;
        }
        let parts: Vec<Node> = view.tree.named_children(holder).collect();
        match parts[..] {
            // It has no value before it gets one.
            [only] => only == name && !self.is_written(view.file, name),
            [first, value] => first == name && self.is_number_within(view, value, depth),
            _ => false,
        }
    }
}
