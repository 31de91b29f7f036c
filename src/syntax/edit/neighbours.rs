//! Protects the surroundings of an edit: wrappers, attributes, labels and documentation of nodes that no operation
//! named.
//!
//! [`NodeMap`](crate::tree::NodeMap) lets wrappers appear and disappear, because decorating a function makes one. So a
//! decorator without a definition of its own could attach to the next definition, and an `export default` to the next
//! statement, with every node still in its place. This module compares the content of wrappers and the targets of
//! attributes before and after.

use rustc_hash::{FxHashMap, FxHashSet};

use super::batch::ComposedBatch;
use super::{extent, structure};
use crate::text::Span;
use crate::tree::{Edited, Node, NodeSet, Tree};

/// A node that no operation named and that changed.
#[derive(Debug)]
pub(super) struct Disturbance {
    /// The node, of the old tree.
    pub(super) node: Node,
    /// What would happen to it.
    pub(super) how: String,
}

/// The first node outside the edit whose wrappers or attachments the edit changes.
pub(super) fn find(old: &Tree, edited: &Edited, composed: &ComposedBatch) -> Option<Disturbance> {
    let check = Check::new(old, edited, composed);
    let found = check
        .gained_wrapper()
        .or_else(|| check.lost_wrapper())
        .or_else(|| check.moved_attribute())
        .or_else(|| check.moved_comment())
        .or_else(|| check.gained_child())
        .or_else(|| check.fell_in())
        .or_else(|| check.other_part())
        .or_else(|| check.lost_attribute())
        .or_else(|| check.vanished());
    found.map(|(node, how)| Disturbance { node, how })
}

/// A node, and what would happen to it.
type Diagnosis = Option<(Node, String)>;

struct Check<'a> {
    old: &'a Tree,
    new: &'a Tree,
    edited: &'a Edited,
    composed: &'a ComposedBatch,
    /// Nodes that operations named, with the wrappers that contain nothing else.
    named: NodeSet,
    /// Nodes that contain the nodes named by operations, or the places of insertions.
    around: NodeSet,
    /// Nodes that contain more than the node that an operation wraps: the `a.b` of a wrapped `a`.
    around_wrapped: NodeSet,
    /// The bytes that the edits replace, in order.
    spans: Vec<Span>,
}

