//! Keys of patterns and of literals: members of what is taken apart, and of the type that is expected.

use super::inference::resolver::{Resolver, View};
use super::model::{Meaning, MemberName, Site, Thing, Value, Values};
use crate::modules::FileId;
use crate::tree::Node;

impl Resolver<'_> {
    /// The member that a key of a pattern, or of a literal whose type is written, means; `None` for other names.
    pub(super) fn key_meaning(&self, view: &View<'_>, name: Node) -> Option<Meaning> {
        if let Some(meaning) = self.pattern_key(view, name) {
            return Some(meaning);
        }
        let text = view.tree.node_text(name);
        let member = MemberName::from(&*text);
        let literal = self.literal_around(view, name)?;
        let values = self.nested(None, || self.expected(view, literal))?;
        let is_typed = |value: &Value| matches!(value, Value::Instance { .. });
        let is_typed = values.is_complete && !values.known.is_empty() && values.known.iter().all(is_typed);
        let meaning = is_typed.then(|| self.member_of_values(view, &values, member))?;
        matches!(meaning, Meaning::Known(_)).then_some(meaning)
    }

    /// The member of a written type that the key of a pair in a literal means.
    pub(super) fn typed_key(&self, view: &View<'_>, name: Node) -> Option<Meaning> {
        let is_own = matches!(self.meaning(view.file, name), Meaning::Known(things) if things == [Thing::Symbol(Site { file: view.file, name })]);
        if !is_own || self.pattern_around(view, name).is_some() || self.literal_around(view, name).is_none() {
            return None;
        }
        self.key_meaning(view, name)
    }

    /// The member that a key of a pattern means; `None` if a name is no such key.
    pub(crate) fn pattern_key(&self, view: &View<'_>, name: Node) -> Option<Meaning> {
        let pattern = self.pattern_around(view, name)?;
        let values = self.nested(Values::unknown(), || self.taken_apart(view, pattern));
        Some(self.member_of_values(view, &values, MemberName::from(&*view.tree.node_text(name))))
    }

    /// The meaning of what a shorthand in a pattern takes, where that may be what a module exports: `const { a } = module`.
    pub(super) fn module_key(&self, view: &View<'_>, name: Node) -> Option<Meaning> {
        if view.scopes.shorthand(name).is_none() || view.rules.loaded_modules.operators.is_empty() {
            return None;
        }
        let is_loaded = self.required(view).names.contains_key(&name);
        self.pattern_key(view, name).filter(|_| !is_loaded)
    }

    /// Whether a name takes a member that a module exports, and its variable is none of some symbols.
    pub fn is_module_key(&self, file: FileId, name: Node, symbols: &[Site]) -> bool {
        let Some(view) = self.view(file) else { return false };
        let is_one = |thing: &Thing| matches!(thing, Thing::Symbol(site) if symbols.contains(site));
        let is_own = matches!(self.meaning(file, name), Meaning::Known(things) if things.iter().any(is_one));
        !is_own && matches!(self.module_key(&view, name), Some(Meaning::Known(things)) if things.iter().any(is_one))
    }

    /// Whether a name is a key, which can only mean a member.
    pub fn is_key(&self, site: Site) -> bool {
        let Some(view) = self.view(site.file) else { return false };
        let is_pair = |node: Node| {
            let names = view.scopes.names(&view.tree.node_text(node));
            names
                .at(node)
                .is_some_and(|found| found.does.is_binding() && view.scopes.is_member(found.scope, found.spaces))
        };
        view.scopes.fits(site.name, &view.scopes.rules.keys).is_some() || is_pair(site.name)
    }

    /// Whether a name is a key of an object that a method gets as its receiver: `f.call({ size: 1 })`.
    pub(crate) fn is_key_of_receiver(&self, view: &View<'_>, name: Node) -> bool {
        /// How deep a key is in the call.
        const REACH: usize = 5;
        let words = &view.rules.hidden_uses.receiver_calls;
        if words.is_empty() {
            return false;
        }
        let table = view.tree.table();
        let literals = &view.rules.members.literals;
        let Some(literal) = table.ancestors(name).take(2).find(|&node| literals.contains(table.type_id(node))) else {
            return false;
        };
        let call = table.ancestors(literal).take(REACH).find(|&node| view.tree.callee(node).is_some());
        let method = call.and_then(|call| self.called(view, call)).and_then(|callee| self.member_name(view, callee));
        method.is_some_and(|method| words.iter().any(|word| *word == *view.tree.node_text(method)))
    }

    /// The literal of which a name is a key.
    fn literal_around(&self, view: &View<'_>, name: Node) -> Option<Node> {
        let table = view.tree.table();
        if !view.rules.members.structural {
            return None;
        }
        table.ancestors(name).take(2).find(|&node| view.rules.members.literals.contains(table.type_id(node)))
    }

    /// The type that a literal is expected to have where it stands, if that is written.
    fn expected(&self, view: &View<'_>, literal: Node) -> Option<Values> {
        /// How far a type is from its literal.
        const REACH: usize = 4;
        let table = view.tree.table();
        let rules = view.rules;
        let mut inner = literal;
        for holder in table.ancestors(literal).take(REACH) {
            let id = table.type_id(holder);
            let reach = |paths: Option<&'static Vec<crate::language::Path>>| -> Vec<Node> {
                paths.into_iter().flatten().flat_map(|path| view.tree.reached(holder, path)).collect()
            };
            let annotation = reach(rules.written_types.annotations.of(id));
            if let Some(&written) = annotation.first().filter(|&&written| !table.is_within(inner, written)) {
                return Some(self.type_values(view.file, written));
            }
            let casts = reach(rules.written_types.casts.of(id));
            if let Some(&written) = casts.first().filter(|&&written| !table.is_within(inner, written)) {
                return Some(self.type_values(view.file, written));
            }
            if rules.results.values.of(id).is_some() {
                let params = &view.tree.language().spec().params;
                let function = table.ancestors(holder).find(|&node| params.of(table.type_id(node)).is_some())?;
                let written = view.tree.return_type(function)?;
                return Some(self.type_values(view.file, written));
            }
            // A member of an outer literal.
            if let Some(outer) = table.parent(holder).filter(|&outer| self.is_member_value(view, holder, inner, outer))
            {
                let values = self.nested(None, || self.expected(view, outer))?;
                let key = view.tree.named_children(holder).next()?;
                return Some(self.member_values(&values, &view.tree.node_text(key)));
            }
            if let Some(call) = table.parent(holder).filter(|&call| self.called(view, call).is_some()) {
                let callee = self.called(view, call)?;
                let place = view.tree.named_children(holder).position(|argument| argument == inner)?;
                return self.parameter_type(view, callee, place);
            }
            let is_same = reach(rules.same.of(id)).contains(&inner);
            if !is_same {
                return None;
            }
            inner = holder;
        }
        None
    }

    fn is_member_value(&self, view: &View<'_>, pair: Node, value: Node, outer: Node) -> bool {
        let table = view.tree.table();
        view.rules.members.literals.contains(table.type_id(outer))
            && view.tree.named_children(pair).next().is_some_and(|key| key != value)
    }

    /// The type of a parameter of what is called, by its place.
    fn parameter_type(&self, view: &View<'_>, callee: Node, place: usize) -> Option<Values> {
        let values = self.value(view.file, callee);
        let &[Value::Function { function, .. }] = values.known.as_slice() else { return None };
        let parameters = self.parameters(function)?;
        let parameter = parameters.all.get(place).filter(|parameter| !parameter.is_rest)?.node;
        let other = self.view(function.file)?;
        let paths = other.rules.written_types.annotations.of(other.tree.table().type_id(parameter))?;
        let written = paths.iter().flat_map(|path| other.tree.reached(parameter, path)).next()?;
        Some(self.type_values(function.file, written))
    }
}
