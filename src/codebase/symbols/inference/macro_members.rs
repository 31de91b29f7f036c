//! Arguments that are names of members, because a macro writes them after a dot: `f` of `#define GET(p, f) ((p)->f)`.

use super::macro_text::macro_parameters;
use super::resolver::{Resolver, View};
use crate::text::Span;

/// How many lines around a name are read to find the macro that it is given to.
const LINES: usize = 12;

/// How many macros are followed that give an argument to each other.
const DEPTH: usize = 6;

/// Whether a letter may be in a name.
fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The call of which a name is an argument by itself: the name of the function, and the number of the argument.
fn called_with(before: &str, after: &str) -> Option<(String, usize)> {
    if !after.trim_start_matches(['\\', ' ', '\t', '\n', '\r']).starts_with([',', ')']) {
        return None;
    }
    let before = before.trim_end_matches(['\\', ' ', '\t', '\n', '\r']);
    if !before.ends_with([',', '(']) {
        return None;
    }
    let (mut depth, mut position) = (0_usize, 0);
    for (at, sign) in before.char_indices().rev() {
        match sign {
            ')' | ']' => depth += 1,
            '(' if depth == 0 => {
                let callee = before[..at].trim_end();
                let name = callee.rsplit(|letter: char| !is_letter(letter)).next().filter(|name| !name.is_empty())?;
                return Some((name.to_owned(), position));
            }
            '(' | '[' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => position += 1,
            ';' | '{' | '}' => return None,
            _ => {}
        }
    }
    None
}

/// The places of a word in a text.
fn words<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = (&'t str, &'t str)> {
    let parts = text.match_indices(word).map(move |(at, _)| (&text[..at], &text[at + word.len()..]));
    parts.filter(|(before, after)| !before.ends_with(is_letter) && !after.starts_with(is_letter))
}

impl Resolver<'_> {
    /// Whether a macro makes the name of a member of what is at a place.
    pub(in crate::symbols) fn is_member_for_macro(&self, view: &View<'_>, place: Span) -> bool {
        if view.rules.macros.member_signs.is_empty() {
            return false;
        }
        let text = view.tree.text();
        let last = text.line_count();
        let line = |offset: usize| text.line_at(offset);
        let start = text.line_span(line(place.start()).saturating_sub(LINES).max(1)).start();
        let end = text.line_span((line(place.end()) + LINES).min(last)).end();
        let before = text.slice(Span::new(start, place.start())).into_owned();
        let after = text.slice(Span::new(place.end(), end)).into_owned();
        called_with(&before, &after).is_some_and(|(callee, position)| self.takes_member(view, &callee, position, DEPTH))
    }

    /// Whether a macro writes an argument after a dot, or gives it to another one that does.
    fn takes_member(&self, view: &View<'_>, callee: &str, position: usize, depth: usize) -> bool {
        if view.rules.macros.member_takers.iter().any(|known| known == callee) {
            return position > 0;
        }
        if depth == 0 {
            return true;
        }
        self.project().ids().any(|file| {
            let rules = &self.project().file(file).language.spec().symbols.macros;
            if rules.member_signs.is_empty() || !self.trees.may_have(file, callee) {
                return false;
            }
            let Some(other) = self.view(file) else { return true };
            let table = other.tree.table();
            other.scopes.nodes_of(callee).iter().any(|&name| {
                let Some(definition) = table.parent(name).filter(|&node| rules.types.contains(table.type_id(node)))
                else {
                    return false;
                };
                let parameters = macro_parameters(&other, definition);
                let Some(parameter) = parameters.get(position).or(parameters.last()) else { return false };
                let parameter = rules.rest.get(parameter).unwrap_or(parameter);
                let Some(body) = table.children(definition).find(|&node| rules.bodies.contains(table.type_id(node)))
                else {
                    return false;
                };
                let text = other.tree.node_text(body);
                words(&text, parameter).any(|(before, after)| {
                    let before_sign = before.trim_end();
                    rules.member_signs.iter().any(|sign| before_sign.ends_with(sign.as_str()))
                        || called_with(before, after)
                            .is_some_and(|(callee, position)| self.takes_member(&other, &callee, position, depth - 1))
                })
            })
        })
    }
}
