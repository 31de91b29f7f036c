//! Edits: operations on the nodes of a tree, composed to text, and checked.
//!
//! [`apply`] takes a batch of [`Op`]s, which name nodes of the current tree, and makes the next revision or reports why
//! it cannot. It has three steps. Each operation, in its own file, *plans*: what is removed, what is added, and what
//! that means for the nodes. The plan of the batch is *laid out* (`block` for statements, `list` for elements with
//! separators), since the result of one operation depends on the others: two deletes may empty a block. The new text is
//! parsed, and the *gates* check it: no new syntax error, and no change outside the edit (`neighbours`: not even of a
//! wrapper or an attribute; `swallowed`: nor the loss of a definition that a syntax error made a part of another).
//!
//! This module knows nothing about selectors, ids and files.

mod apart;
mod batch;
mod block;
mod block_layout;
mod copied;
mod decision;
mod delete;
mod delimiters;
mod diagnose;
mod draft;
mod elements;
mod emptied;
mod error;
mod extent;
mod filling;
mod fragment;
mod gate;
mod grouping;
mod imports;
mod indent;
mod insert;
mod lines;
mod list;
mod misplaced;
mod neighbours;
mod operation;
mod pieces;
mod plan;
mod references;
mod relocate;
mod rename;
mod replace;
mod rewrite;
mod snippet;
mod spans;
mod structure;
mod sub;
mod swallowed;
mod template;
mod texts;
mod unwrap;
mod wrap;

pub use delete::{Imported, imported_names};
pub use error::{BadRequest, EditError};
pub use extent::attached_comments;
pub use grouping::needs_parentheses;
pub use indent::indent_step;
pub use operation::{Allow, Extent, Fields, Gate, Made, Op, Operation, OperationKind, Outcome, Position, References};
#[doc(hidden)]
pub use rename::reference_steps;
pub use rename::{change_names, may_be_named};
pub use rewrite::{Renamed, RewriteError, Rewritten, Site, rename_in_place, renames, rewrite};
pub use spans::change_spans;
pub use template::{FILTERS, Template, TemplateError, fill};
pub use texts::{TextChange, apply_texts, change_texts};

use crate::text::Text;
use crate::tree::{Edited, Node, ParseLimits, Tree};

/// The nodes of a tree that the language does not allow in their places without parentheses, although the grammar does.
#[doc(hidden)]
pub fn misgrouped(tree: &Tree) -> Vec<Node> {
    grouping::Grouping::new(tree).faults()
}

/// Applies a batch: all of it or, with an error, nothing.
///
/// # Errors
/// If operations conflict, if one is invalid, or if a gate refuses the result.
pub fn apply(tree: &Tree, ops: &[Op], allow: Allow, limits: &ParseLimits) -> Result<Outcome, EditError> {
    let composed = plan::plan(tree, ops, limits, apply_nested)?;
    let edited = tree.edit(&composed.edits, &composed.intent, limits).map_err(EditError::Parse)?;
    if composed.edits.is_empty() {
        let operations = composed.made(tree, &edited.node_map, &edited.tree);
        return Ok(Outcome { tree: tree.clone(), edits: composed.edits, node_map: edited.node_map, operations });
    }
    gate::check(tree, &edited, &composed, (allow, limits))?;
    let operations = composed.made(tree, &edited.node_map, &edited.tree);
    if !allow.structure
        && let Some(error) = unbound(tree, &edited, &operations)
    {
        return Err(error);
    }
    Ok(Outcome { tree: edited.tree, edits: composed.edits, node_map: edited.node_map, operations })
}

/// The text after operations; `None` if anything refuses them.
fn apply_nested(tree: &Tree, ops: &[Op], limits: &ParseLimits) -> Option<Text> {
    Some(apply(tree, ops, Allow::default(), limits).ok()?.tree.text().clone())
}

/// The error for code that the language groups differently from the grammar.
fn unbound(tree: &Tree, edited: &Edited, operations: &[Made]) -> Option<EditError> {
    const SHOWN: usize = 40;
    let (before, after) = (grouping::Grouping::new(tree), grouping::Grouping::new(&edited.tree));
    if after.is_empty() || !edited.tree.is_sound() {
        return None;
    }
    let stands = |node: Node| {
        let span = edited.tree.span(node);
        after.seat(node).is_none_or(|seat| after.binds(seat)) && after.banned(node, span, None).is_empty()
    };
    let stood = |node: Node| before.seat(node).is_none_or(|seat| before.binds(seat));
    let mut made = operations.iter().enumerate().flat_map(|(at, made)| made.nodes.iter().map(move |&node| (at, node)));
    let (operation, node) =
        made.find(|&(_, node)| !stands(node) && edited.node_map.preimage(node).is_none_or(stood))?;
    let text = edited.tree.node_text(node);
    let shown: String = text.lines().next().unwrap_or("").chars().take(SHOWN).collect();
    let target = edited.node_map.preimage(node).unwrap_or(Node::ROOT);
    Some(EditError::WouldRestructure {
        operation,
        node: target,
        what: format!("`{}` `{shown}`", edited.tree.type_name(node)),
        how: "parsed differently there: put it in parentheses".to_owned(),
        place: edited.tree.text().position(edited.tree.span(node).start()),
    })
}
