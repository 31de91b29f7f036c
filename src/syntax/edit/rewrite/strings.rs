//! Strings that pattern and template share: they stay as the match has them.
//!
//! A pattern matches a string in any quotes. If the template has the same string as the pattern, its delimiters and its text
//! are those of the match, and only the captures between them may change.

use super::Site;
use super::shapes::SharedLiterals;
use super::words::{CaptureInString, SharedString, captured, of_capture};
use crate::edit::Template;
use crate::edit::template::Placeholder;
use crate::language::Language;
use crate::text::Span;
use crate::tree::{Captured, Node, Tree};

/// The characters with which strings begin whose delimiters may differ.
const QUOTES: [char; 3] = ['"', '\'', '`'];

/// The strings of a template that its patterns have, too.
pub(super) struct SharedStrings {
    literals: Option<SharedLiterals>,
    /// Where each placeholder is in the template.
    holes: Vec<Span>,
}

impl SharedStrings {
    /// Reads a template in a language. Nothing is read if it has no strings.
    pub fn new(template: &Template, language: &'static Language) -> SharedStrings {
        let may_share = !template.patterns().is_empty() && template.code().any(|code| code.contains(QUOTES));
        let literals = may_share.then(|| template.shapes.literals(&template.source(), template.patterns(), language));
        let literals = literals.filter(|literals| !literals.shared.is_empty());
        SharedStrings { literals, holes: template.holes() }
    }

    /// The strings that a site has, too. `whole` are the bytes that the template replaces, `places` the placeholders of the
    /// template.
    pub fn of_site(&self, tree: &Tree, site: &Site, whole: Span, places: &[Placeholder]) -> Vec<SharedString> {
        let Some(literals) = &self.literals else { return Vec::new() };
        if places.iter().any(|place| place.name == "0") {
            return Vec::new();
        }
        let strings = strings(tree, site, whole, places);
        let mut found: Vec<SharedString> = Vec::new();
        let mut used: Vec<Node> = Vec::new();
        for &number in &literals.shared {
            let template = literals.read.span(number);
            if found.iter().any(|outer| outer.template.contains(template)) {
                continue;
            }
            let is_it = |node: &Node| literals.read.is_same(number, tree, *node, &site.captures);
            let is_free = |node: &Node| !used.iter().any(|&other| tree.span(other).overlaps(tree.span(*node)));
            let same: Vec<Node> = strings.iter().copied().filter(is_it).collect();
            let Some(&node) = same.iter().find(|node| is_free(node)).or_else(|| same.first()) else { continue };
            let Some(string) = self.shared(tree, site, places, node, template) else { continue };
            used.push(node);
            found.push(string);
        }
        found
    }
}

impl SharedStrings {
    /// The parts of a string of a match between its captures, if these are the ones that the template has in the string.
    fn shared(
        &self,
        tree: &Tree,
        site: &Site,
        places: &[Placeholder],
        node: Node,
        template: Span,
    ) -> Option<SharedString> {
        let string = tree.span(node);
        let mut opening = Span::at(string.start());
        let mut captures: Vec<CaptureInString> = Vec::new();
        let mut at = string.start();
        for (place, written) in places.iter().enumerate().filter(|(place, _)| template.contains(self.holes[*place])) {
            let Some((_, value)) = captured(site, &written.name) else { continue };
            if !written.filters.is_empty() {
                return None;
            }
            if value == Captured::Nothing {
                continue;
            }
            let span = of_capture(tree, value).filter(|span| string.contains(*span) && span.start() >= at)?;
            let before = Span::new(at, span.start());
            match captures.last_mut() {
                None => opening = before,
                Some(last) => last.after = before,
            }
            at = span.end();
            captures.push(CaptureInString { place, after: Span::at(at) });
        }
        let rest = Span::new(at, string.end());
        match captures.last_mut() {
            None => opening = rest,
            Some(last) => last.after = rest,
        }
        // Another capture in it is a word of its own.
        let in_template =
            |span: Span| captures.iter().any(|capture| self.captured_at(tree, site, places, *capture) == Some(span));
        let is_other = |(name, value): &(String, Captured)| {
            let span = of_capture(tree, *value).filter(|span| string.overlaps(*span) && !span.is_empty());
            places.iter().any(|place| place.name == *name) && span.is_some_and(|span| !in_template(span))
        };
        let is_whole = !opening.is_empty() && !rest.is_empty() && !site.captures.iter().any(is_other);
        is_whole.then_some(SharedString { template, opening, captures })
    }

    /// The bytes of a capture in a string.
    fn captured_at(&self, tree: &Tree, site: &Site, places: &[Placeholder], capture: CaptureInString) -> Option<Span> {
        captured(site, &places[capture.place].name).and_then(|(_, value)| of_capture(tree, value))
    }
}

/// The strings of a match outside its captures.
fn strings(tree: &Tree, site: &Site, whole: Span, places: &[Placeholder]) -> Vec<Node> {
    let table = tree.table();
    let used = |name: &String| places.iter().any(|place| place.name == *name);
    let captures: Vec<Span> = site
        .captures
        .iter()
        .filter(|(name, _)| used(name))
        .filter_map(|(_, captured)| of_capture(tree, *captured))
        .collect();
    let within = table.range(site.node.index(), table.subtree_end(site.node));
    let is_string = |node: &Node| {
        let span = table.span(*node);
        tree.language().role(table.type_id(*node)).string
            && whole.contains(span)
            && !captures.iter().any(|capture| capture.contains(span))
    };
    within.filter(is_string).collect()
}
