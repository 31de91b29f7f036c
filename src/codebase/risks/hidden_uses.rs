//! What may use a symbol without a reference that can be followed: decorators, tools, bases outside the project, strings.

use rustc_hash::FxHashSet;

use super::conventions::is_key;
use super::decorating::Handling;
use super::outside::{Asks, LIBRARY_METHOD};
use super::shown::is_callee;
use crate::language::ModuleScheme;
use crate::modules::FileId;
use crate::selector::Kinds;
use crate::symbols::{Meaning, Resolver, Site, Thing, Value, Values, View, is_lasting};
use crate::text::Span;
use crate::tree::Node;

/// What may use a symbol by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Risk {
    /// A decorator may register it under its name: which.
    Decorator(String),
    /// A decorator does nothing with its name.
    Handled {
        /// Which.
        decorator: String,
        /// Whether it keeps it, so that any code may call it with arguments by their names.
        keeps: bool,
    },
    /// The name has a meaning for the language or for a tool: which, by the language's data.
    Name(String),
    /// A base class outside the project may define or use the member: which.
    Base(String),
    /// It is what a base outside the project demands: which.
    Theirs(String),
    /// It is a member of an object without a class, which may be used through a type.
    Object,
    /// It declares something that is defined outside of the project.
    Declared,
    /// The file has to have the name of this class.
    File,
    /// A base class outside the project has or may have a member of the new name: which.
    Taken(String),
    /// Every object has a member of the new name, or something calls it by that name.
    OfAll(String),
    /// The language hides a member with the new name from other classes.
    Hidden,
    /// It is a parameter and a member at once.
    Double,
    /// The class has another member of the name.
    Twin,
    /// It is defined in code with a syntax error.
    Broken,
    /// A list of the members of its class has the new name.
    Listed,
    /// Its value learns its name: of which class that is.
    Named(String),
}

/// What is around a name whose meaning is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Around {
    /// It is a key of an object that a method gets as its receiver.
    Receiver,
    /// It is a member: the last name of its receiver, if it ends with one, and whether an import binds that.
    Object {
        /// The last name.
        last: Option<String>,
        /// Whether the object is a name that an import binds.
        is_imported: bool,
    },
    /// It is the name of an argument.
    Call {
        /// The last name of what is called.
        last: Option<String>,
        /// What is called.
        callee: Callee,
        /// The names among the arguments of the call.
        names: Vec<String>,
    },
    /// It means something else.
    Elsewhere,
    /// Something else.
    Other,
}

/// The type, or the object, that has a member, in a language where a type can be used in place of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// What it is.
    pub kind: HolderKind,
    /// Whether the member is a method.
    pub is_function: bool,
    /// The names of all members, in order.
    pub members: Vec<String>,
    /// Whether it has members that no other type can have.
    pub is_closed: bool,
}

/// A type, or an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HolderKind {
    /// An interface, or the name of a type.
    Interface,
    /// A class whose objects need all members to be used as another type, and nothing more.
    Protocol,
    /// A class that another type can stand for.
    Class,
    /// A class that no other type can stand for, but one below it.
    Nominal,
    /// An object without a class.
    Object,
}

impl Holder {
    /// Whether one may be used in place of the other because of the member.
    pub fn may_be(&self, other: &Holder) -> bool {
        use HolderKind::{Class, Interface, Nominal, Object, Protocol};
        let is_same_kind = self.is_function == other.is_function;
        let has_all = |one: &Holder, other: &Holder| other.members.iter().all(|name| one.members.contains(name));
        let fit = !self.is_closed && !other.is_closed && (has_all(self, other) || has_all(other, self));
        match (self.kind, other.kind) {
            (Interface, Object) | (Object, Interface) => true,
            (Interface, Class | Nominal) | (Class | Nominal, Interface) => is_same_kind,
            (Interface, Interface) | (Class, Class) => is_same_kind && fit,
            (Class, Object) => !self.is_closed && has_all(other, self),
            (Object, Class) => !other.is_closed && has_all(self, other),
            (Protocol, Nominal) => has_all(other, self),
            (Nominal, Protocol) => has_all(self, other),
            (Protocol, Protocol) => fit,
            (Object, Object) | (Protocol | Nominal, _) | (_, Protocol | Nominal) => false,
        }
    }
}

/// What a call with a named argument calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Callee {
    /// A function of the project, which has no such parameter.
    Own(Site),
    /// Something outside of the project.
    External,
    /// A function outside of the project that makes a table with the names of its arguments as keys.
    Table,
    /// It is not known.
    Unknown,
}

/// A string that contains a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StringUse {
    /// The string.
    pub node: Node,
    /// Where the name is.
    pub span: Span,
    /// What the string is.
    pub kind: StringKind,
}

/// What a string with a name is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StringKind {
    /// An element of a list of names, and what it means: the public names of a module (`__all__`), the members of a class (`__slots__`).
    Listed(Meaning),
    /// The name of a member that a call accesses: `getattr(x, "name")`.
    Access,
    /// A path to a name: the part before the name.
    Path(String),
    /// A string that may name a function or a class for a call; or a method, after its object.
    Callable {
        /// Whether it names a method.
        is_member: bool,
    },
    /// A path that begins with the name.
    Head,
    /// A key of a table that is passed on as named arguments, and what it means: `**{"name": 1}`.
    Argument(Meaning),
    /// The name alone.
    Name,
}

