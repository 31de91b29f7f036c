//! What changes in two modules when definitions move from one to the other.

use std::collections::BTreeMap;

use crate::edit::{Op, Position, TextChange};
use crate::language::{Language, ModuleScheme};
use crate::modules::FileId;
use crate::risks::{StringKind, StringUse};
use crate::symbols::{ImportedName, Meaning, Need, NeedSource, Resolver, Respelled, Site, Thing, unbound};
use crate::text::Span;
use crate::transfer::changes::{Doubt, with_comma, with_commas};
use crate::transfer::redirect::{ImportText, Redirected, Transfer, Use, manner_of, path_strings, spell_for};
use crate::tree::{Node, Tree};

/// A definition that moves.
#[derive(Debug, Clone)]
pub struct Piece {
    /// The definition.
    pub site: Site,
    /// The file with the statements.
    pub file: FileId,
    /// Its name.
    pub name: String,
    /// Its statements.
    pub units: Vec<Node>,
    /// The comments directly above them that are not deleted with them, up to the first statement.
    pub comments: Option<Span>,
    /// What is taken out of the file.
    pub span: Span,
    /// Its text, with the comments above it.
    pub text: String,
    /// Where the text begins.
    pub start: usize,
    /// The changes of the text when it moves, in order.
    pub changes: Vec<TextChange>,
}

impl Piece {
    /// The text as it is in the new module.
    pub fn new_text(&self) -> String {
        let (mut text, mut at) = (String::new(), self.start);
        for change in &self.changes {
            text.push_str(&self.text[at - self.start..change.span.start() - self.start]);
            text.push_str(&change.text);
            at = change.span.end();
        }
        text.push_str(&self.text[at - self.start..]);
        text
    }

    /// The parts that stay as they are, each with its place in the new text.
    pub fn kept(&self) -> Vec<(Span, usize)> {
        let (mut kept, mut at, mut now) = (Vec::new(), self.start, 0);
        let mut keep = |from: usize, to: usize, now: usize| {
            if from < to {
                kept.push((Span::new(from, to), now));
            }
        };
        for change in &self.changes {
            keep(at, change.span.start(), now);
            now += change.span.start() - at + change.text.len();
            at = change.span.end();
        }
        keep(at, self.start + self.text.len(), now);
        kept
    }
}

/// What the two modules change.
#[derive(Debug, Default)]
pub struct ChangedEnds {
    /// The module that had the definitions.
    pub source: Redirected,
    /// The module that gets them, if it is there.
    pub target: Redirected,
    /// The text of that module, if it is new.
    pub new_text: String,
    /// Imports that were not there before, from the first file to the second.
    pub new_edges: Vec<(FileId, FileId)>,
    /// What the new module would hide: a file, a place, why.
    pub risks: Vec<(FileId, usize, String)>,
    /// What is worth knowing.
    pub notes: Vec<String>,
}

/// What the two modules change; `None` if one has no tree.
pub fn change_ends<'a>(
    resolver: &'a Resolver<'_>,
    transfer: &'a Transfer<'a>,
    pieces: &'a [Piece],
    uses: &'a BTreeMap<FileId, Vec<Use>>,
) -> Option<ChangedEnds> {
    let is_new = (transfer.to.0 as usize) >= resolver.project().files().len();
    let tree = resolver.tree(transfer.from)?;
    let target = if is_new { None } else { Some(resolver.tree(transfer.to)?) };
    let after = transfer.after;
    let (from_path, to_path) = (after.file(transfer.from).path.clone(), after.file(transfer.to).path.clone());
    let source_manner = manner_of(resolver, transfer.from);
    let target_manner =
        if is_new { source_manner.clone() } else { manner_of(resolver, transfer.to).or(source_manner.clone()) };
    let mut ends = Ends {
        resolver,
        transfer,
        pieces,
        uses,
        tree,
        target,
        language: tree.language(),
        binders: resolver.top_definitions(transfer.from).into_iter().map(|one| one.site.name).collect(),
        source_names: resolver.imported_names(transfer.from),
        target_names: if is_new { Vec::new() } else { resolver.imported_names(transfer.to) },
        source_in_target: spell_for(resolver, after, (transfer.to, transfer.from), &from_path),
        target_in_source: spell_for(resolver, after, (transfer.from, transfer.to), &to_path),
        paths: (from_path, to_path),
        manners: (source_manner, target_manner),
        imports: Vec::new(),
        type_head: None,
        target_has_type_block: !is_new && resolver.type_block(transfer.to).is_some(),
        type_imports: Vec::new(),
        done: ChangedEnds::default(),
    };
    let left_over = ends.bring_needs();
    let still = ends.leave();
    path_strings(resolver, transfer, (transfer.from, tree), &mut ends.done.source.changes);
    ends.drop_imports(left_over);
    let code = ends.code(!still.is_empty());
    match target {
        None => ends.fill(&code),
        Some(target) => ends.enter(target, code),
    }
    Some(ends.done)
}

