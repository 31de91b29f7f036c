//! Laying out what comes and goes among the units of a block: statements, the clauses of a statement, decorators.
//!
//! Units stand on lines of their own, or share one (`a; b`). A block may begin on its header's line (`def f(): return 1`);
//! it is taken apart only when something comes that needs a line.

use super::extent::{self, Place};
use super::layout;
use super::plan::{Change, Draft, Insertion, Plan, Rank, Removal};
use crate::text::Span;
use crate::tree::{Node, Tree};

/// The units of a holder as they stand in the text.
struct Rows<'a> {
    tree: &'a Tree,
    holder: Node,
    units: Vec<Node>,
    /// The bytes of each unit, its comments above included.
    spans: Vec<Span>,
    /// Whether the first unit stands on the header's line.
    one_line: bool,
    /// What a line begins with.
    indentation: String,
    /// One more level.
    unit: String,
    /// Whether definitions are set off by blank lines here.
    spaced: bool,
}

impl<'a> Rows<'a> {
    fn new(tree: &'a Tree, holder: Node) -> Rows<'a> {
        let units = extent::units(tree, holder);
        let spans = units.iter().map(|&unit| extent::span_of(tree, unit, super::Extent::Full)).collect();
        let spaced = layout::is_block(tree, holder);
        let one_line = spaced && units.first().is_some_and(|&first| !tree.starts_its_line(first));
        let unit = layout::indent_unit(tree, Some(holder));
        let indentation = match units.first() {
            Some(&first) if !one_line => layout::indentation(tree.text(), tree.span(first).start()),
            _ => block_indentation(tree, holder, &unit),
        };
        Rows { tree, holder, units, spans, one_line, indentation, unit, spaced }
    }

    fn span(&self, index: usize) -> Span {
        self.tree.span(self.units[index])
    }

    /// Whether a unit stands on the line where the one before it ends.
    fn shares_line_with_previous(&self, index: usize) -> bool {
        let text = self.tree.text();
        index > 0
            && index < self.units.len()
            && text.line_at(self.span(index - 1).end()) == text.line_at(self.span(index).start())
    }

    fn is_definition(&self, index: usize) -> bool {
        self.spaced && extent::is_definition(self.tree, self.units[index])
    }

    /// The blank lines between two of which one is a definition, as the nearest such pair has them.
    fn habit(&self, slot: usize) -> usize {
        let text = self.tree.text();
        let pairs = (1..self.units.len()).filter(|&index| self.is_definition(index - 1) || self.is_definition(index));
        let nearest = pairs
            .filter(|&index| !self.shares_line_with_previous(index))
            .min_by_key(|&index| (index.abs_diff(slot), index));
        if let Some(index) = nearest {
            let top = layout::line_start(text, self.spans[index].start());
            return layout::gap_above(text, top);
        }
        let usual = self.tree.language().data().blank_lines;
        if self.holder == Node::ROOT { usual.top } else { usual.nested }
    }

    fn wanted(&self, slot: usize, one: bool, other: bool) -> usize {
        if self.spaced && (one || other) { self.habit(slot) } else { 0 }
    }

    fn newline(&self) -> &'static str {
        self.tree.text().newline()
    }

    fn fresh_line(&self) -> String {
        format!("{}{}", self.newline(), self.indentation)
    }

    /// Puts a unit on a line of its own where it shares one with what stands before it.
    fn split_before(&self, index: usize) -> Option<(Span, Draft)> {
        let start = self.span(index).start();
        let end = if self.shares_line_with_previous(index) {
            self.span(index - 1).end()
        } else if index == 0 && self.one_line {
            let line = layout::line_start(self.tree.text(), start);
            line + self.tree.text().slice(Span::new(line, start)).trim_end_matches(layout::is_blank).len()
        } else {
            return None;
        };
        Some((Span::new(end, start), Draft::new(&self.fresh_line())))
    }

    /// Where the line that a node ends on ends.
    fn line_end(&self, node: Node) -> usize {
        layout::line_end(self.tree.text(), self.tree.span(node).end())
    }

    fn join(&self, insertions: &[Insertion], slot: usize) -> Draft {
        let mut draft = Draft::default();
        let mut previous: Option<&Insertion> = None;
        for insertion in insertions {
            if let Some(previous) = previous {
                let (above, below) = (previous.item.fragment.shape(), insertion.item.fragment.shape());
                let mut blanks = self.wanted(slot, above.ends_with_definition, below.starts_with_definition);
                if previous.item.attached {
                    blanks = 0;
                }
                draft.push(&self.newline().repeat(blanks));
                draft.push(&self.fresh_line());
            }
            let fitted = insertion.item.fragment.fit(&self.indentation, &self.unit);
            draft.append(fitted.marked_for(insertion));
            previous = Some(insertion);
        }
        draft
    }
}

