//! Values that variables and members get elsewhere than where they are defined, in languages in which a variable can get a value
//! of any type: by arguments, by assignments in other code, in classes below.

use std::sync::Arc;

use memchr::memmem;
use rustc_hash::FxHashSet;

use super::class_words::may_name_base;
use super::resolver::{Resolver, View};
use crate::language::{Language, ModuleScheme};
use crate::modules::FileId;
use crate::symbols::model::{Site, Thing, Value, Values};
use crate::symbols::project::NameKey;
use crate::tree::Node;

impl Resolver<'_> {
    /// The value of an attribute that an assignment gives to a class, as it is read from a class or an object.
    ///
    /// A member of an enumeration is an object of its class. A descriptor says itself what is read, and so may an object
    /// of a class from outside in a class of a framework: a field of a model.
    pub(super) fn read_attribute(&self, view: &View<'_>, binder: Node, of: Option<Site>, assigned: Values) -> Values {
        let members = &view.rules.members;
        let is_converted = !(members.enumerations.is_empty() && members.getters.is_empty());
        let Some(of) = of.filter(|_| is_converted && self.object_of(view, binder).is_none()) else { return assigned };
        if has_annotation(view, binder) {
            return assigned;
        }
        let names = view.scopes.names(&view.tree.node_text(binder));
        let Some(found) = names.at(binder) else { return assigned };
        let class = view.scopes.is_member(found.scope, found.spaces).then(|| self.class_at(view, found.scope));
        let Some(class) = class.flatten() else { return assigned };
        if assigned.known.iter().any(|value| matches!(value, Value::Function { .. } | Value::Class { .. })) {
            return assigned;
        }
        if self.is_enumeration(class) {
            return Values::one(Value::Instance { class: of, is_own: false });
        }
        let (_, is_known) = self.superclasses(class);
        let decides = |value: &Value| match *value {
            Value::Instance { class: of_value, .. } => {
                let has = |class: Site| {
                    members.getters.iter().any(|getter| self.member_of_class(class, getter.as_str()).is_some())
                };
                let (above, is_complete) = self.superclasses(of_value);
                has(of_value) || above.into_iter().any(has) || !is_complete && !is_known
            }
            _ => false,
        };
        if assigned.known.iter().any(decides) { Values::unknown() } else { assigned }
    }

    /// Whether a name is a parameter that may get any value.
    pub(in crate::symbols) fn takes_any_value(&self, view: &View<'_>, binder: Node) -> bool {
        view.rules.assignments.any_type
            && (view.scopes.reaches(binder, &view.scopes.rules.parameters).is_some() || is_in_parameters(view, binder))
    }

    /// The values that a symbol gets besides those where it is bound, as which it is known already; `of` is the class of the receiver of a member.
    pub(in crate::symbols) fn later_values(
        &self,
        view: &View<'_>,
        site: Site,
        bound: &Values,
        of: Option<Site>,
    ) -> Values {
        let nothing = Values { known: Vec::new(), is_complete: true };
        if !view.rules.assignments.any_type {
            return nothing;
        }
        // What overrides a method, counts where it is called.
        if self.definition_of(view, site.name).is_some_and(|node| view.tree.is_scope(node)) {
            return nothing;
        }
        let class = self.class_of_member(site);
        let text = view.tree.node_text(site.name);
        match class {
            _ if has_annotation(view, site.name) => nothing,
            _ if self.is_quick.get() => Values::unknown(),
            Some(class) => {
                let assigned = self.assigned_to_member(view, class, &text);
                let below =
                    self.overridden_below(of.unwrap_or(class), &text).into_iter().filter(|&other| other != site);
                let below = below.map(|other| match self.view(other.file) {
                    Some(view) => self.binder_value(&view, other.name, None),
                    None => Values::unknown(),
                });
                Values::union(below.chain([assigned]))
            }
            None => {
                let own = self.assigned_to_variable(view, site.name, &text, bound);
                let is_lasting = super::find::is_lasting(self, view, site.name);
                let by_others = is_lasting && self.has_module_values(site.file);
                let others = by_others.then(|| self.assigned_to_module(view, site.file, &text));
                Values::union([own].into_iter().chain(others))
            }
        }
    }

    /// The results of the methods that override one in classes below the receiver's.
    pub(in crate::symbols) fn results_below(&self, function: Site, of: Option<Site>) -> Values {
        let nothing = Values { known: Vec::new(), is_complete: true };
        let Some((view, of)) = self.view(function.file).zip(of) else { return nothing };
        if !view.rules.assignments.any_type || self.class_of_member(function).is_none() {
            return nothing;
        }
        if self.is_quick.get() {
            return Values::unknown();
        }
        let text = view.tree.node_text(function.name);
        let below = self.overridden_below(of, &text).into_iter().filter(|&other| other != function);
        Values::union(below.map(|other| self.own_result(other, Some(of))))
    }

    /// The values that assignments give a variable, where these do not bind it.
    fn assigned_to_variable(&self, view: &View<'_>, name: Node, text: &str, bound: &Values) -> Values {
        // An object of a class has its members, whatever else it gets; a literal has those that it gets.
        let is_literal = |value: &Value| !matches!(value, Value::Instance { .. });
        let written = assignments(view, name, text, bound.known.iter().any(is_literal)).into_iter();
        Values::union(written.map(|value| self.value_given(view, value)))
    }

    /// The expressions whose values assignments in its file give a variable, where these do not bind it; `None` for a part of one.
    pub(crate) fn values_assigned(&self, view: &View<'_>, name: Node) -> Vec<Option<Node>> {
        let given = |value| match value {
            NewValue::Of(value) => Some(value),
            NewValue::Other => None,
        };
        assignments(view, name, &view.tree.node_text(name), true).into_iter().map(given).collect()
    }

    /// The values that code outside a module gives a variable of it: `m.cur = B()`.
    fn assigned_to_module(&self, view: &View<'_>, module: FileId, text: &str) -> Values {
        let module = Thing::Module(module);
        let is_it = |value: &Value| matches!(value, Value::Module(other) if *other == module);
        Values::union(self.member_assignments(view.tree.language(), text).iter().filter_map(|place| {
            let other = self.view(place.file)?;
            let object = self.object_of(&other, place.name)?;
            if other.scopes.class_of_self(object).is_some() {
                return None;
            }
            let values = self.value(place.file, object);
            values.known.iter().any(is_it).then(|| self.written_value(&other, place.name))
        }))
    }

    /// The values that members of the objects of a class get by assignments that do not define them.
    fn assigned_to_member(&self, view: &View<'_>, class: Site, text: &str) -> Values {
        let places = self.member_assignments(view.tree.language(), text);
        if places.is_empty() {
            return Values::union([]);
        }
        let is_near = |other: Site| other == class || self.is_above(class, other) || self.is_above(other, class);
        let binders = self.member_binders(view, class, text.into());
        Values::union(places.iter().filter_map(|place| {
            if place.file == class.file && binders.contains(&place.name) {
                return None;
            }
            let other = self.view(place.file)?;
            let object = self.object_of(&other, place.name)?;
            if let Some(own) = other.scopes.class_of_self(object) {
                let own = self.class_at(&other, own.class)?;
                return is_near(own).then(|| self.written_value(&other, place.name));
            }
            let values = self.nested(Values::unknown(), || self.value(place.file, object));
            let may_be = |value: &Value| match *value {
                Value::Class { class: other, .. } | Value::Instance { class: other, .. } => is_near(other),
                Value::Super { .. } | Value::Written(_) => true,
                Value::Module(_) | Value::Function { .. } | Value::External { .. } | Value::Foreign | Value::Plain => {
                    false
                }
            };
            let may_be = !values.is_complete || values.known.iter().any(may_be);
            may_be.then(|| self.written_value(&other, place.name))
        }))
    }

    /// Whether a class is above another one, as far as the bases are known.
    fn is_above(&self, class: Site, below: Site) -> bool {
        self.superclasses(below).0.contains(&class)
    }

    /// The members with a name in the classes below one.
    pub(crate) fn overridden_below(&self, class: Site, text: &str) -> Vec<Site> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::from_iter([class]);
        let mut waiting = vec![class];
        while let Some(next) = waiting.pop() {
            let Some(view) = self.view(next.file) else { continue };
            let name = view.tree.node_text(next.name);
            for &below in self.named_as_base(view.tree.language(), &name).iter() {
                if !seen.insert(below) {
                    continue;
                }
                waiting.push(below);
                let Some(view) = self.view(below.file) else { continue };
                let first = self.member_binders(&view, below, text.into()).first().copied();
                found.extend(first.map(|name| (below, Site { file: below.file, name })));
            }
        }
        // Another class may have the name of the base.
        found.retain(|&(below, _)| self.is_above(class, below));
        found.into_iter().map(|(_, site)| site).collect()
    }

    /// The classes whose bases have a name, whatever it means there.
    fn named_as_base(&self, language: &'static Language, name: &str) -> Arc<[Site]> {
        self.project().extending(NameKey { language: language.name(), name }, || {
            let mut found = Vec::new();
            for file in self.files_of(language, name, |bytes| may_name_base(language, bytes, name)) {
                let Some(view) = self.view(file) else { continue };
                let aliases = view.imports().iter().filter(|(_, import)| import.name == name);
                let aliases: Vec<&str> = aliases.filter_map(|(_, import)| import.alias.as_deref()).collect();
                for word in aliases.into_iter().chain([name]) {
                    for &node in view.scopes.nodes_of(word) {
                        found.extend(self.extended_by(file, node));
                    }
                }
            }
            found
        })
    }

    /// The names in a project at which members with a name get values.
    fn member_assignments(&self, language: &'static Language, text: &str) -> Arc<[Site]> {
        self.project().assigned(NameKey { language: language.name(), name: text }, || {
            let mut found = Vec::new();
            for file in self.files_of(language, text, |bytes| may_assign_member(bytes, text)) {
                let Some(view) = self.view(file) else { continue };
                let is_member = |name: &&Node| view.scopes.fits(**name, &view.scopes.rules.attributes).is_some();
                let names = view.scopes.nodes_of(text).iter().filter(is_member);
                let names = names.filter(|&&name| new_value(&view, name, false).is_some());
                found.extend(names.map(|&name| Site { file, name }));
            }
            found
        })
    }

    /// The files of a language that have a word, and pass a test.
    fn files_of(&self, language: &'static Language, word: &str, test: impl Fn(&[u8]) -> bool) -> Vec<FileId> {
        let project = self.project();
        let is_it = |&file: &FileId| {
            std::ptr::eq(project.file(file).language, language)
                && self.may_contain(file, word)
                && self.trees.may_pass(file, &test)
        };
        project.ids().filter(is_it).collect()
    }

    fn written_value(&self, view: &View<'_>, name: Node) -> Values {
        self.value_given(view, new_value(view, name, false).unwrap_or(NewValue::Other))
    }

    fn value_given(&self, view: &View<'_>, value: NewValue) -> Values {
        match value {
            NewValue::Of(value) => self.value(view.file, value),
            NewValue::Other => Values::unknown(),
        }
    }

    /// Whether modules of the language of a file are values that code can pass on.
    pub fn has_module_values(&self, file: FileId) -> bool {
        let scheme = self.view(file).and_then(|view| view.rules.modules);
        matches!(scheme, Some(ModuleScheme::Dotted | ModuleScheme::Relative))
    }
}

