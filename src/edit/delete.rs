//! `delete`: a node goes, with its separator or its line, and leaves no hole.

use super::error::EditError;
use super::extent::{self, Place};
use super::plan::{Draft, Plan, Removal};
use super::{Extent, layout};
use crate::text::{EditSet, Span, TextEdit};
use crate::tree::{Intent, Node, Tree};

/// Plans the removal of a node.
pub(super) fn plan(
    plan: &mut Plan<'_>,
    operation: usize,
    target: Node,
    extent: Option<Extent>,
) -> Result<(), EditError> {
    let tree = plan.tree;
    if target == Node::ROOT {
        plan.claim_extent(operation, tree.text().span(), Some(target));
        plan.intent.removed.extend(tree.table().children(target));
        plan.cut(operation, tree.text().span());
        return Ok(());
    }
    if layout::is_block(tree, target) {
        plan.claim_extent(operation, tree.span(target), None);
        let holder = layout::inner_block(tree, target).unwrap_or(target);
        for (index, unit) in extent::units(tree, holder).into_iter().enumerate() {
            remove(plan, operation, Place { holder, unit, index }, Extent::Full);
        }
        return Ok(());
    }
    if let Some(place) = extent::place(tree, target) {
        let span = extent::span_of(tree, place.unit, extent.unwrap_or(Extent::Full));
        plan.claim_extent(operation, span, Some(place.unit));
        remove(plan, operation, place, extent.unwrap_or(Extent::Full));
        return Ok(());
    }
    if tree.is_comment(target) {
        plan.claim_extent(operation, tree.span(target), Some(target));
        plan.cut(operation, comment(tree, target));
        return Ok(());
    }
    if let Some((whole, other, span)) = piece(tree, tree.unit(target)) {
        plan.claim_extent(operation, span, Some(tree.unit(target)));
        plan.intent.extents.push(whole);
        plan.carries(other);
        plan.intent.removed.push(target);
        plan.cut(operation, span);
        return Ok(());
    }
    let unit = tree.unit(target);
    let found = part(plan, unit);
    plan.claim_extent(operation, tree.span(unit), Some(unit));
    plan.intent.removed.push(target);
    if found.is_none() && takes_empty_statement(plan, unit) {
        plan.change(operation, extent::solid(tree, unit), Draft::new(&tree.language().data().empty_statement));
        return Ok(());
    }
    let (span, changing) = found.unwrap_or((extent::solid(tree, unit), None));
    plan.intent.extents.extend(changing);
    plan.cut(operation, span);
    Ok(())
}

/// The bytes that go with a comment: its line, or the space before it; of blank lines on both sides one side's.
fn comment(tree: &Tree, comment: Node) -> Span {
    let text = tree.text();
    let span = tree.span(comment);
    let line = text.line_around(span.start());
    if !tree.starts_its_line(comment) {
        let before = text.slice(Span::new(line.start(), span.start())).into_owned();
        let space = before.len() - before.trim_end_matches(layout::is_blank).len();
        return Span::new(span.start() - space, span.end());
    }
    if span.end() < line.end() {
        return span;
    }
    let mut start = line.start();
    let mut end = layout::next_line(text, line.end());
    let (above, below) = (layout::blanks_above(text, start), layout::blanks_below(text, end));
    if above > 0 || start == 0 {
        end = layout::lines_down(text, end, if start == 0 { below } else { above.min(below) });
    }
    if end == text.len() && end == line.end() && start > 0 {
        start = layout::line_end(text, layout::lines_up(text, start, 1));
    }
    Span::new(start, end)
}

/// Takes a list of which nothing is left: its own node, or the import that it is of.
pub(super) fn whole(plan: &mut Plan<'_>, operation: usize, list: Node) {
    let tree = plan.tree;
    let imports = &tree.language().data().imports.types;
    let is_import = |node: &Node| imports.iter().any(|name| name == tree.type_name(*node));
    let import = tree.table().ancestors(list).find(is_import);
    // Something else may be imported beside the list.
    let only_one = |node: Node| tree.named_children(node).count() == 1;
    let within = |import: Node| tree.table().ancestors(list).take_while(move |&above| above != import);
    if let Some(import) = import.filter(|&import| within(import).all(only_one))
        && let Some(place) = extent::place(tree, import)
    {
        plan.intent.extents.push(tree.span(place.unit));
        remove(plan, operation, place, Extent::Full);
        return;
    }
    // What it belongs to may be less without it: `A` instead of `A<B>`.
    let parent = tree.table().parent(list).unwrap_or(list);
    let others: Vec<Node> = tree.named_children(parent).filter(|&other| other != list).collect();
    if let &[other] = &others[..] {
        plan.intent.extents.push(tree.span(parent));
        plan.carries(other);
    }
    let (span, changing) = part(plan, list).unwrap_or((tree.span(list), None));
    plan.intent.extents.push(tree.span(list));
    plan.intent.extents.extend(changing);
    plan.intent.removed.push(list);
    plan.cut(operation, span);
}

/// Takes a unit out of its holder.
pub(super) fn remove(plan: &mut Plan<'_>, operation: usize, place: Place, extent: Extent) {
    let span = extent::span_of(plan.tree, place.unit, extent);
    plan.intent.removed.push(place.unit);
    plan.removals.push(Removal { place, span, operation });
}

