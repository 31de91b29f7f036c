//! Refusals of single sites.

use super::compose::Composer;
use super::place::Fault;
use crate::edit::EditError;
use crate::tree::{Captured, Node, Tree};

/// The error for a result that differs from the template.
pub(super) fn unlike(tree: &Tree, composer: &Composer<'_>, fault: Fault) -> EditError {
    let site = &composer.sites[fault.site];
    let captured = fault.place.and_then(|place| composer.captured(fault.site, place)).and_then(Captured::first);
    let how = match captured {
        Some(_) => "parsed differently where the template puts it, even in parentheses",
        None => "replaced by code that is parsed differently from the template, even in parentheses",
    };
    refusal(tree, fault.site, captured.unwrap_or(site.node), how)
}

/// Refuses a site because of one of its nodes.
pub(super) fn refusal(tree: &Tree, operation: usize, node: Node, how: &str) -> EditError {
    const SHOWN: usize = 40;
    let text = tree.node_text(node);
    let shown: String = text.lines().next().unwrap_or("").chars().take(SHOWN).collect();
    let what = format!("`{}` `{shown}`", tree.type_name(node));
    let place = tree.text().position(tree.span(node).start());
    EditError::WouldRestructure { operation, node, what, how: how.to_owned(), place }
}
