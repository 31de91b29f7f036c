//! Text that makes names: members accessed by a name that code computes, tables of names, formats, code in strings.

use rustc_hash::FxHashSet;

use super::made::{Having, Key, MadeName, Making, NamedSymbol, content, strings_in, word_in};
use super::shown::{around_in_statement, is_callee, is_code_call};
use crate::facts::WordParts;
use crate::modules::FileId;
use crate::symbols::{Meaning, Project, Resolver, Site, Thing, Value, View};
use crate::text::Span;
use crate::tree::Node;

/// How far the table that a format gets is from its string.
const FORMAT_REACH: usize = 5;

impl Resolver<'_> {
    /// Where a file may make the name of a symbol.
    pub fn made_names(&self, file: FileId, symbol: &NamedSymbol<'_>) -> Vec<MadeName> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let table = view.tree.table();
        let rules = &view.rules.hidden_uses;
        let mut found = Vec::new();
        let tells = symbol.is_member
            && symbol.classes.iter().any(|&class| self.has_keys(class) || self.names_its_members(class));
        for node in table.nodes() {
            let id = table.type_id(node);
            if tells && self.asks_for_name(&view, node) {
                found.push(MadeName { span: table.span(node), how: Making::Told });
            }
            if symbol.local.is_none() && rules.table_accesses.contains(id) {
                found.extend(self.made_by_table(&view, node, symbol));
            }
            if symbol.local.is_none()
                && let Some(access) = self.computed_access(&view, node)
            {
                found.extend(self.made_by(&view, &access, symbol));
            }
            if symbol.local.is_some() && self.is_frame_table(&view, node) && has_string_with(&view, symbol.name) {
                found.push(MadeName { span: table.span(node), how: Making::Table });
            }
            if symbol.local.is_none()
                && let Some(span) = code_after_flag(&view, node, symbol.name)
            {
                found.push(MadeName { span, how: Making::Code });
            }
            if symbol.is_member && self.is_access_as_value(&view, node) {
                found.push(MadeName { span: table.span(node), how: Making::Open });
            }
            if symbol.is_member && self.is_whole_table(&view, node, symbol) {
                found.push(MadeName { span: table.span(node), how: Making::Listing });
            }
            let Some(callee) = view.tree.callee_text(node) else { continue };
            let is_in = |words: &[String]| is_callee(words, &callee);
            if symbol.local.is_some() && is_in(&rules.name_tables) {
                found.extend(self.made_by_frame(&view, node, symbol));
            }
            if symbol.is_member && is_in(&rules.member_fillers) && self.fills_members(&view, node, symbol) {
                found.push(MadeName { span: table.span(node), how: Making::Listing });
            }
            if symbol.local.is_none() && is_in(&rules.member_searches) && self.lists_names(&view, node, symbol) {
                found.push(MadeName { span: table.span(node), how: Making::Listing });
            }
            if symbol.is_member && is_in(&rules.class_makers) {
                found.extend(strings_in(&view, node).into_iter().filter_map(|string| {
                    let text = view.tree.node_text(string);
                    let span = word_in(&text, symbol.name, table.span(string).start())?;
                    (content(&text) == symbol.name).then_some(MadeName { span, how: Making::Class })
                }));
            }
            if symbol.local.is_some() && is_code_call(rules, &callee) && self.is_seen_by(&view, node, symbol) {
                let code = self.called(&view, node).and_then(|callee| self.first_argument(&view, node, callee));
                let made = code.filter(|&code| !Key::of(&view, code).is_whole && self.makes_text(&view, code));
                found.extend(made.map(|code| MadeName { span: table.span(code), how: Making::Code }));
            }
            if is_code_call(rules, &callee) && self.is_seen_by(&view, node, symbol) {
                found.extend(strings_in(&view, node).into_iter().filter_map(|string| {
                    let span = word_in(&view.tree.node_text(string), symbol.name, table.span(string).start())?;
                    Some(MadeName { span, how: Making::Code })
                }));
            }
        }
        if !symbol.is_member && symbol.site.file == file {
            let binders = rules.text_binders.iter().map(|binder| binder.replace('*', symbol.name));
            let text = view.tree.node_text(Node::ROOT);
            found.extend(binders.flat_map(|binder| {
                let at: Vec<usize> = text.match_indices(&binder).map(|(at, _)| at).collect();
                at.into_iter().map(move |at| MadeName { span: Span::new(at, at + binder.len()), how: Making::Bound })
            }));
        }
        found.extend(self.made_callables(&view, symbol));
        found.extend(self.made_by_formats(&view, symbol));
        found
    }

    /// Whether a name is a function that accesses members by their names, and is passed on: `reduce(getattr, path.split("."), o)`.
    fn is_access_as_value(&self, view: &View<'_>, name: Node) -> bool {
        let rules = &view.rules.hidden_uses;
        let table = view.tree.table();
        !rules.dynamic_methods
            && view.scopes.is_identifier(name)
            && rules.dynamic_calls.iter().any(|word| *word == *view.tree.node_text(name))
            && self.member_name(view, name).is_none()
            && table.parent(name).is_some_and(|list| {
                let call = table.parent(list);
                call.is_some_and(|call| self.called(view, call).is_some_and(|callee| !table.is_within(name, callee)))
                    && self.called(view, list) != Some(name)
            })
    }

    /// Whether a call goes through the names of what has a symbol.
    fn lists_names(&self, view: &View<'_>, call: Node, symbol: &NamedSymbol<'_>) -> bool {
        let table = view.tree.table();
        let Some(callee) = self.called(view, call) else { return false };
        if self.counts_names(view, call) {
            return false;
        }
        match self.first_argument(view, call, callee) {
            Some(object) if symbol.is_member => self.may_have_member(view, Some(object), symbol) == Having::Yes,
            Some(object) => self.may_be_module(view, Some(object), symbol) == Having::Yes,
            // `a._asdict()`
            None if symbol.is_member => {
                let object = self.object_of(view, self.member_name(view, callee).unwrap_or(callee));
                object.is_some() && self.may_have_member(view, object, symbol) == Having::Yes
            }
            None => {
                let rules = &view.rules.hidden_uses;
                let is_read = |&around: &Node| rules.table_accesses.contains(table.type_id(around));
                let is_code = |&around: &Node| {
                    view.tree
                        .callee_text(around)
                        .is_some_and(|callee| rules.code_calls.iter().any(|word| *word == *callee))
                };
                let mut around = table.ancestors(call).take(2);
                !symbol.is_member
                    && symbol.modules.contains(&view.file)
                    && !around.any(|node| is_read(&node) || is_code(&node) || self.member_name(view, node).is_some())
            }
        }
    }

    /// Whether an expression is a word for one of the classes of a member: `A.class`.
    fn names_class_of(&self, view: &View<'_>, object: Node, symbol: &NamedSymbol<'_>) -> bool {
        let words = &view.rules.hidden_uses.class_words;
        let Some(name) = view.tree.named_children(object).next().filter(|_| !words.is_empty()) else { return false };
        let text = view.tree.node_text(object);
        words.iter().any(|word| text.ends_with(word.as_str()))
            && match self.meaning(view.file, self.member_name(view, name).unwrap_or(name)) {
                Meaning::Known(things) => {
                    things.iter().any(|thing| matches!(thing, Thing::Symbol(class) if symbol.classes.contains(class)))
                }
                _ => false,
            }
    }

    /// Whether code that runs at a place sees a symbol.
    fn is_seen_by(&self, view: &View<'_>, node: Node, symbol: &NamedSymbol<'_>) -> bool {
        let Some(local) = symbol.local else { return true };
        local.file == view.file && {
            let scope = view.scopes.around(local.name);
            scope == Node::ROOT || view.tree.table().is_within(node, scope)
        }
    }

    /// Whether the members of a class are objects that know their names, by the type of its definition: an enum.
    fn names_its_members(&self, class: Site) -> bool {
        self.view(class.file).is_some_and(|view| {
            let types = &view.rules.members.keyed_types;
            let definition = self.definition_of(&view, class.name).filter(|_| !types.is_empty());
            definition.is_some_and(|definition| types.contains(view.tree.table().type_id(definition)))
        })
    }

    /// Whether a name asks a member of an object, or something that is not known, for its name.
    fn asks_for_name(&self, view: &View<'_>, name: Node) -> bool {
        let words = &view.rules.members.name_readers;
        let is_asked = view.scopes.is_identifier(name) && words.iter().any(|word| *word == *view.tree.node_text(name));
        let Some(object) = self.object_of(view, name).filter(|_| is_asked) else { return false };
        let values = self.value(view.file, object);
        let is_other = |value: &Value| match *value {
            Value::Instance { class, .. } => !self.is_enumeration(class) && !self.names_its_members(class),
            Value::Foreign | Value::External { .. } | Value::Module(_) => true,
            _ => false,
        };
        !(values.is_complete && !values.known.is_empty() && values.known.iter().all(is_other))
    }

    /// Whether the name of a symbol may be text at run time: that of a function or a class, or of a variable that gets one without a name.
    pub fn gives_its_name(&self, site: Site) -> bool {
        let Some(view) = self.view(site.file) else { return true };
        let table = view.tree.table();
        let groups = &view.rules.escapes.groups;
        let makers = &view.rules.hidden_uses.naming_calls;
        let is_named_here = |value: Node| {
            let mut value = value;
            while groups.contains(table.type_id(value))
                && let Some(inner) = view.tree.named_children(value).next()
            {
                value = inner;
            }
            view.tree.is_scope(value)
                || view.tree.callee_text(value).is_some_and(|callee| makers.iter().any(|maker| *maker == *callee))
        };
        let gets_one = |name: Node| {
            let around = table.parent(name);
            around.is_some_and(|around| {
                view.tree.name_node(around) == Some(name) && view.tree.is_scope(around)
                    || table.children(around).any(|value| value != name && is_named_here(value))
            })
        };
        let names = view.scopes.names(&view.tree.node_text(site.name));
        let Some(symbol) = names.at(site.name).and_then(|found| names.resolve(&view.scopes, found)) else {
            return gets_one(site.name);
        };
        let is_same = |found: &&crate::scopes::VariableName| {
            names.resolve(&view.scopes, found).is_some_and(|other| other.is(symbol))
        };
        gets_one(site.name) || names.found.iter().filter(is_same).any(|found| gets_one(found.name))
    }

    /// Whether a string is compared with the name of a class that code asks for: `type(x).__name__ == "A"`.
    pub fn is_compared_with_name(&self, file: FileId, string: Node) -> bool {
        /// How far a string is from the comparison: in a list there.
        const REACH: usize = 3;
        let Some(view) = self.view(file) else { return false };
        let words = &view.rules.hidden_uses.own_names;
        let table = view.tree.table();
        let is_one = |node: Node| words.iter().any(|word| *word == *view.tree.node_text(node));
        if words.is_empty() {
            return false;
        }
        let mut inner = string;
        for around in around_in_statement(&view, string, REACH) {
            let call =
                table.parent(around).filter(|&call| self.called(&view, call).is_some_and(|callee| callee != around));
            // The other arguments of a call have nothing to do with it: only what is called may ask, as in `x.getName().equals("A")`.
            let others = table.descendants(around).filter(|&node| !table.is_within(node, inner));
            let asks = others.into_iter().any(|node| view.scopes.is_identifier(node) && is_one(node));
            if asks && call.is_none() {
                return true;
            }
            if self.called(&view, around).is_some() {
                return false;
            }
            inner = around;
        }
        false
    }

    /// Whether a string names a member of an object that a test makes: `"run.return_value"`.
    pub fn is_mocked(&self, file: FileId, string: Node, name: &str) -> bool {
        self.view(file).is_some_and(|view| {
            let text = view.tree.node_text(string);
            let rest = content(&text).strip_prefix(name).and_then(|rest| rest.strip_prefix('.'));
            rest.is_some_and(|rest| view.rules.hidden_uses.mocked_members.iter().any(|known| known == rest))
        })
    }

    /// Where code in a node reads the members of an object as a table: `self.__dict__`.
    pub fn tables_in(&self, file: FileId, node: Node) -> Vec<usize> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let table = view.tree.table();
        let found = table
            .descendants(node)
            .filter(|&inner| self.is_name_table(&view, inner) && self.table_owner(&view, inner).is_some());
        found.map(|inner| table.span(inner).start()).collect()
    }

    /// Whether a function or class is asked for its name as text where a name refers to it: `run.__name__`.
    pub fn is_asked_for_name(&self, file: FileId, name: Node) -> bool {
        let Some(view) = self.view(file) else { return false };
        let words = &view.rules.hidden_uses.own_names;
        if words.is_empty() {
            return false;
        }
        let whole = self.access_of(&view, name).filter(|&access| self.member_name(&view, access) == Some(name));
        let whole = whole.unwrap_or(name);
        let access = view.tree.table().parent(whole);
        let member = access.and_then(|access| self.member_name(&view, access)).filter(|&member| member != name);
        member.is_some_and(|member| {
            self.object_of(&view, member) == Some(whole)
                && words.iter().any(|word| *word == *view.tree.node_text(member))
                && !matches!(self.meaning(file, member), Meaning::Known(_))
                && self
                    .value(file, whole)
                    .known
                    .iter()
                    .all(|value| matches!(value, Value::Function { .. } | Value::Class { .. }))
        })
    }

    /// Where a file may make the name of a member of that of a class: the parts before it and after it in such names, and those where
    /// the name is in small letters. Those count where the function asks for the names of classes, too.
    pub fn made_of_class_name(
        &self,
        file: FileId,
        parts: &FxHashSet<WordParts>,
        small: &FxHashSet<WordParts>,
    ) -> Vec<MadeName> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let words = &view.rules.hidden_uses.own_names;
        let asks = |node: Node| {
            let scope = view.scopes.around(node);
            let mut asked = words.iter().flat_map(|word| view.scopes.nodes_of(word));
            asked.any(|&name| view.tree.table().is_within(name, scope))
        };
        let found = view.tree.table().nodes().filter_map(|node| {
            let Access { key, span, .. } = self.computed_access(&view, node)?;
            let key_parts = (key.start, key.end);
            let is_part = parts.contains(&key_parts) || small.contains(&key_parts) && asks(node);
            (!key.is_whole && is_part).then_some(MadeName { span, how: Making::Part })
        });
        found.collect()
    }

    /// A node that accesses a member by a name that code may compute: `o["do_" + k]`, `getattr(o, "do_" + k)`,
    /// `o.send("do_#{k}")`.
    fn computed_access(&self, view: &View<'_>, node: Node) -> Option<Access> {
        self.any_access(view, node).filter(|access| !self.is_nameless_key(view, access.written))
    }

    /// Whether of the names that a call gives only the number is used: `Object.keys(o).length`.
    pub(super) fn counts_names(&self, view: &View<'_>, call: Node) -> bool {
        let access = view.tree.table().parent(call).and_then(|access| self.member_name(view, access));
        let counts = &view.rules.escapes.counts;
        access.is_some_and(|name| counts.iter().any(|word| *word == *view.tree.node_text(name)))
    }

    /// Whether a key is a number, or an object, and not a name: `i + 1`, `Symbol("x")`, `Symbol.iterator`.
    pub(super) fn is_nameless_key(&self, view: &View<'_>, key: Node) -> bool {
        let makers = &view.rules.hidden_uses.symbol_makers;
        if self.is_number(view, key) {
            return true;
        }
        if makers.is_empty() {
            return false;
        }
        if let Some(callee) = view.tree.callee_text(key) {
            return is_callee(makers, &callee);
        }
        if let Some(name) = self.member_name(view, key)
            && let Some(object) = self.object_of(view, name)
            && is_callee(makers, &view.tree.node_text(object))
        {
            return !matches!(self.meaning(view.file, object), Meaning::Known(_));
        }
        if !view.scopes.is_identifier(key) {
            return false;
        }
        let Meaning::Known(things) = self.meaning(view.file, key) else { return false };
        let [Thing::Symbol(site)] = things.as_slice() else { return false };
        let Some(other) = self.view(site.file) else { return false };
        let names = other.scopes.names(&other.tree.node_text(site.name));
        let mut others = names.found.iter().filter(|found| found.name != site.name);
        let is_fixed = !others.any(|found| found.does.is_binding() || self.is_written(site.file, found.name));
        let Some(holder) = other.tree.table().parent(site.name).filter(|_| is_fixed) else { return false };
        let paths = other.rules.values.of(other.tree.table().type_id(holder)).into_iter().flatten();
        let value = paths.flat_map(|path| other.tree.reached(holder, path)).next();
        value
            .filter(|&value| value != site.name)
            .is_some_and(|value| other.tree.callee_text(value).is_some_and(|callee| is_callee(makers, &callee)))
    }

    fn any_access(&self, view: &View<'_>, node: Node) -> Option<Access> {
        /// Which of the arguments may be the name.
        const PLACES: usize = 2;
        let table = view.tree.table();
        let rules = &view.rules.hidden_uses;
        if rules.dynamic_accesses.contains(table.type_id(node)) {
            let mut parts = view.tree.named_children(node);
            let (object, key) = (parts.next()?, parts.next()?);
            // A table of names is asked about in another way.
            return (!self.is_name_table(view, object)).then(|| Access::new(view, Some(object), key, node));
        }
        if view.scopes.fits(node, &rules.computed_members).is_some() && !view.scopes.is_identifier(node) {
            let access = table.parent(node);
            let object = access.and_then(|access| view.tree.named_children(access).next());
            let object = object.filter(|&object| object != node);
            return Some(Access::new(view, object, node, access.unwrap_or(node)));
        }
        if !is_callee(&rules.dynamic_calls, &view.tree.callee_text(node)?) {
            return None;
        }
        let callee = self.called(view, node)?;
        let list = table.children(node).filter(|&child| table.is_named(child) && child != callee).last()?;
        let arguments: Vec<Node> = view.tree.named_children(list).collect();
        let name = self.member_name(view, callee).map(|name| view.tree.node_text(name).into_owned());
        if let Some(name) = name.filter(|name| rules.object_methods.contains(name)) {
            return self.access_by_method(view, node, &name, &arguments);
        }
        let own = view.rules.objects.of(table.type_id(node)).into_iter().flatten();
        let own = own.flat_map(|path| view.tree.reached(node, path)).next();
        let (object, places) = match own {
            Some(object) => (Some(object), &arguments[..arguments.len().min(1)]),
            None if arguments.len() > 1 && !rules.dynamic_methods => {
                (arguments.first().copied(), &arguments[1..arguments.len().min(PLACES)])
            }
            None => (None, &arguments[..]),
        };
        let loads_classes = is_callee(&rules.class_loaders, &view.tree.node_text(callee));
        let access = places.first().map(|&key| Access::new(view, object, key, node))?;
        let is_path = loads_classes || rules.computes_paths;
        let key = if is_path { access.key.of_last_name() } else { access.key };
        Some(Access { key, loads_classes, ..access })
    }

    /// `object.__setattr__(o, name, value)`, `super().__setattr__(name, value)`. A method of that name that passes on the name which it got
    /// accesses what its caller does.
    fn access_by_method(&self, view: &View<'_>, call: Node, name: &str, arguments: &[Node]) -> Option<Access> {
        let callee = self.called(view, call)?;
        let receiver = self.object_of(view, self.member_name(view, callee)?)?;
        let is_class = |value: &Value| matches!(value, Value::Class { .. } | Value::External { is_class: true });
        let is_base = view.scopes.rules.plain_bases.iter().any(|base| *base == *view.tree.node_text(receiver));
        let is_unbound = view.scopes.is_identifier(receiver)
            && (is_base || self.value(view.file, receiver).known.iter().any(is_class));
        let (object, key) = match is_unbound {
            true => (arguments.first().copied()?, arguments.get(1).copied()?),
            false => (receiver, arguments.first().copied()?),
        };
        let table = view.tree.table();
        let is_function = |node: &Node| view.tree.language().spec().params.of(table.type_id(*node)).is_some();
        let function = table.ancestors(call).find(is_function)?;
        let is_same = view.tree.name(function).is_some_and(|own| own == name);
        let is_parameter = || {
            let names = view.scopes.names(&view.tree.node_text(key));
            let mut binders = names.found.iter().filter(|found| found.does.is_binding() && found.scope == function);
            binders.any(|found| view.scopes.reaches(found.name, &view.scopes.rules.parameters).is_some())
        };
        (!is_same || !is_parameter()).then(|| Access::new(view, Some(object), key, call))
    }

    /// `globals()["run"]`
    fn made_by_table(&self, view: &View<'_>, access: Node, symbol: &NamedSymbol<'_>) -> Option<MadeName> {
        let mut parts = view.tree.named_children(access);
        let (object, key) = (parts.next()?, parts.next()?);
        let made = MadeName { span: view.tree.table().span(access), how: Making::Table };
        let tables = &view.rules.hidden_uses.global_tables;
        if tables.iter().any(|word| *word == *view.tree.node_text(object)) {
            let is_meant = !symbol.is_member && !self.is_function_or_class(symbol.site);
            return (is_meant && Key::of(view, key).may_be(symbol.name)).then_some(made);
        }
        if !self.is_name_table(view, object) {
            // `Color[name.upper()]`
            let is_its = |value: &Value| match *value {
                Value::Class { class, .. } => symbol.classes.contains(&class) && self.is_enumeration(class),
                _ => false,
            };
            let key = Key::of(view, key);
            let is_made = symbol.is_member && !key.is_whole && key.may_be(symbol.name);
            return (is_made && self.value(view.file, object).known.iter().any(is_its)).then_some(made);
        }
        let may_be = match symbol.is_member {
            true => self.may_have_member(view, self.table_owner(view, object), symbol) != Having::No,
            false => match self.table_owner(view, object) {
                Some(owner) => {
                    // `sys.modules[name]` may be any module; a variable is one if an import binds it.
                    let is_named = view.scopes.is_identifier(owner) || self.member_name(view, owner).is_some();
                    match is_named {
                        true => self.may_be_module(view, Some(owner), symbol) == Having::Yes,
                        false => self.may_be_any_module(view, owner, symbol) != Having::No,
                    }
                }
                None => symbol.modules.contains(&view.file) || self.takes_all_of(view, symbol.modules),
            },
        };
        (may_be && Key::of(view, key).may_be(symbol.name)).then_some(made)
    }

    /// Whether a name is that of a definition with a scope of its own.
    fn is_function_or_class(&self, symbol: Site) -> bool {
        self.view(symbol.file).is_some_and(|view| {
            self.definition_of(&view, symbol.name).is_some_and(|definition| view.tree.is_scope(definition))
        })
    }

    /// The variables of the function as a table: `locals()["k"]`. A format is looked at as one.
    fn made_by_frame(&self, view: &View<'_>, call: Node, symbol: &NamedSymbol<'_>) -> Option<MadeName> {
        let table = view.tree.table();
        let callee = self.called(view, call)?;
        let is_frame =
            view.tree.language().spec().flow.frame_words.iter().any(|word| *word == *view.tree.node_text(callee));
        if !is_frame || self.first_argument(view, call, callee).is_some() || !self.is_seen_by(view, call, symbol) {
            return None;
        }
        let around = table.parent(call)?;
        let made = MadeName { span: table.span(around), how: Making::Table };
        if view.rules.hidden_uses.table_accesses.contains(table.type_id(around)) {
            let key = view.tree.named_children(around).find(|&key| key != call)?;
            return Key::of(view, key).may_be(symbol.name).then_some(made);
        }
        // `locals().get("k")`
        let method = self.member_name(view, around).and_then(|_| table.parent(around));
        let strings =
            method.filter(|&method| self.called(view, method) == Some(around)).map(|method| strings_in(view, method));
        if let Some([key, ..]) = strings.as_deref() {
            return Key::of(view, *key).may_be(symbol.name).then_some(made);
        }
        let around = around_in_statement(view, call, FORMAT_REACH);
        let mut formats = around.into_iter().flat_map(|around| strings_in(view, around));
        let is_format = view.rules.hidden_uses.formats.is_some()
            && formats.any(|string| view.tree.node_text(string).contains(['{', '%']));
        (!is_format).then_some(made)
    }

    /// Whether a call gives the members of an object values by the names that it has: `parse_args(namespace=o)`.
    fn fills_members(&self, view: &View<'_>, call: Node, symbol: &NamedSymbol<'_>) -> bool {
        let table = view.tree.table();
        let names = &view.rules.hidden_uses.filled_arguments;
        let named =
            table.descendants(call).filter(|&node| names.iter().any(|name| *name == *view.tree.node_text(node)));
        let values = named.filter_map(|name| {
            let argument = table.parent(name)?;
            view.tree.named_children(argument).find(|&value| value != name)
        });
        let mut values = values;
        values.any(|value| self.may_have_member(view, Some(value), symbol) == Having::Yes)
    }

    fn made_by(&self, view: &View<'_>, access: &Access, symbol: &NamedSymbol<'_>) -> Option<MadeName> {
        let Access { object, key, span, .. } = access;
        // A name that is written as it is, is looked at as a string.
        if key.is_whole || !key.may_be(symbol.name) {
            return None;
        }
        let having = match symbol.is_member {
            true => self.may_have_member(view, *object, symbol),
            false => match object.and_then(|object| self.module_of_table(view, object)) {
                Some(key) => self.may_be_key(view, key, symbol),
                None if access.loads_classes && self.is_class(symbol.site) => Having::Perhaps,
                None if object.is_some_and(|object| self.may_be_any_module_of_code(view, object)) => Having::Perhaps,
                None => self.may_be_module(view, *object, symbol),
            },
        };
        let how = match (having, key.is_open()) {
            (Having::No, _) => return None,
            (Having::Yes, _) | (Having::Perhaps, false) => Making::Computed,
            (Having::Perhaps, true) if self.changes_case(view, access.written) => Making::Recased,
            (Having::Perhaps, true) if self.makes_text(view, access.written) => Making::Pieces,
            (Having::Perhaps, true) => Making::Open,
        };
        Some(MadeName { span: *span, how })
    }

    /// Whether an expression puts a text in another case: `name.upper()`.
    fn changes_case(&self, view: &View<'_>, written: Node) -> bool {
        let words = &view.rules.hidden_uses.case_changes;
        let mut nodes = std::iter::once(written).chain(view.tree.table().descendants(written));
        !words.is_empty()
            && nodes.any(|node| view.tree.callee_text(node).is_some_and(|callee| is_callee(words, &callee)))
    }

    /// Whether an expression makes a text of others: `"_".join(parts)`, `name.replace("-", "_")`. What is only read is made elsewhere.
    fn makes_text(&self, view: &View<'_>, written: Node) -> bool {
        let table = view.tree.table();
        let mut nodes = std::iter::once(written).chain(table.descendants(written));
        nodes.any(|node| view.tree.callee_text(node).is_some() || view.tree.language().role(table.type_id(node)).string)
    }

    /// The key with which code gets a module: `name` of `sys.modules[name]` and `import_module(name)`.
    fn module_of_table(&self, view: &View<'_>, node: Node) -> Option<Node> {
        let words = &view.rules.hidden_uses.module_tables;
        if let Some(callee) = view.tree.callee_text(node) {
            let is_one = is_callee(words, &callee);
            return self.first_argument(view, node, self.called(view, node)?).filter(|_| is_one);
        }
        let is_access = view.rules.hidden_uses.table_accesses.contains(view.tree.table().type_id(node));
        let mut parts = view.tree.named_children(node).filter(|_| is_access);
        let (object, key) = (parts.next()?, parts.next()?);
        is_callee(words, &view.tree.node_text(object)).then_some(key)
    }

    /// Whether a key means the module with a symbol.
    fn may_be_key(&self, view: &View<'_>, key: Node, symbol: &NamedSymbol<'_>) -> Having {
        let text = view.tree.node_text(key);
        if view.rules.hidden_uses.own_modules.iter().any(|word| *word == *text) {
            return if symbol.modules.contains(&view.file) { Having::Yes } else { Having::No };
        }
        let key = Key::of(view, key);
        let path = |&module: &FileId| {
            let file = self.project().file(module);
            let path = Project::module_path(&file.path, file.language);
            key.start == path.rsplit('/').next().unwrap_or(path) || key.start.ends_with(&path.replace('/', "."))
        };
        match key.is_whole {
            true if symbol.modules.iter().any(path) => Having::Yes,
            true => Having::No,
            false => Having::Perhaps,
        }
    }

    /// Whether the object of which a string names a member may have a symbol: `getattr(o, "run")`, `o["run"]`, `"run" in o`.
    pub fn may_have_named(&self, file: FileId, string: Node, symbol: &NamedSymbol<'_>) -> Having {
        /// How far a string is from the access.
        const REACH: usize = 3;
        let Some(view) = self.view(file) else { return Having::Perhaps };
        // In other languages the object only says where to search: `dlsym(handle, "run")`, `type.getMethod("run")`.
        let table = view.tree.table();
        if !self.has_module_values(file) {
            let call = table.ancestors(string).take(REACH).find(|&node| self.names_member(&view, node));
            let mut inner = call.into_iter().flat_map(|call| table.descendants(call));
            let is_beside = |call: Node| self.has_class_beside(&view, call) && !self.is_named_access(&view, call);
            let is_meant = !call.is_some_and(is_beside) || inner.any(|node| self.names_class_of(&view, node, symbol));
            return if is_meant { Having::Yes } else { Having::No };
        }
        if self.is_in_augmentation(&view, string) {
            return Having::Yes;
        }
        let near = table.ancestors(string).take(REACH).find(|&node| self.names_member(&view, node));
        let Some(access) = near else { return Having::Perhaps };
        let others = |node: Node| view.tree.named_children(node).find(|&other| !table.is_within(string, other));
        let object = match self.called(&view, access) {
            None if self.takes_keys(&view, access) => None,
            None => others(access),
            Some(callee) => {
                let list = table.children(access).filter(|&child| table.is_named(child) && child != callee).last();
                // A module outside does not have the member: `operator.attrgetter("x")`.
                let is_outside = |value: &Value| matches!(value, Value::External { .. } | Value::Module(_));
                let is_object = |&object: &Node| !self.value(file, object).known.iter().any(is_outside);
                let own = self.member_name(&view, callee).and_then(|name| self.object_of(&view, name));
                // `:run.to_proc` calls it on any object.
                if own.or_else(|| self.object_of(&view, callee)).is_some_and(|own| table.is_within(string, own)) {
                    return Having::Yes;
                }
                let first = list.and_then(|list| view.tree.named_children(list).next());
                first.filter(|&first| !table.is_within(string, first)).or_else(|| own.filter(is_object))
            }
        };
        match (symbol.is_member, object) {
            (_, None) => Having::Perhaps,
            (true, Some(object)) => match self.may_have_member(&view, Some(object), symbol) {
                // It may be of a class below one from outside.
                Having::No if self.value(file, object).known.iter().any(|value| !value.is_of_project()) => {
                    Having::Perhaps
                }
                having => having,
            },
            (false, Some(object)) => self.may_be_any_module(&view, object, symbol),
        }
    }

    /// The same as [`Resolver::may_be_module`], where what is not known may be one.
    fn may_be_any_module(&self, view: &View<'_>, object: Node, symbol: &NamedSymbol<'_>) -> Having {
        let objects = &view.tree.language().spec().references.global_objects;
        let is_global = objects.iter().any(|global| *global == *view.tree.node_text(object));
        if is_global || self.may_be_module(view, Some(object), symbol) == Having::Yes {
            return Having::Yes;
        }
        let values = self.value(view.file, object);
        let is_known = |value: &Value| !matches!(value, Value::External { .. } | Value::Foreign | Value::Written(_));
        match values.is_complete && !values.known.is_empty() && values.known.iter().all(is_known) {
            true => Having::No,
            false if self.is_imported_name(view, object) || !values.known.iter().all(is_known) => Having::Yes,
            false => Having::Perhaps,
        }
    }

    /// Whether an object may have a member.
    fn may_have_member(&self, view: &View<'_>, object: Option<Node>, symbol: &NamedSymbol<'_>) -> Having {
        let Some(object) = object else { return Having::Perhaps };
        if self.names_class_of(view, object, symbol) {
            return Having::Yes;
        }
        let values = self.value(view.file, object);
        let mut having = if values.is_complete && !values.known.is_empty() { Having::No } else { Having::Perhaps };
        for value in &values.known {
            match value {
                Value::Class { class, .. } | Value::Instance { class, .. } | Value::Super { class }
                    if symbol.classes.contains(class) =>
                {
                    return Having::Yes;
                }
                Value::Written(_) => having = Having::Perhaps,
                _ => {}
            }
        }
        having
    }

    /// Whether an object may be a module that has the symbol.
    fn may_be_module(&self, view: &View<'_>, object: Option<Node>, symbol: &NamedSymbol<'_>) -> Having {
        let Some(object) = object else { return Having::No };
        let values = self.value(view.file, object);
        let is_it = |value: &Value| match value {
            Value::Module(Thing::Module(module)) => symbol.modules.contains(module),
            // A namespace of that file.
            Value::Module(Thing::Symbol(part)) => symbol.modules.contains(&part.file),
            _ => false,
        };
        if values.known.iter().any(is_it) { Having::Yes } else { Having::No }
    }

    /// Whether an expression is a table of names: `globals()`, `o.__dict__`.
    fn is_name_table(&self, view: &View<'_>, node: Node) -> bool {
        let words = &view.rules.hidden_uses.name_tables;
        if words.is_empty() {
            return false;
        }
        match view.tree.callee_text(node) {
            Some(callee) => words.iter().any(|word| *word == *callee),
            None => self.member_name(view, node).is_some_and(|name| {
                let text = view.tree.node_text(name);
                words.iter().filter_map(|word| word.strip_prefix('.')).any(|member| *member == *text)
            }),
        }
    }

    /// Whether an expression is the table of the members of an object that has a symbol, and not one of its entries: `a.__dict__`.
    fn is_whole_table(&self, view: &View<'_>, node: Node, symbol: &NamedSymbol<'_>) -> bool {
        let table = view.tree.table();
        let rules = &view.rules.hidden_uses;
        if view.tree.callee_text(node).is_some() || !self.is_name_table(view, node) {
            return false;
        }
        let Some(around) = table.parent(node) else { return false };
        // `copy.__dict__.update(self.__dict__)` gives an object what another one has.
        let call = table.parent(around).and_then(|call| self.called(view, call));
        let is_copied = call
            .and_then(|callee| self.object_of(view, self.member_name(view, callee)?))
            .is_some_and(|object| self.is_name_table(view, object));
        // An object has in its table what its methods assign.
        let owner = self.table_owner(view, node);
        let is_object = owner.is_some_and(|owner| {
            self.value(view.file, owner).known.iter().all(|value| matches!(value, Value::Instance { .. }))
        });
        let is_assigned = self
            .view(symbol.site.file)
            .is_some_and(|own| own.scopes.fits(symbol.site.name, &own.scopes.rules.attributes).is_some());
        if is_copied || is_object && !is_assigned && self.is_function_or_class(symbol.site) {
            return false;
        }
        let is_entry = rules.table_accesses.contains(table.type_id(around))
            || self.member_name(view, around).is_some()
            || table.fits_any(around, &rules.member_tests)
            || self.counts_names(view, node);
        !is_entry && self.may_have_member(view, owner, symbol) == Having::Yes
    }

    /// Whether an expression is the variables of some function as a table: `sys._getframe(1).f_locals`.
    fn is_frame_table(&self, view: &View<'_>, node: Node) -> bool {
        let words = &view.rules.hidden_uses.frame_tables;
        !words.is_empty()
            && self
                .member_name(view, node)
                .is_some_and(|name| words.iter().any(|word| *word == *view.tree.node_text(name)))
    }

    /// The object whose names a table has, if it is written: `o` of `vars(o)` and `o.__dict__`.
    fn table_owner(&self, view: &View<'_>, node: Node) -> Option<Node> {
        match self.called(view, node) {
            Some(callee) => self.first_argument(view, node, callee),
            None => self.member_name(view, node).and_then(|name| self.object_of(view, name)),
        }
    }

    /// `"{name}".format(**locals())`, `"%(name)s" % self.__dict__`, `"{0.name}".format(self)`
    fn made_by_formats(&self, view: &View<'_>, symbol: &NamedSymbol<'_>) -> Vec<MadeName> {
        let Some(formats) = &view.rules.hidden_uses.formats else { return Vec::new() };
        let table = view.tree.table();
        let mut found = Vec::new();
        for node in table.nodes().filter(|&node| view.tree.language().role(table.type_id(node)).string) {
            let text = view.tree.node_text(node);
            if !text.contains(symbol.name) || !self.is_seen_by(view, node, symbol) {
                continue;
            }
            let Some(span) = word_in(&text, symbol.name, table.span(node).start()) else { continue };
            let before = &text[..span.start() - table.span(node).start()];
            let Some(start) = formats.get().find(before) else { continue };
            // Code in the string is no format.
            let inner = table.smallest_around(span);
            if view.scopes.is_identifier(inner) {
                continue;
            }
            let is_member = start.as_str().contains('.');
            let gets_table = || {
                table
                    .ancestors(node)
                    .take(FORMAT_REACH)
                    .take_while(|&around| !view.tree.is_scope(around))
                    .any(|around| table.descendants(around).any(|inner| self.is_name_table(view, inner)))
            };
            if is_member && symbol.is_member || !is_member && gets_table() {
                found.push(MadeName { span, how: Making::Format });
            }
        }
        found
    }
}

