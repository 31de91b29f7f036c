//! The parts of a file's imports, and who uses them: code that moves, or the rest.

use crate::modules::FileId;
use crate::symbols::{ImportedName, Resolver};
use crate::text::Span;
use crate::tree::{Node, Tree};

/// A file with its tree.
#[derive(Clone, Copy)]
pub(crate) struct FileTree<'a> {
    pub file: FileId,
    pub tree: &'a Tree,
}

/// A part of an import statement that binds a name, with the code of a statement of its own.
pub(crate) struct Part {
    pub statement: Node,
    pub node: Node,
    pub code: String,
    /// The name by which the file uses it; `None` if it has none.
    pub bound: Option<String>,
    /// The path that is imported.
    pub path: String,
    /// Whether the moved code uses it.
    pub is_needed: bool,
    /// Whether nothing else does.
    pub is_left_over: bool,
    /// Whether anything does.
    pub is_used: bool,
}

/// Whether the parts are all that a statement imports.
pub(crate) fn has_only(tree: &Tree, statement: Node, parts: &[Part]) -> bool {
    let nodes: Vec<Node> = parts.iter().filter(|part| part.statement == statement).map(|part| part.node).collect();
    let lists = tree.named_children(statement).flat_map(|child| {
        let inner: Vec<Node> = tree.named_children(child).collect();
        if nodes.contains(&child) { vec![child] } else { inner }
    });
    lists
        .filter(|&node| !tree.is_comment(node))
        .all(|node| nodes.iter().any(|&part| tree.table().is_within(node, part)))
}

/// The parts of a file's imports, and who uses them: the definitions, or the rest.
pub(crate) fn parts(resolver: &Resolver<'_>, FileTree { file, tree }: FileTree<'_>, spans: &[Span]) -> Vec<Part> {
    let table = tree.table();
    let imports = resolver.imported_names(file);
    let in_import = |node: Node| imports.iter().any(|import| table.is_within(node, import.statement));
    let inside = |span: Span| spans.iter().any(|moved| moved.contains(span));
    let is_leaf =
        |&node: &Node| table.subtree_end(node) == node.index() + 1 && !tree.is_comment(node) && !in_import(node);
    let leaves: Vec<Node> = table.nodes().filter(is_leaf).collect();
    let text = tree.text();
    let mut parts = Vec::new();
    for import in imports.iter().filter(|import| !import.is_export) {
        let mut node = import.node;
        while let Some(parent) = table.parent(node).filter(|&parent| parent != import.statement && parent != Node::ROOT)
        {
            if tree.language().role(table.type_id(parent)).body {
                break;
            }
            node = parent;
        }
        if node == import.statement {
            node = tree.named_children(import.statement).next().unwrap_or(node);
        }
        let whole = table.parent(node) == Some(import.statement);
        let word =
            table.children(import.statement).next().map(|first| tree.node_text(first).into_owned()).unwrap_or_default();
        let code = match whole {
            true => tree.node_text(import.statement).into_owned(),
            false => format!("{word} {}", tree.node_text(node)),
        };
        let bound = bound_name(tree, import);
        let is_path = import.source.is_empty();
        let uses = |node: &&Node| {
            let span = tree.span(**node);
            bound.as_deref().is_some_and(|bound| *tree.node_text(**node) == *bound)
                // A variable may have the name.
                && (!has_paths(tree) || import.alias.is_some() || !resolver.is_bound_in_file(file, **node))
                && (!is_path
                    || text.slice(Span::new(span.end(), text.len().min(span.end() + 1))) == "."
                    || !has_paths(tree))
        };
        let used: Vec<Span> = leaves.iter().filter(uses).map(|&node| tree.span(node)).collect();
        let is_needed = used.iter().any(|&span| inside(span)) || import.is_glob;
        let is_left_over = !used.is_empty() && used.iter().all(|&span| inside(span));
        let (path, is_used) = (import.name.clone(), !used.is_empty());
        parts.push(Part { statement: import.statement, node, code, bound, path, is_needed, is_left_over, is_used });
    }
    parts
}

/// Whether imports bind the names of packages, which are used before a dot.
fn has_paths(tree: &Tree) -> bool {
    tree.language().spec().symbols.members.structural
}

/// The name by which a file uses an import.
fn bound_name(tree: &Tree, import: &ImportedName) -> Option<String> {
    if let Some(alias) = &import.alias {
        return Some(alias.clone());
    }
    if import.is_glob {
        return None;
    }
    let binds = tree.language().spec().imports.binds.as_ref()?;
    let found = binds.get().captures(&import.name)?;
    Some(found.get(1).or(found.get(0))?.as_str().to_owned())
}
