//! The flat table: all nodes of a parse in document order, a few bytes each.

use std::any::Any;
use std::borrow::Cow;
use std::sync::Arc;

use tree_sitter::TreeCursor;

use super::comment_runs::Run;
use super::node::Node;
use super::set::NodeSet;
use crate::interrupt::{Deadline, count_step, poll_at};
use crate::language::{ERROR_TYPE, FieldId, TypeId, TypeSet};
use crate::text::Span;

const NAMED: u8 = 1;
const MISSING: u8 = 2;
const EXTRA: u8 = 4;
const HAS_ERROR: u8 = 8;

/// One value per node: the table's own, or mapped from a store.
pub type Column<T> = Cow<'static, [T]>;

/// The nodes of a parse, named and anonymous, in document order. The descendants of a node come right after it, up to
/// the end of its subtree. 20 bytes per node, with one array per column, so that a scan for a type reads two bytes per
/// node.
#[derive(Debug, Default)]
pub struct Table {
    types: Column<TypeId>,
    fields: Column<FieldId>,
    flags: Column<u8>,
    starts: Column<u32>,
    ends: Column<u32>,
    parents: Column<u32>,
    subtree_ends: Column<u32>,
    /// The owner of the mapped columns.
    _owner: Option<Owner>,
}

/// Keeps borrowed bytes alive and in place as long as it exists.
pub type Owner = Arc<dyn Any + Send + Sync>;

/// A table under construction.
#[derive(Default)]
struct Builder {
    types: Vec<TypeId>,
    fields: Vec<FieldId>,
    flags: Vec<u8>,
    starts: Vec<u32>,
    ends: Vec<u32>,
    parents: Vec<u32>,
    subtree_ends: Vec<u32>,
}

impl Builder {
    fn with_room_for(nodes: usize) -> Builder {
        Builder {
            types: Vec::with_capacity(nodes),
            fields: Vec::with_capacity(nodes),
            flags: Vec::with_capacity(nodes),
            starts: Vec::with_capacity(nodes),
            ends: Vec::with_capacity(nodes),
            parents: Vec::with_capacity(nodes),
            subtree_ends: Vec::with_capacity(nodes),
        }
    }

    /// Adds the node at which a cursor is.
    fn push(
        &mut self,
        (cursor, node): (&TreeCursor<'_>, tree_sitter::Node<'_>),
        parent: Option<u32>,
        (sound, length): (bool, usize),
    ) -> u32 {
        let index = self.len_u32();
        let flag = |set: bool, flag: u8| if set { flag } else { 0 };
        let offset = |bytes: usize| u32::try_from(bytes.min(length)).expect("tree-sitter's offsets are 32 bits");
        self.types.push(node.kind_id());
        self.fields.push(cursor.field_id().map_or(0, |field| u8::try_from(field.get()).unwrap_or(0)));
        self.flags.push(
            flag(node.is_named(), NAMED)
                | flag(!sound && node.is_missing(), MISSING)
                | flag(node.is_extra(), EXTRA)
                | flag(!sound && node.has_error(), HAS_ERROR),
        );
        self.starts.push(offset(node.start_byte()));
        self.ends.push(offset(node.end_byte()));
        self.parents.push(parent.unwrap_or(u32::MAX));
        self.subtree_ends.push(index + 1);
        index
    }

    fn len_u32(&self) -> u32 {
        u32::try_from(self.types.len()).expect("a table has fewer than 2^32 nodes")
    }

    fn table(self) -> Table {
        let table = Table {
            types: Cow::Owned(self.types),
            fields: Cow::Owned(self.fields),
            flags: Cow::Owned(self.flags),
            starts: Cow::Owned(self.starts),
            ends: Cow::Owned(self.ends),
            parents: Cow::Owned(self.parents),
            subtree_ends: Cow::Owned(self.subtree_ends),
            _owner: None,
        };
        debug_assert!(table.is_in_order(), "a table of a parse is in document order");
        table
    }
}

/// A node of another table that replaces one, except the root.
#[derive(Debug, Clone, Copy)]
pub(super) struct Graft {
    pub old: Node,
    /// In the other table.
    pub node: Node,
    /// Where it begins in the new text.
    pub start: usize,
}

