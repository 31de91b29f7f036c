//! Fields of other records that have to have the name of a field, because the records are one type, or are converted to each other.

use super::family::Subject;
use crate::modules::FileId;
use crate::request::error::EngineError;
use crate::risks::Record;
use crate::symbols::Site;
use crate::workspace::files::Workspace;

impl Workspace<'_> {
    /// The fields of other records that have to have the name of the symbol.
    ///
    /// # Errors
    /// If files cannot be read.
    pub(super) fn alike_fields(&self, subject: &Subject) -> Result<Vec<Site>, EngineError> {
        let language = self.project.file(subject.family[0].file).language;
        if !subject.is_member || language.spec().symbols.members.alike_records.is_empty() {
            return Ok(Vec::new());
        }
        let records: Vec<Record> =
            self.look(&subject.old, None, |resolver, file| match resolver.project().file(file).language == language {
                true => resolver.records_with(file, &subject.old),
                false => Vec::new(),
            })?;
        let is_own = |record: &Record| record.fields.iter().any(|field| subject.family.contains(&field.site));
        let (own, others): (Vec<&Record>, Vec<&Record>) = records.iter().partition(|record| is_own(record));
        let mut found = Vec::new();
        for other in others {
            let mut alike = own.iter().filter(|own| own.is_like(other));
            let mut is_same = false;
            while let Some(own) = alike.next().filter(|_| !is_same) {
                is_same = self.may_be_one(own, other)?;
            }
            let field = other.fields.iter().find(|field| field.name == subject.old);
            found.extend(field.filter(|_| is_same).map(|field| field.site));
        }
        Ok(found)
    }

    /// Whether a value of one record may become one of the other.
    fn may_be_one(&self, one: &Record, other: &Record) -> Result<bool, EngineError> {
        let (Some(first), Some(second)) = (one.class, other.class) else {
            return Ok(!one.is_confined && !other.is_confined);
        };
        for (name, from, to) in [(&other.name, first, second), (&one.name, second, first)] {
            let converts = self.look(name, None, |resolver, file: FileId| {
                resolver.converts(file, from, to).then_some(()).into_iter().collect()
            })?;
            if !converts.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
