//! Where a tree may be cut, and at what cost.
//!
//! Nodes that are too large are taken apart, from the root down; the others stay whole. Between the parts are borders:
//! cheap ones between statements, more expensive ones inside a line or a signature, and very expensive ones between a
//! definition and its documentation. Anything that is still too large, such as a long string, is cut at its lines.

use rustc_hash::FxHashMap;

use super::around::{Around, Open};
use super::cost::{
    Border, DECORATION, DOCUMENTATION, LABEL, LEVEL, LEVELS, LINE, PARAGRAPH, SIGNATURE, SIGNATURE_END, WORD,
};
use super::count::Measure;
use super::lines;
use crate::language::Role;
use crate::text::Span;
use crate::tree::{Node, Tree};

/// All places where a tree may be cut, in order, and the definitions that must be cut.
#[derive(Debug, Default)]
pub(super) struct Borders {
    pub borders: Vec<Border>,
    /// Definitions that fit as a whole, with everything that belongs to them, in order.
    pub whole: Vec<Span>,
    /// The top-level nodes that were taken apart, in order.
    pub apart: Vec<Span>,
}

/// Takes a tree apart.
pub(super) struct Cutter<'t> {
    tree: &'t Tree,
    measure: &'t Measure<'t>,
    /// The definitions of nodes, and of the wrappers around them.
    definitions: &'t FxHashMap<Node, usize>,
    found: Borders,
}

/// A node to take apart.
struct Task {
    node: Node,
    /// The span to cut: the node and everything that belongs to it.
    span: Span,
    /// The innermost enclosing definition that is taken apart.
    open: Option<usize>,
    level: usize,
}

/// Siblings that belong together: comments and decorators, their node, and what follows on its line.
struct Unit {
    at: usize,
    cost: usize,
    /// Where each node but the first begins, including the text before it that belongs to no node, and the cost of a
    /// cut there.
    inner: Vec<(usize, usize)>,
    /// The nodes between these places.
    nodes: Vec<Node>,
    /// Whether everything so far belongs to the next node.
    leads: bool,
}

