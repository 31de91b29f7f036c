//! The plan of a batch: what goes, what comes, and what that means for the nodes.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::error::{BadRequest, EditError};
use super::extent::{Place, Places};
use super::fragment::Fragment;
use super::{
    Made, Op, block, delete, emptied, imports, insert, layout, list, relocate, rename, replace, rows, sub, unwrap, wrap,
};
use crate::text::{EditSet, Span, TextEdit};
use crate::tree::{Carry, Claim, Intent, Moved, Node, ParseLimits, Tree};

/// New text in the making, with what in it was moved and where operations put their code.
#[derive(Debug, Clone, Default)]
pub(super) struct Draft {
    text: String,
    moved: Vec<(Span, usize)>,
    marks: Vec<Mark>,
}

/// Where an operation's code stands in a draft.
#[derive(Debug, Clone, Copy)]
struct Mark {
    operation: usize,
    span: Span,
    claim: Option<(Node, Span)>,
}

impl Draft {
    pub(super) fn new(text: &str) -> Draft {
        Draft { text: text.to_owned(), ..Draft::default() }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Text that stands at `from` in the old tree. Stretches that touch in both texts are one.
    pub(super) fn push_moved(&mut self, text: &str, from: usize) {
        let at = self.text.len();
        self.text.push_str(text);
        if let Some((span, start)) = self.moved.last_mut()
            && span.end() == from
            && *start + span.len() == at
        {
            *span = Span::new(span.start(), from + text.len());
        } else {
            self.moved.push((Span::new(from, from + text.len()), at));
        }
    }

    pub(super) fn append(&mut self, other: Draft) {
        let at = self.text.len();
        self.text.push_str(&other.text);
        self.moved.extend(other.moved.into_iter().map(|(span, start)| (span, start + at)));
        self.marks.extend(
            other
                .marks
                .into_iter()
                .map(|mark| Mark { span: Span::new(mark.span.start() + at, mark.span.end() + at), ..mark }),
        );
    }

    /// The draft, all of it an operation's code.
    pub(super) fn marked(mut self, operation: usize) -> Draft {
        self.marks.push(Mark { operation, span: Span::new(0, self.text.len()), claim: None });
        self
    }

    /// The draft, all of it what `node` became; `extent` is what was replaced.
    pub(super) fn claimed(mut self, operation: usize, node: Node, extent: Span) -> Draft {
        self.marks.push(Mark { operation, span: Span::new(0, self.text.len()), claim: Some((node, extent)) });
        self
    }
}

/// A replacement in the old text. An empty span inserts.
#[derive(Debug, Clone)]
pub(super) struct Change {
    pub(super) span: Span,
    pub(super) draft: Draft,
    pub(super) operation: usize,
    pub(super) rank: Rank,
}

/// The order of inserts at one place: what closes around a node before it, what comes between, what opens around a node
/// after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    Closing,
    Between,
    Opening,
}

/// Something that comes between the units of a block or the elements of a list.
#[derive(Debug, Clone)]
pub(super) struct Insertion {
    pub(super) holder: Node,
    /// Before which unit; their number is the end.
    pub(super) slot: usize,
    /// The node below whose line it goes; else it goes above the unit, or where it fits.
    pub(super) below: Option<Node>,
    /// The node above whose line it goes, where that isn't the unit's.
    pub(super) above: Option<Node>,
    pub(super) item: Item,
    pub(super) operation: usize,
}

/// What is inserted.
#[derive(Debug, Clone, Default)]
pub(super) struct Item {
    pub(super) fragment: Fragment,
    /// An import: it goes above other code at the same place.
    pub(super) is_import: bool,
    /// A blank line separates it from what is above and below.
    pub(super) apart: bool,
    /// Stands right at the unit below, as a decorator does.
    pub(super) attached: bool,
    /// The node that moves, if one does.
    pub(super) node: Option<Node>,
    /// The comment that follows it in a list, behind the separator.
    pub(super) behind: Option<Fragment>,
}

/// A unit of a block, or an element of a list, that goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Removal {
    pub(super) place: Place,
    pub(super) span: Span,
    pub(super) operation: usize,
}

