//! Definitions that do something for others when their module is loaded, and modules that are used as values.

use super::shown::is_callee;
use crate::modules::FileId;
use crate::symbols::{Resolver, Site, Thing, Value, View};
use crate::text::Span;
use crate::tree::Node;

/// How a module is used where its name is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModuleAccess {
    /// Before a dot, or in an import.
    Member,
    /// Some code names members by strings.
    Named {
        /// The strings; none for computed names.
        names: Vec<String>,
        /// Whether the code is a statement of its own: it gives a member another value.
        is_statement: bool,
    },
    /// As a value that goes somewhere else.
    Value,
}

impl Resolver<'_> {
    /// Whether a file imports everything from one of these modules.
    pub(super) fn takes_all_of(&self, view: &View<'_>, modules: &[FileId]) -> bool {
        view.globs().iter().any(|(_, glob)| {
            let source = if glob.source.is_empty() { &glob.name } else { &glob.source };
            let module = self.project().imported_module(view.file, view.tree.language(), source);
            matches!(module, Some(Thing::Module(file)) if modules.contains(&file))
        })
    }

    /// Whether a definition may register itself somewhere when its module is loaded: what does that, a decorator or a base.
    pub fn registers(&self, site: Site) -> Option<String> {
        let view = self.view(site.file)?;
        let definition = self.definition_of(&view, site.name)?;
        if let Some(word) = self.foreign_decorator(&view, definition) {
            return Some(format!("the decorator `{word}`"));
        }
        if !self.is_class(site) {
            return None;
        }
        let (above, _) = self.superclasses(site);
        for hook in &view.rules.members.subclass_hooks {
            if let Some(own) = above.iter().find(|&&class| self.found_member(class, hook).is_some()) {
                return Some(format!("the base `{}`", self.name_of(*own)?));
            }
            if let Some(base) = self.unknown_bases(site, hook).first() {
                return Some(format!("the base `{base}`"));
            }
        }
        None
    }

    /// Where a file runs the code of a module again: `reload(m)`.
    pub fn reloads(&self, file: FileId, module: FileId) -> Vec<Span> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let (table, words) = (view.tree.table(), &view.rules.hidden_uses.reloaders);
        let is_one = |&call: &Node| {
            let callee = view.tree.callee_text(call).filter(|callee| is_callee(words, callee));
            let called = callee.and_then(|_| self.called(&view, call));
            let argument = called.and_then(|called| self.first_argument(&view, call, called));
            argument.is_some_and(|argument| {
                let values = self.value(file, argument);
                !values.is_complete || values.known.contains(&Value::Module(Thing::Module(module)))
            })
        };
        table.nodes().filter(is_one).map(|call| table.span(call)).collect()
    }

    /// How a module is used by one of its names.
    pub fn module_access(&self, file: FileId, name: Node) -> ModuleAccess {
        /// How far a string may be from the name: `object`, the call, its arguments.
        const REACH: usize = 4;
        let Some(view) = self.view(file) else { return ModuleAccess::Value };
        let table = view.tree.table();
        let Some(access) = table.ancestors(name).take(REACH).find(|&node| self.names_member(&view, node)) else {
            return if self.is_passed_on(file, name) { ModuleAccess::Value } else { ModuleAccess::Member };
        };
        let is_string = |&node: &Node| view.tree.language().role(table.type_id(node)).string;
        let inner = |text: &str| text.trim_matches(['"', '\'', '`']).to_owned();
        let strings = table.descendants(access).filter(is_string);
        let names = strings.map(|string| inner(&view.tree.node_text(string))).collect();
        let plain = &view.tree.language().spec().flow.plain;
        let is_statement = table.parent(access).is_some_and(|parent| plain.contains(table.type_id(parent)));
        ModuleAccess::Named { names, is_statement }
    }

    /// Where a file gives a name of a module another value: `m.K = 5`.
    pub fn set_from_outside(&self, file: FileId, module: FileId, name: &str) -> Option<usize> {
        let tree = self.tree(file)?;
        let table = tree.table();
        let sets = |&node: &Node| {
            table.children(node).next().is_none()
                && tree.node_text(node) == name
                && self.object_module(file, node) == Some(Thing::Module(module))
                && self.sets_member(file, node)
        };
        table.nodes().find(sets).map(|node| tree.span(node).start())
    }
}
