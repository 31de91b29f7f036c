//! Moves units to lines of their own.

use super::batch::Plan;
use super::block_layout::BlockLayout;
use super::extent::ItemPosition;
use super::{extent, lines};

/// Moves a unit to a line of its own, away from the units on the same line. Returns the indentation of the lines.
pub(super) fn set_apart(plan: &mut Plan<'_>, operation: usize, place: ItemPosition) -> String {
    set_range_apart(plan, operation, place, place)
}

/// Moves neighbouring units to lines of their own.
pub(super) fn set_range_apart(
    plan: &mut Plan<'_>,
    operation: usize,
    first: ItemPosition,
    last: ItemPosition,
) -> String {
    let rows = BlockLayout::new(plan.tree, first.holder);
    let before = rows.split_before(first.index);
    let after = if rows.shares_line_with_previous(last.index + 1) { rows.split_before(last.index + 1) } else { None };
    // If the first unit on the header's line moves, so do the others there.
    let opening = if first.index > 0 && rows.is_on_header_line(first.index) { rows.split_before(0) } else { None };
    let closes = rows.is_on_header_line(last.index) || last.index + 1 == rows.units.len();
    let closing = if closes { rows.split_closing() } else { None };
    for (span, draft) in [opening, before, after, closing].into_iter().flatten() {
        plan.change(operation, span, draft);
    }
    // A label, or another node with its own indentation, stays where it is.
    let head = extent::first_attached(plan.tree, rows.units[first.index]);
    let own = Some(head).filter(|&head| plan.tree.starts_its_line(head) && rows.spaced);
    own.map_or(rows.indentation, |head| lines::indentation(plan.tree.text(), plan.tree.span(head).start()))
}
