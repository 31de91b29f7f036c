//! What a rename changes: the names of one symbol, the names that may be more of them, and what prevents the rename.

use rustc_hash::FxHashSet;

use super::error::BadRequest;
use crate::scopes::{Names, Scopes, Symbol, Use, VariableName, is_component};
use crate::tree::Node;

/// All names that refer to one symbol.
#[derive(Debug, Default)]
pub(super) struct References {
    /// The names, each with its new text.
    pub(super) names: Vec<(Node, String)>,
    /// Members and arguments with that name that may also refer to it, and are left alone.
    pub(super) left: Vec<Node>,
    /// Arguments that may name it without containing its name: `**kw`.
    pub(super) splats: Vec<Node>,
    /// Calls that may use the name as text.
    pub(super) dynamic: Vec<Node>,
    /// Names that a program derives from this one or looks up by it: parameters of tests, private names with their
    /// class.
    pub(super) derived: Vec<Node>,
    /// Declarations that other files can use.
    pub(super) exported: Vec<Node>,
    /// Base classes with unknown members.
    pub(super) bases: Vec<String>,
}

impl Scopes<'_> {
    /// All names that refer to what `name` defines, for a rename to `to`.
    ///
    /// # Errors
    /// If it is uncertain what refers to it, or if the new name would mean something else at one of the places, or
    /// capture a reference of another name.
    pub(super) fn references(&self, name: Node, to: &str) -> Result<References, BadRequest> {
        let text = self.tree.node_text(name).into_owned();
        let names = self.names(&text);
        if !self.tree.is_sound() {
            return Err(self.unclear(name, "is in a file with syntax errors"));
        }
        let is_fixed = self.tree.language().spec().references.fixed.contains(&text);
        if is_fixed && self.around(name) == Node::ROOT {
            return Err(self.unclear(name, "is a built-in name"));
        }
        let target = names.at(name).and_then(|found| names.resolve(self, found));
        let Some(symbol) = target else { return Err(self.unclear(name, "has no binding")) };
        let mut same: Vec<VariableName> = Vec::new();
        for &found in &names.found {
            let Some(other) = names.resolve(self, &found) else { continue };
            if other.scope == symbol.scope && (other.is_mixed || other.is(symbol)) {
                if other.is_mixed && found.spaces.meets(symbol.spaces) {
                    return Err(self.unclear(found.name, "may mean two things of that name"));
                }
                if other.is(symbol) {
                    same.push(found);
                }
            }
        }
        let both = |found: &&VariableName| {
            let other = names.other_way(self, found);
            other.is_some_and(|other| {
                other.is(symbol)
                    || names.resolve(self, found).is_some_and(|resolved| resolved.is(symbol) && !other.is(symbol))
            })
        };
        if let Some(found) = names.found.iter().find(both) {
            return Err(self.unclear(found.name, "may mean two things of that name"));
        }
        self.check_certain(&names, symbol, &same)?;
        let mut references = References::default();
        let mut own: Vec<Node> = same.iter().map(|found| found.name).collect();
        let is_member = self.is_member(symbol.scope, symbol.spaces);
        if is_member {
            let mut sorted = self.attributes(&text, symbol);
            own.append(&mut sorted.own);
            references.left.append(&mut sorted.left);
            // A class may take its variables as arguments: a dataclass.
            let holder = self.tree.table().parent(name);
            if !holder.is_some_and(|holder| self.is_scope(holder)) {
                let is_argument = |other: &&Node| self.fits(**other, &self.rules.arguments).is_some();
                references.left.extend(self.nodes_of(&text).iter().filter(is_argument));
            }
            references.bases = self.base_names(symbol.scope);
        } else if symbol.scope == Node::ROOT {
            references.left.extend(self.of_file_object(&text));
        }
        let is_parameter = |found: &&VariableName| self.is_named_parameter(found.name);
        if let Some(parameter) = same.iter().find(is_parameter) {
            let mut sorted = self.arguments(&text, parameter.scope);
            own.append(&mut sorted.own);
            references.left.append(&mut sorted.left);
            references.splats = self.splats(parameter.scope);
        }
        own.sort();
        own.dedup();
        if let Some(taken) = self.taken(&names, symbol, &own, to) {
            return Err(BadRequest::NameTaken { to: to.to_owned(), line: self.line(taken) });
        }
        for name in own {
            let becomes = self.becomes(name, &text, to);
            let is_fixed = names.at(name).is_some_and(|found| found.does == Use::Imports);
            let Some(becomes) = becomes.or_else(|| (!is_fixed).then(|| to.to_owned())) else {
                return Err(BadRequest::Imported { line: self.line(name) });
            };
            references.names.push((name, becomes));
        }
        references.left.sort();
        references.left.dedup();
        let renamed: FxHashSet<Node> = references.names.iter().map(|(name, _)| *name).collect();
        references.left.retain(|left| !renamed.contains(left));
        references.dynamic = self.dynamic_calls(symbol);
        references.derived = self.derived_names(&names, name, &text);
        references.derived.retain(|derived| !renamed.contains(derived));
        references.exported = same.iter().filter(|found| self.is_exported(found)).map(|found| found.name).collect();
        Ok(references)
    }

    /// Refuses a symbol for which the rules are uncertain.
    fn check_certain(&self, names: &Names, symbol: Symbol, same: &[VariableName]) -> Result<(), BadRequest> {
        let table = self.tree.table();
        let binds = |found: &&VariableName| matches!(found.does, Use::Binds | Use::Imports);
        let own = same.iter().find(|found| found.is_own);
        if let Some(other) = own.and_then(|_| same.iter().filter(binds).find(|found| !found.is_own)) {
            return Err(self.unclear(other.name, "is bound twice, in a function and as its name"));
        }
        if let Some(wide) = names.found.iter().find(|found| self.fits(found.name, &self.rules.wide).is_some()) {
            return Err(self.unclear(wide.name, "is a type parameter, which has scopes of its own"));
        }
        // A default value may have the name of a variable of the body.
        let header = |found: &VariableName| {
            let mut around = table.ancestors(found.name).take_while(|&node| node > symbol.scope);
            around.any(|node| {
                self.rules.headers.contains(table.type_id(node)) && table.parent(node) == Some(symbol.scope)
            })
        };
        if !same.iter().filter(binds).any(header)
            && let Some(early) = same.iter().find(|found| !found.does.is_binding() && header(found))
        {
            return Err(self.unclear(early.name, "is before the body that binds it"));
        }
        if let Some((place, why)) = self.two_at_once(names, symbol, same) {
            return Err(self.unclear(place, why));
        }
        for found in same {
            if self.fits(found.name, &self.rules.unclear).is_some() {
                return Err(self.unclear(found.name, "may be a variable or something else there"));
            }
        }
        if self.fits(symbol.scope, &self.rules.open).is_some() {
            let first = same.first().map_or(Node::ROOT, |found| found.name);
            return Err(self.unclear(first, "is a member of a namespace, which other places can name"));
        }
        Ok(())
    }

    /// The new text of a name whose place has two meanings.
    fn becomes(&self, name: Node, old: &str, to: &str) -> Option<String> {
        self.shorthand(name).map(|template| template.replace("$old", old).replace("$new", to))
    }

    /// A name `to` that prevents the rename: it would refer to the renamed symbol, or a renamed name to it.
    fn taken(&self, names: &Names, symbol: Symbol, own: &[Node], to: &str) -> Option<Node> {
        let others = self.names(to);
        let renamed: FxHashSet<Node> = own.iter().copied().collect();
        if let Some(bound) = others
            .found
            .iter()
            .find(|other| other.does != Use::Refers && other.scope == symbol.scope && other.spaces.meets(symbol.spaces))
        {
            return Some(bound.name);
        }
        let (moved, stay): (Vec<VariableName>, Vec<VariableName>) =
            names.found.iter().partition(|found| renamed.contains(&found.name));
        // All names with the new text, as they would be resolved.
        let after = Names::new(others.found.iter().chain(&moved).copied().collect(), self.rules.shared_spaces);
        let wrong = after.found.iter().find(|found| {
            let is_renamed = renamed.contains(&found.name);
            let before = if is_renamed { Some(symbol) } else { others.resolve(self, found) };
            let now = after.resolve(self, found);
            !is_same(before, now) || now.is_some_and(|now| now.is_mixed)
        });
        if let Some(wrong) = wrong {
            return Some(wrong.name);
        }
        if let Some(crossing) = self.crossing(&after) {
            return Some(crossing);
        }
        let rest = Names::new(stay, self.rules.shared_spaces);
        if let Some(wrong) =
            rest.found.iter().find(|found| !is_same(names.resolve(self, found), rest.resolve(self, found)))
        {
            return Some(wrong.name);
        }
        if self.is_member(symbol.scope, symbol.spaces) {
            return self.attributes(to, symbol).own.first().copied();
        }
        let is_lower = |name: &str| !is_component(name);
        let is_tag = |name: &&Node| self.fits(**name, &self.rules.elements).is_some();
        if is_lower(to)
            && let Some(&tag) = own.iter().find(is_tag)
        {
            return Some(tag);
        }
        self.named_twice(own, to)
    }

    /// A call that would pass an argument twice.
    fn named_twice(&self, own: &[Node], to: &str) -> Option<Node> {
        let table = self.tree.table();
        let list = |name: Node| table.parent(name).and_then(|argument| table.parent(argument));
        let is_argument = |name: &Node| self.fits(*name, &self.rules.arguments).is_some();
        let lists: FxHashSet<Node> = own.iter().copied().filter(is_argument).filter_map(list).collect();
        let mut others = self.nodes_of(to).iter().copied().filter(is_argument);
        others.find(|&other| list(other).is_some_and(|list| lists.contains(&list)))
    }

    /// Attributes of the object that has the file's variables: `window.f`.
    fn of_file_object(&self, text: &str) -> Vec<Node> {
        let objects = &self.tree.language().spec().references.global_objects;
        let is_one = |attribute: &Node| {
            let object =
                self.tree.table().parent(*attribute).and_then(|access| self.tree.named_children(access).next());
            self.fits(*attribute, &self.rules.attributes).is_some()
                && object.is_some_and(|object| objects.iter().any(|name| *name == *self.tree.node_text(object)))
        };
        self.nodes_of(text).iter().copied().filter(is_one).collect()
    }

    /// Calls in the scope of a symbol that may use its name as text.
    fn dynamic_calls(&self, symbol: Symbol) -> Vec<Node> {
        let table = self.tree.table();
        let mut calls = Vec::new();
        for word in &self.tree.language().spec().references.dynamic_calls {
            let names = self.names(word);
            calls.extend(names.found.iter().filter_map(|found| {
                let is_called = self.tree.callee(table.parent(found.name)?) == Some(found.name);
                let is_builtin = names.resolve(self, found).is_none();
                (is_called && is_builtin && table.is_within(found.name, symbol.scope)).then_some(found.name)
            }));
        }
        calls.sort();
        calls
    }

    /// Names that refer to `name` only by their text: parameters named like a function that a decorator makes available
    /// by its name, and private names written together with their class.
    fn derived_names(&self, names: &Names, name: Node, text: &str) -> Vec<Node> {
        let data = &self.tree.language().spec().references;
        let definition = self.tree.table().parent(name).filter(|&parent| self.tree.name_node(parent) == Some(name));
        let decorators = definition.map_or_else(Vec::new, |definition| self.tree.decorators(definition));
        let mut derived = Vec::new();
        if decorators.iter().any(|&decorator| {
            let word = self.tree.decorator_word(decorator);
            data.named_by_decorators.iter().any(|name| *name == *word)
        }) {
            let is_parameter = |found: &&VariableName| self.reaches(found.name, &self.rules.parameters).is_some();
            derived.extend(names.found.iter().filter(is_parameter).map(|found| found.name));
        }
        if data.is_class_private(text) {
            let table = self.tree.table();
            let is_identifier = |node: &Node| data.identifiers.contains(table.type_id(*node));
            let with_class = |node: &Node| {
                let found = self.tree.node_text(*node);
                found.strip_suffix(text).is_some_and(|class| class.len() > 1 && class.starts_with('_'))
            };
            derived.extend(table.nodes().filter(is_identifier).filter(with_class));
        }
        derived.sort();
        derived
    }

    /// Whether a binding is that of a declaration that other files can use.
    fn is_exported(&self, found: &VariableName) -> bool {
        let mut node = found.name;
        matches!(found.does, Use::Binds)
            && std::iter::from_fn(|| {
                node = self.tree.table().parent(node)?;
                Some(node)
            })
            .take_while(|&node| node > found.scope || found.scope == Node::ROOT && node != Node::ROOT)
            .any(|node| self.fits(node, &self.rules.exports).is_some())
    }

    fn unclear(&self, name: Node, reason: &'static str) -> BadRequest {
        BadRequest::Unclear { name: self.tree.node_text(name).into_owned(), line: self.line(name), reason }
    }

    fn line(&self, node: Node) -> usize {
        self.tree.text().line_at(self.tree.span(node).start())
    }
}

/// Whether a name means the same both times, or nothing.
fn is_same(before: Option<Symbol>, after: Option<Symbol>) -> bool {
    match (before, after) {
        (None, None) => true,
        (Some(before), Some(after)) => before.is(after),
        _ => false,
    }
}
