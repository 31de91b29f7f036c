//! What changes when definitions move to another module.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::document::limits;
use super::error::{EngineError, ErrorCode, PlaceRow};
use super::refactor::{Created, Planned};
use super::refactor_messages::RefactorRequest;
use super::symbol_messages::{Confidence, Role};
use super::workspace::Workspace;
use crate::edit::{self, Allow, Op, Outcome, Position, TextChange, apply_texts};
use crate::language::{Language, ModuleScheme};
use crate::refactor::{
    Doubt, ImportText, Redirected, Transfer, Transferred, Use, manner_of, path_strings, redirect, spell_for, with_comma,
};
use crate::symbols::{
    FileId, ImportedName, Meaning, NeedSource, Project, ProjectFile, Resolver, Respelled, Site, StringKind, Thing,
    dependencies,
};
use crate::text::{Span, Text};
use crate::tree::{Node, Tree};

/// A definition that moves.
struct Piece {
    site: Site,
    name: String,
    /// Its statements.
    units: Vec<Node>,
    /// What is taken out of the file.
    span: Span,
    /// Its text, with the comments above it.
    text: String,
}

/// The two modules.
#[derive(Clone, Copy)]
struct Ends {
    from: FileId,
    to: FileId,
    /// Whether the second one is new.
    is_new: bool,
}