/// How far a type that is made of names of members is from such a name: `Omit<A, "size" | "color">`.
const KEY_REACH: usize = 7;

/// Whether other classes would not see a name any more.
fn becomes_hidden(view: &View<'_>, old: &str, new: &str) -> bool {
    let rules = &view.scopes.rules;
    rules.is_class_private(new) && !rules.is_class_private(old)
}

/// Whether tools run what has the one name or the other for the same reason.
fn runs_alike(view: &View<'_>, old: &str, new: &str) -> bool {
    let entries = &view.rules.entries;
    let started = entries.names.iter().filter(|(why, _)| entries.started.contains(why));
    old != new && started.map(|(_, names)| names.get()).any(|names| names.is_match(old) && names.is_match(new))
}

/// The names that the body of a class or an object binds.
fn names_in(view: &View<'_>, scope: Node) -> Vec<String> {
    let names = view.tree.table().descendants(scope).filter(|&node| {
        view.scopes.is_identifier(node) && {
            let names = view.scopes.names(&view.tree.node_text(node));
            let is_here = |found: &crate::scopes::VariableName| found.scope == scope && found.does.is_binding();
            names.at(node).is_some_and(is_here)
        }
    });
    let mut names: Vec<String> = names.map(|node| view.tree.node_text(node).into_owned()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Whether a class has members that are hidden from other classes.
fn has_hidden(view: &View<'_>, scope: Node) -> bool {
    let hidden = super::uses::definitions_of(view, "private");
    let protected = super::uses::definitions_of(view, "protected");
    view.tree.table().descendants(scope).any(|node| hidden.contains(node) || protected.contains(node))
}

impl Resolver<'_> {
    /// What may use a symbol by its name, or have the new one.
    pub fn risks(&self, site: Site, to: &str) -> Vec<Risk> {
        let mut risks = Vec::new();
        let Some(view) = self.view(site.file) else { return risks };
        let text = view.tree.node_text(site.name).into_owned();
        for name in self.binders(&view, site) {
            // A field is known to its decorators by its name.
            let has_some = |&node: &Node| view.tree.is_scope(node) || self.class_of_member(site).is_some();
            let Some(definition) = self.definition_of(&view, name).filter(has_some) else { continue };
            for decorator in self.foreign_decorators(&view, definition) {
                let word = view.tree.decorator_word(decorator).into_owned();
                risks.push(match self.handling(&view, decorator) {
                    Handling::MayName => Risk::Decorator(word),
                    handling => Risk::Handled { decorator: word, keeps: handling == Handling::Keeps },
                });
            }
        }
        if is_lasting(self, &view, site.name)
            && let Some(why) = self.meaning_of_name(&view, site.name, &text)
        {
            risks.push(Risk::Name(why.to_owned()));
        }
        if self.implements_outside(&view, site) {
            risks.push(Risk::Name(LIBRARY_METHOD.to_owned()));
        }
        if self.is_in_error(&view, site.name) {
            risks.push(Risk::Broken);
        }
        let table = view.tree.table();
        let is_outside = table.ancestors(site.name).any(|node| view.rules.outside.contains(table.type_id(node)))
            && is_lasting(self, &view, site.name);
        if is_outside || self.is_linked_by_name(&view, site) {
            risks.push(Risk::Declared);
        }
        if self.is_key_of_receiver(&view, site.name) {
            risks.push(Risk::Object);
        }
        if self.is_of_object(&view, site) {
            risks.push(Risk::Object);
        }
        let path = &self.project().file(site.file).path;
        let stem = path.rsplit('/').next().and_then(|file| file.split('.').next());
        if view.rules.module_files.class_names && stem == Some(text.as_str()) && self.is_class(site) {
            risks.push(Risk::File);
        }
        let is_promoted = view.scopes.fits(site.name, &view.scopes.rules.promoted).is_some();
        if !is_promoted && view.scopes.reaches(site.name, &view.scopes.rules.unclear).is_some() {
            risks.push(Risk::Double);
        }
        if let Some(base) = self.foreign_base_of(site) {
            risks.push(match base.is_known {
                true => Risk::Theirs(base.text),
                false => Risk::Base(base.text),
            });
        } else if let Some(base) = self.base_without_class(&view, site, &text) {
            risks.push(Risk::Theirs(base));
        } else if let Some(class) = self.class_of_member(site) {
            let of_all = view.rules.members.of_all.iter().find(|&known| known == to || *known == text);
            risks.extend(of_all.cloned().map(Risk::OfAll));
            if self.is_meant_unwritten(&view, site, &[&text, to]) {
                risks.push(Risk::OfAll(text.clone()));
            }
            if self.lists_member(&view, class, to) && !self.lists_member(&view, class, &text) {
                risks.push(Risk::Listed);
            }
            if let Some(class) = self.class_of_named_value(&view, site.name) {
                risks.push(Risk::Named(class));
            }
            risks.extend(self.reader_of_members(class).map(Risk::Named));
            let called = view.rules.members.called_by_name.iter().find(|&known| known == to && text != to);
            risks.extend(called.cloned().map(Risk::OfAll));
            risks.extend(self.attached_base_with(class, to).filter(|_| to != text).map(Risk::Taken));
            if becomes_hidden(&view, &text, to) {
                risks.push(Risk::Hidden);
            }
            if self.has_twin(&view, site, &text) {
                risks.push(Risk::Twin);
            }
            // What a tool runs for the beginning of its name runs as well with another such name.
            let asks = if runs_alike(&view, &text, to) { Asks::ByName } else { Asks::AlsoByStart };
            let bases = self.bases_with(class, &text, asks);
            let taken = self.bases_with(class, to, asks).into_iter().filter(|base| !bases.contains(base));
            risks.extend(taken.map(Risk::Taken));
            // A base does not see what only the class sees, nor what is not written for it, where the code says for which base it is.
            let is_hidden = self.is_hidden(&view, site.name) || !view.rules.members.attached_bases.is_empty();
            risks.extend(bases.into_iter().filter(|_| !is_hidden).map(Risk::Base));
        }
        risks.dedup();
        risks
    }

    /// Whether a list of the members of a class has a name: `__slots__ = ("size",)`.
    fn lists_member(&self, view: &View<'_>, class: Site, name: &str) -> bool {
        if view.rules.members.lists.is_empty() || class.file != view.file {
            return false;
        }
        let table = view.tree.table();
        let scope = self.definition_of(view, class.name);
        let has_name = |list: Node| {
            let mut strings =
                table.descendants(list).filter(|&node| view.tree.language().role(table.type_id(node)).string);
            strings.any(|string| super::made::words_in(&view.tree.node_text(string), name, 0).next().is_some())
        };
        let of_class = |list: &Node| scope.is_some_and(|scope| table.is_within(*list, scope));
        self.name_lists(view)
            .into_iter()
            .filter(|(_, holder)| matches!(holder, Value::Instance { .. }))
            .map(|(list, _)| list)
            .filter(of_class)
            .any(has_name)
    }

    /// The class of the object that a member gets, if it learns the name of the member: it has `__set_name__`.
    fn class_of_named_value(&self, view: &View<'_>, name: Node) -> Option<String> {
        let hooks = &view.rules.members.name_hooks;
        let statement = view.tree.table().parent(name).filter(|_| !hooks.is_empty())?;
        let paths = view.rules.values.of(view.tree.table().type_id(statement)).into_iter().flatten();
        let value = paths.flat_map(|path| view.tree.reached(statement, path)).find(|&value| value != name)?;
        self.value(view.file, value).known.iter().find_map(|value| match *value {
            Value::Instance { class, .. } => {
                let has_hook = hooks.iter().any(|hook| self.found_member(class, hook.as_str()).is_some());
                self.name_of(class).filter(|_| has_hook)
            }
            _ => None,
        })
    }

    /// Whether the class of a member has another one of its name in another name space: `static a` beside `a`.
    fn has_twin(&self, view: &View<'_>, site: Site, text: &str) -> bool {
        if view.scopes.rules.static_space.is_none() {
            return false;
        }
        let names = view.scopes.names(text);
        let Some(own) = names.at(site.name) else { return false };
        names
            .found
            .iter()
            .any(|found| found.does.is_binding() && found.scope == own.scope && !found.spaces.meets(own.spaces))
    }

    /// Whether callers outside of the project can name a parameter of a function.
    pub fn may_be_named(&self, function: Site, parameter: Site) -> bool {
        let Some(view) = self.view(parameter.file) else { return true };
        let name = view.tree.node_text(function.name);
        let is_called_by_place = view.rules.members.by_place.iter().any(|known| *known == *name);
        let rules = view.scopes.rules;
        let is_known = !rules.positional.is_empty() || !rules.positional_before.is_empty();
        (!is_known || view.scopes.is_named_parameter(parameter.name)) && !is_called_by_place
    }

    /// Whether calls pass arguments by their places alone, so that only its function knows the name of a parameter.
    pub fn has_unnamed_arguments(&self, file: FileId) -> bool {
        self.view(file).is_some_and(|view| view.rules.hidden_uses.unnamed_arguments)
    }

    /// The holder of a member, in a language where a type with the same members can be used in its place; `None` in others.
    pub fn holder_of_member(&self, file: FileId, name: Node) -> Option<Holder> {
        let view = self.view(file)?;
        let rules = &view.rules.members;
        if !rules.structural && rules.protocols.is_empty() {
            return None;
        }
        // `import { a as b }`
        if self.import_around(&view, name).is_some() || !self.export_around(&view, name).is_empty() {
            return None;
        }
        let object = |scope: Option<Node>| Holder {
            kind: HolderKind::Object,
            is_function: false,
            members: scope.map(|scope| names_in(&view, scope)).unwrap_or_default(),
            is_closed: false,
        };
        let Some(class) = self.class_of_member(Site { file, name }) else {
            let is_shorthand = || view.scopes.shorthand(name).is_some_and(|template| template.contains(':'));
            let is_object = rules.structural && (is_key(&view, name) || is_shorthand());
            let literal = || {
                let table = view.tree.table();
                table.ancestors(name).take(2).find(|&node| rules.literals.contains(table.type_id(node)))
            };
            return is_object.then(|| object(literal()));
        };
        // What a getter gives is read as a field is.
        let accessors = &view.rules.hidden_uses.accessor_words;
        let is_function = self.definition_of(&view, name).is_some_and(|definition| {
            let is_accessor = || {
                let mut words = view.tree.modifiers(definition).into_iter();
                !accessors.is_empty() && words.any(|word| accessors.iter().any(|known| *known == *word))
            };
            Kinds::new(view.tree).is(definition, "function") && !is_accessor()
        });
        if self.has_no_class(class) {
            let scope = self.view(class.file).and_then(|view| self.class_scope(&view, class.name));
            return Some(object(scope));
        }
        let other = self.view(class.file)?;
        // A type without a name: `interface{ Run() }`.
        let Some(holder) = self.definition_of(&other, class.name) else {
            return Some(Holder { kind: HolderKind::Interface, is_function, members: Vec::new(), is_closed: true });
        };
        let kinds = Kinds::new(other.tree);
        // `type S []int` has methods, and no other type takes its place.
        let is_type = kinds.is(holder, "type") && !rules.literals.is_empty();
        let kind = match kinds.is(holder, "interface") || is_type {
            true if rules.structural => HolderKind::Interface,
            _ if self.is_protocol(&other, holder) => HolderKind::Protocol,
            _ if !rules.literals.is_empty() => HolderKind::Class,
            _ => HolderKind::Nominal,
        };
        let (above, _) = self.superclasses(class);
        let (mut members, mut is_closed) = (Vec::new(), rules.literals.is_empty() && rules.protocols.is_empty());
        for class in above.into_iter().chain([class]) {
            let Some(view) = self.view(class.file) else { continue };
            let Some(scope) = self.class_scope(&view, class.name) else { continue };
            members.append(&mut names_in(&view, scope));
            if !rules.protocols.is_empty() {
                members.append(&mut self.names_of_object(&view, scope));
            }
            is_closed |= rules.structural && has_hidden(&view, scope);
        }
        members.retain(|name| !view.scopes.rules.constructors.contains(name));
        members.sort_unstable();
        members.dedup();
        Some(Holder { kind, is_function, members, is_closed })
    }

    /// The members of the object of the methods of a class that they name: `self.x`.
    fn names_of_object(&self, view: &View<'_>, scope: Node) -> Vec<String> {
        let table = view.tree.table();
        let is_own = |&node: &Node| {
            view.scopes.is_identifier(node)
                && view.scopes.fits(node, &view.scopes.rules.attributes).is_some()
                && self.object_of(view, node).is_some_and(|object| view.scopes.class_of_self(object).is_some())
        };
        table.descendants(scope).filter(is_own).map(|node| view.tree.node_text(node).into_owned()).collect()
    }

    /// Whether a class stands for all that has its members.
    fn is_protocol(&self, view: &View<'_>, definition: Node) -> bool {
        view.tree.base_nodes(definition).any(|base| {
            let text = view.tree.node_text(base);
            let head = text.split(['[', '<']).next().unwrap_or(&text);
            let last = head.rsplit('.').next().unwrap_or(head);
            view.rules.members.protocols.iter().any(|known| known == last)
        })
    }

    /// Whether a function makes the objects of its class.
    pub fn is_constructor(&self, function: Site) -> bool {
        let Some(view) = self.view(function.file) else { return false };
        let name = view.tree.node_text(function.name);
        let definition = self.definition_of(&view, function.name);
        view.scopes.rules.constructors.iter().any(|known| *known == *name)
            || definition.is_some_and(|definition| Kinds::new(view.tree).is(definition, "constructor"))
    }

    /// The names of the namespaces around a symbol, whose members they have.
    pub fn namespaces_around(&self, site: Site) -> Vec<String> {
        let Some(view) = self.view(site.file) else { return Vec::new() };
        let table = view.tree.table();
        let around = table.ancestors(site.name);
        let around = around.filter(|&node| view.rules.members.namespaces.contains(table.type_id(node)));
        let names = around.filter_map(|node| view.tree.name_node(node)).filter(|&name| name != site.name);
        names.map(|name| view.tree.node_text(name).into_owned()).collect()
    }

    /// The definition of a symbol.
    pub fn definition_node(&self, site: Site) -> Option<Node> {
        self.definition_of(&*self.view(site.file)?, site.name)
    }

    /// Whether a symbol outlives the call of a function.
    pub fn is_lasting(&self, site: Site) -> bool {
        self.view(site.file).is_some_and(|view| is_lasting(self, &view, site.name))
    }

    /// The bases of a class, and of the classes above it, that are outside of the project and may have a member.
    pub fn unknown_bases(&self, class: Site, member: &str) -> Vec<String> {
        self.bases_with(class, member, Asks::AlsoByStart)
    }

    fn bases_with(&self, class: Site, member: &str, asks: Asks) -> Vec<String> {
        let (above, is_complete) = self.superclasses(class);
        let mut found = Vec::new();
        if is_complete {
            return found;
        }
        for class in above.into_iter().chain([class]) {
            let Some(view) = self.view(class.file) else { continue };
            let Some(definition) = self.definition_of(&view, class.name) else { continue };
            let bases = self.bases(class);
            if bases.is_complete {
                continue;
            }
            for base in view.tree.base_nodes(definition).filter(|&base| !self.is_class_argument(&view, base)) {
                let text = view.tree.node_text(base);
                let is_plain = view.scopes.rules.plain_bases.iter().any(|plain| *plain == *text);
                let values = self.type_values(class.file, base);
                let is_known =
                    values.is_complete && values.known.iter().all(|value| matches!(value, Value::Instance { .. }));
                let head = text.split(['[', '<']).next().unwrap_or(&text).trim();
                let last = head.rsplit('.').next().unwrap_or(head);
                if is_plain || is_known {
                    continue;
                }
                let has = match view.rules.members.known_bases.get(last) {
                    Some(members) => Some(members.iter().any(|known| known == member)),
                    None => self.outside_member(&view, base, member, asks),
                };
                if has != Some(false) {
                    found.push(head.to_owned());
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether the name of a module is used as a value: not only before a dot, and not only to name a member of it by a string.
    pub fn is_passed_on(&self, file: FileId, name: Node) -> bool {
        let Some(view) = self.view(file) else { return true };
        let table = view.tree.table();
        let is_attribute = view.scopes.fits(name, &view.scopes.rules.attributes).is_some();
        let whole = if is_attribute { table.parent(name).unwrap_or(name) } else { name };
        let Some(parent) = table.parent(whole) else { return true };
        let objects = view.rules.objects.of(table.type_id(parent)).into_iter().flatten();
        let is_object = objects.flat_map(|path| view.tree.reached(parent, path)).any(|object| object == whole);
        !is_object && !table.ancestors(whole).take(2).any(|call| self.names_member(&view, call))
    }

    /// Whether nothing binds a name in its file, and all of some symbols are bound where only imports lead: in modules.
    pub fn is_free_elsewhere(&self, family: &[Site], file: FileId, name: Node) -> bool {
        let Some(view) = self.view(file).filter(|view| !view.rules.module_files.statements.is_empty()) else {
            return false;
        };
        let names = view.scopes.names(&view.tree.node_text(name));
        let is_free = names
            .at(name)
            .is_some_and(|found| !found.does.is_binding() && names.resolve(&view.scopes, found).is_none());
        is_free
            && self.around_name(file, name) == Around::Other
            && family.iter().all(|site| {
                self.view(site.file).is_some_and(|other| {
                    let table = other.tree.table();
                    let statements = &other.rules.module_files.statements;
                    site.file != file && table.children(Node::ROOT).any(|node| statements.contains(table.type_id(node)))
                        || self.is_member(&other, site.name) && !other.rules.members.implicit
                })
            })
    }

    /// Whether a name of a file is a symbol and another one a variable, which no symbol means.
    pub fn is_symbol_beside_variable(&self, file: FileId, name: Node, variable: Site) -> bool {
        self.view(file).is_some_and(|view| self.is_symbol(&view, name))
            && self.view(variable.file).is_some_and(|view| {
                let is_constant = view.tree.node_text(variable.name).starts_with(char::is_uppercase);
                !is_constant && !self.is_member(&view, variable.name)
            })
    }

    /// What is around a name.
    pub fn around_name(&self, file: FileId, name: Node) -> Around {
        let Some(view) = self.view(file) else { return Around::Other };
        let rules = view.scopes.rules;
        let table = view.tree.table();
        let last_of = |node: Node| {
            // `m["A"]`
            if view.rules.hidden_uses.dynamic_accesses.contains(table.type_id(node)) {
                let key = view.tree.named_children(node).nth(1);
                let key = key.filter(|&key| view.tree.language().role(table.type_id(key)).string);
                return key.map(|key| view.tree.node_text(key).trim_matches(['"', '\'', '`']).to_owned());
            }
            let inner = match view.rules.objects.of(table.type_id(node)) {
                Some(_) => self.member_name(&view, node),
                None => Some(node),
            };
            inner.filter(|&inner| view.scopes.is_identifier(inner)).map(|inner| view.tree.node_text(inner).into_owned())
        };
        if self.is_inert_symbol(&view, name) {
            return Around::Elsewhere;
        }
        if view.scopes.fits(name, &rules.arguments).is_some() {
            let call = table.ancestors(name).take(4).find(|&node| view.tree.callee(node).is_some());
            let callee = call.and_then(|call| self.called(&view, call));
            let Values { known, is_complete } = callee.map_or_else(Values::unknown, |callee| self.value(file, callee));
            let own = known.iter().find_map(|value| match *value {
                Value::Function { function, .. } => Some(function),
                Value::Class { class, .. } => Some(class),
                _ => None,
            });
            if let Meaning::Known(_) = self.meaning(file, name) {
                // A method of a protocol is any method of its name.
                let is_any = |function: &Site| {
                    let holder = self.holder_of_member(function.file, function.name);
                    holder.is_some_and(|holder| holder.kind == HolderKind::Protocol)
                };
                return match own.filter(is_any) {
                    Some(function) => {
                        let last = callee.and_then(last_of);
                        Around::Call { last, callee: Callee::Own(function), names: Vec::new() }
                    }
                    None => Around::Elsewhere,
                };
            }
            let is_external = is_complete
                && !known.is_empty()
                && known.iter().all(|value| matches!(value, Value::External { .. } | Value::Foreign | Value::Plain));
            let is_table = is_external && callee.is_some_and(|callee| self.makes_table(&view, callee));
            // What gets the table may pass its entries on.
            let outer = call
                .filter(|_| is_table)
                .and_then(|call| table.ancestors(call).take(3).find(|&around| self.called(&view, around).is_some()));
            let names = outer.or(call).into_iter().flat_map(|call| table.descendants(call));
            let is_string = |node: Node| view.tree.language().role(table.type_id(node)).string;
            let names = names.filter(|&node| match view.scopes.is_identifier(node) {
                true => self.may_be_passed(&view, node),
                false => is_string(node),
            });
            return Around::Call {
                last: callee.and_then(last_of),
                callee: match own {
                    Some(function) => Callee::Own(function),
                    None if is_table => Callee::Table,
                    None if is_external => Callee::External,
                    None => Callee::Unknown,
                },
                // A function may be named by a string: `methodcaller("run", key=1)`.
                names: names.map(|node| view.tree.node_text(node).trim_matches(['"', '\'']).to_owned()).collect(),
            };
        }
        if view.scopes.fits(name, &rules.attributes).is_some() {
            let Some(object) = self.object_of(&view, name) else {
                return Around::Object { last: None, is_imported: true };
            };
            let is_imported = self.is_imported_name(&view, object) && !self.is_class_or_object(file, object)
                || self.may_be_any_module_of_code(&view, object);
            return Around::Object { last: last_of(object), is_imported };
        }
        if self.is_key_of_receiver(&view, name) {
            return Around::Receiver;
        }
        self.around_key(&view, name).unwrap_or(Around::Other)
    }

    /// Whether a name in a call may be passed to what is called: it is not the name of an argument, and not called itself.
    fn may_be_passed(&self, view: &View<'_>, name: Node) -> bool {
        let table = view.tree.table();
        let access = self.access_of(view, name).filter(|&access| self.member_name(view, access) == Some(name));
        let whole = access.unwrap_or(name);
        let is_called = table.parent(whole).is_some_and(|call| self.called(view, call) == Some(whole));
        !is_called && view.scopes.fits(name, &view.scopes.rules.arguments).is_none()
    }

    /// Whether a function makes a table with the names of its arguments as keys.
    fn makes_table(&self, view: &View<'_>, callee: Node) -> bool {
        let makers = &view.rules.known_calls.tables;
        makers.iter().any(|maker| *maker == *view.tree.node_text(callee))
    }

    /// A key of a pattern as a member of what the pattern takes apart; `None` for other names.
    fn around_key(&self, view: &View<'_>, name: Node) -> Option<Around> {
        /// How far a pattern is from what it takes apart.
        const REACH: usize = 8;
        let table = view.tree.table();
        let Some(pattern) = self.pattern_around(view, name) else {
            // In some languages the key may be a variable as well: `map[string]int{ant: 1}`.
            let is_variable = view.scopes.classify(name).is_some_and(|(does, _)| !does.is_binding());
            let is_key = view.scopes.fits(name, &view.scopes.rules.keys).is_some() && !is_variable;
            return is_key.then_some(Around::Object { last: None, is_imported: false });
        };
        let sources = table.ancestors(pattern).take(REACH).find_map(|holder| {
            let paths = view.rules.values.of(table.type_id(holder))?;
            let mut nodes = paths.iter().flat_map(|path| view.tree.reached(holder, path));
            nodes.find(|&node| !table.is_within(pattern, node))
        });
        let is_imported = sources.is_some_and(|source| self.is_imported_name(view, source));
        let values = self.nested(Values::unknown(), || self.taken_apart(view, pattern));
        let is_outside = |value: &Value| matches!(value, Value::External { .. } | Value::Module(_));
        Some(Around::Object { last: None, is_imported: is_imported || values.known.iter().any(is_outside) })
    }

    /// Whether an expression is a function, a class of the project, or an object of one, and not a module. A literal may have what a module has.
    fn is_class_or_object(&self, file: FileId, node: Node) -> bool {
        let values = self.value(file, node);
        let is_class = |value: &Value| {
            if matches!(value, Value::Function { .. }) {
                return true;
            }
            let (Value::Class { class, .. } | Value::Instance { class, .. }) = *value else { return false };
            let definition = self.definition_node(class);
            let view = self.view(class.file);
            definition.zip(view).is_some_and(|(definition, view)| Kinds::new(view.tree).is(definition, "class"))
        };
        values.is_complete && !values.known.is_empty() && values.known.iter().all(is_class)
    }

    /// Whether an expression is a name that an import binds, or that nothing binds.
    pub(super) fn is_imported_name(&self, view: &View<'_>, node: Node) -> bool {
        view.scopes.is_identifier(node) && {
            let names = view.scopes.names(&view.tree.node_text(node));
            let symbol = names.at(node).and_then(|found| names.resolve(&view.scopes, found));
            let binders = names.found.iter().filter(|found| found.does.is_binding());
            let mut own = binders
                .filter(|found| names.resolve(&view.scopes, found).zip(symbol).is_some_and(|(one, two)| one.is(two)));
            symbol.is_none() || own.any(|found| self.import_around(view, found.name).is_some())
        }
    }

    /// Whether the members of a class are the keys of a table: it extends `TypedDict`.
    pub fn has_keys(&self, class: Site) -> bool {
        let Some(view) = self.view(class.file) else { return false };
        let Some(definition) = self.definition_of(&view, class.name) else { return false };
        view.tree.base_nodes(definition).any(|base| {
            let text = view.tree.node_text(base);
            view.rules.members.keyed_bases.iter().any(|known| text.rsplit('.').next() == Some(known.as_str()))
        })
    }

    /// The names that the hidden members of classes have outside of them: `_A__m`.
    pub fn mangled_names(&self, classes: &FxHashSet<Site>, member: &str) -> Vec<String> {
        let name = |&class: &Site| {
            let view = self.view(class.file)?;
            let class = self.name_of(class)?;
            view.scopes.rules.is_class_private(member).then(|| format!("_{}{member}", class.trim_start_matches('_')))
        };
        classes.iter().filter_map(name).collect()
    }

    /// Whether a function accesses members by names that it gets or computes.
    pub fn accesses_by_name(&self, function: Site) -> bool {
        let Some(view) = self.view(function.file) else { return false };
        let Some(definition) = self.definition_of(&view, function.name) else { return false };
        view.tree.table().descendants(definition).any(|node| self.names_member(&view, node))
    }

    /// The function that a parameter belongs to.
    pub fn function_of_parameter(&self, site: Site) -> Option<Site> {
        let view = self.view(site.file)?;
        view.scopes.reaches(site.name, &view.scopes.rules.parameters)?;
        let names = view.scopes.names(&view.tree.node_text(site.name));
        let function = names.at(site.name)?.scope;
        Some(Site { file: site.file, name: view.tree.name_node(function)? })
    }

    /// The parameter of a function with a name.
    pub fn parameter_named(&self, function: Site, name: &str) -> Option<Site> {
        match self.parameter(function, name) {
            Meaning::Known(things) => things.into_iter().find_map(|thing| match thing {
                Thing::Symbol(site) => Some(site),
                _ => None,
            }),
            _ => None,
        }
    }

    /// The strings of a file that are a name, or a path with that name; documentation is left out.
    pub fn strings_with(&self, file: FileId, word: &str) -> Vec<StringUse> {
        let mut found = Vec::new();
        let Some(view) = self.view(file) else { return found };
        let table = view.tree.table();
        let is_string = |node: Node| view.tree.language().role(table.type_id(node)).string;
        let quoted: FxHashSet<Node> = self.quoted_words(&view).into_iter().map(|(node, _)| node).collect();
        let documentation = self.documentation(&view);
        let lists = self.name_lists(&view);
        let separator = view.tree.language().spec().imports.separator.as_str();
        // There, a path is that of a module.
        let is_dotted = view.rules.modules == Some(ModuleScheme::Dotted);
        for node in table.nodes().filter(|&node| is_string(node)) {
            // A part of a string is none of its own, but what is in its code is: `${a["b"]}`.
            let is_part = table.parent(node).is_some_and(is_string);
            if is_part || quoted.contains(&node) || documentation.contains(&node) {
                continue;
            }
            let text = view.tree.node_text(node);
            let quotes = ['"', '\'', '`'];
            let Some(open) = text.find(quotes) else { continue };
            let content = text[open..].trim_matches(quotes);
            let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
            let is_path = content.len() < 200
                && content
                    .chars()
                    .all(|letter| is_part(letter) || matches!(letter, '.' | ':') || separator.contains(letter));
            let list = lists.iter().find(|(list, _)| table.is_within(node, *list));
            // `__slots__ = "size color".split()`
            let is_words = list.is_some()
                && content.chars().all(|letter| is_part(letter) || letter.is_whitespace() || letter == ',')
                && content.contains([' ', ',']);
            let at = content
                .match_indices(word)
                .map(|(at, _)| at)
                .filter(|at| !content[..*at].ends_with(is_part) && !content[at + word.len()..].starts_with(is_part))
                .last();
            let Some(at) = at.filter(|_| is_path || is_words) else { continue };
            let content_start = content.as_ptr() as usize - text.as_ptr() as usize;
            let start = table.span(node).start() + content_start + at;
            let span = Span::new(start, start + word.len());
            let mut around = table.ancestors(node).take(3);
            let is_type_key = || table.ancestors(node).take(KEY_REACH).any(|written| self.takes_keys(&view, written));
            let is_path_of_members = || {
                let callee = |call: Node| view.tree.callee_text(call);
                let words = &view.rules.hidden_uses.dotted_access;
                let mut calls = table.ancestors(node).take(3).filter_map(callee);
                !words.is_empty() && calls.any(|callee| is_callee(words, &callee))
            };
            let is_sign = |letter: char| matches!(letter, '.' | ':') || separator.contains(letter);
            let is_qualified = !separator.is_empty() && content[..at].ends_with(separator);
            let kind = match (content[..at].trim_end_matches(is_sign), list) {
                // `"N\\A"`: the whole name of a class.
                (before, None) if is_qualified && !before.is_empty() && content.ends_with(word) => {
                    self.callable(&view, node).unwrap_or(StringKind::Path(before.to_owned()))
                }
                (_, Some((_, holder))) if is_words => StringKind::Listed(self.member_of(holder, word)),
                (_, None) if is_path_of_members() => StringKind::Access,
                ("", Some((_, holder))) => StringKind::Listed(self.member_of(holder, word)),
                (before, None)
                    if (before.is_empty() || !is_dotted)
                        && content.ends_with(word)
                        && (around.any(|call| self.names_member(&view, call)) || is_type_key()) =>
                {
                    StringKind::Access
                }
                ("", None) if content == word && self.splat_around(&view, node).is_some() => {
                    let splat = self.splat_around(&view, node);
                    let call = splat.and_then(|splat| self.call_around(&view, splat));
                    let meaning = call.map(|call| self.named_argument(&view, call, word));
                    StringKind::Argument(meaning.unwrap_or(Meaning::Unknown(Vec::new())))
                }
                ("", None) if content == word => self.callable(&view, node).unwrap_or(StringKind::Name),
                // `"A::run"`
                ("", None)
                    if view.rules.hidden_uses.callable_strings && content[at + word.len()..].starts_with(':') =>
                {
                    self.callable(&view, node).unwrap_or(StringKind::Name)
                }
                ("", None) => StringKind::Head,
                (before, _) => StringKind::Path(before.to_owned()),
            };
            found.push(StringUse { node, span, kind });
        }
        found
    }

    /// The use of a string that is a name, in a language whose functions can be named by strings; `None` if it is just a string.
    fn callable(&self, view: &View<'_>, string: Node) -> Option<StringKind> {
        if !view.rules.hidden_uses.callable_strings {
            return None;
        }
        let table = view.tree.table();
        if self.is_inert(view, string) {
            return None;
        }
        let element = table.parent(string)?;
        let list = table.parent(element).filter(|&list| {
            view.rules.hidden_uses.callable_lists.contains(table.type_id(list))
                && view.tree.named_children(list).count() == 2
                && view.tree.named_children(list).nth(1) == Some(element)
        });
        Some(StringKind::Callable { is_member: list.is_some() })
    }

    /// The statement that fills a list of names, and those that bind what it is made of: `__all__ = names`, `__all__.extend(names)`.
    fn list_statements(&self, view: &View<'_>, list: Node) -> Vec<Node> {
        let table = view.tree.table();
        let start = table.span(list).start();
        let statement = |name: Node| {
            let begins = |&node: &Node| table.span(node).start() == table.span(name).start();
            let mut around = table.ancestors(name).take_while(begins);
            let is_call = |&node: &Node| view.tree.callee(node).is_some();
            let is_assignment = |&node: &Node| view.rules.assignments.places.of(table.type_id(node)).is_some();
            around.find(|node| is_call(node) || is_assignment(node)).or_else(|| table.parent(name))
        };
        let Some(own) = statement(list) else { return Vec::new() };
        let mut found = vec![own];
        for name in table.descendants(own).filter(|&node| view.scopes.is_identifier(node)) {
            let names = view.scopes.names(&view.tree.node_text(name));
            let Some(symbol) = names.at(name).and_then(|found| names.resolve(&view.scopes, found)) else { continue };
            if table.span(name).start() == start {
                continue;
            }
            let is_same = |other: &&crate::scopes::VariableName| {
                other.does.is_binding() && names.resolve(&view.scopes, other).is_some_and(|other| other.is(symbol))
            };
            found.extend(names.found.iter().filter(is_same).filter_map(|other| statement(other.name)));
        }
        found
    }

    /// The statements that list names: the public names of a module, the members of a class; each with what has these members.
    fn name_lists(&self, view: &View<'_>) -> Vec<(Node, Value)> {
        let mut lists = Vec::new();
        if let Some(list) = &view.rules.star_imports.list {
            let module = Value::Module(Thing::Module(view.file));
            let names = view.scopes.names(list);
            for found in &names.found {
                lists.extend(self.list_statements(view, found.name).into_iter().map(|statement| (statement, module)));
            }
        }
        for list in &view.rules.members.lists {
            for found in &view.scopes.names(list).found {
                let class = self.class_around(view, found.name);
                let class = class.map(|class| Value::Instance { class, is_own: false });
                let statements = self.list_statements(view, found.name).into_iter();
                lists.extend(class.into_iter().flat_map(|class| statements.clone().map(move |node| (node, class))));
            }
        }
        lists
    }
}
