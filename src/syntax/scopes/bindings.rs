//! The variables with one name: which scope binds them, and to which binding a reference refers.

use std::cell::OnceCell;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::language::Spaces;
use crate::tree::Node;

/// The role of a name at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    Binds,
    Imports,
    Refers,
    /// Declares that the name is the file's: `global`.
    Global,
    /// Declares that the name is of an enclosing scope: `nonlocal`.
    Outer,
}

impl Use {
    pub fn is_binding(self) -> bool {
        matches!(self, Use::Binds | Use::Imports)
    }
}

/// A variable's name.
#[derive(Debug, Clone, Copy)]
pub struct VariableName {
    pub name: Node,
    pub does: Use,
    pub spaces: Spaces,
    /// The nearest enclosing scope.
    pub inner: Node,
    /// The scope from which it is looked up, or in which it is bound.
    pub scope: Node,
    /// Its offset in the text, or the offset from which it binds.
    pub at: usize,
    pub from: usize,
    /// Whether it binds a new variable, which hides the one before.
    pub is_new: bool,
    /// Whether it may also bind outside its block.
    pub leaks: bool,
    /// Whether it binds in a separate scope around its own.
    pub is_own: bool,
}

/// The scope and the name spaces of a binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Symbol {
    pub scope: Node,
    pub spaces: Spaces,
    /// The offset from which it binds, if another variable of the scope has the name.
    pub from: usize,
    /// Whether the reference may also refer to another binding of the scope.
    pub is_mixed: bool,
}

impl VariableName {
    /// A name that refers to a variable, and is not read as one by the grammar: its node, the scope from which it is looked up, its
    /// offset in the text, and the name spaces in which it is looked up.
    pub fn reference(name: Node, scope: Node, at: usize, spaces: Spaces) -> VariableName {
        let (inner, does) = (scope, Use::Refers);
        VariableName { name, does, spaces, inner, scope, at, from: 0, is_new: false, leaks: false, is_own: false }
    }

    /// Whether an import binds it.
    pub fn is_import(self) -> bool {
        self.does == Use::Imports
    }
}

impl Symbol {
    pub fn is(self, other: Symbol) -> bool {
        self.scope == other.scope && self.from == other.from && self.spaces.meets(other.spaces)
    }
}

/// Everything to which one name is bound in a scope's name spaces.
#[derive(Debug, Clone, Copy)]
struct Binding {
    spaces: Spaces,
    from: usize,
    is_new: bool,
}

/// The variables with one name.
#[derive(Debug, Default)]
pub struct Names {
    pub found: Vec<VariableName>,
    bindings: FxHashMap<Node, Vec<Binding>>,
    pub globals: FxHashSet<Node>,
    pub outers: FxHashSet<Node>,
    /// Whether a scope binds the file's name.
    pub has_global: bool,
    pub places: FxHashMap<Node, usize>,
    /// The symbol of each of them, with its place in `found`, by the symbol's scope.
    pub(super) resolved: OnceCell<FxHashMap<Node, Vec<(Symbol, usize)>>>,
}

impl Names {
    /// The variables with one name. Names of one scope in `shared` spaces are one symbol.
    pub fn new(found: Vec<VariableName>, shared: Option<Spaces>) -> Names {
        let places = found.iter().enumerate().map(|(place, found)| (found.name, place)).collect();
        let mut names = Names { found, places, ..Names::default() };
        for found in &names.found {
            match found.does {
                Use::Global => _ = names.globals.insert(found.scope),
                Use::Outer => _ = names.outers.insert(found.scope),
                Use::Refers => {}
                Use::Binds | Use::Imports => {
                    let bindings = names.bindings.entry(found.scope).or_default();
                    let mut binding = Binding { spaces: found.spaces, from: found.from, is_new: found.is_new };
                    let is_shared = |spaces: Spaces| shared.is_some_and(|shared| shared.meets(spaces));
                    // Bindings with a common space are one.
                    bindings.retain(|other| {
                        if (other.is_new || binding.is_new) && other.from != binding.from {
                            return true;
                        }
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

    /// The variable at a node.
    pub fn at(&self, name: Node) -> Option<&VariableName> {
        self.places.get(&name).map(|&place| &self.found[place])
    }

    /// The symbol that a scope binds for a name.
    pub fn bound(&self, scope: Node, found: &VariableName) -> Option<Symbol> {
        let counts = |binding: &&Binding| {
            binding.spaces.meets(found.spaces) && (found.does.is_binding() || binding.from <= found.at)
        };
        let all = self.bindings.get(&scope)?;
        if all.iter().any(|binding| binding.is_new) {
            let is_it = |binding: &&Binding| {
                let is_own = found.does.is_binding() && (found.is_new || binding.is_new);
                binding.spaces.meets(found.spaces) && (!is_own || binding.from == found.from)
            };
            let last = all.iter().filter(|binding| found.does.is_binding() || binding.from <= found.at).filter(is_it);
            let last = last.max_by_key(|binding| binding.from)?;
            return Some(Symbol { scope, spaces: last.spaces, from: last.from, is_mixed: false });
        }
        let mut bindings = all.iter().filter(counts);
        let first = bindings.next()?;
        Some(Symbol { scope, spaces: first.spaces, from: 0, is_mixed: bindings.next().is_some() })
    }

    /// Whether a scope binds the name in a space.
    pub fn is_bound_in(&self, scope: Node, spaces: Spaces) -> bool {
        self.bindings.get(&scope).is_some_and(|bindings| bindings.iter().any(|binding| binding.spaces.meets(spaces)))
    }
}
