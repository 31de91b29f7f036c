//! The names that a move to another package may concern.

use rustc_hash::FxHashSet;

use crate::modules::FileId;
use crate::refactor::move_packages::parcel::Parcel;
use crate::request::error::{EngineError, PlaceRow};
use crate::request::symbol_messages::Confidence;
use crate::symbols::{Bound, BoundName, Place, Thing};
use crate::text::Span;
use crate::workspace::files::Workspace;

impl Workspace<'_> {
    /// The names that may cross the border, and uncertain references to what moves.
    pub(super) fn names_across(&self, parcel: &Parcel) -> Result<(Vec<BoundName>, Vec<PlaceRow>), EngineError> {
        let words = self.resolve(|resolver| parcel.names(resolver));
        let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| *word != "_").collect();
        let near: FxHashSet<FileId> = parcel.old.files.iter().chain(&parcel.new.files).copied().collect();
        let found = self.bindings(&words, &near)?;
        let mut names: Vec<BoundName> = found.names().to_vec();
        let means = |name: &BoundName| match &name.bound {
            Bound::Known(places) | Bound::Unknown(places) => places.iter().any(|place| match place {
                Place::Symbol(file, start) => parcel.moving.contains_key(&(*file, *start)),
                _ => false,
            }),
            Bound::External => false,
        };
        let users: FxHashSet<FileId> =
            names.iter().filter(|name| !near.contains(&name.file) && means(name)).map(|name| name.file).collect();
        names.retain(|name| !users.contains(&name.file));
        names.extend(self.bindings(&[], &users)?.names().iter().cloned());
        let mut left = Vec::new();
        for &site in parcel.moving.values() {
            for one in self.references(&[Thing::Symbol(site)])? {
                if !matches!(one.row.confidence, Confidence::Candidate | Confidence::Undetermined)
                    || parcel.has(one.file, Span::at(one.start))
                    || self.resolve(|resolver| parcel.is_out_of_reach(resolver, one.file, one.node))
                {
                    continue;
                }
                let why = one.row.doubt.clone().unwrap_or_else(|| "it may refer to what moves".to_owned());
                left.push(self.place_row(one.file, one.start, why));
            }
        }
        left.sort_by(|one, other| (&one.path, one.line, one.col).cmp(&(&other.path, other.line, other.col)));
        left.dedup();
        Ok((names, left))
    }

    /// The files of the language that may have the name of the old package.
    ///
    /// # Errors
    /// If the request is stopped.
    pub(super) fn mentioning(&self, parcel: &Parcel) -> Result<Vec<FileId>, EngineError> {
        if parcel.is_qualified() && !parcel.empties() {
            return Ok(Vec::new());
        }
        let last = parcel.old.path.rsplit(['.', '/']).next().unwrap_or_default().to_owned();
        self.look_at_text(&last, |resolver, file| {
            if resolver.project().file(file).language == parcel.language { vec![file] } else { Vec::new() }
        })
    }
}
