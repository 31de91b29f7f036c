//! `delete`: removes a node with its separator or its line, and leaves no gap.

use super::batch::Plan;
use super::decision::{Decision, NodeShape, Tokens, parameter_around};
use super::draft::Draft;
use super::error::EditError;
use super::extent::{self, ItemPosition};
use super::pieces::Removal;

use super::{Extent, elements, lines, structure};
use crate::text::{EditSet, Span, TextEdit};
use crate::tree::{EditIntent, Excerpt, Node, ParseLimits, Tree};

/// Plans the removal of a node.
pub(super) fn plan(
    plan: &mut Plan<'_>,
    operation: usize,
    target: Node,
    extent: Option<Extent>,
) -> Result<(), EditError> {
    let tree = plan.tree;
    let target = whole_of(tree, target);
    let imports = &tree.language().spec().imports.types;
    let names = tree.names(target);
    if names.len() > 1 && imports.contains(tree.table().type_id(target)) {
        plan.note(operation, format!("`{}` were imported together", names.join("`, `")));
    }
    if target == Node::ROOT {
        plan.claim_extent(operation, tree.text().span(), Some(target));
        plan.intent.removed.extend(tree.table().children(target));
        plan.cut(operation, tree.text().span());
        return Ok(());
    }
    if structure::is_block(tree, target) {
        plan.claim_extent(operation, tree.span(target), None);
        let holder = structure::inner_block(tree, target).unwrap_or(target);
        for (index, unit) in extent::units(tree, holder).into_iter().enumerate() {
            remove(plan, operation, ItemPosition { holder, unit, index }, Extent::Full);
        }
        return Ok(());
    }
    let next = tree.language().spec().next_clauses.of(tree.table().type_id(target));
    let next = next.into_iter().flatten().flat_map(|path| tree.reached(target, path)).next();
    if let Some((next, parent)) = next.zip(tree.table().parent(target)) {
        // The clauses after it are in it, and stay.
        let span = Span::new(tree.span(target).start(), tree.span(next).start());
        plan.claim_extent(operation, span, Some(target));
        plan.intent.extents.push(tree.span(parent));
        plan.carries(next);
        plan.intent.removed.push(target);
        plan.cut(operation, span);
        return Ok(());
    }
    if let Some(place) = plan.place(target) {
        let span = extent::span_of(tree, place.unit, extent.unwrap_or(Extent::Full));
        plan.claim_extent(operation, span, Some(place.unit));
        plan.intent.extents.extend(plan.span_of_element(place));
        remove(plan, operation, place, extent.unwrap_or(Extent::Full));
        return Ok(());
    }
    if tree.is_comment(target) {
        plan.claim_extent(operation, tree.span(target), Some(target));
        plan.cut(operation, comment(tree, target));
        return Ok(());
    }
    if let Some((whole, other, span)) = piece(tree, tree.outermost_wrapper(target)) {
        plan.claim_extent(operation, span, Some(tree.outermost_wrapper(target)));
        plan.intent.extents.push(whole);
        plan.carries(other);
        plan.intent.removed.push(target);
        plan.cut(operation, span);
        return Ok(());
    }
    let unit = tree.outermost_wrapper(target);
    let decision = decide(plan, unit);
    plan.claim_extent(operation, tree.span(unit), Some(unit));
    plan.intent.removed.push(target);
    if decision == Decision::Empty {
        plan.change(operation, extent::trimmed_span(tree, unit), Draft::new(&tree.language().spec().empty_statement));
        return Ok(());
    }
    let (span, changing) = decision.cut(tree, unit).unwrap_or((extent::trimmed_span(tree, unit), None));
    plan.intent.extents.extend(changing);
    plan.cut(operation, span);
    Ok(())
}

/// What a name refers to in an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Imported {
    /// The node: it is not an import, or imports only that name.
    Whole,
    /// One of several names that it imports.
    Element(Node),
    /// It imports several, and none or more than one of them has that name.
    Unclear,
}

/// What a name by which an import was found refers to.
pub fn imported_names(tree: &Tree, node: Node, name: &str) -> Imported {
    let table = tree.table();
    let is_import = tree.language().spec().imports.types.contains(table.type_id(node));
    if !is_import || tree.names(node).len() < 2 {
        return Imported::Whole;
    }
    let has_name = |inner: Node| tree.names(inner).iter().chain(&tree.other_names(inner)).any(|known| known == name);
    let lists = std::iter::once(node).chain(table.descendants(node)).filter(|&list| extent::is_list(tree, list));
    let elements = lists.flat_map(|list| elements::elements(tree, list)).filter_map(|element| element.node());
    // The names of a group are those of its elements, and one of these is meant.
    let mut found = elements.filter(|&element| has_name(element) && tree.names(element).len() < 2);
    match (found.next(), found.next()) {
        (Some(element), None) => Imported::Element(element),
        _ => Imported::Unclear,
    }
}

