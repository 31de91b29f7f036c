//! What changes when definitions move to another module.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use crate::edit::{self, Allow, Op, Outcome, attached_comments};
use crate::language::ModuleScheme;
use crate::reader::document::limits;
use crate::refactor::plan::{Created, OneStep, Planned};
use crate::refactor::{
    Piece, Redirected, Transfer, Transferred, Use, change_ends, erases_types, path_strings, redirect,
};
use crate::request::error::{EngineError, ErrorCode, PlaceRow};
use crate::request::refactor::{Move, RefactorOptions};
use crate::request::symbol_messages::{Confidence, Role};
use crate::symbols::{FileId, ModuleAccess, ProjectFile, Site, Thing};
use crate::text::{Span, Text};
use crate::tree::Tree;
use crate::workspace::files::Workspace;

/// Definitions of one file, and the path of the module that they go to.
pub(crate) struct Destination<'a> {
    pub sites: &'a [Site],
    pub to: &'a str,
    /// Whether the old module exports them again.
    pub keeps_names: bool,
    /// Whether imports of them elsewhere change.
    pub redirects: bool,
}

/// The file that definitions go to.
pub(crate) struct Landing {
    pub from: FileId,
    pub to: FileId,
    /// The file, if it is new, and its text.
    pub file: Option<ProjectFile>,
    pub new_text: String,
}

