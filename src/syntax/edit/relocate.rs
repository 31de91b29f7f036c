//! `move`: moves a node to another place, where it is still the same node.

use super::batch::Plan;
use super::error::{BadRequest, EditError};
use super::fragment::Fragment;
use super::insert::{self, Slot, Taken};
use super::pieces::{Item, Removal};
use super::{Extent, Position, block_layout, extent, lines, list, structure};
use crate::tree::Node;

/// Plans the move of a node.
pub(super) fn plan(
    plan: &mut Plan<'_>,
    operation: usize,
    target: Node,
    (position, to): (Position, Node),
    extent: Option<Extent>,
) -> Result<(), EditError> {
    let tree = plan.tree;
    let (table, text) = (tree.table(), tree.text());
    let no_place = BadRequest::NoPlace { type_name: tree.type_name(target).to_owned() };
    let place = plan.place(target).ok_or_else(|| plan.bad(operation, no_place))?;
    let mut slot: Slot = insert::slot(plan, to, position).map_err(|problem| plan.bad(operation, problem))?;
    if table.is_within(slot.holder, place.unit) {
        return Err(plan.bad(operation, BadRequest::IntoItself));
    }
    plan.makes(operation, place.unit);
    let span = extent::span_of(tree, place.unit, extent.unwrap_or(Extent::Full));
    plan.claim_extent(operation, span, Some(place.unit));
    if slot.holder == place.holder && (slot.index == place.index || slot.index == place.index + 1) {
        return Ok(());
    }
    let taken = insert::taken_comments(tree, &slot, (None, position), extent::documentation(tree, place.unit));
    if let Some(Taken::Passed(above)) = taken {
        slot = above;
    }
    let definition = extent::is_definition(tree, place.unit);
    let has_block = table.descendants(place.unit).any(|inner| structure::holds_statements(tree, inner));
    let mut source = span;
    let mut behind = None;
    if extent::is_list(tree, place.holder) {
        if let Some(carried) = list::carried(tree, place.holder, place.index) {
            (source, behind) = (carried.span, carried.behind);
        }
        if behind.is_some() && !list::has_lines(tree, slot.holder) {
            plan.note(operation, "dropped the comment after the element".to_owned());
        }
    } else {
        let ended = extent::span_with_terminator(tree, place.unit);
        if tree.language().spec().statement_separator.is_empty() {
            source = source.join(ended);
        }
        // The comment at the end of its line moves, too.
        let end = lines::line_end(text, span.end());
        let comment = table.children(place.holder).find(|&child| {
            tree.is_comment(child)
                && table.span(child).start() >= span.end()
                && extent::trimmed_span(tree, child).end() <= end
        });
        let next = extent::units(tree, place.holder).get(place.index + 1).map(|&next| tree.span(next).start());
        if let Some(comment) = comment.filter(|_| next.is_none_or(|next| next > end)) {
            source = source.join(extent::trimmed_span(tree, comment));
        }
    }
    let needs_lines = has_block || lines::breaks(text, source);
    let base = block_layout::indentation_behind_marker(tree, place)
        .filter(|_| source.start() == tree.span(place.unit).start());
    let base = base.unwrap_or_else(|| lines::indentation(text, source.start()));
    let fragment = Fragment::from_tree(tree, source, &base, definition, needs_lines);
    plan.removals.push(Removal { place, span, operation });
    plan.carries(place.unit);
    // What belongs to it moves, too: attributes, and its terminator.
    plan.intent.relocated.extend(tree.attachments().leading(table, extent::first_attached(tree, place.unit)));
    let first = extent::first_on_line(tree, extent::first_attached(tree, place.unit));
    let siblings = std::iter::successors(Some(first), |&node| table.next_sibling(node));
    let moves = |node: &Node| table.span(*node).start() < source.end();
    let is_inside = |node: &Node| table.span(*node).start() >= source.start();
    plan.intent.relocated.extend(siblings.take_while(moves).filter(is_inside));
    let above = extent::attached_comments(tree, first);
    plan.intent.relocated.extend(above.into_iter().filter(|&comment| table.span(comment).start() >= source.start()));
    plan.intent.relocated.extend(behind.map(|(comment, _)| comment));
    let behind =
        behind.map(|(_, span)| Fragment::from_tree(tree, span, &lines::indentation(text, span.start()), false, false));
    let apart_above = matches!(taken, Some(Taken::Kept));
    let item = Item { fragment, node: Some(place.unit), behind, apart_above, ..Item::default() };
    insert::place_at(plan, operation, slot, item);
    Ok(())
}
