//! What other code takes from a module without a name of its own for it: names that the module itself only imports.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::modules::FileId;
use crate::symbols::{Resolver, Thing, View};
use crate::tree::Node;

/// How many parts a path in a string has at most.
const PARTS: usize = 12;

/// A name of a module that another file takes from it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TakenName {
    /// The module.
    pub module: FileId,
    /// The name; `None` for all.
    pub name: Option<String>,
    /// Whether it is read as a member of the module, which has to have it by then: `pkg.sub` after `import pkg`.
    pub is_read: bool,
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
                taken.insert(TakenName { module, name: None, is_read: false });
            }
            continue;
        }
        taken.insert(TakenName { module, name: Some(part.name.clone()), is_read: false });
        let child = resolver.project().child_module(Thing::Module(module), &part.name, language);
        if let (Some(Thing::Module(child)), Some(bound)) = (child, &part.bound) {
            modules.insert(bound.clone(), child);
        }
    }
    let is_object = |node: Node| view.rules.objects.of(table.type_id(node)).is_some();
    for node in table.nodes() {
        let id = table.type_id(node);
        // `lib.name` takes one name, `dir(lib)` and `f(lib)` may take any.
        let is_whole =
            (is_object(node) || view.scopes.is_identifier(node)) && !table.parent(node).is_some_and(is_object);
        if is_whole
            && let Some(&module) = modules.get(&*tree.node_text(node))
            && !view.imports().iter().any(|(statement, _)| table.is_within(node, *statement))
        {
            taken.insert(TakenName { module, name: named_member(&view, node), is_read: false });
        }
        if is_object(node) {
            let text = tree.node_text(node);
            if let Some((object, name)) = text.rsplit_once('.')
                && let Some(&module) = modules.get(object)
            {
                let is_table = view.rules.hidden_uses.class_tables.iter().any(|known| *known == *name);
                let is_read = !modules.contains_key(&*text);
                taken.insert(TakenName { module, name: (!is_table).then(|| name.to_owned()), is_read });
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
                taken.extend(module.map(|module| TakenName { module, name: Some(name.to_owned()), is_read: false }));
            }
        }
    }
    taken.retain(|taken| taken.module != file);
    taken.into_iter().collect()
}

/// The member of a module that a call asks for beside it by a string: `getattr(lib, "name")`.
fn named_member(view: &View<'_>, module: Node) -> Option<String> {
    /// How far the call is.
    const REACH: usize = 3;
    let (tree, table) = (view.tree, view.tree.table());
    let is_access = |&call: &Node| {
        let callee = tree.callee_text(call);
        callee.is_some_and(|callee| view.rules.hidden_uses.named_access.iter().any(|known| *known == *callee))
    };
    table.ancestors(module).take(REACH).find(is_access)?;
    let beside = tree.named_children(table.parent(module)?).skip_while(|&node| node != module).nth(1)?;
    let text = tree.node_text(beside);
    let name = text.trim_matches(['"', '\'']);
    let is_plain = name.chars().all(|letter| letter.is_alphanumeric() || letter == '_') && name.len() + 2 == text.len();
    (is_plain && tree.language().role(table.type_id(beside)).string).then(|| name.to_owned())
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
    // `hasattr(sys.modules[__name__], "json")`
    let last = |path: &String| path.rsplit('.').next().unwrap_or(path).to_owned();
    let is_asked = |path: &String| path.contains('.') && !view.scopes.nodes_of(&last(path)).is_empty();
    if view.rules.hidden_uses.module_tables.iter().any(is_asked) {
        let strings = table.nodes().filter(|&node| tree.language().role(table.type_id(node)).string);
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
