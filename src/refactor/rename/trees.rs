//! The trees of files with a new name.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::edits::{RenameError, Renaming, rename};
use crate::edit::Outcome;
use crate::gates::Followed;
use crate::modules::FileId;
use crate::reader::document::limits;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::refactor::RefactorOptions;
use crate::text::Span;
use crate::tree::Tree;
use crate::workspace::files::Workspace;

/// The first names of pairs that became one name; they are gone.
pub(super) fn shortened(files: &[(FileId, Tree, Outcome)]) -> Followed {
    let mut followed = Followed::default();
    for (file, _, outcome) in files {
        let deleted = outcome.edits.iter().filter(|edit| edit.text.is_empty());
        followed.gone.extend(deleted.map(|edit| (*file, edit.span.start())));
    }
    followed
}

impl Workspace<'_> {
    /// The trees of all files with the new name.
    pub(super) fn write_name(
        &self,
        renaming: Renaming<'_>,
        places: &BTreeMap<FileId, Vec<Span>>,
        kept: &BTreeMap<FileId, Vec<Span>>,
        options: &RefactorOptions,
    ) -> Result<Vec<(FileId, Tree, Outcome)>, EngineError> {
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
            let kept = kept.get(&file).map_or(&[][..], Vec::as_slice);
            let renaming = Renaming { loaded: &loaded, kept, ..renaming };
            vec![(file, tree.clone(), rename(tree, &spans, renaming, &limits))]
        })?;
        let mut done = Vec::new();
        for (file, tree, outcome) in renamed {
            match outcome {
                Ok(outcome) => done.push((file, tree, outcome)),
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
        Ok(done)
    }
}
