//! Calls that may pass any argument.

use rustc_hash::FxHashSet;

use super::family::{Given, Subject};
use crate::modules::FileId;
use crate::request::error::EngineError;
use crate::request::symbol_messages::Confidence;
use crate::text::Span;
use crate::workspace::files::Workspace;

/// Calls that may pass any argument.
#[derive(Default)]
pub(super) struct Splats {
    /// Their files.
    pub(super) files: FxHashSet<FileId>,
    /// Those that do not just pass on what the function around them got.
    pub(super) open: Vec<(FileId, Span)>,
}

impl Workspace<'_> {
    /// The calls of the function of a parameter that may pass any argument.
    pub(super) fn splats(&self, subject: &Subject) -> Result<Splats, EngineError> {
        let references = self.taker_references(subject)?;
        let calls = references.iter().filter(|reference| reference.row.confidence == Confidence::Certain);
        let mut splats = Splats::default();
        self.resolve(|resolver| {
            let files = subject.family.iter().map(|site| site.file).filter(|_| subject.given == Given::ByAnyCall);
            for file in files {
                let open = resolver.unknown_splats(file);
                splats.files.extend((!open.is_empty()).then_some(file));
                splats.open.extend(open.into_iter().map(|span| (file, span)));
            }
            for &site in subject.family.iter().filter(|_| subject.given == Given::InPlace) {
                for splat in resolver.splats_in_place(site) {
                    splats.files.insert(site.file);
                    splats.open.push((site.file, splat.span));
                }
            }
            for call in calls {
                for splat in resolver.splats_at(call.file, call.node) {
                    splats.files.insert(call.file);
                    if !splat.is_passed_on {
                        splats.open.push((call.file, splat.span));
                    }
                }
            }
        });
        Ok(splats)
    }
}
