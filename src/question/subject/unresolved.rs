//! Members and names of languages whose classes are not followed over files: what bases, and classes below, may have.

use rustc_hash::FxHashSet;

use super::doubt::Doubt;
use super::family::Subject;
use crate::modules::FileId;
use crate::request::error::{EngineError, PlaceRow};
use crate::text::Span;
use crate::workspace::files::Workspace;

/// How many classes above a class are looked for.
const ABOVE: usize = 32;

impl Workspace<'_> {
    /// Why a symbol whose class is not followed may be meant by others, and its new name, if there is one.
    ///
    /// # Errors
    /// If files cannot be read.
    pub(crate) fn unresolved_rows(&self, subject: &Subject, to: Option<&str>) -> Result<Vec<PlaceRow>, EngineError> {
        let own = subject.family[0];
        if !subject.is_lasting || subject.is_parameter || !self.resolve(|resolver| resolver.is_unresolved(own.file)) {
            return Ok(Vec::new());
        }
        let mut rows = Vec::new();
        let start = self.resolve(|resolver| resolver.tree(own.file).map_or(0, |tree| tree.span(own.name).start()));
        let class = self.resolve(|resolver| resolver.written_holder(own));
        let is_function = self.resolve(|resolver| resolver.is_written_function(own));
        let mut is_joined = class.is_none();
        if let Some(class) = class {
            let (above, outside) = self.written_bases(&class)?;
            is_joined = above > 0 || outside.is_some() || self.has_written_below(&class)?;
            if let Some(base) = outside.filter(|_| is_function) {
                let why = format!("the base `{base}` outside of the project may have or use this member");
                rows.push(self.place_row(own.file, start, why));
            }
        }
        if let Some(to) = to.filter(|_| is_joined) {
            let found = self.look(to, None, |resolver, file| {
                let is_one = resolver.may_name_unresolved(file);
                let places = if is_one { resolver.places_of(file, to) } else { Vec::new() };
                places.into_iter().map(|start| (file, start)).take(1).collect()
            })?;
            let first: Option<(FileId, usize)> = found.into_iter().min();
            rows.extend(first.map(|(file, start)| {
                self.place_row(file, start, format!("`{to}` is in use here, and may mean the new name, or hide it"))
            }));
        }
        Ok(rows)
    }

    /// The same, whatever its new name is.
    ///
    /// # Errors
    /// If files cannot be read.
    pub(super) fn unresolved_doubts(&self, subject: &Subject) -> Result<Vec<Doubt>, EngineError> {
        let rows = self.unresolved_rows(subject, None)?.into_iter();
        let (file, start) = self.resolve(|resolver| {
            let own = subject.family[0];
            (own.file, resolver.tree(own.file).map_or(0, |tree| tree.span(own.name).start()))
        });
        Ok(rows.map(|row| Doubt { file, span: Span::new(start, start), row, is_remark: false }).collect())
    }

    /// How many classes of the project are above a class, by their names, and the first base that is not there.
    fn written_bases(&self, class: &str) -> Result<(usize, Option<String>), EngineError> {
        let mut seen: FxHashSet<String> = FxHashSet::from_iter([class.to_owned()]);
        let (mut waiting, mut above, mut outside) = (vec![class.to_owned()], 0, None);
        while let Some(next) = waiting.pop() {
            let found = self.look(&next, None, |resolver, file| resolver.written_classes(file, &next))?;
            let own: Vec<_> = found.into_iter().filter(|found| found.name == next).collect();
            if own.is_empty() && next != class {
                outside.get_or_insert(next);
                continue;
            }
            above += usize::from(next != class);
            for base in own.into_iter().flat_map(|class| class.bases) {
                if seen.len() < ABOVE && seen.insert(base.clone()) {
                    waiting.push(base);
                }
            }
        }
        Ok((above, outside))
    }

    /// Whether a class of the project has a class as a base, by its name.
    fn has_written_below(&self, class: &str) -> Result<bool, EngineError> {
        let found = self.look(class, None, |resolver, file| resolver.written_classes(file, class))?;
        Ok(found.iter().any(|found| found.bases.iter().any(|base| base == class)))
    }
}
