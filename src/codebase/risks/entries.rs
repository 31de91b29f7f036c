//! Names that the language or a tool uses by itself, and where they have that meaning: `main` is no entry point as a method.

use crate::modules::FileId;
use crate::outline;
use crate::symbols::{Meaning, Resolver, Site, Thing, View, is_found};
use crate::tree::Node;

impl Resolver<'_> {
    /// Why the language or a tool uses a definition by itself: by its name, a decorator or a modifier.
    pub(super) fn entry(&self, view: &View<'_>, definition: &outline::Definition) -> Option<&'static str> {
        let rules = view.rules;
        let name = view.tree.name_node(definition.node);
        let by_name = name.and_then(|name| self.meaning_of_name(view, name, &definition.name).map(|why| (name, why)));
        // An object that nothing gives away has no method that a library calls.
        let by_name = by_name.filter(|&(name, why)| {
            let class = self.class_of_member(Site { file: view.file, name });
            !self.is_of_given_objects(view.file, why) || class.is_none_or(|class| self.is_given_outside(class))
        });
        let by_name = by_name.map(|(_, why)| why);
        let by_decorator = || {
            let decorators = view.tree.decorators(definition.node);
            let words: Vec<_> = decorators.into_iter().map(|node| view.tree.decorator_word(node)).collect();
            rules.entries.decorators.iter().find(|(_, regex)| words.iter().any(|word| regex.get().is_match(word)))
        };
        let by_modifier = || {
            let words =
                if rules.entries.modifiers.is_empty() { Vec::new() } else { view.tree.modifiers(definition.node) };
            rules.entries.modifiers.iter().find(|(_, regex)| words.iter().any(|word| regex.get().is_match(word)))
        };
        by_name.or_else(|| by_decorator().or_else(by_modifier).map(|(why, _)| why.as_str()))
    }

    /// Why the language or a tool uses what `name` defines by itself, with the name `text`.
    pub(super) fn meaning_of_name(&self, view: &View<'_>, name: Node, text: &str) -> Option<&'static str> {
        let mut found = view.rules.entries.names.iter().filter(|(_, names)| names.get().is_match(text));
        found.find(|(why, _)| self.has_meaning_at(view, name, why)).map(|(why, _)| why.as_str())
    }

    /// Whether a name has a meaning for the language or a tool: this one.
    pub fn has_meaning(&self, file: FileId, name: &str, meaning: &str) -> bool {
        let Some(view) = self.view(file) else { return false };
        view.rules.entries.names.iter().any(|(why, names)| why == meaning && names.get().is_match(name))
    }

    /// Whether a meaning is that of methods which code outside of the project calls on an object that it gets.
    pub fn is_of_given_objects(&self, file: FileId, meaning: &str) -> bool {
        self.view(file).is_some_and(|view| view.rules.entries.of_given_objects.iter().any(|known| known == meaning))
    }

    /// Whether code outside of the project would call a member by a name that it does not have yet, on an object that it gets.
    pub fn would_be_called(&self, member: Site, to: &str) -> bool {
        self.view(member.file).is_some_and(|view| {
            let meaning = self.meaning_of_name(&view, member.name, to);
            meaning.is_some_and(|why| self.is_of_given_objects(member.file, why))
        })
    }

    /// Whether functions whose names have a meaning get arguments by the names of their parameters.
    pub fn names_parameters(&self, file: FileId, meaning: &str) -> bool {
        self.view(file).is_some_and(|view| view.rules.entries.named_parameters.iter().any(|known| known == meaning))
    }

    /// Whether a name has a meaning where it is defined.
    fn has_meaning_at(&self, view: &View<'_>, name: Node, meaning: &str) -> bool {
        let entries = &view.rules.entries;
        let is_listed = |list: &[String]| list.iter().any(|known| known == meaning);
        let in_files = || {
            let path = &self.project().file(view.file).path;
            entries.files.get(meaning).map(|paths| paths.get().is_match(path))
        };
        let site = Site { file: view.file, name };
        let is_function =
            || self.definition_of(view, name).is_some_and(|definition| self.is_function(view, definition));
        if is_listed(&entries.of_methods) && !is_function() {
            return false;
        }
        if let Some(class) = self.class_of_member(site) {
            let is_open = |class: Site| {
                let openness = self.openness(class);
                openness.has_unknown_bases || openness.is_called
            };
            return !is_listed(&entries.of_modules)
                && (!is_listed(&entries.of_open_classes) || in_files() == Some(true) || is_open(class));
        }
        // Nothing outside of a function finds one of its own.
        if is_listed(&entries.started) && !is_found(self, view, name) {
            return false;
        }
        (!is_listed(&entries.of_classes) || self.is_member(view, name)) && in_files() != Some(false)
    }

    /// The names of tests that a file imports, which a tool finds there.
    pub fn imported_tests(&self, file: FileId) -> Vec<String> {
        let Some(view) = self.view(file) else { return Vec::new() };
        if view.rules.entries.files.is_empty() {
            return Vec::new();
        }
        let is_test = |source: &str, name: &str| {
            let module = self.project().imported_module(file, view.tree.language(), source);
            let Some(module @ Thing::Module(_)) = module else { return false };
            match self.member_of_module(module, name) {
                Meaning::Known(things) => {
                    things.iter().any(|thing| matches!(thing, Thing::Symbol(site) if self.is_test(*site)))
                }
                _ => false,
            }
        };
        let parts =
            view.imports().iter().filter(|(_, part)| !part.source.is_empty() && is_test(&part.source, &part.name));
        parts.filter_map(|(_, part)| part.bound.clone()).collect()
    }

    /// Whether a tool runs a function, or a method of a class, for its name.
    fn is_test(&self, symbol: Site) -> bool {
        let Some(view) = self.view(symbol.file) else { return false };
        let Some(definition) = self.definition_of(&view, symbol.name) else { return false };
        let (table, entries) = (view.tree.table(), &view.rules.entries);
        let is_run = |name: Node| {
            let meaning = self.meaning_of_name(&view, name, &view.tree.node_text(name));
            meaning.is_some_and(|why| entries.named_parameters.iter().any(|known| known == why))
        };
        let methods = table.descendants(definition).filter(|&node| view.tree.name_node(node).is_some());
        let mut methods = methods.filter_map(|node| view.tree.name_node(node));
        match self.is_class(symbol) {
            true => methods.any(|name| self.is_member(&view, name) && is_run(name)),
            false => is_run(symbol.name) && view.tree.is_scope(definition),
        }
    }
}
