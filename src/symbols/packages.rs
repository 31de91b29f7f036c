//! Names that the files of a package share, and packages that are imported without a name of their own.

use super::model::{FileId, Meaning, Thing};
use super::resolver::{Resolver, View};
use crate::language::{Language, ModuleScheme};
use crate::tree::Node;

impl Resolver<'_> {
    /// The name of the package that a file declares.
    pub(super) fn package_of<'v>(&self, view: &'v View<'_>) -> Option<&'v str> {
        let table = view.tree.table();
        let read = || {
            let paths = |&node: &Node| view.rules.packages.of(table.type_id(node));
            let (statement, paths) = table.children(Node::ROOT).find_map(|node| Some((node, paths(&node)?)))?;
            let name = paths.iter().flat_map(|path| view.tree.reached(statement, path)).next()?;
            Some(view.tree.node_text(name).split_whitespace().collect())
        };
        view.package.get_or_init(read).as_deref()
    }

    /// What a name means that nothing in its file binds.
    pub(super) fn free_name(&self, view: &View<'_>, name: &str) -> Meaning {
        let from_globs = self.find_in_globs(view, name);
        if let Meaning::Known(_) = from_globs {
            return from_globs;
        }
        if let Some(found) = self.find_in_package(view, name) {
            return found;
        }
        if let Some(imported) = self.imported_package(view, name) {
            return imported;
        }
        match from_globs {
            Meaning::Unknown(_) if view.rules.is_builtin(name) || view.rules.imports_are_complete => Meaning::External,
            meaning => meaning,
        }
    }

    /// What a name means in the other files of the package.
    fn find_in_package(&self, view: &View<'_>, name: &str) -> Option<Meaning> {
        if view.rules.modules != Some(ModuleScheme::PackageFolders) {
            return None;
        }
        let package = self.package_of(view)?;
        let folder = self.project().modules.folder_of(view.file);
        let found = self.member_of_folder(folder, view.tree.language(), Some(package), name);
        matches!(found, Meaning::Known(_)).then_some(found)
    }

    /// What a name means at the top of the files of a folder that declare this package; without one, of those that other
    /// packages see.
    pub(super) fn member_of_folder(
        &self,
        folder: u32,
        language: &'static Language,
        package: Option<&str>,
        name: &str,
    ) -> Meaning {
        let key = (folder, package.unwrap_or_default().to_owned(), name.to_owned());
        if let Some(known) = self.folder_members.borrow().get(&key) {
            return known.clone();
        }
        let private = &language.spec().symbols.private_files;
        let files = self.project().modules.files_in(folder).iter().copied();
        let mut found = Vec::new();
        for file in files.filter(|&file| self.project().file(file).language == language) {
            let path = &self.project().file(file).path;
            let stem = path.rsplit_once('.').map_or(path.as_str(), |(stem, _)| stem);
            let is_seen = package.is_some() || !private.iter().any(|end| stem.ends_with(end.as_str()));
            if !is_seen || !self.trees.may_have(file, name) {
                continue;
            }
            let Some(view) = self.view(file) else { continue };
            if package.is_some() && self.package_of(&view) != package {
                continue;
            }
            let mut binders = self.top_binders(&view, name);
            binders.retain(|&binder| self.import_around(&view, binder).is_none());
            if let Some(&binder) = binders.first() {
                found.push(Meaning::site(file, binder));
            }
        }
        let found = Meaning::union(found);
        self.folder_members.borrow_mut().insert(key, found.clone());
        found
    }

    /// The package that an import binds to a name without writing it: the last part of `example.org/a/b`, or what its
    /// files declare.
    fn imported_package(&self, view: &View<'_>, name: &str) -> Option<Meaning> {
        if view.rules.packages.is_empty() {
            return None;
        }
        let modules = &self.project().modules;
        let language = view.tree.language();
        for (_, part) in view.imports().iter().filter(|(_, part)| !part.is_glob && part.alias.is_none()) {
            let module = modules.import(view.file, language, &part.name);
            let is_it = match module {
                Some(Thing::Folder(folder)) => self.declares(folder, language, name),
                _ => part.bound.as_deref() == Some(name),
            };
            if is_it {
                return Some(module.map_or(Meaning::External, |module| Meaning::Known(vec![module])));
            }
        }
        None
    }

    /// Whether one of the first files of a folder declares a package with this name.
    fn declares(&self, folder: u32, language: &'static Language, name: &str) -> bool {
        /// How many files are looked at: those of a program beside the package come first, if at all.
        const MOST_FILES: usize = 12;
        let private = &language.spec().symbols.private_files;
        let is_seen = |&&file: &&FileId| {
            let file = self.project().file(file);
            let stem = file.path.rsplit_once('.').map_or(file.path.as_str(), |(stem, _)| stem);
            file.language == language && !private.iter().any(|end| stem.ends_with(end.as_str()))
        };
        let files = self.project().modules.files_in(folder).iter().filter(is_seen).take(MOST_FILES);
        let mut views = files.filter_map(|&file| self.view(file));
        views.any(|view| self.package_of(&view) == Some(name))
    }
}
