//! Arguments that pass any number of named arguments: `**kw`.

use rustc_hash::FxHashSet;

use crate::modules::FileId;
use crate::symbols::{Resolver, Site, Value, View};
use crate::text::Span;
use crate::tree::Node;

/// An argument that passes any number of named arguments: `**kw`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Splat {
    /// Where it is.
    pub span: Span,
    /// Whether it passes on those of the function around it.
    pub is_passed_on: bool,
}

impl Resolver<'_> {
    /// Whether code of a file asks functions for the names of their parameters.
    pub fn asks_for_parameters(&self, file: FileId) -> bool {
        self.view(file).is_some_and(|view| {
            let words = view.rules.hidden_uses.parameter_searches.iter();
            words.into_iter().any(|word| !view.scopes.nodes_of(word).is_empty())
        })
    }

    /// Where a file asks one of some functions for the names of its parameters: `inspect.signature(f)`, `f.__annotations__`.
    pub fn asked_parameters(&self, file: FileId, functions: &[Site]) -> Vec<Span> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let table = view.tree.table();
        let is_its = |node: Node| {
            self.value(file, node)
                .known
                .iter()
                .any(|value| matches!(value, Value::Function { function, .. } if functions.contains(function)))
        };
        let asks = |&name: &Node| {
            let called = table.ancestors(name).take(2).find_map(|call| Some((call, self.called(&view, call)?)));
            let argument = called.filter(|(_, callee)| table.is_within(name, *callee));
            let argument = argument.and_then(|(call, callee)| self.first_argument(&view, call, callee));
            self.object_of(&view, name).is_some_and(is_its) || argument.is_some_and(is_its)
        };
        let words = view.rules.hidden_uses.parameter_searches.iter();
        let names = words.flat_map(|word| view.scopes.nodes_of(word).to_vec());
        names.filter(asks).map(|name| table.span(name)).collect()
    }

    /// Whether a string is a key of a table that a call gets beside a function of one of some names, and so may name an argument of
    /// that: `Thread(target=f, kwargs={"size": 3})`.
    pub fn names_argument_beside(&self, file: FileId, string: Node, functions: &FxHashSet<String>) -> bool {
        /// How far a call is from a key of a table in its arguments.
        const REACH: usize = 6;
        let Some(view) = self.view(file) else { return false };
        let table = view.tree.table();
        let Some(pair) = table.parent(string).filter(|_| super::conventions::is_key(&view, string)) else {
            return false;
        };
        let Some(entries) = table.parent(pair) else { return false };
        let call = table.ancestors(entries).take(REACH).find(|&node| self.called(&view, node).is_some());
        call.is_some_and(|call| {
            table.descendants(call).any(|node| {
                !table.is_within(node, entries)
                    && (view.scopes.is_identifier(node) || view.tree.language().role(table.type_id(node)).string)
                    && functions.contains(view.tree.node_text(node).trim_matches(['"', '\'']))
            })
        })
    }

    /// The arguments of the call of a name that pass any number of named arguments.
    pub fn splats_at(&self, file: FileId, name: Node) -> Vec<Splat> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let table = view.tree.table();
        // `A.new(**options)`
        let makes = |member: Node| {
            let words = &view.rules.open_classes.instance_calls;
            let whole = |object: Node| object == name || self.member_name(&view, object) == Some(name);
            words.iter().any(|word| *word == *view.tree.node_text(member))
                && self.object_of(&view, member).is_some_and(whole)
        };
        let is_its = |&call: &Node| {
            let callee = self.called(&view, call);
            callee.is_some_and(|callee| {
                let member = self.member_name(&view, callee);
                callee == name || member == Some(name) || makes(member.unwrap_or(callee))
            })
        };
        table.ancestors(name).take(3).find(is_its).map_or_else(Vec::new, |call| self.splats_of_call(&view, call))
    }

    /// The arguments of a call that pass any number of named arguments.
    pub(super) fn splats_of_call(&self, view: &View<'_>, call: Node) -> Vec<Splat> {
        let table = view.tree.table();
        let is_splat = |node: &Node| view.scopes.rules.splats.contains(table.type_id(*node));
        let arguments = table.children(call).flat_map(|list| table.children(list));
        // A node may be around each argument.
        let splats = arguments.filter_map(|argument| {
            let inner = || view.tree.named_children(argument).next().filter(is_splat);
            Some(argument).filter(is_splat).or_else(inner)
        });
        let is_open = |&splat: &Node| !self.is_written_table(view, splat);
        let splat = |node: Node| Splat { span: table.span(node), is_passed_on: self.is_passed_on_splat(view, node) };
        splats.filter(is_open).map(splat).collect()
    }

    /// Whether an argument passes on the named arguments that the function around the call got. A parameter that is a table is none: who
    /// makes it names the arguments by strings.
    pub(super) fn is_passed_on_splat(&self, view: &View<'_>, splat: Node) -> bool {
        let passed = view.tree.named_children(splat).next().filter(|&inner| view.scopes.is_identifier(inner));
        let Some(passed) = passed else { return false };
        let names = view.scopes.names(&view.tree.node_text(passed));
        let symbol = names.at(passed).and_then(|found| names.resolve(&view.scopes, found));
        let mut binders = names.found.iter().filter(|found| found.does.is_binding());
        symbol.is_some_and(|symbol| {
            binders.any(|found| {
                view.scopes.reaches(found.name, &view.scopes.rules.parameters).is_some()
                    && view.tree.table().parent(found.name).is_some_and(|rest| view.is_spread(rest))
                    && names.resolve(&view.scopes, found).is_some_and(|other| other.is(symbol))
            })
        })
    }

    /// Whether a call in a file passes an argument by some name.
    pub fn names_argument(&self, file: FileId, name: &str) -> bool {
        self.view(file).is_some_and(|view| {
            let is_argument = |&node: &Node| view.scopes.fits(node, &view.scopes.rules.arguments).is_some();
            view.scopes.nodes_of(name).iter().any(is_argument)
        })
    }

    /// The arguments of a file that pass any number of named ones, which neither are written there nor come from the function around.
    pub fn unknown_splats(&self, file: FileId) -> Vec<Span> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let table = view.tree.table();
        let is_splat = |&node: &Node| view.scopes.rules.splats.contains(table.type_id(node));
        let is_known = |node: Node| self.is_written_table(&view, node) || self.is_passed_on_splat(&view, node);
        table.nodes().filter(is_splat).filter(|&node| !is_known(node)).map(|node| table.span(node)).collect()
    }

    /// Whether a function passes the named arguments that it gets on to something that is not known, itself or by a function that it calls:
    /// `self.kinds[kind](**options)`.
    pub fn passes_on_to_unknown(&self, function: Site) -> bool {
        /// How many functions are followed.
        const FUNCTIONS: usize = 8;
        let mut waiting = vec![function];
        let mut seen = FxHashSet::default();
        while let Some(function) = waiting.pop() {
            if !seen.insert(function) {
                continue;
            }
            // Nobody has seen where it goes.
            if seen.len() > FUNCTIONS {
                return true;
            }
            let Some(view) = self.view(function.file) else { return true };
            let Some(definition) = self.definition_of(&view, function.name) else { continue };
            let table = view.tree.table();
            let splats = table.descendants(definition).filter(|&node| {
                view.scopes.rules.splats.contains(table.type_id(node)) && self.is_passed_on_splat(&view, node)
            });
            for splat in splats {
                let call = table.ancestors(splat).take(3).find(|&node| self.called(&view, node).is_some());
                let Some(callee) = call.and_then(|call| self.called(&view, call)) else { continue };
                let values = self.value(view.file, callee);
                // The class of an object, or what makes a copy of one, makes objects of classes below, too.
                let copiers = &view.rules.hidden_uses.copiers;
                let name = self.member_name(&view, callee).unwrap_or(callee);
                let makes_any = |value: &Value| match value {
                    Value::Class { is_own, .. } => *is_own,
                    Value::External { .. } => copiers.iter().any(|copier| *copier == *view.tree.node_text(name)),
                    _ => false,
                };
                if values.known.is_empty() || !values.is_complete || values.known.iter().any(makes_any) {
                    return true;
                }
                waiting.extend(values.known.iter().filter_map(|value| match *value {
                    Value::Function { function, .. } => Some(function),
                    _ => None,
                }));
            }
        }
        false
    }

    /// Whether code registers a function to be called in place of the one that a name means: `@show.register`.
    pub fn registers_another(&self, file: FileId, name: Node) -> bool {
        self.view(file).is_some_and(|view| {
            let words = &view.rules.decorators.registering;
            let access = view.tree.table().parent(name).filter(|_| !words.is_empty());
            let member = access.and_then(|access| self.member_name(&view, access)).filter(|&member| member != name);
            member.is_some_and(|member| words.iter().any(|word| *word == *view.tree.node_text(member)))
        })
    }

    /// The calls in the body of a class that make what a base makes of its arguments: `super().__init__(…)`.
    pub fn constructor_calls_of_base(&self, class: Site) -> Vec<Node> {
        let Some(view) = self.view(class.file) else { return Vec::new() };
        let Some(definition) = self.definition_of(&view, class.name) else { return Vec::new() };
        let table = view.tree.table();
        let constructors = &view.scopes.rules.constructors;
        let is_one = |&call: &Node| {
            let name = self.called(&view, call).and_then(|callee| self.member_name(&view, callee));
            name.is_some_and(|name| constructors.iter().any(|known| *known == *view.tree.node_text(name)))
        };
        table.descendants(definition).filter(is_one).collect()
    }

    /// The arguments of a call that pass any number of named arguments.
    pub fn splats_of(&self, file: FileId, call: Node) -> Vec<Splat> {
        self.view(file).map_or_else(Vec::new, |view| self.splats_of_call(&view, call))
    }

    /// The argument that passes a table on, of which a string is a key.
    pub(super) fn splat_around(&self, view: &View<'_>, key: Node) -> Option<Node> {
        /// How far the argument is from a key of its table.
        const REACH: usize = 3;
        let table = view.tree.table();
        table.ancestors(key).take(REACH).find(|&node| view.scopes.rules.splats.contains(table.type_id(node)))
    }

    /// The call that has an argument.
    pub(super) fn call_around(&self, view: &View<'_>, argument: Node) -> Option<Node> {
        /// How far a call is from its arguments.
        const REACH: usize = 2;
        view.tree.table().ancestors(argument).take(REACH).find(|&node| view.tree.callee(node).is_some())
    }

    /// Whether an argument passes on a table that is written there, whose keys are strings.
    fn is_written_table(&self, view: &View<'_>, splat: Node) -> bool {
        let table = view.tree.table();
        let is_string = |node: Node| view.tree.language().role(table.type_id(node)).string;
        let is_known = |entry: Node| {
            let parts: Vec<Node> = view.tree.named_children(entry).collect();
            match parts.as_slice() {
                [key, _, ..] => is_string(*key),
                // An element of a list names nothing.
                _ => !view.scopes.rules.splats.contains(table.type_id(entry)),
            }
        };
        let passed = view.tree.named_children(splat).next();
        let passed = passed.filter(|&passed| view.rules.containers.contains(table.type_id(passed)));
        passed.is_some_and(|passed| view.tree.named_children(passed).all(is_known))
    }
}
