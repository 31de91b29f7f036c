//! Classes: their members, their bases, and the definitions around names.

use rustc_hash::FxHashSet;

use super::resolver::{Resolver, View, Work};
use crate::language::ModuleScheme;
use crate::modules::FileId;
use crate::scopes::VariableName;
use crate::symbols::model::{Bases, Meaning, Member, MemberName, Site, Thing, Value, Values};
use crate::tree::Node;

impl Resolver<'_> {
    /// A member of a class or of its bases.
    pub(crate) fn member<'n>(&self, class: Site, name: impl Into<MemberName<'n>>) -> Member {
        self.search_classes(vec![class], name.into())
    }

    /// A member of the bases of a class.
    pub(crate) fn inherited(&self, class: Site, name: MemberName<'_>) -> Member {
        let own = self.view(class.file).and_then(|view| self.scheme(&view).inherited(self, &view, class, name));
        if let Some(found) = own {
            return found;
        }
        let bases = self.bases(class);
        match self.search_classes(bases.known, name) {
            Member::Missing | Member::External if bases.is_any => Member::Unknown,
            Member::Missing if !bases.is_complete => Member::External,
            found => found,
        }
    }

    /// Searches classes and their bases, each base after the class and before the next class. What the body of a class
    /// binds comes before what methods assign to their objects.
    fn search_classes(&self, classes: Vec<Site>, name: MemberName<'_>) -> Member {
        let mut seen = FxHashSet::default();
        let mut waiting: Vec<Site> = classes.into_iter().rev().collect();
        let (mut is_external, mut is_unknown) = (false, false);
        let mut assigned = None;
        if let Some(&first) = waiting.first()
            && let Some(view) = self.view(first.file)
        {
            let classes: Vec<Site> = waiting.iter().rev().copied().collect();
            if let Some(found) = self.scheme(&view).member_of_classes(self, &view, &classes, name.text) {
                return found;
            }
        }
        while let Some(class) = waiting.pop() {
            if !seen.insert(class) {
                continue;
            }
            let Some(view) = self.view(class.file) else { continue };
            let site = |name| Site { file: class.file, name };
            let gives = |own: &[String]| {
                own.iter().any(|method| !self.body_binders(&view, class, method.as_str().into()).is_empty())
            };
            if gives(&view.rules.members.replacing) && !view.rules.members.replacing.iter().any(|own| own == name.text)
            {
                return Member::Unknown;
            }
            if let Some(&found) = self.body_binders(&view, class, name).first() {
                if is_before_spread(&view, found) {
                    return Member::Unknown;
                }
                return Member::Found(vec![site(found)]);
            }
            let attached = self.attached_members(&view, class, name);
            if !attached.is_empty() {
                return Member::Found(attached);
            }
            if let Some(promoted) = self.promoted_parameter(&view, class, name) {
                return Member::Found(vec![promoted]);
            }
            if let Some(field) = self.embedded_field(&view, class, name.text) {
                return Member::Found(vec![field]);
            }
            assigned = assigned.or_else(|| self.assigned_members(&view, class, name.text).first().copied().map(site));
            // Such a class may pass on what another object has.
            is_unknown |= gives(&view.rules.members.open);
            let bases = self.bases(class);
            is_external |= !bases.is_complete;
            is_unknown |= bases.is_any;
            waiting.extend(bases.known.into_iter().rev());
            waiting.extend(self.other_bodies(&view, class).into_iter().filter(|other| !seen.contains(other)));
        }
        match assigned {
            Some(site) => Member::Found(vec![site]),
            None if is_unknown => Member::Unknown,
            None if is_external => Member::External,
            None => Member::Missing,
        }
    }

    /// All names that bind a member of a class, those of its body first.
    pub(in crate::symbols) fn member_binders(&self, view: &View<'_>, class: Site, name: MemberName<'_>) -> Vec<Node> {
        let mut binders = self.body_binders(view, class, name);
        binders.append(&mut self.assigned_members(view, class, name.text));
        binders
    }

    /// The names in the body of a class that bind a member.
    pub(crate) fn body_binders(&self, view: &View<'_>, class: Site, name: MemberName<'_>) -> Vec<Node> {
        let scope = (class.file == view.file).then(|| self.class_scope(view, class.name)).flatten();
        let Some(scope) = scope else { return Vec::new() };
        let names = view.scopes.names(name.text);
        let is_member =
            |found: &&VariableName| found.does.is_binding() && found.scope == scope && found.spaces.meets(name.spaces);
        let in_body = names.found.iter().filter(is_member);
        in_body.map(|found| found.name).collect()
    }

    /// The attributes of a class's own objects to which its methods assign.
    fn assigned_members(&self, view: &View<'_>, class: Site, name: &str) -> Vec<Node> {
        let scope = (class.file == view.file).then(|| self.class_scope(view, class.name)).flatten();
        let Some(scope) = scope else { return Vec::new() };
        let table = view.tree.table();
        let rules = view.scopes.rules;
        let is_assigned = |node: &Node| {
            view.scopes.fits(*node, &rules.attributes).is_some()
                && table.is_within(*node, scope)
                && table.parent(*node).is_some_and(|access| {
                    view.scopes.reaches(access, &rules.bindings).is_some()
                        || view.scopes.reaches(access, &rules.member_bindings).is_some()
                })
                && self.own_class(view, *node) == Some(scope)
        };
        view.scopes.nodes_of(name).iter().copied().filter(is_assigned).collect()
    }

    /// The scope of the class of which the receiver of a member access is an instance, or the class itself.
    pub(crate) fn own_class(&self, view: &View<'_>, name: Node) -> Option<Node> {
        let object = self.object_of(view, name)?;
        view.scopes.class_of_self(object).map(|own| own.class)
    }

    /// The scope with the members of the class that a name defines.
    pub(crate) fn class_scope(&self, view: &View<'_>, name: Node) -> Option<Node> {
        if view.scopes.rules.members.contains(view.tree.table().type_id(name)) {
            return Some(name);
        }
        let definition = self.definition_of(view, name)?;
        let table = view.tree.table();
        let members = &view.scopes.rules.members;
        let is_class = |&node: &Node| members.contains(table.type_id(node)) && view.scopes.is_scope(node);
        let value = view.tree.bound_value(definition).unwrap_or(definition);
        // A name for a class that has one of its own is an alias.
        if value != definition && view.rules.classes.contains(table.type_id(value)) {
            return None;
        }
        Some(value).filter(is_class).or_else(|| table.children(value).find(is_class))
    }

    /// The definition that a name is the name of.
    pub(crate) fn definition_of(&self, view: &View<'_>, name: Node) -> Option<Node> {
        let table = view.tree.table();
        let mut parent = table.parent(name)?;
        while view.rules.declarators.types.contains(table.type_id(parent)) {
            parent = table.parent(parent)?;
        }
        (view.tree.name_node(parent) == Some(name)).then_some(parent)
    }

    /// Whether a name is that of a class, with or without a body.
    pub(crate) fn is_class_name(&self, view: &View<'_>, name: Node) -> bool {
        let id = |node: Node| view.tree.table().type_id(node);
        self.class_scope(view, name).is_some()
            || self.definition_of(view, name).is_some_and(|definition| view.rules.classes.contains(id(definition)))
    }

    /// The class whose body is in a type annotation itself.
    pub(in crate::symbols) fn class_written_at(&self, view: &View<'_>, written: Node) -> Option<Site> {
        if view.rules.classes.is_empty() {
            return None;
        }
        let table = view.tree.table();
        let is_body = |node: &Node| view.scopes.rules.members.contains(table.type_id(*node));
        let body = Some(written).filter(is_body).or_else(|| table.children(written).find(is_body))?;
        self.class_at(view, body)
    }

    /// The base classes of a class; complete if each of them is one of the project's, or has no members.
    pub(crate) fn bases(&self, class: Site) -> Bases {
        if let Some(known) = self.known_bases.borrow().get(&class) {
            return known.clone();
        }
        let work = Work::Bases(class);
        if !self.open.enter(&work) {
            // The name of a base is not looked up in the class that it is a base of.
            return Bases { known: Vec::new(), is_complete: true, is_any: false };
        }
        let bases = self.find_bases(class);
        if self.open.leave(&work) {
            self.known_bases.borrow_mut().insert(class, bases.clone());
        }
        bases
    }

    /// Whether a call of a class gives objects of it and no others: no method makes others, no decorator puts something
    /// else in its place, and nothing changes the class of an object.
    pub(in crate::symbols) fn makes_its_own(&self, class: Site) -> bool {
        let (above, _) = self.superclasses(class);
        std::iter::once(class).chain(above).all(|class| !self.is_replaced(class) && !self.makes_others(class))
    }

    /// Whether a method of a class may make objects that are not its own.
    fn makes_others(&self, class: Site) -> bool {
        let Some(view) = self.view(class.file) else { return false };
        let rules = &view.rules.made_objects;
        let table = view.tree.table();
        let makes = |maker: &String| {
            let Some(site) = self.member_of_class(class, maker.as_str()) else { return false };
            let Some(view) = self.view(site.file) else { return false };
            self.definition_of(&view, site.name).is_some_and(|method| returns_others(&view, method, maker))
        };
        let definition = self.definition_of(&view, class.name);
        let is_changed = |node: Node| {
            let access = self.access_of(&view, node).filter(|&access| self.member_name(&view, access) == Some(node));
            let parent = access.and_then(|access| table.parent(access));
            parent.is_some_and(|parent| {
                view.rules.values.of(table.type_id(parent)).is_some()
                    && view.tree.named_children(parent).next() == access
            })
        };
        let changes = |slot: &String| {
            let mut nodes = view.scopes.nodes_of(slot).iter();
            nodes
                .any(|&node| definition.is_some_and(|definition| table.is_within(node, definition)) && is_changed(node))
        };
        rules.makers.iter().any(makes)
            || rules.class_slots.iter().any(changes)
            || self.is_called_by_another(&view, class)
    }

    /// Whether the class of a class is one of the project that says what a call of it does: `metaclass=M`.
    fn is_called_by_another(&self, view: &View<'_>, class: Site) -> bool {
        let callers = &view.rules.made_objects.callers;
        let Some(definition) = self.definition_of(view, class.name).filter(|_| !callers.is_empty()) else {
            return false;
        };
        view.tree.base_nodes(definition).any(|base| {
            let value = view.tree.named_children(base).last().filter(|_| self.is_class_argument(view, base));
            let values = value.map_or_else(Values::unknown, |value| self.value(view.file, value));
            values.known.iter().any(|value| match *value {
                Value::Class { class, .. } => {
                    callers.iter().any(|caller| matches!(self.member(class, caller.as_str()), Member::Found(_)))
                }
                _ => false,
            })
        })
    }

    /// Whether a decorator of the project puts something else in the place of a class.
    fn is_replaced(&self, class: Site) -> bool {
        let Some(view) = self.view(class.file) else { return false };
        let Some(definition) = self.definition_of(&view, class.name) else { return false };
        view.tree.decorators(definition).into_iter().any(|decorator| {
            let Some(expression) = view.tree.named_children(decorator).next() else { return false };
            self.value(class.file, expression).known.iter().any(|value| match *value {
                Value::Function { function, .. } => !self.returns_its_argument(function),
                Value::Class { .. } | Value::Instance { .. } => true,
                _ => false,
            })
        })
    }

    /// Whether a function returns its first argument, and nothing else.
    fn returns_its_argument(&self, function: Site) -> bool {
        let Some(view) = self.view(function.file) else { return false };
        let Some(definition) = self.definition_of(&view, function.name) else { return false };
        let table = view.tree.table();
        let list = table.children(definition).find(|&child| view.tree.holds_parameters(child));
        let first = list.and_then(|list| view.tree.named_children(list).next());
        let Some(first) = first.filter(|&first| view.scopes.is_identifier(first)) else { return false };
        let word = view.tree.node_text(first);
        let names = view.scopes.names(&word);
        let bound =
            names.found.iter().filter(|found| found.does.is_binding() && table.is_within(found.name, definition));
        let results = results_of(&view, definition);
        bound.count() == 1 && !results.is_empty() && results.iter().all(|&node| view.tree.node_text(node) == word)
    }

    fn find_bases(&self, class: Site) -> Bases {
        let mut bases = Bases { known: Vec::new(), is_complete: true, is_any: false };
        let Some(view) = self.view(class.file) else { return bases };
        self.add_embedded(&view, class, &mut bases);
        let Some(definition) = self.definition_of(&view, class.name) else { return bases };
        let table = view.tree.table();
        if view.rules.members.variants.contains(table.type_id(definition)) {
            bases.known.extend(self.class_at(&view, view.scopes.around(class.name)));
        }
        bases.known.extend(self.attached_traits(&view, class));
        let mut parts = vec![(class.file, definition)];
        parts.append(&mut self.scheme(&view).add_bases(self, &view, class, &mut bases));
        for (file, definition) in parts {
            self.add_written_bases(class, file, definition, &mut bases);
        }
        bases
    }

    /// Adds the bases that a definition of a class names.
    fn add_written_bases(&self, class: Site, file: FileId, definition: Node, bases: &mut Bases) {
        let Some(view) = self.view(file) else { return };
        let rules = view.scopes.rules;
        for base in view.tree.base_nodes(definition) {
            if self.is_class_argument(&view, base) {
                continue;
            }
            if rules.plain_bases.iter().any(|plain| *plain == *view.tree.node_text(base)) {
                continue;
            }
            let found = self.nested(None, || Some(self.type_values(file, base)));
            let Some(values) = found else {
                bases.is_complete = false;
                continue;
            };
            bases.is_complete &= values.is_complete;
            bases.is_any |= !values.is_complete && self.is_made_here(&view, base);
            for value in values.known {
                match value {
                    Value::Instance { class: base, .. } if base != class => {
                        bases.is_complete &= !self.is_replaced(base);
                        bases.known.push(base);
                    }
                    _ => bases.is_complete = false,
                }
            }
        }
    }

    /// Whether what is written as a base is an argument for code that runs with the class: `metaclass=M`, `total=False`.
    pub(crate) fn is_class_argument(&self, view: &View<'_>, base: Node) -> bool {
        let mut parts = view.tree.table().children(base);
        parts.any(|part| view.scopes.fits(part, &view.scopes.rules.arguments).is_some())
    }

    /// Whether a base is what a function of the project returns, a variable of the project, or chosen by code.
    fn is_made_here(&self, view: &View<'_>, base: Node) -> bool {
        if view.rules.members.made_bases.contains(view.tree.table().type_id(base)) {
            return true;
        }
        let called = self.called(view, base);
        let named = called.unwrap_or(base);
        let name = self.member_name(view, named).unwrap_or(named);
        view.scopes.is_identifier(name)
            && matches!(self.meaning(view.file, name), Meaning::Known(things) if things.iter().any(|thing| matches!(thing, Thing::Symbol(_))))
    }

    fn add_embedded(&self, view: &View<'_>, class: Site, bases: &mut Bases) {
        let scope = self.class_scope(view, class.name);
        let fields = scope.map(|scope| self.embedded(view, scope)).unwrap_or_default();
        let mut types: Vec<Node> = fields.into_iter().map(|(_, written)| written).collect();
        if scope == Some(class.name)
            && let Some(holder) = view.tree.table().parent(class.name)
        {
            // A class without a name, where an instance of it is made.
            let made = view.rules.written_types.casts.of(view.tree.table().type_id(holder)).into_iter().flatten();
            types.extend(made.flat_map(|path| view.tree.reached(holder, path)));
        }
        bases.known.extend(scope.filter(|&scope| scope == class.name).and_then(|body| self.class_of_body(view, body)));
        if scope.is_none() {
            types.extend(self.underlying(class).map(|at| at.name));
        }
        for written in types {
            let values = self.nested(Values::unknown(), || self.type_values(class.file, written));
            bases.is_complete &= values.is_complete;
            for value in values.known {
                match value {
                    Value::Instance { class: base, .. } if base != class => bases.known.push(base),
                    Value::Written(_) | Value::Plain => {}
                    _ => bases.is_complete = false,
                }
            }
        }
    }

    /// The class to which the members of a scope belong by the type that is written there. Where that is any type with some bases, or
    /// one from outside, the implementation of a base for it counts as a class.
    fn class_of_attachment(&self, view: &View<'_>, scope: Node, written: Node) -> Option<Site> {
        let table = view.tree.table();
        let holder = table.parent(scope)?;
        let own = || {
            let has_base = view.tree.base_nodes(holder).next().is_some();
            let name = view.tree.name_node(holder).filter(|_| has_base)?;
            Some(Site { file: view.file, name })
        };
        let names = view.scopes.names_like(written);
        let bound = names.at(written).and_then(|found| names.resolve(&view.scopes, found));
        if bound.is_some_and(|symbol| symbol.scope == holder) {
            return own();
        }
        self.only_class(&self.type_values(view.file, written)).or_else(own)
    }

    /// The class whose body a scope is.
    pub(crate) fn class_at(&self, view: &View<'_>, scope: Node) -> Option<Site> {
        /// How far the body of a class is below its definition.
        const REACH: usize = 3;
        if !view.rules.classes.is_empty() {
            let table = view.tree.table();
            if view.rules.classes.contains(table.type_id(scope)) {
                let name = view.tree.name_node(scope);
                let is_shared = matches!(
                    view.rules.modules,
                    Some(ModuleScheme::Includes | ModuleScheme::Namespaces | ModuleScheme::OpenClasses)
                );
                let shared = name.filter(|_| is_shared);
                if let Some(Meaning::Known(things)) = shared.map(|name| self.meaning(view.file, name))
                    && let &[Thing::Symbol(site)] = things.as_slice()
                {
                    return Some(site);
                }
                return Some(Site { file: view.file, name: name.unwrap_or(scope) });
            }
            if let Some(written) = self.attachment_of(view, scope) {
                return self.class_of_attachment(view, scope, written);
            }
            let defines = |&node: &Node| {
                view.rules.classes.contains(table.type_id(node))
                    && (table.parent(scope) == Some(node) || view.tree.bound_value(node) == Some(scope))
            };
            let definition = table.ancestors(scope).take(REACH).find(defines);
            let name = definition.and_then(|definition| view.tree.name_node(definition));
            if view.is(ModuleScheme::Namespaces)
                && let Some(Meaning::Known(things)) = name.map(|name| self.meaning(view.file, name))
                && let &[Thing::Symbol(site)] = things.as_slice()
            {
                return Some(site);
            }
            // A type without a name is known by its body.
            return Some(Site { file: view.file, name: name.unwrap_or(scope) });
        }
        let definition = view.scopes.class_of(scope);
        // A pattern names more than one.
        let name =
            view.tree.name_node(definition).filter(|&name| self.definition_of(view, name) == Some(definition))?;
        let names = view.scopes.names(&view.tree.node_text(name));
        // Only a class with a name that others can use is one.
        names.at(name).map(|_| Site { file: view.file, name })
    }

    /// The class whose method is around a node.
    pub(crate) fn class_around(&self, view: &View<'_>, node: Node) -> Option<Site> {
        let mut scope = view.scopes.around(node);
        loop {
            if view.scopes.rules.members.contains(view.tree.table().type_id(scope)) {
                return self.class_at(view, scope);
            }
            if scope == Node::ROOT {
                return None;
            }
            scope = view.scopes.around(scope);
        }
    }

    /// All names that bind the symbol of a site.
    pub(crate) fn binders(&self, view: &View<'_>, site: Site) -> Vec<Node> {
        let text = view.tree.node_text(site.name);
        let is_attribute = view.scopes.fits(site.name, &view.scopes.rules.attributes).is_some();
        let names = view.scopes.names(&text);
        if is_attribute {
            let class = self.own_class(view, site.name).and_then(|scope| self.class_at(view, scope));
            let class = class.filter(|class| class.file == view.file);
            return class.map_or_else(|| vec![site.name], |class| self.member_binders(view, class, (&*text).into()));
        }
        let Some(found) = names.at(site.name) else { return vec![site.name] };
        let Some(symbol) = names.resolve(&view.scopes, found) else { return vec![site.name] };
        if view.scopes.is_member(symbol.scope, symbol.spaces)
            && let Some(class) = self.class_at(view, symbol.scope).filter(|class| class.file == view.file)
            && self.class_scope(view, class.name) == Some(symbol.scope)
        {
            return self.member_binders(view, class, MemberName { text: &text, spaces: symbol.spaces });
        }
        let mut binders: Vec<Node> = names.binders(&view.scopes, symbol).map(|found| found.name).collect();
        if symbol.scope == Node::ROOT && binders.len() > 1 && view.is(ModuleScheme::Namespaces) {
            // Others may be in another namespace, or have another number of type parameters.
            let is_import = |name: Node| names.at(name).is_some_and(|found| found.is_import());
            let own = self.own_meaning(view.file, site.name);
            binders.retain(|&name| name == site.name || is_import(name) || self.own_meaning(view.file, name) == own);
        }
        binders
    }
}

