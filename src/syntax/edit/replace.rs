//! `replace` and `replace_range`: replaces nodes by code.

use super::batch::Plan;
use super::delimiters::Delimiters;
use super::draft::Draft;
use super::error::{BadRequest, EditError};
use super::fragment::{Fragment, Shape};
use super::lines::trim;

use super::snippet::ParsedSnippet;
use super::{Extent, apart, block_layout, elements, extent, indent, insert, lines, structure};
use crate::text::{EditSet, Span, TextEdit};
use crate::tree::{EditIntent, Excerpt, Node, Tree};

/// Plans the replacement of a node by code.
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
    if let Some((span, code)) = string_text(tree, target, code) {
        plan.claim_extent(operation, span, Some(target));
        if *code == tree.text().slice(span) {
            plan.makes(operation, target);
        } else {
            plan.change(operation, span, Draft::new(code).claimed(operation, target, span));
        }
        return Ok(());
    }
    if code.trim().is_empty() {
        return Err(plan.bad(operation, BadRequest::EmptyCode));
    }
    if structure::is_block(tree, target) && !brings_brackets(plan, target, code) {
        return body(plan, operation, target, code);
    }
    let (node, span) = meant(plan, operation, target, code, extent);
    let span = without_terminator(plan, without_strings_below(plan, node, span, code), code);
    let hanging = extent::place(tree, node).filter(|place| tree.span(place.unit).start() == span.start());
    let hanging = hanging.and_then(|place| block_layout::indentation_behind_marker(tree, place));
    let base = hanging.unwrap_or_else(|| lines::indentation(tree.text(), span.start()));
    let unit = indent::indent_step(tree, Some(target));
    let fragment = Fragment::replacing(tree, span, code, (&base, &unit), plan.limits);
    let keeps_lines = fragment.is_copy() || stays_on_its_line(plan, span, (code, fragment.shape()));
    plan.claim_extent(operation, span, Some(node));
    plan.intent.removed.extend(tree.table().children(node));
    let place = extent::place(tree, node).filter(|place| {
        structure::holds_statements(tree, place.holder)
            && fragment.shape().needs_lines
            && !keeps_lines
            && extent::trimmed_span(tree, place.unit) == extent::trimmed_span(tree, node)
    });
    let base = place.map_or(base, |place| apart::set_apart(plan, operation, place));
    let fragment = without_end(tree, node, span, fragment);
    let draft = fragment.fit(&base, &unit);
    if draft.text() == tree.text().slice(span) {
        plan.makes(operation, node);
        return Ok(());
    }
    plan.change(operation, span, draft.claimed(operation, node, span));
    Ok(())
}

/// The bytes and the code if a node is text in a string or a whole string: its replacement is a value with every blank,
/// and no line of it is ever re-indented.
fn string_text<'c>(tree: &Tree, node: Node, code: &'c str) -> Option<(Span, &'c str)> {
    let table = tree.table();
    let is_string = |node: Node| tree.language().role(table.type_id(node)).string;
    if table.subtree_end(node) != node.index() + 1 || !table.is_named(node) {
        return None;
    }
    if table.parent(node).is_some_and(is_string) {
        return Some((table.span(node), code));
    }
    (is_string(node) && !code.trim().is_empty())
        .then(|| (extent::trimmed_span(tree, node), trim(code).trim_start_matches(lines::is_blank)))
}

/// The terminator of a statement.
const TERMINATOR: &str = ";";

