//! `insert`: code comes beside a node, or into its body or list.

use super::error::{BadRequest, EditError};
use super::extent::{self, Place};
use super::fragment::Fragment;
use super::frame::Frame;
use super::plan::{Insertion, Item, Plan};
use super::reading::Reading;
use super::{Extent, Position, layout, list};
use crate::tree::{Node, Tree};

/// Where something is to be inserted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    pub(super) holder: Node,
    pub(super) index: usize,
    pub(super) below: Option<Node>,
    pub(super) above: Option<Node>,
    /// The unit that it was named by.
    pub(super) beside: Option<Place>,
}

/// Plans the insertion of code.
pub(super) fn plan(
    plan: &mut Plan<'_>,
    operation: usize,
    target: Node,
    position: Position,
    code: &str,
    extent: Option<Extent>,
) -> Result<(), EditError> {
    let mut slot = slot(plan, target, position).map_err(|problem| plan.bad(operation, problem))?;
    if let (Some(Extent::Node), Position::Before, Some(place)) = (extent, position, slot.beside) {
        slot.above = Some(place.unit);
    }
    let fragment = fragment(plan, slot.holder, code);
    if fragment.is_empty() {
        return Err(plan.bad(operation, BadRequest::EmptyCode));
    }
    let attached = position == Position::Before && slot.beside.is_some_and(|place| completes(plan, place, &fragment));
    let item = Item { fragment, apart: false, attached, node: None };
    place_at(plan, operation, slot, item);
    Ok(())
}

/// Code made to go into a holder.
pub(super) fn fragment(plan: &Plan<'_>, holder: Node, code: &str) -> Fragment {
    let (base, unit) = plan.indentation_in(holder);
    Fragment::from_code(plan.tree, code, &base, &unit, plan.limits)
}

/// Puts an item into a slot.
pub(super) fn place_at(plan: &mut Plan<'_>, operation: usize, slot: Slot, item: Item) {
    let tree = plan.tree;
    let offset = match (slot.below, slot.beside) {
        (Some(below), _) => tree.span(below).end(),
        (None, Some(place)) => extent::span_of(tree, place.unit, Extent::Full).start(),
        (None, None) => tree.span(slot.above.unwrap_or(slot.holder)).start(),
    };
    plan.claim_point(operation, offset, slot.holder);
    let Slot { holder, index, below, above, .. } = slot;
    plan.insertions.push(Insertion { holder, slot: index, below, above, item, operation });
}

/// Where a position is.
pub(super) fn slot(plan: &Plan<'_>, target: Node, position: Position) -> Result<Slot, BadRequest> {
    let tree = plan.tree;
    match position {
        Position::Before | Position::After if tree.is_comment(target) || tree.logical().is_leading(target) => {
            let type_name = tree.type_name(target).to_owned();
            beside_comment(tree, target, position).ok_or(BadRequest::NoPlace { type_name })
        }
        Position::Before | Position::After => {
            let type_name = tree.type_name(target).to_owned();
            let place = plan.place(target).ok_or(BadRequest::NoPlace { type_name })?;
            let after = position == Position::After;
            let in_list = extent::is_list(tree, place.holder);
            Ok(Slot {
                holder: place.holder,
                index: place.index + usize::from(after),
                below: (after && !in_list).then_some(place.unit),
                above: None,
                beside: Some(place),
            })
        }
        Position::First | Position::Last => inside(tree, target, position == Position::First),
    }
}

/// Above or below the line of a comment, or of an attribute, among statements.
fn beside_comment(tree: &Tree, comment: Node, position: Position) -> Option<Slot> {
    let table = tree.table();
    let parent = table.parent(comment)?;
    let start = tree.span(comment).start();
    let holder = if layout::holds_statements(tree, parent) {
        layout::inner_block(tree, parent).unwrap_or(parent)
    } else {
        // The comments before a block's first statement stand before the block.
        table.children(parent).find(|&child| child > comment && !tree.is_comment(child))?
    };
    if !layout::holds_statements(tree, holder) || !tree.starts_its_line(comment) {
        return None;
    }
    let index = extent::units(tree, holder).iter().take_while(|&&unit| tree.span(unit).start() < start).count();
    if tree.logical().is_leading(comment) && position == Position::After {
        let next = table.next_sibling(comment).filter(|&next| tree.starts_its_line(next))?;
        return Some(Slot { holder, index, below: None, above: Some(next), beside: None });
    }
    let (below, above) = match position {
        Position::After => (Some(comment), None),
        _ if index == extent::units(tree, holder).len() => (table.previous_sibling(comment), None),
        _ => (None, Some(comment)),
    };
    Some(Slot { holder, index, below, above, beside: None })
}

