//! Layout of units in a block: statements, the clauses of a statement, decorators.
//!
//! Units are on lines of their own, or share one (`a; b`). A block may begin on its header's line (`def f(): return
//! 1`); it is split only if an insertion needs a line.

use rustc_hash::FxHashMap;

use super::batch::Plan;
use super::block_layout::{self, BlockLayout};
use super::draft::{Change, Draft, Rank};
use super::pieces::{Insertion, Item, Removal};
use super::{extent, lines};
use crate::text::Span;
use crate::tree::Node;

/// Converts the removals and insertions of one container to changes.
pub(super) fn lay_out(plan: &mut Plan<'_>, holder: Node) {
    let tree = plan.tree;
    let mut rows = BlockLayout::new(tree, holder);
    let removals: Vec<Removal> = plan.removals_of(holder).to_vec();
    let mut insertions: Vec<Insertion> = plan.insertions_of(holder).to_vec();
    // Imports go above other code at the same place.
    insertions.sort_by_key(|insertion| !insertion.item.is_import);
    let empties = removals.len() == rows.units.len() && insertions.is_empty() && holder != Node::ROOT && rows.spaced;
    let mut changes = Vec::new();
    for (nth, run) in runs(&rows, &removals).into_iter().enumerate() {
        let (first, last) = (run[0].place.index, run[run.len() - 1].place.index);
        let here = |insertion: &Insertion| (first..=last + 1).contains(&insertion.slot);
        let comes: Vec<Insertion> =
            if insertions.is_empty() { Vec::new() } else { insertions.extract_if(.., |one| here(one)).collect() };
        if !comes.is_empty() {
            rows.align(first, None);
            replace_run(&rows, &run, &comes, &mut changes);
        } else if let Some((span, draft)) = collapse(&rows, &run).filter(|_| empties) {
            changes.push(change(run[0].operation, span, draft));
        } else if empties && nth == 0 && !tree.language().spec().empty_body.is_empty() {
            let end = if rows.ends_its_row(last) { rows.line_end(rows.units[last]) } else { rows.span(last).end() };
            let span = Span::new(run[0].span.start(), end);
            changes.push(change(run[0].operation, span, Draft::new(&tree.language().spec().empty_body)));
        } else {
            remove_run(&rows, &run, &mut changes);
        }
    }
    // The insertions at the same place, in the order of the places' first operations.
    let mut groups: Vec<Vec<Insertion>> = Vec::new();
    let mut numbers: FxHashMap<(usize, Option<Node>, Option<Node>), usize> = FxHashMap::default();
    for insertion in insertions {
        let number = *numbers.entry((insertion.slot, insertion.below, insertion.above)).or_insert(groups.len());
        if number == groups.len() {
            groups.push(Vec::new());
        }
        groups[number].push(insertion);
    }
    for mut group in groups {
        let usual = rows.indentation.clone();
        let imports = group.iter().take_while(|insertion| insertion.item.is_import).count();
        rows.align(group[0].slot, group[0].below);
        if let [Insertion { item: Item { node: Some(moved), .. }, .. }] = group[..]
            && let Some(own) = label_indentation(&rows, moved)
        {
            rows.indentation = own;
        }
        // Code attached to the unit below goes between the comments above that unit and the unit.
        if imports > 0 && group.last().is_some_and(|last| last.item.attached) {
            let others = group.split_off(imports);
            insert_group(&rows, &group, &mut changes);
            group = others;
        }
        insert_group(&rows, &group, &mut changes);
        rows.indentation = usual;
    }
    plan.changes.extend(changes);
}

/// The indentation of a label that moves: it keeps its distance to the left of the statements, or is at the margin.
fn label_indentation(rows: &BlockLayout<'_>, label: Node) -> Option<String> {
    let tree = rows.tree;
    if !tree.language().role(tree.table().type_id(label)).label || !tree.starts_its_line(label) {
        return None;
    }
    let own = lines::indentation(tree.text(), tree.span(label).start());
    let holder = extent::place(tree, label)?.holder;
    if own.is_empty() || holder == rows.holder {
        return Some(own);
    }
    let statements = block_layout::indentation_in(tree, holder);
    let less = statements.strip_prefix(own.as_str()).filter(|less| !less.is_empty())?;
    rows.indentation.strip_suffix(less).map(str::to_owned)
}

