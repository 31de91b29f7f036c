//! `wrap`: puts code around a node. The node's own text stays, indented if the code says so.

use super::batch::Plan;
use super::block_layout::BlockLayout;
use super::draft::{Change, Draft, Rank};
use super::error::{BadRequest, EditError};
use super::extent::ItemPosition;
use super::fragment::Fragment;
use super::snippet::ParsedSnippet;
use super::{Extent, apart, extent, indent, lines, structure};
use crate::text::Span;
use crate::tree::{Node, Tree};

/// The placeholder for the node.
const PLACEHOLDER: &str = "$0";
/// The same as a word that every grammar reads as a name, and as a statement for places without names.
const STAND_INS: [&str; 2] = ["cst_wrapped_node_0", "cst_wrapped_node_0();"];

/// Plans the wrapping of a node.
pub(super) fn plan(
    plan: &mut Plan<'_>,
    operation: usize,
    target: Node,
    code: &str,
    extent: Option<Extent>,
) -> Result<(), EditError> {
    let tree = plan.tree;
    let text = tree.text();
    let Some((head, rest)) = code.split_once(PLACEHOLDER) else {
        return Err(plan.bad(operation, BadRequest::NoPlaceholder));
    };
    let line_head = head.rsplit(['\n', '\r']).next().unwrap_or(head);
    let line_rest = rest.split(['\n', '\r']).next().unwrap_or(rest);
    let own_line = line_head.trim().is_empty() && line_rest.trim().is_empty();
    let place = extent::place(tree, target).filter(|place| structure::holds_statements(tree, place.holder));
    let indented = line_head.len() > head.lines().next().map_or(0, |first| first.len() - first.trim_start().len());
    // Lines around lines: the whole statement. Words around words, or lines above a line: only the node.
    let statement =
        place.filter(|_| own_line && (indented || !rest.trim().is_empty() || target == tree.outermost_wrapper(target)));
    let node = statement.map_or(target, |place| place.unit);
    // Lines around a block's lines.
    let block = Some(target).filter(|&target| own_line && structure::is_block(tree, target));
    let framed = |block: Node| {
        let delimiters = super::delimiters::Delimiters::of(tree, block);
        let is_frame = move |child: &Node| delimiters.opening == Some(*child) || delimiters.closing == Some(*child);
        tree.table().children(block).filter(move |child| !is_frame(child)).collect()
    };
    let kept = block.map_or(vec![node], framed);
    let lines = statement.map(|place| (place, place)).or_else(|| ends(tree, block?));
    let mut span = match (block, lines) {
        (Some(block), Some((first, _))) => lines_of(tree, block, first.unit),
        _ => extent::span_of(tree, node, extent.unwrap_or(Extent::Node)),
    };
    plan.claim_extent(operation, span, Some(node));
    kept.iter().for_each(|&child| plan.carries(child));
    let near = statement.map_or(Some(target), |place| Some(place.holder));
    let unit = indent::indent_step(tree, near);
    let rest = rest.replace(PLACEHOLDER, &tree.text().slice(span));
    let template = |stand_in: &str| format!("{head}{stand_in}{rest}");
    let is_sound = |stand_in: &&str| ParsedSnippet::sound(tree.language(), &template(stand_in), plan.limits).is_some();
    let stand_in = STAND_INS.into_iter().find(is_sound).unwrap_or(STAND_INS[0]);
    let mut base = lines::indentation(text, span.start());
    if let Some((first, last)) = lines {
        base = apart::set_range_apart(plan, operation, first, last);
        let end = BlockLayout::new(tree, last.holder).line_end(last.unit).max(span.end());
        let next = extent::units(tree, last.holder).get(last.index + 1).map(|&next| tree.span(next).start());
        if next.is_none_or(|next| next > end) {
            span = Span::new(span.start(), end);
        }
    }
    let fitted = Fragment::from_code(tree, &template(stand_in), &base, &unit, plan.limits).fit(&base, &unit);
    let Some((opening, closing)) = fitted.text().split_once(stand_in) else {
        return Err(plan.bad(operation, BadRequest::NoPlaceholder));
    };
    let inner = opening.rsplit(['\n', '\r']).next().unwrap_or("");
    let step = if lines.is_some() && opening.len() > inner.len() {
        inner.strip_prefix(base.as_str()).unwrap_or("").to_owned()
    } else {
        String::new()
    };
    let mut add = |span: Span, draft: Draft, rank: Rank| plan.changes.push(Change { span, draft, operation, rank });
    add(Span::at(span.start()), Draft::new(opening), Rank::Opening);
    if !step.is_empty() {
        for start in structure::free_lines(tree, span) {
            add(Span::at(start), Draft::new(&step), Rank::Between);
        }
    }
    add(Span::at(span.end()), Draft::new(closing), Rank::Closing);
    plan.makes_around(operation, lines.map_or(node, |(first, _)| first.unit));
    Ok(())
}

/// The places of the first and the last statement of a block.
fn ends(tree: &Tree, block: Node) -> Option<(ItemPosition, ItemPosition)> {
    let units = extent::units(tree, structure::inner_block(tree, block).unwrap_or(block));
    let place = |&unit: &Node| extent::place(tree, unit);
    Some((units.first().and_then(place)?, units.last().and_then(place)?))
}

/// A block from its first statement to the last of its content, including comments.
fn lines_of(tree: &Tree, block: Node, first: Node) -> Span {
    let closing = super::delimiters::Delimiters::of(tree, block).closing;
    let inside = |child: &Node| closing.is_none_or(|closing| *child < closing);
    let last = tree.table().children(block).filter(inside).filter(|&child| !tree.table().span(child).is_empty()).last();
    extent::trimmed_span(tree, first).join(extent::trimmed_span(tree, last.unwrap_or(first)))
}
