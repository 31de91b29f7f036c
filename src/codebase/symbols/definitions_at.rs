//! The definitions that a place means.

use super::inference::find::{Definition, describe};
use super::inference::resolver::Resolver;
use super::model::{Meaning, Site, Thing};
use crate::modules::FileId;
use crate::tree::Node;

/// The meaning of the name at a place; the first name that is defined in the line, if there is no column.
pub fn definitions_at(resolver: &Resolver<'_>, file: FileId, line: usize, col: Option<usize>) -> Vec<Definition> {
    let Some(view) = resolver.view(file) else { return Vec::new() };
    let tree = view.tree;
    let is_there = |&node: &Node| {
        let (start, end) = (tree.start(node), tree.end(node));
        let in_col = col.is_none_or(|col| start.col() <= col && col <= end.col());
        start.line == line && in_col && view.scopes.is_identifier(node)
    };
    let names: Vec<Node> = tree.table().nodes().filter(is_there).collect();
    let defines = |&&node: &&Node| match resolver.meaning(file, node) {
        Meaning::Known(things) => {
            // Of several definitions of a symbol, any one is meant.
            let is_another = || things.len() == 1 && resolver.definition_of(&view, node).is_some();
            things == [Thing::Symbol(Site { file, name: node })]
                || resolver.continued(&view, node, &things).is_some()
                || is_another()
        }
        _ => false,
    };
    let chosen = match col {
        Some(_) => names.last(),
        None => names.iter().find(defines).or(names.first()),
    };
    let Some(&name) = chosen else { return Vec::new() };
    // A key of a literal whose type is written means the member of that.
    let typed = col.and_then(|_| resolver.typed_key(&view, name));
    let meaning = typed.unwrap_or_else(|| resolver.meaning(file, name));
    let (Meaning::Known(things) | Meaning::Unknown(things)) = meaning else { return Vec::new() };
    things.into_iter().filter_map(|thing| describe(resolver, thing)).collect()
}
