//! Resolves references to bindings.

use rustc_hash::FxHashMap;

use super::Scopes;
use super::bindings::{Names, Symbol, VariableName};
use crate::language::Spaces;
use crate::tree::Node;

impl Names {
    /// The symbol that a name refers to.
    pub fn resolve(&self, scopes: &Scopes<'_>, found: &VariableName) -> Option<Symbol> {
        let file = Symbol { scope: Node::ROOT, spaces: Spaces::ALL, from: 0, is_mixed: false };
        let mut at = found.scope;
        // The body of a class runs from top to bottom: a name that it binds only further down is one from outside until then.
        let is_left = at != Node::ROOT
            && scopes.is_unseen(at)
            && !found.does.is_binding()
            && self.is_bound_later(scopes, at, found);
        if is_left {
            at = if scopes.rules.unseen_reads_file { Node::ROOT } else { scopes.around(at) };
        }
        loop {
            scopes.count(1);
            if at != Node::ROOT && self.globals.contains(&at) {
                return Some(file);
            }
            let is_own = !is_left && at == found.scope && (found.does.is_binding() || !scopes.is_sealed(at));
            let is_seen = is_own || !scopes.is_unseen(at);
            if is_seen
                && (at == Node::ROOT || !self.outers.contains(&at))
                && let Some(symbol) = self.bound(at, found)
            {
                return Some(symbol);
            }
            if at == Node::ROOT {
                // Bound only from inside a function.
                return self.has_global.then_some(file);
            }
            if scopes.is_barrier(at) && !self.goes_through(scopes, found) {
                return None;
            }
            at = scopes.around(at);
        }
    }

    /// Whether a name is looked up beyond the module around it.
    fn goes_through(&self, scopes: &Scopes<'_>, found: &VariableName) -> bool {
        let is_known = |other: &VariableName| {
            other.does.is_binding() && scopes.fits(other.name, &scopes.rules.known_behind).is_some()
        };
        scopes.rules.through_barriers.is_some_and(|spaces| found.spaces.meets(spaces))
            || self.found.iter().any(is_known)
    }

    /// Whether a scope binds the name, and only after a place in it has been evaluated.
    fn is_bound_later(&self, scopes: &Scopes<'_>, scope: Node, found: &VariableName) -> bool {
        let mut binders = self.found.iter().filter(|other| other.does.is_binding() && other.scope == scope).peekable();
        binders.peek().is_some() && binders.all(|binder| scopes.binds_after(binder.name, found.name))
    }

    /// All of the names that mean a symbol. Each is resolved once, however often this is asked.
    pub fn meaning(&self, scopes: &Scopes<'_>, symbol: Symbol) -> impl Iterator<Item = &VariableName> {
        let resolved = self.resolved.get_or_init(|| {
            let mut resolved: FxHashMap<Node, Vec<(Symbol, usize)>> = FxHashMap::default();
            for (place, found) in self.found.iter().enumerate() {
                if let Some(symbol) = self.resolve(scopes, found) {
                    resolved.entry(symbol.scope).or_default().push((symbol, place));
                }
            }
            resolved
        });
        let of_scope = resolved.get(&symbol.scope).into_iter().flatten();
        of_scope.filter(move |(other, _)| other.is(symbol)).map(|&(_, place)| &self.found[place])
    }

    /// The names that refer to a symbol, and do not bind it.
    pub fn references(&self, scopes: &Scopes<'_>, symbol: Symbol) -> impl Iterator<Item = &VariableName> {
        self.meaning(scopes, symbol).filter(|found| !found.does.is_binding())
    }

    /// The names that bind a symbol.
    pub fn binders(&self, scopes: &Scopes<'_>, symbol: Symbol) -> impl Iterator<Item = &VariableName> {
        self.meaning(scopes, symbol).filter(|found| found.does.is_binding())
    }
}

impl Scopes<'_> {
    /// Whether what a name binds counts only after another name has been read: in `a = f(a)`, the first `a` after the second.
    pub fn binds_after(&self, binder: Node, read: Node) -> bool {
        /// How far a name is from what binds it.
        const REACH: usize = 6;
        let table = self.tree.table();
        let rules = &self.tree.language().spec().symbols;
        // `a, b = f(a)`: the statement binds, not the pattern that begins with the name.
        let is_assigned = |&node: &Node| {
            let places = rules.assignments.places.of(table.type_id(node)).into_iter().flatten();
            places.flat_map(|path| self.tree.reached(node, path)).any(|place| table.is_within(binder, place))
        };
        let is_named = |&node: &Node| self.tree.name_node(node) == Some(binder);
        let around = || table.ancestors(binder).take(REACH);
        let Some(statement) = around().find(is_assigned).or_else(|| around().find(is_named)) else {
            return binder > read;
        };
        let values = rules.values.of(table.type_id(statement)).into_iter().flatten();
        let has_value = || values.flat_map(|path| self.tree.reached(statement, path)).next().is_some();
        let annotation = rules.written_types.annotations.of(table.type_id(statement)).into_iter().flatten();
        let has_annotation = annotation.flat_map(|path| self.tree.reached(statement, path)).next().is_some();
        if has_annotation && !has_value() {
            // `a: int` alone gives `a` no value.
            return true;
        }
        match table.is_within(read, statement) {
            true => !self.tree.body(statement).is_some_and(|body| table.is_within(read, body)),
            false => statement > read,
        }
    }

    /// The symbol of a name, and the only name that binds it; `None` if there is not exactly one.
    pub fn only_binder(&self, name: Node) -> Option<(Symbol, VariableName)> {
        let names = self.names_like(name);
        let symbol = names.resolve(self, names.at(name)?)?;
        let mut binders = names.binders(self, symbol);
        let only = *binders.next()?;
        binders.next().is_none().then_some((symbol, only))
    }

    /// A binding that passes through a scope with a binding of its own: a `var` in a `catch` with that name.
    pub fn crossing(&self, names: &Names) -> Option<Node> {
        let crosses = |found: &&VariableName| {
            let mut at = found.inner;
            while at != found.scope && at != Node::ROOT {
                if names.is_bound_in(at, found.spaces) {
                    return true;
                }
                at = self.around(at);
            }
            false
        };
        names.found.iter().find(crosses).map(|found| found.name)
    }
}
