//! Finds out which token is missing in code that does not parse.
//!
//! Error recovery reports what the parser could not use, and rarely what was missing: a `def` without a colon is one
//! long error. So a few tokens are tried at the ends of the code's lines. The first one with which the code parses was
//! expected.

use super::fragment::Fragment;
use super::lines;
use super::snippet::ParsedSnippet;
use super::structure;
use crate::limits;
use crate::text::{Span, Text};
use crate::tree::{ParseLimits, Tree};

/// The tokens to try, likely ones first.
const TOKENS: &[&str] = &[":", ")", "]", "}", "\"", "'", "\"\"\"", "'''", ";"];

/// The token that is missing in the code at `edit`, and its place.
pub(super) fn expected(new: &Tree, edit: Span, limits: &ParseLimits) -> Option<(usize, &'static str)> {
    let text = new.text();
    if edit.len() > limits::DIAGNOSED_BYTES {
        return None;
    }
    let code = text.slice(edit).into_owned();
    let start = edit.start() + code.len() - code.trim_start().len();
    let source = Fragment::from_code(new, &code, &lines::indentation(text, start), "", limits).source();
    let parse = |source: &str| ParsedSnippet::sound(new.language(), source, limits).map(|reading| reading.tree);
    if source.is_empty() || parse(&source).is_some() {
        return None;
    }
    let source = Text::new(&source);
    let lines = source.line_count();
    for line in (1..=lines).rev().take(limits::DIAGNOSED_LINES) {
        let end = source.line_span(line).end();
        for &token in TOKENS {
            let mut whole = source.to_string();
            whole.insert_str(end, token);
            if parse(&whole).is_some_and(|parsed| !has_empty_body(&parsed)) {
                let there = text.line_at(start) + line - 1;
                return Some((text.line_span(there).end(), token));
            }
        }
    }
    None
}

fn has_empty_body(parsed: &Tree) -> bool {
    let needs_statement = !parsed.language().spec().empty_body.is_empty();
    let mut bodies = parsed.table().nodes().filter(|&node| parsed.root() != node && structure::is_block(parsed, node));
    needs_statement && bodies.any(|body| parsed.named_children(body).next().is_none())
}
