//! The plan of a batch: what is removed and added, and what that means for the nodes; and its composition to text.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::decision::{Decision, NodeShape};
use super::draft::{Change, Draft, Rank};
use super::elements;
use super::error::{BadRequest, EditError};
use super::extent::{ItemPosition, ItemPositions};
use super::operation::{Made, Op};
use super::pieces::{Insertion, Removal};
use super::structure::{self, outermost};
use super::{block_layout, indent, lines};
use crate::text::{EditSet, Span, Text, TextEdit};
use crate::tree::{Claim, EditIntent, Moved, Node, NodeMap, ParseLimits, Tree};

/// The bytes that an operation changes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    /// The operation, if known.
    pub(super) operation: Option<usize>,
    pub(super) span: Span,
    /// The node that is changed with its content; `None` for several.
    pub(super) node: Option<Node>,
    /// Whether the node moves, or gets something around it, and its text stays.
    pub(super) moves: bool,
}

/// Applies operations to a tree; `None` if the result is not sound.
pub(super) type Nested = fn(&Tree, &[Op], &ParseLimits) -> Option<Text>;

/// A batch during planning.
#[derive(Debug)]
pub(super) struct Plan<'a> {
    pub(super) tree: &'a Tree,
    pub(super) limits: &'a ParseLimits,
    /// Applies operations to another text: for an import of which only a part is added.
    pub(super) nested: Nested,
    pub(super) changes: Vec<Change>,
    pub(super) insertions: Vec<Insertion>,
    pub(super) removals: Vec<Removal>,
    pub(super) intent: EditIntent,
    extents: Vec<(usize, Span, Option<Node>)>,
    points: Vec<(usize, usize, Node)>,
    images: Vec<(usize, Node)>,
    around: Vec<(usize, Node)>,
    kept: Vec<Node>,
    /// The nodes that the operations name.
    named: Vec<Node>,
    /// For each operation, whether the named node survives at another place or in other surroundings.
    moves: Vec<bool>,
    notes: Vec<(usize, String)>,
    /// The names that the imports of the batch add.
    pub(super) imports: Vec<crate::scopes::imported::Imported>,
    operations: usize,
    /// Decisions for node shapes, so that each shape is tried once.
    pub(super) decisions: FxHashMap<NodeShape, Decision>,
    places: RefCell<ItemPositions>,
    /// For each container, the indentation of its content, and one level of it.
    indentations: RefCell<FxHashMap<Node, (String, String)>>,
}

