//! Where code may make the name of a symbol.

use rustc_hash::FxHashSet;

use super::family::Subject;
use crate::request::error::EngineError;
use crate::symbols::{FileId, MadeName, Making, NamedSymbol};
use crate::text::Span;
use crate::workspace::files::Workspace;

impl Workspace<'_> {
    /// Where code may make the name of a symbol.
    pub(super) fn made_names(&self, subject: &Subject) -> Result<Vec<(FileId, MadeName)>, EngineError> {
        let symbol = NamedSymbol {
            name: &subject.old,
            classes: &subject.classes,
            modules: &subject.modules,
            is_member: subject.is_member,
            local: (!subject.is_lasting || subject.is_parameter).then(|| subject.family[0]),
        };
        let own = subject.family.iter().chain(&subject.classes).map(|site| site.file);
        let mut files: FxHashSet<FileId> = own.collect();
        let mut words = Vec::new();
        if symbol.local.is_none() {
            let language = self.project.file(subject.family[0].file).language;
            let rules = &language.spec().symbols.hidden_uses;
            let all = rules.dynamic_calls.iter().chain(&rules.code_calls).chain(&rules.name_tables);
            let all: FxHashSet<&str> = all.filter_map(|word| word.split('.').next()).collect();
            let indexes = !rules.dynamic_accesses.is_empty();
            self.resolve(|resolver| {
                let has_word = |file: FileId| indexes || all.iter().any(|word| resolver.may_contain(file, word));
                let is_it = |&file: &FileId| {
                    has_word(file)
                        && (resolver.may_contain(file, symbol.name) || resolver.may_make_name(file, symbol.name))
                };
                files.extend(self.project.ids().filter(is_it));
            });
            words.extend(rules.dynamic_calls.iter().filter(|word| !word.contains('.')).map(String::as_str));
        }
        words.push("");
        let mut found = Vec::new();
        for word in words {
            let only = word.is_empty().then_some(&files);
            found.extend(self.look(word, only, |resolver, file| {
                let made = resolver.made_names(file, &symbol).into_iter();
                made.map(|made| (file, made)).collect()
            })?);
        }
        found.sort_by_key(|(file, made)| (*file, made.span.start(), made.how));
        found.dedup();
        Ok(found)
    }

    /// Where the members of the classes of a member are accessed by computed names.
    pub(crate) fn computed_accesses(&self, subject: &Subject) -> Result<Vec<(FileId, Span)>, EngineError> {
        let is_computed = |made: &MadeName| matches!(made.how, Making::Computed | Making::Table);
        let made = self.made_names(subject)?.into_iter().filter(|(_, made)| is_computed(made));
        Ok(made.map(|(file, made)| (file, made.span)).collect())
    }
}
