//! Organizes imports: each file by itself, then all files are checked together.

use std::collections::BTreeMap;
use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};

use super::loading::{Loading, loaded_file, modules_with_effects};
use crate::edit::EditError;
use crate::gates::{Moved, Rebound};
use crate::imports::settings::ImportSettings;
use crate::imports::{ImportFacts, ImportStyle};
use crate::language::{Language, Organize};
use crate::modules::FileId;
use crate::reader::document::limits;
use crate::refactor::plan::{Done, NEW_DOCUMENTATION, Plan, Planned, new_documentation};
use crate::refactor::{Organized, erases_types, organize};
use crate::request::error::{EngineError, ErrorCode, PlaceRow};
use crate::request::refactor::{OrganizeImports, RefactorOptions};
use crate::risks::{TakenName, taken_names, words_of_strings};
use crate::symbols::{Resolver, Thing};
use crate::text::Span;
use crate::tree::Tree;
use crate::workspace::files::Workspace;

/// How often the names that something else needs are looked for anew.
const ROUNDS: usize = 8;

/// A file with its imports organized.
struct File {
    file: FileId,
    tree: Tree,
    organized: Result<Organized, EditError>,
}

/// What must not be changed.
#[derive(Default)]
struct Kept {
    /// Names that stay in a file, and files that stay as they are.
    names: FxHashMap<FileId, FxHashSet<String>>,
    files: FxHashMap<FileId, PlaceRow>,
}

/// The spans of a file that are at other offsets in its edits.
type MovedSpans = (FileId, Vec<(Span, usize)>);

/// The names that other files take, by the file that has them, and the files of which they take all.
#[derive(Default)]
pub(crate) struct Taken {
    names: FxHashMap<FileId, FxHashSet<String>>,
    all: FxHashSet<FileId>,
    /// Modules that files read as members of the module above them, `pkg.sub`, without an import that loads them.
    read: FxHashSet<FileId>,
    loading: Loading,
}

fn rule_of(language: &Language) -> Option<&Organize> {
    language.spec().imports.organize.as_ref()
}

/// What is known about the names of a file from elsewhere.
pub(crate) fn import_facts(
    resolver: &Resolver<'_>,
    (file, tree): (FileId, &Tree),
    taken: &Taken,
    kept: FxHashSet<String>,
) -> ImportFacts {
    let rule = rule_of(tree.language());
    let is_exposed = rule.is_some_and(|rule| rule.exposed);
    let path = Path::new(&resolver.project().file(file).path);
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let is_open = rule.is_some_and(|rule| rule.open_files.contains(&stem));
    let is_package = is_open || tree.language().spec().symbols.module_files.packages.contains(&stem);
    let loading = taken.loading.of_file(resolver, file);
    let direct = modules_with_effects(resolver, file);
    let circular = loading.circular.iter().map(|key| key.split('\n').next().unwrap_or(key).to_owned());
    let effects = direct.into_iter().chain(circular).collect();
    let adding = loading.adding.into_iter().map(|key| (key, "its module adds to the types of others"));
    let first = loading.reached.into_iter().filter(|(_, files)| !files.is_disjoint(&taken.read));
    let reached = first.map(|(key, _)| (key, "it loads a module that other files reach through its package"));
    let required = adding.chain(reached).collect();
    let mut needed = taken.names.get(&file).cloned().unwrap_or_default();
    needed.extend(resolver.imported_tests(file));
    ImportFacts {
        words: if is_exposed { words_of_strings(resolver, file) } else { FxHashSet::default() },
        needed,
        is_open: taken.all.contains(&file),
        is_package: is_exposed && is_package,
        effects,
        loads: loading.acting,
        loaded: loading.loaded,
        circular: loading.circular,
        required,
        leaves_unused_out: erases_types(tree.language()),
        kept,
    }
}

impl Plan for OrganizeImports {
    fn plan(
        &self,
        workspace: &mut Workspace<'_>,
        options: &RefactorOptions,
        done: &mut Done,
    ) -> Result<(), EngineError> {
        let left = done.left.len();
        loop {
            let planned = workspace.organize_imports(self, options)?;
            // A name that only a removed import took may have no use now.
            let is_last = planned.words.is_empty();
            done.left.truncate(left);
            done.add((Vec::new(), planned));
            if is_last {
                return Ok(());
            }
        }
    }
}

