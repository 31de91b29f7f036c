//! New names of members that the objects have already, or are asked for.

use rustc_hash::FxHashSet;

use crate::modules::FileId;
use crate::question::subject::family::Subject;
use crate::request::error::{EngineError, ErrorCode};
use crate::risks::{Having, NamedSymbol, StringKind, StringUse};
use crate::symbols::{MemberName, Resolver, Site};
use crate::workspace::files::Workspace;

impl Workspace<'_> {
    /// Refuses a name that a class with the member, one above or one below has, or that code reads of such an object.
    ///
    /// # Errors
    /// If it is taken, or files cannot be read.
    pub(super) fn refuse_taken(
        &self,
        subject: &Subject,
        joined: &FxHashSet<Site>,
        to: &str,
    ) -> Result<(), EngineError> {
        if !subject.is_member {
            return Ok(());
        }
        let classes: Vec<Site> = self.resolve(|resolver| {
            let classes = subject.family.iter().filter_map(|&site| resolver.class_of_member(site));
            classes.collect()
        });
        let strings = self.strings(to)?;
        let is_in_use = !strings.is_empty() || {
            let has_name = |resolver: &Resolver<'_>, file| resolver.spans_of(file, to).into_iter().take(1).collect();
            !self.look(to, None, has_name)?.is_empty()
        };
        let below = self.classes_below(&classes)?;
        let taken = self.resolve(|resolver| {
            let spaces = resolver.member_spaces(&subject.family);
            let all = classes.iter().copied().chain(below.iter().map(|below| below.class));
            let has = |class: Site| {
                let member = resolver.found_member(class, MemberName { text: to, spaces });
                let shorthand = || resolver.shorthand_key(class, to);
                member.or_else(shorthand).or_else(|| resolver.other_key_of_class(class, to, is_in_use))
            };
            let beside = |&site: &Site| resolver.other_key(site, to, is_in_use);
            let mut above = classes.iter().flat_map(|&class| resolver.superclasses(class).0);
            let of_base = || above.find_map(|class| resolver.other_key_of_class(class, to, is_in_use));
            { all }.find_map(has).or_else(of_base).or_else(|| subject.family.iter().find_map(beside))
        });
        let in_tables = |resolver: &Resolver<'_>, file| resolver.named_in_tables(file, &subject.classes, to);
        let taken = match taken {
            None if is_in_use => self.look(to, None, in_tables)?.into_iter().next(),
            taken => taken,
        };
        if let Some(taken) = taken {
            let start =
                self.resolve(|resolver| resolver.tree(taken.file).map_or(0, |tree| tree.span(taken.name).start()));
            let why = format!("`{to}` is already a member of the class, or of one above or below it");
            return Err(self.taken_at(taken.file, start, why));
        }
        if is_in_use && self.meets_name(subject, joined, to)? {
            let old = &subject.old;
            let message = format!("an object with `{old}` has or is asked for a member `{to}`");
            return Err(EngineError::new(ErrorCode::WouldRebind, message).hint("choose another name"));
        }
        let named = NamedSymbol { name: to, ..subject.named() };
        for (file, StringUse { node, span, kind }) in strings {
            let is_asked = kind == StringKind::Access
                && match self.resolve(|resolver| resolver.may_have_named(file, node, &named)) {
                    Having::Yes => true,
                    Having::Perhaps => !self.is_string_of_another(subject, file, span)?,
                    Having::No => false,
                };
            if is_asked {
                let why = format!("code names a member by this string, and the object would have `{to}`");
                return Err(self.taken_at(file, span.start(), why));
            }
        }
        Ok(())
    }

    fn taken_at(&self, file: FileId, start: usize, why: String) -> EngineError {
        let row = self.place_row(file, start, why);
        let message = format!("{}:{}:{}: {}", row.path, row.line, row.col, row.why);
        let mut error = EngineError::new(ErrorCode::WouldRebind, message).hint("choose another name");
        error.details.places = vec![row];
        error
    }
}