/// The bytes to replace without the terminator of the old node, if the code lacks it and would be one node with it.
fn without_terminator(plan: &Plan<'_>, span: Span, code: &str) -> Span {
    let (tree, code) = (plan.tree, trim(code).trim_start_matches(lines::is_blank));
    let own = Span::new(span.end().saturating_sub(TERMINATOR.len()), span.end());
    let token = tree.table().smallest_around(own);
    let is_ended = Some(tree.table().type_id(token)) == tree.language().spec().punctuation.semicolon;
    if span.len() <= TERMINATOR.len() || code.ends_with(TERMINATOR) || !is_ended {
        return span;
    }
    let kept = tree.text().slice(Span::new(span.start(), own.start())).trim_end().len();
    let rest = Span::new(span.start(), span.start() + kept);
    let Some((tried, start)) = put_in_place(plan, rest, code) else { return span };
    let place = Span::new(start, start + span.len() - rest.len() + code.len());
    let table = tried.table();
    let mut found = table.range(table.first_from(place.start()), table.len());
    let is_whole = |&node: &Node| table.span(node) == place && table.is_named(node) && !table.has_error(node);
    if found.any(|node| node != Node::ROOT && is_whole(&node)) { rest } else { span }
}

/// The tree around some bytes with code in their place, and the start of the code in it.
fn put_in_place(plan: &Plan<'_>, span: Span, code: &str) -> Option<(Tree, usize)> {
    let excerpt = Excerpt::around(plan.tree, plan.tree.table().smallest_around(span), plan.limits);
    let span = excerpt.span(span)?;
    let edits = EditSet::new(vec![TextEdit::new(span, code)]).expect("one edit overlaps nothing");
    let intent = EditIntent { extents: vec![span], ..EditIntent::default() };
    excerpt.tree.edit(&edits, &intent, plan.limits).ok().map(|edited| (edited.tree, span.start()))
}

/// Whether code on one line replaces text on one line, and needs lines of its own no more than that did.
fn stays_on_its_line(plan: &Plan<'_>, span: Span, (code, shape): (&str, Shape)) -> bool {
    let (tree, old) = (plan.tree, plan.tree.text().slice(span));
    let is_one_line = |text: &str| !trim(text).contains(['\n', '\r']);
    let needed = || Fragment::from_code(tree, &old, "", "    ", plan.limits).shape().needs_lines;
    shape.needs_lines && is_one_line(code) && is_one_line(&old) && (!shape.is_sound || needed())
}

/// The bytes of a node, without the strings below it if the code has only their beginnings: `show` prints `f(<<~TEXT)`.
fn without_strings_below(plan: &Plan<'_>, node: Node, span: Span, code: &str) -> Span {
    let own = plan.tree.span(node);
    if span.start() < own.start() || span.end() <= own.end() {
        return span;
    }
    let code = trim(code).trim_start_matches(lines::is_blank);
    let alone = Span::new(span.start(), own.end());
    let Some((tried, start)) = put_in_place(plan, alone, code) else { return span };
    let place = Span::new(start, start + code.len());
    let end = start + span.len() - alone.len() + code.len();
    let table = tried.table();
    let mut found = table.range(table.first_from(place.start()), table.len());
    let has_them = |node: Node| table.span(node) == place && extent::trimmed_span(&tried, node).end() == end;
    if found.any(has_them) { alone } else { span }
}

/// Code without a trailing token that already follows the node: a separator, or the `;` after a class.
fn without_end(tree: &Tree, node: Node, span: Span, fragment: Fragment) -> Fragment {
    let text = tree.text();
    let rest = text.slice(Span::new(span.end(), lines::line_end(text, span.end()))).into_owned();
    let rest = rest.trim_start_matches(lines::is_blank);
    let doubled = TERMINATOR.repeat(2);
    let is_ended = rest.starts_with(TERMINATOR) && !rest.starts_with(&doubled);
    let separator = elements::separator_around(tree, node).map(str::to_owned);
    let fragment = match separator {
        Some(separator) => fragment.without_trailing(&separator),
        None => fragment,
    };
    if is_ended && !text.slice(span).ends_with(TERMINATOR) { fragment.without_trailing(TERMINATOR) } else { fragment }
}

