//! `rename`: a definition gets another name, and with it what refers to it in the file.

use super::error::{BadRequest, EditError};
use super::plan::{Draft, Plan};
use super::reading::Reading;
use super::scopes::Scopes;
use crate::language::Language;
use crate::text::{EditSet, Span, TextEdit};
use crate::tree::{Intent, Node, Tree};

/// Plans another name for a definition.
pub(super) fn plan(
    plan: &mut Plan<'_>,
    operation: usize,
    target: Node,
    to: &str,
    references: bool,
) -> Result<(), EditError> {
    let tree = plan.tree;
    let type_name = tree.type_name(target).to_owned();
    let no_definition = || EditError::BadRequest { operation, problem: BadRequest::NoDefinition { type_name } };
    let scopes = Scopes::new(tree);
    let bound = name_node(tree, target).filter(|&name| scopes.binds(name));
    // Where the data doesn't say what binds, a definition's name does.
    let knows_bindings = !tree.language().data().references.bindings.is_empty();
    let named = || tree.name_node(tree.held(target).unwrap_or(target)).filter(|_| !knows_bindings);
    let Some(name) = bound.or_else(named) else { return Err(no_definition()) };
    if !is_name(plan, to, name) {
        return Err(plan.bad(operation, BadRequest::NoName { to: to.to_owned() }));
    }
    if references && !tree.language().data().references.supported {
        let language = tree.language().name().to_owned();
        return Err(plan.bad(operation, BadRequest::NoReferences { language, supported: supported_languages() }));
    }
    plan.makes(operation, target);
    let mut names = vec![name];
    if references {
        let found = scopes.references(name);
        if let Some(taken) = scopes.taken(&found, to) {
            let line = tree.text().line_at(tree.span(taken).start());
            return Err(plan.bad(operation, BadRequest::NameTaken { to: to.to_owned(), line }));
        }
        if let Some(imported) = found.imported {
            let line = tree.text().line_at(tree.span(imported).start());
            return Err(plan.bad(operation, BadRequest::Imported { line }));
        }
        let old = tree.node_text(name);
        if !found.left.is_empty() {
            let lines = lines(tree, &found.left);
            plan.note(operation, format!("left `{old}` of other objects or calls as it is in line {lines}"));
        }
        let strings = strings(tree, &old);
        if !strings.is_empty() {
            plan.note(operation, format!("left the string `{old}` as it is in line {}", lines(tree, &strings)));
        }
        names = found.names;
    }
    for name in names {
        let span = tree.span(name);
        plan.claim_extent(operation, span, Some(name));
        if tree.node_text(name) != to {
            plan.change(operation, span, Draft::new(to).claimed(operation, name, span));
        }
    }
    Ok(())
}

/// The languages whose references can be renamed.
fn supported_languages() -> Vec<String> {
    let supported = Language::all().into_iter().filter(|language| language.data().references.supported);
    supported.map(|language| language.name().to_owned()).collect()
}

/// The strings that say a name and nothing else.
fn strings(tree: &Tree, name: &str) -> Vec<Node> {
    let is_string = |node: &Node| tree.language().role(tree.table().type_id(*node)).string;
    let says = |node: &Node| tree.node_text(*node).trim_matches(['"', '\'']) == name;
    tree.table().nodes().filter(is_string).filter(says).collect()
}

/// The lines of some nodes, for a message.
fn lines(tree: &Tree, nodes: &[Node]) -> String {
    let mut lines: Vec<String> =
        nodes.iter().map(|&node| tree.text().line_at(tree.span(node).start()).to_string()).collect();
    lines.dedup();
    lines.join(", ")
}

/// Whether a word is a name of the language and nothing else: one node of the old name's type, by itself or in its place.
fn is_name(plan: &Plan<'_>, to: &str, name: Node) -> bool {
    let tree = plan.tree;
    let language = tree.language();
    let identifiers = &language.data().references.identifiers;
    let is_one = |parsed: &Tree, wanted: Span| {
        let table = parsed.table();
        let like = |node: Node| {
            let type_name = parsed.type_name(node);
            type_name == tree.type_name(name) || identifiers.iter().any(|identifier| identifier == type_name)
        };
        table.nodes().any(|node| table.span(node) == wanted && table.is_named(node) && like(node))
    };
    if to.is_empty() || to.trim() != to {
        return false;
    }
    // By itself, or as the statement that most languages want.
    let readings = [to.to_owned(), format!("{to};")].into_iter();
    let mut readings = readings.filter_map(|code| Reading::sound(language, &code, plan.limits));
    if readings.any(|reading| is_one(&reading.tree, Span::new(reading.span.start(), reading.span.start() + to.len()))) {
        return true;
    }
    let span = tree.span(name);
    let edits = EditSet::new(vec![TextEdit::new(span, to)]).expect("one edit overlaps nothing");
    let intent = Intent { extents: vec![span], ..Intent::default() };
    let edited = tree.edit(&edits, &intent, plan.limits);
    let leaf = tree.table().subtree_end(name) == name.index() + 1;
    leaf && edited.is_ok_and(|edited| is_one(&edited.tree, Span::new(span.start(), span.start() + to.len())))
}

/// The node of a definition's own name.
fn name_node(tree: &Tree, target: Node) -> Option<Node> {
    let language = tree.language();
    let mut node = target;
    while let Some(held) = tree.held(node) {
        node = held;
    }
    for _ in 0..8 {
        let paths = language.rule(&language.data().names, tree.table().type_id(node))?;
        let other = language.rule(&language.data().other_names, tree.table().type_id(node));
        // An import's alias is the name that it defines.
        let alias = other.into_iter().flat_map(|paths| paths.iter()).find_map(|path| tree.child_by_field(node, path));
        let path = paths.iter().next()?;
        if path == "." {
            return Some(node);
        }
        node = match alias {
            Some(alias) => alias,
            None if path == "*" => tree.named_children(node).next()?,
            None => tree.child_by_field(node, path)?,
        };
    }
    None
}
