//! All occurrences of the names of symbols in a project, the methods that override each other, and the classes below others.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::definitions::LINE;
use crate::modules::FileId;
use crate::request::error::EngineError;
use crate::request::symbol_messages::{Confidence, ReferenceRow, Role};
use crate::symbols::{Occurrence, OwnedName, Resolver, Site, Subclass, Thing, mentions, occurrences, subclasses};
use crate::tree::Node;
use crate::workspace::files::Workspace;

impl Workspace<'_> {
    /// The names under which files import symbols that some modules export without a name, or others that export them again so.
    fn default_aliases(&self, things: &[Thing], from: &mut DefaultModules) -> Result<Vec<String>, EngineError> {
        let seen = &mut from.seen;
        let mut modules: Vec<FileId> = from.waiting.drain(..).filter(|&file| seen.insert(file)).collect();
        modules.retain(|&file| self.resolve(|resolver| resolver.exports_by_default(file, things)));
        // `module.default`
        let name = |&file: &FileId| self.project.file(file).language.spec().symbols.default_exports.name.clone();
        let mut aliases: Vec<String> = modules.iter().find_map(name).into_iter().collect();
        while let Some(module) = modules.pop() {
            let path = &self.project.file(module).path;
            let stem = path.rsplit('/').next().unwrap_or(path);
            let stem = stem.split('.').next().unwrap_or(stem);
            // A package may be imported by the name of its folder, or as `.`.
            let packages = &self.project.file(module).language.spec().symbols.module_files.packages;
            let word = if packages.iter().any(|package| package == stem) { "" } else { stem };
            let found = self.look(word, None, |resolver, file| {
                let imports = resolver.default_imports(file).into_iter();
                let imports = imports.filter(|import| import.things.iter().any(|thing| things.contains(thing)));
                imports.map(|import| (file, import)).collect()
            })?;
            for (file, import) in found {
                aliases.extend(import.alias.clone());
                if import.is_export && seen.insert(file) {
                    modules.push(file);
                }
            }
        }
        Ok(aliases)
    }

    /// Adds the modules with a text that may export symbols without a name which they import.
    fn add_default_modules(&self, text: &str, from: &mut DefaultModules) -> Result<(), EngineError> {
        if from.has_names {
            from.waiting.extend(self.look(text, None, |resolver, file| {
                let language = resolver.project().file(file).language;
                language.spec().symbols.default_exports.name.is_some().then_some(file).into_iter().collect()
            })?);
        }
        Ok(())
    }

    /// The modules of symbols, to begin with.
    fn default_modules(&self, things: &[Thing]) -> DefaultModules {
        let of_thing = |thing: &Thing| match thing {
            Thing::Symbol(site) => Some(site.file),
            Thing::Module(_) | Thing::Folder(_) | Thing::Package(_) => None,
        };
        let waiting: Vec<FileId> = things.iter().filter_map(of_thing).collect();
        let has_name = |&file: &FileId| self.project.file(file).language.spec().symbols.default_exports.name.is_some();
        let has_names = waiting.len() < things.len() || waiting.iter().any(has_name);
        DefaultModules { waiting, has_names, seen: FxHashSet::default() }
    }

    /// The names under which some symbols or modules may be in documentation that is run.
    pub(crate) fn documented_names(&self, things: &[Thing]) -> Vec<String> {
        match self.may_run_documentation() {
            true => self.resolve(|resolver| texts_of(resolver, things)),
            false => Vec::new(),
        }
    }

    /// All occurrences of the names of symbols or modules, under whatever names they are imported.
    pub(crate) fn references(&self, things: &[Thing]) -> Result<Vec<Reference>, EngineError> {
        let overrides = self.overrides(things)?;
        self.references_beside(things, &overrides)
    }

    /// The same, where those that override the symbols, or that they override, are known.
    pub(super) fn references_beside(
        &self,
        things: &[Thing],
        overrides: &[Thing],
    ) -> Result<Vec<Reference>, EngineError> {
        let mut texts: VecDeque<String> = self.resolve(|resolver| texts_of(resolver, things)).into();
        let own: Vec<String> = texts.iter().cloned().collect();
        let mut defaults = self.default_modules(things);
        texts.extend(self.default_aliases(things, &mut defaults)?.into_iter().filter(|alias| !own.contains(alias)));
        let mut known: FxHashSet<String> = texts.iter().cloned().collect();
        let mut rows: Vec<Reference> = Vec::new();
        let languages = self.languages_that_may_use(things);
        let only = self.files_that_may_use(languages.as_deref());
        let inside = languages.clone().unwrap_or_else(|| self.languages_of(things));
        while let Some(text) = texts.pop_front() {
            let is_alias = !own.contains(&text);
            self.add_default_modules(&text, &mut defaults)?;
            let aliases = self.default_aliases(things, &mut defaults)?;
            texts.extend(aliases.into_iter().filter(|alias| known.insert(alias.clone())));
            let mut found = Vec::new();
            for spelling in self.resolve(|resolver| spellings_of(resolver, things, &text)) {
                found.append(&mut self.look(&spelling, only.as_ref(), |resolver, file| {
                    self.note_errors(resolver, file);
                    let mut target = crate::symbols::Target::new(resolver, things);
                    target.overrides.extend(overrides.iter().copied());
                    let is_own = languages.as_ref().is_none_or(|languages| self.is_in(file, languages));
                    let mut found = if is_own { occurrences(resolver, &target, file, &text) } else { Vec::new() };
                    found.extend(resolver.embedded_occurrences(&target, file, &text, &inside));
                    found.into_iter().filter_map(|found| self.reference(resolver, found)).collect()
                })?);
            }
            for mut reference in found {
                reference.is_alias = is_alias;
                // Under another name only what certainly means the symbol says anything.
                if is_alias && reference.row.confidence != Confidence::Certain {
                    continue;
                }
                if let Some(alias) = reference.alias.clone().filter(|alias| !known.contains(alias)) {
                    known.insert(alias.clone());
                    texts.push_back(alias);
                }
                rows.push(reference);
            }
        }
        rows.sort_by_key(|reference| (reference.file, reference.start));
        rows.dedup_by_key(|reference| (reference.file, reference.start));
        Ok(rows)
    }

    fn is_in(&self, file: FileId, languages: &[String]) -> bool {
        languages.iter().any(|name| name == self.project.file(file).language.name())
    }

    /// The languages of some symbols.
    fn languages_of(&self, things: &[Thing]) -> Vec<String> {
        let language = |thing: &Thing| match *thing {
            Thing::Symbol(site) => Some(self.project.file(site.file).language.name().to_owned()),
            Thing::Module(_) | Thing::Folder(_) | Thing::Package(_) => None,
        };
        things.iter().filter_map(language).collect()
    }

    /// The languages whose code can use one of some symbols; `None` if any can, or if they are modules.
    fn languages_that_may_use(&self, things: &[Thing]) -> Option<Vec<String>> {
        let mut languages: Vec<String> = Vec::new();
        for thing in things {
            match *thing {
                Thing::Symbol(site) => languages.extend(self.resolve(|resolver| resolver.languages_that_use(site))?),
                Thing::Module(_) | Thing::Folder(_) | Thing::Package(_) => return None,
            }
        }
        Some(languages)
    }

    /// The files that are in one of some languages or may have code in one; `None` if all are.
    fn files_that_may_use(&self, languages: Option<&[String]>) -> Option<FxHashSet<FileId>> {
        let languages = languages?;
        let can_use = |file: FileId| {
            let language = self.project.file(file).language;
            self.is_in(file, languages) || languages.iter().any(|name| language.may_hold(name))
        };
        let files: FxHashSet<FileId> = self.project.ids().filter(|&file| can_use(file)).collect();
        (files.len() < self.project.ids().count()).then_some(files)
    }

    /// The places where the names of symbols are words in strings and comments.
    pub(super) fn mentions(&self, things: &[Thing]) -> Result<Vec<Reference>, EngineError> {
        let mut rows = Vec::new();
        for text in self.resolve(|resolver| texts_of(resolver, things)) {
            rows.append(&mut self.look_at_text(&text, |resolver, file| {
                let found = mentions(resolver, file, &text).into_iter();
                found.filter_map(|found| self.reference(resolver, found)).collect()
            })?);
        }
        Ok(rows)
    }

    fn reference(&self, resolver: &Resolver<'_>, found: Occurrence) -> Option<Reference> {
        let tree = resolver.tree(found.file)?;
        let start = tree.text().position(found.span.start());
        let line = tree.text().slice(tree.text().line_span(start.line));
        let row = ReferenceRow {
            path: self.shown(found.file),
            line: start.line,
            col: start.col(),
            role: found.role,
            confidence: found.confidence,
            within: tree.scope_qualname(found.node).unwrap_or_default(),
            is_override: found.is_override,
            doubt: None,
            why: Some(found.reason),
            without_index: found.without_index,
            in_documentation: self.is_documentation(found.file),
            text: line.trim().chars().take(LINE).collect(),
        };
        Some(Reference {
            file: found.file,
            node: found.node,
            is_alias: false,
            start: found.span.start(),
            row,
            alias: found.alias,
            without_error: found.without_error,
            owner: resolver.owner(found.file, found.node),
        })
    }

    /// The methods that override the methods among some symbols, and those that they override.
    pub(crate) fn overrides(&self, things: &[Thing]) -> Result<Vec<Thing>, EngineError> {
        let mut overrides = Vec::new();
        // The classes that have members of a name, and those above that have it, too.
        let mut classes_of: Vec<(OwnedName, Vec<Site>)> = Vec::new();
        for thing in things {
            let Thing::Symbol(member) = *thing else { continue };
            let about = self.resolve(|resolver| {
                let class = resolver.class_of_member(member)?;
                let name = resolver.name_of_member(member)?;
                let (above, _) = resolver.superclasses(class);
                let above = above.into_iter().filter_map(|class| resolver.member_of_class(class, &name));
                Some((class, name.clone(), above.collect::<Vec<Site>>()))
            });
            let Some((class, name, above)) = about else { continue };
            // Those beside it, which override the same method, too.
            let tops = self.resolve(|resolver| {
                above.iter().filter_map(|&site| resolver.class_of_member(site)).collect::<Vec<Site>>()
            });
            overrides.extend(above.into_iter().map(Thing::Symbol));
            let at = classes_of.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
                classes_of.push((name, Vec::new()));
                classes_of.len() - 1
            });
            classes_of[at].1.push(class);
            classes_of[at].1.extend(tops);
        }
        for (name, mut classes) in classes_of {
            classes.sort_unstable();
            classes.dedup();
            let below = self.classes_below(&classes)?;
            self.resolve(|resolver| {
                for below in &below {
                    overrides.extend(resolver.member_of_class(below.class, &name).map(Thing::Symbol));
                    // What another base of the class has is the same member in it.
                    overrides.extend(resolver.joined_members(below.class, &name).into_iter().map(Thing::Symbol));
                }
            });
        }
        overrides.sort_unstable();
        overrides.dedup();
        overrides.retain(|thing| !things.contains(thing));
        Ok(overrides)
    }

    /// The classes that extend some classes, directly or not, each with one of its bases and its distance.
    pub(crate) fn classes_below(&self, classes: &[Site]) -> Result<Vec<Below>, EngineError> {
        let mut seen: FxHashSet<Site> = classes.iter().copied().collect();
        let (mut found, mut level, mut depth) = (Vec::new(), classes.to_vec(), 1);
        while !level.is_empty() {
            let mut by_text: FxHashMap<String, Vec<Site>> = FxHashMap::default();
            self.resolve(|resolver| {
                for &class in &level {
                    // A class without a name is known by its body.
                    let name = resolver.name_of(class).filter(|name| !name.contains(char::is_whitespace));
                    if let Some(text) = name {
                        by_text.entry(text).or_default().push(class);
                    }
                }
            });
            let mut next = Vec::new();
            self.resolve(|resolver| {
                for &base in &level {
                    let bodies = resolver.bodies_of_variants(base).into_iter();
                    next.extend(bodies.map(|class| Subclass { class, base }).filter(|below| seen.insert(below.class)));
                }
            });
            for (text, bases) in by_text {
                let things: Vec<Thing> = bases.iter().copied().map(Thing::Symbol).collect();
                let mut defaults = self.default_modules(&things);
                let mut aliases = self.default_aliases(&things, &mut defaults)?;
                aliases.push(text);
                let mut known: FxHashSet<String> = aliases.iter().cloned().collect();
                // A class of a function can be named in its file alone.
                let is_local = |&class: &Site| self.resolve(|resolver| resolver.is_class_of_function(class));
                let own = bases.iter().all(is_local).then(|| bases.iter().map(|class| class.file).collect());
                while let Some(text) = aliases.pop() {
                    self.add_default_modules(&text, &mut defaults)?;
                    let more = self.default_aliases(&things, &mut defaults)?;
                    aliases.extend(more.into_iter().filter(|alias| known.insert(alias.clone())));
                    let below = self.look_for_base(&text, own.as_ref(), |resolver, file| {
                        self.note_errors(resolver, file);
                        let target = crate::symbols::Target::new(resolver, &things);
                        let found = occurrences(resolver, &target, file, &text);
                        let aliases = found.into_iter().filter_map(|found| found.alias).map(Err);
                        let classes = subclasses(resolver, &bases, file, &text).into_iter().map(Ok);
                        classes.chain(aliases).collect()
                    })?;
                    for below in below {
                        match below {
                            Ok(below) if seen.insert(below.class) => next.push(below),
                            Ok(_) => {}
                            Err(alias) if known.insert(alias.clone()) => aliases.push(alias),
                            Err(_) => {}
                        }
                    }
                }
            }
            next.sort_by_key(|below| below.class);
            level = next.iter().map(|below| below.class).collect();
            found.extend(next.into_iter().map(|below| Below { class: below.class, base: below.base, depth }));
            depth += 1;
        }
        Ok(found)
    }
}