/// The node and the bytes that the code replaces: decorators stay unless the code has its own.
fn meant(plan: &mut Plan<'_>, operation: usize, target: Node, code: &str, extent: Option<Extent>) -> (Node, Span) {
    let tree = plan.tree;
    let language = tree.language();
    let target = statement_meant(plan, target, code).unwrap_or(target);
    // A C struct binds its declarator if it has one; without one it binds nothing.
    let is_holder = |tree: &Tree, node: Node| {
        language.spec().held.of(tree.table().type_id(node)).is_some() && tree.inner(node).is_some()
    };
    let inner = if is_holder(tree, target) { tree.inner(target).unwrap_or(target) } else { target };
    let outer = tree.attachments().adopting_wrapper(inner);
    if !tree.is_scope(inner) {
        return (target, extent::trimmed_span(tree, target));
    }
    let whole = outer.unwrap_or(inner);
    if extent == Some(Extent::Full) {
        return (inner, extent::span_of(tree, whole, Extent::Full));
    }
    let reading = read(plan, code);
    let first = reading.as_ref().and_then(|reading| Some((&reading.tree, *reading.units.first()?)));
    let decorated =
        first.is_some_and(|(parsed, first)| is_holder(parsed, first) || extent::first_attached(parsed, first) != first);
    let definition = first.is_some_and(|(parsed, first)| extent::is_definition(parsed, first));
    let unit = tree.outermost_wrapper(whole);
    let leads = extent::first_attached(tree, unit) != unit;
    let comments = extent::attached_comments(tree, extent::first_attached(tree, unit));
    if decorated {
        if reading.as_ref().is_some_and(ParsedSnippet::starts_with_comment) {
            return (inner, extent::span_of(tree, unit, Extent::Full));
        }
        if !comments.is_empty() {
            plan.note(operation, format!("kept the comment above {}", extent::name_in_messages(tree, inner)));
        }
        return (inner, tree.span(extent::first_attached(tree, unit)).join(tree.span(whole)));
    }
    if (outer.is_some() || leads) && (definition || target == inner) {
        plan.note(operation, format!("kept the decorators of {}", extent::name_in_messages(tree, inner)));
        return (inner, extent::trimmed_span(tree, inner));
    }
    (target, extent::trimmed_span(tree, target))
}

/// The enclosing statement for which code is meant: `const f = …` for the `f = …` inside.
fn statement_meant(plan: &Plan<'_>, target: Node, code: &str) -> Option<Node> {
    let tree = plan.tree;
    let unit = tree.outermost_wrapper(target);
    if tree.span(unit) == tree.span(target) {
        return None;
    }
    let reading = read(plan, code).filter(ParsedSnippet::is_sound)?;
    let &[only] = &reading.units[..] else { return None };
    let wanted = reading.tree.table().type_id(only);
    let type_id = |node: Node| tree.table().type_id(node);
    let mut wrappers = tree.table().ancestors(target).take_while(|&wrapper| wrapper >= unit);
    wrappers.find(|&wrapper| type_id(wrapper) == wanted && type_id(target) != wanted)
}

/// Code on its own, without its indentation.
fn read(plan: &Plan<'_>, code: &str) -> Option<ParsedSnippet> {
    let source = Fragment::from_code(plan.tree, code, "", "    ", plan.limits).source();
    ParsedSnippet::any(plan.tree.language(), &source, plan.limits)
}

