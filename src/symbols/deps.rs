//! Which files import which.

use super::model::{FileId, Thing};
use super::resolver::Resolver;
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
        for dependency in resolver.dependencies_of(file, &part, line) {
            let is_same =
                |known: &&mut Dependency| known.source == dependency.source && known.files == dependency.files;
            if found.iter_mut().find(is_same).is_none() {
                found.push(dependency);
            }
        }
    }
    found.sort_by_key(|dependency| dependency.line);
    found
}

impl Resolver<'_> {
    /// What one imported name or module depends on.
    fn dependencies_of(&self, file: FileId, part: &Imported, line: usize) -> Vec<Dependency> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let language = view.tree.language();
        let modules = &self.project().modules;
        let source = if part.source.is_empty() { &part.name } else { &part.source };
        let module = modules.import(file, language, source);
        // `from package import module`
        let inner = module.filter(|_| !part.source.is_empty() && !part.is_glob);
        let inner = inner.and_then(|module| modules.child(module, &part.name, language));
        let file_of = |thing: Thing| match thing {
            Thing::Module(file) => Some(file),
            Thing::Symbol(_) | Thing::Folder(_) | Thing::Package(_) => None,
        };
        let mut files: Vec<FileId> = module.into_iter().chain(inner).filter_map(file_of).collect();
        files.retain(|&other| other != file);
        files.sort_unstable();
        files.dedup();
        let is_missing = module.is_none() && source.starts_with('.');
        vec![Dependency { source: source.clone(), line, files, is_missing }]
    }
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
