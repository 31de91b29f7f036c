//! `impact`: which definitions have changed since a git revision, and what refers to them.
//!
//! What referred to the definitions of a file that is gone is found in the project as it would be with that file. Of these places
//! only those count that mean nothing in the project as it is.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::language::{ByName, Detector};
use crate::limits;
use crate::modules::{FileId, ProjectFile};
use crate::outline;
use crate::question::references::Reference;
use crate::reader::changed_files::ChangedSince;
use crate::reader::core::Reader;
use crate::reader::document::Origin;
use crate::request::error::EngineError;
use crate::request::search_messages::{AffectedSymbol, ChangedSymbol, ImpactRequest, ImpactResponse, SymbolChange};
use crate::request::symbol_messages::{Confidence, Role, SymbolRow};
use crate::store::TreeRow;
use crate::symbols::{Meaning, Resolver, Thing, occurrences};
use crate::text::Text;
use crate::tree::{Node, ParseLimits, Tree};
use crate::workspace::files::Workspace;

/// How many steps references are followed if nothing else is asked for.
const DEPTH: usize = 2;

/// Lists what a change affects.
///
/// # Errors
/// If the revision is unknown, or a symbol does not fit.
pub(crate) fn impact(request: &ImpactRequest, reader: &Reader) -> Result<ImpactResponse, EngineError> {
    if request.since.is_some() && !request.symbols.is_empty() {
        return Err(EngineError::bad_request("`since` and `symbols` exclude each other"));
    }
    let mut workspace = reader.workspace(&request.targets, &request.reading)?;
    workspace.keep_trees();
    let mut changed: Vec<Row> = Vec::new();
    let mut lost = Vec::new();
    if request.symbols.is_empty() {
        let since = request.since.as_deref().unwrap_or("HEAD");
        let ChangedSymbols { rows, gone } = reader.changed_symbols(&workspace, since)?;
        changed = rows;
        lost = workspace.lost_references(request, gone, &mut changed)?;
    } else {
        for symbol in &request.symbols {
            for definition in workspace.find(symbol, false)? {
                let symbol = workspace.symbol_rows(std::slice::from_ref(&definition));
                let Some(symbol) = symbol.into_iter().next() else { continue };
                changed.push(Row::new(symbol, SymbolChange::Changed, Some(definition.thing)));
            }
        }
    }
    for row in &mut changed {
        if row.is_left_over {
            row.changed.candidates = workspace.left_over(&row.changed.symbol)?;
        }
    }
    let mut level: Vec<Thing> = changed.iter().filter_map(|row| row.thing).collect();
    let mut candidates: FxHashMap<Thing, usize> = FxHashMap::default();
    let mut affected = Affected { limit: request.limit.unwrap_or(usize::MAX), ..Affected::default() };
    affected.seen.extend(&level);
    let mut truncated = false;
    for depth in 1..=request.depth.unwrap_or(DEPTH).min(limits::CALL_DEPTH) {
        let mut next = Vec::new();
        for Lost { via, owners } in std::mem::take(&mut lost) {
            affected.add(&workspace, (owners, via), depth, &mut next);
        }
        for thing in std::mem::take(&mut level) {
            let mut owners = Owners::default();
            // Only what certainly refers to the changed definitions is followed, and so has no uncertain ones counted.
            let references = match depth {
                1 => {
                    let list = workspace.uses_of(&[thing])?;
                    *candidates.entry(thing).or_default() += list.unread.len();
                    list.references
                }
                _ => workspace.references(&[thing])?,
            };
            for reference in references {
                if reference.row.confidence != Confidence::Certain {
                    let is_open = reference.row.confidence != Confidence::Elsewhere;
                    *candidates.entry(thing).or_default() += usize::from(is_open && depth == 1);
                    continue;
                }
                if reference.row.role != Role::Definition && reference.owner != thing {
                    owners.add(&reference);
                }
            }
            let via = workspace.row_of(thing).map(|row| row.qualname).unwrap_or_default();
            affected.add(&workspace, (owners, via), depth, &mut next);
            if affected.total > limits::AFFECTED {
                truncated = true;
                break;
            }
        }
        level = next;
        if truncated {
            break;
        }
    }
    let mut rows = Vec::new();
    for Row { mut changed, thing, .. } in changed {
        changed.candidates += thing.and_then(|thing| candidates.get(&thing)).copied().unwrap_or(0);
        rows.push(changed);
    }
    let candidates = rows.iter().map(|row| row.candidates).sum();
    let (unsaved, skipped) = (workspace.unsaved.len(), workspace.take_skipped());
    let Affected { rows: affected, total, .. } = affected;
    let project = workspace.report_about(rows.iter().map(|row| &row.symbol));
    Ok(ImpactResponse { changed: rows, affected, total, candidates, truncated, project, unsaved, skipped })
}