/// The replacement for brackets that become empty: `{}`.
fn collapse(rows: &BlockLayout<'_>, run: &[Removal]) -> Option<(Span, Draft)> {
    let (first, last) = (run.first()?, run.last()?);
    let text = rows.tree.text();
    let inside = rows.delimiters.inside(rows.tree).filter(|_| rows.delimiters.has_brackets(rows.tree))?;
    let end = rows.line_end(rows.units[last.place.index]).min(inside.end());
    let around = [Span::new(inside.start(), first.span.start()), Span::new(end, inside.end())];
    let needs_statement = !rows.tree.language().spec().empty_body.is_empty();
    if needs_statement || run.len() < rows.units.len() || around.iter().any(|&span| !text.slice(span).trim().is_empty())
    {
        return None;
    }
    let opening = rows.delimiters.opening?;
    // A bracket that opens on its own line closes on its own line.
    let apart = rows.tree.starts_its_line(opening) && lines::breaks(text, inside);
    let draft = if apart { Draft::new(&format!("{}{}", rows.newline(), rows.outer)) } else { Draft::default() };
    Some((inside, draft))
}

fn change(operation: usize, span: Span, draft: Draft) -> Change {
    Change { span, draft, operation, rank: Rank::Between }
}

/// Removals of neighbours with only whitespace between them.
fn runs(rows: &BlockLayout<'_>, removals: &[Removal]) -> Vec<Vec<Removal>> {
    let mut sorted = removals.to_vec();
    sorted.sort_by_key(|removal| removal.place.index);
    let mut runs: Vec<Vec<Removal>> = Vec::new();
    for removal in sorted {
        let follows = runs.last().and_then(|run| run.last()).is_some_and(|last| {
            // A comment at the end of its line goes with it.
            let whole_row = rows.ends_its_row(last.place.index);
            let end = if whole_row { rows.line_end(rows.units[last.place.index]) } else { last.span.end() };
            let between = Span::new(end.min(removal.span.start()), removal.span.start());
            let only_space = rows.tree.text().slice(between).chars().all(|character| " \t\r\n;".contains(character));
            last.place.index + 1 == removal.place.index && only_space
        });
        match runs.last_mut() {
            Some(run) if follows => run.push(removal),
            _ => runs.push(vec![removal]),
        }
    }
    runs
}

/// Removes units: whole lines with their blank lines, or a part of a line with its separator.
fn remove_run(rows: &BlockLayout<'_>, run: &[Removal], changes: &mut Vec<Change>) {
    let text = rows.tree.text();
    let mut run = run;
    // On a line shared with remaining units: from unit to unit.
    if rows.shares_line_with_previous(run[0].place.index) {
        let first = run[0].place.index;
        let same: usize =
            1 + run[1..].iter().take_while(|removal| rows.shares_line_with_previous(removal.place.index)).count();
        let last = run[same - 1].place.index;
        let span = if rows.ends_its_row(last) {
            let end = if rows.kept_end(last) > rows.span(last).end() { rows.ended(last) } else { rows.span(last) };
            Span::new(rows.kept_end(first - 1), end.end())
        } else {
            Span::new(rows.start(first), rows.start(last + 1))
        };
        changes.push(change(run[0].operation, span, Draft::default()));
        run = &run[same..];
    }
    let (Some(first), Some(last)) = (run.first(), run.last()) else { return };
    if !rows.ends_its_row(last.place.index) {
        let mut index = last.place.index;
        while rows.shares_line_with_previous(index) {
            index -= 1;
        }
        let start = if index == first.place.index { first.span.start() } else { rows.start(index) };
        let span = Span::new(start, rows.start(last.place.index + 1));
        changes.push(change(last.operation, span, Draft::default()));
        run = &run[..run.iter().position(|removal| removal.place.index >= index).unwrap_or(0)];
    }
    let (Some(first), Some(last)) = (run.first(), run.last()) else { return };
    let mut start = lines::line_start(text, first.span.start());
    if rows.one_line && first.place.index == 0 {
        // The header stays: only what comes after it is removed.
        let head = text.slice(Span::new(start, first.span.start())).trim_end_matches(lines::is_blank).len();
        let end = rows.line_end(rows.units[last.place.index]);
        let closes = rows.gap_after(rows.units[last.place.index]).is_some();
        let start = if closes { first.span.start() } else { start + head };
        changes.push(change(first.operation, Span::new(start, end), Draft::default()));
        return;
    }
    if rows.hangs && first.place.index == 0 {
        changes.push(change(first.operation, hanging_removal(rows, last.place.index), Draft::default()));
        return;
    }
    let line_end = rows.line_end(rows.units[last.place.index]);
    if let Some(gap) = rows.gap_after(rows.units[last.place.index]) {
        // The closing token of the container stays, on the previous line if there is one.
        let only_space = text.slice(Span::new(start, first.span.start())).trim().is_empty();
        let start = if only_space && start > 0 { lines::lines_up(text, start, 1) } else { first.span.start() };
        let start = if only_space { lines::line_end(text, start) } else { start };
        // In a broken file a unit may be empty and come after the closing token.
        changes.push(change(first.operation, Span::new(start.min(gap.start()), gap.start()), Draft::default()));
        return;
    }
    let mut end = lines::next_line(text, line_end);
    let (above, below) = (lines::blanks_above(text, start), lines::blanks_below(text, end));
    let has_next = has_after(rows, line_end);
    match (has_before(rows, start), has_next) {
        (true, true) if above >= below => end = lines::lines_down(text, end, below),
        (true, _) => start = lines::lines_up(text, start, above),
        (false, _) => end = lines::lines_down(text, end, below),
    }
    if end == text.len() && end == line_end && start > 0 {
        // The last line had no line ending, so the new last line has none.
        start = lines::line_end(text, lines::lines_up(text, start, 1));
    }
    changes.push(change(first.operation, Span::new(start, end), Draft::default()));
}

