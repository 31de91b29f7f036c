//! `move` between modules that files declare (`mod a;`): paths follow, and what is used from further away can be used there.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::edit::{Op, Position, TextChange, attached_comments};
use crate::modules::{FileId, ProjectFile};
use crate::refactor::move_symbols::finish::{Destination, Gathered, Landing, Route};
use crate::refactor::plan::Planned;
use crate::refactor::{Piece, Redirected};
use crate::request::error::{EngineError, PlaceRow};
use crate::request::refactor::RefactorOptions;
use crate::request::symbol_messages::Confidence;
use crate::symbols::{ImportedName, Reach, Resolver, Site, Thing};
use crate::text::Span;
use crate::transfer::module_text::{is_open_to_all, opening, path_before};
use crate::tree::{Node, Tree};
use crate::workspace::files::Workspace;

/// The module that definitions go to.
#[derive(Debug, Clone)]
pub(super) struct Home {
    /// Its file; of a new module the next number.
    pub to: FileId,
    pub is_new: bool,
    /// The module, or the one around it, if it is new.
    pub module: Thing,
    /// Its names from the root on.
    pub names: Vec<String>,
}

/// A place that is in the way, or that is uncertain.
pub(super) struct Blocked {
    pub file: FileId,
    pub start: usize,
    pub why: String,
}

/// A move with all that is known of it, and its changes.
pub(super) struct Mover<'a, 'r> {
    pub resolver: &'a Resolver<'r>,
    pub from: FileId,
    pub tree: &'a Tree,
    pub home: &'a Home,
    pub pieces: &'a [Piece],
    /// The modules in which a definition that moves is used, by the place of its name.
    pub users: BTreeMap<usize, Vec<Thing>>,
    /// Definitions that move, by the place of their names.
    pub moving: FxHashMap<usize, Site>,
    /// Names that the old module still uses.
    pub still: Vec<String>,
    pub imports: Vec<String>,
    pub redirected: BTreeMap<FileId, Redirected>,
    pub changes: Vec<TextChange>,
    pub opened: FxHashSet<(FileId, usize)>,
    /// How far the declaration of a new module has to be visible.
    pub declared: Declared,
    pub blocked: Vec<Blocked>,
}

/// From where a new module can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Declared {
    Inside,
    Library,
    Everywhere,
}

