//! The gates: what an edit must not do.
//!
//! The first refuses new syntax errors. The second refuses changes to nodes outside the edit.

use super::batch::ComposedBatch;
use super::{Allow, EditError, batch, diagnose, lines, misplaced, neighbours, structure, swallowed};
use crate::text::{EditSet, Span};
use crate::tree::{Edited, Node, ParseLimits, SyntaxErrorKind, Tree, Violation};

/// Refuses a result that breaks the syntax or changes something outside the edit.
pub(super) fn check(
    old: &Tree,
    edited: &Edited,
    composed: &ComposedBatch,
    (allow, limits): (Allow, &ParseLimits),
) -> Result<(), EditError> {
    if !allow.syntax
        && let Some(broken) = check_syntax(old, edited, composed, limits)
    {
        return Err(broken);
    }
    if !allow.structure {
        // The first node that a person would name, so not a block.
        let violations = edited.node_map.violations();
        let is_telling = |violation: &&Violation| {
            violation.place.is_some()
                && old.table().is_named(violation.node)
                && !structure::is_block(old, violation.node)
        };
        if let Some(violation) = violations.iter().find(is_telling).or(violations.first()) {
            return Err(check_structure(old, edited, composed, (violation.node, violation.place), None));
        }
        let mut carried = composed.kept.iter();
        if let Some(&lost) = carried.find(|&&node| batch::image(old, &edited.node_map, node).is_none()) {
            let place = composed.edits.new_spans().first().map(|span| span.start());
            return Err(check_structure(old, edited, composed, (lost, place), None));
        }
        // A node that becomes a part of another one: `a, b = 1, 2` among arguments.
        let ink = |text: &str| {
            text.chars().filter(|letter| !letter.is_whitespace() && !";,".contains(*letter)).collect::<String>()
        };
        let is_cut = |&&node: &&Node| {
            let image = edited.node_map.image(node);
            image.is_some_and(|image| ink(&old.node_text(node)) != ink(&edited.tree.node_text(image)))
        };
        if let Some(&cut) = composed.kept.iter().filter(|_| composed.count == 1).find(is_cut) {
            let place = edited.node_map.image(cut).map(|image| edited.tree.span(image).start());
            return Err(check_structure(old, edited, composed, (cut, place), None));
        }
        if let Some(error) = swallowed::check(old, edited, composed, limits) {
            return Err(error);
        }
        if let Some(found) = neighbours::find(old, edited, composed) {
            let place = edited.node_map.image(found.node).map(|image| edited.tree.span(image).start());
            return Err(check_structure(old, edited, composed, (found.node, place), Some(found.how)));
        }
    }
    Ok(())
}

/// The first new syntax error.
fn check_syntax(old: &Tree, edited: &Edited, composed: &ComposedBatch, limits: &ParseLimits) -> Option<EditError> {
    let new = &edited.tree;
    let errors = new.errors().into_iter();
    let mut fresh = errors.filter(|error| is_new(old, edited, &composed.edits, error.node));
    if let Some(error) = fresh.next() {
        let what = match error.kind {
            SyntaxErrorKind::Missing => format!("`{}` expected", new.type_name(error.node)),
            SyntaxErrorKind::Error => error.what,
        };
        // The start of an error that contains the edit is meaningless; the edit is the place.
        let within = composed.edits.new_spans().into_iter().find(|edit| {
            error.kind == SyntaxErrorKind::Error && error.span.start() < edit.start() && edit.end() <= error.span.end()
        });
        let near = composed
            .edits
            .new_spans()
            .into_iter()
            .find(|edit| edit.start() <= error.span.end() && error.span.start() <= edit.end() && !edit.is_empty());
        if let Some((place, token)) = near.and_then(|edit| diagnose::expected(new, edit, limits)) {
            return Some(at(new, composed, place, format!("`{token}` expected")));
        }
        let Some(edit) = within else { return Some(at(new, composed, error.span.start(), what)) };
        return Some(at_edit(new, composed, edit));
    }
    if let Some(body) = emptied_body(old, edited, composed) {
        let place = new.span(body).start();
        let what = format!("`{}` or another statement expected in a body", new.language().spec().empty_body);
        return Some(at(new, composed, place, what));
    }
    if let Some((node, needed)) = incomplete(old, edited, composed) {
        return Some(at(new, composed, new.span(node).start(), format!("`{needed}` expected")));
    }
    if let Some(place) = uneven_body(old, edited, composed) {
        return Some(at(new, composed, place, "indentation that differs from the statement above".to_owned()));
    }
    let found = check_placement(old, edited, composed)?;
    Some(at(new, composed, new.span(found.node).start(), found.message))
}