/// Modules that may export symbols without a name.
struct DefaultModules {
    waiting: Vec<FileId>,
    seen: FxHashSet<FileId>,
    /// Whether there are such exports in the language.
    has_names: bool,
}

/// An occurrence with what is needed to go on.
pub(crate) struct Reference {
    pub(crate) file: FileId,
    pub(crate) node: Node,
    pub(crate) start: usize,
    /// Whether it was found under a name that an import gives the symbol.
    pub(crate) is_alias: bool,
    pub(crate) row: ReferenceRow,
    pub(super) alias: Option<String>,
    /// How sure it would be if its code had no syntax error.
    pub(crate) without_error: Option<Confidence>,
    /// The definition around it.
    pub(crate) owner: Thing,
}

impl Reference {
    /// Whether it is the symbol as a value, which any code may call then.
    pub(super) fn is_value(&self) -> bool {
        self.row.confidence == Confidence::Certain && self.row.role == Role::Read && !self.row.is_override
    }
}

/// A class that extends another one.
pub(crate) struct Below {
    pub(crate) class: Site,
    pub(crate) base: Site,
    pub(super) depth: usize,
}

/// The spellings of a name of symbols.
fn spellings_of(resolver: &Resolver<'_>, things: &[Thing], text: &str) -> Vec<String> {
    let spellings = things.iter().filter_map(|thing| match thing {
        Thing::Symbol(site) => Some(resolver.spellings(*site)),
        _ => None,
    });
    let own = spellings.into_iter().find(|spellings| spellings.iter().any(|spelling| spelling == text));
    own.unwrap_or_else(|| vec![text.to_owned()])
}

/// The names under which symbols are defined.
fn texts_of(resolver: &Resolver<'_>, things: &[Thing]) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for thing in things {
        let text = match thing {
            Thing::Symbol(site) => resolver.name_of(*site),
            _ => resolver.describe(*thing).map(|module| {
                let last = module.qualname.rsplit('.').next().unwrap_or_default();
                last.to_owned()
            }),
        };
        texts.extend(text.filter(|text| !text.is_empty()));
    }
    texts.sort_unstable();
    texts.dedup();
    texts
}
