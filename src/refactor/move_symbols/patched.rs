//! Effects on moved code of the modules that it leaves and enters: tests that put something in place of its needs, statements that run
//! when a module is loaded, readers of type annotations.

use std::collections::BTreeMap;

use crate::flow::Flow;
use crate::modules::FileId;
use crate::refactor::{Piece, Redirected, Transfer};
use crate::request::error::{EngineError, PlaceRow};
use crate::risks::StringKind;
use crate::symbols::{NeedSource, Project, Resolver, Thing};
use crate::text::Span;
use crate::tree::Node;
use crate::workspace::files::Workspace;

impl Workspace<'_> {
    /// Where something else is put in place of what moved code needs, in the module that it leaves: `m.K = 5`, `patch("m.time")`.
    ///
    /// # Errors
    /// If files cannot be read.
    pub(super) fn patched_needs(
        &self,
        transfer: &Transfer<'_>,
        pieces: &[Piece],
    ) -> Result<Vec<PlaceRow>, EngineError> {
        let from = transfer.from;
        let spans: Vec<Span> = pieces.iter().map(|piece| piece.span).collect();
        let file = self.project.file(from);
        let module = Project::module_path(&file.path, file.language).to_owned();
        let stem = module.rsplit('/').next().unwrap_or_default().to_owned();
        let mut rows = Vec::new();
        rows.extend(self.ordered_values(pieces));
        for piece in pieces {
            let found = self.look_at_text(&piece.name, |resolver, file| {
                let added = resolver.added_from_outside(file, from, &piece.name);
                added.into_iter().map(|span| (file, span)).collect()
            })?;
            let why = format!("this adds to `{}` in the old module", piece.name);
            rows.extend(found.into_iter().map(|(file, span)| self.place_row(file, span.start(), why.clone())));
        }
        for need in self.resolve(|resolver| resolver.needs(from, &spans)) {
            let name = match &need.source {
                NeedSource::Own(_) => need.name.clone(),
                NeedSource::Import(import) => import.alias.clone().unwrap_or_else(|| import.name.clone()),
                _ => continue,
            };
            let is_path = |before: &str| before.rsplit(['.', ':']).next() == Some(stem.as_str());
            let is_own = matches!(need.source, NeedSource::Own(_));
            let found = self.look_at_text(&name, |resolver, file| {
                let strings = resolver.strings_with(file, &name).into_iter();
                let strings =
                    strings.filter(|string| matches!(&string.kind, StringKind::Path(before) if is_path(before)));
                let mut found: Vec<(FileId, usize, bool)> =
                    strings.map(|string| (file, string.span.start(), true)).collect();
                if is_own && file == from {
                    found.extend(reassigned(resolver, from, &name, &spans).map(|start| (file, start, false)));
                }
                if is_own && file != from {
                    found.extend(resolver.set_from_outside(file, from, &name).map(|start| (file, start, false)));
                }
                found
            })?;
            for (file, start, is_string) in found {
                let why = match is_string {
                    true => {
                        format!("a string names `{name}` of the old module, and the moved code has it from elsewhere")
                    }
                    false => {
                        format!("`{name}` of the old module is reassigned here, and the moved code would not see it")
                    }
                };
                rows.push(self.place_row(file, start, why));
            }
        }
        Ok(rows)
    }

    /// Variables that get their values by calls, in an order that depends on the files.
    pub(crate) fn ordered_values(&self, pieces: &[Piece]) -> Vec<PlaceRow> {
        let is_computed = |piece: &&Piece| {
            self.resolve(|resolver| {
                let flow = Flow::new(resolver.tree(piece.file)?);
                let is_variable = !piece.units.iter().any(|&unit| flow.is(unit, &flow.rules.functions));
                let acts = piece.units.iter().any(|&unit| flow.first_effect(unit).is_some());
                Some(flow.rules.ordered_by_files && is_variable && acts)
            }) == Some(true)
        };
        let row = |piece: &Piece| {
            let why = "its value is computed when the program starts, and that would be earlier or later".to_owned();
            self.place_row(piece.file, piece.start, why)
        };
        pieces.iter().filter(is_computed).map(row).collect()
    }

    /// Statements that run when one of the two modules is loaded, if others load it now or do not any more.
    pub(super) fn other_loads(
        &self,
        transfer: &Transfer<'_>,
        edges: &[(FileId, FileId)],
        redirected: &BTreeMap<FileId, Redirected>,
    ) -> Vec<PlaceRow> {
        let Transfer { from, to, .. } = *transfer;
        let importing = || redirected.iter().filter(|(_, found)| found.imports_at_once).map(|(&file, _)| file);
        // Whether a file imports a module, other than for what moves.
        let loads = |file: FileId, module: FileId| {
            self.resolve(|resolver| {
                resolver.imported_names(file).iter().any(|import| {
                    let source = if import.source.is_empty() { &import.name } else { &import.source };
                    import.is_at_top
                        && !transfer.names.contains(&import.name)
                        && resolver.imported_module(file, source) == Some(Thing::Module(module))
                })
            })
        };
        let effect = |file: FileId| {
            self.resolve(|resolver| {
                let tree = resolver.tree(file)?;
                let moved: &[String] = if file == from { &transfer.names } else { &[] };
                Flow::new(tree).effect_of_loading(moved).map(|node| tree.span(node).start())
            })
        };
        let is_there = (to.0 as usize) < self.project.files().len();
        let mut rows = Vec::new();
        if !edges.contains(&(to, from))
            && importing().any(|file| !loads(file, from))
            && let Some(start) = effect(from)
        {
            let why = "this runs when the old module is loaded, which may not be loaded any more, or later";
            rows.push(self.place_row(from, start, why.to_owned()));
        }
        if is_there
            && importing().any(|file| !loads(file, to))
            && let Some(start) = effect(to)
        {
            let why = "this runs when the new module is loaded, which may be loaded earlier, or from elsewhere";
            rows.push(self.place_row(to, start, why.to_owned()));
        }
        rows
    }

    /// Where type annotations are read when a program runs, if the moved code has some that mean something else then.
    ///
    /// # Errors
    /// If files cannot be read.
    pub(super) fn read_annotations(
        &self,
        transfer: &Transfer<'_>,
        pieces: &[Piece],
    ) -> Result<Vec<PlaceRow>, EngineError> {
        let spec = self.project.file(transfer.from).language.spec();
        let words = &spec.symbols.hidden_uses.annotation_readers;
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let form = spec.symbols.import_forms.get("postponed");
        let postpones = |file: FileId| {
            self.resolve(|resolver| {
                let tree = resolver.tree(file)?;
                let mut units = tree.named_children(Node::ROOT);
                Some(units.any(|unit| form.is_some_and(|form| tree.node_text(unit) == form.as_str())))
            })
        };
        let spans: Vec<Span> = pieces.iter().map(|piece| piece.span).collect();
        let is_there = (transfer.to.0 as usize) < self.project.files().len();
        let differ = is_there && postpones(transfer.from) != postpones(transfer.to);
        let is_erased =
            || self.resolve(|resolver| resolver.needs(transfer.from, &spans)).iter().any(|need| need.is_erased);
        if !differ && !is_erased() {
            return Ok(Vec::new());
        }
        let mut rows = Vec::new();
        for word in words {
            let found = self.look(word, None, |resolver, file| {
                resolver.spans_of(file, word).into_iter().map(|span| (file, span)).collect()
            })?;
            let why = format!("`{word}` reads type annotations, which may mean something else in the new module");
            rows.extend(found.into_iter().map(|(file, span)| self.place_row(file, span.start(), why.clone())));
        }
        Ok(rows)
    }
}

/// Where a module that stays gives a variable of its own another value, which moved code would not see by its import.
fn reassigned(resolver: &Resolver<'_>, from: FileId, name: &str, moved: &[Span]) -> Option<usize> {
    let tree = resolver.tree(from)?;
    let (flow, table) = (Flow::new(tree), tree.table());
    if !flow.rules.imports_values {
        return None;
    }
    let named = table.nodes().filter(|&node| flow.scopes.is_identifier(node) && *tree.node_text(node) == *name);
    let variables = flow.variables(named);
    let own = variables.iter().find(|variable| variable.symbol.scope == Node::ROOT)?;
    let writes: Vec<Span> = own.uses.iter().filter(|one| one.writes).map(|one| one.span).collect();
    let stays = |span: &&Span| !moved.iter().any(|moved| moved.contains(**span));
    let last = writes.iter().rfind(stays).filter(|_| writes.len() > 1)?;
    Some(last.start())
}