/// What is removed with the first units after a marker, up to the one at `last`: the next unit takes their place on the
/// marker's line.
fn hanging_removal(rows: &BlockLayout<'_>, last: usize) -> Span {
    let text = rows.tree.text();
    let start = rows.start(0);
    let line_end = rows.line_end(rows.units[last]);
    if last + 1 < rows.units.len() {
        let rest = text.slice(Span::new(line_end, text.len())).into_owned();
        let blank = rest.len() - rest.trim_start().len();
        return Span::new(start, line_end + blank);
    }
    let line = lines::line_start(text, start);
    let head = text.slice(Span::new(line, start)).trim_end_matches(lines::is_blank).len();
    Span::new(line + head, line_end)
}

/// Whether something of the container is above the line that starts at `start`.
fn has_before(rows: &BlockLayout<'_>, start: usize) -> bool {
    let table = rows.tree.table();
    if !rows.spaced {
        return true;
    }
    let comment_above = |block: Node| {
        let previous = table.previous_sibling(block)?;
        let own_line = rows.tree.is_comment(previous) && rows.tree.starts_its_line(previous);
        (own_line && table.span(previous).end() <= start).then_some(())
    };
    let is_before = |child: Node| table.span(child).end() <= start && !table.span(child).is_empty();
    let after_opening = |child: &Node| match rows.delimiters.opening {
        Some(opening) => *child > opening,
        None => true,
    };
    table.children(rows.holder).filter(after_opening).any(is_before) || comment_above(rows.holder).is_some()
}

/// Whether something of the container is below the line that ends at `end`.
fn has_after(rows: &BlockLayout<'_>, end: usize) -> bool {
    let table = rows.tree.table();
    let last = match rows.delimiters.closing.filter(|&closing| table.parent(closing) == Some(rows.holder)) {
        Some(closing) => table.previous_sibling(closing),
        None => table.last_child(rows.holder),
    };
    last.is_some_and(|last| table.span(last).start() > end)
}

