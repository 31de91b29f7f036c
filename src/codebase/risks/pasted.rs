//! Names that a preprocessor puts together: `op_##name`.

use crate::modules::FileId;
use crate::symbols::{Resolver, macro_parameters};
use crate::text::Span;

/// A name that a macro puts together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastedName {
    /// Where the parts meet.
    pub span: Span,
    /// How it begins, and how it ends; nothing where the macro gets that part.
    pub head: String,
    /// Its end.
    pub tail: String,
}

impl PastedName {
    /// The text that has to be put in for a name, if it can be that one: the parts that the macro gets.
    pub fn rest_of<'n>(&self, name: &'n str) -> Option<&'n str> {
        let rest = name.strip_prefix(self.head.as_str())?.strip_suffix(self.tail.as_str())?;
        (!rest.is_empty()).then_some(rest)
    }
}

impl Resolver<'_> {
    /// The names that the macros of a file put together.
    pub fn pasted_names(&self, file: FileId) -> Vec<PastedName> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let (table, rules) = (view.tree.table(), &view.rules.macros);
        let Some(sign) = rules.join_sign.as_deref() else { return Vec::new() };
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let is_between = |letter: char| letter.is_whitespace() || letter == '\\';
        let mut found = Vec::new();
        for body in table.nodes().filter(|&node| rules.bodies.contains(table.type_id(node))) {
            let Some(definition) = table.parent(body) else { continue };
            let (parameters, text) = (macro_parameters(&view, definition), view.tree.node_text(body));
            let is_given = |part: &str| {
                let is_rest = rules.rest.values().any(|rest| rest == part);
                part.is_empty() || is_rest || parameters.iter().any(|known| known == part)
            };
            let fixed = |part: &str| if is_given(part) { String::new() } else { part.to_owned() };
            for (at, _) in text.match_indices(sign) {
                let (before, after) = (&text[..at], &text[at + sign.len()..]);
                let (before, after) = (before.trim_end_matches(is_between), after.trim_start_matches(is_between));
                let head = &before[before.trim_end_matches(is_part).len()..];
                let tail = &after[..after.len() - after.trim_start_matches(is_part).len()];
                let start = table.span(body).start() + at;
                found.push(PastedName {
                    span: Span::new(start, start + sign.len()),
                    head: fixed(head),
                    tail: fixed(tail),
                });
            }
        }
        found
    }
}
