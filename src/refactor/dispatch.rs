//! All refactors: each kind goes to the folder of its name.

use std::collections::BTreeMap;

use super::plan::{Done, Plan};
use crate::modules::FileId;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::refactor::{Refactor, RefactorOptions, RefactorRequest};
use crate::tree::Tree;
use crate::workspace::files::Workspace;

impl Plan for Refactor {
    fn plan(
        &self,
        workspace: &mut Workspace<'_>,
        options: &RefactorOptions,
        done: &mut Done,
    ) -> Result<(), EngineError> {
        let refactor: &dyn Plan = match self {
            Refactor::Rename(rename) => rename,
            Refactor::Move(definitions) => definitions,
            Refactor::MoveFile(file) => file,
            Refactor::CreateFile(file) => file,
            Refactor::DeleteFile(file) => file,
            Refactor::SplitFile(file) => file,
            Refactor::ChangeSignature(change) => change,
            Refactor::DeleteUnused(definitions) => definitions,
            Refactor::OrganizeImports(imports) => imports,
            Refactor::ExtractFunction(function) => function,
            Refactor::ExtractVariable(variable) => variable,
            Refactor::ExtractBase(base) => base,
            Refactor::SplitClass(class) => class,
            Refactor::Inline(definition) => definition,
            Refactor::RemoveFlag(flag) => flag,
        };
        refactor.plan(workspace, options, done)
    }
}

impl Workspace<'_> {
    /// Makes the project what a refactor makes of it, and adds that to what is done.
    ///
    /// # Errors
    /// If it is refused.
    pub(crate) fn refactor(&mut self, request: &RefactorRequest, done: &mut Done) -> Result<(), EngineError> {
        let include = self.included_places(&request.options.include)?;
        let options = RefactorOptions { include, ..request.options.clone() };
        let before: BTreeMap<FileId, Tree> =
            done.files.iter().map(|(&file, changed)| (file, changed.new.clone())).collect();
        request.refactor.plan(self, &options, done)?;
        self.drop_left_over_imports(&options, &before, done)?;
        // Whoever decides about places sees which are left.
        if let Some(place) = self.unmet_place(&options.include).filter(|_| !options.decide) {
            let message = format!("no uncertain reference is at `{place}`");
            return Err(
                EngineError::new(ErrorCode::NoMatch, message).hint("{include} takes the places that a refusal lists")
            );
        }
        Ok(())
    }
}
