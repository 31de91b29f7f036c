//! Exports without a name, and their imports.

use super::inference::resolver::Resolver;
use super::model::{Meaning, Thing};
use crate::modules::FileId;
use crate::scopes::imported;

/// An import or export of what a module exports without a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefaultImport {
    /// The symbols or modules.
    pub things: Vec<Thing>,
    /// The name that it gets.
    pub alias: Option<String>,
    /// Whether the file exports it again.
    pub is_export: bool,
}

impl Resolver<'_> {
    /// The names under which a file imports what other modules export without a name, and the file itself if it exports
    /// that again: each with what it means.
    pub fn default_imports(&self, file: FileId) -> Vec<DefaultImport> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let Some(default) = view.rules.default_exports.name.as_deref() else { return Vec::new() };
        let table = view.tree.table();
        let types = &view.tree.language().spec().imports.types;
        let imports = table.nodes().filter(|&node| types.contains(table.type_id(node)));
        let imports: Vec<_> = imports.flat_map(|import| imported::read(view.tree, import)).collect();
        let exports = view.exports().iter().map(|(_, part)| (part, true));
        let parts = imports.iter().map(|part| (part, false)).chain(exports);
        let mut found = Vec::new();
        for (part, is_export) in parts.filter(|(part, _)| part.name == default && !part.source.is_empty()) {
            let module = self.trees.project.imported_module(file, view.tree.language(), &part.source);
            let Some(module) = module else { continue };
            if let Meaning::Known(things) = self.member_of_module(module, default) {
                found.push(DefaultImport { things, alias: part.alias.clone(), is_export });
            }
        }
        let required = if view.rules.loaded_modules.calls.is_empty() { None } else { Some(self.required(&view)) };
        for (&name, required) in required.iter().flat_map(|required| &required.names) {
            if required.member.is_none()
                && let Some(Meaning::Known(things)) = self.required_meaning(&view, name)
            {
                let alias = Some(view.tree.node_text(required.binder).into_owned());
                found.push(DefaultImport { things, alias, is_export: false });
            }
        }
        if !view.rules.loaded_modules.objects.is_empty()
            && let Some(whole) = self.assigned_exports(&view).whole
            && let Some(Meaning::Known(things)) = self.loaded(&view, whole)
        {
            found.push(DefaultImport { things, alias: None, is_export: true });
        }
        found
    }

    /// Whether a module exports one of these without a name.
    pub fn exports_by_default(&self, file: FileId, things: &[Thing]) -> bool {
        let Some(view) = self.view(file) else { return false };
        let Some(default) = view.rules.default_exports.name.as_deref() else { return false };
        let has = |meaning: Meaning| matches!(meaning, Meaning::Known(found) if found.iter().any(|thing| things.contains(thing)));
        let is_whole = || !view.rules.loaded_modules.objects.is_empty() && has(self.whole_meaning(Thing::Module(file)));
        self.exported(&view, default).is_some_and(has) || is_whole()
    }
}
