//! `sub`: replaces text inside a node.

use regex::Regex;

use super::batch::Plan;
use super::draft::Draft;
use super::error::{BadRequest, EditError};
use crate::text::Span;
use crate::tree::Node;

/// Plans replacements of text.
pub(super) fn plan(
    plan: &mut Plan<'_>,
    operation: usize,
    target: Node,
    find: &str,
    (replace, is_regex): (&str, bool),
) -> Result<(), EditError> {
    let tree = plan.tree;
    let span = if target == Node::ROOT { tree.text().span() } else { tree.span(target) };
    let text = tree.text().slice(span).into_owned();
    let newline = tree.text().newline();
    let as_in_file = |words: &str| words.replace("\r\n", "\n").replace(['\r', '\n'], newline);
    let replace = as_in_file(replace);
    let mut matches: Vec<(Span, String)> = Vec::new();
    if is_regex {
        let regex = Regex::new(find)
            .map_err(|error| plan.bad(operation, BadRequest::BadRegex { message: error.to_string() }))?;
        for captures in regex.captures_iter(&text) {
            let Some(whole) = captures.get(0) else { continue };
            let mut put = String::new();
            captures.expand(&replace, &mut put);
            matches.push((Span::new(whole.start(), whole.end()), put));
        }
    } else {
        let converted = as_in_file(find);
        let find = if text.contains(find) { find } else { &converted };
        let places = text.match_indices(find).filter(|_| !find.is_empty());
        matches.extend(places.map(|(at, word)| (Span::new(at, at + word.len()), replace.clone())));
    }
    if matches.is_empty() {
        return Err(plan.bad(operation, BadRequest::NotFound { find: find.to_owned() }));
    }
    plan.claim_extent(operation, span, Some(target));
    plan.makes(operation, target);
    let places = if matches.len() == 1 { "place" } else { "places" };
    plan.note(operation, format!("replaced in {} {places}", matches.len()));
    matches.retain(|(found, put)| text[found.start()..found.end()] != *put);
    let is_leaf = tree.table().subtree_end(target) == target.index() + 1;
    if is_leaf && let Some(first) = matches.first() {
        // The text of a leaf is replaced as a whole, so that the leaf survives as the new one.
        let mut whole = text[..first.0.start()].to_owned();
        for (nth, (found, put)) in matches.iter().enumerate() {
            let next = matches.get(nth + 1).map_or(text.len(), |(next, _)| next.start());
            whole.push_str(put);
            whole.push_str(&text[found.end()..next]);
        }
        plan.change(operation, span, Draft::new(&whole).claimed(operation, target, span));
        return Ok(());
    }
    for (found, put) in matches {
        let place = Span::new(span.start() + found.start(), span.start() + found.end());
        plan.change(operation, place, Draft::new(&put));
    }
    Ok(())
}
