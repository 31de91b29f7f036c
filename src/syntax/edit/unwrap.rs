//! `unwrap`: replaces a node by its body.

use super::batch::Plan;
use super::delimiters::Delimiters;
use super::error::{BadRequest, EditError};
use super::{elements, extent, lines, structure};
use crate::text::Span;
use crate::tree::Node;

/// Plans the removal of everything around a node's body.
pub(super) fn plan(plan: &mut Plan<'_>, operation: usize, target: Node) -> Result<(), EditError> {
    let tree = plan.tree;
    let has_block = |node: Node| tree.table().children(node).any(|child| structure::is_block(tree, child));
    let inner = std::iter::successors(Some(target), |&node| tree.inner(node).filter(|&held| has_block(held)));
    let inner = inner.last().unwrap_or(target);
    let is_block = |&block: &Node| structure::is_block(tree, block);
    let body = std::iter::successors(tree.body(inner), |&body| tree.inner(body)).find(is_block);
    let block = body.filter(|&block| block != inner).or_else(|| tree.table().children(inner).find(is_block));
    let block = block.map(|block| structure::inner_block(tree, block).unwrap_or(block));
    if let Some(block) = block.filter(|&block| !extent::units(tree, block).is_empty()) {
        statements(plan, operation, inner, block);
        return Ok(());
    }
    let type_name = tree.type_name(target).to_owned();
    let content = content(plan, target).ok_or_else(|| plan.bad(operation, BadRequest::NothingInside { type_name }))?;
    let (outer, kept) = (tree.span(target), tree.span(content));
    plan.claim_extent(operation, outer, Some(target));
    plan.carries(content);
    plan.makes(operation, content);
    plan.cut(operation, Span::new(outer.start(), kept.start()));
    plan.cut(operation, Span::new(kept.end(), outer.end()));
    Ok(())
}

/// The only node inside an expression.
fn content(plan: &Plan<'_>, target: Node) -> Option<Node> {
    let tree = plan.tree;
    if let Some(held) = tree.inner(target) {
        return Some(held);
    }
    if let Some(body) = tree.language().spec().body_field.and_then(|field| tree.child_in_field(target, field)) {
        return Some(body);
    }
    let children: Vec<Node> = tree.named_children(target).collect();
    // The names in a statement (`import a`, `global a`) mean nothing without the statement.
    let brackets = |list: Node| tree.node_text(list).ends_with([')', ']', '}']);
    let lists = children.iter().copied().chain([target]);
    let lists = lists.filter(|&child| extent::is_list(tree, child) && brackets(child));
    let elements = lists.flat_map(|list| elements::elements(tree, list)).collect::<Vec<_>>();
    match (&elements[..], &children[..]) {
        ([only], _) => only.node(),
        ([], [only]) => Some(*only),
        _ => None,
    }
}

/// The statements of a block, dedented by one level.
fn statements(plan: &mut Plan<'_>, operation: usize, target: Node, block: Node) {
    let tree = plan.tree;
    let (table, text) = (tree.table(), tree.text());
    let outer = tree.outermost_wrapper(target);
    let span = tree.span(outer);
    plan.claim_extent(operation, span, Some(outer));
    let units = extent::units(tree, block);
    for &unit in &units {
        plan.carries(unit);
        plan.makes(operation, unit);
    }
    // Separators on one line move, too.
    plan.intent.relocated.extend(table.children(block));
    if outer != target {
        plan.note(operation, format!("dropped the decorators of {}", extent::name_in_messages(tree, target)));
    }
    let later =
        table.children(target).filter(|&child| child > block && table.is_named(child) && !tree.is_comment(child));
    for clause in later {
        plan.note(operation, format!("dropped the `{}`", tree.type_name(clause)));
    }
    // Separators move, too.
    plan.intent.relocated.extend(table.children(block).filter(|child| !units.contains(child)));
    let delimiters = Delimiters::of(tree, block);
    let inside = |child: &Node| delimiters.closing.is_none_or(|closing| *child < closing);
    let first = tree.span(extent::first_attached(tree, units[0])).start();
    let last_child = table.children(block).filter(inside).filter(|&child| !table.span(child).is_empty()).last();
    let end = extent::span_with_terminator(tree, last_child.unwrap_or(units[0])).end();
    if !tree.starts_its_line(extent::first_attached(tree, units[0])) {
        plan.cut(operation, Span::new(span.start(), first));
        plan.cut(operation, Span::new(end.min(span.end()), span.end()));
        return;
    }
    // The header ends with the last token before the block; comments below it are kept.
    let header = table.children(target).filter(|&child| child < block && !tree.is_comment(child)).last();
    let header = delimiters.opening.or(header);
    let header_end = lines::line_end(text, header.map_or(span.start(), |token| tree.span(token).end()));
    let mut start = lines::next_line(text, header_end);
    start = lines::lines_down(text, start, lines::blanks_below(text, start));
    let base = lines::indentation(text, span.start());
    let inner = lines::indentation(text, first);
    let head = lines::indentation(text, start);
    plan.cut(operation, Span::new(span.start(), start + head.len()));
    let step = inner.len().saturating_sub(base.len());
    for line in structure::free_lines(tree, Span::new(start, end.max(start))) {
        let there = lines::indentation(text, line);
        let less = step.min(there.len().saturating_sub(base.len()));
        plan.cut(operation, Span::new(line + there.len() - less, line + there.len()));
    }
    plan.cut(operation, Span::new(end.min(span.end()), span.end()));
}
