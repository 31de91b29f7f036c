//! Where the object of a member comes from: the way back from the place that reads it to the literals and classes that may have made it.

use super::escape::{REACH, outer_value, outermost, reads_frame};
use crate::language::Spaces;
use crate::modules::FileId;
use crate::symbols::{Meaning, Member, MemberName, Resolver, Site, Thing, Value, Values, View};
use crate::tree::Node;

/// Where a value may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// It is an object of a class, or of a literal; or the class itself.
    Object {
        /// The class.
        class: Site,
        /// Whether it is the class itself, or a literal.
        is_class: bool,
    },
    /// It has no members of the project.
    Nothing,
    /// It is that of another expression.
    Of(FileId, Node),
    /// It is an argument of the calls of a function, known by its name.
    Argument {
        /// The file of the function.
        file: FileId,
        /// Its name.
        function: Node,
        /// The place of the argument.
        place: usize,
    },
    /// It is a member of another object, by the name of the member where it is read.
    Part(FileId, Node),
    /// It may be anything.
    Unknown,
}

impl Resolver<'_> {
    /// Where the object of a member may come from, by the name of the member: the expression before it, or what a pattern takes apart.
    pub fn sources_of_object(&self, file: FileId, name: Node) -> Vec<Source> {
        let Some(view) = self.view(file) else { return vec![Source::Unknown] };
        if let Some(object) = self.object_of(&view, name) {
            return vec![Source::Of(file, object)];
        }
        match self.pattern_around(&view, name) {
            Some(pattern) => self.sources_of_target(&view, pattern),
            None => vec![Source::Unknown],
        }
    }

    /// Where the objects may come from that are declared with a type without a name, by a member of that; `None` if it is another member.
    pub fn sources_of_typed(&self, member: Site) -> Option<Vec<Source>> {
        let view = self.view(member.file)?;
        let target = self.holder_of_type(&view, member.name)?;
        Some(self.sources_of_target(&view, target))
    }

    /// Where the value of an expression may come from.
    pub fn sources(&self, file: FileId, node: Node) -> Vec<Source> {
        let unknown = vec![Source::Unknown];
        let Some(view) = self.view(file) else { return unknown };
        let table = view.tree.table();
        if let Some(known) = known_sources(&self.value(file, node)) {
            return known;
        }
        let id = table.type_id(node);
        if table.fits_any(node, &view.tree.language().spec().flow.awaits) {
            return unknown;
        }
        if let Some(callee) = self.called(&view, node) {
            let words = view.tree.node_text(callee);
            let is_merging = view.rules.escapes.merging_calls.iter().any(|word| *word == *words);
            return if is_merging { self.all_arguments(&view, node) } else { unknown };
        }
        if let Some(paths) = view.rules.same.of(id) {
            let parts = paths.iter().flat_map(|path| view.tree.reached(node, path));
            return parts.map(|part| Source::Of(file, part)).collect();
        }
        if self.access_of_member(&view, node) {
            return self.member_name(&view, node).map_or(unknown, |name| vec![Source::Part(file, name)]);
        }
        if !view.scopes.is_identifier(node) || self.is_member(&view, node) {
            return unknown;
        }
        match self.symbol_of(file, node) {
            Some(symbol) => self.sources_of_variable(symbol),
            None => unknown,
        }
    }

    fn access_of_member(&self, view: &View<'_>, node: Node) -> bool {
        view.rules.objects.of(view.tree.table().type_id(node)).is_some() && self.called(view, node).is_none()
    }

    /// Where the value of a member may come from, if all of it is known.
    pub fn sources_of_member(&self, member: Site) -> Vec<Source> {
        known_sources(&self.thing_value(Thing::Symbol(member))).unwrap_or_else(|| vec![Source::Unknown])
    }

    /// Where the members may come from that an object has besides those that its literal names: `{ ...a }`.
    pub fn sources_of_copies(&self, object: Site) -> Vec<Source> {
        let Some(view) = self.view(object.file) else { return vec![Source::Unknown] };
        let table = view.tree.table();
        let Some(scope) = self.class_scope(&view, object.name) else { return Vec::new() };
        if !view.rules.members.literals.contains(table.type_id(scope)) {
            return Vec::new();
        }
        let mut sources = Vec::new();
        for part in view.tree.named_children(scope) {
            let copies = view.rules.escapes.copies.of(table.type_id(part)).into_iter().flatten();
            sources.extend(
                copies.flat_map(|path| view.tree.reached(part, path)).map(|node| Source::Of(object.file, node)),
            );
            let mut inner = std::iter::once(part).chain(table.children(part));
            if inner.any(|node| view.rules.escapes.unnamed.contains(table.type_id(node))) {
                sources.push(Source::Unknown);
            }
        }
        sources
    }

    /// The object of an access to a member by a string, or of a question whether it has one.
    pub fn object_of_string(&self, file: FileId, string: Node) -> Option<Node> {
        let view = self.view(file)?;
        let table = view.tree.table();
        let is_string = |&node: &Node| view.tree.language().role(table.type_id(node)).string;
        let whole = std::iter::once(string).chain(table.ancestors(string).take(2)).find(is_string)?;
        let access = table.parent(whole)?;
        let parts: Vec<Node> = view.tree.named_children(access).collect();
        match *parts.as_slice() {
            [object, index]
                if index == whole && view.rules.hidden_uses.dynamic_accesses.contains(table.type_id(access)) =>
            {
                Some(object)
            }
            [test, object] if test == whole && table.fits_any(access, &view.rules.hidden_uses.member_tests) => {
                Some(object)
            }
            _ => None,
        }
    }

    /// The symbols that a string means which reads a member of an object; `None` if they are not known.
    pub fn named_by(&self, file: FileId, string: Node) -> Option<Vec<Site>> {
        let view = self.view(file)?;
        let table = view.tree.table();
        let access = table.ancestors(string).take(2).find(|&node| self.named_by_string(&view, node).is_some())?;
        let (object, name) = self.named_by_string(&view, access)?;
        if !table.is_within(string, access) || table.is_within(string, object) {
            return None;
        }
        self.sites_named(&view, object, &name)
    }

    /// The access by a string to a member of what a name means, and the symbols that it means; `None` for these if they are not known.
    pub fn access_by_string(&self, file: FileId, name: Node) -> Option<(Node, Option<Vec<Site>>)> {
        let view = self.view(file)?;
        let whole = self.whole_name(file, name);
        let access = view.tree.table().parent(whole)?;
        let (object, text) = self.named_by_string(&view, access).filter(|(object, _)| *object == whole)?;
        Some((access, self.sites_named(&view, object, &text)))
    }

    fn sites_named(&self, view: &View<'_>, object: Node, name: &str) -> Option<Vec<Site>> {
        let values = self.value(view.file, object);
        let Meaning::Known(things) = self.member_of_values(view, &values, MemberName::from(name)) else { return None };
        let site = |thing: Thing| match thing {
            Thing::Symbol(site) => Some(site),
            _ => None,
        };
        things.into_iter().map(site).collect()
    }

    /// The name at a place of a file.
    pub fn name_at_place(&self, file: FileId, line: usize, col: usize) -> Option<Node> {
        let view = self.view(file)?;
        let is_there = |&node: &Node| {
            let (start, end) = (view.tree.start(node), view.tree.end(node));
            start.line == line && start.col() <= col && col <= end.col() && view.scopes.is_identifier(node)
        };
        view.tree.table().nodes().rfind(is_there)
    }

    /// Where the value of a variable may come from.
    fn sources_of_variable(&self, symbol: Site) -> Vec<Source> {
        let Some(view) = self.view(symbol.file) else { return vec![Source::Unknown] };
        if self.is_member(&view, symbol.name) {
            return vec![Source::Unknown];
        }
        let mut sources = Vec::new();
        for binder in self.binders(&view, symbol) {
            sources.append(&mut self.sources_of_target(&view, binder));
        }
        for value in self.values_assigned(&view, symbol.name) {
            sources.push(value.map_or(Source::Unknown, |value| Source::Of(symbol.file, value)));
        }
        sources
    }

    /// Where the value may come from that a variable or a pattern gets where it is bound or assigned.
    fn sources_of_target(&self, view: &View<'_>, target: Node) -> Vec<Source> {
        let unknown = vec![Source::Unknown];
        let table = view.tree.table();
        let rules = view.rules;
        if !view.scopes.is_identifier(target)
            && let Some(known) = known_sources(&self.taken_apart(view, target))
        {
            return known;
        }
        let mut sources = Vec::new();
        // `{ a }`, `{ a = 1 }`
        if view.scopes.is_identifier(target) && self.pattern_around(view, target).is_some() {
            sources.push(Source::Part(view.file, target));
            let default = table.parent(target).filter(|_| table.field(target) != 0);
            let default = default.and_then(|holder| view.tree.named_children(holder).nth(1));
            sources.extend(default.map(|value| Source::Of(view.file, value)));
            return sources;
        }
        let mut inner = target;
        for _ in 0..REACH {
            let Some(holder) = table.parent(inner) else { return unknown };
            let id = table.type_id(holder);
            let reach = |paths: Option<&'static Vec<crate::language::Path>>| -> Vec<Node> {
                paths.into_iter().flatten().flat_map(|path| view.tree.reached(holder, path)).collect()
            };
            if !reach(rules.written_types.annotations.of(id)).is_empty() && self.inline_type(view, holder).is_none() {
                return unknown;
            }
            if let Some((function, place)) = self.parameter_place(view, inner) {
                sources.append(&mut self.sources_of_parameter(view, function, place));
                return sources;
            }
            let key = table.children(holder).find(|&child| view.scopes.fits(child, &view.scopes.rules.keys).is_some());
            if let Some(key) = key.filter(|&key| key != inner) {
                sources.push(Source::Part(view.file, key));
                return sources;
            }
            let is_parameter = self.parameter_place(view, holder).is_some();
            let values = reach(rules.values.of(id));
            if let Some(&value) = values.first().filter(|&&value| value != inner) {
                sources.push(Source::Of(view.file, value));
                // A default: what else it may be, is further out.
                if is_parameter || view.scopes.fits(inner, &view.scopes.rules.patterns).is_some() {
                    inner = holder;
                    continue;
                }
                return sources;
            }
            if let Some(&range) = reach(rules.escapes.ranges.of(id)).first().filter(|&&range| range != inner) {
                let list = outer_value(view, range);
                if !rules.containers.contains(table.type_id(list)) {
                    return unknown;
                }
                let of_element = |element: Node| match view.is_spread(element) {
                    true => Source::Unknown,
                    false => Source::Of(view.file, element),
                };
                sources.extend(view.tree.named_children(list).map(of_element));
                return sources;
            }
            let is_type = |node: &Node| reach(rules.written_types.annotations.of(id)).contains(node);
            let mut others = view.tree.named_children(holder).filter(|node| *node != inner && !is_type(node));
            let is_alone = others.next().is_none() && rules.values.of(id).is_some();
            match (is_alone, is_parameter) {
                // A parameter without a type.
                (true, true) => inner = holder,
                // `let a;`
                (true, false) if !self.is_in_range(view, holder) => return sources,
                _ => return unknown,
            }
        }
        unknown
    }

    /// Whether a declaration is that of a loop.
    fn is_in_range(&self, view: &View<'_>, declaration: Node) -> bool {
        let table = view.tree.table();
        let ranges = &view.rules.escapes.ranges;
        table.ancestors(declaration).take(2).any(|around| ranges.of(table.type_id(around)).is_some())
    }

    /// The function of which a node is a parameter, and the place of that.
    fn parameter_place(&self, view: &View<'_>, parameter: Node) -> Option<(Node, usize)> {
        let table = view.tree.table();
        let params = &view.tree.language().spec().params;
        let list = table.parent(parameter)?;
        if let Some(rule) = params.of(table.type_id(list)) {
            // `x => x`
            let is_its = rule.at.iter().flat_map(|path| view.tree.reached(list, path)).any(|node| node == parameter);
            return is_its.then_some((list, 0));
        }
        let function = table.parent(list)?;
        let rule = params.of(table.type_id(function))?;
        let is_its = rule.at.iter().flat_map(|path| view.tree.reached(function, path)).any(|node| node == list);
        let own = || view.tree.named_children(list).filter(|&node| !view.tree.is_comment(node));
        let place = own().position(|node| node == parameter).filter(|_| is_its)?;
        (!own().take(place + 1).any(|node| view.is_spread(node))).then_some((function, place))
    }

    /// Where the value of a parameter may come from: the calls of its function.
    fn sources_of_parameter(&self, view: &View<'_>, function: Node, place: usize) -> Vec<Source> {
        let unknown = vec![Source::Unknown];
        let table = view.tree.table();
        let spec = view.tree.language().spec();
        if reads_frame(view, function) || !spec.flow.functions.contains(table.type_id(function)) {
            return unknown;
        }
        let mut sources = Vec::new();
        let calls_of = |function: Node| Source::Argument { file: view.file, function, place };
        if let Some(own) = view.tree.name_node(function) {
            sources.push(calls_of(own));
        }
        if !view.tree.language().role(table.type_id(function)).value {
            return if sources.is_empty() { unknown } else { sources };
        }
        let whole = outermost(view, function);
        let Some(holder) = table.parent(whole) else { return unknown };
        if self.called(view, holder) == Some(whole)
            && view.rules.made_objects.creations.of(table.type_id(holder)).is_none()
        {
            sources.push(self.argument_of(view, holder, place));
            return sources;
        }
        let name = view.tree.named_children(holder).next().filter(|_| view.tree.bound_value(holder) == Some(function));
        match name.filter(|&name| view.scopes.is_identifier(name) && !self.is_member(view, name)) {
            Some(name) if view.scopes.binds(name) => sources.push(calls_of(name)),
            _ => return unknown,
        }
        sources
    }

    /// The argument that a call passes at a place.
    pub fn argument_source(&self, file: FileId, call: Node, place: usize) -> Source {
        self.view(file).map_or(Source::Unknown, |view| self.argument_of(&view, call, place))
    }

    /// Whether a file has a name other than where it is bound.
    pub fn reads_name(&self, file: FileId, name: &str) -> bool {
        self.view(file).is_some_and(|view| view.scopes.nodes_of(name).iter().any(|&node| !view.scopes.binds(node)))
    }

    /// Whether a class has a member, itself or from a base; `None` if that is not known.
    pub fn inherits(&self, class: Site, member: Site) -> Option<bool> {
        match self.member(class, self.name_of(member)?.as_str()) {
            Member::Found(sites) => Some(sites.contains(&member)),
            Member::Missing => Some(false),
            Member::External | Member::Unknown => None,
        }
    }

    /// The calls of the constructor of a base in the body of a class: `super(…)`.
    pub fn base_calls(&self, class: Site) -> Vec<Node> {
        let Some(view) = self.view(class.file) else { return Vec::new() };
        let Some(scope) = self.class_scope(&view, class.name) else { return Vec::new() };
        let table = view.tree.table();
        let is_body = |node: &Node| view.scopes.rules.members.contains(table.type_id(*node));
        let is_base = |&node: &Node| {
            view.rules.object_words.base_types.contains(table.type_id(node))
                && table.ancestors(node).find(is_body) == Some(scope)
        };
        let words = table.descendants(scope).filter(is_base);
        words.filter_map(|word| table.parent(word).filter(|&call| self.called(&view, call) == Some(word))).collect()
    }

    /// The arguments of a call.
    fn all_arguments(&self, view: &View<'_>, call: Node) -> Vec<Source> {
        let rule = view.tree.language().spec().args.of(view.tree.table().type_id(call));
        let list = rule.and_then(|rule| rule.at.iter().flat_map(|path| view.tree.reached(call, path)).next());
        let Some(list) = list else { return vec![Source::Unknown] };
        let arguments = view.tree.named_children(list).filter(|&node| !view.tree.is_comment(node));
        let source = |node| if view.is_spread(node) { Source::Unknown } else { Source::Of(view.file, node) };
        arguments.map(source).collect()
    }

    /// The argument of a call at a place.
    fn argument_of(&self, view: &View<'_>, call: Node, place: usize) -> Source {
        let table = view.tree.table();
        let Some(rule) = view.tree.language().spec().args.of(table.type_id(call)) else { return Source::Unknown };
        let Some(list) = rule.at.iter().flat_map(|path| view.tree.reached(call, path)).next() else {
            return Source::Unknown;
        };
        if rule.single.contains(table.type_id(list)) {
            return Source::Unknown;
        }
        let arguments: Vec<Node> = view.tree.named_children(list).filter(|&node| !view.tree.is_comment(node)).collect();
        if arguments.iter().take(place + 1).any(|&node| view.is_spread(node)) {
            return Source::Unknown;
        }
        arguments.get(place).map_or(Source::Nothing, |&node| Source::Of(view.file, node))
    }

    /// Whether an object may have a member with a name.
    pub fn may_have(&self, class: Site, name: &str) -> bool {
        !matches!(self.member(class, name), Member::Missing) || self.shorthand_key(class, name).is_some()
    }

    /// The key of a literal that is a variable as well: `{ a }`.
    pub fn shorthand_key(&self, class: Site, name: &str) -> Option<Site> {
        let view = self.view(class.file)?;
        let scope = self.class_scope(&view, class.name)?;
        let is_key = |&key: &Node| {
            view.scopes.is_identifier(key) && *view.tree.node_text(key) == *name && view.scopes.shorthand(key).is_some()
        };
        let literals = &view.rules.members.literals;
        let is_literal = literals.contains(view.tree.table().type_id(scope));
        let name = view.tree.named_children(scope).find(is_key).filter(|_| is_literal)?;
        Some(Site { file: class.file, name })
    }

    /// Whether a symbol is known by such a key.
    pub fn is_shorthand_key(&self, site: Site) -> bool {
        self.view(site.file).is_some_and(|view| {
            let table = view.tree.table();
            let literal =
                table.parent(site.name).filter(|&node| view.rules.members.literals.contains(table.type_id(node)));
            literal.is_some() && view.scopes.shorthand(site.name).is_some()
        })
    }

    /// The members with the name of a place that an object has which may come to it; `None` if that is not known.
    pub fn members_at(&self, source: Source, file: FileId, name: Node) -> Option<Vec<Site>> {
        let view = self.view(file)?;
        let text = view.tree.node_text(name);
        let spaces = match view.scopes.is_identifier(name) {
            true => self.spaces_of_member(&view, name),
            false => Spaces::ALL,
        };
        let (class, value) = match source {
            Source::Object { class, is_class: true } => (class, Value::Class { class, is_own: false }),
            Source::Object { class, is_class: false } => (class, Value::Instance { class, is_own: false }),
            Source::Nothing => return Some(Vec::new()),
            Source::Of(..) | Source::Part(..) | Source::Argument { .. } | Source::Unknown => return None,
        };
        match self.member_of(&value, MemberName { text: &text, spaces }) {
            Meaning::Known(things) => things
                .into_iter()
                .map(|thing| match thing {
                    Thing::Symbol(site) => Some(site),
                    _ => None,
                })
                .collect(),
            // What else may give a literal a member of its own is looked at with its copies.
            _ => match self.literal_key(class, MemberName { text: &text, spaces }) {
                Some(key) => Some(vec![key]),
                None => matches!(self.member(class, &*text), Member::Missing)
                    .then(|| self.shorthand_key(class, &text).into_iter().collect()),
            },
        }
    }
}

impl Resolver<'_> {
    /// The key of a literal with a name.
    fn literal_key(&self, class: Site, name: MemberName<'_>) -> Option<Site> {
        let view = self.view(class.file)?;
        let scope = self.class_scope(&view, class.name)?;
        let is_literal = view.rules.members.literals.contains(view.tree.table().type_id(scope));
        let keys = if is_literal { self.body_binders(&view, class, name) } else { Vec::new() };
        keys.first().map(|&key| Site { file: class.file, name: key })
    }
}

/// The sources of a value that is known; `None` if it is not.
fn known_sources(values: &Values) -> Option<Vec<Source>> {
    if !values.is_complete || values.known.is_empty() {
        return None;
    }
    let source = |value: &Value| match *value {
        Value::Plain => Some(Source::Nothing),
        Value::Class { class, .. } => Some(Source::Object { class, is_class: true }),
        Value::Instance { class, .. } => Some(Source::Object { class, is_class: false }),
        _ => None,
    };
    values.known.iter().map(source).collect()
}
