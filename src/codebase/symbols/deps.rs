//! Which files import which.

use super::inference::resolver::{Resolver, View};
use super::model::{Meaning, Thing};
use crate::language::ModuleScheme;
use crate::modules::FileId;
use crate::scopes::imported::{self, Imported};
use crate::tree::Node;

/// A module that a file imports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency {
    /// The module as the import names it.
    pub source: String,
    /// The line of the import, from 1.
    pub line: usize,
    /// The files that it is; none if the module is outside the project, or not found.
    pub files: Vec<FileId>,
    /// Whether it should be in the project and is not: a relative path that leads nowhere.
    pub is_missing: bool,
    /// Whether nothing of the project is meant.
    pub is_external: bool,
}

/// The modules that a file imports, or exports from, in order.
pub fn dependencies(resolver: &Resolver<'_>, file: FileId) -> Vec<Dependency> {
    let Some(view) = resolver.view(file) else { return Vec::new() };
    let table = view.tree.table();
    let types = &view.tree.language().spec().imports.types;
    let is_import = |&node: &Node| types.contains(table.type_id(node)) && imported::is_import(view.tree, node);
    let imports = table.nodes().filter(is_import);
    let imports = imports.flat_map(|node| imported::read(view.tree, node).into_iter().map(move |part| (node, part)));
    let exports = view.exports().iter().filter(|(_, part)| !part.source.is_empty()).cloned();
    let mut found: Vec<Dependency> = Vec::new();
    for (node, part) in imports.chain(exports) {
        let line = view.tree.start(node).line;
        for dependency in resolver.dependencies_of(file, (node, &part), line) {
            let is_same =
                |known: &&mut Dependency| known.source == dependency.source && known.files == dependency.files;
            if found.iter_mut().find(is_same).is_none() {
                found.push(dependency);
            }
        }
    }
    for (source, line) in resolver.required_sources(file) {
        if !found.iter().any(|known| known.source == source) {
            let module = resolver.project().imported_module(file, view.tree.language(), &source);
            let is_missing = module.is_none() && source.starts_with('.');
            found.push(Dependency { is_missing, ..dependency(file, source, line, module) });
        }
    }
    for one in resolver.uses_inside(&view) {
        let line = view.tree.text().line_at(one.span.start());
        let is_missing = one.target.is_none() && one.text.starts_with('.');
        let found_there = Dependency { is_missing, ..dependency(file, one.text, line, one.target) };
        if !found.iter().any(|known| known.source == found_there.source) {
            found.push(found_there);
        }
    }
    found.sort_by_key(|dependency| dependency.line);
    found
}

impl Resolver<'_> {
    /// What one imported name or module depends on.
    fn dependencies_of(&self, file: FileId, (import, part): (Node, &Imported), line: usize) -> Vec<Dependency> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let language = view.tree.language();
        let modules = &self.project().modules;
        match view.rules.modules {
            Some(ModuleScheme::ModuleTree | ModuleScheme::Packages) => {
                return vec![self.dependency_on_path(&view, import, part, line)];
            }
            Some(ModuleScheme::PackageFolders) => {
                let Some(Thing::Folder(folder)) = self.project().imported_module(file, language, &part.name) else {
                    return vec![dependency(file, part.name.clone(), line, [])];
                };
                let private = &view.rules.module_files.private;
                let is_seen = |file: &FileId| {
                    let file = self.project().file(*file);
                    let stem = file.path.rsplit_once('.').map_or(file.path.as_str(), |(stem, _)| stem);
                    file.language == language && !private.iter().any(|end| stem.ends_with(end.as_str()))
                };
                let files = modules.files_in(folder).iter().copied().filter(is_seen);
                return vec![dependency(file, part.name.clone(), line, files.map(Thing::Module))];
            }
            _ => {}
        }
        let source = if part.source.is_empty() { &part.name } else { &part.source };
        let module = self.project().imported_module(file, language, source);
        // `from package import module`
        let inner = module.filter(|_| !part.source.is_empty() && !part.is_glob);
        let inner = inner.and_then(|module| self.project().child_module(module, &part.name, language));
        let is_missing = module.is_none() && source.starts_with('.');
        vec![Dependency { is_missing, ..dependency(file, source.clone(), line, module.into_iter().chain(inner)) }]
    }

    /// The dependency on what a path of names means: the file that defines it, or all files of a package.
    fn dependency_on_path(&self, view: &View<'_>, import: Node, part: &Imported, line: usize) -> Dependency {
        let separator = view.tree.language().spec().imports.separator.as_str();
        let path = if part.is_glob { &part.glob_path } else { &part.name };
        let meaning = self.nested(Meaning::Unknown(Vec::new()), || self.scheme(view).path(self, view, import, path));
        let things = match &meaning {
            Meaning::Known(things) => things.clone(),
            // Everything in a package.
            _ if part.is_glob && view.rules.modules == Some(ModuleScheme::Packages) => {
                let modules = &self.project().modules;
                let folders = modules.folders_named(&path.replace(separator, "/")).into_iter();
                let files = folders.flat_map(|folder| modules.files_in(folder)).copied();
                let language = view.tree.language();
                let is_its = |file: &FileId| self.project().file(*file).language == language;
                let strays = self.trees.strays(language, path).iter().copied();
                files.filter(is_its).chain(strays).map(Thing::Module).collect()
            }
            _ => Vec::new(),
        };
        let first = path.split(separator).next().unwrap_or_default();
        let words = [&view.rules.module_words.root, &view.rules.module_words.own, &view.rules.module_words.parent];
        let is_own = words.iter().any(|words| words.iter().any(|word| word == first));
        let is_missing = is_own && matches!(&meaning, Meaning::Unknown(things) if things.is_empty());
        Dependency { is_missing, ..dependency(view.file, path.to_owned(), line, things) }
    }
}

