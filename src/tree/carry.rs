//! What became of each node through an edit.
//!
//! A leaf that the edits didn't touch is looked up at its new place; a node above is the parent of what became of its
//! children. So a node is carried only if its children still hang together under a parent of its type, which is also the
//! test that an edit left its surroundings alone: where it fails, there is a [`Violation`].

use super::paths::Paths;
use super::{Node, Table, Tree};
use crate::text::{EditSet, Span};

/// What an edit means to change, beside its text.
#[derive(Debug, Clone, Default)]
pub struct Intent {
    /// Bytes of the old text that stand elsewhere in the new one.
    pub moved: Vec<Moved>,
    /// Old bytes inside of which anything may change.
    pub extents: Vec<Span>,
    /// Old nodes that get another parent.
    pub relocated: Vec<Node>,
    /// Old nodes that are gone with all below them, whatever stands in their place.
    pub removed: Vec<Node>,
    /// Old nodes that live on as the one node that stands in their place.
    pub claims: Vec<Claim>,
    /// Whether what is claimed is the claimed node, even where parts of it now are parts of something else.
    pub claims_first: bool,
}

/// Bytes of the old text that were carried to another place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moved {
    /// Where they stood.
    pub from: Span,
    /// Where they begin in the new text.
    pub to: usize,
}

/// A node replaced by code: if that is one node, it keeps the id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// The node replaced.
    pub node: Node,
    /// All old bytes that were replaced; the node's wrappers may be among them.
    pub extent: Span,
    /// Where the code stands in the new text.
    pub new: Span,
}

/// An old node outside of the edit's extents that isn't what it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Violation {
    /// The old node.
    pub node: Node,
    /// Where its text now stands, if it still does.
    pub place: Option<usize>,
}

/// Old nodes to new ones and back.
#[derive(Debug)]
pub struct Carry {
    images: Vec<Option<Node>>,
    preimages: Vec<Option<Node>>,
    violations: Vec<Violation>,
    extents: Extents,
}

/// Spans inside of which anything may change.
#[derive(Debug)]
struct Extents {
    starts: Vec<usize>,
    /// For each start how far an extent reaches that begins there or before.
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

/// A stretch of old text that is the same in the new one.
#[derive(Debug, Clone, Copy)]
struct Kept {
    old: Span,
    new: usize,
}

impl Carry {
    pub(super) fn new(old: &Tree, new: &Table, edits: &EditSet, intent: &Intent) -> Carry {
        let mut carry = Carry {
            images: vec![None; old.table().len()],
            preimages: vec![None; new.len()],
            violations: Vec::new(),
            extents: Extents::new(&intent.extents),
        };
        let kept = kept(old.text().len(), edits, &intent.moved);
        carry.leaves(old, new, &kept);
        if intent.claims_first {
            for claim in &intent.claims {
                carry.claim(old, new, *claim);
            }
        }
        carry.parents(old, new, intent);
        if carry.images[0].is_none()
            && carry.preimages[0].is_none()
            && old.table().type_id(Node::ROOT) == new.type_id(Node::ROOT)
        {
            carry.link(Node::ROOT, Node::ROOT);
        }
        if !intent.claims_first {
            for claim in &intent.claims {
                carry.claim(old, new, *claim);
            }
        }
        carry.fields(old, new, intent);
        carry.violations.sort_by_key(|violation| violation.node);
        carry
    }

    /// What an old node is now.
    pub fn image(&self, old: Node) -> Option<Node> {
        self.images[old.index()]
    }

    /// What a new node was.
    pub fn preimage(&self, new: Node) -> Option<Node> {
        self.preimages[new.index()]
    }

    /// What each new node was, in document order.
    pub(super) fn preimages(&self) -> &[Option<Node>] {
        &self.preimages
    }

    /// The nodes outside of the edit that it changed, in document order.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// The old nodes that are no more, in document order.
    pub fn removed(&self) -> impl Iterator<Item = Node> + '_ {
        self.images.iter().enumerate().filter(|(_, image)| image.is_none()).map(|(index, _)| Node::at(index))
    }

    /// The new nodes that weren't there before, in document order.
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

    /// Leaves in kept text: the leaf of that type at the new place.
    fn leaves(&mut self, old: &Tree, new: &Table, kept: &[Kept]) {
        let table = old.table();
        let mut at = 0;
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
            let places = new.range(new.first_from(start), new.len());
            let found = places.take_while(|&place| new.span(place).start() == start).find(same);
            match found {
                Some(place) => self.link(node, place),
                None => self.violate(old, node, Some(start)),
            }
        }
    }

    /// Nodes above: the parent that the images of all children share.
    fn parents(&mut self, old: &Tree, new: &Table, intent: &Intent) {
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
            // What this node's parent should be in the new table.
            let mut above = None;
            match vote {
                _ if is_claimed => {
                    above = self.images[node.index()].and_then(|image| new.parent(image));
                }
                Vote::None => above = self.images[node.index()].filter(|_| is_leaf).and_then(|image| new.parent(image)),
                Vote::Split => self.violate(old, node, None),
                Vote::For(mut place) => {
                    // Wrappers come and go unseen: a decorated definition around what had no decorator.
                    let wanted = table.type_id(node);
                    // What lives on as another node is the end of it.
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

    /// A replaced node lives on as the one node of code that stands in its place, and so do the wrappers around it.
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
        // Decorated code for an undecorated definition, or the other way round: the definition inside is meant.
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

    /// A node all of whose insides were replaced is still the same if it fills the same field of the same parent; so is a
    /// body in no field, where a parent has but one.
    fn fields(&mut self, old: &Tree, new: &Table, intent: &Intent) {
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

/// Whether a node's text is in none of its children. Some grammars put empty nodes into what otherwise is a leaf, such as the end
/// of a line in the content of a fenced block.
fn is_leaf(table: &Table, node: Node) -> bool {
    table.children(node).all(|child| table.span(child).is_empty())
}

/// The outer of two places when only wrappers lie between them, or what holds both when each stands in wrappers of its own.
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

/// The stretches of old text that are kept, in order: all between the edits, and what was moved.
fn kept(length: usize, edits: &EditSet, moved: &[Moved]) -> Vec<Kept> {
    let mut kept = Vec::with_capacity(edits.len() + moved.len() + 1);
    let (mut at, mut new_at) = (0, 0);
    for (edit, new_span) in edits.iter().zip(edits.new_spans()) {
        if edit.span.start() > at {
            kept.push(Kept { old: Span::new(at, edit.span.start()), new: new_at });
        }
        at = edit.span.end();
        new_at = new_span.end();
    }
    if at < length {
        kept.push(Kept { old: Span::new(at, length), new: new_at });
    }
    kept.extend(
        moved.iter().filter(|moved| !moved.from.is_empty()).map(|moved| Kept { old: moved.from, new: moved.to }),
    );
    kept.sort_by_key(|stretch| stretch.old.start());
    kept
}