/// An access to a member by a name that code may compute.
struct Access {
    /// The object that has the member, if that is written.
    object: Option<Node>,
    /// The name, as it is written.
    written: Node,
    key: Key,
    span: Span,
    /// Whether it gets a class by its name.
    loads_classes: bool,
}

impl Access {
    fn new(view: &View<'_>, object: Option<Node>, key: Node, whole: Node) -> Access {
        let span = view.tree.table().span(whole);
        Access { object, written: key, key: Key::of(view, key), span, loads_classes: false }
    }
}

/// Where a string has a name that is code after an argument of a program: `["python", "-c", "run()"]`.
fn code_after_flag(view: &View<'_>, string: Node, name: &str) -> Option<Span> {
    let flags = &view.rules.hidden_uses.code_flags;
    let table = view.tree.table();
    if flags.is_empty() || !view.tree.language().role(table.type_id(string)).string {
        return None;
    }
    let mut before = std::iter::successors(table.previous_sibling(string), |&node| table.previous_sibling(node));
    let flag = before.find(|&node| table.is_named(node))?;
    let text = view.tree.node_text(flag);
    let is_flag = flags.iter().any(|known| *known == *content(&text));
    is_flag.then(|| word_in(&view.tree.node_text(string), name, table.span(string).start())).flatten()
}

/// Whether a file has a string with a name as a word.
fn has_string_with(view: &View<'_>, name: &str) -> bool {
    strings_in(view, Node::ROOT).into_iter().any(|string| word_in(&view.tree.node_text(string), name, 0).is_some())
}