impl Workspace<'_> {
    /// Plans a move to another module of the same library or program.
    ///
    /// # Errors
    /// If a definition cannot move there.
    pub(crate) fn plan_move_in_tree(
        &self,
        options: &RefactorOptions,
        what: &Destination<'_>,
    ) -> Result<Planned, EngineError> {
        let bad = EngineError::bad_request;
        let route = self.route(options, what)?;
        let home = self.home(&route)?;
        let Route { from, path, limits, .. } = route;
        let pieces = self.pieces_with_additions(what.sites, &limits)?;
        if !self.resolve(|resolver| {
            let Thing::Module(file) = home.module else { return false };
            resolver.root_of_module(from) == resolver.root_of_module(file)
        }) {
            let message = format!("`{path}` and `{}` are not in one library or program", self.shown(from));
            return Err(bad(message).hint("a definition moves between modules that one root file declares"));
        }
        let mut risks = self.different_conditions(from, &home);
        let spans: Vec<Span> = pieces.iter().map(|piece| piece.span).collect();
        let (moving, words) = self.resolve(|resolver| {
            let sites = resolver.defined_in(from, &spans).into_iter().filter(|&site| resolver.is_lasting(site));
            let tree = resolver.tree(from);
            let start = |site: Site| tree.map_or(0, |tree| tree.span(site.name).start());
            let moving: FxHashMap<usize, Site> = sites.map(|site| (start(site), site)).collect();
            let mut words: Vec<String> = moving
                .values()
                .filter(|&&site| matches!(resolver.reach_of(site), Reach::Module(_)))
                .filter_map(|&site| resolver.name_of(site))
                .collect();
            words.extend(pieces.iter().map(|piece| piece.name.clone()));
            words.sort_unstable();
            words.dedup();
            (moving, words)
        });
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let names = self.bindings(&words, &FxHashSet::from_iter([from]))?;
        let stem = self.project.file(from).path.clone();
        let stem = stem.rsplit('/').find(|part| !self.is_package_stem(from, part)).unwrap_or_default().to_owned();
        let stem = stem.split('.').next().unwrap_or_default().to_owned();
        let importing = self.look(&stem, None, |_, file| vec![file])?;
        let mut uncertain: Vec<(FileId, Node)> = Vec::new();
        for &site in what.sites {
            let found = self.references(&[Thing::Symbol(site)])?.into_iter();
            let found =
                found.filter(|one| matches!(one.row.confidence, Confidence::Candidate | Confidence::Undetermined));
            uncertain.extend(found.map(|one| (one.file, one.node)));
        }
        let done = self.resolve(|resolver| {
            let tree = resolver.tree(from)?;
            let mut mover = Mover {
                resolver,
                from,
                tree,
                home: &home,
                pieces: &pieces,
                users: BTreeMap::new(),
                moving,
                still: Vec::new(),
                imports: Vec::new(),
                redirected: BTreeMap::new(),
                changes: Vec::new(),
                opened: FxHashSet::default(),
                declared: Declared::Inside,
                blocked: Vec::new(),
            };
            mover.follow(names.names(), &importing, &uncertain);
            mover.bring_needs(names.names());
            mover.leave(what.keeps_names);
            mover.open_for_users();
            Some(mover.finish())
        });
        let Some(Finished { mut redirected, mut changes, blocked, imports, declared }) = done else {
            return Err(bad(format!("`{}` cannot be read", self.shown(from))));
        };
        changes.sort_by_key(|change| (change.span.start(), change.span.end()));
        changes.dedup();
        let mut pieces = pieces;
        for piece in &mut pieces {
            let own = Span::new(piece.start, piece.start + piece.text.len());
            piece.changes = changes.iter().filter(|change| own.contains(change.span)).cloned().collect();
        }
        risks.extend(self.words_of_the_file(from, &pieces));
        let left = blocked.into_iter().map(|one| self.place_row(one.file, one.start, one.why)).collect();
        let landing = self.land(&mut redirected, &pieces, Arrival { from, path, home: &home, imports, declared });
        self.finish_move(options, landing, Gathered { pieces, redirected, risks, left, notes: Vec::new() })
    }

    /// The definitions that move, with what adds members to them in the same file.
    fn pieces_with_additions(
        &self,
        sites: &[Site],
        limits: &crate::tree::ParseLimits,
    ) -> Result<Vec<Piece>, EngineError> {
        let mut pieces = self.pieces(sites, limits)?;
        for &site in sites {
            let found = self.resolve(|resolver| {
                let tree = resolver.tree(site.file)?.clone();
                let is_fixed = resolver.is_macro(site) || resolver.declares_module(site);
                Some((tree, resolver.name_of(site)?, resolver.additions_to(site), is_fixed))
            });
            let Some((tree, name, additions, is_fixed)) = found else { continue };
            if is_fixed {
                let why = "a module or a macro means something else in another file";
                let row = self.place_row(site.file, tree.span(site.name).start(), why.to_owned());
                let mut error = EngineError::bad_request(format!("cannot move `{name}`: {why}"));
                error.details.places = vec![row];
                return Err(error);
            }
            for unit in additions {
                if !pieces.iter().any(|piece| piece.units.contains(&unit)) {
                    pieces.push(self.piece(site, &tree, vec![unit], limits)?);
                }
            }
        }
        pieces.sort_by_key(|piece| piece.span.start());
        Ok(pieces)
    }

    fn is_package_stem(&self, file: FileId, part: &str) -> bool {
        let packages = &self.project.file(file).language.spec().symbols.module_files.packages;
        packages.iter().any(|name| part.split('.').next() == Some(name))
    }

    /// The module at a path.
    ///
    /// # Errors
    /// If no file could declare it.
    fn home(&self, route: &Route) -> Result<Home, EngineError> {
        let Route { to, path, .. } = route;
        let to = *to;
        if !route.is_new {
            let names = self.resolve(|resolver| resolver.names_of_module(Thing::Module(to)));
            return Ok(Home { to, is_new: false, module: Thing::Module(to), names });
        }
        let file = ProjectFile { path: path.clone(), language: route.language };
        let after = self.project.relocated(|_| None, vec![file]);
        let above = after.files_above(to);
        let (Some(&parent), Some(name)) = (above.first(), after.name_in_tree(to)) else {
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let message = format!("no file declares the modules in `{folder}`");
            let hint = "create the file of the module around it first, or choose a path beside an existing module";
            return Err(EngineError::bad_request(message).hint(hint));
        };
        let module = Thing::Module(parent);
        let mut names = self.resolve(|resolver| resolver.names_of_module(module));
        names.push(name.to_owned());
        Ok(Home { to, is_new: true, module, names })
    }

    /// Why the new module may not be compiled whenever the old one is.
    fn different_conditions(&self, from: FileId, home: &Home) -> Vec<PlaceRow> {
        let (old, new) =
            self.resolve(|resolver| (conditions(resolver, Thing::Module(from)), conditions(resolver, home.module)));
        if old == new {
            return Vec::new();
        }
        let file = if home.is_new { from } else { home.to };
        vec![self.place_row(file, 0, "the two modules are compiled under different conditions".to_owned())]
    }

    /// The new module, or the changes of one that is there.
    fn land(&self, redirected: &mut BTreeMap<FileId, Redirected>, pieces: &[Piece], arrival: Arrival<'_>) -> Landing {
        let Arrival { from, path, home, mut imports, declared } = arrival;
        let language = self.project.file(from).language;
        imports.sort_unstable();
        imports.dedup();
        self.resolve(|resolver| {
            let newline = resolver.tree(from).map_or("\n", |tree| tree.text().newline());
            let gap = format!("{newline}{}", newline.repeat(language.spec().blank_lines.top));
            let code = pieces.iter().map(Piece::new_text).collect::<Vec<_>>().join(&gap);
            let own = redirected.entry(from).or_default();
            for piece in pieces {
                own.take(piece.comments, &piece.units);
            }
            if let Some(target) = resolver.tree(home.to).filter(|_| !home.is_new) {
                let changed = redirected.entry(home.to).or_default();
                let (plain, others): (Vec<String>, Vec<String>) =
                    imports.into_iter().partition(|code| !code.contains('\n'));
                changed.ops.extend(plain.into_iter().map(|code| Op::EnsureImport { code }));
                let (place, position) = place_in(resolver, home.to, target);
                let code = others.into_iter().chain([code]).collect::<Vec<_>>().join(&gap);
                changed.ops.push(Op::Insert { target: place, position, code, extent: None });
                return Landing { from, to: home.to, file: None, new_text: String::new() };
            }
            if let Thing::Module(above) = home.module
                && let Some(tree) = resolver.tree(above)
            {
                let forms = &language.spec().symbols.import_forms;
                let opened = forms.get("opened").map_or("", String::as_str);
                let words = match declared {
                    Declared::Inside => String::new(),
                    Declared::Library => format!("{opened} "),
                    Declared::Everywhere => {
                        let open = &language.spec().symbols.module_tree.open_words;
                        open.first().map_or(String::new(), |word| format!("{word} "))
                    }
                };
                let form = forms.get("declared").cloned().unwrap_or_default();
                let name = home.names.last().cloned().unwrap_or_default();
                let code = format!("{words}{}", form.replace("$name", &name));
                let change = declaration(resolver, above, tree, &code);
                redirected.entry(above).or_default().changes.changes.push(change);
            }
            let head = if imports.is_empty() { String::new() } else { format!("{}{gap}", imports.join(newline)) };
            let new_text = format!("{head}{code}{newline}");
            Landing { from, to: home.to, file: Some(ProjectFile { path, language }), new_text }
        })
    }
}

