//! Classes and modules that any file can open again, and names without anything before them that are calls of the
//! object of the method.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::language::{Language, Spaces};
use crate::modules::FileId;
use crate::symbols::inference::resolver::{Resolver, View};
use crate::symbols::model::{Meaning, Member, Site, Spread, Thing, Value, Values};
use crate::text::Span;
use crate::tree::Node;

/// The object of the code at a place.
enum Own {
    /// An instance of a class, or the class itself.
    Of { class: Site, is_class: bool },
    /// That of the program.
    Program,
    /// It cannot be said: a block whose function may give it another object.
    Unknown,
}

/// The code that mixes in a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mixing {
    /// The body of a class.
    Class(Site),
    /// Other code, into a class or an object.
    Object,
}

/// The name of a method, and whether it is that of an assignment: `a.b = 1`.
#[derive(Clone, Copy)]
struct Method<'n> {
    text: &'n str,
    is_setter: bool,
}

/// What a class has under the name of a method.
enum Lookup {
    Found(Vec<Site>),
    /// A call in the body of a class has the name as an argument, and may define it.
    Generated,
    Missing,
}

impl Resolver<'_> {
    /// The meaning of a name.
    pub(in crate::symbols) fn open_meaning(&self, view: &View<'_>, name: Node) -> Meaning {
        let table = view.tree.table();
        let text = view.tree.node_text(name);
        let parent = table.parent(name);
        if let Some(call) = parent.filter(|&call| self.called(view, call) == Some(name)) {
            return self.called_method(view, call, name, &text);
        }
        if self.is_method_name(view, name) {
            return self.defined_method(view, name, &text);
        }
        if text.starts_with(char::is_uppercase) {
            return self.constant(view, name, &text);
        }
        if let Some(binder) = self.local_binder(view, name, &text) {
            return Meaning::site(view.file, binder);
        }
        if view.scopes.binds(name) || view.scopes.classify(name).is_none() {
            return Meaning::Unknown(Vec::new());
        }
        self.own_method(view, name, Method { text: &text, is_setter: false })
    }

    // Constants.

    /// The constants around a node, the innermost first, as whole names.
    fn constants_around(&self, view: &View<'_>, node: Node) -> Vec<String> {
        let table = view.tree.table();
        let mut found = Vec::new();
        let mut scope = view.scopes.around(node);
        while scope != Node::ROOT {
            if view.rules.classes.contains(table.type_id(scope))
                && let Some(name) = view.tree.name_node(scope)
            {
                found.extend(self.constant_name(view, name));
            }
            scope = view.scopes.around(scope);
        }
        found
    }

    /// The whole name of a constant that is defined here.
    fn constant_name(&self, view: &View<'_>, name: Node) -> Option<String> {
        let table = view.tree.table();
        let text = view.tree.node_text(name);
        let separator = &view.rules.open_classes.separator;
        let parent = table.parent(name)?;
        if !view.rules.declarators.types.contains(table.type_id(parent)) {
            let around = self.constants_around(view, name).into_iter().next();
            return Some(around.map_or_else(|| text.to_string(), |around| format!("{around}{separator}{text}")));
        }
        let Some(before) = self.object_of(view, name) else { return Some(text.into_owned()) };
        let values = self.nested(Values::unknown(), || self.value(view.file, before));
        let &[Value::Class { class, .. }] = values.known.as_slice() else { return None };
        let other = self.view(class.file)?;
        let around = self.nested(None, || self.constant_name(&other, class.name))?;
        Some(format!("{around}{separator}{text}"))
    }

    /// Whether a constant is defined here.
    pub(in crate::symbols) fn defines_constant(&self, view: &View<'_>, name: Node) -> bool {
        // `A["x"]` reads one.
        let holders = &view.rules.hidden_uses.key_holders;
        let defines = self
            .definition_of(view, name)
            .is_some_and(|definition| !holders.contains(view.tree.table().type_id(definition)));
        defines && !self.is_method_name(view, name) || view.scopes.binds(name)
    }

    /// The definitions of a constant by its whole name, in all files, in their order.
    fn constants(&self, language: &'static Language, around: &str, text: &str) -> Rc<[Spread]> {
        let key = (language.name(), around.to_owned(), text.to_owned());
        if let Some(known) = self.spread.borrow().get(&key) {
            return Rc::clone(known);
        }
        let separator = language.spec().symbols.open_classes.separator.as_str();
        let whole = if around.is_empty() { text.to_owned() } else { format!("{around}{separator}{text}") };
        let last = around.rsplit(separator).next().unwrap_or_default();
        let may_define = |&file: &_| {
            self.project().file(file).language == language
                && self.trees.may_have(file, text)
                && (last.is_empty() || self.trees.may_have(file, last))
        };
        let mut found = Vec::new();
        for file in self.project().ids().filter(may_define) {
            let Some(view) = self.view(file) else { continue };
            for &name in view.scopes.nodes_of(text) {
                if self.defines_constant(&view, name) && self.constant_name(&view, name).as_ref() == Some(&whole) {
                    let is_class = self.is_class_name(&view, name);
                    let site = Site { file, name };
                    found.push(Spread {
                        site,
                        spaces: Spaces::ALL,
                        arity: 0,
                        is_class,
                        is_part: is_class,
                        is_of_file: false,
                    });
                }
            }
        }
        let found: Rc<[Spread]> = found.into();
        self.spread.borrow_mut().insert(key, Rc::clone(&found));
        found
    }

    /// The meaning of a constant as that of a class or of the program; `None` if that has none.
    fn constant_in(&self, view: &View<'_>, around: &str, text: &str) -> Option<Meaning> {
        let found = self.constants(view.tree.language(), around, text);
        let first = found.first()?.site;
        if self.is_one_class(&found) || found.iter().all(|other| other.site.file == first.file) {
            return Some(Meaning::site(first.file, first.name));
        }
        // Definitions that exclude each other belong to several programs: that of the file itself comes first.
        match found.iter().find(|other| other.site.file == view.file) {
            Some(own) => Some(Meaning::site(own.site.file, own.site.name)),
            None => Some(Meaning::Unknown(found.iter().map(|other| Thing::Symbol(other.site)).collect())),
        }
    }

    /// Whether definitions with one name can be parts of one class.
    fn is_one_class(&self, found: &[Spread]) -> bool {
        let mut bases: Vec<String> = Vec::new();
        let mut types = Vec::new();
        for part in found {
            let Some(view) = self.view(part.site.file) else { continue };
            let Some(definition) = self.definition_of(&view, part.site.name) else { continue };
            let separator = view.rules.open_classes.separator.as_str();
            types.push(view.tree.table().type_id(definition));
            bases.extend(
                view.tree
                    .bases(definition)
                    .into_iter()
                    .map(|base| base.rsplit(separator).next().unwrap_or(&base).to_owned()),
            );
        }
        types.dedup();
        bases.dedup();
        found.iter().all(|part| part.is_class) && types.len() < 2 && bases.len() < 2
    }

    fn constant(&self, view: &View<'_>, name: Node, text: &str) -> Meaning {
        let unknown = || Meaning::Unknown(Vec::new());
        if self.defines_constant(view, name) {
            let Some(whole) = self.constant_name(view, name) else { return Meaning::site(view.file, name) };
            let around = whole
                .strip_suffix(text)
                .unwrap_or_default()
                .trim_end_matches(view.rules.open_classes.separator.as_str());
            return self.constant_in(view, around, text).unwrap_or_else(|| Meaning::site(view.file, name));
        }
        let table = view.tree.table();
        if table.parent(name).is_some_and(|parent| view.rules.declarators.types.contains(table.type_id(parent)))
            && view.scopes.fits(name, &view.scopes.rules.attributes).is_some()
        {
            let Some(object) = self.object_of(view, name) else {
                return self.constant_in(view, "", text).unwrap_or_else(unknown);
            };
            let values = self.value(view.file, object);
            let &[Value::Class { class, .. }] = values.known.as_slice() else { return unknown() };
            return if values.is_complete { self.constant_of(class, text).unwrap_or_else(unknown) } else { unknown() };
        }
        let around = self.constants_around(view, name);
        // `A = A + 1` in a class reads the one outside, unless the class has it already; and so does what is run before it.
        let is_defined_here = |around: &String| {
            let found = self.constants(view.tree.language(), around, text);
            let &[Spread { site, is_class: false, .. }] = &found[..] else { return false };
            let definition = table.parent(site.name).filter(|_| site.file == view.file);
            let is_before = |_| name < site.name && view.scopes.around(name) == view.scopes.around(site.name);
            definition.is_some_and(|definition| table.is_within(name, definition) || is_before(definition))
        };
        let own = around.iter().filter(|around| !is_defined_here(around));
        let own = own.into_iter().find_map(|around| self.constant_in(view, around, text));
        if let Some(found) = own {
            return found;
        }
        let class = self.class_around(view, name).filter(|_| !around.iter().any(is_defined_here));
        if let Some(found) = class.and_then(|class| self.constant_of(class, text)) {
            return found;
        }
        let Some(found) = self.constant_in(view, "", text) else {
            return if view.rules.builtins.contains(text) { Meaning::External } else { unknown() };
        };
        // A base class outside the project may have a constant with the name of one that is not a class.
        match found {
            Meaning::Known(things) if class.is_some_and(|class| !self.superclasses(class).1) => {
                let is_class = |thing: &Thing| matches!(thing, Thing::Symbol(site) if self.is_class(*site));
                if things.iter().all(is_class) { Meaning::Known(things) } else { Meaning::Unknown(things) }
            }
            found => found,
        }
    }

    /// A constant of a class or of those above it.
    fn constant_of(&self, class: Site, text: &str) -> Option<Meaning> {
        let above = self.superclasses(class).0;
        for class in std::iter::once(class).chain(above) {
            let view = self.view(class.file)?;
            let around = self.constant_name(&view, class.name)?;
            if let Some(found) = self.constant_in(&view, &around, text) {
                return Some(found);
            }
        }
        None
    }

    /// The other definitions that open a class.
    pub(in crate::symbols) fn opened_again(&self, view: &View<'_>, class: Site) -> Vec<Site> {
        let Some(whole) = self.constant_name(view, class.name) else { return Vec::new() };
        let separator = view.rules.open_classes.separator.as_str();
        let (around, text) = whole.rsplit_once(separator).unwrap_or(("", &whole));
        let all = self.constants(view.tree.language(), around, text);
        if !self.is_one_class(&all) {
            let near = all.iter().filter(|other| other.is_class && other.site.file == class.file);
            return near.map(|other| other.site).filter(|&other| other != class).collect();
        }
        all.iter().map(|other| other.site).filter(|&other| other != class).collect()
    }

    // Methods.

    /// Whether a name is that of a method where it is defined.
    pub(in crate::symbols) fn is_method_name(&self, view: &View<'_>, name: Node) -> bool {
        self.method_at(view, name).is_some()
    }

    fn method_at(&self, view: &View<'_>, name: Node) -> Option<Node> {
        let table = view.tree.table();
        let parent = table.parent(name)?;
        let is_method = |&node: &Node| self.is_function(view, node) && view.tree.name_node(node).is_some();
        let defines = |&node: &Node| view.tree.name_node(node).is_some_and(|own| own == name || own == parent);
        Some(parent).filter(is_method).filter(defines).or_else(|| {
            let around = table.parent(parent)?;
            (is_method(&around) && view.tree.name_node(around) == Some(parent)).then_some(around)
        })
    }

    /// The receiver in the definition of a method: `self` of `def self.a`.
    fn written_object(view: &View<'_>, method: Node) -> Option<Node> {
        let paths = view.rules.members.attached.of(view.tree.table().type_id(method))?;
        paths.iter().flat_map(|path| view.tree.reached(method, path)).next()
    }

    /// The class whose member a method is, and whether it is a member of the class itself.
    fn class_of_method(&self, view: &View<'_>, method: Node) -> Own {
        let object = Self::written_object(view, method);
        let Some(object) = object else { return self.members_of(view, method) };
        match self.value(view.file, object).known.as_slice() {
            &[Value::Class { class, .. }] => Own::Of { class, is_class: true },
            _ => Own::Unknown,
        }
    }

    /// Whose members the methods that are defined at a place are.
    fn members_of(&self, view: &View<'_>, node: Node) -> Own {
        let table = view.tree.table();
        let mut is_class = false;
        for scope in table.ancestors(node) {
            let id = table.type_id(scope);
            if view.rules.implicit_objects.scopes.contains(id) {
                return Own::Unknown;
            }
            if view.rules.open_classes.class_scopes.contains(id) {
                let value = view.tree.name_node(scope);
                if is_class || !value.is_some_and(|value| view.scopes.rules.self_types.contains(table.type_id(value))) {
                    return Own::Unknown;
                }
                is_class = true;
            }
            if view.rules.classes.contains(id) {
                return self.class_at(view, scope).map_or(Own::Unknown, |class| Own::Of { class, is_class });
            }
            if self.is_function(view, scope) {
                return Own::Unknown;
            }
        }
        Own::Program
    }

    /// The object of the code at a node.
    fn own_object(&self, view: &View<'_>, node: Node) -> Own {
        let table = view.tree.table();
        let mut inner = node;
        for scope in table.ancestors(node) {
            let id = table.type_id(scope);
            let is_outside = view.scopes.fits(inner, &view.scopes.rules.outside).is_some();
            inner = scope;
            if is_outside {
                continue;
            }
            if view.rules.implicit_objects.scopes.contains(id) && !self.is_closed(view, scope) {
                return Own::Unknown;
            }
            if view.rules.open_classes.class_scopes.contains(id) {
                return Own::Unknown;
            }
            if view.rules.classes.contains(id) {
                return self.class_at(view, scope).map_or(Own::Unknown, |class| Own::Of { class, is_class: true });
            }
            if self.is_function(view, scope) && view.tree.name_node(scope).is_some() {
                return self.class_of_method(view, scope);
            }
        }
        Own::Program
    }

    /// Whether a block has the object of the code around it.
    fn is_closed(&self, view: &View<'_>, block: Node) -> bool {
        let table = view.tree.table();
        let Some(call) = table.parent(block) else { return false };
        let Some(callee) = self.called(view, call) else { return true };
        view.rules.implicit_objects.closed_calls.iter().any(|word| **word == *view.tree.node_text(callee))
    }

    /// The object of the code at `self`.
    pub(in crate::symbols) fn open_value(&self, view: &View<'_>, node: Node) -> Option<Values> {
        let table = view.tree.table();
        let rules = view.rules;
        if view.scopes.rules.self_types.contains(table.type_id(node)) {
            return Some(match self.own_object(view, node) {
                Own::Of { class, is_class: true } => Values::one(Value::Class { class, is_own: true }),
                Own::Of { class, is_class: false } => Values::one(Value::Instance { class, is_own: true }),
                Own::Program | Own::Unknown => Values::unknown(),
            });
        }
        let Some(callee) = self.called(view, node) else {
            let text = view.scopes.is_identifier(node).then(|| view.tree.node_text(node))?;
            let is_call = !text.starts_with(char::is_uppercase) && self.local_binder(view, node, &text).is_none();
            return is_call.then(Values::unknown);
        };
        let text = view.tree.node_text(callee);
        if !rules.open_classes.instance_calls.iter().any(|word| **word == *text) {
            return Some(Values::unknown());
        }
        let object = rules.objects.of(table.type_id(node)).into_iter().flatten();
        let object = object.flat_map(|path| view.tree.reached(node, path)).next();
        let values = match (object, self.own_object(view, node)) {
            (Some(object), _) => self.value(view.file, object),
            (None, Own::Of { class, is_class: true }) => Values::one(Value::Class { class, is_own: true }),
            _ => Values::unknown(),
        };
        let is_plain = |value: &Value| match value {
            Value::Class { class, .. } => {
                matches!(self.lookup(*class, Method { text: &text, is_setter: false }, true), Lookup::Missing)
            }
            _ => false,
        };
        Some(if values.known.iter().all(is_plain) { values.into_instances() } else { Values::unknown() })
    }

    /// The first name in the text that binds a variable; `None` if a name is not one.
    fn local_binder(&self, view: &View<'_>, name: Node, text: &str) -> Option<Node> {
        let names = view.scopes.names(text);
        let found = names.at(name)?;
        let mut scope = found.scope;
        loop {
            let is_it = |other: &&crate::scopes::VariableName| {
                other.does.is_binding()
                    && other.scope == scope
                    && other.name <= name
                    && !self.is_method_name(view, other.name)
                    && view.scopes.fits(other.name, &view.rules.open_classes.method_names).is_none()
            };
            if let Some(binder) = names.found.iter().find(is_it) {
                return Some(binder.name);
            }
            let is_block = view.scopes.rules.expressions.contains(view.tree.table().type_id(scope));
            if scope == Node::ROOT || !is_block {
                return None;
            }
            scope = view.scopes.around(scope);
        }
    }

    /// The methods that a class defines itself, in all its parts.
    fn own_methods(&self, class: Site, method: Method<'_>, is_class: bool) -> Vec<Site> {
        let Some(view) = self.view(class.file) else { return Vec::new() };
        let key =
            (class, format!("{}{}{}", method.text, if method.is_setter { "=" } else { "" }, is_class), Spaces::ALL);
        if let Some(known) = self.attached.borrow().get(&key) {
            return known.clone();
        }
        let word = view.tree.node_text(class.name);
        let mut found = Vec::new();
        for file in self.files_around(&view, &[method.text, &word]) {
            let Some(other) = self.view(file) else { continue };
            for &name in other.scopes.nodes_of(method.text) {
                let Some(definition) = self.method_at(&other, name) else { continue };
                if is_setter(&other, definition, name) != method.is_setter {
                    continue;
                }
                let own = self.nested(Own::Unknown, || self.class_of_method(&other, definition));
                if matches!(own, Own::Of { class: of, is_class: own } if of == class && own == is_class) {
                    found.push(Site { file, name });
                }
            }
        }
        self.attached.borrow_mut().insert(key, found.clone());
        found
    }

    /// A method of a class, or of what is above it.
    fn lookup(&self, class: Site, method: Method<'_>, is_class: bool) -> Lookup {
        let mut seen = Vec::new();
        self.nested(Lookup::Missing, || self.lookup_in(class, method, is_class, &mut seen))
    }

    fn lookup_in(&self, class: Site, method: Method<'_>, is_class: bool, seen: &mut Vec<(Site, bool)>) -> Lookup {
        if seen.contains(&(class, is_class)) {
            return Lookup::Missing;
        }
        seen.push((class, is_class));
        let Some(view) = self.view(class.file) else { return Lookup::Missing };
        let mut parts = vec![class];
        parts.extend(self.opened_again(&view, class));
        let mixins = self.mixins(&parts);
        let mixed = |kind: &[String]| -> Vec<Site> {
            let fitting = mixins.iter().filter(|mixin| kind.contains(&mixin.word));
            fitting.filter_map(|mixin| mixin.class).collect()
        };
        let rules = view.rules;
        for before in mixed(&rules.open_classes.early_mixins).into_iter().filter(|_| !is_class) {
            match self.lookup_in(before, method, false, seen) {
                Lookup::Missing => {}
                found => return found,
            }
        }
        let own = self.own_methods(class, method, is_class);
        if !own.is_empty() {
            return Lookup::Found(own);
        }
        if self.is_generated(&parts, method.text) {
            return Lookup::Generated;
        }
        let next = if is_class { mixed(&rules.open_classes.class_mixins) } else { mixed(&rules.open_classes.mixins) };
        for module in next.into_iter().rev() {
            match self.lookup_in(module, method, false, seen) {
                Lookup::Missing => {}
                found => return found,
            }
        }
        for &part in &parts {
            let Some(view) = self.view(part.file) else { continue };
            let Some(definition) = self.definition_of(&view, part.name) else { continue };
            for base in view.tree.base_nodes(definition) {
                let Some(base) = self.only_class(&self.nested(Values::unknown(), || self.type_values(part.file, base)))
                else {
                    continue;
                };
                match self.lookup_in(base, method, is_class, seen) {
                    Lookup::Missing => {}
                    found => return found,
                }
            }
        }
        Lookup::Missing
    }

    /// What the bodies of a class mix in, with the words that do it.
    fn mixins(&self, parts: &[Site]) -> Vec<Mixin> {
        let mut found = Vec::new();
        for &part in parts {
            let Some(view) = self.view(part.file) else { continue };
            let rules = view.rules;
            for (word, arguments) in self.body_calls(&view, part.name) {
                let is_in = |words: &[String]| words.contains(&word);
                let is_own_word = is_in(&rules.open_classes.own_mixins);
                if is_own_word && arguments.is_empty() {
                    found.push(Mixin {
                        word: rules.open_classes.class_mixins.first().cloned().unwrap_or_default(),
                        class: Some(part),
                    });
                }
                if !(is_in(&rules.open_classes.mixins)
                    || is_in(&rules.open_classes.early_mixins)
                    || is_in(&rules.open_classes.class_mixins))
                {
                    continue;
                }
                for argument in arguments {
                    let is_self = view.scopes.rules.self_types.contains(view.tree.table().type_id(argument));
                    let values = self.nested(Values::unknown(), || self.value(part.file, argument));
                    let class = match values.known.as_slice() {
                        &[Value::Class { class, .. }] if values.is_complete => Some(class),
                        _ if is_self => Some(part),
                        _ => None,
                    };
                    found.push(Mixin { word: word.clone(), class });
                }
            }
        }
        found
    }

    /// The modules that a class contains, and whether all are known.
    pub(in crate::symbols) fn mixed_in(&self, view: &View<'_>, class: Site) -> (Vec<Site>, bool) {
        let mut parts = vec![class];
        parts.extend(self.opened_again(view, class));
        let rules = view.rules;
        let mixins = self.mixins(&parts);
        let is_above = |mixin: &&Mixin| {
            rules.open_classes.mixins.contains(&mixin.word) || rules.open_classes.early_mixins.contains(&mixin.word)
        };
        let all: Vec<Option<Site>> = mixins.iter().filter(is_above).map(|mixin| mixin.class).collect();
        let is_complete = all.iter().all(Option::is_some);
        (all.into_iter().flatten().filter(|&other| other != class).collect(), is_complete)
    }

    /// The code that mixes in a module where a name means it: `include M` in the body of a class, `o.extend(M)`, `C.send(:prepend, M)`.
    pub(crate) fn mixing(&self, file: FileId, name: Node) -> Option<Mixing> {
        let view = self.view(file)?;
        let rules = &view.rules.open_classes;
        let table = view.tree.table();
        let mixes = |word: &str| {
            let mut words = rules.mixins.iter().chain(&rules.early_mixins).chain(&rules.class_mixins);
            words.any(|known| known == word)
        };
        if rules.mixins.is_empty() {
            return None;
        }
        // `Outer::M`
        let end = table.span(name).end();
        let is_whole = |&node: &Node| table.span(node).end() == end && self.called(&view, node).is_none();
        let whole = std::iter::once(name).chain(table.ancestors(name).take_while(is_whole)).last()?;
        let (call, callee) = table.ancestors(whole).take(2).find_map(|node| Some((node, self.called(&view, node)?)))?;
        let word = view.tree.node_text(callee).into_owned();
        let objects = view.rules.objects.of(table.type_id(call)).into_iter().flatten();
        let object = objects.flat_map(|path| view.tree.reached(call, path)).next();
        match object {
            None if rules.class_mixins.contains(&word) || !mixes(&word) => None,
            None => self.class_around(&view, call).map(Mixing::Class),
            Some(_) if mixes(&word) => Some(Mixing::Object),
            Some(_) => {
                let first = view.tree.named_children(table.parent(whole)?).next()?;
                let is_sent = view.rules.hidden_uses.dynamic_calls.contains(&word)
                    && mixes(view.tree.node_text(first).trim_start_matches(':'));
                is_sent.then_some(Mixing::Object)
            }
        }
    }

    /// Whether a file mixes a module into objects, or into classes from outside of them.
    pub fn mixes_into_objects(&self, file: FileId, module: Site, name: &str) -> bool {
        self.view(file).is_some_and(|view| {
            view.scopes.nodes_of(name).iter().any(|&node| {
                self.mixing(file, node) == Some(Mixing::Object)
                    && match self.meaning(file, node) {
                        Meaning::Known(things) => things.contains(&Thing::Symbol(module)),
                        _ => true,
                    }
            })
        })
    }

    /// Whether a method is defined for an object that is not known: `def a.size`, or in a block of `class_eval`.
    pub fn is_of_unknown_object(&self, file: FileId, name: Node) -> bool {
        let Some(view) = self.view(file) else { return false };
        let rules = view.rules;
        let table = view.tree.table();
        let Some(definition) = table.parent(name).filter(|&node| view.tree.name_node(node) == Some(name)) else {
            return false;
        };
        if rules.open_classes.mixins.is_empty() || !view.tree.is_scope(definition) {
            return false;
        }
        let object = view.tree.named_children(definition).next().filter(|&first| first != name);
        let is_variable = object.is_some_and(|object| {
            view.scopes.is_identifier(object)
                && table.span(object).end() <= table.span(name).start()
                && !view.tree.node_text(object).starts_with(char::is_uppercase)
        });
        let is_in_block = table
            .ancestors(definition)
            .take_while(|&node| {
                !view.tree.is_scope(node) || rules.implicit_objects.scopes.contains(table.type_id(node))
            })
            .any(|node| rules.implicit_objects.scopes.contains(table.type_id(node)));
        is_variable || is_in_block
    }

    /// The calls in the body of a class with nothing before them: the word, and the arguments.
    fn body_calls(&self, view: &View<'_>, class: Node) -> Vec<(String, Vec<Node>)> {
        let table = view.tree.table();
        let Some(scope) = self.class_scope(view, class) else { return Vec::new() };
        let Some(body) = view.tree.body(scope) else { return Vec::new() };
        let mut found = Vec::new();
        for statement in view.tree.named_children(body) {
            if view.scopes.is_identifier(statement) {
                found.push((view.tree.node_text(statement).into_owned(), Vec::new()));
            }
            let Some(callee) = self.called(view, statement) else { continue };
            let objects = view.rules.objects.of(table.type_id(statement)).into_iter().flatten();
            if objects.flat_map(|path| view.tree.reached(statement, path)).next().is_some() {
                continue;
            }
            let list = table.children(statement).find(|&child| table.is_named(child) && child != callee);
            let arguments = list.map(|list| view.tree.named_children(list).collect()).unwrap_or_default();
            found.push((view.tree.node_text(callee).into_owned(), arguments));
        }
        found
    }

    /// Whether a call in the body of a class has a word as an argument, and so may define a method with that name.
    fn is_generated(&self, parts: &[Site], text: &str) -> bool {
        parts.iter().any(|part| {
            let Some(view) = self.view(part.file) else { return false };
            let Some(scope) = self.class_scope(&view, part.name) else { return false };
            let table = view.tree.table();
            table.descendants(scope).any(|node| {
                view.rules.open_classes.symbol_types.contains(table.type_id(node))
                    && symbol_word(&view.tree.node_text(node)) == text
                    && view.scopes.around(node) == scope
            })
        })
    }

    /// Whether a name can only mean a method that a call in the body of a class makes, and that class is none of some, nor below one:
    /// `attr_reader :name`, `made.name`.
    pub fn is_made_elsewhere(&self, classes: &FxHashSet<Site>, file: FileId, name: Node) -> bool {
        /// How far a symbol is from the call that gets it.
        const REACH: usize = 2;
        let Some(view) = self.view(file) else { return false };
        let rules = &view.rules.open_classes;
        if rules.member_makers.is_empty() {
            return false;
        }
        let table = view.tree.table();
        let is_other = |class: Site| {
            let (above, is_complete) = self.superclasses(class);
            is_complete && !classes.contains(&class) && !above.iter().any(|above| classes.contains(above))
        };
        if rules.symbol_types.contains(table.type_id(name)) {
            let call = table.ancestors(name).take(REACH).find(|&node| self.called(&view, node).is_some());
            let Some((call, callee)) = call.and_then(|call| Some((call, self.called(&view, call)?))) else {
                return false;
            };
            let has_object = view.rules.objects.of(table.type_id(call)).into_iter().flatten();
            let has_object = has_object.flat_map(|path| view.tree.reached(call, path)).next().is_some();
            let is_maker = rules.member_makers.iter().any(|maker| **maker == *view.tree.node_text(callee));
            let scope = view.scopes.around(name);
            let class = self.class_at(&view, scope).filter(|_| view.rules.classes.contains(table.type_id(scope)));
            return is_maker && !has_object && class.is_some_and(is_other);
        }
        let call = table.parent(name).filter(|&call| self.called(&view, call) == Some(name));
        let Some(call) = call else { return false };
        let objects = view.rules.objects.of(table.type_id(call)).into_iter().flatten();
        let Some(object) = objects.flat_map(|path| view.tree.reached(call, path)).next() else { return false };
        let values = self.value(file, object);
        let text = view.tree.node_text(name);
        let is_made = |value: &Value| match *value {
            Value::Instance { class, .. } => {
                let found = self.lookup(class, Method { text: &text, is_setter: false }, false);
                is_other(class) && matches!(found, Lookup::Generated)
            }
            _ => false,
        };
        values.is_complete && !values.known.is_empty() && values.known.iter().all(is_made)
    }

    /// The meaning of the name of a method where it is defined.
    fn defined_method(&self, view: &View<'_>, name: Node, text: &str) -> Meaning {
        let Some(definition) = self.method_at(view, name) else { return Meaning::Unknown(Vec::new()) };
        let method = Method { text, is_setter: is_setter(view, definition, name) };
        let first = match self.class_of_method(view, definition) {
            Own::Of { class, is_class } => self.own_methods(class, method, is_class).first().copied(),
            Own::Program => self.program_methods(view, method).into_iter().find(|site| site.file == view.file),
            Own::Unknown => None,
        };
        let Site { file, name } = first.unwrap_or(Site { file: view.file, name });
        Meaning::site(file, name)
    }

    /// The methods with a name outside of classes.
    fn program_methods(&self, view: &View<'_>, method: Method<'_>) -> Vec<Site> {
        let mut found = Vec::new();
        for file in self.files_around(view, &[method.text]) {
            let Some(other) = self.view(file) else { continue };
            let is_it = |&&name: &&Node| {
                self.method_at(&other, name).is_some_and(|definition| {
                    is_setter(&other, definition, name) == method.is_setter
                        && matches!(self.class_of_method(&other, definition), Own::Program)
                })
            };
            found.extend(other.scopes.nodes_of(method.text).iter().find(is_it).map(|&name| Site { file, name }));
        }
        found
    }

    /// The meaning of the name that a call calls.
    fn called_method(&self, view: &View<'_>, call: Node, name: Node, text: &str) -> Meaning {
        let table = view.tree.table();
        let is_assigned =
            table.parent(call).is_some_and(|_| view.scopes.reaches(call, &view.scopes.rules.bindings).is_some());
        let method = Method { text, is_setter: is_assigned };
        let objects = view.rules.objects.of(table.type_id(call)).into_iter().flatten();
        let Some(object) = objects.flat_map(|path| view.tree.reached(call, path)).next() else {
            return self.own_method(view, name, method);
        };
        let values = self.value(view.file, object);
        let meaning = Meaning::union(values.known.iter().map(|value| self.method_of(value, method)));
        // `a.b += 1` also reads it.
        let is_both = table
            .parent(call)
            .is_some_and(|parent| is_assigned && view.rules.values.of(table.type_id(parent)).is_none());
        match meaning {
            Meaning::Known(things) if values.is_complete && !is_both => Meaning::Known(things),
            Meaning::Known(things) | Meaning::Unknown(things) => Meaning::Unknown(things),
            Meaning::External => Meaning::Unknown(Vec::new()),
        }
    }

    fn method_of(&self, value: &Value, method: Method<'_>) -> Meaning {
        let (class, is_class) = match value {
            Value::Class { class, .. } => (*class, true),
            Value::Instance { class, .. } => (*class, false),
            _ => return Meaning::Unknown(Vec::new()),
        };
        match self.lookup(class, method, is_class) {
            Lookup::Found(sites) => {
                let first = sites[0];
                Meaning::site(first.file, first.name)
            }
            Lookup::Generated | Lookup::Missing => Meaning::Unknown(Vec::new()),
        }
    }

    /// The meaning of a name as a method of the object of the code around it.
    fn own_method(&self, view: &View<'_>, name: Node, method: Method<'_>) -> Meaning {
        let found = match self.own_object(view, name) {
            Own::Of { class, is_class } => {
                let value = match is_class {
                    true => Value::Class { class, is_own: true },
                    false => Value::Instance { class, is_own: true },
                };
                self.method_of(&value, method)
            }
            Own::Program => {
                let all = self.program_methods(view, method);
                if let Some(own) = all.iter().find(|site| site.file == view.file) {
                    return Meaning::site(own.file, own.name);
                }
                Meaning::Unknown(all.into_iter().map(Thing::Symbol).collect())
            }
            Own::Unknown => Meaning::Unknown(Vec::new()),
        };
        match found {
            Meaning::Unknown(things) if things.is_empty() => {
                Meaning::Unknown(self.program_methods(view, method).into_iter().map(Thing::Symbol).collect())
            }
            found => found,
        }
    }

    /// A method of classes or of what is above them, for questions about overrides.
    pub(in crate::symbols) fn open_member(&self, classes: &[Site], text: &str) -> Member {
        for &class in classes {
            for is_class in [false, true] {
                if let Lookup::Found(sites) = self.lookup(class, Method { text, is_setter: false }, is_class) {
                    return Member::Found(sites);
                }
            }
        }
        Member::External
    }

    /// The class of a method, by its name.
    pub(in crate::symbols) fn open_class_of(&self, view: &View<'_>, name: Node) -> Option<Site> {
        match self.class_of_method(view, self.method_at(view, name)?) {
            Own::Of { class, .. } => Some(class),
            Own::Program | Own::Unknown => None,
        }
    }

    /// The words that may name methods without calling them: each node with the span of the word.
    pub(in crate::symbols) fn symbol_words(view: &View<'_>) -> Vec<(Node, Span)> {
        let table = view.tree.table();
        let nodes = table.nodes().filter(|&node| view.rules.open_classes.symbol_types.contains(table.type_id(node)));
        let word = |node: Node| {
            let text = view.tree.node_text(node);
            let word = symbol_word(&text);
            let start = view.tree.span(node).start() + (text.len() - text.trim_start_matches(':').len());
            (node, Span::new(start, start + word.len()))
        };
        nodes.map(word).collect()
    }
}

/// A module that a class mixes in.
struct Mixin {
    word: String,
    class: Option<Site>,
}

/// Whether a definition is that of the assignment to a name.
fn is_setter(view: &View<'_>, definition: Node, name: Node) -> bool {
    view.tree.table().parent(name) != Some(definition)
}

fn symbol_word(text: &str) -> &str {
    text.trim_start_matches(':').trim_end_matches('=')
}
