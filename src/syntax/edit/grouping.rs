//! Whether nodes need parentheses in their places, according to the language's precedence, which is data.
//!
//! A grammar may accept more than the language, and group it differently, so parsing is not enough. These checks look
//! at a node, its parent and, for bans, all ancestors that it begins or ends, or in which it is without brackets in
//! between.

use crate::language::{Ban, Child, Form, Groups, OperandPlace, Precedence, Side, TypeSet};
use crate::text::Span;
use crate::tree::{Node, NodeSet, Tree};

/// Whether a node needs parentheses in the place of another node of its tree.
pub fn needs_parentheses(tree: &Tree, node: Node, place: Node) -> bool {
    Grouping::new(tree).is_loose_in(node, place)
}

/// A tree, with the precedence of its language.
#[derive(Clone, Copy)]
pub(super) struct Grouping<'t> {
    tree: &'t Tree,
    rules: &'t Precedence,
}

/// A node and its place in its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seat {
    pub parent: Node,
    /// The outermost node with the same bytes.
    pub child: Node,
}

impl<'t> Grouping<'t> {
    pub fn new(tree: &'t Tree) -> Grouping<'t> {
        Grouping { tree, rules: tree.language().precedence() }
    }

    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The place of a node: under the first ancestor with other bytes.
    pub fn seat(&self, node: Node) -> Option<Seat> {
        let table = self.tree.table();
        let span = table.span(node);
        let mut child = node;
        for parent in table.ancestors(node) {
            if table.span(parent) != span {
                return Some(Seat { parent, child });
            }
            child = parent;
        }
        None
    }

    /// Whether a node binds tightly enough for its place.
    pub fn binds(&self, seat: Seat) -> bool {
        self.fits_target(seat) && {
            let Some(least) = self.least(seat) else { return true };
            let Some((level, trails)) = self.level(seat.child) else { return true };
            level >= least || trails && self.is_child(seat, Child::Last)
        }
    }

    /// Whether the target of an assignment is valid, in parentheses or not.
    fn fits_target(&self, seat: Seat) -> bool {
        let mut seat = seat;
        while let Some(outer) = self.seat(seat.parent).filter(|_| self.parenthesized(seat.parent) == Some(seat.child)) {
            seat = outer;
        }
        let type_id = self.tree.table().type_id(seat.parent);
        let mut targets = self.rules.targets_of(type_id).iter().filter(|(place, _)| self.is_at(seat, place));
        targets.all(|(_, forms)| {
            let bare = self.bare(seat.child);
            self.chain(bare).any(|node| forms.iter().any(|form| self.has_form(node, form)))
        })
    }

    /// The content of parentheses.
    fn bare(&self, node: Node) -> Node {
        let mut bare = node;
        while let Some(inner) = self.parenthesized(bare) {
            bare = inner;
        }
        bare
    }

    /// The content of a node that consists only of parentheses.
    pub fn parenthesized(&self, node: Node) -> Option<Node> {
        let table = self.tree.table();
        let mut children = table.children(node).filter(|&child| !self.tree.is_comment(child));
        let (first, inner, last) = (children.next()?, children.next()?, children.next()?);
        let is_it = children.next().is_none()
            && Some(table.type_id(first)) == self.tree.language().spec().punctuation.parenthesis
            && Some(table.type_id(last)) == self.tree.language().spec().punctuation.closing_parenthesis
            && table.is_named(inner);
        is_it.then_some(inner)
    }

    /// The lowest level that a place accepts.
    fn least(&self, seat: Seat) -> Option<usize> {
        let type_id = self.tree.table().type_id(seat.parent);
        let operands = self.rules.operands_of(type_id);
        // A rule for a form with tokens takes precedence over a rule for the type.
        let is_said = |plain: bool| {
            let mut said = operands.iter().filter(|(place, _)| {
                (place.form.tokens.is_empty() && place.form.types.is_empty()) == plain && self.is_at(seat, place)
            });
            said.next().map(|(_, level)| *level)
        };
        if let Some(level) = is_said(false).or_else(|| is_said(true)) {
            return Some(level);
        }
        let forms = self.rules.forms_of(type_id);
        let form = forms.iter().find(|leveled| self.has_form(seat.parent, &leveled.form))?;
        let table = self.tree.table();
        let begins = table.children(seat.parent).find(|&child| !self.tree.is_comment(child));
        let is_prefix = begins.is_some_and(|first| !table.is_named(first) || first == seat.child);
        if self.is_child(seat, Child::First) {
            let is_infix = table.children(seat.parent).filter(|&child| !self.tree.is_comment(child)).last();
            let ends_in_operand = is_infix.is_some_and(|last| table.is_named(last));
            let is_next = form.groups == Groups::Neither || ends_in_operand && form.groups == Groups::Right;
            return Some(form.level + usize::from(is_next));
        }
        if self.is_child(seat, Child::Last) {
            let is_next = form.groups == Groups::Neither || !is_prefix && form.groups == Groups::Left;
            return Some(form.level + usize::from(is_next));
        }
        None
    }

    /// The level of the node in a place, and whether it may be a last operand at any level.
    fn level(&self, child: Node) -> Option<(usize, bool)> {
        self.chain(child).find_map(|node| {
            let forms = self.rules.forms_of(self.tree.table().type_id(node));
            forms.iter().find(|leveled| self.has_form(node, &leveled.form)).map(|found| (found.level, found.trails))
        })
    }

    /// Whether a tighter operator may take the node apart: it has a level.
    pub fn is_loose(&self, node: Node) -> bool {
        self.level(node).is_some() || self.rules.bracketed(self.tree.table().type_id(node)).is_some()
    }

    /// Whether a node needs parentheses in the place of another node of the tree.
    pub fn is_loose_in(&self, node: Node, place: Node) -> bool {
        let table = self.tree.table();
        let Some(seat) = self.seat(place).filter(|_| self.is_loose(node)) else { return false };
        let Some((level, trails)) = self.level(node) else { return true };
        let text = self.tree.text();
        // `-` before `-1` would be another operator.
        let before =
            text.slice(Span::new(table.span(seat.parent).start(), table.span(place).start())).chars().next_back();
        let is_glued =
            before.is_some_and(|before| before.is_ascii_punctuation() && self.tree.node_text(node).starts_with(before));
        match self.least(seat) {
            _ if is_glued => true,
            Some(least) => level < least && !(trails && self.is_child(seat, Child::Last)),
            None => {
                let mut seats = std::iter::successors(Some(seat), |seat| self.seat(seat.parent));
                let bans = |seat: Seat| !self.rules.bans_of(table.type_id(seat.parent)).is_empty();
                seats.find(|&seat| self.in_brackets(seat) || bans(seat)).is_some_and(|seat| !self.in_brackets(seat))
            }
        }
    }

    /// A node and its descendants with the same bytes.
    fn chain(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        let table = self.tree.table();
        let span = table.span(node);
        std::iter::successors(Some(node), move |&outer| {
            table.children(outer).find(|&child| table.is_named(child) && table.span(child) == span)
        })
    }

    fn has_form(&self, node: Node, form: &Form) -> bool {
        let table = self.tree.table();
        if table.type_id(node) != form.type_id {
            return false;
        }
        if !form.without.is_empty() && table.children(node).any(|child| form.without.contains(&table.type_id(child))) {
            return false;
        }
        if form.tokens.is_empty() && form.types.is_empty() {
            return true;
        }
        table.children(node).any(|child| {
            form.types.contains(&table.type_id(child))
                || table.subtree_end(child) <= child.index() + 2
                    && (form.token_ids.contains(table.type_id(child))
                        || table.is_named(child)
                            && form.tokens.iter().any(|token| *token == self.tree.node_text(child)))
        })
    }

    fn is_at(&self, seat: Seat, place: &OperandPlace) -> bool {
        self.has_form(seat.parent, &place.form) && self.is_child(seat, place.child)
    }

    fn is_child(&self, seat: Seat, child: Child) -> bool {
        let table = self.tree.table();
        let children = || table.children(seat.parent).filter(|&child| !self.tree.is_comment(child));
        match child {
            Child::Any => true,
            Child::First => children().next() == Some(seat.child),
            Child::Last => children().last() == Some(seat.child),
            Child::Inner => {
                table.is_named(seat.child) && !self.is_child(seat, Child::First) && !self.is_child(seat, Child::Last)
            }
            Child::Field(field) => table.field(seat.child) == field,
        }
    }

    /// The nodes within some bytes that are not allowed there without parentheses around these bytes or a part of them.
    /// `before` is the old text of the bytes.
    pub fn banned(&self, node: Node, within: Span, before: Option<(Grouping<'_>, Node)>) -> Vec<Node> {
        let mut found = Vec::new();
        let Some(mut seat) = self.seat(node) else { return found };
        let table = self.tree.table();
        let mut is_bare = true;
        loop {
            let span = table.span(seat.child);
            let (begins, ends) = (span.start() == within.start(), span.end() == within.end());
            let is_whole = begins && ends;
            for (place, number) in self.rules.bans_of(table.type_id(seat.parent)) {
                if !self.is_at(seat, place) {
                    continue;
                }
                let ban = &self.rules.bans[*number];
                let is_same = |(old, node): (Grouping<'_>, Node)| {
                    old.seat(node).is_some_and(|seat| old.is_at(seat, place) && old.in_place(seat.child, ban).is_some())
                };
                if ban.unless_before && before.is_none_or(is_same) {
                    continue;
                }
                let culprit = match ban.side {
                    Side::Whole if is_whole => self.chain(seat.child).find(|&node| self.is_culprit(node, ban)),
                    Side::First if begins => self.on_edge(seat.child, within, ban, &|span| span.start()),
                    Side::Last if ends => self.on_edge(seat.child, within, ban, &|span| span.end()),
                    Side::Bare if is_bare => self.bare_in(node, ban),
                    _ => None,
                };
                found.extend(culprit);
            }
            is_bare = is_bare && !self.in_brackets(seat);
            if !(begins || ends || is_bare) {
                return found;
            }
            match self.seat(seat.parent) {
                Some(next) => seat = next,
                None => return found,
            }
        }
    }

    /// A banned node in a place.
    fn in_place(&self, child: Node, ban: &Ban) -> Option<Node> {
        let within = self.tree.span(child);
        match ban.side {
            Side::Whole => self.chain(child).find(|&node| self.is_culprit(node, ban)),
            Side::First => self.on_edge(child, within, ban, &|span| span.start()),
            Side::Last => self.on_edge(child, within, ban, &|span| span.end()),
            Side::Bare => self.bare_in(child, ban),
        }
    }

    /// Nodes in a tree that are in an invalid place: parents with children that do not bind, and banned nodes.
    pub fn faults(&self) -> Vec<Node> {
        let table = self.tree.table();
        let mut faults = Vec::new();
        for node in table.nodes().filter(|&node| table.is_named(node)) {
            let Some(seat) = self.seat(node).filter(|seat| seat.child == node) else { continue };
            if !self.binds(seat) {
                faults.push(node);
            }
            for (place, number) in self.rules.bans_of(table.type_id(seat.parent)) {
                let ban = &self.rules.bans[*number];
                if !ban.unless_before && self.is_at(seat, place) {
                    faults.extend(self.in_place(seat.child, ban));
                }
            }
        }
        faults
    }

    /// Nodes that are not allowed in the enclosing function, or outside one: an `await` in a function that is not
    /// `async`.
    pub fn misplaced(&self) -> Vec<Node> {
        if self.rules.within.is_empty() {
            return Vec::new();
        }
        let table = self.tree.table();
        let is_misplaced = |&node: &Node| {
            let rules = self.rules.within.iter().filter(|rule| rule.of.iter().any(|form| self.has_form(node, form)));
            let around = |forms: &[Form]| {
                table.ancestors(node).find(|&around| forms.iter().any(|form| self.has_form(around, form)))
            };
            let mut refused = rules.filter(|rule| {
                let innermost = around(&rule.around);
                innermost.is_some_and(|around| !rule.only.iter().any(|form| self.has_form(around, form)))
            });
            refused.next().is_some()
        };
        let types: TypeSet = self.rules.within.iter().flat_map(|rule| &rule.of).map(|form| form.type_id).collect();
        NodeSet::of_types(table.types(), types.ids()).iter().filter(is_misplaced).collect()
    }

    fn is_culprit(&self, node: Node, ban: &Ban) -> bool {
        let parent = || self.seat(node).map(|seat| seat.parent);
        ban.of.iter().any(|form| self.has_form(node, form))
            && (ban.under.is_empty()
                || parent().is_some_and(|parent| ban.under.iter().any(|form| self.has_form(parent, form))))
    }

    /// A banned node at an edge of a place, within some bytes.
    fn on_edge(&self, place: Node, within: Span, ban: &Ban, edge: &dyn Fn(Span) -> usize) -> Option<Node> {
        let table = self.tree.table();
        let at = edge(within);
        let next = |&node: &Node| {
            let children = table.children(node).filter(|&child| edge(table.span(child)) == at);
            children.filter(|&child| !table.span(child).is_empty()).last()
        };
        let spine = std::iter::successors(Some(place), next);
        spine
            .filter(|&node| within.contains(table.span(node)) && table.is_named(node))
            .find(|&node| self.is_culprit(node, ban))
    }

    /// A banned node inside a node, but not in brackets.
    fn bare_in(&self, node: Node, ban: &Ban) -> Option<Node> {
        let table = self.tree.table();
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            if self.is_culprit(node, ban) {
                return Some(node);
            }
            let mut depth = 0usize;
            for child in table.children(node) {
                match self.tree.type_name(child) {
                    "(" | "[" | "{" => depth += 1,
                    ")" | "]" | "}" => depth = depth.saturating_sub(1),
                    _ if depth == 0 && table.is_named(child) => open.push(child),
                    _ => {}
                }
            }
        }
        None
    }

    /// Whether a child is inside brackets of its parent.
    fn in_brackets(&self, seat: Seat) -> bool {
        let table = self.tree.table();
        let mut depth = 0usize;
        for child in table.children(seat.parent) {
            if child == seat.child {
                break;
            }
            match self.tree.type_name(child) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        depth > 0
    }

    /// Whether an operator before or after some bytes becomes one token with their start or end.
    pub fn is_glued(&self, span: Span) -> bool {
        let text = self.tree.text();
        let is_sign =
            |start: usize, sign: &str| sign.bytes().zip(start..).all(|(byte, at)| text.byte(at) == Some(byte));
        let is_one = |at: usize, sign: &String| {
            (1..sign.len()).any(|before| at.checked_sub(before).is_some_and(|start| is_sign(start, sign)))
        };
        self.rules.glued.iter().any(|sign| is_one(span.start(), sign) || is_one(span.end(), sign))
    }
}
