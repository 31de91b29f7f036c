//! `refs`, `symbols`, `hierarchy` and `calls`: questions about the symbols of a project.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::limits;
use crate::outline;
use crate::reader::core::Reader;
use crate::reader::rows::outline_error;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::symbol_messages::*;
use crate::symbols::{
    Definition, DefinitionFacts, FileId, Occurrence, OwnedName, Query, Resolver, Site, Subclass, Thing, definitions_at,
    find_definitions, mentions, module_name, occurrences, subclasses,
};
use crate::tree::Node;
use crate::workspace::files::Workspace;
use crate::workspace::known_facts::ProjectFacts;

/// How many symbols an error lists.
const CANDIDATES: usize = 10;
/// The longest line shown, in characters.
const LINE: usize = 200;

/// Lists who refers to a symbol, and how sure that is.
///
/// # Errors
/// If no symbol fits, or several and `all` is not set.
pub(crate) fn refs(request: &RefsRequest, reader: &Reader) -> Result<RefsResponse, EngineError> {
    let workspace = reader.workspace(&request.targets, &request.reading)?;
    let found = workspace.find(&request.symbol, request.all)?;
    let things: Vec<Thing> = found.iter().map(|definition| definition.thing).collect();
    let mut counts = ReferenceCounts::default();
    let (mut references, mut truncated) = (Vec::new(), false);
    let limit = request.limit.unwrap_or(usize::MAX);
    let mut found_rows = workspace.references(&things)?;
    if request.mentions {
        let mut mentions = workspace.mentions(&things)?;
        counts.mentions = Some(mentions.len());
        found_rows.append(&mut mentions);
        found_rows.sort_by_key(|reference| (reference.file, reference.start));
    }
    let mut disagreements = Vec::new();
    for Reference { mut row, .. } in found_rows {
        match request.explain {
            true if row.without_index.is_some() => disagreements.push(row.clone()),
            true => {}
            false => (row.why, row.without_index) = (None, None),
        }
        match row.confidence {
            _ if row.role == Role::Mention => {}
            Confidence::Certain => counts.certain += 1,
            Confidence::Candidate => counts.candidate += 1,
            Confidence::Undetermined => counts.undetermined += 1,
            Confidence::Elsewhere => counts.elsewhere += 1,
        }
        let is_asked_for = request.role.is_empty() || request.role.contains(&row.role);
        let is_listed = row.confidence != Confidence::Elsewhere
            && (row.confidence == Confidence::Certain || !request.certain)
            && is_asked_for;
        if is_listed && references.len() < limit {
            references.push(row);
        } else {
            truncated |= is_listed;
        }
    }
    let symbols = workspace.symbol_rows(&found);
    Ok(RefsResponse {
        project: workspace.report_about(&symbols),
        symbols,
        references,
        counts,
        truncated,
        disagreements,
        unsaved: workspace.unsaved.len(),
        skipped: workspace.take_skipped(),
    })
}

