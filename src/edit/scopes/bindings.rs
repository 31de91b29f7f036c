//! The variables of one text: what binds them in which scope, and which binding a reference means.

use std::cell::OnceCell;

use rustc_hash::{FxHashMap, FxHashSet};

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
    pub(super) globals: FxHashSet<Node>,
    pub(super) outers: FxHashSet<Node>,
    /// Whether a scope binds the file's name.
    pub(super) has_global: bool,
    pub(super) places: FxHashMap<Node, usize>,
    pub(super) tally: OnceCell<FxHashMap<Node, Vec<Tally>>>,
}

/// How often a symbol is bound, and the first name that does.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tally {
    pub(super) symbol: Symbol,
    pub(super) times: usize,
    pub(super) first: Found,
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

    /// The variable that a node is.
    pub(super) fn at(&self, name: Node) -> Option<&Found> {
        self.places.get(&name).map(|&place| &self.found[place])
    }

    /// What a scope binds for a name.
    pub(super) fn bound(&self, scope: Node, found: &Found) -> Option<Symbol> {
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
