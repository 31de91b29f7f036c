//! The plan of a move of a module's file.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use crate::edit::Op;
use crate::gates::Transferred;
use crate::modules::FileId;
use crate::question::references::Reference;
use crate::reader::document::limits;
use crate::refactor::move_file::relocated::Relocated;
use crate::refactor::move_modules::moving::{ModuleMove, Obstacle};
use crate::refactor::move_modules::route::ModuleRoute;
use crate::refactor::plan::Planned;
use crate::refactor::{Piece, Redirected, Relocation};
use crate::request::error::{EngineError, ErrorCode, PlaceRow};
use crate::request::refactor::RefactorOptions;
use crate::symbols::{Site, Thing};
use crate::tree::Node;
use crate::workspace::files::Workspace;

/// The results of following a move.
struct Found {
    redirected: BTreeMap<FileId, Redirected>,
    left: Vec<Obstacle>,
    risks: Vec<Obstacle>,
    piece: Option<Piece>,
    notes: Vec<String>,
}

impl Workspace<'_> {
    /// Plans that the file of a module gets another path.
    ///
    /// # Errors
    /// If it cannot move there, or references are uncertain.
    pub(crate) fn plan_module_file(
        &self,
        options: &RefactorOptions,
        relocation: Relocation,
    ) -> Result<Planned, EngineError> {
        let shown = format!("`{}`", relocation.old());
        let route = self.module_route(relocation)?;
        let goes_elsewhere = route.from != route.home;
        let site = self.resolve(|resolver| {
            let tree = resolver.tree(route.from)?;
            Some(Site { file: route.from, name: tree.table().smallest_around(route.declared) })
        });
        let Some(site) = site else {
            return Err(EngineError::bad_request(format!("`{}` cannot be read", self.shown(route.from))));
        };
        self.check_new_name(&route, site, options)?;
        let is_renamed = route.old_name != route.new_name;
        let references = match goes_elsewhere || is_renamed {
            true => self.references(&[Thing::Symbol(site), Thing::Module(route.module)])?,
            false => Vec::new(),
        };
        let includes = self.included_files(&route)?;
        let macros = if goes_elsewhere { self.macros_in(&route)? } else { Vec::new() };
        let piece = match goes_elsewhere {
            true => Some(self.declaration_piece(site, options)?),
            false => None,
        };
        let inside = match goes_elsewhere {
            true => self.bindings(&[], &route.moved)?.names().to_vec(),
            false => Vec::new(),
        };
        let found = self.resolve(|resolver| {
            let mut names = resolver.names_of_module(Thing::Module(route.home));
            names.push(route.new_name.clone());
            let mut moving = ModuleMove {
                resolver,
                route: &route,
                names,
                users: Vec::new(),
                changes: Vec::new(),
                count: 0,
                left: Vec::new(),
                risks: Vec::new(),
                opened: FxHashSet::default(),
                looked_at: FxHashSet::default(),
                dropped: Vec::new(),
            };
            moving.respell_includes(&includes);
            if !goes_elsewhere {
                moving.rename(site, &references);
                return moving.finish(None);
            }
            moving.follow(site, &references);
            moving.check_imports_at_home();
            moving.respell_own_paths();
            moving.open_what_it_uses(&inside);
            moving.check_macros(&macros);
            moving.check_conditions();
            let piece = piece.map(|piece| moving.declare(piece));
            moving.finish(piece)
        });
        let rows = |places: Vec<Obstacle>| -> Vec<PlaceRow> {
            places.into_iter().map(|one| self.place_row(one.file, one.start, one.why)).collect()
        };
        let Found { redirected, left, risks, piece, notes } = found;
        let mut words = vec![route.old_name.clone(), route.new_name.clone()];
        words.dedup();
        let ModuleRoute { relocation, home, from, .. } = route;
        let relocated = Relocated { relocation, redirected, risks: rows(risks), left: rows(left), words };
        let mut planned = self.finish_relocation(options, relocated, &shown)?;
        planned.notes.extend(notes);
        if is_renamed {
            planned.new_name = route.new_name;
        }
        if let Some(piece) = piece {
            planned.transferred = declaration_at_home(&planned, from, home, &piece)?;
        }
        Ok(planned)
    }

    /// The declaration of a module with what is above it.
    fn declaration_piece(&self, site: Site, options: &RefactorOptions) -> Result<Piece, EngineError> {
        let found = self.resolve(|resolver| {
            let tree = resolver.tree(site.file)?;
            let unit = tree.table().ancestors(site.name).take_while(|&node| node != Node::ROOT).last()?;
            Some((tree.clone(), unit))
        });
        let (tree, unit) = found.ok_or_else(|| EngineError::new(ErrorCode::Internal, "a module has no declaration"))?;
        self.piece(site, &tree, vec![unit], &limits(&options.reading))
    }

    /// Refuses a name that is none, or that the new module around has already.
    fn check_new_name(&self, route: &ModuleRoute, site: Site, options: &RefactorOptions) -> Result<(), EngineError> {
        let new = route.new_name.as_str();
        let found = self.resolve(|resolver| {
            let tree = resolver.tree(site.file)?;
            if !crate::edit::may_be_named(tree, site.name, new, &limits(&options.reading)) {
                return Some(None);
            }
            let taken = resolver.top_definitions(route.home).into_iter();
            let taken = taken.filter(|one| one.name == new && one.site != site);
            let taken = taken.map(|one| one.site).find(|&other| resolver.are_in_one_space(other, site))?;
            Some(Some(resolver.tree(taken.file).map_or(0, |tree| tree.span(taken.name).start())))
        });
        match found {
            None => Ok(()),
            Some(None) => Err(EngineError::bad_request(format!("`{new}` is not a name that a module can have"))),
            Some(Some(start)) => {
                let row = self.place_row(route.home, start, format!("there is another `{new}`"));
                let message = format!("`{}` has another `{new}`: {}:{}", row.path, row.path, row.line);
                let mut error = EngineError::new(ErrorCode::WouldRebind, message).hint("choose another name");
                error.details.places = vec![row];
                Err(error)
            }
        }
    }
}

