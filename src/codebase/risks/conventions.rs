//! What runs or is found without a reference: by a convention of the language or of a tool, through a base from outside, or by code
//! that goes through the classes below another one or through members.

use rustc_hash::FxHashSet;

use super::shown::{is_callee, is_code_call};
use crate::language::{LazyRegex, ModuleScheme};
use crate::modules::FileId;
use crate::selector::Kinds;
use crate::symbols::{Meaning, Resolver, Site, Thing, Value, View};
use crate::tree::Node;

/// What code that is not known can do with a class, because of what the class extends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Openness {
    /// Whether not all classes above it are known.
    pub(super) has_unknown_bases: bool,
    /// Whether one of those, or a decorator, may call members of the class.
    pub(super) is_called: bool,
    /// Whether something may find the class: a base from outside, or code that runs when the class is defined.
    pub(super) is_found: bool,
}

/// What code goes through without naming it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Searched {
    /// Classes, for the classes below them.
    pub(super) bases: FxHashSet<Site>,
    /// Whether there are such classes that are not known.
    pub(super) has_unknown_bases: bool,
    /// Classes, for their members.
    pub(super) classes: FxHashSet<Site>,
    /// Modules, for their definitions.
    pub(super) modules: FxHashSet<FileId>,
}

impl Searched {
    fn add_members(&mut self, objects: Objects) {
        self.classes.extend(objects.classes);
        self.modules.extend(objects.modules);
    }
}

/// What the names in a call mean.
#[derive(Debug, Default)]
struct Objects {
    /// Classes, also those of objects.
    classes: Vec<Site>,
    modules: Vec<FileId>,
    /// Whether one is a class from outside.
    has_external: bool,
    /// Whether there are no names: the call is about the object or the module around it.
    is_implied: bool,
}

