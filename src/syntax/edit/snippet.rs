//! Reads code on its own: the code of an operation, before it is in a file.
//!
//! In most languages a method is not a complete file, so code is parsed in the contexts of the language's data, until
//! one accepts it.

use super::structure;
use crate::language::Language;
use crate::text::{Span, Text};
use crate::tree::{Node, ParseLimits, Tree};

/// The place of the code in a context.
const CODE: &str = "$0";

/// Code parsed in the first context that accepts it. Its lines are those of the tree.
#[derive(Debug)]
pub(super) struct ParsedSnippet {
    /// The parse; unsound if no context accepts the code.
    pub(super) tree: Tree,
    /// The statements, members or elements of the code, without comments.
    pub(super) units: Vec<Node>,
    /// The bytes of the code.
    pub(super) span: Span,
}

impl ParsedSnippet {
    /// Reads code that is sound.
    pub(super) fn sound(language: &'static Language, code: &str, limits: &ParseLimits) -> Option<ParsedSnippet> {
        let mut readings =
            contexts(language).filter_map(|context| ParsedSnippet::within(language, context, code, limits));
        readings.find(|reading| reading.is_sound() && !reading.is_text())
    }

    /// Reads code as well as possible.
    pub(super) fn any(language: &'static Language, code: &str, limits: &ParseLimits) -> Option<ParsedSnippet> {
        let sound = ParsedSnippet::sound(language, code, limits);
        sound.or_else(|| ParsedSnippet::within(language, contexts(language).next()?, code, limits))
    }

    fn within(language: &'static Language, context: &str, code: &str, limits: &ParseLimits) -> Option<ParsedSnippet> {
        let (head, rest) = context.split_once(CODE).unwrap_or((context, ""));
        // The rest of the context goes on a new line, in case a comment ends the code.
        let rest = if rest.is_empty() { String::new() } else { format!("\n{rest}") };
        let tree = Tree::parse(Text::new(&format!("{head}{code}{rest}")), language, limits).ok()?;
        let span = Span::new(head.len(), head.len() + code.len());
        // Some nodes include the end of their line.
        let line_end = usize::from(!rest.is_empty());
        let mut units = structure::outermost(&tree, Span::new(span.start(), span.end() + line_end));
        units.retain(|&unit| !tree.is_comment(unit) && !tree.attachments().is_leading(unit));
        Some(ParsedSnippet { tree, units, span })
    }

    /// Whether a context accepts the code.
    pub(super) fn is_sound(&self) -> bool {
        self.tree.is_sound()
    }

    /// Whether the language reads it only as text, like any words outside `<?php`.
    fn is_text(&self) -> bool {
        let role = |unit: &Node| self.tree.language().role(self.tree.table().type_id(*unit));
        !self.units.is_empty() && self.units.iter().all(|unit| role(unit).string)
    }

    /// Whether there is a comment before the first unit.
    pub(super) fn starts_with_comment(&self) -> bool {
        let table = self.tree.table();
        let first = table
            .range(table.first_from(self.span.start()), table.len())
            .find(|&node| !structure::is_block(&self.tree, node));
        first.is_some_and(|first| self.tree.is_comment(first))
    }
}

/// The contexts of a language: the file itself first, unless the data has another order.
fn contexts(language: &'static Language) -> impl Iterator<Item = &'static str> {
    let contexts = &language.spec().contexts;
    let plain = (!contexts.iter().any(|context| context == CODE)).then_some(CODE);
    plain.into_iter().chain(contexts.iter().map(String::as_str))
}
