//! `map`: the definitions that the rest of a project uses most, in a number of tokens.
//!
//! A file votes for the definitions whose names it contains: more for names that few files define. The votes of files that are
//! themselves used count more (PageRank over files). Names are compared as text here, so the order is an estimate; nothing
//! else in the answer depends on it.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::{DefinitionFacts, add_parts};
use crate::language::taxonomy;
use crate::modules::FileId;
use crate::outline::chunk::Count;
use crate::reader::core::Reader;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::search_messages::{MapDefinition, MapFile, MapRequest, MapResponse};
use crate::workspace::files::Workspace;
use crate::workspace::known_facts::ProjectFacts;

/// How many tokens a map has if nothing else is asked for.
const TOKENS: usize = 2000;
/// A name that more files define says nothing about which one is meant.
const DEFINERS: usize = 8;
/// How much a vote counts of a file that does not mention the other one's module.
const UNLINKED: f64 = 0.05;
/// How often the ranks are passed on.
const ROUNDS: usize = 30;
/// The part of a rank that is passed on.
const DAMPING: f64 = 0.85;
/// How many definitions in a row may be too long for the rest of the tokens.
const MISFITS: usize = 40;

/// Lists the most used definitions of a project, as many as fit.
///
/// # Errors
/// If the target is not a folder, or what is in focus is not in it.
pub(crate) fn map(request: &MapRequest, reader: &Reader) -> Result<MapResponse, EngineError> {
    let workspace = reader.workspace_with(&request.targets, &request.reading, true)?;
    workspace.ask_facts(|workspace, parts| request.draw(workspace, parts))
}

impl MapRequest {
    /// The map; `None` if a database is damaged.
    fn draw(&self, workspace: &Workspace<'_>, parts: &[&ProjectFacts]) -> Result<Option<MapResponse>, EngineError> {
        let Some(names) = names(parts) else { return Ok(None) };
        let within = workspace.chosen(self.path.as_deref())?;
        let focus = self.focused(workspace, &names)?;
        let count = workspace.project.files().len();
        let Some(links) = Links::new(workspace, parts, &names) else { return Ok(None) };
        let votes = votes(&names, &links);
        let ranks = ranks(&votes, count, &focus);
        // What each name of a file is worth.
        let mut worth: FxHashMap<(FileId, &str), f64> = FxHashMap::default();
        for (name, uses) in &names {
            links.each_vote(name, uses, |user, definer, weight| {
                let user = user.0 as usize;
                *worth.entry((definer, name)).or_default() += ranks[user] * weight / votes.out[user];
            });
        }
        let mut found = Vec::new();
        let mut definitions: FxHashMap<FileId, Vec<DefinitionFacts>> = FxHashMap::default();
        for facts in parts {
            for file in facts.known().filter(|file| within.as_ref().is_none_or(|within| within.contains(file))) {
                let Some(listed) = facts.definitions(file) else { return Ok(None) };
                for (number, definition) in listed.iter().enumerate().filter(|(number, _)| !is_local(&listed, *number))
                {
                    let bonus = if focus.contains(&file) { ranks[file.0 as usize] / 100.0 } else { 0.0 };
                    let worth = worth.get(&(file, definition.name.as_str())).copied().unwrap_or(0.0) + bonus;
                    found.push((worth, file, number));
                }
                definitions.insert(file, listed);
            }
        }
        found.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| (one.1, one.2).cmp(&(other.1, other.2))));
        let total = found.len();
        let mut map = Map { workspace, definitions: &definitions, chosen: FxHashMap::default(), order: Vec::new() };
        let budget = self.tokens.unwrap_or(TOKENS);
        let (mut tokens, mut misfits, mut listed) = (0, 0, 0);
        for (_, file, number) in found {
            let added = map.missing(file, number);
            let cost: usize =
                added.iter().map(|&number| map.cost(file, number)).sum::<usize>() + map.cost_of_file(file);
            if tokens + cost > budget {
                misfits += 1;
                if misfits > MISFITS {
                    break;
                }
                continue;
            }
            misfits = 0;
            tokens += cost;
            listed += added.len();
            map.add(file, added);
        }
        let files = map.files();
        let (unsaved, skipped) = (workspace.unsaved.len(), workspace.take_skipped());
        let project = workspace.report();
        Ok(Some(MapResponse { files, tokens, listed, definitions: total, project, unsaved, skipped }))
    }

    /// The files that the map is seen from.
    fn focused(
        &self,
        workspace: &Workspace<'_>,
        names: &FxHashMap<String, NameUses>,
    ) -> Result<FxHashSet<FileId>, EngineError> {
        let mut focus = FxHashSet::default();
        for wanted in &self.focus {
            let last = wanted.rsplit(['.', ':']).next().unwrap_or(wanted);
            match (workspace.below(wanted), names.get(last)) {
                (Ok(files), _) => focus.extend(files),
                (Err(_), Some(uses)) => focus.extend(uses.definers.iter().copied()),
                (Err(_), None) => {
                    let message = format!("`{wanted}` is neither a path nor a definition in the project");
                    let error = EngineError::new(ErrorCode::NotFound, message);
                    return Err(error.hint("`symbols` lists definitions by name"));
                }
            }
        }
        Ok(focus)
    }
}