impl Resolver<'_> {
    /// Why a tool calls a function by itself: what is written before it makes it a test.
    pub fn is_run_by(&self, function: Site) -> Option<&'static str> {
        let view = self.view(function.file)?;
        let definition = self.definition_of(&view, function.name)?;
        let decorators = view.tree.decorators(definition);
        let words: Vec<_> = decorators.into_iter().map(|node| view.tree.decorator_word(node)).collect();
        let is_one = |regex: &LazyRegex| words.iter().any(|word| regex.get().is_match(word));
        view.rules.entries.decorators.iter().find(|(_, regex)| is_one(regex)).map(|(why, _)| why.as_str())
    }

    /// What code that is not known can do with a class.
    pub(super) fn openness(&self, class: Site) -> Openness {
        let mut openness = Openness::default();
        let (above, _) = self.superclasses(class);
        for next in above.into_iter().chain([class]) {
            let Some(view) = self.view(next.file) else { continue };
            let is_complete = self.bases(next).is_complete;
            openness.has_unknown_bases |= !is_complete;
            let Some(definition) = self.definition_of(&view, next.name) else {
                openness.is_called |= !is_complete;
                continue;
            };
            let table = view.tree.table();
            // A decorator may say that the class implements something.
            openness.is_called |= self.foreign_decorator(&view, definition).is_some();
            let mut has_foreign = false;
            for base in view.tree.base_nodes(definition) {
                let text = view.tree.node_text(base);
                if view.scopes.rules.plain_bases.iter().any(|plain| *plain == *text) {
                    continue;
                }
                // `metaclass=M` and other arguments are for code that runs with each class below.
                if self.is_class_argument(&view, base) {
                    (openness.is_called, openness.is_found) = (true, true);
                    continue;
                }
                let values = self.type_values(next.file, base);
                let is_known =
                    values.is_complete && values.known.iter().all(|value| matches!(value, Value::Instance { .. }));
                if is_known {
                    continue;
                }
                has_foreign = true;
                let head = text.split(['[', '<', '(']).next().unwrap_or(&text).trim();
                let last = head.rsplit(['.', ':', '\\']).next().unwrap_or(head);
                if !view.rules.members.known_bases.contains_key(last) {
                    (openness.is_called, openness.is_found) = (true, true);
                }
            }
            if !is_complete && !has_foreign {
                openness.is_called = true;
                openness.is_found |= view.is(ModuleScheme::OpenClasses);
            }
            let has = |name: &String| !self.body_binders(&view, next, name.into()).is_empty();
            openness.is_found |= next != class && view.rules.hidden_uses.class_hooks.iter().any(has);
            let code = &view.rules.hidden_uses.class_code;
            if next == class && !code.is_empty() {
                openness.is_found |= table.descendants(definition).any(|node| code.contains(table.type_id(node)));
            }
        }
        openness
    }

    /// Whether a class of a file makes code of a class of the project run when it is defined: the metaclass, or a hook of a base.
    pub fn runs_code_of_bases(&self, file: FileId) -> bool {
        let Some(view) = self.view(file) else { return false };
        let hooks = &view.rules.hidden_uses.class_hooks;
        let table = view.tree.table();
        let classes = table.nodes().filter(|&node| view.tree.base_nodes(node).next().is_some());
        let mut classes = classes.filter_map(|class| Some((class, view.tree.name_node(class)?)));
        classes.any(|(_, name)| {
            let own = Site { file, name };
            let (above, _) = self.superclasses(own);
            above.into_iter().chain([own]).any(|class| {
                let Some(view) = self.view(class.file) else { return false };
                let is_known = |argument: Node| {
                    let mut values =
                        view.tree.table().descendants(argument).filter(|&node| view.scopes.is_identifier(node));
                    values.any(|value| matches!(self.meaning(class.file, value), Meaning::Known(_)))
                };
                let definition = self.definition_of(&view, class.name);
                let bases = definition.into_iter().flat_map(|definition| view.tree.base_nodes(definition));
                let mut arguments = bases.filter(|&base| self.is_class_argument(&view, base));
                let has = |hook: &String| !self.body_binders(&view, class, hook.into()).is_empty();
                class != own && hooks.iter().any(has) || arguments.any(is_known)
            })
        })
    }

    /// What the code of a file goes through without naming it.
    pub(super) fn searched(&self, view: &View<'_>) -> Searched {
        let rules = view.rules;
        let mut searched = Searched::default();
        let table = view.tree.table();
        let is_string = |node: Node| view.tree.language().role(table.type_id(node)).string;
        let hidden = &rules.hidden_uses;
        let has_calls = ![&hidden.class_searches, &hidden.member_searches, &hidden.dynamic_calls, &hidden.code_calls]
            .iter()
            .all(|words| words.is_empty());
        for node in table.nodes() {
            let callee = has_calls.then(|| view.tree.callee_text(node)).flatten();
            if let Some(callee) = callee {
                if is_callee(&rules.hidden_uses.class_searches, &callee) {
                    let objects = self.objects_in(view, node);
                    let own = objects.is_implied.then(|| self.class_around(view, node)).flatten();
                    searched.has_unknown_bases |= objects.classes.is_empty() && own.is_none() && !objects.has_external;
                    searched.bases.extend(objects.classes.into_iter().chain(own));
                } else if is_callee(&rules.hidden_uses.member_searches, &callee) {
                    let objects = self.objects_in(view, node);
                    if objects.is_implied {
                        searched.classes.extend(self.class_around(view, node));
                        searched.modules.extend(self.modules_at_hand(view));
                    }
                    searched.add_members(objects);
                } else if rules.hidden_uses.dynamic_calls.iter().any(|word| *word == *callee) {
                    // The words of a string are looked at by themselves.
                    if !self.has_plain_name(view, node, true) {
                        searched.add_members(self.objects_in(view, node));
                    }
                } else if is_code_call(hidden, &callee) && !self.has_plain_name(view, node, false) {
                    searched.modules.extend(self.modules_at_hand(view));
                }
            }
            if rules.hidden_uses.dynamic_accesses.contains(table.type_id(node))
                && !table.descendants(node).any(is_string)
            {
                let own = table.descendants(node).find_map(|node| view.scopes.class_of_self(node));
                searched.classes.extend(own.and_then(|own| self.class_at(view, own.class)));
                if let Some(object) =
                    view.tree.named_children(node).next().filter(|&node| view.scopes.is_identifier(node))
                {
                    let mut objects = Objects::default();
                    self.add_objects(view, object, &mut objects);
                    searched.add_members(objects);
                }
            }
        }
        searched
    }

    /// The module of a file, and those of which it imports everything.
    fn modules_at_hand(&self, view: &View<'_>) -> Vec<FileId> {
        let imported = view.globs().iter().filter_map(|(_, glob)| {
            let source = if glob.source.is_empty() { &glob.name } else { &glob.source };
            match self.project().imported_module(view.file, view.tree.language(), source) {
                Some(Thing::Module(module)) => Some(module),
                _ => None,
            }
        });
        imported.chain([view.file]).collect()
    }

    /// The classes whose objects code that is not known gets as soon as they are made: as an argument, or in a member of one of its objects.
    /// It may call their members.
    pub(super) fn handed_out(&self, view: &View<'_>) -> FxHashSet<Site> {
        let mut classes = FxHashSet::default();
        for call in view.tree.table().nodes() {
            let Some(Meaning::Known(things)) = self.meaning_of_callee(view, call) else { continue };
            let made = things.iter().filter_map(|thing| match thing {
                Thing::Symbol(site) if self.is_class(*site) => Some(*site),
                _ => None,
            });
            let mut made = made.peekable();
            if made.peek().is_some() && self.is_given_away(view, call) {
                classes.extend(made);
            }
        }
        classes
    }

    /// What the function of a call means; `None` if it is no call, or calls no name.
    fn meaning_of_callee(&self, view: &View<'_>, call: Node) -> Option<Meaning> {
        let callee = self.called(view, call)?;
        let name = if view.scopes.is_identifier(callee) { callee } else { self.member_name(view, callee)? };
        Some(self.meaning(view.file, name))
    }

    /// Whether the value of an expression goes to code that is not known.
    fn is_given_away(&self, view: &View<'_>, expression: Node) -> bool {
        let table = view.tree.table();
        let mut inner = expression;
        for around in table.ancestors(expression).filter(|&around| around != expression) {
            if view.tree.is_scope(around) {
                return false;
            }
            if let Some(callee) = self.called(view, around) {
                let is_known = matches!(self.meaning_of_callee(view, around), Some(Meaning::Known(_)));
                return !is_known && !table.is_within(expression, callee);
            }
            // `jar.lock = Lock()`
            let is_object = |node: Node| {
                self.object_of(view, node).is_some_and(|object| {
                    let values = self.value(view.file, object);
                    let is_external = |value: &Value| matches!(value, Value::External { .. } | Value::Foreign);
                    !values.is_complete || values.known.iter().any(is_external)
                })
            };
            if view.rules.values.of(table.type_id(around)).is_some()
                && let Some(target) = view.tree.named_children(around).next().filter(|&target| target != inner)
            {
                let mut names = table.descendants(target).filter(|&node| view.scopes.is_identifier(node));
                return names.next_back().is_some_and(is_object);
            }
            inner = around;
        }
        false
    }

    /// What the names in a call mean, but for those of the functions that are called.
    fn objects_in(&self, view: &View<'_>, call: Node) -> Objects {
        /// How many names of a call are looked at.
        const NAMES: usize = 32;
        let table = view.tree.table();
        let is_name = |node: Node| view.scopes.is_identifier(node) || view.scopes.class_of_self(node).is_some();
        let names = table.descendants(call).filter(|&node| is_name(node) && !self.is_callee(view, node));
        let mut objects = Objects { is_implied: true, ..Objects::default() };
        for name in names.take(NAMES) {
            objects.is_implied = false;
            self.add_objects(view, name, &mut objects);
        }
        objects
    }

    fn add_objects(&self, view: &View<'_>, name: Node, objects: &mut Objects) {
        if view.rules.hidden_uses.own_modules.iter().any(|word| *word == *view.tree.node_text(name)) {
            objects.modules.push(view.file);
        }
        for value in self.value(view.file, name).known {
            match value {
                Value::Class { class, .. } | Value::Instance { class, .. } => objects.classes.push(class),
                Value::Module(Thing::Module(module)) => objects.modules.push(module),
                Value::External { is_class } => objects.has_external |= is_class,
                _ => {}
            }
        }
    }

    /// Whether other programs do not use the definitions of a file though they are public: those of tests, and of private modules.
    pub(super) fn is_private_file(&self, view: &View<'_>) -> bool {
        let path = &self.project().file(view.file).path;
        let rules = view.rules;
        let is_private = |part: &str| {
            let stem = part.split('.').next().unwrap_or(part);
            let has_prefix =
                rules.star_imports.private_prefix.as_ref().is_some_and(|prefix| stem.starts_with(prefix.as_str()));
            has_prefix && !rules.module_files.packages.iter().any(|file| file == stem)
                || rules.module_files.tests.iter().any(|folder| folder == part)
                || rules.module_files.private.iter().any(|end| stem.ends_with(end.as_str()))
        };
        path.split('/').any(is_private)
    }

    /// The first decorator of a definition that is not known to leave its name alone.
    pub(super) fn foreign_decorator(&self, view: &View<'_>, definition: Node) -> Option<String> {
        let first = self.foreign_decorators(view, definition).into_iter().next();
        first.map(|decorator| view.tree.decorator_word(decorator).into_owned())
    }

    /// The decorators of a definition that are not known to leave its name alone.
    pub(super) fn foreign_decorators(&self, view: &View<'_>, definition: Node) -> Vec<Node> {
        let rules = view.rules;
        let plain = [&rules.decorators.plain, &rules.decorators.properties, &rules.decorators.class_methods];
        let own = view.tree.name(definition);
        let is_foreign = |&decorator: &Node| {
            let word = view.tree.decorator_word(decorator);
            // `@name.setter`
            let is_own = own
                .as_ref()
                .is_some_and(|own| word.strip_prefix(own.as_str()).is_some_and(|rest| rest.starts_with('.')));
            !is_own && !plain.iter().any(|known| known.iter().any(|plain| *plain == *word))
        };
        view.tree.decorators(definition).into_iter().filter(is_foreign).collect()
    }

    /// Whether a symbol is a member of an object literal that may be used through a type.
    pub(super) fn is_of_object(&self, view: &View<'_>, site: Site) -> bool {
        let is_its = || is_key(view, site.name);
        view.rules.members.structural
            && self.class_of_member(site).map_or_else(is_its, |class| self.has_no_class(class))
    }

    /// Whether what has members is an object, not a class or a type.
    pub(super) fn has_no_class(&self, holder: Site) -> bool {
        let Some(view) = self.view(holder.file) else { return false };
        let Some(definition) = self.definition_of(&view, holder.name) else { return false };
        let kinds = Kinds::new(view.tree);
        !["class", "interface", "enum", "record", "struct", "type"].iter().any(|kind| kinds.is(definition, kind))
    }
}

/// Whether a name, that is not a member of a class, is the key of an object or of a pattern.
pub(super) fn is_key(view: &View<'_>, name: Node) -> bool {
    match view.scopes.classify(name) {
        None => true,
        Some((used, spaces)) => {
            let names = view.scopes.names(&view.tree.node_text(name));
            used.is_binding() && names.at(name).is_some_and(|found| view.scopes.is_member(found.scope, spaces))
        }
    }
}
