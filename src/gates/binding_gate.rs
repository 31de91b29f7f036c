//! The binding gate of refactors: what names are bound to, before and after, in all files that can differ.

use rustc_hash::FxHashSet;

use super::{Moved, Rebound, compare};
use crate::modules::FileId;
use crate::request::error::{EngineError, ErrorCode, PlaceRow};
use crate::symbols::{Bound, BoundName, Place, bindings, unbound_in_new};
use crate::text::Span;
use crate::workspace::files::Workspace;

/// How many places an error lists.
const SHOWN: usize = 20;

/// What names are bound to.
pub(crate) struct Bindings {
    names: Vec<BoundName>,
}

impl Bindings {
    /// The names.
    pub(crate) fn names(&self) -> &[BoundName] {
        &self.names
    }

    /// The names that mean something else in `after`.
    pub(crate) fn rebound(&self, after: &Bindings, moved: &Moved) -> Vec<Rebound> {
        compare(&self.names, &after.names, moved)
    }
}

impl Workspace<'_> {
    /// What names with some texts are bound to in all files, and all names of the files that are changed.
    pub(crate) fn bindings(&self, words: &[&str], changed: &FxHashSet<FileId>) -> Result<Bindings, EngineError> {
        let mut names = self.look("", Some(changed), |resolver, file| bindings(resolver, file, None))?;
        for &word in words {
            let others = self.look(word, None, |resolver, file| match changed.contains(&file) {
                true => Vec::new(),
                false => bindings(resolver, file, Some(&[word])),
            })?;
            names.extend(others);
        }
        Ok(Bindings { names })
    }

    /// The same with all names in one pass, for many of them.
    pub(crate) fn bindings_at_once(
        &self,
        words: &[&str],
        changed: &FxHashSet<FileId>,
    ) -> Result<Bindings, EngineError> {
        let names = self.look("", None, |resolver, file| match changed.contains(&file) {
            true => bindings(resolver, file, None),
            false if words.is_empty() => Vec::new(),
            false => bindings(resolver, file, Some(words)),
        })?;
        Ok(Bindings { names })
    }

    /// Refuses a refactor that changes what a name refers to.
    ///
    /// # Errors
    /// With the names that would refer to something else.
    pub(crate) fn check_bindings(&self, before: &Bindings, after: &Bindings, moved: &Moved) -> Result<(), EngineError> {
        let rebound = compare(&before.names, &after.names, moved);
        if rebound.is_empty() {
            return Ok(());
        }
        let places: Vec<PlaceRow> = rebound.iter().take(SHOWN).map(|name| self.rebound_row(name, moved)).collect();
        let count = rebound.len();
        let (what, refer) =
            if count == 1 { ("a name".to_owned(), "refers") } else { (format!("{count} names"), "refer") };
        let first = &places[0];
        let message = format!(
            "it would change what {what} {refer} to, e.g. {}:{}:{}: {}",
            first.path, first.line, first.col, first.why
        );
        let mut error =
            EngineError::new(ErrorCode::WouldRebind, message).hint("choose another name, or change these places first");
        error.details.places = places;
        Err(error)
    }

    /// Refuses new code with names that mean nothing where it is.
    ///
    /// # Errors
    /// With these names.
    pub(crate) fn check_known(&self, brought: &[(FileId, Span)]) -> Result<(), EngineError> {
        let found = brought.iter().flat_map(|&(file, code)| {
            let new: Vec<Span> = brought.iter().filter(|(other, _)| *other == file).map(|(_, span)| *span).collect();
            let names = self.resolve(|resolver| unbound_in_new(resolver, file, code, &new));
            names.into_iter().map(move |name| (file, name))
        });
        let row = |(file, name): (FileId, Span)| {
            let text = self.resolve(|resolver| resolver.tree(file).map(|tree| tree.text().slice(name).into_owned()));
            self.place_row(file, name.start(), format!("`{}` is not known there", text.unwrap_or_default()))
        };
        let places: Vec<PlaceRow> = found.take(SHOWN).map(row).collect();
        let Some(first) = places.first() else { return Ok(()) };
        let message = format!(
            "the new code has a name that nothing defines, e.g. {}:{}:{}: {}",
            first.path, first.line, first.col, first.why
        );
        let mut error = EngineError::new(ErrorCode::WouldRebind, message)
            .hint("define or import it there first, or use {force_refactor} if it is defined in another way");
        error.details.places = places;
        Err(error)
    }

    /// A name that refers to something else, at its place in the new text.
    pub(crate) fn rebound_row(&self, name: &Rebound, moved: &Moved) -> PlaceRow {
        let (file, start) =
            if name.was.is_some() { moved.place_now(name.file, name.start) } else { (name.file, name.start) };
        let said = |bound: &Option<Bound>| match bound {
            None => "no name".to_owned(),
            Some(Bound::External) => "outside of the project".to_owned(),
            Some(Bound::Unknown(_)) => "unknown".to_owned(),
            Some(Bound::Known(places)) => {
                let named: Vec<String> = places.iter().take(2).map(|place| self.place_text(*place)).collect();
                named.join(" and ")
            }
        };
        let (was, is) = (said(&name.was), said(&name.is));
        let why = match &name.was {
            None => format!("would be {is}, was not there"),
            Some(_) if was == is => format!("would be {is}, was another one there"),
            Some(_) => format!("would be {is}, was {was}"),
        };
        self.place_row(file, start, why)
    }

    fn place_text(&self, place: Place) -> String {
        match place {
            Place::Symbol(file, start) => {
                let line = self.resolve(|resolver| {
                    resolver.tree(file).map_or(0, |tree| tree.text().line_at(start.min(tree.text().len())))
                });
                format!("{}:{line}", self.shown(file))
            }
            Place::Module(file) => self.shown(file),
            Place::Folder(_) | Place::Package(_) => "a package".to_owned(),
        }
    }
}