/// The node that is meant by the only node inside it: the dotted name `os` by its identifier.
fn whole_of(tree: &Tree, target: Node) -> Node {
    let table = tree.table();
    let is_whole = |&parent: &Node| {
        let role = tree.language().role(table.type_id(parent));
        let plain = !role.body && !role.list && !role.wrapper && !role.section && parent != Node::ROOT;
        plain && table.span(parent) == table.span(target) && table.children(parent).count() == 1
    };
    let outer = table.parent(target).filter(is_whole);
    let holds = |node: Node| extent::place(tree, node).is_some();
    outer.filter(|&outer| !holds(target) && holds(outer)).unwrap_or(target)
}

/// The bytes that are deleted with a comment: its line, or the space before it; with blank lines on both sides, those
/// of one side.
fn comment(tree: &Tree, comment: Node) -> Span {
    let text = tree.text();
    let span = tree.span(comment);
    let line = text.line_around(span.start());
    if !tree.starts_its_line(comment) {
        let before = text.slice(Span::new(line.start(), span.start())).into_owned();
        let space = before.len() - before.trim_end_matches(lines::is_blank).len();
        return Span::new(span.start() - space, span.end());
    }
    if span.end() < line.end() {
        return span;
    }
    let mut start = line.start();
    let mut end = lines::next_line(text, line.end());
    let (above, below) = (lines::blanks_above(text, start), lines::blanks_below(text, end));
    if above > 0 || start == 0 {
        end = lines::lines_down(text, end, if start == 0 { below } else { above.min(below) });
    }
    if end == text.len() && end == line.end() && start > 0 {
        start = lines::line_end(text, lines::lines_up(text, start, 1));
    }
    Span::new(start, end)
}

/// Deletes a list that becomes empty: its own node, or its import.
pub(super) fn whole(plan: &mut Plan<'_>, operation: usize, list: Node) {
    let tree = plan.tree;
    let imports = &tree.language().spec().imports.types;
    let is_import = |node: &Node| imports.contains(tree.table().type_id(*node));
    let import = tree.table().ancestors(list).find(is_import);
    // The import may have something besides the list.
    let only_one = |node: Node| tree.named_children(node).count() == 1;
    let within = |import: Node| tree.table().ancestors(list).take_while(move |&above| above != import);
    if let Some(import) = import.filter(|&import| within(import).all(only_one))
        && let Some(place) = extent::place(tree, import)
    {
        plan.intent.extents.push(tree.span(place.unit));
        remove(plan, operation, place, Extent::Full);
        return;
    }
    // Its parent may become simpler without it: `A` instead of `A<B>`.
    let parent = tree.table().parent(list).unwrap_or(list);
    let others: Vec<Node> = tree.named_children(parent).filter(|&other| other != list).collect();
    if let &[other] = &others[..] {
        plan.intent.extents.push(tree.span(parent));
        plan.carries(other);
    }
    let (span, changing) = decide(plan, list).cut(tree, list).unwrap_or((tree.span(list), None));
    plan.intent.extents.push(tree.span(list));
    plan.intent.extents.extend(changing);
    plan.intent.removed.push(list);
    plan.cut(operation, span);
}

/// Removes a unit from its container.
pub(super) fn remove(plan: &mut Plan<'_>, operation: usize, place: ItemPosition, extent: Extent) {
    let span = extent::span_of(plan.tree, place.unit, extent);
    plan.intent.removed.push(place.unit);
    plan.removals.push(Removal { place, span, operation });
}

/// Of two pieces that are one node together, the deleted one: the bytes of both, the other piece, and the deleted bytes
/// with the operator between them. The other piece replaces their node.
fn piece(tree: &Tree, node: Node) -> Option<(Span, Node, Span)> {
    let (table, text) = (tree.table(), tree.text());
    let parent = table.parent(node)?;
    let joins = &tree.language().spec().joins;
    if !joins.contains(table.type_id(parent)) {
        return None;
    }
    let pieces: Vec<Node> = tree.named_children(parent).collect();
    let (&[first, second], span) = (&pieces[..], tree.span(node)) else { return None };
    let (before, after) = (tree.span(first), tree.span(second));
    let between = text.slice(Span::new(before.end(), after.start())).into_owned();
    let sign = table.children(parent).find(|&child| !table.is_named(child) && first < child && child < second);
    let between = match sign {
        Some(sign) => between.replacen(tree.type_name(sign), "", 1),
        None => between,
    };
    // A comment between the two stays.
    let touch = between.chars().all(|character| character.is_whitespace() || character == '\\');
    if !touch && sign.is_some() {
        return None;
    }
    let (other, cut) = if node == first {
        (second, if touch { Span::new(before.start(), after.start()) } else { span })
    } else {
        (first, if touch { Span::new(before.end(), after.end()) } else { span })
    };
    Some((tree.span(parent), other, cut))
}