/// The dependency of a file on the files of modules, or of what they define.
fn dependency(file: FileId, source: String, line: usize, things: impl IntoIterator<Item = Thing>) -> Dependency {
    let file_of = |thing: Thing| match thing {
        Thing::Module(file) => Some(file),
        Thing::Symbol(site) => Some(site.file),
        Thing::Folder(_) | Thing::Package(_) => None,
    };
    let mut things = things.into_iter().peekable();
    let is_external = things.peek().is_none();
    let mut files: Vec<FileId> = things.filter_map(file_of).collect();
    files.retain(|&other| other != file);
    files.sort_unstable();
    files.dedup();
    Dependency { source, line, files, is_missing: false, is_external }
}

/// The groups of files that import each other, directly or through others, the largest first.
pub fn import_cycles(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut search =
        Components { edges, found: Vec::new(), next: 1, stack: Vec::new(), state: vec![(0, 0, false); edges.len()] };
    for start in 0..edges.len() {
        if search.state[start].0 == 0 {
            search.visit(start);
        }
    }
    let mut found = search.found;
    found.iter_mut().for_each(|group| group.sort_unstable());
    found.sort_by_key(|group| (std::cmp::Reverse(group.len()), group.first().copied()));
    found
}

/// The strongly connected components of a graph, by depth-first search without recursion.
struct Components<'a> {
    edges: &'a [Vec<usize>],
    found: Vec<Vec<usize>>,
    next: usize,
    stack: Vec<usize>,
    /// For each vertex its number (0 before the visit), the lowest number that it reaches, and whether it is on the stack.
    state: Vec<(usize, usize, bool)>,
}

impl Components<'_> {
    fn visit(&mut self, start: usize) {
        let mut path = vec![(start, 0)];
        self.open(start);
        while let Some((vertex, place)) = path.pop() {
            if let Some(&next) = self.edges[vertex].get(place) {
                path.push((vertex, place + 1));
                if self.state[next].0 == 0 {
                    self.open(next);
                    path.push((next, 0));
                } else if self.state[next].2 {
                    self.state[vertex].1 = self.state[vertex].1.min(self.state[next].0);
                }
                continue;
            }
            if let Some(&(outer, _)) = path.last() {
                self.state[outer].1 = self.state[outer].1.min(self.state[vertex].1);
            }
            if self.state[vertex].0 == self.state[vertex].1 {
                self.close(vertex);
            }
        }
    }

    fn open(&mut self, vertex: usize) {
        self.state[vertex] = (self.next, self.next, true);
        self.next += 1;
        self.stack.push(vertex);
    }

    fn close(&mut self, vertex: usize) {
        let mut group = Vec::new();
        while let Some(member) = self.stack.pop() {
            self.state[member].2 = false;
            group.push(member);
            if member == vertex {
                break;
            }
        }
        if group.len() > 1 || self.edges[vertex].contains(&vertex) {
            self.found.push(group);
        }
    }
}
