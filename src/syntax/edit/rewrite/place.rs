//! The template law: the result of a rewrite, parsed again, is the tree of the template with the trees of the captures
//! in place of the placeholders, at the place of the match.
//!
//! Four things are checked. Each capture must be the same node as before. The replacement of the match must be one node
//! if the template is one ([`Shapes`]). Both must be in places where the language allows them without parentheses
//! ([`Grouping`]). And no line may end where that would end the statement.

use std::collections::HashMap;

use super::Site;
use super::compose::{Composer, Mark, Parens};
use super::correspondence::{at, is_bracketed, is_broken_string, is_cut, is_run, is_same, is_text, needs_brackets};
use super::shapes::Shapes;
use crate::edit::grouping::Grouping;
use crate::edit::lines;
use crate::selector::Shape;
use crate::text::Span;
use crate::tree::{Captured, Node, Tree};

/// A result that differs from the template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fault {
    pub site: usize,
    /// The placeholder; `None` for the replacement of the whole match.
    pub place: Option<usize>,
    /// Whether it may stay if parentheses do not help: a node of another type, as in a pattern or a type.
    pub may_stay: bool,
}

/// A rewritten tree and the old one.
pub(super) struct Law<'a> {
    pub composer: &'a Composer<'a>,
    pub new: &'a Tree,
    pub marks: &'a [Mark],
    pub parens: &'a Parens,
    /// Parentheses that were tried and did not help.
    pub refused: &'a Parens,
    pub shapes: &'a Shapes,
}

