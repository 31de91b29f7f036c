//! `impact`: which definitions have changed since a git revision, and what refers to them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::changed_files::ChangedSince;
use super::core::{Begun, Engine};
use super::document::Origin;
use super::error::{EngineError, ErrorCode};
use super::method::Method;
use super::report::Skipped;
use super::search_messages::{AffectedSymbol, ChangedSymbol, ImpactRequest, ImpactResponse, SymbolChange};
use super::store::TreeRow;
use super::symbol_messages::{Confidence, Role, SymbolRow};
use super::workspace::Workspace;
use crate::language::{ByName, Detector};
use crate::limits;
use crate::outline;
use crate::symbols::{FileId, Meaning, Resolver, Thing, occurrences};
use crate::text::Text;
use crate::tree::{Node, ParseLimits, Tree};

/// How many steps references are followed if nothing else is asked for.
const DEPTH: usize = 2;

impl Method for ImpactRequest {
    const NAME: &'static str = "impact";
    const READS: bool = true;
    type Result = ImpactResponse;

    /// Lists what a change affects.
    ///
    /// # Errors
    /// If the revision is unknown, or a symbol does not fit.
    fn run(&self, engine: &Begun<'_>) -> Result<ImpactResponse, EngineError> {
        if self.since.is_some() && !self.symbols.is_empty() {
            return Err(EngineError::new(ErrorCode::BadRequest, "`since` and `symbols` exclude each other"));
        }
        let workspace = engine.workspace(&self.targets, &self.reading)?;
        let mut changed = Vec::new();
        let mut level: Vec<Thing> = Vec::new();
        if self.symbols.is_empty() {
            let since = self.since.as_deref().unwrap_or("HEAD");
            for (symbol, change, thing) in engine.changed_symbols(&workspace, since)? {
                level.extend(thing);
                changed.push((ChangedSymbol { symbol, change, candidates: 0 }, thing));
            }
        } else {
            for symbol in &self.symbols {
                for definition in workspace.find(symbol, false)? {
                    let symbol = workspace.symbol_rows(std::slice::from_ref(&definition));
                    let Some(symbol) = symbol.into_iter().next() else { continue };
                    level.push(definition.thing);
                    let change = SymbolChange::Changed;
                    changed.push((ChangedSymbol { symbol, change, candidates: 0 }, Some(definition.thing)));
                }
            }
        }
        for (row, thing) in &mut changed {
            if thing.is_none() && row.change == SymbolChange::Removed {
                row.candidates = workspace.left_over(&row.symbol)?;
            }
        }
        let mut candidates: FxHashMap<Thing, usize> = FxHashMap::default();
        let mut seen: FxHashSet<Thing> = level.iter().copied().collect();
        let mut affected = Vec::new();
        let (mut total, mut truncated) = (0, false);
        let limit = self.limit.unwrap_or(usize::MAX);
        for depth in 1..=self.depth.unwrap_or(DEPTH).min(limits::CALL_DEPTH) {
            let mut next = Vec::new();
            for thing in std::mem::take(&mut level) {
                let mut owners: Vec<(Thing, Vec<usize>)> = Vec::new();
                for reference in workspace.references(&[thing])? {
                    if reference.row.confidence != Confidence::Certain {
                        let is_open = reference.row.confidence != Confidence::Elsewhere;
                        *candidates.entry(thing).or_default() += usize::from(is_open && depth == 1);
                        continue;
                    }
                    if reference.row.role == Role::Definition || reference.owner == thing {
                        continue;
                    }
                    match owners.iter_mut().find(|(owner, _)| *owner == reference.owner) {
                        Some((_, lines)) => lines.push(reference.row.line),
                        None => owners.push((reference.owner, vec![reference.row.line])),
                    }
                }
                owners.retain(|(owner, _)| seen.insert(*owner));
                let via = workspace.row_of(thing).map(|row| row.qualname).unwrap_or_default();
                for (owner, mut lines) in owners {
                    lines.dedup();
                    let Some(symbol) = workspace.row_of(owner) else { continue };
                    total += 1;
                    if affected.len() < limit {
                        affected.push(AffectedSymbol { symbol, depth, via: via.clone(), lines });
                    }
                    next.push(owner);
                }
                if total > limits::AFFECTED {
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
        for (mut row, thing) in changed {
            row.candidates += thing.and_then(|thing| candidates.get(&thing)).copied().unwrap_or(0);
            rows.push(row);
        }
        let candidates = rows.iter().map(|row| row.candidates).sum();
        let (unsaved, skipped) = (workspace.unsaved.len(), workspace.take_skipped());
        let project = workspace.report();
        Ok(ImpactResponse { changed: rows, affected, total, candidates, truncated, project, unsaved, skipped })
    }

    fn skipped(answer: &mut ImpactResponse) -> &mut [Skipped] {
        &mut answer.skipped
    }
}

impl Workspace<'_> {
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

type Change = (SymbolRow, SymbolChange, Option<Thing>);

impl Engine {
    /// The definitions of a project that differ from a revision's.
    fn changed_symbols(&self, workspace: &Workspace<'_>, since: &str) -> Result<Vec<Change>, EngineError> {
        let mut changes = Vec::new();
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
            let old = changed.old.and_then(|bytes| {
                let name = changed.path.file_name().unwrap_or_default().to_string_lossy();
                let detected = Detector::new(self.languages_known()).detect_by_name(&name).ok()?;
                let (ByName::Certain(language) | ByName::Ambiguous(language)) = detected else { return None };
                Tree::parse(Text::decode_declared(bytes).ok()?, language, &ParseLimits::default()).ok()
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
                changes.push((row(new), change, thing));
            }
            for old in &old_definitions {
                if !new_definitions.iter().any(|new| (&new.qualname, new.kind) == (&old.qualname, old.kind)) {
                    changes.push((row(old), SymbolChange::Removed, None));
                }
            }
        }
        Ok(changes)
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