/// How a node is deleted: tried once for each shape.
fn decide(plan: &mut Plan<'_>, node: Node) -> Decision {
    let shape = NodeShape::of(plan.tree, node);
    if let Some(&known) = plan.decisions.get(&shape) {
        return known;
    }
    let excerpt = Excerpt::around(plan.tree, node, plan.limits);
    let decision = match part(&excerpt, node, plan.limits) {
        Some(decision) => decision,
        None if takes_empty_statement(&excerpt, node, plan.limits) => Decision::Empty,
        None => Decision::Nothing,
    };
    plan.decisions.insert(shape, decision);
    decision
}

/// How a node outside lists is deleted: with the token that introduces it, if the rest makes no sense otherwise (`->
/// int`, `= 1`); `None` if the rest makes no sense either way. A parameter without its default may become a plain one.
fn part(excerpt: &Excerpt, node: Node, limits: &ParseLimits) -> Option<Decision> {
    let (tree, node) = (&excerpt.tree, excerpt.node(node));
    let table = tree.table();
    let parent = table.parent(node);
    let ways = [false].into_iter().chain(parameter_around(tree, node).map(|_| true));
    for in_parameter in ways {
        for tokens in [Tokens::None, Tokens::Before, Tokens::After] {
            let decision = Decision::Cut { tokens, in_parameter };
            let (Some(candidate), Some((cut, extent))) = (tokens.span(tree, node), decision.cut(tree, node)) else {
                continue;
            };
            let edits = EditSet::new(vec![TextEdit::new(cut, "")]).expect("one edit overlaps nothing");
            let extents = std::iter::once(candidate).chain(extent).collect();
            let intent = EditIntent { extents, removed: vec![node], ..EditIntent::default() };
            let Ok(edited) = tree.edit(&edits, &intent, limits) else { continue };
            let sound = edited.tree.is_sound() || edited.tree.errors().len() < tree.errors().len().max(1);
            // The enclosing node must survive, unless it is a parameter that can be written in a simpler way.
            let held_more = |parent: Node| table.children(parent).nth(1).is_some();
            let stays = |parent: Node| edited.node_map.image(parent).is_some() || !held_more(parent);
            // The rest of the parameter must keep its meaning: a name does not become a type, nor a type a name.
            let is_kept = |inner: Node| {
                !table.is_named(inner) || table.is_within(inner, node) || edited.node_map.image(inner).is_some()
            };
            let stays = match parent.filter(|_| in_parameter) {
                Some(parameter) => table.descendants(parameter).all(is_kept),
                None => parent.is_none_or(stays),
            };
            if sound && stays && edited.node_map.violations().is_empty() {
                return Some(decision);
            }
        }
    }
    None
}

/// Whether the empty statement may replace a node: the node was the only content of a loop or condition.
fn takes_empty_statement(excerpt: &Excerpt, node: Node, limits: &ParseLimits) -> bool {
    let (tree, node) = (&excerpt.tree, excerpt.node(node));
    let data = tree.language().spec();
    if data.empty_statement.is_empty() || tree.table().place_of(node, &data.empty_statement_in).is_none() {
        return false;
    }
    let empty = data.empty_statement.as_str();
    let span = extent::trimmed_span(tree, node);
    let edits = EditSet::new(vec![TextEdit::new(span, empty)]).expect("one edit overlaps nothing");
    let intent = EditIntent { extents: vec![span], removed: vec![node], ..EditIntent::default() };
    let Ok(edited) = tree.edit(&edits, &intent, limits) else { return false };
    let new = &edited.tree;
    let place = Span::new(span.start(), span.start() + empty.len());
    let found = new.table().range(new.table().first_from(place.start()), new.table().len());
    let is_block = found.take_while(|&found| new.span(found).start() == place.start());
    let is_block = is_block.filter(|&found| new.span(found) == place).any(|found| structure::is_block(new, found));
    let sound = new.is_sound() || new.errors().len() < tree.errors().len().max(1);
    is_block && sound && edited.node_map.violations().is_empty()
}