/// Replaces removed units by insertions.
fn replace_run(rows: &BlockLayout<'_>, run: &[Removal], comes: &[Insertion], changes: &mut Vec<Change>) {
    let (first, last) = (run[0], run[run.len() - 1]);
    let (first_index, last_index) = (first.place.index, last.place.index);
    let shares = rows.shares_line_with_previous(first_index) || !rows.ends_its_row(last_index);
    let simple = !comes.iter().any(|insertion| insertion.item.fragment.shape().needs_lines);
    let operation = comes[0].operation;
    let end = if shares { rows.span(last_index).end() } else { rows.line_end(rows.units[last_index]) };
    let span = Span::new(first.span.start(), end.max(first.span.start()));
    if (shares || rows.one_line) && simple {
        changes.push(change(operation, span, inline(rows, comes)));
        return;
    }
    let after = if shares && !rows.ends_its_row(last_index) { rows.split_before(last_index + 1) } else { None };
    let opening = if rows.one_line && first_index > 0 { rows.split_before(0) } else { None };
    let closing = if rows.one_line { rows.split_closing() } else { None };
    for (span, draft) in [opening, rows.split_before(first_index), after, closing].into_iter().flatten() {
        changes.push(change(operation, span, draft));
    }
    changes.push(change(operation, span, rows.join(comes, first_index)));
}

/// The separator between a statement and the next on one line, unless the statement has a terminator.
fn between<'a>(rows: &BlockLayout<'_>, before: &str) -> &'a str {
    let separator = rows.tree.language().spec().statement_separator.as_str();
    if before.ends_with([';', '}']) { "" } else { separator }
}

/// Simple statements on one line.
fn inline(rows: &BlockLayout<'_>, comes: &[Insertion]) -> Draft {
    let mut draft = Draft::default();
    for (nth, insertion) in comes.iter().enumerate() {
        if nth > 0 {
            draft.push(between(rows, draft.text()));
            draft.push(" ");
        }
        draft.append(insertion.item.fragment.fit(&rows.indentation, &rows.unit).marked_for(insertion));
    }
    draft
}