impl Law<'_> {
    /// All differences from the template. If there are new errors, differences over several lines come first: a line
    /// end may have ended their statement.
    pub fn faults(&self) -> Vec<Fault> {
        let (old, new) = (self.composer.tree, self.new);
        let mut faults = Vec::new();
        let marks = self.marks.iter().filter(|mark| !mark.new.is_empty());
        for mark in marks.clone() {
            if let Some(may_stay) = self.fault(mark) {
                faults.push(Fault { site: mark.site, place: mark.place, may_stay });
            }
        }
        self.misgrouped(&mut faults);
        if old.is_sound() && !new.is_sound() {
            let of =
                |fault: &Fault| self.marks.iter().find(|mark| (mark.site, mark.place) == (fault.site, fault.place));
            let is_untried = |fault: &Fault| {
                let known = (fault.site, fault.place);
                !self.parens.contains(&known) && !self.refused.contains(&known)
            };
            let breaks = |fault: &&Fault| {
                fault.place.is_some()
                    && is_untried(fault)
                    && of(fault).is_some_and(|mark| lines::breaks(new.text(), mark.new))
            };
            let broken: Vec<Fault> = faults.iter().filter(breaks).copied().collect();
            if !broken.is_empty() {
                return broken;
            }
        }
        // The whole is checked if its captures are right.
        let mut at_fault: Vec<usize> = faults.iter().map(|fault| fault.site).collect();
        at_fault.sort_unstable();
        at_fault.dedup();
        let mut of_site: Vec<&Mark> = self.marks.iter().collect();
        of_site.sort_by_key(|mark| mark.site);
        for marks in of_site.chunk_by(|one, other| one.site == other.site) {
            let site = marks[0].site;
            if at_fault.binary_search(&site).is_err()
                && let Some(may_stay) = self.unshaped(site, marks)
            {
                faults.push(Fault { site, place: None, may_stay });
            }
        }
        faults
    }

    /// Whether a mark differs from the old node; if so, whether it may stay.
    fn fault(&self, mark: &Mark) -> Option<bool> {
        let (old, new) = (self.composer.tree, self.new);
        let Some(place) = mark.place else { return (!is_run(new, mark.new)).then_some(false) };
        if is_broken_string(new, mark.new) {
            return Some(false);
        }
        if self.is_textual(mark) {
            return None;
        }
        match self.composer.captured(mark.site, place)? {
            Captured::Node(node) => {
                if is_cut(new, mark.new) {
                    return Some(false);
                }
                let has_parens = self.parens.contains(&(mark.site, Some(place)));
                let (open, close) = (self.composer.parens.0.len(), self.composer.parens.1.len());
                let around = Span::new(mark.new.start().saturating_sub(open), mark.new.end() + close);
                if is_same(old, new, node, mark.new) || has_parens && is_bracketed(old, new, node, around) {
                    return None;
                }
                Some(at(new, mark.new).any(|node| new.table().is_named(node)))
            }
            Captured::Siblings { .. } => (!is_run(new, mark.new)).then_some(true),
            Captured::Nothing => None,
        }
    }

    /// Whether a capture became part of a string or of a longer word.
    fn is_textual(&self, mark: &Mark) -> bool {
        mark.place.is_some_and(|place| self.composer.is_glued(place) || is_text(self.new, mark.new))
    }

    /// Finds nodes that the language does not allow in their places.
    fn misgrouped(&self, faults: &mut Vec<Fault>) {
        let (before, after) = (Grouping::new(self.composer.tree), Grouping::new(self.new));
        if after.is_empty() {
            return;
        }
        // For each node in an invalid place, the smallest mark that contains it.
        let mut banned: HashMap<Node, &Mark> = HashMap::new();
        for mark in self.marks.iter().filter(|mark| !mark.new.is_empty()) {
            if self.is_textual(mark) {
                continue;
            }
            let exact = at(self.new, mark.new).find(|&node| self.new.span(node) == mark.new);
            let Some(node) = exact.or_else(|| at(self.new, mark.new).next()) else { continue };
            let was = match mark.place {
                None => Some(self.composer.sites[mark.site].node),
                Some(place) => self.composer.captured(mark.site, place).and_then(Captured::node),
            };
            let was = was.map(|was| (before, was));
            let binds = after.seat(node).is_none_or(|seat| after.binds(seat));
            if !binds || after.is_glued(mark.new) {
                faults.push(Fault { site: mark.site, place: mark.place, may_stay: false });
            }
            for culprit in after.banned(node, mark.new, was) {
                let smallest = banned.entry(culprit).or_insert(mark);
                if mark.new.len() < smallest.new.len() {
                    *smallest = mark;
                }
            }
        }
        for mark in banned.into_values() {
            let fault = Fault { site: mark.site, place: mark.place, may_stay: false };
            if !faults.contains(&fault) {
                faults.push(fault);
            }
        }
    }

    /// The first site with a node that the enclosing function does not allow, and the node, unless the match already
    /// had such a node.
    pub fn misplaced(&self) -> Option<(usize, Node)> {
        let old = self.composer.tree;
        let misplaced = Grouping::new(self.new).misplaced();
        let before = if misplaced.is_empty() { Vec::new() } else { Grouping::new(old).misplaced() };
        misplaced.into_iter().find_map(|node| {
            let span = self.new.span(node);
            let around = self.marks.iter().filter(|mark| mark.place.is_none() && mark.new.contains(span));
            let mark = around.min_by_key(|mark| mark.new.len())?;
            let site = old.span(self.composer.sites[mark.site].node);
            let stood = before.iter().any(|&node| site.contains(old.span(node)));
            (!stood).then_some((mark.site, node))
        })
    }

    /// Whether the replacement of a site is not one node although the template is, or a node of another type; if so,
    /// whether it may stay. If the template cannot be read on its own, the grammar's reading in its place counts.
    fn unshaped(&self, site: usize, marks: &[&Mark]) -> Option<bool> {
        let new = self.new;
        let whole = marks.iter().find(|mark| mark.place.is_none()).filter(|whole| !whole.new.is_empty())?;
        // A keyword of the grammar is what it is in its place.
        let is_named = self.composer.tree.table().is_named(self.composer.sites[site].node);
        if !is_named || self.composer.is_one_place() || marks.iter().any(|mark| self.is_textual(mark)) {
            return None;
        }
        let source = self.composer.source(site)?;
        let shape = self.shapes.of(&source, new.language())?;
        if shape.is_hole() {
            return None;
        }
        let bare = self.unlike(&shape, whole.new);
        if bare.is_none() || !self.parens.contains(&(site, None)) {
            return bare;
        }
        // A list without brackets is another node in parentheses.
        let (open, close) = &self.composer.parens;
        let Some(shape) = self.shapes.of(&format!("{open}{source}{close}"), new.language()) else { return bare };
        let around = Span::new(whole.new.start().saturating_sub(open.len()), whole.new.end() + close.len());
        self.unlike(&shape, around)
    }

    /// Whether the template is a statement that is not an expression, and the match a part of another statement.
    pub fn is_statement_in_expression(&self, site: usize) -> bool {
        let (tree, node) = (self.composer.tree, self.composer.sites[site].node);
        let Some(rule) = &tree.language().spec().statements else { return false };
        let is_plain = |id| rule.types.contains(id) && !tree.language().role(id).wrapper;
        let holder = Grouping::new(tree).seat(node).map(|seat| seat.parent);
        let is_inside = holder.is_some_and(|holder| !rule.holders.contains(tree.table().type_id(holder)));
        let shape = || self.composer.source(site).and_then(|source| self.shapes.of(&source, tree.language()));
        is_inside && shape().is_some_and(|shape| shape.roots().next().is_some() && shape.roots().all(is_plain))
    }

    /// Whether some bytes are not a node of one of the template's types; if so, whether they may stay as a node of
    /// another type. A block may only if the template is one.
    fn unlike(&self, shape: &Shape, span: Span) -> Option<bool> {
        let (table, language) = (self.new.table(), self.new.language());
        let types = || at(self.new, span).filter(|&node| table.is_named(node)).map(|node| table.type_id(node));
        if types().any(|id| shape.roots().any(|root| root == id)) {
            return None;
        }
        let is_body = |id| language.role(id).body && !language.role(id).list;
        let is_node = at(self.new, span).next().is_some();
        Some(is_node && (types().next().is_none() || !types().all(is_body)))
    }
}

