//! What an expression is: a module, a class, an instance of a class, as far as type annotations and constructions tell.

use super::resolver::{Resolver, View, Work};
use crate::language::{ModuleScheme, Path};
use crate::modules::FileId;
use crate::symbols::model::{Meaning, Member, Site, Thing, Value, Values};
use crate::tree::Node;

impl Resolver<'_> {
    /// What an expression is.
    pub(crate) fn value(&self, file: FileId, node: Node) -> Values {
        let key = Site { file, name: node };
        if let Some(values) = self.values.borrow().get(&key) {
            return values.clone();
        }
        let Some(view) = self.view(file) else { return Values::unknown() };
        let work = Work::Value(key);
        if !self.open.enter(&work) {
            return Values { known: Vec::new(), is_complete: true };
        }
        let values = self.nested(Values::unknown(), || self.find_value(&view, node));
        if self.open.leave(&work) {
            self.values.borrow_mut().insert(key, values.clone());
        }
        values
    }

    /// Does work on a value, unless the same is in progress: then it adds nothing.
    pub(in crate::symbols) fn guarded(&self, key: Site, work: impl FnOnce() -> Values) -> Values {
        let key = Work::Value(key);
        if !self.open.enter(&key) {
            return Values { known: Vec::new(), is_complete: true };
        }
        let values = self.nested(Values::unknown(), work);
        self.open.leave(&key);
        values
    }

    fn find_value(&self, view: &View<'_>, node: Node) -> Values {
        /// How long such a word as `parent` is, at most.
        const LONGEST_WORD: usize = 16;
        let table = view.tree.table();
        let id = table.type_id(node);
        let (rules, file) = (view.rules, view.file);
        let reached = |paths: &'static [Path]| -> Vec<Node> {
            paths.iter().flat_map(|path| view.tree.reached(node, path)).collect()
        };
        let scheme = self.scheme(view);
        if let Some(values) = scheme.value(self, view, node) {
            return values;
        }
        if let Some(paths) = rules.written_types.casts.of(id) {
            // `{ a: 1 } as const`
            if let [whole] = *view.tree.named_children(node).collect::<Vec<Node>>()
                && reached(paths) == [whole]
                && rules.members.structural
            {
                return self.value(file, whole);
            }
            return Values::union(reached(paths).into_iter().map(|written| self.type_values(file, written)));
        }
        if let Some(paths) = rules.made_objects.creations.of(id) {
            let mut made =
                Values::union(reached(paths).into_iter().map(|class| self.value(file, class).into_instances()));
            made.is_complete &= made.known.iter().all(|value| match *value {
                Value::Instance { class, .. } => self.makes_its_own(class),
                _ => true,
            });
            return made;
        }
        if rules.members.literals.contains(id) {
            // One without a name is known by itself.
            let class = self.class_at(view, node).unwrap_or(Site { file, name: node });
            return Values::one(Value::Class { class, is_own: false });
        }
        if rules.literals.contains(id) {
            return Values::one(Value::Plain);
        }
        if rules.containers.contains(id) {
            return Values::one(Value::Foreign);
        }
        if rules.type_words.none.iter().any(|word| *word == *view.tree.node_text(node)) {
            return Values { known: Vec::new(), is_complete: true };
        }
        if rules.objects.of(id).is_some() && self.called(view, node).is_some() && self.member_name(view, node).is_some()
        {
            if let Some(values) = self.wrapper_call(view, node) {
                return values;
            }
            let function = self.access(view, node);
            return self.call_values(view, function, false);
        }
        if let Some(callee) = self.called(view, node) {
            return self.call(view, node, callee);
        }
        if table.fits_any(node, &view.tree.language().spec().flow.awaits)
            && let Some(paths) = rules.same.of(id)
        {
            let mut values = Values::union(reached(paths).into_iter().map(|part| self.value(file, part)));
            // It is not known what an object from outside gives: a future of one of the project.
            let is_outside = |value: &Value| matches!(value, Value::External { .. } | Value::Foreign);
            values.is_complete &= !values.known.iter().any(is_outside);
            values.known.retain(|value| !is_outside(value));
            return values;
        }
        if let Some(paths) = rules.same.of(id) {
            return Values::union(reached(paths).into_iter().map(|part| self.value(file, part)));
        }
        if rules.object_words.base_types.contains(id) {
            let class = self.class_around(view, node);
            return class.map_or_else(Values::unknown, |class| Values::one(Value::Super { class }));
        }
        if scheme.has_calls_alone()
            && let Some(name) = self.member_name(view, node)
        {
            return self.meaning_value(self.meaning(file, name), None, &view.tree.node_text(name));
        }
        if rules.constructions.infix.contains(id) && self.member_name(view, node).is_some() {
            return self.call_values(view, self.access(view, node), false);
        }
        if rules.objects.of(id).is_some() || rules.bare_members.types.contains(id) {
            return self.access(view, node);
        }
        // A path in the place of an expression: `global::A.B`.
        if view.is(ModuleScheme::Namespaces)
            && rules.written_types.paths.contains(id)
            && let Some(paths) = rules.written_types.heads.of(id)
            && let Some(&last) = reached(paths).first()
            && view.scopes.is_identifier(last)
        {
            return self.meaning_value(self.meaning(file, last), None, &view.tree.node_text(last));
        }
        if let Some(values) = self.value_by_string(view, node) {
            return values;
        }
        if rules.elements.alike
            && let Some(paths) = rules.elements.indexed.of(id)
        {
            return Values::union(reached(paths).into_iter().map(|object| self.value(file, object)));
        }
        if let Some(paths) = rules.elements.indexed.of(id) {
            let containers = reached(paths).into_iter().map(|container| self.value(file, container));
            return self.elements(Values::union(containers));
        }
        if let Some(written) = self.declared_self(view, node) {
            return self.type_values(file, written);
        }
        if let Some(own) = view.scopes.class_of_self(node) {
            // `this@Outer`
            let is_labelled = view.is(ModuleScheme::Namespaces) && view.tree.named_children(node).next().is_some();
            return match self.class_of_label(view, node) {
                Some(class) => Values::one(Value::Instance { class, is_own: true }),
                None if is_labelled => Values::unknown(),
                None => self.own_value(view, own.class, own.is_class),
            };
        }
        if let Some(narrowed) = self.narrowed_value(view, node) {
            return narrowed;
        }
        if !rules.object_words.own.is_empty() && table.span(node).len() <= LONGEST_WORD {
            let text = view.tree.node_text(node);
            let is_in = |words: &[String]| words.iter().any(|word| *word == *text);
            let value_of: Option<fn(Site) -> Value> = match () {
                () if is_in(&rules.object_words.own) => Some(|class| Value::Instance { class, is_own: true }),
                () if is_in(&rules.object_words.bases) => Some(|class| Value::Super { class }),
                () if is_in(&rules.type_words.own) => Some(|class| Value::Class { class, is_own: true }),
                () => None,
            };
            if let Some(value_of) = value_of {
                let class = self.class_around(view, node);
                let value_of = |class| match value_of(class) {
                    Value::Instance { class, is_own } if scheme.is_in_class_object(self, view, node) => {
                        Value::Class { class, is_own }
                    }
                    value => value,
                };
                return class.map_or_else(Values::unknown, |class| Values::one(value_of(class)));
            }
        }
        // One without a name is known by itself.
        if !view.scopes.rules.arguments.is_empty()
            && rules.assignments.any_type
            && self.function_at(view, node) == Some(node)
        {
            return Values::one(Value::Function { function: Site { file, name: node }, of: None });
        }
        if rules.written_types.functions.of(id).is_some() {
            return Values::one(Value::Written(Site { file, name: node }));
        }
        if !view.scopes.is_identifier(node) {
            return Values::unknown();
        }
        let meaning = self.meaning(file, node);
        if matches!(meaning, Meaning::Unknown(_))
            && let Some(values) = self.imported_value(view, node)
        {
            return values;
        }
        self.meaning_value(meaning, None, &view.tree.node_text(node))
    }

    /// The type that a function declares for the object on which it runs: `this: A`.
    fn declared_self(&self, view: &View<'_>, node: Node) -> Option<Node> {
        let table = view.tree.table();
        let words = &view.rules.object_words.parameters;
        if !words.iter().any(|word| word.len() == table.span(node).len() && **word == *view.tree.node_text(node)) {
            return None;
        }
        let text = view.tree.node_text(node);
        let functions = &view.scopes.rules.self_scopes;
        let function = table.ancestors(node).find(|&around| functions.contains(table.type_id(around)))?;
        let rule = view.tree.language().spec().params.of(table.type_id(function))?;
        let list = rule.at.iter().flat_map(|path| view.tree.reached(function, path)).next()?;
        let parameter = view.tree.named_children(list).next()?;
        let name = view.tree.named_children(parameter).next()?;
        let paths = view
            .rules
            .written_types
            .annotations
            .of(table.type_id(parameter))
            .filter(|_| *view.tree.node_text(name) == *text)?;
        paths.iter().flat_map(|path| view.tree.reached(parameter, path)).next()
    }

    /// The value of a member that a string names: `o["a"]`; `None` for other expressions.
    fn value_by_string(&self, view: &View<'_>, access: Node) -> Option<Values> {
        let (object, name) = self.named_by_string(view, access)?;
        let values = self.value(view.file, object);
        // The elements of a container have the type that is written.
        if !values.known.is_empty() && values.known.iter().all(|value| matches!(value, Value::Written(_))) {
            return None;
        }
        let is_complete = values.is_complete;
        let of_value = |value: Value| {
            let of = match value {
                Value::Class { class, .. } | Value::Instance { class, .. } => Some(class),
                Value::Module(_) => None,
                _ => return Values::unknown(),
            };
            self.meaning_value(self.member_of(&value, name.as_str()), of, &name)
        };
        let mut found = Values::union(values.known.into_iter().map(of_value));
        found.is_complete &= is_complete;
        Some(found)
    }

    /// The object and the name of a member that a string names: `o["a"]`.
    pub(crate) fn named_by_string(&self, view: &View<'_>, access: Node) -> Option<(Node, String)> {
        let table = view.tree.table();
        let is_access = view.rules.hidden_uses.dynamic_accesses.contains(table.type_id(access));
        if !is_access || view.rules.members.literals.is_empty() {
            return None;
        }
        let parts: Vec<Node> = view.tree.named_children(access).collect();
        let &[object, index] = parts.as_slice() else { return None };
        let name = view.tree.language().role(table.type_id(index)).string.then(|| view.tree.node_text(index))?;
        let name = name.strip_prefix(['"', '\'']).and_then(|rest| rest.strip_suffix(['"', '\'']))?;
        (!name.contains('\\')).then(|| (object, name.to_owned()))
    }

    fn own_value(&self, view: &View<'_>, scope: Node, is_class: bool) -> Values {
        let Some(class) = self.class_at(view, scope) else { return Values::unknown() };
        let is_own = true;
        Values::one(if is_class { Value::Class { class, is_own } } else { Value::Instance { class, is_own } })
    }

    /// What a call calls, as a whole expression.
    pub(crate) fn called(&self, view: &View<'_>, call: Node) -> Option<Node> {
        let id = view.tree.table().type_id(call);
        let paths = view.tree.language().spec().callees.of(id)?;
        let mut parts = paths.iter().flat_map(|path| view.tree.reached(call, path));
        // The grammar may have the object and the method's name as two parts of the call.
        if view.rules.objects.of(id).is_some() { parts.last() } else { parts.next() }
    }

    /// The value of a member.
    fn access(&self, view: &View<'_>, access: Node) -> Values {
        let Some(name) = self.member_name(view, access) else { return Values::unknown() };
        let Some(object) = self.object_of(view, name) else { return Values::unknown() };
        let text = view.tree.node_text(name);
        let values = self.value(view.file, object);
        // `Outer.this`
        if view.scopes.rules.self_types.contains(view.tree.table().type_id(name)) {
            return values.into_instances();
        }
        if view.rules.class_objects.attributes.iter().any(|word| *word == *text) {
            return values.into_classes();
        }
        let is_complete = values.is_complete;
        if let Some(tested) = self.tested_member(view, object, &values, (&text).into()) {
            return self.meaning_value(tested, None, &text);
        }
        if let Some(found) = self.extension_value(view, &values, &text) {
            return found;
        }
        let of_value = |value: Value| {
            let of = match value {
                Value::Class { class, .. } | Value::Instance { class, .. } => Some(class),
                // Its members may be anything, also objects of the project's classes.
                Value::Foreign | Value::Function { .. } => return Values::unknown(),
                Value::Plain => return Values::one(Value::Plain),
                Value::Written(_) => return Values::unknown(),
                Value::Module(_) | Value::Super { .. } | Value::External { .. } => None,
            };
            self.meaning_value(self.member_at(view, &value, name), of, &text)
        };
        let mut found = Values::union(values.known.into_iter().map(of_value));
        found.is_complete &= is_complete;
        found
    }

    /// The value of what a name means, as a member of a class where there is one.
    pub(in crate::symbols) fn meaning_value(&self, meaning: Meaning, of: Option<Site>, name: &str) -> Values {
        match meaning {
            Meaning::Known(things) => Values::union(things.into_iter().map(|thing| self.member_value(thing, of))),
            Meaning::External => {
                Values::one(Value::External { is_class: name.starts_with(|first: char| first.is_uppercase()) })
            }
            Meaning::Unknown(_) => Values::unknown(),
        }
    }

    /// The value of a symbol or a module.
    pub(crate) fn thing_value(&self, thing: Thing) -> Values {
        self.member_value(thing, None)
    }

    fn member_value(&self, thing: Thing, of: Option<Site>) -> Values {
        match thing {
            Thing::Symbol(site) => self.symbol_value(site, of),
            module => Values::one(Value::Module(module)),
        }
    }

    /// What a symbol is: a class, a function, or the union of all values that it gets.
    fn symbol_value(&self, site: Site, of: Option<Site>) -> Values {
        let Some(view) = self.view(site.file) else { return Values::unknown() };
        let binders = self.binders(&view, site);
        let values = binders.into_iter().map(|binder| self.binder_value(&view, binder, of));
        self.guarded(site, || {
            let bound = Values::union(values);
            // What is not known already cannot become less so.
            if !bound.is_complete || !bound.has_members() {
                return bound;
            }
            let later = self.later_values(&view, site, &bound, of);
            Values::union([bound, later])
        })
        .seen_from(of)
    }

    /// What a name is bound to at its place.
    pub(in crate::symbols) fn binder_value(&self, view: &View<'_>, binder: Node, of: Option<Site>) -> Values {
        let file = view.file;
        if let Some(import) = self.import_around(view, binder) {
            return self.meaning_value(self.imported(view, import, binder), None, &view.tree.node_text(binder));
        }
        let scheme = self.scheme(view);
        if let Some(loaded) = scheme.loaded_name(self, view, binder) {
            return self.meaning_value(loaded, None, &view.tree.node_text(binder));
        }
        if let Some(value) = scheme.bound_value(self, view, binder) {
            return value;
        }
        if let Some(definition) = self.definition_of(view, binder) {
            if view.rules.members.own_objects.contains(view.tree.table().type_id(definition)) {
                let class = self.class_around(view, definition);
                return class
                    .map_or_else(Values::unknown, |class| Values::one(Value::Instance { class, is_own: false }));
            }
            let parent = view.tree.table().parent(binder);
            let id = |node: Node| view.tree.table().type_id(node);
            if parent.is_some_and(|parent| view.rules.declarators.functions.contains(id(parent))) {
                return self.function_value(view, definition, binder, of);
            }
            // An object that is declared as something else has the members of that.
            if !view.tree.is_scope(definition) && self.is_annotated(view, definition) {
                return self.assigned(view, binder);
            }
            if self.is_class_name(view, binder) {
                let class = Value::Class { class: Site { file, name: binder }, is_own: false };
                // A literal may be what a parameter is by default.
                return Values { known: vec![class], is_complete: !self.takes_any_value(view, binder) };
            }
            if self.is_function(view, definition) {
                return self.function_value(view, definition, binder, of);
            }
        }
        if let Some(written) = self.embedded_type(view, binder) {
            return self.type_values(file, written);
        }
        if let Some(own) = view.scopes.class_of_self(binder) {
            return self.own_value(view, own.class, own.is_class);
        }
        self.read_attribute(view, binder, of, self.assigned(view, binder))
    }

    /// Whether a definition has a type annotation.
    fn is_annotated(&self, view: &View<'_>, definition: Node) -> bool {
        let paths =
            view.rules.written_types.annotations.of(view.tree.table().type_id(definition)).into_iter().flatten();
        paths.flat_map(|path| view.tree.reached(definition, path)).next().is_some()
    }

    /// Whether a definition is a function.
    pub(crate) fn is_function(&self, view: &View<'_>, definition: Node) -> bool {
        let value = view.tree.bound_value(definition).unwrap_or(definition);
        view.tree.language().spec().params.of(view.tree.table().type_id(value)).is_some()
    }

    /// A function, or what a property returns.
    fn function_value(&self, view: &View<'_>, definition: Node, binder: Node, of: Option<Site>) -> Values {
        let function = Site { file: view.file, name: binder };
        for decorator in view.tree.decorators(definition) {
            let word = view.tree.decorator_word(decorator);
            let is_in = |words: &[String]| words.iter().any(|known| *known == *word);
            if is_in(&view.rules.decorators.properties) {
                return self.result(function, of);
            }
            // `@x.setter`, of a property x.
            if let Some((head, _)) = word.split_once('.')
                && head == view.tree.node_text(binder)
            {
                return Values { known: Vec::new(), is_complete: true };
            }
            if !is_in(&view.rules.decorators.class_methods) && !is_in(&view.rules.decorators.plain) {
                return Values::unknown();
            }
        }
        Values::one(Value::Function { function, of })
    }

    /// The value that an annotation, an assignment or another binding gives to a name.
    fn assigned(&self, view: &View<'_>, binder: Node) -> Values {
        /// How far a name is from what binds it.
        const REACH: usize = 6;
        let table = view.tree.table();
        let (rules, file) = (view.rules, view.file);
        if let Some(element) = self.passed_element(view, binder) {
            return element;
        }
        if let Some(part) = self.opened_value(view, binder) {
            return part;
        }
        if let Some(member) = self.taken_member(view, binder) {
            return member;
        }
        let mut inner = binder;
        // The pattern that takes a value apart for the name, and the part of it with the name.
        let mut apart: Option<(Node, Node)> = None;
        for holder in table.ancestors(binder).take(REACH) {
            let id = table.type_id(holder);
            let reach = |paths: Option<&Vec<Path>>| -> Vec<Node> {
                let paths = paths.into_iter().flatten();
                paths.flat_map(|path| view.tree.reached(holder, path)).collect()
            };
            let is_name = |node: &Node| *node == inner;
            let mut annotation = reach(rules.written_types.annotations.of(id));
            annotation.retain(|&written| {
                let is_inferred = |word: &String| **word == *view.tree.node_text(written);
                !rules.type_words.inferred.iter().any(is_inferred)
            });
            if let Some(&written) = annotation.first().filter(|node| !is_name(node)) {
                return self.type_values(file, written);
            }
            let ranges = reach(rules.elements.ranges.of(id));
            if let Some(&container) = ranges.first().filter(|node| !table.is_within(binder, **node)) {
                let Some((place, count)) = self.place_among(view, holder, inner, binder) else {
                    return Values::unknown();
                };
                let container = self.value(file, container);
                // The elements of a map are pairs.
                if !rules.elements.range_keys && container.known.iter().any(|&value| self.has_several_arguments(value))
                {
                    return Values::unknown();
                }
                return match rules.elements.range_keys {
                    true if place == 0 => self.keys(container),
                    false if count > 1 => Values::unknown(),
                    _ => self.elements(container),
                };
            }
            let entered = reach(rules.entered.places.of(id));
            if let Some(&object) = entered.first().filter(|node| !table.is_within(binder, **node)) {
                return self.entered(view, object);
            }
            let caught = reach(rules.caught.of(id));
            if let Some(&class) = caught.first().filter(|node| !table.is_within(binder, **node)) {
                return self.type_values(file, class);
            }
            let values = reach(rules.values.of(id));
            if let Some(&value) = values.first() {
                if !rules.several_values.lists.is_empty() && !table.is_within(binder, value) {
                    let place = self.place_among(view, holder, inner, binder);
                    return place
                        .map_or_else(Values::unknown, |(place, count)| self.listed_value(view, value, place, count));
                }
                if table.is_within(binder, value) {
                    return Values::unknown();
                }
                // A default: what else it may be, is further out.
                let is_default = view.scopes.fits(inner, &view.scopes.rules.patterns).is_some();
                // One of several names on the left is not the whole value.
                let part = match apart {
                    Some((pattern, part)) => self.part_beside(view, pattern, part, value),
                    None => Some(value),
                };
                let Some(value) = part.filter(|_| !is_default || inner == binder) else { return Values::unknown() };
                let mut values = self.value(file, value);
                values.is_complete &= !is_default && !self.takes_any_value(view, binder);
                return values;
            }
            let is_whole = table.type_id(inner) == id || rules.objects.of(id).is_some() || inner == binder;
            let is_pattern = view.scopes.fits(holder, &view.scopes.rules.patterns).is_some();
            if is_pattern && !is_whole {
                return Values::unknown();
            }
            if view.scopes.fits(inner, &view.scopes.rules.patterns).is_some() && takes_apart(view, holder, inner) {
                // One in another is not found by its place.
                apart = Some(apart.map_or((holder, inner), |_| (holder, holder)));
            }
            inner = holder;
        }
        Values::unknown()
    }

    /// The part of a written list that a part of a pattern gets: `A()` for `a` in `a, b = A(), B()`.
    fn part_beside(&self, view: &View<'_>, pattern: Node, part: Node, value: Node) -> Option<Node> {
        let table = view.tree.table();
        let parts: Vec<Node> = view.tree.named_children(pattern).collect();
        let values: Vec<Node> = view.tree.named_children(value).collect();
        let place = parts.iter().position(|&one| one == part)?;
        let is_list = view.rules.containers.contains(table.type_id(value))
            || values.iter().all(|&one| view.scopes.fits(one, &view.scopes.rules.patterns).is_some());
        let is_spread = |&node: &Node| view.is_spread(node);
        let is_even = parts.len() == values.len() && !parts.iter().chain(&values).any(is_spread);
        (is_list && is_even).then(|| values[place])
    }

    /// What a context manager gives.
    fn entered(&self, view: &View<'_>, object: Node) -> Values {
        let values = self.value(view.file, object);
        let is_complete = values.is_complete;
        let mut found = Values::union(values.known.into_iter().map(|value| match value {
            Value::Instance { class, .. } => {
                let members = view.rules.entered.methods.iter().map(|name| self.member(class, name));
                let found = members.into_iter().find_map(|member| match member {
                    Member::Found(sites) => sites.first().copied(),
                    _ => None,
                });
                found.map_or_else(Values::unknown, |method| self.result(method, Some(class)))
            }
            _ => Values::unknown(),
        }));
        found.is_complete &= is_complete;
        found
    }

    /// What a call returns.
    fn call(&self, view: &View<'_>, call: Node, callee: Node) -> Values {
        let rules = view.rules;
        let mut is_plain = false;
        if view.scopes.is_identifier(callee) {
            let word = view.tree.node_text(callee);
            let is_in = |words: &[String]| words.iter().any(|known| *known == *word);
            let is_own = |words: &[String]| is_in(words) && self.meaning(view.file, callee) == Meaning::External;
            is_plain = is_in(&rules.known_calls.plain);
            if is_own(&rules.object_words.base_calls) {
                let class = self.class_around(view, call);
                return class.map_or_else(Values::unknown, |class| Values::one(Value::Super { class }));
            }
            if is_own(&rules.class_objects.calls) {
                let argument = self.first_argument(view, call, callee);
                return argument.map_or_else(Values::unknown, |node| self.value(view.file, node).into_classes());
            }
        }
        if view.scopes.is_identifier(callee) {
            let word = view.tree.node_text(callee);
            let is_own = |words: &[String]| {
                words.iter().any(|known| *known == *word) && self.meaning(view.file, callee) == Meaning::External
            };
            if is_own(&rules.known_calls.typed) {
                let argument = self.first_argument(view, call, callee);
                return argument.map_or_else(Values::unknown, |node| self.type_values(view.file, node));
            }
            if is_own(&rules.known_calls.same) {
                let argument = self.first_argument(view, call, callee);
                return argument.map_or_else(Values::unknown, |node| self.value(view.file, node));
            }
        }
        if let Some(values) = self.wrapper_call(view, callee).or_else(|| self.copied(view, callee)) {
            return values;
        }
        let values = self.value(view.file, callee);
        if !rules.known_calls.open.is_empty()
            && values.known.iter().all(|value| matches!(value, Value::External { .. }))
        {
            let text = view.tree.node_text(callee);
            let last = text.rsplit('.').next().unwrap_or(&text);
            if rules.known_calls.open.iter().any(|known| known == last) {
                return Values::unknown();
            }
        }
        let is_outside = |value: &Value| matches!(value, Value::External { .. });
        if !is_plain
            && view.rules.assignments.any_type
            && values.known.iter().any(is_outside)
            && self.gets_class(view, call)
        {
            // It may make an object of that class, or one that stands for it: `Mock(spec=A)`.
            return Values::unknown();
        }
        self.call_values(view, values, is_plain)
    }

    /// Whether a call gets a class of the project as an argument.
    fn gets_class(&self, view: &View<'_>, call: Node) -> bool {
        let table = view.tree.table();
        let arguments = table.children(call).filter(|&child| table.is_named(child)).last();
        arguments.into_iter().flat_map(|list| view.tree.named_children(list)).any(|argument| {
            let value = view.tree.named_children(argument).last().unwrap_or(argument);
            [argument, value].into_iter().filter(|&node| view.scopes.is_identifier(node)).any(|node| {
                let Meaning::Known(things) = self.meaning(view.file, node) else { return false };
                things.iter().any(|thing| matches!(thing, Thing::Symbol(site) if self.is_class(*site)))
            })
        })
    }

    /// What a call of values returns.
    fn call_values(&self, view: &View<'_>, values: Values, is_plain: bool) -> Values {
        let rules = view.rules;
        let is_complete = values.is_complete;
        let of_value = |value| match value {
            Value::External { .. } if is_plain => Values::one(Value::Plain),
            Value::External { is_class: true } => Values::one(Value::Foreign),
            Value::Plain => Values::one(Value::Plain),
            Value::Class { class, .. }
                if !rules.companions.calls.is_empty()
                    && let Some(function) = self.scheme(view).called_of_class(self, view, class) =>
            {
                self.result(function, None)
            }
            Value::Class { class, is_own } if rules.made_objects.classes => {
                Values { known: vec![Value::Instance { class, is_own }], is_complete: self.makes_its_own(class) }
            }
            Value::Function { function, of } => self.result(function, of),
            value => match self.written_result(value) {
                Some((file, written)) => self.result_part(file, written, None),
                None => Values::unknown(),
            },
        };
        let mut found = Values::union(values.known.into_iter().map(of_value));
        found.is_complete &= is_complete;
        found
    }

    pub(crate) fn first_argument(&self, view: &View<'_>, call: Node, callee: Node) -> Option<Node> {
        let table = view.tree.table();
        let rule = view.tree.language().spec().args.of(table.type_id(call));
        let list = rule.into_iter().flat_map(|rule| &rule.at).flat_map(|path| view.tree.reached(call, path)).next();
        let list = list.or_else(|| table.children(call).find(|&child| table.is_named(child) && child != callee))?;
        view.tree.named_children(list).find(|&argument| !view.tree.is_comment(argument))
    }

    /// What a function returns: by its signature, or else by what its statements return.
    pub(in crate::symbols) fn result(&self, function: Site, of: Option<Site>) -> Values {
        let Some(view) = self.view(function.file) else { return Values::unknown() };
        let Some(definition) = self.definition_of(&view, function.name) else { return Values::unknown() };
        if let Some(written) = view.tree.return_type(definition) {
            return self.result_part(function.file, written, None).seen_from(of);
        }
        self.guarded(function, || {
            let own = self.returned(&view, definition);
            if !own.is_complete || !own.has_members() {
                return own;
            }
            Values::union([own, self.results_below(function, of)])
        })
        .seen_from(of)
    }

    /// The result of a method, whatever overrides it.
    pub(in crate::symbols) fn own_result(&self, function: Site, of: Option<Site>) -> Values {
        let Some(view) = self.view(function.file) else { return Values::unknown() };
        let Some(definition) = self.definition_of(&view, function.name) else { return Values::unknown() };
        match view.tree.return_type(definition) {
            Some(written) => self.result_part(function.file, written, None).seen_from(of),
            None => self.guarded(function, || self.returned(&view, definition)).seen_from(of),
        }
    }

    fn returned(&self, view: &View<'_>, definition: Node) -> Values {
        let table = view.tree.table();
        let value = view.tree.bound_value(definition).unwrap_or(definition);
        let mut results = Vec::new();
        for node in table.descendants(value) {
            let id = table.type_id(node);
            let is_own = || view.scopes.around(node) == value;
            if view.rules.results.generators.contains(id) && is_own() {
                return Values::unknown();
            }
            let Some(paths) = view.rules.results.values.of(id).filter(|_| is_own()) else { continue };
            let result = paths.iter().flat_map(|path| view.tree.reached(node, path)).next();
            results.extend(result.map(|result| self.value(view.file, result)));
        }
        if results.is_empty() { Values::unknown() } else { Values::union(results) }
    }
}

/// Whether a pattern takes its value apart for a part of it, and is not just around it: parentheses, a type.
fn takes_apart(view: &View<'_>, pattern: Node, part: Node) -> bool {
    let (whole, part) = (view.tree.node_text(pattern), view.tree.node_text(part));
    let is_around = |letter: char| letter.is_whitespace() || matches!(letter, '(' | ')');
    whole.trim_matches(is_around) != part.trim_matches(is_around)
}
