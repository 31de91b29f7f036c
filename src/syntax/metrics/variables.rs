//! How many variables each function has.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::scopes::{Scopes, Use};
use crate::tree::{Node, Tree};

/// The number of variables of each function, parameters among them. A name that is bound several times in a scope counts once.
#[derive(Debug)]
pub struct Variables {
    by_function: FxHashMap<Node, usize>,
}

impl Variables {
    /// Counts the variables of all functions of a tree.
    pub fn new(tree: &Tree) -> Variables {
        let metrics = &tree.language().spec().metrics;
        let table = tree.table();
        // Some languages have data about names for projects alone.
        let has_rules = !tree.language().spec().references.scopes.is_empty();
        let scopes = if has_rules { Scopes::new(tree) } else { Scopes::with_members(tree) };
        let mut functions: FxHashMap<Node, Option<Node>> = FxHashMap::default();
        let mut function_of = |scope: Node| {
            *functions.entry(scope).or_insert_with(|| {
                let mut around = std::iter::once(scope).chain(table.ancestors(scope));
                around.find(|&node| metrics.is_function(table.type_id(node)))
            })
        };
        // The variables of each function, by their scope and name; a name that is declared to be bound elsewhere is none.
        let mut variables: FxHashMap<(Node, String), Node> = FxHashMap::default();
        let mut elsewhere: FxHashSet<(Node, String)> = FxHashSet::default();
        for name in table.nodes().filter(|&node| scopes.is_identifier(node)) {
            let Some(found) = scopes.found(name) else { continue };
            let id = table.type_id(found.scope);
            if found.does == Use::Refers || metrics.own_scopes.contains(id) || scopes.rules.members.contains(id) {
                continue;
            }
            let text = tree.node_text(name);
            if metrics.unnamed.as_ref().is_some_and(|unnamed| unnamed.get().is_match(&text)) {
                continue;
            }
            let key = (found.scope, text.into_owned());
            if !found.does.is_binding() {
                elsewhere.insert(key);
                continue;
            }
            // The name of a function is bound outside of it.
            let function = function_of(found.scope).filter(|&function| tree.name_node(function) != Some(name));
            if let Some(function) = function {
                variables.insert(key, function);
            }
        }
        let mut by_function: FxHashMap<Node, usize> = FxHashMap::default();
        for (_, function) in variables.into_iter().filter(|(key, _)| !elsewhere.contains(key)) {
            *by_function.entry(function).or_default() += 1;
        }
        Variables { by_function }
    }

    /// The number of variables of a function.
    pub fn of(&self, function: Node) -> usize {
        self.by_function.get(&function).copied().unwrap_or_default()
    }
}