/// The bytes that an operation changes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    /// The operation, where it is known.
    pub(super) operation: Option<usize>,
    pub(super) span: Span,
    /// The node that is changed with all that is in it; `None` for several.
    pub(super) node: Option<Node>,
    /// Whether the node goes elsewhere, or something comes around it, and its text stays.
    pub(super) moves: bool,
}

/// A batch being planned.
#[derive(Debug)]
pub(super) struct Plan<'a> {
    pub(super) tree: &'a Tree,
    pub(super) limits: &'a ParseLimits,
    pub(super) changes: Vec<Change>,
    pub(super) insertions: Vec<Insertion>,
    pub(super) removals: Vec<Removal>,
    pub(super) intent: Intent,
    extents: Vec<(usize, Span, Option<Node>)>,
    points: Vec<(usize, usize, Node)>,
    images: Vec<(usize, Node)>,
    around: Vec<(usize, Node)>,
    kept: Vec<Node>,
    /// What the operations name.
    named: Vec<Node>,
    /// For each operation whether what it names stays, elsewhere or in other surroundings.
    moves: Vec<bool>,
    notes: Vec<(usize, String)>,
    /// What the imports of the batch bring.
    pub(super) imports: Vec<super::imported::Imported>,
    operations: usize,
    /// What was decided for nodes of a shape, so that each shape is tried once.
    pub(super) decisions: FxHashMap<delete::NodeShape, delete::Decision>,
    places: RefCell<Places>,
    /// The indentation of what goes into a holder, and one level of it.
    indentations: RefCell<FxHashMap<Node, (String, String)>>,
}

impl<'a> Plan<'a> {
    /// Where a node stands; `None` when it is a part of something that holds no units.
    pub(super) fn place(&self, node: Node) -> Option<Place> {
        self.places.borrow_mut().of(self.tree, node)
    }

    /// The bytes of an element of a list, with all that belongs to it there; `None` for what is not in a list.
    pub(super) fn span_of_element(&self, place: Place) -> Option<Span> {
        self.places.borrow_mut().span_of_element(self.tree, place)
    }

    /// The indentation of what goes into a holder, and one level of it.
    pub(super) fn indentation_in(&self, holder: Node) -> (String, String) {
        let tree = self.tree;
        let look = || {
            let unit = layout::indent_unit(tree, Some(holder));
            let base = if super::extent::is_list(tree, holder) {
                let first = list::elements(tree, holder).into_iter().next();
                let near = first.map_or(tree.span(holder).start(), |element| element.start());
                layout::indentation(tree.text(), near)
            } else {
                rows::indentation_in(tree, holder)
            };
            (base, unit)
        };
        self.indentations.borrow_mut().entry(holder).or_insert_with(look).clone()
    }

    /// Replaces text.
    pub(super) fn change(&mut self, operation: usize, span: Span, draft: Draft) {
        self.changes.push(Change { span, draft, operation, rank: Rank::Between });
    }

    /// Takes text away.
    pub(super) fn cut(&mut self, operation: usize, span: Span) {
        if !span.is_empty() {
            self.change(operation, span, Draft::default());
        }
    }

    /// What goes out of a holder; once everything is planned.
    pub(super) fn removals_of(&self, holder: Node) -> &[Removal] {
        let first = self.removals.partition_point(|removal| removal.place.holder < holder);
        let end = self.removals.partition_point(|removal| removal.place.holder <= holder);
        &self.removals[first..end]
    }

    /// What comes into a holder; once everything is planned.
    pub(super) fn insertions_of(&self, holder: Node) -> &[Insertion] {
        let first = self.insertions.partition_point(|insertion| insertion.holder < holder);
        let end = self.insertions.partition_point(|insertion| insertion.holder <= holder);
        &self.insertions[first..end]
    }

    /// Says that an operation changes these bytes, and `node` with all that is in it.
    pub(super) fn claim_extent(&mut self, operation: usize, span: Span, node: Option<Node>) {
        self.extents.push((operation, span, node));
        self.intent.extents.push(span);
    }

    /// Says that an operation inserts at a place in a node.
    pub(super) fn claim_point(&mut self, operation: usize, offset: usize, holder: Node) {
        self.points.push((operation, offset, holder));
    }

    /// Says that an old node, where it is then, is what the operation made.
    pub(super) fn makes(&mut self, operation: usize, node: Node) {
        self.images.push((operation, node));
    }

