//! `move` of definitions to another package.

use rustc_hash::FxHashMap;

use crate::edit::TextChange;
use crate::language::ModuleScheme;
use crate::modules::{FileId, ProjectFile};
use crate::refactor::move_packages::crossing::Crossing;
use crate::refactor::move_packages::parcel::{Parcel, parts_of};
use crate::refactor::move_symbols::finish::{Destination, Gathered, Landing, Route};
use crate::refactor::move_symbols::packages::stem;
use crate::refactor::plan::Planned;
use crate::refactor::{Piece, Relocation};
use crate::request::error::{EngineError, PlaceRow};
use crate::request::refactor::RefactorOptions;
use crate::symbols::Site;
use crate::text::Span;
use crate::transfer::import_parts::FileTree;
use crate::tree::{Node, Tree};
use crate::workspace::files::Workspace;

impl Workspace<'_> {
    /// Plans a move of definitions to another package.
    ///
    /// # Errors
    /// If one cannot move there.
    pub(crate) fn plan_move_to_package(
        &self,
        options: &RefactorOptions,
        what: &Destination<'_>,
    ) -> Result<Planned, EngineError> {
        let bad = EngineError::bad_request;
        if what.keeps_names {
            return Err(bad("the old package cannot keep the names".to_owned()).hint("move it without keeping them"));
        }
        let route = self.route(options, what)?;
        let (source, target) = self.ends(&route)?;
        let Route { from, to, path, is_new, language, limits } = route;
        if let Some(name) = self.wants_own_file(what.sites, &path) {
            let message = format!("a public class has a file of its name, and `{name}` is not `{path}`");
            return Err(bad(message).hint("`rename` gives the class and its file another name"));
        }
        if is_new && self.is_whole_file(what.sites) && language.spec().symbols.modules == Some(ModuleScheme::Packages) {
            let old = self.project.file(from).path.clone();
            return self.plan_package_file(options, Relocation::new(old, path, false));
        }
        let mut pieces = self.pieces_with_methods(what.sites, &limits)?;
        let (old, new) = self.packages(from, &path)?;
        let mut parcel = Parcel {
            language,
            old,
            new,
            parts: parts_of(&pieces),
            whole: None,
            home: (!is_new).then_some(to),
            moving: FxHashMap::default(),
            staying: FxHashMap::default(),
        };
        self.resolve(|resolver| parcel.sort_definitions(resolver));
        let (names, mut left) = self.names_across(&parcel)?;
        let mentioning = self.mentioning(&parcel)?;
        let crossed = self.resolve(|resolver| {
            let mut crossing = Crossing::new(resolver, &parcel);
            crossing.cross(&names, &mentioning);
            crossing.finish()
        });
        let shown = format!("`{}`", self.resolve(|resolver| parcel.names(resolver)).join("`, `"));
        crossed.check(self, &shown)?;
        left.extend(crossed.uncertain(self));
        left.extend(self.full_names(&parcel)?);
        for piece in &mut pieces {
            let own = Span::new(piece.start, piece.start + piece.text.len());
            let its = crossed.inner.iter().filter(|(file, change)| *file == piece.file && own.contains(change.span));
            piece.changes.extend(its.map(|(_, change)| change.clone()));
            piece.changes.sort_by_key(|change| (change.span.start(), change.span.end()));
        }
        let risks = self.risks_of_package_move(&parcel, &pieces, &path);
        let mut redirected = crossed.redirected;
        for piece in &pieces {
            let own = redirected.entry(piece.file).or_default();
            own.take(piece.comments, &piece.units);
        }
        let needs: Vec<String> = crossed.needs.into_iter().collect();
        let newline = source.text().newline();
        let gap = format!("{newline}{}", newline.repeat(language.spec().blank_lines.top));
        let code = pieces.iter().map(Piece::new_text).collect::<Vec<_>>().join(&gap);
        let mut landing = Landing { from, to, file: None, new_text: String::new() };
        if let Some(target) = &target {
            let changed = redirected.entry(to).or_default();
            changed.append(target, needs, code);
        } else {
            let mut heads = vec![self.head_of_package(from, &source, &parcel.new.name)];
            if !needs.is_empty() {
                heads.push(needs.join(newline));
            }
            heads.push(code);
            landing.new_text = format!("{}{newline}", heads.join(&newline.repeat(2)));
            landing.file = Some(ProjectFile { path, language });
        }
        self.finish_move(options, landing, Gathered { pieces, redirected, risks, left, notes: Vec::new() })
    }

    /// Whether definitions are all that their file has.
    fn is_whole_file(&self, sites: &[Site]) -> bool {
        let file = sites[0].file;
        self.resolve(|resolver| resolver.top_definitions(file).iter().all(|top| sites.contains(&top.site)))
    }

    /// A public class whose file would not have its name.
    fn wants_own_file(&self, sites: &[Site], path: &str) -> Option<String> {
        let named = &self.project.file(sites[0].file).language.spec().symbols.module_files.named_after;
        let stem = stem(path);
        self.resolve(|resolver| {
            sites.iter().find_map(|&site| {
                let tree = resolver.tree(site.file)?;
                let definition = resolver.definition_node(site)?;
                let mut words = tree.modifiers(definition).into_iter();
                let is_named = words.any(|word| named.iter().any(|known| *known == *word));
                let name = resolver.name_of(site)?;
                (is_named && name != stem).then_some(name)
            })
        })
    }

    /// Definitions, with the methods that are written outside of their types, in all files of the package.
    fn pieces_with_methods(
        &self,
        sites: &[Site],
        limits: &crate::tree::ParseLimits,
    ) -> Result<Vec<Piece>, EngineError> {
        let mut pieces = Vec::new();
        for &site in sites {
            match self.resolve(|resolver| resolver.own_statements(site)) {
                Some(_) => pieces.extend(self.pieces(&[site], limits)?),
                None => pieces.push(self.piece_of_group(site, limits)?),
            }
            let found = self.resolve(|resolver| {
                if !resolver.is_class(site) {
                    return Vec::new();
                }
                let files = resolver.files_of_package(site.file).into_iter();
                let of = |file: FileId| {
                    let tree = resolver.tree(file).cloned();
                    let methods = resolver.methods_in(file, site).into_iter();
                    methods.filter_map(move |(unit, name)| Some((Site { file, name }, tree.clone()?, unit)))
                };
                files.flat_map(of).collect::<Vec<(Site, Tree, Node)>>()
            });
            for (method, tree, unit) in found {
                if !pieces.iter().any(|piece| piece.file == method.file && piece.units.contains(&unit)) {
                    pieces.push(self.piece(method, &tree, vec![unit], limits)?);
                }
            }
        }
        let from = sites[0].file;
        pieces.sort_by_key(|piece: &Piece| (piece.file != from, piece.file, piece.start));
        let without_body = self.resolve(|resolver| {
            pieces.iter().find_map(|piece| {
                let tree = resolver.tree(piece.file)?;
                let bodies = &tree.language().spec().symbols.package_borders.bodies;
                let lacks = |unit: &&Node| bodies.contains(tree.table().type_id(**unit)) && tree.body(**unit).is_none();
                piece.units.iter().find(lacks).map(|&unit| (piece.file, tree.span(unit).start(), piece.name.clone()))
            })
        });
        match without_body {
            Some((file, start, name)) => {
                Err(self.no_piece(file, start, &name, "its body is written in another language"))
            }
            None => Ok(pieces),
        }
    }

    fn no_piece(&self, file: FileId, start: usize, name: &str, why: &str) -> EngineError {
        let row = self.place_row(file, start, why.to_owned());
        let message = format!("cannot move `{name}`: {}:{}:{}: {why}", row.path, row.line, row.col);
        let mut error = EngineError::bad_request(message);
        error.details.places = vec![row];
        error
    }

    /// A definition of a group that gets the word of the group before it.
    fn piece_of_group(&self, site: Site, limits: &crate::tree::ParseLimits) -> Result<Piece, EngineError> {
        let found = self.resolve(|resolver| {
            let tree = resolver.tree(site.file)?.clone();
            Some((tree, resolver.name_of(site)?))
        });
        let Some((tree, name)) = found else {
            return Err(EngineError::bad_request("the definition cannot be read".to_owned()));
        };
        let start = tree.span(site.name).start();
        let refuse = |why: &str| Err(self.no_piece(site.file, start, &name, why));
        let table = tree.table();
        let rules = &tree.language().spec().symbols.package_borders;
        let grouped = |node: Node| rules.grouped.contains(table.type_id(node));
        let Some(unit) = table.ancestors(site.name).find(|&node| grouped(node)) else {
            return refuse("it is not a definition of its own at the top of the file");
        };
        let around = table.ancestors(unit).take_while(|&node| node != Node::ROOT).last();
        let Some(group) = around.filter(|&group| table.ancestors(unit).take(2).any(|up| up == group)) else {
            return refuse("it is not a definition of its own at the top of the file");
        };
        let Some(list) = table.parent(unit) else { return refuse("it is not in a group") };
        let members: Vec<Node> = tree.named_children(list).filter(|&node| grouped(node)).collect();
        let value = |node: Node| match rules.repeated_values.of(table.type_id(node)) {
            Some(paths) => paths.iter().flat_map(|path| tree.reached(node, path)).next().is_some(),
            None => true,
        };
        let next = members.iter().position(|&node| node == unit).and_then(|at| members.get(at + 1));
        if tree.name_nodes(unit).len() > 1 {
            return refuse("its statement defines other names, too");
        }
        if !value(unit) || next.is_some_and(|&next| !value(next)) {
            return refuse("its value, or that of the next constant, is a repetition");
        }
        if table.descendants(unit).any(|node| rules.counters.contains(table.type_id(node))) {
            return refuse("its value depends on its position in the group");
        }
        let after = members.iter().position(|&node| node == unit).map_or(0, |at| at + 1);
        let counts = |node: Node| table.descendants(node).any(|inner| rules.counters.contains(table.type_id(inner)));
        if members[after..].iter().any(|&node| counts(node)) {
            return refuse("the value of a constant after it depends on its position in the group");
        }
        if members.len() == 1 {
            return self.piece(site, &tree, vec![group], limits);
        }
        let word = table.children(group).next().map(|first| tree.node_text(first).into_owned()).unwrap_or_default();
        let mut piece = self.piece(site, &tree, vec![unit], limits)?;
        let at = tree.span(unit).start();
        let extent = tree.span(group);
        // The lines are indented by that of the group, but for strings of several lines.
        let line = tree.text().slice(tree.text().line_around(at)).into_owned();
        let indent: String = line.chars().take_while(|letter| matches!(letter, ' ' | '\t')).collect();
        let is_string = |node: Node| tree.language().role(table.type_id(node)).string;
        let mut start = piece.start;
        for line in piece.text.split_inclusive('\n') {
            let span = Span::new(start, start + indent.len());
            let in_string = table.ancestors(table.smallest_around(Span::at(start))).any(is_string)
                || is_string(table.smallest_around(Span::at(start)));
            if start > piece.start && !indent.is_empty() && line.starts_with(&indent) && !in_string {
                piece.changes.push(TextChange { span, text: String::new(), extent });
            }
            start += line.len();
        }
        piece.changes.push(TextChange { span: Span::at(at), text: format!("{word} "), extent });
        piece.changes.sort_by_key(|change| (change.span.start(), change.span.end()));
        Ok(piece)
    }

    /// Why the code may not do the same in the other package.
    pub(super) fn risks_of_package_move(&self, parcel: &Parcel, pieces: &[Piece], path: &str) -> Vec<PlaceRow> {
        let mut rows = self.ordered_values(pieces);
        let mut files: Vec<FileId> = parcel.parts.iter().map(|part| part.file).collect();
        files.sort_unstable();
        files.dedup();
        for file in files {
            let trees = self.resolve(|resolver| {
                let target = parcel.home.filter(|home| *home != file);
                Some((resolver.tree(file)?.clone(), target.and_then(|home| Some((home, resolver.tree(home)?.clone())))))
            });
            let Some((tree, target)) = trees else { continue };
            let target = target.as_ref().map(|(file, tree)| FileTree { file: *file, tree });
            rows.extend(self.other_conditions(FileTree { file, tree: &tree }, target, path));
            let its: Vec<Piece> = pieces.iter().filter(|piece| piece.file == file).cloned().collect();
            rows.extend(self.names_of_file(file, &tree, &its));
        }
        rows.dedup();
        rows
    }

    /// The statement that names the package of a new file, in the manner of another file.
    fn head_of_package(&self, from: FileId, source: &Tree, name: &str) -> String {
        let table = source.table();
        let first = &source.language().spec().imports.first;
        let statement = table.children(Node::ROOT).find(|&node| table.fits_any(node, first));
        let declared = self.resolve(|resolver| resolver.declared_package(from));
        let (Some(statement), Some(declared)) = (statement, declared) else { return String::new() };
        let span = source.span(statement);
        let text = source.text();
        let before = text.slice(Span::new(span.start(), declared.span.start())).into_owned();
        let after = text.slice(Span::new(declared.span.end(), span.end().max(declared.span.end()))).into_owned();
        format!("{before}{name}{after}")
    }
}
