//! Calls that may pass any argument.

use rustc_hash::FxHashSet;

use super::family::{Given, Subject};
use crate::modules::FileId;
use crate::question::references::Reference;
use crate::request::error::EngineError;
use crate::request::symbol_messages::Confidence;
use crate::risks::StringKind;
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
        splats.files.extend(self.files_of_tables(subject, references)?);
        let below = match subject.given {
            Given::ByItsClass => self.classes_below(&Vec::from_iter(subject.classes.iter().copied()))?,
            _ => Vec::new(),
        };
        self.resolve(|resolver| {
            let files = subject.family.iter().map(|site| site.file).filter(|_| subject.given == Given::ByAnyCall);
            for file in files {
                splats.open.extend(resolver.unknown_splats(file).into_iter().map(|span| (file, span)));
            }
            for &site in subject.family.iter().filter(|_| subject.given == Given::InPlace) {
                for splat in resolver.splats_in_place(site) {
                    splats.files.insert(site.file);
                    splats.open.push((site.file, splat.span));
                }
            }
            let calls = calls.flat_map(|call| {
                let found = resolver.splats_at(call.file, call.node).into_iter();
                found.map(|splat| (call.file, splat)).collect::<Vec<_>>()
            });
            // A class below may pass on what it gets to the constructor that is made of the fields.
            let of_bases = below.iter().flat_map(|below| {
                let file = below.class.file;
                let calls = resolver.constructor_calls_of_base(below.class).into_iter();
                let found = calls.flat_map(move |call| resolver.splats_of(file, call));
                found.map(|splat| (file, splat)).collect::<Vec<_>>()
            });
            for (file, splat) in calls.chain(of_bases).collect::<Vec<_>>() {
                splats.files.insert(file);
                if !splat.is_passed_on {
                    splats.open.push((file, splat.span));
                }
            }
        });
        Ok(splats)
    }

    /// The files where the function of a parameter is a value beside a key with the name of the parameter, if code of the project calls
    /// what it does not know with a table of arguments: `fill(f, {"size": 1})`.
    fn files_of_tables(&self, subject: &Subject, references: &[Reference]) -> Result<FxHashSet<FileId>, EngineError> {
        let mut near: FxHashSet<FileId> = match subject.given {
            Given::ByAnyCall => subject.family.iter().map(|site| site.file).collect(),
            _ => references.iter().filter(|reference| reference.is_value()).map(|reference| reference.file).collect(),
        };
        self.resolve(|resolver| {
            near.retain(|&file| {
                let strings = resolver.strings_with(file, &subject.old);
                resolver.names_argument(file, &subject.old)
                    || strings.iter().any(|string| string.kind == StringKind::Name)
            });
        });
        if near.is_empty() {
            return Ok(near);
        }
        let calls = self.look("", None, |resolver, file| {
            (!resolver.unknown_splats(file).is_empty()).then_some(()).into_iter().collect()
        })?;
        Ok(if calls.is_empty() { FxHashSet::default() } else { near })
    }
}