/// The captures that need parentheses because their lines end outside brackets, as far as that is known before the
/// result is parsed: those of whole statements, in places of the template that are not in brackets.
pub(super) fn broken_over_lines(composer: &Composer<'_>) -> Parens {
    let (tree, table) = (composer.tree, composer.tree.table());
    let is_body = |node: Node| {
        let role = tree.language().role(table.type_id(node));
        role.body && !role.list
    };
    let is_statement = |node: Node| {
        let span = table.span(node);
        let outer = table.ancestors(node).find(|&outer| table.span(outer) != span);
        outer.is_some_and(|outer| outer == Node::ROOT || is_body(outer))
    };
    let mut parens = Parens::default();
    if !tree.language().spec().indentation_is_syntax || !composer.has_parens() || !tree.is_sound() {
        return parens;
    }
    for place in composer.bare_places() {
        for (site, found) in composer.sites.iter().enumerate() {
            let captured = composer.captured(site, place).and_then(Captured::node);
            let is_broken = |node: Node| node != found.node && needs_brackets(tree, node) && is_statement(found.node);
            parens.extend(captured.filter(|&node| is_broken(node)).map(|_| (site, Some(place))));
        }
    }
    parens
}

/// The first node of a match that the language groups differently from the grammar, so that the match is not what was
/// meant.
pub(super) fn misread(tree: &Tree, site: &Site) -> Option<Node> {
    let grouping = Grouping::new(tree);
    // In a broken file, the grouping comes from error recovery.
    if grouping.is_empty() || !tree.is_sound() {
        return None;
    }
    let is_wrong = |&node: &Node| grouping.seat(node).is_some_and(|seat| !grouping.binds(seat));
    if is_wrong(&site.node) {
        return Some(site.node);
    }
    let table = tree.table();
    let captured = site.captures.iter().filter_map(|(_, captured)| captured.node());
    captured.filter(|&node| table.is_within(node, site.node)).find_map(|node| {
        let around = std::iter::once(node).chain(table.ancestors(node));
        around.take_while(|&node| node != site.node).find(is_wrong)
    })
}
