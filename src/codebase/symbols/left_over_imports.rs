//! Imports without a use in a file that has changed, where a compiler refuses them.

use rustc_hash::FxHashSet;

use super::inference::resolver::{Resolver, View};
use super::model::Thing;
use crate::modules::FileId;
use crate::scopes::imported::{self, Imported, is_import};
use crate::scopes::{Scopes, VariableName};
use crate::tree::{Node, Tree};

/// The imports of a file whose last uses are gone.
#[derive(Debug, Clone, Default)]
pub struct LeftOverImports {
    /// The parts of imports that nothing uses any more, or the whole statements.
    pub gone: Vec<Node>,
    /// Imports that may have no use any more: the names of their packages are not known.
    pub unsure: Vec<Node>,
}

impl Resolver<'_> {
    /// The imports that had a use in an older tree of a file, and have none now. Imports bind the names of packages here, whose members
    /// are used after a dot.
    pub fn left_over_imports(&self, file: FileId, old: &Tree) -> LeftOverImports {
        let mut left = LeftOverImports::default();
        let Some(view) = self.view(file) else { return left };
        let (before, now) = (names_before_dots(old), names_before_dots(view.tree));
        let lost = || before.iter().filter(|&name| !now.contains(name));
        if lost().next().is_none() {
            return left;
        }
        let foreign = &view.rules.package_borders.foreign_imports;
        let is_used_by_name = |part: &Imported| {
            !part.is_glob && !foreign.contains(&part.name) && (part.alias.is_none() || part.bound.is_some())
        };
        let parts: Vec<Imported> = imports(old).into_iter().filter(is_used_by_name).collect();
        let still = |part: &Imported| {
            let is_it = |(_, other): &&(Node, Imported)| other.name == part.name && other.alias == part.alias;
            view.imports().iter().find(is_it)
        };
        let mut orphans = Vec::new();
        for name in lost().filter(|name| self.name_in_own_folder(&view, name).is_none()) {
            match parts.iter().find(|part| self.may_bind_package(&view, part, name)) {
                Some(part) => left.gone.extend(still(part).map(|(_, part)| part.node)),
                None => orphans.push(name),
            }
        }
        // The name of a package may differ from what its path suggests.
        let is_nameless = |part: &&Imported| !before.iter().any(|name| self.may_bind_package(&view, part, name));
        for name in orphans {
            let nameless: Vec<&Imported> = parts.iter().filter(is_nameless).collect();
            let alike: Vec<&&Imported> = nameless.iter().filter(|part| part.name.contains(name.as_str())).collect();
            match alike[..] {
                [part] => left.gone.extend(still(part).map(|(_, part)| part.node)),
                _ => left.unsure.extend(nameless.iter().filter_map(|part| still(part)).map(|(_, part)| part.node)),
            }
        }
        left.gone.sort_unstable();
        left.gone.dedup();
        left.gone = whole_statements(&view, &left.gone);
        left.unsure.sort_unstable();
        left.unsure.dedup();
        left
    }

    /// Whether an import binds a name, or seems to.
    fn may_bind_package(&self, view: &View<'_>, part: &Imported, name: &str) -> bool {
        if let Some(alias) = &part.alias {
            return alias == name;
        }
        let language = view.tree.language();
        match self.project().imported_module(view.file, language, &part.name) {
            Some(Thing::Folder(folder)) => self.declares(folder, language, name),
            _ => part.bound.as_deref() == Some(name),
        }
    }
}

/// The names of a file that something after a dot is a member of, and that are no variables of the file.
fn names_before_dots(tree: &Tree) -> FxHashSet<String> {
    let (table, scopes) = (tree.table(), Scopes::with_members(tree));
    let spec = tree.language().spec();
    let (objects, types) = (&spec.symbols.objects, &spec.imports.types);
    let mut found = FxHashSet::default();
    for node in table.nodes() {
        for path in objects.of(table.type_id(node)).into_iter().flatten() {
            for object in tree.reached(node, path).into_iter().filter(|&object| scopes.is_identifier(object)) {
                let names = scopes.names_like(object);
                let variable = names.at(object).and_then(|found| names.resolve(&scopes, found));
                let is_import = |symbol| {
                    let imports =
                        |found: &VariableName| table.ancestors(found.name).any(|up| types.contains(table.type_id(up)));
                    names.binders(&scopes, symbol).any(imports)
                };
                if variable.is_none_or(is_import) {
                    found.insert(tree.node_text(object).into_owned());
                }
            }
        }
    }
    found
}

/// The imports of a tree, name by name.
fn imports(tree: &Tree) -> Vec<Imported> {
    let nodes = tree.table().nodes().filter(|&node| is_import(tree, node));
    nodes.flat_map(|node| imported::read(tree, node)).collect()
}

/// The statements of parts whose other parts go as well, and the other parts themselves.
fn whole_statements(view: &View<'_>, gone: &[Node]) -> Vec<Node> {
    let statement_of = |part: Node| {
        let (statement, _) = view.imports().iter().find(|(_, other)| other.node == part)?;
        let mut all = view.imports().iter().filter(|(other, _)| other == statement);
        all.all(|(_, other)| gone.contains(&other.node)).then_some(*statement)
    };
    let mut whole: Vec<Node> = gone.iter().map(|&part| statement_of(part).unwrap_or(part)).collect();
    whole.dedup();
    whole
}
