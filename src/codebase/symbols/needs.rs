//! What a part of a file needs from outside of itself: definitions, imports.

use rustc_hash::FxHashSet;

use super::inference::resolver::{Resolver, View};
use super::model::{Meaning, Site, Thing};
use crate::language::ModuleScheme;
use crate::modules::FileId;
use crate::scopes::imported::Imported;
use crate::text::Span;
use crate::tree::Node;

/// A name that a part of a file uses and does not bind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Need {
    /// The name.
    pub name: String,
    /// Where it is used first.
    pub span: Span,
    /// Where it comes from.
    pub source: NeedSource,
    /// Whether it is only used where the language leaves it out when it runs.
    pub is_erased: bool,
}

/// Where a name comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NeedSource {
    /// A definition at the top of the same file.
    Own(Site),
    /// A definition in a block at the top of the same file, which may not run.
    Conditional(Site),
    /// An import of the file.
    Import(ImportedName),
    /// An import of everything in a module of the project.
    Everything(Thing),
    /// It may come from an import of everything in a module outside of the project.
    Unknown,
}

/// A name as an import binds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedName {
    /// The statement.
    pub statement: Node,
    /// The part of it with the name.
    pub node: Node,
    /// The module; empty if the name is the path of one.
    pub source: String,
    /// Where the module is written.
    pub source_span: Option<Span>,
    /// The name in the module, or the path.
    pub name: String,
    /// The alias, if there is one.
    pub alias: Option<String>,
    /// Whether its alias is the name itself, which some languages take as an export.
    pub renames_itself: bool,
    /// The words that make it another import, with spaces: `type `.
    pub variety: String,
    /// Whether it imports everything.
    pub is_glob: bool,
    /// Whether it is a statement of the file, not one in a block.
    pub is_at_top: bool,
    /// Whether the statement exports the name.
    pub is_export: bool,
    /// The statement at the top around it whose block is only read by type checkers, if it is in one.
    pub type_block: Option<Node>,
}

/// A name that statements at the top of a file define.
#[derive(Debug, Clone)]
pub struct TopDefinition {
    /// The first definition.
    pub site: Site,
    /// The name.
    pub name: String,
    /// The statements, if they define nothing else and nothing else defines it; none for the list of a module's public names.
    pub units: Option<Vec<Node>>,
    /// Whether it is a class.
    pub is_class: bool,
}

