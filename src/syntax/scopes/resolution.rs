//! Resolves references to bindings.

use rustc_hash::FxHashMap;

use super::Scopes;
use super::bindings::{Names, Symbol, Use, VariableName};
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

    /// The symbol that a name in the body of a class may mean beside the one that it resolves to, which is bound there on some ways only:
    /// in a branch, in a loop, by `x += 1`, or until it is deleted.
    pub fn other_way(&self, scopes: &Scopes<'_>, found: &VariableName) -> Option<Symbol> {
        let (scope, table) = (found.scope, scopes.tree.table());
        if scope == Node::ROOT || !scopes.is_unseen(scope) || scopes.is_barrier(scope) || self.globals.contains(&scope)
        {
            return None;
        }
        let flow = &scopes.tree.language().spec().flow;
        let unbinds = |name: Node| scopes.reaches(name, &flow.unbinds).is_some();
        let updates = |name: Node| scopes.fits(name, &flow.updates).is_some();
        if unbinds(found.name) || found.does.is_binding() && !updates(found.name) {
            return None;
        }
        let here = || self.found.iter().filter(|other| other.scope == scope && other.name != found.name);
        let binders: Vec<Node> =
            here().filter(|other| other.does.is_binding() && !unbinds(other.name)).map(|other| other.name).collect();
        if binders.is_empty() && !found.does.is_binding() {
            return None;
        }
        let is_block = |node: &Node| {
            let role = scopes.tree.language().role(table.type_id(*node));
            role.body && !role.list
        };
        let block_of = |node: Node| table.ancestors(node).find(is_block);
        let is_sure = |binder: Node| {
            !scopes.binds_after(binder, found.name)
                && block_of(binder).is_none_or(|block| table.is_within(found.name, block))
                && !here().any(|other| unbinds(other.name) && other.name > binder && other.name < found.name)
        };
        let is_in_loop = |binder: Node| {
            let mut around = table.ancestors(found.name).take_while(|&node| node != scope);
            // What a loop goes through is read once.
            let is_source = |node: Node| {
                let symbols = &scopes.tree.language().spec().symbols;
                symbols.assignments.places.of(table.type_id(node)).is_some()
                    && !scopes.tree.body(node).is_some_and(|body| table.is_within(found.name, body))
            };
            around.any(|node| {
                flow.loops.contains(table.type_id(node)) && table.is_within(binder, node) && !is_source(node)
            })
        };
        let is_later = binders.iter().all(|&binder| scopes.binds_after(binder, found.name));
        let is_one = match is_later {
            true => !found.does.is_binding() && !binders.iter().any(|&binder| is_in_loop(binder)),
            false => binders.iter().any(|&binder| is_sure(binder)),
        };
        if is_one {
            return None;
        }
        let around = if scopes.rules.unseen_reads_file { Node::ROOT } else { scopes.around(scope) };
        let from = match is_later && !found.does.is_binding() {
            // It resolves to the one from outside.
            true => VariableName { does: Use::Binds, ..*self.at(*binders.first()?)? },
            false => VariableName { does: Use::Refers, scope: around, inner: around, ..*found },
        };
        self.resolve(scopes, &from)
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

    /// Where a name means a symbol and something else at once, or may, and why: a function that is declared in a block, a `var` in a
    /// `catch` with that name, the body of `with`. `same` are the names that mean the symbol.
    pub fn two_at_once(&self, names: &Names, symbol: Symbol, same: &[VariableName]) -> Option<(Node, &'static str)> {
        let table = self.tree.table();
        if let Some(crossing) = self.crossing(names).filter(|&name| same.iter().any(|found| found.name == name)) {
            return Some((crossing, "is bound both in an outer scope and in one in between"));
        }
        // A function in a block may be bound outside it.
        for leaking in names.found.iter().filter(|found| found.leaks && !self.is_strict()) {
            let mut around = leaking.scope;
            while self.rules.expressions.contains(table.type_id(around)) && around != Node::ROOT {
                around = self.around(around);
            }
            let is_beyond = |found: &&VariableName| {
                !table.is_within(found.name, leaking.scope)
                    && table.is_within(found.name, around)
                    && names.resolve(self, found).is_none_or(|other| other.scope <= around)
            };
            let involved = symbol.scope == leaking.scope || symbol.scope <= around;
            if let Some(other) = names.found.iter().find(is_beyond).filter(|_| involved) {
                return Some((other.name, "may mean a function that is declared in a block"));
            }
        }
        let is_dynamic = |found: &&VariableName| {
            let mut between = table.ancestors(found.name).take_while(|&node| node > symbol.scope);
            between.any(|node| self.rules.dynamic_scopes.contains(table.type_id(node)))
        };
        same.iter().find(is_dynamic).map(|found| (found.name, "may be a member of an object there"))
    }

    /// Whether code of this file is strict, so that a function in a block is bound in that block alone.
    fn is_strict(&self) -> bool {
        let table = self.tree.table();
        let modules = &self.tree.language().spec().symbols.module_files.statements;
        let is_word = |statement: Node| {
            let text = self.tree.node_text(statement);
            self.rules.strict_words.iter().any(|word| text.trim_matches(['"', '\'', ';']) == word.as_str())
        };
        self.tree.named_children(Node::ROOT).any(|node| modules.contains(table.type_id(node)) || is_word(node))
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