/// How many nodes are walked between two checks of the deadline.
const STEPS_BETWEEN_CLOCKS: u32 = 1 << 16;

impl Table {
    /// Whether the invariants hold on which reading relies: each node but the root comes after its parent, is in its
    /// parent's subtree, and does not start before the node before it.
    fn is_in_order(&self) -> bool {
        let count = self.len();
        (1..count).all(|place| {
            let (parent, end) = (self.parents[place] as usize, self.subtree_ends[place] as usize);
            parent < place
                && place < end
                && end <= self.subtree_ends[parent] as usize
                && self.starts[place - 1] <= self.starts[place]
                && self.starts[place] <= self.ends[place]
        })
    }

    /// Walks a parse once, without recursion. Nodes end with the text, of `length` bytes, even if the parser got more.
    /// `None` if the walk is not done by `deadline`.
    pub(super) fn new(tree: &tree_sitter::Tree, length: usize, deadline: Deadline) -> Option<Table> {
        let mut cursor = tree.walk();
        let mut table = Builder::with_room_for(tree.root_node().descendant_count());
        // The open nodes, each with the number of its children that are still to come. Asking the cursor for a child or
        // sibling that is not there takes a tenth of the time.
        let mut open: Vec<(u32, u32)> = Vec::new();
        // If the root has no error, no node has one, and none is missing.
        let sound = !tree.root_node().has_error();
        loop {
            let node = cursor.node();
            let index = table.push((&cursor, node), open.last().map(|&(parent, _)| parent), (sound, length));
            poll_at(index as usize);
            if index > 0 && index.is_multiple_of(STEPS_BETWEEN_CLOCKS) && deadline.is_past() {
                return None;
            }
            let children = node.child_count();
            if children > 0 && cursor.goto_first_child() {
                open.push((index, children - 1));
                continue;
            }
            loop {
                let Some((parent, left)) = open.last_mut() else {
                    table.subtree_ends[0] = table.len_u32();
                    debug_assert_eq!(table.types.len(), tree.root_node().descendant_count(), "all nodes are walked");
                    return Some(table.table());
                };
                if *left > 0 && cursor.goto_next_sibling() {
                    *left -= 1;
                    break;
                }
                table.subtree_ends[*parent as usize] = table.len_u32();
                open.pop();
                cursor.goto_parent();
            }
        }
    }

    /// A table from stored columns; `None` if they do not fit each other or a text of `length` bytes. This checks the
    /// invariants on which reading relies. Mapped bytes must live as long as `owner`, which the table keeps alive.
    pub fn from_columns(columns: Columns, length: usize, owner: Option<Owner>) -> Option<Table> {
        let Columns { types, fields, flags, offsets: [starts, ends, parents, subtree_ends] } = columns;
        let count = types.len();
        let same = [fields.len(), flags.len(), starts.len(), ends.len(), parents.len(), subtree_ends.len()];
        let fits = count > 0
            && same.iter().all(|&other| other == count)
            && parents[0] == u32::MAX
            && subtree_ends[0] as usize == count
            && ends[0] as usize <= length;
        fits.then_some(Table { types, fields, flags, starts, ends, parents, subtree_ends, _owner: owner })
    }

    /// The bytes of all columns, the widest first.
    pub fn column_bytes(&self) -> [&[u8]; 7] {
        [
            bytemuck::cast_slice(&self.starts),
            bytemuck::cast_slice(&self.ends),
            bytemuck::cast_slice(&self.parents),
            bytemuck::cast_slice(&self.subtree_ends),
            bytemuck::cast_slice(&self.types),
            &self.fields,
            &self.flags,
        ]
    }

