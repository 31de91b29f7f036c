//! Which names mean the same thing: scopes and bindings, from the language's data.
//!
//! A name's place tells what it is: it binds, it refers, it declares where another binding is, or it is no variable at all
//! (`.name`, `name=`). A reference is looked up from scope to scope. Only names of the wanted text are looked at.

use crate::language::ReferenceRule;
use crate::tree::{Node, Tree};

/// The scopes of a tree.
pub(super) struct Scopes<'a> {
    tree: &'a Tree,
    rule: &'static ReferenceRule,
}

/// All names that mean one thing.
#[derive(Debug, Default)]
pub(super) struct References {
    /// The names.
    pub(super) names: Vec<Node>,
    /// Attributes and arguments of that name that may mean it too, and are left alone.
    pub(super) left: Vec<Node>,
    /// The binding that an import makes under this name, if one does.
    pub(super) imported: Option<Node>,
    /// Where it is bound.
    scope: Option<Node>,
}

/// What a name does where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Binds,
    Imports,
    Refers,
    /// Says that the name is the file's own.
    Global,
    /// Says that the name is one of a scope around.
    Outer,
}

#[derive(Debug, Clone, Copy)]
struct Found {
    name: Node,
    does: Use,
    scope: Node,
}

impl<'a> Scopes<'a> {
    pub(super) fn new(tree: &'a Tree) -> Scopes<'a> {
        Scopes { tree, rule: &tree.language().data().references }
    }

    /// Whether a name is one that defines something.
    pub(super) fn binds(&self, name: Node) -> bool {
        matches!(self.does(name), Some(Use::Binds | Use::Imports))
    }

    /// All names that mean what `name` defines.
    pub(super) fn references(&self, name: Node) -> References {
        let text = self.tree.node_text(name).into_owned();
        let found = self.found(&text);
        let scope = self.resolve(&found, self.scope_of(name));
        let same: Vec<&Found> =
            found.iter().filter(|other| scope.is_some() && self.resolve(&found, other.scope) == scope).collect();
        let imported = same.iter().find(|other| other.does == Use::Imports).map(|other| other.name);
        let mut names: Vec<Node> = same.iter().map(|other| other.name).collect();
        let mut left = Vec::new();
        if let Some(class) = scope.filter(|&scope| self.is_unseen(scope)) {
            let (own, other) = self.attributes(&text, class);
            names.extend(own);
            left.extend(other);
        }
        if self.is_at(name, &self.rule.parameters, true) {
            let (own, other) = self.arguments(&text, scope);
            names.extend(own);
            left.extend(other);
        }
        if !names.contains(&name) {
            names.push(name);
        }
        names.sort();
        names.dedup();
        References { names, left, imported, scope }
    }

    /// A name `to` that gets in the way: it would be taken for the renamed thing, or the renamed thing for it.
    pub(super) fn taken(&self, references: &References, to: &str) -> Option<Node> {
        let others = self.found(to);
        let scope = references.scope?;
        if let Some(bound) = others.iter().find(|other| other.does != Use::Refers && other.scope == scope) {
            return Some(bound.name);
        }
        // A scope between a reference and its binding that has the new name already.
        for &name in &references.names {
            if self.does(name).is_none() {
                continue;
            }
            let mut between = self.scope_of(name);
            while between != scope && between != Node::ROOT {
                let bound = others.iter().find(|other| other.does != Use::Refers && other.scope == between);
                if let Some(bound) = bound {
                    return Some(bound.name);
                }
                between = self.around(between);
            }
        }
        // A use of the new name that finds another thing now, and would find the renamed one.
        let captured = others.iter().find(|other| {
            let mut at = other.scope;
            let now = self.resolve(&others, at);
            loop {
                if Some(at) == now {
                    return false;
                }
                if at == scope {
                    return at == other.scope || !self.is_unseen(at);
                }
                if at == Node::ROOT {
                    return false;
                }
                at = self.around(at);
            }
        });
        captured.map(|found| found.name)
    }

    /// Every variable of that name.
    fn found(&self, text: &str) -> Vec<Found> {
        let table = self.tree.table();
        let names = table.nodes().filter(|&node| self.is_identifier(node) && self.tree.node_text(node) == text);
        names.filter_map(|name| Some(Found { name, does: self.does(name)?, scope: self.scope_of(name) })).collect()
    }

    fn is_identifier(&self, node: Node) -> bool {
        self.tree.table().is_named(node) && self.rule.identifiers.iter().any(|name| name == self.tree.type_name(node))
    }

    /// What a name does; `None` for a name that is no variable.
    fn does(&self, name: Node) -> Option<Use> {
        if !self.is_identifier(name) || self.is_at(name, &self.rule.not_names, false) {
            return None;
        }
        let parent = self.tree.table().parent(name)?;
        let is_head = self.rule.heads.iter().any(|head| head == self.tree.type_name(parent));
        if is_head && self.tree.named_children(parent).next() != Some(name) {
            return None;
        }
        let whole = !is_head || self.tree.named_children(parent).nth(1).is_none();
        Some(if self.is_at(name, &self.rule.globals, false) {
            Use::Global
        } else if self.is_at(name, &self.rule.outers, false) {
            Use::Outer
        } else if self.is_at(name, &self.rule.imports, true) {
            Use::Imports
        } else if whole && self.is_at(name, &self.rule.bindings, true) {
            Use::Binds
        } else if is_head && self.is_at(parent, &self.rule.not_names, false) {
            return None;
        } else {
            Use::Refers
        })
    }

    /// Whether a node stands at one of the places; with `through`, patterns around it count as the node.
    fn is_at(&self, node: Node, places: &[String], through: bool) -> bool {
        let table = self.tree.table();
        let mut node = node;
        while let Some(parent) = table.parent(node) {
            if places.iter().any(|place| self.fits(place, parent, node)) {
                return true;
            }
            let is_pattern = self.rule.patterns.iter().any(|name| name == self.tree.type_name(parent));
            if !through || !is_pattern || table.field(node) != 0 {
                return false;
            }
            node = parent;
        }
        false
    }

    /// Whether `child` stands in `parent` as a place says: `type.field`, `type` for no field, `outer/type` for a parent in another.
    fn fits(&self, place: &str, parent: Node, child: Node) -> bool {
        let (outer, place) = place.split_once('/').map_or((None, place), |(outer, place)| (Some(outer), place));
        let (type_name, field) = place.split_once('.').unwrap_or((place, ""));
        let holder = || self.tree.table().parent(parent).map_or("", |above| self.tree.type_name(above));
        self.tree.type_name(parent) == type_name
            && self.tree.field_name(child) == field
            && outer.is_none_or(|outer| holder() == outer)
    }

    fn is_scope(&self, node: Node) -> bool {
        self.rule.scopes.iter().any(|name| name == self.tree.type_name(node))
    }

    fn is_unseen(&self, scope: Node) -> bool {
        self.rule.unseen.iter().any(|name| name == self.tree.type_name(scope))
    }

    /// The scope that a name is looked up from, or bound in.
    fn scope_of(&self, name: Node) -> Node {
        let mut scope = self.around(name);
        if self.is_at(name, &self.rule.bindings_beyond, false) {
            while self.rule.expressions.iter().any(|inner| inner == self.tree.type_name(scope)) {
                scope = self.around(scope);
            }
        }
        scope
    }

    /// The nearest scope around a node; parts of a scope's node that are worked out outside don't count as in it.
    fn around(&self, node: Node) -> Node {
        let table = self.tree.table();
        let mut outside = false;
        let mut child = node;
        for ancestor in table.ancestors(node) {
            let at = |places: &[String]| places.iter().any(|place| self.fits(place, ancestor, child));
            let is_first = || {
                let like = |&other: &Node| table.type_id(other) == table.type_id(ancestor);
                let first = table.parent(ancestor).and_then(|parent| table.children(parent).find(like));
                first == Some(ancestor)
            };
            if self.is_scope(ancestor) {
                if !outside && !at(&self.rule.outside) {
                    return ancestor;
                }
                outside = false;
            } else if at(&self.rule.outside) || (at(&self.rule.first_outside) && is_first()) {
                outside = true;
            }
            child = ancestor;
        }
        Node::ROOT
    }

    /// The scope whose binding a name means, looked up from `scope` outwards.
    fn resolve(&self, found: &[Found], scope: Node) -> Option<Node> {
        let declares = |scope: Node, does: Use| found.iter().any(|other| other.scope == scope && other.does == does);
        let binds = |scope: Node| declares(scope, Use::Binds) || declares(scope, Use::Imports);
        let mut at = scope;
        loop {
            if at != Node::ROOT && declares(at, Use::Global) {
                return Some(Node::ROOT);
            }
            let seen = at == scope || !self.is_unseen(at);
            if seen && binds(at) && (at == Node::ROOT || !declares(at, Use::Outer)) {
                return Some(at);
            }
            if at == Node::ROOT {
                // Bound from inside of a function alone.
                let global = found.iter().any(|other| other.does == Use::Global && binds(other.scope));
                return global.then_some(at);
            }
            at = self.around(at);
        }
    }

    /// The attributes of that name: those of a class's own methods and of the class by its name, and the others.
    fn attributes(&self, text: &str, class: Node) -> (Vec<Node>, Vec<Node>) {
        let table = self.tree.table();
        let accesses = table.nodes().filter(|&node| self.is_identifier(node) && self.tree.node_text(node) == text);
        let accesses = accesses.filter(|&node| self.is_at(node, &self.rule.attributes, false));
        accesses.partition(|&attribute| {
            let object = table.parent(attribute).and_then(|access| self.tree.named_children(access).next());
            object.is_some_and(|object| self.is_class(object, class) || self.is_own_object(object, class))
        })
    }

    /// Whether a name means the class, which nothing else is bound to.
    fn is_class(&self, object: Node, class: Node) -> bool {
        let Some(name) = self.tree.named_children(class).next() else { return false };
        self.is_identifier(object) && self.means(object, name)
    }

    /// Whether a name means the same as the one binding at `name`.
    fn means(&self, other: Node, name: Node) -> bool {
        if self.tree.node_text(other) != self.tree.node_text(name) || self.does(other).is_none() {
            return false;
        }
        let found = self.found(&self.tree.node_text(name));
        let scope = self.resolve(&found, self.scope_of(name));
        let bindings = found.iter().filter(|other| {
            matches!(other.does, Use::Binds | Use::Imports) && self.resolve(&found, other.scope) == scope
        });
        scope.is_some() && bindings.count() == 1 && self.resolve(&found, self.scope_of(other)) == scope
    }

    /// Whether a name is the first parameter of one of the class's own methods, as `self` is.
    fn is_own_object(&self, object: Node, class: Node) -> bool {
        if !self.is_identifier(object) {
            return false;
        }
        let found = self.found(&self.tree.node_text(object));
        let Some(method) = self.resolve(&found, self.scope_of(object)).filter(|&scope| scope != Node::ROOT) else {
            return false;
        };
        let bindings: Vec<&Found> =
            found.iter().filter(|other| other.does == Use::Binds && other.scope == method).collect();
        let [only] = bindings[..] else { return false };
        let parameters = self.tree.table().parent(only.name);
        let is_first = parameters.is_some_and(|list| {
            self.is_at(only.name, &self.rule.parameters, false)
                && self.tree.named_children(list).next() == Some(only.name)
                && self.tree.table().parent(list) == Some(method)
        });
        let is_static = self.tree.decorators(method).iter().any(|&decorator| {
            let word = self.tree.decorator_word(decorator);
            self.rule.static_decorators.iter().any(|name| *name == *word)
        });
        is_first && !is_static && self.around(method) == class
    }

    /// The arguments of that name: those in calls of the function, and those in calls that may be of it.
    fn arguments(&self, text: &str, function: Option<Node>) -> (Vec<Node>, Vec<Node>) {
        let table = self.tree.table();
        let Some(function) = function.and_then(|function| self.tree.child_by_field(function, "name")) else {
            return Default::default();
        };
        let names = table.nodes().filter(|&node| self.is_identifier(node) && self.tree.node_text(node) == text);
        let (mut own, mut left) = (Vec::new(), Vec::new());
        for name in names.filter(|&name| self.is_at(name, &self.rule.arguments, false)) {
            let call = table.ancestors(name).find_map(|call| self.tree.callee(call));
            let Some(callee) = call else { continue };
            if self.is_identifier(callee) && self.means(callee, function) {
                own.push(name);
            } else if self.tree.name(callee).is_some_and(|called| called == self.tree.node_text(function)) {
                left.push(name);
            }
        }
        (own, left)
    }
}
