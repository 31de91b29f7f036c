//! What became of each node in an edit.
//!
//! A leaf that the edits did not touch is looked up at its new place. An inner node is mapped to the parent of its
//! children's images. So a node survives only if its children still have a common parent of its type. The same test
//! shows that an edit left its surroundings alone: if it fails, there is a [`Violation`].

use super::paths::Paths;
use super::{Node, Table, Tree};
use crate::text::{EditSet, Span};

/// What an edit intends to change besides its text.
#[derive(Debug, Clone, Default)]
pub struct EditIntent {
    /// Bytes of the old text that moved to another place.
    pub moved: Vec<Moved>,
    /// Spans of old bytes in which anything may change.
    pub extents: Vec<Span>,
    /// Old nodes that get another parent.
    pub relocated: Vec<Node>,
    /// Old nodes that are deleted with everything below them, whatever replaces them.
    pub removed: Vec<Node>,
    /// Old nodes that survive as the one node that replaces them.
    pub claims: Vec<Claim>,
    /// Whether a claim takes precedence: the claimed node survives even if parts of it are now parts of something else.
    pub claims_first: bool,
}

/// Bytes of the old text that moved to another place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moved {
    /// Their old place.
    pub from: Span,
    /// Their start in the new text.
    pub to: usize,
}

/// A node replaced by code. If the code is one node, it keeps the id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// The replaced node.
    pub node: Node,
    /// All old bytes that were replaced; they may include wrappers of the node.
    pub extent: Span,
    /// The place of the code in the new text.
    pub new: Span,
}

/// An old node outside the edit's extents that changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Violation {
    /// The old node.
    pub node: Node,
    /// The new place of its text, if the text is still there.
    pub place: Option<usize>,
}

/// The mapping between old and new nodes.
#[derive(Debug)]
pub struct NodeMap {
    images: Vec<Option<Node>>,
    preimages: Vec<Option<Node>>,
    violations: Vec<Violation>,
    extents: Extents,
}

/// Spans in which anything may change.
#[derive(Debug)]
struct Extents {
    starts: Vec<usize>,
    /// For each start, the furthest end of an extent that begins there or earlier.
    reach: Vec<usize>,
}

impl Extents {
    fn new(extents: &[Span]) -> Extents {
        let mut sorted = extents.to_vec();
        sorted.sort_unstable();
        let mut reach = 0;
        let mut reached = |span: &Span| {
            reach = reach.max(span.end());
            reach
        };
        Extents {
            reach: sorted.iter().map(&mut reached).collect(),
            starts: sorted.iter().map(|span| span.start()).collect(),
        }
    }

    /// Whether one of them contains a span.
    fn hold(&self, span: Span) -> bool {
        let before = self.starts.partition_point(|&start| start <= span.start());
        before.checked_sub(1).is_some_and(|last| self.reach[last] >= span.end())
    }
}

/// A stretch of old text that is unchanged in the new one.
#[derive(Debug, Clone, Copy)]
struct RetainedRange {
    old: Span,
    new: usize,
}

impl NodeMap {
    pub(super) fn new(old: &Tree, new: &Table, edits: &EditSet, intent: &EditIntent) -> NodeMap {
        let mut node_map = NodeMap {
            images: vec![None; old.table().len()],
            preimages: vec![None; new.len()],
            violations: Vec::new(),
            extents: Extents::new(&intent.extents),
        };
        let kept = kept(old.text().len(), edits, &intent.moved);
        node_map.leaves(old, new, &kept);
        if intent.claims_first {
            for claim in &intent.claims {
                node_map.claim(old, new, *claim);
            }
        }
        node_map.parents(old, new, intent);
        if node_map.images[0].is_none()
            && node_map.preimages[0].is_none()
            && old.table().type_id(Node::ROOT) == new.type_id(Node::ROOT)
        {
            node_map.link(Node::ROOT, Node::ROOT);
        }
        if !intent.claims_first {
            for claim in &intent.claims {
                node_map.claim(old, new, *claim);
            }
        }
        node_map.fields(old, new, intent);
        node_map.violations.sort_by_key(|violation| violation.node);
        node_map
    }

    /// The new node of an old one.
    pub fn image(&self, old: Node) -> Option<Node> {
        self.images[old.index()]
    }

    /// The old node of a new one.
    pub fn preimage(&self, new: Node) -> Option<Node> {
        self.preimages[new.index()]
    }

    /// The old node of each new one, in document order.
    pub(super) fn preimages(&self) -> &[Option<Node>] {
        &self.preimages
    }