/// Whether a word of the language marks what other modules can import.
pub fn marks_exports(language: &Language) -> bool {
    !exported(language).is_empty()
}

/// Whether the language leaves type annotations out when it runs.
pub fn erases_types(language: &Language) -> bool {
    let rules = &language.spec().symbols;
    rules.members.structural && rules.modules == Some(ModuleScheme::Relative)
}

/// The two modules, and what is known of their changes so far.
struct Ends<'a, 'r> {
    resolver: &'a Resolver<'r>,
    transfer: &'a Transfer<'a>,
    pieces: &'a [Piece],
    uses: &'a BTreeMap<FileId, Vec<Use>>,
    /// The module that has the definitions.
    tree: &'a Tree,
    /// The one that gets them, if it is there.
    target: Option<&'a Tree>,
    language: &'static Language,
    /// The names that the old module's statements define.
    binders: Vec<Node>,
    source_names: Vec<ImportedName>,
    target_names: Vec<ImportedName>,
    /// How the new module names the old one, and the other way round.
    source_in_target: Option<String>,
    target_in_source: Option<String>,
    /// The paths of the old module and of the new one.
    paths: (String, String),
    /// Imports in whose manner others are written.
    manners: (Option<String>, Option<String>),
    /// The imports that the new module needs; where each was in the old one.
    imports: Vec<(usize, String)>,
    /// The head of the block that only type checkers read.
    type_head: Option<Span>,
    target_has_type_block: bool,
    type_imports: Vec<String>,
    done: ChangedEnds,
}

