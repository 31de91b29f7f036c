//! Packages whose files share one scope, and which of their names other packages cannot use.

use super::inference::resolver::{Resolver, View};
use super::model::{Meaning, Site, Thing};
use super::project::Project;
use crate::language::ModuleScheme;
use crate::modules::FileId;
use crate::text::Span;
use crate::tree::Node;

/// The package of a file, as the file declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredPackage {
    /// Its name.
    pub name: String,
    /// Where the name is.
    pub span: Span,
}

/// How files import the package in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackagePath {
    /// The path in imports.
    pub path: String,
    /// The folder of the manifest that names the module around it.
    pub module: String,
}

/// From where a member can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MemberReach {
    /// From its own class alone.
    Class,
    /// From its package.
    Package,
    /// From its package, and from classes below its own.
    Heirs,
    /// From everywhere.
    Everywhere,
}

/// The name of a member where it is defined.
#[derive(Debug, Clone)]
pub struct BorderMember {
    /// Its place.
    pub site: Site,
    /// The name.
    pub name: String,
    /// From where it can be used.
    pub reach: MemberReach,
    /// Whether a type asks others to have it: a method of an interface.
    pub is_asked_for: bool,
    /// Whether it is a function.
    pub is_method: bool,
    /// The struct around it that has no name of its own perhaps.
    pub record: Option<Node>,
}

impl Project {
    /// How files import the package in a folder; `None` if no manifest names a module around it.
    pub fn package_path(&self, folder: &str) -> Option<PackagePath> {
        let (path, module) = self.modules.path_of_package_folder(folder)?;
        Some(PackagePath { path, module })
    }
}