impl Workspace<'_> {
    /// Plans to move definitions to another module.
    ///
    /// # Errors
    /// If one cannot move there, or places are not certain.
    pub(super) fn plan_move(&self, request: &RefactorRequest) -> Result<Planned, EngineError> {
        let bad = |message: String| EngineError::new(ErrorCode::BadRequest, message);
        if request.symbol.is_empty() || request.to.is_empty() {
            return Err(bad("a definition that moves needs its name and the path of a module".to_owned()));
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
        let language = self.project.file(from).language;
        if !matches!(language.spec().symbols.modules, Some(ModuleScheme::Dotted | ModuleScheme::Relative)) {
            let message = format!("definitions of {} are not moved yet", language.name());
            return Err(EngineError::new(ErrorCode::UnsupportedLanguage, message));
        }
        let path = self.path_from_root(&request.to)?;
        let known = self.project.at(&path);
        if known == Some(from) {
            return Err(bad(format!("`{}` is in this file already", request.symbol)));
        }
        let fits = language.extensions().iter().any(|ending| path.ends_with(&format!(".{ending}")));
        if known.map_or(!fits, |file| self.project.file(file).language != language) {
            let error = bad(format!("`{}` is not a file of the same language", request.to));
            return Err(error.hint("give the path of a module, with its ending"));
        }
        if known.is_none() && self.engine.files().facts(&self.root().join(&path)).is_ok() {
            return Err(bad(format!("`{}` is there and is not a file of the project", request.to)));
        }
        let new_file = ProjectFile { path: path.clone(), language };
        let count = u32::try_from(self.project.files().len()).unwrap_or(u32::MAX);
        let ends = Ends { from, to: known.unwrap_or(FileId(count)), is_new: known.is_none() };
        let after = self.project.relocated(|_| None, if ends.is_new { vec![new_file.clone()] } else { Vec::new() });
        let limits = limits(&request.reading);
        let pieces = self.pieces(&sites, &limits)?;
        let names: Vec<String> = pieces.iter().map(|piece| piece.name.clone()).collect();
        let transfer = Transfer { from, to: ends.to, names: names.clone(), after: &after };

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
                        let why = "it gets another value here".to_owned();
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
        let is_inside = |span: Span| pieces.iter().any(|piece| piece.span.contains(span));
        let others: FxHashSet<FileId> = self.project.ids().filter(|&file| file != from && file != ends.to).collect();
        let mut redirected: BTreeMap<FileId, Redirected> = BTreeMap::new();
        for name in &names {
            let none = Vec::new();
            let found = self.look_at_text(name, |resolver, file| {
                if !others.contains(&file) || resolver.project().file(file).language.spec().symbols.modules.is_none() {
                    return Vec::new();
                }
                vec![(file, redirect(resolver, &transfer, file, uses.get(&file).unwrap_or(&none)))]
            })?;
            for (file, found) in found {
                redirected.entry(file).or_insert(found);
            }
        }
        let own = self.resolve(|resolver| self.change_ends(resolver, &transfer, ends, &pieces, &uses, &is_inside));
        let own = own?;
        let mut notes = own.notes;
        let mut risks = own.risks;
        risks.extend(self.new_cycles(ends, &own.new_edges, &redirected, &uses));
        redirected.insert(from, own.source);
        if !ends.is_new {
            redirected.insert(ends.to, own.target);
        }

        // What is not certain.
        let (mut certain, mut included) = (pieces.len(), 0);
        for (&file, found) in &mut redirected {
            certain += found.changes.count;
            for Doubt { span, change, why } in std::mem::take(&mut found.changes.doubts) {
                let row = self.place_row(file, span.start(), why.to_owned());
                let at = format!("{}:{}", row.path, row.line);
                let with_column = format!("{at}:{}", row.col);
                match change.filter(|_| request.include.iter().any(|place| *place == at || *place == with_column)) {
                    Some(change) => {
                        included += 1;
                        found.changes.changes.push(change);
                    }
                    None => left.push(row),
                }
            }
        }
        left.extend(self.unread());
        let verb = if names.len() == 1 { "is" } else { "are" };
        let what = format!("`{}` {verb} not moved", names.join("`, `"));
        self.refuse_uncertain(request, &what, risks, &left)?;

        // The new trees.
        let mut files = Vec::new();
        let mut transferred = Vec::new();
        let mut created = None;
        for (&file, found) in &redirected {
            let Some(tree) = self.resolve(|resolver| resolver.tree(file).cloned()) else { continue };
            let outcome = apply_texts(&tree, &found.ops, &found.changes.changes, &limits)
                .map_err(|error| EngineError::new(ErrorCode::from(&error), error.to_string()).path(self.shown(file)))?;
            if !outcome.edits.is_empty() {
                files.push((file, tree, outcome));
            }
        }
        let target_text = match ends.is_new {
            true => {
                let source = self.resolve(|resolver| resolver.tree(from).map(|tree| tree.text().clone()));
                let text = source.unwrap_or_else(|| Text::new("")).with_source(&own.new_text);
                let tree = Tree::parse(text, language, &limits)
                    .map_err(|error| EngineError::new(ErrorCode::from(&error), error.to_string()).path(path.clone()))?;
                created = Some(Created { file: new_file, tree });
                own.new_text.clone()
            }
            false => files
                .iter()
                .find(|(file, ..)| *file == ends.to)
                .map_or(String::new(), |(_, _, outcome): &(FileId, Tree, Outcome)| outcome.tree.text().to_string()),
        };
        for piece in &pieces {
            let Some(start) = target_text.find(&piece.text) else {
                return Err(EngineError::new(ErrorCode::Internal, "the moved text was not found in its new file"));
            };
            let old =
                self.resolve(|resolver| resolver.tree(from).map(|tree| tree.text().to_string())).unwrap_or_default();
            let offset = old[piece.span.start()..].find(&piece.text).unwrap_or(0);
            let old_start = piece.span.start() + offset;
            transferred.push(Transferred {
                file: from,
                span: Span::new(old_start, old_start + piece.text.len()),
                to: ends.to,
                start,
            });
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
    fn pieces(&self, sites: &[Site], limits: &crate::tree::ParseLimits) -> Result<Vec<Piece>, EngineError> {
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
                let message = format!("`{name}` is not moved: {}:{}:{}: {why}", row.path, row.line, row.col);
                let mut error = EngineError::new(ErrorCode::BadRequest, message);
                error.details.places = vec![row];
                error
            };
            let start = tree.span(site.name).start();
            let Some(units) = units else {
                return Err(refused("it is not a definition of its own at the top of the file", start));
            };
            if is_default {
                return Err(refused("it is what its module exports without a name", start));
            }
            let ops: Vec<Op> = units.iter().map(|&unit| Op::Delete { target: unit, extent: None }).collect();
            let deleted = edit::apply(&tree, &ops, Allow::default(), limits).map_err(|error| {
                EngineError::new(ErrorCode::from(&error), error.to_string()).path(self.shown(site.file))
            })?;
            let whole = deleted.edits.iter().map(|edit| edit.span).reduce(|one, other| one.join(other));
            let Some(span) = whole else { return Err(refused("it cannot be taken out in one piece", start)) };
            let text = tree.text().slice(span).trim_matches(['\n', '\r', ' ', '\t']).to_owned();
            pieces.push(Piece { site, name, units, span, text });
        }
        pieces.sort_by_key(|piece| piece.span.start());
        Ok(pieces)
    }

    /// What the two modules change.
    fn change_ends(
        &self,
        resolver: &Resolver<'_>,
        transfer: &Transfer<'_>,
        ends: Ends,
        pieces: &[Piece],
        uses: &BTreeMap<FileId, Vec<Use>>,
        is_inside: &dyn Fn(Span) -> bool,
    ) -> Result<ChangedEnds, EngineError> {
        let mut done = ChangedEnds::default();
        let internal = || EngineError::new(ErrorCode::Internal, "a file of the project has no tree");
        let tree = resolver.tree(ends.from).ok_or_else(internal)?;
        let language = tree.language();
        let after = transfer.after;
        let (from_path, to_path) = (after.file(ends.from).path.clone(), after.file(ends.to).path.clone());
        let module_of_source = spell_for(resolver, after, (ends.to, ends.from), &from_path);
        let module_of_target = spell_for(resolver, after, (ends.from, ends.to), &to_path);
        let source_manner = manner_of(resolver, ends.from);
        let target_manner =
            if ends.is_new { source_manner.clone() } else { manner_of(resolver, ends.to).or(source_manner.clone()) };
        let spans: Vec<Span> = pieces.iter().map(|piece| piece.span).collect();

        // What the definitions need there.
        let exported = language.spec().symbols.import_forms.get("exported").cloned().unwrap_or_default();
        let mut imports: Vec<(usize, String)> = Vec::new();
        let mut own_needs: Vec<String> = Vec::new();
        let mut left_over: Vec<ImportedName> = Vec::new();
        let target_names = if ends.is_new { Vec::new() } else { resolver.imported_names(ends.to) };
        let mut type_imports: Vec<String> = Vec::new();
        let mut own_edge = false;
        let mut needs = resolver.needs(ends.from, &spans);
        let type_unit = needs.iter().find_map(|need| match &need.source {
            NeedSource::Import(import) => import.type_block,
            _ => None,
        });
        let type_head = type_unit.map(|unit| {
            let start = tree.span(unit).start();
            Span::new(start, tree.text().line_around(start).end())
        });
        if let Some(head) = type_head {
            let more = resolver.needs(ends.from, &[head]);
            needs.extend(more.into_iter().filter(|need| matches!(need.source, NeedSource::Import(_))));
        }
        for need in needs {
            match need.source {
                NeedSource::Conditional(_) => done.source.changes.doubts.push(Doubt {
                    span: need.span,
                    change: None,
                    why: "it needs a name that is defined inside of a block",
                }),
                NeedSource::Own(site) => {
                    own_needs.push(need.name.clone());
                    own_edge |= !need.is_erased;
                    let units = resolver.own_statements(site).filter(|_| !resolver.is_exported(site));
                    for unit in units.unwrap_or_default() {
                        let extent = tree.span(unit);
                        let change = TextChange { span: Span::at(extent.start()), text: exported.clone(), extent };
                        done.source.changes.change_once(change);
                    }
                }
                NeedSource::Import(import) => {
                    if !import.is_at_top && import.type_block.is_none() {
                        done.source.changes.doubts.push(Doubt {
                            span: need.span,
                            change: None,
                            why: "it needs a name that is imported inside of a block",
                        });
                        continue;
                    }
                    let is_alone = import.type_block.is_some()
                        && tree
                            .table()
                            .parent(import.statement)
                            .is_none_or(|block| tree.named_children(block).count() < 2);
                    if !is_alone {
                        left_over.push(import.clone());
                    }
                    let target = match import.source.as_str() {
                        "" => None,
                        source => resolver.imported_module(ends.from, source),
                    };
                    if target == Some(Thing::Module(ends.to)) {
                        if import.alias.as_ref().is_some_and(|alias| *alias != import.name) {
                            done.source.changes.doubts.push(Doubt {
                                span: need.span,
                                change: None,
                                why: "it has another name in the new module",
                            });
                        }
                        continue;
                    }
                    let paths = (from_path.as_str(), to_path.as_str());
                    let project = resolver.project();
                    let source = match project.respelled_at(after, language, paths, (&import.source, target)) {
                        Respelled::Text(text) => text,
                        Respelled::Same => import.source.clone(),
                        Respelled::Impossible => {
                            done.source.changes.doubts.push(Doubt {
                                span: need.span,
                                change: None,
                                why: "the module has no name there",
                            });
                            continue;
                        }
                    };
                    if let Some(target) = target.filter(|_| import.is_at_top && !need.is_erased) {
                        let file = self.file_of_thing(target);
                        let file = file.filter(|&file| !after.is_package_around(file, ends.to));
                        done.new_edges.extend(file.map(|file| (ends.to, file)));
                    }
                    let text = ImportText {
                        module: &source,
                        name: &import.name,
                        alias: import.alias.as_deref(),
                        variety: &import.variety,
                        is_export: false,
                    };
                    match text.write(language, target_manner.as_deref()) {
                        Some(code) if import.is_at_top => imports.push((tree.span(import.statement).start(), code)),
                        Some(code) => {
                            let is_there = target_names
                                .iter()
                                .any(|other| other.name == import.name && other.alias == import.alias);
                            if !is_there {
                                type_imports.push(code);
                            }
                        }
                        None => done.source.changes.doubts.push(Doubt {
                            span: need.span,
                            change: None,
                            why: "an import of it cannot be written",
                        }),
                    }
                }
                NeedSource::Everything(_) | NeedSource::Unknown => done.source.changes.doubts.push(Doubt {
                    span: need.span,
                    change: None,
                    why: "it may come from an import of everything in a module",
                }),
            }
        }
        if !own_needs.is_empty() {
            let names = own_needs.join(", ");
            let text = module_of_source.as_deref().and_then(|module| {
                let text = ImportText { module, name: &names, alias: None, variety: "", is_export: false };
                text.write(language, target_manner.as_deref())
            });
            imports.extend(text.map(|code| (usize::MAX, code)));
            done.new_edges.extend(own_edge.then_some((ends.to, ends.from)));
        }

        // What the old module still uses.
        let in_import = |node: Node, names: &[ImportedName]| {
            names.iter().any(|import| tree.table().is_within(node, import.statement))
        };
        let source_names = resolver.imported_names(ends.from);
        let mut still: Vec<&str> = Vec::new();
        for one in uses.get(&ends.from).into_iter().flatten() {
            let is_own = !is_inside(tree.span(one.node)) && !in_import(one.node, &source_names);
            if is_own
                || source_names.iter().any(|import| {
                    import.is_export && import.source.is_empty() && tree.table().is_within(one.node, import.node)
                })
            {
                still.push(&one.name);
            }
        }
        for piece in pieces {
            for string in resolver.strings_with(ends.from, &piece.name) {
                let is_listed = matches!(&string.kind, StringKind::Listed(Meaning::Known(things)) if things.contains(&Thing::Symbol(piece.site)));
                if is_listed {
                    still.push(&piece.name);
                    done.notes.push(format!("`{}` stays a public name of its old module", piece.name));
                }
            }
        }
        still.sort_unstable();
        still.dedup();
        let units = pieces.iter().flat_map(|piece| &piece.units);
        done.source.ops.extend(units.map(|&unit| Op::Delete { target: unit, extent: None }));
        if !still.is_empty() {
            let text = module_of_target.as_deref().and_then(|module| {
                let text = ImportText { module, name: &still.join(", "), alias: None, variety: "", is_export: false };
                text.write(language, source_manner.as_deref())
            });
            match text {
                Some(code) => done.source.ops.push(Op::EnsureImport { code }),
                None => done.source.changes.doubts.push(Doubt {
                    span: Span::at(0),
                    change: None,
                    why: "an import of the new module cannot be written",
                }),
            }
            let runs =
                uses.get(&ends.from).into_iter().flatten().any(|one| !one.is_type && !is_inside(tree.span(one.node)));
            if runs || !erases_types(language) {
                done.new_edges.push((ends.from, ends.to));
            }
        }
        path_strings(resolver, transfer, (ends.from, tree), &mut done.source.changes);

        // Imports that only the definitions used.
        let mut gone: FxHashMap<Node, Vec<ImportedName>> = FxHashMap::default();
        for import in left_over {
            let bound = import.alias.clone().unwrap_or_else(|| match import.source.is_empty() {
                true => import.name.split('.').next().unwrap_or(&import.name).to_owned(),
                false => import.name.clone(),
            });
            let used = resolver.uses_of_import(ends.from, import.node, &bound);
            let is_used = used.iter().any(|span| !is_inside(*span));
            let is_imported = self.is_imported_from(resolver, ends.from, &bound);
            let is_quoted = resolver.strings_with(ends.from, &bound).iter().any(|string| !is_inside(string.span));
            if !is_used && !is_imported && !is_quoted && !used.is_empty() {
                gone.entry(import.statement).or_default().push(import);
            }
        }
        for (statement, parts) in gone {
            let all = source_names.iter().filter(|import| import.statement == statement && !import.is_export).count();
            if parts.len() == all {
                done.source.ops.push(Op::Delete { target: statement, extent: None });
            } else {
                for part in parts {
                    let (span, extent) = (with_comma(tree, part.node), tree.span(statement));
                    done.source.changes.changes.push(TextChange { span, text: String::new(), extent });
                }
            }
        }

        // The new module.
        let newline = tree.text().newline();
        let needs_export = !exported.is_empty()
            && (uses.keys().any(|file| *file != ends.to && *file != ends.from) || !still.is_empty());
        let texts: Vec<String> = pieces
            .iter()
            .map(|piece| match needs_export && !resolver.is_exported(piece.site) {
                true => export(piece, tree, &exported),
                false => piece.text.clone(),
            })
            .collect();
        let gap = format!("{newline}{}", newline.repeat(language.spec().blank_lines.top));
        let code = texts.join(&gap);
        imports.sort();
        imports.dedup();
        type_imports.sort();
        if ends.is_new {
            let first = tree
                .table()
                .children(Node::ROOT)
                .take_while(|&node| tree.table().fits_any(node, &language.spec().imports.first));
            let first: Vec<String> = first.map(|node| tree.node_text(node).into_owned()).collect();
            let mut parts: Vec<String> = Vec::new();
            if !first.is_empty() {
                parts.push(first.join(newline));
            }
            if !imports.is_empty() {
                parts.push(in_groups(tree, &imports));
            }
            if !type_imports.is_empty() {
                parts.push(type_block(tree, type_head, &type_imports));
            }
            let head = parts.join(&format!("{newline}{newline}"));
            let head = if head.is_empty() { head } else { format!("{head}{gap}") };
            done.new_text = format!("{head}{code}{newline}");
            return Ok(done);
        }
        let target = resolver.tree(ends.to).ok_or_else(internal)?;
        for piece in pieces {
            let names: Vec<&ImportedName> = target_names
                .iter()
                .filter(|import| {
                    import.name == piece.name
                        && !import.source.is_empty()
                        && resolver.imported_module(ends.to, &import.source) == Some(Thing::Module(ends.from))
                })
                .collect();
            for import in &names {
                let extent = target.span(import.statement);
                if import.alias.is_some() || !import.is_at_top {
                    done.target.changes.doubts.push(Doubt {
                        span: extent,
                        change: None,
                        why: "the new module imports it by another name, or in a block",
                    });
                    continue;
                }
                let all = target_names.iter().filter(|other| other.statement == import.statement).count();
                let moved = target_names
                    .iter()
                    .filter(|other| other.statement == import.statement && transfer.names.contains(&other.name));
                if moved.count() == all {
                    let op = Op::Delete { target: import.statement, extent: None };
                    if !done.target.ops.contains(&op) {
                        done.target.ops.push(op);
                    }
                } else {
                    let span = with_comma(target, import.node);
                    done.target.changes.changes.push(TextChange { span, text: String::new(), extent });
                }
            }
            if names.is_empty() && resolver.has_binding_at_top(ends.to, &piece.name) {
                let row = self.place_row(ends.to, 0, format!("the new module has another `{}`", piece.name));
                done.risks.push(row);
            }
        }
        if !type_imports.is_empty() {
            match resolver.type_block(ends.to) {
                Some(unit) => done.target.ops.extend(type_imports.iter().map(|code| Op::Insert {
                    target: unit,
                    position: Position::Last,
                    code: code.clone(),
                    extent: None,
                })),
                None => {
                    let code = type_block(tree, type_head, &type_imports);
                    let units: Vec<Node> = target.named_children(Node::ROOT).collect();
                    let last = units
                        .iter()
                        .rev()
                        .find(|&&unit| target_names.iter().any(|import| import.statement == unit))
                        .or(units.first());
                    if let Some(&unit) = last {
                        done.target.ops.push(Op::Insert {
                            target: unit,
                            position: Position::After,
                            code,
                            extent: None,
                        });
                    }
                }
            }
        }
        done.target.ops.extend(imports.into_iter().map(|(_, code)| Op::EnsureImport { code }));
        path_strings(resolver, transfer, (ends.to, target), &mut done.target.changes);
        // After the last definition, unless code of the module needs it before.
        let units: Vec<Node> = target.named_children(Node::ROOT).collect();
        let in_body = |node: Node| {
            target.table().ancestors(node).take_while(|&up| up != Node::ROOT).any(|up| target.is_scope(up))
        };
        let early = uses.get(&ends.to).into_iter().flatten().filter(|one| {
            !in_body(one.node)
                && !target_names.iter().any(|import| target.table().is_within(one.node, import.statement))
        });
        let early = early.map(|one| target.span(one.node).start()).min();
        let is_definition = |&&unit: &&Node| {
            target.is_scope(unit) || target.table().descendants(unit).take(3).any(|node| target.is_scope(node))
        };
        let before = early.and_then(|start| units.iter().rev().find(|&&unit| target.span(unit).start() <= start));
        let last =
            units.iter().rev().find(is_definition).or_else(|| {
                units.iter().rev().find(|&&unit| target_names.iter().any(|import| import.statement == unit))
            });
        let (place, position) = match (before, last.or(units.last())) {
            (Some(&unit), _) => (unit, Position::Before),
            (None, Some(&unit)) => (unit, Position::After),
            (None, None) => (Node::ROOT, Position::Last),
        };
        done.target.ops.push(Op::Insert { target: place, position, code, extent: None });
        Ok(done)
    }

    /// Whether another file imports a name from a module.
    fn is_imported_from(&self, resolver: &Resolver<'_>, module: FileId, name: &str) -> bool {
        let project = resolver.project();
        project
            .ids()
            .filter(|&file| file != module && project.file(file).language == project.file(module).language)
            .any(|file| {
                resolver.may_contain(file, name)
                    && resolver.imported_names(file).iter().any(|import| {
                        import.name == name
                            && resolver.imported_module(file, &import.source) == Some(Thing::Module(module))
                    })
            })
    }

    fn file_of_thing(&self, thing: Thing) -> Option<FileId> {
        match thing {
            Thing::Module(file) => Some(file),
            _ => None,
        }
    }

    /// The cycles of imports that there would be.
    fn new_cycles(
        &self,
        ends: Ends,
        edges: &[(FileId, FileId)],
        redirected: &BTreeMap<FileId, Redirected>,
        uses: &BTreeMap<FileId, Vec<Use>>,
    ) -> Vec<PlaceRow> {
        let mut all: Vec<(FileId, FileId)> = edges.to_vec();
        let language = self.project.file(ends.from).language;
        let is_dotted = language.spec().symbols.modules == Some(ModuleScheme::Dotted);
        let erases = erases_types(language);
        let runs = |file: &FileId| !erases || uses.get(file).into_iter().flatten().any(|one| !one.is_type);
        let changed = redirected.iter().filter(|(file, found)| found.changes.count > 0 && runs(file));
        all.extend(changed.map(|(&file, _)| (file, ends.to)));
        self.resolve(|resolver| {
            let count = self.project.files().len();
            let mut imports: FxHashMap<FileId, Vec<FileId>> = FxHashMap::default();
            let mut of = |file: FileId, with_new: bool| {
                let known = imports.entry(file).or_insert_with(|| match (file.0 as usize) < count {
                    true => {
                        let top = resolver.imported_names(file);
                        let top =
                            top.iter().filter(|import| import.is_at_top && !resolver.is_erased_import(file, import));
                        let lines: FxHashSet<usize> =
                            top.filter_map(|import| Some(resolver.tree(file)?.start(import.statement).line)).collect();
                        let all = dependencies(resolver, file).into_iter();
                        // A package around the file is loaded before it anyway.
                        let is_around = |other: &FileId| is_dotted && self.project.is_package_around(*other, file);
                        let files = all.filter(|one| lines.contains(&one.line)).flat_map(|one| one.files);
                        files.filter(|other| !is_around(other)).collect()
                    }
                    false => Vec::new(),
                });
                let mut found = known.clone();
                if with_new {
                    found.extend(all.iter().filter(|(from, _)| *from == file).map(|(_, to)| *to));
                }
                found
            };
            let mut reaches = |from: FileId, to: FileId, with_new: bool| {
                let (mut seen, mut waiting) = (FxHashSet::default(), vec![from]);
                while let Some(file) = waiting.pop() {
                    for next in of(file, with_new) {
                        if next == to {
                            return true;
                        }
                        if seen.insert(next) {
                            waiting.push(next);
                        }
                    }
                }
                false
            };
            let mut rows = Vec::new();
            for &(from, to) in &all {
                let is_cyclic = !is_dotted && reaches(to, from, false) && reaches(from, to, false);
                if from != to && reaches(to, from, true) && !is_cyclic {
                    let why = format!("its import of {} would be part of a cycle", transfer_path(&self.project, to));
                    let file = if (from.0 as usize) < count { from } else { ends.from };
                    let start = resolver
                        .imported_names(file)
                        .iter()
                        .find_map(|import| Some(resolver.tree(file)?.span(import.statement).start()));
                    rows.push((file, start.unwrap_or(0), why));
                }
            }
            rows.sort_unstable_by(|one, other| one.2.cmp(&other.2));
            rows.dedup();
            rows.truncate(4);
            rows
        })
        .into_iter()
        .map(|(file, start, why)| self.place_row(file, start, why))
        .collect()
    }
}