/// Whether a definition is inside a function, where nothing else can use it.
fn is_local(listed: &[DefinitionFacts], number: usize) -> bool {
    let own = &listed[number];
    let around = listed[..number].iter().rev().find(|around| around.depth < own.depth && around.lines.1 >= own.lines.1);
    around.is_some_and(|around| taxonomy().is_a(&around.kind, "function") || taxonomy().is_a(&around.kind, "method"))
}

/// Who defines a name, and who contains it.
#[derive(Default)]
struct NameUses {
    definers: Vec<FileId>,
    users: Vec<FileId>,
}

impl NameUses {
    /// How much one use of a name says: more if few files contain it, and if it is made of several words.
    fn weight(&self, name: &str, files: usize) -> f64 {
        if self.definers.len() > DEFINERS || self.definers.is_empty() {
            return 0.0;
        }
        #[expect(clippy::cast_precision_loss, reason = "only an estimate")]
        let (definers, users, files) =
            (self.definers.len() as f64, self.users.len().max(1) as f64, files.max(2) as f64);
        let rarity = (files / users).ln().max(0.0) / files.ln();
        let mut parts = String::new();
        add_parts(name, &mut parts);
        let is_long = name.len() >= 8 && parts.split_whitespace().count() > 1 || name.len() >= 12;
        let kind = match name {
            _ if name.starts_with('_') || name.chars().count() < 3 => 0.1,
            _ if is_long => 1.0,
            _ => 0.3,
        };
        kind * rarity / definers
    }
}

/// The names that are defined, with the files that define and contain them; `None` if a database is damaged.
fn names(parts: &[&ProjectFacts]) -> Option<FxHashMap<String, NameUses>> {
    let mut names: FxHashMap<String, NameUses> = FxHashMap::default();
    for facts in parts {
        facts.each_definer(|name, files| names.entry(name.to_owned()).or_default().definers.extend(files))?;
    }
    for (name, uses) in &mut names {
        for facts in parts {
            uses.users.extend(facts.known_with_word(name)?);
        }
    }
    Some(names)
}

/// Which file votes for which, and how much each votes in all.
struct Votes {
    to: Vec<FxHashMap<u32, f64>>,
    out: Vec<f64>,
}

fn votes(names: &FxHashMap<String, NameUses>, links: &Links) -> Votes {
    let mut votes = Votes { to: vec![FxHashMap::default(); links.files], out: vec![0.0; links.files] };
    for (name, uses) in names {
        links.each_vote(name, uses, |user, definer, weight| {
            *votes.to[user.0 as usize].entry(definer.0).or_default() += weight;
            votes.out[user.0 as usize] += weight;
        });
    }
    votes
}

/// Which files mention the name of another file's module, as those do that import it.
struct Links {
    files: usize,
    mentioned_by: FxHashMap<FileId, std::rc::Rc<FxHashSet<FileId>>>,
}

impl Links {
    fn new(workspace: &Workspace<'_>, parts: &[&ProjectFacts], names: &FxHashMap<String, NameUses>) -> Option<Links> {
        let mut by_stem: FxHashMap<&str, std::rc::Rc<FxHashSet<FileId>>> = FxHashMap::default();
        let mut mentioned_by = FxHashMap::default();
        let definers: FxHashSet<FileId> = names.values().flat_map(|uses| uses.definers.iter().copied()).collect();
        for file in definers {
            let about = workspace.project.file(file);
            let mut stems = about.path.rsplit('/').map(|part| part.split('.').next().unwrap_or(part));
            let packages = &about.language.spec().symbols.module_files.packages;
            let stem = stems.find(|stem| !packages.iter().any(|package| package == stem)).unwrap_or_default();
            let users = match by_stem.get(stem) {
                Some(users) => std::rc::Rc::clone(users),
                None => {
                    let mut users = FxHashSet::default();
                    for facts in parts {
                        users.extend(facts.known_with_word(stem)?);
                    }
                    let users = std::rc::Rc::new(users);
                    by_stem.insert(stem, std::rc::Rc::clone(&users));
                    users
                }
            };
            mentioned_by.insert(file, users);
        }
        Some(Links { files: workspace.project.files().len(), mentioned_by })
    }