impl<'a> Ends<'a, '_> {
    fn is_inside(&self, span: Span) -> bool {
        self.pieces.iter().any(|piece| piece.span.contains(span))
    }

    fn uses_in(&self, file: FileId) -> &'a [Use] {
        self.uses.get(&file).map_or(&[], Vec::as_slice)
    }

    fn doubt(&mut self, span: Span, why: &'static str) {
        self.done.source.changes.doubts.push(Doubt { span, change: None, why });
    }

    /// Finds the imports that the definitions need. Returns those of the old module that nothing may need there.
    fn bring_needs(&mut self) -> Vec<ImportedName> {
        let spans: Vec<Span> = self.pieces.iter().map(|piece| piece.span).collect();
        let mut needs = self.resolver.needs(self.transfer.from, &spans);
        let type_unit = needs.iter().find_map(|need| match &need.source {
            NeedSource::Import(import) => import.type_block,
            _ => None,
        });
        let is_type = |need: &Need| need.is_erased && matches!(need.source, NeedSource::Own(_));
        let type_unit = type_unit.or_else(|| {
            let needs_one = self.has_type_blocks() && needs.iter().any(is_type);
            needs_one.then(|| self.resolver.type_block(self.transfer.from)).flatten()
        });
        self.type_head = type_unit.map(|unit| {
            let start = self.tree.span(unit).start();
            Span::new(start, self.tree.text().line_around(start).end())
        });
        if let Some(head) = self.type_head {
            let more = self.resolver.needs(self.transfer.from, &[head]);
            needs.extend(more.into_iter().filter(|need| matches!(need.source, NeedSource::Import(_))));
        }
        let form = self.language.spec().symbols.import_forms.get("postponed");
        let postpones = |tree: &Tree| {
            form.is_some_and(|form| tree.named_children(Node::ROOT).any(|unit| tree.node_text(unit) == form.as_str()))
        };
        let unknown =
            || spans.iter().find_map(|span| unbound(self.resolver, self.transfer.from, *span).first().copied());
        if self.target.is_some_and(|target| postpones(self.tree) && !postpones(target))
            && let Some(span) = needs.iter().find(|need| need.is_erased).map(|need| need.span).or_else(unknown)
        {
            self.doubt(span, "the new module evaluates type annotations, and the old one does not");
        }
        let mut own_needs: Vec<String> = Vec::new();
        let mut own_edge = false;
        let mut left_over: Vec<ImportedName> = Vec::new();
        for need in needs {
            match &need.source {
                NeedSource::Conditional(_) => {
                    self.doubt(need.span, "it needs a name that is defined inside of a block")
                }
                NeedSource::Own(_) if need.is_erased && self.has_type_blocks() => self.bring_type(&need.name),
                NeedSource::Own(site) => {
                    let written = self.written_in_pieces(&need.name, *site);
                    if let Some(place) = written {
                        self.doubt(place, "it changes a variable of the old module, and an import of it would not");
                    }
                    own_needs.push(need.name.clone());
                    own_edge |= !need.is_erased;
                    self.export_in_place(*site);
                }
                NeedSource::Import(import) => {
                    if !import.is_at_top && import.type_block.is_none() {
                        self.doubt(need.span, "it needs a name that is imported inside of a block");
                        continue;
                    }
                    if !left_over.contains(import) {
                        left_over.push(import.clone());
                        let bound = import.alias.as_ref().unwrap_or(&import.name);
                        if let Some(Elsewhere::Set(file, start)) =
                            uses_elsewhere(self.resolver, self.transfer.from, bound)
                        {
                            let why = format!("`{bound}` of the old module is reassigned here");
                            self.done.risks.push((file, start, why));
                        }
                    }
                    self.bring_import(&need, import);
                }
                NeedSource::Everything(_) | NeedSource::Unknown => {
                    self.doubt(need.span, "it may come from an import of everything in a module");
                }
            }
        }
        if !own_needs.is_empty() {
            let names = own_needs.join(", ");
            let text = self.source_in_target.as_deref().and_then(|module| {
                let text = ImportText { module, name: &names, alias: None, variety: "", is_export: false };
                text.write(self.language, self.manners.1.as_deref())
            });
            self.imports.extend(text.map(|code| (usize::MAX, code)));
            self.done.new_edges.extend(own_edge.then_some((self.transfer.to, self.transfer.from)));
        }
        left_over
    }

    /// Where the moved code gives another value to a variable that stays.
    fn written_in_pieces(&self, name: &str, variable: Site) -> Option<Span> {
        let table = self.tree.table();
        let file = self.transfer.from;
        let mut nodes = table.nodes().filter(|&node| {
            let span = table.span(node);
            table.children(node).next().is_none()
                && self.pieces.iter().any(|piece| piece.span.contains(span))
                && self.tree.node_text(node) == name
        });
        let means = |node: Node| matches!(self.resolver.meaning(file, node), Meaning::Known(things) if things.contains(&Thing::Symbol(variable)));
        nodes.find(|&node| means(node) && self.resolver.is_written(file, node)).map(|node| table.span(node))
    }

    /// Whether imports that only type checkers read are in a block of their own.
    fn has_type_blocks(&self) -> bool {
        self.language.spec().symbols.import_forms.contains_key("type_block")
    }

    /// Adds an import of a definition that stays, for type checkers.
    fn bring_type(&mut self, name: &str) {
        let text = self.source_in_target.as_deref().and_then(|module| {
            let text = ImportText { module, name, alias: None, variety: "", is_export: false };
            text.write(self.language, self.manners.1.as_deref())
        });
        let is_there = self.target_names.iter().any(|other| other.name == name && other.alias.is_none());
        self.type_imports.extend(text.filter(|_| !is_there));
    }

    /// Exports a definition that stays, where the language has a word for it.
    fn export_in_place(&mut self, site: Site) {
        let exported = exported(self.language);
        let units = self.resolver.own_statements(site).filter(|_| !self.resolver.is_exported(site));
        for unit in units.unwrap_or_default() {
            let extent = self.tree.span(unit);
            let change = TextChange { span: Span::at(extent.start()), text: exported.clone(), extent };
            self.done.source.changes.change_once(change);
        }
    }

    /// Adds an import of the old module to the new one.
    fn bring_import(&mut self, need: &Need, import: &ImportedName) {
        let target = match import.source.as_str() {
            "" => None,
            source => self.resolver.imported_module(self.transfer.from, source),
        };
        if target == Some(Thing::Module(self.transfer.to)) {
            if import.alias.as_ref().is_some_and(|alias| *alias != import.name) {
                self.doubt(need.span, "it has another name in the new module");
            }
            return;
        }
        let (after, project) = (self.transfer.after, self.resolver.project());
        let paths = (self.paths.0.as_str(), self.paths.1.as_str());
        let source = match project.respelled_at(after, self.language, paths, (&import.source, target)) {
            Respelled::Text(text) => text,
            Respelled::Same => import.source.clone(),
            Respelled::Impossible => return self.doubt(need.span, "the module has no name there"),
        };
        if let Some(Thing::Module(file)) =
            target.filter(|_| import.is_at_top && !(need.is_erased && erases_types(self.language)))
            && !after.is_package_around(file, self.transfer.to)
        {
            self.done.new_edges.push((self.transfer.to, file));
        }
        let text = ImportText {
            module: &source,
            name: &import.name,
            alias: import.alias.as_deref().filter(|alias| *alias != import.name),
            variety: &import.variety,
            is_export: false,
        };
        match text.write(self.language, self.manners.1.as_deref()) {
            Some(code) if import.is_at_top => {
                self.imports.push((self.tree.span(import.statement).start(), code));
            }
            Some(code) => {
                let is_there =
                    self.target_names.iter().any(|other| other.name == import.name && other.alias == import.alias);
                if !is_there {
                    self.type_imports.push(code);
                }
            }
            None => self.doubt(need.span, "an import of it cannot be written"),
        }
    }

    /// Deletes the definitions from the old module, which imports those that it still uses, or exports them again. Returns their names.
    fn leave(&mut self) -> Vec<String> {
        let from = self.transfer.from;
        let mut listed: Vec<&str> = Vec::new();
        for piece in self.pieces {
            for string in self.resolver.strings_with(from, &piece.name) {
                let is_listed = matches!(&string.kind, StringKind::Listed(Meaning::Known(things)) if things.contains(&Thing::Symbol(piece.site)));
                if is_listed {
                    listed.push(&piece.name);
                    if !self.transfer.keeps_names {
                        let note = format!("`{}` stays a public name of its old module", piece.name);
                        self.done.notes.push(note);
                    }
                }
            }
        }
        let mut still: Vec<&str> = listed.clone();
        for one in self.uses_in(from) {
            let table = self.tree.table();
            let in_import = self.source_names.iter().any(|import| table.is_within(one.node, import.statement));
            let is_exported = self
                .source_names
                .iter()
                .any(|import| import.is_export && import.source.is_empty() && table.is_within(one.node, import.node));
            if !self.is_inside(self.tree.span(one.node)) && !in_import || is_exported {
                still.push(&one.name);
            }
        }
        self.doubt_changes();
        still.sort_unstable();
        still.dedup();
        for piece in self.pieces {
            if let Some(span) = piece.comments {
                self.done.source.changes.changes.push(TextChange { span, text: String::new(), extent: span });
            }
            let units = piece.units.iter();
            self.done.source.ops.extend(units.map(|&target| Op::Delete { target, extent: None }));
        }
        let (mut plain, mut again): (Vec<&str>, Vec<&str>) = (still.clone(), Vec::new());
        let has_exports = !exported(self.language).is_empty();
        if self.transfer.keeps_names {
            let is_open = |piece: &&Piece| !has_exports || self.resolver.is_exported(piece.site);
            again = self.pieces.iter().filter(is_open).map(|piece| piece.name.as_str()).collect();
            if has_exports {
                self.done.source.changes.count += again.len();
            } else {
                // What `__all__` lists needs no other mark.
                again.retain(|name| !listed.contains(name));
                plain.retain(|name| !again.contains(name));
            }
        }
        if still.is_empty() && again.is_empty() {
            return Vec::new();
        }
        let mut codes: Vec<Option<String>> = Vec::new();
        if let Some(module) = self.target_in_source.clone() {
            let module = module.as_str();
            let write = |name: &str, alias: Option<&str>| {
                let text = ImportText { module, name, alias, variety: "", is_export: false };
                text.write(self.language, self.manners.0.as_deref())
            };
            if !plain.is_empty() {
                codes.push(write(&plain.join(", "), None));
            }
            if has_exports && !again.is_empty() {
                self.export_again(module, &again);
            } else {
                codes.extend(again.iter().map(|name| write(name, Some(name))));
            }
        } else {
            codes.push(None);
        }
        for code in codes {
            match code {
                Some(code) => self.done.source.ops.push(Op::EnsureImport { code }),
                None => self.doubt(Span::at(0), "an import of the new module cannot be written"),
            }
        }
        let is_own = |one: &Use| !one.is_type && !self.is_inside(self.tree.span(one.node));
        let runs = !again.is_empty() || self.uses_in(from).iter().any(is_own);
        if runs || !erases_types(self.language) {
            self.done.new_edges.push((from, self.transfer.to));
        }
        still.into_iter().map(str::to_owned).collect()
    }

    /// Exports names of the new module from the old one; those of types as such.
    fn export_again(&mut self, module: &str, names: &[&str]) {
        let is_type = |name: &&&str| {
            let piece = self.pieces.iter().find(|piece| piece.name == **name);
            let definition = piece.and_then(|piece| self.resolver.describe(Thing::Symbol(piece.site)));
            definition.is_some_and(|definition| matches!(definition.kind, "interface" | "type"))
        };
        let (types, values): (Vec<&str>, Vec<&str>) = names.iter().partition(is_type);
        let of_types = self.language.spec().symbols.import_forms.get("variety").map_or("", String::as_str);
        for (names, variety) in [(values, ""), (types, of_types)].into_iter().filter(|(names, _)| !names.is_empty()) {
            let text = ImportText { module, name: &names.join(", "), alias: None, variety, is_export: true };
            match text.write(self.language, self.manners.0.as_deref()) {
                Some(code) => self.done.source.ops.push(Op::Insert {
                    target: Node::ROOT,
                    position: Position::Last,
                    code,
                    extent: None,
                }),
                None => self.doubt(Span::at(0), "an export of the new module cannot be written"),
            }
        }
    }

    /// Lists the statements that stay and may change the value of a variable: whoever imports the new module alone would not get that.
    fn doubt_changes(&mut self) {
        let table = self.tree.table();
        let is_variable =
            |name: &str| self.pieces.iter().any(|piece| piece.name == name && !self.defines_scope(&piece.units));
        let mut places: Vec<Span> = Vec::new();
        for one in self.uses_in(self.transfer.from).iter().filter(|one| is_variable(&one.name)) {
            let span = self.tree.span(one.node);
            let up: Vec<Node> = table.ancestors(one.node).take_while(|&up| up != Node::ROOT).collect();
            let Some(&unit) = up.last() else { continue };
            let binds = self.tree.name_node(unit).is_some()
                || table.descendants(unit).any(|node| self.binders.contains(&node))
                || self.source_names.iter().any(|import| import.statement == unit);
            if !self.is_inside(span) && !binds && !up.iter().any(|&node| self.tree.is_scope(node)) {
                places.push(span);
            }
        }
        if !self.transfer.keeps_names {
            places.into_iter().for_each(|span| self.doubt(span, "a statement that stays may change its value"));
        }
    }

    fn defines_scope(&self, units: &[Node]) -> bool {
        units.iter().any(|&unit| self.tree.table().descendants(unit).take(3).any(|node| self.tree.is_scope(node)))
    }

    /// Removes imports that only the definitions used.
    fn drop_imports(&mut self, left_over: Vec<ImportedName>) {
        // Those that only type checkers read first: the block may need another one.
        let (mut in_blocks, mut others): (Vec<_>, Vec<_>) =
            left_over.into_iter().filter(|import| !import.renames_itself).partition(|one| one.type_block.is_some());
        in_blocks.retain(|import| self.is_only_used_by_definitions(import, None));
        let block = in_blocks.first().and_then(|import| import.type_block);
        let is_gone = |name: &&ImportedName| in_blocks.iter().any(|gone| gone.node == name.node);
        let in_block = |name: &&ImportedName| block.is_some() && name.type_block == block;
        let is_emptied = self.source_names.iter().filter(in_block).all(|name| is_gone(&name));
        let block = block.filter(|&block| is_emptied && self.has_only_imports(block));
        others.retain(|import| self.is_only_used_by_definitions(import, block));
        if let Some(block) = block {
            self.done.source.ops.push(Op::Delete { target: block, extent: None });
        } else if !is_emptied {
            self.remove(in_blocks);
        }
        self.remove(others);
    }

    /// Whether a statement has one block, and only imports in it.
    fn has_only_imports(&self, statement: Node) -> bool {
        let names = self.source_names.iter().filter(|name| name.type_block == Some(statement));
        let mut bodies: Vec<Node> = names.clone().filter_map(|name| self.tree.table().parent(name.statement)).collect();
        bodies.dedup();
        let [body] = bodies[..] else { return false };
        let is_import = |node: Node| self.tree.is_comment(node) || names.clone().any(|name| name.statement == node);
        self.tree.named_children(statement).count() <= 2 && self.tree.named_children(body).all(is_import)
    }

    /// Whether nothing but the definitions uses an import, and perhaps a statement that goes as well.
    fn is_only_used_by_definitions(&self, import: &ImportedName, gone: Option<Node>) -> bool {
        let from = self.transfer.from;
        let bound = import.alias.clone().unwrap_or_else(|| match import.source.is_empty() {
            true => import.name.split('.').next().unwrap_or(&import.name).to_owned(),
            false => import.name.clone(),
        });
        let gone = gone.map(|gone| self.tree.span(gone));
        let goes = |span: Span| self.is_inside(span) || gone.is_some_and(|gone| gone.contains(span));
        let used = self.resolver.uses_of_import(from, import.node, &bound);
        let quoted = self.resolver.quoted_uses(from, &bound);
        // A string that is the name may be read by something that looks it up in this module.
        let strings = self.resolver.strings_with(from, &bound);
        let is_named =
            |string: &StringUse| matches!(string.kind, StringKind::Name | StringKind::Listed(_)) || !goes(string.span);
        (!used.is_empty() || !quoted.is_empty())
            && used.iter().chain(&quoted).all(|&span| goes(span))
            && !strings.iter().any(is_named)
            // Where exports are marked, an import is not one.
            && (!exported(self.language).is_empty() || uses_elsewhere(self.resolver, from, &bound).is_none())
    }

    /// Removes names from import statements, or the whole statements.
    fn remove(&mut self, imports: Vec<ImportedName>) {
        let mut gone: BTreeMap<Node, Vec<ImportedName>> = BTreeMap::new();
        for import in imports {
            gone.entry(import.statement).or_default().push(import);
        }
        for (statement, parts) in gone {
            let is_its = |import: &&ImportedName| import.statement == statement && !import.is_export;
            if parts.len() == self.source_names.iter().filter(is_its).count() {
                self.done.source.ops.push(Op::Delete { target: statement, extent: None });
                continue;
            }
            let nodes: Vec<Node> = parts.iter().map(|part| part.node).collect();
            for span in with_commas(self.tree, &nodes) {
                let change = TextChange { span, text: String::new(), extent: self.tree.span(statement) };
                self.done.source.changes.changes.push(change);
            }
        }
    }

    /// The text of the definitions in the new module.
    fn code(&self, is_still_used: bool) -> String {
        let exported = exported(self.language);
        let is_other = |file: &FileId| *file != self.transfer.to && *file != self.transfer.from;
        let needs_export = !exported.is_empty() && (self.uses.keys().any(is_other) || is_still_used);
        let texts: Vec<String> = self
            .pieces
            .iter()
            .map(|piece| match needs_export && !self.resolver.is_exported_in_place(piece.site) {
                true => export(piece, self.tree, &exported),
                false => piece.text.clone(),
            })
            .collect();
        texts.join(&self.gap())
    }

    /// What is between two definitions.
    fn gap(&self) -> String {
        let newline = self.tree.text().newline();
        format!("{newline}{}", newline.repeat(self.language.spec().blank_lines.top))
    }

    /// Writes a new module.
    fn fill(&mut self, code: &str) {
        self.sort_imports();
        let newline = self.tree.text().newline();
        let table = self.tree.table();
        let first = &self.language.spec().imports.first;
        let first = table.children(Node::ROOT).filter(|&node| table.fits_any(node, first));
        let first: Vec<String> = first.map(|node| self.tree.node_text(node).into_owned()).collect();
        let mut parts: Vec<String> = Vec::new();
        if !first.is_empty() {
            parts.push(first.join(newline));
        }
        if !self.imports.is_empty() {
            parts.push(in_groups(self.tree, &self.imports));
        }
        if !self.type_imports.is_empty() {
            parts.push(self.type_block());
        }
        let head = parts.join(&format!("{newline}{newline}"));
        let head = if head.is_empty() { head } else { format!("{head}{}", self.gap()) };
        self.done.new_text = format!("{head}{code}{newline}");
    }

    fn sort_imports(&mut self) {
        if !self.type_imports.is_empty() && self.type_head.is_none() && !self.target_has_type_block {
            let form = self.language.spec().symbols.import_forms.get("type_block_import");
            self.imports.extend(form.map(|form| (0, form.clone())));
        }
        self.imports.sort();
        self.imports.dedup();
        self.type_imports.sort();
    }

    /// Puts the definitions into a module that is there.
    fn enter(&mut self, target: &Tree, code: String) {
        self.sort_imports();
        for piece in self.pieces {
            self.remove_import_of(piece, target);
        }
        if !self.type_imports.is_empty() {
            self.enter_type_imports(target);
        }
        let imports = std::mem::take(&mut self.imports);
        self.done.target.ops.extend(imports.into_iter().map(|(_, code)| Op::EnsureImport { code }));
        path_strings(self.resolver, self.transfer, (self.transfer.to, target), &mut self.done.target.changes);
        let (place, position) = self.place_in(target);
        self.done.target.ops.push(Op::Insert { target: place, position, code, extent: None });
    }

    /// Removes the new module's own import of a definition.
    fn remove_import_of(&mut self, piece: &Piece, target: &Tree) {
        let to = self.transfer.to;
        let is_its = |import: &&ImportedName| {
            import.name == piece.name
                && !import.source.is_empty()
                && self.resolver.imported_module(to, &import.source) == Some(Thing::Module(self.transfer.from))
        };
        let names: Vec<&ImportedName> = self.target_names.iter().filter(is_its).collect();
        for import in &names {
            let extent = target.span(import.statement);
            if import.alias.is_some() || !import.is_at_top {
                let why = "the new module imports it by another name, or in a block";
                self.done.target.changes.doubts.push(Doubt { span: extent, change: None, why });
                continue;
            }
            let all = self.target_names.iter().filter(|other| other.statement == import.statement);
            let moved = all.clone().filter(|other| self.transfer.names.contains(&other.name));
            if moved.count() == all.count() {
                let op = Op::Delete { target: import.statement, extent: None };
                if !self.done.target.ops.contains(&op) {
                    self.done.target.ops.push(op);
                }
            } else {
                let span = with_comma(target, import.node);
                self.done.target.changes.changes.push(TextChange { span, text: String::new(), extent });
            }
        }
        if names.is_empty() && self.resolver.has_binding_at_top(to, &piece.name) {
            self.done.risks.push((to, 0, format!("the new module has another `{}`", piece.name)));
        }
    }

    fn enter_type_imports(&mut self, target: &Tree) {
        if let Some(unit) = self.resolver.type_block(self.transfer.to) {
            self.done.target.ops.extend(self.type_imports.iter().map(|code| Op::Insert {
                target: unit,
                position: Position::Last,
                code: code.clone(),
                extent: None,
            }));
            return;
        }
        let code = self.type_block();
        let units: Vec<Node> = target.named_children(Node::ROOT).collect();
        if let Some(&unit) = units.iter().rev().find(|&&unit| self.is_import(unit)).or(units.first()) {
            self.done.target.ops.push(Op::Insert { target: unit, position: Position::After, code, extent: None });
        }
    }

    /// Whether a statement of the new module is an import.
    fn is_import(&self, unit: Node) -> bool {
        self.target_names.iter().any(|import| import.statement == unit)
    }

    /// Where the definitions go: after the last one, unless code of the module needs them before.
    fn place_in(&self, target: &Tree) -> (Node, Position) {
        let units: Vec<Node> = target.named_children(Node::ROOT).collect();
        let in_body = |node: Node| {
            target.table().ancestors(node).take_while(|&up| up != Node::ROOT).any(|up| target.is_scope(up))
        };
        let in_import =
            |node: Node| self.target_names.iter().any(|import| target.table().is_within(node, import.statement));
        let uses = self.uses_in(self.transfer.to).iter();
        let early = uses.filter(|one| !in_body(one.node) && !in_import(one.node));
        let early = early.map(|one| target.span(one.node).start()).min();
        let is_definition = |&&unit: &&Node| {
            target.is_scope(unit) || target.table().descendants(unit).take(3).any(|node| target.is_scope(node))
        };
        let before = early.and_then(|start| units.iter().rev().find(|&&unit| target.span(unit).start() <= start));
        let last = units.iter().rev().find(is_definition);
        let last = last.or_else(|| units.iter().rev().find(|&&unit| self.is_import(unit)));
        match (before, last.or(units.last())) {
            (Some(&unit), _) => (unit, Position::Before),
            (None, Some(&unit)) => (unit, Position::After),
            (None, None) => (Node::ROOT, Position::Last),
        }
    }

    /// A statement whose block only type checkers read, with the imports for them.
    fn type_block(&self) -> String {
        let newline = self.tree.text().newline();
        let head = self.type_head.map(|head| self.tree.text().slice(head).trim_end().to_owned());
        let form = || self.language.spec().symbols.import_forms.get("type_block").cloned();
        let head = head.or_else(form).unwrap_or_default();
        let lines: String = self.type_imports.iter().map(|code| format!("{newline}    {code}")).collect();
        format!("{head}{lines}")
    }
}