/// A definition that has changed.
struct Row {
    changed: ChangedSymbol,
    /// What it is now.
    thing: Option<Thing>,
    /// Whether it is gone, and its name may be left somewhere.
    is_left_over: bool,
}

impl Row {
    fn new(symbol: SymbolRow, change: SymbolChange, thing: Option<Thing>) -> Row {
        Row { changed: ChangedSymbol { symbol, change, candidates: 0 }, thing, is_left_over: false }
    }
}

/// The definitions that refer to one, and in which lines.
#[derive(Default)]
struct Owners(Vec<(Thing, Vec<usize>)>);

impl Owners {
    fn add(&mut self, reference: &Reference) {
        match self.0.iter_mut().find(|(owner, _)| *owner == reference.owner) {
            Some((_, lines)) => lines.push(reference.row.line),
            None => self.0.push((reference.owner, vec![reference.row.line])),
        }
    }
}

/// What referred to a definition of a file that is gone.
struct Lost {
    /// The name of the definition.
    via: String,
    owners: Owners,
}

/// What is affected so far.
#[derive(Default)]
struct Affected {
    seen: FxHashSet<Thing>,
    rows: Vec<AffectedSymbol>,
    total: usize,
    limit: usize,
}

impl Affected {
    /// Adds what refers to the definition `via`, as far as it is not known yet; `next` gets it, too.
    fn add(&mut self, workspace: &Workspace<'_>, (owners, via): (Owners, String), depth: usize, next: &mut Vec<Thing>) {
        for (owner, mut lines) in owners.0 {
            if !self.seen.insert(owner) {
                continue;
            }
            lines.dedup();
            let Some(symbol) = workspace.row_of(owner) else { continue };
            self.total += 1;
            if self.rows.len() < self.limit {
                self.rows.push(AffectedSymbol { symbol, depth, via: via.clone(), lines });
            }
            next.push(owner);
        }
    }
}

/// A file that is gone, as it was.
struct Gone {
    file: ProjectFile,
    tree: Tree,
    /// Where its definitions begin among the rows, and their names.
    first: usize,
    names: Vec<Node>,
}

