//! Variables that hold a value itself, not a reference to it: a part of such a value changes with the variable alone.

use super::analysis::{Flow, Variable};
use super::types::Shown;
use crate::tree::Node;

impl Flow<'_> {
    /// The variables that are used in some nodes, each once, in the order of their first use. Where a variable holds a value itself, a change
    /// of a part of it reads and writes it.
    pub(crate) fn variables(&self, nodes: impl Iterator<Item = Node>) -> Vec<Variable> {
        let mut all = self.plain_variables(nodes);
        all.iter_mut().for_each(|variable| self.mark_changed_parts(variable));
        all
    }

    /// Counts what changes a part of a variable's own value as a place that reads and writes the variable.
    fn mark_changed_parts(&self, variable: &mut Variable) {
        if self.rules.shared_types.is_empty() {
            return;
        }
        let is_view =
            |node: Node| self.tree.table().parent(node).is_some_and(|parent| self.is(parent, &self.rules.part_views));
        if !variable.uses.iter().any(|one| !one.writes && (self.changes_part(one.node) || is_view(one.node))) {
            return;
        }
        let shown = self.variable_type(variable);
        if shown.as_ref().is_some_and(|shown| self.is_shared(shown)) {
            return;
        }
        let changes = |node: Node| self.changes_part(node) || shown.is_some() && is_view(node);
        for one in variable.uses.iter_mut().filter(|one| !one.writes && changes(one.node)) {
            (one.reads, one.writes) = (true, true);
        }
    }

    /// Whether a place may change a part of what a name means: `p` in `p.x = 1`, `p[0]++`, `&p.x`, `p.move()`.
    fn changes_part(&self, node: Node) -> bool {
        let (tree, table, rules) = (self.tree, self.tree.table(), self.rules);
        let mut part = node;
        while let Some(parent) = table.parent(part) {
            let is_base = self.is(parent, &rules.states) && tree.named_children(parent).next() == Some(part);
            if !is_base {
                break;
            }
            part = parent;
        }
        if part == node {
            return false;
        }
        let is_called = || {
            table
                .parent(part)
                .is_some_and(|parent| tree.callee(parent).is_some() && tree.named_children(parent).next() == Some(part))
        };
        let reaches = |places| self.scopes.reaches(part, places).is_some();
        reaches(&rules.writes) || reaches(&rules.updates) || is_called()
    }

    /// Whether copies of a value of a type refer to the same: a pointer, a slice, an interface.
    fn is_shared(&self, shown: &Shown) -> bool {
        let is_known = |text: &str| {
            self.rules.shared_types.iter().any(|known| match known.strip_suffix('…') {
                Some(start) => text.starts_with(start),
                None => text == known,
            })
        };
        if is_known(&shown.text) {
            return true;
        }
        let Some(node) = shown.node.filter(|&node| self.tree.node_text(node) == shown.text) else { return false };
        self.plain_variables(std::iter::once(node)).iter().any(|name| self.is_shared_declaration(name))
    }

    /// Whether a type that the file declares is one of these.
    fn is_shared_declaration(&self, name: &Variable) -> bool {
        let table = self.tree.table();
        let mut declared = name.uses.iter().filter(|one| one.binds).filter_map(|one| table.parent(one.node));
        declared.any(|parent| table.children(parent).any(|child| self.is(child, &self.rules.shared_declarations)))
    }
}
