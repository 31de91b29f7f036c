//! `rename`: renames a definition, and its references in the file.

use super::batch::{ComposedBatch, Plan};
use super::draft::Draft;
use super::error::{BadRequest, EditError};
use super::gate;
use super::operation::{Allow, Outcome};
use super::references::References;
use super::snippet::ParsedSnippet;
use crate::language::{Language, TypeId};
use crate::scopes::Scopes;
use crate::selector::Kinds;
use crate::text::{EditSet, Span, TextEdit};
use crate::tree::{EditIntent, Excerpt, Node, ParseLimits, Tree};

/// Plans a new name for a definition.
pub(super) fn plan(
    plan: &mut Plan<'_>,
    operation: usize,
    target: Node,
    to: &str,
    references: bool,
) -> Result<(), EditError> {
    let tree = plan.tree;
    let scopes = Scopes::new(tree);
    let name = name_node(tree, &scopes, target).map_err(|problem| plan.bad(operation, problem))?;
    if !may_be_named(tree, name, to, plan.limits) {
        return Err(plan.bad(operation, BadRequest::NoName { to: to.to_owned() }));
    }
    if references && !tree.language().spec().references.supported {
        let language = tree.language().name().to_owned();
        return Err(plan.bad(operation, BadRequest::NoReferences { language, supported: supported_languages() }));
    }
    plan.makes(operation, target);
    let mut names = vec![(name, to.to_owned())];
    if references {
        if !scopes.binds(name) {
            let line = tree.text().line_at(tree.span(name).start());
            let reason = "is not a variable, and its uses cannot be found by name";
            let name = tree.node_text(name).into_owned();
            return Err(plan.bad(operation, BadRequest::Unclear { name, line, reason }));
        }
        let found = scopes.references(name, to).map_err(|problem| plan.bad(operation, problem))?;
        for note in notes(tree, &tree.node_text(name), &found) {
            plan.note(operation, note);
        }
        names = found.names;
    }
    let mut end = 0;
    for (name, code) in names {
        let span = tree.span(name);
        // If one name becomes two, its parent may become another node: a default value's `{ a = 1 }`.
        let holder = tree.table().parent(name).filter(|_| code != to && tree.table().field(name) != 0);
        let changed = holder.unwrap_or(name);
        if tree.span(changed).end() > end {
            plan.claim_extent(operation, tree.span(changed), Some(changed));
            end = tree.span(changed).end();
        }
        if tree.node_text(name) != code {
            plan.change(operation, span, Draft::new(&code).claimed(operation, name, span));
        }
    }
    Ok(())
}

/// Changes names to other texts, each at its place: `a` to `b`, or to `a: b` where a name has two meanings.
///
/// # Errors
/// If a gate refuses the result.
pub fn change_names(tree: &Tree, names: &[(Span, String)], limits: &ParseLimits) -> Result<Outcome, EditError> {
    let table = tree.table();
    let mut extents: Vec<Span> = Vec::new();
    for (span, text) in names {
        let leaf = table.smallest_around(*span);
        let is_word = !text.contains(|letter: char| letter.is_whitespace());
        // If one name becomes two, its parent may become another node.
        let holder = table.parent(leaf).filter(|_| !is_word && table.field(leaf) != 0);
        let extent = tree.span(holder.unwrap_or(leaf));
        match extents.last_mut() {
            Some(last) if last.end() >= extent.end() => {}
            Some(last) if last.end() > extent.start() => *last = Span::new(last.start(), extent.end()),
            _ => extents.push(extent),
        }
    }
    let edits = names.iter().map(|(span, text)| TextEdit::new(*span, text)).collect();
    let edits = EditSet::new(edits).expect("names do not overlap");
    let operations = (0..edits.len()).collect();
    let composed = ComposedBatch::of_edits(edits, EditIntent { extents, ..EditIntent::default() }, operations);
    let edited = tree.edit(&composed.edits, &composed.intent, limits).map_err(EditError::Parse)?;
    gate::check(tree, &edited, &composed, (Allow::default(), limits))?;
    let operations = composed.made(tree, &edited.node_map, &edited.tree);
    Ok(Outcome { tree: edited.tree, edits: composed.edits, node_map: edited.node_map, operations })
}