impl<'a> Plan<'a> {
    /// An empty plan for operations that name these nodes; `moves` says of each whether the named node survives
    /// elsewhere.
    pub(super) fn new(
        tree: &'a Tree,
        limits: &'a ParseLimits,
        named: Vec<Node>,
        moves: Vec<bool>,
        nested: Nested,
    ) -> Plan<'a> {
        Plan {
            tree,
            limits,
            nested,
            changes: Vec::new(),
            insertions: Vec::new(),
            removals: Vec::new(),
            intent: EditIntent::default(),
            extents: Vec::new(),
            points: Vec::new(),
            images: Vec::new(),
            around: Vec::new(),
            kept: Vec::new(),
            named,
            operations: moves.len(),
            moves,
            notes: Vec::new(),
            imports: Vec::new(),
            decisions: FxHashMap::default(),
            places: RefCell::default(),
            indentations: RefCell::default(),
        }
    }

    /// The place of a node; `None` if no container has it as a unit.
    pub(super) fn place(&self, node: Node) -> Option<ItemPosition> {
        self.places.borrow_mut().of(self.tree, node)
    }

    /// The bytes of an element of a list, with everything that belongs to it; `None` if the node is not in a list.
    pub(super) fn span_of_element(&self, place: ItemPosition) -> Option<Span> {
        self.places.borrow_mut().span_of_element(self.tree, place)
    }

    /// The indentation of a container's content, and one level of it.
    pub(super) fn indentation_in(&self, holder: Node) -> (String, String) {
        let tree = self.tree;
        let look = || {
            let unit = indent::indent_step(tree, Some(holder));
            let base = if super::extent::is_list(tree, holder) {
                let first = elements::elements(tree, holder).into_iter().next();
                let near = first.map_or(tree.span(holder).start(), |element| element.start());
                lines::indentation(tree.text(), near)
            } else {
                block_layout::indentation_in(tree, holder)
            };
            (base, unit)
        };
        self.indentations.borrow_mut().entry(holder).or_insert_with(look).clone()
    }

    /// Replaces text.
    pub(super) fn change(&mut self, operation: usize, span: Span, draft: Draft) {
        self.changes.push(Change { span, draft, operation, rank: Rank::Between });
    }

    /// Removes text.
    pub(super) fn cut(&mut self, operation: usize, span: Span) {
        if !span.is_empty() {
            self.change(operation, span, Draft::default());
        }
    }

    /// The removals from a container; only after planning.
    pub(super) fn removals_of(&self, holder: Node) -> &[Removal] {
        let first = self.removals.partition_point(|removal| removal.place.holder < holder);
        let end = self.removals.partition_point(|removal| removal.place.holder <= holder);
        &self.removals[first..end]
    }

    /// The insertions into a container; only after planning.
    pub(super) fn insertions_of(&self, holder: Node) -> &[Insertion] {
        let first = self.insertions.partition_point(|insertion| insertion.holder < holder);
        let end = self.insertions.partition_point(|insertion| insertion.holder <= holder);
        &self.insertions[first..end]
    }

    /// Records that an operation changes these bytes, and `node` with its content.
    pub(super) fn claim_extent(&mut self, operation: usize, span: Span, node: Option<Node>) {
        self.extents.push((operation, span, node));
        self.intent.extents.push(span);
    }

    /// Records that an operation inserts at a place in a node.
    pub(super) fn claim_point(&mut self, operation: usize, offset: usize, holder: Node) {
        self.points.push((operation, offset, holder));
    }

    /// Records that an old node, at its new place, is the result of the operation.
    pub(super) fn makes(&mut self, operation: usize, node: Node) {
        self.images.push((operation, node));
    }

    /// Records that a node gets other surroundings and stays the same.
    pub(super) fn carries(&mut self, node: Node) {
        self.intent.relocated.push(node);
        self.kept.push(node);
    }

    /// Records that the new surroundings of an old node are the result of the operation.
    pub(super) fn makes_around(&mut self, operation: usize, node: Node) {
        self.around.push((operation, node));
    }

    /// Adds a note to an operation.
    pub(super) fn note(&mut self, operation: usize, note: String) {
        self.notes.push((operation, note));
    }

    pub(super) fn bad(&self, operation: usize, problem: BadRequest) -> EditError {
        EditError::BadRequest { operation, problem }
    }

    /// Refuses operations whose extents overlap, and inserts inside the extent of another operation.
    pub(super) fn check_conflicts(&self) -> Result<(), EditError> {
        let table = self.tree.table();
        let mut extents: Vec<&(usize, Span, Option<Node>)> = self.extents.iter().collect();
        extents.sort_by_key(|(_, span, _)| (span.start(), std::cmp::Reverse(span.end())));
        // For each of the two operations with the furthest ends so far, its end.
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
        // Those that begin before a place, in reverse order, as far as any of them extends over it.
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

    /// Inserts below a removed line go below the line above: after a class whose last method is removed.
    fn lift_inserts(&mut self) {
        let text = self.tree.text();
        let is_cut = |change: &&Change| change.draft.text.is_empty() && !change.span.is_empty();
        let mut cuts: Vec<Span> = self.changes.iter().filter(is_cut).map(|change| change.span).collect();
        cuts.sort_unstable();
        for change in self.changes.iter_mut().filter(|change| change.span.is_empty()) {
            let at = change.span.start();
            let around = |cut: &&Span| cut.start() < at && at < cut.end();
            let starts_line = |cut: &&Span| cut.start() > 0 && lines::line_start(text, cut.start()) == cut.start();
            if change.draft.text.starts_with(['\n', '\r'])
                && let Some(cut) = cuts[..cuts.partition_point(|cut| cut.start() < at)].last()
                && around(&cut)
                && starts_line(&cut)
            {
                let above = lines::lines_up(text, cut.start(), 1);
                change.span = Span::at(lines::line_end(text, above));
            }
        }
    }

    pub(super) fn compose(mut self) -> Result<ComposedBatch, EditError> {
        let text = self.tree.text();
        self.changes.retain(|change| !(change.span.is_empty() && change.draft.text.is_empty()));
        self.lift_inserts();
        self.changes.sort_by_key(|change| (change.span.start(), change.span.end(), change.rank));
        // Several operations may split the same line; one that also inserts there replaces the others.
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
        let mut composed = ComposedBatch {
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
            composed.intent = EditIntent::default();
            composed.operations.clear();
        }
        Ok(composed)
    }
}