    /// The nodes outside the edit that it changed, in document order.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// The old nodes that did not survive, in document order.
    pub fn removed(&self) -> impl Iterator<Item = Node> + '_ {
        self.images.iter().enumerate().filter(|(_, image)| image.is_none()).map(|(index, _)| Node::at(index))
    }

    /// The new nodes that have no old one, in document order.
    pub fn added(&self) -> impl Iterator<Item = Node> + '_ {
        self.preimages.iter().enumerate().filter(|(_, old)| old.is_none()).map(|(index, _)| Node::at(index))
    }

    /// Whether old bytes lie in an extent of the edit, where anything may change.
    pub fn is_in_extent(&self, span: Span) -> bool {
        self.extents.hold(span)
    }

    fn link(&mut self, old: Node, new: Node) {
        self.images[old.index()] = Some(new);
        self.preimages[new.index()] = Some(old);
    }

    fn violate(&mut self, old: &Tree, node: Node, place: Option<usize>) {
        if !self.extents.hold(old.span(node)) {
            self.violations.push(Violation { node, place });
        }
    }

    /// Maps leaves in unchanged text to the leaf of the same type at the new place.
    fn leaves(&mut self, old: &Tree, new: &Table, kept: &[RetainedRange]) {
        let table = old.table();
        let (mut at, mut near) = (0, 0);
        for node in table.nodes() {
            let span = table.span(node);
            if span.is_empty() || !is_leaf(table, node) {
                continue;
            }
            while kept.get(at).is_some_and(|stretch| stretch.old.end() <= span.start()) {
                at += 1;
            }
            let Some(stretch) = kept.get(at).filter(|stretch| stretch.old.contains(span)) else { continue };
            let start = stretch.new + span.start() - stretch.old.start();
            let wanted = Span::new(start, start + span.len());
            let same = |&place: &Node| {
                is_leaf(new, place) && new.type_id(place) == table.type_id(node) && new.span(place) == wanted
            };
            near = new.first_from_near(start, near);
            let places = new.range(near, new.len());
            let found = places.take_while(|&place| new.span(place).start() == start).find(same);
            match found {
                Some(place) => self.link(node, place),
                None => self.violate(old, node, Some(start)),
            }
        }
    }

    /// Maps inner nodes to the common parent of the images of all children.
    fn parents(&mut self, old: &Tree, new: &Table, intent: &EditIntent) {
        #[derive(Clone, Copy)]
        enum Vote {
            None,
            For(Node),
            Split,
        }
        let table = old.table();
        let relocated: rustc_hash::FxHashSet<Node> = intent.relocated.iter().copied().collect();
        let mut votes = vec![Vote::None; table.len()];
        for node in table.nodes().rev() {
            let vote = votes[node.index()];
            let is_leaf = is_leaf(table, node);
            let is_claimed = !is_leaf && self.images[node.index()].is_some();
            // What the parent of this node should be in the new table.
            let mut above = None;
            match vote {
                _ if is_claimed => {
                    above = self.images[node.index()].and_then(|image| new.parent(image));
                }
                Vote::None => above = self.images[node.index()].filter(|_| is_leaf).and_then(|image| new.parent(image)),
                Vote::Split => self.violate(old, node, None),
                Vote::For(mut place) => {
                    // Wrappers may appear and disappear: a decorated definition around a definition without a
                    // decorator.
                    let wanted = table.type_id(node);
                    // A node that survives as another node ends the search.
                    while new.type_id(place) != wanted
                        && old.language().role(new.type_id(place)).wrapper
                        && self.preimages[place.index()].is_none()
                    {
                        let Some(parent) = new.parent(place) else { break };
                        place = parent;
                    }
                    if new.type_id(place) == wanted && self.preimages[place.index()].is_none() {
                        self.link(node, place);
                        above = new.parent(place);
                    } else if old.language().role(wanted).wrapper {
                        above = Some(place);
                    } else {
                        self.violate(old, node, Some(new.span(place).start()));
                    }
                }
            }
            let (Some(above), Some(parent)) = (above, table.parent(node)) else { continue };
            if table.is_extra(node) || relocated.contains(&node) && !is_claimed {
                continue;
            }
            let vote = &mut votes[parent.index()];
            *vote = match *vote {
                Vote::None => Vote::For(above),
                Vote::For(place) if place == above => Vote::For(place),
                Vote::For(place) => match outer_of(new, old, place, above) {
                    Some(place) => Vote::For(place),
                    None => Vote::Split,
                },
                Vote::Split => Vote::Split,
            };
        }
    }

    /// Maps a replaced node to the one node of code that replaces it, and its wrappers to that node's wrappers.
    fn claim(&mut self, old: &Tree, new: &Table, claim: Claim) {
        let table = old.table();
        if self.images[claim.node.index()].is_some() || claim.new.is_empty() {
            return;
        }
        let covered = |&node: &Node| claim.extent.contains(table.span(node)) && self.images[node.index()].is_none();
        let mut outer: Vec<Node> = table.ancestors(claim.node).take_while(covered).collect();
        outer.reverse();
        let first = new.range(new.first_from(claim.new.start()), new.len());
        let free = |node: &Node| self.preimages[node.index()].is_none() && new.is_named(*node);
        let mut inner = first
            .take_while(|&node| new.span(node).start() == claim.new.start())
            .filter(|&node| new.span(node) == claim.new)
            .filter(free)
            .collect::<Vec<_>>()
            .into_iter()
            .peekable();
        let mut pairs = Vec::new();
        for node in outer {
            if let Some(place) = inner.next_if(|&place| new.type_id(place) == table.type_id(node)) {
                pairs.push((node, place));
            }
        }
        let wanted = table.type_id(claim.node);
        let wrapped = |place: Node| {
            let path = old.language().spec().held.of(new.type_id(place))?;
            let held = Paths { table: new, language: old.language() }.first(place, path)?;
            (new.type_id(held) == wanted).then_some(held)
        };
        // If decorated code replaces an undecorated definition, or the reverse, the definition inside is meant.
        let last = pairs.last().map(|&(_, place)| place);
        let place = match (inner.next(), last) {
            (Some(place), _) if new.type_id(place) == wanted => Some(place),
            (Some(place), _) => wrapped(place).or(Some(place)),
            (None, Some(last)) => wrapped(last),
            (None, None) => None,
        };
        pairs.extend(place.map(|place| (claim.node, place)));
        for (node, place) in pairs {
            self.link(node, place);
        }
    }

    /// A node whose whole content was replaced is the same if it is in the same field of the same parent. The same
    /// holds for a body without a field if its parent has only one.
    fn fields(&mut self, old: &Tree, new: &Table, intent: &EditIntent) {
        let table = old.table();
        let removed: rustc_hash::FxHashSet<Node> = intent.removed.iter().copied().collect();
        let mut gone_until = 0;
        for node in table.nodes() {
            if removed.contains(&node) {
                gone_until = gone_until.max(table.subtree_end(node));
            }
            if node.index() < gone_until {
                continue;
            }
            let field = table.field(node);
            let parent = table.parent(node).and_then(|parent| self.images[parent.index()].map(|image| (parent, image)));
            let is_body = |type_id| old.language().role(type_id).body;
            let told = field != 0 || is_body(table.type_id(node));
            let (true, Some((parent, image))) = (told && self.images[node.index()].is_none(), parent) else {
                continue;
            };
            let fits = |table: &Table, child: Node| {
                table.field(child) == field && (field != 0 || is_body(table.type_id(child)))
            };
            let alone = table.children(parent).filter(|&child| fits(table, child)).count() == 1;
            let mut places = new.children(image).filter(|&child| fits(new, child));
            if let (true, Some(place), None) = (alone, places.next(), places.next())
                && new.type_id(place) == table.type_id(node)
                && self.preimages[place.index()].is_none()
            {
                self.link(node, place);
            }
        }
    }
}

