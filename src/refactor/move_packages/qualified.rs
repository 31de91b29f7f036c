//! Names that other packages use with the name of the package: `pkg.Name`.

use crate::edit::Op;
use crate::modules::FileId;
use crate::refactor::move_packages::crossing::Crossing;
use crate::symbols::{Bound, BoundName, ImportedName, Place, Site, Thing};
use crate::text::Span;
use crate::transfer::import_parts::{FileTree, Part, has_only, parts};
use crate::tree::{Node, Tree};

/// A name in a file.
#[derive(Clone, Copy)]
struct Name<'a> {
    file: FileId,
    tree: &'a Tree,
    node: Node,
    span: Span,
    /// Whether it moves.
    is_inside: bool,
    /// The name before its dot, and the folder of the package that this means.
    object: Option<Span>,
    folder: Option<u32>,
}

impl Crossing<'_, '_> {
    /// Names the packages where names cross the border.
    pub(super) fn qualify(&mut self, names: &[BoundName]) {
        for name in names {
            let Some(tree) = self.resolver.tree(name.file) else { continue };
            let node = tree.table().smallest_around(name.span);
            let object = self.resolver.object_before(name.file, node);
            let folder = object.and_then(|_| match self.resolver.object_module(name.file, node) {
                Some(Thing::Folder(folder)) => Some(folder),
                _ => None,
            });
            let is_inside = self.parcel.has(name.file, name.span);
            let object = object.map(|object| tree.span(object));
            let one = Name { file: name.file, tree, node, span: name.span, is_inside, object, folder };
            match &name.bound {
                Bound::Known(places) => self.qualify_known(one, places),
                Bound::Unknown(places) if !is_inside && self.among(places, true).is_some() => {
                    self.doubt(name.file, name.span.start(), "it may refer to what moves");
                }
                Bound::Unknown(places) if is_inside && one.object.is_none() && self.among(places, false).is_some() => {
                    self.doubt(name.file, name.span.start(), "it may refer to what stays");
                }
                _ => {}
            }
        }
    }

    /// The definition that moves, or stays, among some places.
    fn among(&self, places: &[Place], moves: bool) -> Option<Site> {
        let known = if moves { &self.parcel.moving } else { &self.parcel.staying };
        places.iter().find_map(|place| match place {
            Place::Symbol(file, start) => known.get(&(*file, *start)).copied(),
            _ => None,
        })
    }

    fn qualify_known(&mut self, name: Name<'_>, places: &[Place]) {
        let Name { file, tree, node, span, is_inside, object, folder } = name;
        let is_of_new = folder.is_some() && folder == self.parcel.new.number;
        let site = match is_inside {
            true if is_of_new => {
                return self.drop_object(name);
            }
            true => self.among(places, false),
            false => self.among(places, true),
        };
        let Some(site) = site else { return };
        if let Some(object) = object {
            // Otherwise it is a field that has the name of its type.
            if !is_inside && folder.is_some() && folder == self.parcel.old.number {
                if self.parcel.new.files.contains(&file) {
                    return self.drop_object(name);
                }
                let Some(qualifier) = self.name_of_new(file, tree) else { return };
                self.dropped_names.insert((file, object.start()));
                self.change(tree, file, object, qualifier);
            }
            return;
        }
        let is_field = self.resolver.is_key_of_element(file, node) && self.resolver.is_class(site);
        if is_field {
            return;
        }
        if !self.parcel.old.files.contains(&file) {
            return self.block(file, span.start(), "an import of everything in the package may bind it");
        }
        if !self.resolver.is_open_to_packages(site) {
            let text = tree.node_text(node).into_owned();
            return self.hide(&text, file, span.start());
        }
        let qualifier = if is_inside { self.name_of_old() } else { self.name_of_new(file, tree) };
        if let Some(qualifier) = qualifier {
            self.change(tree, file, Span::at(span.start()), format!("{qualifier}."));
        }
    }

    /// Takes the name of a package away before a name.
    fn drop_object(&mut self, name: Name<'_>) {
        let Some(object) = name.object else { return };
        self.dropped_names.insert((name.file, object.start()));
        let span = Span::new(object.start(), name.span.start());
        self.change(name.tree, name.file, span, String::new());
    }

    /// The import of a package in a file under a name.
    fn import_of(&self, file: FileId, folder: Option<u32>) -> Option<ImportedName> {
        let imports = self.resolver.imported_names(file);
        let is_its = |import: &ImportedName| {
            !import.is_glob
                && import.alias.as_deref() != Some("_")
                && folder.is_some_and(|folder| {
                    self.resolver.imported_module(file, &import.name) == Some(Thing::Folder(folder))
                })
        };
        imports.into_iter().find(is_its)
    }

