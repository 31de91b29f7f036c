//! Imports that a refactor leaves without a use, where a compiler refuses them.

use std::collections::BTreeMap;

use crate::edit::Op;
use crate::modules::FileId;
use crate::reader::document::limits;
use crate::refactor::plan::{Done, Planned};
use crate::request::error::EngineError;
use crate::request::refactor::RefactorOptions;
use crate::symbols::LeftOverImports;
use crate::tree::Tree;
use crate::workspace::files::Workspace;

impl Workspace<'_> {
    /// Deletes the imports that a refactor has left without a use. `before` are the files as earlier refactors have left them.
    ///
    /// # Errors
    /// If it is uncertain whether an import has a use, or a gate refuses the result.
    pub(super) fn drop_left_over_imports(
        &mut self,
        options: &RefactorOptions,
        before: &BTreeMap<FileId, Tree>,
        done: &mut Done,
    ) -> Result<(), EngineError> {
        let mut planned = Planned { deletes: true, ..Planned::default() };
        let mut unsure = Vec::new();
        for (&file, changed) in &done.files {
            let organize = changed.new.language().spec().imports.organize.as_ref();
            let Some(old) = before.get(&file).or(changed.old.as_ref()) else { continue };
            let is_same = old.text() == changed.new.text();
            if changed.is_deleted || is_same || !organize.is_some_and(|organize| organize.refuses_unused) {
                continue;
            }
            let LeftOverImports { gone, unsure: maybe } =
                self.resolve(|resolver| resolver.left_over_imports(file, old));
            for part in maybe {
                let why = "it may have no use any more, which compilers refuse".to_owned();
                unsure.push(self.place_row(file, changed.new.span(part).start(), why));
            }
            let ops: Vec<Op> = gone.into_iter().map(|target| Op::Delete { target, extent: None }).collect();
            planned.files.extend(self.changed_file(file, &ops, &[], &limits(&options.reading))?);
        }
        self.refuse_uncertain(options, "cannot leave an import without a use", unsure, &[])?;
        if !planned.files.is_empty() {
            done.add((Vec::new(), self.apply_checked(planned)?.1));
        }
        Ok(())
    }
}
