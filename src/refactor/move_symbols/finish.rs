//! A move of definitions when all its changes are known: the new trees.

use std::collections::BTreeMap;

use crate::edit::{self, Allow, Op, Outcome, attached_comments};
use crate::gates::Transferred;
use crate::language::Language;
use crate::modules::{FileId, ProjectFile};
use crate::reader::document::limits;
use crate::refactor::plan::{Created, Planned};
use crate::refactor::{Piece, Redirected};
use crate::request::error::{EngineError, ErrorCode, PlaceRow};
use crate::request::refactor::RefactorOptions;
use crate::symbols::{Site, Thing};
use crate::text::{Span, Text};
use crate::tree::{Node, ParseLimits, Tree};
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

/// The way of definitions from one file to another.
pub(crate) struct Route {
    pub from: FileId,
    pub to: FileId,
    /// The path to which they go.
    pub path: String,
    pub is_new: bool,
    pub language: &'static Language,
    pub limits: ParseLimits,
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

impl Workspace<'_> {
    /// The way to the path to which definitions of another file move.
    ///
    /// # Errors
    /// If it is the same file, or none that can have them.
    pub(crate) fn route(&self, options: &RefactorOptions, what: &Destination<'_>) -> Result<Route, EngineError> {
        let bad = EngineError::bad_request;
        let (from, path) = (what.sites[0].file, what.to.to_owned());
        let language = self.project.file(from).language;
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
        let next = FileId(u32::try_from(self.project.files().len()).unwrap_or(u32::MAX));
        let (to, is_new) = (known.unwrap_or(next), known.is_none());
        Ok(Route { from, to, path, is_new, language, limits: limits(&options.reading) })
    }

    /// The trees of the two files of a move; `None` for one that is to be made.
    ///
    /// # Errors
    /// If the old one cannot be read.
    pub(crate) fn ends(&self, route: &Route) -> Result<(Tree, Option<Tree>), EngineError> {
        let Route { from, to, is_new, .. } = *route;
        let trees = self
            .resolve(|resolver| Some((resolver.tree(from)?.clone(), resolver.tree(to).filter(|_| !is_new).cloned())));
        trees.ok_or_else(|| EngineError::bad_request(format!("`{}` cannot be read", self.shown(from))))
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
        let mut names: Vec<String> = pieces.iter().map(|piece| piece.name.clone()).collect();
        names.dedup();

        // Uncertain references.
        let (found, included) = self.decide_all(options, &mut redirected, &mut left);
        let certain = pieces.len() + found;
        left.extend(self.unread_with(&names.iter().map(|name| &**name).collect::<Vec<&str>>()));
        let what = format!("cannot move `{}`", names.join("`, `"));
        self.refuse_uncertain(options, &what, risks, &left)?;

        // The new trees.
        let files = self.changed_files(&redirected, &limits)?;
        let mut transferred = Vec::new();
        let mut created = None;
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
        for piece in &pieces {
            let from = piece.file;
            let Some(old) = self.resolve(|resolver| resolver.tree(from).cloned()) else { continue };
            if !piece.changes.is_empty() {
                let Some(start) = target_text.find(&piece.new_text()) else {
                    return Err(EngineError::new(ErrorCode::Internal, "the moved text was not found in its new file"));
                };
                let kept = piece.kept().into_iter();
                transferred.extend(kept.map(|(span, at)| Transferred { file: from, span, to, start: start + at }));
                continue;
            }
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
        let mut things: Vec<Thing> = pieces.iter().map(|piece| Thing::Symbol(piece.site)).collect();
        things.dedup();
        let definitions = self.described(things);
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
            if let Some(alias) = self.resolve(|resolver| resolver.exported_alias(site)) {
                return Err(refused(&format!("its module exports it as `{alias}`"), start));
            }
            pieces.push(self.piece(site, &tree, units, limits)?);
        }
        pieces.sort_by_key(|piece| piece.span.start());
        Ok(pieces)
    }

    /// Some statements that go with a definition, or are it.
    pub(crate) fn piece(
        &self,
        site: Site,
        tree: &Tree,
        units: Vec<Node>,
        limits: &crate::tree::ParseLimits,
    ) -> Result<Piece, EngineError> {
        let name = &*tree.node_text(site.name);
        let ops: Vec<Op> = units.iter().map(|&target| Op::Delete { target, extent: None }).collect();
        let deleted = edit::apply(tree, &ops, Allow::default(), limits).map_err(|error| {
            EngineError::new(ErrorCode::from(&error), error.to_string()).path(self.shown(site.file))
        })?;
        let whole = deleted.edits.iter().map(|edit| edit.span).reduce(|one, other| one.join(other));
        // Comments that a deletion would leave, because they may be about what follows, too.
        let mut comments = attached_comments(tree, units[0]);
        comments.retain(|&comment| whole.is_some_and(|whole| !whole.contains(tree.span(comment))));
        let first = comments.first().map(|&comment| tree.span(comment));
        let whole = whole.map(|whole| first.map_or(whole, |first| first.join(whole)));
        let comments = first.map(|first| Span::new(first.start(), tree.span(units[0]).start()));
        let Some(span) = whole else {
            let message = format!("cannot move `{name}`: it cannot be taken out in one piece");
            return Err(EngineError::bad_request(message));
        };
        let blank = ['\n', '\r', ' ', '\t'];
        let whole = tree.text().slice(span).into_owned();
        let start = span.start() + (whole.len() - whole.trim_start_matches(blank).len());
        let text = whole.trim_matches(blank).to_owned();
        Ok(Piece {
            site,
            file: site.file,
            name: name.to_owned(),
            units,
            comments,
            span,
            text,
            start,
            changes: Vec::new(),
        })
    }
}