/// How many nodes are visited to find what a rename changes: its cost.
pub fn reference_steps(tree: &Tree, target: Node, to: &str) -> Option<usize> {
    let scopes = Scopes::new(tree);
    let name = name_node(tree, &scopes, target).ok()?;
    scopes.references(name, to).ok()?;
    Some(scopes.steps())
}

/// What a rename with references leaves alone and the user should check.
fn notes(tree: &Tree, old: &str, found: &References) -> Vec<String> {
    let mut notes = Vec::new();
    let mut say = |nodes: &[Node], words: &dyn Fn(String) -> String| {
        if !nodes.is_empty() {
            notes.push(words(lines(tree, nodes)));
        }
    };
    say(&found.left, &|lines| format!("left `{old}` of other objects or calls as it is in line {lines}"));
    say(&strings(tree, old), &|lines| format!("left the string `{old}` as it is in line {lines}"));
    say(&found.splats, &|lines| format!("arguments in line {lines} may name `{old}`"));
    say(&found.dynamic, &|lines| format!("code that is evaluated in line {lines} may use the name `{old}`"));
    say(&found.derived, &|lines| format!("a name in line {lines} may mean `{old}`, and was left as it is"));
    say(&found.exported, &|lines| {
        format!("`{old}` of line {lines} is exported; uses in other files were left as they are")
    });
    if !found.bases.is_empty() {
        notes.push(format!(
            "`{old}` may override a member of {}, whose uses were left as they are",
            found.bases.join(", ")
        ));
    }
    notes
}

/// The languages whose references can be renamed.
fn supported_languages() -> Vec<String> {
    let supported = Language::all().into_iter().filter(|language| language.spec().references.supported);
    supported.map(|language| language.name().to_owned()).collect()
}

/// The strings that are just a name, or a type or a dotted path with that name.
fn strings(tree: &Tree, name: &str) -> Vec<Node> {
    let is_string = |node: &Node| tree.language().role(tree.table().type_id(*node)).string;
    let is_part = |byte: char| byte.is_alphanumeric() || byte == '_' || byte == '$';
    let says = |node: &Node| {
        let text = tree.node_text(*node);
        let text = text.trim_matches(['"', '\'', '`']);
        let is_path = || text.len() < 200 && text.chars().all(|char| is_part(char) || ".[],|:".contains(char));
        text == name || text.contains(name) && is_path() && text.split(|char| !is_part(char)).any(|word| word == name)
    };
    tree.table().nodes().filter(is_string).filter(says).collect()
}

/// The lines of some nodes, for a message: the first few.
fn lines(tree: &Tree, nodes: &[Node]) -> String {
    const MOST: usize = 10;
    let mut lines: Vec<String> =
        nodes.iter().map(|&node| tree.text().line_at(tree.span(node).start()).to_string()).collect();
    lines.dedup();
    let more = lines.len().saturating_sub(MOST);
    lines.truncate(MOST);
    match more {
        0 => lines.join(", "),
        more => format!("{} and {more} more", lines.join(", ")),
    }
}