impl<'a> Check<'a> {
    fn new(old: &'a Tree, edited: &'a Edited, composed: &'a ComposedBatch) -> Check<'a> {
        let table = old.table();
        let mut named = NodeSet::empty(table.len());
        let mut around = NodeSet::empty(table.len());
        let mut add_around = |node: Node| {
            // The ancestors of a node that was visited before were visited, too.
            let ancestors = std::iter::once(node).chain(table.ancestors(node));
            for above in ancestors {
                if around.contains(above) {
                    break;
                }
                around.insert(above);
            }
        };
        for &node in composed.named.iter().chain(&composed.intent.relocated) {
            let whole = [Some(node), old.attachments().adopter(node)];
            for node in whole.into_iter().flatten() {
                let outward = std::iter::successors(Some(node), |&inner| {
                    table.parent(inner).filter(|&parent| old.inner(parent) == Some(inner))
                });
                let inward = std::iter::successors(Some(node), |&outer| old.inner(outer));
                outward.chain(inward).for_each(|node| {
                    named.insert(node);
                    add_around(node);
                });
            }
        }
        composed.holders.iter().for_each(|&(_, holder)| add_around(holder));
        let mut around_wrapped = NodeSet::empty(table.len());
        for node in composed.wrapped().flat_map(|node| table.ancestors(node)).filter(|&node| !named.contains(node)) {
            around_wrapped.insert(node);
        }
        let spans = composed.edits.iter().map(|edit| edit.span).collect();
        Check { old, new: &edited.tree, edited, composed, named, around, around_wrapped, spans }
    }

    /// Whether the edit may change the surroundings of a node.
    fn is_free(&self, node: Node) -> bool {
        let is_in_extent = |span| self.edited.node_map.is_in_extent(span);
        self.named.contains(node)
            || is_in_extent(self.old.span(node))
            || is_in_extent(extent::trimmed_span(self.old, node))
    }

    /// Whether an edit is inside a node, or the node contains one that an operation named.
    fn is_touched(&self, node: Node) -> bool {
        // Some grammars include the whitespace up to the next statement in a block; an insertion there is not inside
        // the block.
        let span = self.old.span(node);
        let is_blank = |at: &usize| self.old.text().byte(at - 1).is_some_and(|byte| byte.is_ascii_whitespace());
        let blanks = (span.start() + 1..=span.end()).rev().take_while(is_blank).count();
        let span = Span::new(span.start(), span.end() - blanks);
        let at = self.spans.partition_point(|edit| edit.end() <= span.start());
        let is_inside = |edit: &Span| edit.start() < span.end() && (span.start() < edit.start() || !edit.is_empty());
        // What is put before the first statement is inside the file.
        let is_root = node == Node::ROOT && !self.spans.is_empty();
        is_root || self.around.contains(node) || self.spans.get(at).is_some_and(is_inside)
    }

    /// The old parent of a node, without wrappers that are gone.
    fn kept_parent(&self, node: Node) -> Option<Node> {
        let table = self.old.table();
        let role = |node: Node| self.old.language().role(table.type_id(node));
        let gone = |node: Node| self.edited.node_map.image(node).is_none() && role(node).wrapper;
        table.ancestors(node).find(|&above| !gone(above))
    }

    fn new_wrappers(&self) -> impl Iterator<Item = Node> {
        let table = self.new.table();
        table.nodes().filter(|&node| self.new.language().role(table.type_id(node)).wrapper)
    }

    /// Whether a node counts as a part of its parent: not a comment, and not a token.
    fn counts(tree: &Tree, node: Node) -> bool {
        let table = tree.table();
        table.is_named(node) && !table.is_extra(node) && !tree.is_comment(node) && !table.span(node).is_empty()
    }

    /// A node that a wrapper absorbed.
    fn gained_wrapper(&self) -> Diagnosis {
        let table = self.new.table();
        for wrapper in self.new_wrappers() {
            let before = self.edited.node_map.preimage(wrapper);
            for child in table.children(wrapper).filter(|&child| Self::counts(self.new, child)) {
                let Some(node) = self.edited.node_map.preimage(child) else { continue };
                let Some(parent) = self.old.table().parent(node) else { continue };
                let is_beyond = before.is_none() && self.around_wrapped.contains(node);
                if before == Some(parent) || self.is_free(node) || self.is_touched(node) && !is_beyond {
                    continue;
                }
                if before.is_none() && self.takes_place_of(wrapper, parent) {
                    continue;
                }
                if before.is_none() || self.kept_parent(node) != before {
                    return Some((node, format!("put into a `{}`", self.new.type_name(wrapper))));
                }
            }
        }
        None
    }

    /// Whether a new wrapper is the result of an edit in an old one: `const a` of `var a`.
    fn takes_place_of(&self, wrapper: Node, old: Node) -> bool {
        let is_wrapper = self.old.language().role(self.old.table().type_id(old)).wrapper;
        let carried = self.new.table().children(wrapper).filter_map(|child| self.edited.node_map.preimage(child));
        let mut counted = carried.filter(|&child| Self::counts(self.old, child));
        // If two statements become one, the children of each must stay together.
        let image = |child: Node| self.edited.node_map.image(child).filter(|_| Self::counts(self.old, child));
        let mut images = self.old.table().children(old).filter_map(image);
        let stay_together = images.all(|image| self.new.table().parent(image) == Some(wrapper));
        is_wrapper
            && stay_together
            && self.edited.node_map.image(old).is_none()
            && self.is_touched(old)
            && counted.all(|child| self.old.table().parent(child) == Some(old))
    }

    /// A node that lost a wrapper with other content.
    fn lost_wrapper(&self) -> Diagnosis {
        let table = self.old.table();
        let is_lost = |node: &Node| {
            self.old.language().role(table.type_id(*node)).wrapper && self.edited.node_map.image(*node).is_none()
        };
        table.nodes().filter(is_lost).filter(|&node| !self.is_free(node)).find_map(|wrapper| {
            let survives = |child: &Node| {
                Self::counts(self.old, *child) && self.edited.node_map.image(*child).is_some() && !self.is_free(*child)
            };
            let mut survivors = table.children(wrapper).filter(survives);
            let (first, second) = (survivors.next()?, survivors.next()?);
            let place = |node: Node| self.edited.node_map.image(node).and_then(|image| self.new.table().parent(image));
            if place(first).is_some_and(|place| self.takes_place_of(place, wrapper)) && place(first) == place(second) {
                return None;
            }
            Some((second, format!("removed from its `{}`", self.old.type_name(wrapper))))
        })
    }

    /// An attribute that now belongs to another definition, or a definition that gained one.
    fn moved_attribute(&self) -> Diagnosis {
        if self.new.language().spec().leading.is_empty() {
            return None;
        }
        let (before, after) = (self.old.attachments(), self.new.attachments());
        for attribute in self.new.table().nodes() {
            if self.new.is_comment(attribute) || !after.is_leading(attribute) {
                continue;
            }
            let Some(definition) = after.adopter(attribute) else { continue };
            let was = self.edited.node_map.preimage(definition);
            match self.edited.node_map.preimage(attribute) {
                Some(attribute) if !self.is_free(attribute) => {
                    let owner = before.adopter(attribute).filter(|_| before.is_leading(attribute));
                    if owner.is_none() || owner != was {
                        let called = extent::name_in_messages(self.new, definition);
                        return Some((attribute, format!("put before {called}, where it does not belong")));
                    }
                }
                Some(attribute) if before.adopter(attribute) == was => {}
                _ => {
                    if let Some(was) = was.filter(|&was| !self.is_free(was) && !self.is_touched(was)) {
                        let what = self.new.node_text(attribute);
                        return Some((was, format!("given `{}`", first_line(&what))));
                    }
                }
            }
        }
        None
    }

    /// A comment that now documents another definition, or documentation that a definition gained.
    fn moved_comment(&self) -> Diagnosis {
        let owners = |tree: &Tree| {
            let mut owners: FxHashMap<Node, Node> = FxHashMap::default();
            for node in tree.table().nodes().filter(|&node| node != Node::ROOT && tree.is_scope(node)) {
                let first = extent::first_attached(tree, tree.outermost_wrapper(node));
                for comment in extent::attached_comments(tree, first) {
                    owners.entry(comment).or_insert(node);
                }
                // There may be blank lines in between; a notice about the file is not documentation.
                let documents = tree.doc_comments(node);
                if !extent::is_notice(tree, &documents) {
                    for comment in documents {
                        owners.entry(comment).or_insert(node);
                    }
                }
            }
            owners
        };
        let before = owners(self.old);
        let after = owners(self.new);
        let begins = &self.new.language().spec().docs.begins;
        let mut found: Vec<(Node, String)> = Vec::new();
        for (&comment, &definition) in &after {
            let was = self.edited.node_map.preimage(definition);
            let Some(was) = was.filter(|&was| !self.is_free(was) && !self.is_touched(was)) else { continue };
            let called = extent::name_in_messages(self.new, definition);
            match self.edited.node_map.preimage(comment).filter(|&was| self.old.is_comment(was)) {
                Some(comment) if self.is_free(comment) => {}
                Some(comment) => {
                    // It may have been the documentation of a variable, which is not looked up here.
                    let what = self.old.node_text(comment);
                    let documents = || begins.iter().any(|begin| what.starts_with(begin.as_str()));
                    let other = before.get(&comment).map_or_else(documents, |&owner| owner != was);
                    found.extend(other.then(|| (comment, format!("put above {called}, where it does not belong"))));
                }
                None => {
                    let what = self.new.node_text(comment);
                    let documents = begins.iter().any(|begin| what.starts_with(begin.as_str()));
                    // The same comment with another text.
                    let is_its = |(&old, &owner): (&Node, &Node)| {
                        owner == was && self.is_free(old) && self.edited.node_map.image(old).is_none()
                    };
                    let is_changed = || before.iter().any(is_its);
                    found.extend((documents && !is_changed()).then(|| (was, format!("given `{}`", first_line(&what)))));
                }
            }
        }
        found.extend(self.lost_documentation());
        found.into_iter().min_by_key(|(node, _)| *node)
    }

    /// Documentation that lost its definition because of an insertion below it.
    fn lost_documentation(&self) -> Diagnosis {
        // If comments of any form are documentation, many are about the statements below.
        if self.old.language().spec().docs.begins.is_empty() {
            return None;
        }
        let is_own = |node: &Node| !self.is_free(*node) && !self.is_touched(*node);
        let scopes = self.old.table().nodes().filter(|&node| node != Node::ROOT && self.old.is_scope(node));
        scopes.filter(is_own).find_map(|node| {
            let mut comments = self.old.doc_comments(node);
            comments.retain(|&comment| !extent::is_file_comment(self.old, comment));
            let image = self.edited.node_map.image(node).filter(|_| !comments.is_empty())?;
            let left = self.new.doc_comments(image);
            let is_lost = |comment: &Node| {
                let image = self.edited.node_map.image(*comment);
                !self.is_free(*comment) && image.is_some_and(|image| !left.contains(&image))
            };
            let lost = comments.iter().copied().filter(|_| !extent::is_notice(self.old, &comments)).find(is_lost)?;
            Some((lost, format!("separated from {}, which it documents", extent::name_in_messages(self.old, node))))
        })
    }

    /// A node outside the edit that gained a child: a function that gained an annotation.
    fn gained_child(&self) -> Diagnosis {
        let (table, signs) = (self.new.table(), &self.new.language().spec().punctuation);
        for child in table.nodes() {
            // A terminator or separator may be added. Any other token, such as the `*` of a generator, changes the
            // meaning of the node. A token that the parser inserted (the `)` of `def f(:`) has no text and is not
            // carried.
            let is_sign = |child: Node| {
                let id = table.type_id(child);
                let ends = signs.statement_ends.contains(id) || signs.comma == Some(id);
                !table.is_named(child) && !table.span(child).is_empty() && !ends
            };
            let Some(parent) = table.parent(child) else { continue };
            let Some(holder) = self.edited.node_map.preimage(parent) else { continue };
            let before = self.edited.node_map.preimage(child);
            if before.is_some_and(|before| self.old.table().parent(before) == Some(holder)) {
                continue;
            }
            if !(Self::counts(self.new, child) || is_sign(child)) || self.is_free(holder) || self.is_touched(holder) {
                continue;
            }
            if before.is_some_and(|before| self.kept_parent(before) == Some(holder)) {
                continue;
            }
            let what = self.new.node_text(child);
            return Some((holder, format!("given `{}`", first_line(&what))));
        }
        None
    }

    /// Statements that absorbed code that should be next to them: code between two cases, which becomes a part of the
    /// first.
    fn fell_in(&self) -> Diagnosis {
        let old = self.old;
        let mut blocks: FxHashMap<Node, Node> = FxHashMap::default();
        for (span, holder) in self.composed.inserted() {
            let block = || structure::inner_block(old, holder).unwrap_or(holder);
            let holder = *blocks.entry(holder).or_insert_with(block);
            for made in structure::outermost(self.new, span).into_iter().filter(|&made| Self::counts(self.new, made)) {
                let mut outward = self.new.table().ancestors(made);
                let Some(within) = outward.find_map(|above| self.edited.node_map.preimage(above)) else { continue };
                let case = std::iter::once(within).chain(old.table().parent(within));
                let is_case = case.into_iter().any(|node| old.language().role(old.table().type_id(node)).section);
                if within != holder && old.table().is_within(within, holder) && is_case {
                    let what = self.new.node_text(made);
                    return Some((within, format!("given `{}`, which belongs next to it", first_line(&what))));
                }
            }
        }
        None
    }

    /// A node with the same parent in another role: the first statement of a case without a value, which some languages
    /// read as the value.
    fn other_part(&self) -> Diagnosis {
        let (before, after) = (self.old.table(), self.new.table());
        let is_wrapper = |tree: &Tree, node: Node| tree.language().role(tree.table().type_id(node)).wrapper;
        before.nodes().filter(|&node| Self::counts(self.old, node)).find_map(|node| {
            let image = self.edited.node_map.image(node)?;
            let is_gone = |above: Node| self.edited.node_map.image(above).is_none() && is_wrapper(self.old, above);
            let outward = |&inner: &Node| before.parent(inner).filter(|&above| is_gone(above));
            let outer = std::iter::successors(Some(node), outward).last()?;
            let holder = self.edited.node_map.image(before.parent(outer)?)?;
            let is_new = |above: Node| self.edited.node_map.preimage(above).is_none() && is_wrapper(self.new, above);
            let outward = |&inner: &Node| after.parent(inner).filter(|&above| is_new(above));
            let place = std::iter::successors(Some(image), outward).last()?;
            let is_other = after.parent(place) == Some(holder) && before.field(outer) != after.field(place);
            (is_other && !self.is_free(node)).then(|| {
                let (part, holder) = (self.new.field_name(place), self.new.type_name(holder));
                let part = if part.is_empty() { "a part" } else { part };
                (node, format!("made the {part} of its `{holder}`"))
            })
        })
    }

    /// An attribute that was replaced by something else, so that its definition lost it.
    fn lost_attribute(&self) -> Diagnosis {
        let language = self.new.language();
        self.composed.intent.claims.iter().find_map(|claim| {
            let role = |tree: &Tree, node: Node| language.role(tree.table().type_id(node));
            let is_attribute = |tree: &Tree, node: Node| role(tree, node).decorator || role(tree, node).leading;
            if !is_attribute(self.old, claim.node) {
                return None;
            }
            // Among modifiers, an annotation may be replaced by a modifier.
            let fits = |&node: &Node| {
                let is_modifier = role(self.new, node).modifier || role(self.new, node).modifier_holder;
                is_attribute(self.new, node) || is_modifier && !role(self.old, claim.node).leading
            };
            let made = structure::outermost(self.new, claim.new);
            let other = made.into_iter().filter(|&node| !self.new.is_comment(node)).find(|node| !fits(node))?;
            Some((claim.node, format!("replaced by a `{}`, which is not an attribute", self.new.type_name(other))))
        })
    }

    /// A name, number or word that disappeared without an operation that named it.
    fn vanished(&self) -> Diagnosis {
        let table = self.old.table();
        let violated: FxHashSet<Node> = self.edited.node_map.violations().iter().map(|found| found.node).collect();
        let is_gone = |&node: &Node| {
            table.subtree_end(node) == node.index() + 1
                && self.edited.node_map.image(node).is_none()
                && Self::counts(self.old, node)
                && !violated.contains(&node)
                && !self.is_free(node)
        };
        let gone = table.nodes().find(is_gone)?;
        Some((gone, "gone".to_owned()))
    }
}

fn first_line(text: &str) -> String {
    const SHOWN: usize = 30;
    text.lines().next().unwrap_or("").chars().take(SHOWN).collect()
}
