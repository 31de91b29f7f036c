//! Names that a symbol cannot get, though no name would refer to something else: macros, other files of a program, blocks of a function.

use super::outside::Asks;
use crate::language::{ModuleScheme, Spaces};
use crate::modules::FileId;
use crate::scopes::imported::Imported;
use crate::scopes::{Use, VariableName};
use crate::symbols::{Meaning, Resolver, Site, Thing, View};
use crate::text::Span;
use crate::tree::Node;

/// Why a symbol cannot get a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClashKind {
    /// A macro has the name, and replaces every later word like it.
    Macro,
    /// It is a macro, and would replace this word.
    Replaced,
    /// A linker would take this for the symbol.
    Linked,
    /// A pattern binds the name, or would bind the new one, and a constant that is seen there has it.
    Pattern,
    /// The module exports something else under the name.
    Exported,
    /// A variable of the function has the name, and none inside or around it may have it too.
    Redeclared,
    /// An import binds the name already, be it to the same.
    Imported,
    /// A base from outside of the project has a member of the name, which would be meant here.
    OfBase,
    /// One of both is found by its type, unless the other hides its name.
    Hidden,
}

/// Something that has the name which a symbol is to get.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Clash {
    /// Its file.
    pub file: FileId,
    /// The offset of the name.
    pub start: usize,
    /// Why that matters.
    pub kind: ClashKind,
}

