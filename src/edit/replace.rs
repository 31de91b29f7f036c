//! `replace` and `replace_range`: code in a node's place.

use super::error::{BadRequest, EditError};
use super::fragment::Fragment;
use super::plan::{Draft, Plan};
use super::{Extent, block, extent, insert, layout, list};
use crate::text::{Span, Text};
use crate::tree::{Node, Tree};

/// Plans code in the place of a node.
pub(super) fn plan(
    plan: &mut Plan<'_>,
    operation: usize,
    target: Node,
    code: &str,
    extent: Option<Extent>,
) -> Result<(), EditError> {
    let tree = plan.tree;
    if target == Node::ROOT {
        return root(plan, operation, code);
    }
    if code == tree.node_text(target) {
        plan.claim_extent(operation, tree.span(target), Some(target));
        plan.makes(operation, target);
        return Ok(());
    }
    if code.trim().is_empty() {
        return Err(plan.bad(operation, BadRequest::EmptyCode));
    }
    if layout::is_block(tree, target) {
        return body(plan, operation, target, code);
    }
    let (node, span) = meant(plan, operation, target, code, extent);
    let base = layout::indentation(tree.text(), span.start());
    let unit = layout::indent_unit(tree, Some(target));
    let fragment = Fragment::from_code(tree, code, &base, &unit, plan.limits);
    plan.claim_extent(operation, span, Some(node));
    plan.intent.removed.extend(tree.table().children(node));
    let place = extent::place(tree, node).filter(|place| {
        layout::is_block(tree, place.holder) && fragment.shape().needs_lines && tree.span(place.unit) == tree.span(node)
    });
    let base = place.map_or(base, |place| block::set_apart(plan, operation, place));
    let separator = list::separator_around(tree, node);
    let fragment = separator.map_or(fragment.clone(), |separator| fragment.without_trailing(separator));
    let draft = fragment.fit(&base, &unit);
    if draft.text() == tree.text().slice(span) {
        plan.makes(operation, node);
        return Ok(());
    }
    plan.change(operation, span, draft.claimed(operation, node, span));
    Ok(())
}

/// Which node the code replaces, and which bytes: decorators stay unless the code brings its own.
fn meant(plan: &mut Plan<'_>, operation: usize, target: Node, code: &str, extent: Option<Extent>) -> (Node, Span) {
    let tree = plan.tree;
    let language = tree.language();
    let is_holder =
        |tree: &Tree, node: Node| language.rule(&language.data().held, tree.table().type_id(node)).is_some();
    let inner = if is_holder(tree, target) { tree.held(target).unwrap_or(target) } else { target };
    let outer = tree.logical().adopting_wrapper(inner);
    if !tree.is_scope(inner) {
        return (target, tree.span(target));
    }
    let whole = outer.unwrap_or(inner);
    if extent == Some(Extent::Full) {
        return (inner, extent::span_of(tree, whole, Extent::Full));
    }
    let parsed = parse(plan, code);
    let first =
        parsed.as_ref().and_then(|parsed| parsed.named_children(Node::ROOT).next().map(|first| (parsed, first)));
    let decorated = first.is_some_and(|(parsed, first)| is_holder(parsed, first));
    let definition = first.is_some_and(|(parsed, first)| extent::is_definition(parsed, first));
    let comments = extent::attached_comments(tree, whole);
    if decorated {
        let brings_comments = parsed.as_ref().is_some_and(|parsed| {
            parsed.table().children(Node::ROOT).next().is_some_and(|first| parsed.is_comment(first))
        });
        if brings_comments {
            return (inner, extent::span_of(tree, whole, Extent::Full));
        }
        if !comments.is_empty() {
            plan.note(operation, format!("kept the comment above {}", extent::called(tree, inner)));
        }
        return (inner, tree.span(whole));
    }
    if outer.is_some() && (definition || target == inner) {
        plan.note(operation, format!("kept the decorators of {}", extent::called(tree, inner)));
        return (inner, tree.span(inner));
    }
    (target, tree.span(target))
}

/// Code by itself, without the indentation it may have.
fn parse(plan: &Plan<'_>, code: &str) -> Option<Tree> {
    let source = Fragment::from_code(plan.tree, code, "", "    ", plan.limits).source();
    Tree::parse(Text::new(&source), plan.tree.language(), plan.limits).ok()
}

