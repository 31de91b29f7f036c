//! Modules that are loaded by a call, and what they export by assignments: `require("x")`, `exports.a = 1`, `module.exports = f`.

use rustc_hash::FxHashSet;

use crate::language::Spaces;
use crate::modules::FileId;
use crate::symbols::inference::resolver::{Resolver, View, Work};
use crate::symbols::model::{
    AssignedExport, AssignedExports, Meaning, Required, RequiredName, RequiredNames, Site, Thing, Value, Values,
};
use crate::text::Span;
use crate::tree::Node;

impl Resolver<'_> {
    /// The names that bind what a call loads under its own name: `{ a }` in `const { a } = require("./b")`; without
    /// `keeps_exports` those of the object that a file exports as a whole, too: `module.exports = { a }`.
    pub fn loaded_names(&self, file: FileId, keeps_exports: bool) -> Vec<Span> {
        let Some(view) = self.view(file).filter(|view| !view.rules.loaded_modules.calls.is_empty()) else {
            return Vec::new();
        };
        let names = &self.required(&view).names;
        let own = names.iter().filter(|(name, required)| **name == required.binder && required.member.is_some());
        let mut found: Vec<Span> = own.map(|(&name, _)| view.tree.span(name)).collect();
        let whole = self.assigned_exports(&view).whole.filter(|_| !keeps_exports);
        let exported = whole.into_iter().flat_map(|whole| view.tree.table().children(whole));
        found.extend(exported.filter(|&name| view.scopes.shorthand(name).is_some()).map(|name| view.tree.span(name)));
        found
    }

    /// What a file loads by calls.
    pub(crate) fn required<'v>(&self, view: &'v View<'_>) -> &'v RequiredNames {
        view.required.get_or_init(|| self.find_required(view))
    }

    fn find_required(&self, view: &View<'_>) -> RequiredNames {
        let table = view.tree.table();
        let mut found = RequiredNames::default();
        let rules = &view.rules.loaded_modules;
        let words = rules.calls.iter().flat_map(|word| view.scopes.nodes_of(word)).copied();
        let operators = table.nodes().filter(|&node| rules.operators.contains(table.type_id(node)));
        let operators = (!rules.operators.is_empty()).then_some(operators).into_iter().flatten();
        for word in words.chain(operators) {
            // `importlib.import_module`
            let callee =
                table.parent(word).filter(|&access| self.member_name(view, access) == Some(word)).unwrap_or(word);
            let Some(call) = table.parent(callee).filter(|&call| self.called(view, call) == Some(callee)) else {
                continue;
            };
            let Some(argument) = self.first_argument(view, call, callee) else { continue };
            let text = view.tree.node_text(argument);
            let Some(source) = plain_string(&text) else { continue };
            found.calls.push(Required { call, source: source.to_owned() });
            let call = self.widest_same(view, call);
            let (mut whole, mut member) = (call, None);
            if let Some(access) = table.parent(call)
                && let Some(name) = self.member_name(view, access).filter(|_| self.is_object(view, access, call))
            {
                (whole, member) = (access, Some(view.tree.node_text(name).into_owned()));
            }
            let is_outside = self.project().imported_module(view.file, view.tree.language(), source).is_none();
            let Some(holder) = table.parent(whole).filter(|&holder| self.given_value(view, holder) == Some(whole))
            else {
                continue;
            };
            // What is assigned later is a variable.
            let binders = table.descendants(holder).filter(|&node| {
                !table.is_within(node, whole) && view.scopes.is_identifier(node) && view.scopes.binds(node)
            });
            for binder in binders {
                let Some(keys) = self.keys_up_to(view, binder, holder) else { continue };
                let picked = match (keys.as_slice(), &member) {
                    ([], member) => member.clone(),
                    ([key], None) => Some(view.tree.node_text(*key).into_owned()),
                    _ => continue,
                };
                let required = RequiredName { source: source.to_owned(), member: picked, binder };
                // A name for something outside is a variable.
                if is_outside {
                    found.outside.push(required);
                    continue;
                }
                if let Some(name) = self.member_name(view, whole).filter(|_| whole != call && keys.is_empty()) {
                    found.names.insert(name, required.clone());
                }
                found.names.extend(keys.first().map(|&key| (key, required.clone())));
                found.names.insert(binder, required);
            }
        }
        found
    }

    /// The expression around one that has the same value: `(await x)` of `x`.
    fn widest_same(&self, view: &View<'_>, node: Node) -> Node {
        let table = view.tree.table();
        let mut widest = node;
        while let Some(holder) = table.parent(widest) {
            let paths = view.rules.loaded_modules.waiting.of(table.type_id(holder)).into_iter().flatten();
            if !paths.flat_map(|path| view.tree.reached(holder, path)).any(|part| part == widest) {
                break;
            }
            widest = holder;
        }
        widest
    }

    /// Whether a file loads a module by a call, and does something else with it than to take a member.
    pub fn passes_loaded_on(&self, file: FileId, module: FileId) -> bool {
        let Some(view) = self.view(file).filter(|view| !view.rules.loaded_modules.operators.is_empty()) else {
            return false;
        };
        let table = view.tree.table();
        let required = self.required(&view);
        required.calls.iter().any(|Required { call, source }| {
            let found = self.project().imported_module(file, view.tree.language(), source);
            let whole = self.widest_same(&view, *call);
            let is_taken = table.parent(whole).is_some_and(|holder| {
                self.is_object(&view, holder, whole) && whole != *call
                    || required.names.keys().any(|&name| table.is_within(name, holder))
            });
            found == Some(Thing::Module(module)) && !is_taken
        })
    }

    /// The keys of the patterns between a name and what gives them a value; `None` for a pattern without keys.
    fn keys_up_to(&self, view: &View<'_>, binder: Node, holder: Node) -> Option<Vec<Node>> {
        let table = view.tree.table();
        let rules = view.scopes.rules;
        let mut keys = Vec::new();
        let mut inner = binder;
        if view.scopes.shorthand(binder).is_some() {
            keys.push(binder);
        }
        for outer in table.ancestors(binder) {
            if outer == holder {
                return Some(keys);
            }
            let key = table.children(outer).find(|&child| view.scopes.fits(child, &rules.keys).is_some());
            match key {
                Some(key) if key != inner => keys.push(key),
                _ if keys.is_empty() => return None,
                _ => {}
            }
            inner = outer;
        }
        None
    }

    /// Whether a node is the receiver of a member access.
    fn is_object(&self, view: &View<'_>, access: Node, object: Node) -> bool {
        self.member_name(view, access).is_some_and(|name| name != object && self.object_of(view, name) == Some(object))
    }

    /// The value that a node gives to a name.
    fn given_value(&self, view: &View<'_>, holder: Node) -> Option<Node> {
        let paths = view.rules.values.of(view.tree.table().type_id(holder))?;
        paths.iter().flat_map(|path| view.tree.reached(holder, path)).next()
    }

    /// The meaning of a name that gets what a call loads; `None` if it is not one.
    pub(in crate::symbols) fn required_meaning(&self, view: &View<'_>, name: Node) -> Option<Meaning> {
        if view.rules.loaded_modules.calls.is_empty() {
            return None;
        }
        let RequiredName { source, member, .. } = self.required(view).names.get(&name)?;
        let Some(module) = self.project().imported_module(view.file, view.tree.language(), source) else {
            return Some(Meaning::External);
        };
        Some(match member {
            None => self.nested(Meaning::Unknown(Vec::new()), || self.whole_meaning(module)),
            Some(member) => self.member_of_module(module, member),
        })
    }

    /// What a call loads; `None` if it loads nothing.
    pub(in crate::symbols) fn loaded(&self, view: &View<'_>, call: Node) -> Option<Meaning> {
        if view.rules.loaded_modules.calls.is_empty() {
            return None;
        }
        let Required { source, .. } = self.required(view).calls.iter().find(|required| required.call == call)?;
        let module = self.project().imported_module(view.file, view.tree.language(), source);
        if module.is_none() && source.starts_with('.') {
            return Some(Meaning::Unknown(Vec::new()));
        }
        let whole = |module| self.nested(Meaning::Unknown(Vec::new()), || self.whole_meaning(module));
        Some(module.map_or(Meaning::External, whole))
    }

    /// What a module is as a whole: the function or class that it exports, else the module.
    pub(in crate::symbols) fn whole_meaning(&self, module: Thing) -> Meaning {
        let own = Meaning::Known(vec![module]);
        let Thing::Module(file) = module else { return own };
        // Modules may load each other.
        let key = Work::Member(file, String::new(), Spaces::ALL);
        if !self.open.enter(&key) {
            return own;
        }
        let view = self.view(file);
        let whole = view.as_ref().and_then(|view| {
            let value = self.assigned_exports(view).whole?;
            self.whole_value(view, value)
        });
        self.open.leave(&key);
        whole.unwrap_or(own)
    }

    /// The meaning of the value of a module if it has a name: a function, a class, another module.
    fn whole_value(&self, view: &View<'_>, value: Node) -> Option<Meaning> {
        if let Some(loaded) = self.loaded(view, value) {
            return Some(loaded);
        }
        if let Some(name) = view.tree.name_node(value).filter(|&name| self.definition_of(view, name) == Some(value)) {
            return Some(Meaning::site(view.file, name));
        }
        if !view.scopes.is_identifier(value) {
            return None;
        }
        let meaning = self.meaning(view.file, value);
        matches!(meaning, Meaning::Known(_)).then_some(meaning)
    }

    /// Whether a name is that of a function or a class.
    fn is_callable(&self, site: Site) -> bool {
        let Some(view) = self.view(site.file) else { return false };
        let Some(definition) = self.definition_of(&view, site.name) else { return false };
        self.is_function(&view, definition) || view.tree.is_scope(definition) && self.is_class_name(&view, site.name)
    }

    /// What a file exports by assignments.
    pub(in crate::symbols) fn assigned_exports<'v>(&self, view: &'v View<'_>) -> &'v AssignedExports {
        view.assigned_exports.get_or_init(|| {
            let mut found = AssignedExports::default();
            let last = |object: &str| object.rsplit('.').next().unwrap_or_default().to_owned();
            let words: FxHashSet<String> =
                view.rules.loaded_modules.objects.iter().map(|object| last(object)).collect();
            let mut names: Vec<String> = Vec::new();
            for word in words {
                for &node in view.scopes.nodes_of(&word) {
                    if let Some(object) = self.export_object(view, node) {
                        self.add_export(view, object, &mut found, &mut names);
                    }
                }
            }
            if let Some(whole) = found.whole.filter(|&whole| view.scopes.is_identifier(whole)) {
                names.push(view.tree.node_text(whole).into_owned());
            }
            names.sort_unstable();
            names.dedup();
            for name in names {
                for &node in view.scopes.nodes_of(&name) {
                    if view.scopes.fits(node, &view.scopes.rules.attributes).is_none() {
                        self.add_export(view, node, &mut found, &mut Vec::new());
                    }
                }
            }
            found
        })
    }

    /// The expression for the object with the exports that ends with a word.
    fn export_object(&self, view: &View<'_>, word: Node) -> Option<Node> {
        let table = view.tree.table();
        let is_member = view.scopes.fits(word, &view.scopes.rules.attributes).is_some();
        let object = if is_member { table.parent(word)? } else { word };
        let text = view.tree.node_text(object);
        view.rules.loaded_modules.objects.iter().any(|known| *known == *text).then_some(object)
    }

    /// Notes what is done with an expression for the exports.
    fn add_export(&self, view: &View<'_>, object: Node, found: &mut AssignedExports, names: &mut Vec<String>) {
        let table = view.tree.table();
        found.objects.insert(object);
        let Some(holder) = table.parent(object) else { return };
        if self.is_object(view, holder, object) {
            let assignment = table.parent(holder);
            let value = assignment.and_then(|assignment| self.given_value(view, assignment));
            if let (Some(name), Some(value)) = (self.member_name(view, holder), value.filter(|&value| value != holder))
            {
                let value = self.last_value(view, value);
                let text = view.tree.node_text(name).into_owned();
                found.members.entry(text).or_default().push(AssignedExport { name, value });
            }
            return;
        }
        let is_whole = |text: &str| view.rules.loaded_modules.wholes.iter().any(|whole| whole == text);
        if let Some(value) = self.given_value(view, holder) {
            if value != object && is_whole(&view.tree.node_text(object)) {
                found.whole = Some(self.last_value(view, value));
            }
            // `var app = module.exports = {}`, `var app = exports`.
            let mut outer = holder;
            while let Some(next) = table.parent(outer).filter(|&next| self.given_value(view, next) == Some(outer)) {
                outer = next;
            }
            let is_declared = value == object || outer != holder;
            let name = table.children(outer).find(|&child| is_declared && view.scopes.is_identifier(child));
            names.extend(name.map(|name| view.tree.node_text(name).into_owned()));
            return;
        }
        // `Object.assign(exports, require("x"))`
        let required = self.required(view).calls.iter();
        found.globs.extend(
            required
                .filter(|required| table.parent(required.call) == Some(holder))
                .map(|required| required.source.clone()),
        );
    }

    /// The value at the end of a chain of assignments.
    fn last_value(&self, view: &View<'_>, value: Node) -> Node {
        let mut value = value;
        while let Some(next) = self.given_value(view, value) {
            value = next;
        }
        value
    }

    /// What a file exports by assignments under a name; `None` if it exports nothing so.
    pub(in crate::symbols) fn exported_by_assignment(&self, view: &View<'_>, name: &str) -> Option<Meaning> {
        if view.rules.loaded_modules.objects.is_empty() {
            return None;
        }
        let exports = self.assigned_exports(view);
        if exports.is_empty() {
            return None;
        }
        let mut things = Vec::new();
        let mut add = |meaning: Meaning| {
            if let Meaning::Known(mut known) = meaning {
                things.append(&mut known);
            }
        };
        let members = exports.members.get(name).into_iter().flatten();
        for (number, member) in members.enumerate() {
            let value = self.exported_value(view, member.value);
            let is_known = matches!(value, Meaning::Known(_));
            // `exports.a = a` does not make another symbol.
            let is_same = is_known && *view.tree.node_text(member.value) == *name;
            if number == 0 && !is_same {
                add(Meaning::site(view.file, member.name));
            }
            add(value);
        }
        for object in self.export_literals(view, exports) {
            self.literal_member(view, object, name).into_iter().for_each(&mut add);
        }
        if view.rules.default_exports.name.as_deref() == Some(name) && things.is_empty() {
            return Some(self.whole_meaning(Thing::Module(view.file)));
        }
        things.sort_unstable();
        things.dedup();
        if !things.is_empty() {
            return Some(Meaning::Known(things));
        }
        let modules =
            exports.globs.iter().map(|source| self.project().imported_module(view.file, view.tree.language(), source));
        let mut is_external = false;
        for module in modules {
            match module.map(|module| self.member_of_module(module, name)) {
                Some(Meaning::Known(things)) => return Some(Meaning::Known(things)),
                Some(Meaning::Unknown(_)) => {}
                Some(Meaning::External) | None => is_external = true,
            }
        }
        // What is exported may be made by a call.
        let loaded = exports.whole.and_then(|whole| self.loaded(view, whole));
        if let Some(Meaning::Known(things)) = loaded {
            let values = Values::union(things.into_iter().map(|thing| self.thing_value(thing)));
            return Some(Meaning::union(values.known.iter().map(|value| self.member_of(value, name))));
        }
        Some(if is_external || loaded == Some(Meaning::External) {
            Meaning::External
        } else {
            Meaning::Unknown(Vec::new())
        })
    }

    /// The meaning of an exported value if it is a name, or another module.
    fn exported_value(&self, view: &View<'_>, value: Node) -> Meaning {
        if let Some(loaded) = self.loaded(view, value) {
            return loaded;
        }
        match view.scopes.is_identifier(value) {
            true => self.meaning(view.file, value),
            false => Meaning::Unknown(Vec::new()),
        }
    }

    /// The objects written in a file that have what it exports.
    fn export_literals(&self, view: &View<'_>, exports: &AssignedExports) -> Vec<Node> {
        let Some(whole) = exports.whole else { return Vec::new() };
        let is_literal = |node: Node| view.scopes.rules.members.contains(view.tree.table().type_id(node));
        if is_literal(whole) {
            return vec![whole];
        }
        if !view.scopes.is_identifier(whole) {
            return Vec::new();
        }
        let binders = self.top_binders(view, &view.tree.node_text(whole));
        let holders = binders.into_iter().filter_map(|binder| view.tree.table().parent(binder));
        let values =
            holders.filter_map(|holder| self.given_value(view, holder)).map(|value| self.last_value(view, value));
        values.filter(|&value| is_literal(value)).collect()
    }

    /// The meaning of a name in an object that is written.
    fn literal_member(&self, view: &View<'_>, object: Node, name: &str) -> Vec<Meaning> {
        let table = view.tree.table();
        let mut found = Vec::new();
        for &node in view.scopes.nodes_of(name) {
            let Some(holder) = table.parent(node) else { continue };
            if holder == object && view.scopes.shorthand(node).is_some() {
                found.push(self.meaning(view.file, node));
            } else if table.parent(holder) == Some(object) && view.tree.name_node(holder) == Some(node) {
                // `{ a: b }`: the key is a symbol, whose value is another one.
                found.push(Meaning::site(view.file, node));
            }
        }
        found
    }

    /// The file's own module, for an expression that is the object with its exports.
    pub(in crate::symbols) fn own_exports(&self, view: &View<'_>, node: Node) -> Option<Value> {
        if view.rules.loaded_modules.objects.is_empty() || !self.assigned_exports(view).objects.contains(&node) {
            return None;
        }
        // A function that is exported is still a function.
        let named = view.scopes.is_identifier(node).then(|| self.meaning(view.file, node));
        if let Some(Meaning::Known(things)) = named
            && things.iter().any(|thing| matches!(thing, Thing::Symbol(site) if self.is_callable(*site)))
        {
            return None;
        }
        Some(Value::Module(Thing::Module(view.file)))
    }

    /// The meaning of a name as a member of a function that its file exports as a whole.
    pub(in crate::symbols) fn member_of_exported(&self, function: Site, name: &str) -> Option<Meaning> {
        let view = self.view(function.file)?;
        if view.rules.loaded_modules.objects.is_empty() || self.assigned_exports(&view).is_empty() {
            return None;
        }
        let is_it = self.whole_meaning(Thing::Module(view.file)) == Meaning::site(function.file, function.name);
        let known = || self.exported_by_assignment(&view, name).filter(|found| matches!(found, Meaning::Known(_)));
        if is_it { known() } else { None }
    }

    /// The modules that a file loads by calls, each with the line.
    pub(in crate::symbols) fn required_sources(&self, file: FileId) -> Vec<(String, usize)> {
        let Some(view) = self.view(file).filter(|view| !view.rules.loaded_modules.calls.is_empty()) else {
            return Vec::new();
        };
        let calls = self.required(&view).calls.iter();
        calls.map(|required| (required.source.clone(), view.tree.start(required.call).line)).collect()
    }
}

/// What is in a string without escapes and inserted values.
pub(in crate::symbols) fn plain_string(text: &str) -> Option<&str> {
    let inner = ['"', '\'', '`'].iter().find_map(|&quote| text.strip_prefix(quote)?.strip_suffix(quote))?;
    (!inner.contains(['\\', '$', '\n'])).then_some(inner)
}