    /// Says that a node gets other surroundings and stays what it is.
    pub(super) fn carries(&mut self, node: Node) {
        self.intent.relocated.push(node);
        self.kept.push(node);
    }

    /// Says that what is new around an old node is what the operation made.
    pub(super) fn makes_around(&mut self, operation: usize, node: Node) {
        self.around.push((operation, node));
    }

    /// Says something about an operation.
    pub(super) fn note(&mut self, operation: usize, note: String) {
        self.notes.push((operation, note));
    }

    pub(super) fn bad(&self, operation: usize, problem: BadRequest) -> EditError {
        EditError::BadRequest { operation, problem }
    }

    /// Refuses operations whose extents overlap, and inserts inside of what another one changes.
    fn check_conflicts(&self) -> Result<(), EditError> {
        let table = self.tree.table();
        let mut extents: Vec<&(usize, Span, Option<Node>)> = self.extents.iter().collect();
        extents.sort_by_key(|(_, span, _)| (span.start(), std::cmp::Reverse(span.end())));
        // The one that reaches furthest so far, for each of the two operations that reach furthest.
        let mut reach: Vec<(usize, Span)> = Vec::new();
        for &&(operation, span, _) in &extents {
            if let Some(&(other, first)) =
                reach.iter().find(|(other, first)| *other != operation && (first.overlaps(span) || *first == span))
            {
                return Err(conflict(other, operation, span.start().max(first.start()), span.end().min(first.end())));
            }
            reach.retain(|(_, first)| first.end() > span.start());
            reach.push((operation, span));
        }
        // Those that begin before a place, the last of them first, as far as any of them reaches it.
        let mut reached = 0;
        let reaches: Vec<usize> = extents
            .iter()
            .map(|(_, span, _)| {
                reached = reached.max(span.end());
                reached
            })
            .collect();
        let mut nodes: Vec<(usize, Node)> =
            extents.iter().filter_map(|&&(operation, _, node)| node.map(|node| (operation, node))).collect();
        nodes.sort_by_key(|&(_, node)| node);
        let mut reached = 0;
        let inner_ends: Vec<usize> = nodes
            .iter()
            .map(|&(_, node)| {
                reached = reached.max(table.subtree_end(node));
                reached
            })
            .collect();
        for &(operation, offset, holder) in &self.points {
            let before = extents.partition_point(|(_, span, _)| span.start() < offset);
            let around = (0..before).rev().take_while(|&at| reaches[at] > offset).map(|at| extents[at]);
            let inside = around.filter(|(_, span, _)| offset < span.end()).map(|&(other, span, _)| (other, Some(span)));
            let before = nodes.partition_point(|&(_, node)| node <= holder);
            let above = (0..before).rev().take_while(|&at| inner_ends[at] > holder.index()).map(|at| nodes[at]);
            let within = above.filter(|&(_, node)| table.is_within(holder, node)).map(|(other, _)| (other, None));
            for (other, inside) in inside.chain(within) {
                let is_in_itself = inside.is_none_or(|span| !table.span(holder).contains(span));
                if other == operation && is_in_itself {
                    return Err(self.bad(operation, BadRequest::IntoItself));
                }
                if other != operation {
                    return Err(conflict(other.min(operation), other.max(operation), offset, offset));
                }
            }
        }
        Ok(())
    }

    /// What goes below a line that is taken away goes below the line above: after a class whose last method goes.
    fn lift_inserts(&mut self) {
        let text = self.tree.text();
        let is_cut = |change: &&Change| change.draft.text.is_empty() && !change.span.is_empty();
        let mut cuts: Vec<Span> = self.changes.iter().filter(is_cut).map(|change| change.span).collect();
        cuts.sort_unstable();
        for change in self.changes.iter_mut().filter(|change| change.span.is_empty()) {
            let at = change.span.start();
            let around = |cut: &&Span| cut.start() < at && at < cut.end();
            let starts_line = |cut: &&Span| cut.start() > 0 && layout::line_start(text, cut.start()) == cut.start();
            if change.draft.text.starts_with(['\n', '\r'])
                && let Some(cut) = cuts[..cuts.partition_point(|cut| cut.start() < at)].last()
                && around(&cut)
                && starts_line(&cut)
            {
                let above = layout::lines_up(text, cut.start(), 1);
                change.span = Span::at(layout::line_end(text, above));
            }
        }
    }