    /// The table of concatenated pieces, with each node moved to the place of its piece in the whole text. The root
    /// covers `whole`.
    pub(super) fn relocate_pieces(mut self, pieces: &[Span], whole: Span) -> Table {
        let (starts, ends) = (self.starts.to_mut(), self.ends.to_mut());
        let offset = |bytes: usize| u32::try_from(bytes).expect("tree-sitter's offsets are 32 bits");
        // For each piece, its end in the parsed text, and how far it moves.
        let mut end = 0;
        let moves: Vec<(u32, u32)> = pieces
            .iter()
            .map(|piece| {
                let start = end;
                end += piece.len();
                (offset(end), offset(piece.start() - start))
            })
            .collect();
        let mut current = 0;
        let nodes = if moves.is_empty() { 0 } else { starts.len() };
        for index in 0..nodes {
            while current + 1 < moves.len() && starts[index] >= moves[current].0 {
                current += 1;
            }
            // A node that holds others may end in a later piece.
            let is_empty = ends[index] == starts[index];
            starts[index] += moves[current].1;
            let last = match ends[index] <= moves[current].0 || is_empty {
                true => current,
                false => moves.partition_point(|&(end, _)| end < ends[index]).min(moves.len() - 1),
            };
            ends[index] += moves[last].1;
        }
        if let (Some(start), Some(end)) = (starts.first_mut(), ends.first_mut()) {
            (*start, *end) = (offset(whole.start()), offset(whole.end()));
        }
        self
    }

    /// Whether all nodes that begin before an offset and end after it are of some types.
    pub(super) fn all_around(&self, offset: usize, types: &TypeSet) -> bool {
        let holds = |node: &Node| {
            let span = self.span(*node);
            span.start() < offset && offset < span.end()
        };
        let inner = |node: &Node| self.children(*node).find(holds);
        std::iter::successors(Some(Node::ROOT), inner).all(|node| types.contains(self.type_id(node)))
    }

    /// The table with other ends of nodes, computed from their starts and ends.
    pub(super) fn map_ends(mut self, end: impl Fn(usize, usize) -> usize) -> Table {
        let starts = &self.starts;
        for (index, found) in self.ends.to_mut().iter_mut().enumerate() {
            let (start, old) = (starts[index] as usize, *found as usize);
            *found = u32::try_from(end(start, old)).expect("tree-sitter's offsets are 32 bits");
        }
        self
    }

    /// The table with the comments between the first and the last of each run, whose nodes follow each other.
    pub(super) fn with_runs(self, runs: &[Run]) -> Table {
        if runs.is_empty() {
            return self;
        }
        let small = |number: usize| u32::try_from(number).expect("places and offsets are 32 bits");
        // For each run the node of its first comment, and how many nodes come in before that.
        let mut places: Vec<(usize, u32)> = Vec::new();
        let mut more = 0;
        for run in runs {
            let from = self.starts.partition_point(|&start| (start as usize) < run.first.start);
            let is_first = |&index: &usize| {
                self.span(Node::at(index)) == Span::new(run.first.start, run.first.end)
                    && self.subtree_ends[index] == small(index + 1)
            };
            let Some(first) = (from..self.len()).find(is_first) else { continue };
            places.push((first, more));
            more += small(run.between.len());
        }
        // The number of nodes that come in before a node, and before the end of a subtree.
        let total_before = |count: usize| places.get(count).map_or(more, |&(_, before)| before);
        let moved = |index: u32| index + total_before(places.partition_point(|&(first, _)| first < index as usize));
        let moved_end = |end: u32| end + total_before(places.partition_point(|&(first, _)| first + 1 < end as usize));
        let mut made = Builder::with_room_for(self.len() + more as usize);
        let mut next = runs.iter().zip(&places).peekable();
        for index in 0..self.len() {
            let parent = match self.parents[index] {
                u32::MAX => u32::MAX,
                parent => moved(parent),
            };
            made.types.push(self.types[index]);
            made.fields.push(self.fields[index]);
            made.flags.push(self.flags[index]);
            made.starts.push(self.starts[index]);
            made.ends.push(self.ends[index]);
            made.parents.push(parent);
            made.subtree_ends.push(moved_end(self.subtree_ends[index]));
            if let Some((run, _)) = next.next_if(|&(_, &(first, _))| first == index) {
                for span in &run.between {
                    let node = made.len_u32();
                    made.types.push(self.types[index]);
                    made.fields.push(self.fields[index]);
                    made.flags.push(self.flags[index]);
                    made.starts.push(small(span.start));
                    made.ends.push(small(span.end));
                    made.parents.push(parent);
                    made.subtree_ends.push(node + 1);
                }
            }
        }
        made.table()
    }

