//! Changes of texts inside statements that are planned elsewhere, through the gates.

use super::batch::ComposedBatch;
use super::error::EditError;
use super::operation::{Allow, Outcome};
use super::{Op, gate, plan};
use crate::text::{EditSet, Span, TextEdit};
use crate::tree::{EditIntent, ParseLimits, Tree};

/// A new text for a part of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextChange {
    /// What is replaced.
    pub span: Span,
    /// The new text.
    pub text: String,
    /// The bytes around it in which nodes may become others.
    pub extent: Span,
}

/// Applies operations together with changes of texts; imports are added when the others are done. Nothing outside of the extents and of what the operations name may become another
/// node.
///
/// # Errors
/// If they overlap, an operation is not valid, or a gate refuses the result.
pub fn apply_texts(
    tree: &Tree,
    ops: &[Op],
    changes: &[TextChange],
    limits: &ParseLimits,
) -> Result<Outcome, EditError> {
    let (imports, ops): (Vec<Op>, Vec<Op>) = ops.iter().cloned().partition(|op| matches!(op, Op::EnsureImport { .. }));
    let planned = plan::plan(tree, &ops, limits, super::apply_nested)?;
    let mut extents = planned.intent.extents.clone();
    extents.extend(changes.iter().map(|change| change.extent));
    let mut edits: Vec<TextEdit> = planned.edits.iter().cloned().collect();
    extents.extend(edits.iter().map(|edit| edit.span));
    for change in changes {
        let edit = TextEdit::new(change.span, &change.text);
        if !edits.contains(&edit) {
            edits.push(edit);
        }
    }
    let spans: Vec<Span> = edits.iter().map(|edit| edit.span).collect();
    let edits = EditSet::new(edits).map_err(|overlap| EditError::Conflict {
        first: overlap.first,
        second: overlap.second,
        span: spans[overlap.first],
    })?;
    let intent = EditIntent { extents: merge(extents), ..EditIntent::default() };
    let operations = (0..edits.len()).collect();
    let composed = ComposedBatch::of_edits(edits, intent, operations);
    let edited = tree.edit(&composed.edits, &composed.intent, limits).map_err(EditError::Parse)?;
    gate::check(tree, &edited, &composed, (Allow::default(), limits))?;
    if imports.is_empty() {
        let operations = composed.made(tree, &edited.node_map, &edited.tree);
        return Ok(Outcome { tree: edited.tree, edits: composed.edits, node_map: edited.node_map, operations });
    }
    // An import may have the name of one that is gone now.
    let last = super::apply(&edited.tree, &imports, Allow::default(), limits)?;
    let edits = composed.edits.then(edited.tree.text(), &last.edits);
    Ok(Outcome { edits, ..last })
}

/// Spans in order, those that meet as one.
fn merge(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_by_key(|span| (span.start(), span.end()));
    let mut merged: Vec<Span> = Vec::new();
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.start() < last.end() || span == *last => {
                *last = Span::new(last.start(), last.end().max(span.end()));
            }
            _ => merged.push(span),
        }
    }
    merged
}