    fn compose(mut self) -> Result<Composed, EditError> {
        let text = self.tree.text();
        self.changes.retain(|change| !(change.span.is_empty() && change.draft.text.is_empty()));
        self.lift_inserts();
        self.changes.sort_by_key(|change| (change.span.start(), change.span.end(), change.rank));
        // Several operations may take the same line apart; one that puts something there does it too.
        let is_split = |change: &Change| change.draft.text.trim().is_empty() && change.draft.moved.is_empty();
        self.changes.dedup_by(|second, first| {
            let same = !first.span.is_empty() && first.span == second.span && !first.draft.text.is_empty();
            if same && is_split(first) && !second.draft.text.is_empty() {
                std::mem::swap(first, second);
                return true;
            }
            same && is_split(second) && !second.draft.text.is_empty()
        });
        if let Some(pair) = self.changes.windows(2).find(|pair| pair[1].span.start() < pair[0].span.end()) {
            let (first, second) = (pair[0].operation, pair[1].operation);
            return Err(conflict(first.min(second), first.max(second), pair[1].span.start(), pair[0].span.end()));
        }
        let list = self.changes.iter().map(|change| TextEdit::new(change.span, change.draft.text.clone())).collect();
        let edits = EditSet::new(list).expect("the changes are disjoint");
        let mut intent = self.intent;
        let mut marks = Vec::new();
        for (change, span) in self.changes.iter().zip(edits.new_spans()) {
            let moved = change.draft.moved.iter();
            intent.moved.extend(moved.map(|&(from, start)| Moved { from, to: span.start() + start }));
            for mark in &change.draft.marks {
                let new = Span::new(span.start() + mark.span.start(), span.start() + mark.span.end());
                marks.push((mark.operation, new));
                intent.claims.extend(mark.claim.map(|(node, extent)| Claim { node, extent, new }));
            }
        }
        let operations = self.changes.iter().map(|change| change.operation).collect();
        let mut composed = Composed {
            edits,
            intent,
            operations,
            marks,
            images: self.images,
            around: self.around,
            kept: self.kept,
            notes: self.notes,
            count: self.operations,
            named: self.named,
            holders: self.points.iter().map(|&(operation, _, holder)| (operation, holder)).collect(),
            extents: self
                .extents
                .iter()
                .map(|&(operation, span, node)| Extent {
                    operation: Some(operation),
                    span,
                    node,
                    moves: self.moves[operation],
                })
                .collect(),
        };
        if composed.edits.iter().all(|edit| text.slice(edit.span) == edit.text) || text.apply(&composed.edits) == *text
        {
            composed.edits = EditSet::default();
            composed.intent = Intent::default();
            composed.operations.clear();
        }
        Ok(composed)
    }
}

fn conflict(first: usize, second: usize, start: usize, end: usize) -> EditError {
    EditError::Conflict { first, second, span: Span::new(start.min(end), end.max(start)) }
}

/// A plan made text.
#[derive(Debug)]
pub(super) struct Composed {
    pub(super) edits: EditSet,
    pub(super) intent: Intent,
    /// For each edit in order, the operation that it is of.
    pub(super) operations: Vec<usize>,
    marks: Vec<(usize, Span)>,
    images: Vec<(usize, Node)>,
    around: Vec<(usize, Node)>,
    /// Nodes that the edit carries elsewhere, and that must be what they were.
    pub(super) kept: Vec<Node>,
    notes: Vec<(usize, String)>,
    pub(super) count: usize,
    /// Nodes that operations name.
    pub(super) named: Vec<Node>,
    /// Operations that insert, each with the node into which it does.
    pub(super) holders: Vec<(usize, Node)>,
    /// What operations change.
    pub(super) extents: Vec<Extent>,
}