/// Replaces the whole text.
fn root(plan: &mut Plan<'_>, operation: usize, code: &str) -> Result<(), EditError> {
    let tree = plan.tree;
    let text = tree.text();
    let unit = indent::indent_step(tree, None);
    let all = text.to_string();
    plan.claim_extent(operation, text.span(), None);
    plan.makes(operation, Node::ROOT);
    if code == all || code == tree.node_text(Node::ROOT) {
        return Ok(());
    }
    plan.intent.removed.extend(tree.table().children(Node::ROOT));
    let mut draft = Draft::default();
    match Fragment::copying(tree, text.span(), code, plan.limits) {
        Some(copy) => {
            let at = code.find(trim(code)).unwrap_or(0);
            let newline = |blank: &str| blank.replace("\r\n", "\n").replace('\n', text.newline());
            draft.push(&newline(&code[..at]));
            draft.append(copy.fit("", &unit));
            draft.push(&newline(&code[at + trim(code).len()..]));
        }
        None => draft = Fragment::from_code(tree, code, "", &unit, plan.limits).fit("", &unit),
    }
    let is_ended = draft.text().ends_with(['\n', '\r']);
    if !draft.text().is_empty() && !is_ended && (all.is_empty() || all.ends_with(['\n', '\r']) || code.ends_with('\n'))
    {
        draft.push(text.newline());
    }
    plan.change(operation, text.span(), draft);
    Ok(())
}

/// Whether code for a body includes the brackets, or the word that opens it: in place of the body it is one.
fn brings_brackets(plan: &Plan<'_>, target: Node, code: &str) -> bool {
    let tree = plan.tree;
    let table = tree.table();
    let is_token = |node: &Node| !table.is_named(*node);
    let Some(opens) = table.children(target).next().filter(is_token) else { return false };
    let closes = table.children(target).last().filter(is_token).filter(|&closes| closes != opens);
    let end = tree.span(target).end();
    let is_ended = tree.text().slice(Span::new(end, lines::line_end(tree.text(), end))).starts_with(TERMINATOR);
    let code = code.trim();
    let code = code.strip_suffix(TERMINATOR).filter(|_| is_ended).unwrap_or(code);
    let is_closed = closes.is_none_or(|closes| code.ends_with(tree.type_name(closes)));
    if !code.starts_with(tree.type_name(opens)) || !is_closed {
        return false;
    }
    let span = tree.span(target);
    let Some((tried, start)) = put_in_place(plan, span, code) else { return false };
    let place = Span::new(start, start + code.len());
    let table = tried.table();
    let mut found = table.range(table.first_from(place.start()), table.len());
    found.any(|node| table.span(node) == place && structure::is_block(&tried, node))
}

fn is_clause(tree: &Tree, node: Node) -> bool {
    tree.language().role(tree.table().type_id(node)).clause
}

/// Whether code for a body has clauses that belong to the body, such as Ruby's `rescue` in a method.
fn brings_clause(plan: &Plan<'_>, target: Node, code: &str) -> bool {
    let tree = plan.tree;
    let (span, code) = (extent::trimmed_span(tree, target), trim(code).trim_start_matches(lines::is_blank));
    let Some((tried, start)) = put_in_place(plan, span, code) else { return false };
    let table = tried.table();
    let mut found = table.range(table.first_from(start), table.len());
    let type_id = tree.table().type_id(target);
    let body = found.find(|&node| table.type_id(node) == type_id);
    body.is_some_and(|body| table.children(body).any(|child| is_clause(&tried, child)))
}