/// All of the text.
fn root(plan: &mut Plan<'_>, operation: usize, code: &str) -> Result<(), EditError> {
    let tree = plan.tree;
    let text = tree.text();
    let unit = layout::indent_unit(tree, None);
    let all = text.to_string();
    plan.claim_extent(operation, text.span(), None);
    plan.makes(operation, Node::ROOT);
    if code == all || code == tree.node_text(Node::ROOT) {
        return Ok(());
    }
    plan.intent.removed.extend(tree.table().children(Node::ROOT));
    let mut draft = Fragment::from_code(tree, code, "", &unit, plan.limits).fit("", &unit);
    if !draft.text().is_empty() && (all.is_empty() || all.ends_with(['\n', '\r']) || code.ends_with('\n')) {
        draft.push(text.newline());
    }
    plan.change(operation, text.span(), draft);
    Ok(())
}

/// The statements of a body.
fn body(plan: &mut Plan<'_>, operation: usize, target: Node, code: &str) -> Result<(), EditError> {
    let tree = plan.tree;
    let fragment = insert::fragment(plan, target, code);
    let unit = layout::indent_unit(tree, Some(target));
    let children: Vec<Node> = tree.table().children(target).filter(|&child| !tree.span(child).is_empty()).collect();
    let (Some(&first), Some(&last)) = (children.first(), children.last()) else {
        let mut draft = Draft::new(&format!("{}{}", tree.text().newline(), block::indentation_in(tree, target)));
        draft.append(fragment.fit(&block::indentation_in(tree, target), &unit).marked(operation));
        plan.claim_point(operation, tree.span(target).start(), target);
        plan.change(operation, Span::at(tree.span(target).start()), draft);
        return Ok(());
    };
    let span = tree.span(first).join(tree.span(last));
    plan.claim_extent(operation, span, Some(target));
    plan.intent.removed.extend(&children);
    plan.makes(operation, target);
    let mut base = block::indentation_in(tree, target);
    if fragment.shape().needs_lines
        && let Some(place) = children.iter().find_map(|&child| extent::place(tree, child))
        && place.index == 0
    {
        let text = tree.text();
        // Only the header's line is taken apart; what shares it goes.
        if !tree.starts_its_line(first) {
            let line = layout::line_start(text, span.start());
            let head = text.slice(Span::new(line, span.start())).trim_end_matches(layout::is_blank).len();
            let draft = Draft::new(&format!("{}{base}", text.newline()));
            plan.change(operation, Span::new(line + head, span.start()), draft);
        }
    }
    if tree.starts_its_line(first) {
        base = layout::indentation(tree.text(), span.start());
    }
    let draft = fragment.fit(&base, &unit);
    if draft.text() != tree.text().slice(span) {
        plan.change(operation, span, draft.claimed(operation, target, span));
    }
    Ok(())
}

/// Plans code in the place of consecutive siblings.
pub(super) fn plan_range(
    plan: &mut Plan<'_>,
    operation: usize,
    (from, to): (Node, Node),
    code: &str,
    extent: Option<Extent>,
) -> Result<(), EditError> {
    let tree = plan.tree;
    if from == to {
        return self::plan(plan, operation, from, code, extent);
    }
    let (first, last) = match (extent::place(tree, from), extent::place(tree, to)) {
        (Some(first), Some(last)) if first.holder == last.holder && first.index <= last.index => {
            (first.unit, last.unit)
        }
        _ if from < to && tree.table().parent(from) == tree.table().parent(to) => (from, to),
        _ => return Err(plan.bad(operation, BadRequest::NoRange)),
    };
    if code.trim().is_empty() {
        return Err(plan.bad(operation, BadRequest::EmptyCode));
    }
    let span = extent::span_of(tree, first, extent.unwrap_or(Extent::Node)).join(tree.span(last));
    let base = layout::indentation(tree.text(), span.start());
    let unit = layout::indent_unit(tree, Some(first));
    plan.claim_extent(operation, span, None);
    let siblings = std::iter::successors(Some(first), |&node| tree.table().next_sibling(node));
    let range: Vec<Node> = siblings.take_while(|&node| node <= last).collect();
    if code == tree.text().slice(span) {
        range.into_iter().filter(|&node| tree.table().is_named(node)).for_each(|node| plan.makes(operation, node));
        return Ok(());
    }
    plan.intent.removed.extend(range);
    let fragment = Fragment::from_code(tree, code, &base, &unit, plan.limits);
    let separator = list::separator_around(tree, last);
    let fragment = separator.map_or(fragment.clone(), |separator| fragment.without_trailing(separator));
    let mut base = base;
    if fragment.shape().needs_lines
        && let (Some(first), Some(last)) = (extent::place(tree, first), extent::place(tree, last))
        && layout::is_block(tree, first.holder)
    {
        base = block::set_range_apart(plan, operation, first, last);
    }
    plan.change(operation, span, fragment.fit(&base, &unit).marked(operation));
    Ok(())
}
