//! From where on a binding counts in its scope.

use crate::language::ReferenceRules;
use crate::tree::{Node, Tree};

/// The offset from which a binding counts, by the declaration that it is in; 0 for the whole scope.
pub(super) fn counts_from(tree: &Tree, rules: &ReferenceRules, name: Node, scope: Node) -> usize {
    if scope == Node::ROOT || rules.at_name.is_empty() && rules.at_end.is_empty() && rules.in_body.is_empty() {
        return 0;
    }
    let table = tree.table();
    let id = |node: Node| table.type_id(node);
    if rules.members.contains(id(scope)) || rules.unseen.contains(id(scope)) {
        return 0;
    }
    let is_declaration = |&node: &Node| {
        rules.at_name.contains(id(node)) || rules.at_end.contains(id(node)) || rules.in_body.contains(id(node))
    };
    let mut around = table.ancestors(name).take_while(|&node| node != scope);
    let Some(declaration) = around.find(is_declaration) else { return 0 };
    if rules.at_name.contains(id(declaration)) {
        return table.span(name).end();
    }
    if rules.at_end.contains(id(declaration)) {
        return table.span(declaration).end();
    }
    let body = tree.named_children(scope).last();
    let body = body.filter(|&body| rules.scopes.contains(id(body)) && !table.is_within(name, body));
    body.map_or(table.span(scope).end(), |body| table.span(body).start())
}