impl Resolver<'_> {
    /// The names that prevent some symbols from getting a name in the places of one file.
    pub fn clashes(&self, symbols: &[Site], file: FileId, places: &[Span], to: &str) -> Vec<Clash> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let mut clashes = Vec::new();
        self.check_macros(&view, places, to, &mut clashes);
        self.check_imports(&view, places, to, &mut clashes);
        self.check_bases(&view, symbols, places, to, &mut clashes);
        for &symbol in symbols.iter().filter(|symbol| symbol.file == file) {
            self.check_words(&view, symbol, to, &mut clashes);
            self.check_linking(symbol, to, &mut clashes);
            self.check_patterns(&view, symbol, to, &mut clashes);
            self.check_exports(&view, symbol, to, &mut clashes);
            self.check_found_by_type(&view, symbol, to, &mut clashes);
            check_blocks(&view, symbol, to, &mut clashes);
        }
        clashes.sort_unstable();
        clashes.dedup();
        clashes
    }

    /// Imports that bind the name, where one of the places is an import in the same scope.
    fn check_imports(&self, view: &View<'_>, places: &[Span], to: &str, clashes: &mut Vec<Clash>) {
        if !view.rules.imports_are_single {
            return;
        }
        let loads = |name: Node| {
            self.import_around(view, name).is_some()
                || !view.rules.loaded_modules.calls.is_empty() && self.required(view).names.contains_key(&name)
        };
        let table = view.tree.table();
        for other in view.scopes.names(to).found.iter().filter(|found| found.does.is_binding()) {
            let is_taken = places.iter().any(|&place| {
                let found = view.scopes.found(table.smallest_around(place)).filter(|found| found.does.is_binding());
                found.is_some_and(|found| {
                    found.scope == other.scope
                        && found.spaces.meets(other.spaces)
                        && (loads(found.name) || loads(other.name))
                })
            });
            if is_taken {
                let start = view.tree.span(other.name).start();
                clashes.push(Clash { file: view.file, start, kind: ClashKind::Imported });
            }
        }
    }

    /// Places in classes that have a base outside of the project with a member of the name, which the name would mean there.
    fn check_bases(&self, view: &View<'_>, symbols: &[Site], places: &[Span], to: &str, clashes: &mut Vec<Clash>) {
        let (tree, table) = (view.tree, view.tree.table());
        for place in places {
            let name = table.smallest_around(*place);
            let has_object = view.scopes.fits(name, &view.scopes.rules.attributes).is_some();
            if has_object || view.scopes.binds(name) {
                continue;
            }
            for around in table.ancestors(name) {
                let body = tree.body(around).or_else(|| {
                    let mut parts = table.children(around);
                    parts.find(|&part| view.scopes.rules.members.contains(table.type_id(part)))
                });
                let Some(body) = body.filter(|&body| table.is_within(name, body)) else { continue };
                if view.scopes.is_unseen(around) || view.scopes.is_unseen(body) {
                    continue;
                }
                let class = tree.name_node(around).map(|name| Site { file: view.file, name });
                if symbols.iter().any(|&symbol| class.is_some() && self.class_of_member(symbol) == class) {
                    break;
                }
                let made = view.rules.written_types.casts.of(table.type_id(around)).into_iter().flatten();
                let made = made.flat_map(|path| tree.reached(around, path)).filter(|_| tree.callee(around).is_some());
                let mut bases = tree.base_nodes(around).chain(made);
                if bases.any(|base| self.outside_member(view, base, to, Asks::ByName) == Some(true)) {
                    clashes.push(Clash { file: view.file, start: place.start(), kind: ClashKind::OfBase });
                }
            }
        }
    }

    /// The macro of a name that would replace names in some places.
    fn check_macros(&self, view: &View<'_>, places: &[Span], to: &str, clashes: &mut Vec<Clash>) {
        if view.rules.macros.bodies.is_empty() {
            return;
        }
        let included = self.included_files(view.file);
        for &file in std::iter::once(&view.file).chain(included.iter()) {
            let Some(other) = Some(file).filter(|&file| self.may_contain(file, to)).and_then(|file| self.view(file))
            else {
                continue;
            };
            let names = other.scopes.names(to);
            for name in names.found.iter().map(|found| found.name).filter(|&name| is_macro(&other, name)) {
                let start = other.tree.span(name).start();
                let replaces = |place: &Span| {
                    (file != view.file || start < place.start())
                        && (!takes_arguments(&other, name) || is_called(view, place.end()))
                };
                if places.iter().any(replaces) {
                    clashes.push(Clash { file, start, kind: ClashKind::Macro });
                }
            }
        }
    }

    /// The words that a macro would replace.
    fn check_words(&self, view: &View<'_>, symbol: Site, to: &str, clashes: &mut Vec<Clash>) {
        if !is_macro(view, symbol.name) {
            return;
        }
        let needs_call = takes_arguments(view, symbol.name);
        for file in self.project().ids().filter(|&file| self.may_contain(file, to)) {
            if file != view.file && !self.included_files(file).contains(&view.file) {
                continue;
            }
            let Some(other) = self.view(file) else { continue };
            let is_replaced = |&node: &Node| {
                (file != view.file || node > symbol.name)
                    && (!needs_call || is_called(&other, other.tree.span(node).end()))
            };
            if let Some(node) = other.scopes.nodes_of(to).iter().copied().find(is_replaced) {
                clashes.push(Clash { file, start: other.tree.span(node).start(), kind: ClashKind::Replaced });
            }
        }
    }

    /// Functions and variables of other files that a linker would take for a symbol.
    fn check_linking(&self, symbol: Site, to: &str, clashes: &mut Vec<Clash>) {
        let is_linked = self.view(symbol.file).is_some_and(|view| view.is(ModuleScheme::Includes));
        if !is_linked || !self.is_shared_by_linking(symbol) {
            return;
        }
        for file in self.project().ids().filter(|&file| file != symbol.file && self.may_contain(file, to)) {
            let Some(other) = self.view(file) else { continue };
            let names = other.scopes.names(to);
            let binders = names.found.iter().filter(|found| found.does.is_binding()).map(|found| found.name);
            let is_linked = |&name: &Node| {
                let Meaning::Known(things) = self.meaning(file, name) else { return false };
                things.iter().any(|thing| match *thing {
                    Thing::Symbol(site) => site.file != symbol.file && self.is_shared_by_linking(site),
                    _ => false,
                })
            };
            if let Some(name) = { binders }.find(is_linked) {
                clashes.push(Clash { file, start: other.tree.span(name).start(), kind: ClashKind::Linked });
            }
        }
    }

    /// Exports of a module under a name, where a symbol is exported by its own name.
    fn check_exports(&self, view: &View<'_>, symbol: Site, to: &str, clashes: &mut Vec<Clash>) {
        let (table, types) = (view.tree.table(), &view.rules.exports.types);
        let names = view.scopes.names_like(symbol.name);
        let is_at_top = names.at(symbol.name).is_some_and(|found| found.scope == Node::ROOT);
        let is_export = |node: Node| types.contains(table.type_id(node));
        if !is_at_top || !table.ancestors(symbol.name).any(is_export) || self.is_in_default_export(view, symbol.name) {
            return;
        }
        let is_taken = |(_, part): &&(Node, Imported)| {
            !part.is_glob && !part.name.is_empty() && part.alias.as_deref().unwrap_or(&part.name) == to
        };
        if let Some((statement, _)) = view.exports().iter().find(is_taken) {
            let start = view.tree.span(*statement).start();
            clashes.push(Clash { file: view.file, start, kind: ClashKind::Exported });
        }
        // `export * from "./a"` beside another one that has the name
        let path = &self.project().file(view.file).path;
        let mut words = path.rsplit('/').flat_map(|part| part.split('.').next());
        let Some(word) = words.find(|word| !view.rules.module_files.packages.iter().any(|package| package == word))
        else {
            return;
        };
        let symbol_of = |file: FileId| match self.member_of_module(Thing::Module(file), to) {
            Meaning::Known(things) => !things.is_empty(),
            Meaning::External | Meaning::Unknown(_) => false,
        };
        for file in self.files_around(view, &[word]) {
            let Some(other) = self.view(file).filter(|_| file != view.file) else { continue };
            let leads_here = |(_, part): &&(Node, Imported)| {
                part.is_glob
                    && part.alias.is_none()
                    && self.imported_module(file, &part.source) == Some(Thing::Module(view.file))
            };
            if let Some((statement, _)) = other.exports().iter().find(leads_here).filter(|_| symbol_of(file)) {
                let start = other.tree.span(*statement).start();
                clashes.push(Clash { file, start, kind: ClashKind::Exported });
            }
        }
    }

    /// Definitions of a name that hide what the compiler finds by its type, or that they hide.
    fn check_found_by_type(&self, view: &View<'_>, symbol: Site, to: &str, clashes: &mut Vec<Clash>) {
        if view.rules.forbidden_names.found_by_type.is_empty() {
            return;
        }
        let is_found = is_found_by_type(view, symbol.name);
        for file in self.project().ids().filter(|&file| self.may_contain(file, to)) {
            let Some(other) = self.view(file).filter(|other| other.tree.language() == view.tree.language()) else {
                continue;
            };
            let names = other.scopes.names(to);
            let mut binders = names.found.iter().filter(|found| found.does.is_binding()).map(|found| found.name);
            if let Some(name) = binders.find(|&name| is_found || is_found_by_type(&other, name)) {
                clashes.push(Clash { file, start: other.tree.span(name).start(), kind: ClashKind::Hidden });
            }
        }
    }

    /// Names in patterns, and constants that are seen there: a pattern refers to a constant of its name.
    fn check_patterns(&self, view: &View<'_>, symbol: Site, to: &str, clashes: &mut Vec<Clash>) {
        let (constants, patterns) = (&view.rules.constants, &view.rules.pattern_names);
        if constants.is_empty() {
            return;
        }
        let is_pattern =
            |view: &View<'_>, name: Node| view.scopes.binds(name) && view.scopes.reaches(name, patterns).is_some();
        if is_pattern(view, symbol.name) {
            let seen = self.seen_from(view, symbol.name, to).into_iter();
            let mut constant = seen.filter(|site| {
                self.view(site.file).is_some_and(|other| other.scopes.fits(site.name, constants).is_some())
            });
            clashes.extend(constant.next().map(|site| Clash {
                file: site.file,
                start: self.view(site.file).map_or(0, |view| view.tree.span(site.name).start()),
                kind: ClashKind::Pattern,
            }));
        }
        if view.scopes.fits(symbol.name, constants).is_none() {
            return;
        }
        let old = view.tree.node_text(symbol.name);
        for file in self.project().ids().filter(|&file| self.may_contain(file, to)) {
            let Some(other) = self.view(file).filter(|other| other.tree.language() == view.tree.language()) else {
                continue;
            };
            let hides =
                |&&name: &&Node| is_pattern(&other, name) && self.seen_from(&other, name, &old).contains(&symbol);
            if let Some(&name) = other.scopes.nodes_of(to).iter().find(hides) {
                clashes.push(Clash { file, start: other.tree.span(name).start(), kind: ClashKind::Pattern });
            }
        }
    }

    /// The symbols that a name would mean as a variable at the place of another one.
    fn seen_from(&self, view: &View<'_>, place: Node, text: &str) -> Vec<Site> {
        let scope = view.scopes.around(place);
        let found = VariableName::reference(
            place,
            scope,
            view.tree.span(place).start(),
            view.scopes.rules.text_space.unwrap_or(Spaces::ALL),
        );
        let names = view.scopes.names(text);
        match self.variable(view, &names, &found, text) {
            Meaning::Known(things) => things
                .into_iter()
                .filter_map(|thing| match thing {
                    Thing::Symbol(site) => Some(site),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        }
    }
}

/// Variables of the function that have a name, in scopes inside or around that of a symbol, where the language does not allow both.
fn check_blocks(view: &View<'_>, symbol: Site, to: &str, clashes: &mut Vec<Clash>) {
    let rules = view.scopes.rules;
    if rules.unshadowed.is_empty() {
        return;
    }
    let table = view.tree.table();
    let is_unshadowed = |scope: Node| scope != Node::ROOT && rules.unshadowed.contains(table.type_id(scope));
    let own = view.scopes.names_like(symbol.name);
    let own: Vec<VariableName> = match own.at(symbol.name).and_then(|found| own.resolve(&view.scopes, found)) {
        Some(meant) if is_unshadowed(meant.scope) => {
            let binds = |found: &&VariableName| {
                found.does == Use::Binds && own.resolve(&view.scopes, found).is_some_and(|other| other.is(meant))
            };
            own.found.iter().filter(binds).copied().collect()
        }
        _ => return,
    };
    // Whether one of two variables is seen where the other is bound.
    let is_seen = |outer: &VariableName, inner: &VariableName| {
        let mut scope = inner.scope;
        while scope != outer.scope {
            if !is_unshadowed(scope) {
                return false;
            }
            scope = view.scopes.around(scope);
        }
        outer.from <= view.tree.span(inner.name).start()
    };
    for other in view.scopes.names(to).found.iter().filter(|found| found.does == Use::Binds) {
        let meets = own.iter().any(|own| {
            own.spaces.meets(other.spaces) && is_unshadowed(other.scope) && (is_seen(own, other) || is_seen(other, own))
        });
        if meets {
            let start = view.tree.span(other.name).start();
            clashes.push(Clash { file: view.file, start, kind: ClashKind::Redeclared });
        }
    }
}

/// Whether a name is that of a definition which the compiler finds by its type: one that a word says so of, or a parameter in such a list.
fn is_found_by_type(view: &View<'_>, name: Node) -> bool {
    /// How far the list of a parameter is from its name.
    const REACH: usize = 2;
    let words = &view.rules.forbidden_names.found_by_type;
    let is_word = |text: &str| words.iter().any(|word| word == text);
    let table = view.tree.table();
    table.ancestors(name).take(REACH).any(|node| {
        let is_definition = view.tree.name_node(node) == Some(name);
        view.tree.modifiers(node).iter().any(|word| is_definition && is_word(word))
            || (is_definition || view.tree.holds_parameters(node))
                && table.children(node).any(|child| !table.is_named(child) && is_word(&view.tree.node_text(child)))
    })
}

/// Whether a name is that of a macro where it is defined.
fn is_macro(view: &View<'_>, name: Node) -> bool {
    let table = view.tree.table();
    let definition = table.parent(name);
    definition.is_some_and(|definition| {
        view.rules.macros.types.contains(table.type_id(definition)) && view.tree.name_node(definition) == Some(name)
    })
}

/// Whether a macro is only one where arguments follow.
fn takes_arguments(view: &View<'_>, name: Node) -> bool {
    let table = view.tree.table();
    let parameters = &view.rules.macros.parameters;
    table
        .parent(name)
        .is_some_and(|definition| table.children(definition).any(|child| parameters.contains(table.type_id(child))))
}

/// Whether arguments follow a name that ends at an offset.
fn is_called(view: &View<'_>, end: usize) -> bool {
    let rest = view.tree.text().slice(Span::new(end, view.tree.span(Node::ROOT).end()));
    rest.trim_start().starts_with('(')
}