/// Whether an error of the new tree is not one of the old.
fn is_new(old: &Tree, edited: &Edited, edits: &EditSet, error: Node) -> bool {
    if old.is_sound() {
        return true;
    }
    if edited.node_map.preimage(error).is_some_and(|before| old.table().has_error(before)) {
        return false;
    }
    let span = edited.tree.span(error);
    let Some(before) = in_old(edits, span) else { return true };
    // Recovery may report the same error elsewhere in the same lines. Far from the edit, in text that was broken
    // before, only the recovery differs.
    let top = |node: Node| old.table().parent(node) == Some(Node::ROOT) || node == Node::ROOT;
    let inner = old.table().smallest_around(before);
    let outer = std::iter::once(inner).chain(old.table().ancestors(inner)).find(|&node| top(node));
    if outer.is_some_and(|outer| old.table().has_error(outer)) {
        return false;
    }
    let lines = |span: Span| (old.text().line_at(span.start()), old.text().line_at(span.end()));
    let (first, last) = lines(before);
    !old.errors().iter().any(|known| {
        let (known_first, known_last) = lines(known.span);
        known_first <= last && first <= known_last
    })
}

/// The old place of bytes of the new text; `None` if the edit touches them.
fn in_old(edits: &EditSet, span: Span) -> Option<Span> {
    let (mut added, mut removed) = (0, 0);
    for (edit, new) in edits.iter().zip(edits.new_spans()) {
        if span.end() < new.start() || (span.end() == new.start() && !span.is_empty()) {
            break;
        }
        if span.start() < new.end() || span.start() == new.start() {
            return None;
        }
        added += edit.text.len();
        removed += edit.span.len();
    }
    Some(Span::new(span.start() + removed - added, span.end() + removed - added))
}

/// A body without statements that had one before, or is new; only if the language needs one.
fn emptied_body(old: &Tree, edited: &Edited, composed: &ComposedBatch) -> Option<Node> {
    let new = &edited.tree;
    if new.language().spec().empty_body.is_empty() {
        return None;
    }
    let is_empty = |tree: &Tree, body: Node| tree.named_children(body).next().is_none();
    let bodies = new.table().nodes().filter(|&node| node != Node::ROOT && structure::is_block(new, node));
    bodies.filter(|&body| is_empty(new, body)).find(|&body| {
        let before = edited.node_map.preimage(body);
        let header = new.table().parent(body).unwrap_or(body);
        before.is_none_or(|before| !is_empty(old, before)) && is_near(old, new, composed, header)
    })
}

/// Whether the edit caused a problem at a node: always, unless the file was broken before and the edit is elsewhere.
fn is_near(old: &Tree, new: &Tree, composed: &ComposedBatch, node: Node) -> bool {
    old.is_sound() || in_old(&composed.edits, new.span(node)).is_none()
}

/// The first new node that the grammar accepts and the language does not.
fn check_placement(old: &Tree, edited: &Edited, composed: &ComposedBatch) -> Option<misplaced::Misplaced> {
    let mut found = misplaced::all(&edited.tree).into_iter().peekable();
    found.peek()?;
    let known = misplaced::all(old);
    found.find(|found| {
        let before = edited.node_map.preimage(found.node);
        let was_there = known.iter().any(|known| Some(known.node) == before && known.rule == found.rule);
        !was_there && is_near(old, &edited.tree, composed, found.node)
    })
}

/// A node that lacks children that its type needs, and did not before.
fn incomplete(old: &Tree, edited: &Edited, composed: &ComposedBatch) -> Option<(Node, &'static str)> {
    let new = &edited.tree;
    let language = new.language();
    let needs = &language.spec().needs;
    let lacks = |tree: &Tree, node: Node| {
        let needed = needs.of(tree.table().type_id(node))?;
        let has = |child: Node| needed.contains(tree.table().type_id(child));
        if tree.named_children(node).any(has) { None } else { needed.types().next() }
    };
    new.table().nodes().filter(|&node| needs.of(new.table().type_id(node)).is_some()).find_map(|node| {
        let known = edited.node_map.preimage(node).is_some_and(|before| lacks(old, before).is_some());
        lacks(new, node)
            .filter(|_| !known && is_near(old, new, composed, node))
            .map(|needed| (node, language.type_name(needed)))
    })
}

