//! Functions with one name among which a call chooses by its arguments, and calls of constructors that name no class.

use super::calls::CallSite;
use super::inference::resolver::{Resolver, View};
use super::model::{Meaning, Site, Thing};
use crate::modules::FileId;
use crate::selector::Kinds;
use crate::tree::Node;

/// The arguments that a function takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// The least number of them.
    pub fewest: usize,
    /// The largest number; `None` if there is none.
    pub most: Option<usize>,
    /// The written types of the parameters.
    pub types: Vec<WrittenType>,
}

/// A type as it is written, without type arguments and packages.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WrittenType {
    /// Its text; empty if it is not known, or any type may be put in its place.
    pub text: String,
    /// Which of the types that take no value of another one it is.
    pub apart: Option<usize>,
}

impl WrittenType {
    fn is_apart_from(&self, other: &WrittenType) -> bool {
        self.apart.zip(other.apart).is_some_and(|(own, other)| own != other)
    }

    fn may_equal(&self, other: &WrittenType) -> bool {
        self.text.is_empty() || other.text.is_empty() || self.text == other.text
    }
}

impl Accepted {
    /// Whether it takes a number of arguments.
    pub fn takes(&self, count: usize) -> bool {
        count >= self.fewest && self.most.is_none_or(|most| count <= most)
    }

    /// Whether it may take arguments of some types.
    pub fn may_take(&self, types: &[WrittenType]) -> bool {
        let is_one_by_one = self.most == Some(types.len()) && self.types.len() == types.len();
        self.takes(types.len()) && !(is_one_by_one && self.is_apart_from(types))
    }

    fn is_apart_from(&self, types: &[WrittenType]) -> bool {
        self.types.iter().zip(types).any(|(own, other)| own.is_apart_from(other))
    }

    /// Whether one call may fit both.
    pub fn meets(&self, other: &Accepted) -> bool {
        let is_closed = self.most == Some(self.types.len()) && other.most == Some(other.types.len());
        let is_apart = is_closed && self.types.len() == other.types.len() && self.is_apart_from(&other.types);
        let meets =
            self.most.is_none_or(|most| most >= other.fewest) && other.most.is_none_or(|most| most >= self.fewest);
        meets && !is_apart
    }

    /// Whether one may override the other.
    pub fn may_override(&self, other: &Accepted) -> bool {
        self.types.len() == other.types.len()
            && self.types.iter().zip(&other.types).all(|(own, other)| own.may_equal(other))
    }
}

/// A call of a constructor that does not name the class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConstructorCall {
    /// The node that calls; the constructor or class, if it does without a word.
    pub node: Node,
    /// The call with its arguments; `None` if it passes none and has no list of them.
    pub site: Option<CallSite>,
}

