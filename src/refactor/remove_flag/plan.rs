//! What changes when a feature flag is always true, or always false.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use crate::imports::drop_imports;
use crate::modules::FileId;
use crate::question::references::Reference;
use crate::reader::document::limits;
use crate::refactor::organize_imports::plan::import_facts;
use crate::refactor::plan::{Done, Plan, Planned};
use crate::refactor::remove_flag::edits::is_inexact;
use crate::refactor::{FlagUses, Removed, remove_flag};
use crate::request::error::{EngineError, ErrorCode, PlaceRow};
use crate::request::refactor::{RefactorOptions, RemoveFlag};
use crate::request::symbol_messages::{Confidence, Role};
use crate::risks::{Risk, StringKind, StringUse};
use crate::symbols::{Meaning, Site, Thing};
use crate::tree::Tree;
use crate::workspace::files::Workspace;

/// How often imports are looked for that nothing uses any more.
const ROUNDS: usize = 8;

/// The references of a flag.
#[derive(Default)]
struct FlagReferences {
    files: BTreeMap<FileId, FlagUses>,
    certain: usize,
    included: usize,
    left: Vec<PlaceRow>,
    is_public: bool,
}

impl Plan for RemoveFlag {
    fn plan(
        &self,
        workspace: &mut Workspace<'_>,
        options: &RefactorOptions,
        done: &mut Done,
    ) -> Result<(), EngineError> {
        workspace.remove_flag(self, options, done)
    }
}