/// What a line in a block begins with when the block shows none.
fn block_indentation(tree: &Tree, holder: Node, unit: &str) -> String {
    match tree.table().parent(holder) {
        Some(header) => format!("{}{unit}", layout::indentation(tree.text(), tree.span(header).start())),
        None => String::new(),
    }
}

/// The indentation that lines in a holder have.
pub(super) fn indentation_in(tree: &Tree, holder: Node) -> String {
    Rows::new(tree, holder).indentation
}

/// Puts a unit on lines of its own: what it shares a line with gets another. The lines' indentation.
pub(super) fn set_apart(plan: &mut Plan<'_>, operation: usize, place: Place) -> String {
    set_range_apart(plan, operation, place, place)
}

/// Puts neighbouring units on lines of their own.
pub(super) fn set_range_apart(plan: &mut Plan<'_>, operation: usize, first: Place, last: Place) -> String {
    let rows = Rows::new(plan.tree, first.holder);
    let before = rows.split_before(first.index);
    let after = if rows.shares_line_with_previous(last.index + 1) { rows.split_before(last.index + 1) } else { None };
    // What stands first on the header's line takes the others along.
    let opening = if rows.one_line && first.index > 0 { rows.split_before(0) } else { None };
    for (span, draft) in [opening, before, after].into_iter().flatten() {
        plan.change(operation, span, draft);
    }
    rows.indentation
}

/// Turns the removals and insertions of one holder into changes.
pub(super) fn lay_out(plan: &mut Plan<'_>, holder: Node) {
    let tree = plan.tree;
    let rows = Rows::new(tree, holder);
    let removals: Vec<Removal> =
        plan.removals.iter().filter(|removal| removal.place.holder == holder).copied().collect();
    let mut insertions: Vec<Insertion> =
        plan.insertions.iter().filter(|insertion| insertion.holder == holder).cloned().collect();
    let empties = removals.len() == rows.units.len() && insertions.is_empty() && holder != Node::ROOT && rows.spaced;
    let mut changes = Vec::new();
    for (nth, run) in runs(&rows, &removals).into_iter().enumerate() {
        let (first, last) = (run[0].place.index, run[run.len() - 1].place.index);
        let (comes, stays): (Vec<Insertion>, Vec<Insertion>) =
            insertions.into_iter().partition(|insertion| (first..=last + 1).contains(&insertion.slot));
        insertions = stays;
        if !comes.is_empty() {
            replace_run(&rows, &run, &comes, &mut changes);
        } else if empties && nth == 0 && !tree.language().data().empty_body.is_empty() {
            let end = if ends_its_row(&rows, last) { rows.line_end(rows.units[last]) } else { rows.span(last).end() };
            let span = Span::new(run[0].span.start(), end);
            changes.push(change(run[0].operation, span, Draft::new(&tree.language().data().empty_body)));
        } else {
            remove_run(&rows, &run, &mut changes);
        }
    }
    while let Some(next) = insertions.first() {
        let (slot, below, above) = (next.slot, next.below, next.above);
        let (group, rest): (Vec<Insertion>, Vec<Insertion>) =
            insertions.into_iter().partition(|other| (other.slot, other.below, other.above) == (slot, below, above));
        insertions = rest;
        insert_group(&rows, &group, &mut changes);
    }
    plan.changes.extend(changes);
}

fn change(operation: usize, span: Span, draft: Draft) -> Change {
    Change { span, draft, operation, rank: Rank::Between }
}

fn ends_its_row(rows: &Rows<'_>, index: usize) -> bool {
    !rows.shares_line_with_previous(index + 1)
}