    /// The name by which a file calls the new package, which it imports then.
    fn name_of_new(&mut self, file: FileId, tree: &Tree) -> Option<String> {
        if let Some(known) = self.names_of_new.get(&file) {
            return known.clone();
        }
        let package = &self.parcel.new;
        let name = match self.import_of(file, package.number) {
            Some(import) => Some(import.alias.unwrap_or_else(|| package.name.clone())),
            None => {
                let (path, name) = (package.path.clone(), package.name.clone());
                let free = self.free_name(&name, &[(file, tree)]);
                match &free {
                    Some(free) => {
                        let code =
                            self.import_text(&path, Some(free).filter(|free| **free != name).map(String::as_str));
                        self.import(file, code, &path);
                    }
                    None => self.block(file, 0, format!("no name is free for an import of `{path}`")),
                }
                free
            }
        };
        self.names_of_new.insert(file, name.clone());
        name
    }

    /// The name by which what moves calls the old package, which its new file imports then.
    fn name_of_old(&mut self) -> Option<String> {
        if let Some(known) = &self.name_of_old {
            return Some(known.clone());
        }
        let package = self.parcel.old.clone();
        let own = self.parcel.home.and_then(|home| self.import_of(home, package.number));
        let name = match own {
            Some(import) => import.alias.unwrap_or_else(|| package.name.clone()),
            None => {
                let resolver = self.resolver;
                let mut files: Vec<FileId> = self.parcel.parts.iter().map(|part| part.file).collect();
                files.extend(self.parcel.home);
                files.sort_unstable();
                files.dedup();
                let trees: Vec<(FileId, &Tree)> =
                    files.into_iter().filter_map(|file| Some((file, resolver.tree(file)?))).collect();
                let Some(free) = self.free_name(&package.name, &trees) else {
                    let part = self.parcel.parts[0];
                    self.block(
                        part.file,
                        part.span.start(),
                        format!("no name is free for an import of `{}`", package.path),
                    );
                    return None;
                };
                let alias = Some(free.as_str()).filter(|free| *free != package.name);
                let code = self.import_text(&package.path, alias);
                match self.parcel.whole {
                    Some(file) => self.import(file, code, &package.path),
                    None => {
                        self.needs.insert(code);
                        self.note_import(None, &package.path);
                    }
                }
                free
            }
        };
        self.name_of_old = Some(name.clone());
        Some(name)
    }

    /// A name for a package that some files do not use, and that neither package has.
    fn free_name(&self, name: &str, files: &[(FileId, &Tree)]) -> Option<String> {
        let resolver = self.resolver;
        let packages = self.parcel.old.files.iter().chain(&self.parcel.new.files).copied();
        let tops: Vec<FileId> = packages.collect();
        let is_taken = |candidate: &str| {
            files.iter().any(|(file, tree)| {
                resolver.identifiers(*file).iter().any(|&node| *tree.node_text(node) == *candidate)
                    || parts(resolver, FileTree { file: *file, tree }, &[])
                        .iter()
                        .any(|part| part.bound.as_deref() == Some(candidate))
            }) || tops
                .iter()
                .any(|&file| resolver.has_binding_at_top(file, candidate) && !is_alias(resolver, file, candidate))
        };
        let candidates = [name.to_owned(), format!("{name}pkg"), format!("{name}2"), format!("{name}3")];
        candidates.into_iter().find(|candidate| !is_taken(candidate))
    }

    /// Deletes the imports of both packages where nothing needs them any more.
    pub(super) fn drop_package_imports(&mut self, names: &[BoundName]) {
        if !self.parcel.is_qualified() {
            return;
        }
        let files: Vec<FileId> = {
            let mut files: Vec<FileId> = self.dropped_names.iter().map(|&(file, _)| file).collect();
            files.dedup();
            files
        };
        for file in files {
            let Some(tree) = self.resolver.tree(file) else { continue };
            for folder in [self.parcel.old.number, self.parcel.new.number].into_iter().flatten() {
                let Some(import) = self.import_of(file, Some(folder)) else { continue };
                let in_import = |span: Span| tree.span(import.statement).contains(span);
                let is_its = |name: &&BoundName| {
                    name.file == file
                        && name.bound == Bound::Known(vec![Place::Folder(folder)])
                        && !in_import(name.span)
                };
                let mut uses = names.iter().filter(is_its).peekable();
                let leaves_file = |span: Span| self.parcel.whole.is_none() && self.parcel.has(file, span);
                let is_gone = |name: &BoundName| {
                    self.dropped_names.contains(&(file, name.span.start())) || leaves_file(name.span)
                };
                let is_used_now = Some(folder) == self.parcel.new.number && self.names_of_new.contains_key(&file);
                if is_used_now || uses.peek().is_none() || !uses.all(is_gone) {
                    continue;
                }
                let all = parts(self.resolver, FileTree { file, tree }, &[]);
                if let Some(part) = all.iter().find(|part| tree.table().is_within(import.node, part.node)) {
                    self.drop_part(file, tree, &all, part);
                }
            }
        }
    }

    /// Deletes a part of an import, or all of it.
    pub(super) fn drop_part(&mut self, file: FileId, tree: &Tree, all: &[Part], part: &Part) {
        if self.dropped.contains(&(file, part.node)) {
            return;
        }
        self.dropped.push((file, part.node));
        let its = all.iter().filter(|other| other.statement == part.statement);
        let is_last =
            its.clone().all(|other| self.dropped.contains(&(file, other.node))) && has_only(tree, part.statement, all);
        let ops = &mut self.redirected.entry(file).or_default().ops;
        if is_last {
            let nodes: Vec<Node> = its.map(|other| other.node).collect();
            ops.retain(|op| !matches!(op, Op::Delete { target, .. } if nodes.contains(target)));
        }
        ops.push(Op::Delete { target: if is_last { part.statement } else { part.node }, extent: None });
    }