impl Workspace<'_> {
    /// Makes a flag true or false everywhere, then deletes the imports that nothing uses any more.
    ///
    /// # Errors
    /// If no symbol fits, uses are uncertain, or the program would not do the same.
    pub(crate) fn remove_flag(
        &mut self,
        request: &RemoveFlag,
        options: &RefactorOptions,
        done: &mut Done,
    ) -> Result<(), EngineError> {
        let planned = self.plan_flag(request, options)?;
        let mut before: BTreeMap<FileId, Tree> =
            planned.files.iter().map(|(file, tree, _)| (*file, tree.clone())).collect();
        done.add(self.apply_checked(planned)?);
        for _ in 0..ROUNDS {
            let planned = self.plan_unused_imports(options, &before)?;
            if planned.files.is_empty() {
                break;
            }
            let old: Vec<(FileId, Tree)> = planned.files.iter().map(|(file, tree, _)| (*file, tree.clone())).collect();
            before.retain(|file, _| old.iter().any(|(known, _)| known == file));
            match self.apply_checked(planned) {
                Ok((_, planned)) => done.add((Vec::new(), planned)),
                // They stay: `cst refactor organize-imports` says why.
                Err(error) if error.code == ErrorCode::WouldRebind => {
                    self.edit(old);
                    done.notes.push("imports that may have no use any more stay as they are".to_owned());
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn plan_flag(&self, request: &RemoveFlag, options: &RefactorOptions) -> Result<Planned, EngineError> {
        let value = request.value;
        let bad = EngineError::bad_request;
        let symbol = request.symbol.as_str();
        if symbol.is_empty() {
            return Err(bad("removing a flag takes its name".to_owned()));
        }
        let found = self.find(symbol, false)?;
        let Thing::Symbol(site) = found[0].thing else {
            return Err(bad(format!("`{symbol}` is a module, not a symbol in one")).hint("name a variable"));
        };
        let language = self.project.file(site.file).language;
        if !language.spec().flow.decided.is_known() {
            let message = format!("removing flags is not supported in {} yet", language.name());
            return Err(EngineError::new(ErrorCode::UnsupportedLanguage, message));
        }
        let name = self.resolve(|resolver| resolver.name_of(site)).unwrap_or_default();
        let what = format!("cannot remove `{name}`");
        if !self.resolve(|resolver| resolver.is_lasting(site)) {
            return Err(bad(format!("`{name}` is a variable of a function, not a flag")));
        }
        let mut uses = self.flag_uses(options, site)?;
        for other in self.overriding(site)?.into_iter().filter(|&other| other != site) {
            uses.left.push(self.site_row(other, "it overrides it, or is overridden by it"));
        }
        self.add_strings(options, (site, &name), &mut uses)?;
        let subject = self.subject(vec![site], &self.references(&[Thing::Symbol(site)])?)?;
        for (file, span) in self.computed_accesses(&subject)? {
            uses.left.push(self.place_row(file, span.start(), "accesses members by a computed name".to_owned()));
        }
        uses.left.extend(self.unread_with(&[&name]));
        let risks: Vec<PlaceRow> = self
            .resolve(|resolver| resolver.risks(site, ""))
            .into_iter()
            .filter_map(|risk| Some(self.site_row(site, &why_used(&risk)?)))
            .collect();
        self.refuse_uncertain(options, &what, risks, &uses.left)?;
        let limits = limits(&options.reading);
        let mut planned =
            Planned { definitions: found, deletes: true, words: vec![name.clone()], ..Planned::default() };
        let is_inexact =
            self.resolve(|resolver| resolver.tree(site.file).is_some_and(|tree| is_inexact(tree, site.name)));
        for (&file, uses) in &mut uses.files {
            uses.is_inexact = is_inexact;
            let tree = self.whole_tree(file)?;
            let removed = remove_flag(&tree, file, uses, value, &limits);
            let Removed { outcome, followed, names } = removed.map_err(|refusal| self.refused(file, refusal))?;
            planned.followed.push(followed);
            planned.words.extend(names);
            if !outcome.edits.is_empty() {
                planned.files.push((file, tree, outcome));
            }
        }
        planned.words.sort_unstable();
        planned.words.dedup();
        planned.counts = (uses.certain, uses.included);
        planned.left = uses.left;
        if uses.is_public {
            let note = "is exported; code outside of the project that uses it is not changed";
            planned.notes.push(format!("`{name}` {note}"));
        }
        Ok(planned)
    }

    /// The places that refer to a flag, by their files.
    fn flag_uses(&self, options: &RefactorOptions, site: Site) -> Result<FlagReferences, EngineError> {
        let mut found = FlagReferences::default();
        found.files.entry(site.file).or_default().definition = Some(site.name);
        for reference in self.references(&[Thing::Symbol(site)])? {
            let Reference { file, node, start, ref row, .. } = reference;
            let is_own = file == site.file && node == site.name;
            let left =
                |found: &mut FlagReferences, why: &str| found.left.push(self.place_row(file, start, why.to_owned()));
            if is_own || row.confidence == Confidence::Elsewhere {
                continue;
            }
            if row.confidence != Confidence::Certain {
                if !self.includes(options, &row.path, row.line, row.col) {
                    left(&mut found, "this may not refer to it");
                    continue;
                }
                found.included += 1;
            }
            match row.role {
                Role::Definition | Role::Write => {
                    left(&mut found, "it is also assigned here");
                    continue;
                }
                Role::Type | Role::Base | Role::Decorator | Role::Call => {
                    left(&mut found, "it is used other than as a value here");
                    continue;
                }
                Role::Mention => continue,
                Role::Import | Role::Export => {
                    found.is_public |= row.role == Role::Export;
                    found.files.entry(file).or_default().listed.push(node);
                }
                _ => found.files.entry(file).or_default().reads.push(node),
            }
            if row.confidence == Confidence::Certain {
                found.certain += 1;
            }
        }
        for uses in found.files.values_mut() {
            for names in [&mut uses.reads, &mut uses.listed] {
                names.sort_unstable();
                names.dedup();
            }
        }
        Ok(found)
    }

    /// The strings that name a flag: those in lists of names go, others are uncertain.
    fn add_strings(
        &self,
        options: &RefactorOptions,
        (site, name): (Site, &str),
        found: &mut FlagReferences,
    ) -> Result<(), EngineError> {
        let mut holders: FxHashSet<String> = FxHashSet::default();
        self.resolve(|resolver| {
            let module = resolver.describe(Thing::Module(site.file)).map(|module| module.qualname);
            holders.extend(module.and_then(|name| name.rsplit('.').next().map(str::to_owned)));
            holders.extend(resolver.class_of_member(site).and_then(|class| resolver.name_of(class)));
        });
        for (file, StringUse { span, kind, .. }) in self.strings(name)? {
            let why = match kind {
                StringKind::Listed(Meaning::Known(things)) => {
                    if things.contains(&Thing::Symbol(site)) {
                        let node = self.whole_tree(file)?.table().smallest_around(span);
                        found.files.entry(file).or_default().listed.push(node);
                        found.certain += 1;
                        found.is_public = true;
                    }
                    continue;
                }
                StringKind::Listed(_) => "a name in a list that cannot be followed",
                StringKind::Access => "a call names a member by this string",
                StringKind::Path(before) => {
                    let last = before.rsplit(['.', ':']).next().unwrap_or(&before);
                    if !holders.contains(last) {
                        continue;
                    }
                    "a path in a string"
                }
                StringKind::Name if options.strings => "a string equal to the name",
                StringKind::Head | StringKind::Argument(_) | StringKind::Name | StringKind::Callable { .. } => continue,
            };
            found.left.push(self.place_row(file, span.start(), why.to_owned()));
        }
        Ok(())
    }

    /// The deletion of imports that had a use before.
    fn plan_unused_imports(
        &self,
        options: &RefactorOptions,
        before: &BTreeMap<FileId, Tree>,
    ) -> Result<Planned, EngineError> {
        let taken = self.taken()?;
        let limits = limits(&options.reading);
        let files: FxHashSet<FileId> = before.keys().copied().collect();
        let changed = self.look("", Some(&files), |resolver, file| {
            let (Some(tree), Some(old)) = (resolver.tree(file), before.get(&file)) else { return Vec::new() };
            let facts = import_facts(resolver, (file, tree), &taken, FxHashSet::default());
            let dropped = drop_imports(old, tree, &facts, &limits);
            dropped.map(|dropped| (file, tree.clone(), dropped)).into_iter().collect()
        })?;
        let mut planned = Planned { deletes: true, ..Planned::default() };
        for (file, tree, dropped) in changed {
            // An edit that is refused leaves the imports of the file.
            let Ok((outcome, names)) = dropped else { continue };
            planned.words.extend(names);
            planned.files.push((file, tree, outcome));
        }
        planned.words.sort_unstable();
        planned.words.dedup();
        Ok(planned)
    }

    fn site_row(&self, site: Site, why: &str) -> PlaceRow {
        let start = self.resolve(|resolver| resolver.tree(site.file).map_or(0, |tree| tree.span(site.name).start()));
        self.place_row(site.file, start, why.to_owned())
    }
}

/// Why a flag may be used from where it is not seen.
fn why_used(risk: &Risk) -> Option<String> {
    match risk {
        Risk::Decorator(word) | Risk::Handled { decorator: word, .. } => {
            Some(format!("the decorator `{word}` may use it"))
        }
        Risk::Name(what) => Some(format!("the name has a special meaning: {what}")),
        Risk::Base(base) | Risk::Theirs(base) => {
            Some(format!("the base `{base}` outside of the project may have or use it"))
        }
        Risk::Object => Some("a member of an object literal may be used through a type".to_owned()),
        Risk::Broken => Some("it is defined in code with a syntax error".to_owned()),
        Risk::Declared => Some("it declares something that is defined outside of the project".to_owned()),
        Risk::Double => Some("it is a parameter and a member at once".to_owned()),
        Risk::File | Risk::Taken(_) | Risk::OfAll(_) | Risk::Twin | Risk::Hidden | Risk::Listed | Risk::Named(_) => {
            None
        }
    }
}
