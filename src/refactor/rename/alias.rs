//! A rename of a name that a file gives to what it imports: a variable of that file.

use std::collections::BTreeMap;

use crate::modules::FileId;
use crate::refactor::Renaming;
use crate::refactor::plan::Planned;
use crate::refactor::rename::trees::Written;
use crate::request::error::{EngineError, ErrorCode, PlaceRow};
use crate::request::refactor::{RefactorOptions, Rename};
use crate::risks::StringKind;
use crate::symbols::{LocalAlias, Query, Site};
use crate::text::Span;
use crate::workspace::files::Workspace;

impl Workspace<'_> {
    /// The alias at the place that a request names.
    pub(super) fn alias_of(&self, request: &Rename) -> Result<Option<(FileId, LocalAlias)>, EngineError> {
        let Query::Place { path, line, col: Some(col) } = Query::parse(&request.symbol) else { return Ok(None) };
        let file = self.file_named(&path)?;
        let alias = self.resolve(|resolver| resolver.alias_at(file, line, col));
        Ok(alias.map(|alias| (file, alias)))
    }

    /// Plans the rename of an alias.
    ///
    /// # Errors
    /// If the file or another one may use it in a way that is not followed.
    pub(super) fn plan_local_alias(
        &self,
        request: &Rename,
        options: &RefactorOptions,
        file: FileId,
        alias: LocalAlias,
    ) -> Result<Planned, EngineError> {
        let (old, to) = (alias.name.as_str(), request.to.as_str());
        if old == to {
            return Err(EngineError::bad_request(format!("`{}` already has this name", request.symbol)));
        }
        if alias.taken.iter().any(|word| word == to) {
            let message = format!("`{to}` has another meaning where `{old}` is used");
            return Err(EngineError::new(ErrorCode::WouldRebind, message).hint("choose another name"));
        }
        let site = Site { file, name: alias.binder };
        let places = BTreeMap::from([(file, alias.places.clone())]);
        let mut risks = self.rule_rows(&[site], to);
        risks.extend(self.clash_rows(&[site], to, &places));
        let mut left: Vec<PlaceRow> = Vec::new();
        for &member in &alias.members {
            let why = "it may be a call of the extension that has this name here".to_owned();
            left.push(self.place_row(file, member.start(), why));
        }
        if alias.is_visible {
            let found = self.look(old, None, |resolver, other| {
                let spans = if other == file { Vec::new() } else { resolver.uses_of_alias(other, old) };
                spans.into_iter().map(|span| (other, span)).collect()
            })?;
            let why = "it may be the name that the other file gives to what it imports";
            left.extend(
                found
                    .into_iter()
                    .map(|(file, span): (FileId, Span)| self.place_row(file, span.start(), why.to_owned())),
            );
            for (other, string) in self.strings(old)? {
                if matches!(string.kind, StringKind::Listed(_) | StringKind::Access) {
                    left.push(self.place_row(other, string.span.start(), "a string that may name it".to_owned()));
                }
            }
        }
        left.extend(self.unread_with(&[old]));
        self.refuse_uncertain(options, &format!("cannot rename `{old}`"), risks, &left)?;
        let certain = alias.places.len();
        let renaming =
            Renaming { old, new: to, is_member: false, loaded: &[], kept: &[], keeps_exports: true, shortens: true };
        let Written { files, documents, followed } =
            self.write_name(renaming, &[site], &places, &BTreeMap::new(), options)?;
        Ok(Planned {
            files,
            documents,
            followed,
            words: vec![old.to_owned(), to.to_owned()],
            new_name: to.to_owned(),
            counts: (certain, 0),
            left,
            ..Planned::default()
        })
    }
}