/// Inserts at one place between remaining units.
fn insert_group(rows: &BlockLayout<'_>, group: &[Insertion], changes: &mut Vec<Change>) {
    let text = rows.tree.text();
    let (slot, operation) = (group[0].slot, group[0].operation);
    let shape = |insertion: &Insertion| insertion.item.fragment.shape();
    let starts = group.first().is_some_and(|insertion| shape(insertion).starts_with_definition);
    let ends = group.last().is_some_and(|insertion| shape(insertion).ends_with_definition);
    let attached = group.last().is_some_and(|insertion| insertion.item.attached);
    let comments = group.last().is_some_and(|insertion| shape(insertion).only_comments);
    // The first imports are separated by a blank line from what is above them, and from code below.
    let opens_apart = group.first().is_some_and(|insertion| insertion.item.apart && insertion.item.is_import);
    let apart = group.last().is_some_and(|insertion| insertion.item.apart);
    let newline = rows.newline();
    if rows.units.is_empty() {
        changes.push(into_empty(rows, group));
        return;
    }
    if rows.shares_line_with_previous(slot) {
        let separator = between(rows, &text.slice(rows.span(slot - 1)));
        let ends = rows.ended(slot - 1).end() > rows.span(slot - 1).end() || separator.is_empty();
        let closed = |insertion: &Insertion| insertion.item.fragment.ends_with([';', '}']);
        let fits = ends && (!separator.is_empty() || group.iter().all(closed));
        if !group.iter().any(|insertion| shape(insertion).needs_lines) && fits {
            let mut draft = Draft::new(separator);
            draft.push(" ");
            draft.append(inline(rows, group));
            changes.push(change(operation, Span::at(rows.span(slot - 1).end()), draft));
            return;
        }
        let mut draft = Draft::new(&rows.fresh_line());
        draft.append(rows.join(group, slot));
        draft.push(&rows.fresh_line());
        let (end, start) = (rows.kept_end(slot - 1), rows.start(slot));
        changes.push(change(operation, Span::new(end.min(start), start), draft));
        changes.extend(rows.unfold(slot - 1).map(|(span, draft)| change(operation, span, draft)));
        return;
    }
    let above_is = |index: usize| index > 0 && rows.is_definition(index - 1);
    let below_is = |index: usize| index < rows.units.len() && rows.is_definition(index);
    if let Some(anchor) = group[0].below {
        let end = rows.line_end(anchor);
        let next = lines::next_line(text, end);
        let there = lines::blanks_below(text, next);
        let before = rows
            .wanted(slot, above_is(slot), starts)
            .max(usize::from(opens_apart && (there > 0 || next >= text.len())));
        let follows = slot < rows.units.len() || (has_after(rows, end) && (starts || apart));
        let below = rows.wanted(slot, ends, below_is(slot)).max(usize::from(apart));
        let after = if follows { below.saturating_sub(there) } else { 0 };
        let mut draft = Draft::new(&newline.repeat(before));
        draft.push(&rows.fresh_line());
        draft.append(rows.join(group, slot));
        draft.push(&newline.repeat(after));
        if let Some(above) = slot.checked_sub(1) {
            let sign = Draft::new(rows.terminator_after(&text.slice(rows.ended(above))));
            changes.push(change(operation, Span::at(rows.ended(above).end()), sign));
        }
        let closing = rows.gap_after(anchor);
        if closing.is_some() {
            draft.push(&format!("{newline}{}", rows.outer));
        }
        let opening = rows.split_before(0).filter(|_| rows.is_on_header_line(slot.saturating_sub(1)));
        changes.extend(opening.map(|(span, draft)| change(operation, span, draft)));
        changes.push(change(operation, closing.unwrap_or(Span::at(end)), draft));
        return;
    }
    let after = rows.wanted(slot, ends, below_is(slot)).max(usize::from(apart));
    let after = if attached || (comments && !apart) { 0 } else { after };
    if slot == 0 && rows.hangs {
        let mut draft = rows.join(group, slot);
        draft.push(&newline.repeat(after));
        draft.push(&rows.fresh_line());
        changes.push(change(operation, Span::at(rows.start(0)), draft));
        return;
    }
    if slot == 0 && rows.one_line {
        let Some((span, mut draft)) = rows.split_before(0) else { return };
        draft.append(rows.join(group, slot));
        draft.push(&newline.repeat(after));
        draft.push(&rows.fresh_line());
        changes.push(change(operation, span, draft));
        changes.extend(rows.split_closing().map(|(span, draft)| change(operation, span, draft)));
        return;
    }
    let anchor = group[0].above.map_or(rows.spans[slot].start(), |above| rows.tree.span(above).start());
    let start = lines::line_start(text, anchor);
    let there = lines::blanks_above(text, start);
    let is_first = slot == 0 && !has_before(rows, start);
    let apart_above = usize::from(group.iter().any(|insertion| insertion.item.apart_above));
    let wanted = rows.wanted(slot, above_is(slot), starts).max(apart_above);
    let before = if is_first { 0 } else { wanted.saturating_sub(there) };
    let start = if attached { lines::line_start(text, rows.start(slot)) } else { start };
    let mut draft = Draft::new(&newline.repeat(if attached { 0 } else { before }));
    draft.push(&rows.indentation);
    draft.append(rows.join(group, slot));
    draft.push(&newline.repeat(after + 1));
    changes.push(change(operation, Span::at(start), draft));
}

/// Inserts into a module or a body without statements.
fn into_empty(rows: &BlockLayout<'_>, group: &[Insertion]) -> Change {
    let (text, operation) = (rows.tree.text(), group[0].operation);
    let newline = rows.newline();
    let mut draft = Draft::default();
    if rows.holder == Node::ROOT {
        let ends_open = !text.is_empty() && !text.slice(text.span()).ends_with(['\n', '\r']);
        draft.push(if ends_open { newline } else { "" });
        draft.append(rows.join(group, 0));
        draft.push(if ends_open { "" } else { newline });
        return change(operation, Span::at(text.len()), draft);
    }
    draft.push(&rows.fresh_line());
    draft.append(rows.join(group, 0));
    let Some(inside) = rows.delimiters.inside(rows.tree) else {
        let at = rows
            .delimiters
            .opening
            .map_or(rows.tree.span(rows.holder).start(), |opening| rows.tree.span(opening).end());
        return change(operation, Span::at(at), draft);
    };
    // Below any comments.
    let said = text.slice(inside).into_owned();
    let start = inside.start() + said.trim_end_matches(|letter: char| letter.is_whitespace() || letter == ';').len();
    let closing_line = lines::line_start(text, inside.end());
    if closing_line > start {
        let end = lines::line_end(text, lines::lines_up(text, closing_line, 1));
        return change(operation, Span::new(start, end.max(start)), draft);
    }
    draft.push(&format!("{newline}{}", rows.outer));
    change(operation, Span::new(start, inside.end()), draft)
}