impl Workspace<'_> {
    /// Organizes the imports of the files that a request names, and checks that every name means what it did.
    ///
    /// # Errors
    /// If no file has a language whose imports are organized, or a name would mean something else.
    pub(crate) fn organize_imports(
        &mut self,
        request: &OrganizeImports,
        options: &RefactorOptions,
    ) -> Result<Planned, EngineError> {
        let files = self.organizable(request.path.as_deref())?;
        let taken = self.taken()?;
        let styles = self.styles(&files);
        let mut kept = Kept::default();
        for _ in 0..ROUNDS {
            let done = self.organized(&files, &taken, &styles, &kept, options)?;
            let (planned, spans) = self.planned(done, &kept);
            let changed: FxHashSet<FileId> = planned.files.iter().map(|(file, ..)| *file).collect();
            if changed.is_empty() {
                return Ok(planned);
            }
            let words: Vec<&str> = planned.words.iter().map(String::as_str).collect();
            let before = self.bindings_at_once(&words, &changed)?;
            let mut moved = Moved::new(true);
            for (file, _, outcome) in &planned.files {
                moved.add(*file, &outcome.edits, "");
            }
            for (file, spans) in spans {
                moved.add_within(file, spans);
            }
            self.edit(planned.files.iter().map(|(file, _, outcome)| (*file, outcome.tree.clone())));
            let after = self.bindings_at_once(&words, &changed)?;
            let rebound = before.rebound(&after, &moved);
            if rebound.is_empty() {
                return Ok(planned);
            }
            let rows: Vec<PlaceRow> = rebound.iter().map(|name| self.rebound_row(name, &moved)).collect();
            self.restore(changed.iter().copied());
            if !self.keep(&rebound, &rows, &changed, &planned, &mut kept) {
                break;
            }
        }
        let message = "the imports cannot be organized without a change to what a name means";
        Err(EngineError::new(ErrorCode::WouldRebind, message).hint("name a part of the project as the path"))
    }

    /// The files below a path whose imports can be organized.
    fn organizable(&self, path: Option<&str>) -> Result<FxHashSet<FileId>, EngineError> {
        let within = self.chosen(path)?;
        let asked: Vec<FileId> = match &within {
            Some(within) => within.iter().copied().collect(),
            None => self.project.ids().collect(),
        };
        let is_organizable = |file: &FileId| rule_of(self.project.file(*file).language).is_some();
        let files: FxHashSet<FileId> = asked.iter().copied().filter(is_organizable).collect();
        if files.is_empty() && !asked.is_empty() {
            let mut names: Vec<&str> = asked.iter().map(|file| self.project.file(*file).language.name()).collect();
            names.sort_unstable();
            names.dedup();
            let message = format!("organizing imports is not supported in {}", names.join(", "));
            let all = Language::all().into_iter().filter(|language| rule_of(language).is_some());
            let supported: Vec<&str> = all.map(|language| language.name()).collect();
            let hint = format!("they are in {}", supported.join(", "));
            return Err(EngineError::bad_request(message).hint(hint));
        }
        Ok(files)
    }

    /// The names that files take from each other.
    pub(crate) fn taken(&self) -> Result<Taken, EngineError> {
        let found = self.look("", None, |resolver, file| {
            let Some(rule) = rule_of(resolver.project().file(file).language) else { return Vec::new() };
            let names = if rule.exposed { taken_names(resolver, file) } else { Vec::new() };
            vec![(file, names, loaded_file(resolver, file))]
        })?;
        let mut taken = Taken::default();
        let mut read: FxHashMap<(FileId, FileId), FxHashSet<String>> = FxHashMap::default();
        for (file, names, loaded) in found {
            taken.loading.add(file, loaded);
            for TakenName { module, name, is_read } in names {
                let Some(name) = name else {
                    taken.all.insert(module);
                    continue;
                };
                if is_read {
                    read.entry((file, module)).or_default().insert(name.clone());
                }
                taken.names.entry(module).or_default().insert(name);
            }
        }
        taken.read = self.resolve(|resolver| {
            let names =
                read.iter().flat_map(|(&(file, module), names)| names.iter().map(move |name| (file, module, name)));
            let below = names.filter_map(|(file, module, name)| {
                match resolver.child_module(file, Thing::Module(module), name)? {
                    Thing::Module(module) => Some(module),
                    _ => None,
                }
            });
            below.collect()
        });
        Ok(taken)
    }

    /// The style of each file, as the project and its folders say.
    fn styles(&self, files: &FxHashSet<FileId>) -> FxHashMap<FileId, ImportStyle> {
        let mut settings = ImportSettings::default();
        let mut styles = FxHashMap::default();
        for &file in files {
            let language = self.project.file(file).language;
            let (Some(rule), Some(folder)) = (rule_of(language), self.path(file).parent()) else { continue };
            styles.insert(file, settings.style(self.engine, (folder, self.root()), (rule, language.name())));
        }
        styles
    }

    fn organized(
        &self,
        files: &FxHashSet<FileId>,
        taken: &Taken,
        styles: &FxHashMap<FileId, ImportStyle>,
        kept: &Kept,
        options: &RefactorOptions,
    ) -> Result<Vec<File>, EngineError> {
        let limits = limits(&options.reading);
        self.look("", Some(files), |resolver, file| {
            let (Some(tree), Some(style)) = (resolver.tree(file), styles.get(&file)) else { return Vec::new() };
            if kept.files.contains_key(&file) {
                return Vec::new();
            }
            if !tree.is_sound() {
                let left = vec![(0, "the file has a syntax error, and its imports stay as they are".to_owned())];
                return vec![File {
                    file,
                    tree: tree.clone(),
                    organized: Ok(Organized { left, ..Organized::default() }),
                }];
            }
            let facts = import_facts(resolver, (file, tree), taken, kept.names.get(&file).cloned().unwrap_or_default());
            let is_own = |module: &str| resolver.project().has_module(file, module);
            let organized = organize(tree, &facts, style, &is_own, &limits);
            vec![File { file, tree: tree.clone(), organized }]
        })
    }

    /// The changes of all files, and what is elsewhere in their edits.
    fn planned(&self, done: Vec<File>, kept: &Kept) -> (Planned, Vec<MovedSpans>) {
        let mut moved = Vec::new();
        let mut planned = Planned { deletes: true, ..Planned::default() };
        let mut names = FxHashSet::default();
        let mut removed = 0;
        planned.left.extend(kept.files.values().cloned());
        for File { file, tree, organized } in done {
            let organized = match organized {
                Ok(organized) => organized,
                Err(error) => {
                    let why = format!("the imports of the file stay as they are: {error}");
                    planned.left.push(self.place_row(file, 0, why));
                    continue;
                }
            };
            for (start, why) in organized.left {
                planned.left.push(self.place_row(file, start, why));
            }
            let Some(outcome) = organized.outcome else { continue };
            if new_documentation(&tree, &outcome.tree).is_some() {
                let why = format!("the imports of the file stay as they are: {NEW_DOCUMENTATION}");
                planned.left.push(self.place_row(file, 0, why));
                continue;
            }
            removed += organized.removed.len();
            if rule_of(tree.language()).is_some_and(|rule| rule.exposed) {
                names.extend(organized.removed);
            }
            moved.push((file, organized.moved));
            planned.files.push((file, tree, outcome));
        }
        planned.left.sort_by(|one, two| (&one.path, one.line, one.col).cmp(&(&two.path, two.line, two.col)));
        planned.counts.0 = removed;
        planned.words = names.into_iter().collect();
        planned.words.sort_unstable();
        (planned, moved)
    }

    /// Notes what must not be changed; whether that is more than before.
    fn keep(
        &self,
        rebound: &[Rebound],
        rows: &[PlaceRow],
        changed: &FxHashSet<FileId>,
        planned: &Planned,
        kept: &mut Kept,
    ) -> bool {
        let mut is_more = false;
        let mut rebound_files: BTreeMap<FileId, &PlaceRow> = BTreeMap::new();
        for (name, row) in rebound.iter().zip(rows) {
            if changed.contains(&name.file) {
                rebound_files.entry(name.file).or_insert(row);
                continue;
            }
            let text = self.resolve(|resolver| {
                let tree = resolver.tree(name.file)?;
                let node = tree.table().smallest_around(Span::at(name.start));
                Some(tree.node_text(node).into_owned())
            });
            let Some(text) = text else { continue };
            for (file, ..) in planned.files.iter().filter(|_| planned.words.contains(&text)) {
                is_more |= kept.names.entry(*file).or_default().insert(text.clone());
            }
        }
        for (file, row) in rebound_files {
            let why = format!("the imports of the file stay as they are: a name in line {} {}", row.line, row.why);
            is_more |= kept.files.insert(file, self.place_row(file, 0, why)).is_none();
        }
        is_more
    }
}
