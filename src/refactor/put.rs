//! New code in place of uses.

use crate::flow::{Flow, Refusal, Region, trimmed};
use crate::tree::Node;

/// New code in place of a use.
pub(crate) struct Put {
    /// What is replaced: one node, or consecutive statements.
    pub(crate) target: Node,
    /// The code, and the same in parentheses if that is possible.
    pub(crate) code: String,
    /// The leaves of the old text that are in it, text for text, and how far into the new code they may begin.
    pub(crate) leaves: Vec<Node>,
    pub(crate) within: usize,
    /// What has to be one node of this type, so that operators around it do not take it apart.
    pub(crate) whole: Option<Node>,
}

/// Refuses code in a string that the string does not take, or whose text it shows.
pub(crate) fn check_string(flow: &Flow<'_>, target: Node, code: &str) -> Result<(), Refusal> {
    let shows = |node: Node| flow.tree.table().fits_any(node, &flow.rules.shows_code);
    if flow.tree.table().ancestors(target).any(shows) {
        let start = flow.tree.span(target).start();
        return Err(Refusal::unsafe_at(
            start,
            "the string shows the code of the expression, which would be another one",
        ));
    }
    let is_string = |node: Node| flow.tree.language().role(flow.tree.table().type_id(node)).string;
    let is_plain = code.chars().all(|letter| letter.is_alphanumeric() || "_.() ,[]+-*".contains(letter));
    if !is_plain && flow.tree.table().ancestors(target).any(is_string) {
        let start = flow.tree.span(target).start();
        return Err(Refusal::unsafe_at(start, "it is used in a string that cannot have this value"));
    }
    Ok(())
}

/// Some statements as a region.
pub(crate) fn region_of(flow: &Flow<'_>, first: Node, last: Node) -> Region {
    let span = flow.tree.span(first).join(trimmed(flow.tree, flow.tree.span(last)));
    Region { first, last, span, is_expression: false }
}
