//! Where objects go from the places at which they are made: to variables, parameters, results, and what reads their members. An object
//! whose way is seen as a whole has its members read nowhere else.

use rustc_hash::FxHashSet;

use crate::modules::{FileId, Module};
use crate::selector::Kinds;
use crate::symbols::{Meaning, Member, Resolver, Site, Thing, Value, View, is_lasting};
use crate::text::Span;
use crate::tree::Node;

/// An expression whose value is one of the objects, or a class that makes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Held {
    /// The file.
    pub file: FileId,
    /// The expression.
    pub node: Node,
    /// Whether the value is a class whose objects are meant.
    pub is_class: bool,
}

/// The next step of an object at the place of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Another expression has it.
    To(Held),
    /// A variable gets it, known by one of its names.
    Variable(Held),
    /// A function returns it, known by its name; to calls that are waited for, if it is asynchronous.
    Result {
        /// The name of the function, and whether it returns the class.
        function: Held,
        /// Whether its calls have to be waited for.
        is_waited: bool,
    },
    /// It is the member of another object, with this name.
    Stored {
        /// The literal that makes the other object.
        literal: Held,
        /// The key in it.
        key: Node,
    },
    /// Its member is read or written by its name here.
    Member(Site),
    /// It is declared with a type without a name, which has the member: this one.
    Typed(Site),
    /// A member of it is accessed here, which may be any.
    AnyMember,
    /// A member of it is accessed here by a computed name.
    Computed(Node),
    /// The names of its members are shown here, as text.
    Shown(Node),
    /// A function that is not known gets it here.
    Given(Node),
    /// It goes where it is not followed.
    Out,
}

/// The member whose objects are followed.
#[derive(Debug, Clone, Copy)]
pub struct Followed<'a> {
    /// Its name.
    pub name: &'a str,
    /// The classes that have it, and those above and below.
    pub classes: &'a FxHashSet<Site>,
    /// Whether the class itself has it, and not the objects.
    pub is_of_class: bool,
}

/// Where the objects with a member are made, and the class's own references to them.
#[derive(Debug, Default)]
pub struct Origins {
    /// The expressions.
    pub held: Vec<Held>,
    /// The classes whose references are to be followed, too.
    pub classes: Vec<Site>,
    /// The names and patterns that are declared with a type without a name.
    pub declared: Vec<Held>,
    /// Whether others come from where something is declared with a type without a name.
    pub has_types: bool,
    /// Whether there may be others.
    pub is_open: bool,
}

/// How many expressions in parentheses or arguments are looked through.
pub(super) const REACH: usize = 8;