/// Of two pieces that make one node together, the one that goes: the bytes of both, the other one, and the bytes that go. Their
/// node gives way to the one that stays.
fn piece(tree: &Tree, node: Node) -> Option<(Span, Node, Span)> {
    let (table, text) = (tree.table(), tree.text());
    let parent = table.parent(node)?;
    let joins = &tree.language().data().joins;
    if !joins.iter().any(|name| name == tree.type_name(parent)) {
        return None;
    }
    let pieces: Vec<Node> = tree.named_children(parent).collect();
    let (&[first, second], span) = (&pieces[..], tree.span(node)) else { return None };
    let (before, after) = (tree.span(first), tree.span(second));
    let between = text.slice(Span::new(before.end(), after.start())).into_owned();
    // A comment between the two stays.
    let touch = between.chars().all(|character| character.is_whitespace() || character == '\\');
    let (other, cut) = if node == first {
        (second, if touch { Span::new(before.start(), after.start()) } else { span })
    } else {
        (first, if touch { Span::new(before.end(), after.end()) } else { span })
    };
    Some((tree.span(parent), other, cut))
}

/// The bytes that go with a node that stands in no list: with the token that only introduces it, where the rest makes no
/// sense otherwise (`-> int`, `= 1`); `None` where the rest makes no sense. The second value is what may change with it: a parameter that loses its default.
fn part(plan: &Plan<'_>, node: Node) -> Option<(Span, Option<Span>)> {
    let tree = plan.tree;
    let (table, text) = (tree.table(), tree.text());
    let span = extent::solid(tree, node);
    let token =
        |sibling: Option<Node>| sibling.filter(|&sibling| !table.is_named(sibling)).map(|token| tree.span(token));
    let before = token(table.previous_sibling(node)).map(|token| token.join(span));
    let after = token(table.next_sibling(node)).map(|token| span.join(token));
    let parent = table.parent(node);
    let parameter = parent.filter(|&parent| {
        let list = table.parent(parent);
        list.is_some_and(|list| tree.holds_parameters(list))
    });
    let parameter = parameter.map(|parameter| tree.span(parameter));
    let candidates = [Some(span), before, after].into_iter().flatten();
    let extents = std::iter::once(None).chain(parameter.map(Some));
    for extent in extents {
        for candidate in candidates.clone() {
            let cut = trimmed(text, candidate);
            let edits = EditSet::new(vec![TextEdit::new(cut, "")]).expect("one edit overlaps nothing");
            let extents = std::iter::once(candidate).chain(extent).collect();
            let intent = Intent { extents, removed: vec![node], ..Intent::default() };
            let Ok(edited) = tree.edit(&edits, &intent, plan.limits) else { continue };
            let sound = edited.tree.is_sound() || edited.tree.errors().len() < tree.errors().len().max(1);
            // What it is a part of must stay, unless that is a parameter that needn't be written as one.
            let held_more = |parent: Node| table.children(parent).nth(1).is_some();
            let stays = |parent: Node| edited.carry.image(parent).is_some() || !held_more(parent);
            let stays = extent.is_some() || parent.is_none_or(stays);
            if sound && stays && edited.carry.violations().is_empty() {
                return Some((cut, extent));
            }
        }
    }
    None
}

/// Whether what stands for a statement may stand in a node's place: the node was all that a loop or condition has.
fn takes_empty_statement(plan: &Plan<'_>, node: Node) -> bool {
    let tree = plan.tree;
    let empty = tree.language().data().empty_statement.as_str();
    if empty.is_empty() {
        return false;
    }
    let span = extent::solid(tree, node);
    let edits = EditSet::new(vec![TextEdit::new(span, empty)]).expect("one edit overlaps nothing");
    let intent = Intent { extents: vec![span], removed: vec![node], ..Intent::default() };
    let Ok(edited) = tree.edit(&edits, &intent, plan.limits) else { return false };
    let new = &edited.tree;
    let place = Span::new(span.start(), span.start() + empty.len());
    let found = new.table().range(new.table().first_from(place.start()), new.table().len());
    let is_block = found.take_while(|&found| new.span(found).start() == place.start());
    let is_block = is_block.filter(|&found| new.span(found) == place).any(|found| layout::is_block(new, found));
    let sound = new.is_sound() || new.errors().len() < tree.errors().len().max(1);
    is_block && sound && edited.carry.violations().is_empty()
}

/// The bytes with the white space that would be left over.
fn trimmed(text: &crate::text::Text, span: Span) -> Span {
    let line = text.line_around(span.start());
    let before = text.slice(Span::new(line.start(), span.start())).into_owned();
    let after = text.slice(Span::new(span.end(), layout::line_end(text, span.end()))).into_owned();
    let space = before.len() - before.trim_end_matches(layout::is_blank).len();
    let starts_line = space == before.len();
    if starts_line && after.trim().is_empty() {
        let (start, end) = (line.start(), layout::next_line(text, span.end()));
        let (above, below) = (layout::blanks_above(text, start), layout::blanks_below(text, end));
        let next = layout::lines_down(text, end, below);
        let closes = text.slice(text.line_around(next)).trim_start().starts_with(['}', ')', ']']);
        return if closes && above > 0 {
            Span::new(layout::lines_up(text, start, above), end)
        } else {
            Span::new(start, layout::lines_down(text, end, above.min(below)))
        };
    }
    if starts_line {
        // What follows it starts the line.
        let blanks = after.len() - after.trim_start_matches(layout::is_blank).len();
        return Span::new(span.start(), span.end() + blanks);
    }
    let next = after.chars().next();
    let closes = next.is_none_or(|next| layout::is_blank(next) || ":,)]};>".contains(next));
    if closes && !starts_line { Span::new(span.start() - space, span.end()) } else { span }
}
