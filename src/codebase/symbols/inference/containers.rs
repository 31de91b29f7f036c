//! Elements of containers, results of functions with several values, and names that get one of several values or a member in a pattern.

use super::resolver::{Resolver, View};
use crate::language::{ByType, ModuleScheme, Path, SymbolRules};
use crate::modules::FileId;
use crate::symbols::model::{Meaning, Site, Value, Values};
use crate::tree::Node;

impl Resolver<'_> {
    /// The elements of a container.
    pub(in crate::symbols) fn elements(&self, container: Values) -> Values {
        self.inner_types(container, |rules| &rules.elements.types, Values::unknown())
    }

    /// The keys of a container: numbers, if its type says nothing.
    pub(in crate::symbols) fn keys(&self, container: Values) -> Values {
        self.inner_types(container, |rules| &rules.elements.keys, Values::one(Value::Plain))
    }

    /// What the functions of a type annotation return.
    pub(in crate::symbols) fn written_result(&self, function: Value) -> Option<(FileId, Node)> {
        let at = self.written(function)?;
        let view = self.view(at.file)?;
        let paths = view.rules.written_types.functions.of(view.tree.table().type_id(at.name))?;
        let result = paths.iter().flat_map(|path| view.tree.reached(at.name, path)).next()?;
        Some((at.file, result))
    }

    /// The type annotation of a value without a class, or that of which its class is made.
    fn written(&self, value: Value) -> Option<Site> {
        match value {
            Value::Written(at) => Some(at),
            Value::Instance { class, .. } => {
                let at = self.underlying(class)?;
                let values = self.type_values(at.file, at.name);
                match *values.known.as_slice() {
                    [Value::Written(at)] => Some(at),
                    [inner @ Value::Instance { class: other, .. }] if other != class => {
                        self.nested(None, || self.written(inner))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether a container's type annotation has more than one argument.
    pub(in crate::symbols) fn has_several_arguments(&self, value: Value) -> bool {
        let Some(at) = self.written(value) else { return false };
        let Some(view) = self.view(at.file) else { return false };
        let paths = view.rules.written_types.arguments.of(view.tree.table().type_id(at.name)).into_iter().flatten();
        view.is(ModuleScheme::Namespaces) && paths.flat_map(|path| view.tree.reached(at.name, path)).nth(1).is_some()
    }

    fn inner_types(
        &self,
        container: Values,
        table: impl Fn(&'static SymbolRules) -> &'static ByType<Vec<Path>>,
        otherwise: Values,
    ) -> Values {
        let is_complete = container.is_complete;
        let inner = |value: Value| {
            if value == Value::Plain {
                return Values::one(Value::Plain);
            }
            let Some(at) = self.written(value) else { return Values::unknown() };
            let Some(view) = self.view(at.file) else { return Values::unknown() };
            let Some(paths) = table(view.rules).of(view.tree.table().type_id(at.name)) else {
                return otherwise.clone();
            };
            let mut written = paths.iter().flat_map(|path| view.tree.reached(at.name, path)).next();
            let rules = &view.rules.elements;
            if !(rules.first.is_empty() && rules.last.is_empty())
                && let Some(arguments) = view.rules.written_types.arguments.of(view.tree.table().type_id(at.name))
            {
                let head = view.tree.name_node(at.name).map(|head| view.tree.node_text(head)).unwrap_or_default();
                let count = arguments.iter().flat_map(|path| view.tree.reached(at.name, path)).count();
                if count > 1 && !rules.last.is_empty() && !rules.last.iter().any(|name| *name == *head) {
                    return Values::unknown();
                }
                if rules.first.iter().any(|name| *name == *head) {
                    written = arguments.iter().flat_map(|path| view.tree.reached(at.name, path)).next();
                }
            }
            written.map_or_else(Values::unknown, |written| self.type_values(at.file, written))
        };
        let mut found = Values::union(container.known.into_iter().map(inner));
        found.is_complete &= is_complete;
        found
    }

    /// What a call of a method of a container returns, if it is one of those that return the container or an element.
    pub(in crate::symbols) fn wrapper_call(&self, view: &View<'_>, callee: Node) -> Option<Values> {
        let rules = view.rules;
        if rules.known_calls.same_methods.is_empty() || rules.objects.of(view.tree.table().type_id(callee)).is_none() {
            return None;
        }
        let name = self.member_name(view, callee)?;
        let word = view.tree.node_text(name);
        let is_in = |words: &[String]| words.iter().any(|known| *known == *word);
        let (is_same, is_element) = (is_in(&rules.known_calls.same_methods), is_in(&rules.elements.methods));
        if !is_same && !is_element {
            return None;
        }
        let object = self.object_of(view, name)?;
        let values = self.value(view.file, object);
        let has_own = |value: &Value| matches!(self.member_of(value, &*word), Meaning::Known(_));
        if values.known.is_empty() || values.known.iter().any(has_own) {
            return None;
        }
        let is_container = values.known.iter().all(|value| matches!(value, Value::Written(_)));
        match (is_same, is_container) {
            (true, false) if view.rules.members.structural => None,
            (true, _) => Some(values),
            (false, true) => Some(self.elements(values)),
            (false, false) => None,
        }
    }

    /// The types of a function's results, if the written one is a list of several.
    pub(in crate::symbols) fn tuple_parts(&self, view: &View<'_>, written: Node) -> Option<Vec<Node>> {
        let table = view.tree.table();
        let paths = view.rules.several_values.tuples.of(table.type_id(written))?;
        let mut parts = Vec::new();
        for part in paths.iter().flat_map(|path| view.tree.reached(written, path)) {
            let annotation = view.rules.written_types.annotations.of(table.type_id(part)).into_iter().flatten();
            let own = annotation.flat_map(|path| view.tree.reached(part, path)).next().unwrap_or(part);
            let names = table.children(part).filter(|&child| child != own && view.scopes.binds(child)).count();
            parts.extend(std::iter::repeat_n(own, names.max(1)));
        }
        Some(parts)
    }

    /// The values of one of the types that a function returns; of the only one, without a number.
    pub(in crate::symbols) fn result_part(&self, file: FileId, written: Node, part: Option<usize>) -> Values {
        let Some(view) = self.view(file) else { return Values::unknown() };
        let parts = self.tuple_parts(&view, written).unwrap_or_else(|| vec![written]);
        match (part, parts.as_slice()) {
            (None, &[only]) => self.type_values(file, only),
            (None, _) => Values::unknown(),
            (Some(number), parts) => {
                parts.get(number).map_or_else(Values::unknown, |&part| self.type_values(file, part))
            }
        }
    }

    /// One of the values of an expression that has several.
    pub(in crate::symbols) fn value_part(&self, view: &View<'_>, node: Node, number: usize) -> Values {
        let Some(callee) = self.called(view, node) else {
            // An element, and whether there is one.
            return if number == 0 { self.value(view.file, node) } else { Values::one(Value::Plain) };
        };
        let values = self.value(view.file, callee);
        let is_complete = values.is_complete;
        let mut found = Values::union(values.known.into_iter().map(|value| match value {
            Value::Function { function, .. } => {
                let Some(view) = self.view(function.file) else { return Values::unknown() };
                let definition = self.definition_of(&view, function.name);
                let written = definition.and_then(|definition| view.tree.return_type(definition));
                written.map_or_else(Values::unknown, |written| self.result_part(function.file, written, Some(number)))
            }
            Value::External { is_class: true } => Values::one(Value::Foreign),
            value => match self.written_result(value) {
                Some((file, written)) => self.result_part(file, written, Some(number)),
                None => Values::unknown(),
            },
        }));
        found.is_complete &= is_complete;
        found
    }

    /// The value of the only parameter of a function without a name, where a method calls it with the elements of its object:
    /// `items.map(|item| …)`.
    pub(in crate::symbols) fn passed_element(&self, view: &View<'_>, binder: Node) -> Option<Values> {
        let passing = &view.rules.elements.passing;
        let table = view.tree.table();
        if passing.is_empty() {
            return None;
        }
        let function = view.scopes.around(binder);
        let (id, functions) = (table.type_id(function), &view.tree.language().spec().flow.functions);
        if !functions.contains(id) && !view.rules.members.lambdas.contains(id) {
            return None;
        }
        let list = table.children(function).find(|&child| child == binder || table.is_within(binder, child))?;
        let (text, name) = (view.tree.node_text(list), view.tree.node_text(binder));
        let (before, after) = text.split_once(&*name)?;
        let is_sign = |letter: char| letter.is_whitespace() || "&|()".contains(letter);
        let after = match after.split_once(',') {
            Some((end, _)) if view.rules.elements.passes_more => end,
            _ => after,
        };
        if !before.chars().chain(after.chars()).all(is_sign) {
            return None;
        }
        let call = table.ancestors(function).take(2).find(|&call| self.called(view, call).is_some())?;
        let callee = self.called(view, call).filter(|&callee| !table.is_within(function, callee))?;
        let member = self.member_name(view, callee).or_else(|| self.member_name(view, call))?;
        let object = self.object_of(view, member)?;
        let is_passing = passing.iter().any(|method| *method == *view.tree.node_text(member));
        is_passing.then(|| self.elements(self.value(view.file, object)))
    }

    /// The names that a statement binds side by side with one of them, and its place among them; `None` if the name is
    /// deeper inside.
    pub(in crate::symbols) fn place_among(
        &self,
        view: &View<'_>,
        holder: Node,
        inner: Node,
        binder: Node,
    ) -> Option<(usize, usize)> {
        let table = view.tree.table();
        let is_list = view.rules.several_values.lists.contains(table.type_id(inner));
        let names: Vec<Node> = if is_list {
            view.tree.named_children(inner).collect()
        } else {
            let field = table.field(inner);
            table.children(holder).filter(|&child| table.is_named(child) && table.field(child) == field).collect()
        };
        let place = names.iter().position(|&name| table.is_within(binder, name))?;
        let is_whole = names[place] == binder || self.member_name(view, names[place]) == Some(binder);
        is_whole.then_some((place, names.len()))
    }

    /// What a name gets from a list of values on the other side.
    pub(in crate::symbols) fn listed_value(&self, view: &View<'_>, value: Node, place: usize, count: usize) -> Values {
        let table = view.tree.table();
        let is_list = view.rules.several_values.lists.contains(table.type_id(value));
        let values: Vec<Node> = if is_list { view.tree.named_children(value).collect() } else { vec![value] };
        match values.as_slice() {
            values if values.len() == count => self.value(view.file, values[place]),
            &[only] => self.value_part(view, only, place),
            _ => Values::unknown(),
        }
    }

    /// The type that a name has in the part of a statement around it: a case of a switch over types.
    pub(in crate::symbols) fn narrowed_value(&self, view: &View<'_>, name: Node) -> Option<Values> {
        if view.rules.narrowing.types.is_empty() {
            return None;
        }
        let table = view.tree.table();
        let names = view.scopes.names(&view.tree.node_text(name));
        let symbol = names.resolve(&view.scopes, names.at(name)?)?;
        let is_narrowing = |found: &&crate::scopes::VariableName| {
            found.scope == symbol.scope
                && found.does.is_binding()
                && view.scopes.reaches(found.name, &view.rules.narrowing.names).is_some()
        };
        names.found.iter().find(is_narrowing)?;
        for around in table.ancestors(name).take_while(|&around| around > symbol.scope) {
            let Some(paths) = view.rules.narrowing.types.of(table.type_id(around)) else { continue };
            let types: Vec<Node> = paths.iter().flat_map(|path| view.tree.reached(around, path)).collect();
            return Some(match types.as_slice() {
                &[only] => self.type_values(view.file, only),
                _ => Values::unknown(),
            });
        }
        None
    }

    /// The meaning of the name of a field in an expression that makes an instance; `None` if it is a value there.
    pub(in crate::symbols) fn field_key(&self, view: &View<'_>, name: Node, text: &str) -> Option<Meaning> {
        view.scopes.fits(name, &view.rules.made_objects.keys)?;
        let values = self.made(view, name);
        let names = view.scopes.names(text);
        let is_bound = || names.at(name).is_some_and(|found| names.resolve(&view.scopes, found).is_some());
        let has_fields = |value: &Value| match value {
            Value::Instance { .. } => self.written(*value).is_none(),
            _ => false,
        };
        match values.known.as_slice() {
            [Value::Written(_)] => None,
            known if !known.is_empty() && known.iter().all(has_fields) => {
                let meaning = Meaning::union(known.iter().map(|value| self.member_of(value, text)));
                Some(meaning)
            }
            [Value::Instance { .. }] => None,
            [Value::Foreign | Value::External { .. }] if !is_bound() => Some(Meaning::External),
            _ => Some(Meaning::Unknown(Vec::new())),
        }
    }

    /// What the braces around the name of a field make.
    pub(in crate::symbols) fn made(&self, view: &View<'_>, name: Node) -> Values {
        /// How deep literals are nested without a type of their own.
        const DEPTH: usize = 64;
        let table = view.tree.table();
        let mut depth = 0;
        for around in table.ancestors(name).take(DEPTH) {
            let id = table.type_id(around);
            depth += usize::from(view.rules.made_objects.bodies.contains(id));
            let is_maker =
                view.rules.written_types.casts.of(id).is_some() || view.rules.made_objects.creations.of(id).is_some();
            let annotation = view.rules.written_types.annotations.of(id).into_iter().flatten();
            let annotation = annotation.flat_map(|path| view.tree.reached(around, path)).next();
            let mut values = match annotation.filter(|_| depth > 0) {
                Some(written) => self.type_values(view.file, written),
                None if is_maker => self.value(view.file, around),
                None => continue,
            };
            if view.rules.elements.alike {
                let is_array = |&node: &Node| view.rules.declarators.arrays.contains(table.type_id(node));
                let arrays =
                    table.descendants(around).take_while(|&node| !table.is_within(name, node) || is_array(&node));
                let arrays = arrays.filter(is_array).count();
                return if depth == arrays + 1 { values } else { Values::unknown() };
            }
            for _ in 1..depth {
                values = self.elements(values);
            }
            return values;
        }
        Values::unknown()
    }

    /// The pattern of which a name is a key.
    pub(crate) fn pattern_around(&self, view: &View<'_>, name: Node) -> Option<Node> {
        let table = view.tree.table();
        if view.rules.members.literals.is_empty() {
            return None;
        }
        let parent = table.parent(name)?;
        if view.scopes.fits(name, &view.scopes.rules.keys).is_some() {
            return table.parent(parent);
        }
        let is_shorthand = view.scopes.shorthand(name).is_some_and(|template| template.contains(':'));
        // Assigned, it binds nothing.
        let is_pattern = || view.scopes.binds(name) || view.scopes.fits(name, &view.scopes.rules.patterns).is_some();
        if !is_shorthand || !is_pattern() {
            return None;
        }
        // `{ a = 1 }`
        if table.field(name) != 0 { table.parent(parent) } else { Some(parent) }
    }

    /// The value that a pattern takes apart.
    pub(crate) fn taken_apart(&self, view: &View<'_>, pattern: Node) -> Values {
        let table = view.tree.table();
        let rules = view.rules;
        let mut inner = pattern;
        let mut is_complete = true;
        while let Some(holder) = table.parent(inner) {
            let id = table.type_id(holder);
            let first = |paths: Option<&'static Vec<Path>>| {
                let mut nodes = paths.into_iter().flatten().flat_map(|path| view.tree.reached(holder, path));
                nodes.find(|&node| !table.is_within(inner, node))
            };
            if let Some(written) = first(rules.written_types.annotations.of(id)) {
                return self.type_values(view.file, written);
            }
            let key = table.children(holder).find(|&child| view.scopes.fits(child, &view.scopes.rules.keys).is_some());
            if let Some(key) = key.filter(|&key| key != inner) {
                let Some(outer) = table.parent(holder) else { break };
                let outer = self.nested(Values::unknown(), || self.taken_apart(view, outer));
                let mut values = self.member_values(&outer, &view.tree.node_text(key));
                values.is_complete &= is_complete;
                return values;
            }
            if let Some(container) = first(rules.elements.ranges.of(id)) {
                let mut elements = self.elements(self.value(view.file, container));
                elements.is_complete &= is_complete;
                return elements;
            }
            if let Some(value) = first(rules.values.of(id)) {
                if view.scopes.fits(inner, &view.scopes.rules.patterns).is_some() {
                    // A default: what else it may be, is further out.
                    is_complete = false;
                    inner = holder;
                    continue;
                }
                let mut values = self.value(view.file, value);
                values.is_complete &= is_complete && !self.takes_any_value(view, inner);
                return values;
            }
            break;
        }
        Values::unknown()
    }

    /// The values of a member of values.
    pub(in crate::symbols) fn member_values(&self, values: &Values, name: &str) -> Values {
        let of = |value: &Value| match self.member_of(value, name) {
            Meaning::Known(things) => Values::union(things.into_iter().map(|thing| self.thing_value(thing))),
            Meaning::External | Meaning::Unknown(_) => Values::unknown(),
        };
        let mut found = Values::union(values.known.iter().map(of));
        found.is_complete &= values.is_complete;
        found
    }

    /// The value that a name gets as a member of what a pattern takes apart: `const { a, b: c = 1 } = o`; `None` for other names.
    pub(in crate::symbols) fn taken_member(&self, view: &View<'_>, binder: Node) -> Option<Values> {
        let table = view.tree.table();
        let scopes = &view.scopes;
        if view.rules.members.literals.is_empty() {
            return None;
        }
        let parent = table.parent(binder)?;
        let is_key = |node: &Node| scopes.fits(*node, &scopes.rules.keys).is_some();
        // `a = 1`
        let has_default = !table.children(parent).any(|child| is_key(&child)) && table.field(binder) != 0;
        let (key, pattern) = match self.pattern_around(view, binder) {
            Some(pattern) => (binder, pattern),
            None => {
                let whole = if has_default { parent } else { binder };
                let pair = table.parent(whole)?;
                let key = table.children(pair).find(is_key).filter(|&key| key != whole)?;
                (key, table.parent(pair)?)
            }
        };
        let values = self.nested(Values::unknown(), || self.taken_apart(view, pattern));
        let member = self.member_values(&values, &view.tree.node_text(key));
        let default = view.tree.named_children(parent).nth(1).filter(|&default| has_default && default != binder);
        Some(match default {
            Some(default) => Values::union([member, self.value(view.file, default)]),
            None => member,
        })
    }
}