/// Whether the language leaves written types out when it runs.
fn erases_types(language: &Language) -> bool {
    let rules = &language.spec().symbols;
    rules.structural_types && rules.modules == Some(ModuleScheme::Relative)
}

/// The path of a file, or words for one that is not there yet.
fn transfer_path(project: &Project, file: FileId) -> String {
    project.files().get(file.0 as usize).map_or_else(|| "the new module".to_owned(), |file| format!("`{}`", file.path))
}

/// The imports of a new module, with the blank lines that are between them in the old one.
fn in_groups(tree: &Tree, imports: &[(usize, String)]) -> String {
    let newline = tree.text().newline();
    let mut text = String::new();
    let mut last = None;
    for (start, code) in imports {
        if let Some(last) = last {
            text.push_str(newline);
            let is_apart = match *start {
                usize::MAX => true,
                start => tree.text().slice(Span::new(last, start)).contains(&newline.repeat(2)),
            };
            let is_apart = is_apart && *start != last;
            if is_apart {
                text.push_str(newline);
            }
        }
        text.push_str(code);
        last = Some((*start).min(tree.text().len()));
    }
    text
}

/// A statement whose block only type checkers read, with these imports.
fn type_block(tree: &Tree, head: Option<Span>, imports: &[String]) -> String {
    let newline = tree.text().newline();
    let head = head.map(|head| tree.text().slice(head).trim_end().to_owned()).unwrap_or_default();
    let lines: String = imports.iter().map(|code| format!("{newline}    {code}")).collect();
    format!("{head}{lines}")
}

/// The text of a definition that other modules can import.
fn export(piece: &Piece, tree: &Tree, exported: &str) -> String {
    let whole = tree.text().slice(piece.span).into_owned();
    let start = piece.span.start() + whole.find(&piece.text).unwrap_or(0);
    let mut text = piece.text.clone();
    for &unit in piece.units.iter().rev() {
        let at = tree.span(unit).start().saturating_sub(start);
        text.insert_str(at, exported);
    }
    text
}

/// What the two modules change.
#[derive(Default)]
struct ChangedEnds {
    source: Redirected,
    target: Redirected,
    /// The text of the second one, if it is new.
    new_text: String,
    /// Imports that were not there before.
    new_edges: Vec<(FileId, FileId)>,
    risks: Vec<PlaceRow>,
    notes: Vec<String>,
}