impl Composed {
    /// Edits that no operation planned; each belongs to the match of that number.
    pub(super) fn of_edits(edits: EditSet, intent: Intent, operations: Vec<usize>) -> Composed {
        let extent = |&span: &Span| Extent { operation: None, span, node: None, moves: false };
        let extents = intent.extents.iter().map(extent).collect();
        Composed {
            edits,
            intent,
            operations,
            marks: Vec::new(),
            images: Vec::new(),
            around: Vec::new(),
            kept: Vec::new(),
            notes: Vec::new(),
            count: 0,
            named: Vec::new(),
            holders: Vec::new(),
            extents,
        }
    }

    /// The new bytes of what is inserted, and the node that it is inserted into.
    pub(super) fn inserted(&self) -> Vec<(Span, Node)> {
        let into: FxHashMap<usize, Node> = self.holders.iter().copied().collect();
        let marks = self.marks.iter();
        marks.filter_map(|&(operation, span)| into.get(&operation).map(|&holder| (span, holder))).collect()
    }

    /// The nodes that something comes around.
    pub(super) fn wrapped(&self) -> impl Iterator<Item = Node> + '_ {
        self.around.iter().map(|&(_, node)| node)
    }

    /// What each operation made, found in the new tree.
    pub(super) fn made(&self, old: &Tree, carry: &Carry, new: &Tree) -> Vec<Made> {
        let mut made = vec![Made::default(); self.count];
        for &(operation, node) in &self.images {
            made[operation].nodes.extend(image(old, carry, node));
        }
        let mut claims: FxHashMap<Span, Node> = FxHashMap::default();
        for claim in &self.intent.claims {
            claims.entry(claim.new).or_insert(claim.node);
        }
        for &(operation, span) in if self.edits.is_empty() { &[][..] } else { &self.marks } {
            match claims.get(&span).and_then(|&claimed| carry.image(claimed)) {
                Some(image) => made[operation].nodes.push(image),
                None => made[operation].nodes.extend(outermost(new, span)),
            }
        }
        for &(operation, node) in &self.around {
            let Some(image) = image(old, carry, node) else { continue };
            let table = new.table();
            let is_new = |&above: &Node| carry.preimage(above).is_none() && above != Node::ROOT;
            let named = |&above: &Node| table.is_named(above) && !super::layout::is_block(new, above);
            made[operation].nodes.push(table.ancestors(image).take_while(is_new).filter(named).last().unwrap_or(image));
        }
        for (operation, note) in &self.notes {
            made[*operation].notes.push(note.clone());
        }
        for made in &mut made {
            made.nodes.sort();
            made.nodes.dedup();
        }
        made
    }
}

/// What an old node is now; where its wrapper is gone, what that held.
pub(super) fn image(old: &Tree, carry: &Carry, node: Node) -> Option<Node> {
    std::iter::successors(Some(node), |&node| old.held(node)).find_map(|node| carry.image(node))
}

/// The outermost named nodes that lie in a span; blocks are looked into.
pub(super) fn outermost(tree: &Tree, span: Span) -> Vec<Node> {
    let table = tree.table();
    let mut nodes = Vec::new();
    let mut place = table.first_from(span.start());
    while place < table.len() {
        let Some(node) = table.range(place, place + 1).next() else { break };
        let found = table.span(node);
        if found.start() >= span.end() {
            break;
        }
        // Some grammars count the white space behind a node to it.
        let is_blank = |rest: Span| tree.text().slice(rest).trim().is_empty();
        let ends = found.end() <= span.end() || is_blank(Span::new(span.end(), found.end()));
        let whole = span.start() <= found.start() && table.is_named(node) && !found.is_empty() && ends;
        if whole && !super::layout::is_block(tree, node) {
            nodes.push(node);
            place = table.subtree_end(node);
        } else {
            place += 1;
        }
    }
    nodes
}

/// Whether two operations ask for the same at a wrapper and at what it holds, as `export` and its declaration: `module > *` finds both.
fn is_said_twice(tree: &Tree, first: &Op, second: &Op) -> bool {
    let same = |one: &Node, two: &Node| one != two && tree.unit(*one) == tree.unit(*two);
    match (first, second) {
        (
            Op::Insert { target: one, position, code, extent },
            Op::Insert { target: two, position: other_position, code: other_code, extent: other_extent },
        ) => {
            let beside = matches!(position, super::Position::Before | super::Position::After);
            beside && position == other_position && code == other_code && extent == other_extent && same(one, two)
        }
        (Op::Delete { target: one, extent }, Op::Delete { target: two, extent: other }) => {
            extent == other && same(one, two)
        }
        _ => false,
    }
}