/// Whether a name is declared with a type.
pub(crate) fn has_annotation(view: &View<'_>, name: Node) -> bool {
    /// How far a name is from its declaration.
    const REACH: usize = 3;
    let table = view.tree.table();
    table.ancestors(name).take(REACH).any(|holder| {
        let paths = view.rules.written_types.annotations.of(table.type_id(holder)).into_iter().flatten();
        paths.flat_map(|path| view.tree.reached(holder, path)).any(|written| !table.is_within(name, written))
    })
}

/// Whether a name or a pattern is one of the parameters of a function, and not in a default value.
fn is_in_parameters(view: &View<'_>, target: Node) -> bool {
    /// How far a name is from the list of parameters.
    const REACH: usize = 6;
    let table = view.tree.table();
    let params = &view.tree.language().spec().params;
    let mut inner = target;
    for holder in table.ancestors(target).take(REACH) {
        if let Some(rule) = params.of(table.type_id(holder)) {
            return rule.at.iter().flat_map(|path| view.tree.reached(holder, path)).any(|list| list == inner);
        }
        let values = view.rules.values.of(table.type_id(holder)).into_iter().flatten();
        if values.flat_map(|path| view.tree.reached(holder, path)).any(|value| value == inner) {
            return false;
        }
        inner = holder;
    }
    false
}

