//! Variables whose value is a module as a whole: `import * as m`, `const m = require("./m")`.

use super::inference::resolver::{Resolver, View};
use crate::modules::{FileId, Module};
use crate::tree::Node;

impl Resolver<'_> {
    /// The names of a file whose value is a module, where they do not bind it; `None` if the file exports it under a name.
    pub fn uses_of_module(&self, file: FileId, module: FileId) -> Option<Vec<Node>> {
        let nothing = || Some(Vec::new());
        let Some(view) = self.view(file) else { return nothing() };
        let whole = &view.rules.module_words.whole;
        if whole.is_empty() {
            return nothing();
        }
        let table = view.tree.table();
        let modules = &self.project().modules;
        let is_it = |source: &str| modules.import(file, view.tree.language(), source) == Some(Module::File(module));
        let is_exported = |part: &crate::scopes::imported::Imported| {
            whole.contains(&part.name) && part.alias.is_some() && is_it(&part.source)
        };
        if view.exports().iter().any(|(_, part)| is_exported(part)) {
            return None;
        }
        let mut uses = Vec::new();
        for (_, part) in view.imports().iter().filter(|(_, part)| whole.contains(&part.name) && is_it(&part.source)) {
            let Some(bound) = &part.bound else { continue };
            let binders = view.scopes.nodes_of(bound).iter();
            uses.extend(
                binders.filter(|&&name| table.is_within(name, part.node)).flat_map(|&name| uses_of(&view, name)),
            );
        }
        if !view.rules.loaded_modules.calls.is_empty() {
            for (&name, required) in &self.required(&view).names {
                if required.member.is_none() && is_it(&required.source) {
                    uses.extend(uses_of(&view, name));
                }
            }
        }
        Some(uses)
    }
}

/// The names that refer to what a name binds.
fn uses_of(view: &View<'_>, binder: Node) -> Vec<Node> {
    let names = view.scopes.names(&view.tree.node_text(binder));
    let symbol = names.at(binder).and_then(|found| names.resolve(&view.scopes, found));
    let uses = symbol.into_iter().flat_map(|symbol| names.references(&view.scopes, symbol));
    uses.map(|found| found.name).collect()
}
