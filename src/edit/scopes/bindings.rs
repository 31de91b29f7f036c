//! The variables of one text: what binds them in which scope, and which binding a reference means.

use std::cell::OnceCell;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Scopes;
use crate::language::Spaces;
use crate::tree::Node;

/// What a name does where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Binds,
    Imports,
    Refers,
    /// Says that the name is the file's own.
    Global,
    /// Says that the name is one of a scope around.
    Outer,
}

impl Use {
    pub(super) fn is_binding(self) -> bool {
        matches!(self, Use::Binds | Use::Imports)
    }
}

/// A variable's name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub(super) name: Node,
    pub(super) does: Use,
    pub(super) spaces: Spaces,
    /// The nearest scope around it.
    pub(super) inner: Node,
    /// The scope that it is looked up from, or bound in.
    pub(super) scope: Node,
    /// Where its place is in the text, and from where on it binds.
    pub(super) at: usize,
    pub(super) from: usize,
    /// Whether it may bind around its block too.
    pub(super) leaks: bool,
    /// Whether it binds in a scope of its own around its scope.
    pub(super) is_own: bool,
}

/// The scope and the name spaces of a binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Symbol {
    pub(super) scope: Node,
    pub(super) spaces: Spaces,
    /// Whether the reference may mean another binding of the scope as well.
    pub(super) is_mixed: bool,
}

impl Found {
    /// Whether an import binds it.
    pub(super) fn is_import(self) -> bool {
        self.does == Use::Imports
    }
}

impl Symbol {
    pub(super) fn is(self, other: Symbol) -> bool {
        self.scope == other.scope && self.spaces.meets(other.spaces)
    }
}

/// All that one name is bound to in a scope's name spaces.
#[derive(Debug, Clone, Copy)]
struct Binding {
    spaces: Spaces,
    from: usize,
}

/// The variables of a text.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) found: Vec<Found>,
    bindings: FxHashMap<Node, Vec<Binding>>,
    globals: FxHashSet<Node>,
    outers: FxHashSet<Node>,
    /// Whether a scope binds the file's name.
    has_global: bool,
    places: FxHashMap<Node, usize>,
    tally: OnceCell<FxHashMap<Node, Vec<Tally>>>,
}

/// How often a symbol is bound, and the first name that does.
#[derive(Debug, Clone, Copy)]
struct Tally {
    symbol: Symbol,
    times: usize,
    first: Found,
}

impl Names {
    /// The names of a text. Names of one scope in `shared` spaces are one symbol.
    pub(super) fn new(found: Vec<Found>, shared: Option<Spaces>) -> Names {
        let places = found.iter().enumerate().map(|(place, found)| (found.name, place)).collect();
        let mut names = Names { found, places, ..Names::default() };
        for found in &names.found {
            match found.does {
                Use::Global => _ = names.globals.insert(found.scope),
                Use::Outer => _ = names.outers.insert(found.scope),
                Use::Refers => {}
                Use::Binds | Use::Imports => {
                    let bindings = names.bindings.entry(found.scope).or_default();
                    let mut binding = Binding { spaces: found.spaces, from: found.from };
                    let is_shared = |spaces: Spaces| shared.is_some_and(|shared| shared.meets(spaces));
                    // Those that share a space are one.
                    bindings.retain(|other| {
                        let meets =
                            other.spaces.meets(binding.spaces) || is_shared(other.spaces) && is_shared(binding.spaces);
                        if meets {
                            binding.spaces = binding.spaces.union(other.spaces);
                            binding.from = binding.from.min(other.from);
                        }
                        !meets
                    });
                    bindings.push(binding);
                }
            }
        }
        names.has_global = names.globals.iter().any(|scope| names.bindings.contains_key(scope));
        names
    }

    /// The symbol that a name means.
    pub(super) fn resolve(&self, scopes: &Scopes<'_>, found: &Found) -> Option<Symbol> {
        let file = Symbol { scope: Node::ROOT, spaces: Spaces::ALL, is_mixed: false };
        let mut at = found.scope;
        loop {
            scopes.count(1);
            if at != Node::ROOT && self.globals.contains(&at) {
                return Some(file);
            }
            let is_seen = at == found.scope || !scopes.is_unseen(at);
            if is_seen
                && (at == Node::ROOT || !self.outers.contains(&at))
                && let Some(symbol) = self.bound(at, found)
            {
                return Some(symbol);
            }
            if at == Node::ROOT {
                // Bound from inside of a function alone.
                return self.has_global.then_some(file);
            }
            at = scopes.around(at);
        }
    }

    /// The variable that a node is.
    pub(super) fn at(&self, name: Node) -> Option<&Found> {
        self.places.get(&name).map(|&place| &self.found[place])
    }

    /// The name that binds a symbol, where there is just one.
    fn only_binder(&self, scopes: &Scopes<'_>, symbol: Symbol) -> Option<Found> {
        let tally = self.tally.get_or_init(|| {
            let mut tally: FxHashMap<Node, Vec<Tally>> = FxHashMap::default();
            for &first in self.found.iter().filter(|found| found.does.is_binding()) {
                let Some(symbol) = self.resolve(scopes, &first) else { continue };
                let symbols = tally.entry(symbol.scope).or_default();
                match symbols.iter_mut().find(|other| other.symbol.is(symbol)) {
                    Some(other) => other.times += 1,
                    None => symbols.push(Tally { symbol, times: 1, first }),
                }
            }
            tally
        });
        let tally = tally.get(&symbol.scope)?.iter().find(|tally| tally.symbol.is(symbol))?;
        (tally.times == 1).then_some(tally.first)
    }

    /// What a scope binds for a name.
    fn bound(&self, scope: Node, found: &Found) -> Option<Symbol> {
        let counts = |binding: &&Binding| {
            binding.spaces.meets(found.spaces) && (found.does.is_binding() || binding.from <= found.at)
        };
        let mut bindings = self.bindings.get(&scope)?.iter().filter(counts);
        let first = bindings.next()?;
        Some(Symbol { scope, spaces: first.spaces, is_mixed: bindings.next().is_some() })
    }

    /// Whether a scope binds the name in a space.
    pub(super) fn is_bound_in(&self, scope: Node, spaces: Spaces) -> bool {
        self.bindings.get(&scope).is_some_and(|bindings| bindings.iter().any(|binding| binding.spaces.meets(spaces)))
    }
}

impl Scopes<'_> {
    /// What a name means, and the one name that binds it; `None` where it isn't bound just once.
    pub(super) fn only_binder(&self, name: Node) -> Option<(Symbol, Found)> {
        let names = self.names_like(name);
        let symbol = names.resolve(self, names.at(name)?)?;
        Some((symbol, names.only_binder(self, symbol)?))
    }

    /// A binding that goes through a scope with a binding of its own: what `var` in a `catch` of that name means.
    pub(super) fn crossing(&self, names: &Names) -> Option<Node> {
        let crosses = |found: &&Found| {
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