impl Resolver<'_> {
    /// The package that a file declares.
    pub fn declared_package(&self, file: FileId) -> Option<DeclaredPackage> {
        let view = self.view(file)?;
        let table = view.tree.table();
        let paths = |node: Node| view.rules.packages.of(table.type_id(node));
        let (statement, paths) = table.children(Node::ROOT).find_map(|node| Some((node, paths(node)?)))?;
        let name = paths.iter().flat_map(|path| view.tree.reached(statement, path)).next()?;
        let text: String = view.tree.node_text(name).split_whitespace().collect();
        Some(DeclaredPackage { name: text, span: view.tree.span(name) })
    }

    /// The files of the same package, with this one.
    pub fn files_of_package(&self, file: FileId) -> Vec<FileId> {
        let project = self.project();
        let language = project.file(file).language;
        let name = self.declared_package(file).map(|package| package.name);
        let is_folder = language.spec().symbols.modules == Some(ModuleScheme::PackageFolders);
        let folder = project.modules.folder_of(file);
        let last = name.as_deref().unwrap_or_default();
        let last = last.rsplit(language.spec().imports.separator.as_str()).next().unwrap_or_default().to_owned();
        let may_be = |&other: &FileId| {
            project.file(other).language == language
                && match is_folder {
                    true => project.modules.folder_of(other) == folder,
                    false => last.is_empty() || self.trees.may_have(other, &last),
                }
        };
        let is_its = |&other: &FileId| self.declared_package(other).map(|package| package.name) == name;
        project.ids().filter(may_be).filter(is_its).collect()
    }

    /// The statements at the top of a file that add members to a class, each with the name of the first one.
    pub fn methods_in(&self, file: FileId, class: Site) -> Vec<(Node, Node)> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let table = view.tree.table();
        let units = view.tree.named_children(Node::ROOT);
        let adds = units.filter_map(|unit| {
            let paths = view.rules.members.attached.of(table.type_id(unit))?;
            let written = paths.iter().flat_map(|path| view.tree.reached(unit, path)).next()?;
            let inside = std::iter::once(written).chain(table.descendants(written));
            let name = inside.into_iter().find(|&node| view.scopes.is_identifier(node))?;
            let is_its = self.meaning(file, name) == Meaning::site(class.file, class.name);
            is_its.then(|| Some((unit, view.tree.name_node(unit)?))).flatten()
        });
        adds.collect()
    }

    /// The expression before the dot of a name, if it is a member.
    pub fn object_before(&self, file: FileId, name: Node) -> Option<Node> {
        let view = self.view(file)?;
        view.scopes.fits(name, &view.scopes.rules.attributes)?;
        self.object_of(&view, name)
    }

    /// Whether a name is the key of an element in an expression that makes a value: a field's, or an expression.
    pub fn is_key_of_element(&self, file: FileId, name: Node) -> bool {
        self.view(file).is_some_and(|view| view.scopes.fits(name, &view.rules.made_objects.keys).is_some())
    }

    /// Whether a name can be that of a member where it is: after a dot, or as a key; anywhere, where members need no object.
    pub fn may_be_member(&self, file: FileId, name: Node) -> bool {
        self.view(file).is_some_and(|view| {
            view.rules.members.implicit
                || view.scopes.fits(name, &view.scopes.rules.attributes).is_some()
                || view.scopes.fits(name, &view.rules.made_objects.keys).is_some()
        })
    }

    /// Whether a node is a name.
    pub fn is_name(&self, file: FileId, node: Node) -> bool {
        self.view(file).is_some_and(|view| view.scopes.is_identifier(node))
    }

    /// The names of a file, in the order of the text, without that of its package.
    pub fn identifiers(&self, file: FileId) -> Vec<Node> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let table = view.tree.table();
        let clause = table.children(Node::ROOT).find(|&node| view.rules.packages.of(table.type_id(node)).is_some());
        let is_name = |&node: &Node| {
            view.scopes.is_identifier(node) && clause.is_none_or(|clause| !table.is_within(node, clause))
        };
        table.nodes().filter(is_name).collect()
    }

    /// The members that a file defines, and from where other code can use them.
    pub fn border_members(&self, file: FileId) -> Vec<BorderMember> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let table = view.tree.table();
        let rules = &view.rules.package_borders;
        let mut found = Vec::new();
        for node in table.nodes().filter(|&node| view.scopes.is_identifier(node)) {
            let is_asked_for = view.scopes.fits(node, &rules.asked_for).is_some();
            let is_member = is_asked_for || view.scopes.fits(node, &rules.members).is_some();
            let is_embedded = !is_member && self.is_embedded_name(&view, node);
            if !is_member && !is_embedded {
                continue;
            }
            let reach = match view.rules.capital_exports {
                true if view.tree.node_text(node).starts_with(char::is_uppercase) => MemberReach::Everywhere,
                true => MemberReach::Package,
                false => self.reach_by_words(&view, node),
            };
            let site = Site { file, name: node };
            let record = table.ancestors(node).find(|&up| rules.records.contains(table.type_id(up)));
            let definition = self.definition_of(&view, node);
            let is_method = definition.is_some_and(|definition| {
                view.tree.is_scope(definition) && view.tree.name_node(definition) == Some(node)
            });
            let name = view.tree.node_text(node).into_owned();
            found.push(BorderMember { site, name, reach, is_asked_for, is_method, record });
        }
        found
    }

    /// Whether a name is the last one of the type of a field that has no name besides.
    pub(super) fn is_embedded_name(&self, view: &View<'_>, name: Node) -> bool {
        let table = view.tree.table();
        for holder in table.ancestors(name).take(5) {
            let fitting = view.rules.members.embedded.iter().find(|(pattern, _)| table.fits(holder, pattern));
            let Some((_, paths)) = fitting else { continue };
            let Some(written) = paths.iter().flat_map(|path| view.tree.reached(holder, path)).next() else { continue };
            let arguments = table.descendants(written).chain([written]).flat_map(|node| {
                let paths = view.rules.written_types.arguments.of(table.type_id(node)).into_iter().flatten();
                paths.flat_map(move |path| view.tree.reached(node, path)).collect::<Vec<Node>>()
            });
            let arguments: Vec<Node> = arguments.collect();
            let is_head = |node: &Node| {
                view.scopes.is_identifier(*node) && !arguments.iter().any(|&other| table.is_within(*node, other))
            };
            return std::iter::once(written).chain(table.descendants(written)).filter(is_head).last() == Some(name);
        }
        false
    }

    /// From where a definition with words for that before it can be used.
    fn reach_by_words(&self, view: &View<'_>, name: Node) -> MemberReach {
        let rules = &view.rules.package_borders;
        let table = view.tree.table();
        let around = std::iter::once(name).chain(table.ancestors(name));
        let mut around = around.take_while(|&node| node != Node::ROOT);
        let Some(definition) = around.find(|&node| rules.worded.contains(table.type_id(node))) else {
            return MemberReach::Everywhere;
        };
        let words = view.tree.modifiers(definition);
        let has = |known: &[String]| words.iter().any(|word| known.iter().any(|known| *known == **word));
        let is_open = table.parent(definition).is_some_and(|body| rules.open_bodies.contains(table.type_id(body)));
        match () {
            () if has(&rules.class_words) => MemberReach::Class,
            () if is_open || has(&rules.open_words) => MemberReach::Everywhere,
            () if has(&rules.heir_words) => MemberReach::Heirs,
            () => MemberReach::Package,
        }
    }

    /// Whether other packages can use a definition at the top of a file.
    pub fn is_open_to_packages(&self, site: Site) -> bool {
        let Some(view) = self.view(site.file) else { return false };
        match view.rules.capital_exports {
            true => view.tree.node_text(site.name).starts_with(char::is_uppercase),
            false => self.reach_by_words(&view, site.name) == MemberReach::Everywhere,
        }
    }

    /// The packages of the project that a file imports, each with the part of the import that names it.
    pub fn imported_folders(&self, file: FileId) -> Vec<(Node, u32)> {
        let folder = |name: &str| match self.imported_module(file, name)? {
            Thing::Folder(folder) => Some(folder),
            _ => None,
        };
        let names = self.imported_names(file);
        names.iter().filter_map(|import| Some((import.node, folder(&import.name)?))).collect()
    }
}