impl Resolver<'_> {
    /// What the statements at the top of a file define, in order; imports are not in it.
    pub fn top_definitions(&self, file: FileId) -> Vec<TopDefinition> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let mut seen: FxHashSet<String> = FxHashSet::default();
        let mut found = Vec::new();
        let binders = view.tree.table().nodes();
        for node in binders.filter(|&node| view.scopes.is_identifier(node) && view.scopes.binds(node)) {
            let names = view.scopes.names_like(node);
            let symbol = names.at(node).and_then(|found| names.resolve(&view.scopes, found));
            if symbol.is_none_or(|symbol| symbol.scope != Node::ROOT) || self.import_around(&view, node).is_some() {
                continue;
            }
            let name = view.tree.node_text(node).into_owned();
            if !seen.insert(name.clone()) {
                continue;
            }
            let site = Site { file, name: node };
            let is_class = self.is_class_name(&view, node);
            let is_list = view.rules.star_imports.list.as_ref() == Some(&name);
            let units = if is_list { None } else { self.own_statements(site) };
            found.push(TopDefinition { site, name, units, is_class });
        }
        found
    }

    /// What some parts of a file use that they do not bind themselves, each name once.
    pub fn needs(&self, file: FileId, parts: &[Span]) -> Vec<Need> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let table = view.tree.table();
        let is_inside = |span: Span| parts.iter().any(|part| part.contains(span));
        let mut seen: FxHashSet<String> = FxHashSet::default();
        let mut found: Vec<Need> = Vec::new();
        let mut add = |need: Need| {
            if seen.insert(need.name.clone()) {
                found.push(need);
            } else if let Some(known) = found.iter_mut().find(|known| known.name == need.name) {
                known.is_erased &= need.is_erased;
            }
        };
        let postponed = view.rules.import_forms.get("postponed");
        let erases = view.rules.members.structural && view.rules.modules == Some(ModuleScheme::Relative)
            || postponed.is_some_and(|form| {
                view.tree.named_children(Node::ROOT).any(|unit| view.tree.node_text(unit) == form.as_str())
            });
        for node in table.nodes().filter(|&node| view.scopes.is_identifier(node) && is_inside(table.span(node))) {
            if view.scopes.classify(node).is_none() {
                continue;
            }
            let names = view.scopes.names_like(node);
            let Some(used) = names.at(node) else { continue };
            let (name, span) = (view.tree.node_text(node).into_owned(), table.span(node));
            let is_erased = erases && self.is_written_type(&view, node);
            match names.resolve(&view.scopes, used) {
                Some(symbol) if symbol.scope == Node::ROOT => {
                    let binders: Vec<Node> = names.binders(&view.scopes, symbol).map(|binder| binder.name).collect();
                    if let Some(source) = self.need_source(&view, &binders, &is_inside) {
                        add(Need { name, span, source, is_erased });
                    }
                }
                Some(_) => {}
                None => {
                    if let Some(source) = self.glob_source(&view, node, &name) {
                        add(Need { name, span, source, is_erased });
                    }
                }
            }
        }
        for (_, span) in self.quoted_words(&view).into_iter().filter(|(_, span)| is_inside(*span)) {
            let (name, is_erased) = (view.tree.text().slice(span).into_owned(), true);
            let binders = self.top_binders(&view, &name);
            if let Some(source) = self.need_source(&view, &binders, &is_inside) {
                add(Need { name, span, source, is_erased });
            }
        }
        found
    }

    /// Where a name at the top of a file comes from; `None` if the parts bind it.
    fn need_source(&self, view: &View<'_>, binders: &[Node], is_inside: &dyn Fn(Span) -> bool) -> Option<NeedSource> {
        let table = view.tree.table();
        let outside: Vec<Node> = binders.iter().copied().filter(|&binder| !is_inside(table.span(binder))).collect();
        let first = *outside.first()?;
        match outside.iter().find_map(|&binder| self.import_of(view, binder)) {
            Some(import) => Some(NeedSource::Import(import)),
            None if self.block_around(view, first).is_some() => {
                Some(NeedSource::Conditional(Site { file: view.file, name: first }))
            }
            None => Some(NeedSource::Own(Site { file: view.file, name: first })),
        }
    }

    /// The block inside of a statement at the top of a file that has a name.
    fn block_around(&self, view: &View<'_>, name: Node) -> Option<Node> {
        let table = view.tree.table();
        let is_block = |node: &Node| {
            let role = view.tree.language().role(table.type_id(*node));
            role.body && !role.list && !role.outer_body
        };
        table.ancestors(name).take_while(|&node| node != Node::ROOT).find(is_block)
    }

    /// The statement of a file whose block only type checkers read, if it has one.
    pub fn type_block(&self, file: FileId) -> Option<Node> {
        let view = self.view(file)?;
        let regex = view.rules.type_checking.blocks.as_ref()?;
        let mut units = view.tree.named_children(Node::ROOT);
        units.find(|&unit| regex.get().is_match(&view.tree.node_text(unit)))
    }

    /// The import that binds a name.
    fn import_of(&self, view: &View<'_>, binder: Node) -> Option<ImportedName> {
        let table = view.tree.table();
        let (statement, part) = view.imports().iter().find(|(_, part)| table.is_within(binder, part.node))?;
        Some(imported_name(view, *statement, part, false))
    }

    /// The import of everything that a name which nothing binds may come from.
    fn glob_source(&self, view: &View<'_>, node: Node, name: &str) -> Option<NeedSource> {
        let rules = view.rules;
        if view.globs().is_empty() || rules.builtins.contains(name) {
            return None;
        }
        match self.meaning(view.file, node) {
            Meaning::Known(things) => things.first().map(|&thing| NeedSource::Everything(thing)),
            Meaning::External | Meaning::Unknown(_) => Some(NeedSource::Unknown),
        }
    }

    /// What a file imports and exports from modules, name by name.
    pub fn imported_names(&self, file: FileId) -> Vec<ImportedName> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let imports = view.imports().iter().map(|(statement, part)| imported_name(&view, *statement, part, false));
        let exports = view.exports().iter().map(|(statement, part)| imported_name(&view, *statement, part, true));
        imports.chain(exports).collect()
    }

    /// The module that a file means by a name in an import.
    pub fn imported_module(&self, file: FileId, source: &str) -> Option<Thing> {
        self.project().imported_module(file, self.project().file(file).language, source)
    }

    /// The module of a name below a module, as a file would import it.
    pub fn child_module(&self, file: FileId, package: Thing, name: &str) -> Option<Thing> {
        self.project().child_module(package, name, self.project().file(file).language)
    }

    /// The module before the dot of a member's name, if it is one.
    pub fn object_module(&self, file: FileId, name: Node) -> Option<Thing> {
        let view = self.view(file)?;
        view.scopes.fits(name, &view.scopes.rules.attributes)?;
        let object = self.object_of(&view, name)?;
        let last = if view.scopes.is_identifier(object) { object } else { self.member_name(&view, object)? };
        match self.meaning(file, last) {
            Meaning::Known(things) => match things[..] {
                [thing @ (Thing::Module(_) | Thing::Folder(_))] => Some(thing),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a file binds a name anywhere but in some nodes.
    pub fn has_binding(&self, file: FileId, name: &str, except: &[Node]) -> bool {
        let Some(view) = self.view(file) else { return false };
        let table = view.tree.table();
        let is_other = |node: Node| !except.iter().any(|&outer| table.is_within(node, outer));
        view.scopes.names(name).found.iter().any(|found| found.does.is_binding() && is_other(found.name))
    }

    /// Whether others import from a file what it imports itself: a package's own file, where no word marks exports.
    pub fn exports_imports(&self, file: FileId) -> bool {
        self.view(file).is_some_and(|view| {
            let path = &self.project().file(file).path;
            let stem = path.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default();
            view.rules.exports.types.is_empty() && view.rules.module_files.packages.iter().any(|name| name == stem)
        })
    }

    /// Whether a file binds a name at its top.
    pub fn has_binding_at_top(&self, file: FileId, name: &str) -> bool {
        self.view(file).is_some_and(|view| !self.top_binders(&view, name).is_empty())
    }

    /// Whether a name is not a member, a key or the name of an argument.
    pub fn is_plain_name(&self, file: FileId, name: Node) -> bool {
        self.view(file).is_some_and(|view| view.scopes.classify(name).is_some())
    }

    /// Whether a name of a file is bound in it, by an import or else.
    pub fn is_bound_in_file(&self, file: FileId, name: Node) -> bool {
        self.view(file).is_some_and(|view| {
            let names = view.scopes.names_like(name);
            names.at(name).and_then(|found| names.resolve(&view.scopes, found)).is_some()
        })
    }

    /// How many definitions of the class around it a statement has, counting all of their statements.
    pub fn bound_in(&self, file: FileId, statement: Span) -> usize {
        let Some(view) = self.view(file) else { return 0 };
        let table = view.tree.table();
        let inside = table.nodes().filter(|&node| statement.contains(table.span(node)));
        let mut count = 0;
        let mut around = None;
        for node in inside.filter(|&node| view.scopes.is_identifier(node) && view.scopes.binds(node)) {
            let names = view.scopes.names_like(node);
            let Some(symbol) = names.at(node).and_then(|found| names.resolve(&view.scopes, found)) else { continue };
            if around.is_some_and(|around| around != symbol.scope) {
                continue;
            }
            around = Some(symbol.scope);
            count += names.binders(&view.scopes, symbol).count();
        }
        count
    }

    /// The statements at the top of a file that define a name, one after the other, if they define nothing else there and nothing else
    /// defines it: several for overloads.
    pub fn own_statements(&self, site: Site) -> Option<Vec<Node>> {
        let view = self.view(site.file)?;
        let table = view.tree.table();
        let unit_of = |name: Node| table.ancestors(name).take_while(|&node| node != Node::ROOT).last();
        let name = view.tree.node_text(site.name);
        let top = self.top_binders(&view, &name);
        let mut units: Vec<Node> = top.iter().filter_map(|&binder| unit_of(binder)).collect();
        units.dedup();
        let siblings: Vec<Node> = view
            .tree
            .named_children(Node::ROOT)
            .filter(|&node| !view.tree.is_comment(node))
            .filter(|&node| !view.tree.attachments().is_leading(node))
            .collect();
        let first = siblings.iter().position(|node| Some(node) == units.first())?;
        let are_together = siblings.get(first..first + units.len()) == Some(&units[..]);
        let binds_other = |node: &Node| {
            view.scopes.is_identifier(*node) && view.scopes.binds(*node) && view.tree.node_text(*node) != name && {
                let names = view.scopes.names_like(*node);
                let symbol = names.at(*node).and_then(|found| names.resolve(&view.scopes, found));
                symbol.is_some_and(|symbol| symbol.scope == Node::ROOT)
            }
        };
        let has_other = units.iter().any(|&unit| table.descendants(unit).any(|node| binds_other(&node)));
        let is_in_block = top.iter().any(|&binder| self.block_around(&view, binder).is_some());
        let is_own = top.contains(&site.name) && are_together && !has_other && !is_in_block;
        (is_own && self.import_around(&view, site.name).is_none()).then_some(units)
    }

    /// Whether a file uses what an import binds only in type annotations, in a language that leaves those out when it runs.
    pub fn is_erased_import(&self, file: FileId, import: &ImportedName) -> bool {
        let Some(view) = self.view(file) else { return false };
        if !view.rules.members.structural || view.rules.modules != Some(ModuleScheme::Relative) || import.is_export {
            return false;
        }
        let bound = import.alias.as_ref().unwrap_or(&import.name);
        let uses = self.uses_of_import(file, import.node, bound);
        let is_type = |span: &Span| self.is_written_type(&view, view.tree.table().smallest_around(*span));
        let word = view.rules.import_forms.get("variety").map(|word| word.trim());
        word.is_some_and(|word| import.variety.contains(word)) || !uses.is_empty() && uses.iter().all(is_type)
    }

    /// Whether another module can import a definition at the top of a file.
    pub fn is_exported(&self, site: Site) -> bool {
        let Some(view) = self.view(site.file) else { return false };
        let table = view.tree.table();
        let types = &view.rules.exports.types;
        let name = view.tree.node_text(site.name);
        types.is_empty()
            || table.ancestors(site.name).any(|node| types.contains(table.type_id(node)))
            || view.exports().iter().any(|(_, part)| part.source.is_empty() && part.name == *name)
    }

    /// Whether a definition says itself that others can import it, so that it does so in any file.
    pub fn is_exported_in_place(&self, site: Site) -> bool {
        let Some(view) = self.view(site.file) else { return false };
        let table = view.tree.table();
        let types = &view.rules.exports.types;
        types.is_empty() || table.ancestors(site.name).any(|node| types.contains(table.type_id(node)))
    }

    /// Another name under which a list exports a definition.
    pub fn exported_alias(&self, site: Site) -> Option<String> {
        let view = self.view(site.file)?;
        let name = view.tree.node_text(site.name);
        let aliases = view.exports().iter().filter(|(_, part)| part.source.is_empty() && part.name == *name);
        let default = view.rules.default_exports.name.as_deref();
        aliases
            .filter_map(|(_, part)| part.alias.clone())
            .find(|alias| *alias != *name && Some(alias.as_str()) != default)
    }

    /// Whether a definition is what its module exports without a name.
    pub fn is_default_export(&self, site: Site) -> bool {
        let Some(view) = self.view(site.file) else { return false };
        let Some(default) = view.rules.default_exports.name.as_deref() else { return false };
        let things = [Thing::Symbol(site)];
        let is_listed = view.exports().iter().any(|(_, part)| part.alias.as_deref() == Some(default));
        !is_listed && self.exports_by_default(site.file, &things)
    }
}

fn imported_name(view: &View<'_>, statement: Node, part: &Imported, is_export: bool) -> ImportedName {
    ImportedName {
        statement,
        node: part.node,
        source: part.source.clone(),
        source_span: part.places.source,
        name: part.name.clone(),
        alias: part.alias.clone(),
        renames_itself: part.renames_itself,
        variety: part.varieties().map(|word| format!("{word} ")).collect(),
        is_glob: part.is_glob,
        is_at_top: view.tree.table().parent(statement) == Some(Node::ROOT),
        is_export,
        type_block: type_block(view, statement),
    }
}

/// The statement at the top of a file around a node, if only type checkers read what is in it.
fn type_block(view: &View<'_>, node: Node) -> Option<Node> {
    let regex = view.rules.type_checking.blocks.as_ref()?;
    let table = view.tree.table();
    let unit = table.ancestors(node).take_while(|&up| up != Node::ROOT).last()?;
    (table.parent(node) != Some(Node::ROOT) && regex.get().is_match(&view.tree.node_text(unit))).then_some(unit)
}
