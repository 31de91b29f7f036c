//! The trees of files with a new name.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::edits::{Merged, RenameError, Renamed, Renaming, rename};
use crate::edit::Outcome;
use crate::gates::Followed;
use crate::modules::FileId;
use crate::reader::document::limits;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::refactor::RefactorOptions;
use crate::symbols::Site;
use crate::text::{EditSet, Span};
use crate::tree::Tree;
use crate::workspace::documentation::DocumentChange;
use crate::workspace::files::Workspace;

/// The files with a new name.
#[derive(Default)]
pub(super) struct Written {
    pub(super) files: Vec<(FileId, Tree, Outcome)>,
    /// Code in documentation that changes with them.
    pub(super) documents: Vec<DocumentChange>,
    /// Where names are that became one with another.
    pub(super) followed: Vec<Followed>,
}

/// Where keys and variables are that became one name; none if there are no such.
fn follow_merged(file: FileId, edits: &EditSet, merged: &[Merged]) -> Option<Followed> {
    let mut followed = Followed::default();
    for (edit, new) in edits.iter().zip(edits.new_spans()) {
        let merged = merged.iter().find(|merged| edit.span.start() <= merged.key && merged.key < edit.span.end());
        let Some(&Merged { key, variable }) = merged else { continue };
        let words = edit.text.rfind(' ').map_or(0, |at| at + 1);
        followed.gone.insert((file, key));
        followed.merged.insert((file, key));
        followed.copies.insert((file, variable), vec![(file, new.start() + words)]);
    }
    (!merged.is_empty()).then_some(followed)
}

impl Workspace<'_> {
    /// The trees of all files with the new name.
    pub(super) fn write_name(
        &self,
        renaming: Renaming<'_>,
        family: &[Site],
        places: &BTreeMap<FileId, Vec<Span>>,
        kept: &BTreeMap<FileId, Vec<Span>>,
        options: &RefactorOptions,
    ) -> Result<Written, EngineError> {
        let files: FxHashSet<FileId> = places.keys().copied().collect();
        let limits = limits(&options.reading);
        // The name may be written in another case.
        let renamed = self.look("", Some(&files), |resolver, file| {
            let (Some(spans), Some(tree)) = (places.get(&file).filter(|_| files.contains(&file)), resolver.tree(file))
            else {
                return Vec::new();
            };
            let mut spans = spans.clone();
            spans.sort_by_key(|span| span.start());
            spans.dedup();
            let loaded = resolver.loaded_names(file, renaming.keeps_exports);
            let mut kept = kept.get(&file).cloned().unwrap_or_default();
            if !renaming.is_member {
                let takes = |span: &&Span| resolver.is_module_key(file, tree.table().smallest_around(**span), family);
                kept.extend(spans.iter().filter(takes));
            }
            let renaming = Renaming { loaded: &loaded, kept: &kept, ..renaming };
            vec![(file, tree.clone(), rename(tree, &spans, renaming, &limits))]
        })?;
        let (mut files, mut pairs) = (Vec::new(), Vec::new());
        for (file, tree, outcome) in renamed {
            match outcome {
                Ok(Renamed { outcome, merged }) => {
                    pairs.push((file, merged));
                    files.push((file, tree, outcome));
                }
                Err(RenameError::NoName { start }) => {
                    let row = self.place_row(file, start, String::new());
                    let message =
                        format!("`{}` is not a valid name at {}:{}:{}", renaming.new, row.path, row.line, row.col);
                    return Err(EngineError::bad_request(message).hint("choose another name"));
                }
                Err(RenameError::Edit(error)) => {
                    let code = ErrorCode::from(&error);
                    return Err(EngineError::new(code, error.to_string()).path(self.shown(file)));
                }
            }
        }
        let documented = self.merge_documentation(files, &limits)?;
        let follow = |(file, merged): (FileId, Vec<Merged>)| follow_merged(file, documented.edits_of(file)?, &merged);
        let followed = pairs.into_iter().filter_map(follow).collect();
        Ok(Written { files: documented.files, documents: documented.documents, followed })
    }
}
