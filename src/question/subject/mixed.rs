//! Methods of one name that code brings together: modules that are mixed into objects, methods that are defined for an object.

use rustc_hash::FxHashMap;

use super::doubt::Doubt;
use super::family::Subject;
use crate::question::references::Reference;
use crate::request::error::EngineError;
use crate::request::symbol_messages::{Confidence, Role};
use crate::symbols::Site;
use crate::text::Span;
use crate::workspace::files::Workspace;

impl Workspace<'_> {
    /// The definitions of the name of a method that may be of the same object, though no class says so: `o.extend(M)`, `def o.run`.
    ///
    /// # Errors
    /// If files cannot be read.
    pub(super) fn mixed_doubts(&self, subject: &Subject, references: &[Reference]) -> Result<Vec<Doubt>, EngineError> {
        let language = self.project.file(subject.family[0].file).language;
        let mut doubts = Vec::new();
        if !subject.is_member || language.spec().symbols.open_classes.mixins.is_empty() {
            return Ok(doubts);
        }
        let mut known = FxHashMap::default();
        for reference in references.iter().filter(|one| one.row.role == Role::Definition) {
            let other = Site { file: reference.file, name: reference.node };
            if reference.row.confidence == Confidence::Certain || subject.family.contains(&other) {
                continue;
            }
            let is_of_object = self.resolve(|resolver| resolver.is_of_unknown_object(other.file, other.name));
            let mut is_mixed = is_of_object;
            for &site in [other].iter().chain(&subject.family).filter(|_| !is_of_object) {
                let class = self.resolve(|resolver| resolver.class_of_member(site));
                let Some(class) = class else { continue };
                is_mixed |= match known.get(&class) {
                    Some(&known) => known,
                    None => {
                        let found = self.is_mixed_elsewhere(class)?;
                        known.insert(class, found);
                        found
                    }
                };
            }
            if is_mixed {
                let why = "other code may put this method into an object that has the other one";
                let row = self.place_row(reference.file, reference.start, why.to_owned());
                let span = Span::new(reference.start, reference.start + subject.old.len());
                doubts.push(Doubt { file: reference.file, span, row, is_remark: false });
            }
        }
        Ok(doubts)
    }

    /// Whether code mixes a module into objects, or into classes from outside of them.
    fn is_mixed_elsewhere(&self, module: Site) -> Result<bool, EngineError> {
        let Some(name) = self.resolve(|resolver| resolver.name_of(module)) else { return Ok(false) };
        let found = self.look(&name, None, |resolver, file| {
            resolver.mixes_into_objects(file, module, &name).then_some(()).into_iter().collect()
        })?;
        Ok(!found.is_empty())
    }
}
