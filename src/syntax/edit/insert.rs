//! `insert`: adds code next to a node, or to its body or list.

use super::batch::Plan;
use super::delimiters::Delimiters;
use super::error::{BadRequest, EditError};
use super::extent::{self, Documentation, ItemPosition};
use super::fragment::Fragment;
use super::pieces::{Insertion, Item};
use super::snippet::ParsedSnippet;
use super::{Extent, Position, elements, lines, structure};
use crate::scopes::imported;
use crate::tree::{Node, Tree};

/// A place for an insertion.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    pub(super) holder: Node,
    pub(super) index: usize,
    pub(super) below: Option<Node>,
    pub(super) above: Option<Node>,
    /// The unit by which it was named.
    pub(super) beside: Option<ItemPosition>,
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
    let mut fragment = fragment_at(plan, &slot, code);
    let taken = taken_comments(plan.tree, &slot, (extent, position), fragment.shape().documentation);
    if let Some(Taken::Passed(above)) = taken {
        slot = above;
        fragment = fragment_at(plan, &slot, code);
    }
    if fragment.is_empty() {
        return Err(plan.bad(operation, BadRequest::EmptyCode));
    }
    let attached = position == Position::Before && slot.beside.is_some_and(|place| completes(plan, place, &fragment));
    let apart_above = matches!(taken, Some(Taken::Kept));
    let mut item = Item { fragment, attached, apart_above, ..Item::default() };
    // A notice goes to the very top, above the file's documentation.
    if position == Position::First && slot.holder == Node::ROOT && item.fragment.shape().only_comments {
        slot = top(plan.tree);
        item.apart = true;
    }
    place_at(plan, operation, slot, item);
    Ok(())
}

/// The top of a file, below what must be first: `#!`, an encoding, `<?php`.
fn top(tree: &Tree) -> Slot {
    let (table, units) = (tree.table(), extent::units(tree, Node::ROOT));
    let opens = &tree.language().spec().imports.opens;
    let is_opening = |node: Node| opens.contains(table.type_id(node));
    let comments = table.children(Node::ROOT).take_while(|&child| tree.is_comment(child));
    let header = comments.filter(|&comment| extent::is_file_header(tree, comment)).last();
    let opening = units.iter().position(|&unit| is_opening(unit));
    let (index, below) = match opening {
        Some(index) => (index + 1, Some(units[index])),
        None => (0, header),
    };
    let above = table.children(Node::ROOT).next().filter(|_| below.is_none());
    Slot { holder: Node::ROOT, index, below, above, beside: None }
}

/// Code that is indented for a slot.
fn fragment_at(plan: &Plan<'_>, slot: &Slot, code: &str) -> Fragment {
    let tree = plan.tree;
    let (base, unit) = plan.indentation_in(slot.holder);
    let is_label = |unit: Node| tree.language().role(tree.table().type_id(unit)).label;
    // Units of one block may differ: below Ruby's `private` they may be indented more.
    let near = slot.below.or(slot.beside.map(|place| place.unit)).map(|unit| extent::first_attached(tree, unit));
    let among = slot.holder != Node::ROOT && structure::holds_statements(tree, slot.holder);
    let near = near.filter(|&near| among && !is_label(near) && tree.starts_its_line(near));
    let base = near.map_or(base, |near| lines::indentation(tree.text(), tree.span(near).start()));
    Fragment::from_code(tree, code, &base, &unit, plan.limits)
}

/// Code that is indented for a container.
pub(super) fn fragment(plan: &Plan<'_>, holder: Node, code: &str) -> Fragment {
    let (base, unit) = plan.indentation_in(holder);
    Fragment::from_code(plan.tree, code, &base, &unit, plan.limits)
}

/// Inserts an item into a slot.
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