/// The nodes that an operation names.
fn named(op: &Op) -> Vec<Node> {
    match op {
        Op::Replace { target, .. }
        | Op::Insert { target, .. }
        | Op::Delete { target, .. }
        | Op::Wrap { target, .. }
        | Op::Unwrap { target }
        | Op::Rename { target, .. }
        | Op::Sub { target, .. } => vec![*target],
        Op::ReplaceRange { from, to, .. } => vec![*from, *to],
        Op::Move { target, to, .. } => vec![*target, *to],
        Op::EnsureImport { .. } => Vec::new(),
    }
}

/// Plans a batch and makes it text.
pub(super) fn plan(tree: &Tree, ops: &[Op], limits: &ParseLimits) -> Result<Composed, EditError> {
    let mut plan = Plan {
        tree,
        limits,
        changes: Vec::new(),
        insertions: Vec::new(),
        removals: Vec::new(),
        intent: Intent::default(),
        extents: Vec::new(),
        points: Vec::new(),
        images: Vec::new(),
        around: Vec::new(),
        kept: Vec::new(),
        named: ops.iter().flat_map(named).collect(),
        moves: ops.iter().map(|op| matches!(op, Op::Move { .. } | Op::Wrap { .. } | Op::Unwrap { .. })).collect(),
        notes: Vec::new(),
        imports: Vec::new(),
        operations: ops.len(),
        decisions: FxHashMap::default(),
        places: RefCell::default(),
        indentations: RefCell::default(),
    };
    let mut by_unit: FxHashMap<Node, Vec<usize>> = FxHashMap::default();
    for (operation, op) in ops.iter().enumerate() {
        let target = match op {
            Op::Insert { target, .. } | Op::Delete { target, .. } => Some(tree.unit(*target)),
            _ => None,
        };
        let others = target.map(|unit| by_unit.entry(unit).or_default());
        let same =
            others.as_ref().and_then(|others| others.iter().find(|&&other| is_said_twice(tree, &ops[other], op)));
        let same = same.copied();
        others.into_iter().for_each(|others| others.push(operation));
        if let Some(other) = same {
            plan.note(operation, format!("the same as operation {}, whose target holds this one", other + 1));
            continue;
        }
        match op {
            Op::Replace { target, code, extent } => replace::plan(&mut plan, operation, *target, code, *extent)?,
            Op::ReplaceRange { from, to, code, extent } => {
                replace::plan_range(&mut plan, operation, (*from, *to), code, *extent)?;
            }
            Op::Insert { target, position, code, extent } => {
                insert::plan(&mut plan, operation, *target, *position, code, *extent)?;
            }
            Op::Delete { target, extent } => delete::plan(&mut plan, operation, *target, *extent)?,
            Op::Move { target, position, to, extent } => {
                relocate::plan(&mut plan, operation, *target, (*position, *to), *extent)?;
            }
            Op::Wrap { target, code, extent } => wrap::plan(&mut plan, operation, *target, code, *extent)?,
            Op::Unwrap { target } => unwrap::plan(&mut plan, operation, *target)?,
            Op::Rename { target, to, references } => rename::plan(&mut plan, operation, *target, to, *references)?,
            Op::Sub { target, find, replace, regex } => {
                sub::plan(&mut plan, operation, *target, find, (replace, *regex))?;
            }
            Op::EnsureImport { code } => imports::plan(&mut plan, operation, code)?,
        }
    }
    plan.check_conflicts()?;
    emptied::settle(&mut plan)?;
    // In order of their holders, so that each finds its own.
    plan.insertions.sort_by_key(|insertion| insertion.holder);
    plan.removals.sort_by_key(|removal| removal.place.holder);
    let mut holders: Vec<Node> = plan.insertions.iter().map(|insertion| insertion.holder).collect();
    holders.extend(plan.removals.iter().map(|removal| removal.place.holder));
    holders.sort();
    holders.dedup();
    for holder in holders {
        if super::extent::is_list(tree, holder) {
            list::lay_out(&mut plan, holder);
        } else {
            block::lay_out(&mut plan, holder);
        }
    }
    plan.compose()
}