impl Workspace<'_> {
    /// The definitions that a text names; one, unless `all` are wanted.
    pub(crate) fn find(&self, text: &str, all: bool) -> Result<Vec<Definition>, EngineError> {
        if text.trim().is_empty() {
            let error = EngineError::bad_request("the name of a symbol is missing");
            return Err(error.hint("`handle`, `Server.handle`, `PATH::Server.handle`, or `PATH:LINE`"));
        }
        let query = Query::parse(text);
        let found = match &query {
            Query::Place { path, line, col } => {
                let file = self.file_named(path)?;
                self.resolve(|resolver| definitions_at(resolver, file, *line, *col))
            }
            Query::Name { path, name } => {
                let only = match path {
                    Some(path) => Some(FxHashSet::from_iter([self.file_named(path)?])),
                    None => None,
                };
                let word = query.word().unwrap_or_default();
                let mut found =
                    self.look(word, only.as_ref(), |resolver, file| find_definitions(resolver, file, name))?;
                // Parts of a class in several files are one definition.
                let mut seen = FxHashSet::default();
                found.retain(|definition| seen.insert(definition.thing));
                if found.is_empty() && path.is_none() {
                    found = self.modules_named(name);
                }
                match path {
                    Some(_) => found,
                    None => self.narrowed(text, found)?,
                }
            }
        };
        match found.len() {
            0 => Err(self.nothing_named(text, &query)),
            1 => Ok(found),
            _ if all => Ok(found),
            count => Err(self.several_named(text, &found, count)),
        }
    }

    /// Of definitions, those in the files that the request chooses. If there are none, a question is about the others; a refactor must
    /// not change what it was not pointed at.
    fn narrowed(&self, text: &str, found: Vec<Definition>) -> Result<Vec<Definition>, EngineError> {
        let chosen = self.chosen(None)?.filter(|_| self.is_named());
        let Some(chosen) = chosen else { return Ok(found) };
        let is_chosen = |definition: &&Definition| match definition.thing {
            Thing::Symbol(site) => chosen.contains(&site.file),
            Thing::Module(file) => chosen.contains(&file),
            Thing::Folder(_) | Thing::Package(_) => false,
        };
        let inside: Vec<Definition> = found.iter().filter(is_chosen).cloned().collect();
        match found.first() {
            Some(outside) if inside.is_empty() && self.refactors() => {
                let message = format!("no definition `{text}` in the named files");
                let error = EngineError::new(ErrorCode::NoMatch, message);
                let row = self.symbol_rows(std::slice::from_ref(outside)).into_iter().next();
                Err(match row {
                    Some(row) => error.hint(format!("there is one at {}:{}:{}", row.path, row.line, row.col)),
                    None => error,
                })
            }
            _ if inside.is_empty() => Ok(found),
            _ => Ok(inside),
        }
    }

    /// The modules whose dotted name ends so.
    fn modules_named(&self, name: &str) -> Vec<Definition> {
        let fits = |module: &str| module == name || module.strip_suffix(name).is_some_and(|head| head.ends_with('.'));
        let ids = self.project.ids().filter(|&file| fits(&module_name(&self.project, file)));
        let found: Vec<FileId> = ids.collect();
        self.resolve(|resolver| found.into_iter().filter_map(|file| resolver.describe(Thing::Module(file))).collect())
    }

    /// The names under which files import symbols that their modules export without a name.
    fn default_aliases(&self, things: &[Thing]) -> Result<Vec<String>, EngineError> {
        let of_thing = |thing: &Thing| match thing {
            Thing::Symbol(site) => Some(site.file),
            Thing::Module(_) | Thing::Folder(_) | Thing::Package(_) => None,
        };
        let mut modules: Vec<FileId> = things.iter().filter_map(of_thing).collect();
        modules.retain(|&file| self.resolve(|resolver| resolver.exports_by_default(file, things)));
        let mut seen: FxHashSet<FileId> = modules.iter().copied().collect();
        let mut aliases = Vec::new();
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

    pub(crate) fn file_named(&self, path: &str) -> Result<FileId, EngineError> {
        self.file_at(path).ok_or_else(|| {
            let message = format!("`{path}` is not a file of the project, or its language has no data about names");
            EngineError::new(ErrorCode::NotFound, message).hint("paths are relative to the working directory")
        })
    }

    fn nothing_named(&self, text: &str, query: &Query) -> EngineError {
        let error = EngineError::new(ErrorCode::NoMatch, format!("no definition `{text}` in the project"));
        match query {
            Query::Place { .. } => error.hint("no known definition at this position"),
            Query::Name { name, .. } if name.contains('.') => {
                let last = name.rsplit('.').next().unwrap_or(name);
                error.hint(format!("`symbols` lists the definitions named like `{last}`"))
            }
            Query::Name { name, .. } => error.hint(format!("`symbols` lists the definitions named like `{name}`")),
        }
    }

    fn several_named(&self, text: &str, found: &[Definition], count: usize) -> EngineError {
        let rows = self.symbol_rows(&found[..found.len().min(CANDIDATES)]);
        let mut message = format!("`{text}` fits {count} definitions:");
        for row in &rows {
            message.push_str(&format!("\n  {}::{}  {} in line {}", row.path, row.qualname, row.kind, row.line));
        }
        if count > rows.len() {
            message.push_str(&format!("\n  and {} more", count - rows.len()));
        }
        EngineError::new(ErrorCode::Ambiguous, message).hint("name one of them, or ask for all")
    }

    /// Definitions as answers show them.
    pub(crate) fn symbol_rows(&self, found: &[Definition]) -> Vec<SymbolRow> {
        self.resolve(|resolver| found.iter().filter_map(|definition| self.symbol_row(resolver, definition)).collect())
    }

    fn symbol_row(&self, resolver: &Resolver<'_>, definition: &Definition) -> Option<SymbolRow> {
        let (file, line, col) = match definition.thing {
            Thing::Symbol(site) => {
                let start = resolver.tree(site.file)?.start(site.name);
                (site.file, start.line, start.col())
            }
            Thing::Module(file) => (file, 1, 1),
            Thing::Folder(_) | Thing::Package(_) => return None,
        };
        let (qualname, kind) = (definition.qualname.clone(), definition.kind.to_owned());
        Some(SymbolRow { qualname, kind, path: self.shown(file), line, col })
    }

    /// All occurrences of the names of symbols or modules, under whatever names they are imported.
    pub(crate) fn references(&self, things: &[Thing]) -> Result<Vec<Reference>, EngineError> {
        let overrides = self.overrides(things)?;
        let mut texts: VecDeque<String> = self.resolve(|resolver| texts_of(resolver, things)).into();
        let own: Vec<String> = texts.iter().cloned().collect();
        texts.extend(self.default_aliases(things)?.into_iter().filter(|alias| !own.contains(alias)));
        let mut known: FxHashSet<String> = texts.iter().cloned().collect();
        let mut rows: Vec<Reference> = Vec::new();
        while let Some(text) = texts.pop_front() {
            let is_alias = !own.contains(&text);
            let mut found = Vec::new();
            for spelling in self.resolve(|resolver| spellings_of(resolver, things, &text)) {
                found.append(&mut self.look(&spelling, None, |resolver, file| {
                    let mut target = crate::symbols::Target::new(resolver, things);
                    target.overrides.extend(overrides.iter().copied());
                    let found = occurrences(resolver, &target, file, &text);
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

    /// The places where the names of symbols are words in strings and comments.
    fn mentions(&self, things: &[Thing]) -> Result<Vec<Reference>, EngineError> {
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
            why: Some(found.reason),
            without_index: found.without_index,
            text: line.trim().chars().take(LINE).collect(),
        };
        Some(Reference {
            file: found.file,
            node: found.node,
            is_alias: false,
            start: found.span.start(),
            row,
            alias: found.alias,
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
                let mut aliases = vec![text];
                let mut known: FxHashSet<String> = aliases.iter().cloned().collect();
                // A class of a function can be named in its file alone.
                let is_local = |&class: &Site| self.resolve(|resolver| resolver.is_class_of_function(class));
                let own = bases.iter().all(is_local).then(|| bases.iter().map(|class| class.file).collect());
                while let Some(text) = aliases.pop() {
                    let below = self.look_for_base(&text, own.as_ref(), |resolver, file| {
                        let things: Vec<Thing> = bases.iter().copied().map(Thing::Symbol).collect();
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

/// An occurrence with what is needed to go on.
pub(crate) struct Reference {
    pub(crate) file: FileId,
    pub(crate) node: Node,
    pub(crate) start: usize,
    /// Whether it was found under a name that an import gives the symbol.
    pub(crate) is_alias: bool,
    pub(crate) row: ReferenceRow,
    alias: Option<String>,
    /// The definition around it.
    pub(crate) owner: Thing,
}

/// A class that extends another one.
pub(crate) struct Below {
    pub(crate) class: Site,
    base: Site,
    depth: usize,
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

/// Lists the classes above and below a class.
///
/// # Errors
/// If no class fits, or several.
pub(crate) fn hierarchy(request: &HierarchyRequest, reader: &Reader) -> Result<HierarchyResponse, EngineError> {
    let workspace = reader.workspace(&request.targets, &request.reading)?;
    let found = workspace.find(&request.symbol, false)?;
    let definition = &found[0];
    let Thing::Symbol(class) = definition.thing else {
        return Err(EngineError::bad_request(format!("`{}` is a module, not a class", request.symbol)));
    };
    if !workspace.resolve(|resolver| resolver.is_class(class)) {
        let message = format!("`{}` is a {}, not a class", definition.qualname, definition.kind);
        let error = EngineError::bad_request(message);
        return Err(error.hint("`calls` and `refs` say who uses it"));
    }
    let row = |resolver: &Resolver<'_>, site: Site| {
        let definition = resolver.describe(Thing::Symbol(site))?;
        workspace.symbol_row(resolver, &definition)
    };
    let related = |resolver: &Resolver<'_>, class: Site, via: Site, depth: usize| {
        let line = |name: &String| {
            let member = resolver.member_of_class(class, name)?;
            Some(resolver.tree(member.file)?.start(member.name).line)
        };
        let method_line = request.method.as_ref().and_then(line);
        let via = resolver.describe(Thing::Symbol(via)).map(|via| via.qualname).unwrap_or_default();
        Some(RelatedClass { symbol: row(resolver, class)?, depth, via, method_line })
    };
    let below = workspace.classes_below(&[class])?;
    let answer = workspace.resolve(|resolver| {
        let (above, is_complete) = resolver.superclasses(class);
        let above = above.into_iter().map(|base| related(resolver, base, class, 1));
        let below = below.iter().map(|below| related(resolver, below.class, below.base, below.depth));
        let (above, below) = (above.flatten().collect(), below.flatten().collect());
        workspace.symbol_row(resolver, definition).map(|symbol| (symbol, above, !is_complete, below))
    });
    let Some((symbol, above, has_external_bases, below)) = answer else {
        return Err(EngineError::new(ErrorCode::NotFound, "the file of the class is gone"));
    };
    Ok(HierarchyResponse {
        symbol,
        above,
        has_external_bases,
        below,
        project: workspace.report(),
        unsaved: workspace.unsaved.len(),
        skipped: workspace.take_skipped(),
    })
}

/// Lists definitions by name: exact names first, then names that begin so, then those that contain it, then similar
/// ones.
///
/// # Errors
/// If a kind is unknown.
pub(crate) fn symbols(request: &SymbolsRequest, reader: &Reader) -> Result<SymbolsResponse, EngineError> {
    let options = outline::Options { kinds: request.kinds.clone(), ..outline::Options::default() };
    options.check().map_err(outline_error)?;
    let workspace = reader.workspace(&request.targets, &request.reading)?;
    let query = request.query.as_deref().unwrap_or_default();
    let mut found = request.ranked(&workspace, &options, query, query)?;
    if found.is_empty() && !query.is_empty() {
        // Other spellings: each file may have one.
        found = request.ranked(&workspace, &options, query, "")?;
    }
    found.sort_by(|one, other| {
        let key = |ranked: &Ranked| (ranked.rank, ranked.row.qualname.len());
        key(one).cmp(&key(other)).then_with(|| place(&one.row).cmp(&place(&other.row)))
    });
    let total = found.len();
    found.truncate(request.limit.unwrap_or(usize::MAX));
    let symbols = found.into_iter().map(|ranked| ranked.row).collect();
    let (project, unsaved) = (workspace.report(), workspace.unsaved.len());
    Ok(SymbolsResponse { symbols, total, project, unsaved, skipped: workspace.take_skipped() })
}

/// A definition, and how well its name fits: 0 is best.
struct Ranked {
    rank: u8,
    row: SymbolRow,
}

fn place(row: &SymbolRow) -> (&str, usize, usize) {
    (&row.path, row.line, row.col)
}

impl SymbolsRequest {
    /// The definitions whose names fit, in the files that contain a word.
    fn ranked(
        &self,
        workspace: &Workspace<'_>,
        options: &outline::Options,
        query: &str,
        word: &str,
    ) -> Result<Vec<Ranked>, EngineError> {
        let last = query.rsplit(['.', ':']).next().unwrap_or(query);
        let chosen = workspace.chosen(None)?;
        let is_chosen = |file: &FileId| chosen.as_ref().is_none_or(|chosen| chosen.contains(file));
        let known = workspace.facts.as_ref().filter(|_| self.kinds.is_empty());
        let (mut found, unknown) = match known.and_then(|facts| Some((facts, known_definitions(facts, query, last)?))) {
            Some((facts, known)) => {
                let known = known.into_iter().filter(|(file, _)| is_chosen(file));
                let ranked = known.filter_map(|(file, definition)| {
                    let rank = rank(&definition.name, &definition.qualname(), query, last)?;
                    let (line, col) = (definition.place.0 as usize, definition.place.1 as usize);
                    let (qualname, path) = (definition.qualname(), workspace.shown(file));
                    Some(Ranked { rank, row: SymbolRow { qualname, kind: definition.kind, path, line, col } })
                });
                (ranked.collect(), Some(facts.unknown().filter(is_chosen).collect::<FxHashSet<FileId>>()))
            }
            None => (Vec::new(), chosen.clone()),
        };
        let word = if word.is_empty() { "" } else { last };
        let mut read = workspace.look(word, unknown.as_ref(), |resolver, file| {
            let Some(tree) = resolver.tree(file) else { return Vec::new() };
            let Ok(definitions) = outline::outline(tree, options) else { return Vec::new() };
            let ranked = definitions.into_iter().filter_map(|definition| {
                let rank = rank(&definition.name, &definition.qualname, query, last)?;
                let start = tree.start(tree.name_node(definition.node).unwrap_or(definition.node));
                let (path, kind) = (workspace.shown(file), definition.kind.to_owned());
                let row = SymbolRow { qualname: definition.qualname, kind, path, line: start.line, col: start.col() };
                Some(Ranked { rank, row })
            });
            ranked.collect()
        })?;
        found.append(&mut read);
        Ok(found)
    }
}

/// The definitions that may fit, as far as the database knows; `None` if it is damaged.
fn known_definitions(facts: &ProjectFacts, query: &str, last: &str) -> Option<Vec<(FileId, DefinitionFacts)>> {
    match query == last {
        true => facts.named(|name| rank(name, name, query, last).is_some()),
        false => facts.named(|name| name.ends_with(last)),
    }
}

/// How well a name fits: the same, the end of its qualified name, its start, a part, the starts of its words.
fn rank(name: &str, qualname: &str, query: &str, last: &str) -> Option<u8> {
    if query.is_empty() || name == query {
        return Some(0);
    }
    if query != last {
        let fits = qualname == query || qualname.strip_suffix(query).is_some_and(|head| head.ends_with('.'));
        return fits.then_some(0);
    }
    if name.starts_with(query) {
        return Some(1);
    }
    if name.contains(query) {
        return Some(2);
    }
    let (lower, wanted) = (name.to_lowercase(), query.to_lowercase());
    if lower.contains(&wanted) {
        return Some(3);
    }
    has_humps(name, query).then_some(4).or_else(|| (strsim::jaro(&lower, &wanted) > 0.9).then_some(5))
}

/// Whether a query is made of the starts of a name's words, in order: `gOO4` and `goo4` fit `getObjectOr404`.
fn has_humps(name: &str, query: &str) -> bool {
    let mut letters = query.chars().filter(|letter| *letter != '_').peekable();
    let mut previous = '_';
    let mut in_word = false;
    for letter in name.chars() {
        let begins = previous == '_'
            || letter.is_uppercase() && !previous.is_uppercase()
            || letter.is_numeric() && !previous.is_numeric();
        previous = letter;
        let Some(wanted) = letters.peek() else { break };
        let same = wanted.to_lowercase().eq(letter.to_lowercase());
        if same && (begins || in_word) {
            letters.next();
            in_word = true;
        } else {
            in_word = false;
        }
    }
    letters.peek().is_none()
}

/// Lists who calls a function, or what it calls, as a tree.
///
/// # Errors
/// If no function fits, or several.
pub(crate) fn calls(request: &CallsRequest, reader: &Reader) -> Result<CallsResponse, EngineError> {
    let workspace = reader.workspace(&request.targets, &request.reading)?;
    let found = workspace.find(&request.symbol, false)?;
    let mut walk =
        CallWalk { workspace: &workspace, callees: request.callees, open: Vec::new(), calls: CallsLeft::default() };
    let root = walk.node(found[0].thing, Vec::new(), request.depth.unwrap_or(1).min(limits::CALL_DEPTH))?;
    let Some(root) = root else {
        return Err(EngineError::new(ErrorCode::NotFound, "the file of the function is gone"));
    };
    let CallsLeft { candidates, undetermined } = walk.calls;
    Ok(CallsResponse {
        project: workspace.report_about([&root.symbol]),
        root,
        candidates,
        undetermined,
        unsaved: workspace.unsaved.len(),
        skipped: workspace.take_skipped(),
    })
}

/// Follows calls from function to function.
struct CallWalk<'a> {
    workspace: &'a Workspace<'a>,
    callees: bool,
    /// The functions on the way.
    open: Vec<Thing>,
    calls: CallsLeft,
}

/// Calls that are in no tree.
#[derive(Default)]
struct CallsLeft {
    candidates: usize,
    undetermined: usize,
}

impl CallWalk<'_> {
    fn node(&mut self, thing: Thing, lines: Vec<usize>, depth: usize) -> Result<Option<CallNode>, EngineError> {
        let row = self.workspace.resolve(|resolver| {
            let definition = resolver.describe(thing)?;
            self.workspace.symbol_row(resolver, &definition)
        });
        let Some(symbol) = row else { return Ok(None) };
        let is_cycle = self.open.contains(&thing);
        let mut calls = Vec::new();
        if !is_cycle && depth > 0 {
            self.open.push(thing);
            for (next, lines) in self.next(thing)? {
                calls.extend(self.node(next, lines, depth - 1)?);
            }
            self.open.pop();
        }
        Ok(Some(CallNode { symbol, lines, is_cycle, calls }))
    }

    /// The functions that call one, or that it calls, with the lines of the calls.
    fn next(&mut self, thing: Thing) -> Result<Vec<(Thing, Vec<usize>)>, EngineError> {
        let mut next: Vec<(Thing, Vec<usize>)> = Vec::new();
        let mut add = |thing: Thing, line: usize| match next.iter_mut().find(|(known, _)| *known == thing) {
            Some((_, lines)) => lines.push(line),
            None => next.push((thing, vec![line])),
        };
        if self.callees {
            let Thing::Symbol(site) = thing else { return Ok(next) };
            let callees = self.workspace.resolve(|resolver| {
                let found = resolver.callees(site);
                let line = |node| resolver.tree(site.file).map_or(0, |tree| tree.start(node).line);
                let known: Vec<(Thing, usize)> = found.known.iter().map(|&(thing, call)| (thing, line(call))).collect();
                (known, found.undetermined)
            });
            callees.0.into_iter().for_each(|(thing, line)| add(thing, line));
            self.calls.undetermined += callees.1;
            return Ok(next);
        }
        for reference in self.workspace.references(&[thing])? {
            match (reference.row.role, reference.row.confidence) {
                (Role::Call | Role::Decorator, Confidence::Certain) => add(reference.owner, reference.row.line),
                (Role::Call, Confidence::Candidate) => self.calls.candidates += 1,
                (Role::Call, Confidence::Undetermined) => self.calls.undetermined += 1,
                _ => {}
            }
        }
        Ok(next)
    }
}