/// The words before a definition that other modules can import.
fn exported(language: &Language) -> String {
    language.spec().symbols.import_forms.get("exported").cloned().unwrap_or_default()
}

/// How other files use a name that a module imports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Elsewhere {
    /// They import it from there, or reach it through the module.
    Used,
    /// They give it another value there.
    Set(FileId, usize),
}

/// How other files use a name of a module, if they do.
fn uses_elsewhere(resolver: &Resolver<'_>, module: FileId, name: &str) -> Option<Elsewhere> {
    let project = resolver.project();
    let is_other = |file: &FileId| *file != module && project.file(*file).language == project.file(module).language;
    let mut found = None;
    for file in project.ids().filter(is_other).filter(|&file| resolver.may_contain(file, name)) {
        let Some(tree) = resolver.tree(file) else { continue };
        let is_its = |import: &ImportedName| {
            import.name == name && resolver.imported_module(file, &import.source) == Some(Thing::Module(module))
        };
        let named = |&node: &Node| tree.table().children(node).next().is_none() && tree.node_text(node) == name;
        let is_reached = |node: &Node| resolver.object_module(file, *node) == Some(Thing::Module(module));
        for node in tree.table().nodes().filter(named).filter(is_reached) {
            if resolver.sets_member(file, node) {
                return Some(Elsewhere::Set(file, tree.span(node).start()));
            }
            found = Some(Elsewhere::Used);
        }
        // A list of names in the same package may be for this module.
        let is_beside = || project.are_in_one_folder(file, module);
        let is_name = |string: &StringUse| matches!(string.kind, StringKind::Name | StringKind::Listed(_));
        if resolver.imported_names(file).iter().any(is_its)
            || is_beside() && resolver.strings_with(file, name).iter().any(is_name)
        {
            found = Some(Elsewhere::Used);
        }
    }
    found
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
            if is_apart && *start != last {
                text.push_str(newline);
            }
        }
        text.push_str(code);
        last = Some((*start).min(tree.text().len()));
    }
    text
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