/// The slot of a position.
pub(super) fn slot(plan: &Plan<'_>, target: Node, position: Position) -> Result<Slot, BadRequest> {
    let tree = plan.tree;
    match position {
        Position::Before | Position::After if tree.is_comment(target) || tree.attachments().is_leading(target) => {
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

/// What happens to comments above a statement that would become documentation of code inserted there.
#[derive(Debug, Clone, Copy)]
pub(super) enum Taken {
    /// The code goes above them, into this slot.
    Passed(Slot),
    /// They begin the file and may be about all of it: the code goes below them, after a blank line.
    Kept,
}

/// Finds the comments at a slot that code inserted there would take as its documentation.
pub(super) fn taken_comments(
    tree: &Tree,
    slot: &Slot,
    (extent, position): (Option<Extent>, Position),
    documentation: Documentation,
) -> Option<Taken> {
    let (None, Position::Before, Some(place)) = (extent, position, slot.beside) else { return None };
    if extent::is_list(tree, place.holder) {
        return None;
    }
    let first = extent::first_attached(tree, place.unit);
    let own = extent::span_of(tree, place.unit, Extent::Full).start();
    let comments = extent::comments_above(tree, first);
    let comments: Vec<Node> = comments.into_iter().filter(|&comment| tree.span(comment).start() < own).collect();
    if !comments.iter().any(|&comment| documentation.includes(tree, comment)) {
        return None;
    }
    let &first = comments.first()?;
    let begins_file = tree.table().children(Node::ROOT).next() == Some(first);
    if begins_file || extent::is_notice(tree, &comments) {
        return Some(Taken::Kept);
    }
    beside_comment(tree, first, Position::Before).map(Taken::Passed)
}

/// The slot above or below the line of a comment or an attribute among statements.
fn beside_comment(tree: &Tree, comment: Node, position: Position) -> Option<Slot> {
    let table = tree.table();
    let parent = table.parent(comment)?;
    let start = tree.span(comment).start();
    let holder = if structure::holds_statements(tree, parent) {
        structure::inner_block(tree, parent).unwrap_or(parent)
    } else {
        // The comments before a block's first statement come before the block.
        table.children(parent).find(|&child| child > comment && !tree.is_comment(child))?
    };
    if !structure::holds_statements(tree, holder) || !tree.starts_its_line(comment) {
        return None;
    }
    let index = extent::units(tree, holder).iter().take_while(|&&unit| tree.span(unit).start() < start).count();
    if tree.attachments().is_leading(comment) && position == Position::After {
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

/// The first or last slot in a node's body or list.
fn inside(tree: &Tree, target: Node, first: bool) -> Result<Slot, BadRequest> {
    let none = BadRequest::NoBody { type_name: tree.type_name(target).to_owned() };
    let holder = holder_of(tree, target).ok_or(none)?;
    if extent::is_list(tree, holder) {
        let index = if first { 0 } else { elements::elements(tree, holder).len() };
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
    // Comments below the last unit stay above the insertion.
    let delimiters = Delimiters::of(tree, holder);
    let inside = |child: &Node| delimiters.closing.is_none_or(|closing| *child < closing);
    let comment_or_unit = |child: &Node| tree.is_comment(*child) || units.contains(child);
    let below = tree.table().children(holder).filter(inside).filter(comment_or_unit).last();
    Ok(Slot { holder, index: units.len(), below, above: None, beside: None })
}

/// How many units at the start of a body must stay there: a docstring, and imports that must come first.
pub(super) fn head_length(tree: &Tree, owner: Node, holder: Node, units: &[Node]) -> usize {
    let documents = |owner: Node| {
        let docstring = tree.docstring(owner)?;
        units.first().filter(|&&first| tree.table().is_within(docstring, first))
    };
    // Only the file and definitions can have a docstring.
    let owner = tree.inner(owner).unwrap_or(owner);
    let owner =
        if structure::is_block(tree, owner) && owner != Node::ROOT { tree.table().parent(owner) } else { Some(owner) };
    let documented = owner.filter(|&owner| owner == Node::ROOT || tree.is_scope(owner));
    let length = usize::from(documented.and_then(documents).is_some());
    let opens = &tree.language().spec().imports.opens;
    let opening = units.iter().position(|&unit| opens.contains(tree.table().type_id(unit)));
    let length = length.max(opening.unwrap_or(0));
    length
        + units[length..]
            .iter()
            .take_while(|&&unit| imported::is_first(tree, unit) || guards(tree, holder, unit))
            .count()
}

/// Whether a unit is the `#define` of an include guard.
fn guards(tree: &Tree, holder: Node, unit: Node) -> bool {
    let containers = &tree.language().spec().imports.containers;
    let first = containers.of(tree.table().type_id(holder)).copied().flatten();
    first == Some(tree.table().type_id(unit)) && tree.name(unit) == tree.name(holder)
}

/// The last comment at the start of a block that stays above imports: about the whole file, or separated from what
/// follows.
pub(super) fn head_comment(tree: &Tree, holder: Node, units: &[Node], head: usize) -> Option<Node> {
    let (table, text) = (tree.table(), tree.text());
    let next = units.get(head).map(|&unit| extent::first_attached(tree, unit));
    let above = head.checked_sub(1).map(|above| units[above]);
    let is_between = |child: &Node| {
        let starts_line = tree.starts_its_line(*child);
        let after = above.is_none_or(|above| *child > above);
        tree.is_comment(*child) && starts_line && after && next.is_none_or(|next| *child < next)
    };
    let comments: Vec<Node> = table.children(holder).filter(is_between).collect();
    let lines = |node: Node| {
        let span = extent::trimmed_span(tree, node);
        (text.line_at(span.start()), text.line_at(span.end()))
    };
    let mut found = None;
    let mut top = holder == Node::ROOT && above.is_none();
    for run in comments.chunk_by(|&one, &other| lines(one).1 + 1 >= lines(other).0) {
        let of_file = run.iter().rposition(|&comment| extent::is_file_comment(tree, comment));
        let (Some(&first), Some(&last)) = (run.first(), run.last()) else { continue };
        let apart = next.is_some_and(|next| lines(last).1 + 1 < lines(next).0);
        if top && (apart || extent::is_notice(tree, run)) {
            found = Some(last);
        } else if let Some(place) = of_file {
            found = Some(run[place]);
        }
        // The notice is the first comment that is not for programs.
        top = top && extent::is_file_header(tree, first) && run.len() == 1;
    }
    found.filter(|_| !units.is_empty())
}

/// The container of a node's units or elements: the node itself, its body, or its list. If an empty body has no node,
/// it is the node itself.
fn holder_of(tree: &Tree, target: Node) -> Option<Node> {
    let mut node = target;
    let mut declaration = None;
    while let Some(held) = tree.inner(node) {
        declaration = declaration.or(Some(node).filter(|&node| extent::is_list(tree, node)));
        node = held;
    }
    let within = |holder: Node| structure::inner_block(tree, holder).unwrap_or(holder);
    if extent::is_list(tree, node) && tree.body(node).is_none_or(|body| body == node) {
        return Some(node);
    }
    if structure::holds_statements(tree, node) {
        return Some(within(node));
    }
    let block = |child: Node| {
        let is_outer = |body: Node| tree.language().role(tree.table().type_id(body)).outer_body;
        let inside =
            |&body: &Node| tree.inner(body).or_else(|| tree.named_children(body).next().filter(|_| is_outer(body)));
        std::iter::successors(Some(child), inside).find(|&body| structure::holds_statements(tree, body))
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
    if Delimiters::of(tree, node).closing.is_some() {
        return Some(node);
    }
    let mut lists = tree.table().children(node).filter(|&child| extent::is_list(tree, child));
    let (first, second) = (lists.next(), lists.next());
    declaration.or(first.filter(|_| second.is_none()))
}

/// Whether code is only complete with the definition below it, as a decorator is.
fn completes(plan: &Plan<'_>, place: ItemPosition, fragment: &Fragment) -> bool {
    let tree = plan.tree;
    if !structure::holds_statements(tree, place.holder) {
        return false;
    }
    if fragment.shape().only_leading {
        return true;
    }
    if !extent::is_definition(tree, place.unit) {
        return false;
    }
    let read = |source: &str| ParsedSnippet::any(tree.language(), source, plan.limits);
    let alone = fragment.source();
    let whole = |reading: &ParsedSnippet| {
        let is_one = |unit: &Node| extent::is_definition(&reading.tree, *unit);
        reading.is_sound() && reading.units.len() == 1 && reading.units.iter().all(is_one)
    };
    let span = tree.span(place.unit);
    let base = lines::indentation(tree.text(), span.start());
    let unit = Fragment::from_tree(tree, span, &base, true, true).source();
    read(&alone).is_some_and(|alone| !alone.is_sound())
        && read(&format!("{alone}\n{unit}\n")).as_ref().is_some_and(whole)
}
