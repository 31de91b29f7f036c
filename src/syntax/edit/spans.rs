//! Edits of spans that a caller has planned by itself.

use super::batch::ComposedBatch;
use super::error::EditError;
use super::gate;
use super::operation::{Allow, Outcome};
use crate::text::{EditSet, Span};
use crate::tree::{EditIntent, ParseLimits, Tree};

/// Replaces spans of a tree's text. What is outside of them must stay as it is.
///
/// # Errors
/// If a gate refuses the result.
pub fn change_spans(tree: &Tree, edits: EditSet, limits: &ParseLimits) -> Result<Outcome, EditError> {
    let extents: Vec<Span> = edits.iter().map(|edit| edit.span).collect();
    let operations = (0..edits.len()).collect();
    let composed = ComposedBatch::of_edits(edits, EditIntent { extents, ..EditIntent::default() }, operations);
    let edited = tree.edit(&composed.edits, &composed.intent, limits).map_err(EditError::Parse)?;
    gate::check(tree, &edited, &composed, (Allow::default(), limits))?;
    let operations = composed.made(tree, &edited.node_map, &edited.tree);
    Ok(Outcome { tree: edited.tree, edits: composed.edits, node_map: edited.node_map, operations })
}
