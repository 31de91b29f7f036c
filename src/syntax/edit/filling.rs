//! Templates filled as text, for operations: a capture gets parentheses if the code around it would take it apart.
//!
//! The code is parsed on its own, in each context in which code can occur. If it is sound and each capture keeps its
//! meaning, it stays as it is; otherwise loosely binding captures get parentheses.

use super::grouping::Grouping;
use super::rewrite::{is_bracketed, is_same, is_text};
use crate::language::Language;
use crate::text::{Span, Text};
use crate::tree::{Node, ParseLimits, Tree};

/// Code with captures in it.
pub(super) struct Filling {
    pub text: String,
    /// The places of captures in it.
    pub captures: Vec<Placed>,
}

/// A capture in a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed {
    pub span: Span,
    /// The node, in its own tree.
    pub node: Node,
}

/// The result of parsing code in a context.
struct Read {
    is_sound: bool,
    /// The captures that lost their meaning.
    apart: Vec<usize>,
}

impl Filling {
    /// The text, with parentheses where they are needed.
    pub fn parenthesized(self, tree: &Tree) -> String {
        let grouping = Grouping::new(tree);
        let language = tree.language();
        let Some((open, close)) = language.spec().parens.split_once("$0") else { return self.text };
        let loose: Vec<usize> = (0..self.captures.len())
            .filter(|&at| {
                self.captures[at].span.len() < self.text.trim().len() && grouping.is_loose(self.captures[at].node)
            })
            .collect();
        if loose.is_empty() {
            return self.text;
        }
        let mut needed: Option<Vec<usize>> = None;
        for context in contexts(language) {
            let Some(read) = self.read(tree, context, &[], ("", "")) else { continue };
            if read.is_sound && read.apart.is_empty() {
                return self.text;
            }
            let apart: Vec<usize> = read.apart.into_iter().filter(|at| loose.contains(at)).collect();
            if read.is_sound && needed.as_ref().is_none_or(|known| apart.len() < known.len()) {
                needed = Some(apart);
            }
        }
        for chosen in [needed.unwrap_or_default(), loose] {
            let helps = |context: &str| {
                let read = self.read(tree, context, &chosen, (open, close));
                read.is_some_and(|read| read.is_sound && read.apart.is_empty())
            };
            if !chosen.is_empty() && contexts(language).any(helps) {
                return self.with(&chosen, (open, close)).text;
            }
        }
        self.text
    }

    /// The same with some captures in parentheses; their spans exclude these.
    fn with(&self, chosen: &[usize], (open, close): (&str, &str)) -> Filling {
        let mut text = String::new();
        let mut captures = Vec::new();
        let mut at = 0;
        for (number, placed) in self.captures.iter().enumerate() {
            text.push_str(&self.text[at..placed.span.start()]);
            let is_chosen = chosen.contains(&number);
            text.push_str(if is_chosen { open } else { "" });
            let start = text.len();
            text.push_str(&self.text[placed.span.start()..placed.span.end()]);
            captures.push(Placed { span: Span::new(start, text.len()), node: placed.node });
            text.push_str(if is_chosen { close } else { "" });
            at = placed.span.end();
        }
        text.push_str(&self.text[at..]);
        Filling { text, captures }
    }

    fn read(&self, old: &Tree, context: &str, chosen: &[usize], parens: (&str, &str)) -> Option<Read> {
        let made = self.with(chosen, parens);
        let (head, tail) = context.split_once("$0")?;
        let source = format!("{head}{}{tail}", made.text);
        let new = Tree::parse(Text::new(&source), old.language(), &ParseLimits::default()).ok()?;
        let grouping = Grouping::new(&new);
        let is_apart = |number: &usize| {
            let placed = made.captures[*number];
            let span = Span::new(placed.span.start() + head.len(), placed.span.end() + head.len());
            if span.is_empty() || is_text(&new, span) {
                return false;
            }
            let around = Span::new(span.start().saturating_sub(parens.0.len()), span.end() + parens.1.len());
            let is_it = is_same(old, &new, placed.node, span)
                || chosen.contains(number) && is_bracketed(old, &new, placed.node, around);
            let node = new.table().smallest_around(span);
            let stands = new.span(node) != span
                || grouping.seat(node).is_none_or(|seat| grouping.binds(seat))
                    && grouping.banned(node, span, None).is_empty();
            !is_it || !stands || grouping.is_glued(span)
        };
        let apart = (0..made.captures.len()).filter(is_apart).collect();
        Some(Read { is_sound: new.is_sound(), apart })
    }
}

/// The contexts in which code may occur.
fn contexts(language: &'static Language) -> impl Iterator<Item = &'static str> {
    let data = language.spec();
    let of_patterns = data.pattern_contexts.iter().map(|context| context.around.as_str());
    of_patterns.chain(data.contexts.iter().map(String::as_str))
}
