//! Where the names of members and of classes are data: calls and formats that write objects, code that reads data into a type, objects
//! that are asked for the name of their class.

use rustc_hash::FxHashSet;

use super::shown::{around_in_statement, is_callee, is_in};
use crate::modules::FileId;
use crate::symbols::{Meaning, Resolver, Site, Thing, Value, Values, View};
use crate::text::Span;
use crate::tree::Node;

/// How far the type that data gets is from the call that reads it.
const REACH: usize = 4;

impl Resolver<'_> {
    /// Where a file writes objects of some classes with the names of their members, or reads them so.
    pub fn shown_members(&self, file: FileId, classes: &FxHashSet<Site>) -> Vec<Span> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let rules = &view.rules.shown;
        let table = view.tree.table();
        let names: Vec<String> = classes.iter().filter_map(|&class| self.name_of(class)).collect();
        let is_of = |values: Values| {
            values.known.iter().any(|value| {
                matches!(value, Value::Instance { class, .. } | Value::Class { class, .. } if classes.contains(class))
            })
        };
        let has_class = |node: Node| is_of(self.value(file, node)) || self.is_constant_of(&view, node, classes);
        let only_part = |node: Node| {
            let mut parts = view.tree.named_children(node);
            parts.next().filter(|_| parts.next().is_none())
        };
        // `[]A{{1}}`: what is written there has the objects.
        let holds = |argument: Node| {
            let names_one = |inner: Node| {
                view.scopes.is_identifier(inner) && names.iter().any(|name| *name == *view.tree.node_text(inner))
            };
            std::iter::once(argument)
                .chain(table.descendants(argument))
                .any(|node| rules.holders.contains(table.type_id(node)) && table.descendants(node).any(names_one))
        };
        let mut found = Vec::new();
        if !rules.calls.is_empty() || !rules.printed.is_empty() {
            for (span, string, values) in self.values_in_text(&view) {
                let is_made = || {
                    let meaning = self.text_meaning(&view, string, span);
                    rules.follows_values && meaning.is_some_and(|meaning| self.is_made_by(&meaning, &names))
                };
                if writes_names(&view, string) && (is_of(values) || is_made()) {
                    found.push(span);
                }
            }
        }
        for node in table.nodes() {
            if table.fits_any(node, &rules.nodes) && view.tree.named_children(node).any(has_class) {
                found.push(table.span(node));
            }
            let Some(callee) = view.tree.callee_text(node) else { continue };
            let Some(called) = self.called(&view, node) else { continue };
            let list = || table.children(node).filter(|&child| table.is_named(child) && child != called).last();
            let is_written =
                is_call_of(&rules.calls, &callee) || is_call_of(&rules.printed, &callee) && has_format(&view, list());
            // What is called is looked at last, since that takes time.
            let gets_some = || {
                let mut arguments = list().into_iter().flat_map(|list| view.tree.named_children(list));
                !rules.follows_values || arguments.any(|argument| self.is_made_of(&view, argument, &names))
            };
            if is_written || rules.follows_calls && gets_some() && self.passes_to_written(&view, node, called) {
                let mut arguments = list().into_iter().flat_map(|list| view.tree.named_children(list));
                // `&o`
                let is_its = |argument: Node| {
                    has_class(argument)
                        || only_part(argument).is_some_and(has_class)
                        || !view.rules.shown.holders.is_empty() && holds(argument)
                        || rules.follows_values && self.is_made_of(&view, argument, &names)
                };
                if arguments.any(is_its) {
                    found.push(table.span(node));
                }
            }
            let object = || self.object_of(&view, self.member_name(&view, called).unwrap_or(called));
            if is_call_of(&rules.methods, &callee) && object().is_some_and(has_class) {
                found.push(table.span(node));
            }
            if is_call_of(&rules.data_calls, &callee) {
                let around = around_in_statement(&view, node, REACH);
                let is_type = |&inner: &Node| {
                    view.scopes.is_identifier(inner)
                        && !table.is_within(inner, node)
                        && names.iter().any(|name| *name == *view.tree.node_text(inner))
                };
                if around.into_iter().any(|around| table.descendants(around).any(|inner| is_type(&inner))) {
                    found.push(table.span(node));
                }
            }
        }
        found
    }

    /// Whether a call passes its arguments to a function of the project that writes its parameters as data.
    fn passes_to_written(&self, view: &View<'_>, call: Node, called: Node) -> bool {
        let rules = &view.rules.shown;
        let Meaning::Known(things) = self.meaning(view.file, self.member_name(view, called).unwrap_or(called)) else {
            return false;
        };
        things.iter().any(|thing| {
            let Thing::Symbol(site) = *thing else { return false };
            let Some(own) = self.view(site.file) else { return false };
            let Some(definition) = self.definition_of(&own, site.name) else { return false };
            let table = own.tree.table();
            // The body of a macro is text.
            if own.rules.macros.templates.contains(table.type_id(definition)) {
                let text = own.tree.node_text(definition);
                let is_format = rules.formats.as_ref().is_some_and(|formats| formats.get().is_match(&text));
                return is_format && rules.printed.iter().any(|word| text.contains(word.as_str()));
            }
            // A parameter is bound before the body.
            let is_parameter = |one: Node| {
                let body = own.tree.body(definition);
                table.is_within(one, definition) && body.is_some_and(|body| one < body)
            };
            let in_text = || {
                let names = self.values_in_text(&own).into_iter();
                let mut names = names.filter(|(_, string, _)| table.is_within(*string, definition));
                names.any(|(span, string, _)| {
                    let bound = self.text_meaning(&own, string, span);
                    let is_its = |thing: &Thing| matches!(*thing, Thing::Symbol(site) if is_parameter(site.name));
                    writes_names(&own, string)
                        && matches!(bound, Some(Meaning::Known(things)) if things.iter().any(is_its))
                })
            };
            let in_call = |node: Node| {
                let callee = own.tree.callee_text(node).unwrap_or_default();
                let is_its = |inner: Node| {
                    let is_name = own.scopes.is_identifier(inner);
                    let bound = is_name.then(|| own.scopes.only_binder(inner)).flatten().map(|(_, found)| found.name);
                    bound.is_some_and(is_parameter)
                };
                let list = || table.children(node).filter(|&child| table.is_named(child)).last();
                call != node
                    && (is_callee(&rules.calls, &callee)
                        || is_callee(&rules.printed, &callee) && (rules.formats.is_none() || has_format(&own, list())))
                    && table.descendants(node).any(is_its)
            };
            table.descendants(definition).any(in_call) || rules.formats.is_some() && in_text()
        })
    }

    /// Whether a value may have objects of some classes: its code names one, or that of what its names are bound to does.
    fn is_made_of(&self, view: &View<'_>, node: Node, classes: &[String]) -> bool {
        let names = std::iter::once(node).chain(view.tree.table().descendants(node));
        let mut names = names.filter(|&name| view.scopes.is_identifier(name));
        names.any(|name| {
            let text = view.tree.node_text(name);
            // What the file binds is enough, and takes little time.
            let bound = || view.scopes.only_binder(name).map(|(_, found)| Site { file: view.file, name: found.name });
            classes.iter().any(|class| *class == *text) || bound().is_some_and(|site| self.is_bound_to(site, classes))
        })
    }

    /// The same for what a name means.
    fn is_made_by(&self, meaning: &Meaning, classes: &[String]) -> bool {
        let Meaning::Known(things) = meaning else { return false };
        things.iter().any(|thing| matches!(*thing, Thing::Symbol(site) if self.is_bound_to(site, classes)))
    }

    /// Whether the code that a name is bound to names one of some classes.
    fn is_bound_to(&self, site: Site, classes: &[String]) -> bool {
        let Some(own) = self.view(site.file) else { return false };
        let definition = self.definition_of(&own, site.name);
        let origin = definition.or_else(|| around_in_statement(&own, site.name, REACH).pop());
        origin.is_some_and(|origin| {
            let text = own.tree.node_text(origin);
            classes.iter().any(|class| crate::facts::has_word(text.as_bytes(), class.as_bytes()))
        })
    }

    /// Where a file asks an object whose class is one of some for the name of that class: `type(A()).__name__`.
    pub fn asked_classes(&self, file: FileId, classes: &[Site]) -> Vec<Span> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let rules = view.rules;
        let words = &rules.hidden_uses.own_names;
        if words.is_empty() || rules.class_objects.attributes.is_empty() && rules.class_objects.calls.is_empty() {
            return Vec::new();
        }
        let asks = |&name: &Node| {
            let object = self.object_of(&view, name)?;
            let inner = match self.called(&view, object) {
                Some(callee) if is_in(&rules.class_objects.calls, &view.tree.node_text(callee)) => {
                    self.first_argument(&view, object, callee)?
                }
                Some(_) => return None,
                None => {
                    let member = self.member_name(&view, object)?;
                    is_in(&rules.class_objects.attributes, &view.tree.node_text(member)).then_some(())?;
                    self.object_of(&view, member)?
                }
            };
            let values = self.value(file, inner);
            let is_one =
                |value: &Value| matches!(value, Value::Instance { class, is_own: false } if classes.contains(class));
            (values.is_complete && values.known.iter().any(is_one)).then_some(view.tree.span(name))
        };
        let names = words.iter().flat_map(|word| view.scopes.nodes_of(word).to_vec());
        names.filter_map(|name| asks(&name)).collect()
    }

    /// Where a file asks some classes or functions for the module that has them: `A.__module__`.
    pub fn asked_modules(&self, file: FileId, sites: &[Site]) -> Vec<Span> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let words = &view.rules.hidden_uses.module_readers;
        let names = words.iter().flat_map(|word| view.scopes.nodes_of(word).to_vec());
        let asks = |&name: &Node| {
            let object = self.object_of(&view, name);
            object.is_some_and(|object| {
                self.value(file, object).known.iter().any(|value| match *value {
                    Value::Class { class, .. } | Value::Instance { class, .. } => sites.contains(&class),
                    Value::Function { function, .. } => sites.contains(&function),
                    _ => false,
                })
            })
        };
        names.filter(asks).map(|name| view.tree.span(name)).collect()
    }

    /// Whether the text of a name is shown where it is written: `f"{x=}"`.
    pub fn shows_code(&self, file: FileId, name: Node) -> bool {
        self.view(file).is_some_and(|view| {
            let shown = &view.rules.hidden_uses.shown_code;
            let table = view.tree.table();
            !shown.is_empty() && table.ancestors(name).any(|node| table.fits_any(node, shown))
        })
    }
}

/// Whether a text is a format that writes names: `"{p:?}"`.
fn writes_names(view: &View<'_>, string: Node) -> bool {
    let formats = view.rules.shown.formats.as_ref();
    formats.is_none_or(|formats| formats.get().is_match(&view.tree.node_text(string)))
}

/// Whether the arguments of a call have such a text, or none at all.
fn has_format(view: &View<'_>, list: Option<Node>) -> bool {
    let is_string = |inner: &Node| view.tree.language().role(view.tree.table().type_id(*inner)).string;
    let arguments: Vec<Node> = list.into_iter().flat_map(|list| view.tree.named_children(list)).collect();
    let inner = arguments.iter().flat_map(|&argument| view.tree.named_children(argument)).take(1);
    let mut strings = arguments.iter().copied().chain(inner).filter(is_string).peekable();
    strings.peek().is_none() || strings.any(|string| writes_names(view, string))
}

/// The same for what is called, which may have calls before its last name, or types after it: `json.NewEncoder(w).Encode`.
fn is_call_of(words: &[String], callee: &str) -> bool {
    is_callee(words, callee) || is_in(words, callee)
}