/// Replaces the statements of a body.
fn body(plan: &mut Plan<'_>, operation: usize, target: Node, code: &str) -> Result<(), EditError> {
    let tree = plan.tree;
    let target = structure::inner_block(tree, target).unwrap_or(target);
    let mut fragment = insert::fragment(plan, target, code);
    let unit = indent::indent_step(tree, Some(target));
    let delimiters = Delimiters::of(tree, target);
    // Statements alone leave the clauses after them; code with clauses of its own replaces the whole body.
    let closing =
        delimiters.closing.filter(|&closing| !(is_clause(tree, closing) && brings_clause(plan, target, code)));
    let inside = |child: &Node| {
        delimiters.opening.is_none_or(|opening| *child > opening) && closing.is_none_or(|closing| *child < closing)
    };
    let children = tree.table().children(target).filter(inside).filter(|&child| !tree.span(child).is_empty());
    let mut children: Vec<Node> = children.collect();
    // The terminator of the last statement stays if the code lacks it, as in `without_terminator`.
    let is_terminator = |node: Node| Some(tree.table().type_id(node)) == tree.language().spec().punctuation.semicolon;
    if children.len() > 1
        && !trim(code).ends_with(TERMINATOR)
        && children.last().is_some_and(|&last| is_terminator(last))
    {
        children.pop();
    }
    let (Some(&first), Some(&last)) = (children.first(), children.last()) else {
        let (base, newline) = (block_layout::indentation_in(tree, target), tree.text().newline());
        let mut draft = Draft::new(&format!("{newline}{base}"));
        draft.append(fragment.fit(&base, &unit).marked(operation));
        let inside = delimiters.inside(tree);
        if inside.is_some() {
            draft.push(&format!("{newline}{}", delimiters.outer_indentation(tree, target)));
        }
        let span = inside.unwrap_or(Span::at(tree.span(target).start()));
        plan.claim_point(operation, span.start(), target);
        plan.change(operation, span, draft);
        return Ok(());
    };
    let span = extent::trimmed_span(tree, first).join(extent::trimmed_span(tree, last));
    plan.claim_extent(operation, span, Some(target));
    plan.intent.removed.extend(&children);
    plan.makes(operation, target);
    fragment = Fragment::copying(tree, span, code, plan.limits).unwrap_or(fragment);
    let mut base = block_layout::indentation_in(tree, target);
    let mut closing = None;
    let keeps_lines = fragment.is_copy() || stays_on_its_line(plan, span, (code, fragment.shape()));
    if fragment.shape().needs_lines
        && !keeps_lines
        && let Some(place) = children.iter().find_map(|&child| extent::place(tree, child))
        && place.index == 0
    {
        let text = tree.text();
        // Only the header's line is split; what shares it is replaced.
        let rows = block_layout::BlockLayout::new(tree, target);
        if !tree.starts_its_line(first) && !rows.hangs {
            let line = lines::line_start(text, span.start());
            let head = text.slice(Span::new(line, span.start())).trim_end_matches(lines::is_blank).len();
            let draft = Draft::new(&format!("{}{base}", text.newline()));
            plan.change(operation, Span::new(line + head, span.start()), draft);
            closing = rows.split_closing();
        }
    }
    if let Some((gap, draft)) = closing {
        plan.change(operation, Span::new(span.end().max(gap.start()), gap.end()), draft);
    }
    if tree.starts_its_line(first) {
        base = lines::indentation(tree.text(), span.start());
    }
    let draft = fragment.fit(&base, &unit);
    if draft.text() != tree.text().slice(span) {
        plan.change(operation, span, draft.claimed(operation, target, span));
    }
    Ok(())
}

/// Plans the replacement of consecutive siblings by code.
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
    let base = lines::indentation(tree.text(), span.start());
    let unit = indent::indent_step(tree, Some(first));
    plan.claim_extent(operation, span, None);
    let siblings = std::iter::successors(Some(first), |&node| tree.table().next_sibling(node));
    let range: Vec<Node> = siblings.take_while(|&node| node <= last).collect();
    if code == tree.text().slice(span) {
        range.into_iter().filter(|&node| tree.table().is_named(node)).for_each(|node| plan.makes(operation, node));
        return Ok(());
    }
    plan.intent.removed.extend(range);
    let fragment = Fragment::replacing(tree, span, code, (&base, &unit), plan.limits);
    let separator = elements::separator_around(tree, last);
    let fragment = separator.map_or(fragment.clone(), |separator| fragment.without_trailing(separator));
    let mut base = base;
    if fragment.shape().needs_lines
        && !fragment.is_copy()
        && let (Some(first), Some(last)) = (extent::place(tree, first), extent::place(tree, last))
        && structure::holds_statements(tree, first.holder)
    {
        base = apart::set_range_apart(plan, operation, first, last);
    }
    plan.change(operation, span, fragment.fit(&base, &unit).marked(operation));
    Ok(())
}