/// The way into a module: its file, imports and declaration.
struct Arrival<'a> {
    from: FileId,
    path: String,
    home: &'a Home,
    imports: Vec<String>,
    declared: Declared,
}

/// The changes of a move.
pub(super) struct Finished {
    redirected: BTreeMap<FileId, Redirected>,
    changes: Vec<TextChange>,
    blocked: Vec<Blocked>,
    imports: Vec<String>,
    declared: Declared,
}

impl<'a> Mover<'a, '_> {
    fn finish(self) -> Finished {
        let Mover { redirected, changes, blocked, imports, declared, .. } = self;
        Finished { redirected, changes, blocked, imports, declared }
    }

    /// Whether a part of the old file moves.
    pub(super) fn is_inside(&self, file: FileId, span: Span) -> bool {
        let has = |piece: &Piece| {
            let end = piece.start + piece.text.len();
            piece.start <= span.start() && span.end() <= end && span.start() < end
        };
        file == self.from && self.pieces.iter().any(has)
    }

    pub(super) fn separator(&self) -> &'static str {
        &self.tree.language().spec().imports.separator
    }

    /// The path of a module from the root on.
    pub(super) fn absolute(&self, names: &[String]) -> String {
        let rules = &self.tree.language().spec().symbols.module_words;
        let root = rules.root.first().map_or("", String::as_str);
        let names = std::iter::once(root).chain(names.iter().map(String::as_str));
        names.collect::<Vec<&str>>().join(self.separator())
    }

    /// The path of the new module.
    pub(super) fn new_path(&self) -> String {
        self.absolute(&self.home.names)
    }

    /// Changes the text of a file, or of what moves.
    pub(super) fn change(&mut self, file: FileId, change: TextChange) {
        if self.is_inside(file, change.span) {
            self.changes.push(change);
        } else {
            self.redirected.entry(file).or_default().changes.change_once(change);
        }
    }

    pub(super) fn block(&mut self, file: FileId, start: usize, why: impl Into<String>) {
        self.blocked.push(Blocked { file, start, why: why.into() });
    }

    /// Whether the new module can use what has a reach.
    pub(super) fn is_seen_from_home(&self, reach: Reach) -> bool {
        match reach {
            Reach::Everywhere | Reach::Library => true,
            Reach::Module(module) => self.resolver.is_module_within(self.home.module, module),
        }
    }

    /// Lets the whole library or program use a definition.
    pub(super) fn open(&mut self, site: Site) {
        let Some((_, start)) = self.resolver.words_of_reach(site) else { return };
        if self.opened.insert((site.file, start))
            && let Some(change) = opening(self.resolver, site)
        {
            self.change(site.file, change);
        }
    }

    /// Lets the module in which it is use what moves, and the new module the modules around it.
    fn open_for_users(&mut self) {
        let users = std::mem::take(&mut self.users);
        for (start, modules) in users {
            let Some(&site) = self.moving.get(&start) else { continue };
            let tops = self.pieces.iter().any(|piece| piece.site == site);
            for &module in &modules {
                if tops {
                    self.open_way_to_home(module, site);
                }
            }
            let is_seen = |module: &Thing| match self.resolver.reach_of(site) {
                Reach::Everywhere | Reach::Library => true,
                Reach::Module(_) => self.is_seen_at_home(site, *module),
            };
            if !modules.iter().all(is_seen) {
                self.open(site);
            }
        }
    }

    /// Whether a module can use a definition with its own words when that has moved.
    fn is_seen_at_home(&self, site: Site, module: Thing) -> bool {
        let home = self.home.module;
        let is_around = match self.resolver.words_of_reach(site) {
            Some((Some(_), _)) => {
                let around = if self.home.is_new { Some(home) } else { self.resolver.outer_module(home) };
                return around.is_some_and(|around| self.resolver.is_module_within(module, around))
                    && self.resolver.outer_module(Thing::Module(self.from)).map(Reach::Module)
                        == Some(self.resolver.reach_of(site));
            }
            _ => !self.home.is_new,
        };
        is_around && self.resolver.is_module_within(module, home)
    }

    /// Lets a module use the modules on the way to the new one.
    fn open_way_to_home(&mut self, module: Thing, site: Site) {
        let root = |module: Thing| match module {
            Thing::Module(file) | Thing::Symbol(Site { file, .. }) => Some(self.resolver.root_of_module(file)),
            Thing::Folder(_) | Thing::Package(_) => None,
        };
        let is_outside = root(module) != root(self.home.module);
        let is_open = self.resolver.reach_of(site) == Reach::Everywhere
            && is_open_to_all(self.resolver, Thing::Module(self.from));
        if self.home.is_new {
            let is_inside = self.resolver.is_module_within(module, self.home.module);
            if (is_outside || is_open) && self.declared < Declared::Everywhere && self.wants_documentation() {
                let why =
                    "the new module would be public, and this library wants documentation of it: create the file first";
                self.block(self.from, self.tree.span(site.name).start(), why);
            }
            let wanted = match (is_outside || is_open, is_inside) {
                (true, _) => Declared::Everywhere,
                (false, true) => Declared::Inside,
                (false, false) => Declared::Library,
            };
            self.declared = self.declared.max(wanted);
        }
        let mut next = Some(self.home.module);
        while let Some(inner) = next {
            if let Some(declared) = self.resolver.declaration_of(inner) {
                let is_seen = match self.resolver.reach_of(declared) {
                    Reach::Everywhere => true,
                    Reach::Library => !is_outside,
                    Reach::Module(around) => self.resolver.is_module_within(module, around),
                };
                if is_outside && !is_seen {
                    let start = self.tree.span(site.name).start();
                    self.block(self.from, start, "code outside of the library uses it, and the new module is private");
                } else if !is_seen {
                    self.open(declared);
                }
            }
            next = self.resolver.outer_module(inner);
        }
    }

    /// Whether the library refuses public modules without documentation.
    fn wants_documentation(&self) -> bool {
        let Thing::Module(root) = self.resolver.root_of_module(self.from) else { return false };
        let regex = &self.tree.language().spec().symbols.module_tree.documented;
        self.resolver.tree(root).is_some_and(|tree| regex.get().is_match(&tree.text().to_string()))
    }

    /// Where the first word of a path before a name begins, and the path; `None` if there is none.
    pub(super) fn path_before(&self, tree: &Tree, start: usize) -> Option<(Span, String)> {
        path_before(tree, start)
    }
}

