//! What changes when definitions move to another module.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use crate::language::ModuleScheme;
use crate::modules::{FileId, ProjectFile};
use crate::refactor::move_symbols::finish::{Destination, Gathered, Landing, Route};
use crate::refactor::move_symbols::packages::folder;
use crate::refactor::plan::{OneStep, Planned};
use crate::refactor::{Piece, Redirected, Transfer, Use, change_ends, erases_types, path_strings, redirect};
use crate::request::error::{EngineError, ErrorCode, PlaceRow};
use crate::request::refactor::{Move, RefactorOptions};
use crate::request::symbol_messages::{Confidence, Role};
use crate::risks::ModuleAccess;
use crate::symbols::{Project, Site, Thing};
use crate::text::Span;
use crate::transfer::barrels::{exported_names, reexport};
use crate::workspace::files::Workspace;

impl OneStep for Move {
    fn step(&self, workspace: &Workspace<'_>, options: &RefactorOptions) -> Result<Planned, EngineError> {
        workspace.plan_move(self, options)
    }
}

impl Workspace<'_> {
    /// Plans to move definitions to another module.
    ///
    /// # Errors
    /// If one cannot move there, or references are uncertain.
    pub(crate) fn plan_move(&self, request: &Move, options: &RefactorOptions) -> Result<Planned, EngineError> {
        let bad = EngineError::bad_request;
        if request.symbol.is_empty() || request.to.is_empty() {
            return Err(bad("moving a definition takes its name and the path of a module".to_owned()));
        }
        let mut sites: Vec<Site> = Vec::new();
        for symbol in std::iter::once(&request.symbol).chain(&request.symbols) {
            let found = self.find(symbol, false)?;
            let Thing::Symbol(site) = found[0].thing else {
                return Err(bad(format!("`{symbol}` is a module")).hint("`move-file` moves a module"));
            };
            if !sites.contains(&site) {
                sites.push(site);
            }
        }
        let from = sites[0].file;
        if let Some(other) = sites.iter().find(|site| site.file != from) {
            let message =
                format!("the definitions are in two files: `{}` and `{}`", self.shown(from), self.shown(other.file));
            return Err(bad(message).hint("move those of one file at a time"));
        }
        let path = self.path_from_root(&request.to)?;
        let to = Destination { sites: &sites, to: &path, keeps_names: request.keep_alias, redirects: true };
        self.plan_transfer(options, &to)
    }

    /// Plans a move of definitions.
    ///
    /// # Errors
    /// If one cannot move there, or references are uncertain.
    pub(crate) fn plan_transfer(
        &self,
        options: &RefactorOptions,
        what: &Destination<'_>,
    ) -> Result<Planned, EngineError> {
        let from = what.sites[0].file;
        let language = self.project.file(from).language;
        if let Some(ModuleScheme::PackageFolders | ModuleScheme::Packages) = language.spec().symbols.modules {
            return match folder(&self.project.file(from).path) == folder(what.to) {
                true => self.plan_move_in_package(options, what),
                false => self.plan_move_to_package(options, what),
            };
        }
        if language.spec().symbols.modules == Some(ModuleScheme::ModuleTree) {
            return self.plan_move_in_tree(options, what);
        }
        if !matches!(language.spec().symbols.modules, Some(ModuleScheme::Dotted | ModuleScheme::Relative)) {
            let message = format!("moving definitions is not supported in {} yet", language.name());
            return Err(EngineError::new(ErrorCode::UnsupportedLanguage, message));
        }
        let Route { from, to, path, is_new, language, limits } = self.route(options, what)?;
        let new_file = ProjectFile { path, language };
        let after = self.project.relocated(|_| None, if is_new { vec![new_file.clone()] } else { Vec::new() });
        let pieces = self.pieces(what.sites, &limits)?;
        let names: Vec<String> = pieces.iter().map(|piece| piece.name.clone()).collect();
        let transfer = Transfer { from, to, names: names.clone(), after: &after, keeps_names: what.keeps_names };

        // Who refers to them.
        let mut uses: BTreeMap<FileId, Vec<Use>> = BTreeMap::new();
        let mut left: Vec<PlaceRow> = Vec::new();
        for piece in &pieces {
            for reference in self.references(&[Thing::Symbol(piece.site)])? {
                let row = &reference.row;
                let is_outside = reference.file != from || !piece.span.contains(Span::at(reference.start));
                let is_written = || {
                    row.role == Role::Write
                        || self.resolve(|resolver| resolver.is_written(reference.file, reference.node))
                };
                match row.confidence {
                    // An import copies the value that a variable has then.
                    Confidence::Certain if is_outside && is_written() => {
                        let why = "it is reassigned here".to_owned();
                        left.push(self.place_row(reference.file, reference.start, why));
                    }
                    Confidence::Certain if row.role != Role::Definition => {
                        let one = Use {
                            node: reference.node,
                            name: piece.name.clone(),
                            is_type: matches!(row.role, Role::Type | Role::Import),
                        };
                        uses.entry(reference.file).or_default().push(one);
                    }
                    _ => {}
                }
            }
        }
        let others: FxHashSet<FileId> = self.project.ids().filter(|&file| file != from && file != to).collect();
        let mut redirected: BTreeMap<FileId, Redirected> = BTreeMap::new();
        for name in &names {
            let none = Vec::new();
            let found = self.look_at_text(name, |resolver, file| {
                if !others.contains(&file) || resolver.project().file(file).language.spec().symbols.modules.is_none() {
                    return Vec::new();
                }
                if what.redirects {
                    return vec![(file, redirect(resolver, &transfer, file, uses.get(&file).unwrap_or(&none)))];
                }
                let mut found = Redirected::default();
                if let Some(tree) = resolver.tree(file) {
                    path_strings(resolver, &transfer, (file, tree), &mut found.changes);
                }
                vec![(file, found)]
            })?;
            for (file, found) in found {
                redirected.entry(file).or_insert(found);
            }
        }
        if what.redirects && !what.keeps_names {
            for (file, found) in self.barrels(&transfer, &pieces)? {
                match redirected.get_mut(&file) {
                    Some(known) => known.add(found),
                    None => _ = redirected.insert(file, found),
                }
            }
        }
        let own = self.resolve(|resolver| change_ends(resolver, &transfer, &pieces, &uses));
        let own =
            own.ok_or_else(|| EngineError::new(ErrorCode::Internal, "a file of the project could not be parsed"))?;
        let notes = own.notes;
        let risks = own.risks.into_iter().map(|(file, start, why)| self.place_row(file, start, why));
        let mut risks: Vec<PlaceRow> = risks.collect();
        let runs =
            |file: &FileId| !erases_types(language) || uses.get(file).into_iter().flatten().any(|one| !one.is_type);
        let changed = redirected.iter().filter(|(file, found)| found.imports_at_once && runs(file));
        let edges: Vec<(FileId, FileId)> =
            own.new_edges.iter().copied().chain(changed.map(|(&file, _)| (file, to))).collect();
        risks.extend(self.new_cycles(from, &edges));
        risks.extend(self.lost_registrations(&transfer, &pieces, &own.new_edges, &redirected)?);
        left.extend(self.hidden_accesses(&transfer)?);
        let spans: Vec<Span> = pieces.iter().map(|piece| piece.span).collect();
        left.extend(self.computed_definitions(from, &spans));
        risks.extend(self.words_of_the_file(from, &pieces));
        let loaded = self.resolve(|resolver| resolver.is_loaded_by_calls(from));
        let why = "the file is loaded by calls such as this one, and new imports would not be read";
        risks.extend(loaded.map(|span| self.place_row(from, span.start(), why.to_owned())));
        risks.extend(self.module_readers(what.sites)?);
        if is_new && what.redirects {
            let name = Project::module_path(&new_file.path, language);
            let hides = self.hides_standard(&new_file.path, name.rsplit('/').next().unwrap_or(name), language.spec());
            risks.extend(hides.map(|why| self.place_row(from, 0, why)));
        }
        left.extend(self.patched_needs(&transfer, &pieces)?);
        risks.extend(self.read_annotations(&transfer, &pieces)?);
        if what.redirects {
            risks.extend(self.other_loads(&transfer, &own.new_edges, &redirected));
        }
        redirected.insert(from, own.source);
        if !is_new {
            redirected.insert(to, own.target);
        }

        let new_text = own.new_text;
        let to = Landing { from, to, file: if is_new { Some(new_file) } else { None }, new_text };
        self.finish_move(options, to, Gathered { pieces, redirected, risks, left, notes })
    }

    /// The changes of the files that export everything of the old module.
    fn barrels(&self, transfer: &Transfer<'_>, pieces: &[Piece]) -> Result<Vec<(FileId, Redirected)>, EngineError> {
        let Transfer { from, to, .. } = *transfer;
        let (exported, types) = self.resolve(|resolver| exported_names(resolver, pieces));
        let path = &self.project.file(from).path;
        let module = Project::module_path(path, self.project.file(from).language);
        let word = module.rsplit('/').next().unwrap_or(module).to_owned();
        if exported.is_empty() {
            return Ok(Vec::new());
        }
        let transfer = Transfer { names: exported, after: transfer.after, from, to, keeps_names: false };
        let types: Vec<&str> = types.iter().map(String::as_str).collect();
        // A folder's own module is named by the folder.
        let packages = &self.project.file(from).language.spec().symbols.module_files.packages;
        let word = if packages.contains(&word) { String::new() } else { word };
        let others: FxHashSet<FileId> = self.project.ids().filter(|&file| file != from && file != to).collect();
        self.look(&word, Some(&others), |resolver, file| {
            let found = reexport(resolver, &transfer, file, &types);
            let is_one = !found.ops.is_empty() || !found.changes.doubts.is_empty();
            is_one.then_some((file, found)).into_iter().collect()
        })
    }

    /// Definitions that register themselves where their module is loaded, if nothing loads the new one.
    fn lost_registrations(
        &self,
        transfer: &Transfer<'_>,
        pieces: &[Piece],
        edges: &[(FileId, FileId)],
        redirected: &BTreeMap<FileId, Redirected>,
    ) -> Result<Vec<PlaceRow>, EngineError> {
        let found = self
            .resolve(|resolver| pieces.iter().find_map(|piece| Some((piece.site, resolver.registers(piece.site)?))));
        let (old, new) = (transfer.from, transfer.to);
        let Some((site, what)) = found else { return Ok(Vec::new()) };
        let is_there = (new.0 as usize) < self.project.files().len();
        let is_loaded = edges.contains(&(old, new))
            || redirected.values().any(|found| found.imports_at_once)
            || is_there && self.references(&[Thing::Module(new)])?.iter().any(|one| one.row.role == Role::Import);
        if is_loaded {
            return Ok(Vec::new());
        }
        let start = self.resolve(|resolver| resolver.tree(old).map_or(0, |tree| tree.span(site.name).start()));
        let why = format!("{what} may register it, and nothing would import the new module");
        Ok(vec![self.place_row(old, start, why)])
    }

    /// Where the old module is used in a way that may reach the definitions by their names.
    fn hidden_accesses(&self, transfer: &Transfer<'_>) -> Result<Vec<PlaceRow>, EngineError> {
        let mut rows = Vec::new();
        for reference in self.references(&[Thing::Module(transfer.from)])? {
            let row = &reference.row;
            if row.confidence != Confidence::Certain || matches!(row.role, Role::Import | Role::Export) {
                continue;
            }
            let access = self.resolve(|resolver| resolver.module_access(reference.file, reference.node));
            let why = match access {
                ModuleAccess::Named { names, is_statement } if !transfer.keeps_names || is_statement => {
                    match names.is_empty() {
                        true => "accesses members of the module by a computed name",
                        false if names.iter().any(|name| transfer.names.contains(name)) => {
                            "a call names a member of the module by a string"
                        }
                        false => continue,
                    }
                }
                ModuleAccess::Value if !transfer.keeps_names => {
                    "the module is used as a value; what accesses it then is not seen"
                }
                _ => continue,
            };
            rows.push(self.place_row(reference.file, reference.start, why.to_owned()));
        }
        Ok(rows)
    }
}
