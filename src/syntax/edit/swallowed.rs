//! Definitions that a syntax error makes a part of another node.
//!
//! After an unclosed bracket, the parser reads the code that follows as part of the same statement, including other
//! functions. People who replace or delete that statement mean what they see of it. So in a node with an error the
//! lines decide: a line that reads like the beginning of a definition, and is indented no more than the node, is not a
//! part of it.

use super::batch::{ComposedBatch, Extent};
use super::snippet::ParsedSnippet;
use super::{EditError, extent, lines, structure};
use crate::language::Language;
use crate::limits;
use crate::text::{Span, Text};
use crate::tree::{Edited, Node, ParseLimits, Tree};

/// A definition that would be deleted with a node, although its lines are not in it.
struct Definition {
    name: String,
    start: usize,
}

/// Refuses an edit that removes such definitions and does not restore them.
pub(super) fn check(old: &Tree, edited: &Edited, composed: &ComposedBatch, limits: &ParseLimits) -> Option<EditError> {
    if old.is_sound() {
        return None;
    }
    let errors = old.errors();
    for (index, extent) in composed.extents.iter().enumerate() {
        let is_near = |span: Span| span.start() <= extent.span.end() && extent.span.start() <= span.end();
        let Some(error) = errors.iter().find(|error| is_near(error.span)) else { continue };
        if extent.node == Some(Node::ROOT) {
            continue;
        }
        let mut lost = definitions(old, extent.span, limits);
        lost.retain(|found| !is_part(old, *extent, found.start));
        if !extent.moves && !lost.is_empty() {
            let edits: Vec<(Span, Span)> = composed
                .edits
                .iter()
                .zip(composed.edits.new_spans())
                .map(|(edit, new)| (edit.span, new))
                .filter(|(span, _)| span.overlaps(extent.span))
                .collect();
            lost.retain(|found| edits.iter().any(|(old, _)| old.start() <= found.start && found.start < old.end()));
            let brought: Vec<String> =
                edits.iter().flat_map(|(_, new)| brought(&edited.tree, *new, old.language(), limits)).collect();
            lost.retain(|found| !brought.contains(&found.name));
        }
        if lost.is_empty() {
            continue;
        }
        let node = extent.node.unwrap_or_else(|| old.table().smallest_around(extent.span));
        let names: Vec<String> = lost.iter().map(|found| found.name.clone()).collect();
        let lines = lost.iter().map(|found| old.text().line_at(found.start)).collect();
        let what = extent::name_in_messages(old, node);
        let operation = extent.operation.unwrap_or(index);
        return Some(EditError::WouldLose { operation, node, what, names, lines, error: error.position });
    }
    None
}

/// Whether a statement of a block, or of a range, begins at an offset: then it is meant.
fn is_part(old: &Tree, extent: Extent, start: usize) -> bool {
    let holder = match extent.node {
        Some(node) if structure::holds_statements(old, node) => node,
        Some(_) => return false,
        None => old.table().smallest_around(extent.span),
    };
    let holder = structure::inner_block(old, holder).unwrap_or(holder);
    old.table().children(holder).any(|child| old.span(child).start() == start)
}

/// The names of the definitions in new code.
fn brought(new: &Tree, span: Span, language: &'static Language, limits: &ParseLimits) -> Vec<String> {
    let table = new.table();
    let scopes = table.nodes().filter(|&node| table.span(node).overlaps(span) && new.is_scope(node));
    let mut names: Vec<String> = scopes.filter_map(|node| new.name(node)).collect();
    // If the new text is broken, too, the code is read on its own.
    if !new.is_sound() {
        let code = new.text().slice(span).into_owned();
        names.extend(ParsedSnippet::any(language, &code, limits).into_iter().flat_map(|reading| {
            let tree = reading.tree;
            let names: Vec<String> =
                tree.table().nodes().filter(|&node| tree.is_scope(node)).filter_map(|node| tree.name(node)).collect();
            names
        }));
    }
    names
}

/// The definitions whose first line is in a span, after its first line, and indented no more than that.
fn definitions(tree: &Tree, span: Span, limits: &ParseLimits) -> Vec<Definition> {
    let text = tree.text();
    let column = lines::columns(&lines::indentation(text, span.start()));
    let (first, last) = (text.line_at(span.start()) + 1, text.line_at(span.end()));
    let indent = |line: usize| lines::indentation(text, text.line_span(line).start());
    let is_candidate = |&line: &usize| {
        let code = text.slice(text.line_span(line)).into_owned();
        // A line with a closing token continues the lines above.
        let begins = code.trim_start().starts_with(|letter: char| !")]}".contains(letter));
        begins && lines::columns(&indent(line)) <= column
    };
    let mut starts: Vec<usize> = (first..=last).take(limits::EXAMINED_LINES).filter(is_candidate).collect();
    starts.push(last + 1);
    let mut found = Vec::new();
    for pair in starts.windows(2) {
        let (from, to) = (text.line_span(pair[0]).start(), text.line_span(pair[1] - 1).end());
        let piece = Span::new(from, to.max(from));
        if let Some(name) = name_of_definition(tree.language(), text, piece, &indent(pair[0]), limits) {
            found.push(Definition { name, start: from + indent(pair[0]).len() });
        }
    }
    found
}

/// The name of the definition that begins with these lines.
fn name_of_definition(
    language: &'static Language,
    text: &Text,
    piece: Span,
    indentation: &str,
    limits: &ParseLimits,
) -> Option<String> {
    let code: String = text
        .slice(piece)
        .lines()
        .map(|line| format!("{}\n", line.strip_prefix(indentation).unwrap_or(line.trim_start())))
        .collect();
    let reading = ParsedSnippet::any(language, &code, limits)?;
    let (tree, table) = (&reading.tree, reading.tree.table());
    let first_line = tree.text().line_at(reading.span.start());
    let begins = |node: &Node| tree.text().line_at(tree.span(*node).start()) == first_line;
    let mut nodes = table.range(table.first_from(reading.span.start()), table.len()).take_while(begins);
    let definition =
        nodes.find(|&node| tree.is_scope(node) && table.is_named(node) && tree.name_node(node).is_some())?;
    // A definition inside an error may be a guess of the parser; then its name is in its first line.
    let name = tree.name_node(definition)?;
    if begins(&name) { tree.name(definition) } else { None }
}
