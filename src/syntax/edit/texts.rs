//! Changes of texts inside statements that are planned elsewhere, through the gates.

use super::batch::ComposedBatch;
use super::error::EditError;
use super::operation::{Allow, Outcome};
use super::{Op, gate};
use crate::text::{EditSet, Span, TextEdit};
use crate::tree::{EditIntent, Node, ParseLimits, Tree};

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

/// Applies changes of texts, then operations on other nodes, then insertions into the file itself, then adds imports; the edits are those of all together. Nothing outside of
/// the extents and of what the operations name may become another node.
///
/// # Errors
/// If changes overlap, an operation is not valid, or a gate refuses the result.
pub fn apply_texts(
    tree: &Tree,
    ops: &[Op],
    changes: &[TextChange],
    limits: &ParseLimits,
) -> Result<Outcome, EditError> {
    let first = change_texts(tree, changes, &[], limits)?;
    let mut missing = None;
    let mut image = |node: Node| {
        first.node_map.image(node).unwrap_or_else(|| {
            missing = Some(tree.span(node));
            node
        })
    };
    let (imports, others): (Vec<Op>, Vec<Op>) =
        ops.iter().cloned().partition(|op| matches!(op, Op::EnsureImport { .. }));
    // What is put at the end comes after what is there then.
    let (at_end, others): (Vec<Op>, Vec<Op>) =
        others.into_iter().partition(|op| matches!(op, Op::Insert { target: Node::ROOT, .. }));
    let moved = others.iter().map(|op| {
        let mapped: Result<Op, std::convert::Infallible> =
            op.try_map(|_, &node| Ok(image(node)), |code| Ok(code.clone()));
        mapped.unwrap_or_else(|never| match never {})
    });
    let others: Vec<Op> = moved.collect();
    if let Some(span) = missing {
        return Err(EditError::Conflict { first: 0, second: 1, span });
    }
    let mut last = first;
    for ops in [others, at_end, imports] {
        if !ops.is_empty() {
            let next = super::apply(&last.tree, &ops, Allow::default(), limits)?;
            let edits = last.edits.then(last.tree.text(), &next.edits);
            last = Outcome { edits, ..next };
        }
    }
    Ok(last)
}

/// Applies changes of texts with which some nodes get another parent. Nothing outside of the extents may become another node.
///
/// # Errors
/// If changes overlap, or a gate refuses the result.
pub fn change_texts(
    tree: &Tree,
    changes: &[TextChange],
    relocated: &[Node],
    limits: &ParseLimits,
) -> Result<Outcome, EditError> {
    let extents = changes.iter().map(|change| change.extent).collect();
    let mut edits: Vec<TextEdit> = Vec::new();
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
    let relocated = relocated.to_vec();
    let intent = EditIntent { extents: merge(extents), relocated, ..EditIntent::default() };
    let operations = (0..edits.len()).collect();
    let composed = ComposedBatch::of_edits(edits, intent, operations);
    let edited = tree.edit(&composed.edits, &composed.intent, limits).map_err(EditError::Parse)?;
    gate::check(tree, &edited, &composed, (Allow::default(), limits))?;
    let operations = composed.made(tree, &edited.node_map, &edited.tree);
    Ok(Outcome { tree: edited.tree, edits: composed.edits, node_map: edited.node_map, operations })
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