impl Resolver<'_> {
    /// Whether several functions in a file can have one name, and a call chooses by its arguments.
    pub fn chooses_by_arguments(&self, file: FileId) -> bool {
        self.view(file).is_some_and(|view| view.rules.overloads.by_arguments)
    }

    /// Whether several definitions with parameters have one name: overloads, declarations.
    pub fn has_overloads(&self, function: Site) -> bool {
        self.overloads(function).len() > 1
    }

    /// The definitions with parameters that have the name of a function, and are that symbol.
    pub fn overloads(&self, function: Site) -> Vec<Site> {
        let Some(view) = self.view(function.file) else { return Vec::new() };
        let has_list = |&name: &Node| {
            let definition = self.definition_of(&view, name)?;
            let value = view.tree.bound_value(definition).unwrap_or(definition);
            self.list_of(&view, value, &view.tree.language().spec().params)
        };
        let names = self.binders(&view, function).into_iter().filter(|name| has_list(name).is_some());
        names.map(|name| Site { file: function.file, name }).collect()
    }

    /// The constructors that a class defines.
    pub fn constructors(&self, class: Site) -> Vec<Site> {
        let Some(view) = self.view(class.file) else { return Vec::new() };
        let Some(definition) = self.definition_of(&view, class.name) else { return Vec::new() };
        let kinds = Kinds::new(view.tree);
        let own = view.tree.table().descendants(definition).filter(|&node| kinds.is(node, "constructor"));
        let names = own.filter_map(|node| view.tree.name_node(node));
        let names = names.filter(|&name| self.class_of_constructor_in(&view, name) == Some(class));
        names.map(|name| Site { file: class.file, name }).collect()
    }

    /// The class whose objects a constructor makes.
    pub fn class_of_constructor(&self, constructor: Site) -> Option<Site> {
        self.class_of_constructor_in(&*self.view(constructor.file)?, constructor.name)
    }

    fn class_of_constructor_in(&self, view: &View<'_>, name: Node) -> Option<Site> {
        let definition = self.definition_of(view, name)?;
        let table = view.tree.table();
        let scope =
            table.ancestors(definition).find(|&node| view.scopes.rules.members.contains(table.type_id(node)))?;
        self.class_at(view, scope)
    }

    /// The arguments that a function takes.
    pub fn accepted(&self, function: Site) -> Option<Accepted> {
        let parameters = self.parameters(function)?;
        let view = self.view(function.file)?;
        let own: Vec<_> = parameters.all.iter().filter(|parameter| !parameter.is_receiver).collect();
        let is_open = own.iter().any(|parameter| parameter.is_rest);
        let needed = own.iter().filter(|parameter| !parameter.is_rest && !has_default(&view, parameter.node));
        let types = own.iter().map(|parameter| match parameter.is_rest {
            true => WrittenType::default(),
            false => self.written_type(&view, parameter.node),
        });
        let types = types.collect();
        Some(Accepted { fewest: needed.count(), most: (!is_open).then_some(own.len()), types })
    }

    /// The type that is written for a parameter or a variable.
    fn written_type(&self, view: &View<'_>, declaration: Node) -> WrittenType {
        let table = view.tree.table();
        // `int a[]` has a part of its type elsewhere.
        if table.children(declaration).any(|part| view.tree.node_text(part).starts_with('[')) {
            return WrittenType::default();
        }
        let paths = view.rules.written_types.annotations.of(table.type_id(declaration)).into_iter().flatten();
        let Some(written) = paths.flat_map(|path| view.tree.reached(declaration, path)).next() else {
            return WrittenType::default();
        };
        let names = std::iter::once(written).chain(table.descendants(written));
        let is_variable = |name: Node| match self.meaning(view.file, name) {
            Meaning::Known(things) => {
                !things.iter().all(|thing| matches!(thing, Thing::Symbol(site) if self.is_class(*site)))
            }
            Meaning::External => false,
            Meaning::Unknown(_) => true,
        };
        match names.into_iter().find(|&node| view.scopes.is_identifier(node)) {
            Some(name) if is_variable(name) => WrittenType::default(),
            _ => self.type_of_text(view.file, &view.tree.node_text(written)),
        }
    }

    /// A type by its text.
    pub fn type_of_text(&self, file: FileId, text: &str) -> WrittenType {
        let mut depth = 0_usize;
        let mut head = String::new();
        for letter in text.chars().filter(|letter| !letter.is_whitespace()) {
            match letter {
                '<' => depth += 1,
                '>' => depth = depth.saturating_sub(1),
                '.' if depth == 0 => head.clear(),
                _ if depth == 0 => head.push(letter),
                _ => {}
            }
        }
        let apart = self.view(file).and_then(|view| {
            view.rules.overloads.apart.iter().position(|group| group.split(' ').any(|one| one == head))
        });
        WrittenType { text: head, apart }
    }

    /// The type of an argument, where its text or the declaration of its name shows it.
    pub fn type_of_argument(&self, file: FileId, argument: Node) -> WrittenType {
        let Some(view) = self.view(file) else { return WrittenType::default() };
        let table = view.tree.table();
        if let Some(written) = view.rules.overloads.literals.of(table.type_id(argument)) {
            return self.type_of_text(file, written);
        }
        if !view.scopes.is_identifier(argument) {
            return WrittenType::default();
        }
        match self.meaning(file, argument) {
            Meaning::Known(things) => match things[..] {
                [Thing::Symbol(site)] => self.view(site.file).map_or_else(WrittenType::default, |view| {
                    let definition = view.tree.table().parent(site.name);
                    definition.map_or_else(WrittenType::default, |definition| self.written_type(&view, definition))
                }),
                _ => WrittenType::default(),
            },
            _ => WrittenType::default(),
        }
    }

    /// The calls of a class's own constructors that do not name it: `this(1)`.
    pub fn own_constructor_calls(&self, class: Site) -> Vec<ConstructorCall> {
        let Some(view) = self.view(class.file) else { return Vec::new() };
        let calls =
            self.calls_in(&view, class, |node| view.tree.table().fits_any(node, &view.rules.overloads.own_calls));
        calls.into_iter().map(|node| ConstructorCall { node, site: self.call_at(&view, node) }).collect()
    }

    /// The calls of constructors of a class's base that do not name it: `super(1)`, and those of constructors that call none.
    pub fn base_constructor_calls(&self, class: Site) -> Vec<ConstructorCall> {
        let Some(view) = self.view(class.file) else { return Vec::new() };
        let (table, rules) = (view.tree.table(), &view.rules.overloads);
        let calls = self.calls_in(&view, class, |node| table.fits_any(node, &rules.base_calls));
        let mut found: Vec<ConstructorCall> =
            calls.into_iter().map(|node| ConstructorCall { node, site: self.call_at(&view, node) }).collect();
        if !rules.silent {
            return found;
        }
        let own = self.constructors(class);
        let calls_another = |definition: Node| {
            table
                .descendants(definition)
                .any(|node| table.fits_any(node, &rules.base_calls) || table.fits_any(node, &rules.own_calls))
        };
        let definitions = own.iter().filter_map(|constructor| self.definition_of(&view, constructor.name));
        let silent = definitions.filter(|&definition| !calls_another(definition));
        found.extend(silent.map(|node| ConstructorCall { node, site: None }));
        if own.is_empty() {
            found.push(ConstructorCall { node: class.name, site: None });
        }
        found
    }

    /// The nodes of a class, and of no class in it, that fit.
    fn calls_in(&self, view: &View<'_>, class: Site, fits: impl Fn(Node) -> bool) -> Vec<Node> {
        let Some(definition) = self.definition_of(view, class.name) else { return Vec::new() };
        let table = view.tree.table();
        let is_own = |&node: &Node| {
            let scope = table.ancestors(node).find(|&node| view.scopes.rules.members.contains(table.type_id(node)));
            scope.and_then(|scope| self.class_at(view, scope)) == Some(class)
        };
        table.descendants(definition).filter(|&node| fits(node)).filter(is_own).collect()
    }

    /// Whether a use of a class is one of its constructors as a function, or any value in a language where classes are values.
    pub fn is_constructor_as_value(&self, file: FileId, name: Node) -> bool {
        let Some(view) = self.view(file) else { return false };
        let (table, forms) = (view.tree.table(), &view.rules.overloads.as_functions);
        forms.is_empty() || table.ancestors(name).take(FINDER_HOPS).any(|node| table.fits_any(node, forms))
    }

    /// Whether a use of a class looks for its constructors: `A.class.getConstructor()`.
    pub fn finds_constructors(&self, file: FileId, name: Node) -> bool {
        let Some(view) = self.view(file) else { return false };
        let finders = &view.rules.overloads.finders;
        let table = view.tree.table();
        table.ancestors(name).take(FINDER_HOPS).any(|node| {
            let callee = self.called(&view, node);
            callee.is_some_and(|callee| {
                let name = self.member_name(&view, callee).unwrap_or(callee);
                finders.iter().any(|finder| *finder == *view.tree.node_text(name))
            })
        })
    }
}

/// How far the call of a method can be around a class as its object.
const FINDER_HOPS: usize = 4;

/// Whether a parameter may be left out of a call: an `=` is in it or follows it.
fn has_default(view: &View<'_>, parameter: Node) -> bool {
    let table = view.tree.table();
    let is_equals = |node: Node| !table.is_named(node) && *view.tree.node_text(node) == *"=";
    table.children(parameter).any(is_equals) || table.next_sibling(parameter).is_some_and(is_equals)
}