/// The definitions that move, the changes of all files, and what is uncertain.
pub(crate) struct Gathered {
    pub pieces: Vec<Piece>,
    pub redirected: BTreeMap<FileId, Redirected>,
    pub risks: Vec<PlaceRow>,
    pub left: Vec<PlaceRow>,
    pub notes: Vec<String>,
}

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
        let bad = EngineError::bad_request;
        let from = what.sites[0].file;
        let language = self.project.file(from).language;
        if let Some(ModuleScheme::PackageFolders | ModuleScheme::Packages) = language.spec().symbols.modules {
            return self.plan_move_in_package(options, what);
        }
        if !matches!(language.spec().symbols.modules, Some(ModuleScheme::Dotted | ModuleScheme::Relative)) {
            let message = format!("moving definitions is not supported in {} yet", language.name());
            return Err(EngineError::new(ErrorCode::UnsupportedLanguage, message));
        }
        let path = what.to.to_owned();
        let known = self.project.at(&path);
        if known == Some(from) {
            return Err(bad(format!("the definition is already in `{path}`")));
        }
        let fits = language.extensions().iter().any(|ending| path.ends_with(&format!(".{ending}")));
        if known.map_or(!fits, |file| self.project.file(file).language != language) {
            let error = bad(format!("`{path}` is not a file of the same language"));
            return Err(error.hint("give the path of a module, with its ending"));
        }
        if known.is_none() && self.engine.files().facts(&self.root().join(&path)).is_ok() {
            return Err(bad(format!("`{path}` exists and is not a file of the project")));
        }
        let new_file = ProjectFile { path: path.clone(), language };
        let count = u32::try_from(self.project.files().len()).unwrap_or(u32::MAX);
        let (to, is_new) = (known.unwrap_or(FileId(count)), known.is_none());
        let after = self.project.relocated(|_| None, if is_new { vec![new_file.clone()] } else { Vec::new() });
        let limits = limits(&options.reading);
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
                match row.confidence {
                    // An import copies the value that a variable has then.
                    Confidence::Certain if row.role == Role::Write && is_outside => {
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
        redirected.insert(from, own.source);
        if !is_new {
            redirected.insert(to, own.target);
        }

        let new_text = own.new_text;
        let to = Landing { from, to, file: if is_new { Some(new_file) } else { None }, new_text };
        self.finish_move(options, to, Gathered { pieces, redirected, risks, left, notes })
    }

    /// Makes the new trees of a move, if nothing is uncertain.
    ///
    /// # Errors
    /// If references are uncertain, or a file could not be changed.
    pub(crate) fn finish_move(
        &self,
        options: &RefactorOptions,
        landing: Landing,
        gathered: Gathered,
    ) -> Result<Planned, EngineError> {
        let Landing { from, to, file: new_file, new_text } = landing;
        let Gathered { pieces, mut redirected, risks, mut left, mut notes } = gathered;
        let (language, limits) = (self.project.file(from).language, limits(&options.reading));
        let names: Vec<String> = pieces.iter().map(|piece| piece.name.clone()).collect();

        // Uncertain references.
        let (mut certain, mut included) = (pieces.len(), 0);
        for (&file, found) in &mut redirected {
            certain += found.changes.count;
            included += self.decide(options, file, &mut found.changes, &mut left);
        }
        left.extend(self.unread_with(&names.iter().map(|name| &**name).collect::<Vec<&str>>()));
        let what = format!("cannot move `{}`", names.join("`, `"));
        self.refuse_uncertain(options, &what, risks, &left)?;

        // The new trees.
        let mut files = Vec::new();
        let mut transferred = Vec::new();
        let mut created = None;
        for (&file, found) in &redirected {
            files.extend(self.changed_file(file, &found.ops, &found.changes.changes, &limits)?);
        }
        let target_text = match new_file {
            Some(new_file) => {
                let source = self.resolve(|resolver| resolver.tree(from).map(|tree| tree.text().clone()));
                let text = source.unwrap_or_else(|| Text::new("")).with_source(&new_text);
                let tree = Tree::parse(text, language, &limits).map_err(|error| {
                    EngineError::new(ErrorCode::from(&error), error.to_string()).path(new_file.path.clone())
                })?;
                created = Some(Created { id: to, file: new_file, tree });
                new_text.clone()
            }
            None => files
                .iter()
                .find(|(file, ..)| *file == to)
                .map_or(String::new(), |(_, _, outcome): &(FileId, Tree, Outcome)| outcome.tree.text().to_string()),
        };
        let old = self.resolve(|resolver| resolver.tree(from).cloned());
        for piece in &pieces {
            let Some(old) = &old else { continue };
            let text = old.text().to_string();
            let whole = text[piece.span.start()..].find(&piece.text).map(|at| piece.span.start() + at);
            let whole = whole.map(|start| Span::new(start, start + piece.text.len()));
            // A word that exports it may be before each of its statements now.
            let parts = match whole.filter(|_| target_text.contains(&piece.text)) {
                Some(whole) => vec![whole],
                None => piece.units.iter().map(|&unit| old.span(unit)).collect(),
            };
            for span in parts {
                let Some(start) = target_text.find(&text[span.start()..span.end()]) else {
                    return Err(EngineError::new(ErrorCode::Internal, "the moved text was not found in its new file"));
                };
                transferred.push(Transferred { file: from, span, to, start });
            }
        }
        let mut words = names;
        words.sort_unstable();
        if notes.len() > 1 {
            notes.dedup();
        }
        let things: Vec<Thing> = pieces.iter().map(|piece| Thing::Symbol(piece.site)).collect();
        let definitions =
            self.resolve(|resolver| things.iter().filter_map(|&thing| resolver.describe(thing)).collect());
        Ok(Planned {
            definitions,
            files,
            words,
            deletes: true,
            counts: (certain, included),
            left,
            notes,
            transferred,
            created,
            ..Planned::default()
        })
    }

    /// The definitions with their texts, in the order of the file.
    pub(crate) fn pieces(&self, sites: &[Site], limits: &crate::tree::ParseLimits) -> Result<Vec<Piece>, EngineError> {
        let mut pieces = Vec::new();
        for &site in sites {
            let found = self.resolve(|resolver| {
                let tree = resolver.tree(site.file)?;
                let name = resolver.name_of(site)?;
                let units = resolver.own_statements(site);
                let is_default = resolver.is_default_export(site);
                Some((tree.clone(), name, units, is_default))
            });
            let Some((tree, name, units, is_default)) = found else {
                return Err(EngineError::new(ErrorCode::Internal, "a symbol has no tree"));
            };
            let refused = |why: &str, start: usize| {
                let row = self.place_row(site.file, start, why.to_owned());
                let message = format!("cannot move `{name}`: {}:{}:{}: {why}", row.path, row.line, row.col);
                let mut error = EngineError::bad_request(message);
                error.details.places = vec![row];
                error
            };
            let start = tree.span(site.name).start();
            let Some(units) = units else {
                return Err(refused("it is not a definition of its own at the top of the file", start));
            };
            if is_default {
                return Err(refused("it is the default export of its module", start));
            }
            let ops: Vec<Op> = units.iter().map(|&target| Op::Delete { target, extent: None }).collect();
            let deleted = edit::apply(&tree, &ops, Allow::default(), limits).map_err(|error| {
                EngineError::new(ErrorCode::from(&error), error.to_string()).path(self.shown(site.file))
            })?;
            let whole = deleted.edits.iter().map(|edit| edit.span).reduce(|one, other| one.join(other));
            // Comments that a deletion would leave, because they may be about what follows, too.
            let mut comments = attached_comments(&tree, units[0]);
            comments.retain(|&comment| whole.is_some_and(|whole| !whole.contains(tree.span(comment))));
            let first = comments.first().map(|&comment| tree.span(comment));
            let whole = whole.map(|whole| first.map_or(whole, |first| first.join(whole)));
            let comments = first.map(|first| Span::new(first.start(), tree.span(units[0]).start()));
            let Some(span) = whole else { return Err(refused("it cannot be taken out in one piece", start)) };
            let text = tree.text().slice(span).trim_matches(['\n', '\r', ' ', '\t']).to_owned();
            pieces.push(Piece { site, name, units, comments, span, text });
        }
        pieces.sort_by_key(|piece| piece.span.start());
        Ok(pieces)
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