/// The first statement that is not aligned with those before it in its body, in the lines that the edit touched.
fn uneven_body(old: &Tree, edited: &Edited, composed: &ComposedBatch) -> Option<usize> {
    let new = &edited.tree;
    if !new.language().spec().indentation_is_syntax {
        return None;
    }
    let touched = composed.edits.new_spans();
    let is_touched = |span: Span| {
        let first = touched.partition_point(|touched| touched.end() < span.start());
        touched.get(first).is_some_and(|touched| touched.start() <= span.end())
    };
    let uneven = |tree: &Tree, body: Node| {
        let mut columns: Option<String> = None;
        tree.named_children(body).filter(|&unit| tree.starts_its_line(unit)).find(|&unit| {
            let here = lines::indentation(tree.text(), tree.span(unit).start());
            let expected = columns.get_or_insert_with(|| if body == Node::ROOT { String::new() } else { here.clone() });
            lines::columns(expected) != lines::columns(&here)
        })
    };
    let bodies = new.table().nodes().filter(|&node| structure::is_block(new, node));
    for body in bodies {
        if !is_touched(new.span(body)) {
            continue;
        }
        let Some(unit) = uneven(new, body) else { continue };
        let before = edited.node_map.preimage(body);
        if before.is_none_or(|before| uneven(old, before).is_none()) {
            return Some(new.span(unit).start());
        }
    }
    None
}

/// The most likely error for an edit.
fn at_edit(new: &Tree, composed: &ComposedBatch, edit: Span) -> EditError {
    const SHOWN: usize = 20;
    let code = new.text().slice(edit).into_owned();
    let start = edit.start() + code.len() - code.trim_start().len();
    let start = if code.trim().is_empty() { edit.start() } else { start };
    let line = new.text().slice(Span::new(start, lines::line_end(new.text(), start))).into_owned();
    let shown: String = line.trim().chars().take(SHOWN).collect();
    let what = if shown.is_empty() { "unexpected end of line".to_owned() } else { format!("unexpected `{shown}`") };
    at(new, composed, start, what)
}

fn at(new: &Tree, composed: &ComposedBatch, offset: usize, message: String) -> EditError {
    let place = new.text().position(offset);
    let line = new.text().slice(new.text().line_span(place.line)).into_owned();
    let pad: String = line.chars().take(place.column).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    EditError::WouldBreakSyntax { operation: nearest(composed, offset), place, line, caret: format!("{pad}^"), message }
}

/// The operation whose edit is nearest to a place of the new text.
pub(super) fn nearest(composed: &ComposedBatch, offset: usize) -> usize {
    let distance = |span: &Span| span.start().saturating_sub(offset).max(offset.saturating_sub(span.end()));
    let spans = composed.edits.new_spans();
    let nearest = spans.iter().enumerate().min_by_key(|(_, span)| distance(span));
    nearest.map_or(0, |(index, _)| composed.operations[index])
}

fn check_structure(
    old: &Tree,
    edited: &Edited,
    composed: &ComposedBatch,
    (node, place): (Node, Option<usize>),
    how: Option<String>,
) -> EditError {
    const SHOWN: usize = 30;
    let new = &edited.tree;
    let name = if old.is_scope(node) { old.name(node) } else { None };
    let text = old.node_text(node);
    let line = text.lines().next().unwrap_or("");
    let shown: String = name.unwrap_or_else(|| line.chars().take(SHOWN).collect());
    let what = format!("`{}` `{shown}`", old.type_name(node));
    let now = place.map(|place| new.table().smallest_around(Span::at(place)));
    let how = how.unwrap_or_else(|| match now.filter(|&now| now != Node::ROOT) {
        Some(now) if new.table().type_id(now) != old.table().type_id(node) => {
            format!("split, or absorbed by a `{}`", new.type_name(now))
        }
        _ => "put under another parent".to_owned(),
    });
    let offset = place.unwrap_or_else(|| old.span(node).start());
    EditError::WouldRestructure {
        operation: nearest(composed, offset),
        node,
        what,
        how,
        place: old.text().position(old.span(node).start()),
    }
}