/// Whether a word is a valid name in the place of one: one node of the old name's type, on its own or in its place.
pub fn may_be_named(tree: &Tree, name: Node, to: &str, limits: &ParseLimits) -> bool {
    let language = tree.language();
    let identifiers = &language.spec().references.identifiers;
    let is_one = |parsed: &Tree, wanted: Span| {
        let table = parsed.table();
        let like = |node: Node| {
            let id = table.type_id(node);
            id == tree.table().type_id(name) || identifiers.contains(id)
        };
        table.nodes().any(|node| table.span(node) == wanted && table.is_named(node) && like(node))
    };
    if to.is_empty() || to.trim() != to || language.spec().reserved.iter().any(|word| word == to) {
        return false;
    }
    let spec = language.spec();
    let in_any_case = spec.symbols.references.as_ref().unwrap_or(&spec.references).any_case.is_some();
    let is_keyword = |word: &String| word == to || in_any_case && word.eq_ignore_ascii_case(to);
    if language.spec().keywords.iter().any(is_keyword) && !may_be_keyword(tree, name) {
        return false;
    }
    let old = tree.node_text(name);
    match (type_alone(language, to, limits), type_alone(language, &old, limits)) {
        // A constant is not renamed to a variable, if the case of a name distinguishes them.
        (Some(new), Some(old)) if new != old => return false,
        (Some(new), _) if new == tree.table().type_id(name) || identifiers.contains(new) => return true,
        _ => {}
    }
    let excerpt = Excerpt::around(tree, name, limits);
    let span = excerpt.tree.span(excerpt.node(name));
    let edits = EditSet::new(vec![TextEdit::new(span, to)]).expect("one edit overlaps nothing");
    let intent = EditIntent { extents: vec![span], ..EditIntent::default() };
    let edited = excerpt.tree.edit(&edits, &intent, limits);
    let leaf = tree.table().subtree_end(name) == name.index() + 1;
    leaf && edited.is_ok_and(|edited| is_one(&edited.tree, Span::new(span.start(), span.start() + to.len())))
}

/// The type of a word that is one node on its own, or as the statement that most languages require.
fn type_alone(language: &'static Language, word: &str, limits: &ParseLimits) -> Option<TypeId> {
    [word.to_owned(), format!("{word};")].into_iter().find_map(|code| {
        let reading = ParsedSnippet::sound(language, &code, limits)?;
        let (table, start) = (reading.tree.table(), reading.span.start());
        let wanted = Span::new(start, start + word.len());
        let is_leaf = |node: &Node| table.subtree_end(*node) == node.index() + 1;
        let mut found = table.nodes().filter(|&node| table.span(node) == wanted && table.is_named(node));
        found.find(is_leaf).map(|node| table.type_id(node))
    })
}

/// Whether a keyword is allowed in the place of a name: a JavaScript method may be called `delete`.
fn may_be_keyword(tree: &Tree, name: Node) -> bool {
    tree.table().fits_any(name, &tree.language().spec().keyword_names)
}

/// The node of a definition's own name.
fn name_node(tree: &Tree, scopes: &Scopes<'_>, target: Node) -> Result<Node, BadRequest> {
    let mut node = target;
    while let Some(held) = tree.inner(node) {
        node = held;
    }
    let no_definition = || BadRequest::NoDefinition { type_name: tree.type_name(target).to_owned() };
    let kinds = Kinds::new(tree);
    let defines = [target, node].iter().any(|&node| kinds.is(node, "definition") || kinds.is(node, "parameter"));
    // An import defines its alias; other names of a definition are not its own.
    let others = if defines { Vec::new() } else { tree.other_name_nodes(node) };
    if let Some(bound) = tree.name_nodes(node).into_iter().chain(others).find(|&name| scopes.binds(name)) {
        return Ok(bound);
    }
    // If the data does not say what binds, the name of a definition does.
    let knows_bindings = tree.language().spec().references.has_bindings();
    if knows_bindings && !defines {
        return Err(no_definition());
    }
    let Some(name) = tree.name(node) else { return Err(no_definition()) };
    let in_parts = || BadRequest::NameInParts { name: name.clone() };
    let leaf = tree.name_nodes(node).into_iter().next().ok_or_else(in_parts)?;
    // Several paths may lead to the same name.
    let is_whole = tree.names(node).iter().all(|name| *name == tree.node_text(leaf));
    if is_whole { Ok(leaf) } else { Err(in_parts()) }
}
