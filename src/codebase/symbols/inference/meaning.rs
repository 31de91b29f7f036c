//! The meaning of a name: the symbols, in whatever file, that it refers to.

use super::resolver::{Resolver, View};
use crate::language::{ModuleScheme, Spaces};
use crate::modules::FileId;
use crate::scopes::{Names, VariableName};
use crate::symbols::model::{Meaning, Member, MemberName, Site, Thing, Value, Values};
use crate::tree::Node;

/// How many names are followed to the type of an object.
const CLOSED_DEPTH: usize = 4;

impl Resolver<'_> {
    /// The meaning of the name at a node.
    pub fn meaning(&self, file: FileId, name: Node) -> Meaning {
        let Some(view) = self.view(file) else { return Meaning::Unknown(Vec::new()) };
        if let Some(precise) = self.precise_meaning(&view, name) {
            return precise;
        }
        self.own_meaning(file, name)
    }

    /// What it means by the files themselves, whatever an index says.
    pub(in crate::symbols) fn own_meaning(&self, file: FileId, name: Node) -> Meaning {
        let Some(view) = self.view(file) else { return Meaning::Unknown(Vec::new()) };
        let meaning = self.nested(Meaning::Unknown(Vec::new()), || self.find_meaning(&view, name));
        match meaning {
            Meaning::Known(things) if things.len() > 1 => Meaning::Known(self.in_space(&view, name, things)),
            meaning => meaning,
        }
    }

    /// Those of several things that have the name space of a name; all, if none has.
    fn in_space(&self, view: &View<'_>, name: Node, things: Vec<Thing>) -> Vec<Thing> {
        if self.import_around(view, name).is_some() {
            return things;
        }
        let spaces = match view.scopes.classify(name) {
            Some((_, spaces)) => spaces,
            None => self.spaces_of_member(view, name),
        };
        let fits = |thing: &&Thing| {
            let Thing::Symbol(site) = **thing else { return true };
            let bound = self.view(site.file).and_then(|other| other.scopes.classify(site.name));
            bound.is_none_or(|(_, bound)| bound.meets(spaces))
        };
        let fitting: Vec<Thing> = things.iter().filter(fits).copied().collect();
        if fitting.is_empty() { things } else { fitting }
    }

    fn find_meaning(&self, view: &View<'_>, name: Node) -> Meaning {
        let scheme = self.scheme(view);
        if let Some(meaning) = scheme.meaning(self, view, name) {
            return meaning;
        }
        if let Some(import) = self.import_around(view, name) {
            return self.imported(view, import, name);
        }
        if let Some(loaded) = scheme.loaded_name(self, view, name) {
            return loaded;
        }
        if let Some(exported) = self.exported_from(view, name) {
            return exported;
        }
        if self.is_macro_parameter(view, name) || view.scopes.fits(name, &view.scopes.rules.labels).is_some() {
            return Meaning::External;
        }
        if let Some(loose) = self.loose_meaning(view, name).or_else(|| self.labelled(view, name)) {
            return loose;
        }
        let rules = view.scopes.rules;
        let is_lexical = rules.lexical.contains(view.tree.table().type_id(name));
        let text = view.tree.node_text(name);
        if !is_lexical && view.scopes.fits(name, &rules.attributes).is_some() {
            return self.attribute(view, name, &text);
        }
        if view.scopes.fits(name, &rules.arguments).is_some() {
            return self.argument(view, name, &text);
        }
        if let Some(part) = self.in_written_path(view, name) {
            return part;
        }
        if let Some(field) = self.field_key(view, name, &text) {
            return field;
        }
        if self.attached_to(view, name).is_some() {
            return Meaning::site(view.file, name);
        }
        let names = view.scopes.names(&text);
        match names.at(name) {
            Some(found) => {
                let first = self.in_first_space(view, &names, found, &text);
                let meaning = first.unwrap_or_else(|| self.variable(view, &names, found, &text));
                scheme.unless_hidden(self, view, found, meaning)
            }
            None => Meaning::Unknown(Vec::new()),
        }
    }

    /// The meaning in the name space that comes first, of a name that may be of several.
    fn in_first_space(&self, view: &View<'_>, names: &Names, found: &VariableName, text: &str) -> Option<Meaning> {
        let first = first_space(view, found.spaces)?;
        let is_reference = !found.does.is_binding();
        let found = is_reference.then_some(VariableName { spaces: first, ..*found })?;
        Some(self.variable(view, names, &found, text)).filter(|meaning| matches!(meaning, Meaning::Known(_)))
    }

    /// The meaning of a variable.
    pub(crate) fn variable(&self, view: &View<'_>, names: &Names, found: &VariableName, text: &str) -> Meaning {
        let symbol = names.resolve(&view.scopes, found);
        if let Some(inherited) = self.implicit_member(view, found, text, symbol.map(|symbol| symbol.scope)) {
            return inherited;
        }
        if let Some(meaning) = self.scheme(view).variable(self, view, found, symbol.map(|symbol| symbol.scope), text) {
            return meaning;
        }
        let Some(symbol) = symbol else {
            if view.rules.type_words.own.iter().any(|own| own == text)
                && let Some(class) = self.class_around(view, found.name)
            {
                return Meaning::site(class.file, class.name);
            }
            return self.free_name(view, found.name, MemberName { text, spaces: found.spaces });
        };
        let binders: Vec<Node> = names.binders(&view.scopes, symbol).map(|found| found.name).collect();
        let own = self.bound_by(view, &binders);
        if let Some(other) = names.other_way(&view.scopes, found).filter(|other| !other.is(symbol)) {
            let others: Vec<Node> = names.binders(&view.scopes, other).map(|found| found.name).collect();
            let (Meaning::Known(mut things) | Meaning::Unknown(mut things)) = own else { return own };
            if let Meaning::Known(others) | Meaning::Unknown(others) = self.bound_by(view, &others) {
                things.extend(others);
            }
            return Meaning::Unknown(things);
        }
        let is_dotted = view.rules.modules == Some(ModuleScheme::Dotted);
        let flow = &view.tree.language().spec().flow;
        let unbinds = |name: Node| view.scopes.reaches(name, &flow.unbinds).is_some();
        let only_binds =
            found.does.is_binding() && view.scopes.fits(found.name, &flow.updates).is_none() && !unbinds(found.name);
        if !is_dotted || symbol.scope != Node::ROOT || only_binds || view.globs().is_empty() {
            return own;
        }
        // Until it is bound here, it is what an import of everything binds.
        let table = view.tree.table();
        let is_bound = |&binder: &Node| {
            let is_at_top = table.ancestors(binder).nth(2).is_some_and(|node| table.parent(node) == Some(Node::ROOT))
                || table.ancestors(binder).take(2).any(|node| table.parent(node) == Some(Node::ROOT));
            is_at_top
                && !unbinds(binder)
                && view.globs().iter().all(|(glob, _)| *glob < binder)
                && !view.scopes.binds_after(binder, found.name)
        };
        if view.scopes.around(found.name) == Node::ROOT && binders.iter().any(is_bound) {
            return own;
        }
        match self.find_in_globs(view, text) {
            imported @ Meaning::Known(_) => Meaning::union([imported, own]),
            _ => own,
        }
    }

    /// The meaning of a variable by all names that bind it.
    pub(in crate::symbols) fn bound_by(&self, view: &View<'_>, binders: &[Node]) -> Meaning {
        let mut own: Vec<Node> = Vec::new();
        let mut meanings = Vec::new();
        for &binder in binders {
            let imported = self
                .import_around(view, binder)
                .map(|import| self.nested(Meaning::Unknown(Vec::new()), || self.imported(view, import, binder)));
            match imported.or_else(|| self.scheme(view).loaded_name(self, view, binder)) {
                Some(meaning) => meanings.push(meaning),
                None if own.iter().all(|&other| self.are_apart(view, other, binder)) => own.push(binder),
                None => {}
            }
        }
        if own.is_empty() {
            return Meaning::union(meanings);
        }
        // Bound here and imported: of the imports only what is known adds a meaning.
        meanings.retain(|meaning| matches!(meaning, Meaning::Known(_)));
        meanings.extend(own.into_iter().map(|own| Meaning::site(view.file, own)));
        Meaning::union(meanings)
    }

    /// Whether two names with one text that bind are two symbols, in different name spaces: a module and a function.
    fn are_apart(&self, view: &View<'_>, one: Node, other: Node) -> bool {
        let names = view.scopes.names(&view.tree.node_text(one));
        let shared = view.scopes.rules.shared_spaces.unwrap_or_default();
        match (names.at(one), names.at(other)) {
            (Some(one), Some(other)) => {
                let is_shared = one.spaces.meets(shared) && other.spaces.meets(shared);
                one.scope == other.scope && !one.spaces.meets(other.spaces) && !is_shared
            }
            _ => false,
        }
    }

    /// The meaning of the name after a dot.
    fn attribute(&self, view: &View<'_>, name: Node, text: &str) -> Meaning {
        let Some(object) = self.object_of(view, name) else { return Meaning::Unknown(Vec::new()) };
        let values = self.value(view.file, object);
        let spaces = self.spaces_of_member(view, name);
        if let Some(tested) = self.tested_member(view, object, &values, MemberName { text, spaces }) {
            return tested;
        }
        let in_first = first_space(view, spaces)
            .map(|spaces| self.member_of_values(view, &values, MemberName { text, spaces }))
            .filter(|meaning| matches!(meaning, Meaning::Known(_)));
        if let Some(meaning) = in_first {
            return meaning;
        }
        match self.member_of_values(view, &values, MemberName { text, spaces }) {
            // Only a trait gives members to such an object.
            Meaning::Unknown(things)
                if things.is_empty()
                    && (self.is_closed_object(view, object, CLOSED_DEPTH)
                        || self.is_outer_path(view, name, &values))
                    && !self.is_member_of_traits(view, text) =>
            {
                Meaning::External
            }
            meaning => meaning,
        }
    }

    /// Whether a name is in a path through something from outside of the project, and no member of an object: `new` in `Box::new`.
    fn is_outer_path(&self, view: &View<'_>, name: Node, values: &Values) -> bool {
        let separator = view.tree.language().spec().imports.separator.as_str();
        let before = view.tree.table().previous_sibling(name);
        values.is_complete
            && !view.rules.members.attached_bases.is_empty()
            && before.is_some_and(|sign| *view.tree.node_text(sign) == *separator)
            && values.known.iter().all(|value| matches!(value, Value::External { .. } | Value::Foreign))
    }

    /// The meaning of the name of a member of an expression.
    pub(crate) fn member_of_values(&self, view: &View<'_>, values: &Values, name: MemberName<'_>) -> Meaning {
        let text = name.text;
        let meanings = values.known.iter().map(|value| self.member_of(value, name));
        let meaning = Meaning::union(meanings);
        if !matches!(meaning, Meaning::Known(_)) || !values.is_complete {
            let extensions = self.extensions_named(view, text);
            if let &[Thing::Symbol(extension)] = extensions.as_slice()
                && self.is_only_extension(view, values, extension, text)
            {
                return Meaning::site(extension.file, extension.name);
            }
            if !extensions.is_empty() {
                let (Meaning::Known(things) | Meaning::Unknown(things)) = meaning else {
                    return Meaning::Unknown(extensions);
                };
                return Meaning::union([Meaning::Unknown(things), Meaning::Unknown(extensions)]);
            }
        }
        // The project may implement its traits for types from outside.
        let is_foreign = |value: &Value| !matches!(value, Value::Module(_));
        if meaning == Meaning::External
            && (!view.rules.members.attached_bases.is_empty() || !view.rules.companions.types.is_empty())
            && values.known.iter().any(is_foreign)
        {
            return Meaning::Unknown(Vec::new());
        }
        match meaning {
            Meaning::Known(things) if !values.is_complete => Meaning::Unknown(things),
            Meaning::External if !values.is_complete => Meaning::Unknown(Vec::new()),
            meaning => meaning,
        }
    }

    /// The name spaces in which the name after a dot is looked up: a method, if it is called.
    pub(crate) fn spaces_of_member(&self, view: &View<'_>, name: Node) -> Spaces {
        view.scopes.fits(name, &view.scopes.rules.attributes).flatten().unwrap_or(Spaces::ALL)
    }

    /// The meaning of the name after a dot as a member of a value: in the name space that comes first, if it is there.
    pub(crate) fn member_at(&self, view: &View<'_>, value: &Value, name: Node) -> Meaning {
        let text = &*view.tree.node_text(name);
        let spaces = self.spaces_of_member(view, name);
        let in_first = first_space(view, spaces).map(|spaces| self.member_of(value, MemberName { text, spaces }));
        let in_first = in_first.filter(|meaning| matches!(meaning, Meaning::Known(_)));
        in_first.unwrap_or_else(|| self.member_of(value, MemberName { text, spaces }))
    }

    /// The expression before the dot of a member's name.
    pub(crate) fn object_of(&self, view: &View<'_>, name: Node) -> Option<Node> {
        let table = view.tree.table();
        let access = self.access_of(view, name)?;
        let id = table.type_id(access);
        if view.rules.bare_members.types.contains(id) {
            return table.ancestors(access).find_map(|around| {
                let paths = view.rules.bare_members.objects.of(table.type_id(around))?;
                let object = paths.iter().flat_map(|path| view.tree.reached(around, path)).next()?;
                (!table.is_within(name, object)).then_some(object)
            });
        }
        if view.rules.bare_members.labels.contains(id) {
            return self.compared_with(view, access, name);
        }
        let paths = view.rules.objects.of(id)?;
        paths.iter().flat_map(|path| view.tree.reached(access, path)).next()
    }

    /// The expression whose value the label of a case is compared with, if the label is a member of its type: `case RED` in `switch (c)`.
    fn compared_with(&self, view: &View<'_>, label: Node, name: Node) -> Option<Node> {
        let mut around = view.tree.table().ancestors(label);
        let object = around.find_map(|around| {
            let paths = view.rules.bare_members.objects.of(view.tree.table().type_id(around))?;
            paths.iter().flat_map(|path| view.tree.reached(around, path)).next()
        })?;
        let text = view.tree.node_text(name);
        let has_it = |value: &Value| match value {
            Value::Instance { class, .. } => self.found_member(*class, &*text).is_some(),
            _ => false,
        };
        self.value(view.file, object).known.iter().any(has_it).then_some(object)
    }

    /// The expression of which a name is the member: around the name, or around its type arguments.
    pub(crate) fn access_of(&self, view: &View<'_>, name: Node) -> Option<Node> {
        let table = view.tree.table();
        let is_access = |node: Node| {
            let id = table.type_id(node);
            view.rules.objects.of(id).is_some()
                || view.rules.bare_members.types.contains(id)
                || view.rules.bare_members.labels.contains(id)
        };
        let parent = table.parent(name)?;
        if is_access(parent) {
            return Some(parent);
        }
        let is_attribute = view.scopes.fits(name, &view.scopes.rules.attributes).is_some();
        table.parent(parent).filter(|&access| is_attribute && is_access(access))
    }

    /// The meaning of a name as a member of a value.
    pub(crate) fn member_of<'n>(&self, value: &Value, name: impl Into<MemberName<'n>>) -> Meaning {
        let name = name.into();
        let member = match value {
            Value::Module(module) => return self.member_of_module(*module, name),
            Value::Class { class, .. } | Value::Instance { class, .. } => {
                let of_class = matches!(value, Value::Class { .. });
                let view = self.view(class.file);
                let own = view.and_then(|view| self.scheme(&view).member(self, &view, *class, name, of_class));
                own.unwrap_or_else(|| self.member(*class, name))
            }
            Value::Super { class } => self.inherited(*class, name),
            Value::Function { function, .. } => {
                let view = self.view(function.file);
                let own = view.as_ref().map_or(&[][..], |view| view.rules.members.of_functions.as_slice());
                // Others may be given to it, so that it has the members of a type.
                let is_own = own.is_empty() || own.iter().any(|known| known == name.text);
                let is_own = is_own && !view.is_some_and(|view| self.gets_members(&view, *function));
                let otherwise = if is_own { Meaning::External } else { Meaning::Unknown(Vec::new()) };
                return self.member_of_whole(*function, name.text).unwrap_or(otherwise);
            }
            Value::External { .. } | Value::Foreign | Value::Plain => {
                return Meaning::External;
            }
            Value::Written(_) => return Meaning::Unknown(Vec::new()),
        };
        match member {
            Member::Found(sites) => Meaning::Known(sites.into_iter().map(Thing::Symbol).collect()),
            Member::External => Meaning::External,
            Member::Unknown => Meaning::Unknown(Vec::new()),
            Member::Missing => {
                let of_module = match value {
                    Value::Class { class, .. } => self.member_of_whole(*class, name.text),
                    _ => None,
                };
                of_module.unwrap_or(Meaning::Unknown(Vec::new()))
            }
        }
    }

    /// Whether a call gives a function the members of other objects: `Object.assign(f, { size: 1 })`.
    fn gets_members(&self, view: &View<'_>, function: Site) -> bool {
        let (table, merging) = (view.tree.table(), &view.rules.escapes.merging_calls);
        if merging.is_empty() {
            return false;
        }
        let is_first = |&name: &Node| {
            let list = table.parent(name).filter(|&list| view.tree.named_children(list).next() == Some(name));
            let callee = list.and_then(|list| table.parent(list)).and_then(|call| view.tree.callee_text(call));
            callee.is_some_and(|callee| merging.iter().any(|word| *word == *callee))
        };
        view.scopes.nodes_of(&view.tree.node_text(function.name)).iter().any(is_first)
    }

    /// The meaning of the name of an argument: a parameter of the called function.
    fn argument(&self, view: &View<'_>, name: Node, text: &str) -> Meaning {
        if let Some(parameter) = self.constructor_argument(view, name, text) {
            return parameter;
        }
        let table = view.tree.table();
        let call = table.ancestors(name).take(4).find(|&node| view.tree.callee(node).is_some());
        let Some(callee) =
            call.and_then(|call| view.tree.language().spec().callees.of(table.type_id(call)).map(|_| call))
        else {
            return Meaning::Unknown(Vec::new());
        };
        self.named_argument(view, callee, text)
    }

    /// The meaning of the name of an argument in a call.
    pub(crate) fn named_argument(&self, view: &View<'_>, call: Node, text: &str) -> Meaning {
        let Some(callee) = self.called(view, call) else { return Meaning::Unknown(Vec::new()) };
        let callee = self.bound_function(view, call, callee).unwrap_or(callee);
        if let Some(function) = self.function_at(view, callee) {
            return self.parameter_in(view, function, text).unwrap_or(Meaning::External);
        }
        if let Some(field) = self.field_of_constructor(view, callee, text) {
            return field;
        }
        if let Some(class) = self.class_called_by_word(view, callee) {
            return self.constructor_parameter(class, text);
        }
        if let Some(copied) = self.copied(view, callee) {
            let classes = copied.known.iter().filter_map(|value| match *value {
                Value::Instance { class, .. } => Some(class),
                _ => None,
            });
            let found = Meaning::union(classes.map(|class| self.constructor_parameter(class, text)));
            return match found {
                Meaning::Known(things) if !copied.is_complete => Meaning::Unknown(things),
                found => found,
            };
        }
        let values = self.value(view.file, callee);
        let meanings = values.known.iter().map(|value| match value {
            Value::Function { function, .. } => self.parameter(*function, text),
            Value::Class { class, .. } => self.constructor_parameter(*class, text),
            Value::Instance { class, .. } => self.parameter_of_caller(*class, text),
            Value::Plain | Value::Foreign => Meaning::External,
            Value::External { .. } => Meaning::External,
            _ => Meaning::Unknown(Vec::new()),
        });
        match Meaning::union(meanings) {
            Meaning::Known(things) if !values.is_complete => Meaning::Unknown(things),
            Meaning::External if !values.is_complete => Meaning::Unknown(Vec::new()),
            meaning => meaning,
        }
    }

    /// The function to which a call gives arguments for later: `f` of `partial(f, x=1)`.
    fn bound_function(&self, view: &View<'_>, call: Node, callee: Node) -> Option<Node> {
        let binders = &view.rules.argument_binders;
        let text = view.tree.node_text(callee);
        if !binders.iter().any(|binder| *binder == *text) {
            return None;
        }
        let name = self.member_name(view, callee).unwrap_or(callee);
        let is_outside = !matches!(self.meaning(view.file, name), Meaning::Known(_));
        let is_plain = |argument: &Node| {
            let mut parts = view.tree.table().children(*argument);
            !view.is_spread(*argument)
                && !parts.any(|part| view.scopes.fits(part, &view.scopes.rules.arguments).is_some())
        };
        self.first_argument(view, call, callee).filter(|_| is_outside).filter(is_plain)
    }

    /// The field that an argument means in a call of a constructor by its name, if no class writes that constructor:
    /// `super().__init__(field=1)`.
    fn field_of_constructor(&self, view: &View<'_>, callee: Node, text: &str) -> Option<Meaning> {
        let name = self.member_name(view, callee)?;
        let constructor = view.tree.node_text(name);
        let is_constructor = view.scopes.rules.constructors.iter().any(|known| *known == *constructor);
        let object = self.object_of(view, name).filter(|_| is_constructor)?;
        let mut may_be_others = false;
        let classes = self.value(view.file, object).known.into_iter().flat_map(|value| match value {
            Value::Super { class } => {
                let bases = self.bases(class);
                may_be_others |= !bases.is_complete || bases.is_any;
                bases.known
            }
            Value::Class { class, .. } => vec![class],
            _ => Vec::new(),
        });
        let classes: Vec<Site> = classes.collect();
        if classes.is_empty() || !classes.iter().all(|&class| self.takes_fields(class)) {
            return None;
        }
        match Meaning::union(classes.iter().map(|&class| self.constructor_parameter(class, text))) {
            Meaning::Known(fields) if may_be_others => Some(Meaning::Unknown(fields)),
            meaning => Some(meaning),
        }
    }

    /// The parameter of a function with a name.
    pub(crate) fn parameter(&self, function: Site, name: &str) -> Meaning {
        let Some(view) = self.view(function.file) else { return Meaning::Unknown(Vec::new()) };
        let own = self.function_at(&view, function.name).filter(|&node| node == function.name);
        let definition = own.or_else(|| view.tree.table().parent(function.name));
        let parameter = definition.and_then(|definition| self.parameter_in(&view, definition, name));
        parameter.unwrap_or(Meaning::Unknown(Vec::new()))
    }

    /// The parameter with a name of the function at a node.
    fn parameter_in(&self, view: &View<'_>, function: Node, name: &str) -> Option<Meaning> {
        let names = view.scopes.names(name);
        let is_its = |found: &&VariableName| {
            found.does.is_binding() && found.scope == function && view.scopes.is_named_parameter(found.name)
        };
        names.found.iter().find(is_its).map(|found| Meaning::site(view.file, found.name))
    }

    /// The function without a name that an expression is: `(lambda x: x)`.
    pub(crate) fn function_at(&self, view: &View<'_>, expression: Node) -> Option<Node> {
        let id = |node: Node| view.tree.table().type_id(node);
        let mut node = expression;
        while let Some(paths) = view.rules.same.of(id(node)) {
            let parts: Vec<Node> = paths.iter().flat_map(|path| view.tree.reached(node, path)).collect();
            let &[part] = parts.as_slice() else { return None };
            node = part;
        }
        let is_function = view.tree.language().spec().params.of(id(node)).is_some() && view.scopes.is_scope(node);
        (is_function && view.tree.name_node(node).is_none()).then_some(node)
    }

    /// Whether a class has no constructor of its own or above it, so that its fields may be the arguments of a call.
    pub fn takes_fields(&self, class: Site) -> bool {
        let Some(view) = self.view(class.file) else { return false };
        let rules = view.scopes.rules;
        !rules.splats.is_empty() && rules.constructors.iter().all(|name| self.found_member(class, name).is_none())
    }

    /// The parameter with a name of the method that a call of an object of a class calls.
    fn parameter_of_caller(&self, class: Site, name: &str) -> Meaning {
        let view = self.view(class.file);
        let callers = view.map_or(&[][..], |view| &view.rules.made_objects.callers);
        let found = callers.iter().map(|caller| match self.member(class, caller.as_str()) {
            Member::Found(sites) => Meaning::union(sites.into_iter().map(|site| self.parameter(site, name))),
            Member::External => Meaning::External,
            Member::Unknown | Member::Missing => Meaning::Unknown(Vec::new()),
        });
        match callers {
            [] => Meaning::Unknown(Vec::new()),
            _ => Meaning::union(found),
        }
    }

    pub(in crate::symbols) fn constructor_parameter(&self, class: Site, name: &str) -> Meaning {
        let Some(view) = self.view(class.file) else { return Meaning::Unknown(Vec::new()) };
        if let Some(parameter) = self.parameter_of_class(class, name) {
            return parameter;
        }
        let mut found = Vec::new();
        for constructor in &view.scopes.rules.constructors {
            match self.member(class, constructor) {
                // Each of them gets the arguments.
                Member::Found(sites) => found.extend(sites.into_iter().map(|site| self.parameter(site, name))),
                // A base class outside may take the arguments, or make the constructor from the fields.
                Member::External | Member::Unknown => break,
                Member::Missing => {}
            }
        }
        if !found.is_empty() {
            return Meaning::union(found);
        }
        // The constructor may be made from the fields, or these be its parameters.
        let takes_fields = self.takes_fields(class);
        let is_argument = |site: &Site| {
            takes_fields || self.view(site.file).is_some_and(|view| view.scopes.is_named_parameter(site.name))
        };
        match self.member(class, name) {
            Member::Found(sites) if !sites.iter().all(is_argument) => Meaning::Unknown(Vec::new()),
            Member::Found(sites) => Meaning::Known(sites.into_iter().map(Thing::Symbol).collect()),
            Member::External => Meaning::External,
            Member::Unknown | Member::Missing => Meaning::Unknown(Vec::new()),
        }
    }

    /// The meaning of a name as a member of a function or class that its file exports as a whole.
    fn member_of_whole(&self, whole: Site, name: &str) -> Option<Meaning> {
        let view = self.view(whole.file)?;
        self.scheme(&view).member_of_whole(self, whole, name)
    }
}

/// The name space that comes first among several in which a name may be.
fn first_space(view: &View<'_>, spaces: Spaces) -> Option<Spaces> {
    view.scopes.rules.first_space.filter(|&first| spaces.meets(first) && spaces != first && spaces != Spaces::ALL)
}