impl Resolver<'_> {
    /// Whether objects can be followed in the language of a file.
    pub fn follows_objects(&self, file: FileId) -> bool {
        self.view(file).is_some_and(|view| !view.rules.escapes.ends.types().is_empty())
    }

    /// Where the objects with a member are made.
    pub fn origins(&self, member: Site, followed: &Followed<'_>, origins: &mut Origins) {
        let Some(view) = self.view(member.file) else {
            origins.is_open = true;
            return;
        };
        let table = view.tree.table();
        let literals = &view.rules.members.literals;
        let literal = table.ancestors(member.name).take(2).find(|&node| literals.contains(table.type_id(node)));
        if let Some(literal) = literal {
            origins.held.push(Held { file: member.file, node: literal, is_class: false });
            self.add_own_objects(&view, literal, false, origins);
            return;
        }
        if let Some(class) = self.class_of_member(member) {
            return self.add_class(class, followed, origins);
        }
        // What is declared with a type without a name comes from elsewhere.
        if let Some(node) = self.holder_of_type(&view, member.name) {
            origins.has_types = true;
            origins.declared.push(Held { file: member.file, node, is_class: false });
            return;
        }
        // A class without a name.
        let bound = || view.scopes.found(member.name).map(|found| found.scope);
        let scope = self.own_class(&view, member.name).or_else(bound);
        let class = scope.and_then(|scope| table.parent(scope)).filter(|&class| {
            view.rules.escapes.classes.contains(table.type_id(class)) && view.tree.base_nodes(class).next().is_none()
        });
        match scope.zip(class) {
            Some((scope, node)) if view.tree.language().role(table.type_id(node)).value => {
                origins.held.push(Held { file: member.file, node, is_class: !followed.is_of_class });
                self.add_own_objects(&view, scope, followed.is_of_class, origins);
            }
            _ => origins.is_open = true,
        }
    }

    /// Adds the places where a class, or what makes its objects, is used.
    pub fn add_class(&self, class: Site, followed: &Followed<'_>, origins: &mut Origins) {
        let Some(view) = self.view(class.file) else {
            origins.is_open = true;
            return;
        };
        let scope = self.class_scope(&view, class.name);
        let definition = self.definition_of(&view, class.name);
        let (Some(scope), Some(definition)) = (scope, definition) else {
            origins.is_open = true;
            return;
        };
        let table = view.tree.table();
        if view.rules.members.literals.contains(table.type_id(scope)) {
            origins.held.push(Held { file: class.file, node: scope, is_class: false });
            self.add_own_objects(&view, scope, false, origins);
            return;
        }
        let holder = table.parent(scope).unwrap_or(scope);
        let is_made = view.rules.escapes.classes.contains(table.type_id(holder));
        if !is_made || !self.bases(class).is_complete || !view.tree.decorators(definition).is_empty() {
            origins.is_open = true;
            return;
        }
        if view.tree.language().role(table.type_id(holder)).value {
            origins.held.push(Held { file: class.file, node: holder, is_class: !followed.is_of_class });
            let own = table.children(holder).find(|&child| view.scopes.binds(child));
            origins.classes.extend(own.map(|name| Site { file: class.file, name }));
        } else {
            origins.classes.push(class);
        }
        self.add_own_objects(&view, scope, followed.is_of_class, origins);
    }

    /// Adds the words for the object in its own code.
    fn add_own_objects(&self, view: &View<'_>, scope: Node, is_of_class: bool, origins: &mut Origins) {
        let table = view.tree.table();
        for node in table.descendants(scope) {
            if view.rules.escapes.own_classes.contains(table.type_id(node)) {
                origins.is_open = true;
            }
            let Some(own) = view.scopes.class_of_self(node).filter(|own| own.class == scope) else { continue };
            match (own.is_class, is_of_class) {
                (false, true) => {}
                (is_class, _) => {
                    let is_class = is_class && !is_of_class;
                    origins.held.push(Held { file: view.file, node, is_class });
                }
            }
        }
    }

    /// Whether a file exports what another module has, by a statement that names the module; of a file itself, whether it exports anything.
    pub fn exports_from(&self, file: FileId, module: FileId) -> bool {
        let Some(view) = self.view(file) else { return false };
        if file == module {
            let types = &view.rules.exports.types;
            let objects = view.rules.loaded_modules.objects.iter().filter_map(|object| object.split('.').next());
            let mut filled = objects.flat_map(|word| view.scopes.nodes_of(word));
            return filled.next().is_some()
                || view.tree.table().nodes().any(|node| types.contains(view.tree.table().type_id(node)));
        }
        let modules = &self.project().modules;
        view.exports().iter().any(|(_, part)| {
            let source = if part.source.is_empty() && part.is_glob { &part.name } else { &part.source };
            let found = modules.import(file, view.tree.language(), source);
            !source.is_empty() && found == Some(Module::File(module))
        })
    }

    /// Whether the object of its module may have a symbol: the module exports it, or no names.
    pub fn is_member_of_module(&self, symbol: Site) -> bool {
        let Some(view) = self.view(symbol.file) else { return true };
        let table = view.tree.table();
        let name = view.tree.node_text(symbol.name);
        let params = &view.tree.language().spec().params;
        let is_at_top = |node: Node| !table.ancestors(node).any(|around| params.of(table.type_id(around)).is_some());
        let objects = view.rules.loaded_modules.objects.iter().filter_map(|object| object.split('.').next());
        let mut filled = objects.flat_map(|word| view.scopes.nodes_of(word));
        // `module.exports = { name }`
        let names_it = |&object: &Node| {
            let Some(statement) = std::iter::once(object)
                .chain(table.ancestors(object))
                .find(|&node| table.parent(node) == Some(Node::ROOT))
            else {
                return true;
            };
            let mut named = view.scopes.nodes_of(&name).iter().filter(|&&node| table.is_within(node, statement));
            !is_at_top(object) || named.any(|&node| is_at_top(node))
        };
        view.scopes.around(symbol.name) != Node::ROOT
            || !self.exports_from(symbol.file, symbol.file)
            || self.is_exported(symbol)
            || self.is_default_export(symbol)
            || filled.any(names_it)
    }

    /// Whether a symbol is defined in a statement that exports it.
    pub fn is_in_export_statement(&self, symbol: Site) -> bool {
        let Some(view) = self.view(symbol.file) else { return true };
        let table = view.tree.table();
        let types = &view.rules.exports.types;
        let around = table.ancestors(symbol.name).take_while(|&node| view.scopes.around(node) == Node::ROOT);
        around.into_iter().any(|node| types.contains(table.type_id(node)))
    }

    /// Whether a name is the value that its file exports without a name: `export default a;`.
    pub fn is_exported_by_default(&self, file: FileId, name: Node) -> bool {
        let Some(view) = self.view(file) else { return false };
        let table = view.tree.table();
        let Some(statement) = table.parent(name) else { return false };
        let mut places = view.rules.default_exports.places.iter().filter(|(pattern, _)| table.fits(statement, pattern));
        places.any(|(_, paths)| {
            paths.iter().flat_map(|path| view.tree.reached(statement, path)).any(|value| value == name)
        })
    }

    /// Whether a class itself has a member, and not its objects.
    pub fn is_member_of_class_itself(&self, member: Site) -> bool {
        let Some(view) = self.view(member.file) else { return false };
        if let Some(object) = self.object_of(&view, member.name) {
            return view.scopes.class_of_self(object).is_some_and(|own| own.is_class);
        }
        let names = view.scopes.names(&view.tree.node_text(member.name));
        let spaces = names.at(member.name).map(|found| found.spaces);
        view.scopes.rules.static_space.zip(spaces).is_some_and(|(space, spaces)| space.meets(spaces))
    }

    /// Whether each object has a member itself, and not by its class.
    pub fn is_own_of_object(&self, member: Site) -> bool {
        let Some(view) = self.view(member.file) else { return false };
        let Some(definition) = self.definition_of(&view, member.name) else { return true };
        let table = view.tree.table();
        let literals = &view.rules.members.literals;
        let is_method = view.tree.language().spec().params.of(table.type_id(definition)).is_some();
        !is_method || table.parent(definition).is_some_and(|around| literals.contains(table.type_id(around)))
    }

    /// Whether a name is the key of an object literal.
    pub fn is_key_of_literal(&self, member: Site) -> bool {
        self.view(member.file).is_some_and(|view| {
            let table = view.tree.table();
            table
                .ancestors(member.name)
                .take(2)
                .any(|around| view.rules.members.literals.contains(table.type_id(around)))
        })
    }

    /// Whether a name is the object of an access to a member.
    pub fn is_before_dot(&self, file: FileId, name: Node) -> bool {
        let Some(view) = self.view(file) else { return false };
        let whole = self.whole_name(file, name);
        let access = view.tree.table().parent(whole);
        access.is_some_and(|access| self.object_of_access(&view, access) == Some(whole))
    }

    /// Whether an expression is a part of the code that names a member by a string, or goes through the names of members.
    pub fn is_part_of(&self, file: FileId, node: Node, span: Span) -> bool {
        let Some(view) = self.view(file) else { return true };
        let table = view.tree.table();
        let at = table.smallest_around(span);
        let mut around = std::iter::once(at).chain(table.ancestors(at).take(3));
        let access = around.find(|&around| self.names_member(&view, around)).unwrap_or(at);
        table.is_within(node, access)
    }

    /// The uses of a variable of a function; `None` if other code can use it, too.
    pub fn uses_of_local(&self, file: FileId, name: Node) -> Option<Vec<Node>> {
        let view = self.view(file)?;
        let names = view.scopes.names(&view.tree.node_text(name));
        let symbol = names.at(name).and_then(|found| names.resolve(&view.scopes, found))?;
        let is_its = |found: &&crate::scopes::VariableName| {
            names.resolve(&view.scopes, found).is_some_and(|other| other.is(symbol))
        };
        let own: Vec<&crate::scopes::VariableName> = names.found.iter().filter(is_its).collect();
        let binder = own.iter().find(|found| found.does.is_binding())?;
        if is_lasting(self, &view, binder.name) {
            return None;
        }
        Some(own.into_iter().filter(|found| !found.does.is_binding()).map(|found| found.name).collect())
    }

    /// The next steps of the value of a member where that is read: it is an expression, or a key of a pattern gives it to a name.
    pub fn steps_of_member(&self, member: Site, followed: &Followed<'_>) -> Vec<Step> {
        let Some(view) = self.view(member.file) else { return vec![Step::Out] };
        let table = view.tree.table();
        let held = Held { file: member.file, node: member.name, is_class: false };
        if self.object_of(&view, member.name).is_some() {
            let access = self.access_of(&view, member.name);
            return vec![access.map_or(Step::Out, |node| Step::To(Held { node, ..held }))];
        }
        if view.scopes.fits(member.name, &view.scopes.rules.keys).is_none() {
            // `{ a }`, `{ a = 1 }`
            return vec![Step::Variable(held)];
        }
        let value = table.parent(member.name).and_then(|pair| view.tree.named_children(pair).last());
        let Some(value) = value.filter(|&value| value != member.name) else { return vec![Step::Out] };
        let target = match view.rules.values.of(table.type_id(value)).is_some() {
            true => view.tree.named_children(value).next(),
            false => Some(value),
        };
        target.map_or_else(|| vec![Step::Out], |target| self.bind(&view, held, target, followed.name))
    }

    /// The objects of a literal, and the words for it in its own code.
    pub fn origins_of_literal(&self, literal: Held, origins: &mut Origins) {
        origins.held.push(literal);
        if let Some(view) = self.view(literal.file) {
            self.add_own_objects(&view, literal.node, false, origins);
        }
    }

    /// The symbol of a variable.
    pub fn symbol_of(&self, file: FileId, name: Node) -> Option<Site> {
        match self.meaning(file, name) {
            Meaning::Known(things) => match *things.as_slice() {
                [Thing::Symbol(site)] => Some(site),
                _ => None,
            },
            _ => None,
        }
    }

    /// The expression that a reference to a variable is: with the module before it, if that is written.
    pub fn whole_name(&self, file: FileId, name: Node) -> Node {
        let whole = self.view(file).and_then(|view| {
            let access = self.access_of(&view, name)?;
            (self.member_name(&view, access) == Some(name)).then_some(access)
        });
        whole.unwrap_or(name)
    }

    /// The call of an expression that is what is called, or where the result of that is waited for.
    pub fn result_of(&self, file: FileId, callee: Node, is_waited: bool) -> Option<Node> {
        let view = self.view(file)?;
        let table = view.tree.table();
        let outer = outermost(&view, callee);
        let call = table.parent(outer)?;
        let creations = view.rules.made_objects.creations.of(table.type_id(call));
        if self.called(&view, call) != Some(outer) || creations.is_some() {
            return None;
        }
        if !is_waited {
            return Some(call);
        }
        let outer = table.parent(outermost(&view, call))?;
        table.fits_any(outer, &view.tree.language().spec().flow.awaits).then_some(outer)
    }

    /// The next steps of an object at an expression.
    pub fn steps(&self, held: Held, followed: &Followed<'_>) -> Vec<Step> {
        let Some(view) = self.view(held.file) else { return vec![Step::Out] };
        let table = view.tree.table();
        let rules = view.rules;
        let node = held.node;
        let to = |node: Node| Step::To(Held { node, ..held });
        let Some(parent) = table.parent(node) else { return vec![Step::Out] };
        let id = table.type_id(parent);
        let is_reached = |paths: Option<&'static Vec<crate::language::Path>>| {
            paths.into_iter().flatten().flat_map(|path| view.tree.reached(parent, path)).any(|part| part == node)
        };
        if is_reached(rules.objects.of(id)) {
            return self.steps_of_access(&view, held, parent, followed);
        }
        if rules.hidden_uses.dynamic_accesses.contains(id) && view.tree.named_children(parent).next() == Some(node) {
            let is_called = table.parent(parent).is_some_and(|call| self.called(&view, call) == Some(parent));
            let index = view.tree.named_children(parent).nth(1);
            let is_written = index.is_some_and(|index| {
                let id = table.type_id(index);
                let has_code = || table.descendants(index).any(|inner| view.scopes.is_identifier(inner));
                view.tree.language().role(id).string && !has_code()
                    || rules.literals.contains(id) && !view.tree.language().role(id).string
            });
            let is_nameless = index.is_some_and(|index| self.is_nameless_key(&view, index));
            return vec![match (is_called || held.is_class, is_written || is_nameless) {
                (true, _) => Step::Out,
                (false, true) => Step::AnyMember,
                (false, false) => Step::Computed(parent),
            }];
        }
        // What is assigned is another value.
        if is_reached(rules.assignments.places.of(id)) || view.scopes.fits(node, &view.scopes.rules.patterns).is_some()
        {
            return Vec::new();
        }
        if let Some(paths) = rules.made_objects.creations.of(id)
            && paths.iter().flat_map(|path| view.tree.reached(parent, path)).any(|class| class == node)
        {
            let made = Held { node: parent, is_class: false, ..held };
            return if held.is_class { vec![Step::To(made)] } else { Vec::new() };
        }
        let extending =
            table.ancestors(node).take(REACH).find(|&holder| view.tree.base_nodes(holder).any(|base| base == node));
        if let Some(holder) = extending {
            let name = view.tree.name_node(holder);
            let below = name.map(|name| Site { file: held.file, name });
            return match below.is_some_and(|below| followed.classes.contains(&below)) {
                true => Vec::new(),
                false => vec![Step::Out],
            };
        }
        if table.fits_any(parent, &rules.escapes.lists) {
            return vec![Step::Shown(parent)];
        }
        if table.fits_any(parent, &rules.escapes.ends) {
            // A function gets the parts of a string that is its argument.
            let string = table.parent(parent).filter(|&text| view.tree.language().role(table.type_id(text)).string);
            let call = string.and_then(|string| table.parent(string));
            let is_tagged =
                call.is_some_and(|call| self.called(&view, call).is_some_and(|callee| Some(callee) != string));
            return if is_tagged { vec![Step::Out] } else { Vec::new() };
        }
        if rules.escapes.typed.contains(id) {
            return vec![Step::Out];
        }
        let mut steps = Vec::new();
        let same = rules.same.of(id);
        // `{ a: 1 } as const`
        let is_cast_to_itself =
            rules.written_types.casts.of(id).is_some() && view.tree.named_children(parent).count() == 1;
        let is_same = is_reached(same) || is_cast_to_itself;
        if is_same {
            steps.push(to(parent));
        }
        if is_reached(rules.values.of(id)) {
            let target = view.tree.named_children(parent).find(|&child| child != node);
            let written = rules.written_types.annotations.of(id).into_iter().flatten();
            let is_typed = written.flat_map(|path| view.tree.reached(parent, path)).next().is_some();
            let inline = self.inline_type(&view, parent);
            match target.filter(|_| !is_typed || inline.is_some()) {
                Some(target) => {
                    steps.extend(inline.and_then(|inline| self.typed_member(&view, inline, followed.name)));
                    steps.append(&mut self.bind(&view, held, target, followed.name));
                }
                None => steps.push(Step::Out),
            }
            return steps;
        }
        if is_same {
            return steps;
        }
        if same.is_some() && rules.escapes.conditions.contains(id) {
            return Vec::new();
        }
        if is_reached(rules.escapes.copies.of(id)) {
            return match table.parent(parent).filter(|&around| rules.members.literals.contains(table.type_id(around))) {
                Some(literal) if !held.is_class => vec![to(literal)],
                _ => vec![Step::Out],
            };
        }
        if let Some(literal) =
            table.parent(parent).filter(|&around| rules.members.literals.contains(table.type_id(around)))
            && let Some(key) = view.tree.named_children(parent).next()
            && key != node
            && view.tree.named_children(parent).nth(1) == Some(node)
            && view.scopes.is_identifier(key)
            && !held.is_class
        {
            return vec![Step::Stored { literal: Held { node: literal, ..held }, key }];
        }
        if rules.containers.contains(id) {
            let around = table.parent(outermost(&view, parent));
            let range = around.filter(|&around| {
                let ranges = rules.escapes.ranges.of(table.type_id(around)).into_iter().flatten();
                ranges.flat_map(|path| view.tree.reached(around, path)).any(|range| table.is_within(node, range))
            });
            let target = range.and_then(|range| view.tree.named_children(range).next());
            return target.map_or_else(|| vec![Step::Out], |target| self.bind(&view, held, target, followed.name));
        }
        if let Some(steps) = self.steps_of_thrown(&view, held, parent, followed.name) {
            return steps;
        }
        if rules.results.values.of(id).is_some() {
            let params = &view.tree.language().spec().params;
            let function = table.ancestors(parent).find(|&around| params.of(table.type_id(around)).is_some());
            return function.map_or_else(|| vec![Step::Out], |function| self.steps_of_result(&view, held, function));
        }
        let params = &view.tree.language().spec().params;
        if params.of(id).is_some() && view.tree.named_children(parent).last() == Some(node) {
            return self.steps_of_result(&view, held, parent);
        }
        if let Some(call) = table.parent(parent).filter(|&call| self.called(&view, call).is_some()) {
            return self.steps_of_argument(&view, held, parent, call, followed);
        }
        vec![Step::Out]
    }

    /// A statement throws an object; `None` for other code. What catches it in the same function gets it, and nothing else.
    fn steps_of_thrown(&self, view: &View<'_>, held: Held, statement: Node, name: &str) -> Option<Vec<Step>> {
        let table = view.tree.table();
        if !Kinds::new(view.tree).is(statement, "raise") {
            return None;
        }
        let spec = view.tree.language().spec();
        let mut inner = statement;
        for around in table.ancestors(statement) {
            if spec.params.of(table.type_id(around)).is_some() {
                break;
            }
            let is_guarded = table.place_of(inner, &spec.flow.guarded).is_some();
            let handler = table.children(around).find(|&child| spec.flow.handlers.contains(table.type_id(child)));
            if let Some(handler) = handler.filter(|_| is_guarded) {
                let bindings = &view.scopes.rules.bindings;
                let target =
                    view.tree.named_children(handler).find(|&child| view.scopes.fits(child, bindings).is_some());
                return Some(target.map_or_else(Vec::new, |target| self.bind(view, held, target, name)));
            }
            inner = around;
        }
        Some(vec![Step::Out])
    }

    /// The next steps of the objects that something is declared to be, by its name or pattern.
    pub fn steps_of_declared(&self, held: Held, followed: &Followed<'_>) -> Vec<Step> {
        self.view(held.file).map_or_else(|| vec![Step::Out], |view| self.bind(&view, held, held.node, followed.name))
    }

    /// The object of an access to a member.
    fn steps_of_access(&self, view: &View<'_>, held: Held, access: Node, followed: &Followed<'_>) -> Vec<Step> {
        let table = view.tree.table();
        let rules = view.rules;
        let Some(name) = self.member_name(view, access) else { return vec![Step::Out] };
        let text = view.tree.node_text(name);
        let whole = outermost(view, access);
        let parent = table.parent(whole);
        if held.is_class {
            // `C.prototype.run.call(…)`
            let is_table = rules.escapes.tables.iter().any(|word| *word == *text);
            let method = parent.filter(|&parent| self.object_of_access(view, parent) == Some(whole));
            let called = method.and_then(|method| table.parent(method));
            let is_run = called.is_some_and(|called| {
                self.object_of_access(view, called) == method
                    && self.member_name(view, called).is_some_and(|name| {
                        let text = view.tree.node_text(name);
                        rules.hidden_uses.receiver_calls.iter().any(|word| *word == *text)
                    })
            });
            if !is_table {
                return Vec::new();
            }
            let member = method.and_then(|method| self.member_name(view, method));
            let is_its = member.is_some_and(|member| *view.tree.node_text(member) == *followed.name);
            return match (is_run, member.filter(|_| is_its)) {
                (false, _) => vec![Step::Out],
                (true, Some(name)) => vec![Step::Member(Site { file: held.file, name })],
                (true, None) => Vec::new(),
            };
        }
        let mut steps = Vec::new();
        if *text == *followed.name {
            steps.push(Step::Member(Site { file: held.file, name }));
        }
        let is_called = parent.is_some_and(|call| self.called(view, call) == Some(whole));
        if is_called && !self.is_plain_call(view, held, name, &text) {
            steps.push(Step::Out);
        }
        // A function that is given to it has it as its object.
        let places = parent.and_then(|parent| rules.assignments.places.of(table.type_id(parent)));
        if let Some(parent) = parent
            && places.into_iter().flatten().flat_map(|path| view.tree.reached(parent, path)).any(|place| place == whole)
        {
            let value = rules.values.of(table.type_id(parent)).into_iter().flatten();
            let value = value.flat_map(|path| view.tree.reached(parent, path)).next();
            let scopes = &view.scopes.rules.self_scopes;
            if value.is_some_and(|value| scopes.contains(table.type_id(outer_value(view, value)))) {
                steps.push(Step::Out);
            }
        }
        steps
    }

    /// Whether an expression is the object of an access to a member.
    pub fn is_object_of_access(&self, file: FileId, node: Node) -> bool {
        let Some(view) = self.view(file) else { return true };
        let access = view.tree.table().parent(outermost(&view, node));
        access.is_some_and(|access| {
            self.object_of_access(&view, access).is_some() && self.called(&view, access).is_none()
        })
    }

    fn object_of_access(&self, view: &View<'_>, access: Node) -> Option<Node> {
        let paths = view.rules.objects.of(view.tree.table().type_id(access))?;
        paths.iter().flat_map(|path| view.tree.reached(access, path)).next()
    }

    /// Whether a call of a member of an object gives the object to no other code than that of its class.
    fn is_plain_call(&self, view: &View<'_>, held: Held, name: Node, text: &str) -> bool {
        if view.rules.members.of_all.iter().any(|known| known == text) {
            return true;
        }
        let Meaning::Known(things) = self.meaning(held.file, name) else { return false };
        things.iter().all(|thing| {
            let Thing::Symbol(site) = *thing else { return false };
            let Some(view) = self.view(site.file) else { return false };
            let Some(definition) = self.definition_of(&view, site.name) else { return false };
            let table = view.tree.table();
            let in_body = table
                .parent(definition)
                .is_some_and(|around| view.scopes.rules.members.contains(table.type_id(around)));
            let is_method = in_body && view.tree.language().spec().params.of(table.type_id(definition)).is_some();
            let takes_object = |value: Node| view.scopes.rules.self_scopes.contains(table.type_id(value));
            is_method || view.tree.bound_value(definition).is_some_and(|value| !takes_object(value))
        })
    }

    /// A variable or a pattern gets an object.
    fn bind(&self, view: &View<'_>, held: Held, target: Node, name: &str) -> Vec<Step> {
        let table = view.tree.table();
        if view.scopes.is_identifier(target) {
            let is_member =
                view.scopes.fits(target, &view.scopes.rules.attributes).is_some() || self.is_member(view, target);
            return vec![if is_member { Step::Out } else { Step::Variable(Held { node: target, ..held }) }];
        }
        if self.member_name(view, target).is_some() && self.object_of_access(view, target).is_some() {
            return vec![Step::Out];
        }
        let mut steps = Vec::new();
        let mut is_pattern = false;
        for part in view.tree.named_children(target) {
            is_pattern |= view.scopes.fits(part, &view.scopes.rules.patterns).is_some()
                || table.children(part).any(|inner| view.scopes.fits(inner, &view.scopes.rules.keys).is_some())
                || view.scopes.binds(part);
            let rules = &view.rules.escapes;
            let begins = |inner: &Node| table.span(*inner).start() == table.span(part).start();
            let mut first = std::iter::once(part).chain(table.descendants(part)).take_while(begins);
            if first.any(|inner| rules.unnamed.contains(table.type_id(inner))) {
                steps.push(Step::Out);
            }
            if view.is_spread(part) {
                let rest = table.descendants(part).find(|&inner| view.scopes.is_identifier(inner));
                steps.push(rest.map_or(Step::Out, |node| Step::Variable(Held { node, ..held })));
            }
        }
        if !is_pattern && view.tree.named_children(target).next().is_some() {
            return vec![Step::Out];
        }
        let own = view.scopes.nodes_of(name).iter().filter(|&&key| table.is_within(key, target));
        let own = own.filter(|&&key| self.pattern_around(view, key) == Some(target));
        steps.extend(own.map(|&name| Step::Member(Site { file: held.file, name })));
        steps
    }

    /// A function returns an object.
    fn steps_of_result(&self, view: &View<'_>, held: Held, function: Node) -> Vec<Step> {
        let table = view.tree.table();
        let out = vec![Step::Out];
        let results = &view.rules.results;
        let is_generator = table.fits_any(function, &results.generating)
            || table
                .descendants(function)
                .any(|node| results.generators.contains(table.type_id(node)) && view.scopes.around(node) == function);
        let is_method =
            table.parent(function).is_some_and(|around| view.scopes.rules.members.contains(table.type_id(around)));
        if is_generator || is_method || view.tree.return_type(function).is_some() {
            return out;
        }
        let is_waited = table.fits_any(function, &results.asynchronous);
        if let Some(result) = self.result_of(held.file, function, is_waited) {
            return vec![Step::To(Held { node: result, ..held })];
        }
        let mut steps = Vec::new();
        let step = |name: Node| Step::Result { function: Held { node: name, ..held }, is_waited };
        if let Some(own) = view.tree.name_node(function) {
            steps.push(step(own));
        }
        if view.tree.language().role(table.type_id(function)).value {
            let holder = table.parent(outermost(view, function));
            let name = holder.filter(|&holder| view.tree.bound_value(holder) == Some(function));
            let name = name.and_then(|holder| view.tree.named_children(holder).next());
            match name.filter(|&name| view.scopes.is_identifier(name) && !self.is_member(view, name)) {
                Some(name) => steps.push(step(name)),
                None => return out,
            }
        }
        if steps.is_empty() { out } else { steps }
    }

    /// A call gets an object.
    fn steps_of_argument(
        &self,
        view: &View<'_>,
        held: Held,
        list: Node,
        call: Node,
        followed: &Followed<'_>,
    ) -> Vec<Step> {
        let table = view.tree.table();
        let rules = view.rules;
        let out = vec![Step::Out];
        let Some(callee) = self.called(view, call).filter(|&callee| callee != list) else { return out };
        let before: Vec<Node> = view.tree.named_children(list).take_while(|&node| node != held.node).collect();
        if before.iter().any(|&node| view.is_spread(node)) {
            return out;
        }
        let words = view.tree.node_text(callee);
        let is_in = |known: &[String]| known.iter().any(|word| *word == *words);
        // `Object.values({ a })` gives what is in a literal on.
        if followed.classes.is_empty() && is_in(&rules.escapes.gives) {
            let shown = is_in(&rules.escapes.shows).then_some(Step::Shown(call));
            return shown.into_iter().chain(out).collect();
        }
        if is_in(&rules.escapes.shows) {
            return if self.counts_names(view, call) { Vec::new() } else { vec![Step::Shown(call)] };
        }
        if is_in(&rules.escapes.inert_calls) {
            return vec![Step::AnyMember];
        }
        if is_in(&rules.escapes.same_calls) && before.is_empty() {
            return vec![Step::To(Held { node: call, ..held })];
        }
        if is_in(&rules.escapes.merging_calls) {
            let is_new = view
                .tree
                .named_children(list)
                .next()
                .is_some_and(|first| rules.members.literals.contains(table.type_id(first)));
            return if is_new { vec![Step::To(Held { node: call, ..held })] } else { out };
        }
        // `C.prototype.run.call(object)`
        if let Some(name) = self.member_name(view, callee)
            && before.is_empty()
            && rules.hidden_uses.receiver_calls.iter().any(|word| *word == *view.tree.node_text(name))
        {
            let method = self.object_of_access(view, callee);
            let class = method.and_then(|method| self.class_of_named_method(view, method));
            return if class.is_some_and(|class| followed.classes.contains(&class)) { Vec::new() } else { out };
        }
        let inner = outer_value(view, callee);
        let params = &view.tree.language().spec().params;
        if params.of(table.type_id(inner)).is_some() {
            return self.pass(view, held, inner, before.len(), followed);
        }
        let keeps = self.member_name(view, callee).is_some_and(|method| {
            let text = view.tree.node_text(method);
            rules.escapes.keeping_methods.iter().any(|word| *word == *text)
        });
        let given = if keeps { Step::Out } else { Step::Given(call) };
        let values = self.value(held.file, callee);
        if !values.is_complete || values.known.is_empty() {
            return vec![given];
        }
        let mut steps = Vec::new();
        for value in values.known {
            let function = match value {
                Value::Function { function, .. } => Some(function),
                Value::Class { class, .. } if self.bases(class).is_complete => {
                    match self.member(class, "constructor") {
                        Member::Found(sites) => sites.first().copied(),
                        // Without one, it gets no arguments.
                        Member::Missing => continue,
                        Member::External | Member::Unknown => None,
                    }
                }
                // `super(…)`
                Value::Super { .. } => match self.member_of(&value, "constructor") {
                    Meaning::Known(things) => match *things.as_slice() {
                        [Thing::Symbol(site)] => Some(site),
                        _ => None,
                    },
                    _ => None,
                },
                _ => None,
            };
            let Some(function) = function else { return vec![given] };
            let class =
                self.class_of_member(function).filter(|_| !matches!(value, Value::Class { .. } | Value::Super { .. }));
            let name = self.name_of(function).unwrap_or_default();
            // A method of a class below may be called in its place.
            let below = class.map(|class| self.overridden_below(class, &name)).unwrap_or_default();
            for function in std::iter::once(function).chain(below.into_iter().filter(|&other| other != function)) {
                let Some(other) = self.view(function.file) else { return out };
                let Some(definition) = self.definition_of(&other, function.name) else { return out };
                let definition = other.tree.bound_value(definition).unwrap_or(definition);
                let given = Held { file: function.file, ..held };
                steps.append(&mut self.pass(&other, given, definition, before.len(), followed));
            }
        }
        steps
    }

    /// The class of the method that gets an object by a literal, known by one of its keys: `C.prototype.run.call({ a: 1 })`.
    pub fn class_of_receiver(&self, file: FileId, key: Node) -> Option<Site> {
        let view = self.view(file)?;
        let table = view.tree.table();
        let literals = &view.rules.members.literals;
        let literal = table.ancestors(key).take(2).find(|&node| literals.contains(table.type_id(node)))?;
        let call = table.ancestors(literal).take(2).find(|&node| view.tree.callee(node).is_some())?;
        self.class_of_named_method(&view, self.object_of_access(&view, self.called(&view, call)?)?)
    }

    /// The class of a method that is named without a call: `C.prototype.run`, `object.run`.
    fn class_of_named_method(&self, view: &View<'_>, method: Node) -> Option<Site> {
        let name = self.member_name(view, method)?;
        let object = self.object_of_access(view, method)?;
        let is_table = self.member_name(view, object).is_some_and(|name| {
            let text = view.tree.node_text(name);
            view.rules.escapes.tables.iter().any(|word| *word == *text)
        });
        if !is_table {
            return self.class_of_member(self.symbol_of(view.file, name)?);
        }
        let class = self.value(view.file, self.object_of_access(view, object)?);
        match *class.known.as_slice() {
            [Value::Class { class, .. }] => Some(class),
            _ => None,
        }
    }

    /// A parameter of a function gets an object.
    fn pass(&self, view: &View<'_>, held: Held, function: Node, place: usize, followed: &Followed<'_>) -> Vec<Step> {
        let table = view.tree.table();
        let out = vec![Step::Out];
        let spec = view.tree.language().spec();
        if reads_frame(view, function) {
            return out;
        }
        if self.has_written_type(view, function) {
            return out;
        }
        let paths = spec.params.of(table.type_id(function)).map(|rule| &rule.at);
        let lists = paths.into_iter().flatten().flat_map(|path| view.tree.reached(function, path));
        let Some(list) = lists.into_iter().next() else { return out };
        let parameters: Vec<Node> = match view.scopes.is_identifier(list) {
            true => vec![list],
            false => view.tree.named_children(list).collect(),
        };
        if parameters.iter().take(place + 1).any(|&parameter| view.is_spread(parameter)) {
            return out;
        }
        // One without a parameter is dropped.
        let Some(&parameter) = parameters.get(place) else { return Vec::new() };
        let id = table.type_id(parameter);
        let written = view.rules.written_types.annotations.of(id).into_iter().flatten();
        let is_typed = written.flat_map(|path| view.tree.reached(parameter, path)).next().is_some();
        let inline =
            self.inline_type(view, parameter).filter(|_| spec.flow.functions.contains(table.type_id(function)));
        if is_typed && inline.is_none() {
            return out;
        }
        // `x = 1`
        let is_optional = view.rules.values.of(id).is_some();
        let target = match is_optional || view.rules.written_types.annotations.of(id).is_some() {
            true => view.tree.named_children(parameter).next(),
            false => Some(parameter),
        };
        let Some(target) = target else { return out };
        let mut steps = self.bind(view, held, target, followed.name);
        steps.extend(inline.and_then(|inline| self.typed_member(view, inline, followed.name)));
        steps
    }

    /// Whether a function is a value for which a type is written, so that its parameters have the types that are written there.
    fn has_written_type(&self, view: &View<'_>, function: Node) -> bool {
        let table = view.tree.table();
        let whole = outermost(view, function);
        // What is called where it stands is no value of a type that is written around.
        if table.parent(whole).is_some_and(|call| self.called(view, call) == Some(whole)) {
            return false;
        }
        let written = &view.rules.written_types;
        let functions = &view.tree.language().spec().flow.functions;
        let is_value = |&node: &Node| {
            let id = table.type_id(node);
            let is_body = view.scopes.rules.members.contains(id) && !view.rules.members.literals.contains(id);
            node != Node::ROOT && !functions.contains(id) && !is_body
        };
        table.ancestors(function).take(REACH).take_while(is_value).any(|holder| {
            let id = table.type_id(holder);
            let mut types =
                written.annotations.of(id).into_iter().flatten().flat_map(|path| view.tree.reached(holder, path));
            written.casts.of(id).is_some() || types.any(|written| !table.is_within(function, written))
        })
    }

    /// The type without a name that is written for what a parameter or a declaration binds: `{ a: number }`.
    pub(super) fn inline_type(&self, view: &View<'_>, holder: Node) -> Option<Node> {
        let table = view.tree.table();
        let paths = view.rules.written_types.annotations.of(table.type_id(holder))?;
        let written = paths.iter().flat_map(|path| view.tree.reached(holder, path)).next()?;
        let mut parts = view.tree.named_children(written);
        let (members, literals) = (&view.scopes.rules.members, &view.rules.members.literals);
        let is_inline =
            |part: &Node| members.contains(table.type_id(*part)) && !literals.contains(table.type_id(*part));
        let part = parts.next().filter(is_inline)?;
        parts.next().is_none().then_some(part)
    }

    fn typed_member(&self, view: &View<'_>, inline: Node, name: &str) -> Option<Step> {
        let binder = self.body_binders(view, Site { file: view.file, name: inline }, name.into()).first().copied()?;
        Some(Step::Typed(Site { file: view.file, name: binder }))
    }

    /// The name or pattern of a parameter or a declaration whose type without a name has a member.
    pub(super) fn holder_of_type(&self, view: &View<'_>, member: Node) -> Option<Node> {
        /// How far a member is from what is declared.
        const FAR: usize = 4;
        let table = view.tree.table();
        let holder = table.ancestors(member).take(FAR).find(|&node| {
            self.inline_type(view, node).is_some_and(|inline| {
                let of_member = table.parent(member).and_then(|definition| table.parent(definition));
                of_member == Some(inline)
            })
        })?;
        view.tree.named_children(holder).next()
    }
}