/// Whether no child contains the text of a node. Some grammars put empty nodes into leaves, such as the line end in the
/// content of a fenced block.
fn is_leaf(table: &Table, node: Node) -> bool {
    table.children(node).all(|child| table.span(child).is_empty())
}

/// The outer of two places if only wrappers are between them; if each is in wrappers of its own, the node that contains
/// both.
fn outer_of(new: &Table, old: &Tree, first: Node, second: Node) -> Option<Node> {
    let wraps = |inner: Node, outer: Node| {
        let mut place = inner;
        while place != outer && old.language().role(new.type_id(place)).wrapper {
            match new.parent(place) {
                Some(parent) => place = parent,
                None => return false,
            }
        }
        place == outer
    };
    if wraps(first, second) {
        return Some(second);
    }
    if wraps(second, first) {
        return Some(first);
    }
    let unwrapped = |place: Node| {
        let outward = std::iter::successors(Some(place), |&place| new.parent(place));
        outward.into_iter().find(|&place| !old.language().role(new.type_id(place)).wrapper)
    };
    unwrapped(first).filter(|_| unwrapped(first) == unwrapped(second))
}

/// The unchanged stretches of old text, in order: everything between the edits, and what was moved.
fn kept(length: usize, edits: &EditSet, moved: &[Moved]) -> Vec<RetainedRange> {
    let mut kept = Vec::with_capacity(edits.len() + moved.len() + 1);
    let (mut at, mut new_at) = (0, 0);
    for (edit, new_span) in edits.iter().zip(edits.new_spans()) {
        if edit.span.start() > at {
            kept.push(RetainedRange { old: Span::new(at, edit.span.start()), new: new_at });
        }
        at = edit.span.end();
        new_at = new_span.end();
    }
    if at < length {
        kept.push(RetainedRange { old: Span::new(at, length), new: new_at });
    }
    kept.extend(
        moved
            .iter()
            .filter(|moved| !moved.from.is_empty())
            .map(|moved| RetainedRange { old: moved.from, new: moved.to }),
    );
    kept.sort_by_key(|stretch| stretch.old.start());
    kept
}
