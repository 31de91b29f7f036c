//! Layout of the elements of a list, with the separators between them.
//!
//! A list is on one line, or has one element per line; insertions follow that style.

use super::batch::Plan;
use super::draft::{Change, Draft, Rank};
use super::elements::{self, Element, elements, rule};
use super::pieces::{Insertion, Removal};
use super::{extent, indent, lines};
use crate::language::List;
use crate::text::Span;
use crate::tree::{Node, Tree};

/// The layout of a list in the text.
struct Layout<'a> {
    tree: &'a Tree,
    list: Node,
    rule: &'static List,
    elements: Vec<Element>,
    /// Each element starts its line.
    vertical: bool,
    /// Each element but the first starts its line, and there are enough of them to be sure.
    hanging: bool,
    indentation: String,
    unit: String,
    /// The whitespace before and after a separator on a line.
    spaces: (&'static str, &'static str),
    /// A single element remains, and must have a separator.
    alone: bool,
}

impl<'a> Layout<'a> {
    fn new(tree: &'a Tree, list: Node) -> Option<Layout<'a>> {
        let rule = rule(tree, list)?;
        let elements = elements(tree, list);
        let vertical = !elements.is_empty() && elements.iter().all(|element| tree.starts_its_line(element.first));
        let rest = elements.get(1..).unwrap_or_default();
        let hanging = !vertical && rest.len() > 1 && rest.iter().all(|element| tree.starts_its_line(element.first));
        let near = if hanging { rest.first() } else { elements.first() };
        let unit = indent::indent_step(tree, Some(list));
        let indentation = match near {
            Some(near) => lines::indentation(tree.text(), near.span.start()),
            None => lines::indentation(tree.text(), tree.span(list).start()),
        };
        let deeper = near.is_none() && rule.lines;
        let indentation = if deeper { format!("{indentation}{unit}") } else { indentation };
        // An empty list over several lines is filled line by line.
        let vertical = vertical || deeper;
        let spaces = spaces(tree, rule, &elements);
        Some(Layout { tree, list, rule, elements, vertical, hanging, indentation, unit, spaces, alone: false })
    }

    fn separator(&self) -> &str {
        &self.rule.separator
    }

    /// The items with a separator after each, and after the last if `closed`.
    fn join(&self, items: &[Insertion], closed: bool) -> Draft {
        let mut draft = Draft::default();
        for (nth, insertion) in items.iter().enumerate() {
            if nth > 0 {
                draft.push(&self.space());
            }
            let fragment = insertion.item.fragment.clone().without_trailing(self.separator());
            draft.append(fragment.fit(&self.indentation, &self.unit).marked_for(insertion));
            if closed || nth + 1 < items.len() {
                draft.push(self.spaces.0);
                draft.push(self.separator());
            }
            if let Some(comment) = insertion.item.behind.as_ref().filter(|_| self.vertical || self.hanging) {
                draft.append(comment.fit(&self.indentation, &self.unit));
            }
        }
        draft
    }

    /// The whitespace between two elements.
    fn space(&self) -> String {
        if self.vertical || self.hanging {
            format!("{}{}", self.tree.text().newline(), self.indentation)
        } else {
            self.spaces.1.to_owned()
        }
    }

    /// The comment after an element that is alone on its lines.
    fn comment_behind(&self, index: usize) -> Option<Node> {
        let (table, end) = (self.tree.table(), self.elements[index].end());
        let row = Span::new(end, self.row_end(index).max(end));
        let is_behind =
            |child: &Node| self.tree.is_comment(*child) && row.contains(extent::trimmed_span(self.tree, *child));
        table.children(self.list).find(is_behind).filter(|_| self.stands_alone(index))
    }

    /// The end of an element's last line with its separator and comment; the element's end if something else follows
    /// there.
    fn row_end(&self, index: usize) -> usize {
        let text = self.tree.text();
        let end = self.elements[index].end();
        let line_end = lines::line_end(text, end);
        let rest = text.slice(Span::new(end, line_end)).into_owned();
        let table = self.tree.table();
        let is_comment = |child: Node| {
            self.tree.is_comment(child) && table.span(child).start() >= end && table.span(child).end() <= line_end
        };
        match table.children(self.list).find(|&child| is_comment(child)) {
            Some(comment) => table.span(comment).end(),
            None if rest.trim().is_empty() => line_end,
            None => end,
        }
    }

    /// The start of an element's first line, including its documentation.
    fn line_start(&self, index: usize) -> usize {
        let tree = self.tree;
        let begins = &tree.language().spec().docs.begins;
        let documents =
            |comment: &Node| begins.iter().any(|begin| tree.node_text(*comment).starts_with(begin.as_str()));
        let comments = extent::attached_comments(tree, self.elements[index].first);
        let first = comments.into_iter().find(documents).unwrap_or(self.elements[index].first);
        lines::line_start(tree.text(), tree.span(first).start())
    }

    /// The lines of an element, with the blank lines that would be too many without it.
    fn lines(&self, index: usize, is_first: bool, has_next: bool) -> Span {
        let text = self.tree.text();
        let (start, end) = (self.line_start(index), lines::next_line(text, self.row_end(index)));
        let (above, below) = (lines::blanks_above(text, start), lines::blanks_below(text, end));
        if is_first {
            return Span::new(start, lines::lines_down(text, end, below));
        }
        let above = if has_next { above.min(below) } else { above };
        Span::new(lines::lines_up(text, start, above), end)
    }

    /// The start of an element with its documentation.
    fn top(&self, index: usize) -> usize {
        let line = self.line_start(index);
        line + lines::indentation(self.tree.text(), line).len()
    }

    /// Whether only the element, its separator and a comment are on its lines.
    fn stands_alone(&self, index: usize) -> bool {
        let text = self.tree.text();
        self.tree.starts_its_line(self.elements[index].first)
            && self.row_end(index) >= lines::line_end(text, self.elements[index].end())
    }
}

/// The whitespace before and after the separators of a list that are on one line with both of their elements, if they
/// are all alike; else the usual one.
fn spaces(tree: &Tree, rule: &List, elements: &[Element]) -> (&'static str, &'static str) {
    let is_operator = !matches!(rule.separator.trim(), "" | "," | ";");
    let text = tree.text();
    let around = |pair: &[Element]| {
        let separator = pair[0].separator?;
        let blank = |from: usize, to: usize| (from <= to).then(|| text.slice(Span::new(from, to)).into_owned());
        let before = blank(pair[0].span.end(), separator.start())?;
        let after = blank(separator.end(), pair[1].span.start())?;
        let is_plain = |space: &str| matches!(space, "" | " ");
        (is_plain(&before) && is_plain(&after)).then_some((!before.is_empty(), !after.is_empty()))
    };
    let mut found = elements.windows(2).filter_map(around);
    let first = found.next().filter(|first| found.all(|other| other == *first));
    let space = |there: bool| if there { " " } else { "" };
    // If only whitespace separates, it is the separator.
    let (before, after) = first.filter(|_| !rule.separator.trim().is_empty()).unwrap_or((is_operator, true));
    (space(before), space(after))
}

/// What moves with an element.
pub(super) struct Carried {
    /// The bytes of the element and its documentation.
    pub(super) span: Span,
    /// The comment after its separator, and its bytes with the whitespace before.
    pub(super) behind: Option<(Node, Span)>,
}

/// What moves with an element of a list.
pub(super) fn carried(tree: &Tree, list: Node, index: usize) -> Option<Carried> {
    let layout = Layout::new(tree, list)?;
    let element = layout.elements.get(index)?;
    let start = if layout.stands_alone(index) { layout.top(index) } else { element.start() };
    let bytes = |comment: Node| (comment, Span::new(element.end(), extent::trimmed_span(tree, comment).end()));
    Some(Carried { span: Span::new(start, element.span.end()), behind: layout.comment_behind(index).map(bytes) })
}

/// Whether a list has one element per line, so that a comment may follow each.
pub(super) fn has_lines(tree: &Tree, list: Node) -> bool {
    Layout::new(tree, list).is_some_and(|layout| layout.vertical || layout.hanging)
}

/// Converts the removals and insertions of one list to changes.
pub(super) fn lay_out(plan: &mut Plan<'_>, list: Node) {
    let Some(mut layout) = Layout::new(plan.tree, list) else { return };
    let count = layout.elements.len();
    let mut gone: Vec<Option<Removal>> = vec![None; count];
    for removal in plan.removals_of(list) {
        gone[removal.place.index] = Some(*removal);
    }
    let insertions: Vec<Insertion> = plan.insertions_of(list).to_vec();
    let kept: Vec<usize> = (0..count).filter(|&index| gone[index].is_none()).collect();
    if let (Some(only), true) = (elements::is_alone(plan.tree, list, &layout.elements, &kept), insertions.is_empty()) {
        let operation = gone.iter().flatten().next().map_or(0, |removal| removal.operation);
        leave_alone(plan, operation, list, only);
        return;
    }
    layout.alone = layout.rule.single && kept.len() + insertions.len() == 1;
    let mut changes = Vec::new();
    // The gaps: before the first remaining element, between two, after the last.
    for nth in 0..=kept.len() {
        let previous = nth.checked_sub(1).map(|nth| kept[nth]);
        let next = kept.get(nth).copied();
        let first = previous.map_or(0, |index| index + 1);
        let last = next.unwrap_or(count);
        let removed: Vec<Removal> = gone[first..last].iter().flatten().copied().collect();
        let items: Vec<Insertion> =
            insertions.iter().filter(|insertion| (first..=last).contains(&insertion.slot)).cloned().collect();
        if removed.is_empty() && items.is_empty() {
            continue;
        }
        let operation = removed.first().map_or_else(|| items[0].operation, |removal| removal.operation);
        let mut add = |span: Span, draft: Draft| changes.push(Change { span, draft, operation, rank: Rank::Between });
        let range = (!removed.is_empty()).then(|| (first, last - 1));
        match (previous, next) {
            (None, None) => only(&layout, range, &items, &mut add),
            (_, Some(next)) => before(&layout, (previous, next), range, &items, &mut add),
            (Some(previous), None) => tail(&layout, previous, range, &items, &mut add),
        }
    }
    // A single element that needs a separator and loses it.
    let total = kept.len() + insertions.len();
    if let (true, [index]) = (layout.rule.single && total == 1, &kept[..])
        && *index + 1 == count
        && count > 1
        && layout.elements[*index].separator.is_none()
    {
        let draft = Draft::new(layout.separator());
        let operation = plan.removals_of(list).first().map_or(0, |first| first.operation);
        changes.push(Change { span: Span::at(layout.elements[*index].end()), draft, operation, rank: Rank::Between });
    }
    plan.changes.extend(changes);
}

/// Nothing remains: an empty list is filled, or the whole content is removed.
fn only(layout: &Layout<'_>, range: Option<(usize, usize)>, items: &[Insertion], add: &mut impl FnMut(Span, Draft)) {
    let table = layout.tree.table();
    // Comments stay where they are.
    let has_comment = table.children(layout.list).any(|child| table.is_extra(child));
    if let Some((first, last)) = range.filter(|_| has_comment && items.is_empty())
        && (first..=last).all(|index| layout.stands_alone(index))
    {
        (first..=last).for_each(|index| add(layout.lines(index, false, false), Draft::default()));
        return;
    }
    let span = match range {
        Some((first, last)) => {
            let (first, last) = (layout.elements[first], layout.elements[last]);
            let all = Span::new(first.span.start(), if items.is_empty() { last.end() } else { last.span.end() });
            let brackets = Span::new(
                layout.tree.span(layout.list).start() + 1,
                layout.tree.span(layout.list).end().saturating_sub(1).max(all.end()),
            );
            // The whitespace inside the brackets is removed, too.
            let padded = brackets.start() <= all.start() && !has_comment && items.is_empty();
            let text = layout.tree.text();
            let around = |span: Span| text.slice(span).trim().is_empty();
            if padded
                && around(Span::new(brackets.start(), all.start()))
                && around(Span::new(all.end(), brackets.end()))
            {
                brackets
            } else if items.is_empty() && !has_brackets(layout) {
                // There is no trace of a list: the space before it is removed.
                let line = Span::new(lines::line_start(text, all.start()), all.start());
                let before = text.slice(line).into_owned();
                let rest = text.slice(Span::new(all.end(), lines::line_end(text, all.end()))).into_owned();
                let space = before.len() - before.trim_end_matches(lines::is_blank).len();
                let ends = rest.trim().is_empty() && space < before.len();
                Span::new(all.start() - if ends { space } else { 0 }, all.end())
            } else {
                all
            }
        }
        None => {
            let opens = table
                .children(layout.list)
                .find(|&child| layout.tree.language().spec().punctuation.opening.contains(table.type_id(child)));
            Span::at(opens.map_or(layout.tree.span(layout.list).end(), |bracket| table.span(bracket).end()))
        }
    };
    let mut draft = layout.join(items, false);
    if range.is_none() && !items.is_empty() {
        let (span, draft) = fill(layout, span, draft);
        add(span, draft);
        return;
    }
    let trailing = range.is_some_and(|(_, last)| layout.elements[last].separator.is_some());
    if layout.rule.single && items.len() == 1 && !trailing {
        draft.push(layout.separator());
    }
    add(span, draft);
}

fn has_brackets(layout: &Layout<'_>) -> bool {
    let table = layout.tree.table();
    table
        .children(layout.list)
        .any(|child| layout.tree.language().spec().punctuation.opening.contains(table.type_id(child)))
}

/// Fills empty brackets: on separate lines if the list is written over several lines.
fn fill(layout: &Layout<'_>, at: Span, mut items: Draft) -> (Span, Draft) {
    let (tree, text) = (layout.tree, layout.tree.text());
    let has_comment = tree.table().children(layout.list).any(|child| tree.table().is_extra(child));
    let whole = tree.span(layout.list);
    let span = Span::new(at.start(), whole.end().saturating_sub(1).max(at.start()));
    let is_empty = !has_comment && text.slice(span).trim().is_empty();
    if layout.rule.single {
        items.push(layout.separator());
    }
    if !is_empty || !(layout.rule.lines || layout.rule.padded) {
        return (at, items);
    }
    let newline = text.newline();
    let (before, after) = if layout.rule.lines {
        let outer = lines::indentation(text, whole.start());
        let end = if layout.rule.trailing { layout.separator() } else { "" };
        (format!("{newline}{}", layout.indentation), format!("{end}{newline}{outer}"))
    } else {
        (" ".to_owned(), " ".to_owned())
    };
    let mut draft = Draft::new(&before);
    draft.append(items);
    draft.push(&after);
    (span, draft)
}

/// Changes before a remaining element.
fn before(
    layout: &Layout<'_>,
    (previous, next): (Option<usize>, usize),
    range: Option<(usize, usize)>,
    items: &[Insertion],
    add: &mut impl FnMut(Span, Draft),
) {
    let text = layout.tree.text();
    let next_start = layout.elements[next].span.start();
    match range {
        Some((first, last)) if (first..=last).all(|index| layout.stands_alone(index)) => {
            for index in first..=last {
                add(layout.lines(index, previous.is_none(), true), Draft::default());
            }
        }
        Some((first, last)) => {
            let (from, to) = (layout.elements[first].span.start(), layout.elements[last].end());
            let between = text.slice(Span::new(to, next_start)).into_owned();
            let to = if between.chars().all(char::is_whitespace) && !between.contains(['\n', '\r']) {
                next_start
            } else {
                to
            };
            let from = if to == next_start || previous.is_none() {
                from
            } else {
                // The remaining element begins a line of its own, and this line gets no trailing whitespace.
                previous.map_or(from, |previous| {
                    let end = layout.elements[previous].end();
                    if text.slice(Span::new(end, from)).trim().is_empty() { end } else { from }
                })
            };
            let to = if previous.is_none() && to != next_start && between.trim().is_empty() { next_start } else { to };
            add(Span::new(from, to), Draft::default());
        }
        None => {}
    }
    if items.is_empty() {
        return;
    }
    let mut draft = Draft::default();
    match previous {
        Some(previous) if layout.vertical || layout.hanging => {
            draft.push(text.newline());
            draft.push(&layout.indentation);
            draft.append(layout.join(items, true));
            add(Span::at(layout.row_end(previous)), draft);
        }
        Some(previous) => {
            draft.push(layout.spaces.1);
            draft.append(layout.join(items, true));
            add(Span::at(layout.elements[previous].end()), draft);
        }
        None => {
            draft.append(layout.join(items, true));
            draft.push(&layout.space());
            let start = if range.is_some() { layout.elements[0].span.start() } else { next_start };
            let start = if layout.vertical { layout.top(next) } else { start };
            add(Span::at(start), draft);
        }
    }
}

/// Changes after the last remaining element.
fn tail(
    layout: &Layout<'_>,
    previous: usize,
    range: Option<(usize, usize)>,
    items: &[Insertion],
    add: &mut impl FnMut(Span, Draft),
) {
    let text = layout.tree.text();
    let element = layout.elements[previous];
    let last = &layout.elements[layout.elements.len() - 1];
    let trailing = last.separator.is_some();
    let total_before = layout.elements.len();
    let alone = range.is_none_or(|(first, last)| (first..=last).all(|index| layout.stands_alone(index)));
    if let Some((first, last)) = range {
        if alone {
            for index in first..=last {
                add(layout.lines(index, false, false), Draft::default());
            }
            let lone = layout.alone;
            if let (false, true, Some(separator)) = (trailing || lone, items.is_empty(), element.separator) {
                add(separator, Draft::default());
            }
        } else {
            let end = layout.elements[last].span.end();
            let lone = layout.alone && items.is_empty() && !trailing;
            let after = element.separator.map_or(element.span.end(), Span::end);
            let start = if lone || !items.is_empty() { after } else { element.span.end() };
            let between = text.slice(Span::new(after, layout.elements[first].span.start())).into_owned();
            if between.trim().is_empty() {
                add(Span::new(start, end), Draft::default());
            } else {
                // A comment stays.
                if let (true, Some(separator)) = (start < after, element.separator) {
                    add(separator, Draft::default());
                }
                add(Span::new(layout.elements[first].span.start(), end), Draft::default());
            }
        }
    }
    if items.is_empty() {
        return;
    }
    let mut draft = Draft::default();
    if layout.vertical || (layout.hanging && range.is_none()) {
        if element.separator.is_none() {
            add(Span::at(element.span.end()), Draft::new(&format!("{}{}", layout.spaces.0, layout.separator())));
        }
        draft.push(text.newline());
        draft.push(&layout.indentation);
        draft.append(layout.join(items, trailing && alone));
        add(Span::at(layout.row_end(previous)), draft);
        return;
    }
    let at = element.separator.map_or(element.span.end(), Span::end);
    if element.separator.is_none() {
        draft.push(layout.spaces.0);
        draft.push(layout.separator());
    }
    draft.push(layout.spaces.1);
    let lone = layout.rule.single && total_before == 1;
    draft.append(layout.join(items, range.is_none() && trailing && !lone));
    add(Span::at(at), draft);
}

/// Removes everything from a list except one element.
pub(super) fn leave_alone(plan: &mut Plan<'_>, operation: usize, list: Node, only: Node) {
    let (whole, kept) = (plan.tree.span(list), plan.tree.span(only));
    plan.intent.extents.push(whole);
    plan.carries(only);
    // A bracket may follow a keyword directly, and its content may not: `with(a, b):`.
    let line = plan.tree.text().line_around(whole.start());
    let behind_word = plan
        .tree
        .text()
        .slice(Span::new(line.start(), whole.start()))
        .ends_with(|before: char| before.is_alphanumeric());
    let space = if behind_word { " " } else { "" };
    let cuts = [(Span::new(whole.start(), kept.start()), space), (Span::new(kept.end(), whole.end()), "")];
    for (span, instead) in cuts.into_iter().filter(|(span, _)| !span.is_empty()) {
        plan.changes.push(Change { span, draft: Draft::new(instead), operation, rank: Rank::Between });
    }
}
