//! `unused`: definitions that nothing refers to.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::core::Begun;
use super::error::EngineError;
use super::method::Method;
use super::report::Skipped;
use super::rows::outline_error;
use super::search_messages::{KeptCount, UnusedRequest, UnusedResponse, UnusedRow};
use super::symbol_messages::{Confidence, SymbolRow};
use super::workspace::Workspace;
use crate::language::taxonomy;
use crate::outline;
use crate::symbols::{DefinitionUse, FileId, Kept, Site, Uses, uses};

impl Method for UnusedRequest {
    const NAME: &'static str = "unused";
    const READS: bool = true;
    type Result = UnusedResponse;

    /// Lists definitions that nothing refers to.
    ///
    /// # Errors
    /// If the target is not a folder, or a kind is unknown.
    fn run(&self, engine: &Begun<'_>) -> Result<UnusedResponse, EngineError> {
        let options = outline::Options { kinds: self.kinds.clone(), ..outline::Options::default() };
        options.check().map_err(outline_error)?;
        let workspace = engine.workspace(&self.targets, &self.reading)?;
        let within = workspace.chosen(self.path.as_deref())?;
        let follows = |file: FileId| workspace.project.file(file).language.spec().symbols.modules.is_some();
        let all = workspace.all_uses()?;
        let judge = Judge::new(&all);
        let mut kept: BTreeMap<String, usize> = BTreeMap::new();
        let (mut certain, mut candidates) = (0, 0);
        let (mut rows, mut total, mut not_followed) = (Vec::new(), 0, BTreeMap::new());
        for (file, uses) in &all {
            if within.as_ref().is_some_and(|within| !within.contains(file)) {
                continue;
            }
            if !follows(*file) {
                if uses.listed > 0 {
                    *not_followed.entry(workspace.project.file(*file).language.name().to_owned()).or_insert(0) += 1;
                }
                continue;
            }
            let path = workspace.shown(*file);
            for definition in &uses.definitions {
                let is_wanted =
                    self.kinds.is_empty() || self.kinds.iter().any(|kind| taxonomy().is_a(definition.kind, kind));
                if !is_wanted {
                    continue;
                }
                total += 1;
                if judge.is_used(definition) {
                    continue;
                }
                let kept_for = judge.kept(definition);
                let is_export = kept_for == Some(&Kept::Export);
                if let Some(why) = kept_for.filter(|_| !(is_export && self.exports)) {
                    *kept.entry(why_kept(why)).or_insert(0) += 1;
                    continue;
                }
                let is_open = judge.may_be_used(definition);
                let confidence = if is_open { Confidence::Candidate } else { Confidence::Certain };
                candidates += usize::from(is_open);
                certain += usize::from(!is_open);
                if self.certain && is_open {
                    continue;
                }
                let (line, col) = definition.place;
                let symbol = SymbolRow {
                    qualname: definition.qualname.clone(),
                    kind: definition.kind.to_owned(),
                    path: path.clone(),
                    line,
                    col,
                };
                let lines = definition.lines.1 + 1 - definition.lines.0;
                rows.push(UnusedRow { symbol, confidence, lines });
            }
        }
        let limit = self.limit.unwrap_or(usize::MAX);
        let truncated = rows.len() > limit;
        rows.truncate(limit);
        let row = |(why, count)| KeptCount { why, count };
        Ok(UnusedResponse {
            unused: rows,
            certain,
            candidates,
            truncated,
            definitions: total,
            kept: kept.into_iter().map(row).collect(),
            not_followed: not_followed.into_iter().map(row).collect(),
            project: workspace.report(),
            unsaved: workspace.unsaved.len(),
            skipped: workspace.take_skipped(),
        })
    }

    fn skipped(answer: &mut UnusedResponse) -> &mut [Skipped] {
        &mut answer.skipped
    }
}

impl Workspace<'_> {
    /// What all files define and use.
    pub(super) fn all_uses(&self) -> Result<Vec<(FileId, Uses)>, EngineError> {
        // Names of other languages may mean a definition, too.
        self.look("", None, |resolver, file| vec![(file, uses(resolver, file))])
    }
}

/// Says whether definitions are in use.
pub(super) struct Judge<'a> {
    used: FxHashSet<Site>,
    unknown: FxHashSet<&'a str>,
    dynamic: FxHashSet<Site>,
    overridden: FxHashSet<Site>,
    /// The names of members that are used: another member of that name may be meant through an interface.
    used_members: FxHashSet<&'a str>,
    /// Parts of names that may be put together: `"visit_%s"`.
    beginnings: Vec<&'a str>,
    ends: Vec<&'a str>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(all: &'a [(FileId, Uses)]) -> Judge<'a> {
        let unknown: FxHashSet<&str> =
            all.iter().flat_map(|(_, uses)| uses.unknown.iter().map(String::as_str)).collect();
        let parts =
            |is_one: fn(&str) -> bool| unknown.iter().copied().filter(|word| word.len() > 2 && is_one(word)).collect();
        let used: FxHashSet<Site> = all.iter().flat_map(|(_, uses)| uses.used.iter().map(|used| used.site)).collect();
        let members = all.iter().flat_map(|(_, uses)| &uses.definitions).filter(|definition| is_member(definition));
        let used_members = members.filter(|member| used.contains(&member.site)).map(|member| member.name.as_str());
        Judge {
            used_members: used_members.collect(),
            used,
            overridden: all.iter().flat_map(|(_, uses)| uses.overridden.iter().copied()).collect(),
            dynamic: all.iter().flat_map(|(_, uses)| uses.dynamic.iter().copied()).collect(),
            beginnings: parts(|word| word.ends_with('_')),
            ends: parts(|word| word.starts_with('_')),
            unknown,
        }
    }

    /// Whether something certainly refers to a definition.
    pub(super) fn is_used(&self, definition: &DefinitionUse) -> bool {
        self.used.contains(&definition.site)
    }

    /// Why a definition may be in use without a reference.
    pub(super) fn kept<'d>(&self, definition: &'d DefinitionUse) -> Option<&'d Kept> {
        let overridden = self.overridden.contains(&definition.site).then_some(&Kept::Override);
        definition.kept.as_ref().or(overridden)
    }

    /// Whether something that is not known may refer to a definition.
    pub(super) fn may_be_used(&self, definition: &DefinitionUse) -> bool {
        let name = definition.name.as_str();
        definition.has_unknown_bases
            || definition.classes.iter().any(|class| self.dynamic.contains(class))
            || self.unknown.contains(name)
            || is_member(definition) && self.used_members.contains(name)
            || self.beginnings.iter().any(|part| name.len() > part.len() && name.starts_with(part))
            || self.ends.iter().any(|part| name.len() > part.len() && name.ends_with(part))
    }
}

fn is_member(definition: &DefinitionUse) -> bool {
    !definition.classes.is_empty() || taxonomy().is_a(definition.kind, "method")
}

fn why_kept(kept: &Kept) -> String {
    match kept {
        Kept::Name(what) => what.clone(),
        Kept::Decorator => "decorated".to_owned(),
        Kept::Export => "exported".to_owned(),
        Kept::Override => "override".to_owned(),
    }
}