/// Whether code of a function reads its arguments other than by its parameters: `arguments`, `eval`.
pub(super) fn reads_frame(view: &View<'_>, function: Node) -> bool {
    let table = view.tree.table();
    let spec = view.tree.language().spec();
    let scopes = &view.scopes.rules.self_scopes;
    let words = &spec.flow.frame_words;
    table.descendants(function).filter(|&node| view.scopes.is_identifier(node)).any(|node| {
        let text = view.tree.node_text(node);
        // Another function inside has arguments of its own.
        let is_inside = || {
            let around = table.ancestors(node).find(|&around| scopes.contains(table.type_id(around)));
            around.is_some_and(|around| around != function && table.is_within(around, function))
        };
        let is_of_arguments = || spec.flow.argument_words.iter().any(|word| *word == *text);
        words.iter().any(|word| *word == *text) && !(is_of_arguments() && is_inside())
    })
}

/// An expression with the parentheses around it.
pub(super) fn outermost(view: &View<'_>, node: Node) -> Node {
    let table = view.tree.table();
    let groups = &view.rules.escapes.groups;
    let around = table.ancestors(node).take(REACH).take_while(|&around| groups.contains(table.type_id(around)));
    around.last().unwrap_or(node)
}

/// An expression without parentheses.
pub(super) fn outer_value(view: &View<'_>, node: Node) -> Node {
    let table = view.tree.table();
    let mut inner = node;
    for _ in 0..REACH {
        if !view.rules.escapes.groups.contains(table.type_id(inner)) {
            break;
        }
        match view.tree.named_children(inner).next() {
            Some(next) => inner = next,
            None => break,
        }
    }
    inner
}
