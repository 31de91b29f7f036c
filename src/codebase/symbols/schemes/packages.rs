//! Names that the files of a package share, and packages that are imported without a name of their own.

use crate::language::Language;
use crate::symbols::inference::resolver::{Resolver, View};
use crate::symbols::model::{Meaning, Thing, Values};
use crate::tree::Node;

impl Resolver<'_> {
    /// The name of the package that a file declares.
    pub(in crate::symbols) fn package_of<'v>(&self, view: &'v View<'_>) -> Option<&'v str> {
        let table = view.tree.table();
        let read = || {
            let paths = |&node: &Node| view.rules.packages.of(table.type_id(node));
            let (statement, paths) = table.children(Node::ROOT).find_map(|node| Some((node, paths(&node)?)))?;
            let name = paths.iter().flat_map(|path| view.tree.reached(statement, path)).next()?;
            Some(view.tree.node_text(name).split_whitespace().collect())
        };
        view.package.get_or_init(read).as_deref()
    }

    /// The meaning of a name at the top of the files of a folder that declare this package; without one, of those that other
    /// packages see.
    pub(in crate::symbols) fn in_folder(
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
        let private = &language.spec().symbols.module_files.private;
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
            if package.is_some_and(|package| self.package_of(&view).unwrap_or_default() != package) {
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

    /// The meaning of a name in a package with this name: a class at the top of one of its files. `None` if no folder has the
    /// package's name.
    pub(in crate::symbols) fn class_in_folders(&self, view: &View<'_>, package: &str, name: &str) -> Option<Meaning> {
        let language = view.tree.language();
        let mut folders = self.trees.folders_of_package(language, package);
        let own = self.project().modules.folder_of(view.file);
        if package.is_empty() && matches!(self.in_folder(own, language, Some(package), name), Meaning::Known(_)) {
            folders = vec![own];
        }
        if folders.is_empty() {
            return None;
        }
        let found = folders.into_iter().map(|folder| self.in_folder(folder, language, Some(package), name));
        Some(Meaning::union(found.filter(|meaning| matches!(meaning, Meaning::Known(_)))))
    }

    /// The package that an expression names, if no variable or class has its first name and a folder has its name: `com.x` of
    /// `com.x.Q.run()`.
    pub(in crate::symbols) fn written_package(&self, view: &View<'_>, node: Node) -> Option<Thing> {
        let separator = view.tree.language().spec().imports.separator.as_str();
        let is_name = |node: Node| view.scopes.is_identifier(node);
        if !is_name(node) && self.member_name(view, node).is_none() {
            return None;
        }
        let text = view.tree.node_text(node);
        let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
        if !text.split(separator).all(|part| !part.is_empty() && part.chars().all(is_letter)) {
            return None;
        }
        let language = view.tree.language();
        let folders = self.trees.folders_of_package(language, &text);
        let is_declared = |&folder: &u32| {
            let mut files = self.project().modules.files_in(folder).iter().copied();
            files.any(|file| {
                self.project().file(file).language == language
                    && self.view(file).is_some_and(|other| self.package_of(&other).is_some_and(|own| own == &*text))
            })
        };
        if !folders.iter().any(is_declared) {
            return None;
        }
        let first = std::iter::once(node).chain(view.tree.table().descendants(node)).find(|&node| is_name(node))?;
        let names = view.scopes.names_like(first);
        let is_bound = names.at(first).is_some_and(|found| names.resolve(&view.scopes, found).is_some());
        let is_known = || matches!(self.meaning(view.file, first), Meaning::Known(_));
        (!is_bound && !is_known()).then(|| Thing::Package(self.project().package_id(&text)))
    }

    /// The meaning of a name in a package: a class, or a package in it; `None` if no folder has the package's name.
    pub(in crate::symbols) fn member_of_folders(
        &self,
        language: &'static Language,
        package: &str,
        name: &str,
    ) -> Option<Meaning> {
        let folders = self.trees.folders_of_package(language, package).into_iter();
        let found = Meaning::union(folders.map(|folder| self.in_folder(folder, language, Some(package), name)));
        matches!(found, Meaning::Known(_)).then_some(found)
    }

    /// The meaning of a path of packages and classes; `None` if no class is found. `is_spread`: a package may have no name, and a class several
    /// definitions.
    pub(in crate::symbols) fn class_by_path(
        &self,
        view: &View<'_>,
        parts: &[&str],
        is_spread: bool,
    ) -> Option<Meaning> {
        let separator = &view.tree.language().spec().imports.separator;
        let shortest = usize::from(!is_spread);
        for end in (shortest..parts.len()).rev() {
            let package = parts[..end].join(separator);
            let things = match self.scheme(view).class_in_package(self, view, &package, parts[end]) {
                Some(Meaning::Known(things)) => things,
                Some(Meaning::Unknown(things)) if is_spread && end + 1 == parts.len() => {
                    return Some(Meaning::Unknown(things));
                }
                _ => continue,
            };
            let mut meaning = Meaning::Known(things);
            for part in &parts[end + 1..] {
                let Meaning::Known(things) = &meaning else { break };
                let values = Values::union(things.iter().map(|&thing| self.thing_value(thing)));
                meaning = Meaning::union(values.known.iter().map(|value| self.member_of(value, *part)));
            }
            return Some(meaning);
        }
        None
    }
}