    /// The table with other ends and parents, by index. The descendants of a node must still come right after it.
    pub(super) fn with_ends(mut self, ends: &[usize], subtree_ends: &[usize], parents: &[Option<Node>]) -> Table {
        let small = |number: usize| u32::try_from(number).expect("places and offsets are 32 bits");
        self.ends = ends.iter().map(|&end| small(end)).collect();
        self.subtree_ends = subtree_ends.iter().map(|&end| small(end)).collect();
        self.parents = parents.iter().map(|parent| parent.map_or(u32::MAX, |parent| parent.0)).collect();
        self
    }

    /// The same table, in which a node and those at its end are over before a later one of them: that one and what comes after it are
    /// children of the node's parent then.
    pub(super) fn end_before(&mut self, node: Node, first: Node, end: usize) {
        let small = |number: usize| u32::try_from(number).expect("places and offsets are 32 bits");
        let Some(parent) = self.parent(node) else { return };
        let (old, cut) = (self.subtree_ends[node.index()], first.0);
        let mut last = first;
        let mut released = Vec::new();
        while last.0 < old {
            released.push(last.index());
            last = Node(self.subtree_ends[last.index()]);
        }
        for index in node.index()..first.index() {
            if self.subtree_ends[index] > cut {
                self.subtree_ends.to_mut()[index] = cut;
                self.ends.to_mut()[index] = small(end).max(self.starts[index]);
            }
        }
        let parents = self.parents.to_mut();
        released.into_iter().for_each(|index| parents[index] = parent.0);
    }

    /// The table with other nodes in place of some, which are sorted and do not overlap. A new node keeps parent and field
    /// of the old one. What comes after it moves, and the nodes around it end where they did in relation to it.
    pub(super) fn graft(&self, other: &Table, grafts: &[Graft]) -> Table {
        let small = |number: usize| u32::try_from(number).expect("places and offsets are 32 bits");
        // For each old node its place, index and end of subtree; and by how much indices and offsets move after it. Moves are
        // added with wrapping, so they may be negative.
        let old: Vec<(Span, u32, u32)> = grafts
            .iter()
            .map(|graft| (self.span(graft.old), graft.old.0, self.subtree_ends[graft.old.index()]))
            .collect();
        let mut moves: Vec<(u32, u32)> = vec![(0, 0)];
        for (graft, &(span, index, end)) in grafts.iter().zip(&old) {
            let last = moves.last().copied().unwrap_or_default();
            let nodes = other.subtree_ends[graft.node.index()] - graft.node.0;
            let offset = small(graft.start + other.span(graft.node).len()).wrapping_sub(small(span.end()));
            moves.push((last.0.wrapping_add(nodes).wrapping_sub(end - index), offset));
        }
        let index_of = |index: u32| index.wrapping_add(moves[old.partition_point(|&(_, _, end)| end <= index)].0);
        let offset_of =
            |offset: u32| offset.wrapping_add(moves[old.partition_point(|(span, ..)| span.end() <= offset as usize)].1);
        let count = self.len_u32().wrapping_add(moves.last().map_or(0, |last| last.0)) as usize;
        let mut made = Builder::with_room_for(count);
        let mut from = 0usize;
        for (place, &(by_index, by_offset)) in moves.iter().enumerate() {
            // The nodes up to the next one that is replaced.
            let next = old.get(place);
            let (to, start) =
                next.map_or((self.len(), u32::MAX), |&(span, index, _)| (index as usize, small(span.start())));
            made.types.extend_from_slice(&self.types[from..to]);
            made.fields.extend_from_slice(&self.fields[from..to]);
            made.flags.extend_from_slice(&self.flags[from..to]);
            made.starts.extend(self.starts[from..to].iter().map(|start| start.wrapping_add(by_offset)));
            let end_of = |&end: &u32| if end <= start { end.wrapping_add(by_offset) } else { offset_of(end) };
            made.ends.extend(self.ends[from..to].iter().map(end_of));
            let first = small(from);
            let parent_of = |&parent: &u32| match parent {
                u32::MAX => u32::MAX,
                _ if parent >= first => parent.wrapping_add(by_index),
                _ => index_of(parent),
            };
            made.parents.extend(self.parents[from..to].iter().map(parent_of));
            let limit = small(to);
            let subtree_end_of = |&end: &u32| if end <= limit { end.wrapping_add(by_index) } else { index_of(end) };
            made.subtree_ends.extend(self.subtree_ends[from..to].iter().map(subtree_end_of));
            let Some((graft, &(_, _, end))) = grafts.get(place).zip(next) else { break };
            let (top, base) = (graft.node.index(), made.len_u32());
            let below = other.subtree_ends[top] as usize;
            made.types.extend_from_slice(&other.types[top..below]);
            made.fields.push(self.fields[graft.old.index()]);
            made.fields.extend_from_slice(&other.fields[top + 1..below]);
            made.flags.extend_from_slice(&other.flags[top..below]);
            let by = small(graft.start).wrapping_sub(other.starts[top]);
            made.starts.extend(other.starts[top..below].iter().map(|start| start.wrapping_add(by)));
            made.ends.extend(other.ends[top..below].iter().map(|end| end.wrapping_add(by)));
            let by = base.wrapping_sub(graft.node.0);
            made.parents.push(index_of(self.parents[graft.old.index()]));
            made.parents.extend(other.parents[top + 1..below].iter().map(|parent| parent.wrapping_add(by)));
            made.subtree_ends.extend(other.subtree_ends[top..below].iter().map(|end| end.wrapping_add(by)));
            from = end as usize;
        }
        made.table()
    }