/// The new values that assignments give a variable, where these do not bind it.
fn assignments(view: &View<'_>, name: Node, text: &str, counts_parts: bool) -> Vec<NewValue> {
    let names = view.scopes.names(text);
    let symbol = names.at(name).and_then(|found| names.resolve(&view.scopes, found));
    let written = symbol.into_iter().flat_map(|symbol| names.references(&view.scopes, symbol));
    written.filter_map(|found| new_value(view, found.name, counts_parts)).collect()
}

/// The new value of a variable or a member.
enum NewValue {
    /// The value of an expression.
    Of(Node),
    /// A part of one, or something else.
    Other,
}

/// The new value that an assignment gives a variable or a member; `None` if it gives none there. An assignment to a member of a variable
/// counts as one to the variable if `counts_parts` says so.
fn new_value(view: &View<'_>, name: Node, counts_parts: bool) -> Option<NewValue> {
    /// How far a name is from what assigns it.
    const REACH: usize = 6;
    let table = view.tree.table();
    let is_member = view.scopes.fits(name, &view.scopes.rules.attributes).is_some();
    let target = if is_member { table.parent(name)? } else { name };
    let mut inner = target;
    for holder in table.ancestors(target).take(REACH) {
        let id = table.type_id(holder);
        if let Some(paths) = view.rules.assignments.places.of(id) {
            let mut places = paths.iter().flat_map(|path| view.tree.reached(holder, path));
            if !places.any(|place| place == inner) {
                return None;
            }
            let value = view.rules.values.of(id).into_iter().flatten();
            let value = value.flat_map(|path| view.tree.reached(holder, path)).next().filter(|_| inner == target);
            return Some(value.map_or(NewValue::Other, NewValue::Of));
        }
        // An assignment to a member of a variable, or to an element, gives the variable no value.
        let is_part =
            view.rules.same.of(id).is_none() && view.scopes.fits(inner, &view.scopes.rules.patterns).is_none();
        if is_part && (is_member || inner != target || !counts_parts && !is_class_slot(view, holder)) {
            return None;
        }
        inner = holder;
    }
    None
}

/// Whether a node is the access to the class of an object, which an assignment changes: `a.__class__`.
fn is_class_slot(view: &View<'_>, access: Node) -> bool {
    let slots = &view.rules.made_objects.class_slots;
    let name = view.tree.named_children(access).last();
    view.rules.objects.of(view.tree.table().type_id(access)).is_some()
        && name.is_some_and(|name| slots.iter().any(|slot| *slot == *view.tree.node_text(name)))
}

/// Whether a text may assign to a member with a name.
fn may_assign_member(text: &[u8], name: &str) -> bool {
    memmem::find_iter(text, name).any(|at| {
        let before = text[..at].last();
        let mut after = text[at + name.len()..].iter().skip_while(|byte| byte.is_ascii_whitespace());
        let (first, second) = (after.next(), after.next());
        let is_member = matches!(before, Some(b'.' | b'>' | b':' | b'@'));
        is_member
            && match first {
                Some(b'=') => !matches!(second, Some(b'=' | b'>')),
                Some(b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' | b'<' | b'>' | b'@' | b'?') => true,
                Some(b',' | b':' | b']' | b'}') => true,
                Some(b'i' | b'o') => matches!(second, Some(b'n' | b'f')),
                Some(b')') => true,
                _ => false,
            }
    })
}