    /// Goes through the votes for a name: who votes for which definer, and how much.
    fn each_vote(&self, name: &str, uses: &NameUses, mut vote: impl FnMut(FileId, FileId, f64)) {
        let weight = uses.weight(name, self.files);
        if weight == 0.0 {
            return;
        }
        for &definer in &uses.definers {
            let mentioned_by = self.mentioned_by.get(&definer);
            for &user in uses.users.iter().filter(|&&user| user != definer) {
                let is_linked = mentioned_by.is_some_and(|users| users.contains(&user));
                vote(user, definer, if is_linked { weight } else { weight * UNLINKED });
            }
        }
    }
}

/// The rank of each file.
fn ranks(votes: &Votes, files: usize, focus: &FxHashSet<FileId>) -> Vec<f64> {
    #[expect(clippy::cast_precision_loss, reason = "only an estimate")]
    let share = |count: usize| 1.0 / count.max(1) as f64;
    let start: Vec<f64> = match focus.is_empty() {
        true => vec![share(files); files],
        false => (0u32..)
            .take(files)
            .map(|file| if focus.contains(&FileId(file)) { share(focus.len()) } else { 0.0 })
            .collect(),
    };
    let mut ranks = start.clone();
    for _ in 0..ROUNDS {
        let mut next: Vec<f64> = start.iter().map(|start| start * (1.0 - DAMPING)).collect();
        let mut idle = 0.0;
        for (file, rank) in ranks.iter().enumerate() {
            if votes.out[file] == 0.0 {
                idle += rank;
                continue;
            }
            for (&other, weight) in &votes.to[file] {
                next[other as usize] += DAMPING * rank * weight / votes.out[file];
            }
        }
        next.iter_mut().zip(&start).for_each(|(rank, start)| *rank += DAMPING * idle * start);
        ranks = next;
    }
    ranks
}

/// The definitions chosen so far.
struct Map<'a> {
    workspace: &'a Workspace<'a>,
    definitions: &'a FxHashMap<FileId, Vec<DefinitionFacts>>,
    chosen: FxHashMap<FileId, FxHashSet<usize>>,
    /// The files in the order in which they were added.
    order: Vec<FileId>,
}

impl Map<'_> {
    /// A definition and those around it, as far as they are not chosen yet.
    fn missing(&self, file: FileId, number: usize) -> Vec<usize> {
        let Some(listed) = self.definitions.get(&file) else { return Vec::new() };
        let mut missing = Vec::new();
        let is_chosen = |number: &usize| self.chosen.get(&file).is_some_and(|chosen| chosen.contains(number));
        let mut depth = listed[number].depth + 1;
        for around in (0..=number).rev() {
            if listed[around].depth < depth && listed[around].lines.1 >= listed[number].lines.1 {
                depth = listed[around].depth;
                missing.extend(Some(around).filter(|number| !is_chosen(number)));
            }
        }
        missing
    }

    fn row(&self, definition: &DefinitionFacts) -> MapDefinition {
        MapDefinition {
            line: definition.place.0 as usize,
            depth: definition.depth as usize,
            kind: definition.kind.clone(),
            signature: definition.signature.clone(),
        }
    }

    fn cost(&self, file: FileId, number: usize) -> usize {
        let definition = self.definitions.get(&file).and_then(|listed| listed.get(number));
        definition.map_or(0, |definition| Count::default().of(&self.row(definition).to_string()) + 1)
    }

    /// What the line with the path costs, if the file has none yet.
    fn cost_of_file(&self, file: FileId) -> usize {
        if self.chosen.contains_key(&file) { 0 } else { Count::default().of(&self.workspace.shown(file)) + 1 }
    }

    fn add(&mut self, file: FileId, numbers: Vec<usize>) {
        if !self.chosen.contains_key(&file) {
            self.order.push(file);
        }
        self.chosen.entry(file).or_default().extend(numbers);
    }

    fn files(&self) -> Vec<MapFile> {
        let file = |&file: &FileId| {
            let mut numbers: Vec<usize> = self.chosen.get(&file)?.iter().copied().collect();
            numbers.sort_unstable();
            let listed = self.definitions.get(&file)?;
            let definitions = numbers.into_iter().map(|number| self.row(&listed[number])).collect();
            Some(MapFile { path: self.workspace.shown(file), definitions })
        };
        self.order.iter().filter_map(file).collect()
    }
}