fn conflict(first: usize, second: usize, start: usize, end: usize) -> EditError {
    EditError::Conflict { first, second, span: Span::new(start.min(end), end.max(start)) }
}

/// A plan composed to edits.
#[derive(Debug)]
pub(super) struct ComposedBatch {
    pub(super) edits: EditSet,
    pub(super) intent: EditIntent,
    /// The operation of each edit, in order.
    pub(super) operations: Vec<usize>,
    marks: Vec<(usize, Span)>,
    images: Vec<(usize, Node)>,
    around: Vec<(usize, Node)>,
    /// Nodes that move with the edit and must stay the same.
    pub(super) kept: Vec<Node>,
    notes: Vec<(usize, String)>,
    pub(super) count: usize,
    /// Nodes that operations name.
    pub(super) named: Vec<Node>,
    /// Operations that insert, each with its container.
    pub(super) holders: Vec<(usize, Node)>,
    /// The extents of the operations.
    pub(super) extents: Vec<Extent>,
}

impl ComposedBatch {
    /// Edits that were not planned by operations; each belongs to the match with that number.
    pub(super) fn of_edits(edits: EditSet, intent: EditIntent, operations: Vec<usize>) -> ComposedBatch {
        let extent = |&span: &Span| Extent { operation: None, span, node: None, moves: false };
        let extents = intent.extents.iter().map(extent).collect();
        ComposedBatch {
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

    /// The new bytes of insertions, each with its container.
    pub(super) fn inserted(&self) -> Vec<(Span, Node)> {
        let into: FxHashMap<usize, Node> = self.holders.iter().copied().collect();
        let marks = self.marks.iter();
        marks.filter_map(|&(operation, span)| into.get(&operation).map(|&holder| (span, holder))).collect()
    }

    /// The nodes that get something around them.
    pub(super) fn wrapped(&self) -> impl Iterator<Item = Node> + '_ {
        self.around.iter().map(|&(_, node)| node)
    }

    /// The results of each operation in the new tree.
    pub(super) fn made(&self, old: &Tree, node_map: &NodeMap, new: &Tree) -> Vec<Made> {
        let mut made = vec![Made::default(); self.count];
        for &(operation, node) in &self.images {
            made[operation].nodes.extend(image(old, node_map, node));
        }
        let mut claims: FxHashMap<Span, Node> = FxHashMap::default();
        for claim in &self.intent.claims {
            claims.entry(claim.new).or_insert(claim.node);
        }
        for &(operation, span) in if self.edits.is_empty() { &[][..] } else { &self.marks } {
            match claims.get(&span).and_then(|&claimed| node_map.image(claimed)) {
                Some(image) => made[operation].nodes.push(image),
                None => made[operation].nodes.extend(outermost(new, span)),
            }
        }
        for &(operation, node) in &self.around {
            let Some(image) = image(old, node_map, node) else { continue };
            let table = new.table();
            let is_new = |&above: &Node| node_map.preimage(above).is_none() && above != Node::ROOT;
            let named = |&above: &Node| table.is_named(above) && !structure::is_block(new, above);
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

/// The new node of an old one; if its wrapper is gone, that of the node inside.
pub(super) fn image(old: &Tree, node_map: &NodeMap, node: Node) -> Option<Node> {
    std::iter::successors(Some(node), |&node| old.inner(node)).find_map(|node| node_map.image(node))
}