/// Removals of neighbours with nothing but white space between them.
fn runs(rows: &Rows<'_>, removals: &[Removal]) -> Vec<Vec<Removal>> {
    let mut sorted = removals.to_vec();
    sorted.sort_by_key(|removal| removal.place.index);
    let mut runs: Vec<Vec<Removal>> = Vec::new();
    for removal in sorted {
        let follows = runs.last().and_then(|run| run.last()).is_some_and(|last| {
            // A comment at the end of its line goes along.
            let whole_row = ends_its_row(rows, last.place.index);
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

/// Takes units away: whole lines with their blank lines, or a part of a line with its separator.
fn remove_run(rows: &Rows<'_>, run: &[Removal], changes: &mut Vec<Change>) {
    let text = rows.tree.text();
    let mut run = run;
    // A line shared with units that stay: from unit to unit.
    if rows.shares_line_with_previous(run[0].place.index) {
        let first = run[0].place.index;
        let same: usize =
            1 + run[1..].iter().take_while(|removal| rows.shares_line_with_previous(removal.place.index)).count();
        let last = run[same - 1].place.index;
        let span = if ends_its_row(rows, last) {
            Span::new(rows.span(first - 1).end(), rows.span(last).end())
        } else {
            Span::new(rows.span(first).start(), rows.span(last + 1).start())
        };
        changes.push(change(run[0].operation, span, Draft::default()));
        run = &run[same..];
    }
    let (Some(first), Some(last)) = (run.first(), run.last()) else { return };
    if !ends_its_row(rows, last.place.index) {
        let mut index = last.place.index;
        while rows.shares_line_with_previous(index) {
            index -= 1;
        }
        let start = if index == first.place.index { first.span.start() } else { rows.span(index).start() };
        let span = Span::new(start, rows.span(last.place.index + 1).start());
        changes.push(change(last.operation, span, Draft::default()));
        run = &run[..run.iter().position(|removal| removal.place.index >= index).unwrap_or(0)];
    }
    let (Some(first), Some(last)) = (run.first(), run.last()) else { return };
    let mut start = layout::line_start(text, first.span.start());
    if rows.one_line && first.place.index == 0 {
        // Its header stays: only what stands after it goes.
        start = first.span.start();
        changes.push(change(
            first.operation,
            Span::new(start, rows.line_end(rows.units[last.place.index])),
            Draft::default(),
        ));
        return;
    }
    let line_end = rows.line_end(rows.units[last.place.index]);
    let mut end = layout::next_line(text, line_end);
    let (above, below) = (layout::blanks_above(text, start), layout::blanks_below(text, end));
    let has_next = has_after(rows, line_end);
    match (has_before(rows, start), has_next) {
        (true, true) if above >= below => end = layout::lines_down(text, end, below),
        (true, _) => start = layout::lines_up(text, start, above),
        (false, _) => end = layout::lines_down(text, end, below),
    }
    if end == text.len() && end == line_end && start > 0 {
        // The last line had no ending, so the one that is last now has none.
        start = layout::line_end(text, layout::lines_up(text, start, 1));
    }
    changes.push(change(first.operation, Span::new(start, end), Draft::default()));
}

/// Whether something of the holder stands above the line that starts at `start`.
fn has_before(rows: &Rows<'_>, start: usize) -> bool {
    let table = rows.tree.table();
    if !rows.spaced {
        return true;
    }
    let comment_above = |block: Node| {
        let previous = table.previous_sibling(block)?;
        let own_line = rows.tree.is_comment(previous) && rows.tree.starts_its_line(previous);
        (own_line && table.span(previous).end() <= start).then_some(())
    };
    table.children(rows.holder).any(|child| table.span(child).end() <= start && !table.span(child).is_empty())
        || comment_above(rows.holder).is_some()
}

/// Whether something of the holder stands below the line that ends at `end`.
fn has_after(rows: &Rows<'_>, end: usize) -> bool {
    let table = rows.tree.table();
    table.children(rows.holder).any(|child| table.span(child).start() > end)
}

/// Puts what comes in the place of what goes.
fn replace_run(rows: &Rows<'_>, run: &[Removal], comes: &[Insertion], changes: &mut Vec<Change>) {
    let (first, last) = (run[0], run[run.len() - 1]);
    let (first_index, last_index) = (first.place.index, last.place.index);
    let shares = rows.shares_line_with_previous(first_index) || !ends_its_row(rows, last_index);
    let simple = !comes.iter().any(|insertion| insertion.item.fragment.shape().needs_lines);
    let operation = comes[0].operation;
    let end = if shares { rows.span(last_index).end() } else { rows.line_end(rows.units[last_index]) };
    let span = Span::new(first.span.start(), end);
    if (shares || rows.one_line) && simple {
        changes.push(change(operation, span, inline(rows, comes)));
        return;
    }
    let after = if shares && !ends_its_row(rows, last_index) { rows.split_before(last_index + 1) } else { None };
    let opening = if rows.one_line && first_index > 0 { rows.split_before(0) } else { None };
    for (span, draft) in [opening, rows.split_before(first_index), after].into_iter().flatten() {
        changes.push(change(operation, span, draft));
    }
    changes.push(change(operation, span, rows.join(comes, first_index)));
}

/// Simple statements on one line.
fn inline(rows: &Rows<'_>, comes: &[Insertion]) -> Draft {
    let mut draft = Draft::default();
    for (nth, insertion) in comes.iter().enumerate() {
        if nth > 0 {
            draft.push(&format!("{} ", rows.tree.language().data().statement_separator));
        }
        draft.append(insertion.item.fragment.fit(&rows.indentation, &rows.unit).marked_for(insertion));
    }
    draft
}

/// Puts what comes at one place between units that stay.
fn insert_group(rows: &Rows<'_>, group: &[Insertion], changes: &mut Vec<Change>) {
    let text = rows.tree.text();
    let (slot, operation) = (group[0].slot, group[0].operation);
    let shape = |insertion: &Insertion| insertion.item.fragment.shape();
    let starts = group.first().is_some_and(|insertion| shape(insertion).starts_with_definition);
    let ends = group.last().is_some_and(|insertion| shape(insertion).ends_with_definition);
    let attached = group.last().is_some_and(|insertion| insertion.item.attached);
    let comments = group.last().is_some_and(|insertion| shape(insertion).only_comments);
    let apart = group.last().is_some_and(|insertion| insertion.item.apart);
    let newline = rows.newline();
    if rows.units.is_empty() {
        changes.push(into_empty(rows, group));
        return;
    }
    if rows.shares_line_with_previous(slot) {
        let separator = &rows.tree.language().data().statement_separator;
        if !group.iter().any(|insertion| shape(insertion).needs_lines) && !separator.is_empty() {
            let mut draft = Draft::new(&format!("{separator} "));
            draft.append(inline(rows, group));
            changes.push(change(operation, Span::at(rows.span(slot - 1).end()), draft));
            return;
        }
        let mut draft = Draft::new(&rows.fresh_line());
        draft.append(rows.join(group, slot));
        draft.push(&rows.fresh_line());
        changes.push(change(operation, Span::new(rows.span(slot - 1).end(), rows.span(slot).start()), draft));
        changes
            .extend(rows.split_before(0).filter(|_| rows.one_line).map(|(span, draft)| change(operation, span, draft)));
        return;
    }
    let above_is = |index: usize| index > 0 && rows.is_definition(index - 1);
    let below_is = |index: usize| index < rows.units.len() && rows.is_definition(index);
    if let Some(anchor) = group[0].below {
        let end = rows.line_end(anchor);
        let next = layout::next_line(text, end);
        let there = layout::blanks_below(text, next);
        let before = rows.wanted(slot, above_is(slot), starts).max(usize::from(apart && there > 0));
        let follows = slot < rows.units.len() || (has_after(rows, end) && starts);
        let below = rows.wanted(slot, ends, below_is(slot)).max(usize::from(apart && slot < rows.units.len()));
        let after = if follows { below.saturating_sub(there) } else { 0 };
        let mut draft = Draft::new(&newline.repeat(before));
        draft.push(&rows.fresh_line());
        draft.append(rows.join(group, slot));
        draft.push(&newline.repeat(after));
        changes
            .extend(rows.split_before(0).filter(|_| rows.one_line).map(|(span, draft)| change(operation, span, draft)));
        changes.push(change(operation, Span::at(end), draft));
        return;
    }
    let after = rows.wanted(slot, ends, below_is(slot)).max(usize::from(apart));
    let after = if attached || comments { 0 } else { after };
    if slot == 0 && rows.one_line {
        let Some((span, mut draft)) = rows.split_before(0) else { return };
        draft.append(rows.join(group, slot));
        draft.push(&newline.repeat(after));
        draft.push(&rows.fresh_line());
        changes.push(change(operation, span, draft));
        return;
    }
    let anchor = group[0].above.map_or(rows.spans[slot].start(), |above| rows.tree.span(above).start());
    let start = layout::line_start(text, anchor);
    let there = layout::blanks_above(text, start);
    let is_first = slot == 0 && !has_before(rows, start);
    let before = if is_first { 0 } else { rows.wanted(slot, above_is(slot), starts).saturating_sub(there) };
    let start = if attached { layout::line_start(text, rows.span(slot).start()) } else { start };
    let mut draft = Draft::new(&newline.repeat(if attached { 0 } else { before }));
    draft.push(&rows.indentation);
    draft.append(rows.join(group, slot));
    draft.push(&newline.repeat(after + 1));
    changes.push(change(operation, Span::at(start), draft));
}

/// Into a module without statements, or a body that has none.
fn into_empty(rows: &Rows<'_>, group: &[Insertion]) -> Change {
    let text = rows.tree.text();
    let newline = rows.newline();
    let mut draft = Draft::default();
    if rows.holder == Node::ROOT {
        let ends_open = !text.is_empty() && !text.slice(text.span()).ends_with(['\n', '\r']);
        draft.push(if ends_open { newline } else { "" });
        draft.append(rows.join(group, 0));
        draft.push(if ends_open { "" } else { newline });
        return change(group[0].operation, Span::at(text.len()), draft);
    }
    draft.push(&rows.fresh_line());
    draft.append(rows.join(group, 0));
    change(group[0].operation, Span::at(rows.tree.span(rows.holder).start()), draft)
}

impl Draft {
    /// The draft as what an insertion brings: code, or a node that moves.
    pub(super) fn marked_for(self, insertion: &Insertion) -> Draft {
        match insertion.item.node {
            Some(_) => self,
            None => self.marked(insertion.operation),
        }
    }
}