/// The first or last place in a node's body or list.
fn inside(tree: &Tree, target: Node, first: bool) -> Result<Slot, BadRequest> {
    let none = BadRequest::NoBody { type_name: tree.type_name(target).to_owned() };
    let holder = holder_of(tree, target).ok_or(none)?;
    if extent::is_list(tree, holder) {
        let index = if first { 0 } else { list::elements(tree, holder).len() };
        return Ok(Slot { holder, index, below: None, above: None, beside: None });
    }
    let units = extent::units(tree, holder);
    if units.is_empty() {
        return Ok(Slot { holder, index: 0, below: None, above: None, beside: None });
    }
    if first {
        let index = head_length(tree, target, holder, &units);
        return Ok(Slot {
            holder,
            index,
            below: index.checked_sub(1).map(|above| units[above]),
            above: None,
            beside: None,
        });
    }
    // Comments below the last unit are above what comes last.
    let frame = Frame::of(tree, holder);
    let inside = |child: &Node| frame.closing.is_none_or(|closing| *child < closing);
    let comment_or_unit = |child: &Node| tree.is_comment(*child) || units.contains(child);
    let below = tree.table().children(holder).filter(inside).filter(comment_or_unit).last();
    Ok(Slot { holder, index: units.len(), below, above: None, beside: None })
}

/// How many units at a body's start must stay there: a docstring, and imports that the language wants first.
pub(super) fn head_length(tree: &Tree, owner: Node, holder: Node, units: &[Node]) -> usize {
    let documents = |owner: Node| {
        let docstring = tree.docstring(owner)?;
        units.first().filter(|&&first| tree.table().is_within(docstring, first))
    };
    // Only what is documented from inside has a docstring: the file and definitions.
    let owner = tree.held(owner).unwrap_or(owner);
    let owner =
        if layout::is_block(tree, owner) && owner != Node::ROOT { tree.table().parent(owner) } else { Some(owner) };
    let documented = owner.filter(|&owner| owner == Node::ROOT || tree.is_scope(owner));
    let mut length = usize::from(documented.and_then(documents).is_some());
    if holder == Node::ROOT {
        let first_imports = &tree.language().data().imports.first;
        length += units[length..]
            .iter()
            .take_while(|&&unit| first_imports.iter().any(|name| name == tree.type_name(unit)))
            .count();
    }
    length
}

/// What holds the units or elements of a node: itself, its body, or its list. A node whose body is no node while it is empty
/// holds them itself.
fn holder_of(tree: &Tree, target: Node) -> Option<Node> {
    let mut node = target;
    let mut declaration = None;
    while let Some(held) = tree.held(node) {
        declaration = declaration.or(Some(node).filter(|&node| extent::is_list(tree, node)));
        node = held;
    }
    let within = |holder: Node| layout::inner_block(tree, holder).unwrap_or(holder);
    if extent::is_list(tree, node) && tree.body(node).is_none_or(|body| body == node) {
        return Some(node);
    }
    if layout::holds_statements(tree, node) {
        return Some(within(node));
    }
    let block = |child: Node| {
        let is_outer = |body: Node| tree.language().role(tree.table().type_id(body)).outer_body;
        let inside =
            |&body: &Node| tree.held(body).or_else(|| tree.named_children(body).next().filter(|_| is_outer(body)));
        std::iter::successors(Some(child), inside).find(|&body| layout::holds_statements(tree, body))
    };
    let body = tree.body(node).filter(|&body| body != node).and_then(block);
    let is_body = |&child: &Node| tree.language().role(tree.table().type_id(child)).body;
    if let Some(body) = body.or_else(|| tree.table().children(node).filter(is_body).find_map(block)) {
        return Some(within(body));
    }
    // A struct's fields are a list.
    if let Some(body) = tree.body(node).filter(|&body| extent::is_list(tree, body)) {
        return Some(body);
    }
    if Frame::of(tree, node).closing.is_some() {
        return Some(node);
    }
    let mut lists = tree.table().children(node).filter(|&child| extent::is_list(tree, child));
    let (first, second) = (lists.next(), lists.next());
    declaration.or(first.filter(|_| second.is_none()))
}

/// Whether code is only whole together with the definition below it, as a decorator is.
fn completes(plan: &Plan<'_>, place: Place, fragment: &Fragment) -> bool {
    let tree = plan.tree;
    if !layout::holds_statements(tree, place.holder) {
        return false;
    }
    if fragment.shape().only_leading {
        return true;
    }
    if !extent::is_definition(tree, place.unit) {
        return false;
    }
    let read = |source: &str| Reading::any(tree.language(), source, plan.limits);
    let alone = fragment.source();
    let whole = |reading: &Reading| {
        let is_one = |unit: &Node| extent::is_definition(&reading.tree, *unit);
        reading.is_sound() && reading.units.len() == 1 && reading.units.iter().all(is_one)
    };
    let unit = Fragment::from_tree(tree, tree.span(place.unit), true, true).source();
    read(&alone).is_some_and(|alone| !alone.is_sound())
        && read(&format!("{alone}\n{unit}\n")).as_ref().is_some_and(whole)
}
