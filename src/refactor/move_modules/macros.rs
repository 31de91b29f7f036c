//! Macros that a module uses and that are only known after their definitions.

use rustc_hash::FxHashMap;

use crate::modules::FileId;
use crate::refactor::move_modules::declaration::leading;
use crate::refactor::move_modules::moving::ModuleMove;
use crate::refactor::move_modules::route::ModuleRoute;
use crate::request::error::EngineError;
use crate::symbols::{Site, Thing};
use crate::text::Span;
use crate::transfer::module_text::{leaves, path_before};
use crate::workspace::files::Workspace;

/// A macro that a module uses by its name alone.
pub(super) struct UsedMacro {
    name: String,
    /// Where it is used first.
    file: FileId,
    start: usize,
    /// All macros with that name.
    definitions: Vec<Site>,
}

impl Workspace<'_> {
    /// The macros that the files of a module use by their names alone.
    ///
    /// # Errors
    /// If files cannot be read.
    pub(super) fn macros_in(&self, route: &ModuleRoute) -> Result<Vec<UsedMacro>, EngineError> {
        let mut used: FxHashMap<String, (FileId, usize)> = FxHashMap::default();
        self.resolve(|resolver| {
            for &file in &route.moved {
                let Some(tree) = resolver.tree(file) else { continue };
                let spec = tree.language().spec();
                let mark = spec.symbols.text_names.mark.as_str();
                let leaves = leaves(tree);
                let text = |at: usize| leaves.get(at).map(|&leaf| tree.node_text(leaf)).unwrap_or_default();
                for (at, &leaf) in leaves.iter().enumerate() {
                    let name = text(at);
                    let start = tree.span(leaf).start();
                    if text(at + 1) == mark
                        && matches!(&*text(at + 2), "(" | "[" | "{")
                        && name.starts_with(|first: char| first.is_alphabetic() || first == '_')
                        && path_before(tree, start).is_none()
                    {
                        used.entry(name.into_owned()).or_insert((file, start));
                    }
                }
            }
        });
        let mut found = Vec::new();
        for (name, (file, start)) in used {
            let definitions = self.look(&name, None, |resolver, other| {
                let Some(tree) = resolver.tree(other) else { return Vec::new() };
                let sites = resolver.defined_in(other, &[Span::new(0, tree.text().len())]).into_iter();
                sites.filter(|&site| *tree.node_text(site.name) == *name && resolver.is_macro(site)).collect()
            })?;
            if !definitions.is_empty() {
                found.push(UsedMacro { name, file, start, definitions });
            }
        }
        found.sort_by_key(|one| (one.file, one.start));
        Ok(found)
    }
}

impl ModuleMove<'_, '_> {
    /// Refuses macros that are known in one place and not in the other.
    pub(super) fn check_macros(&mut self, macros: &[UsedMacro]) {
        let declared = self.resolver.declaration_of(Thing::Module(self.route.module));
        let start = |site: Site| self.resolver.tree(site.file).map_or(0, |tree| tree.span(site.name).start());
        let before = declared.map_or(0, start);
        let Some(home) = self.resolver.tree(self.route.home) else { return };
        let after = super::declaration::place(self.resolver, self.route, home, "").span.start();
        for UsedMacro { name, file, start, definitions } in macros {
            for &site in definitions {
                if self.route.moved.contains(&site.file) {
                    continue;
                }
                let was = self.is_known(site, Thing::Module(self.route.from), before);
                let will_be = self.is_known(site, Thing::Module(self.route.home), after);
                if was && !will_be {
                    self.leave(*file, *start, format!("the macro `{name}` is not known in the new place"));
                } else if will_be && !was {
                    self.leave(*file, *start, format!("another macro `{name}` is known in the new place"));
                }
            }
        }
    }

    /// Whether a macro is known by its name alone at an offset of a module.
    fn is_known(&self, site: Site, module: Thing, offset: usize) -> bool {
        let start = |site: Site| self.resolver.tree(site.file).map_or(0, |tree| tree.span(site.name).start());
        // The modules around the place, each with the offset that is in it.
        let (mut around, mut next, mut at) = (Vec::new(), Some(module), offset);
        while let Some(inner) = next {
            around.push((inner, at));
            at = self.resolver.declaration_of(inner).map_or(0, start);
            next = self.resolver.outer_module(inner);
        }
        let (mut owner, mut from) = (self.resolver.module_of(site.file, site.name), start(site));
        loop {
            if let Some((_, at)) = around.iter().find(|(module, _)| *module == owner) {
                return from < *at;
            }
            let Some(declared) = self.resolver.declaration_of(owner) else { return false };
            let Some(tree) = self.resolver.tree(declared.file) else { return false };
            let rules = &tree.language().spec().symbols.module_tree;
            if !leading(tree, declared.name).iter().any(|text| rules.leaves_macros.get().is_match(text)) {
                return false;
            }
            from = start(declared);
            let Some(outer) = self.resolver.outer_module(owner) else { return false };
            owner = outer;
        }
    }
}