/// The values that a function returns.
fn results_of(view: &View<'_>, function: Node) -> Vec<Node> {
    let returns = view.tree.table().descendants(function).filter(|&node| view.scopes.around(node) == function);
    let reached = |node: Node| {
        let paths = view.rules.results.values.of(view.tree.table().type_id(node)).into_iter().flatten();
        paths.flat_map(move |path| view.tree.reached(node, path)).next()
    };
    returns.filter_map(reached).collect()
}

/// Whether a method that makes objects may return others than those that the method above it makes.
fn returns_others(view: &View<'_>, method: Node, maker: &str) -> bool {
    let table = view.tree.table();
    let makes = |node: Node| view.tree.callee(node).is_some_and(|callee| view.tree.node_text(callee).ends_with(maker));
    let is_made = |result: Node| {
        let text = view.tree.node_text(result);
        let mut values = table.descendants(method).filter_map(|node| {
            let paths = view.rules.values.of(table.type_id(node))?;
            let target = view.tree.named_children(node).next().filter(|&target| view.tree.node_text(target) == text)?;
            paths.iter().flat_map(|path| view.tree.reached(node, path)).find(|&value| value != target)
        });
        let mut is_assigned = false;
        values.all(|value| {
            is_assigned = true;
            makes(value)
        }) && is_assigned
    };
    results_of(view, method).into_iter().any(|result| !makes(result) && !is_made(result))
}

/// Whether another object may give a literal the member that a key of it names: `{ size: 1, ...options }`.
fn is_before_spread(view: &View<'_>, key: Node) -> bool {
    let table = view.tree.table();
    let literals = &view.rules.members.literals;
    let literal = table.ancestors(key).take(2).find(|&node| literals.contains(table.type_id(node)));
    literal.is_some_and(|literal| view.tree.named_children(literal).any(|part| part > key && view.is_spread(part)))
}