impl Workspace<'_> {
    /// What referred to files that are gone and to their definitions, and refers to nothing else now. Counts the places that may have,
    /// and adds a row for each module that something names.
    fn lost_references(
        &self,
        request: &ImpactRequest,
        gone: Vec<Gone>,
        rows: &mut Vec<Row>,
    ) -> Result<Vec<Lost>, EngineError> {
        if gone.is_empty() {
            return Ok(Vec::new());
        }
        let mut before = self.engine.workspace(&request.targets, &request.reading)?;
        before.precise = None;
        let count = before.project.files().len();
        before.create_all(gone.iter().map(|gone| (gone.file.clone(), gone.tree.clone())).collect());
        let ids = before.project.ids().skip(count).collect::<Vec<FileId>>();
        let (mut lost, mut modules) = (Vec::new(), Vec::new());
        for (Gone { first, names, .. }, file) in gone.iter().zip(ids) {
            for (number, &name) in names.iter().enumerate() {
                let Some(thing) = before.resolve(|resolver| thing_of(resolver, file, name)) else { continue };
                let (owners, candidates) = self.lost_places(&before, thing, count)?;
                let row = &mut rows[first + number].changed;
                row.candidates = candidates;
                lost.push(Lost { via: row.symbol.qualname.clone(), owners });
            }
            let module = Thing::Module(file);
            let (owners, candidates) = self.lost_places(&before, module, count)?;
            if let Some(symbol) = before.row_of(module).filter(|_| !owners.0.is_empty()) {
                lost.push(Lost { via: symbol.qualname.clone(), owners });
                let mut row = Row::new(symbol, SymbolChange::Removed, None);
                row.changed.candidates = candidates;
                modules.push((*first, row));
            }
        }
        for (first, row) in modules.into_iter().rev() {
            rows.insert(first, row);
        }
        Ok(lost)
    }

    /// What certainly refers to something in the project `before`, of which the first files are those that are left, and means nothing
    /// now; and how many places may.
    fn lost_places(&self, before: &Workspace<'_>, thing: Thing, left: usize) -> Result<(Owners, usize), EngineError> {
        let mut found = before.references(&[thing])?;
        found.retain(|reference| {
            reference.row.role != Role::Definition && (reference.file.0 as usize) < left.min(self.project.files().len())
        });
        let is_bound = self.resolve(|resolver| {
            let meanings = found.iter().map(|found| resolver.meaning(found.file, found.node));
            meanings.map(|meaning| matches!(meaning, Meaning::Known(_))).collect::<Vec<bool>>()
        });
        let (mut owners, mut candidates) = (Owners::default(), 0);
        for (reference, _) in found.iter().zip(is_bound).filter(|(_, is_bound)| !is_bound) {
            match reference.row.confidence {
                Confidence::Certain => owners.add(reference),
                Confidence::Elsewhere => {}
                Confidence::Candidate | Confidence::Undetermined => candidates += 1,
            }
        }
        Ok((owners, candidates))
    }

    fn row_of(&self, thing: Thing) -> Option<SymbolRow> {
        let definition = self.resolve(|resolver| resolver.describe(thing))?;
        self.symbol_rows(&[definition]).into_iter().next()
    }

    /// How many places may still refer to a definition that is gone: its name, and nothing that it means.
    fn left_over(&self, row: &SymbolRow) -> Result<usize, EngineError> {
        let name = row.qualname.rsplit('.').next().unwrap_or_default();
        let target = crate::symbols::Target::default();
        let found = self.look(name, None, |resolver, file| {
            let found = occurrences(resolver, &target, file, name).into_iter();
            let is_open = |node: Node| matches!(resolver.meaning(file, node), Meaning::Unknown(_));
            found.filter(|found| found.confidence != Confidence::Elsewhere && is_open(found.node)).map(|_| ()).collect()
        })?;
        Ok(found.len())
    }
}

/// The definitions that differ from a revision's, and the files that are gone.
#[derive(Default)]
struct ChangedSymbols {
    rows: Vec<Row>,
    gone: Vec<Gone>,
}