impl ModuleMove<'_, '_> {
    /// Gives the module another name at all its references.
    fn rename(&mut self, site: Site, references: &[Reference]) {
        let (old, new) = (self.route.old_name.clone(), self.route.new_name.clone());
        if old == new {
            return;
        }
        if let Some(tree) = self.resolver.tree(site.file) {
            self.change(site.file, tree, tree.span(site.name), new.clone());
        }
        for one in references {
            let Some(tree) = self.resolver.tree(one.file) else { continue };
            let span = tree.span(one.node);
            if *tree.text().slice(span) != *old {
                continue;
            }
            if self.is_certain(one, tree) {
                self.count += 1;
                self.change(one.file, tree, span, new.clone());
            }
        }
    }

    fn finish(self, piece: Option<Piece>) -> Found {
        let ModuleMove { changes, left, risks, count, route, resolver, dropped, .. } = self;
        let mut redirected: BTreeMap<FileId, Redirected> = BTreeMap::new();
        let is_part = |at: usize| {
            let (file, change) = &changes[at];
            changes.iter().enumerate().any(|(other, (of, around))| {
                of == file && other != at && around.span.contains(change.span) && around.span != change.span
            })
        };
        let kept: Vec<bool> = (0..changes.len()).map(|at| !is_part(at)).collect();
        for ((file, change), _) in changes.into_iter().zip(kept).filter(|(_, is_kept)| *is_kept) {
            redirected.entry(file).or_default().changes.change_once(change);
        }
        if let Some(piece) = &piece {
            let own = redirected.entry(route.from).or_default();
            own.take(piece.comments, &piece.units);
            if let Some(tree) = resolver.tree(route.home) {
                let change = super::declaration::place(resolver, route, tree, &piece.new_text());
                redirected.entry(route.home).or_default().changes.changes.push(change);
            }
        }
        for (file, target) in dropped {
            redirected.entry(file).or_default().ops.push(Op::Delete { target, extent: None });
        }
        redirected.entry(route.module).or_default().changes.count += count;
        Found { redirected, left, risks, piece, notes: Vec::new() }
    }
}

/// Where the declaration is in the new text of the file that has it now.
fn declaration_at_home(
    planned: &Planned,
    from: FileId,
    home: FileId,
    piece: &Piece,
) -> Result<Vec<Transferred>, EngineError> {
    let text =
        planned.files.iter().find(|(file, ..)| *file == home).map(|(.., outcome)| outcome.tree.text().to_string());
    let start = text.and_then(|text| text.find(&piece.new_text()));
    let start = start
        .ok_or_else(|| EngineError::new(ErrorCode::Internal, "the moved declaration was not found in its new file"))?;
    let kept = piece.kept().into_iter();
    Ok(kept.map(|(span, at)| Transferred { file: from, span, to: home, start: start + at }).collect())
}