    /// Brings the imports that moved definitions need to their new home, and drops those that only they needed.
    pub(super) fn carry_imports(&mut self) {
        let mut files: Vec<FileId> = self.parcel.parts.iter().map(|part| part.file).collect();
        files.sort_unstable();
        files.dedup();
        for file in files {
            let Some(tree) = self.resolver.tree(file) else { continue };
            let own = self.parcel.parts.iter().filter(|part| part.file == file);
            let spans: Vec<Span> = own.map(|part| part.span).collect();
            let all = parts(self.resolver, FileTree { file, tree }, &spans);
            self.check_imports(file, tree, &all);
            if self.parcel.whole.is_some() {
                continue;
            }
            for part in &all {
                let folder = match self.resolver.imported_module(file, &part.path) {
                    Some(Thing::Folder(folder)) => Some(folder),
                    _ => None,
                };
                let is_of_new = match self.parcel.is_qualified() {
                    true => folder.is_some() && folder == self.parcel.new.number,
                    false => self.is_in_new(part),
                };
                // What stays may use the new package now.
                let is_used_now = is_of_new && self.names_of_new.contains_key(&file);
                if part.is_left_over && !is_used_now {
                    self.drop_part(file, tree, &all, part);
                }
                if part.is_needed && !is_of_new {
                    self.carry(file, tree, part);
                }
            }
        }
    }

    /// Whether an import is of a class at the top of the new package.
    fn is_in_new(&self, part: &Part) -> bool {
        let separator = self.parcel.language.spec().imports.separator.as_str();
        part.path.rsplit_once(separator).is_some_and(|(package, _)| package == self.parcel.new.name)
    }

    fn carry(&mut self, file: FileId, tree: &Tree, part: &Part) {
        let start = tree.span(part.node).start();
        let resolver = self.resolver;
        if let Some(home) = self.parcel.home
            && let Some(target) = resolver.tree(home)
        {
            let own = parts(resolver, FileTree { file: home, tree: target }, &[]);
            let same = own.iter().filter(|other| other.bound == part.bound && other.bound.is_some());
            if same.clone().any(|other| other.path == part.path) {
                return;
            }
            if same.count() > 0 {
                let name = part.bound.clone().unwrap_or_default();
                return self.block(file, start, format!("`{name}` is another package in the new file"));
            }
        }
        if let Some(bound) = &part.bound
            && self
                .parcel
                .new
                .files
                .iter()
                .any(|&file| resolver.has_binding_at_top(file, bound) && !is_alias(resolver, file, bound))
        {
            return self.block(file, start, format!("`{bound}` is a definition of the new package"));
        }
        self.needs.insert(part.code.clone());
        self.note_import(None, &part.path);
    }

    /// Refuses imports of which it is not known who uses them.
    fn check_imports(&mut self, file: FileId, tree: &Tree, all: &[Part]) {
        if !self.parcel.is_qualified() {
            return;
        }
        let foreign = &self.parcel.language.spec().symbols.package_borders.foreign_imports;
        for part in all {
            let start = tree.span(part.node).start();
            let moves = part.is_needed || self.parcel.whole.is_some();
            if moves && foreign.contains(&part.path) {
                self.block(file, start, "code in another language belongs to its file");
            } else if part.is_needed && part.bound.is_none() {
                self.block(file, start, "an import of everything in a package may bind names of what moves");
            } else if part.bound.as_deref().is_some_and(|bound| bound != "_")
                && !part.is_used
                && self.parcel.whole.is_none()
            {
                self.block(file, start, "the name of the imported package is not known");
            }
        }
    }

    /// Refuses names that the new package, or an import in it, has already.
    pub(super) fn check_names(&mut self) {
        let resolver = self.resolver;
        let names = self.parcel.names(resolver);
        for &file in &self.parcel.new.files {
            let Some(tree) = resolver.tree(file) else { continue };
            for top in resolver.top_definitions(file) {
                if names.contains(&top.name) && top.name != "_" {
                    let start = tree.span(top.site.name).start();
                    self.block(file, start, format!("the new package has another `{}`", top.name));
                }
            }
            let imports =
                if self.parcel.is_qualified() { parts(resolver, FileTree { file, tree }, &[]) } else { Vec::new() };
            for part in imports {
                if let Some(bound) = part.bound.filter(|bound| names.contains(bound)) {
                    let start = tree.span(part.node).start();
                    self.block(file, start, format!("a file of the new package imports another `{bound}`"));
                }
            }
        }
    }
}

/// Whether an import of a file binds a name.
fn is_alias(resolver: &crate::symbols::Resolver<'_>, file: FileId, name: &str) -> bool {
    resolver.imported_names(file).iter().any(|import| import.alias.as_deref() == Some(name))
}