/// The conditions under which a module is compiled.
pub(crate) fn conditions(resolver: &Resolver<'_>, module: Thing) -> Vec<String> {
    let (mut found, mut next) = (Vec::new(), Some(module));
    while let Some(inner) = next {
        let declared = resolver.declaration_of(inner);
        if let Some((site, tree)) = declared.and_then(|site| Some((site, resolver.tree(site.file)?))) {
            let definition = tree.table().ancestors(site.name).find(|&node| tree.name_node(node) == Some(site.name));
            let leading = definition.into_iter().flat_map(|node| tree.attachments().leading(tree.table(), node));
            let condition = &tree.language().spec().symbols.module_tree.condition;
            let texts = leading.map(|node| tree.node_text(node).into_owned());
            found.extend(texts.filter(|text| condition.get().is_match(text)));
        }
        next = resolver.outer_module(inner);
    }
    found
}

/// Where definitions go in a file: after the last one that is no module.
fn place_in(resolver: &Resolver<'_>, file: FileId, tree: &Tree) -> (Node, Position) {
    let rules = &tree.language().spec().symbols.module_tree;
    let units: Vec<Node> = tree.named_children(Node::ROOT).collect();
    let is_module = |node: Node| rules.types.contains(tree.table().type_id(node));
    let imports: Vec<ImportedName> = resolver.imported_names(file);
    let is_import = |node: Node| imports.iter().any(|import| import.statement == node);
    let is_definition = |node: &&Node| tree.is_scope(**node) && !is_module(**node) && !is_import(**node);
    match units.iter().rev().find(is_definition).or(units.last()) {
        Some(&unit) => (unit, Position::After),
        None => (Node::ROOT, Position::Last),
    }
}

