//! `unused`: definitions that nothing refers to.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::words;
use crate::language::{LazyRegex, SymbolRules, taxonomy};
use crate::modules::FileId;
use crate::outline;
use crate::project::Globs;
use crate::reader::core::Reader;
use crate::reader::rows::outline_error;
use crate::request::error::EngineError;
use crate::request::search_messages::{KeptCount, UnusedRequest, UnusedResponse, UnusedRow};
use crate::request::symbol_messages::{Confidence, SymbolRow};
use crate::risks::{DefinitionUse, Kept, Uses, uses};
use crate::symbols::Site;
use crate::workspace::files::{Workspace, languages_of};
use crate::workspace::unsearched::{Unparsed, words as names_in};

/// Lists definitions that nothing refers to.
///
/// # Errors
/// If the target is not a folder, or a kind is unknown.
pub(crate) fn unused(request: &UnusedRequest, reader: &Reader) -> Result<UnusedResponse, EngineError> {
    let options = outline::Options { kinds: request.kinds.clone(), ..outline::Options::default() };
    options.check().map_err(outline_error)?;
    let workspace = reader.workspace(&request.targets, &request.reading)?;
    let within = workspace.chosen(request.path.as_deref())?;
    let follows = |file: FileId| workspace.project.file(file).language.spec().symbols.modules.is_some();
    let all = workspace.all_uses()?;
    let judge = Judge::new(&all);
    let all = &all.files;
    let mut kept: BTreeMap<String, usize> = BTreeMap::new();
    let (mut certain, mut candidates) = (0, 0);
    let (mut rows, mut total, mut not_followed) = (Vec::new(), 0, BTreeMap::new());
    for (file, uses) in all {
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
                request.kinds.is_empty() || request.kinds.iter().any(|kind| taxonomy().is_a(definition.kind, kind));
            if !is_wanted {
                continue;
            }
            total += 1;
            if judge.is_used(definition) {
                continue;
            }
            let kept_for = judge.kept(definition);
            let is_export = kept_for == Some(&Kept::Export);
            if let Some(why) = kept_for.filter(|_| !(is_export && request.exports)) {
                *kept.entry(why_kept(why)).or_insert(0) += 1;
                continue;
            }
            // What other programs can name is never certainly unused.
            let is_open = is_export || judge.may_be_used(definition);
            let confidence = if is_open { Confidence::Candidate } else { Confidence::Certain };
            candidates += usize::from(is_open);
            certain += usize::from(!is_open);
            if request.certain && is_open {
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
    let limit = request.limit.unwrap_or(usize::MAX);
    let truncated = rows.len() > limit;
    rows.truncate(limit);
    let row = |(why, count)| KeptCount { why, count };
    Ok(UnusedResponse {
        project: workspace.report_about(rows.iter().map(|row| &row.symbol)),
        unused: rows,
        certain,
        candidates,
        truncated,
        definitions: total,
        kept: kept.into_iter().map(row).collect(),
        not_followed: not_followed.into_iter().map(row).collect(),
        unsaved: workspace.unsaved.len(),
        skipped: workspace.take_skipped(),
    })
}

/// What all files of a project define and use, and what else names definitions.
pub(crate) struct AllUses {
    pub(crate) files: Vec<(FileId, Uses)>,
    /// Files that belong to a library.
    libraries: FxHashSet<FileId>,
    /// Files of a package whose exports other programs use.
    packages: FxHashSet<FileId>,
    /// The words of files in no language that name definitions.
    named: FxHashSet<String>,
    /// Whether every file could be read.
    is_complete: bool,
}

impl Workspace<'_> {
    /// What all files define and use.
    pub(crate) fn all_uses(&self) -> Result<AllUses, EngineError> {
        // Names of other languages may mean a definition, too.
        let files = self.look("", None, |resolver, file| {
            self.note_errors(resolver, file);
            vec![(file, uses(resolver, file))]
        })?;
        let (mut named, mut is_complete) = (self.named_words(), true);
        for Unparsed { text, .. } in self.unparsed() {
            match text {
                // It may use anything that it names.
                Some(text) => named.extend(names_in(&text).map(str::to_owned)),
                None => is_complete = false,
            }
        }
        let libraries = self.library_files(|symbols| &symbols.hidden_uses.libraries);
        let packages = self.library_files(|symbols| &symbols.escapes.libraries);
        Ok(AllUses { files, libraries, packages, named, is_complete })
    }

    /// The files below a folder with a file that makes it a library of their language.
    fn library_files(&self, of: impl Fn(&SymbolRules) -> &BTreeMap<String, LazyRegex>) -> FxHashSet<FileId> {
        let mut files = FxHashSet::default();
        for language in languages_of(self.project.files()) {
            let rules = of(&language.spec().symbols);
            let listed = if rules.is_empty() { &[] } else { self.listed() };
            let globs = Globs::new(rules.keys().map(String::as_str));
            for path in listed {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let Some(says) = globs.first(&name).and_then(|number| rules.values().nth(number)) else { continue };
                let (Some(folder), Ok(bytes)) = (path.parent(), self.engine.walked_bytes(path, &self.reading)) else {
                    continue;
                };
                if says.get().is_match(&String::from_utf8_lossy(&bytes)) {
                    let is_its = |file: &FileId| {
                        self.project.file(*file).language == language && self.path(*file).starts_with(folder)
                    };
                    files.extend(self.project.ids().filter(is_its));
                }
            }
        }
        files
    }

    /// The words of the files in no language that name definitions of a language of the project.
    fn named_words(&self) -> FxHashSet<String> {
        let mut named = FxHashSet::default();
        for path in self.files_beside(&languages_of(self.project.files())) {
            if let Ok(bytes) = self.engine.walked_bytes(path, &self.reading) {
                named.extend(words(&String::from_utf8_lossy(&bytes)).map(str::to_owned));
            }
        }
        named
    }
}

/// Says whether definitions are in use.
pub(crate) struct Judge<'a> {
    used: FxHashSet<Site>,
    unknown: FxHashSet<&'a str>,
    dynamic: FxHashSet<Site>,
    dynamic_modules: FxHashSet<FileId>,
    searched_bases: FxHashSet<Site>,
    /// Whether the classes below any other may be looked for.
    searches_bases: bool,
    opened: FxHashSet<Site>,
    overridden: FxHashSet<Site>,
    /// Definitions that hold something that starts by itself, or that another file uses.
    holders: FxHashSet<Site>,
    /// What holds methods of other classes' objects that may be called.
    extended: FxHashSet<Site>,
    /// Modules that a text may name, and so what is in them.
    named_modules: FxHashSet<Site>,
    /// Why symbols are kept because of one of their further parts.
    parts: FxHashMap<Site, &'a Kept>,
    libraries: &'a FxHashSet<FileId>,
    packages: &'a FxHashSet<FileId>,
    /// The names of members that are used: another member of that name may be meant through an interface.
    used_members: FxHashSet<&'a str>,
    /// Parts of names that may be put together: `"visit_%s"`.
    beginnings: Vec<&'a str>,
    ends: Vec<&'a str>,
    is_complete: bool,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(all: &'a AllUses) -> Judge<'a> {
        let uses = || all.files.iter().map(|(_, uses)| uses);
        let words = uses().flat_map(|uses| &uses.unknown).chain(&all.named);
        let unknown: FxHashSet<&str> = words.map(String::as_str).collect();
        let parts =
            |is_one: fn(&str) -> bool| unknown.iter().copied().filter(|word| word.len() > 2 && is_one(word)).collect();
        let used: FxHashSet<Site> = uses().flat_map(|uses| uses.used.iter().map(|used| used.site)).collect();
        let members = uses().flat_map(|uses| &uses.definitions).filter(|definition| is_member(definition));
        let used_members = members.filter(|member| used.contains(&member.site)).map(|member| member.name.as_str());
        let parts_of_symbols = uses().flat_map(|uses| &uses.parts);
        Judge {
            used_members: used_members.collect(),
            used,
            holders: holders(all),
            extended: extended(all, &unknown),
            named_modules: named_modules(all, &unknown),
            parts: parts_of_symbols.filter_map(|part| Some((part.site, part.kept.as_ref()?))).collect(),
            overridden: uses().flat_map(|uses| uses.overridden.iter().copied()).collect(),
            dynamic: uses().flat_map(|uses| uses.dynamic.iter().copied()).collect(),
            dynamic_modules: uses().flat_map(|uses| uses.dynamic_modules.iter().copied()).collect(),
            searched_bases: uses().flat_map(|uses| uses.searched_bases.iter().copied()).collect(),
            searches_bases: uses().any(|uses| uses.searches_bases),
            opened: uses().flat_map(|uses| uses.opened.iter().copied()).collect(),
            libraries: &all.libraries,
            packages: &all.packages,
            is_complete: all.is_complete,
            beginnings: parts(|word| word.ends_with('_')),
            ends: parts(|word| word.starts_with('_')),
            unknown,
        }
    }

    /// Whether something certainly refers to a definition.
    pub(crate) fn is_used(&self, definition: &DefinitionUse) -> bool {
        self.used.contains(&definition.site)
    }

    /// Whether certainly nothing uses a definition.
    pub(crate) fn is_unused(&self, definition: &DefinitionUse) -> bool {
        !self.is_used(definition) && self.kept(definition).is_none() && !self.may_be_used(definition)
    }

    /// Why a definition may be in use without a reference.
    pub(crate) fn kept<'d>(&'d self, definition: &'d DefinitionUse) -> Option<&'d Kept> {
        let site = &definition.site;
        let is_of_library = || definition.is_public && self.libraries.contains(&site.file);
        let is_of_export = || definition.is_of_export && self.packages.contains(&site.file);
        let export = || (is_of_library() || is_of_export()).then_some(&Kept::Export);
        let own = definition.kept.as_ref().or_else(|| self.parts.get(site).copied());
        own.or_else(|| self.overridden.contains(site).then_some(&Kept::Override))
            .or_else(|| self.holders.contains(site).then_some(&Kept::Holder))
            .or_else(export)
    }

    /// Whether something that is not known may refer to a definition.
    pub(crate) fn may_be_used(&self, definition: &DefinitionUse) -> bool {
        let name = definition.name.as_str();
        let is_in_module = || definition.holders.is_empty() && self.dynamic_modules.contains(&definition.site.file);
        !self.is_complete
            || definition.is_open
            || definition.classes.first().is_some_and(|class| self.opened.contains(class))
            || definition.classes.iter().any(|class| self.dynamic.contains(class))
            || definition.bases.iter().any(|base| self.searches_bases || self.searched_bases.contains(base))
            || is_in_module()
            || self.extended.contains(&definition.site)
            || definition.holders.iter().any(|holder| self.named_modules.contains(holder))
            || self.unknown.contains(name)
            || definition.other_name.as_ref().is_some_and(|other| self.unknown.contains(other.as_str()))
            || is_member(definition) && self.used_members.contains(name)
            || self.beginnings.iter().any(|part| name.len() > part.len() && name.starts_with(part))
            || self.ends.iter().any(|part| name.len() > part.len() && name.ends_with(part))
    }
}

/// The definitions around those that start by themselves, or that another file uses.
fn holders(all: &AllUses) -> FxHashSet<Site> {
    let mut around: FxHashMap<Site, &[Site]> = FxHashMap::default();
    let mut waiting: Vec<Site> = Vec::new();
    for definition in all.files.iter().flat_map(|(_, uses)| uses.definitions.iter().chain(&uses.parts)) {
        around.insert(definition.site, &definition.holders);
        if definition.is_started {
            waiting.extend(&definition.holders);
        }
    }
    for (file, uses) in &all.files {
        let from_elsewhere = uses.used.iter().filter(|used| used.site.file != *file);
        waiting.extend(from_elsewhere.filter_map(|used| around.get(&used.site)).copied().flatten());
    }
    let mut found = FxHashSet::default();
    while let Some(holder) = waiting.pop() {
        if found.insert(holder) {
            waiting.extend(around.get(&holder).copied().into_iter().flatten());
        }
    }
    found
}

/// What holds definitions that count as methods of other classes' objects, and whose names are called on objects that are not known.
fn extended(all: &AllUses, unknown: &FxHashSet<&str>) -> FxHashSet<Site> {
    let definitions = all.files.iter().flat_map(|(_, uses)| uses.definitions.iter().chain(&uses.parts));
    let may_be_called = definitions.filter(|found| found.is_extension && unknown.contains(found.name.as_str()));
    may_be_called.flat_map(|found| &found.holders).copied().collect()
}

/// The modules inside files whose name is a word of a text: `#[serde(with = "as_text")]`.
fn named_modules(all: &AllUses, unknown: &FxHashSet<&str>) -> FxHashSet<Site> {
    let definitions = all.files.iter().flat_map(|(_, uses)| &uses.definitions);
    let is_module = |kind: &str| taxonomy().is_a(kind, "namespace");
    let named = definitions.filter(|found| is_module(found.kind) && unknown.contains(found.name.as_str()));
    named.map(|found| found.site).collect()
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
        Kept::Holder => "around one of these".to_owned(),
    }
}
