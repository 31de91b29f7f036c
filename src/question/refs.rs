//! `refs`: who refers to a symbol, and how sure that is.

use crate::question::references::Reference;
use crate::question::subject::listing::UseList;
use crate::question::subject::uses::unseen_note;
use crate::reader::core::Reader;
use crate::request::error::{EngineError, PlaceRow};
use crate::request::symbol_messages::*;
use crate::symbols::Thing;

/// Lists who refers to a symbol, and how sure that is.
///
/// # Errors
/// If no symbol fits, or several and `all` is not set.
pub(crate) fn refs(request: &RefsRequest, reader: &Reader) -> Result<RefsResponse, EngineError> {
    let mut workspace = reader.workspace(&request.targets, &request.reading)?;
    workspace.keep_trees();
    let found = workspace.find_or_follow(&request.symbol, request.all)?;
    let things: Vec<Thing> = found.iter().map(|definition| definition.thing).collect();
    let mut counts = ReferenceCounts::default();
    let (mut references, mut truncated) = (Vec::new(), false);
    let limit = request.limit.unwrap_or(usize::MAX);
    let names = workspace.documented_names(&things);
    let uses = workspace.with_documentation(&names, |workspace| workspace.listed_uses(&things))?;
    let UseList { references: mut found_rows, unread, unseen } = uses;
    if request.mentions {
        let mut mentions = workspace.mentions(&things)?;
        counts.mentions = Some(mentions.len());
        found_rows.append(&mut mentions);
        found_rows.sort_by_key(|reference| (reference.file, reference.start));
    }
    let mut disagreements = Vec::new();
    for Reference { mut row, .. } in found_rows {
        match request.explain {
            true if row.without_index.is_some() => disagreements.push(row.clone()),
            true => {}
            false => (row.why, row.without_index) = (None, None),
        }
        if !request.explain && row.role != Role::Dynamic {
            row.doubt = None;
        }
        match row.confidence {
            _ if row.role == Role::Mention => {}
            Confidence::Certain => counts.certain += 1,
            Confidence::Candidate => counts.candidate += 1,
            Confidence::Undetermined => counts.undetermined += 1,
            Confidence::Elsewhere => counts.elsewhere += 1,
        }
        let is_asked_for = request.role.is_empty() || request.role.contains(&row.role);
        let is_listed = row.confidence != Confidence::Elsewhere
            && (row.confidence == Confidence::Certain || !request.certain)
            && is_asked_for;
        if is_listed && references.len() < limit {
            references.push(row);
        } else {
            truncated |= is_listed;
        }
    }
    for place in unread {
        counts.undetermined += 1;
        let is_asked_for = request.role.is_empty() || request.role.contains(&Role::Dynamic);
        let is_listed = is_asked_for && !request.certain;
        match is_listed && references.len() < limit {
            true => references.push(row_of(place)),
            false => truncated |= is_listed,
        }
    }
    let symbols = workspace.symbol_rows(&found);
    Ok(RefsResponse {
        project: workspace.report_about(&symbols),
        symbols,
        references,
        counts,
        truncated,
        notes: (unseen > 0).then(|| unseen_note(unseen)).into_iter().collect(),
        disagreements,
        unsaved: workspace.unsaved.len(),
        skipped: workspace.take_skipped(),
    })
}

/// A file that was not read, as a place of it.
fn row_of(place: PlaceRow) -> ReferenceRow {
    ReferenceRow {
        path: place.path,
        line: place.line,
        col: place.col,
        role: Role::Dynamic,
        confidence: Confidence::Undetermined,
        within: String::new(),
        is_override: false,
        doubt: Some(place.why),
        why: None,
        without_index: None,
        in_documentation: false,
        text: place.text,
    }
}