    fn len_u32(&self) -> u32 {
        u32::try_from(self.types.len()).expect("a table has fewer than 2^32 nodes")
    }

    /// The number of nodes, including anonymous ones.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Whether the table is empty; a parse always has a root.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// All nodes in document order.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = Node> + ExactSizeIterator + use<> {
        (0..self.len_u32()).map(|index| {
            poll_at(index as usize);
            count_step();
            Node(index)
        })
    }

    /// The nodes with indices from `start` to before `end`.
    pub fn range(&self, start: usize, end: usize) -> impl DoubleEndedIterator<Item = Node> + use<> {
        (start..end).map(Node::at).inspect(|_| count_step())
    }

    /// The types of all nodes, by index.
    pub fn types(&self) -> &[TypeId] {
        &self.types
    }

    /// The type of a node.
    pub fn type_id(&self, node: Node) -> TypeId {
        count_step();
        self.types[node.index()]
    }

    /// The field of a node in its parent; 0 if there is none.
    pub fn field(&self, node: Node) -> FieldId {
        count_step();
        self.fields[node.index()]
    }

    /// Whether a node is named, not a token.
    pub fn is_named(&self, node: Node) -> bool {
        count_step();
        self.flags[node.index()] & NAMED != 0
    }

    /// All named nodes.
    pub fn named(&self) -> NodeSet {
        NodeSet::of_flags(&self.flags, NAMED)
    }

    /// Whether the parser inserted the node because it was missing.
    pub fn is_missing(&self, node: Node) -> bool {
        count_step();
        self.flags[node.index()] & MISSING != 0
    }

    /// Whether the node may occur anywhere: a comment, a line continuation.
    pub fn is_extra(&self, node: Node) -> bool {
        count_step();
        self.flags[node.index()] & EXTRA != 0
    }

    /// Whether it is an ERROR node.
    pub fn is_error(&self, node: Node) -> bool {
        count_step();
        self.types[node.index()] == ERROR_TYPE
    }

    /// Whether the node contains a syntax error; the parser may know of one that no node shows.
    pub fn has_error(&self, node: Node) -> bool {
        count_step();
        self.flags[node.index()] & HAS_ERROR != 0
    }

    /// The bytes of a node.
    pub fn span(&self, node: Node) -> Span {
        count_step();
        Span::new(self.starts[node.index()] as usize, self.ends[node.index()] as usize)
    }

    /// The parent in the grammar's own tree; `None` for the root.
    pub fn parent(&self, node: Node) -> Option<Node> {
        count_step();
        let parent = self.parents[node.index()];
        (parent != u32::MAX).then_some(Node(parent))
    }

    /// The index after the last descendant.
    pub fn subtree_end(&self, node: Node) -> usize {
        count_step();
        self.subtree_ends[node.index()] as usize
    }

    /// The descendants in document order.
    pub fn descendants(&self, node: Node) -> impl DoubleEndedIterator<Item = Node> + use<> {
        (node.0 + 1..self.subtree_ends[node.index()]).map(Node).inspect(|_| count_step())
    }

    /// Whether `inner` is `outer` or lies below it.
    pub fn is_within(&self, inner: Node, outer: Node) -> bool {
        outer <= inner && inner.index() < self.subtree_end(outer)
    }

    /// The children in order.
    pub fn children(&self, node: Node) -> Children<'_> {
        Children { table: self, next: node.0 + 1, end: self.subtree_ends[node.index()] }
    }

    /// The ancestors, from the parent up to the root.
    pub fn ancestors(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        std::iter::successors(self.parent(node), |&ancestor| self.parent(ancestor))
    }

    /// The next sibling.
    pub fn next_sibling(&self, node: Node) -> Option<Node> {
        count_step();
        let parent = self.parent(node)?;
        let next = self.subtree_ends[node.index()];
        (next < self.subtree_ends[parent.index()]).then_some(Node(next))
    }

    /// The previous sibling.
    pub fn previous_sibling(&self, node: Node) -> Option<Node> {
        let parent = self.parent(node)?;
        if node.0 == parent.0 + 1 {
            return None;
        }
        // The node right before is the last one inside the sibling.
        let mut previous = Node(node.0 - 1);
        while let Some(above) = self.parent(previous).filter(|&above| above != parent) {
            previous = above;
        }
        Some(previous)
    }

    /// The last child of a node.
    pub fn last_child(&self, node: Node) -> Option<Node> {
        let end = self.subtree_ends[node.index()];
        let mut last = Node(end.checked_sub(1).filter(|&last| last > node.0)?);
        while let Some(above) = self.parent(last).filter(|&above| above != node) {
            last = above;
        }
        Some(last)
    }

    /// The smallest node that contains `span`.
    pub fn smallest_around(&self, span: Span) -> Node {
        let mut found = Node::ROOT;
        loop {
            let inner =
                self.children(found).find(|&child| self.span(child).contains(span) && !self.span(child).is_empty());
            match inner {
                Some(child) => found = child,
                None => return found,
            }
        }
    }

    /// The first node in document order that starts at or after `offset`.
    pub fn first_from(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| (start as usize) < offset)
    }

    /// The same, looked for from an index on, where it is if offsets are asked for in order.
    pub(super) fn first_from_near(&self, offset: usize, near: usize) -> usize {
        const NEAR: usize = 32;
        let is_before = |index: usize| (self.starts[index] as usize) < offset;
        let begins = near == 0 || near <= self.len() && is_before(near - 1);
        let end = self.len().min(near + NEAR);
        let found = (near..end).find(|&index| !is_before(index)).filter(|_| begins);
        found.unwrap_or_else(|| self.first_from(offset))
    }

    /// A hash of types, fields, flags and places: tables with the same shape have the same nodes at the same places.
    pub fn shape(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        let mut row = [0u8; 16];
        for index in 0..self.types.len() {
            row[..2].copy_from_slice(&self.types[index].to_le_bytes());
            row[2] = self.fields[index];
            row[3] = self.flags[index];
            row[4..8].copy_from_slice(&self.starts[index].to_le_bytes());
            row[8..12].copy_from_slice(&self.ends[index].to_le_bytes());
            row[12..].copy_from_slice(&self.parents[index].to_le_bytes());
            hasher.update(&row);
        }
        hasher.finalize().to_hex()[..32].to_owned()
    }

    /// The memory of the table in bytes.
    pub fn memory(&self) -> usize {
        const ROW: usize = size_of::<TypeId>() + size_of::<FieldId>() + size_of::<u8>() + 4 * size_of::<u32>();
        self.types.len() * ROW
    }
}

/// The columns of a table. `offsets` are starts, ends, parents and ends of subtrees.
#[derive(Debug)]
pub struct Columns {
    /// Types.
    pub types: Column<TypeId>,
    /// Fields; 0 for none.
    pub fields: Column<FieldId>,
    /// Named, missing, extra, error.
    pub flags: Column<u8>,
    /// Starts, ends, parents, ends of subtrees.
    pub offsets: [Column<u32>; 4],
}

/// The children of a node, in order.
#[derive(Debug, Clone)]
pub struct Children<'a> {
    table: &'a Table,
    next: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = Node;

    fn next(&mut self) -> Option<Node> {
        count_step();
        if self.next >= self.end {
            return None;
        }
        let child = Node(self.next);
        self.next = self.table.subtree_ends[child.index()];
        Some(child)
    }
}