/// The change that declares a new module: after the other declarations.
pub(crate) fn declaration(resolver: &Resolver<'_>, file: FileId, tree: &Tree, code: &str) -> TextChange {
    let rules = &tree.language().spec().symbols.module_tree;
    let newline = tree.text().newline();
    let units: Vec<Node> = tree.named_children(Node::ROOT).collect();
    let declares = |node: &&Node| rules.types.contains(tree.table().type_id(**node)) && tree.body(**node).is_none();
    let imports = resolver.imported_names(file);
    let is_import = |node: &&Node| imports.iter().any(|import| import.statement == **node);
    let is_code = |node: &&Node| {
        !tree.is_comment(**node) && !tree.table().fits_any(**node, &tree.language().spec().imports.first)
    };
    if let Some(&last) = units.iter().rev().find(declares) {
        let extent = tree.span(last);
        return TextChange { span: Span::at(extent.end()), text: format!("{newline}{code}"), extent };
    }
    let first = units.iter().find(is_import).or_else(|| units.iter().find(is_code)).copied();
    let leading = |unit: Node| tree.attachments().leading(tree.table(), unit);
    // An attribute is a unit of its own, and belongs to a later one.
    let owner =
        |first: Node| units.iter().copied().find(|&unit| leading(unit).any(|node| node == first)).unwrap_or(first);
    let place = first.map(owner).map(|owner| leading(owner).next().unwrap_or(owner));
    let place = place.map(|place| attached_comments(tree, place).first().copied().unwrap_or(place));
    let extent = place.map_or(Span::at(tree.text().len()), |place| tree.span(place));
    TextChange { span: Span::at(extent.start()), text: format!("{code}{newline}{newline}"), extent }
}
