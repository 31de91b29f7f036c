//! What other code takes from a module without a name of its own for it: names that the module itself only imports.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::modules::FileId;
use crate::symbols::{Resolver, Thing};

/// How many parts a path in a string has at most.
const PARTS: usize = 12;

/// A name of a module that another file takes from it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TakenName {
    /// The module.
    pub module: FileId,
    /// The name; `None` for all.
    pub name: Option<String>,
}

/// The names that a file takes from other modules: those that it imports, reads as members of a module, or spells in a string as
/// paths.
pub fn taken_names(resolver: &Resolver<'_>, file: FileId) -> Vec<TakenName> {
    let Some(view) = resolver.view(file) else { return Vec::new() };
    let (tree, table) = (view.tree, view.tree.table());
    let language = tree.language();
    let module_at = |path: &str| match resolver.project().imported_module(file, language, path) {
        Some(Thing::Module(module)) => Some(module),
        _ => None,
    };
    let mut taken: FxHashSet<TakenName> = FxHashSet::default();
    let mut modules: FxHashMap<String, FileId> = FxHashMap::default();
    for (_, part) in view.imports() {
        if part.source.is_empty() {
            let path = part.alias.clone().unwrap_or_else(|| part.name.clone());
            modules.extend(module_at(&part.name).map(|module| (path, module)));
            if part.alias.is_none() {
                let heads = part.name.match_indices('.').map(|(at, _)| &part.name[..at]);
                modules.extend(heads.filter_map(|head| Some((head.to_owned(), module_at(head)?))));
            }
            continue;
        }
        let Some(module) = module_at(&part.source) else { continue };
        if part.is_glob {
            if !resolver.lists_public_names(module) {
                taken.insert(TakenName { module, name: None });
            }
            continue;
        }
        taken.insert(TakenName { module, name: Some(part.name.clone()) });
        let child = resolver.project().child_module(Thing::Module(module), &part.name, language);
        if let (Some(Thing::Module(child)), Some(bound)) = (child, &part.bound) {
            modules.insert(bound.clone(), child);
        }
    }
    for node in table.nodes() {
        let id = table.type_id(node);
        if view.rules.objects.of(id).is_some() {
            let text = tree.node_text(node);
            if let Some((object, name)) = text.rsplit_once('.')
                && let Some(&module) = modules.get(object)
            {
                taken.insert(TakenName { module, name: Some(name.to_owned()) });
            }
        } else if tree
            .callee_text(node)
            .is_some_and(|callee| view.rules.hidden_uses.named_access.iter().any(|known| *known == *callee))
        {
            // `setattr(module, "name", …)`
            let text = tree.node_text(node);
            let arguments = text.split_once('(').map_or("", |(_, arguments)| arguments);
            let mut arguments = arguments.split([',', ')']).map(str::trim);
            let (object, name) = (arguments.next().unwrap_or_default(), arguments.next().unwrap_or_default());
            if let Some(&module) = modules.get(object) {
                let name = name.trim_matches(['"', '\'']).to_owned();
                taken.insert(TakenName { module, name: Some(name) });
            }
        } else if language.role(id).string {
            let text = tree.node_text(node);
            let path = text.trim_matches(['"', '\'']);
            let is_path =
                path.contains('.') && path.chars().all(|letter| letter.is_alphanumeric() || "_.".contains(letter));
            let ends = path.match_indices('.').take(PARTS).map(|(at, _)| at).filter(|_| is_path);
            for at in ends {
                let name = path[at + 1..].split('.').next().unwrap_or_default();
                let module = if name.is_empty() { None } else { module_at(&path[..at]) };
                taken.extend(module.map(|module| TakenName { module, name: Some(name.to_owned()) }));
            }
        }
    }
    taken.retain(|taken| taken.module != file);
    taken.into_iter().collect()
}

/// The words of a file that may be names though they are no code: in type annotations in strings, and in the list of its public names.
pub fn words_of_strings(resolver: &Resolver<'_>, file: FileId) -> FxHashSet<String> {
    /// How deep the list is inside its statement.
    const DEPTH: usize = 6;
    let Some(view) = resolver.view(file) else { return FxHashSet::default() };
    let (tree, table) = (view.tree, view.tree.table());
    let quoted = resolver.quoted_words(&view).into_iter();
    let mut found: FxHashSet<String> = quoted.map(|(_, span)| tree.text().slice(span).into_owned()).collect();
    let lists = view.rules.star_imports.list.iter().flat_map(|list| view.scopes.nodes_of(list));
    for &list in lists {
        let around =
            table.ancestors(list).take(DEPTH).take_while(|&node| table.parent(node).is_some() && !tree.is_scope(node));
        let Some(statement) = around.last() else { continue };
        let strings = table.descendants(statement).filter(|&node| tree.language().role(table.type_id(node)).string);
        found.extend(strings.map(|node| tree.node_text(node).trim_matches(['"', '\'']).to_owned()));
    }
    found
}

impl Resolver<'_> {
    /// Whether a file has a list of its public names.
    fn lists_public_names(&self, file: FileId) -> bool {
        let Some(view) = self.view(file) else { return false };
        view.rules.star_imports.list.as_ref().is_some_and(|list| !view.scopes.nodes_of(list).is_empty())
    }
}