impl Reader {
    /// The definitions of a project that differ from a revision's.
    fn changed_symbols(&self, workspace: &Workspace<'_>, since: &str) -> Result<ChangedSymbols, EngineError> {
        let ChangedSymbols { mut rows, mut gone } = ChangedSymbols::default();
        let mut all = self.changes_since(since)?;
        for document in workspace.unsaved.values() {
            let Origin::Held(TreeRow { path: Some(path), .. }) = &document.origin else { continue };
            if !all.iter().any(|changed| changed.path == *path) {
                all.push(ChangedSince { old: self.walked_bytes(path, &workspace.reading).ok(), path: path.clone() });
            }
        }
        all.sort_by(|one, other| one.path.cmp(&other.path));
        for changed in all {
            let file = workspace.file_of(&changed.path);
            if !workspace.means(&changed.path, file) {
                continue;
            }
            if let Some(file) = file {
                workspace.resolve(|resolver| workspace.note_errors(resolver, file));
            }
            // A file that is there and is not read says nothing of its definitions.
            let is_there = || self.files().facts(&changed.path).is_ok();
            let is_unread = match file {
                Some(file) => workspace.resolve(|resolver| resolver.tree(file).is_none()),
                None => is_there(),
            };
            if is_unread {
                continue;
            }
            let old = changed.old.and_then(|bytes| {
                let name = changed.path.file_name().unwrap_or_default().to_string_lossy();
                let detected = Detector::new(self.languages_known()).detect_by_name(&name).ok()?;
                let (ByName::Certain(language) | ByName::Ambiguous(language)) = detected else { return None };
                let text = match language.stored_as(&name) {
                    Some(stored) => Text::decode(&bytes, Some(stored)),
                    None => Text::decode_declared(bytes),
                };
                Tree::parse(text.ok()?, language, &ParseLimits::default()).ok()
            });
            let old_definitions = old.as_ref().map(fingerprints).unwrap_or_default();
            let shown = self.shown(&changed.path);
            let row = |found: &Fingerprint| {
                let (qualname, kind) = (found.qualname.clone(), found.kind.to_owned());
                SymbolRow { qualname, kind, path: shown.clone(), line: found.place.0, col: found.place.1 }
            };
            let new_definitions = match file {
                Some(file) => workspace.resolve(|resolver| resolver.tree(file).map(fingerprints)).unwrap_or_default(),
                None => Vec::new(),
            };
            for new in &new_definitions {
                let same = old_definitions.iter().find(|old| (&old.qualname, old.kind) == (&new.qualname, new.kind));
                let change = match same {
                    Some(old) if old.code == new.code => continue,
                    Some(_) => SymbolChange::Changed,
                    None => SymbolChange::Added,
                };
                let thing = file.and_then(|file| workspace.resolve(|resolver| thing_of(resolver, file, new.name)));
                rows.push(Row::new(row(new), change, thing));
            }
            let path = workspace.path_below(&changed.path).filter(|_| file.is_none());
            let is_left_over = path.is_none();
            if let (Some(path), Some(tree)) = (path, &old) {
                let names = old_definitions.iter().map(|definition| definition.name).collect();
                let file = ProjectFile { path, language: tree.language() };
                gone.push(Gone { file, tree: tree.clone(), first: rows.len(), names });
            }
            for old in &old_definitions {
                if !new_definitions.iter().any(|new| (&new.qualname, new.kind) == (&old.qualname, old.kind)) {
                    let removed = Row::new(row(old), SymbolChange::Removed, None);
                    rows.push(Row { is_left_over, ..removed });
                }
            }
        }
        Ok(ChangedSymbols { rows, gone })
    }
}

fn thing_of(resolver: &Resolver<'_>, file: FileId, name: Node) -> Option<Thing> {
    match resolver.meaning(file, name) {
        Meaning::Known(things) => things.first().copied(),
        Meaning::Unknown(_) | Meaning::External => None,
    }
}

/// A definition and its code, without comments, white space, and the definitions in it.
struct Fingerprint {
    name: Node,
    qualname: String,
    kind: &'static str,
    place: (usize, usize),
    code: blake3::Hash,
}

fn fingerprints(tree: &Tree) -> Vec<Fingerprint> {
    let listed = outline::outline(tree, &outline::Options::default()).unwrap_or_default();
    let table = tree.table();
    let mut codes = vec![blake3::Hasher::new(); listed.len()];
    let mut around: Vec<(usize, usize)> = Vec::new();
    let mut next = 0;
    for node in table.nodes() {
        let index = node.index();
        while around.last().is_some_and(|&(end, _)| end <= index) {
            around.pop();
        }
        while listed.get(next).is_some_and(|definition| definition.node == node) {
            around.push((table.subtree_end(node), next));
            next += 1;
        }
        let is_code = table.subtree_end(node) == index + 1 && !tree.is_comment(node);
        if let Some(&(_, number)) = around.last().filter(|_| is_code) {
            codes[number].update(tree.node_text(node).as_bytes()).update(&[0]);
        }
    }
    let decorated = |node: Node| {
        tree.decorators(node).into_iter().map(|decorator| tree.node_text(decorator).into_owned()).collect::<Vec<_>>()
    };
    let fingerprint = |(definition, mut code): (outline::Definition, blake3::Hasher)| {
        let name = tree.name_node(definition.node).unwrap_or(definition.node);
        decorated(definition.node).iter().for_each(|text| _ = code.update(text.as_bytes()));
        let start = tree.start(name);
        Fingerprint {
            name,
            qualname: definition.qualname,
            kind: definition.kind,
            place: (start.line, start.col()),
            code: code.finalize(),
        }
    };
    listed.into_iter().zip(codes).map(fingerprint).collect()
}