impl<'t> Cutter<'t> {
    pub fn new(tree: &'t Tree, measure: &'t Measure<'t>, definitions: &'t FxHashMap<Node, usize>) -> Cutter<'t> {
        Cutter { tree, measure, definitions, found: Borders::default() }
    }

    /// The borders of a tree; a tree that fits has none. With `each`, the root is taken apart in any case.
    pub fn borders(mut self, around: &mut Around<'_>, each: bool) -> Borders {
        let whole = Span::new(0, self.measure.source().len());
        if !each && self.measure.fits(whole, around.room_at_start()) {
            return self.found;
        }
        let mut tasks = vec![Task { node: Node::ROOT, span: whole, open: None, level: 0 }];
        while let Some(task) = tasks.pop() {
            self.take_apart(&task, around, &mut tasks);
        }
        self.found.borders.retain(|border| border.at > 0 && border.at < whole.end());
        self.found.borders.sort_by_key(|border| (border.at, border.level));
        self.found.borders.dedup_by_key(|border| border.at);
        self.found.whole.sort_unstable();
        self.found.apart.sort_unstable();
        around.sort();
        self.cut_at_lines(around);
        self.found
    }

    fn role(&self, node: Node) -> Role {
        self.tree.language().role(self.tree.table().type_id(node))
    }

    /// Finds the borders between the children of a node, and the children to take apart further.
    fn take_apart(&mut self, task: &Task, around: &mut Around<'_>, tasks: &mut Vec<Task>) {
        let units = self.units(task);
        let room = around.room(task.open);
        let level = task.level + usize::from(units.len() > 1);
        for (index, unit) in units.iter().enumerate() {
            let end = units.get(index + 1).map_or(task.span.end(), |next| next.at);
            let span = Span::new(unit.at.min(end), end);
            self.add(unit.at, unit.cost, level);
            let definition = unit.nodes.iter().find_map(|node| self.definitions.get(node)).copied();
            let definition = definition.filter(|&definition| !around.is_of(task.open, definition));
            if self.measure.fits(span, room) {
                if definition.is_some() {
                    self.found.whole.push(span);
                }
                continue;
            }
            if task.level == 0 && level > 0 {
                self.found.apart.push(span);
            }
            let open = match definition {
                Some(definition) => Some(around.open(Open::new(span, definition, task.open))),
                None => task.open,
            };
            let room = around.room(open);
            let starts = std::iter::once(unit.at).chain(unit.inner.iter().map(|&(at, _)| at));
            let ends = unit.inner.iter().map(|&(at, _)| at).chain([end]);
            for &(at, cost) in &unit.inner {
                self.add(at, cost, level + 1);
            }
            for ((start, end), &node) in starts.zip(ends).zip(&unit.nodes) {
                let span = Span::new(start.min(end), end);
                let has_parts = self.tree.table().subtree_end(node) > node.index() + 1 && !self.role(node).string;
                if has_parts && !self.measure.fits(span, room) {
                    tasks.push(Task { node, span, open, level });
                }
            }
        }
    }

    fn add(&mut self, at: usize, cost: usize, level: usize) {
        // Two tokens that end one line stay together.
        let source = self.measure.source().as_bytes();
        let splits_line_end = at > 0 && source.get(at) == Some(&b'\n') && source[at - 1] == b'\r';
        let at = at + usize::from(splits_line_end);
        self.found.borders.push(Border { at, cost: cost + LEVEL * level.min(LEVELS), level });
    }

    /// The children of a node, with its body replaced by the body's children.
    fn items(&self, node: Node) -> Vec<Node> {
        let table = self.tree.table();
        let mut items = Vec::new();
        for child in table.children(node) {
            let role = self.role(child);
            if role.body && !role.list && !role.string && table.subtree_end(child) > child.index() + 1 {
                items.extend(table.children(child));
            } else {
                items.push(child);
            }
        }
        items
    }

    /// The children of a node, grouped by what belongs together.
    fn units(&self, task: &Task) -> Vec<Unit> {
        let (tree, table) = (self.tree, self.tree.table());
        let body = tree.body(task.node).filter(|&body| body != task.node);
        let body_start = body.map_or(task.span.start(), |body| tree.span(body).start());
        let is_documented = tree.docstring(task.node).is_some();
        let mut units: Vec<Unit> = Vec::new();
        let mut previous: Option<Node> = None;
        for node in self.items(task.node) {
            let span = tree.span(node);
            let role = self.role(node);
            let Some(unit) = units.last_mut() else {
                let leads = role.comment || role.decorator || role.leading;
                units.push(Unit { at: task.span.start(), cost: 0, inner: Vec::new(), nodes: vec![node], leads });
                previous = Some(node);
                continue;
            };
            if span.is_empty() {
                continue;
            }
            let (at, begins_line) = self.begin(span.start(), task.span.start());
            let gap = self.gap(previous, span.start());
            if !table.is_named(node) || role.comment && !begins_line {
                previous = Some(node);
                continue;
            }
            let before = previous.map(|previous| self.role(previous)).unwrap_or_default();
            let decorates = before.decorator || before.leading;
            let documents = before.comment && gap < 2;
            if unit.leads && (decorates || documents) {
                unit.inner.push((at, if decorates { DECORATION } else { DOCUMENTATION }));
                unit.nodes.push(node);
                unit.leads = role.comment || role.decorator || role.leading;
            } else {
                let is_header = at < body_start && !role.comment;
                let is_first_inside = !is_header && tree.span(unit.nodes[0]).start() < body_start;
                let mut cost = match (begins_line, gap) {
                    (false, _) => WORD,
                    (true, 2..) => PARAGRAPH,
                    (true, _) => LINE,
                };
                cost += if is_header { SIGNATURE } else { 0 };
                cost += match (is_first_inside, is_documented) {
                    (true, true) => DOCUMENTATION,
                    (true, false) => SIGNATURE_END,
                    _ => 0,
                };
                cost += if before.label { LABEL } else { 0 };
                let leads = role.comment || role.decorator || role.leading;
                units.push(Unit { at, cost, inner: Vec::new(), nodes: vec![node], leads });
            }
            previous = Some(node);
        }
        units
    }

    /// Where the text of a node begins that starts at a place: at the start of its line, if nothing else comes before
    /// it there.
    fn begin(&self, start: usize, first: usize) -> (usize, bool) {
        let source = self.measure.source().as_bytes();
        let blank =
            source[first.min(start)..start].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t' | 11 | 12));
        let line = start - blank.count();
        let begins = line == 0 || matches!(source[line - 1], b'\n' | b'\r');
        if begins { (line, true) } else { (start, false) }
    }

    /// The number of line ends between a node and a later place.
    fn gap(&self, node: Option<Node>, start: usize) -> usize {
        let Some(node) = node else { return 0 };
        let end = self.tree.span(node).end();
        let source = self.measure.source().as_bytes();
        // A node may include the end of its line.
        let end = end - usize::from(end > 0 && matches!(source[end - 1], b'\n' | b'\r'));
        let mut count = 0;
        let mut at = end;
        while at < start {
            if matches!(source[at], b'\n' | b'\r') {
                at += usize::from(source[at] == b'\r' && source.get(at + 1) == Some(&b'\n'));
                count += 1;
            }
            at += 1;
        }
        count
    }

    /// Cuts what is too large and contains no borders.
    fn cut_at_lines(&mut self, around: &Around<'_>) {
        let end = self.measure.source().len();
        let coarse = std::mem::take(&mut self.found.borders);
        let starts = std::iter::once(Border { at: 0, cost: 0, level: 0 }).chain(coarse.iter().copied());
        let ends = coarse.iter().map(|border| border.at).chain([end]);
        let mut walk = around.walk();
        let mut fine = Vec::with_capacity(coarse.len());
        for (border, end) in starts.zip(ends) {
            if border.at > 0 {
                fine.push(border);
            }
            let span = Span::new(border.at, end);
            let room = around.room(walk.holding(border.at));
            if !self.measure.fits(span, room) {
                fine.extend(lines::in_part(self.measure, span, room, border.level + 1));
            }
        }
        self.found.borders = fine;
    }
}
