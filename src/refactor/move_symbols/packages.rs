//! `move` between files that share a scope: those of a package in Go and in Java. Only imports have to follow.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use crate::edit::Op;
use crate::modules::{FileId, ProjectFile};
use crate::refactor::move_symbols::finish::{Destination, Gathered, Landing, Route};
use crate::refactor::plan::Planned;
use crate::refactor::{Piece, Redirected};
use crate::request::error::{EngineError, PlaceRow};
use crate::request::refactor::RefactorOptions;
use crate::text::Span;
use crate::transfer::import_parts::{FileTree, has_only, parts};
use crate::tree::{Node, Tree};
use crate::workspace::files::Workspace;

impl Workspace<'_> {
    /// Plans a move to another file of the same package.
    ///
    /// # Errors
    /// If a definition cannot move there.
    pub(crate) fn plan_move_in_package(
        &self,
        options: &RefactorOptions,
        what: &Destination<'_>,
    ) -> Result<Planned, EngineError> {
        let bad = EngineError::bad_request;
        let route = self.route(options, what)?;
        let (source, target) = self.ends(&route)?;
        let Route { from, to, path, language, limits, .. } = route;
        let pieces = self.pieces(what.sites, &limits)?;
        let old = FileTree { file: from, tree: &source };
        let named = &language.spec().symbols.module_files.named_after;
        let is_named = |piece: &&Piece| {
            let mut words = piece.units.iter().flat_map(|&unit| source.modifiers(unit));
            words.any(|word| named.iter().any(|known| *known == *word)) && piece.name != stem(&path)
        };
        if let Some(piece) = pieces.iter().find(is_named) {
            let message = format!("a public class has a file of its name, and `{}` is not `{path}`", piece.name);
            return Err(bad(message).hint("`rename` gives the class and its file another name"));
        }
        let new = target.as_ref().map(|tree| FileTree { file: to, tree });
        let mut risks = self.other_conditions(old, new, &path);
        let spans: Vec<Span> = pieces.iter().map(|piece| piece.span).collect();
        let parts = self.resolve(|resolver| parts(resolver, old, &spans));
        risks.extend(self.names_of_file(from, &source, &pieces));
        risks.extend(self.ordered_values(&pieces));
        let mut own = Redirected::default();
        for piece in &pieces {
            own.take(piece.comments, &piece.units);
        }
        let gone: FxHashSet<Node> = parts.iter().filter(|part| part.is_left_over).map(|part| part.node).collect();
        for part in parts.iter().filter(|part| part.is_left_over) {
            let its = parts.iter().filter(|other| other.statement == part.statement);
            let all = its.clone().all(|other| gone.contains(&other.node)) && has_only(&source, part.statement, &parts);
            let target = if all { part.statement } else { part.node };
            let op = Op::Delete { target, extent: None };
            if !own.ops.contains(&op) {
                own.ops.push(op);
            }
        }
        let newline = source.text().newline();
        let gap = format!("{newline}{}", newline.repeat(language.spec().blank_lines.top));
        let code = pieces.iter().map(|piece| piece.text.as_str()).collect::<Vec<_>>().join(&gap);
        let needed: Vec<&str> = parts.iter().filter(|part| part.is_needed).map(|part| part.code.as_str()).collect();
        let mut redirected = BTreeMap::from([(from, own)]);
        let mut new_text = String::new();
        let mut new_file = None;
        if let Some(target) = &target {
            let mut changed = Redirected::default();
            changed.append(target, needed.iter().map(|&code| code.to_owned()), code);
            redirected.insert(to, changed);
        } else {
            let table = source.table();
            let first = &language.spec().imports.first;
            let first = table.children(Node::ROOT).filter(|&node| table.fits_any(node, first));
            let mut heads: Vec<String> = first.map(|node| source.node_text(node).into_owned()).collect();
            if !needed.is_empty() {
                heads.push(needed.join(newline));
            }
            heads.push(code);
            new_text = format!("{}{newline}", heads.join(&newline.repeat(2)));
            new_file = Some(ProjectFile { path, language });
        }
        let landing = Landing { from, to, file: new_file, new_text };
        self.finish_move(options, landing, Gathered { pieces, redirected, risks, left: Vec::new(), notes: Vec::new() })
    }

    /// Why the new file may not be compiled where the old one is, or is another package.
    pub(crate) fn other_conditions(&self, old: FileTree<'_>, new: Option<FileTree<'_>>, path: &str) -> Vec<PlaceRow> {
        let FileTree { file: from, tree: source } = old;
        let mut rows = Vec::new();
        let language = source.language();
        let rules = &language.spec().symbols.module_files;
        let private = &rules.private;
        let suffix = |path: &str| suffix(path, &rules.systems);
        let from_path = &self.project.file(from).path;
        let ends = |path: &str| private.iter().any(|ending| stem(path).ends_with(ending.as_str()));
        if ends(from_path) != ends(path) {
            rows.push(self.place_row(from, 0, "only one of the files is compiled for tests alone".to_owned()));
        }
        let head = |tree: &Tree| {
            let first = tree
                .table()
                .children(Node::ROOT)
                .find(|&node| tree.table().fits_any(node, &language.spec().imports.first));
            first.map(|first| tree.node_text(first).into_owned()).unwrap_or_default()
        };
        let conditions = |tree: &Tree| {
            let comments = tree.table().children(Node::ROOT).take_while(|&node| tree.is_comment(node));
            let texts = comments.map(|node| tree.node_text(node).into_owned());
            texts
                .filter(|text| rules.directives.as_ref().is_some_and(|regex| regex.get().is_match(text)))
                .collect::<Vec<_>>()
        };
        let Some(FileTree { file: known, tree: target }) = new else {
            if !conditions(source).is_empty() || suffix(from_path).is_some() || suffix(path).is_some() && !ends(path) {
                rows.push(self.place_row(from, 0, "the file is compiled only under a condition".to_owned()));
            }
            return rows;
        };
        if folder(from_path) == folder(path) && head(source) != head(target) {
            rows.push(self.place_row(known, 0, "the new file is in another package".to_owned()));
        }
        if conditions(source) != conditions(target) || suffix(from_path) != suffix(path) {
            rows.push(self.place_row(known, 0, "the files are compiled under different conditions".to_owned()));
        }
        rows
    }

    /// Names and comments in the definitions that mean something in their file.
    pub(crate) fn names_of_file(&self, from: FileId, source: &Tree, pieces: &[Piece]) -> Vec<PlaceRow> {
        let spec = source.language().spec();
        let mut rows = Vec::new();
        for piece in pieces {
            let start = source.span(piece.site.name).start();
            if spec.references.fixed.contains(&piece.name) {
                let why = "the order in which files run it depends on their names".to_owned();
                rows.push(self.place_row(from, start, why));
            }
            let regex = spec.symbols.module_files.directives.as_ref();
            let directive =
                regex.is_some_and(|regex| piece.text.lines().any(|line| regex.get().is_match(line.trim_start())));
            if directive {
                rows.push(self.place_row(from, start, "a comment above it is for the compiler".to_owned()));
            }
        }
        rows
    }
}

/// The last part of a file's name, if it says for which system the file is.
fn suffix(path: &str, systems: &[String]) -> Option<String> {
    let last = stem(path).rsplit_once('_').map(|(_, last)| last.to_owned());
    last.filter(|last| systems.contains(last))
}

pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

pub(crate) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
