//! Members and arguments: names after a dot and before a `=`, as far as their meaning is certain.

use super::Scopes;
use super::bindings::{Symbol, VariableName};
use crate::language::Spaces;
use crate::tree::Node;

/// Names that refer to a symbol, and names that may.
#[derive(Debug, Default)]
pub struct Sorted {
    pub own: Vec<Node>,
    pub left: Vec<Node>,
}

/// The relation of an attribute's object to a class.
enum Object {
    /// The class or an instance of it, by the name spaces of its attributes.
    Own(Spaces),
    Unknown,
}

impl Scopes<'_> {
    /// The attributes and keys with a name, for a member of a class.
    pub fn attributes(&self, text: &str, member: Symbol) -> Sorted {
        let mut sorted = Sorted::default();
        for &name in self.nodes_of(text) {
            let is_lexical = self.rules.lexical.contains(self.tree.table().type_id(name));
            if is_lexical {
                continue;
            }
            if self.fits(name, &self.rules.attributes).is_some() {
                match self.object_of(name, member.scope) {
                    Object::Own(spaces) if spaces.meets(member.spaces) => sorted.own.push(name),
                    Object::Own(_) => {}
                    Object::Unknown => sorted.left.push(name),
                }
            } else if self.fits(name, &self.rules.keys).is_some() || self.shorthand(name).is_some() {
                sorted.left.push(name);
            }
        }
        sorted.left.extend(self.members_alike(text, member));
        sorted
    }

    /// Members with that name in other classes, which may be the same by inheritance.
    fn members_alike(&self, text: &str, member: Symbol) -> Vec<Node> {
        let names = self.names(text);
        let has_bases = |scope: Node| !self.base_names(scope).is_empty();
        let is_related = |scope: Node| self.tree.language().spec().references.structural || has_bases(scope);
        let is_own_related = is_related(member.scope);
        let is_alike = |found: &&VariableName| {
            found.does.is_binding()
                && self.is_member(found.scope, found.spaces)
                && found.scope != member.scope
                && (is_own_related || is_related(found.scope))
        };
        names.found.iter().filter(is_alike).map(|found| found.name).collect()
    }

    /// Whether a scope's bindings in such spaces are members.
    pub fn is_member(&self, scope: Node, spaces: Spaces) -> bool {
        let rules = self.rules;
        let shares = |space: Option<Spaces>| space.is_some_and(|space| space.meets(spaces));
        let has_spaces = rules.instance_space.is_some() || rules.static_space.is_some();
        rules.members.contains(self.tree.table().type_id(scope))
            && (!has_spaces || shares(rules.instance_space) || shares(rules.static_space))
    }

    /// The definition of a scope of members: the class around its body.
    pub fn class_of(&self, scope: Node) -> Node {
        let table = self.tree.table();
        let is_body = self.tree.name_node(scope).is_none();
        if is_body { table.parent(scope).unwrap_or(scope) } else { scope }
    }

    /// The base classes of a class, except those without members.
    pub fn base_names(&self, scope: Node) -> Vec<String> {
        let plain = &self.tree.language().spec().references.plain_bases;
        let bases = self.tree.bases(self.class_of(scope)).into_iter();
        bases.filter(|base| !plain.iter().any(|name| *name == **base)).map(std::borrow::Cow::into_owned).collect()
    }

    /// The relation of the receiver of an attribute to a class.
    fn object_of(&self, attribute: Node, class: Node) -> Object {
        let table = self.tree.table();
        self.count(1);
        let object = table.parent(attribute).and_then(|access| self.tree.named_children(access).next());
        let Some(object) = object.filter(|&object| object != attribute) else { return Object::Unknown };
        if self.rules.self_types.contains(table.type_id(object)) {
            return self.self_of(object, class);
        }
        if !self.is_identifier(object) {
            return Object::Unknown;
        }
        let Some((symbol, binder)) = self.only_binder(object) else { return Object::Unknown };
        let spaces = self.rules.static_space.unwrap_or(Spaces::ALL);
        // The name of an object is that of the variable to which it is bound.
        if self.tree.language().role(table.type_id(class)).named_value {
            return Object::Unknown;
        }
        if self.tree.name_node(self.class_of(class)) == Some(binder.name) {
            return Object::Own(spaces);
        }
        if self.is_own_parameter(symbol, binder, class) { Object::Own(Spaces::ALL) } else { Object::Unknown }
    }

    /// The object that `this` refers to at its place.
    fn self_of(&self, object: Node, class: Node) -> Object {
        let table = self.tree.table();
        let mut child = object;
        for ancestor in table.ancestors(object) {
            self.count(1);
            let leaves = self.fits(child, &self.rules.outside).is_some();
            if self.rules.self_scopes.contains(table.type_id(ancestor)) && !leaves {
                if table.parent(ancestor) != Some(class) {
                    return Object::Unknown;
                }
                let is_mark = |node: Node| self.rules.static_marks.contains(table.type_id(node));
                let is_static = is_mark(ancestor) || table.children(ancestor).any(is_mark);
                let space = if is_static { self.rules.static_space } else { self.rules.instance_space };
                return Object::Own(space.unwrap_or(Spaces::ALL));
            }
            child = ancestor;
        }
        Object::Unknown
    }

    /// The class of the object of the method around, if a node refers to that object or to its class: `self`, `this`.
    #[cfg_attr(not(feature = "schema"), allow(dead_code, reason = "only symbols of a project need it"))]
    pub fn class_of_self(&self, object: Node) -> Option<OwnClass> {
        let table = self.tree.table();
        if self.rules.self_types.contains(table.type_id(object)) {
            if self.rules.self_scopes.is_empty() {
                let class = table.ancestors(object).find(|&node| self.rules.members.contains(table.type_id(node)))?;
                return Some(OwnClass { class, is_class: false });
            }
            let mut child = object;
            for ancestor in table.ancestors(object) {
                let leaves = self.fits(child, &self.rules.outside).is_some();
                if self.rules.self_scopes.contains(table.type_id(ancestor)) && !leaves {
                    let class = table.parent(ancestor)?;
                    if !self.rules.members.contains(table.type_id(class)) {
                        return None;
                    }
                    let is_mark = |node: Node| self.rules.static_marks.contains(table.type_id(node));
                    let is_class = is_mark(ancestor) || table.children(ancestor).any(is_mark);
                    return Some(OwnClass { class, is_class });
                }
                child = ancestor;
            }
            return None;
        }
        if !self.rules.self_types.is_empty() || !self.is_identifier(object) {
            return None;
        }
        let (symbol, binder) = self.only_binder(object)?;
        let class = self.around(symbol.scope);
        if symbol.scope == Node::ROOT || !self.rules.members.contains(table.type_id(class)) {
            return None;
        }
        let class_methods = &self.tree.language().spec().symbols.decorators.class_methods;
        let is_class = self.tree.decorators(symbol.scope).iter().any(|&decorator| {
            let word = self.tree.decorator_word(decorator);
            class_methods.iter().any(|name| *name == *word)
        });
        self.is_own_parameter(symbol, binder, class).then_some(OwnClass { class, is_class })
    }

    /// Whether a variable is the first parameter of one of the class's own methods, as `self` is.
    fn is_own_parameter(&self, symbol: Symbol, binder: VariableName, class: Node) -> bool {
        let method = symbol.scope;
        if !self.rules.self_types.is_empty() || method == Node::ROOT || self.around(method) != class {
            return false;
        }
        // An anonymous function is not a method of the class.
        if self.tree.name_node(method).is_none() {
            return false;
        }
        let list = self.tree.table().parent(binder.name);
        let is_first = list.is_some_and(|list| {
            self.fits(binder.name, &self.rules.parameters).is_some()
                && self.tree.named_children(list).next() == Some(binder.name)
                && self.tree.table().parent(list) == Some(method)
        });
        let data = &self.tree.language().spec().references;
        let is_static = self.tree.decorators(method).iter().any(|&decorator| {
            let word = self.tree.decorator_word(decorator);
            data.static_decorators.iter().any(|name| *name == *word)
        });
        is_first && !is_static
    }

    /// Whether an argument can name a parameter.
    pub fn is_named_parameter(&self, name: Node) -> bool {
        let table = self.tree.table();
        if self.reaches(name, &self.rules.parameters).is_none() {
            return false;
        }
        let mut inner = name;
        while let Some(parent) = table.parent(inner) {
            if self.rules.positional.contains(table.type_id(parent)) {
                return false;
            }
            if self.tree.holds_parameters(parent) {
                let ends = |child: Node| self.rules.positional_before.contains(table.type_id(child));
                return !table.children(parent).any(|child| child > inner && ends(child));
            }
            inner = parent;
        }
        // The parameters of a class are in no list of a function.
        self.rules.positional.is_empty()
    }

    /// The arguments with that name, for a parameter of a function.
    pub fn arguments(&self, text: &str, function: Node) -> Sorted {
        let mut sorted = Sorted::default();
        let named = self.tree.name_node(function).map(|name| (name, self.only_binder(name)));
        for &name in self.nodes_of(text) {
            if self.fits(name, &self.rules.arguments).is_none() {
                continue;
            }
            match self.classify_call(name, function, named) {
                Called::It => sorted.own.push(name),
                Called::Other => {}
                Called::Unknown => sorted.left.push(name),
            }
        }
        sorted
    }

    /// The calls of a function with any number of named arguments, which may include the name.
    pub fn splats(&self, function: Node) -> Vec<Node> {
        let table = self.tree.table();
        let class = self.constructed_by(function).and_then(|class| self.tree.name_node(class));
        let names = self.tree.name_node(function).into_iter().chain(class);
        let mut found = Vec::new();
        for &use_ in names.flat_map(|name| self.nodes_of(&self.tree.node_text(name))) {
            let call = table
                .ancestors(use_)
                .take(2)
                .find(|&call| self.tree.callee(call).is_some_and(|callee| table.is_within(use_, callee)));
            let Some(call) = call else { continue };
            let arguments = table.children(call).flat_map(|list| table.children(list));
            found.extend(arguments.filter(|&argument| self.rules.splats.contains(table.type_id(argument))));
        }
        found
    }

    /// The class of which a call creates an instance through this method.
    fn constructed_by(&self, function: Node) -> Option<Node> {
        let name = self.tree.node_text(self.tree.name_node(function)?);
        let scope = self.around(function);
        let constructs = self.rules.members.contains(self.tree.table().type_id(scope))
            && self.tree.language().spec().references.constructors.iter().any(|word| *word == *name);
        constructs.then(|| self.class_of(scope))
    }

    /// Whose parameter an argument names.
    fn classify_call(
        &self,
        argument: Node,
        function: Node,
        named: Option<(Node, Option<(Symbol, VariableName)>)>,
    ) -> Called {
        let table = self.tree.table();
        self.count(1);
        let list = table.parent(argument).and_then(|argument| table.parent(argument));
        let callee = list.and_then(|list| table.parent(list)).and_then(|call| self.tree.callee(call));
        let (Some(list), Some(callee)) = (list, callee) else { return Called::Unknown };
        let name = named.map(|(name, _)| name);
        let symbol = named.and_then(|(_, symbol)| symbol);
        let mentions = || name.is_some_and(|name| self.mentions(list, name));
        let scope = self.around(function);
        let is_member = symbol.is_some_and(|(symbol, _)| self.is_member(symbol.scope, symbol.spaces));
        let class = self.constructed_by(function);
        let constructs = class.is_some();
        let class_name = class.and_then(|class| self.tree.name_node(class));
        if self.is_identifier(callee) {
            let names = self.names_like(callee);
            let Some(found) = names.at(callee) else { return Called::Unknown };
            if names.resolve(self, found).is_none() {
                // A builtin, which may call its arguments: `partial(f, x=1)`.
                return if mentions() { Called::Unknown } else { Called::Other };
            }
            let Some((_, binder)) = self.only_binder(callee) else { return Called::Unknown };
            if symbol.is_some() && name == Some(binder.name) && !is_member {
                return Called::It;
            }
            if class_name.is_some() && class_name == Some(binder.name) {
                return Called::It;
            }
            // An alias may be the function; a definition with another name, or an import, is not.
            let defined = table.parent(binder.name).filter(|&holder| self.tree.name_node(holder) == Some(binder.name));
            let is_other = binder.is_import()
                || defined
                    .is_some_and(|holder| self.is_scope(holder) && (!constructs || self.base_names(holder).is_empty()));
            return if is_other && !mentions() { Called::Other } else { Called::Unknown };
        }
        let end = table.subtree_end(callee);
        let last = table.range(end - 1, end).next();
        let Some(last) = last.filter(|&last| self.fits(last, &self.rules.attributes).is_some()) else {
            return Called::Unknown;
        };
        let word = self.tree.node_text(last);
        if name.is_some_and(|name| word == self.tree.node_text(name)) {
            let is_own = is_member && matches!(self.object_of(last, scope), Object::Own(_));
            return if is_own && symbol.is_some() { Called::It } else { Called::Unknown };
        }
        let is_class = class_name.is_some_and(|class| word == self.tree.node_text(class));
        if is_class || mentions() { Called::Unknown } else { Called::Other }
    }

    /// Whether a list of arguments contains a name.
    fn mentions(&self, list: Node, name: Node) -> bool {
        let table = self.tree.table();
        let text = self.tree.node_text(name);
        let is_name = |node: Node| self.is_identifier(node) && self.tree.node_text(node) == text;
        table.range(list.index(), table.subtree_end(list)).any(is_name)
    }
}

/// What `self` or `this` refers to.
#[cfg_attr(not(feature = "schema"), allow(dead_code, reason = "only symbols of a project need it"))]
#[derive(Debug, Clone, Copy)]
pub struct OwnClass {
    /// The scope with the members of the class.
    pub class: Node,
    /// Whether it is the class itself and not an instance.
    pub is_class: bool,
}

/// What is called with an argument.
enum Called {
    It,
    Other,
    Unknown,
}
